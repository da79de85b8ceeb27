//! `cargo bench -p brier-chess`: how fast the parts are that search and perft are made of.
//!
//! Each figure is for one pass over all of [`POSITIONS`], so that no position's peculiarities
//! decide; the throughput column counts what the pass produced.

use chess::{Board, Move, MoveList, perft};
use divan::counter::ItemsCount;
use divan::{Bencher, black_box};

/// An opening, two middlegames, checks, promotions, endgames, and Chess960.
const POSITIONS: [&str; 8] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "nrbkqbrn/pppppppp/8/8/8/8/PPPPPPPP/NRBKQBRN w GBgb - 0 1",
];

fn main() {
    divan::main();
}

fn boards() -> Vec<Board> {
    POSITIONS.iter().map(|fen| fen.parse().expect("a legal position")).collect()
}

fn moves() -> Vec<(Board, Move)> {
    let boards = boards();
    let moves = boards.iter().flat_map(|board| {
        board.legal_moves().iter().map(|&mv| (board.clone(), mv)).collect::<Vec<_>>()
    });
    moves.collect()
}

#[divan::bench]
fn generate_all(bencher: Bencher<'_, '_>) {
    let boards = boards();
    bencher.counter(ItemsCount::new(moves().len())).bench_local(|| {
        for board in &boards {
            black_box(black_box(board).legal_moves());
        }
    });
}

#[divan::bench]
fn generate_noisy(bencher: Bencher<'_, '_>) {
    let boards = boards();
    bencher.counter(ItemsCount::new(boards.len())).bench_local(|| {
        for board in &boards {
            let mut list = MoveList::new();
            black_box(board).noisy_moves(&mut list);
            black_box(list);
        }
    });
}

#[divan::bench]
fn check_legality(bencher: Bencher<'_, '_>) {
    let moves = moves();
    bencher.counter(ItemsCount::new(moves.len())).bench_local(|| {
        for (board, mv) in &moves {
            black_box(board.is_legal(black_box(*mv)));
        }
    });
}

#[divan::bench]
fn copy_and_make(bencher: Bencher<'_, '_>) {
    let moves = moves();
    bencher.counter(ItemsCount::new(moves.len())).bench_local(|| {
        for (board, mv) in &moves {
            let next = board.after(black_box(*mv));
            black_box(next);
        }
    });
}

#[divan::bench]
fn exchange(bencher: Bencher<'_, '_>) {
    let moves = moves();
    bencher.counter(ItemsCount::new(moves.len())).bench_local(|| {
        for (board, mv) in &moves {
            black_box(board.see_at_least(black_box(*mv), 0));
        }
    });
}

#[divan::bench]
fn read_fen(bencher: Bencher<'_, '_>) {
    bencher.counter(ItemsCount::new(POSITIONS.len())).bench_local(|| {
        for fen in POSITIONS {
            black_box(black_box(fen).parse::<Board>()).expect("a legal position");
        }
    });
}

#[divan::bench]
fn write_fen(bencher: Bencher<'_, '_>) {
    let boards = boards();
    bencher.counter(ItemsCount::new(boards.len())).bench_local(|| {
        for board in &boards {
            black_box(black_box(board).to_string());
        }
    });
}

#[divan::bench]
fn perft_four(bencher: Bencher<'_, '_>) {
    let board = Board::default();
    bencher.counter(ItemsCount::new(197_281u64)).bench_local(|| perft(black_box(&board), 4));
}
