// The engine's best lines: score, band, and moves that can be looked at and played.

import { bandPicture, bandText, scoreText, scoreWords } from "./bands.js";
import { make } from "./dom.js";
import { lineSteps } from "./rules.js";

/// Most moves of a line that are shown.
const SHOWN = 14;

/// Draws the lines of a position. What is there is changed rather than replaced: a button that
/// goes away between press and release is never clicked. `choose(ucis)` plays a line up to a move,
/// `preview(step)` shows a position of it, `preview(null)` no more.
export function drawLines(list, fen, lines, { choose, preview }) {
  while (list.children.length > lines.length) list.lastChild.remove();
  lines.forEach((line, index) => {
    const key = `${fen} ${line.moves.join(" ")}`;
    let item = list.children[index];
    if (!item) {
      item = make("li");
      item.append(make("button", { class: "score" }), make("div", { class: "band-box" }), make("div", { class: "line" }));
      list.append(item);
    }
    const [score, band, moves] = item.children;
    score.textContent = scoreText(line.score);
    score.title = "Play the first move of this line";
    score.setAttribute("aria-label", `Line ${index + 1}: ${scoreWords(line.score)}, play its first move`);
    score.onclick = () => choose(line.moves.slice(0, 1));
    const sure = line.confidence === undefined || line.confidence === null ? "" : ` · ${Math.round(100 * line.confidence)} % sure`;
    const numbers = make("span", { class: "numbers", text: `${line.expected.toFixed(2)} points · ${bandText(line)}${sure}` });
    band.replaceChildren(bandPicture(line.points), numbers);
    if (item.dataset.key === key) return;
    item.dataset.key = key;
    // A button that is taken away never says that the pointer has left it.
    if (moves.querySelector(":hover, :focus-visible")) preview(null);
    moves.replaceChildren(...lineMoves(fen, line.moves, choose, preview));
  });
}

/// The moves of a line as buttons.
export function lineMoves(fen, ucis, choose, preview) {
  return lineSteps(fen, ucis.slice(0, SHOWN)).map((step, index, steps) => {
    const button = make("button", {
      class: "move",
      text: step.number ? `${step.number} ${step.san}` : step.san,
      onclick: () => choose(steps.slice(0, index + 1).map(({ uci }) => uci)),
      onpointerenter: ({ pointerType }) => pointerType === "mouse" && preview(step),
      onpointerleave: () => preview(null),
      onfocus: () => button.matches(":focus-visible") && preview(step),
      onblur: () => preview(null),
    });
    return button;
  });
}
