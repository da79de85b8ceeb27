//! The six positions of the classic perft suite, from the engine's own generator; and that
//! taking back a move restores every byte.

use pocket::{Game, Pool, fen};

const POSITIONS: [(&str, &[u32]); 6] = [
    (
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        &[20, 400, 8_902, 197_281, 4_865_609],
    ),
    (
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        &[48, 2_039, 97_862, 4_085_603],
    ),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", &[14, 191, 2_812, 43_238, 674_624]),
    (
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        &[6, 264, 9_467, 422_333, 15_833_292],
    ),
    ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", &[44, 1_486, 62_379, 2_103_487]),
    (
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        &[46, 2_079, 89_890, 3_894_594],
    ),
];

fn game(text: &str) -> Game {
    let mut game = Game::ZERO;
    game.set(&fen::parse(text.as_bytes()).expect(text)).expect(text);
    game
}

/// How deep trees are counted, and walked with comparisons. Miri has time for less.
const DEPTHS: (usize, u8) = if cfg!(miri) { (2, 1) } else { (usize::MAX, 3) };

#[test]
fn leaf_counts_are_the_known_ones() {
    let mut pool = Pool::EMPTY;
    for (text, counts) in POSITIONS {
        let mut game = game(text);
        for (i, &count) in counts.iter().enumerate().take(DEPTHS.0) {
            assert_eq!(game.perft(i as u8 + 1, &mut pool), count, "depth {} of {text}", i + 1);
        }
    }
    assert!(!pool.overflowed());
}

/// Walks the tree and compares the whole position before and after each move.
fn walk(game: &mut Game, depth: u8, pool: &mut Pool) {
    let start = pool.end();
    game.legal_moves(None, pool);
    for i in start..pool.end() {
        let m = pool.get(i);
        let before = game.board.clone();
        let undo = game.make(m);
        assert!(game.board.is_consistent(), "{m:?}");
        if depth > 1 {
            walk(game, depth - 1, pool);
        }
        game.unmake(m, &undo);
        assert_eq!(game.board, before, "{m:?}");
    }
    pool.truncate(start);
}

#[test]
fn taking_back_restores_every_byte() {
    let mut pool = Pool::EMPTY;
    for (text, _) in POSITIONS {
        walk(&mut game(text), DEPTHS.1, &mut pool);
    }
}
