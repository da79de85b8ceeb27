//! The best lines of one position as text, with a picture of each band and of the plausible moves.

use std::fmt::Write;

use chess::{Board, Color, Move};
use engine::Position;
use eval::Quantiles;

use crate::plausible;
use crate::searcher::{Line, Searcher};
use crate::verdict::{Verdict, pawns};

/// Columns of a picture.
pub(crate) const COLUMNS: usize = 56;
/// Moves of a line that are shown.
const SHOWN: usize = 10;

/// Searches a position and shows what came out.
pub fn describe(board: &Board, searcher: &mut Searcher, count: usize) -> String {
    match board.has_legal_move() {
        true => text(board, &searcher.lines(&Position::new(board.clone()), count)),
        false => text(board, &[]),
    }
}

/// The best lines of a position that was searched; none if the game is over.
pub fn text(board: &Board, lines: &[Line]) -> String {
    let Some(best) = lines.first() else {
        let end = if board.in_check() { "checkmate" } else { "stalemate" };
        return format!("{board}\nthe game is over: {end}");
    };
    let depth = best.depth;
    let mut text =
        format!("{board}\ndepth {depth}, scores in pawns and expected points for White\n");
    let scale = Scale::new(lines);
    for (i, line) in lines.iter().enumerate() {
        let Verdict { score, .. } = line.verdict;
        let points = line.verdict.points(board);
        let moves = moves_text(board, &line.moves);
        let _ = write!(text, "\n{:>2}. {:>7}  {points:.2} points  {moves}\n", i + 1, pawns(score));
        if let (Some(scale), Some(band)) = (&scale, line.verdict.band_text()) {
            let _ = writeln!(text, "    |{}|  {band}", scale.picture(&line.verdict.band));
        }
    }
    if let Some(scale) = scale {
        let (low, high) = (pawns(scale.low), pawns(scale.high));
        let _ = write!(text, "\n    {low:<width$}{high}\n", width = COLUMNS + 2 - high.len());
        text.push_str("    - q10 to q90, = q25 to q75, O the score, : zero\n");
    }
    text.push_str(&plausible::text(board, &best.shares));
    text.trim_end().to_owned()
}

/// A line in SAN with numbers.
pub fn moves_text(board: &Board, moves: &[Move]) -> String {
    let mut board = board.clone();
    let mut words = Vec::new();
    for &mv in moves.iter().take(SHOWN) {
        if words.is_empty() || board.side_to_move() == Color::White {
            words.push(pgn::move_number(&board));
        }
        words.push(board.san(mv).to_string());
        board.make_move(mv, &mut ());
    }
    words.join(" ")
}

/// The same pawns to columns for all lines, so that they can be compared.
struct Scale {
    low: i32,
    high: i32,
}

impl Scale {
    /// From the lowest q10 to the highest q90; none if nothing is in doubt.
    fn new(lines: &[Line]) -> Option<Self> {
        let bands = || lines.iter().map(|line| line.verdict.band).filter(|b| b.uncertainty() > 0);
        let low = bands().map(|band| band.q10).min()?;
        let high = bands().map(|band| band.q90).max()?;
        Some(Self { low, high })
    }

    fn column(&self, score: i32) -> usize {
        let width = (self.high - self.low).max(1);
        ((score - self.low).clamp(0, width) * (COLUMNS as i32 - 1) / width) as usize
    }

    fn picture(&self, band: &Quantiles) -> String {
        let mut cells = [' '; COLUMNS];
        if (self.low..=self.high).contains(&0) {
            cells[self.column(0)] = ':';
        }
        let [q10, q25, q50, q75, q90] = band.to_array().map(|score| self.column(score));
        cells[q10..=q90].fill('-');
        cells[q25..=q75].fill('=');
        cells[q50] = 'O';
        cells.iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_share_a_scale() {
        let scale = Scale { low: -100, high: 100 };
        let band = Quantiles::from_gaps(0, [50, 50, 25, 25]);
        let picture = scale.picture(&band);
        assert_eq!(picture.len(), COLUMNS);
        assert!(picture.starts_with("----") && picture.contains('O') && picture.ends_with(' '));
        assert_eq!(picture.find('O'), Some(scale.column(0)));
        assert!(scale.picture(&Quantiles::from_gaps(60, [5, 5, 5, 5])).contains(':'));
    }

    #[test]
    fn shows_as_many_lines_as_asked_for() {
        let mut searcher = Searcher::test(500);
        let text = describe(&Board::default(), &mut searcher, 2);
        assert!(text.contains("\n 1. ") && text.contains("\n 2. ") && !text.contains("\n 3. "));
        assert!(text.matches('O').count() >= 2, "{text}");
    }

    #[test]
    fn a_game_that_is_over_has_no_lines() {
        let mut searcher = Searcher::test(1);
        let mate = "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1".parse().unwrap();
        assert!(describe(&mate, &mut searcher, 3).ends_with("checkmate"));
    }

    #[test]
    fn lines_have_numbers() {
        let board: Board = "4k3/8/8/8/8/8/8/4K2R b K - 0 7".parse().unwrap();
        let black = board.parse_san("Kd7").unwrap();
        let next = board.after(black);
        let moves = [black, next.parse_san("O-O").unwrap()];
        assert_eq!(moves_text(&board, &moves), "7... Kd7 8. O-O");
    }
}
