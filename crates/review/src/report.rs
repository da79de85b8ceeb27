//! A reviewed game as text for a terminal: a line for each move, then how each side did.

use std::fmt::Write;

use chess::{Board, Color, Move};
use pgn::{Fault, Game};

use crate::marks::Mark;
use crate::moments;
use crate::phase::Phase;
use crate::player::Player;
use crate::review::{Review, Step};
use crate::summary::{Summary, time_text, with_error};
use crate::verdict::pawns;

/// Moves of a better line that are shown.
const SHOWN: usize = 3;

/// The whole report, which ends with an empty line. A player's own side comes first, and only the
/// moments of that side are told.
pub fn describe(review: &Review, player: Option<&Player>) -> String {
    let game = &review.game;
    let mine = player.and_then(|player| player.side(game));
    // Writing to a string cannot fail; the same everywhere below.
    let mut text =
        format!("Game {}: {} ({})\n", game.number, game.rated_players(), game.occasion());
    text.push_str(&faults(game));
    if let Some(opening) = review.known.opening {
        let _ = writeln!(text, "{} {}", opening.eco, opening.name);
    }
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
    let first = mine.unwrap_or(Color::White);
    for side in [first, !first] {
        let whose = match player {
            Some(player) if mine == Some(side) => format!(" ({})", player.name()),
            _ => String::new(),
        };
        let _ = writeln!(text, "{side}{whose}: {}", sentence(&review.summary(side)));
        let phases = by_phase(review, side);
        if !phases.is_empty() {
            let _ = writeln!(text, "       points lost a move: {phases}");
        }
    }
    let moments = moments::find(review, mine, moments::MOST);
    if !moments.is_empty() {
        let title = match player.filter(|_| mine.is_some()) {
            None => "What decided the game".to_owned(),
            Some(player) => format!("What cost {} most", player.name()),
        };
        let _ = writeln!(text, "\n{title}:");
    }
    for moment in moments {
        let _ = writeln!(text, "  {}", moment.sentence);
    }
    text
}

/// A game whose moves could not be replayed.
pub fn unread(game: &Game) -> String {
    format!("Game {}: {}\n{}", game.number, game.players(), faults(game))
}

/// What of a game could not be read, a line for each fault.
fn faults(game: &Game) -> String {
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
            let _ = write!(line, ", {} ({:.0} % sure)", step.mark.word(), 100.0 * step.sure);
        }
        if let Some(found) = step.found {
            let _ = write!(line, ", {found}");
        }
    }
    if step.is_book {
        line.push_str("         book");
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
    let &Summary { moves, agreed, unclear, inaccuracies, mistakes, blunders, book, .. } = summary;
    let noun = if moves == 1 { "move" } else { "moves" };
    let mut text = format!(
        "{moves} {noun}, accuracy {} %, {} points lost a move, {inaccuracies} ?!, {mistakes} ?, \
         {blunders} ??, {unclear} unclear, {agreed} as the engine",
        with_error(summary.accuracy.mean(), 0),
        with_error(summary.loss.mean(), 3),
    );
    if book > 0 {
        let _ = write!(text, ", {book} book");
    }
    if let Some(time) = summary.time {
        let _ = write!(text, ", {} thought", time_text(time));
    }
    if summary.trouble.count() > 0 {
        let (count, lost) = (summary.trouble.count(), summary.trouble.sum());
        let _ = write!(text, ", {lost:.2} points lost by {count} in time trouble");
    }
    text
}

/// The losses of the phases in which a side made judged moves.
fn by_phase(review: &Review, side: Color) -> String {
    let phases = Phase::ALL.into_iter().filter_map(|phase| {
        let steps = review.steps_of(side).filter(|step| Phase::of(&step.before) == phase);
        let loss = Summary::of(steps).loss;
        let moves = loss.count();
        loss.mean().map(|mean| format!("{} {} ({moves})", phase.word(), with_error(Some(mean), 3)))
    });
    phases.collect::<Vec<_>>().join(", ")
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
            &[("f3", 25, "e4"), ("e5", -30, "e5"), ("g4", -31_999, "e4"), ("Qh4#", -32_000, "Qh4")],
        );
        let text = describe(&review, None);
        assert!(text.starts_with("Game 1: A - B (unfinished)\n"), "{text}");
        assert!(text.contains("    1. f3          +0.25  +0.05 to +0.45"), "{text}");
        assert!(text.contains("    2. g4??          #-1"), "{text}");
        assert!(text.contains("better e4, blunder (100 % sure), walks into mate in 1\n"), "{text}");
        assert!(text.contains("  2... Qh4#         mate                      0.00\n"), "{text}");
        assert!(text.contains("White: 2 moves, ") && text.contains("1 ??"), "{text}");
        let black = "Black: 2 moves, accuracy 100 %, 0.000 points lost a move, 0 ?!, 0 ?, 0 ??, 0 unclear, 2 as the engine\n";
        assert!(text.contains(black), "{text}");
        assert!(text.contains("points lost a move: opening 0.000 (2)"), "{text}");
        assert!(
            text.ends_with("\n  2. g4?? walks into mate in 1; e4 keeps a level position\n"),
            "{text}"
        );
        let of_black = describe(&review, Player::new("B").as_ref());
        let (black, white) = (of_black.find("Black (B): 2 moves"), of_black.find("White: 2 moves"));
        assert!(black.is_some() && black < white, "{of_black}");
        assert!(!of_black.contains("What decided"), "{of_black}");
        let of_white = describe(&review, Player::new("A").as_ref());
        assert!(of_white.contains("\nWhat cost A most:\n  2. g4?? walks"), "{of_white}");
        assert_eq!(describe(&review, Player::new("Nobody").as_ref()), text);
    }
}
