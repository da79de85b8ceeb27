// Questions to the server, as JSON. Every question carries its game; nothing is remembered
// between two of them. A page of `brier site` has no server but engines of its own, which answer the same.

import { Workers } from "./workers.js";

/// The script of such an engine, if this page has one.
const engine = document.querySelector('meta[name="brier-engine"]')?.content;
const workers = engine ? new Workers(new URL(engine, location.href)) : null;
// Without a network the page is still there. A host that forbids it has a page that needs one.
if (workers) navigator.serviceWorker?.register("./offline.js").catch(() => {});

/// A server that other computers reach wants the token of the address that it printed. It is kept
/// for this window, because the address changes with the game.
const given = new URLSearchParams(location.hash.slice(1)).get("token");
if (given) sessionStorage.setItem("token", given);
const token = given ?? sessionStorage.getItem("token");

/// The server is not there, or went away in the middle of an answer.
export class Lost extends Error {}

/// A game as the server wants it: where it starts, and the moves up to a node.
export function gameOf(tree, node = tree.current) {
  return { fen: tree.root.fen, moves: node.path().map((step) => step.uci).join(" ") };
}

/// One question, one answer. What the server refuses is thrown, with its reason.
export async function ask(path, question, signal) {
  if (workers) return workers.ask(path, question, signal);
  return (await send(path, question, signal)).json();
}

/// One question, many answers: calls `take` with each. Throws `Lost` if the last one says that
/// there should have been more.
export async function follow(path, question, signal, take) {
  if (workers) return workers.follow(path, question, signal, take);
  const response = await send(path, question, signal);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  let last = null;
  for (;;) {
    const { value, done } = await reader.read().catch((error) => {
      throw error.name === "AbortError" ? error : new Lost();
    });
    if (done) break;
    const lines = (rest + value).split("\n");
    rest = lines.pop();
    // Empty lines only show that the connection is alive.
    for (const line of lines) if (line) take((last = JSON.parse(line)));
  }
  if (!last?.done) throw new Lost();
}

async function send(path, question, signal) {
  const headers = question ? { "Content-Type": "application/json" } : {};
  if (token) headers.Authorization = `Bearer ${token}`;
  const body = question && JSON.stringify(question);
  let response;
  try {
    response = await fetch(path, { method: question ? "POST" : "GET", body, headers, signal });
  } catch (error) {
    throw error.name === "AbortError" ? error : new Lost();
  }
  // Too many connections are a matter of a moment, as a server that is being started again is.
  if (response.status === 503) throw new Lost();
  if (response.ok) return response;
  const { error } = await response.json();
  throw new Error(error);
}
