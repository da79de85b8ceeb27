// What a review says about a game: every move marked, and for a move that lost something what would
// have been better: as an arrow, in words, and with its line.

import { bandText, scoreText } from "./bands.js";
import { byId, make } from "./dom.js";
import { lineMoves } from "./lines.js";
import { lineSteps, moveNumber } from "./rules.js";

export const FAULTS = ["inaccuracy", "mistake", "blunder"];

/// The nodes of the reviewed line, as far as they are still in the tree.
export function reviewedNodes(tree) {
  const { reviewed } = tree;
  if (!reviewed) return [];
  const nodes = reviewed.end.path();
  return nodes.every((node) => node.step && node.parent.children.includes(node)) ? nodes : [];
}

/// What was better than the move that led to a node, if anything.
export function betterOf(node) {
  return node.step?.better && node.parent ? node.step.better : null;
}

/// The note on the current move. `choose(ucis)` plays the better line as a variation.
export function drawNote(box, node, choose, preview) {
  const { step } = node;
  box.hidden = !step;
  if (!step) return;
  const name = `${moveNumber(node.ply - 1)} ${node.san}`;
  const better = betterOf(node);
  const article = step.mark === "inaccuracy" ? "an" : "a";
  const verdict = {
    fine: better ? "is fine" : "is the engine's choice, or as good",
    unclear: "is unclear: a deeper search may prefer it or not",
  }[step.mark] ?? `is ${article} ${step.mark}`;
  const lost = step.loss >= 0.005 ? `, ${step.loss.toFixed(2)} points lost` : "";
  const parts = [
    make("p", {}, make("strong", { class: step.mark, text: `${name}${step.symbol}` }), ` ${verdict}${lost}. After it ${scoreText(step.played.score)} (${bandText(step.played)}).`),
  ];
  if (better) {
    const [first] = lineSteps(node.parent.fen, better.moves);
    const found = step.found ? `. Found by ${Math.round(100 * step.found.chance)} % at ${step.found.rating}` : "";
    parts.push(
      make("p", {}, make("strong", { class: "better", text: `Better ${first.number} ${first.san}` }), ` ${scoreText(better.score)} (${bandText(better)})${found}`),
      make("div", { class: "line", role: "group", "aria-label": "The better line" }, ...lineMoves(node.parent.fen, better.moves, choose, preview)),
    );
  }
  box.replaceChildren(...parts);
}

const COLUMNS = [
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
  if (!summary) return box.replaceChildren();
  const head = make("tr", {}, make("th", { scope: "col", text: "" }), ...summary.map(({ side }) => make("th", { scope: "col", text: side })));
  const rows = COLUMNS.map(([key, title]) =>
    make("tr", {}, make("th", { scope: "row", text: title }),
      ...summary.map((side) => make("td", { text: key === "loss" ? side.loss.toFixed(3) : side[key] }))));
  box.replaceChildren(make("table", {}, make("thead", {}, head), make("tbody", {}, ...rows)));
}

/// The next move with a fault after a node, from the start again after the last.
export function nextFault(tree) {
  const faults = reviewedNodes(tree).filter((node) => FAULTS.includes(node.step.mark));
  return faults.find((node) => node.ply > tree.current.ply) ?? faults[0] ?? null;
}

export function drawProgress(done, all) {
  const bar = byId("progress");
  if (!all) return bar.removeAttribute("value");
  [bar.max, bar.value] = [all, done];
}
