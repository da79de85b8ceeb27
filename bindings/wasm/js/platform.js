// What differs between a browser and node: workers, files, and memory that workers share.

export const inNode = typeof process !== "undefined" && Boolean(process.versions?.node);

/** The bytes of a file beside this one, or at any address. */
export async function bytesOf(url) {
  if (inNode && url.protocol === "file:") {
    const { readFile } = await import("node:fs/promises");
    return readFile(url);
  }
  const response = await fetch(url);
  if (!response.ok) throw new Error(`expected ${url}, got: ${response.status} ${response.statusText}`);
  return new Uint8Array(await response.arrayBuffer());
}

/** A worker of either kind; `onMessage` gets what it posts, `onError` an Error. */
export async function startWorker(url, onMessage, onError) {
  if (inNode) {
    const { Worker } = await import("node:worker_threads");
    // Flags of the main program, such as `--input-type`, are not for a file.
    const worker = new Worker(url, { execArgv: [] });
    worker.on("message", onMessage);
    worker.on("error", onError);
    return worker;
  }
  const worker = new Worker(url, { type: "module" });
  worker.onmessage = ({ data }) => onMessage(data);
  worker.onerror = (event) => onError(new Error(event.message ?? "the worker did not start"));
  return worker;
}

/** Inside a worker: `take` gets what is posted to it, `post` answers. */
export async function ownPort(take) {
  if (!inNode) {
    self.onmessage = ({ data }) => take(data);
    return { post: (data) => self.postMessage(data) };
  }
  const { parentPort } = await import("node:worker_threads");
  parentPort.on("message", take);
  return { post: (data) => parentPort.postMessage(data) };
}

/** A flag that a running search can see, where workers may share memory: in node, and in pages that are cross-origin isolated. */
export function sharedFlag() {
  const mayShare = typeof SharedArrayBuffer !== "undefined" && (inNode || globalThis.crossOriginIsolated === true);
  return mayShare ? new Int32Array(new SharedArrayBuffer(4)) : undefined;
}
