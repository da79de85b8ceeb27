// Brier for pages and for node: an engine in a worker, with promises. `index.d.ts` has the types.

import { Conversation } from "./conversation.js";

export { Conversation };

export class Engine {
  #conversation;
  #listeners = new Set();
  #failure;
  /** One question after the other. */
  #turn = Promise.resolve();

  constructor({ source, network }) {
    this.#conversation = new Conversation({
      source,
      network,
      onLine: (line) => this.#listeners.forEach((listener) => listener.take(line)),
      onFailure: (error) => {
        this.#failure = error;
        this.#listeners.forEach((listener) => listener.reject(error));
      },
    });
  }

  static async create({ source, network, ...options } = {}) {
    const engine = new Engine({ source, network });
    try {
      await engine.setOption("UCI_ShowWDL", true);
      for (const [name, value] of Object.entries(options)) await engine.setOption(name, value);
    } catch (error) {
      await engine.end();
      throw error;
    }
    return engine;
  }

  async setOption(name, value) {
    const line = `setoption name ${name}${value === undefined ? "" : ` value ${value}`}`;
    const said = await this.#ask([line, "isready"], (text) => text === "readyok");
    const refused = said.find((text) => text.startsWith("info string setoption ignored: "));
    if (refused) throw new RangeError(refused.slice("info string setoption ignored: ".length));
  }

  async newGame() {
    await this.#ask(["ucinewgame", "isready"], (line) => line === "readyok");
  }

  async analyse(position = "startpos", { moves = [], lines = 1, onInfo, ...limits } = {}) {
    const go = ["go"];
    for (const [name, word] of [["nodes", "nodes"], ["depth", "depth"], ["milliseconds", "movetime"], ["mate", "mate"]]) {
      const value = limits[name];
      if (value === undefined) continue;
      if (!(Number.isInteger(value) && value > 0)) throw new RangeError(`${name}: expected a whole number above 0, got ${value}`);
      go.push(word, value);
    }
    if (go.length === 1 && !limits.infinite) throw new RangeError("expected a limit: nodes, depth, milliseconds, mate or infinite; got none");
    if (limits.infinite) go.push("infinite");
    const start = position === "startpos" ? "startpos" : `fen ${position}`;
    const answer = { best: null, ponder: null, lines: [], nodes: 0 };
    const commands = [
      `setoption name MultiPV value ${lines}`,
      `position ${start}${moves.length ? ` moves ${moves.join(" ")}` : ""}`,
      go.join(" "),
    ];
    let refused;
    await this.#ask(commands, (line) => {
      refused ??= line.match(/^info string (.*(?:; the position before it stays|setoption ignored: ).*)/)?.[1];
      if (update(answer, line, lines)) onInfo?.(answer);
      return line.startsWith("bestmove");
    });
    if (refused !== undefined) throw new RangeError(refused);
    return answer;
  }

  async evaluate(position = "startpos") {
    const start = position === "startpos" ? "startpos" : `fen ${position}`;
    const said = await this.#ask([`position ${start}`, "eval"], (line) => line.startsWith("info string quantiles "));
    const refused = said.find((line) => line.includes("; the position before it stays"));
    if (refused) throw new RangeError(refused.slice("info string ".length));
    return said.at(-1).split(" ").slice(3).map(Number);
  }

  async review(pgn, { nodes }) {
    if (!(Number.isInteger(nodes) && nodes > 0)) throw new RangeError(`nodes: expected a whole number above 0, got ${nodes}`);
    if (this.#failure) throw this.#failure;
    return this.#conversation.review(String(pgn), nodes);
  }

  async bench(depth = 13) {
    const said = await this.#ask([`bench ${depth}`], (line) => / nodes \d+ nps$/.test(line));
    const [, nodes, nps] = said.at(-1).match(/(\d+) nodes (\d+) nps/);
    return { nodes: Number(nodes), nps: Number(nps) };
  }

  stop() {
    this.#conversation.send("stop");
  }

  end() {
    return this.#conversation.end();
  }

  /** Sends lines when it is their turn, and collects what is said until `isLast`. */
  #ask(commands, isLast) {
    const asked = this.#turn.then(() => new Promise((resolve, reject) => {
      if (this.#failure) return reject(this.#failure);
      const said = [];
      const listener = {
        reject,
        take: (line) => {
          said.push(line);
          if (!isLast(line)) return;
          this.#listeners.delete(listener);
          resolve(said);
        },
      };
      this.#listeners.add(listener);
      commands.forEach((command) => this.#conversation.send(command));
    }));
    this.#turn = asked.catch(() => {});
    return asked;
  }
}

/** Takes a line of the engine in; says whether something new is known. */
function update(answer, line, count) {
  const number = (word) => {
    const found = line.match(new RegExp(`\\b${word} (-?\\d+)`));
    return found ? Number(found[1]) : null;
  };
  const move = line.match(/^bestmove (\S+)(?: ponder (\S+))?/);
  if (move) {
    answer.best = move[1] === "(none)" ? null : move[1];
    answer.ponder = move[2] ?? null;
    return false;
  }
  const sure = line.match(/^info string confidence depth \d+ multipv (\d+) move (\S+) percent ([\d.]+)/);
  if (sure) {
    const known = answer.lines[Number(sure[1]) - 1];
    if (known?.pv[0] === sure[2]) known.confidence = Number(sure[3]) / 100;
    return true;
  }
  const doubt = line.match(/^info string doubt depth \d+ q10 (-?\d+) q25 (-?\d+) q50 (-?\d+) q75 (-?\d+) q90 (-?\d+)/);
  if (doubt) {
    if (answer.lines[0]) answer.lines[0].quantiles = doubt.slice(1).map(Number);
    return true;
  }
  if (!line.startsWith("info ") || !line.includes(" pv ")) return false;
  const wdl = line.match(/ wdl (\d+) (\d+) (\d+)/);
  const chances = wdl ? wdl.slice(1).map((part) => Number(part) / 1000) : null;
  const place = (number("multipv") ?? 1) - 1;
  const info = {
    depth: number("depth"),
    seldepth: number("seldepth"),
    cp: number("score cp"),
    mate: number("score mate"),
    bound: line.includes(" lowerbound") ? "lower" : line.includes(" upperbound") ? "upper" : "exact",
    chances,
    points: chances ? chances[0] + chances[1] / 2 : null,
    quantiles: null,
    confidence: null,
    pv: line.split(" pv ")[1].trim().split(/\s+/),
  };
  answer.nodes = number("nodes") ?? answer.nodes;
  answer.lines = answer.lines.filter((known) => known.pv[0] !== info.pv[0]);
  answer.lines.splice(place, 0, info);
  answer.lines.length = Math.min(answer.lines.length, count);
  return true;
}
