// The moves of a game with its variations, comments and marks.

import { make } from "./dom.js";
import { moveNumber } from "./rules.js";

/// What PGN's numbers for marks look like.
const NAGS = { 1: "!", 2: "?", 3: "!!", 4: "??", 5: "!?", 6: "?!", 7: "□", 10: "=", 13: "∞", 14: "⩲", 15: "⩱", 16: "±", 17: "∓", 18: "+−", 19: "−+" };

/// Draws the tree; `go(node)` is called with the position that somebody wants to see.
export function drawMoves(box, tree, go) {
  const parts = [];
  if (tree.root.comment) parts.push(make("span", { class: "comment", text: tree.root.comment }));
  line(parts, tree.root, true, go, tree.current);
  if (!tree.root.children.length) {
    parts.push(make("p", { class: "soft", text: "No moves yet. Move a piece, open a game, or play against Brier." }));
  }
  box.replaceChildren(...spaced(parts));
  const current = box.querySelector("[aria-current]");
  // Only the list itself may scroll, never the page.
  if (current) {
    const [top, bottom] = [current.offsetTop - box.offsetTop, current.offsetTop - box.offsetTop + current.offsetHeight];
    if (top < box.scrollTop || bottom > box.scrollTop + box.clientHeight) box.scrollTop = top - box.clientHeight / 2;
  } else {
    box.scrollTop = 0;
  }
}

/// With a space after each part, so that what is copied can be read.
const spaced = (parts) => parts.flatMap((part) => [part, " "]);

/// The moves after a node, the variations between them.
function line(parts, from, numbered, go, current) {
  let node = from;
  let force = numbered;
  while (node.children.length) {
    const [main, ...others] = node.children;
    if (main.before) parts.push(make("span", { class: "comment", text: main.before }));
    parts.push(moveButton(main, force || node.ply % 2 === 0, go, current));
    force = false;
    if (main.comment) {
      parts.push(make("span", { class: "comment", text: main.comment }));
      force = true;
    }
    for (const other of others) {
      const inside = [];
      if (other.before) inside.push(make("span", { class: "comment", text: other.before }));
      inside.push(moveButton(other, true, go, current));
      if (other.comment) inside.push(make("span", { class: "comment", text: other.comment }));
      line(inside, other, Boolean(other.comment), go, current);
      parts.push(make("span", { class: "variation", role: "group", "aria-label": "Variation" }, ...spaced(inside)));
      force = true;
    }
    node = main;
  }
}

function moveButton(node, numbered, go, current) {
  const { step } = node;
  const signs = step?.symbol || node.nags.map((nag) => NAGS[nag] ?? "").join("");
  const number = numbered ? moveNumber(node.ply - 1) : "";
  const word = step && step.mark !== "fine" ? `, ${step.mark}` : "";
  return make(
    "button",
    {
      class: `move ${step?.mark ?? ""}`,
      "aria-label": `${moveNumber(node.ply - 1)} ${node.san}${word}`,
      "aria-current": node === current ? "step" : null,
      onclick: () => go(node),
    },
    number ? make("span", { class: "number", text: number }) : null,
    (number ? " " : "") + node.san + signs,
  );
}
