//! From the PGN reader's moves to ours.

use chess::{Board, File, Move, Piece, Rank, Square};
use pgn_reader::shakmaty::san::San;
use pgn_reader::shakmaty::{CastlingSide, Role};

/// The one legal move a SAN can mean here; none if there is none or more than one.
pub(crate) fn to_move(board: &Board, san: San) -> Option<Move> {
    let moves = board.legal_moves();
    let mut fitting = moves.iter().copied().filter(|&mv| fits(board, mv, san));
    let mv = fitting.next()?;
    fitting.next().is_none().then_some(mv)
}

/// A word of a variation: SAN, or UCI as some engines give it.
pub(crate) fn word_to_move(board: &Board, word: &str) -> Option<Move> {
    match San::from_ascii(word.as_bytes()).ok().and_then(|san| to_move(board, san)) {
        Some(mv) => Some(mv),
        None => board.parse_uci(word).ok(),
    }
}

fn fits(board: &Board, mv: Move, san: San) -> bool {
    match san {
        San::Castle(side) => {
            mv.is_castling() && (mv.to() > mv.from()) == (side == CastlingSide::KingSide)
        }
        San::Normal { role, file, rank, to, promotion, .. } => {
            !mv.is_castling()
                && mv.to() == Square::from_index(usize::from(to))
                && board.piece_at(mv.from()) == Some(piece(role))
                && mv.promoted() == promotion.map(piece)
                && file.is_none_or(|file| mv.from().file() == File::ALL[usize::from(file)])
                && rank.is_none_or(|rank| mv.from().rank() == Rank::ALL[usize::from(rank)])
        }
        San::Put { .. } | San::Null => false,
    }
}

fn piece(role: Role) -> Piece {
    match role {
        Role::Pawn => Piece::Pawn,
        Role::Knight => Piece::Knight,
        Role::Bishop => Piece::Bishop,
        Role::Rook => Piece::Rook,
        Role::Queen => Piece::Queen,
        Role::King => Piece::King,
    }
}
