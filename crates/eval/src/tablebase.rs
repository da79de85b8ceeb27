//! What the search may ask a tablebase, in our own types.

use std::ops::Neg;

use chess::{Board, Move};

/// The result of a position with best play, for the side to move.
///
/// The order is from worst to best.
#[derive(Copy, Clone, Debug, Eq, PartialEq, Ord, PartialOrd, Hash)]
pub enum Wdl {
    /// Lost.
    Loss,
    /// Lost, but the fifty-move rule comes first: a draw in play.
    BlessedLoss,
    /// Drawn.
    Draw,
    /// Won, but the fifty-move rule comes first: a draw in play.
    CursedWin,
    /// Won.
    Win,
}

impl Neg for Wdl {
    type Output = Self;

    fn neg(self) -> Self {
        match self {
            Self::Loss => Self::Win,
            Self::BlessedLoss => Self::CursedWin,
            Self::Draw => Self::Draw,
            Self::CursedWin => Self::BlessedLoss,
            Self::Win => Self::Loss,
        }
    }
}

/// What the tablebase knows of one root move.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub struct RootMove {
    /// The move.
    pub mv: Move,
    /// What it leads to, for the side that makes it, with the half-move clock as it stands.
    pub wdl: Wdl,
    /// Half-moves to the next capture or pawn move with best play, this move counted: positive
    /// when winning, negative when losing, 0 for draws. It may be one too small, as tablebases
    /// round. None if no DTZ table was there.
    pub dtz: Option<i32>,
    /// Moves of the same rank are equally good; higher is better.
    pub rank: i32,
}

/// Every legal move of a root position with its result.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct RootProbe {
    /// All legal moves, best rank first.
    pub moves: Vec<RootMove>,
    /// Were DTZ tables used? If not, the moves of the best rank keep the result but need not make
    /// progress, and the search has to go on asking the tablebase.
    pub by_dtz: bool,
}

impl RootProbe {
    /// The moves of the best rank: what a search should choose from.
    pub fn best(&self) -> &[RootMove] {
        let rank = self.moves.first().map_or(0, |best| best.rank);
        let count = self.moves.iter().take_while(|root| root.rank == rank).count();
        &self.moves[..count]
    }

    /// The result of the position for the side to move; none without a legal move.
    pub fn wdl(&self) -> Option<Wdl> {
        self.moves.first().map(|best| best.wdl)
    }
}

/// A source of perfect knowledge about positions with few men.
pub trait Tablebase: Send + Sync {
    /// The most men, kings counted, that any table covers; 0 if there is none.
    ///
    /// Callers compare it with the number of men first: that is all that tables cost out of reach.
    fn max_men(&self) -> usize;

    /// The result for the side to move as if the half-move clock stood at 0.
    ///
    /// With the clock elsewhere a win or loss may be a draw in play, so a search that minds the
    /// fifty-move rule asks only after a capture or pawn move. None with castling rights, with too
    /// many men, or if a table is missing or damaged.
    fn wdl(&self, board: &Board) -> Option<Wdl>;

    /// Every legal move ranked, by distance to the next capture or pawn move where that is known.
    ///
    /// `keys` are those of the game's positions before this one, oldest first: a move that brings
    /// a position for the third time draws, and in a game that has begun to repeat only the
    /// quickest wins stay in the best rank. Without the fifty-move rule cursed wins are wins.
    fn root(&self, board: &Board, keys: &[u64], fifty_move_rule: bool) -> Option<RootProbe>;
}
