//! How good a position looks without searching: material and squares (kept by the board), and
//! on top of them what the pieces do now.
//!
//! Everything is a sum of weights from one table, a middlegame and an endgame half each, blended
//! by the pieces left. [`Trace`] lets the tuner watch which weights were used how often; the
//! engine passes `()` and pays nothing. Known endings are in `endings`.

use crate::board::Board;
use crate::geometry::{LEAPS, REACH, STEPS, distance, forward};
use crate::terms::{
    ATTACKER, BACKWARD, BISHOP_PAIR, CONNECTED, DOUBLED, ISOLATED, KING_ATTACK, MAX_UNITS,
    MOBILITY, PASSED, PASSED_BLOCKED, PASSED_ENEMY_KING, PASSED_OWN_KING, PAWN_THREAT, ROOK_FILE,
    SHELTER, SHELTER_OWN, TEMPO, threat,
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

/// The pawns of each side as one byte a file (bit = row), with an empty file at both edges.
struct PawnFiles([[u8; 10]; 2]);

impl PawnFiles {
    fn of(board: &Board) -> PawnFiles {
        let mut files = [[0u8; 10]; 2];
        for side in WHITE..=BLACK {
            for i in 1..board.count(side) {
                let square = board.listed(side, i);
                if kind(board.at(square)) == PAWN {
                    files[(side & 1) as usize][(square & 7) as usize + 1] |= 1 << (square >> 4);
                }
            }
        }
        PawnFiles(files)
    }

    /// The file numbered from 1 to 8; 0 and 9 are empty.
    #[inline(always)]
    fn file(&self, side: Side, number: u8) -> u8 {
        self.0[(side & 1) as usize].get(number as usize).copied().unwrap_or(0)
    }

    /// The two files beside one, together.
    #[inline(always)]
    fn beside(&self, side: Side, number: u8) -> u8 {
        self.file(side, number.wrapping_sub(1)) | self.file(side, number + 1)
    }
}

/// The rows in front of a row, as a side sees it.
#[inline(always)]
fn ahead(side: Side, row: u8) -> u8 {
    if side == WHITE { ((1u16 << row) - 1) as u8 } else { !(((2u16 << row) - 1) as u8) }
}

/// The running sums of one evaluation.
struct Sum<T: Trace> {
    middlegame: [i16; 2],
    endgame: [i16; 2],
    /// Attack units against the king of each side.
    units: [u8; 2],
    trace: T,
}

impl<T: Trace> Sum<T> {
    #[inline(always)]
    fn add(&mut self, side: Side, place: u8) {
        self.trace.count(place, side);
        let [mg, eg] = TERMS.get(place as usize).copied().unwrap_or([0, 0]);
        self.middlegame[(side & 1) as usize] += mg as i16;
        self.endgame[(side & 1) as usize] += eg as i16;
    }

    fn pieces(&mut self, board: &Board, side: Side, pawns: &PawnFiles) {
        let mut bishops = 0;
        for i in 1..board.count(side) {
            let square = board.listed(side, i);
            let piece = kind(board.at(square));
            match piece {
                PAWN => self.pawn(board, side, square, pawns),
                KNIGHT => self.leaper(board, side, square),
                BISHOP => {
                    bishops += 1;
                    self.slider(board, side, square, piece, 4, 8);
                }
                ROOK => {
                    self.slider(board, side, square, piece, 0, 4);
                    let file = (square & 7) + 1;
                    if pawns.file(side, file) == 0 {
                        let enemy = pawns.file(side ^ 1, file) != 0;
                        self.add(side, ROOK_FILE + enemy as u8);
                    }
                }
                _ => self.slider(board, side, square, piece, 0, 8),
            }
        }
        if bishops >= 2 {
            self.add(side, BISHOP_PAIR);
        }
    }

    /// Counts an attack on the squares around the enemy king.
    #[inline(always)]
    fn attack(&mut self, side: Side, piece: Piece, hits: u8) {
        if hits != 0 {
            self.units[(side & 1) as usize ^ 1] += ATTACKER[(piece & 7) as usize] + hits;
        }
    }

    fn leaper(&mut self, board: &Board, side: Side, from: Square) {
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
                if kind(there) != KING {
                    self.add(side, threat(KNIGHT, kind(there)));
                }
            }
        }
        self.add(side, MOBILITY[KNIGHT as usize] + moves);
        self.attack(side, KNIGHT, hits);
    }

    fn slider(
        &mut self,
        board: &Board,
        side: Side,
        from: Square,
        piece: Piece,
        first: u8,
        end: u8,
    ) {
        let king = board.king(side ^ 1);
        let (mut moves, mut hits) = (0, 0);
        for i in first..end {
            let step = STEPS[(i & 7) as usize];
            let mut to = from;
            loop {
                to = to.wrapping_add(step);
                let there = board.at(to);
                if there == OFF {
                    break;
                }
                hits += REACH[to.wrapping_sub(king) as usize] >> KING;
                if there == EMPTY {
                    moves += 1;
                    continue;
                }
                if board.is_of(to, side ^ 1) {
                    moves += 1;
                    if kind(there) != KING {
                        self.add(side, threat(piece, kind(there)));
                    }
                }
                break;
            }
        }
        self.add(side, MOBILITY[(piece & 7) as usize] + moves);
        self.attack(side, piece, hits);
    }

    #[inline(always)]
    fn pawn_threat(&mut self, board: &Board, side: Side, to: Square) {
        if board.is_of(to, side ^ 1) && kind(board.at(to)) != KING {
            self.add(side, PAWN_THREAT + kind(board.at(to)) - PAWN);
        }
    }

    fn pawn(&mut self, board: &Board, side: Side, square: Square, pawns: &PawnFiles) {
        let (file, row) = ((square & 7) + 1, square >> 4);
        let rank = if side == WHITE { 7 - row } else { row };
        let front = ahead(side, row);
        let step = forward(side);
        let next = square.wrapping_add(step);
        self.pawn_threat(board, side, next.wrapping_sub(1));
        self.pawn_threat(board, side, next.wrapping_add(1));
        if pawns.file(side, file) & front != 0 {
            self.add(side, DOUBLED);
        }
        let beside = pawns.beside(side, file);
        let row_bit = 1u8 << row;
        let row_behind = if side == WHITE { row_bit << 1 } else { row_bit >> 1 };
        if beside & (row_bit | row_behind) != 0 {
            self.add(side, CONNECTED + rank);
        } else if beside == 0 {
            self.add(side, ISOLATED);
        } else if beside & !front == 0 {
            // Nobody behind can come to help; weak if the next square is guarded by a pawn.
            let two = if side == WHITE { row_bit >> 2 } else { row_bit << 2 };
            if pawns.beside(side ^ 1, file) & two != 0 {
                self.add(side, BACKWARD);
            }
        }
        if (pawns.file(side ^ 1, file) | pawns.beside(side ^ 1, file)) & front == 0
            && pawns.file(side, file) & front == 0
        {
            self.add(side, PASSED + rank);
            if board.at(next) != EMPTY {
                self.add(side, PASSED_BLOCKED + rank);
            }
            self.add(side, PASSED_OWN_KING + distance(next, board.king(side)));
            self.add(side, PASSED_ENEMY_KING + distance(next, board.king(side ^ 1)));
        }
    }

    /// The pawns in front of a king, and the attacks that came together against him.
    fn king(&mut self, board: &Board, side: Side, pawns: &PawnFiles) {
        let square = board.king(side);
        let file = (square & 7) + 1;
        let home = if side == WHITE { 0b0100_0000 } else { 0b0000_0010 };
        let one = if side == WHITE { home >> 1 } else { home << 1 };
        for number in file - 1..=file + 1 {
            if number == 0 || number == 9 {
                continue;
            }
            let mine = pawns.file(side, number);
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
        let units = self.units[(side & 1) as usize];
        self.add(side, KING_ATTACK + if units > MAX_UNITS { MAX_UNITS } else { units });
    }
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

/// How far the terms beyond material and squares can be expected to move a score.
const REST: i16 = 330;

/// The evaluation, or a cheap stand-in for it where material and squares alone already lie so
/// far outside the window that the rest cannot matter.
pub fn evaluate_within(board: &Board, alpha: i16, beta: i16) -> i16 {
    let (mg, eg) = board.sums();
    let white = blend(board, mg, eg);
    let cheap = if board.side() == WHITE { white } else { -white };
    // Few pieces mean special endings, which the cheap sum does not know.
    let many = board.phase(WHITE) > 2 && board.phase(BLACK) > 2;
    if many && (cheap >= beta.saturating_add(REST) || cheap <= alpha.saturating_sub(REST)) {
        return cheap;
    }
    evaluate(board)
}

/// The evaluation in centipawns as the side to move sees it.
pub fn evaluate(board: &Board) -> i16 {
    evaluate_traced(board, ()).0
}

/// [`evaluate`] with somebody watching; he comes back beside the score.
pub fn evaluate_traced<T: Trace>(board: &Board, trace: T) -> (i16, T) {
    let (mg, eg) = board.sums();
    let pawns = PawnFiles::of(board);
    let mut sum = Sum { middlegame: [mg, 0], endgame: [eg, 0], units: [0; 2], trace };
    sum.pieces(board, WHITE, &pawns);
    sum.pieces(board, BLACK, &pawns);
    sum.king(board, WHITE, &pawns);
    sum.king(board, BLACK, &pawns);
    sum.add(board.side(), TEMPO);
    let mg = sum.middlegame[0] - sum.middlegame[1];
    let eg = sum.endgame[0] - sum.endgame[1];
    let white = blend(board, mg, eg);
    let white = crate::endings::adjust(board, white, &pawns_left(&pawns));
    (if board.side() == WHITE { white } else { -white }, sum.trace)
}

/// Whether each side has any pawn.
fn pawns_left(pawns: &PawnFiles) -> [bool; 2] {
    let any = |side: usize| pawns.0[side & 1].iter().any(|&file| file != 0);
    [any(0), any(1)]
}
