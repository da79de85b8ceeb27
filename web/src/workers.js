// The engines of a page without a server: one worker for the position on the board, one for reviews, one for all
// that is quick. They answer the questions that a server would get.

const LONG = { "/api/watch": "thinking", "/api/review": "reviewing" };

export class Workers {
  /// `script` is the address of the worker's script.
  constructor(script) {
    this.script = script;
    this.started = new Map();
    /// The compiled engine and its network, once they are there: later workers need not make them again.
    this.made = undefined;
  }

  /// One question, one answer.
  async ask(path, question, signal) {
    let answer;
    await this.follow(path, question, signal, (news) => (answer = news));
    return answer;
  }

  /// One question, many answers: calls `take` with each. What the engine refuses is thrown.
  async follow(path, question, signal, take) {
    const place = LONG[path] ?? "quick";
    const answering = this.worker(place);
    let refused;
    const heard = (line) => {
      if (signal?.aborted) return;
      const news = JSON.parse(line);
      if (news.error === undefined) take(news);
      else refused = new Error(news.error);
    };
    const aborted = new Promise((_, reject) => {
      const leave = () => {
        // A search hears nothing; another worker takes its place.
        if (LONG[path] && this.started.get(place) === answering) {
          answering.worker.terminate();
          this.started.set(place, this.start());
        }
        reject(new DOMException("The question was taken back", "AbortError"));
      };
      if (signal?.aborted) leave();
      else signal?.addEventListener("abort", leave, { once: true });
    });
    await Promise.race([answering.ask({ path, question }, heard), aborted]);
    if (refused) throw refused;
  }

  worker(place) {
    if (!this.started.has(place)) this.started.set(place, this.start());
    return this.started.get(place);
  }

  start() {
    return new EngineWorker(this.script, this.made, (made) => (this.made = made));
  }
}

/// A worker, and the questions that it has not answered yet.
class EngineWorker {
  constructor(script, parts, ready) {
    this.waiting = new Map();
    this.ids = 0;
    this.worker = new Worker(script, { type: "module" });
    this.worker.onmessage = ({ data: { id, line, made, error } }) => {
      if (made) return ready(made);
      // Questions are answered in their order: a line belongs to the oldest.
      const [first] = this.waiting.values();
      if (line !== undefined) return first?.take(line);
      const { resolve, reject } = this.waiting.get(id);
      this.waiting.delete(id);
      if (error === undefined) resolve();
      else reject(new Error(error));
    };
    this.worker.onerror = ({ message }) => {
      for (const { reject } of this.waiting.values()) reject(new Error(message ?? "The engine did not start"));
      this.waiting.clear();
    };
    this.worker.postMessage({ ...parts });
  }

  ask(question, take) {
    const id = ++this.ids;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject, take });
      this.worker.postMessage({ id, ...question });
    });
  }
}
