//! King and pawn against king: won or drawn, for every position, in 24 KB.
//!
//! The table is a file, `kpk.bin`, so that no program has to work it out when it starts. The tests
//! hold the solver that makes it, and compare. The pawn is White's and on the files a to d; other
//! positions are reflected first.

use chess::{Color, Square};

/// Pawns stand on 24 squares, kings on 64, either side is to move.
const POSITIONS: usize = 2 * 24 * 64 * 64;

/// A bit for each position: is it won?
static WON: &[u8; POSITIONS / 8] = include_bytes!("kpk.bin");

/// Does the side with the pawn win? All squares as White, who has it, sees them.
pub(super) fn is_won(mover: Color, strong: Square, weak: Square, pawn: Square) -> bool {
    let flip = |square: Square| if pawn.file().index() > 3 { square.flip_file() } else { square };
    let index =
        Position { mover, strong: flip(strong), weak: flip(weak), pawn: flip(pawn) }.index();
    WON[index / 8] >> (index % 8) & 1 == 1
}

#[derive(Copy, Clone)]
struct Position {
    mover: Color,
    strong: Square,
    weak: Square,
    pawn: Square,
}

impl Position {
    fn index(self) -> usize {
        let rank_and_file = (((self.pawn.index() >> 3) - 1) << 2) | (self.pawn.index() & 3);
        ((rank_and_file * 64 + self.strong.index()) * 64 + self.weak.index()) * 2
            + self.mover.index()
    }
}

#[cfg(test)]
mod solver;
