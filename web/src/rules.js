// Chess as the page needs it: positions, legal moves, and what the rules say. The knowledge is
// chessops'; this is its vocabulary for the rest of the page.

import { Chess, castlingSide, normalizeMove } from "chessops/chess";
import { INITIAL_FEN, makeFen, parseFen } from "chessops/fen";
import { makeSan, parseSan } from "chessops/san";
import { kingCastlesTo, makeSquare, makeUci, parseUci } from "chessops/util";

export { INITIAL_FEN };

/// The position of a FEN, standard chess or Chess960; throws with a reason.
export function position(fen) {
  const words = fen.trim().split(/\s+/);
  // The counters at the end are often left out.
  const full = [...words, ...["w", "-", "-", "0", "1"].slice(words.length - 1)].join(" ");
  const setup = parseFen(full).unwrap(
    (setup) => setup,
    () => {
      throw new Error(`Expected a FEN like "${INITIAL_FEN}", got "${fen.slice(0, 100)}"`);
    },
  );
  return Chess.fromSetup(setup).unwrap(
    (found) => found,
    (error) => {
      throw new Error(`Expected a legal position, got one with this fault: ${REASONS[error.message] ?? error.message}`);
    },
  );
}

const REASONS = {
  ERR_EMPTY: "no pieces",
  ERR_KINGS: "not one king on each side",
  ERR_OPPOSITE_CHECK: "the side that has just moved is in check",
  ERR_PAWNS_ON_BACKRANK: "pawns on the first or last rank",
  ERR_IMPOSSIBLE_CHECK: "a check that no move can have given",
  ERR_VARIANT: "it is no position of chess",
};

export const fenOf = (pos) => makeFen(pos.toSetup());

/// The move of a text in UCI's notation; castling is king takes rook, as everywhere in here.
export function moveOf(pos, uci) {
  const move = parseUci(uci);
  const normal = move && normalizeMove(pos, move);
  return normal && pos.isLegal(normal) ? normal : undefined;
}

/// A move as people type it: SAN with or without its signs, or UCI's notation.
export function typedMove(pos, text) {
  const exact = parseSan(pos, text) ?? moveOf(pos, text.toLowerCase());
  if (exact) return exact;
  const bare = (san) => san.replace(/[+#=x\-!?]/g, "").replaceAll("0", "o").toLowerCase();
  const found = legalMoves(pos).filter((move) => bare(makeSan(pos, move)) === bare(text));
  return found.length === 1 ? found[0] : undefined;
}

export function legalMoves(pos) {
  const moves = [];
  for (const [from, squares] of pos.allDests()) {
    for (const to of squares) {
      const promotes = pos.board.getRole(from) === "pawn" && (to < 8 || to >= 56);
      if (!promotes) moves.push({ from, to });
      else for (const promotion of ["queen", "knight", "rook", "bishop"]) moves.push({ from, to, promotion });
    }
  }
  return moves;
}

/// The two squares that show a move: castling ends where the king does.
export function squaresOf(pos, move) {
  const side = castlingSide(pos, move);
  const to = side ? kingCastlesTo(pos.turn, side) : move.to;
  return [makeSquare(move.from), makeSquare(to)];
}

/// What the board may do: squares to squares, and the moves that they mean. Castling is done by
/// moving the king onto the rook, or to its own new square where no plain step ends.
export function destinations(pos) {
  const dests = new Map();
  const moves = new Map();
  const add = (from, to, move) => {
    if (moves.has(from + to)) return;
    moves.set(from + to, move);
    if (!dests.has(from)) dests.set(from, []);
    dests.get(from).push(to);
  };
  const all = legalMoves(pos);
  for (const move of all) add(makeSquare(move.from), makeSquare(move.to), move);
  for (const move of all) if (castlingSide(pos, move)) add(...squaresOf(pos, move), move);
  return { dests, moves };
}

/// The position after a move, and the move in SAN.
export function after(pos, move) {
  const san = makeSan(pos, move);
  const next = pos.clone();
  next.play(move);
  return { next, san };
}

/// What the rules say about a game whose positions, the last included, are these FENs.
export function outcome(pos, fens) {
  if (pos.isCheckmate()) {
    return { text: `Checkmate: ${pos.turn === "white" ? "Black" : "White"} wins`, over: true, result: pos.turn === "white" ? "0-1" : "1-0" };
  }
  const draw = (text, over) => ({ text, over, result: "1/2-1/2" });
  if (pos.isStalemate()) return draw("Stalemate: a draw", true);
  if (pos.isInsufficientMaterial()) return draw("Nobody can mate any more: a draw", true);
  const key = (fen) => fen.split(" ").slice(0, 4).join(" ");
  const here = key(fens[fens.length - 1]);
  if (fens.filter((fen) => key(fen) === here).length >= 3) return draw("The third time: a draw can be claimed", false);
  if (pos.halfmoves >= 100) return draw("Fifty moves without progress: a draw can be claimed", false);
  return null;
}

/// The squares with their pieces, for those who cannot see them.
export function pieceName(pos, square) {
  const piece = pos.board.get(square);
  return piece ? `${piece.color} ${piece.role}` : "empty";
}

/// `12.` or `12...`
export const moveNumber = (ply) => `${Math.floor(ply / 2) + 1}${ply % 2 ? "..." : "."}`;

/// Half-moves since the first move of a game, as the FEN counts them.
export const plyOf = (pos) => 2 * (pos.fullmoves - 1) + (pos.turn === "white" ? 0 : 1);

/// A line of moves in UCI's notation as steps with numbers, SAN and FEN; it ends where it is not legal.
export function lineSteps(fen, ucis) {
  let pos = position(fen);
  const steps = [];
  for (const uci of ucis) {
    const move = moveOf(pos, uci);
    if (!move) break;
    const ply = plyOf(pos);
    const squares = squaresOf(pos, move);
    const { next, san } = after(pos, move);
    const number = ply % 2 === 0 || steps.length === 0 ? moveNumber(ply) : "";
    steps.push({ uci: makeUci(move), san, number, squares, fen: fenOf(next) });
    pos = next;
  }
  return steps;
}

export { makeUci };
