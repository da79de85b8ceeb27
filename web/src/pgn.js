// PGN in and out: whole trees with comments, marks, arrows and circles.

import { makeComment, makePgn, Node, ChildNode, parseComment, parsePgn, startingPosition } from "chessops/pgn";
import { parseSan } from "chessops/san";
import { fenOf, INITIAL_FEN } from "./rules.js";
import { makeSquare, parseSquare } from "chessops/util";
import { Tree } from "./tree.js";

/// The colours of PGN's arrows and those of the board.
const BRUSHES = ["green", "red", "yellow", "blue"];

/// Where the games of a text begin and who plays them, without reading their moves: a file may
/// have thousands.
export function splitGames(text) {
  const games = [];
  let start = 0;
  let inMoves = false;
  let headers = new Map();
  let depth = 0;
  const push = (end) => {
    const part = text.slice(start, end);
    if (part.trim()) games.push({ text: part, headers });
    [start, headers, inMoves, depth] = [end, new Map(), false, 0];
  };
  for (const line of text.matchAll(/[^\n]*\n?/g)) {
    const words = line[0];
    if (!words) break;
    const tag = /^\s*\[\s*([A-Za-z0-9_]+)\s+"((?:[^"\\]|\\.)*)"\s*\]/.exec(words);
    // A tag in column 1 inside a comment that was never closed begins a game all the same.
    if (tag && (depth === 0 || tag[1] === "Event")) {
      if (inMoves) push(line.index);
      headers.set(tag[1], tag[2].replace(/\\(.)/g, "$1"));
    } else if (words.trim() && !words.startsWith("%")) {
      inMoves = true;
      for (const sign of words.replace(/;.*/, "")) {
        if (sign === "{") depth = 1;
        else if (sign === "}") depth = 0;
      }
    }
  }
  push(text.length);
  return games;
}

/// The tree of one game's text, and what could not be read of it.
export function readGame(text) {
  const [game] = parsePgn(text, () => new Map());
  if (!game) throw new Error("Expected a game in PGN, got nothing");
  const variant = game.headers.get("Variant");
  const start = startingPosition(game.headers).unwrap(
    (pos) => pos,
    (error) => {
      throw new Error(`Expected standard chess or Chess960 from a legal position, got ${variant ?? error.message}`);
    },
  );
  if (start.rules !== "chess") throw new Error(`Expected standard chess or Chess960, got ${variant}`);
  const tree = new Tree(fenOf(start), game.headers);
  const faults = [];
  setComments(tree.root, game.comments ?? []);
  const stack = [[game.moves, tree.root]];
  while (stack.length) {
    const [from, node] = stack.pop();
    for (const child of from.children) {
      const move = parseSan(tree.position(node), child.data.san);
      if (!move) {
        faults.push(`The move ${child.data.san} after ${node.san ?? "the start"} is not legal; it and what follows are left out`);
        continue;
      }
      const next = tree.play(move, node);
      next.nags = [...new Set([...next.nags, ...(child.data.nags ?? [])])];
      const before = (child.data.startingComments ?? []).map((comment) => parseComment(comment).text);
      next.before = before.join(" ");
      setComments(next, child.data.comments ?? []);
      stack.push([child, next]);
    }
  }
  tree.current = tree.root;
  tree.undos = [];
  return { tree, faults };
}

function setComments(node, comments) {
  const texts = [];
  for (const comment of comments) {
    const { text, shapes, clock, evaluation, emt } = parseComment(comment);
    if (text) texts.push(text);
    for (const { color, from, to } of shapes) {
      const shape = { orig: makeSquare(from), brush: color };
      node.shapes.push(from === to ? shape : { ...shape, dest: makeSquare(to) });
    }
    node.extra = { ...node.extra, clock, evaluation, emt };
  }
  node.comment = texts.join(" ");
}

function commentOf(node) {
  const shapes = node.shapes
    .filter(({ brush }) => BRUSHES.includes(brush))
    .map(({ orig, dest, brush }) => ({ color: brush, from: parseSquare(orig), to: parseSquare(dest ?? orig) }));
  const text = makeComment({ text: node.comment, shapes, ...node.extra });
  return text ? [text] : [];
}

/// The whole tree as PGN.
export function writeGame(tree) {
  const headers = new Map(tree.headers);
  for (const name of ["Event", "Site", "Date", "Round", "White", "Black", "Result"]) {
    if (!headers.has(name)) headers.set(name, name === "Result" ? "*" : name === "Date" ? "????.??.??" : "?");
  }
  if (tree.root.fen !== INITIAL_FEN) {
    headers.set("SetUp", "1");
    headers.set("FEN", tree.root.fen);
  }
  const moves = new Node();
  const stack = [[tree.root, moves]];
  while (stack.length) {
    const [from, to] = stack.pop();
    for (const node of from.children) {
      const { san, nags } = node;
      const copy = new ChildNode({ san, nags, startingComments: node.before ? [node.before] : [], comments: commentOf(node) });
      to.children.push(copy);
      stack.push([node, copy]);
    }
  }
  return makePgn({ headers, comments: commentOf(tree.root), moves });
}
