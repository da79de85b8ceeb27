//! A reviewed game as PGN: scores as `[%eval]`, marks as NAGs, better lines as variations, beside
//! everything that was there.

use pgn::{Game, Played};

use crate::marks::Mark;
use crate::review::{Review, Step};
use crate::verdict::pawns;

/// Half-moves of a better line that are kept.
const VARIATION: usize = 10;

/// The game with what the review has found.
pub fn game(review: &Review) -> Game {
    let mut game = review.game.clone();
    for (step, played) in review.steps.iter().zip(&mut game.moves) {
        played.remove_command("eval");
        played.comment = comment(step, &played.comment);
        if let Some(nag) = step.mark.nag().filter(|nag| !played.nags.contains(nag)) {
            played.nags.push(nag);
        }
        let better: Vec<_> = step.best.moves.iter().copied().take(VARIATION).collect();
        if step.mark != Mark::Fine && !played.variations.iter().any(|line| is_same(line, &better)) {
            played.variations.push(Played::line(&better));
        }
    }
    game
}

fn is_same(line: &[Played], moves: &[chess::Move]) -> bool {
    line.len() >= moves.len() && line.iter().zip(moves).all(|(played, mv)| played.mv == *mv)
}

/// The score after a move, what the mark means, and what the file said before.
fn comment(step: &Step, before: &str) -> String {
    let mut parts = Vec::new();
    // A mate on the board is its own verdict, and has no place on the scale.
    if !step.after.is_checkmate() {
        parts.push(format!("[%eval {}]", pawns(step.verdict.score).trim_start_matches('+')));
    }
    if step.mark != Mark::Fine {
        parts.push(format!("{}, {:.2} expected points lost", step.mark.word(), step.loss));
    }
    parts.extend(step.mate());
    if !before.is_empty() {
        parts.push(before.to_owned());
    }
    parts.join(" ")
}

#[cfg(test)]
mod tests {
    use chess::Board;

    use super::*;
    use crate::review::tests::review;

    #[test]
    fn writes_what_a_reader_reads() {
        let start: Board = "4k3/8/8/8/8/8/8/4K2R b K - 0 7".parse().unwrap();
        let mut review = review(
            &start,
            &[("White", "A \"B\" \\ <C>"), ("FEN", &start.to_string()), ("SetUp", "1")],
            &[("Kd7", 500, "Kd7"), ("Rh7+", -30, "O-O"), ("Kd6", 31_995, "Ke6")],
        );
        review.game.moves[0].comment = "slow [%eval 0.1] [%clk 0:01:00]".to_owned();
        review.game.moves[1].nags = vec![1];
        let mv = start.after(review.steps[0].mv).parse_san("Rf1").unwrap();
        review.game.moves[1].variations = vec![Played::line(&[mv])];
        let game = game(&review);
        let text = game.to_string();
        assert!(text.contains("[White \"A \\\"B\\\" \\\\ <C>\"]\n"), "{text}");
        assert!(
            text.contains("7... Kd7 { [%eval 5.00] slow [%clk 0:01:00] } 8. Rh7+ $1 $4 {"),
            "{text}"
        );
        // The user's line and mark stay beside ours.
        assert!(text.contains("( 8. Rf1 )") && text.contains("( 8. O-O )"), "{text}");
        assert!(text.contains("8... Kd6 $4 { [%eval #3]"), "{text}");
        assert!(text.contains("walks into mate in 3"), "{text}");
        let again = pgn::Reader::new(text.as_bytes()).games().next().unwrap().unwrap();
        assert_eq!((again.moves, again.start), (game.moves, start));
    }
}
