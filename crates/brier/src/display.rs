//! The commands `d` and `help`: text for people at a terminal.

use std::fmt::Write;

use chess::{Board, File, Rank, Square};

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
  bench policy                     measures the root policy
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
}
