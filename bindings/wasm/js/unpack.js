// From the file of the package to a compiled module.
//
// Most of the module is the network: 16-bit numbers, most of them near zero. Such numbers compress much better when
// their sign is in the lowest bit and their low and high bytes stand apart; `pack.mjs` does that, and this undoes it.
// A packed file is gzip of: the word "brier", the place and the length of the network in bytes, the module.

import { bytesOf } from "./platform.js";

const MAGIC = "brier";
const WASM = [0x00, 0x61, 0x73, 0x6d];
export const HEADER = 16;

/** The module of the file `brier.wasm.packed` beside this one, or of a file or bytes of one's own (packed or plain). */
export async function compile(source = new URL("./brier.wasm.packed", import.meta.url)) {
  if (source instanceof WebAssembly.Module) return source;
  const bytes = ArrayBuffer.isView(source) || source instanceof ArrayBuffer ? new Uint8Array(source) : await bytesOf(new URL(source));
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
  const plain = isGzip ? restore(await gunzip(bytes)) : bytes;
  if (!WASM.every((byte, index) => plain[index] === byte)) throw new Error("expected a module of WebAssembly, plain or packed, got other bytes");
  return WebAssembly.compile(plain);
}

async function gunzip(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** A module as it was before it was packed. */
export function restore(packed) {
  const word = new TextDecoder().decode(packed.subarray(0, MAGIC.length));
  if (word !== MAGIC) throw new Error(`expected a packed module that begins with "${MAGIC}", got "${word}"`);
  const header = new DataView(packed.buffer, packed.byteOffset, HEADER);
  const [start, length] = [header.getUint32(8, true), header.getUint32(12, true)];
  const module = packed.slice(HEADER);
  const half = length / 2;
  if (!Number.isInteger(half) || start + length > module.length) throw new Error("expected a network inside the packed module, got one outside");
  const numbers = new DataView(module.buffer, start, length);
  const body = packed.subarray(HEADER + start, HEADER + start + length);
  for (let i = 0; i < half; i += 1) {
    const folded = body[i] | (body[half + i] << 8);
    numbers.setInt16(2 * i, (folded >>> 1) ^ -(folded & 1), true);
  }
  return module;
}

/** The same the other way: the network, found in the module by its bytes, in a form that compresses well. */
export function fold(module, network) {
  const length = network.length & ~1;
  const start = Buffer.from(module.buffer, module.byteOffset, module.length).indexOf(network.subarray(0, length));
  if (start < 0) throw new Error("expected the network's bytes inside the module, found none");
  const packed = new Uint8Array(HEADER + module.length);
  packed.set(new TextEncoder().encode(MAGIC));
  const header = new DataView(packed.buffer, 0, HEADER);
  header.setUint32(8, start, true);
  header.setUint32(12, length, true);
  packed.set(module, HEADER);
  const numbers = new DataView(network.buffer, network.byteOffset, length);
  const half = length / 2;
  for (let i = 0; i < half; i += 1) {
    const number = numbers.getInt16(2 * i, true);
    const folded = ((number << 1) ^ (number >> 15)) & 0xffff;
    packed[HEADER + start + i] = folded & 255;
    packed[HEADER + start + half + i] = folded >> 8;
  }
  return packed;
}
