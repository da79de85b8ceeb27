//! Many positions at once, on all cores.

use std::thread;

use chess::{Board, Color, Piece, Square};
use engine::Source;
use eval::Evaluator;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::position;

/// Positions for one thread at least; fewer are not worth starting one for.
const LEAST_SHARE: usize = 256;

/// Positions that are sorted together: enough to find alike ones, and few megabytes.
const BLOCK: usize = 16_384;

/// Bytes of five quantiles.
const ROW: usize = 20;

/// Five quantiles of each position as 32-bit integers in the machine's order of bytes.
#[pyfunction]
pub(crate) fn evaluate<'py>(
    py: Python<'py>,
    fens: Vec<String>,
    threads: usize,
    eval_file: &str,
) -> PyResult<Bound<'py, PyBytes>> {
    let source = Source::from_option(eval_file)
        .map_err(|error| PyValueError::new_err(format!("{eval_file}: {error}")))?;
    let threads = threads.clamp(1, fens.len().div_ceil(LEAST_SHARE).max(1));
    let share = fens.len().div_ceil(threads).max(1);
    let rows = py.detach(|| {
        thread::scope(|scope| {
            let source = &source;
            let workers: Vec<_> = fens
                .chunks(share)
                .enumerate()
                .map(|(n, fens)| scope.spawn(move || rows(source, fens, n * share)))
                .collect();
            let join = |worker: thread::ScopedJoinHandle<'_, _>| {
                worker.join().unwrap_or_else(|_| Err("a thread ended early".to_owned()))
            };
            workers.into_iter().map(join).collect::<Result<Vec<Vec<u8>>, String>>()
        })
    });
    Ok(PyBytes::new(py, &rows.map_err(PyValueError::new_err)?.concat()))
}

/// The rows of some positions, the first of which has the number `first`.
fn rows(source: &Source, fens: &[String], first: usize) -> Result<Vec<u8>, String> {
    let mut evaluator = source.evaluator();
    let mut bytes = vec![0; fens.len() * ROW];
    let blocks = fens.chunks(BLOCK).zip(bytes.chunks_mut(BLOCK * ROW));
    for (number, (fens, bytes)) in blocks.enumerate() {
        let read = |(n, fen): (usize, &String)| {
            let place = first + number * BLOCK + n;
            position::board(fen).map_err(|error| format!("position {place}: {error}"))
        };
        let boards: Vec<Board> = fens.iter().enumerate().map(read).collect::<Result<_, _>>()?;
        let mut order: Vec<usize> = (0..boards.len()).collect();
        order.sort_unstable_by_key(|&n| likeness(&boards[n]));
        for n in order {
            evaluator.reset(&boards[n]);
            let row = evaluator.evaluate(&boards[n]).to_array().map(i32::to_ne_bytes);
            bytes[n * ROW..][..ROW].copy_from_slice(row.as_flattened());
        }
    }
    Ok(bytes)
}

/// A number that is near for positions that the network sees alike: its inputs depend on the
/// kings, and pawns stay where they are for long. It carries its sums from one position to the
/// next, and the weights for the same kings are still in the processor's cache.
fn likeness(board: &Board) -> (Square, Square, u64) {
    (board.king(Color::White), board.king(Color::Black), board.kind(Piece::Pawn).0)
}
