//! From texts to positions; what cannot be read is a `ValueError` that says why.

use chess::{Board, Move};
use engine::Position;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// A board from a FEN, or from the word `startpos`.
pub(crate) fn board(fen: &str) -> Result<Board, String> {
    match fen {
        "startpos" => Ok(Board::default()),
        _ => fen.parse().map_err(|error| format!("expected a FEN, got {fen:?}: {error}")),
    }
}

/// A position after moves in UCI notation.
pub(crate) fn position(fen: &str, moves: &[String]) -> PyResult<Position> {
    let mut position = Position::new(board(fen).map_err(PyValueError::new_err)?);
    for text in moves {
        position.play(legal_move(position.board(), text)?);
    }
    Ok(position)
}

/// A legal move from UCI notation.
pub(crate) fn legal_move(board: &Board, text: &str) -> PyResult<Move> {
    board.parse_uci(text).map_err(|error| {
        PyValueError::new_err(format!("expected a legal move, got {text:?}: {error}"))
    })
}
