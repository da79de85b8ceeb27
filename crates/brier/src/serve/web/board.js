// The board: draws a position and says which squares are touched. It knows no rules.

const SIDE = 45;
const SVG = "http://www.w3.org/2000/svg";

/// An SVG element with attributes.
export function element(name, attributes, text) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== undefined) made.textContent = text;
  return made;
}

/// The upper left corner of a square.
function corner(square, flipped) {
  const file = square.charCodeAt(0) - 97;
  const rank = square.charCodeAt(1) - 49;
  return flipped ? [(7 - file) * SIDE, rank * SIDE] : [file * SIDE, (7 - rank) * SIDE];
}

function middle(square, flipped) {
  return corner(square, flipped).map((edge) => edge + SIDE / 2);
}

/// The pieces of a FEN: [square, letter] for each.
function pieces(fen) {
  const found = [];
  fen.split(" ")[0].split("/").forEach((row, index) => {
    let file = 0;
    for (const letter of row) {
      if (/\d/.test(letter)) file += Number(letter);
      else found.push([String.fromCharCode(97 + file++) + (8 - index), letter]);
    }
  });
  return found;
}

/// Draws everything anew. `view` has `fen`, `flipped`, `last` (two squares), `check`, `selected`,
/// `targets` (squares) and `hint` (two squares).
export function draw(svg, view) {
  const { flipped } = view;
  const parts = [];
  const square = (name, className) => {
    const [x, y] = corner(name, flipped);
    parts.push(element("rect", { class: className, x, y, width: SIDE, height: SIDE }));
  };
  for (let i = 0; i < 64; i++) {
    const name = String.fromCharCode(97 + (i % 8)) + (1 + Math.floor(i / 8));
    square(name, (i + Math.floor(i / 8)) % 2 ? "light" : "dark");
  }
  for (const name of view.last ?? []) square(name, "last");
  if (view.check) square(view.check, "check");
  if (view.selected) square(view.selected, "selected");
  for (let i = 0; i < 8; i++) {
    const [file, rank] = flipped ? [7 - i, i] : [i, 7 - i];
    const letter = String.fromCharCode(97 + file);
    parts.push(element("text", { x: (i + 1) * SIDE - 7, y: 8 * SIDE - 3 }, letter));
    parts.push(element("text", { x: 2, y: i * SIDE + 11 }, rank + 1));
  }
  for (const [name, letter] of pieces(view.fen)) {
    const [x, y] = corner(name, flipped);
    const kind = letter.toLowerCase();
    const side = kind === letter ? "black" : "white";
    parts.push(element("use", { class: side, href: `#piece-${kind}`, x, y, "data-square": name }));
  }
  for (const name of view.targets ?? []) {
    const [cx, cy] = middle(name, flipped);
    parts.push(element("circle", { class: "target", cx, cy, r: 7 }));
  }
  if (view.hint) parts.push(...arrow(...view.hint.map((name) => middle(name, flipped))));
  svg.replaceChildren(...parts);
}

function arrow([x1, y1], [x2, y2]) {
  const length = Math.hypot(x2 - x1, y2 - y1);
  // In Chess960 a king may castle without moving.
  if (!length) return [element("circle", { class: "hint", cx: x1, cy: y1, r: 20 })];
  const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
  const [bx, by] = [x2 - 15 * dx, y2 - 15 * dy];
  const head = `M${x2} ${y2}L${bx - 8 * dy} ${by + 8 * dx}L${bx + 8 * dy} ${by - 8 * dx}Z`;
  return [
    element("path", { class: "hint", d: `M${x1} ${y1}L${bx} ${by}` }),
    element("path", { class: "hint-head", d: head }),
  ];
}

/// Calls `down(square)` and `up(square)` for the pointer; a piece that is held follows it.
export function listen(svg, isFlipped, down, up) {
  let held = null;
  const place = (event) => {
    const box = svg.getBoundingClientRect();
    const scale = (8 * SIDE) / box.width;
    return [(event.clientX - box.left) * scale, (event.clientY - box.top) * scale];
  };
  const square = (event) => {
    const cells = place(event).map((at) => Math.floor(at / SIDE));
    if (cells.some((cell) => cell < 0 || cell > 7)) return null;
    const [x, y] = isFlipped() ? [7 - cells[0], cells[1]] : [cells[0], 7 - cells[1]];
    return String.fromCharCode(97 + x) + (y + 1);
  };
  svg.addEventListener("pointerdown", (event) => {
    const name = square(event);
    if (!name || event.button !== 0) return;
    event.preventDefault();
    down(name);
    held = svg.querySelector(`use[data-square="${name}"]`);
    if (held) svg.append(held);
    svg.setPointerCapture(event.pointerId);
  });
  svg.addEventListener("pointermove", (event) => {
    if (!held) return;
    const [x, y] = place(event);
    held.setAttribute("x", x - SIDE / 2);
    held.setAttribute("y", y - SIDE / 2);
  });
  const release = (event) => {
    held = null;
    up(event.type === "pointerup" ? square(event) : null);
  };
  svg.addEventListener("pointerup", release);
  svg.addEventListener("pointercancel", release);
}
