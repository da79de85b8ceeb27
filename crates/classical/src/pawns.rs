//! Pawn structure and the pawns around the kings: all that depends on pawns and kings alone.
//!
//! Such positions repeat all the time in a search, so [`PawnTable`] remembers them.

use chess::attacks::pawn_attacks;
use chess::{Bitboard, Board, Color, File, Piece, Square};

use super::geometry::{adjacent_files, ahead, beside, folded, rank_of, rearmost};
use super::layout::{
    KING_PAWN_DISTANCE, KING_SHELTER, KING_STORM, PAWN_BACKWARD, PAWN_CANDIDATE, PAWN_DOUBLED,
    PAWN_ISOLATED, PAWN_PHALANX, PAWN_SUPPORTED, SAFETY_SHELTER, SAFETY_STORM,
};
use super::tapered::Tapered;
use super::trace::{Sum, Trace};

/// What is known of pawns and kings.
#[derive(Copy, Clone, Default)]
pub(super) struct PawnInfo {
    /// Structure and shelter, White's less Black's.
    pub(super) score: Tapered,
    /// How much the pawns encourage each side's attack on the other king.
    pub(super) safety: [Tapered; 2],
    /// The passed pawns of both sides.
    pub(super) passed: Bitboard,
    /// Every square a side's pawns attack or could attack after advancing.
    pub(super) span: [Bitboard; 2],
    /// 0 for open positions … 8 for closed ones.
    pub(super) closedness: u8,
}

impl PawnInfo {
    pub(super) fn of(board: &Board, trace: &impl Trace) -> Self {
        let mut info = Self::default();
        let mut sums = Color::ALL.map(|color| Sum::new(color, trace));
        for us in Color::ALL {
            let sum = &mut sums[us.index()];
            info.passed |= structure(board, us, sum);
            info.span[us.index()] = attack_span(us, board.pieces(us, Piece::Pawn));
            // The shelter of our king is the business of the other side's attack.
            let mut attack = Sum::new(!us, trace);
            shelter(board, us, sum, &mut attack);
            info.safety[(!us).index()] = attack.total;
        }
        info.score = sums[0].total - sums[1].total;
        info.closedness = closedness(board);
        info
    }
}

fn attack_span(us: Color, pawns: Bitboard) -> Bitboard {
    beside(ahead(us, pawns))
}

/// Judges each pawn by its neighbours; returns the passed ones.
fn structure(board: &Board, us: Color, sum: &mut Sum<'_, impl Trace>) -> Bitboard {
    let ours = board.pieces(us, Piece::Pawn);
    let theirs = board.pieces(!us, Piece::Pawn);
    let mut passed = Bitboard::EMPTY;
    for pawn in ours {
        let (rank, file) = (rank_of(us, pawn), folded(pawn.file()));
        let stop = pawn.forward(us);
        let path = ahead(us, pawn.bitboard());
        let neighbours = ours & adjacent_files(pawn);
        let phalanx = neighbours & pawn.rank().bitboard();
        let support = ours & pawn_attacks(!us, pawn);
        let opposed = (path & theirs).any();
        let stoppers = theirs & (path | beside(path));
        let levers = theirs & pawn_attacks(us, pawn);
        let push_levers = theirs & pawn_attacks(us, stop);

        if (path & ours).any() {
            sum.add(PAWN_DOUBLED, file);
        } else if stoppers.is_empty() {
            passed |= pawn.bitboard();
        } else if stoppers == levers | push_levers
            && support.count() >= levers.count()
            && phalanx.count() >= push_levers.count()
        {
            sum.add(PAWN_CANDIDATE, rank);
        }

        // Friends beside or behind could still come to help.
        let level = pawn.bitboard() | ahead(!us, pawn.bitboard());
        if neighbours.is_empty() {
            sum.add(PAWN_ISOLATED, file + 4 * usize::from(opposed));
        } else if (neighbours & beside(level)).is_empty() && push_levers.any() {
            sum.add(PAWN_BACKWARD, rank + 8 * usize::from(opposed));
        }
        if support.any() {
            sum.add(PAWN_SUPPORTED, rank * 4 + file);
        }
        if phalanx.any() {
            sum.add(PAWN_PHALANX, rank * 4 + file);
        }
    }
    passed
}

/// Judges the pawns of both sides on the king's file and those beside it.
fn shelter<T: Trace>(board: &Board, us: Color, sum: &mut Sum<'_, T>, attack: &mut Sum<'_, T>) {
    let king = board.king(us);
    let king_file = king.file().index();
    let pawns = board.kind(Piece::Pawn);
    // Pawns behind the king shelter nothing.
    let front = !all_ranks_behind(us, king) & pawns;
    let king_rank = rank_of(us, king);
    for file in king_file.saturating_sub(1)..=(king_file + 1).min(7) {
        let column = front & File::ALL[file].bitboard();
        let gap = |color| {
            rearmost(us, column & board.color(color)).map(|pawn| rank_of(us, pawn) - king_rank)
        };
        let (ours, theirs) = (gap(us), gap(!us));
        let blocked = ours.is_some_and(|ours| theirs == Some(ours + 1));
        let (ours, theirs) = (ours.unwrap_or(7), theirs.unwrap_or(7));
        let own_file = usize::from(file == king_file);
        let blocked = usize::from(blocked);
        let fold = folded(File::ALL[file]);
        sum.add(KING_SHELTER, own_file * 32 + fold * 8 + ours);
        sum.add(KING_STORM, blocked * 32 + fold * 8 + theirs);
        attack.add(SAFETY_SHELTER, own_file * 8 + ours);
        attack.add(SAFETY_STORM, blocked * 8 + theirs);
    }
    let nearest =
        pawns.into_iter().map(|pawn| pawn.file().index().abs_diff(king_file)).min().unwrap_or(7);
    sum.add(KING_PAWN_DISTANCE, nearest);
}

/// The ranks on our side of the square, its own not included.
fn all_ranks_behind(us: Color, square: Square) -> Bitboard {
    let base = square.index() & 56;
    match us {
        Color::White => Bitboard((1 << base) - 1),
        Color::Black => Bitboard(!0 << base << 8 & if base == 56 { 0 } else { !0 }),
    }
}

/// Many pawns, many of them head to head, few open files: knights like it, rooks do not.
fn closedness(board: &Board) -> u8 {
    let pawns = board.kind(Piece::Pawn);
    let white = board.pieces(Color::White, Piece::Pawn);
    let head_to_head = white.forward(Color::White) & pawns & !white;
    let open_files =
        File::ALL.into_iter().filter(|file| (file.bitboard() & pawns).is_empty()).count();
    let sum = pawns.count() as i32 + 3 * head_to_head.count() as i32 - 4 * open_files as i32;
    (sum / 3).clamp(0, 8) as u8
}

/// A small hash table of [`PawnInfo`], one per evaluator.
#[derive(Clone)]
pub(super) struct PawnTable {
    entries: Box<[(u64, PawnInfo)]>,
}

impl PawnTable {
    const ENTRIES: usize = 1 << 13;

    /// A table whose entries match no key that is ever asked for, as keys are never zero.
    pub(super) fn new() -> Self {
        Self { entries: vec![(0, PawnInfo::default()); Self::ENTRIES].into() }
    }

    /// What is known of the board's pawns and kings, worked out if it is new.
    #[inline(always)]
    pub(super) fn get(&mut self, board: &Board) -> &PawnInfo {
        let key = key(board);
        let index = key as usize % self.entries.len();
        let entry = &mut self.entries[index];
        if entry.0 != key {
            *entry = (key, PawnInfo::of(board, &()));
        }
        &entry.1
    }
}

/// The pawns' key with the kings' squares stirred in; never zero.
#[inline(always)]
fn key(board: &Board) -> u64 {
    let kings = board.king(Color::White).index() * 64 + board.king(Color::Black).index();
    let stirred = (kings as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (board.keys().pawn ^ stirred ^ stirred >> 32) | 1 << 63
}

#[cfg(test)]
mod tests {
    use super::*;

    fn passed(fen: &str) -> Vec<String> {
        let board: Board = fen.parse().unwrap();
        let info = PawnInfo::of(&board, &());
        info.passed.into_iter().map(|square| square.to_string()).collect()
    }

    #[test]
    fn passed_pawns_have_no_enemy_ahead_or_beside() {
        assert_eq!(passed("4k3/8/3p4/2P5/4P3/8/8/4K3 w - - 0 1"), ["c5"; 0]);
        assert_eq!(passed("4k3/8/3p4/8/2P2P2/8/8/4K3 w - - 0 1"), ["f4"]);
        assert_eq!(passed("4k3/p7/8/8/8/8/P6P/4K3 w - - 0 1"), ["h2"]);
        assert_eq!(passed("4k3/8/8/P7/8/P7/1p6/4K3 w - - 0 1"), ["b2", "a5"]);
    }

    #[test]
    fn ranks_behind_the_king() {
        let behind = |color, square: &str| all_ranks_behind(color, square.parse().unwrap()).count();
        assert_eq!(behind(Color::White, "e1"), 0);
        assert_eq!(behind(Color::White, "e3"), 16);
        assert_eq!(behind(Color::Black, "e8"), 0);
        assert_eq!(behind(Color::Black, "a7"), 8);
    }
}
