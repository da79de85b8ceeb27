//! Positions to test on, and the processors to do it with.

use chess::Board;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Are the long tests wanted? `cargo xtask test --full` says so.
pub(crate) fn full_tests() -> bool {
    std::env::var_os("BRIER_FULL_TESTS").is_some_and(|value| value == "1")
}

/// A position with its number of leaves per depth.
pub(crate) struct PerftCase {
    pub(crate) fen: String,
    /// (depth, leaves), shallow first.
    pub(crate) counts: Vec<(u32, u64)>,
}

impl PerftCase {
    pub(crate) fn board(&self) -> Board {
        self.fen.parse().unwrap_or_else(|error| panic!("{}: {error}", self.fen))
    }
}

/// Reads a file of `testdata/perft`; its form is described in `testdata/README.md`.
pub(crate) fn perft_file(name: &str) -> Vec<PerftCase> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/perft").join(name);
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{name}: {error}"));
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    // Miri has the time for some positions of each file.
    let most = if cfg!(miri) { 10 } else { usize::MAX };
    let cases: Vec<PerftCase> = lines.take(most).map(read_case).collect();
    assert!(!cases.is_empty(), "{name} holds no position");
    cases
}

fn read_case(line: &str) -> PerftCase {
    let mut fields = line.split(';').map(str::trim);
    let fen = fields.next().unwrap_or_default().to_owned();
    let counts = fields
        .map(|field| {
            let (depth, leaves) = field.strip_prefix('D')?.split_once(' ')?;
            Some((depth.parse().ok()?, leaves.trim().parse().ok()?))
        })
        .collect::<Option<Vec<_>>>()
        .unwrap_or_else(|| panic!("expected fields like `D1 20`, got `{line}`"));
    assert!(!counts.is_empty(), "no count in `{line}`");
    PerftCase { fen, counts }
}

/// Calls `work` for every item, on all processors.
pub(crate) fn for_each_parallel<T: Sync>(items: &[T], work: impl Fn(&T) + Sync) {
    let next = AtomicUsize::new(0);
    let workers = thread::available_parallelism().map_or(1, |count| count.get());
    thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                while let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) {
                    work(item);
                }
            });
        }
    });
}

/// Visits every node of small trees below the tricky positions of both kinds of chess.
pub(crate) fn walk_tricky_positions(depth: u32, visit: impl Fn(&Board) + Sync) {
    for file in ["tricky.epd", "tricky-chess960.epd"] {
        for_each_parallel(&perft_file(file), |case| walk(&case.board(), depth, &visit));
    }
}

/// Calls `visit` for every position of the move tree down to `depth` half-moves.
fn walk(board: &Board, depth: u32, visit: &impl Fn(&Board)) {
    visit(board);
    if depth > 0 {
        for mv in &board.legal_moves() {
            walk(&board.after(mv), depth - 1, visit);
        }
    }
}
