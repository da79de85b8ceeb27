// The thread of an engine that gets questions, and the threads that help it.
//
// The first message is `{ source, network, flag, shared }`. A helper gets `{ source, flag, shared, slot }` and nothing
// else; it posts `{ line }` for each line that its part of the engine writes. The first thread gets lines of UCI as
// `{ id, line }`, games as `{ id, pgn, nodes }`, and questions of the page of `brier serve` as `{ id, path, question }`. It
// posts `{ made: { source, network } }`, compiled and unpacked, when it is ready, `{ line }` for each line of the
// engine, and `{ id, answer }` or `{ id, error }` when a piece of work is done.

import { instantiate, makeEngine } from "./instance.js";
import { ownPort } from "./platform.js";
import { serve } from "./threads.js";
import { compile, readNetwork } from "./unpack.js";

let engine;
const port = await ownPort(async (message) => {
  if (message.id === undefined) {
    engine = start(message);
    // Whoever asks for something gets the reason.
    engine.catch(() => {});
    return;
  }
  const { id, line, pgn, nodes, path, question } = message;
  try {
    const ready = await engine;
    const answer = path !== undefined ? ready.question(path, question) : pgn !== undefined ? ready.review(pgn, nodes) : ready.command(line);
    port.post({ id, answer });
  } catch (error) {
    port.post({ id, error: error.message });
  }
});

async function start({ source, network, flag, shared, slot }) {
  const parts = {
    shared,
    onLine: (line) => port.post({ line }),
    mustStop: () => flag !== undefined && Atomics.load(flag, 0) === 1,
  };
  if (slot !== undefined) return serve(shared.slots, slot, await instantiate(source, parts));
  const made = { source: await compile(source), network: await readNetwork(network) };
  // Helpers are started with it, and the engine may need them at once.
  port.post({ made });
  return makeEngine(made.source, made.network, parts);
}
