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

/// Pairs of neighbours that are looked at to find an order.
const SAMPLE: usize = 64;

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
///
/// The network carries its sums from one position to the next, so neighbours should be alike. Those of
/// a game are; others are taken in the order of their texts.
fn rows(source: &Source, fens: &[String], first: usize) -> Result<Vec<u8>, String> {
    let mut order: Vec<usize> = (0..fens.len()).collect();
    let mut sorted = order.clone();
    sorted.sort_unstable_by_key(|&n| fens[n].as_str());
    if likeness(fens, &sorted) > likeness(fens, &order) {
        order = sorted;
    }
    let mut evaluator = source.evaluator();
    let mut bytes = vec![0; fens.len() * ROW];
    let mut faults = Vec::new();
    for n in order {
        match position::board(&fens[n]) {
            Ok(board) => {
                evaluator.reset(&board);
                let row = evaluator.evaluate(&board).to_array().map(i32::to_ne_bytes);
                bytes[n * ROW..][..ROW].copy_from_slice(row.as_flattened());
            }
            Err(error) => faults.push((n, error)),
        }
    }
    match faults.into_iter().min_by_key(|(n, _)| *n) {
        Some((n, error)) => Err(format!("position {}: {error}", first + n)),
        None => Ok(bytes),
    }
}

/// How many ranks some neighbours have in common.
fn likeness(fens: &[String], order: &[usize]) -> usize {
    let step = (order.len() / SAMPLE).max(1);
    let ranks = |n: usize| fens[n].split(['/', ' ']).take(8);
    let equal = |pair: &[usize]| ranks(pair[0]).zip(ranks(pair[1])).filter(|(a, b)| a == b).count();
    order.windows(2).step_by(step).map(equal).sum()
}
