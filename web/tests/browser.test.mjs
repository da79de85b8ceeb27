// The page in a real browser, driven as people drive it.
//
//     BRIER=path/to/brier SHOTS=folder SYZYGY=testdata/syzygy node --test tests/browser.test.mjs
//
// The browser is Debian's chromium, or what CHROMIUM names. While the page is being changed, PAGE may
// name a folder from which its files are taken instead of the program.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { after, afterEach, before } from "node:test";
import { chromium } from "playwright-core";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const { BRIER, SHOTS, PAGE, SYZYGY, CHROMIUM = "/usr/bin/chromium" } = process.env;
const FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
const GAME = `[Event "Casual"]\n[White "A player with a rather long name, of a club with a long name"]\n[Black "Another"]\n[Result "0-1"]\n\n1. e4 e5 2. Qh5 {early} (2. Nf3 Nc6) 2... Nc6 3. Bc4 g6 4. Qf3 Nf6 5. g4 Nd4 6. Qd1 d5 0-1\n`;

let server, context;
const profile = mkdtempSync(join(tmpdir(), "brier-page-"));

/// Starts the server and waits for its address.
function serve(port = "0", seconds = "60") {
  const tablebases = SYZYGY ? ["--syzygy", SYZYGY] : [];
  const child = spawn(BRIER, ["serve", "--port", port, "--hash", "16", "--seconds", seconds, ...tablebases]);
  return new Promise((resolve, reject) => {
    child.stdout.on("data", (data) => {
      const address = /http:\/\/[^ ]+/.exec(String(data))?.[0];
      if (address) resolve({ child, address, port: new URL(address).port });
    });
    child.on("exit", () => reject(new Error("the server ended")));
  });
}

before(async () => {
  mkdirSync(SHOTS, { recursive: true });
  server = await serve();
  context = await chromium.launchPersistentContext(profile, { executablePath: CHROMIUM, args: FLAGS, headless: true, viewport: { width: 1280, height: 900 } });
  context.setDefaultTimeout(20_000);
  if (PAGE) {
    for (const [path, file] of [["/", "index.html"], ["/page.js", "page.js"], ["/style.css", "style.css"]]) {
      await context.route((url) => url.pathname === path, (route) => route.fulfill({ path: join(PAGE, file) }));
    }
  }
});

after(async () => {
  await context?.close();
  server?.child.kill();
  rmSync(profile, { recursive: true, force: true });
});

const complaints = [];

/// A new window with nothing remembered.
async function open(path = "", size = { width: 1280, height: 900 }) {
  const page = await context.newPage();
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  await page.setViewportSize(size);
  await page.goto(server.address);
  await page.evaluate(() => (localStorage.clear(), sessionStorage.clear()));
  await page.goto("about:blank");
  await page.goto(server.address + path);
  await page.waitForSelector("cg-board piece");
  return page;
}

afterEach(async () => {
  for (const page of context.pages().slice(1)) await page.close();
  const known = /ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED|ERR_EMPTY_RESPONSE|ERR_CONNECTION_RESET|status of (400|503)/;
  const found = complaints.splice(0).filter((text) => !known.test(text));
  assert.deepEqual(found, [], "the browser's console");
});

const shot = (page, name) => page.screenshot({ path: join(SHOTS, `${name}.png`), fullPage: true });
const moves = async (page) => (await page.locator("#moves").innerText()).replace(/\s+/g, " ").trim();
const movesMatch = (page, pattern) =>
  page.waitForFunction((source) => new RegExp(source).test(document.getElementById("moves").innerText.replace(/\s+/g, " ").trim()), pattern.source);
const fen = (page) => page.evaluate(() => location.hash);

/// Where the board is once nothing moves it any more: messages above it come and go.
async function settledBoard(page) {
  const board = page.locator("cg-board");
  for (let before = await board.boundingBox(); ; ) {
    await page.waitForTimeout(50);
    const now = await board.boundingBox();
    if (JSON.stringify(now) === JSON.stringify(before)) return now;
    before = now;
  }
}

/// The middle of a square on the screen.
async function at(page, square) {
  const box = await settledBoard(page);
  return [box.x + ((square.charCodeAt(0) - 96.5) * box.width) / 8, box.y + ((8.5 - Number(square[1])) * box.height) / 8];
}

async function click(page, ...squares) {
  for (const square of squares) await page.mouse.click(...(await at(page, square)));
}

async function drag(page, from, to, button = "left") {
  await page.mouse.move(...(await at(page, from)));
  await page.mouse.down({ button });
  await page.mouse.move(...(await at(page, to)), { steps: 4 });
  await page.mouse.up({ button });
}

async function openGame(page, text) {
  await page.click("#open");
  await page.fill("#text", text);
  await page.click("#load");
  await page.waitForSelector("#open-dialog:not([open])", { state: "attached" });
}

test("moves by click, drag, keyboard and typing; lines with bands", async () => {
  const page = await open();
  await click(page, "e2", "e4");
  await drag(page, "e7", "e5");
  await page.fill("#move", "Nf3");
  await page.press("#move", "Enter");
  assert.equal(await moves(page), "1. e4 e5 2. Nf3");
  await page.locator('#cells [data-square="b8"]').focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  assert.equal(await moves(page), "1. e4 e5 2. Nf3 Nc6");
  assert.match(await page.locator("#live").innerText(), /2\.\.\. Nc6\. White to move/);
  assert.equal(await page.locator('#cells [data-square="c6"]').getAttribute("aria-label"), "c6, black knight");
  await page.waitForFunction(() => document.querySelectorAll("#lines li").length === 3);
  assert.match(await page.locator("#lines li").first().innerText(), /points · .* to /s);
  await page.waitForSelector(".cg-shapes line", { state: "attached" });
  await page.waitForFunction(() => /Depth (9|\d\d)/.test(document.getElementById("effort").textContent));
  await shot(page, "desktop");
  await page.fill("#move", "Ke5");
  await page.press("#move", "Enter");
  assert.match(await page.locator("#error").innerText(), /Expected a legal move/);
});

test("the moves of a line are previewed and played", async () => {
  const page = await open();
  const second = page.locator("#lines li").first().locator("button.move").nth(1);
  await second.waitFor();
  await second.hover();
  await page.waitForSelector("#board.preview");
  await page.mouse.move(5, 5);
  await page.waitForSelector("#board:not(.preview)");
  await page.click("#think");
  assert.equal(await page.locator("#think").innerText(), "Think");
});

test("a move in a game makes a variation; promote, delete, undo, comment", async () => {
  const page = await open();
  await openGame(page, GAME);
  await movesMatch(page, /1\. e4 e5 2\. Qh5 early 2\. Nf3 Nc6 2\.\.\. Nc6 3\. Bc4 g6/);
  await page.keyboard.press("ArrowRight");
  await page.waitForSelector("#moves [aria-current]");
  await click(page, "c7", "c5");
  await movesMatch(page, /1\. e4 e5 1\.\.\. c5 2\. Qh5 early/);
  await page.click("#promote");
  await movesMatch(page, /^1\. e4 c5 1\.\.\. e5/);
  await page.click("#undo");
  await movesMatch(page, /^1\. e4 e5 1\.\.\. c5/);
  await page.click("#delete");
  assert.doesNotMatch(await moves(page), /c5/);
  await page.keyboard.press("Control+z");
  await movesMatch(page, /c5/);
  await page.click("#comment");
  await page.fill("#comment-text", "Sicilian");
  await page.locator("#comment-text").blur();
  await movesMatch(page, /c5 Sicilian/);
  await drag(page, "a2", "a4", "right");
  const before = await moves(page);
  await page.reload();
  await page.waitForSelector("#moves [aria-current]");
  assert.equal(await moves(page), before, "a reload loses nothing");
  await page.click("#export");
  const pgn = await page.inputValue("#pgn");
  assert.match(pgn, /\( 1\.\.\. c5 \{ \[%cal Ga2a4\] Sicilian|c5 \{ Sicilian \[%cal Ga2a4\]/);
  assert.match(await page.inputValue("#fen"), /^rnbqkbnr\/pp1ppppp/);
});

test("promotion, Chess960 castling, a FEN, an address", async () => {
  const page = await open();
  await openGame(page, "8/P6k/8/8/8/8/8/K7 w - - 0 1");
  await click(page, "a7", "a8");
  await page.click('#promotion button[value="knight"]');
  await movesMatch(page, /1\. a8=N/);
  await openGame(page, "4k3/8/8/8/8/8/8/1R3K1R w HB - 0 1");
  await page.waitForFunction(() => location.hash.includes("4k3"));
  await click(page, "f1", "h1");
  await movesMatch(page, /1\. O-O$/);
  await page.click("#open");
  await page.fill("#text", "8/8/8/8/8/8/8/8 w - - 0 1");
  await page.click("#load");
  assert.match(await page.locator("#open-error").innerText(), /no pieces/);
  const other = await open("#moves=d2d4,d7d5");
  assert.equal(await moves(other), "1. d4 d5");
  assert.match(await fen(other), /moves=d2d4,d7d5/);
});

test("letters of other languages are read, and what is unreadable is said", async () => {
  const page = await open();
  await openGame(page, "1. e4 e5 2. ♘f3 Nb8-c6 3. Lb5 Xx9 a6 *");
  await movesMatch(page, /2\. Nf3 Nc6/);
  await openGame(page, "1. e4 e5 2. Ke4 *");
  assert.match(await page.locator("#faults").innerText(), /move 2\./);
});

test("a review marks moves and shows what was better", async () => {
  const page = await open();
  await openGame(page, '[BlackElo "1700"]\n\n1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0');
  await page.selectOption("#pace", "100");
  await page.click("#review");
  await page.waitForSelector("#graph svg");
  await page.waitForSelector("#moves .blunder");
  await page.keyboard.press("n");
  assert.match(await page.locator("#note").innerText(), /Better \d+\.+ /);
  await page.locator("#moves .blunder").first().click();
  assert.match(await page.locator("#note").innerText(), /3\.\.\. Nf6\?\? is a blunder, .* points lost/s);
  assert.match(await page.locator("#note").innerText(), /Better 3\.\.\. .*Found by \d+ % at 1700/);
  await page.waitForSelector(".cg-shapes line", { state: "attached" });
  await shot(page, "review");
  await page.locator("#note .line button").first().click();
  await movesMatch(page, /Nf6\?\?.*3\.\.\. /);
  await page.locator(".graph-slider").focus();
  await page.keyboard.press("End");
  assert.match(await page.locator("#moves [aria-current]").innerText(), /Qxf7#/);
  await page.keyboard.press("Home");
  assert.equal(await page.locator("#moves [aria-current]").count(), 0);
  await page.reload();
  await page.waitForSelector("#graph svg");
});

test("no sideways scrolling at any width, and axe finds nothing serious", async () => {
  const page = await open();
  await openGame(page, GAME);
  await page.waitForFunction(() => document.querySelectorAll("#lines li").length === 3);
  for (const scheme of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme: scheme });
    for (const width of [320, 390, 768, 1280]) {
      await page.setViewportSize({ width, height: 844 });
      const wide = await page.evaluate(() => Math.max(document.documentElement.scrollWidth, document.body.scrollWidth));
      assert.ok(wide <= width, `${wide} at ${width}`);
      const board = await settledBoard(page);
      assert.ok(board.x >= 0 && board.x + board.width <= width, "the board is on the screen");
      await shot(page, `${scheme}-${width}`);
    }
    // Axe runs in the page's own world, which the page's policy would not let a script tag do.
    const { violations } = await page.evaluate(`${AXE}; axe.run()`);
    const serious = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
    assert.deepEqual(serious.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(" ").slice(0, 300)}`), []);
  }
});

test("a game against Brier: take back, hint, draw, resign, review", async () => {
  const page = await open();
  await page.click("#play");
  await page.selectOption("#play-level", "800");
  await page.selectOption("#play-clock", "5+3");
  await page.click("#play-start");
  const mine = () => page.waitForFunction(() => /Your move|book/i.test(document.getElementById("playing-state").textContent));
  await mine();
  await click(page, "e2", "e4");
  await page.waitForFunction(() => document.querySelectorAll("#moves .move").length === 2);
  await page.click("#take-back");
  await page.waitForFunction(() => document.querySelectorAll("#moves [aria-current]").length === 0);
  await click(page, "d2", "d4");
  await page.waitForFunction(() => /1\.\.\.\s\S+/.test(document.getElementById("moves").innerText));
  await page.click("#hint");
  await page.waitForFunction(() => document.getElementById("playing-state").textContent.startsWith("Hint"));
  await shot(page, "play");
  await page.click("#draw");
  await page.waitForFunction(() => /declines/.test(document.getElementById("playing-state").textContent));
  await page.click("#resign");
  assert.match(await page.locator("#playing-state").innerText(), /Black wins: you resigned/);
  await page.click("#play-review");
  await page.waitForSelector("#graph svg");
});

/// A strong opponent over UCI; `reply(moves)` is its move after these.
function strongPlayer() {
  const child = spawn(BRIER);
  let heard = "";
  let resolve = () => {};
  child.stdout.on("data", (data) => {
    heard += data;
    const best = /^bestmove (\S+)/m.exec(heard)?.[1];
    if (best) resolve(best);
  });
  const reply = (moves) =>
    new Promise((done) => {
      [heard, resolve] = ["", done];
      child.stdin.write(`position startpos moves ${moves.join(" ")}\ngo nodes 3000\n`);
    });
  return { reply, end: () => child.stdin.end("quit\n") };
}

test("a whole game to mate, and its PGN", async () => {
  const page = await open();
  // A beginner's pauses would make it a long game.
  await page.addInitScript(() => {
    const wait = window.setTimeout;
    window.setTimeout = (act, ms, ...rest) => wait(act, ms / 50, ...rest);
  });
  await page.reload();
  await page.waitForSelector("cg-board piece");
  await page.click("#play");
  await page.selectOption("#play-level", "800");
  await page.click("#play-start");
  const strong = strongPlayer();
  const state = () => page.locator("#playing-state").innerText();
  const played = async () => /moves=([^&]*)/.exec(await fen(page))?.[1].split(",").filter(Boolean) ?? [];
  let all = [];
  while (all.length < 300) {
    await page.fill("#move", await strong.reply(all));
    await page.press("#move", "Enter");
    // Brier's answer, or the end.
    await page.waitForFunction(
      (count) => /wins|draw|stalemate/i.test(document.getElementById("playing-state").textContent) || (/moves=([^&]*)/.exec(location.hash)?.[1].split(",").length ?? 0) >= count,
      all.length + 2,
    );
    if (/wins|draw|stalemate/i.test(await state())) break;
    all = await played();
  }
  strong.end();
  assert.match(await state(), /checkmate.*White wins|White wins.*checkmate/i);
  await shot(page, "mate");
  await page.click("#export");
  assert.match(await page.inputValue("#pgn"), /\[Black "Brier \(Beginner\)"\][^]*\[Result "1-0"\][^]*# 1-0/);
});

test("openings have names, book moves their shares; wheel, keys and circles", async () => {
  const page = await open("#moves=e2e4,e7e5,g1f3,b8c6,f1b5");
  await page.waitForFunction(() => document.getElementById("opening").textContent === "C60 Ruy Lopez");
  await page.waitForFunction(() => /Book: .*a6 \d+ %/.test(document.getElementById("book").innerText.replace(/\s+/g, " ")));
  await page.locator("#book button").first().click();
  await movesMatch(page, /3\. Bb5 (a6|Nf6)/);
  await page.mouse.move(...(await at(page, "d5")));
  const current = () => page.locator("#moves [aria-current]").innerText();
  await page.mouse.wheel(0, -100);
  await page.waitForFunction(() => /Bb5/.test(document.querySelector("#moves [aria-current]")?.innerText));
  await page.mouse.wheel(0, 100);
  await page.waitForFunction(() => !/Bb5/.test(document.querySelector("#moves [aria-current]")?.innerText));
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowRight");
  assert.match(await current(), /e4/);
  await page.mouse.click(...(await at(page, "d5")), { button: "right", delay: 100 });
  await page.waitForSelector(".cg-shapes circle", { state: "attached" });
  await page.keyboard.press("f");
  assert.equal(await page.locator('#cells [data-square]').first().getAttribute("data-square"), "h1");
});

test("a better move by touch alone, and a page without motion", async () => {
  const phone = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS, headless: true });
  const page = await phone.newPage({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2, reducedMotion: "reduce" });
  await page.goto(`${server.address}#moves=e2e4,e7e5,d1h5,b8c6,f1c4,g8f6,h5f7`);
  await page.waitForSelector("cg-board piece");
  await page.locator("#pace").selectOption("100");
  await page.locator("#review").tap();
  await page.locator("#moves .blunder").first().tap();
  assert.match(await page.locator("#note").innerText(), /Better 3\.\.\. /);
  await page.waitForSelector(".cg-shapes line", { state: "attached" });
  assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 390);
  const moving = await page.evaluate(() => [...document.querySelectorAll("*")].filter((item) => {
    const { transitionDuration, animationName } = getComputedStyle(item);
    return (transitionDuration !== "0s" && getComputedStyle(item).transitionProperty !== "none") || animationName !== "none";
  }).length);
  assert.equal(moving, 0, "nothing moves by itself");
  await page.evaluate(() => scrollTo(0, 0));
  await page.screenshot({ path: join(SHOTS, "phone.png") });
  await page.locator("#note .line button").first().tap();
  await page.waitForFunction(() => /3\.\.\.\s*(Qe7|g6|Qf6|Nh6|d5)/.test(document.getElementById("moves").innerText));
  await phone.close();
});

test("settings of the engine, tablebases, and the board as a picture", async () => {
  const page = await open("#fen=4k3/8/4K3/4P3/8/8/8/8_w_-_-_0_1");
  await page.waitForFunction(() => /Tablebases: White wins/.test(document.getElementById("endgame").textContent));
  await page.locator("#endgame button").first().click();
  await movesMatch(page, /1\. K[df]6/);
  await page.click("#settings");
  assert.deepEqual(await page.locator("#set-network option").allInnerTexts(), ["built in", "without a network"]);
  const asked = (words) => page.waitForRequest((request) => request.url().endsWith("/api/watch") && words.every((word) => request.postData().includes(word)));
  const second = asked(['"network":"without a network"', '"risk":50', '"tablebases":false']);
  await page.selectOption("#set-network", "without a network");
  await page.selectOption("#set-risk", "50");
  await page.uncheck("#set-tablebases");
  await second;
  const third = asked(['"sure":80']);
  await page.selectOption("#set-network", "built in");
  await page.selectOption("#set-sure", "80");
  await third;
  await page.waitForFunction(() => /sure enough|does not help/.test(document.getElementById("effort").textContent));
  await page.selectOption("#set-sure", "0");
  await shot(page, "settings");
  await page.locator("#settings-dialog .close").click();
  await page.waitForFunction(() => document.getElementById("effort").textContent.startsWith("Depth"));
  await page.click("#export");
  const download = page.waitForEvent("download");
  await page.click("#save-picture");
  const file = await (await download).path();
  const bytes = readFileSync(file);
  assert.equal(bytes.subarray(1, 4).toString(), "PNG");
  // Width and height are the first numbers of the file; two kings and a pawn are more than an empty board.
  assert.deepEqual([bytes.readUInt32BE(16), bytes.readUInt32BE(20)], [640, 640]);
  assert.ok(bytes.length > 4000, `${bytes.length} bytes`);
});

test("two windows share the engine, the second gives it back", async () => {
  const first = await open();
  await first.waitForSelector("#lines li");
  const second = await context.newPage();
  await second.goto(server.address);
  await second.waitForSelector("#lines li");
  await first.waitForFunction(() => document.getElementById("effort").textContent.startsWith("Another window"));
  await second.close();
  await first.waitForFunction(() => document.getElementById("effort").textContent.startsWith("Depth"));
});

test("a lost server is said, and found again; after the time limit the button says so", async () => {
  const page = await open();
  await page.waitForSelector("#lines li");
  server.child.removeAllListeners("exit");
  server.child.kill("SIGKILL");
  await page.waitForSelector("#lost:not([hidden])");
  await shot(page, "lost");
  server = await serve(server.port, "1");
  await page.waitForSelector("#lost[hidden]", { state: "attached" });
  await page.waitForFunction(() => document.getElementById("think").textContent === "Think on");
  assert.equal(await page.locator("#think").getAttribute("aria-pressed"), "false");
  assert.match(await page.locator("#effort").innerText(), /time is up/);
});
