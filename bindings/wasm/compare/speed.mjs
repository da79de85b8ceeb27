// Nodes of a second of the processor: in node, in Chromium, and of the native program, in turns.
//
//     BRIER=path/to/brier STOCKFISH=path/to/node_modules/stockfish node compare/speed.mjs [rounds] [nodes]

import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname } from "node:path";
import { ENGINES, Program, processorSeconds } from "./processes.mjs";

const [rounds, nodes] = [Number(process.argv[2] ?? 5), Number(process.argv[3] ?? 300_000)];
const POSITIONS = [
  "startpos",
  "fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
  "fen r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1BQ1RK1 w - - 0 9",
  "fen 8/5pk1/3p2p1/1p1Pp2p/1P2P3/3B1PP1/5K1P/1q1R4 w - - 0 40",
];

/** One line of a search's nodes. */
const count = (line) => Number(line.match(/ nodes (\d+)/)?.[1] ?? 0);

async function inNode(name) {
  const program = await new Program(name).start(16);
  let searched = 0;
  // The first search compiles; it does not count.
  program.send("go nodes 50000");
  await program.heard(/^bestmove/);
  const before = processorSeconds(program.child.pid);
  for (const position of POSITIONS) {
    let last = 0;
    program.onLine = (line) => (last = line.startsWith("info ") ? Math.max(last, count(line)) : last);
    program.send("ucinewgame", "isready");
    await program.heard(/^readyok/);
    program.send(`position ${position}`, `go nodes ${nodes}`);
    await program.heard(/^bestmove/);
    searched += last;
  }
  const seconds = processorSeconds(program.child.pid) - before;
  program.end();
  return searched / seconds;
}

const FILES = { "/brier/": new URL("../js/", import.meta.url), "/stockfish/": new URL(`file://${process.env.STOCKFISH}/bin/`) };
const TYPES = { ".js": "text/javascript", ".wasm": "application/wasm", ".packed": "application/octet-stream" };

/** A page of Chromium, and what it has used so far. */
async function openBrowser() {
  const { chromium } = await import("playwright-core");
  const server = createServer(({ url }, response) => {
    const path = url.split(/[?#]/)[0];
    const folder = Object.keys(FILES).find((start) => path.startsWith(start));
    if (!folder) return response.writeHead(200, { "Content-Type": "text/html" }).end("<!DOCTYPE html><title>Speed</title>");
    response.writeHead(200, { "Content-Type": TYPES[extname(path)] ?? "text/plain" }).end(readFileSync(new URL(path.slice(folder.length), FILES[folder])));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const launched = await chromium.launchServer({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu"] });
  const browser = await chromium.connect(launched.wsEndpoint());
  const page = await browser.newPage();
  page.setDefaultTimeout(600_000);
  await page.goto(`http://127.0.0.1:${server.address().port}/`);
  const end = async () => (await launched.close(), server.close());
  return { page, used: () => processorSeconds(launched.process().pid), end };
}

async function inBrowser({ page, used }, script) {
  // The engine is started and warm before the measurement begins.
  await page.evaluate(async (address) => {
    const worker = new Worker(address);
    let check = () => {};
    worker.onmessage = ({ data }) => check(String(data));
    globalThis.ask = (lines, isLast) => new Promise((resolve) => {
      let most = 0;
      check = (line) => {
        if (line.startsWith("info ")) most = Math.max(most, Number(line.match(/ nodes (\d+)/)?.[1] ?? 0));
        if (line.startsWith(isLast)) resolve(most);
      };
      lines.forEach((line) => worker.postMessage(line));
    });
    globalThis.endEngine = () => worker.terminate();
    await globalThis.ask(["uci"], "uciok");
    await globalThis.ask(["setoption name Hash value 16", "isready"], "readyok");
    await globalThis.ask(["go nodes 50000"], "bestmove");
  }, script);
  const before = used();
  const searched = await page.evaluate(async ([positions, limit]) => {
    let sum = 0;
    for (const position of positions) {
      await globalThis.ask(["ucinewgame", "isready"], "readyok");
      sum += await globalThis.ask([`position ${position}`, `go nodes ${limit}`], "bestmove");
    }
    return sum;
  }, [POSITIONS, nodes]);
  const seconds = used() - before;
  await page.evaluate(() => globalThis.endEngine());
  return searched / seconds;
}

const SCRIPTS = { "brier": "/brier/brier.js", "brier small": "/brier/brier.js#small", "stockfish lite": "/stockfish/stockfish-19-lite-single.js" };
const found = new Map();
const note = (name, speed) => found.set(name, [...(found.get(name) ?? []), speed]);
const browser = await openBrowser();
for (let round = 0; round < rounds; round += 1) {
  for (const name of Object.keys(ENGINES)) note(`${name}, ${name === "brier native" ? "program" : "node"}`, await inNode(name));
  for (const [name, script] of Object.entries(SCRIPTS)) note(`${name}, Chromium`, await inBrowser(browser, script));
}
await browser.end();
for (const [name, speeds] of found) {
  speeds.sort((a, b) => a - b);
  const text = [speeds[speeds.length >> 1], speeds[0], speeds.at(-1)].map((speed) => Math.round(speed / 1000));
  console.log(`${name}: ${text[0]} thousand nodes of a second of the processor (${text[1]} to ${text[2]}, ${rounds} rounds)`);
}
process.exit(0);
