// The board as a picture to save: squares, pieces, the last move, and the arrows that people drew.

import { makeSquare, parseSquare } from "chessops/util";
import { make, svg } from "./dom.js";
import { position } from "./rules.js";

const SQUARE = 80;
const COLORS = { green: "#15781b", red: "#a61d24", blue: "#134a86", yellow: "#b06a00" };

/// The picture of a pieces' style, which the browser has already.
function pieceImage(wrap, { color, role }) {
  const sample = wrap.appendChild(make("piece", { class: `${color} ${role}`, hidden: true }));
  const found = /url\("?(.*?)"?\)$/.exec(getComputedStyle(sample).backgroundImage);
  sample.remove();
  return found?.[1];
}

/// An SVG of a position as it stands on the board `wrap`.
export function pictureOf(wrap, { fen, orientation, last, shapes }) {
  const { board } = position(fen);
  const corner = (name) => {
    const square = parseSquare(name);
    const [file, rank] = [square % 8, square >> 3];
    return orientation === "white" ? [SQUARE * file, SQUARE * (7 - rank)] : [SQUARE * (7 - file), SQUARE * rank];
  };
  const middle = (name) => corner(name).map((edge) => edge + SQUARE / 2);
  const names = Array.from({ length: 64 }, (_, square) => makeSquare(square));
  const box = (name, fill) => {
    const [x, y] = corner(name);
    return svg("rect", { x, y, width: SQUARE, height: SQUARE, fill });
  };
  const isLight = (name) => (parseSquare(name) + (parseSquare(name) >> 3)) % 2 === 1;
  const squares = names.map((name) => box(name, isLight(name) ? "#eef1f5" : "#8ba3bf"));
  const lately = (last ?? []).map((name) => box(name, "rgb(242 201 76 / 55%)"));
  const pieces = names.flatMap((name) => {
    const piece = board.get(parseSquare(name));
    const [x, y] = corner(name);
    return piece ? [svg("image", { x, y, width: SQUARE, height: SQUARE, href: pieceImage(wrap, piece) })] : [];
  });
  const drawn = (shapes ?? []).map(({ orig, dest, brush }) => {
    const [color, from] = [COLORS[brush] ?? COLORS.green, middle(orig)];
    if (!dest) return svg("circle", { cx: from[0], cy: from[1], r: SQUARE / 2 - 4, fill: "none", stroke: color, "stroke-width": 5, opacity: 0.9 });
    return arrow(from, middle(dest), color);
  });
  const size = 8 * SQUARE;
  return svg("svg", { xmlns: "http://www.w3.org/2000/svg", width: size, height: size, viewBox: `0 0 ${size} ${size}` }, ...squares, ...lately, ...pieces, ...drawn);
}

/// A line that ends in a head whose point is on the square.
function arrow([x, y], [toX, toY], color) {
  const length = Math.hypot(toX - x, toY - y);
  const [dx, dy] = [(toX - x) / length, (toY - y) / length];
  const [neckX, neckY] = [toX - 24 * dx, toY - 24 * dy];
  const head = `M${toX} ${toY}L${neckX - 16 * dy} ${neckY + 16 * dx}L${neckX + 16 * dy} ${neckY - 16 * dx}Z`;
  return svg("g", { opacity: 0.9 }, svg("path", { d: `M${x} ${y}L${neckX} ${neckY}`, stroke: color, "stroke-width": 12, "stroke-linecap": "round" }), svg("path", { d: head, fill: color }));
}

/// The same as PNG, for those who take no SVG.
export async function pngOf(picture) {
  const text = new XMLSerializer().serializeToString(picture);
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(text)}`;
  await image.decode();
  const canvas = make("canvas", { width: 8 * SQUARE, height: 8 * SQUARE });
  canvas.getContext("2d").drawImage(image, 0, 0);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
}
