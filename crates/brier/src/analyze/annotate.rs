//! A reviewed game as PGN: scores as `[%eval]`, marks as NAGs, better lines as variations.

use chess::{Board, Color, Move};

use super::marks::Mark;
use super::review::{Review, Step};
use super::verdict::pawns;

/// PGN's export format has lines shorter than this.
const LINE: usize = 80;
/// Half-moves of a better line that are kept.
const VARIATION: usize = 10;
/// The tags that every game must have, in their order.
const ROSTER: [&str; 7] = ["Event", "Site", "Date", "Round", "White", "Black", "Result"];

/// The whole game, which ends with a line's end.
pub(super) fn game(review: &Review) -> String {
    let game = &review.game;
    let mut text = String::new();
    let find = |name: &str| game.tags.iter().find(|(tag, _)| tag == name).map(|(_, v)| v.as_str());
    for name in ROSTER {
        let unknown = match name {
            "Date" => "????.??.??",
            "Result" => &game.result,
            _ => "?",
        };
        tag(&mut text, name, find(name).unwrap_or(unknown));
    }
    for (name, value) in game.tags.iter().filter(|(name, _)| !ROSTER.contains(&name.as_str())) {
        tag(&mut text, name, value);
    }
    text.push('\n');
    let mut words = Words { text, column: 0 };
    words.comment(&game.preface);
    // Black's move needs its number after anything but White's move.
    let mut interrupted = true;
    for (step, played) in review.steps.iter().zip(&game.moves) {
        words.mv(&step.before, step.mv, interrupted);
        if let Some(nag) = step.mark.nag() {
            words.word(&format!("${nag}"));
        }
        let comment = comment(step, &played.comment);
        words.comment(&comment);
        let has_variation = step.mark != Mark::Fine;
        if has_variation {
            words.variation(&step.before, &step.best.moves);
        }
        interrupted = has_variation || !comment.is_empty();
    }
    words.word(&game.result);
    words.text.push('\n');
    words.text
}

fn tag(text: &mut String, name: &str, value: &str) {
    let value = value.replace('\\', "\\\\").replace('"', "\\\"");
    text.push_str(&format!("[{name} \"{value}\"]\n"));
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
    let kept = without_scores(before);
    if !kept.is_empty() {
        parts.push(kept);
    }
    parts.join(" ")
}

/// A comment without the `[%eval …]` of another engine.
fn without_scores(comment: &str) -> String {
    let mut kept = String::new();
    let mut rest = comment;
    while let Some(start) = rest.find("[%eval") {
        let Some(length) = rest[start..].find(']') else { break };
        kept.push_str(&rest[..start]);
        rest = &rest[start + length + 1..];
    }
    kept.push_str(rest);
    kept.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Movetext, broken into lines.
struct Words {
    text: String,
    column: usize,
}

impl Words {
    fn word(&mut self, word: &str) {
        let length = word.chars().count();
        if self.column > 0 && self.column + 1 + length >= LINE {
            self.text.push('\n');
            self.column = 0;
        } else if self.column > 0 {
            self.text.push(' ');
            self.column += 1;
        }
        self.text.push_str(word);
        self.column += length;
    }

    fn mv(&mut self, board: &Board, mv: Move, numbered: bool) {
        if numbered || board.side_to_move() == Color::White {
            self.word(&super::move_number(board));
        }
        self.word(&board.san(mv).to_string());
    }

    fn comment(&mut self, comment: &str) {
        if comment.is_empty() {
            return;
        }
        // A command in brackets is one word: readers need not look for its end on the next line.
        let mut words = comment.replace("[%eval ", "[%eval\u{a0}");
        words.insert_str(0, "{ ");
        words.push_str(" }");
        for word in words.split(' ') {
            self.word(&word.replace('\u{a0}', " "));
        }
    }

    fn variation(&mut self, board: &Board, line: &[Move]) {
        let mut board = board.clone();
        self.word("(");
        for (i, &mv) in line.iter().take(VARIATION).enumerate() {
            self.mv(&board, mv, i == 0);
            board.make_move(mv, &mut ());
        }
        self.word(")");
    }
}

#[cfg(test)]
mod tests {
    use super::super::games;
    use super::super::review::tests::review;
    use super::*;

    #[test]
    fn writes_what_a_reader_reads() {
        let start: Board = "4k3/8/8/8/8/8/8/4K2R b K - 0 7".parse().unwrap();
        let mut review = review(
            &start,
            &[("White", "A \"B\" \\ <C>"), ("FEN", &start.to_string()), ("SetUp", "1")],
            &[("Kd7", 500, "Kd7"), ("Rh7+", -30, "O-O"), ("Kd6", 31_995, "Ke6")],
        );
        review.game.moves[0].comment = "slow [%eval 0.1] [%clk 0:01:00]".to_owned();
        let text = game(&review);
        assert!(text.starts_with("[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n"), "{text}");
        assert!(text.contains("[White \"A \\\"B\\\" \\\\ <C>\"]\n"), "{text}");
        assert!(
            text.contains("7... Kd7 { [%eval 5.00] slow [%clk 0:01:00] } 8. Rh7+ $4 {"),
            "{text}"
        );
        assert!(text.contains("( 8. O-O )") && text.ends_with(" *\n"), "{text}");
        assert!(text.contains("8... Kd6 $4 { [%eval #3]"), "{text}");
        assert!(text.lines().all(|line| line.len() < LINE), "{text}");

        let path = std::env::temp_dir().join(format!("brier-annotate-{}.pgn", std::process::id()));
        std::fs::write(&path, &text).unwrap();
        let again = games::read(&path).unwrap().swap_remove(0).unwrap();
        std::fs::remove_file(&path).unwrap();
        let moves = |game: &games::Game| game.moves.iter().map(|p| p.mv).collect::<Vec<_>>();
        assert_eq!(moves(&again), moves(&review.game));
        assert_eq!((&again.start, again.tag("White")), (&start, review.game.tag("White")));
    }

    #[test]
    fn scores_of_others_go_and_the_rest_stays() {
        assert_eq!(without_scores("[%eval 1.0] good [%eval 2,5]"), "good");
        assert_eq!(without_scores("[%eval"), "[%eval");
        assert_eq!(without_scores(""), "");
    }
}
