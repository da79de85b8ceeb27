// A game against Brier: whose turn it is, the clocks, and how it ends.

import { bell, personTime } from "./pace.js";
import { ask, gameOf, Lost } from "./server.js";
import { moveOf, outcome, position } from "./rules.js";

/// Strengths in words, with the rating that the engine is asked for; none is full strength.
export const LEVELS = [
  [800, "Beginner: knows the moves, overlooks pieces"],
  [1100, "Casual player: sees simple threats"],
  [1400, "Club player: takes what is given"],
  [1700, "Strong club player: few simple mistakes"],
  [2000, "Expert: punishes most mistakes"],
  [2300, "Master: hard to beat"],
  [2600, "Grandmaster"],
  [3000, "Beyond every human player"],
  [null, "Full strength"],
];

export const levelName = (elo) => (LEVELS.find(([rating]) => rating === elo) ?? LEVELS.at(-1))[1].split(":")[0];

const other = (color) => (color === "white" ? "black" : "white");

export class Game {
  /// `changed()` is called when there is something new to show; a clock has minutes and seconds
  /// per move, or is null.
  constructor(tree, { color, elo, clock }, changed) {
    Object.assign(this, { tree, color, elo, clock, changed });
    this.left = clock ? { white: 60e3 * clock.minutes, black: 60e3 * clock.minutes } : null;
    this.over = null;
    this.message = "";
    // Another game, another opponent: the weaker levels choose among moves by it.
    this.seed = Math.floor(Math.random() * 2 ** 32);
    this.abort = new AbortController();
    this.since = performance.now();
    this.timer = setInterval(() => this.tick(), 200);
  }

  get turn() {
    return this.tree.position().turn;
  }

  get isMine() {
    return !this.over && this.turn === this.color;
  }

  /// Time left of a side in milliseconds, the current move included.
  timeLeft(color) {
    const spent = color === this.turn && !this.over ? performance.now() - this.since : 0;
    return Math.max(0, this.left[color] - spent);
  }

  tick() {
    if (!this.left || this.over) return;
    if (this.timeLeft(this.turn) <= 0) this.end(this.turn === "white" ? "0-1" : "1-0", "time is up");
    this.changed("clock");
  }

  /// Goes on: the engine moves if it is its turn.
  async go() {
    this.changed();
    if (this.over || this.turn === this.color) return;
    const { signal } = (this.abort = new AbortController());
    const begun = performance.now();
    const question = { game: gameOf(this.tree), elo: this.elo, ms: this.thinkingTime(), seed: this.seed };
    for (;;) {
      try {
        this.message = `${this.name} is thinking`;
        this.changed();
        const answer = await ask("/api/play", question, signal);
        await sleep(this.personalTime(answer) - (performance.now() - begun));
        if (signal.aborted || this.over) return;
        this.verdict = answer.verdict ?? null;
        this.message = answer.book ? "From the opening book" : "";
        return this.play(moveOf(this.tree.position(), answer.uci));
      } catch (error) {
        if (signal.aborted) return;
        if (!(error instanceof Lost)) throw error;
        this.message = "No connection; the game goes on as soon as it is back";
        this.changed();
        await sleep(1000);
        if (signal.aborted) return;
      }
    }
  }

  /// A move of either side. The game is the main line, whatever was tried or taken back before.
  play(move) {
    if (this.over || !move) return;
    const mover = this.turn;
    if (this.left) this.left[mover] = this.timeLeft(mover) + 1000 * this.clock.increment;
    this.since = performance.now();
    const node = this.tree.play(move);
    if (!node.isMainLine()) this.tree.promote(node);
    const end = outcome(this.tree.position(), this.tree.fens());
    // Nobody has to claim a draw by repetition or fifty moves here.
    if (end) this.end(end.result, end.text.toLowerCase());
    else this.go();
  }

  get name() {
    return `Brier (${levelName(this.elo)})`;
  }

  /// What the engine may use: the thirtieth part of its time and most of what each move adds.
  thinkingTime() {
    if (!this.left) return 1500;
    const left = this.timeLeft(other(this.color));
    return Math.round(Math.max(20, Math.min(left / 30 + 700 * this.clock.increment, left / 4, 10_000)));
  }

  /// Until when a move is held back: a program at full strength answers at once, a person does not.
  personalTime({ uci, book, confidence }) {
    if (this.elo === null) return 250;
    const { current } = this.tree;
    const clock = this.left && this.timeLeft(other(this.color));
    return personTime({
      usual: clock === null ? 2000 : Math.min(clock / 40 + 800 * this.clock.increment, 20_000),
      most: clock === null ? 6000 : clock / 8,
      legal: [...position(current.fen).allDests().values()].reduce((sum, squares) => sum + squares.size(), 0),
      book,
      recapture: Boolean(current.san?.includes("x")) && current.uci.slice(2, 4) === uci.slice(2, 4),
      ply: current.ply,
      confidence: confidence ?? 0.5,
      bell: bell(),
    });
  }

  /// Back to the last own move; the other one stays as a variation.
  takeBack() {
    this.abort.abort();
    const path = this.tree.current.path();
    const mine = this.color === "white" ? 0 : 1;
    const last = path.findLast((node) => node.parent.ply % 2 === mine);
    if (!last) return;
    this.over = null;
    this.tree.headers.set("Result", "*");
    this.tree.current = last.parent;
    this.since = performance.now();
    this.message = "Taken back";
    this.changed();
  }

  resign() {
    if (!this.over) this.end(this.color === "white" ? "0-1" : "1-0", "you resigned");
  }

  /// Brier agrees where it expects no more than half a point.
  offerDraw() {
    if (this.over) return;
    const expected = this.verdict?.expected;
    const own = expected === undefined ? 1 : this.color === "white" ? 1 - expected : expected;
    if (own <= 0.52 && this.tree.current.ply >= 20) return this.end("1/2-1/2", "draw agreed");
    this.message = `${this.name} declines the draw`;
    this.changed();
  }

  end(result, reason) {
    this.abort.abort();
    clearInterval(this.timer);
    const words = { "1-0": "White wins", "0-1": "Black wins" }[result] ?? "A draw";
    this.over = { result, text: reason.includes("wins") || reason.includes("draw") ? capital(reason) : `${words}: ${reason}` };
    this.tree.headers.set("Result", result);
    this.message = "";
    this.changed();
  }

  /// Leaves the game as it is.
  leave() {
    this.abort.abort();
    clearInterval(this.timer);
  }
}

const capital = (text) => text[0].toUpperCase() + text.slice(1);
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, Math.max(0, ms)));

/// 1:05, and tenths in the last ten seconds.
export function clockText(ms) {
  const seconds = ms / 1000;
  if (seconds < 10) return seconds.toFixed(1);
  const whole = Math.ceil(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}
