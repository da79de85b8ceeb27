//! Plausible moves: a bar for each move that a search by visits (the engine's option `MCTS`) came back
//! to, as long as its part of them, in text and as a picture.

use chess::{Board, Move};
use engine::Share;
use maud::{Markup, html};

use crate::position::COLUMNS;
use crate::review::Step;

/// Moves that are shown.
const MOST: usize = 12;
/// A move with a smaller part of the visits, in thousandths, is not plausible.
const LEAST: u16 = 5;

/// Places of a picture, in user units: its rows, where bars begin, and how long they can be.
const ROW: usize = 20;
const LEFT: usize = 72;
const LONGEST: usize = 160;
/// Room for the number behind a bar.
const NUMBER: usize = 58;

/// The moves that are shown, with their parts of the visits in thousandths.
pub(crate) fn shown(shares: &[Share]) -> impl Iterator<Item = (Move, u16)> {
    let rounded = shares.iter().map(|share| (share.mv, (1000.0 * share.part).round() as u16));
    rounded.filter(|&(_, part)| part >= LEAST).take(MOST)
}

/// The bars as text; nothing without visits.
pub(crate) fn text(board: &Board, shares: &[Share]) -> String {
    let bars = shown(shares).map(|(mv, part)| {
        let (san, percent) = (board.san(mv).to_string(), f32::from(part) / 10.0);
        let bar = "#".repeat((usize::from(part) * COLUMNS + 500) / 1000);
        format!("    {san:<7}{percent:>5.1} %  {bar}").trim_end().to_owned() + "\n"
    });
    let bars: String = bars.collect();
    if bars.is_empty() {
        bars
    } else {
        format!("\n    Plausible moves by their part of the visits:\n{bars}")
    }
}

/// A picture of the moves that were plausible in place of a move of the game; nothing without visits.
/// The move that was played stands out.
pub(crate) fn figure(step: &Step) -> Markup {
    let rows: Vec<(Move, u16)> = shown(&step.best.shares).collect();
    let (width, height) = (LEFT + LONGEST + NUMBER, ROW * rows.len());
    let name = |mv| step.before.san(mv).to_string();
    let percent = |part: u16| format!("{:.1} %", f32::from(part) / 10.0);
    let words: Vec<_> =
        rows.iter().map(|&(mv, part)| format!("{} {}", name(mv), percent(part))).collect();
    html! {
        @if !rows.is_empty() {
            svg.plausible viewBox={ "0 0 " (width) " " (height) } role="img" {
                title { "Plausible moves by their part of the visits" }
                desc { (words.join(", ")) }
                @for (row, &(mv, part)) in rows.iter().enumerate() {
                    @let length = (usize::from(part) * LONGEST).div_ceil(1000);
                    @let (top, base) = (row * ROW + 3, row * ROW + 15);
                    g class=[(mv == step.mv).then_some("played")] {
                        text.end x=(LEFT - 8) y=(base) { (name(mv)) }
                        rect x=(LEFT) y=(top) width=(length) height=(ROW - 6) rx="2" {}
                        text x=(LEFT + length + 6) y=(base) { (percent(part)) }
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::review::tests::fools_mate;

    fn shares(board: &Board, parts: &[(&str, f32)]) -> Vec<Share> {
        let share = |&(san, part)| Share { mv: board.parse_san(san).unwrap(), part };
        parts.iter().map(share).collect()
    }

    #[test]
    fn bars_are_as_long_as_parts_of_the_visits() {
        let board = Board::default();
        let shares = shares(&board, &[("e4", 0.5), ("Nf3", 0.25), ("a3", 0.001)]);
        let text = text(&board, &shares);
        let bars: Vec<_> = text.lines().skip(2).collect();
        assert_eq!(bars[0], format!("    e4      50.0 %  {}", "#".repeat(28)));
        assert!(bars[1].starts_with("    Nf3     25.0 %  ####") && bars.len() == 2, "{text}");
        assert_eq!(super::text(&board, &[]), "");
    }

    #[test]
    fn a_picture_has_a_bar_for_each_plausible_move() {
        let mut step = fools_mate("A").steps.swap_remove(2);
        assert_eq!(figure(&step).into_string(), "");
        step.best.shares = shares(&step.before, &[("e4", 0.75), ("g4", 0.2), ("a3", 0.001)]);
        let picture = figure(&step).into_string();
        assert_eq!(picture.matches("<rect").count(), 2);
        assert!(picture.contains("width=\"120\"") && picture.contains("width=\"32\""), "{picture}");
        assert!(picture.contains("<desc>e4 75.0 %, g4 20.0 %</desc>"), "{picture}");
        assert_eq!(picture.matches("class=\"played\"").count(), 1, "{picture}");
    }
}
