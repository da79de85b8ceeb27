//! Static exchange evaluation against a plain minimax over the captures on one square.
//!
//! The engine's version answers "at least this much?" without computing the value; this one
//! computes the value and knows no shortcut. Both capture with the cheapest piece first and, of
//! two equal ones, with the one on the lower square; which of the two is better can depend on
//! what stands behind them, and neither looks.

use crate::random::random_game;
use crate::support::{for_each_parallel, perft_file};
use chess::{Bitboard, Board, Color, Move, MoveKind, Piece, Rng, Square, see_value};

#[test]
fn thresholds_agree_with_minimax() {
    for file in ["standard.epd", "chess960.epd"] {
        for_each_parallel(&perft_file(file), |case| {
            let mut rng = Rng::new(case.counts[0].1);
            random_game(&case.board(), &mut rng, |board, _| {
                for mv in &board.legal_moves() {
                    check(board, mv);
                }
            });
        });
    }
}

fn check(board: &Board, mv: Move) {
    let value = exchange_value(board, mv);
    for threshold in [value - 1, value, value + 1, -100, 0, 1, 100] {
        assert_eq!(
            board.see_at_least(mv, threshold),
            value >= threshold,
            "{mv} in {board}: worth {value}, asked for {threshold}"
        );
    }
}

/// What the exchanges win for the side that moves, if each side may stop at any time.
fn exchange_value(board: &Board, mv: Move) -> i32 {
    let (from, to) = (mv.from(), mv.to());
    let victim = board.piece_at(to).map_or(0, see_value);
    let mut occupied = (board.occupied() ^ from.bitboard()) | to.bitboard();
    let (gain, standing) = match mv.kind() {
        MoveKind::Castling => return 0,
        MoveKind::EnPassant => {
            occupied ^= to.forward(!board.side_to_move()).bitboard();
            (see_value(Piece::Pawn), Piece::Pawn)
        }
        MoveKind::Promotion(piece) => (victim + see_value(piece) - see_value(Piece::Pawn), piece),
        MoveKind::Normal => (victim, board.piece_at(from).expect("a legal move moves a piece")),
    };
    gain - best_reply(board, to, standing, !board.side_to_move(), occupied)
}

/// The best that `side` gets by capturing `standing` on the square, or 0 by leaving it.
fn best_reply(board: &Board, to: Square, standing: Piece, side: Color, occupied: Bitboard) -> i32 {
    let attackers = board.attackers(to, occupied) & occupied;
    let ours = attackers & board.color(side);
    let theirs = attackers & board.color(!side);
    let cheapest = Piece::ALL
        .into_iter()
        .find_map(|piece| Some((piece, (ours & board.kind(piece)).into_iter().next()?)));
    let Some((piece, from)) = cheapest else { return 0 };
    if piece == Piece::King && theirs.any() {
        return 0;
    }
    let rest = occupied ^ from.bitboard();
    (see_value(standing) - best_reply(board, to, piece, !side, rest)).max(0)
}
