// The pages of `brier analyze`, opened from the disk in a real browser, without a server.
//
//     BRIER=path/to/brier SHOTS=folder node --test tests/report.test.mjs

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { after, afterEach, before } from "node:test";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const { BRIER, SHOTS, CHROMIUM = "/usr/bin/chromium" } = process.env;
const FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
const GAMES = `[White "A <player> & a long, long name of a club"]\n[Black "Second"]\n[Result "0-1"]\n[TimeControl "60"]\n\n1. f3 {[%clk 0:00:50]} (1. e4 {better} e5) 1... e5 {[%clk 0:00:55]} 2. g4 {[%clk 0:00:40]} Qh4# 0-1\n\n[White "Third"]\n[Black "Fourth"]\n[Result "1-0"]\n\n1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0\n`;

const folder = mkdtempSync(join(tmpdir(), "brier-report-"));
const at = (name) => pathToFileURL(join(folder, name)).href;
let context;
const complaints = [];

before(async () => {
  mkdirSync(SHOTS, { recursive: true });
  writeFileSync(join(folder, "games.pgn"), GAMES);
  const analyze = (...words) => execFileSync(BRIER, ["analyze", join(folder, "games.pgn"), "--nodes", "3000", ...words]);
  analyze("--out", join(folder, "report"), "--html", join(folder, "page.html"));
  context = await chromium.launchPersistentContext(join(folder, "profile"), { executablePath: CHROMIUM, args: FLAGS, headless: true, viewport: { width: 1280, height: 900 } });
  context.setDefaultTimeout(20_000);
});

after(async () => {
  await context?.close();
  rmSync(folder, { recursive: true, force: true });
});

afterEach(async () => {
  for (const page of context.pages().slice(1)) await page.close();
  assert.deepEqual(complaints.splice(0), [], "the browser's console");
});

async function open(name, size = { width: 1280, height: 900 }) {
  const page = await context.newPage();
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  await page.setViewportSize(size);
  await page.goto(at(name));
  return page;
}

const shot = (page, name) => page.screenshot({ path: join(SHOTS, `${name}.png`), fullPage: true });
const squares = (page) => page.evaluate(() => [...document.querySelectorAll("#cells [data-square]")].filter((cell) => !cell.getAttribute("aria-label").includes("empty")).length);

/// Clicks squares of a board whose lower side is White's.
async function click(page, ...names) {
  const board = page.locator("cg-board");
  let box = await board.boundingBox();
  // The page may still be scrolling.
  for (let before = null; JSON.stringify(before) !== JSON.stringify(box); ) {
    await page.waitForTimeout(100);
    [before, box] = [box, await board.boundingBox()];
  }
  for (const name of names) {
    const [x, y] = [(name.charCodeAt(0) - 96.5) / 8, (8.5 - Number(name[1])) / 8];
    await page.mouse.click(box.x + box.width * x, box.y + box.height * y);
  }
}

/// A move by the grid of cells, whichever side is below.
async function play(page, from, to) {
  for (const square of [from, to]) {
    await page.locator(`#cells [data-square="${square}"]`).focus();
    await page.keyboard.press("Enter");
  }
}

test("the index leads to a page with a board that replays the game", async () => {
  const page = await open("report/index.html");
  await shot(page, "report-index");
  await page.click("text=A <player>");
  await page.waitForSelector("cg-board piece");
  assert.equal(await squares(page), 32);
  // Forward by button and by key, and back to a move by its row and by the chart.
  await page.click("#forward");
  await page.keyboard.press("ArrowRight");
  assert.match(await page.locator("#moves [aria-current]").innerText(), /e5/);
  await page.click("tr[data-ply='3'] th");
  assert.match(await page.locator("#moves [aria-current]").innerText(), /g4/);
  assert.match(await page.locator("#note").innerText(), /blunder[\s\S]*Better/);
  await page.locator("rect.touch[data-ply='1']").click({ position: { x: 2, y: 20 } });
  assert.match(await page.locator("#moves [aria-current]").innerText(), /f3/);
  // The user's own variation is there, and a new one can be played.
  assert.match(await page.locator("#moves").innerText(), /e4[\s\S]*better/);
  await click(page, "d7", "d5");
  await page.waitForFunction(() => /d5/.test(document.getElementById("moves").innerText));
  await shot(page, "report-game");
  await page.click("text=Next →");
  await page.waitForSelector("cg-board piece");
  assert.match(await page.locator("h1").innerText(), /Third/);
});

test("a better move can be looked for", async () => {
  const page = await open("report/games/000001.html");
  await page.waitForSelector("cg-board piece");
  const data = await page.evaluate(() => JSON.parse(document.getElementById("data-1").textContent));
  const { better } = data.steps[2];
  await page.click("#puzzle");
  const task = await page.locator("#task").innerText();
  assert.match(task, /White played \d\. \S+ here/);
  // The first move may have a mark of its own.
  if (!task.includes("2. g4")) await page.click("#puzzle");
  assert.match(await page.locator("#task").innerText(), /White played 2\. g4 here/);
  assert.equal(await page.locator("#note").isVisible(), false, "nothing gives it away");
  await play(page, "g2", "g4");
  assert.match(await page.locator("#task").innerText(), /what was played/);
  const other = better.moves[0] === "a2a3" ? ["h2", "h3"] : ["a2", "a3"];
  await play(page, ...other);
  assert.match(await page.locator("#task").innerText(), /Try another/);
  await play(page, better.moves[0].slice(0, 2), better.moves[0].slice(2, 4));
  assert.match(await page.locator("#task").innerText(), /^Yes: .*walks into mate in 1/);
  await page.click("#puzzle");
  await page.click("#solution");
  assert.match(await page.locator("#task").innerText(), /^The better move/);
});

test("one page holds several games, and no page is large", async () => {
  const page = await open("page.html");
  await page.waitForSelector("cg-board piece");
  assert.match(await page.locator("#viewer-title").innerText(), /Second/);
  await page.click("#game-2 tr[data-ply='4'] th");
  assert.match(await page.locator("#viewer-title").innerText(), /Fourth/);
  assert.match(await page.locator("#moves [aria-current]").innerText(), /Ke7/);
  for (const name of ["report/index.html", "report/games/000001.html", "report/games/000002.html"]) {
    assert.ok(statSync(join(folder, name)).size < 300_000, name);
  }
});

test("small screens do not scroll sideways, and axe finds nothing serious", async () => {
  for (const name of ["report/index.html", "report/games/000001.html", "page.html"]) {
    for (const width of [320, 390, 768, 1280]) {
      const page = await open(name, { width, height: 800 });
      if (name !== "report/index.html") await page.waitForSelector("cg-board piece");
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(wide <= width, `${name} at ${width}: ${wide}`);
      await page.close();
    }
    const page = await open(name);
    await page.evaluate(AXE);
    const { violations } = await page.evaluate(() => axe.run({ preload: false }));
    const serious = violations.filter(({ impact }) => ["serious", "critical"].includes(impact));
    assert.deepEqual(serious.map(({ id, nodes }) => [name, id, nodes.slice(0, 3).map(({ html }) => html)]), []);
  }
});
