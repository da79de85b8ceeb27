// Bundles the scripts and styles of the page of `brier serve` and of reports into the folders from which the
// program takes them, or into others. The HTML of the page, index.html, is written by hand in the first of them.
//
//     npm ci && npm run build            the committed files
//     node build.mjs FOLDER FOLDER ENGINE       elsewhere, to compare; ENGINE has the scripts of bindings/wasm

import { mkdirSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const out = process.argv[2] ?? here("../crates/serve/src/page");
const report = process.argv[3] ?? here("../crates/review/src/replay");
const engine = process.argv[4] ?? here("../bindings/wasm/js");

const common = {
  bundle: true,
  minify: true,
  target: ["chrome109", "firefox115", "safari16.4"],
  loader: { ".svg": "dataurl" },
  legalComments: "none",
  banner: {
    js: "// Brier's page, GPL-3.0-or-later. With chessground (GPL-3.0-or-later), chessops (GPL-3.0-or-later),\n// @badrap/result (MIT). Sources and how to build: web/ in Brier's repository.",
    css: "/* Brier's page, GPL-3.0-or-later. With styles of chessground (GPL-3.0-or-later) and the pieces of\n   Colin M.L. Burnett (GPL-2.0-or-later). Sources: web/ in Brier's repository. */",
  },
};
for (const folder of [out, report]) mkdirSync(folder, { recursive: true });
await build({ ...common, entryPoints: { page: here("src/main.js"), style: here("src/style.css") }, outdir: out, format: "esm" });
// The engine of a page without a server, and what keeps such a page: scripts of their own threads.
const fromPackage = { name: "package", setup: (build) => build.onResolve({ filter: /^brier-chess\// }, ({ path }) => ({ path: resolve(engine, path.slice(12)) })) };
await build({ ...common, entryPoints: { engine: here("src/engine.js") }, outdir: out, format: "esm", external: ["node:*"], plugins: [fromPackage] });
await build({ ...common, entryPoints: { offline: here("src/offline.js") }, outdir: out, format: "iife" });
// A page that is opened from a disk may load scripts, but no modules.
await build({ ...common, entryPoints: { report: here("src/report.js"), style: here("src/report.css") }, outdir: report, format: "iife" });
