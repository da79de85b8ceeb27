//! How good a position looks without searching: material and squares (kept by the board), the
//! pawns (remembered by `pawns`), and what the pieces do now.
//!
//! Everything is a sum of weights from one table, a middlegame and an endgame half each, blended
//! by the pieces left. [`Trace`] lets the tuner watch which weights were used how often; the
//! engine passes `()` and pays nothing. Known endings are in `endings`.

use crate::board::Board;
use crate::geometry::{LEAPS, RAYS_BESIDE, REACH, STEPS, distance, forward};
use crate::pawns::PawnTable;
use crate::terms::{
    ATTACKER, BISHOP_PAIR, KING_ATTACK, MAX_UNITS, MOBILITY, PASSED_BLOCKED, PASSED_ENEMY_KING,
    PASSED_OWN_KING, PAWN_THREAT, ROOK_FILE, SHELTER, SHELTER_OWN, TEMPO, threat,
};
use crate::types::{
    BISHOP, BLACK, EMPTY, KING, KNIGHT, OFF, PAWN, Piece, ROOK, Side, Square, WHITE, kind,
};
use crate::weights::TERMS;

/// Sees each term that is counted, and for which side.
pub trait Trace {
    /// The weight at `place` counted once for `side`.
    fn count(&mut self, place: u8, side: Side);
}

impl Trace for () {
    #[inline(always)]
    fn count(&mut self, _: u8, _: Side) {}
}

/// The running sums of one evaluation, as the side sees them whose terms are being counted.
pub(crate) struct Sum<T> {
    pub(crate) middlegame: i16,
    pub(crate) endgame: i16,
    trace: T,
}

impl<T: Trace> Sum<T> {
    pub(crate) const fn new(trace: T) -> Sum<T> {
        Sum { middlegame: 0, endgame: 0, trace }
    }

    /// A function of its own on the way to C, where forty bytes at each of its places are many.
    #[cfg_attr(target_arch = "msp430", inline(never))]
    #[cfg_attr(not(target_arch = "msp430"), inline(always))]
    pub(crate) fn add(&mut self, side: Side, place: u8) {
        self.trace.count(place, side);
        let [mg, eg] = TERMS.get(place as usize).copied().unwrap_or([0, 0]);
        self.middlegame += mg as i16;
        self.endgame += eg as i16;
    }

    /// Sees the sums from the other side.
    #[inline(always)]
    pub(crate) fn turn(&mut self) {
        self.middlegame = -self.middlegame;
        self.endgame = -self.endgame;
    }

    /// The pieces and pawns of a side; returns its attack units against the enemy king.
    fn pieces(&mut self, board: &Board, side: Side) -> u8 {
        let (mut bishops, mut units) = (0, 0);
        for i in 1..board.count(side) {
            let square = board.listed(side, i);
            let piece = kind(board.at(square));
            units += match piece {
                PAWN => {
                    let next = square.wrapping_add(forward(side));
                    self.pawn_threat(board, side, next.wrapping_sub(1));
                    self.pawn_threat(board, side, next.wrapping_add(1));
                    0
                }
                KNIGHT => self.leaper(board, side, square),
                BISHOP => {
                    bishops += 1;
                    self.slider(board, side, square, piece, 4, 8)
                }
                ROOK => {
                    let file = (square & 7) + 1;
                    if board.pawn_file(side, file) == 0 {
                        let enemy = board.pawn_file(side ^ 1, file) != 0;
                        self.add(side, ROOK_FILE + enemy as u8);
                    }
                    self.slider(board, side, square, piece, 0, 4)
                }
                _ => self.slider(board, side, square, piece, 0, 8),
            };
        }
        if bishops >= 2 {
            self.add(side, BISHOP_PAIR);
        }
        units
    }

    fn leaper(&mut self, board: &Board, side: Side, from: Square) -> u8 {
        let king = board.king(side ^ 1);
        let (mut moves, mut hits) = (0, 0);
        for &leap in &LEAPS {
            let to = from.wrapping_add(leap);
            let there = board.at(to);
            if there == OFF {
                continue;
            }
            hits += REACH[to.wrapping_sub(king) as usize] >> KING;
            if there == EMPTY {
                moves += 1;
            } else if board.is_of(to, side ^ 1) {
                moves += 1;
                self.threat(side, KNIGHT, there);
            }
        }
        self.add(side, MOBILITY[KNIGHT as usize] + moves);
        units(KNIGHT, hits)
    }

    /// A piece that goes along the rays `first..end` of [`STEPS`].
    fn slider(
        &mut self,
        board: &Board,
        side: Side,
        from: Square,
        piece: Piece,
        first: u8,
        end: u8,
    ) -> u8 {
        let king = board.king(side ^ 1);
        let (mut moves, mut hits) = (0, 0);
        let mut beside = RAYS_BESIDE[from.wrapping_sub(king) as usize] >> first;
        for i in first..end {
            let step = STEPS[(i & 7) as usize];
            let mut to = from.wrapping_add(step);
            while board.at(to) == EMPTY {
                moves += 1;
                to = to.wrapping_add(step);
            }
            let there = board.at(to);
            if board.is_of(to, side ^ 1) {
                moves += 1;
                self.threat(side, piece, there);
            }
            // Few rays come near the king: only those are walked again.
            if beside & 1 != 0 {
                let mut at = from.wrapping_add(step);
                while at != to {
                    hits += REACH[at.wrapping_sub(king) as usize] >> KING;
                    at = at.wrapping_add(step);
                }
                if there != OFF {
                    hits += REACH[to.wrapping_sub(king) as usize] >> KING;
                }
            }
            beside >>= 1;
        }
        self.add(side, MOBILITY[(piece & 7) as usize] + moves);
        units(piece, hits)
    }

    #[inline(always)]
    fn threat(&mut self, side: Side, piece: Piece, victim: Piece) {
        if kind(victim) != KING {
            self.add(side, threat(piece, kind(victim)));
        }
    }

    #[inline(always)]
    fn pawn_threat(&mut self, board: &Board, side: Side, to: Square) {
        if board.is_of(to, side ^ 1) && kind(board.at(to)) != KING {
            self.add(side, PAWN_THREAT + kind(board.at(to)) - PAWN);
        }
    }

    /// What stands in the way of a side's passed pawns, given as one bit a file.
    fn passed(&mut self, board: &Board, side: Side, mut files: u8) {
        let mut file = 0;
        while files != 0 {
            if files & 1 != 0 {
                let square = foremost(board.pawn_file(side, file + 1), side) << 4 | file;
                let rank = if side == WHITE { 7 - (square >> 4) } else { square >> 4 };
                let next = square.wrapping_add(forward(side));
                if board.at(next) != EMPTY {
                    self.add(side, PASSED_BLOCKED + rank);
                }
                self.add(side, PASSED_OWN_KING + distance(next, board.king(side)));
                self.add(side, PASSED_ENEMY_KING + distance(next, board.king(side ^ 1)));
            }
            files >>= 1;
            file += 1;
        }
    }

    /// The pawns in front of a king, and the attacks that came together against him.
    fn king(&mut self, board: &Board, side: Side, units: u8) {
        let square = board.king(side);
        let file = (square & 7) + 1;
        let home = if side == WHITE { 0b0100_0000 } else { 0b0000_0010 };
        let one = if side == WHITE { home >> 1 } else { home << 1 };
        for number in file - 1..file + 2 {
            if number == 0 || number == 9 {
                continue;
            }
            let mine = board.pawn_file(side, number);
            let cover = if mine & home != 0 {
                0
            } else if mine & one != 0 {
                1
            } else if mine != 0 {
                2
            } else {
                3
            };
            self.add(side, if number == file { SHELTER_OWN } else { SHELTER } + cover);
        }
        self.add(side, KING_ATTACK + if units > MAX_UNITS { MAX_UNITS } else { units });
    }

    /// Adds everything but the pawns' own terms, which are in the sums already, and blends.
    /// `passed` has the files of each side's passed pawns.
    fn finish(&mut self, board: &Board, passed: [u8; 2]) -> i16 {
        let (mg, eg) = board.sums();
        self.middlegame += mg;
        self.endgame += eg;
        let against_black = self.pieces(board, WHITE);
        self.passed(board, WHITE, passed[0]);
        self.turn();
        let against_white = self.pieces(board, BLACK);
        self.passed(board, BLACK, passed[1]);
        self.king(board, BLACK, against_black);
        self.turn();
        self.king(board, WHITE, against_white);
        let white = board.side() == WHITE;
        if white {
            self.add(WHITE, TEMPO);
        } else {
            self.turn();
            self.add(BLACK, TEMPO);
            self.turn();
        }
        let score = blend(board, self.middlegame, self.endgame);
        let score = crate::endings::adjust(board, score);
        if white { score } else { -score }
    }
}

/// The row of a side's foremost pawn on a file that has one. Counting zeros by hand: small
/// processors have no instruction for it.
fn foremost(mut file: u8, side: Side) -> u8 {
    let mut steps = 0;
    while steps < 7 && file & if side == WHITE { 1 } else { 0x80 } == 0 {
        file = if side == WHITE { file >> 1 } else { file << 1 };
        steps += 1;
    }
    if side == WHITE { steps } else { 7 - steps }
}

/// Attack units of a piece that reaches `hits` squares beside the enemy king.
#[inline(always)]
fn units(piece: Piece, hits: u8) -> u8 {
    if hits == 0 { 0 } else { ATTACKER[(piece & 7) as usize] + hits }
}

/// The weight of the middlegame, 0..=256, of the pieces on the board.
#[inline(always)]
pub fn middlegame_share(board: &Board) -> i16 {
    let phase = board.phase(WHITE) + board.phase(BLACK);
    let phase = if phase > 24 { 24 } else { phase };
    // 256 / 24 without a division.
    ((phase as u16 * 171) >> 4) as i16
}

/// Blends White's sums by the pieces left.
#[inline(always)]
fn blend(board: &Board, middlegame: i16, endgame: i16) -> i16 {
    let share = middlegame_share(board) as i32;
    endgame + (((middlegame as i32 - endgame as i32) * share) >> 8) as i16
}

/// How far the terms beyond material and squares can be expected to move a score: less than this
/// in 99 positions of 100.
const REST: i16 = 130;

/// The memory of the evaluation.
pub struct Evaluator {
    /// Here and not on the stack: small processors reach memory at a fixed place with less code.
    sum: Sum<()>,
    pawns: PawnTable,
}

impl Evaluator {
    /// Knows nothing yet; all zero.
    pub const EMPTY: Evaluator = Evaluator { sum: Sum::new(()), pawns: PawnTable::EMPTY };

    /// The evaluation, or a cheap stand-in for it where material and squares alone already lie
    /// so far outside the window that the rest cannot matter.
    pub fn evaluate_within(&mut self, board: &Board, alpha: i16, beta: i16) -> i16 {
        let (mg, eg) = board.sums();
        let white = blend(board, mg, eg);
        let cheap = if board.side() == WHITE { white } else { -white };
        // Few pieces mean special endings, which the cheap sum does not know.
        let many = board.phase(WHITE) > 2 && board.phase(BLACK) > 2;
        if many && (cheap >= beta.saturating_add(REST) || cheap <= alpha.saturating_sub(REST)) {
            return cheap;
        }
        self.evaluate(board)
    }

    /// The evaluation in centipawns as the side to move sees it.
    pub fn evaluate(&mut self, board: &Board) -> i16 {
        let passed = self.pawns.structure(board, &mut self.sum);
        self.sum.finish(board, passed)
    }
}

/// [`Evaluator::evaluate`] without memory and with somebody watching; he comes back beside the
/// score.
pub fn evaluate_traced<T: Trace>(board: &Board, trace: T) -> (i16, T) {
    let mut sum = Sum::new(trace);
    let passed = sum.structure(board);
    let score = sum.finish(board, passed);
    (score, sum.trace)
}
