// The package in node, against the native program, against chessops, and against UCI's own rules.
//
//     BRIER=path/to/brier PAGE=path/to/docs/browser.md SMALL=path/to/the/small/package \
//         SMALL_NETWORK=path/to/small.nnue node --test tests/node.test.mjs

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { pathToFileURL } from "node:url";
import { join } from "node:path";
import test, { after } from "node:test";
import { Chess } from "chessops/chess";
import { makeFen, parseFen } from "chessops/fen";
import { parseUci } from "chessops/util";
import { Conversation, Engine } from "../js/index.js";
import { compile } from "../js/unpack.js";

const { BRIER, SMALL, SMALL_NETWORK, BENCH_DEPTH = "7" } = process.env;
const KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
const module = await compile();
const engine = await Engine.create({ source: module, Hash: 16 });
after(() => engine.end());

/** Lines of the native program. */
const native = (...commands) => execFileSync(BRIER, { input: `${commands.join("\n")}\n`, encoding: "utf8" }).split("\n");

test("the bench signature is that of the native program", async () => {
  const lines = execFileSync(BRIER, ["bench", BENCH_DEPTH], { encoding: "utf8" }).trim().split("\n");
  const { nodes } = await engine.bench(Number(BENCH_DEPTH));
  assert.equal(nodes, Number(lines.at(-1).split(" ")[0]));
});

for (const fen of ["startpos", KIWIPETE]) {
  test(`a search is that of the native program: ${fen}`, async () => {
    const position = fen === "startpos" ? "position startpos" : `position fen ${fen}`;
    const lines = native("setoption name MultiPV value 2", position, "go nodes 20000");
    await engine.newGame();
    const answer = await engine.analyse(fen, { nodes: 20_000, lines: 2 });
    assert.equal(answer.lines.length, 2);
    assert.equal(lines.find((line) => line.startsWith("bestmove")).split(" ")[1], answer.best);
    answer.lines.forEach((line, index) => {
      const info = lines.filter((text) => text.includes(` multipv ${index + 1} `) && text.includes(" pv ")).at(-1);
      assert.match(info, new RegExp(` depth ${line.depth} .* score cp ${line.cp} `));
      assert.ok(info.includes(` pv ${line.pv.join(" ")}`));
      assert.ok(line.confidence >= 0 && line.confidence <= 1);
    });
    const { quantiles, chances, points } = answer.lines[0];
    assert.deepEqual(quantiles, [...quantiles].sort((a, b) => a - b));
    assert.ok(Math.abs(chances[0] + chances[1] + chances[2] - 1) < 1e-9 && points > 0 && points < 1);
  });
}

test("the small network, in this package and in its own, is that of the native program", async () => {
  const lines = native(`setoption name EvalFile value ${SMALL_NETWORK}`, "position startpos moves e2e4", "go nodes 20000");
  const info = lines.filter((line) => line.includes(" pv ")).at(-1);
  const alone = await import(pathToFileURL(join(SMALL, "js/index.js")));
  const networks = [[Engine, { network: "small" }], [Engine, { network: readFileSync(SMALL_NETWORK) }], [alone.Engine, {}]];
  for (const [Kind, options] of networks) {
    const small = await Kind.create({ ...options, Hash: 16 });
    const { best, lines: [line] } = await small.analyse("startpos", { moves: ["e2e4"], nodes: 20_000 });
    await small.end();
    assert.match(info, new RegExp(` depth ${line.depth} .* score cp ${line.cp} .* pv ${line.pv.join(" ")}`));
    assert.equal(lines.find((said) => said.startsWith("bestmove")).split(" ")[1], best);
  }
  await assert.rejects(Engine.create({ network: new Uint8Array([1, 2, 3]) }), /expected a network/);
  await assert.rejects(Engine.create({ network: "nothing" }), /nothing\.nnue\.packed/);
});

test("a game is played to its end", async () => {
  await engine.newGame();
  const board = Chess.default();
  const moves = [];
  while (!board.isEnd() && moves.length < 300 && board.halfmoves < 100) {
    const { best } = await engine.analyse("startpos", { moves, nodes: 150 });
    const move = parseUci(best);
    assert.ok(board.isLegal(move), `${best} in ${makeFen(board.toSetup())}`);
    board.play(move);
    moves.push(best);
  }
  assert.ok(moves.length > 20, moves.join(" "));
});

test("a review is that of the native program", async () => {
  const pgn = '[White "Fool"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n[White "Broken"]\n\n1. e4 e5 2. Ke5 *\n';
  const folder = mkdtempSync(join(tmpdir(), "brier-wasm-"));
  after(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, "games.pgn"), pgn);
  // Games that cannot be read to their end make the program end with an error; it has answered then.
  const arguments_ = ["analyze", join(folder, "games.pgn"), "--nodes", "500", "--hash", "16", "--format", "jsonl"];
  let output;
  try {
    output = execFileSync(BRIER, arguments_, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  } catch (error) {
    output = error.stdout;
  }
  const expected = output.trim().split("\n").map((line) => JSON.parse(line)).filter((record) => record.kind === "game");
  const { games, html, pgn: annotated } = await engine.review(pgn, { nodes: 500 });
  assert.equal(games.length, 2);
  // Who would have found a move is known to the program alone.
  const known = (moves) => moves.map((move) => ({ ...move, found: null, rating: null }));
  games.forEach((game, index) => assert.deepEqual(game.moves, known(expected[index].moves)));
  assert.equal(games[0].moves[2].mark, "blunder");
  assert.match(games[1].faults[0], /Ke5/);
  assert.match(html, /^<!DOCTYPE html>/);
  assert.match(annotated, /g4 \$4/);
});

test("positions are judged without a search", async () => {
  const quantiles = await engine.evaluate(KIWIPETE);
  assert.equal(quantiles.length, 5);
  assert.deepEqual(quantiles, [...quantiles].sort((a, b) => a - b));
  assert.notDeepEqual(await engine.evaluate(), quantiles);
});

test("what makes no sense is refused with what was expected", async () => {
  await assert.rejects(engine.analyse("startpos"), /expected a limit/);
  await assert.rejects(engine.analyse("startpos", { nodes: 0 }), /nodes: expected a whole number above 0, got 0/);
  await assert.rejects(engine.analyse("no position", { depth: 1 }), RangeError);
  await assert.rejects(engine.analyse("startpos", { moves: ["e2e5"], depth: 1 }), /e2e5/);
  await assert.rejects(engine.analyse("startpos", { lines: 0, depth: 1 }), /MultiPV: expected 1 to 500/);
  await assert.rejects(engine.evaluate("8/8/8 w"), RangeError);
  await assert.rejects(engine.setOption("Hash", "much"), /Hash: expected 1 to/);
  await assert.rejects(engine.setOption("Threads", 2), /expected 2 threads/);
  await assert.rejects(engine.setOption("NoSuchOption", 1), /NoSuchOption/);
  await assert.rejects(engine.review("no game", { nodes: 5 }), /expected games in PGN, got none/);
  await assert.rejects(engine.review("1. e4 *", { nodes: 0 }), /nodes: expected/);
  await assert.rejects(Engine.create({ source: new Uint8Array([1, 2, 3]) }), /expected/);
  assert.equal((await engine.analyse("startpos", { depth: 3 })).lines[0].depth, 3);
});

test("a game that is over has no move", async () => {
  const answer = await engine.analyse("R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1", { depth: 4 });
  assert.deepEqual([answer.best, answer.lines.length], [null, 0]);
  const mate = await engine.analyse("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", { depth: 5 });
  assert.deepEqual([mate.best, mate.lines[0].mate], ["a1a8", 1]);
});

/** A conversation whose lines can be waited for. */
function talk(share, source = module) {
  const said = [];
  let check = () => {};
  const onLine = (line) => (said.push(line), check());
  const conversation = new Conversation({ source: source ?? undefined, share, onLine, onFailure: (error) => onLine(String(error)) });
  const heard = (pattern, from = 0) => new Promise((resolve) => {
    check = () => said.slice(from).some((line) => pattern.test(line)) && resolve(said.slice(from).find((line) => pattern.test(line)));
    check();
  });
  return { said, heard, conversation, send: (...lines) => lines.forEach((line) => conversation.send(line)) };
}

for (const share of [true, false]) {
  test(`searches are stopped, with ${share ? "shared memory" : "another worker"}`, async () => {
    const { said, heard, send, conversation } = talk(share);
    send("uci");
    await heard(/^uciok$/);
    send("setoption name Hash value 4", "position startpos moves e2e4", "go infinite");
    await heard(/ depth 4 .* pv /);
    send("isready");
    await heard(/^readyok$/);
    assert.ok(!said.some((line) => line.startsWith("bestmove")));
    send("stop");
    const best = (await heard(/^bestmove/)).split(" ")[1];
    const board = Chess.fromSetup(parseFen("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1").unwrap()).unwrap();
    assert.ok(board.isLegal(parseUci(best)), best);
    const from = said.length;
    // The position is still that one, and another search works.
    send("go depth 3");
    assert.ok(board.isLegal(parseUci((await heard(/^bestmove/, from)).split(" ")[1])));
    await conversation.end();
  });
}

test("an infinite search keeps its move, and pondering ends with the clock", async () => {
  const { said, heard, send, conversation } = talk(true);
  send("position fen 6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "go infinite");
  await heard(/ score mate 1 /);
  await new Promise((resolve) => setTimeout(resolve, 300));
  assert.ok(!said.some((line) => line.startsWith("bestmove")));
  send("stop");
  await heard(/^bestmove a1a8/);
  const from = said.length;
  send("position startpos", "go ponder wtime 2000 btime 2000");
  await heard(/ depth 3 .* pv /, from);
  send("ponderhit");
  await heard(/^bestmove/, from);
  assert.equal(said.slice(from).filter((line) => line.startsWith("bestmove")).length, 1);
  send("go perft 3", "isready");
  await heard(/^info string nodes 8902$/, from);
  await conversation.end();
});

test("several threads search, are stopped, and become one again", async () => {
  const { said, heard, send, conversation } = talk(true, null);
  send("uci", "setoption name Threads value 3", "setoption name Hash value 8", "position startpos moves e2e4", "isready");
  await heard(/^readyok$/);
  assert.ok(said.includes("uciok"), "what was asked for before is answered first");
  send("go infinite");
  await heard(/ depth 5 .* pv /);
  send("stop");
  const best = (await heard(/^bestmove/)).split(" ")[1];
  const board = Chess.fromSetup(parseFen("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1").unwrap()).unwrap();
  assert.ok(board.isLegal(parseUci(best)), best);
  let from = said.length;
  send("go nodes 30000");
  await heard(/^bestmove/, from);
  from = said.length;
  send("setoption name Threads value 1", "ucinewgame", "go nodes 20000");
  await heard(/^bestmove/, from);
  const alone = said.slice(from).filter((line) => line.includes(" pv ")).at(-1).match(/ score cp \S+ .* pv .*/)[0];
  const lines = native("setoption name Hash value 8", "position startpos moves e2e4", "go nodes 20000");
  const expected = lines.filter((line) => line.includes(" pv ")).at(-1);
  assert.equal(alone.split(" pv ")[1], expected.split(" pv ")[1]);
  send("setoption name Threads value 1000", "isready");
  await heard(/setoption ignored: .*Threads/, from);
  await conversation.finish();
});

test("it is a program that speaks UCI", () => {
  const input = "uci\nposition startpos moves e2e4\ngo depth 4\nisready\n";
  const said = execFileSync("node", [new URL("../js/uci.js", import.meta.url).pathname, "small"], { input, encoding: "utf8" });
  assert.match(said, /^uciok$/m);
  assert.match(said, /^readyok$/m);
  assert.match(said, /^bestmove [a-h][1-8]/m);
});

test("the example of the page runs", () => {
  const [, code] = readFileSync(process.env.PAGE, "utf8").match(/```js\n(import[^]*?)```/);
  const said = execFileSync("node", ["--input-type=module", "-e", code], { cwd: new URL("..", import.meta.url), encoding: "utf8" });
  assert.match(said, /'g4 blunder'/);
});

/** What npm would upload: bytes, and the names of the files. */
function packed(folder) {
  const [pack] = JSON.parse(execFileSync("npm", ["pack", "--dry-run", "--json"], { cwd: folder, encoding: "utf8" }));
  return { size: pack.size, names: pack.files.map(({ path }) => path) };
}

test("downloads are small", () => {
  const here = new URL("..", import.meta.url).pathname;
  const sizes = (...names) => names.reduce((sum, name) => sum + statSync(join(here, "js", name)).size, 0);
  // What a page loads, with either network.
  assert.ok(sizes("brier.wasm.packed", "default.nnue.packed") < 20_000_000);
  assert.ok(sizes("brier.wasm.packed", "small.nnue.packed") < 1_700_000);
  const [whole, small] = [packed(here), packed(SMALL)];
  assert.ok(small.size < 4_000_000, `${small.size} bytes`);
  assert.ok(small.size < whole.size / 2);
  for (const { names } of [whole, small]) {
    for (const name of ["index.d.ts", "brier.js", "uci.js", "brier.wasm.packed", "brier-threads.wasm.packed", "default.nnue.packed"]) assert.ok(names.includes(`js/${name}`), name);
  }
  assert.equal(JSON.parse(readFileSync(join(SMALL, "package.json"), "utf8")).name, "brier-chess-small");
  assert.ok(!existsSync(join(SMALL, "js/small.nnue.packed")), "one network, once");
});
