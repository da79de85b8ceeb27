//! How many evaluations a second, from nothing and move by move.

use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

use chess::Board;
use eval::Evaluator;
use simd::Kernels;

use crate::arch::FT;
use crate::evaluator::Nnue;
use crate::network::Network;

/// Positions to judge: opening, middlegames, endgames.
const POSITIONS: [&str; 6] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1BQ1RK1 w - - 0 9",
    "2r2rk1/1b3ppp/pq2pn2/1p6/3N4/1PN1P3/P4PPP/2RQ1RK1 b - - 2 18",
    "8/5pk1/3p2p1/1p1Pp2p/1P2P3/3B1PP1/5K1P/1q1R4 w - - 0 40",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
];

/// Evaluations per second of one table of kernels.
#[derive(Clone, Copy, Debug)]
pub struct Speed {
    /// Name of the table.
    pub kernels: &'static str,
    /// Both accumulators from nothing, then the dense layers.
    pub full: f64,
    /// Make a move, follow it, judge, take it back.
    pub incremental: f64,
    /// One accumulator from nothing.
    pub refresh: f64,
    /// One accumulator from that of the move before.
    pub update: f64,
    /// The dense layers alone.
    pub forward: f64,
}

/// Measures a table for about five times `each`.
pub fn measure(network: &Arc<Network>, kernels: &'static Kernels, each: Duration) -> Speed {
    let boards: Vec<Board> = POSITIONS.iter().filter_map(|fen| fen.parse().ok()).collect();
    let full = rate(each, || {
        for board in &boards {
            black_box(network.evaluate(kernels, black_box(board)));
        }
        boards.len()
    });
    let mut nnue = Nnue::new(Arc::clone(network), kernels, &boards[0]);
    let incremental = rate(each, || {
        let mut count = 0;
        for board in &boards {
            nnue.reset(board);
            black_box(nnue.evaluate(board));
            for mv in &board.legal_moves() {
                nnue.push();
                let mut next = board.clone();
                next.make_move(mv, &mut nnue);
                black_box(nnue.evaluate(&next));
                nnue.pop();
                count += 1;
            }
        }
        count
    });

    let (mut lanes, mut other) = (simd::Aligned::new(FT), simd::Aligned::new(FT));
    let inputs: Vec<u32> = (0..24).map(|i| i * 97 % 3000).collect();
    let refresh = rate(each, || {
        (kernels.nnue.update)(
            &mut lanes,
            &network.ft_biases,
            &network.ft_weights,
            black_box(&inputs),
            &[],
        );
        black_box(&mut lanes);
        1
    });
    let update = rate(each, || {
        (kernels.nnue.update)(
            &mut other,
            &lanes,
            &network.ft_weights,
            black_box(&inputs[..1]),
            black_box(&inputs[1..2]),
        );
        black_box(&mut other);
        1
    });
    let forward = rate(each, || {
        black_box(network.judge(kernels, black_box(&lanes), black_box(&other), 24));
        1
    });
    Speed { kernels: kernels.name, full, incremental, refresh, update, forward }
}

/// Runs work until the time is over; `work` says how much it has done.
fn rate(each: Duration, mut work: impl FnMut() -> usize) -> f64 {
    let began = Instant::now();
    let mut done = 0;
    while began.elapsed() < each {
        for _ in 0..16 {
            done += work();
        }
    }
    done as f64 / began.elapsed().as_secs_f64()
}
