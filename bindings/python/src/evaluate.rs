//! Many positions at once, on all cores.

use std::thread;

use engine::Source;
use eval::Evaluator;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::position;

/// Positions for one thread at least; fewer are not worth starting one for.
const LEAST_SHARE: usize = 256;

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
    let mut bytes = Vec::with_capacity(fens.len() * 20);
    for (n, fen) in fens.iter().enumerate() {
        let board =
            position::board(fen).map_err(|error| format!("position {}: {error}", first + n))?;
        evaluator.reset(&board);
        for quantile in evaluator.evaluate(&board).to_array() {
            bytes.extend_from_slice(&quantile.to_ne_bytes());
        }
    }
    Ok(bytes)
}
