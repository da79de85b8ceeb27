// What a reload must not lose: the game with its variations and review, the place in it, and the
// settings. A window remembers its own game; a new one begins with the last of any window. The
// address has the position that is shown, so that it can be sent to somebody.

import { readGame, writeGame } from "./pgn.js";
import { Tree } from "./tree.js";
import { INITIAL_FEN } from "./rules.js";

const KEY = "brier";

export const SETTINGS = { lines: 3, threads: null, hash: null, network: null, risk: 0, tablebases: true, sure: null, thinking: true, arrows: true, pace: 300 };

/// Keeps everything.
export function save(tree, settings, orientation) {
  const steps = [];
  for (const node of tree.nodes()) if (node.step) steps.push([pathOf(node), node.step]);
  const { reviewed } = tree;
  const kept = {
    pgn: writeGame(tree),
    path: pathOf(tree.current),
    steps,
    reviewed: reviewed && { ...reviewed, end: pathOf(reviewed.end) },
    settings,
    orientation,
  };
  for (const store of [sessionStorage, localStorage]) {
    try {
      store.setItem(KEY, JSON.stringify(kept));
    } catch {
      // Full, or not allowed: the page works without.
    }
  }
  const words = [];
  if (tree.root.fen !== INITIAL_FEN) words.push(`fen=${tree.root.fen.replaceAll(" ", "_")}`);
  if (tree.current.parent) words.push(`moves=${pathOf(tree.current).replaceAll(" ", ",")}`);
  const address = words.length ? `#${words.join("&")}` : location.pathname;
  if (location.hash !== (words.length ? address : "")) history.replaceState(null, "", address);
}

/// What was kept: the tree of the address, with everything that is known about it.
export function load() {
  const kept = read(sessionStorage) ?? read(localStorage);
  const settings = { ...SETTINGS, ...kept?.settings };
  const { orientation } = kept ?? {};
  const words = new Map(location.hash.slice(1).split("&").map((word) => word.split("=")));
  const fen = words.get("fen") && decodeURIComponent(words.get("fen")).replaceAll("_", " ");
  const moves = words.get("moves")?.split(",").filter(Boolean);
  const asked = fen || moves;
  let tree = restore(kept);
  if (asked) {
    const node = tree?.root.fen === (fen ?? INITIAL_FEN) ? tree.find(moves ?? []) : null;
    if (node) tree.current = node;
    else {
      tree = new Tree(fen ?? INITIAL_FEN);
      tree.playLine(moves ?? []);
      tree.undos = [];
    }
  }
  return { tree: tree ?? new Tree(), settings, orientation: orientation ?? "white" };
}

function read(store) {
  try {
    return JSON.parse(store.getItem(KEY));
  } catch {
    return null;
  }
}

function restore(kept) {
  if (!kept?.pgn) return null;
  try {
    const { tree } = readGame(kept.pgn);
    const at = (path) => tree.find(path.split(" ").filter(Boolean));
    for (const [path, step] of kept.steps ?? []) {
      const node = at(path);
      if (node) node.step = step;
    }
    const end = kept.reviewed && at(kept.reviewed.end);
    if (end) tree.reviewed = { ...kept.reviewed, end };
    tree.current = at(kept.path ?? "") ?? tree.root;
    return tree;
  } catch {
    return null;
  }
}

const pathOf = (node) => node.path().map((step) => step.uci).join(" ");
