// The script of reports: a board on which a reviewed game is replayed, and on which the better moves can be
// looked for. Everything it knows is in the page; there is no server.

import { scoreText } from "./bands.js";
import { Board } from "./board.js";
import { announce, byId, make } from "./dom.js";
import { drawMoves } from "./moves.js";
import { readGame } from "./pgn.js";
import { betterOf, drawNote, FAULTS } from "./review.js";
import { lineSteps, makeUci, moveNumber, moveOf, squaresOf } from "./rules.js";

const state = { games: new Map(), game: null, tree: null, preview: null, puzzle: null };
let board;

/// The parts that a board needs, which a page without scripts does not have.
function makeViewer() {
  const button = (id, text, title = null) => make("button", { id, text, title, "aria-label": /^[◀▶|]+$/.test(text) ? title : null });
  const piece = (value) => make("button", { value, text: value[0].toUpperCase() + value.slice(1) });
  byId("viewer").append(
    make("div", { class: "viewer-board" },
      make("div", { class: "board-box" },
        make("div", { id: "board" }),
        make("div", { id: "cells", role: "grid", "aria-label": "Chess board. Arrow keys move between squares, Enter chooses a piece and its destination." })),
      make("div", { class: "row", role: "group", "aria-label": "Go through the game" },
        button("first", "|◀", "First position"), button("back", "◀", "One move back"),
        button("forward", "▶", "One move on"), button("last", "▶|", "Last position"),
        button("flip", "Flip", "Turn the board"))),
    make("div", { class: "viewer-side" },
      make("h2", { id: "viewer-title" }),
      make("div", { id: "moves", role: "group", "aria-label": "Moves" }),
      make("div", { class: "row" }, button("puzzle", "Find the better move"), button("solution", "Show it")),
      make("p", { id: "task", role: "status" }),
      make("div", { id: "note", "aria-live": "polite", hidden: true })),
    make("p", { id: "live", class: "hidden", "aria-live": "polite" }),
    make("dialog", { id: "promotion", "aria-label": "Promote to" },
      make("form", { method: "dialog", class: "row" }, ...["queen", "rook", "bishop", "knight"].map(piece))),
  );
}

/// Reads what the page says about a game, and what the engine said about its moves.
function read(number) {
  if (!state.games.has(number)) {
    const data = JSON.parse(byId(`data-${number}`).textContent);
    const { tree } = readGame(data.pgn);
    tree.root.end().path().forEach((node, index) => (node.step = data.steps[index] ?? null));
    state.games.set(number, { tree, data });
  }
  return state.games.get(number);
}

function choose(number) {
  const { tree, data } = read(number);
  [state.game, state.tree, state.puzzle] = [number, tree, null];
  byId("viewer-title").textContent = data.title;
  board.flip(data.side);
  render();
}

function go(node) {
  if (!node) return;
  state.tree.current = node;
  [state.preview, state.puzzle] = [null, null];
  render();
  announce(node.san ? `${moveNumber(node.ply - 1)} ${node.san}` : "Start of the game");
}

/// The moves that are worth another try: marked ones, of the player's side if there is one.
function faults() {
  const { data } = read(state.game);
  const mine = (node) => !data.me || (node.parent.fen.includes(" w ") ? "white" : "black") === data.me;
  return state.tree.root.end().path().filter((node) => node.step && FAULTS.includes(node.step.mark) && node.step.better && mine(node));
}

/// Sets up the position before the next marked move.
function nextPuzzle() {
  const all = faults();
  const after = state.puzzle ?? state.tree.current;
  const node = all.find((other) => other.ply > after.ply) ?? all[0];
  if (!node) return;
  state.tree.current = node.parent;
  state.preview = null;
  state.puzzle = node;
  const side = node.parent.fen.includes(" w ") ? "white" : "black";
  board.flip(side);
  render(`${side === "white" ? "White" : "Black"} played ${moveNumber(node.ply - 1)} ${node.san} here. Find a better move.`);
}

/// A move on the board: an attempt, or a variation.
function play(move) {
  const { puzzle, tree } = state;
  if (!puzzle) {
    tree.play(move);
    return render();
  }
  const uci = makeUci(move);
  const best = makeUci(moveOf(tree.position(), puzzle.step.better.moves[0]));
  if (uci === best) return solve("Yes");
  board.reset();
  render(uci === puzzle.uci ? "That is what was played. Look for something better." : "Not the engine's choice. Try another move.");
}

/// Plays the better line's first move as a variation and says what it is worth.
function solve(word) {
  const { puzzle, tree } = state;
  const { better } = puzzle.step;
  const [first] = lineSteps(puzzle.parent.fen, better.moves);
  const sure = better.confidence === null ? "" : `, ${Math.round(100 * better.confidence)} % sure`;
  tree.playLine(better.moves.slice(0, 1), puzzle.parent);
  const words = `${word}: ${first.san}, ${scoreText(better.score)}${sure}. ${puzzle.step.sentence ?? ""}`;
  state.puzzle = null;
  render(words);
}

function render(task = "") {
  const { tree, puzzle } = state;
  renderBoard();
  drawMoves(byId("moves"), tree, go);
  byId("moves").hidden = Boolean(puzzle);
  byId("task").textContent = task;
  byId("solution").hidden = !puzzle;
  const count = faults().length;
  byId("puzzle").hidden = count === 0;
  byId("puzzle").textContent = puzzle ? "Next" : `Find the better move (${count})`;
  byId("first").disabled = byId("back").disabled = !tree.current.parent;
  byId("last").disabled = byId("forward").disabled = !tree.current.children.length;
  if (puzzle) byId("note").hidden = true;
  else drawNote(byId("note"), tree.current, (ucis) => (tree.playLine(ucis, tree.current.parent), render()), preview);
}

function renderBoard() {
  const { tree, preview, puzzle } = state;
  const { current } = tree;
  const before = current.parent && tree.position(current.parent);
  const better = preview || puzzle ? null : betterOf(current);
  const arrow = better && lineSteps(current.parent.fen, better.moves)[0];
  board.show({
    fen: preview ? preview.fen : current.fen,
    last: preview ? preview.squares : before && squaresOf(before, moveOf(before, current.uci)),
    shapes: current.shapes,
    arrows: arrow ? [{ orig: arrow.squares[0], dest: arrow.squares[1], brush: "better" }] : [],
    movable: "both",
    preview: Boolean(preview),
  });
}

function preview(step) {
  state.preview = step;
  renderBoard();
}

/// A place in the page that names a move of a game.
function follow({ target }) {
  const place = target.closest("[data-ply]");
  const game = target.closest("[data-game]")?.dataset.game;
  if (!place || !game) return;
  if (game !== state.game) choose(game);
  const node = state.tree.root.end().path()[Number(place.dataset.ply) - 1];
  go(node ?? state.tree.root);
  byId("viewer").scrollIntoView({ block: "nearest" });
}

function start() {
  makeViewer();
  board = new Board({ play, draw: (shapes) => (state.tree.current.shapes = shapes.map(({ orig, dest, brush }) => ({ orig, dest, brush }))) });
  const actions = {
    first: () => go(state.tree.root),
    back: () => go(state.tree.current.parent),
    forward: () => go(state.tree.current.children[0]),
    last: () => go(state.tree.current.end()),
    flip: () => (board.flip(), renderBoard()),
    puzzle: nextPuzzle,
    solution: () => solve("The better move"),
  };
  for (const [id, act] of Object.entries(actions)) byId(id).addEventListener("click", act);
  document.addEventListener("click", follow);
  document.addEventListener("keydown", (event) => {
    const id = { ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last", f: "flip" }[event.key];
    if (!id || event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, textarea, select, dialog, [tabindex='0'].wide, #cells")) return;
    event.preventDefault();
    byId(id).click();
  });
  choose(document.querySelector("[data-game]").dataset.game);
  byId("viewer").hidden = false;
}

if (byId("viewer") && document.querySelector("[data-game]")) start();
