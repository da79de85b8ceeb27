//! Slider attacks by walking: slow, obvious, `const`. The tables are built from it.

const ROOK: [(i32, i32); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
const BISHOP: [(i32, i32); 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];

/// The squares reached from `square` in four directions, blockers included.
const fn walk(square: usize, occupied: u64, directions: [(i32, i32); 4]) -> u64 {
    let mut attacks = 0;
    let mut d = 0;
    while d < 4 {
        let (step_file, step_rank) = directions[d];
        let mut file = (square & 7) as i32 + step_file;
        let mut rank = (square >> 3) as i32 + step_rank;
        while file >= 0 && file < 8 && rank >= 0 && rank < 8 {
            let bit = 1 << (rank * 8 + file);
            attacks |= bit;
            if occupied & bit != 0 {
                break;
            }
            file += step_file;
            rank += step_rank;
        }
        d += 1;
    }
    attacks
}

/// Where a rook attacks.
pub(super) const fn rook(square: usize, occupied: u64) -> u64 {
    walk(square, occupied, ROOK)
}

/// Where a bishop attacks.
pub(super) const fn bishop(square: usize, occupied: u64) -> u64 {
    walk(square, occupied, BISHOP)
}
