//! The scale of the search: centipawns in the middle, tablebase wins and mates at the ends.
//!
//! ```text
//! 0 … EVAL_LIMIT | TB_WIN_IN_MAX … TB_WIN | MATE_IN_MAX … MATE | INFINITY
//! ```
//! and the same below zero. All scores are from the side to move's point of view.

/// A score from the side to move's point of view.
pub type Score = i32;

/// The longest line the search can hold.
pub const MAX_PLY: usize = 240;
/// More than any score.
pub const INFINITY: Score = 32_001;
/// The side to move has mated; mate in n plies is `MATE - n`.
pub const MATE: Score = 32_000;
/// The slowest mate the search can see.
pub const MATE_IN_MAX: Score = MATE - MAX_PLY as Score;
/// A win by the tablebases, at this very position.
pub const TB_WIN: Score = MATE_IN_MAX - 1;
/// The slowest tablebase win the search can see.
pub const TB_WIN_IN_MAX: Score = TB_WIN - MAX_PLY as Score;
/// No evaluation is beyond this.
pub const EVAL_LIMIT: Score = TB_WIN_IN_MAX - 1;
/// A draw.
pub const DRAW: Score = 0;

/// The side to move mates in this many plies.
pub const fn mate_in(plies: usize) -> Score {
    MATE - plies as Score
}

/// The side to move is mated in this many plies.
pub const fn mated_in(plies: usize) -> Score {
    plies as Score - MATE
}

/// A tablebase win that is this many plies away.
pub const fn tb_win_in(plies: usize) -> Score {
    TB_WIN - plies as Score
}

/// Is the game decided, by mate or tablebase, for either side?
pub const fn is_decisive(score: Score) -> bool {
    is_win(score) || is_loss(score)
}

/// Is the game won, by mate or tablebase, for the side to move?
pub const fn is_win(score: Score) -> bool {
    score >= TB_WIN_IN_MAX
}

/// Is the game lost, by mate or tablebase, for the side to move?
pub const fn is_loss(score: Score) -> bool {
    score <= -TB_WIN_IN_MAX
}

/// Is it a mate, given or suffered, that the search has seen?
pub const fn is_mate(score: Score) -> bool {
    score >= MATE_IN_MAX || score <= -MATE_IN_MAX
}

/// Full moves to mate as UCI counts them: positive if the side to move mates.
pub const fn mate_distance(score: Score) -> Option<i32> {
    if score >= MATE_IN_MAX {
        Some((MATE - score + 1) / 2)
    } else if score <= -MATE_IN_MAX {
        Some(-(MATE + score) / 2)
    } else {
        None
    }
}

/// An evaluation kept out of the bands of decided games.
pub fn clamp_eval(score: Score) -> Score {
    score.clamp(-EVAL_LIMIT, EVAL_LIMIT)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mate_distances_are_in_moves() {
        assert_eq!(mate_distance(mate_in(1)), Some(1));
        assert_eq!(mate_distance(mate_in(3)), Some(2));
        assert_eq!(mate_distance(mated_in(2)), Some(-1));
        assert_eq!(mate_distance(mated_in(0)), Some(0));
        assert_eq!(mate_distance(tb_win_in(0)), None);
    }

    #[test]
    fn the_bands_do_not_touch() {
        assert!(is_win(tb_win_in(MAX_PLY)) && !is_win(EVAL_LIMIT));
        assert!(!is_mate(TB_WIN) && is_mate(mate_in(MAX_PLY)));
        assert!(is_loss(-TB_WIN) && is_loss(mated_in(0)) && !is_decisive(DRAW));
        assert!(MATE < INFINITY && INFINITY < i32::from(i16::MAX));
    }
}
