// The engine in this thread: a call returns when its work is done.

import { spawner } from "./threads.js";
import { system } from "./wasi.js";

/**
 * What a module becomes: its exports. `onLine` gets what it writes while it works; `mustStop` is asked every few hundred
 * nodes whether the search should end. `shared` is what the threads of one engine have in common: memory and slots.
 */
export async function instantiate(module, { shared, onLine, mustStop = () => false }) {
  let exports;
  const imports = system({
    memory: () => shared?.memory ?? exports.memory,
    onLine,
    onError: (line) => console.error(line),
    atClock: () => {
      // Before the first search there is nothing to stop.
      if (exports && mustStop()) exports.brier_stop();
    },
  });
  if (shared) {
    imports.env = { memory: shared.memory };
    imports.wasi = { "thread-spawn": spawner(shared.slots) };
  }
  ({ exports } = await WebAssembly.instantiate(module, imports));
  return exports;
}

/** An engine with this network; `parts` as above. */
export async function makeEngine(module, network, parts) {
  const exports = await instantiate(module, parts);
  const { memory } = parts.shared ?? exports;
  exports._initialize?.();

  const pass = (bytes) => {
    const start = exports.brier_room(bytes.length);
    new Uint8Array(memory.buffer, start, bytes.length).set(bytes);
  };
  const passText = (text) => pass(new TextEncoder().encode(text));
  // A copy, because nothing decodes memory that is shared.
  const answer = (length) => new TextDecoder().decode(new Uint8Array(memory.buffer, exports.brier_answer(), length).slice());

  pass(network);
  const refused = exports.brier_network();
  if (refused > 0) throw new Error(answer(refused));
  return {
    command(line) {
      passText(line);
      exports.brier_command();
    },
    /** A question of the page of `brier serve`; its answers are lines. */
    question(path, question) {
      passText(`${path}\n${question === undefined ? "" : JSON.stringify(question)}`);
      exports.brier_question();
    },
    review(pgn, nodes) {
      passText(pgn);
      const review = JSON.parse(answer(exports.brier_review(nodes)));
      if (review.error !== undefined) throw new Error(review.error);
      return review;
    },
  };
}
