// Packs a module for the package: node pack.mjs MODULE NETWORK OUT. See js/unpack.js for the form.

import { readFileSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { fold, restore } from "./js/unpack.js";

const [module, network, out] = process.argv.slice(2);
const plain = readFileSync(module);
const folded = fold(plain, readFileSync(network));
if (!Buffer.from(restore(folded)).equals(plain)) throw new Error("expected the same module after unpacking, got another");
const packed = gzipSync(folded, { level: 9 });
writeFileSync(out, packed);
console.log(`${out}: ${packed.length} bytes of ${plain.length}`);
