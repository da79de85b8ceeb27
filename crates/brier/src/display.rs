//! The commands `d`, `eval` and `help`: text for people at a terminal.

use std::fmt::Write;

use chess::{Board, Color, File, Rank, Square};
use eval::{Quantiles, Score};

/// The board as a picture, with what cannot be seen on it.
pub(crate) fn board(board: &Board, chess960: bool) -> String {
    const EDGE: &str = "  +---+---+---+---+---+---+---+---+\n";
    let mut text = EDGE.to_owned();
    for rank in Rank::ALL.into_iter().rev() {
        text.push(rank.digit());
        for file in File::ALL {
            let square = Square::new(file, rank);
            let piece = board.color_at(square).zip(board.piece_at(square));
            let letter = piece.map_or(' ', |(color, piece)| piece.fen_letter(color));
            text.push_str(" | ");
            text.push(letter);
        }
        text.push_str(" |\n");
        text.push_str(EDGE);
    }
    text.push_str("    a   b   c   d   e   f   g   h\n\n");
    let fen = if chess960 { board.shredder_fen().to_string() } else { board.to_string() };
    let checkers: Vec<_> = board.checkers().into_iter().map(|s| s.to_string()).collect();
    let checkers = if checkers.is_empty() { "none".to_owned() } else { checkers.join(" ") };
    let rows = [
        ("fen", fen),
        ("key", format!("{:016x}", board.key())),
        ("checkers", checkers),
        ("legal moves", board.legal_moves().len().to_string()),
    ];
    for (name, value) in rows {
        let _ = writeln!(text, "{name:<12} {value}");
    }
    text.trim_end().to_owned()
}

/// The evaluation's five quantiles, in pawns, for the side to move, as a small chart.
pub(crate) fn evaluation(board: &Board, doubt: &Quantiles) -> String {
    let side = match board.side_to_move() {
        Color::White => "White",
        Color::Black => "Black",
    };
    let mut text = format!("evaluation without a search, in pawns, for {side} (to move)\n");
    if board.in_check() {
        text.push_str("the king is in check: the search would look further\n");
    }
    if doubt.uncertainty() == 0 {
        let _ = write!(text, "{} (this evaluator has no doubts)", pawns(doubt.q50));
        return text;
    }
    const COLUMNS: i32 = 48;
    let (low, width) = (doubt.q10, doubt.uncertainty());
    for (name, score) in ["q10", "q25", "q50", "q75", "q90"].iter().zip(doubt.to_array()) {
        let column = ((score - low) * COLUMNS / width) as usize;
        let _ = writeln!(text, "{name} {:>7}  {:column$}*", pawns(score), "");
    }
    text.trim_end().to_owned()
}

fn pawns(score: Score) -> String {
    format!("{:+.2}", f64::from(score) / 100.0)
}

/// All commands in a few lines.
pub(crate) const HELP: &str = "\
The protocol's commands (docs/uci.md has the details):
  uci                              lists name and options, then says uciok
  isready                          answers readyok, also during a search
  setoption name N [value V]       sets an option
  ucinewgame                       forgets the last game
  position startpos|fen F [moves M…]
  go [depth N] [nodes N] [movetime MS] [wtime MS btime MS winc MS binc MS movestogo N]
     [mate N] [infinite] [ponder] [searchmoves M…] [perft N]
  stop, ponderhit, debug on|off, register, quit
Our own:
  d                                shows the board
  eval                             shows the evaluation of the board without a search
  bench [depth] [threads] [hash]   searches fixed positions
  bench nn                         measures the evaluation alone
  help                             shows this
Try: position startpos moves e2e4, then go movetime 1000";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_picture_has_all_pieces_in_place() {
        let fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        let text = board(&fen.parse().unwrap(), false);
        assert!(text.contains("8 | r |   |   |   | k |   |   | r |\n"));
        assert!(text.contains("1 | R |   |   |   | K |   |   | R |\n"));
        assert!(text.contains(fen) && text.ends_with("26"));
        assert!(board(&fen.parse().unwrap(), true).contains("HAha"));
    }

    #[test]
    fn a_sure_evaluation_is_one_number() {
        let text = evaluation(&Board::default(), &Quantiles::certain(-35));
        assert!(text.contains("-0.35") && !text.contains("q10"));
    }

    #[test]
    fn a_doubtful_evaluation_is_a_chart() {
        let text = evaluation(&Board::default(), &Quantiles::from_gaps(10, [20, 30, 20, 10]));
        let stars: Vec<_> = text.lines().filter_map(|line| line.find('*')).collect();
        assert_eq!(stars.len(), 5);
        assert!(stars.is_sorted());
        assert!(text.contains("q10   -0.40") && text.contains("q90   +0.40"));
    }
}
