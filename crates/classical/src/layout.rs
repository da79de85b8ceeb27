//! The names and places of all weights: the one list that evaluation, weights file and tuner share.
//!
//! Weights lie in one flat array ([`WEIGHTS`](super::weights::WEIGHTS)), so that a tuner can treat
//! them alike; a [`Group`] names a stretch of it. Groups from [`SAFETY_START`] on do not add to the
//! score directly: king safety is squared first and the complexity groups only move the endgame
//! half towards or away from zero.

/// A named stretch of the weights.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub struct Group {
    /// The name, as in this file.
    pub name: &'static str,
    /// The index of the first weight.
    pub start: usize,
    /// How many weights.
    pub len: usize,
}

impl Group {
    /// The index of one weight of the group.
    #[inline(always)]
    pub const fn at(self, i: usize) -> usize {
        debug_assert!(i < self.len);
        self.start + i
    }

    const fn end(self) -> usize {
        self.start + self.len
    }
}

macro_rules! layout {
    ($($(#[$doc:meta])* $name:ident: $len:expr,)*) => {
        layout!(@place 0; $($(#[$doc])* $name: $len,)*);
        /// Every group, in order.
        pub const GROUPS: &[Group] = &[$($name),*];
    };
    (@place $start:expr;) => {
        /// How many weights there are.
        pub const COUNT: usize = $start;
    };
    (@place $start:expr; $(#[$doc:meta])* $name:ident: $len:expr, $($rest:tt)*) => {
        $(#[$doc])*
        pub const $name: Group = Group { name: stringify!($name), start: $start, len: $len };
        layout!(@place $name.end(); $($rest)*);
    };
}

layout! {
    /// What a piece is worth anywhere, by kind (the king's is zero).
    MATERIAL: 6,
    /// What a square adds, by kind and square as its owner sees it.
    PSQT: 6 * 64,

    /// A pawn with no friend on the files beside it: by folded file, plus 4 if an enemy pawn is ahead.
    PAWN_ISOLATED: 8,
    /// A pawn behind another of its own: by folded file.
    PAWN_DOUBLED: 4,
    /// A pawn that cannot safely go on and has no friend to support it: by rank, plus 8 if opposed.
    PAWN_BACKWARD: 16,
    /// A pawn beside another: by rank and folded file.
    PAWN_PHALANX: 32,
    /// A pawn defended by another: by rank and folded file.
    PAWN_SUPPORTED: 32,
    /// A pawn that a trade would make passed: by rank.
    PAWN_CANDIDATE: 8,

    /// Squares a knight can go to.
    KNIGHT_MOBILITY: 9,
    /// Squares a bishop can go to.
    BISHOP_MOBILITY: 14,
    /// Squares a rook can go to.
    ROOK_MOBILITY: 15,
    /// Squares a queen can go to.
    QUEEN_MOBILITY: 28,
    /// A knight no pawn can chase away: + 1 if a pawn defends it, + 2 if on the wings.
    KNIGHT_OUTPOST: 4,
    /// The same for a bishop.
    BISHOP_OUTPOST: 4,
    /// A knight or bishop with a pawn right in front.
    MINOR_BEHIND_PAWN: 2,
    /// Distance of a knight or bishop from its own king.
    MINOR_KING_DISTANCE: 2,
    /// Two bishops.
    BISHOP_PAIR: 1,
    /// Own pawns on the bishop's color; then: those of them that are blocked.
    BISHOP_PAWNS: 2,
    /// A bishop that sees both central squares of a long diagonal.
    BISHOP_LONG_DIAGONAL: 1,
    /// A rook on a file without own pawns, and without any.
    ROOK_FILE: 2,
    /// A rook on the seventh with something to attack there.
    ROOK_SEVENTH: 1,
    /// A rook shut in by its own king.
    ROOK_SHUT_IN: 1,
    /// A queen with an enemy slider behind one other piece.
    QUEEN_XRAYED: 1,
    /// Knights, by how closed the pawns are.
    KNIGHT_CLOSEDNESS: 9,
    /// Rooks, by how closed the pawns are.
    ROOK_CLOSEDNESS: 9,

    /// Own pawns and minor pieces beside the king.
    KING_DEFENDERS: 12,
    /// Files between the king and the nearest pawn of either side.
    KING_PAWN_DISTANCE: 8,
    /// Own pawn nearest to the king on a file beside it or its own: by which (2), folded file (4), distance (8).
    KING_SHELTER: 64,
    /// Enemy pawn likewise: by blocked or not (2), folded file (4), distance (8).
    KING_STORM: 64,

    /// A safe pawn attacks a piece, by its kind.
    THREAT_BY_PAWN: 6,
    /// A knight or bishop attacks something badly defended, by its kind.
    THREAT_BY_MINOR: 6,
    /// A rook does.
    THREAT_BY_ROOK: 6,
    /// A king does: a pawn, a piece.
    THREAT_BY_KING: 2,
    /// A piece attacked and not defended, a pawn likewise.
    THREAT_HANGING: 2,
    /// A pawn could advance safely and attack a piece.
    THREAT_BY_PUSH: 1,
    /// The enemy queen could be attacked on the next move: by a knight, by a slider.
    THREAT_QUEEN_NEXT: 2,
    /// A badly defended piece that only the queen protects.
    THREAT_QUEEN_PROTECTS: 1,
    /// A defender needed in two places.
    THREAT_OVERLOADED: 1,

    /// A passed pawn, by rank, + 8 if the next square is safe, + 16 if it is free.
    PASSED: 32,
    /// All squares to the end are free and not attacked, by rank.
    PASSED_CLEAR_PATH: 8,
    /// The next square is defended, by rank.
    PASSED_STOP_DEFENDED: 8,
    /// Distance from our king to the next square, by rank.
    PASSED_OUR_KING: 8,
    /// Distance from their king to the next square, by rank.
    PASSED_THEIR_KING: 8,
    /// A rook behind the passed pawn: ours, theirs.
    PASSED_ROOK_BEHIND: 2,
    /// A pawn ending, and their king cannot catch the pawn.
    PASSED_UNSTOPPABLE: 1,

    /// Safe squares behind the pawns in the centre.
    SPACE: 1,
    /// Squares the enemy reaches that we guard: with a piece on them, empty.
    SPACE_RESTRICTED: 2,
    /// Attacks on the four central squares.
    SPACE_CENTRE: 1,
    /// The side to move.
    TEMPO: 1,

    /// Attackers of the king's ring, knight to queen.
    SAFETY_ATTACKER: 4,
    /// Attacks on squares beside the king.
    SAFETY_ATTACKS: 1,
    /// Ring squares attacked by us and held by the king or queen alone.
    SAFETY_WEAK_RING: 1,
    /// Without a queen.
    SAFETY_NO_QUEEN: 1,
    /// Safe squares to give check from, knight to queen.
    SAFETY_CHECK: 4,
    /// Checks that lose the piece.
    SAFETY_BAD_CHECK: 1,
    /// Attacks on the king's flank: once, twice, and defended.
    SAFETY_FLANK: 3,
    /// A knight stands beside the king.
    SAFETY_KNIGHT_GUARD: 1,
    /// Own pawn near the king: by own file or not, distance.
    SAFETY_SHELTER: 16,
    /// Enemy pawn near the king: by blocked or not, distance.
    SAFETY_STORM: 16,
    /// Always.
    SAFETY_BASE: 1,

    /// Pawns on the board.
    COMPLEXITY_PAWNS: 1,
    /// Pawns on both wings.
    COMPLEXITY_WINGS: 1,
    /// Nothing but pawns.
    COMPLEXITY_PAWN_ENDING: 1,
    /// Always.
    COMPLEXITY_BASE: 1,
}

/// The first weight that king safety squares.
pub const SAFETY_START: usize = SAFETY_ATTACKER.start;
/// The first weight that only strengthens or weakens the endgame half.
pub const COMPLEXITY_START: usize = COMPLEXITY_PAWNS.start;

#[cfg(test)]
mod tests {
    use super::{COUNT, GROUPS};

    #[test]
    fn groups_follow_each_other() {
        let mut next = 0;
        for group in GROUPS {
            assert_eq!(group.start, next, "{}", group.name);
            next += group.len;
        }
        assert_eq!(next, COUNT);
    }
}
