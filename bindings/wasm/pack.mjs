// Packs files for the package: node pack.mjs IN OUT [IN OUT …]. Networks are folded first; see js/unpack.js.

import { readFileSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { fold, readNetwork } from "./js/unpack.js";

const paths = process.argv.slice(2);
for (let at = 0; at < paths.length; at += 2) {
  const [from, to] = paths.slice(at, at + 2);
  const plain = readFileSync(from);
  const isNetwork = from.endsWith(".nnue");
  const packed = gzipSync(isNetwork ? fold(plain) : plain, { level: 9 });
  if (isNetwork && !plain.equals(await readNetwork(packed))) throw new Error(`${from}: expected the same bytes after unpacking, got others`);
  writeFileSync(to, packed);
  console.log(`${to}: ${packed.length} bytes of ${plain.length}`);
}
