// The system that the engine sees: a clock, and an output whose lines somebody takes. Everything else of WASI is refused.

const OK = 0;
const BAD_FILE = 8;
const NOT_HERE = 52;

/**
 * The imports of the module. `memory()` is its memory once it is there, `onLine` gets each line of output, and
 * `atClock` is called whenever the engine looks at the clock, which it does every few hundred nodes.
 */
export function system({ memory, onLine, onError, atClock }) {
  const view = () => new DataView(memory().buffer);
  const outputs = { 1: lines(onLine), 2: lines(onError) };

  const known = {
    clock_time_get(id, _precision, result) {
      atClock();
      const milliseconds = id === 0 ? Date.now() : performance.now();
      view().setBigUint64(result, BigInt(Math.round(milliseconds * 1e6)), true);
      return OK;
    },
    fd_write(file, pieces, count, written) {
      const take = outputs[file];
      if (!take) return BAD_FILE;
      const [data, bytes] = [view(), new Uint8Array(memory().buffer)];
      let total = 0;
      for (let piece = 0; piece < count; piece += 1) {
        const start = data.getUint32(pieces + 8 * piece, true);
        const length = data.getUint32(pieces + 8 * piece + 4, true);
        take(bytes.slice(start, start + length));
        total += length;
      }
      data.setUint32(written, total, true);
      return OK;
    },
    random_get(start, length) {
      // In pieces: one call gives 65,536 bytes at most, and none into memory that is shared.
      const bytes = new Uint8Array(memory().buffer, start, length);
      for (let at = 0; at < length; at += 65536) bytes.set(crypto.getRandomValues(new Uint8Array(Math.min(65536, length - at))), at);
      return OK;
    },
    environ_sizes_get: (count, size) => none(count, size),
    args_sizes_get: (count, size) => none(count, size),
    environ_get: () => OK,
    args_get: () => OK,
    fd_prestat_get: () => BAD_FILE,
    sched_yield: () => OK,
    proc_exit(code) {
      throw new Error(`the engine ended with ${code}`);
    },
  };
  function none(count, size) {
    view().setUint32(count, 0, true);
    view().setUint32(size, 0, true);
    return OK;
  }
  const refused = () => NOT_HERE;
  return { wasi_snapshot_preview1: new Proxy(known, { get: (functions, name) => functions[name] ?? refused }) };
}

/** Takes bytes, gives whole lines. */
function lines(onLine) {
  const decoder = new TextDecoder();
  let rest = "";
  return (bytes) => {
    const parts = (rest + decoder.decode(bytes, { stream: true })).split("\n");
    rest = parts.pop();
    parts.forEach((line) => onLine(line));
  };
}
