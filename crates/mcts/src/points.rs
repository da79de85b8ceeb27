//! Expected points: what scores and their doubt are worth, and which score is worth as much.

use chess::Board;
use eval::score::{self, EVAL_LIMIT, Score};
use eval::{Chances, Quantiles};

/// How much of the points goes on growing with the score when the game is as good as decided: a
/// tree in which every move wins would not get on otherwise.
const TAIL: f64 = 0.02;
/// The score at which half of that has been given.
const TAIL_SCORE: f64 = 1000.0;

/// Evaluators give scores beyond this only where all that is left is to mate a bare king.
const SURE: Score = 9000;

/// Is this a win, or a loss, that needs nothing but technique?
pub(crate) fn is_sure(score: Score) -> bool {
    score.abs() >= SURE
}

/// What a pawn more or less makes of a sure win.
pub(crate) fn pawn_of_a_sure_win(score: Score) -> f32 {
    (TAIL * (tail(score + 100) - tail(score - 100))) as f32
}

/// What a judgement is worth, 0 to 1, for the side that it is for.
pub(crate) fn points(quantiles: &Quantiles, material: u32) -> f32 {
    let chances = Chances::expected_points(quantiles, material);
    ((1.0 - TAIL) * chances + TAIL * tail(quantiles.q50)) as f32
}

/// What a score is worth if its doubt is that of a judgement.
pub(crate) fn of_score(judged: &Quantiles, score: Score, board: &Board) -> f32 {
    let score = score::clamp_eval(score);
    points(&judged.shifted(score - judged.q50), Chances::material(board))
}

/// How much the points differ between the pessimist's and the optimist's score.
pub(crate) fn width(quantiles: &Quantiles, material: u32) -> f32 {
    let at = |score| points(&Quantiles::certain(score), material);
    at(quantiles.q90) - at(quantiles.q10)
}

/// What a proved result is worth.
pub(crate) fn proved(score: Score) -> f32 {
    match score {
        _ if score::is_win(score) => 1.0,
        _ if score::is_loss(score) => 0.0,
        _ => 0.5,
    }
}

fn tail(score: Score) -> f64 {
    let score = f64::from(score);
    0.5 + 0.5 * score / (score.abs() + TAIL_SCORE)
}

/// The score that is worth this much on a board, in centipawns.
pub(crate) fn score(value: f32, board: &Board) -> Score {
    let material = Chances::material(board);
    let (mut low, mut high) = (-EVAL_LIMIT, EVAL_LIMIT);
    while low < high {
        let middle = low + (high - low) / 2;
        if points(&Quantiles::certain(middle), material) < value {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_and_points_are_two_names_of_one_thing() {
        let board = Board::default();
        for cp in [-3000, -400, -35, 0, 20, 150, 900, 5000] {
            let value = points(&Quantiles::certain(cp), Chances::material(&board));
            assert!((score(value, &board) - cp).abs() <= 1 + cp.abs() / 50, "{cp}");
        }
        assert!(score(0.0, &board) == -EVAL_LIMIT && score(1.0, &board) == EVAL_LIMIT);
    }

    #[test]
    fn points_grow_even_where_the_game_is_won() {
        let at = |cp| points(&Quantiles::certain(cp), 20);
        assert!(at(3000) > at(2500) && at(2500) > at(2000) && at(3000) < 1.0);
        assert!((at(700) + at(-700) - 1.0).abs() < 1e-6);
    }

    #[test]
    fn a_sure_win_has_better_and_worse_squares() {
        assert!(is_sure(-10_500) && !is_sure(4_000));
        let pawn = pawn_of_a_sure_win(10_500);
        let at = |cp| points(&Quantiles::certain(cp), 5);
        assert!(pawn > 0.0 && pawn < 0.001);
        assert!((at(10_600) - at(10_400) - pawn).abs() < pawn / 10.0);
    }

    #[test]
    fn doubt_is_narrow_where_the_game_is_decided() {
        let doubt = Quantiles::from_gaps(0, [60, 40, 40, 60]);
        assert!(width(&doubt, 60) > 10.0 * width(&doubt.shifted(1500), 60));
    }
}
