//! Random numbers that are the same in every run, and the games they play.

use chess::{Board, Move};

/// SplitMix64.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        items.get(self.next().checked_rem(items.len() as u64)? as usize)
    }
}

/// Calls `visit` with every position of a random game and the move that is made there.
pub(crate) fn random_game(start: &Board, random: &mut Random, mut visit: impl FnMut(&Board, Move)) {
    let mut board = start.clone();
    for _ in 0..200 {
        let Some(&mv) = random.pick(&board.legal_moves()) else { return };
        visit(&board, mv);
        board.make_move(mv, &mut ());
    }
}
