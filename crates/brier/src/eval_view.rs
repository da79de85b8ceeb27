//! The command `eval`: what the evaluation thinks of a board, without any search.

use std::fmt::Write;

use chess::{Board, Color, File, Piece, Rank, Setup, Square};
use eval::{Quantiles, Score};

/// The five quantiles as a chart, and what each piece is worth to its owner.
pub(crate) fn describe(board: &Board, evaluate: impl Fn(&Board) -> Quantiles) -> String {
    let doubt = evaluate(board);
    let mut text = chart(board, &doubt);
    text.push_str(
        "\n\nwhat each piece adds for its owner: the evaluation with it less without it\n",
    );
    text.push_str(&piece_values(board, doubt.q50, |other| evaluate(other).q50));
    text
}

fn chart(board: &Board, doubt: &Quantiles) -> String {
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

/// A board of values; a piece without which the position would be illegal has none.
fn piece_values(board: &Board, score: Score, evaluate: impl Fn(&Board) -> Score) -> String {
    const EDGE: &str = "  +-------+-------+-------+-------+-------+-------+-------+-------+\n";
    let mut text = EDGE.to_owned();
    for rank in Rank::ALL.into_iter().rev() {
        let mut values = String::from("  |");
        text.push(rank.digit());
        text.push_str(" |");
        for file in File::ALL {
            let square = Square::new(file, rank);
            let piece = board.color_at(square).zip(board.piece_at(square));
            let letter = piece.map_or(' ', |(color, piece)| piece.fen_letter(color));
            let value = without(board, square).map(|other| {
                let difference = score - evaluate(&other);
                let ours = board.color_at(square) == Some(board.side_to_move());
                pawns(if ours { difference } else { -difference })
            });
            let _ = write!(text, "   {letter}   |");
            let _ = write!(values, "{:^7}|", value.unwrap_or_default());
        }
        let _ = writeln!(text, "\n{values}");
        text.push_str(EDGE);
    }
    text.push_str("      a       b       c       d       e       f       g       h");
    text
}

/// The board without the piece on a square; none if it is a king or the rest is not legal.
fn without(board: &Board, gone: Square) -> Option<Board> {
    board.piece_at(gone).filter(|&piece| piece != Piece::King)?;
    let mut setup = Setup::EMPTY;
    for file in File::ALL {
        for rank in Rank::ALL {
            let square = Square::new(file, rank);
            setup.squares[square.index()] =
                board.color_at(square).zip(board.piece_at(square)).filter(|_| square != gone);
        }
    }
    setup.side = board.side_to_move();
    for (color, wing, file) in board.castling().iter() {
        if board.castling().rook_square(color, wing) != Some(gone) {
            setup.castling.set(color, wing, Some(file));
        }
    }
    setup.halfmove_clock = board.halfmove_clock();
    setup.fullmove_number = board.fullmove_number();
    Board::from_setup(&setup).ok()
}

fn pawns(score: Score) -> String {
    format!("{:+.2}", f64::from(score) / 100.0)
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
            let text = describe(&fen.parse().unwrap(), material);
            assert_eq!(text.matches(&rook).count(), 2, "{text}");
        }
    }

    #[test]
    fn a_piece_that_shields_the_king_from_an_illegal_check_has_no_value() {
        let board: Board = "4k3/8/4n3/8/8/8/8/4R1K1 w - - 0 1".parse().unwrap();
        let knight = board.kind(Piece::Knight).into_iter().next().unwrap();
        assert!(without(&board, knight).is_none());
    }
}
