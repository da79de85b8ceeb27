// From the files of the package to a compiled module and a network.
//
// Both are packed by gzip. A network is 16-bit numbers, most of them near zero. Such numbers compress much better when
// their sign is in the lowest bit and their low and high bytes stand apart; `pack.mjs` does that, and this undoes it.
// A packed network is gzip of the word "folded" and the numbers in that form; a last odd byte stays as it is.

import { bytesOf } from "./platform.js";

const FOLDED = new TextEncoder().encode("folded");
const WASM = [0x00, 0x61, 0x73, 0x6d];
const GZIP = [0x1f, 0x8b];

/** A module: the file `brier.wasm.packed` beside this one, or a file or bytes of one's own (packed or plain). */
export async function compile(source = new URL("./brier.wasm.packed", import.meta.url)) {
  if (source instanceof WebAssembly.Module) return source;
  const plain = await plainBytes(source);
  if (!startsWith(plain, WASM)) throw new Error("expected a module of WebAssembly, plain or packed, got other bytes");
  return WebAssembly.compile(plain);
}

/** A network: by its name (a file beside this one), its address, or its bytes (packed or plain). */
export async function readNetwork(source = "default") {
  const isName = typeof source === "string" && /^[a-z0-9]+$/.test(source);
  const plain = await plainBytes(isName ? new URL(`./${source}.nnue.packed`, import.meta.url) : source);
  return startsWith(plain, FOLDED) ? unfold(plain.subarray(FOLDED.length)) : plain;
}

async function plainBytes(source) {
  const bytes = ArrayBuffer.isView(source) || source instanceof ArrayBuffer ? new Uint8Array(source) : await bytesOf(new URL(source));
  if (!startsWith(bytes, GZIP)) return bytes;
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

function startsWith(bytes, word) {
  return word.every((byte, index) => bytes[index] === byte);
}

function unfold(folded) {
  const bytes = folded.slice();
  const half = bytes.length >> 1;
  const numbers = new DataView(bytes.buffer);
  for (let i = 0; i < half; i += 1) {
    const number = folded[i] | (folded[half + i] << 8);
    numbers.setInt16(2 * i, (number >>> 1) ^ -(number & 1), true);
  }
  return bytes;
}

/** A network in the form that compresses well. */
export function fold(network) {
  const folded = new Uint8Array(FOLDED.length + network.length);
  folded.set(FOLDED);
  const body = folded.subarray(FOLDED.length);
  body.set(network);
  const half = network.length >> 1;
  const numbers = new DataView(network.buffer, network.byteOffset);
  for (let i = 0; i < half; i += 1) {
    const number = numbers.getInt16(2 * i, true);
    const sign = ((number << 1) ^ (number >> 15)) & 0xffff;
    body[i] = sign & 255;
    body[half + i] = sign >> 8;
  }
  return folded;
}
