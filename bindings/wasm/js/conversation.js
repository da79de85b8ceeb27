// A conversation in UCI with a worker that hears nothing while it searches.
//
// What must be answered at once is answered here: `isready` and `stop` during a search, `ponderhit`, and the rule
// that an infinite search keeps its move until it is stopped. Where memory can be shared, `stop` is a flag that the
// search sees; elsewhere the worker is ended, the answer is the best move it has shown, and a new worker
// goes on from there, without the memory of the old one.

import { sharedFlag, startWorker } from "./platform.js";

/** The words of `go` that make a search end by itself. */
const LIMITS = ["wtime", "btime", "movetime", "nodes", "depth", "perft"];

export class Conversation {
  #source;
  #onLine;
  #onFailure;
  #worker;
  #flag;
  /** Options by name and the position, for a worker that takes over. */
  #options = new Map();
  #position = "position startpos";
  /** The search that runs, or whose move is kept back; lines that wait for its end. */
  #search;
  #waiting = [];
  #work = new Map();
  #ids = 0;

  /** `onLine` gets what the engine says, `onFailure` an Error if there is no engine; `share: false` shares no memory. */
  constructor({ source, share = true, onLine, onFailure }) {
    [this.#source, this.#onLine, this.#onFailure] = [source, onLine, onFailure];
    this.#flag = share ? sharedFlag() : undefined;
    this.#start();
  }

  /** A line from the page. */
  send(text) {
    const line = String(text).trim();
    const word = line.split(/\s+/, 1)[0];
    if (word === "quit") return void this.end();
    if (this.#search === undefined) return this.#obey(line, word);
    if (word === "isready") return this.#onLine("readyok");
    if (word === "stop") return this.#stop();
    if (word === "ponderhit") return this.#ponderHit();
    // Whatever else is asked for ends a search that has no end.
    this.#waiting.push(line);
    if (this.#search.endless) this.#stop();
  }

  /** Reviews games; what is asked for meanwhile waits. */
  review(pgn, nodes) {
    return this.#post({ pgn, nodes });
  }

  /** Ends the worker. */
  async end() {
    const worker = this.#worker;
    this.#worker = undefined;
    await (await worker)?.terminate();
  }

  #start() {
    const isCurrent = () => this.#worker === worker;
    const worker = startWorker(
      new URL("./worker.js", import.meta.url),
      (message) => isCurrent() && this.#hear(message),
      (error) => isCurrent() && this.#fail(error),
    );
    this.#worker = worker;
    worker.then((started) => started.postMessage({ source: this.#source, flag: this.#flag }), (error) => this.#fail(error));
  }

  /** Gives the worker something to do; the promise ends when it is done. */
  #post(message) {
    this.#ids += 1;
    const id = this.#ids;
    const done = new Promise((resolve, reject) => this.#work.set(id, { resolve, reject }));
    this.#worker?.then((worker) => worker.postMessage({ id, ...message }));
    return done;
  }

  #fail(error) {
    for (const { reject } of this.#work.values()) reject(error);
    this.#work.clear();
    this.#onFailure(error);
  }

  #obey(line, word) {
    if (word === "setoption") this.#options.set(line.match(/\sname\s+(.*?)(?:\s+value\s|$)/)?.[1].toLowerCase(), line);
    if (word === "position") this.#position = line;
    const done = this.#post({ line });
    done.catch((error) => this.#onFailure(error));
    if (word !== "go" && word !== "bench") return;
    const words = line.split(/\s+/);
    const ponders = words.includes("ponder");
    const endless = word === "go" && (ponders || words.includes("infinite") || !LIMITS.some((limit) => words.includes(limit)));
    const search = { line, ponders, endless, isStopped: false, shown: undefined, kept: undefined, isSwallowed: false };
    this.#search = search;
    if (this.#flag) Atomics.store(this.#flag, 0, 0);
    // A count or a bench has no move to answer with.
    done.then(() => this.#search === search && search.kept === undefined && this.#finish(), () => {});
  }

  #stop() {
    const search = this.#search;
    [search.isStopped, search.endless] = [true, false];
    if (search.kept !== undefined) this.#finish(search.kept);
    else if (this.#flag) Atomics.store(this.#flag, 0, 1);
    else if (search.shown !== undefined) this.#replace(search.shown);
  }

  /** Another worker takes over from one that cannot be stopped. */
  #replace([best, reply]) {
    this.#worker.then((worker) => worker.terminate());
    this.#work.clear();
    this.#start();
    for (const line of [...this.#options.values(), this.#position]) this.#post({ line });
    this.#finish(`bestmove ${best}${reply ? ` ponder ${reply}` : ""}`);
  }

  /** The move was played: search again, by the clock this time; the table knows what was found. */
  #ponderHit() {
    if (!this.#search.ponders) return;
    this.#search.isSwallowed = true;
    this.#waiting.unshift(this.#search.line.replace(/\sponder\b/, ""));
    this.#stop();
  }

  #finish(answer) {
    const { isSwallowed } = this.#search;
    this.#search = undefined;
    if (answer !== undefined && !isSwallowed) this.#onLine(answer);
    while (this.#waiting.length > 0 && this.#search === undefined) this.send(this.#waiting.shift());
  }

  #hear({ id, line, module, answer, error }) {
    if (line !== undefined) return this.#hearLine(line);
    // The next worker need not compile it again.
    if (module !== undefined) return void (this.#source = module);
    const work = this.#work.get(id);
    this.#work.delete(id);
    if (error === undefined) work?.resolve(answer);
    else work?.reject(new Error(error));
  }

  #hearLine(line) {
    const search = this.#search;
    if (search && line.startsWith("bestmove")) {
      if (search.endless) search.kept = line;
      else this.#finish(line);
      return;
    }
    this.#onLine(line);
    const best = line.match(/^info .*\bpv (\S+)(?: (\S+))?/);
    if (search && best && !/ multipv (?!1 )/.test(line)) {
      search.shown = [best[1], best[2]];
      // There was no move to play when it was stopped.
      if (search.isStopped && !this.#flag) this.#replace(search.shown);
    }
  }
}
