// Bundles the page into the folder from which the program takes it, or into another one.
//
//     npm ci && npm run build            the committed files
//     node build.mjs FOLDER              elsewhere, to compare

import { copyFileSync, mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const out = process.argv[2] ?? here("../crates/brier/src/serve/page");

mkdirSync(out, { recursive: true });
await build({
  entryPoints: { page: here("src/main.js"), style: here("src/style.css") },
  outdir: out,
  bundle: true,
  minify: true,
  format: "esm",
  target: ["chrome109", "firefox115", "safari16.4"],
  loader: { ".svg": "dataurl" },
  legalComments: "none",
  banner: {
    js: "// Brier's page, GPL-3.0-or-later. With chessground (GPL-3.0-or-later), chessops (GPL-3.0-or-later),\n// @badrap/result (MIT). Sources and how to build: web/ in Brier's repository.",
    css: "/* Brier's page, GPL-3.0-or-later. With styles of chessground (GPL-3.0-or-later) and the pieces of\n   Colin M.L. Burnett (GPL-2.0-or-later). Sources: web/ in Brier's repository. */",
  },
});
copyFileSync(here("src/index.html"), `${out}/index.html`);
