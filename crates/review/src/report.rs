//! A reviewed game as text for a terminal: a line for each move, then how each side did.

use std::fmt::Write;

use chess::{Board, Color, Move};
use pgn::{Fault, Game};

use crate::marks::Mark;
use crate::review::{Review, Step, Summary};
use crate::verdict::pawns;

/// Moves of a better line that are shown.
const SHOWN: usize = 3;

/// The whole report, which ends with an empty line.
pub fn describe(review: &Review) -> String {
    let game = &review.game;
    // Writing to a string cannot fail; the same everywhere below.
    let mut text = format!("Game {}: {} ({})\n", game.number, game.players(), game.occasion());
    text.push_str(&faults(game));
    if review.steps.is_empty() {
        text.push_str("no moves\n");
        return text;
    }
    text.push_str("scores in pawns and expected points are White's, losses the mover's\n\n");
    text.push_str("move              score  q10 to q90        points   loss\n");
    for step in &review.steps {
        text.push_str(move_line(step).trim_end());
        text.push('\n');
    }
    text.push('\n');
    for side in Color::ALL {
        let _ = writeln!(text, "{side}: {}", sentence(&review.summary(side)));
    }
    text
}

/// What of a game could not be read, a line for each fault.
pub fn faults(game: &Game) -> String {
    let line = |fault: &Fault| {
        let what = if fault.cuts { "not read to its end" } else { "not all was read" };
        format!("{what}: {fault}\n")
    };
    game.faults.iter().map(line).collect()
}

fn move_line(step: &Step) -> String {
    let number = pgn::move_number(&step.before);
    let name = format!("{}{}", step.san, step.mark.symbol());
    let score = pawns(step.verdict.score);
    let band = step.verdict.band_text().unwrap_or_default();
    let mut line = format!("{number:>6} {name:<9} {score:>7}  {band:<18}{:>6.2}", step.points());
    if step.better().is_some() {
        let better = sans(&step.before, &step.best.moves, SHOWN);
        let _ = write!(line, "   {:>4.2}  better {better}", step.loss);
        if step.mark != Mark::Fine {
            let _ = write!(line, ", {}", step.mark.word());
        }
    }
    if let Some(mate) = step.mate() {
        let _ = write!(line, ", {mate}");
    }
    line
}

/// The first moves of a line without numbers.
fn sans(board: &Board, moves: &[Move], count: usize) -> String {
    let mut board = board.clone();
    let san = |mv: &Move| {
        let text = board.san(*mv).to_string();
        board.make_move(*mv, &mut ());
        text
    };
    moves.iter().take(count).map(san).collect::<Vec<_>>().join(" ")
}

/// How a side did.
fn sentence(summary: &Summary) -> String {
    let &Summary { moves, agreed, unclear, inaccuracies, mistakes, blunders, .. } = summary;
    let (noun, loss) = (if moves == 1 { "move" } else { "moves" }, summary.mean_loss());
    format!(
        "{moves} {noun}, {loss:.3} points lost a move, {inaccuracies} ?!, {mistakes} ?, \
         {blunders} ??, {unclear} unclear, {agreed} as the engine"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::review::tests::review;

    #[test]
    fn a_line_for_each_move_and_a_sentence_for_each_side() {
        let review = review(
            &Board::default(),
            &[("White", "A"), ("Black", "B"), ("Event", "?")],
            &[
                ("f3", -10, "e4"),
                ("e5", -35, "e5"),
                ("g4", -31_999, "e4"),
                ("Qh4#", -32_000, "Qh4"),
            ],
        );
        let text = describe(&review);
        assert!(text.starts_with("Game 1: A - B (unfinished)\n"), "{text}");
        assert!(text.contains("    1. f3          -0.10  -0.30 to +0.10"), "{text}");
        assert!(text.contains("    2. g4??          #-1"), "{text}");
        assert!(text.contains("better e4, blunder, walks into mate in 1\n"), "{text}");
        assert!(text.contains("  2... Qh4#         mate                      0.00\n"), "{text}");
        assert!(text.contains("White: 2 moves, ") && text.contains("1 ??"), "{text}");
        assert!(text.ends_with("Black: 2 moves, 0.000 points lost a move, 0 ?!, 0 ?, 0 ??, 0 unclear, 2 as the engine\n"), "{text}");
    }
}
