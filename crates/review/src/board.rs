//! A board as a picture, with the move that was played and the one that was better.
//!
//! The pieces are plain shapes of our own, so that a page needs no font and no other file.

use chess::{Board, Color, File, Move, Piece, Rank, Square};
use maud::{Markup, html};

use crate::markup::clean;

/// The side of a square in user units; the shapes below are drawn for it.
const SIDE: f64 = 45.0;

/// Colors of squares, pieces and arrows.
pub const STYLE: &str = include_str!("board.css");

/// The shapes, once for each page; boards refer to them.
pub fn shapes() -> Markup {
    html! {
        svg.shapes width="0" height="0" aria-hidden="true" {
            defs {
                @for piece in Piece::ALL {
                    path id={ "piece-" (piece.letter()) } d=(shape(piece)) {}
                }
            }
        }
    }
}

fn shape(piece: Piece) -> &'static str {
    match piece {
        Piece::Pawn => {
            "M22.5 9a5.6 5.6 0 0 1 3.4 10h2.6v3h-2.9c.3 4.6 2 7.7 4.9 10.2V38h-16v-5.8 \
             c2.9-2.5 4.6-5.6 4.9-10.2h-2.9v-3h2.6A5.6 5.6 0 0 1 22.5 9z"
        }
        Piece::Knight => {
            "M13 38h21c1.2-9.5 1-17.5-3-22.5-2.4-3-5.3-4.5-8-5L21.5 6 18 10.5 \
             c-4 2.6-6.5 7-8 12.5l2.7 4 3.6-.5 2.2-2.5c1.8 0 3.3-.4 4.8-1.3 \
             -.6 3.6-2.6 5.4-5 8.3-1.7 2.1-4.3 4.3-5.3 7z"
        }
        Piece::Bishop => {
            "M22.5 5a2.6 2.6 0 0 1 1.9 4.4c4.5 3.4 6.6 7.1 6.6 11.1 0 2.9-1.4 5.3-3.7 7.2 \
             l.9 3.8h4.3V38h-20v-6.5h4.3l.9-3.8C15.4 25.8 14 23.4 14 20.5c0-4 2.1-7.7 \
             6.6-11.1A2.6 2.6 0 0 1 22.5 5zM21.4 14v3.4H18v2.2h3.4V23h2.2v-3.4H27v-2.2 \
             h-3.4V14z"
        }
        Piece::Rook => {
            "M12 8.5h5V12h3.3V8.5h4.4V12H28V8.5h5V17l-3 3v10.5l3.5 3V38h-22v-4.5 \
             l3.5-3V20l-3-3z"
        }
        Piece::Queen => "M7.5 13.5l6.3 8.5 2.7-13 6 11.5 6-11.5 2.7 13 6.3-8.5-4.2 17.5v7H11.7v-7z",
        Piece::King => {
            "M21 5h3v3h3v3h-3v3.3c1.3.8 2.1 2 2.4 3.4 3-2.1 7.8-1.4 9.1 1.8 1.3 3.6 \
             -1 7.5-4.3 10V38H13.8v-8.5c-3.3-2.5-5.6-6.4-4.3-10 1.3-3.2 6.1-3.9 \
             9.1-1.8.3-1.4 1.1-2.6 2.4-3.4V11h-3V8h3z"
        }
    }
}

/// The position before a move, with an arrow for the move and one for a better one.
pub fn figure(board: &Board, name: &str, played: Move, better: Option<Move>) -> Markup {
    let size = 8.0 * SIDE;
    html! {
        svg.board viewBox={ "0 0 " (size) " " (size) } role="img" {
            title { (clean(name)) }
            desc { (board) }
            @for square in Square::all() {
                @let (x, y) = corner(square);
                @let dark = (square.file().index() + square.rank().index()) % 2 == 0;
                rect class=(if dark { "dark" } else { "light" }) x=(x) y=(y) width=(SIDE) height=(SIDE) {}
            }
            (coordinates())
            @for square in Square::all() {
                @if let Some((color, piece)) = board.color_at(square).zip(board.piece_at(square)) {
                    @let (x, y) = corner(square);
                    @let side = if color == Color::White { "white" } else { "black" };
                    use class=(side) href={ "#piece-" (piece.letter()) } x=(x) y=(y) {}
                }
            }
            @if let Some(mv) = better {
                (arrow("better", mv))
            }
            (arrow("played", played))
        }
    }
}

/// The upper left corner of a square; White is below.
fn corner(square: Square) -> (f64, f64) {
    (SIDE * square.file().index() as f64, SIDE * (7 - square.rank().index()) as f64)
}

fn coordinates() -> Markup {
    html! {
        @for (i, (file, rank)) in File::ALL.into_iter().zip(Rank::ALL).enumerate() {
            text x=(SIDE * (i + 1) as f64 - 7.0) y=(8.0 * SIDE - 3.0) { (file.letter()) }
            text x="2" y=(SIDE * (7 - i) as f64 + 11.0) { (rank.digit()) }
        }
    }
}

/// From the middle of one square to near the middle of another; castling points where the king goes.
fn arrow(class: &str, mv: Move) -> Markup {
    let middle = |square| {
        let (x, y) = corner(square);
        (x + SIDE / 2.0, y + SIDE / 2.0)
    };
    let ((x1, y1), (x2, y2)) = (middle(mv.from()), middle(mv.arrival()));
    let length = (x2 - x1).hypot(y2 - y1);
    if length == 0.0 {
        // In Chess960 a king may castle without moving.
        return html! { circle class=(class) cx=(x1) cy=(y1) r="20" {} };
    }
    let (dx, dy) = ((x2 - x1) / length, (y2 - y1) / length);
    // The head's base lies this far before its tip, and is twice as wide as half of it.
    let (head, half) = (15.0, 8.0);
    let (bx, by) = (x2 - head * dx, y2 - head * dy);
    let (left, right) = ((bx - half * dy, by + half * dx), (bx + half * dy, by - half * dx));
    let shaft = format!("M{x1:.1} {y1:.1}L{bx:.1} {by:.1}");
    let tip =
        format!("M{x2:.1} {y2:.1}L{:.1} {:.1}L{:.1} {:.1}Z", left.0, left.1, right.0, right.1);
    html! {
        g class=(class) {
            path.shaft d=(shaft) {}
            path d=(tip) {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_pieces_and_both_arrows_are_there() {
        let board = Board::default();
        let (played, better) = (board.parse_san("f3").unwrap(), board.parse_san("e4").unwrap());
        let text = figure(&board, "before 1. f3 & more", played, Some(better)).into_string();
        assert_eq!(text.matches("<use ").count(), 32);
        assert_eq!(text.matches("<rect ").count(), 64);
        assert!(text.contains("before 1. f3 &amp; more"));
        assert!(text.contains("<g class=\"better\">") && text.contains("<g class=\"played\">"));
        // White's king stands on e1, at the lower edge.
        assert!(text.contains("<use class=\"white\" href=\"#piece-k\" x=\"180\" y=\"315\">"));
    }

    #[test]
    fn a_king_that_castles_in_place_is_circled() {
        let board: Board = "4k3/8/8/8/8/8/8/6KR w H - 0 1".parse().unwrap();
        let mv = board.parse_san("O-O").unwrap();
        let text = figure(&board, "", mv, None).into_string();
        assert!(text.contains("<circle") && !text.contains("NaN"));
    }

    #[test]
    fn every_piece_has_a_shape() {
        let text = shapes().into_string();
        assert_eq!(text.matches("<path id=").count(), 6);
    }
}
