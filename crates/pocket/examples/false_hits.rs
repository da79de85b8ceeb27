//! `false_hits [probes]`: how often the transposition table answers for another position.
//!
//! Random games are walked, with every legal move of every position tried, as a search does it.
//! Each position is looked up and then stored with a legal move of its own; its depth and score
//! are 20 bits of a hash that shares nothing with the engine's, so an answer for another position
//! shows. Half of the entries are upper bounds, which have no move, as in real searches.
#![expect(clippy::print_stdout, reason = "the figures are the point")]

use std::process::ExitCode;

use pocket::table::{BANK, Bank, Bound, Key};
use pocket::types::Move;
use pocket::{Board, Game, Pool, Setup};

/// A hash of the whole position that the engine does not know (FNV-1a, 64 bits).
fn witness(board: &Board) -> u64 {
    let state = [board.side(), board.castling(), board.en_passant()];
    let squares = (0..64u8).map(|i| board.at((i & 0x38) << 1 | i & 7));
    let mut hash = 0xCBF2_9CE4_8422_2325u64;
    for byte in squares.chain(state) {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
    }
    hash ^ hash >> 29
}

#[derive(Default)]
struct Counts {
    probes: u64,
    hits: u64,
    /// Answers for another position, and those of them whose move would have given it away.
    false_hits: u64,
    refused: u64,
}

struct Table {
    low: Box<Bank<BANK>>,
    high: Box<Bank<BANK>>,
    counts: Counts,
}

impl Table {
    fn visit(&mut self, game: &mut Game, best: Move) {
        let hash = witness(&game.board);
        let (depth, score) = ((hash & 63) as i8, (hash >> 6 & 0x3FFF) as i16);
        let (key, lock) = (game.board.key(), game.board.lock());
        let bank = if key & 0x8000_0000 == 0 { &mut self.low } else { &mut self.high };
        self.counts.probes += 1;
        if let Some(found) = bank.probe(key, lock, 0) {
            self.counts.hits += 1;
            if (found.depth, found.score) != (depth, score) {
                self.counts.false_hits += 1;
                let checked = game.board.in_check();
                let fits =
                    found.best == Move::NONE || game.board.is_legal_here(found.best, checked);
                self.counts.refused += u64::from(!fits);
            }
        }
        let (bound, best) =
            if hash >> 63 == 0 { (Bound::Lower, best) } else { (Bound::Upper, Move::NONE) };
        let search = (self.counts.probes >> 16) as u8;
        bank.store(Key { key, lock, search, ply: 0 }, depth, score, bound, best);
    }
}

fn main() -> ExitCode {
    let wanted = std::env::args().nth(1).unwrap_or_else(|| "1000000".into());
    let Ok(wanted) = wanted.parse::<u64>() else {
        println!("expected a number of probes, got '{wanted}'");
        return ExitCode::FAILURE;
    };
    let mut table = Table {
        low: Box::new(Bank::EMPTY),
        high: Box::new(Bank::EMPTY),
        counts: Counts::default(),
    };
    let mut game = Box::new(Game::ZERO);
    let (mut pool, mut random) = (Box::new(Pool::EMPTY), 1u32);
    while table.counts.probes < wanted {
        game.set(&Setup::START).expect("the start is a position");
        for _ in 0..200 {
            pool.clear();
            game.legal_moves(None, &mut pool);
            if pool.end() == 0 {
                break;
            }
            let moves: Vec<Move> = (0..pool.end()).map(|i| pool.get(i)).collect();
            for &m in &moves {
                let undo = game.make(m);
                pool.clear();
                game.legal_moves(None, &mut pool);
                if pool.end() > 0 {
                    let best = pool.get(random as u16 % pool.end());
                    table.visit(&mut game, best);
                }
                game.unmake(m, &undo);
            }
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            game.play(moves[(random >> 16) as usize % moves.len()]);
        }
    }
    let Counts { probes, hits, false_hits, refused } = table.counts;
    println!("probes {probes}");
    println!("hits {hits}");
    println!("for another position {false_hits}");
    println!("of these refused by their move {refused}");
    ExitCode::SUCCESS
}
