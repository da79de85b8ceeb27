// Programs that speak UCI, and how much of the processor they and their children have used.

import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";

/** The engines that are compared: a name and how a program is started. `STOCKFISH` is the folder of the package `stockfish`. */
export const ENGINES = {
  "brier": ["node", [new URL("../js/uci.js", import.meta.url).pathname, "default"]],
  "brier small": ["node", [new URL("../js/uci.js", import.meta.url).pathname, "small"]],
  "stockfish lite": ["node", [`${process.env.STOCKFISH}/bin/stockfish-19-lite-single.js`]],
  "brier native": [process.env.BRIER, []],
};

/** A program and its lines. */
export class Program {
  #waiting = [];

  constructor(name) {
    const [command, words] = ENGINES[name];
    this.name = name;
    this.child = spawn(command, words, { stdio: ["pipe", "pipe", "ignore"] });
    createInterface({ input: this.child.stdout }).on("line", (line) => {
      this.onLine?.(line);
      if (this.#waiting[0]?.pattern.test(line)) this.#waiting.shift().resolve(line);
    });
    this.child.on("exit", () => this.#waiting.forEach(({ reject }) => reject(new Error(`${name} ended`))));
  }

  send(...lines) {
    lines.forEach((line) => this.child.stdin.write(`${line}\n`));
  }

  /** The next line of this form. */
  heard(pattern) {
    return new Promise((resolve, reject) => this.#waiting.push({ pattern, resolve, reject }));
  }

  async start(hash) {
    this.send("uci");
    await this.heard(/^uciok/);
    this.send(`setoption name Hash value ${hash}`, "isready");
    await this.heard(/^readyok/);
    return this;
  }

  end() {
    this.child.stdin.end("quit\n");
  }
}

/** Seconds of the processor that a process and all its children have used. */
export function processorSeconds(root) {
  const parents = new Map();
  const used = new Map();
  for (const entry of readdirSync("/proc")) {
    if (!/^\d+$/.test(entry)) continue;
    try {
      const fields = readFileSync(`/proc/${entry}/stat`, "utf8").replace(/^.*\) /s, "").split(" ");
      parents.set(Number(entry), Number(fields[1]));
      // A hundred ticks are a second.
      used.set(Number(entry), (Number(fields[11]) + Number(fields[12])) / 100);
    } catch {
      // It has ended meanwhile.
    }
  }
  const belongs = (id) => id === root || (parents.has(id) && belongs(parents.get(id)));
  return [...used].filter(([id]) => belongs(id)).reduce((sum, [, seconds]) => sum + seconds, 0);
}
