// The review of a game by the server: every position of a line searched, every move marked.

import { follow } from "./server.js";

/// Searches the line through the current position to its end; `progress(done, all)` hears how far
/// it is. The verdicts are left in the nodes.
export async function review(tree, ms, signal, progress) {
  const nodes = tree.current.end().path();
  const rating = (tag) => Number.parseInt(tree.headers.get(tag), 10) || null;
  const ratings = [rating("WhiteElo"), rating("BlackElo")];
  const question = { game: { fen: tree.root.fen, moves: nodes.map((node) => node.uci).join(" ") }, ms, ratings };
  await follow("/api/review", question, signal, (news) => {
    if (news.all) progress(news.positions, news.all);
    if (news.waiting) progress(0, 0);
    if (!news.steps) return;
    news.steps.forEach((step, index) => (nodes[index].step = step));
    tree.reviewed = { start: news.start, summary: news.summary, end: nodes.at(-1) };
  });
}
