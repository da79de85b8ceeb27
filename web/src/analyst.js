// Follows the engine's search of the position on the board, and says how that goes: off,
// thinking, waiting for another window, done, or without a server.

import { follow, gameOf, Lost } from "./server.js";

/// How long to wait before the server is asked again, in milliseconds.
const PAUSES = [500, 1000, 2000, 4000];

/// Why a search ended before its time.
const ENDS = { sure: "sure enough", settled: "more thought does not help" };

export class Analyst {
  /// `changed()` is called when there is something new to show.
  constructor(changed) {
    this.changed = changed;
    this.status = "off";
    this.found = null;
    this.fen = null;
    this.abort = new AbortController();
  }

  /// Searches the current position of a tree until it is stopped.
  async search(tree, options) {
    this.stop();
    const { signal } = (this.abort = new AbortController());
    this.fen = tree.current.fen;
    const question = { game: gameOf(tree), ...options };
    for (let failures = 0; ; failures++) {
      this.set(failures ? "lost" : "asking");
      try {
        await follow("/api/watch", question, signal, (news) => {
          failures = 0;
          this.take(news);
        });
        return;
      } catch (error) {
        if (signal.aborted) return;
        if (!(error instanceof Lost)) {
          this.error = error;
          return this.set("refused");
        }
        this.set("lost");
        await new Promise((resolve) => setTimeout(resolve, PAUSES[Math.min(failures, PAUSES.length - 1)]));
        if (signal.aborted) return;
      }
    }
  }

  take(news) {
    if (news.lines) {
      this.found = news;
      this.set("thinking");
    } else if (news.waiting) {
      this.set("waiting");
    } else if (news.done) {
      this.why = news.why;
      this.set("done");
    }
  }

  /// Ends the search and forgets what it found.
  stop() {
    this.abort.abort();
    this.found = null;
    this.set("off");
  }

  set(status) {
    this.status = status;
    this.changed();
  }

  /// The best line, if there is one.
  get best() {
    return this.found?.lines[0] ?? null;
  }

  /// What the engine is doing, in words.
  get words() {
    const { found } = this;
    const effort = found ? `Depth ${found.depth} · ${count(found.nodes)} positions` : "";
    const speed = found?.ms > 200 ? ` · ${count((1000 * found.nodes) / found.ms)}/s` : "";
    switch (this.status) {
      case "off": return "The engine rests";
      case "asking": return "The engine begins";
      case "thinking": return effort + speed;
      case "waiting": return "Another window has the engine; it comes back when that one is closed";
      case "done": return `${effort} · ${ENDS[this.why] ?? "time is up"}`;
      case "lost": return "No connection";
      default: return this.error?.message ?? "";
    }
  }
}

/// 1.2 M
function count(number) {
  if (number < 1e3) return String(Math.round(number));
  const [size, letter] = number < 1e6 ? [1e3, "k"] : number < 1e9 ? [1e6, "M"] : [1e9, "G"];
  return `${(number / size).toPrecision(3)} ${letter}`;
}
