// Positions and games from outside, and the way out: dialogs, files, the clipboard.

import { byId, complain, make } from "./dom.js";
import { pngOf } from "./picture.js";
import { readGame, splitGames, writeGame } from "./pgn.js";
import { Tree } from "./tree.js";
import { ask } from "./server.js";

/// Most characters of a file: more is a database, and the page no place for it.
const LONGEST = 50_000_000;

/// Opens a FEN or games; `set(tree, faults)` is called with the first, and with whichever is
/// chosen from the list of the others.
async function openText(text, set) {
  const trimmed = text.replace(/^\ufeff/, "").trim();
  if (!trimmed) throw new Error("Expected a FEN or games in PGN, got nothing");
  if (trimmed.length > LONGEST) throw new Error("Expected at most 50 MB of games");
  const list = byId("games");
  list.hidden = true;
  if (/^[1-8pnbrqkPNBRQK/]{8,}(\s|$)/.test(trimmed)) return set(new Tree(trimmed), []);
  const games = splitGames(text.replace(/^\ufeff/, ""));
  const name = ({ headers }) => `${headers.get("White") ?? "?"} – ${headers.get("Black") ?? "?"}, ${headers.get("Event") ?? ""} ${headers.get("Date") ?? ""} ${headers.get("Result") ?? ""}`;
  list.replaceChildren(...games.map((game, index) => new Option(`${index + 1}. ${name(game)}`, index)));
  list.hidden = games.length < 2;
  const choose = async (game) => {
    // The server reads what people write, in any language and spelling, and says what it cannot.
    const { pgn, faults } = await ask("/api/game", { pgn: game.text });
    const read = readGame(pgn);
    set(read.tree, [...faults, ...read.faults]);
  };
  list.onchange = () => choose(games[list.value]).catch(complain);
  await choose(games[0]);
}

export function wireOpening(set) {
  const dialog = byId("open-dialog");
  const open = async (text) => {
    try {
      await openText(text, set);
      byId("open-error").textContent = "";
      dialog.close();
    } catch (error) {
      byId("open-error").textContent = error.message || "There is no connection to brier serve";
      if (!dialog.open) complain(error);
    }
  };
  byId("load").addEventListener("click", () => open(byId("text").value));
  byId("file").addEventListener("change", async ({ target }) => target.files[0] && open(await fileText(target.files[0])));
  document.addEventListener("dragover", (event) => {
    event.preventDefault();
    document.body.classList.add("dropping");
  });
  document.addEventListener("dragleave", () => document.body.classList.remove("dropping"));
  document.addEventListener("drop", async (event) => {
    event.preventDefault();
    document.body.classList.remove("dropping");
    const [file] = event.dataTransfer.files;
    open(file ? await fileText(file) : event.dataTransfer.getData("text"));
  });
}

/// The text of a file: UTF-8 or, in old files, Windows-1252.
async function fileText(file) {
  const bytes = await file.arrayBuffer();
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

/// `tree()` is the game, `picture()` the board as an SVG.
export function wireExport(tree, picture) {
  byId("export").addEventListener("click", () => {
    byId("fen").value = tree().current.fen;
    byId("address").value = location.href;
    byId("pgn").value = writeGame(tree());
    byId("export-dialog").showModal();
  });
  const copy = (id) => () => {
    byId(id).select();
    navigator.clipboard?.writeText(byId(id).value).catch(() => {});
  };
  byId("copy-fen").addEventListener("click", copy("fen"));
  byId("copy-pgn").addEventListener("click", copy("pgn"));
  byId("save-pgn").addEventListener("click", () => saveAs("game.pgn", new Blob([byId("pgn").value], { type: "application/x-chess-pgn" })));
  byId("save-picture").addEventListener("click", () => pngOf(picture()).then((png) => saveAs("position.png", png)).catch(complain));
}

function saveAs(name, blob) {
  const link = make("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
