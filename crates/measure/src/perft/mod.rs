//! Counting the leaves of the move tree: subtrees shared out among threads.
//!
//! The positions two half-moves from the root are the portions of work: enough of them to keep
//! all threads busy to the end and to show progress, few enough that sharing costs nothing.

mod table;

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use chess::{Board, Move, perft};

pub use self::table::Table;

/// How far the count has come.
#[derive(Clone, Copy)]
pub struct Progress {
    /// Portions counted.
    pub done: u64,
    /// Portions in all.
    pub total: u64,
    /// Leaves counted.
    pub nodes: u64,
}

/// A subtree to be counted, and the root move it belongs to.
struct Portion {
    root_move: usize,
    board: Board,
    depth: u32,
}

/// The number of leaves below each legal move. `report` is called now and then.
pub fn divide(
    board: &Board,
    depth: u32,
    threads: NonZeroUsize,
    table: Option<&Table>,
    report: &mut dyn FnMut(Progress),
) -> Vec<(Move, u64)> {
    let moves = board.legal_moves();
    let mut counts: Vec<(Move, u64)> = moves.iter().map(|&mv| (mv, 0)).collect();
    let portions = portions(board, &moves, depth);
    let next = AtomicUsize::new(0);
    let (sender, receiver) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..threads.get().min(portions.len()) {
            let sender = sender.clone();
            scope.spawn(|| {
                let sender = sender;
                while let Some(portion) = portions.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let nodes = count(&portion.board, portion.depth, table);
                    // Nobody listens any more only if the listener panicked.
                    let _ = sender.send((portion.root_move, nodes));
                }
            });
        }
        drop(sender);
        let mut progress = Progress { done: 0, total: portions.len() as u64, nodes: 0 };
        loop {
            match receiver.recv_timeout(Duration::from_millis(100)) {
                Ok((root_move, nodes)) => {
                    counts[root_move].1 += nodes;
                    progress.done += 1;
                    progress.nodes += nodes;
                }
                Err(mpsc::RecvTimeoutError::Timeout) => {}
                Err(mpsc::RecvTimeoutError::Disconnected) => break,
            }
            report(progress);
        }
    });
    counts
}

/// Like [`perft`], but looks at the flag between small subtrees; none if it was set.
pub fn count_until(board: &Board, depth: u32, stop: &AtomicBool) -> Option<u64> {
    const SMALL: u32 = 3;
    if stop.load(Ordering::Relaxed) {
        return None;
    }
    if depth <= SMALL {
        return Some(perft(board, depth));
    }
    let moves = board.legal_moves();
    moves.iter().map(|&mv| count_until(&board.after(mv), depth - 1, stop)).sum()
}

fn portions(board: &Board, moves: &[Move], depth: u32) -> Vec<Portion> {
    let mut portions = Vec::new();
    for (root_move, &mv) in moves.iter().enumerate() {
        let child = board.after(mv);
        match depth {
            0 => {}
            1 | 2 => portions.push(Portion { root_move, board: child, depth: depth - 1 }),
            _ => portions.extend(child.legal_moves().iter().map(|&reply| Portion {
                root_move,
                board: child.after(reply),
                depth: depth - 2,
            })),
        }
    }
    portions
}

fn count(board: &Board, depth: u32, table: Option<&Table>) -> u64 {
    match table {
        Some(table) => count_with(board, depth, table),
        None => perft(board, depth),
    }
}

/// Like [`perft`], but looks up what was counted before.
fn count_with(board: &Board, depth: u32, table: &Table) -> u64 {
    if depth < 2 {
        return perft(board, depth);
    }
    if let Some(nodes) = table.get(board.key(), depth) {
        return nodes;
    }
    let nodes =
        board.legal_moves().iter().map(|&mv| count_with(&board.after(mv), depth - 1, table)).sum();
    table.put(board.key(), depth, nodes);
    nodes
}

#[cfg(test)]
mod tests {
    use super::*;

    const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

    fn total(depth: u32, threads: usize, table: Option<&Table>) -> u64 {
        let board = KIWIPETE.parse().expect("a legal position");
        let threads = NonZeroUsize::new(threads).expect("some threads");
        divide(&board, depth, threads, table, &mut |_| {}).iter().map(|(_, nodes)| nodes).sum()
    }

    #[test]
    fn threads_and_table_change_nothing() {
        for (depth, leaves) in [(1, 48), (2, 2039), (3, 97_862), (4, 4_085_603)] {
            assert_eq!(total(depth, 1, None), leaves);
            assert_eq!(total(depth, 3, None), leaves);
            // One megabyte is small enough that entries are overwritten.
            let table = Table::with_megabytes(1).expect("one megabyte");
            assert_eq!(total(depth, 1, table.as_ref()), leaves);
            assert_eq!(total(depth, 3, table.as_ref()), leaves);
        }
    }

    #[test]
    fn a_count_that_is_not_stopped_is_whole() {
        let board: Board = KIWIPETE.parse().expect("a legal position");
        assert_eq!(count_until(&board, 4, &AtomicBool::new(false)), Some(4_085_603));
        assert_eq!(count_until(&Board::default(), 30, &AtomicBool::new(true)), None);
    }

    #[test]
    fn progress_reaches_the_end() {
        let mut last = None;
        let board = Board::default();
        divide(&board, 3, NonZeroUsize::MIN, None, &mut |progress| last = Some(progress));
        let last = last.expect("a report");
        assert_eq!((last.done, last.total, last.nodes), (400, 400, 8902));
    }

    #[test]
    fn a_mated_side_has_no_leaves() {
        let board = "R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1".parse().expect("a legal position");
        assert!(divide(&board, 3, NonZeroUsize::MIN, None, &mut |_| {}).is_empty());
    }
}
