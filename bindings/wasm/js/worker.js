// The thread that searches. It gets `{ source, flag }` first, then lines of UCI as `{ id, line }`, games as
// `{ id, pgn, nodes }`, and questions of the page of `brier serve` as `{ id, path, question }`. It posts the compiled `{ module }` when it is ready, `{ line }` for each line of the engine, and
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
  const { id, line, pgn, nodes, path, question } = message;
  try {
    const ready = await engine;
    const answer = path !== undefined ? ready.question(path, question) : pgn !== undefined ? ready.review(pgn, nodes) : ready.command(line);
    port.post({ id, answer });
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
