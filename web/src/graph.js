// The course of a game as a picture: the median as a line, the bands around it, marks as dots.
// White is above; the height is expected points, so that +9 and +12 take the same room.

import { make, svg } from "./dom.js";
import { moveNumber } from "./rules.js";

const [WIDTH, HEIGHT, MARGIN] = [720, 180, 8];

/// Draws the line of nodes that have been reviewed, `start` being the verdict before the first.
/// `go(node)` is called with the position that somebody wants to see.
export function drawGraph(box, start, nodes, current, go) {
  if (!start) return box.replaceChildren();
  const verdicts = [start, ...nodes.map((node) => node.step.played)];
  const x = (index) => (WIDTH * index) / Math.max(1, verdicts.length - 1);
  const y = (points) => MARGIN + (HEIGHT - 2 * MARGIN) * (1 - points);
  const place = (index, which) => `${x(index).toFixed(1)} ${y(verdicts[index].points[which]).toFixed(1)}`;
  const all = verdicts.map((_, index) => index);
  const area = (name, low, high) => {
    const above = all.map((index) => place(index, high));
    const below = [...all].reverse().map((index) => place(index, low));
    return svg("path", { class: name, d: `M${[...above, ...below].join("L")}Z` });
  };
  const grid = [0.25, 0.5, 0.75].map((points) =>
    svg("path", { class: points === 0.5 ? "middle" : "grid", d: `M0 ${y(points)}H${WIDTH}` }),
  );
  const dots = nodes.flatMap((node, index) => {
    if (node.step.mark === "fine") return [];
    // A stroke without length stays round, however the picture is stretched.
    return [svg("path", { class: `dot ${node.step.mark}`, d: `M${x(index + 1)} ${y(node.step.played.points[2])}h0` })];
  });
  const here = nodes.indexOf(current);
  const cursor = here >= 0 && svg("path", { class: "cursor", d: `M${x(here + 1)} 0V${HEIGHT}` });
  const picture = svg(
    "svg",
    { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", "aria-hidden": "true" },
    ...grid, area("outer", 0, 4), area("inner", 1, 3),
    svg("path", { class: "median-line", d: `M${all.map((index) => place(index, 2)).join("L")}` }),
    ...dots, cursor || null,
  );
  // One control for pointer and keyboard, a slider over the whole game. It stays when the picture
  // changes, because the keyboard is on it.
  const frame = box.querySelector(".graph-frame") ?? box.appendChild(makeFrame());
  const slider = frame.querySelector("input");
  frame.querySelector("svg")?.remove();
  frame.prepend(picture);
  slider.max = nodes.length;
  slider.value = here + 1;
  slider.setAttribute("aria-valuetext", here >= 0 ? `${moveNumber(current.ply - 1)} ${current.san}` : "Start");
  slider.oninput = () => go(Number(slider.value) ? nodes[slider.value - 1] : nodes[0]?.parent);
}

function makeFrame() {
  return make("div", { class: "graph-frame" },
    make("input", { type: "range", min: 0, class: "graph-slider", "aria-label": "Place in the game" }),
    make("span", { class: "graph-side top", "aria-hidden": "true", text: "White is better" }),
    make("span", { class: "graph-side bottom", "aria-hidden": "true", text: "Black is better" }));
}
