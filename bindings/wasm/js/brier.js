// A worker that speaks UCI: `new Worker("brier.js")`, or `new Worker("brier.js#small")` with the small network; then
// `postMessage` of a line, and `onmessage` for each line that comes back. A plain script, because pages start such
// engines as plain workers.

{
  const early = [];
  self.onmessage = ({ data }) => early.push(data);
  import(new URL("./conversation.js", self.location.href)).then(({ Conversation }) => {
    const onLine = (line) => self.postMessage(line);
    const onFailure = (error) => self.postMessage(`info string ${error.message}`);
    const conversation = new Conversation({ network: self.location.hash.slice(1) || undefined, onLine, onFailure });
    self.onmessage = ({ data }) => {
      conversation.send(data);
      if (data === "quit") self.close();
    };
    early.forEach((data) => conversation.send(data));
  });
}
