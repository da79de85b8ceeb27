// The package in Chromium: from a plain server, and from one whose pages may share memory.
//
//     BRIER=path/to/brier node --test tests/browser.test.mjs

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname } from "node:path";
import test, { after, before } from "node:test";
import { chromium } from "playwright-core";

const { BRIER, BENCH_DEPTH = "6", CHROMIUM = "/usr/bin/chromium" } = process.env;
const TYPES = { ".js": "text/javascript", ".packed": "application/octet-stream", ".html": "text/html" };
const FLAGS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"];
const ISOLATED = { "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Embedder-Policy": "require-corp" };

let browser;
const servers = {};

function serve(headers) {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url, "http://localhost");
    try {
      const body = pathname === "/" ? "<!DOCTYPE html><title>Test</title>" : readFileSync(new URL(`../js${pathname}`, import.meta.url));
      response.writeHead(200, { ...headers, "Content-Type": TYPES[extname(pathname) || ".html"] }).end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve({ server, address: `http://127.0.0.1:${server.address().port}/` })));
}

before(async () => {
  servers.plain = await serve({});
  servers.isolated = await serve(ISOLATED);
  browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS, headless: true });
});

after(async () => {
  await browser?.close();
  for (const { server } of Object.values(servers)) server.close();
});

async function open(kind) {
  const page = await browser.newPage();
  page.setDefaultTimeout(300_000);
  await page.goto(servers[kind].address);
  assert.equal(await page.evaluate(() => crossOriginIsolated), kind === "isolated");
  return page;
}

for (const kind of ["plain", "isolated"]) {
  test(`the promise interface on a ${kind} page`, async () => {
    const lines = execFileSync(BRIER, ["bench", BENCH_DEPTH], { encoding: "utf8" }).trim().split("\n");
    const page = await open(kind);
    const found = await page.evaluate(async (depth) => {
      const { Engine } = await import("/index.js");
      const engine = await Engine.create();
      const bench = await engine.bench(depth);
      const moves = [];
      for (let ply = 0; ply < 20; ply += 1) moves.push((await engine.analyse("startpos", { moves, nodes: 200 })).best);
      const review = await engine.review("1. f3 e5 2. g4 Qh4# 0-1", { nodes: 500 });
      setTimeout(() => engine.stop(), 300);
      const endless = await engine.analyse("startpos", { infinite: true });
      const refused = await engine.analyse("no position", { depth: 1 }).catch((error) => error.message);
      await engine.end();
      return { bench, moves, marks: review.games[0].moves.map(({ mark }) => mark), best: endless.best, refused };
    }, Number(BENCH_DEPTH));
    assert.equal(found.bench.nodes, Number(lines.at(-1).split(" ")[0]));
    assert.equal(found.marks[2], "blunder");
    assert.match(found.best, /^[a-h][1-8][a-h][1-8]$/);
    assert.match(found.refused, /expected/);
    // The native engine takes the moves of the game.
    const said = execFileSync(BRIER, { input: `position startpos moves ${found.moves.join(" ")}\nd\n`, encoding: "utf8" });
    assert.doesNotMatch(said, /stays/);
    assert.match(said, /fen .* w .* 11/);
    await page.close();
  });

  test(`several threads on a ${kind} page`, async () => {
    const page = await open(kind);
    const found = await page.evaluate(async () => {
      const { Engine } = await import("/index.js");
      const engine = await Engine.create({ network: "small" });
      try {
        await engine.setOption("Threads", 2);
        const limited = await engine.analyse("startpos", { nodes: 20_000 });
        setTimeout(() => engine.stop(), 500);
        const endless = await engine.analyse("startpos", { infinite: true });
        return [limited.best, endless.best];
      } catch (error) {
        return error.message;
      } finally {
        await engine.end();
      }
    });
    if (kind === "plain") assert.match(found, /expected 2 threads/);
    else found.forEach((best) => assert.match(best, /^[a-h][1-8][a-h][1-8]$/));
    await page.close();
  });

  test(`a worker that speaks UCI on a ${kind} page`, async () => {
    const page = await open(kind);
    const said = await page.evaluate(() => new Promise((resolve) => {
      const worker = new Worker("/brier.js#small");
      const lines = [];
      worker.onmessage = ({ data }) => {
        lines.push(data);
        if (data === "uciok") ["position startpos moves e2e4", "go infinite"].forEach((line) => worker.postMessage(line));
        if (/ depth 5 .* pv /.test(data)) worker.postMessage("stop");
        if (data.startsWith("bestmove")) resolve(lines);
      };
      worker.postMessage("uci");
    }));
    assert.match(said[0], /^id name Brier/);
    assert.match(said.at(-1), /^bestmove [a-h][1-8]/);
    await page.close();
  });
}
