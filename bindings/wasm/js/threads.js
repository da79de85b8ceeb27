// Threads of one engine: workers that share its memory and wait for something to do.
//
// A worker starts only when the thread that made it is idle, but the engine waits for its threads at once. So all
// workers are started beforehand, by a thread that is idle, and each waits at a slot of shared memory: two numbers, what it
// does and the address that the engine gives it. The engine's thread is then started by writing into a slot.

const [IDLE, TAKEN, GIVEN] = [0, 1, 2];
/** Where the state and the address are in a slot. */
const [STATE, ADDRESS, SIZE] = [0, 1, 2];
/** Threads besides those of the search: an engine that takes over from another, and the one of a review or bench. */
const SPARE = 2;

/** The module of several threads is linked for memory of this size, in pages of 64 KB: see xtask/src/wasm.rs. */
const FIRST_PAGES = 1024;
const MOST_PAGES = 16384;

/** What the threads of one engine have in common. */
export function shareable(threads) {
  const memory = new WebAssembly.Memory({ initial: FIRST_PAGES, maximum: MOST_PAGES, shared: true });
  const slots = new Int32Array(new SharedArrayBuffer(4 * SIZE * (threads + SPARE)));
  return { memory, slots };
}

/** How many workers wait at slots. */
export function workers(slots) {
  return slots.length / SIZE;
}

/** What the engine calls to start a thread: the thread's number comes back, or -1 if all are in use. */
export function spawner(slots) {
  return (address) => {
    for (let slot = 0; slot < workers(slots); slot += 1) {
      const at = SIZE * slot;
      if (Atomics.compareExchange(slots, at + STATE, IDLE, TAKEN) !== IDLE) continue;
      slots[at + ADDRESS] = address;
      Atomics.store(slots, at + STATE, GIVEN);
      Atomics.notify(slots, at + STATE);
      return slot + 1;
    }
    return -1;
  };
}

/** The life of a worker at its slot: it never returns. */
export function serve(slots, slot, exports) {
  const at = SIZE * slot;
  for (;;) {
    const state = Atomics.load(slots, at + STATE);
    if (state !== GIVEN) {
      Atomics.wait(slots, at + STATE, state);
      continue;
    }
    exports.wasi_thread_start(slot + 1, slots[at + ADDRESS]);
    Atomics.store(slots, at + STATE, IDLE);
  }
}
