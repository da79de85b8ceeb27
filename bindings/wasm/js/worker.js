// The thread that searches. It gets `{ source, flag }` first, then lines of UCI as `{ id, line }` and games as
// `{ id, pgn, nodes }`. It posts the compiled `{ module }` when it is ready, `{ line }` for each line of the engine, and
// `{ id, answer }` or `{ id, error }` when a piece of work is done.

import { instantiate } from "./instance.js";
import { ownPort } from "./platform.js";
import { compile } from "./unpack.js";

let engine;
const port = await ownPort(async (message) => {
  if (message.id === undefined) {
    engine = start(message);
    // Whoever asks for something gets the reason.
    engine.catch(() => {});
    return;
  }
  const { id, line, pgn, nodes } = message;
  try {
    const ready = await engine;
    port.post({ id, answer: pgn === undefined ? ready.command(line) : ready.review(pgn, nodes) });
  } catch (error) {
    port.post({ id, error: error.message });
  }
});

async function start({ source, flag }) {
  const module = await compile(source);
  const made = await instantiate(module, {
    onLine: (line) => port.post({ line }),
    mustStop: () => flag !== undefined && Atomics.load(flag, 0) === 1,
  });
  port.post({ module });
  return made;
}
