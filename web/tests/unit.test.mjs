// The tree of moves and PGN, without a browser: node --test tests

import assert from "node:assert/strict";
import test from "node:test";
import { personTime } from "../src/pace.js";
import { readGame, splitGames, writeGame } from "../src/pgn.js";
import { destinations, lineSteps, moveOf, outcome, position, typedMove } from "../src/rules.js";
import { Tree } from "../src/tree.js";

const sans = (node) => node.end().path().map(({ san }) => san).join(" ");

function playAll(tree, text) {
  for (const word of text.split(" ")) tree.play(typedMove(tree.position(), word));
}

test("a move in the middle of a game becomes a variation", () => {
  const tree = new Tree();
  playAll(tree, "e4 e5 Nf3 Nc6");
  tree.current = tree.root.children[0];
  playAll(tree, "c5 Nf3");
  assert.equal(sans(tree.root), "e4 e5 Nf3 Nc6");
  assert.equal(tree.root.children[0].children.length, 2);
  tree.promote(tree.current);
  assert.equal(sans(tree.root), "e4 c5 Nf3");
  tree.undo();
  assert.equal(sans(tree.root), "e4 e5 Nf3 Nc6");
});

test("what is deleted comes back where it was", () => {
  const tree = new Tree();
  playAll(tree, "e4 e5 Nf3");
  const before = writeGame(tree);
  tree.delete(tree.root.children[0].children[0]);
  assert.equal(sans(tree.root), "e4");
  assert.equal(tree.current, tree.root.children[0]);
  tree.undo();
  assert.equal(writeGame(tree), before);
  assert.equal(tree.current.san, "Nf3");
});

test("PGN goes in and out with variations, comments, marks and arrows", () => {
  const text = `[White "A"]\n[Result "1-0"]\n\n{preface} 1. e4 $1 {best by test [%cal Ge2e4]} (1. d4 {also} d5 (1... Nf6)) 1... e5 2. Nf3 1-0`;
  const { tree, faults } = readGame(text);
  assert.deepEqual(faults, []);
  const again = readGame(writeGame(tree)).tree;
  assert.equal(writeGame(again), writeGame(tree));
  const [e4, d4] = again.root.children;
  assert.deepEqual([e4.comment, e4.nags, e4.shapes], ["best by test", [1], [{ orig: "e2", dest: "e4", brush: "green" }]]);
  assert.deepEqual([again.root.comment, d4.comment, d4.children.length], ["preface", "also", 2]);
});

test("an illegal move is said, and the moves before it are kept", () => {
  const { tree, faults } = readGame("1. e4 e5 2. Ke5 Nc6 *");
  assert.equal(sans(tree.root), "e4 e5");
  assert.equal(faults.length, 1);
});

test("a file is split into its games, an open comment notwithstanding", () => {
  const games = splitGames('[Event "a"]\n\n1. e4 {never closed\n\n[Event "b"]\n[White "W"]\n\n1. d4 *\n\n1. c4 *\n');
  assert.deepEqual(games.map(({ headers }) => headers.get("Event")), ["a", "b"]);
  assert.equal(games[1].headers.get("White"), "W");
});

test("castling by king or onto the rook, in Chess960 too", () => {
  const { moves } = destinations(position("4k3/8/8/8/8/8/8/4K2R w K - 0 1"));
  assert.deepEqual(moves.get("e1g1"), moves.get("e1h1"));
  const shuffled = position("4k3/8/8/8/8/8/8/1R3K1R w HB - 0 1");
  const found = destinations(shuffled).moves;
  assert.deepEqual(found.get("f1c1"), found.get("f1b1"));
  // A plain step to g1 is a step; castling there is done by taking the rook.
  assert.notDeepEqual(found.get("f1g1"), found.get("f1h1"));
  assert.ok(moveOf(shuffled, "f1h1"));
});

test("lines end where they are not legal, and games where the rules say so", () => {
  assert.deepEqual(lineSteps(new Tree().root.fen, ["e2e4", "e7e5", "e4e5"]).map(({ number, san }) => number + san), ["1.e4", "e5"]);
  const tree = new Tree();
  playAll(tree, "f3 e5 g4 Qh4");
  assert.equal(outcome(tree.position(), tree.fens()).result, "0-1");
  const again = new Tree();
  playAll(again, "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8");
  assert.match(outcome(again.position(), again.fens()).text, /third time/);
});

test("bad FENs have reasons", () => {
  assert.throws(() => new Tree("nonsense"), /Expected a FEN/);
  assert.throws(() => new Tree("8/8/8/8/8/8/8/8 w - - 0 1"), /no pieces/);
  assert.equal(new Tree("4k3/8/8/8/8/8/8/4K2R b").root.fen, "4k3/8/8/8/8/8/8/4K2R b - - 0 1");
});

test("a person takes no time over forced moves, and more the harder the choice is", () => {
  const usual = { usual: 10_000, most: 30_000, legal: 30, book: false, recapture: false, ply: 40, confidence: 0.5, bell: 0 };
  const time = (change) => personTime({ ...usual, ...change });
  assert.ok(time({ legal: 1 }) < time({ book: true }) && time({ book: true }) < time({ recapture: true }));
  assert.ok(time({ recapture: true }) < time({ confidence: 0.9 }) && time({ confidence: 0.9 }) < time({ confidence: 0.2 }));
  assert.ok(time({ ply: 6 }) < time({}));
  assert.ok(time({ bell: -1 }) < time({}) && time({}) < time({ bell: 1 }));
  assert.equal(time({ most: 2000 }), 2000);
  assert.equal(time({ usual: 10, most: 5000 }), 300);
});
