//! Boards for people at a terminal: the position itself, and what the evaluation thinks of it
//! without any search.

use std::fmt::Write;

use chess::{Board, Color, File, Piece, Rank, Square};
use eval::{Quantiles, Score};

use crate::verdict::pawns;

/// The five quantiles as a chart, and what each piece is worth to its owner.
pub fn evaluation(board: &Board, evaluate: impl Fn(&Board) -> Quantiles) -> String {
    let quantiles = evaluate(board);
    let mut text = chart(board, &quantiles);
    text.push_str(
        "\n\nwhat each piece adds for its owner: the evaluation with it less without it\n",
    );
    text.push_str(&piece_values(board, quantiles.q50, |other| evaluate(other).q50));
    text
}

fn chart(board: &Board, quantiles: &Quantiles) -> String {
    let side = match board.side_to_move() {
        Color::White => "White",
        Color::Black => "Black",
    };
    let mut text = format!("evaluation without a search, in pawns, for {side} (to move)\n");
    if board.in_check() {
        text.push_str("the king is in check: the search would look further\n");
    }
    if quantiles.uncertainty() == 0 {
        let _ = write!(text, "{} (this evaluator has no doubts)", pawns(quantiles.q50));
        return text;
    }
    const COLUMNS: i32 = 48;
    let (low, width) = (quantiles.q10, quantiles.uncertainty());
    for (name, score) in ["q10", "q25", "q50", "q75", "q90"].iter().zip(quantiles.to_array()) {
        let column = ((score - low) * COLUMNS / width) as usize;
        let _ = writeln!(text, "{name} {:>7}  {:column$}*", pawns(score), "");
    }
    text.trim_end().to_owned()
}

/// A board of values; a piece without which the position would be illegal has none.
fn piece_values(board: &Board, score: Score, evaluate: impl Fn(&Board) -> Score) -> String {
    let value = |square| {
        let difference = score - evaluate(&without(board, square)?);
        let ours = board.color_at(square) == Some(board.side_to_move());
        Some(pawns(if ours { difference } else { -difference }))
    };
    grid(7, |square| {
        let letter = format!("{:^7}", letter(board, square));
        vec![letter, format!("{:^7}", value(square).unwrap_or_default())]
    })
}

/// The board as a picture, with what cannot be seen on it.
pub fn board(board: &Board, chess960: bool) -> String {
    let mut text = grid(3, |square| vec![format!("{:^3}", letter(board, square))]);
    text.push_str("\n\n");
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

fn letter(board: &Board, square: Square) -> char {
    let piece = board.color_at(square).zip(board.piece_at(square));
    piece.map_or(' ', |(color, piece)| piece.fen_letter(color))
}

/// A board of cells of some width, with the lines of each.
fn grid(width: usize, cell: impl Fn(Square) -> Vec<String>) -> String {
    let edge = format!("  {}+\n", format!("+{:-<width$}", "").repeat(8));
    let mut text = edge.clone();
    for rank in Rank::ALL.into_iter().rev() {
        let cells = File::ALL.map(|file| cell(Square::new(file, rank)));
        for line in 0..cells[0].len() {
            let margin = if line == 0 { rank.digit() } else { ' ' };
            let cells = cells.each_ref().map(|cell| format!("|{}", cell[line])).concat();
            let _ = writeln!(text, "{margin} {cells}|");
        }
        text.push_str(&edge);
    }
    let files = File::ALL.map(|file| format!(" {:^width$}", file.letter())).concat();
    text + "  " + files.trim_end()
}

/// The board without the piece on a square; none if it is a king or the rest is not legal.
fn without(board: &Board, gone: Square) -> Option<Board> {
    board.piece_at(gone).filter(|&piece| piece != Piece::King)?;
    let mut setup = board.to_setup();
    setup.squares[gone.index()] = None;
    setup.en_passant = None;
    for (color, wing, _) in board.castling().iter() {
        if board.castling().rook_square(color, wing) == Some(gone) {
            setup.castling.set(color, wing, None);
        }
    }
    Board::from_setup(&setup).ok()
}

#[cfg(test)]
mod tests {
    use eval::{Evaluator, Material};

    use super::*;

    fn material(board: &Board) -> Quantiles {
        Material.evaluate(board)
    }

    #[test]
    fn a_sure_evaluation_is_one_number() {
        let text = chart(&Board::default(), &Quantiles::certain(-35));
        assert!(text.contains("-0.35") && !text.contains("q10"));
    }

    #[test]
    fn a_doubtful_evaluation_is_a_chart() {
        let text = chart(&Board::default(), &Quantiles::from_gaps(10, [20, 30, 20, 10]));
        let stars: Vec<_> = text.lines().filter_map(|line| line.find('*')).collect();
        assert_eq!(stars.len(), 5);
        assert!(stars.is_sorted());
        assert!(text.contains("q10   -0.40") && text.contains("q90   +0.40"));
    }

    /// With an evaluator that only counts, a piece adds what it counts, for either side.
    #[test]
    fn a_piece_adds_what_it_is_worth() {
        let rook = pawns(chess::see_value(Piece::Rook));
        for side in ["w", "b"] {
            let fen = format!("r3k3/8/8/8/8/8/8/4K2R {side} Kq - 0 1");
            let text = evaluation(&fen.parse().unwrap(), material);
            assert_eq!(text.matches(&rook).count(), 2, "{text}");
        }
    }

    #[test]
    fn a_piece_that_shields_the_king_from_an_illegal_check_has_no_value() {
        let board: Board = "4k3/8/4n3/8/8/8/8/4R1K1 w - - 0 1".parse().unwrap();
        let knight = board.kind(Piece::Knight).into_iter().next().unwrap();
        assert!(without(&board, knight).is_none());
    }

    #[test]
    fn the_picture_has_all_pieces_in_place() {
        let fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        let text = board(&fen.parse().unwrap(), false);
        assert!(text.contains("8 | r |   |   |   | k |   |   | r |\n"));
        assert!(text.contains("1 | R |   |   |   | K |   |   | R |\n"));
        assert!(text.contains("    a   b   c   d   e   f   g   h\n"));
        assert!(text.contains(fen) && text.ends_with("26"));
        assert!(board(&fen.parse().unwrap(), true).contains("HAha"));
    }
}
