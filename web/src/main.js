// The page: one tree of moves, the place in it that is shown, and what the engine says about it.

import { Analyst } from "./analyst.js";
import { drawBar, scoreWords } from "./bands.js";
import { Board } from "./board.js";
import { announce, byId, complain, make } from "./dom.js";
import { drawGraph } from "./graph.js";
import { drawLines } from "./lines.js";
import { drawMoves } from "./moves.js";
import { wireExport, wireOpening } from "./files.js";
import { pictureOf } from "./picture.js";
import { clockText, Game, LEVELS, levelName } from "./play.js";
import { betterOf, drawNote, drawProgress, drawSummary, nextFault, reviewedNodes } from "./review.js";
import { review } from "./reviewer.js";
import { INITIAL_FEN, lineSteps, moveNumber, outcome, squaresOf, typedMove, moveOf } from "./rules.js";
import { ask, follow, gameOf } from "./server.js";
import { load, save } from "./store.js";
import { Tree } from "./tree.js";

const kept = load();
const state = {
  tree: kept.tree,
  settings: kept.settings,
  /// The game against Brier, if there is one.
  game: null,
  /// Ends the review that is running.
  reviewing: null,
  /// A position of a line that somebody points at.
  preview: null,
  hint: null,
};

const analyst = new Analyst(() => renderEngine());
const board = new Board({ play: (move) => play(move), draw: (shapes) => drawn(shapes) });
board.flip(kept.orientation);

// Going through the game ----------------------------------------------------------------------

/// Shows a position of the tree.
function go(node) {
  if (!node || (state.game && !state.game.over)) return;
  state.tree.current = node;
  changed();
}

/// A move on the board, typed, or chosen from a line.
function play(move) {
  state.hint = null;
  if (state.game && !state.game.over) return state.game.isMine ? state.game.play(move) : board.reset();
  state.tree.play(move);
  changed();
}

/// Plays a line after a node as a variation.
function playLine(ucis, from = state.tree.current) {
  state.preview = null;
  if (state.game && !state.game.over) return;
  state.tree.playLine(ucis, from);
  changed();
}

function setTree(tree, faults = []) {
  state.game?.leave();
  state.game = null;
  state.reviewing?.abort();
  state.tree = tree;
  byId("faults").replaceChildren(...faults.map((text) => make("li", { text })));
  changed();
}

/// Everything that follows from a new position or a changed tree.
function changed() {
  const { tree } = state;
  state.preview = null;
  state.hint = null;
  complain(null);
  render();
  think();
  save(tree, state.settings, board.orientation);
  const { san, ply } = tree.current;
  const end = outcome(tree.position(), tree.fens());
  announce(`${san ? `${moveNumber(ply - 1)} ${san}` : "Start of the game"}. ${end?.text ?? `${turnName()} to move`}`);
  lookUpBook();
}

const turnName = () => (state.tree.position().turn === "white" ? "White" : "Black");

function drawn(shapes) {
  state.tree.current.shapes = shapes.map(({ orig, dest, brush }) => ({ orig, dest, brush }));
  save(state.tree, state.settings, board.orientation);
}

// Drawing -------------------------------------------------------------------------------------

function render() {
  const { tree, game } = state;
  const { current } = tree;
  renderBoard();
  drawMoves(byId("moves"), tree, go);
  const end = outcome(tree.position(), tree.fens());
  byId("state").textContent = game ? "" : end?.text ?? `${turnName()} to move`;
  const title = tree.headers.get("White") && `${tree.headers.get("White")} – ${tree.headers.get("Black") ?? "?"}`;
  byId("players").textContent = title && title !== "? – ?" ? title : "Moves";
  const facts = ["Event", "Site", "Date", "Result"].map((name) => tree.headers.get(name));
  byId("occasion").textContent = facts.filter((fact) => fact && !/^[?*]/.test(fact)).join(", ");
  const busy = Boolean(game && !game.over);
  byId("first").disabled = byId("back").disabled = busy || !current.parent;
  byId("last").disabled = byId("forward").disabled = busy || !current.children.length;
  byId("promote").disabled = busy || current.isMainLine();
  byId("delete").disabled = busy || !current.parent;
  byId("undo").disabled = busy || !tree.undos.length;
  byId("review").disabled = busy || (!state.reviewing && !tree.root.children.length);
  byId("comment-text").value = current.comment;
  drawNote(byId("note"), current, (ucis) => playLine(ucis, current.parent), preview);
  const nodes = reviewedNodes(tree);
  drawGraph(byId("graph"), nodes.length ? tree.reviewed.start : null, nodes, current, go);
  drawSummary(byId("summary"), nodes.length ? tree.reviewed.summary : null);
  byId("next-fault").hidden = !nextFault(tree);
  renderGame();
}

function renderBoard() {
  const { tree, game } = state;
  const { current } = tree;
  const shown = state.preview ?? current;
  const last = state.preview ? state.preview.squares : current.parent && squaresOf(tree.position(current.parent), moveOf(tree.position(current.parent), current.uci));
  board.show({
    fen: shown.fen,
    last,
    shapes: current.shapes,
    arrows: state.preview ? [] : arrows(),
    movable: game && !game.over ? game.color : "both",
    preview: Boolean(state.preview),
  });
}

/// The better move, the hint, or the engine's choices.
function arrows() {
  const { current } = state.tree;
  const found = [];
  const arrow = (squares, brush) => found.push(squares[0] === squares[1] ? { orig: squares[0], brush } : { orig: squares[0], dest: squares[1], brush });
  const better = betterOf(current);
  if (state.hint) arrow(state.hint, "better");
  if (state.game && !state.game.over) return found;
  if (better) {
    const [first] = lineSteps(current.parent.fen, better.moves);
    if (first) arrow(first.squares, "better");
  }
  if (state.settings.arrows && analyst.fen === current.fen) {
    // Beside a better move only the engine's first choice: more would be a thicket.
    (analyst.found?.lines ?? []).slice(0, better ? 1 : 5).forEach(({ moves }, index) => {
      const [first] = lineSteps(current.fen, moves.slice(0, 1));
      if (first) arrow(first.squares, index ? "second" : "best");
    });
  }
  return found;
}

function preview(step) {
  if (state.preview === step) return;
  state.preview = step;
  renderBoard();
}

let spoken = 0;

function renderEngine() {
  const { status, best, found } = analyst;
  const thinking = ["asking", "thinking", "waiting", "lost"].includes(status);
  byId("think").textContent = { done: "Think on", off: "Think", refused: "Think", waiting: "Waiting" }[status] ?? "Thinking";
  byId("think").setAttribute("aria-pressed", String(thinking));
  byId("effort").textContent = over() ? "The game is over here" : analyst.words;
  byId("lost").hidden = status !== "lost" && !state.game?.message.startsWith("No connection");
  drawLines(byId("lines"), analyst.fen, found?.lines ?? [], { choose: (ucis) => playLine(ucis), preview });
  drawBar(byId("bar"), state.game && !state.game.over ? null : best, board.orientation);
  if (!state.preview) board.setArrows(arrows());
  // The best line is said now and then, not ten times a second.
  if (best && found.depth >= 12 && performance.now() - spoken > 8000) {
    spoken = performance.now();
    const [first] = lineSteps(analyst.fen, best.moves);
    announce(`Best is ${first?.san}, ${scoreWords(best.score)}`);
  }
}

const over = () => !state.tree.position().hasDests();

// The engine ----------------------------------------------------------------------------------

/// Searches the position on the board, if there is anything to think about.
function think() {
  const { settings, game } = state;
  byId("engine").hidden = Boolean(game && !game.over);
  if (!settings.thinking || over() || document.hidden || (game && !game.over)) return analyst.stop();
  const { lines, threads, hash, network, risk, tablebases, sure } = settings;
  analyst.search(state.tree, { lines, threads, hash, network, risk, tablebases, sure });
}

function toggleThinking() {
  state.settings.thinking = analyst.status === "done" || !state.settings.thinking;
  think();
  save(state.tree, state.settings, board.orientation);
}

let bookAsked = 0;

/// The opening's name and the book's moves.
async function lookUpBook() {
  const mine = ++bookAsked;
  const { tree } = state;
  const { fen } = tree.current;
  let answer = null;
  try {
    answer = await ask("/api/book", { game: gameOf(tree) });
  } catch {
    // The engine's own question says what is wrong.
  }
  if (mine !== bookAsked) return;
  byId("opening").textContent = answer?.opening ?? "";
  const moves = state.game && !state.game.over ? [] : answer?.moves ?? [];
  byId("book").replaceChildren(
    ...(moves.length ? [make("h3", { class: "hidden", text: "Book moves" }), make("span", { class: "soft", text: "Book: " })] : []),
    ...moves.slice(0, 6).map(({ uci, share }) => {
      const [step] = lineSteps(fen, [uci]);
      return moveButton(step, uci, `${step?.san} ${Math.round(100 * share)} %`);
    }),
  );
  drawTablebase(state.game && !state.game.over ? null : answer?.tablebase, fen);
}

const moveButton = (step, uci, text) =>
  make("button", { class: "move", text, onclick: () => playLine([uci]), onpointerenter: () => preview(step), onpointerleave: () => preview(null) });

/// What the tablebases know about a position: the result, and the moves that keep it.
function drawTablebase(known, fen) {
  const box = byId("endgame");
  if (!known) return box.replaceChildren();
  const moves = known.moves.slice(0, 6).map(({ uci, result }) => {
    const [step] = lineSteps(fen, [uci]);
    return moveButton(step, uci, `${step?.san} ${result}`);
  });
  box.replaceChildren(make("span", { class: "soft", text: `Tablebases: ${known.text}. ` }), ...moves);
}

async function startReview() {
  if (state.reviewing) return state.reviewing.abort();
  const abort = (state.reviewing = new AbortController());
  const button = byId("review");
  button.textContent = "Stop the review";
  byId("progress").hidden = false;
  drawProgress(0, 0);
  try {
    await review(state.tree, Number(byId("pace").value), abort.signal, drawProgress);
    announce("The review is done");
  } catch (error) {
    if (!abort.signal.aborted) complain(error.message ? error : new Error("The review was cut off: there is no connection. Start it again."));
  }
  state.reviewing = null;
  button.textContent = "Review the game";
  byId("progress").hidden = true;
  render();
  save(state.tree, state.settings, board.orientation);
}

// Playing -------------------------------------------------------------------------------------

function startGame() {
  const color = { random: Math.random() < 0.5 ? "white" : "black" }[byId("play-color").value] ?? byId("play-color").value;
  const elo = Number(byId("play-level").value) || null;
  const [minutes, increment] = byId("play-clock").value.split("+").map(Number);
  const clock = minutes ? { minutes, increment } : null;
  const names = [["Event", "Game against Brier"], ["Date", new Date().toISOString().slice(0, 10).replaceAll("-", ".")]];
  const sides = color === "white" ? ["You", `Brier (${levelName(elo)})`] : [`Brier (${levelName(elo)})`, "You"];
  const headers = new Map([...names, ["White", sides[0]], ["Black", sides[1]], ["Result", "*"]]);
  const tree = new Tree(byId("play-from").value === "here" ? state.tree.current.fen : INITIAL_FEN, headers);
  setTree(tree);
  board.flip(color);
  state.game = new Game(tree, { color, elo, clock }, (what) => (what === "clock" ? renderGame() : gameChanged()));
  byId("play-dialog").close();
  think();
  state.game.go().catch(complain);
}

let ended = null;

function gameChanged() {
  const { game, tree } = state;
  render();
  save(tree, state.settings, board.orientation);
  const { san, ply } = tree.current;
  announce(game.over?.text ?? (san ? `${moveNumber(ply - 1)} ${san}. ${game.isMine ? "Your move" : "Brier thinks"}` : "Your move"));
  if (game.over && ended !== game) {
    ended = game;
    think();
  }
}

function renderGame() {
  const { game } = state;
  byId("playing").hidden = !game;
  const strips = [byId("strip-top"), byId("strip-bottom")];
  if (!game) return strips.forEach((strip) => strip.replaceChildren());
  const colors = board.orientation === "white" ? ["black", "white"] : ["white", "black"];
  colors.forEach((color, index) => {
    const name = color === game.color ? "You" : game.name;
    const running = !game.over && game.turn === color;
    strips[index].replaceChildren(make("span", { text: name }), game.left ? make("span", { class: `clock ${running ? "running" : ""}`, text: clockText(game.timeLeft(color)) }) : "");
  });
  byId("playing-title").textContent = `Against ${game.name}`;
  byId("playing-state").textContent = game.over?.text ?? (game.message || (game.isMine ? "Your move" : ""));
  for (const id of ["hint", "draw", "resign"]) byId(id).hidden = Boolean(game.over);
  byId("play-review").hidden = byId("play-leave").hidden = !game.over;
  byId("take-back").disabled = !state.tree.current.parent;
}

/// A second's thought of the engine at full strength, as an arrow and in words.
async function giveHint() {
  const abort = new AbortController();
  const { fen } = state.tree.current;
  let best = null;
  setTimeout(() => abort.abort(), 1200);
  try {
    await follow("/api/watch", { game: gameOf(state.tree), lines: 1 }, abort.signal, (news) => (best = news.lines?.[0] ?? best));
  } catch (error) {
    if (!abort.signal.aborted) return complain(error);
  }
  const [first] = best ? lineSteps(fen, best.moves) : [];
  if (!first || state.tree.current.fen !== fen) return;
  state.hint = first.squares;
  state.game.message = `Hint: ${first.san}`;
  renderBoard();
  renderGame();
}

function leaveGame() {
  state.game?.leave();
  state.game = null;
  changed();
}

// Wiring --------------------------------------------------------------------------------------

const buttons = {
  first: () => go(state.tree.root),
  back: () => go(state.tree.current.parent),
  forward: () => go(state.tree.current.children[0]),
  last: () => go(state.tree.current.end()),
  flip: () => {
    board.flip();
    render();
    renderEngine();
    save(state.tree, state.settings, board.orientation);
  },
  fresh: () => setTree(new Tree()),
  open: () => byId("open-dialog").showModal(),
  think: toggleThinking,
  review: startReview,
  "next-fault": () => go(nextFault(state.tree)),
  promote: () => (state.tree.promote(state.tree.current), changed()),
  delete: () => (state.tree.delete(state.tree.current), changed()),
  undo: () => (state.tree.undo(), changed()),
  comment: () => {
    const text = byId("comment-text");
    text.hidden = !text.hidden;
    byId("comment").setAttribute("aria-expanded", String(!text.hidden));
    if (!text.hidden) text.focus();
  },
  play: () => byId("play-dialog").showModal(),
  "play-start": startGame,
  "take-back": () => state.game.takeBack(),
  hint: giveHint,
  draw: () => state.game.offerDraw(),
  resign: () => state.game.resign(),
  "play-leave": leaveGame,
  "play-review": () => {
    leaveGame();
    startReview();
  },
  settings: () => byId("settings-dialog").showModal(),
};
for (const [id, act] of Object.entries(buttons)) byId(id).addEventListener("click", act);
for (const button of document.querySelectorAll("button.close")) button.addEventListener("click", () => button.closest("dialog").close());

byId("comment-text").addEventListener("change", ({ target }) => {
  state.tree.setComment(state.tree.current, target.value.trim());
  render();
  save(state.tree, state.settings, board.orientation);
});
byId("typed").addEventListener("submit", (event) => {
  event.preventDefault();
  const text = byId("move").value.trim();
  const move = typedMove(state.tree.position(), text);
  if (!move) return complain(new Error(`Expected a legal move like e4 or Nf3, got "${text}"`));
  byId("move").value = "";
  play(move);
});
// Whoever comes to the board wants the position itself.
for (const name of ["pointermove", "pointerdown"]) byId("board").addEventListener(name, () => preview(null), { capture: true });
byId("board").addEventListener("wheel", (event) => {
  if (event.ctrlKey) return;
  event.preventDefault();
  go(event.deltaY > 0 ? state.tree.current.children[0] : state.tree.current.parent);
}, { passive: false });

const keys = { ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last", f: "flip", " ": "think", n: "next-fault" };
document.addEventListener("keydown", (event) => {
  if (document.querySelector("dialog[open]")) return;
  const writing = event.target.closest("input, textarea, select");
  if (writing) return;
  if ((event.ctrlKey || event.metaKey) && event.key === "z") {
    event.preventDefault();
    return byId("undo").click();
  }
  const id = keys[event.key];
  if (!id || event.ctrlKey || event.metaKey || event.altKey) return;
  // On a button the space bar belongs to the button.
  if (event.key === " " && event.target.closest("button")) return;
  event.preventDefault();
  if (!byId(id).hidden) byId(id).click();
});
// Nobody looks: the processor may rest.
document.addEventListener("visibilitychange", think);

wireOpening((tree, faults) => setTree(tree, faults));
wireExport(() => state.tree, () => {
  const { fen, last, shapes } = board.view;
  return pictureOf(byId("board"), { fen, last, shapes, orientation: board.orientation });
});

// Settings ------------------------------------------------------------------------------------

byId("play-level").replaceChildren(...LEVELS.map(([elo, words]) => new Option(elo ? `${words} (about ${elo})` : words, elo ?? "", elo === 1400, elo === 1400)));
byId("pace").value = state.settings.pace;
byId("pace").addEventListener("change", ({ target }) => (state.settings.pace = Number(target.value)));

async function wireSettings() {
  const { settings } = state;
  const about = await ask("/api/about");
  const choices = (id, values, usual, words = String) => {
    byId(id).replaceChildren(...values.map((value) => new Option(words(value), value)));
    settings[id.slice(4)] = values.includes(settings[id.slice(4)]) ? settings[id.slice(4)] : usual;
    byId(id).value = settings[id.slice(4)];
  };
  choices("set-threads", Array.from({ length: about.most_threads }, (_, index) => index + 1), about.threads);
  const sizes = [16, 32, 64, 128, 256, 512, 1024, about.hash].filter((size) => size <= about.most_hash);
  choices("set-hash", [...new Set(sizes)].sort((a, b) => a - b), about.hash);
  choices("set-network", about.networks, about.networks[0]);
  const sure = [...new Set([0, 80, 90, 95, about.sure])].sort((a, b) => a - b);
  choices("set-sure", sure, about.sure, (percent) => (percent ? `until it is ${percent} % sure` : "as long as it may"));
  byId("tablebases").hidden = !about.tablebases;
}
byId("set-lines").value = state.settings.lines;
byId("set-arrows").checked = state.settings.arrows;
byId("set-tablebases").checked = state.settings.tablebases;
byId("set-risk").value = state.settings.risk;
byId("settings-dialog").addEventListener("change", ({ target }) => {
  const name = target.id.slice(4);
  state.settings[name] = target.type === "checkbox" ? target.checked : target.id === "set-network" ? target.value : Number(target.value);
  save(state.tree, state.settings, board.orientation);
  think();
});

wireSettings().catch(() => {}).finally(changed);
