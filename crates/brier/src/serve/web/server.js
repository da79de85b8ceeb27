// Questions to the server, as JSON. Every question carries its game; nothing is remembered
// between two of them.

/// A server that other computers reach wants the token of the address that it printed.
const token = new URLSearchParams(location.hash.slice(1)).get("token");

/// One question, one answer. What the server refuses is thrown, with its reason.
export async function ask(path, body) {
  const response = await send(path, body);
  return response.json();
}

/// One question, many answers: calls `hear` with each until the last, or until `signal` aborts.
export async function follow(path, body, signal, hear) {
  const response = await send(path, body, signal);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const lines = (rest + value).split("\n");
    rest = lines.pop();
    // Empty lines only show that the connection is alive.
    for (const line of lines) if (line) hear(JSON.parse(line));
  }
}

async function send(path, body, signal) {
  let response;
  try {
    const headers = { "Content-Type": "application/json" };
    if (token) headers.Authorization = `Bearer ${token}`;
    response = await fetch(path, { method: "POST", body: JSON.stringify(body), headers, signal });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Error("There is no answer: is brier serve still running?");
  }
  if (response.ok) return response;
  const { error } = await response.json();
  throw new Error(error);
}
