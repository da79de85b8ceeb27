// The page: one game, the place in it that is shown, and what the engine says about it.

import { draw, listen } from "./board.js";
import { drawBar, drawChart, drawLines, drawMoves, drawSummary, markChart } from "./panels.js";
import { ask, follow } from "./server.js";

const byId = (name) => document.getElementById(name);

const state = {
  /// Where the game starts, as UCI says it: `startpos` or `fen …`.
  start: "startpos",
  /// The whole game in UCI's notation, and how much of it is on the board.
  moves: [],
  ply: 0,
  /// The whole game as people write it, and the marks of a review.
  played: [],
  steps: [],
  /// What the server said about the position on the board.
  shown: null,
  selected: null,
  flipped: false,
  thinking: true,
  /// The whole game is being searched; positions are shown meanwhile but not searched.
  reviewing: false,
  /// The best line found so far.
  best: null,
  /// The selected square was pressed once more.
  again: false,
};

/// Ends the search that is being followed.
let search = new AbortController();
/// Numbers the changes of position, so that a late answer to an old question is dropped.
let change = 0;

function question(start, moves, more = {}) {
  const fen = start === "startpos" ? null : start.replace(/^fen /, "");
  return { game: { fen, moves: moves.join(" ") }, ...more };
}

function complain(error) {
  if (error && error.name === "AbortError") return;
  byId("error").textContent = error ? error.message : "";
}

// The position ------------------------------------------------------------------------------

/// Shows a game from its start to a place in it, if the server says that there is such a game.
/// `names` has the players and the occasion of another game.
async function show(start, moves, ply, names = null) {
  const mine = ++change;
  const same = start === state.start && moves.join() === state.moves.join();
  const goesOn = start === state.start && state.moves.every((move, i) => moves[i] === move);
  try {
    const all = same ? null : await ask("/api/position", question(start, moves));
    const atEnd = all && ply === moves.length;
    const shown = atEnd ? all : await ask("/api/position", question(start, moves.slice(0, ply)));
    if (mine !== change) return;
    if (!same) {
      state.played = all.played;
      if (state.reviewing) search.abort();
    }
    if (names) name(...names);
    // Names and marks stay as long as the game is the same, or the same with more moves.
    else if (!goesOn) name("Moves", "");
    if (!goesOn) forgetReview();
    Object.assign(state, { start, moves, ply, shown, selected: null, best: null });
    complain(null);
    render();
    think();
  } catch (error) {
    if (mine === change) complain(error);
  }
}

const go = (ply) => show(state.start, state.moves, Math.max(0, Math.min(ply, state.moves.length)));

function play(uci) {
  if (!uci) return;
  const next = [...state.moves.slice(0, state.ply), uci];
  // A move that the game has anyway is a step on, not a new game.
  const known = state.moves[state.ply] === uci;
  show(state.start, known ? state.moves : next, state.ply + 1);
}

function forgetReview() {
  state.steps = [];
  byId("chart").replaceChildren();
  byId("summary").replaceChildren();
}

function render() {
  const { shown, ply, played, moves } = state;
  if (!shown) return;
  renderBoard();
  drawMoves(byId("moves"), played, state.steps, ply, go);
  markChart(byId("chart"), ply);
  byId("fen").value = shown.fen;
  byId("state").textContent = shown.state ?? `${shown.turn} to move`;
  byId("legal").replaceChildren(...shown.moves.map((move) => new Option(move.san)));
  byId("first").disabled = byId("back").disabled = ply === 0;
  byId("last").disabled = byId("forward").disabled = ply === moves.length;
  byId("review").disabled = moves.length === 0;
}

function renderBoard() {
  const { shown, selected, ply, played } = state;
  const targets = selected ? shown.moves.filter((move) => move.from === selected) : [];
  draw(byId("board"), {
    fen: shown.fen,
    flipped: state.flipped,
    last: ply ? played[ply - 1].squares : null,
    check: shown.check,
    selected,
    targets: new Set(targets.map((move) => move.to)),
    hint: selected ? null : state.best?.squares,
  });
  drawBar(byId("bar"), state.best, state.flipped);
}

// The engine --------------------------------------------------------------------------------

/// Follows a search of the position on the board, if there is anything to think about.
async function think() {
  byId("watch").setAttribute("aria-pressed", state.thinking);
  byId("watch").textContent = state.thinking ? "Thinking" : "Think";
  if (state.reviewing) return;
  const signal = newSearch();
  if (!state.thinking || !state.shown?.moves.length || document.hidden) return;
  const lines = Number(byId("count").value);
  const position = question(state.start, state.moves.slice(0, state.ply), { lines });
  try {
    await follow("/api/watch", position, signal, (news) => {
      if (signal.aborted) return;
      if (news.lines) hear(news);
      if (news.waiting) byId("effort").textContent = "Another window has the engine";
      if (news.done) byId("effort").textContent += ", done";
    });
  } catch (error) {
    complain(error);
  }
}

/// Ends the search before and clears what it said.
function newSearch() {
  search.abort();
  search = new AbortController();
  byId("effort").textContent = "";
  drawLines(byId("lines"), []);
  return search.signal;
}

function hear({ lines, depth, nodes, ms }) {
  state.best = lines[0];
  drawLines(byId("lines"), lines);
  if (state.selected) drawBar(byId("bar"), state.best, state.flipped);
  else renderBoard();
  const speed = ms ? `, ${Math.round(nodes / ms)} thousand a second` : "";
  byId("effort").textContent = `Depth ${depth}, ${nodes.toLocaleString()} positions${speed}`;
}

/// Searches the whole game; a second call ends it.
async function review() {
  if (state.reviewing) return search.abort();
  const signal = newSearch();
  const { start, moves } = state;
  const progress = byId("progress");
  progress.removeAttribute("value");
  setReviewing(true);
  try {
    await follow("/api/review", question(start, moves, { ms: Number(byId("pace").value) }), signal, (news) => {
      if (signal.aborted) return;
      if (news.all) [progress.max, progress.value] = [news.all, news.positions];
      if (news.chart) {
        state.steps = news.steps;
        drawChart(byId("chart"), news.chart, go);
        drawSummary(byId("summary"), news.summary);
        render();
      }
    });
  } catch (error) {
    complain(error);
  }
  setReviewing(false);
  if (state.thinking) think();
}

function setReviewing(on) {
  state.reviewing = on;
  byId("progress").hidden = !on;
  byId("review").textContent = on ? "Stop the review" : "Review the game";
}

// What people do ----------------------------------------------------------------------------

/// The move from one square to another; a promotion is asked for.
async function moveTo(from, to) {
  const found = state.shown.moves.filter((move) => move.from === from && (move.to === to || move.onto === to));
  if (!found.length) return false;
  state.selected = null;
  // Of a king's step and castling to the same square the step comes first.
  if (!found[0].promotion) play(found[0].uci);
  else {
    const piece = await choosePiece();
    const chosen = found.find((move) => move.promotion === piece);
    if (chosen) play(chosen.uci);
    else renderBoard();
  }
  return true;
}

function choosePiece() {
  const dialog = byId("promotion");
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => resolve(dialog.returnValue), { once: true });
  });
}

const canMove = (from, to) =>
  state.shown?.moves.some((move) => move.from === from && (to === undefined || move.to === to || move.onto === to));

function pressed(square) {
  if (!state.shown) return;
  state.again = state.selected === square;
  if (state.selected && canMove(state.selected, square)) {
    moveTo(state.selected, square);
    return;
  }
  state.selected = canMove(square) ? square : null;
  renderBoard();
}

function released(square) {
  const { selected } = state;
  if (!state.shown) return;
  if (selected && square && canMove(selected, square)) {
    moveTo(selected, square);
    return;
  }
  // A press and a release on one square selects it, the second time no more.
  if (state.again && square === selected) state.selected = null;
  renderBoard();
}

/// A move that was typed: SAN as the server writes it, with or without its signs, or UCI.
function typed(text) {
  if (!state.shown) return false;
  const bare = (san) => san.replace(/[+#=x-]/g, "").replaceAll("0", "o").toLowerCase();
  const exact = state.shown.moves.filter((move) => move.san === text || move.uci === text);
  const found = exact.length ? exact : state.shown.moves.filter((move) => bare(move.san) === bare(text));
  if (found.length === 1) play(found[0].uci);
  else complain(new Error(`Expected a legal move like ${state.shown.moves[0]?.san ?? "e4"}, got "${text}"`));
  return found.length === 1;
}

/// A FEN, or games.
async function setUp(text) {
  const trimmed = text.trim();
  byId("games").hidden = true;
  byId("faults").replaceChildren();
  if (!trimmed) return complain(new Error("Expected a FEN or games in PGN, got nothing"));
  if (/^[1-8pnbrqkPNBRQK/]+ [wb] /.test(trimmed)) return show(`fen ${trimmed}`, [], 0, ["Moves", ""]);
  try {
    const { games, faults } = await ask("/api/games", { pgn: text });
    byId("faults").replaceChildren(
      ...faults.map(({ number, reason }) => {
        const item = document.createElement("li");
        item.textContent = `Game ${number} is left out: ${reason}`;
        return item;
      }),
    );
    const list = byId("games");
    list.replaceChildren(...games.map((game, i) => new Option(`${game.number}. ${game.players}, ${game.occasion}`, i)));
    list.hidden = games.length < 2;
    list.onchange = () => openGame(games[list.value]);
    if (games.length) openGame(games[0]);
  } catch (error) {
    complain(error);
  }
}

function openGame(game) {
  show(`fen ${game.fen}`, game.moves.split(" ").filter(Boolean), 0, [game.players, game.occasion]);
}

function name(players, occasion) {
  byId("players").textContent = players;
  byId("occasion").textContent = occasion;
}

listen(byId("board"), () => state.flipped, pressed, released);
const buttons = {
  first: () => go(0),
  back: () => go(state.ply - 1),
  forward: () => go(state.ply + 1),
  last: () => go(state.moves.length),
  flip: () => {
    state.flipped = !state.flipped;
    renderBoard();
  },
  fresh: () => show("startpos", [], 0, ["Moves", ""]),
  watch: () => {
    state.thinking = !state.thinking;
    think();
  },
  review,
  load: () => setUp(byId("text").value),
};
for (const [id, act] of Object.entries(buttons)) byId(id).addEventListener("click", act);
byId("count").addEventListener("change", think);
byId("lines").addEventListener("click", ({ target }) => play(target.closest("button")?.dataset.uci));
byId("promotion").addEventListener("click", ({ target }) => target.value && byId("promotion").close(target.value));
byId("typed").addEventListener("submit", (event) => {
  event.preventDefault();
  if (typed(byId("move").value.trim())) byId("move").value = "";
});

const keys = { ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last", f: "flip", " ": "watch" };
document.addEventListener("keydown", (event) => {
  const writing = event.target.closest("input, textarea, select, button");
  const id = keys[event.key];
  if (!id || byId("promotion").open || event.ctrlKey || event.metaKey || event.altKey) return;
  // In a field the keys belong to the field; on a button only the space bar does.
  if (writing && (writing.tagName !== "BUTTON" || event.key === " ")) return;
  event.preventDefault();
  byId(id).click();
});
document.addEventListener("dragover", (event) => {
  event.preventDefault();
  document.body.classList.add("dropping");
});
document.addEventListener("dragleave", () => document.body.classList.remove("dropping"));
document.addEventListener("drop", async (event) => {
  event.preventDefault();
  document.body.classList.remove("dropping");
  const [file] = event.dataTransfer.files;
  const text = file ? await file.text() : event.dataTransfer.getData("text");
  byId("text").value = text.slice(0, 100_000);
  setUp(text);
});
// Nobody looks: the processor may rest.
document.addEventListener("visibilitychange", () => state.shown && think());

show("startpos", [], 0);
