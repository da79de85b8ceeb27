// What stands beside the board: bands, lines, moves, the review.

import { element } from "./board.js";

/// A paragraph, a button … with a class and a text.
function make(name, className, text) {
  const made = document.createElement(name);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

/// The bar beside the board: White's share up to the median, with the band around it.
export function drawBar(svg, line, flipped) {
  const points = line?.points ?? [0.5, 0.5, 0.5, 0.5, 0.5];
  const at = (share) => 360 * (flipped ? share : 1 - share);
  const part = (className, low, high) => {
    const [top, bottom] = [at(low), at(high)].sort((a, b) => a - b);
    const height = Math.max(bottom - top, className === "tick" ? 3 : 0);
    return element("rect", { class: className, x: 0, y: top, width: 20, height });
  };
  svg.replaceChildren(
    part("black-side", 0, 1),
    part("white-side", 0, points[2]),
    part("outer", points[0], points[4]),
    part("inner", points[1], points[3]),
    part("tick", points[2], points[2]),
  );
  const label = line ? `Expected points for White: ${line.expected.toFixed(2)}` : "Not searched";
  svg.setAttribute("aria-label", label);
}

function band(points) {
  const svg = element("svg", { class: "band", viewBox: "0 0 100 10", preserveAspectRatio: "none" });
  svg.setAttribute("aria-hidden", "true");
  const part = (className, low, high, least) =>
    svg.append(
      element("rect", { class: className, x: 100 * low, y: 0, width: Math.max(100 * (high - low), least), height: 10 }),
    );
  part("outer", points[0], points[4], 0);
  part("inner", points[1], points[3], 0);
  part("middle-line", 0.5, 0.5, 0.3);
  part("tick", points[2], points[2], 0.8);
  return svg;
}

/// The best lines; the score is a button with the line's first move. What is there is changed
/// rather than replaced: a button that goes away between press and release is never clicked.
export function drawLines(list, lines) {
  while (list.children.length > lines.length) list.lastChild.remove();
  lines.forEach((line, index) => {
    const item = list.children[index] ?? list.appendChild(lineItem());
    const [button, body] = item.children;
    button.textContent = line.score;
    button.dataset.uci = line.uci;
    const points = `${line.expected.toFixed(2)} points`;
    const numbers = line.band ? `${points}, q10 to q90 ${line.band}` : `${points}, certain`;
    body.replaceChildren(band(line.points), make("div", "numbers", numbers), make("div", "", line.text));
  });
}

function lineItem() {
  const item = make("li");
  const button = make("button");
  button.title = "Play the first move of this line";
  item.append(button, make("div"));
  return item;
}

/// All moves of the game, with marks where it was reviewed.
export function drawMoves(box, played, steps, ply, go) {
  const parts = [];
  played.forEach((move, index) => {
    if (move.number) parts.push(make("span", "number", move.number));
    const step = steps[index];
    const button = make("button", step?.word ?? "", move.san + (step?.symbol ?? ""));
    if (step) button.title = step.title;
    if (index + 1 === ply) button.setAttribute("aria-current", "step");
    button.addEventListener("click", () => go(index + 1));
    parts.push(button);
  });
  if (!parts.length) parts.push(make("span", "number", "No moves yet: move a piece, or set up a game below."));
  box.replaceChildren(...parts);
  const current = box.querySelector("[aria-current]");
  // Only the list itself may scroll, never the page.
  if (current) box.scrollTop = current.offsetTop - box.offsetTop - box.clientHeight / 2;
}

/// The chart of a review; a click goes to the move.
export function drawChart(box, chart, go) {
  box.innerHTML = chart;
  box.querySelectorAll(".touch").forEach((touch, index) => {
    touch.addEventListener("click", () => go(index + 1));
  });
}

/// Shows where in the chart the board is.
export function markChart(box, ply) {
  box.querySelectorAll(".touch").forEach((touch, index) => {
    touch.classList.toggle("here", index + 1 === ply);
  });
}

const COLUMNS = [
  ["side", "Side"],
  ["moves", "Moves"],
  ["loss", "Loss per move"],
  ["inaccuracies", "?!"],
  ["mistakes", "?"],
  ["blunders", "??"],
  ["unclear", "Unclear"],
  ["agreed", "As the engine"],
];

/// Both sides in numbers.
export function drawSummary(box, summary) {
  const table = make("table");
  const head = table.createTHead().insertRow();
  for (const [, title] of COLUMNS) {
    const cell = make("th", "", title);
    cell.scope = "col";
    head.append(cell);
  }
  const body = table.createTBody();
  for (const side of summary) {
    const row = body.insertRow();
    for (const [key] of COLUMNS) {
      const cell = make(key === "side" ? "th" : "td", "", key === "loss" ? side.loss.toFixed(3) : side[key]);
      if (key === "side") cell.scope = "row";
      row.append(cell);
    }
  }
  box.replaceChildren(table);
}
