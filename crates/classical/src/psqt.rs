//! Material and piece-square values, kept up to date move by move.

use chess::{Board, Color, Piece, Square};

use super::layout::{COUNT, MATERIAL, PSQT};
use super::tapered::Tapered;
use super::trace::Trace;
use super::weights::WEIGHTS;

/// The phase of the game with all pieces on the board.
pub(super) const FULL_PHASE: i32 = 24;

/// How much of the middlegame a piece keeps on the board.
const PHASE: [i32; 6] = [0, 1, 1, 2, 4, 0];

/// Material and square together, for both sides: Black's are negated.
static VALUES: [[[Tapered; 64]; 6]; 2] = combine(&WEIGHTS);

const fn combine(weights: &[Tapered; COUNT]) -> [[[Tapered; 64]; 6]; 2] {
    let mut values = [[[Tapered::ZERO; 64]; 6]; 2];
    let mut piece = 0;
    while piece < 6 {
        let mut square = 0;
        while square < 64 {
            let material = weights[MATERIAL.at(piece)];
            let place = weights[PSQT.at(piece * 64 + square)];
            let (mg, eg) = (material.mg() + place.mg(), material.eg() + place.eg());
            values[0][piece][square] = Tapered::new(mg, eg);
            values[1][piece][square ^ 56] = Tapered::new(-mg, -eg);
            square += 1;
        }
        piece += 1;
    }
    values
}

/// What follows the game: White's material and squares less Black's, and the phase.
#[derive(Copy, Clone, Debug, Default, Eq, PartialEq)]
pub(super) struct Running {
    pub(super) score: Tapered,
    pub(super) phase: i32,
}

impl Running {
    /// From scratch.
    pub(super) fn of(board: &Board) -> Self {
        let mut running = Self::default();
        for color in Color::ALL {
            for piece in Piece::ALL {
                for square in board.pieces(color, piece) {
                    running.add(color, piece, square);
                }
            }
        }
        running
    }

    #[inline(always)]
    pub(super) fn add(&mut self, color: Color, piece: Piece, square: Square) {
        self.score += VALUES[color.index()][piece.index()][square.index()];
        self.phase += PHASE[piece.index()];
    }

    #[inline(always)]
    pub(super) fn remove(&mut self, color: Color, piece: Piece, square: Square) {
        self.score -= VALUES[color.index()][piece.index()][square.index()];
        self.phase -= PHASE[piece.index()];
    }

    #[inline(always)]
    pub(super) fn shift(&mut self, color: Color, piece: Piece, from: Square, to: Square) {
        let values = &VALUES[color.index()][piece.index()];
        self.score += values[to.index()] - values[from.index()];
    }
}

/// Reports to a trace what the running sums consist of.
pub(super) fn explain(board: &Board, trace: &impl Trace) {
    for color in Color::ALL {
        for piece in Piece::ALL {
            for square in board.pieces(color, piece) {
                let place = piece.index() * 64 + square.relative_to(color).index();
                trace.used(color, MATERIAL.at(piece.index()), 1);
                trace.used(color, PSQT.at(place), 1);
            }
        }
    }
}
