// A conversation in UCI with a worker that hears nothing while it searches.
//
// What must be answered at once is answered here: `isready` and `stop` during a search, `ponderhit`, and the rule
// that an infinite search keeps its move until it is stopped. Where memory can be shared, `stop` is a flag that the
// search sees; elsewhere the worker is ended, the answer is the best move it has shown, and a new worker
// goes on from there, without the memory of the old one. Where memory can be shared there may be several threads too: that
// is another module, with workers that help, and the conversation goes on with it when `Threads` is set.

import { sharedFlag, startWorker } from "./platform.js";
import { shareable, workers } from "./threads.js";

/** The words of `go` that make a search end by itself. */
const LIMITS = ["wtime", "btime", "movetime", "nodes", "depth", "perft"];

/** The most threads that workers are started for. */
const MOST_THREADS = 32;

const WORKER = new URL("./worker.js", import.meta.url);
const THREADED = new URL("./brier-threads.wasm.packed", import.meta.url).href;

export class Conversation {
  #source;
  #network;
  #onLine;
  #onFailure;
  #worker;
  /** The workers that help, if there are several threads. */
  #helpers = [];
  #threads = 1;
  #mayThread;
  #flag;
  /** Options by name and the position, for a worker that takes over. */
  #options = new Map();
  #position = "position startpos";
  /** The search that runs, or whose move is kept back; lines that wait for its end. */
  #search;
  #waiting = [];
  #finished = [];
  #work = new Map();
  #ids = 0;

  /** `onLine` gets what the engine says, `onFailure` an Error if there is no engine; `share: false` shares no memory. */
  constructor({ source, network, share = true, onLine, onFailure }) {
    [this.#source, this.#network, this.#onLine, this.#onFailure] = [source, network, onLine, onFailure];
    this.#flag = share ? sharedFlag() : undefined;
    // Whoever brings a module has the one for one thread.
    this.#mayThread = this.#flag !== undefined && source === undefined;
    this.#start();
  }

  /** A line from the page. */
  send(text) {
    const line = String(text).trim();
    const word = line.split(/\s+/, 1)[0];
    if (word === "quit") return void this.end();
    if (this.#search === undefined) return this.#obey(line, word);
    // While the engine starts again there is no line that is searched for.
    if (word === "isready" && this.#search.line !== undefined) return this.#onLine("readyok");
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

  /** Ends the workers once all questions are answered; a search without an end is stopped. */
  async finish() {
    if (this.#search?.endless) this.#stop();
    while (this.#search) await new Promise((resolve) => this.#finished.push(resolve));
    await this.#post({ line: "" });
    await this.end();
  }

  /** Ends the workers at once. */
  async end() {
    const all = [this.#worker, ...this.#helpers];
    [this.#worker, this.#helpers] = [undefined, []];
    await Promise.all(all.map(async (worker) => (await worker)?.terminate()));
  }

  #start() {
    const shared = this.#threads > 1 ? shareable(this.#threads) : undefined;
    const begin = (first) => {
      const isCurrent = () => this.#worker === worker || this.#helpers.includes(worker);
      const worker = startWorker(
        WORKER,
        (message) => isCurrent() && (message.made ? made(message.made) : this.#hear(message)),
        (error) => isCurrent() && this.#fail(error),
      );
      worker.then((started) => started.postMessage({ flag: this.#flag, shared, ...first }), (error) => this.#fail(error));
      return worker;
    };
    const made = ({ source, network }) => {
      // The next worker need not compile and unpack again.
      [this.#source, this.#network] = [source, network];
      if (shared) this.#helpers = Array.from({ length: workers(shared.slots) }, (_, slot) => begin({ source, slot }));
    };
    this.#worker = begin({ source: this.#source, network: this.#network });
  }

  /** Another worker takes over, with the options and the position of the one before it. */
  #startAgain() {
    this.end();
    this.#work.clear();
    this.#start();
    for (const line of [...this.#options.values(), this.#position]) this.#post({ line });
  }

  /** Goes on with a module of several threads, if memory can be shared; elsewhere the engine says what is wrong. */
  #thread(count) {
    const isAsked = Number.isInteger(count) && count >= 1 && count <= MOST_THREADS;
    if (!this.#mayThread || !isAsked || count === this.#threads) return false;
    // What was asked for before is answered first; what comes now waits.
    this.#search = { endless: false };
    const answered = this.#post({ line: "" });
    answered.then(() => {
      if (count === 1 || this.#threads === 1) this.#source = count === 1 ? undefined : THREADED;
      this.#threads = count;
      this.#startAgain();
      this.#finish();
    }, (error) => this.#onFailure(error));
    return true;
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
    if (word === "setoption") {
      const [, name, value] = line.match(/\sname\s+(.*?)(?:\s+value\s+(.*))?$/) ?? [];
      this.#options.set(name?.toLowerCase(), line);
      if (name?.toLowerCase() === "threads" && this.#thread(Number(value))) return;
    }
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
    // A count or a bench has no move to answer with; a move may come from another thread, after this.
    const hasMove = word === "go" && !words.includes("perft");
    if (!hasMove) done.then(() => this.#search === search && this.#finish(), () => {});
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
    this.#startAgain();
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
    if (this.#search === undefined) this.#finished.splice(0).forEach((resolve) => resolve());
  }

  #hear({ id, line, answer, error }) {
    if (line !== undefined) return this.#hearLine(line);
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
