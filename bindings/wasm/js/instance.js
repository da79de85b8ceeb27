// The engine in this thread: a call returns when its work is done.

import { system } from "./wasi.js";

/**
 * Makes an engine from a compiled module. `onLine` gets its answers while it works; `mustStop` is asked every few
 * hundred nodes whether the search should end.
 */
export async function instantiate(module, { onLine, mustStop = () => false }) {
  let exports;
  const imports = system({
    memory: () => exports.memory,
    onLine,
    onError: (line) => console.error(line),
    atClock: () => {
      // Before the first search there is nothing to stop.
      if (exports && mustStop()) exports.brier_stop();
    },
  });
  ({ exports } = await WebAssembly.instantiate(module, imports));
  exports._initialize?.();

  const pass = (text) => {
    const bytes = new TextEncoder().encode(text);
    const start = exports.brier_room(bytes.length);
    new Uint8Array(exports.memory.buffer, start, bytes.length).set(bytes);
  };
  return {
    command(line) {
      pass(line);
      exports.brier_command();
    },
    /** A question of the page of `brier serve`; its answers are lines. */
    question(path, question) {
      pass(`${path}\n${question === undefined ? "" : JSON.stringify(question)}`);
      exports.brier_question();
    },
    review(pgn, nodes) {
      pass(pgn);
      const length = exports.brier_review(nodes);
      const bytes = new Uint8Array(exports.memory.buffer, exports.brier_answer(), length);
      const answer = JSON.parse(new TextDecoder().decode(bytes));
      if (answer.error !== undefined) throw new Error(answer.error);
      return answer;
    },
  };
}
