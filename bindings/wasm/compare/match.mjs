// A match of two engines in node with the same time for every move, one game at a time.
//
//     STOCKFISH=path/to/node_modules/stockfish node compare/match.mjs "brier" "stockfish lite" openings.epd [pairs] [milliseconds]

import { readFileSync } from "node:fs";
import { Chess } from "chessops/chess";
import { makeFen, parseFen } from "chessops/fen";
import { parseUci } from "chessops/util";
import { ENGINES, Program } from "./processes.mjs";

const [first, second, book, pairs = "50", milliseconds = "50"] = process.argv.slice(2);
for (const name of [first, second]) {
  if (!ENGINES[name]) throw new Error(`expected one of ${Object.keys(ENGINES).join(", ")}, got ${name}`);
}
const openings = readFileSync(book, "utf8").split("\n").filter(Boolean).map((line) => line.split(/\s+/).slice(0, 4).join(" "));
const MOST_PLIES = 400;

/** The result for White: 1, 0.5 or 0. */
async function play(fen, players) {
  const board = Chess.fromSetup(parseFen(`${fen} 0 1`).unwrap()).unwrap();
  const moves = [];
  const seen = new Map();
  for (const player of players) {
    player.send("ucinewgame", "isready");
    await player.heard(/^readyok/);
  }
  while (!board.isEnd()) {
    const place = makeFen(board.toSetup()).split(" ").slice(0, 4).join(" ");
    seen.set(place, (seen.get(place) ?? 0) + 1);
    if (seen.get(place) === 3 || board.halfmoves >= 100 || moves.length >= MOST_PLIES) return 0.5;
    const player = players[board.turn === "white" ? 0 : 1];
    player.send(`position fen ${fen} 0 1${moves.length ? ` moves ${moves.join(" ")}` : ""}`, `go movetime ${milliseconds}`);
    const best = (await player.heard(/^bestmove/)).split(" ")[1];
    const move = parseUci(best);
    if (!move || !board.isLegal(move)) throw new Error(`${player.name} played ${best} in ${makeFen(board.toSetup())}`);
    board.play(move);
    moves.push(best);
  }
  const winner = board.outcome()?.winner;
  return winner === undefined ? 0.5 : winner === "white" ? 1 : 0;
}

const programs = [await new Program(first).start(16), await new Program(second).start(16)];
const scores = [];
const step = Math.max(1, Math.floor(openings.length / Number(pairs)));
for (let pair = 0; pair < Number(pairs); pair += 1) {
  const fen = openings[pair * step];
  scores.push(await play(fen, programs));
  scores.push(1 - await play(fen, [...programs].reverse()));
  if (pair % 10 === 9) console.log(summary());
}
console.log(summary());
programs.forEach((program) => program.end());

/** Wins, draws, losses and the difference in Elo of the first, with two standard errors of pairs of games. */
function summary() {
  const games = scores.length;
  const sums = Array.from({ length: games / 2 }, (_, pair) => (scores[2 * pair] + scores[2 * pair + 1]) / 2);
  const mean = sums.reduce((a, b) => a + b, 0) / sums.length;
  const variance = sums.reduce((a, b) => a + (b - mean) ** 2, 0) / Math.max(1, sums.length - 1);
  const error = 2 * Math.sqrt(variance / sums.length);
  const elo = (share) => -400 * Math.log10(1 / Math.min(0.9999, Math.max(0.0001, share)) - 1);
  const of = (result) => scores.filter((score) => score === result).length;
  return `${first} against ${second}: ${of(1)} won, ${of(0.5)} drawn, ${of(0)} lost of ${games} games, ${milliseconds} ms a move; ` +
    `score ${(100 * mean).toFixed(1)} ± ${(100 * error).toFixed(1)} %, Elo ${elo(mean).toFixed(0)} (${elo(mean - error).toFixed(0)} to ${elo(mean + error).toFixed(0)})`;
}
