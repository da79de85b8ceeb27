//! Accumulators that follow moves equal those built from nothing, at every node.

use std::sync::Arc;

use chess::{Board, Rng};
use eval::Evaluator;
use nnue::{Network, Nnue};

/// Walks the whole tree, judging at every node.
fn walk(nnue: &mut Nnue, network: &Network, board: &Board, depth: usize, nodes: &mut u64) {
    *nodes += 1;
    let expected = network.evaluate(simd::kernels(), board);
    assert_eq!(nnue.evaluate(board), expected, "{board}");
    if depth == 0 {
        return;
    }
    for mv in &board.legal_moves() {
        let mut next = board.clone();
        nnue.push();
        next.make_move(mv, nnue);
        walk(nnue, network, &next, depth - 1, nodes);
        nnue.pop();
    }
}

#[test]
fn every_node_of_a_perft_equals_a_refresh() {
    let network = Network::default_net();
    let mut nodes = 0;
    for (fen, depth) in [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 3),
        ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 2),
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 4),
        ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 3),
        // Chess960: the king castles over its own rook.
        ("1rqbkrbn/1ppppp1p/1n6/p1N3p1/8/2P4P/PP1PPPP1/1RQBKRBN w FBfb - 0 9", 2),
    ] {
        let board: Board = fen.parse().unwrap();
        let mut nnue = Nnue::new(Arc::clone(&network), simd::kernels(), &board);
        walk(&mut nnue, &network, &board, depth, &mut nodes);
    }
    assert!(nodes > 40_000, "only {nodes} nodes");
}

/// The 960 back ranks are numbered; any permutation with the king between the rooks will do here.
fn chess960_start(rng: &mut Rng) -> Board {
    loop {
        let mut rank: Vec<char> = "rnbqkbnr".chars().collect();
        rng.shuffle(&mut rank);
        let at = |piece| rank.iter().positions(piece);
        let (rooks, bishops, king) = (at('r'), at('b'), at('k')[0]);
        if rooks[0] < king && king < rooks[1] && (bishops[0] + bishops[1]) % 2 == 1 {
            let black: String = rank.iter().collect();
            let white = black.to_uppercase();
            let file = |i: usize| (b'a' + i as u8) as char;
            let rights = format!("{}{}", file(rooks[0]), file(rooks[1]));
            let fen = format!(
                "{black}/pppppppp/8/8/8/8/PPPPPPPP/{white} w {}{rights} - 0 1",
                rights.to_uppercase()
            );
            return fen.parse().unwrap();
        }
    }
}

/// Where an iterator shows an item.
trait Positions<'a>: Iterator<Item = &'a char> + Sized {
    fn positions(self, wanted: char) -> Vec<usize> {
        self.enumerate().filter(|(_, c)| **c == wanted).map(|(i, _)| i).collect()
    }
}

impl<'a, I: Iterator<Item = &'a char>> Positions<'a> for I {}

#[test]
fn a_thousand_random_games_equal_refreshes() {
    let network = Network::default_net();
    let mut rng = Rng::new(1);
    for game in 0..1000 {
        let mut board = if game % 2 == 0 { Board::default() } else { chess960_start(&mut rng) };
        let mut nnue = Nnue::new(Arc::clone(&network), simd::kernels(), &board);
        for _ in 0..120 {
            let Some(&mv) = rng.pick(&board.legal_moves()) else { break };
            nnue.push();
            board.make_move(mv, &mut nnue);
            // Judge only now and then, so that several moves are carried forward at once.
            if rng.below(4) == 0 {
                let expected = network.evaluate(simd::kernels(), &board);
                assert_eq!(nnue.evaluate(&board), expected, "game {game}: {board}");
            }
            // Sometimes a move is tried and taken back, or the evaluator starts afresh.
            if rng.below(8) == 0
                && let Some(&mv) = rng.pick(&board.legal_moves())
            {
                let mut next = board.clone();
                nnue.push();
                next.make_move(mv, &mut nnue);
                let expected = network.evaluate(simd::kernels(), &next);
                assert_eq!(nnue.evaluate(&next), expected, "game {game}: {next}");
                nnue.pop();
            }
            if rng.below(64) == 0 {
                nnue.reset(&board);
            }
        }
    }
}
