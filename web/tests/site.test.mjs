// The page of `brier site` in a real browser: written to a folder, handed out as plain files, and then without any server.
//
//     BRIER=path/to/brier ENGINE=path/to/package/js SHOTS=folder node --test tests/site.test.mjs

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createServer } from "node:http";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { after, before } from "node:test";
import { chromium } from "playwright-core";

const { BRIER, ENGINE, SHOTS, CHROMIUM = "/usr/bin/chromium" } = process.env;
const FLAGS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
const KINDS = { html: "text/html", js: "text/javascript", css: "text/css", packed: "application/octet-stream" };

const folder = mkdtempSync(join(tmpdir(), "brier-site-"));
let server, browser, page, address;
const complaints = [];
const asked = [];

/// A web server that knows nothing of chess.
function files(request, response) {
  const name = new URL(request.url, "http://x").pathname.slice(1) || "index.html";
  const path = join(folder, "site", name);
  asked.push(`${request.method} ${name}`);
  if (request.method !== "GET" || name.includes("..") || !existsSync(path)) return response.writeHead(404).end();
  response.writeHead(200, { "Content-Type": KINDS[name.split(".").at(-1)] }).end(readFileSync(path));
}

before(async () => {
  mkdirSync(SHOTS, { recursive: true });
  execFileSync(BRIER, ["site", "--out", join(folder, "site"), "--engine", ENGINE]);
  server = createServer(files).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.on("listening", resolve));
  address = `http://127.0.0.1:${server.address().port}/`;
  browser = await chromium.launchPersistentContext(join(folder, "profile"), { executablePath: CHROMIUM, args: FLAGS, headless: true, viewport: { width: 1280, height: 900 } });
  browser.setDefaultTimeout(60_000);
  page = await browser.newPage();
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
});

after(async () => {
  await browser?.close();
  server?.close();
  rmSync(folder, { recursive: true, force: true });
});

const text = (id) => page.locator(`#${id}`).innerText();
const type = async (move) => (await page.fill("#move", move), await page.press("#move", "Enter"));
const thinks = () => page.waitForFunction(() => document.querySelectorAll("#lines li").length === 3 && /Depth (6|7|8|9|\d\d)/.test(document.getElementById("effort").textContent));

test("the engine of the page thinks, with bands, and follows the moves", async () => {
  await page.goto(address);
  await page.waitForSelector("cg-board piece");
  await thinks();
  assert.match(await page.locator("#lines li").first().innerText(), /points · .* to /s);
  for (const move of ["e4", "e5", "Nf3", "Nc6", "Bb5"]) await type(move);
  await page.waitForFunction(() => document.getElementById("opening").textContent === "C60 Ruy Lopez");
  await thinks();
  assert.equal(await page.locator("#lost").isVisible(), false);
  await page.screenshot({ path: join(SHOTS, "site.png"), fullPage: true });
  await page.click("#settings");
  assert.equal(await page.locator("#set-threads option").count(), 1);
  await page.locator("#settings-dialog .close").click();
});

test("games in any spelling, bad ones with a reason, and a review", async () => {
  const open = async (game) => {
    await page.click("#open");
    await page.fill("#text", game);
    await page.click("#load");
  };
  await open("1. e4 e5 2. Dh5 Ke7 3. Dxe5# 1-0");
  await page.waitForSelector("#open-dialog:not([open])", { state: "attached" });
  await page.selectOption("#pace", "100");
  await page.click("#review");
  await page.waitForSelector("#moves .blunder");
  await page.locator("#moves .blunder").first().click();
  assert.match(await text("note"), /2\.\.\. Ke7\?\? is a blunder/);
  await open("8/8/8/8/8/8/8/8 w - - 0 1");
  assert.match(await text("open-error"), /no pieces/);
  await page.locator("#open-dialog .close").click();
});

test("it plays without a network", async () => {
  await page.evaluate(() => navigator.serviceWorker.ready);
  server.close();
  server.closeAllConnections();
  await page.goto("about:blank");
  await page.goto(address);
  await page.waitForSelector("cg-board piece");
  await page.click("#play");
  await page.selectOption("#play-level", "1100");
  await page.click("#play-start");
  await type("d4");
  await page.waitForFunction(() => /1\. d4\s+\S+/.test(document.getElementById("moves").innerText));
  await page.click("#hint");
  await page.waitForFunction(() => document.getElementById("playing-state").textContent.startsWith("Hint"));
  await page.click("#resign");
  assert.match(await text("playing-state"), /Black wins/);
  await thinks();
  assert.deepEqual(complaints, [], "the browser's console");
  assert.ok(asked.every((line) => !line.includes("api")), "no server was asked for anything but files");
});
