//! The engine as a host sees it: a game, thinking, pondering. No clock, no callbacks, no C.
//!
//! [`Engine`] is the whole state except the two banks of the table, which the caller passes in.
//! Pondering leaves the game in the middle of a line, so every other function first ends it.

use crate::board::Undo;
use crate::book;
use crate::game::{Game, Status};
use crate::search::{Outcome, Progress, Search};
use crate::setup::{Setup, SetupError};
use crate::table::Bank;
use crate::types::{Move, NO_SQUARE, Piece, Square};

/// How many nodes are searched between two questions to the host. The slowest host does about
/// 350 a second, so it is asked twenty times a second.
pub const PORTION: u32 = 16;

/// What bounds a search; zero means no bound.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// The deepest iteration.
    pub depth: u8,
    /// The number of nodes.
    pub nodes: u32,
}

/// What the engine is doing between calls.
#[derive(Clone, Copy)]
enum Ponder {
    Off,
    /// Searching the position as it is.
    Here,
    /// Searching what follows an expected move.
    After(Move, Undo),
}

/// Everything but the table.
pub struct Engine {
    game: Game,
    search: Search,
    ponder: Ponder,
    /// The strength, 1 to 10; 0 is full strength.
    level: u8,
    random: u32,
    ready: bool,
}

impl Engine {
    /// Zeroed memory; the first call makes it a game from the start.
    pub const ZERO: Engine = Engine {
        game: Game::ZERO,
        search: Search::EMPTY,
        ponder: Ponder::Off,
        level: 0,
        random: 0,
        ready: false,
    };

    /// Begins a game from the start and forgets the last one.
    pub fn new_game<const N: usize>(&mut self, low: &mut Bank<N>, high: &mut Bank<N>) {
        self.ponder_stop();
        self.search.clear();
        low.clear();
        high.clear();
        // The start is always a possible position.
        let _ = self.game.set(&Setup::START);
        self.ready = true;
    }

    /// Makes sure that there is a position and nobody is in the middle of a line.
    fn settle(&mut self) {
        self.ponder_stop();
        if !self.ready {
            let _ = self.game.set(&Setup::START);
            self.ready = true;
        }
    }

    /// Sets up a position, or says why not and keeps the old one.
    pub fn set_position(&mut self, setup: &Setup) -> Result<(), SetupError> {
        self.settle();
        self.game.set(setup)
    }

    /// The game, settled: for reading, and for hosts in Rust.
    pub fn game(&mut self) -> &mut Game {
        self.settle();
        &mut self.game
    }

    /// Finds the legal moves of one square, or all; read them with [`Engine::listed`].
    pub fn list_moves(&mut self, from: Option<Square>) -> u8 {
        self.settle();
        self.search.pool.clear();
        self.game.legal_moves(from, &mut self.search.pool);
        // No position has more than 218.
        self.search.pool.end() as u8
    }

    /// Move number `i` of the last [`Engine::list_moves`].
    pub fn listed(&self, i: u8) -> Move {
        self.search.pool.get(i as u16)
    }

    /// The legal move between two squares. `promotion` is the piece a pawn becomes: if [`None`]
    /// any will do, [`Some`]`(0)` means that the move must not promote.
    pub fn find(&mut self, from: Square, to: Square, promotion: Option<Piece>) -> Option<Move> {
        if (from | to) & 0x88 != 0 {
            return None;
        }
        let count = self.list_moves(Some(from));
        (0..count).map(|i| self.listed(i)).find(|m| {
            let becomes = if m.is_promotion() { m.promotion() } else { 0 };
            m.to() == to && promotion.is_none_or(|p| p == becomes)
        })
    }

    /// Plays a legal move, as [`Engine::find`] returns it, and returns how the game stands.
    pub fn play(&mut self, m: Move) -> Status {
        self.settle();
        self.game.play(m);
        self.status()
    }

    /// How the game stands.
    pub fn status(&mut self) -> Status {
        self.settle();
        self.search.pool.clear();
        self.game.status(&mut self.search.pool)
    }

    /// Counts the leaves of the tree of legal moves.
    pub fn perft(&mut self, depth: u8) -> u32 {
        self.settle();
        self.search.pool.clear();
        self.game.perft(depth, &mut self.search.pool)
    }

    /// Sets the strength: 1 to 10, or 0 for all there is. More than 10 is 10.
    pub fn set_level(&mut self, level: u8) {
        self.level = level.min(crate::level::LEVELS);
    }

    /// Sets what the noise of the levels and the choice of openings start from.
    pub fn set_seed(&mut self, seed: u32) {
        self.random = seed;
    }

    /// Thinks about the position until a limit is met or `pause` returns true, which is asked
    /// every [`PORTION`] nodes. Without any limit, only `pause` ends it. With the feature `book`
    /// a known opening is answered at once, with depth 0.
    pub fn think<const N: usize>(
        &mut self,
        banks: (&mut Bank<N>, &mut Bank<N>),
        limits: Limits,
        mut pause: impl FnMut() -> bool,
    ) -> Outcome {
        self.settle();
        if let Some(best) = book::probe(&mut self.game.board, &mut self.random) {
            return Outcome { best, score: 0, depth: 0, nodes: 0 };
        }
        if self.level != 0 {
            let Engine { game, search, level, random, .. } = self;
            return search.choose(game, banks, *level, random, pause);
        }
        let (low, high) = banks;
        let max_nodes = if limits.nodes == 0 { u32::MAX } else { limits.nodes };
        self.search.begin(&mut self.game, limits.depth);
        loop {
            let left = max_nodes - self.search.outcome().nodes;
            let progress = self.search.run(&mut self.game, low, high, PORTION.min(left));
            if progress == Progress::Finished || left <= PORTION || pause() {
                break;
            }
        }
        self.search.stop(&mut self.game);
        self.search.outcome()
    }

    /// What the last search found.
    pub fn outcome(&self) -> Outcome {
        self.search.outcome()
    }

    /// Begins to ponder what follows the other side's expected move; an impossible one means
    /// pondering about the position as it is.
    pub fn ponder_begin(&mut self, expected: Option<Move>) {
        self.settle();
        self.ponder = match expected {
            Some(m) => Ponder::After(m, self.game.make(m)),
            None => Ponder::Here,
        };
        self.search.begin(&mut self.game, 0);
    }

    /// Ponders exactly `nodes` nodes more, unless the search comes to its end before.
    pub fn ponder_step<const N: usize>(
        &mut self,
        low: &mut Bank<N>,
        high: &mut Bank<N>,
        nodes: u32,
    ) -> Progress {
        match self.ponder {
            Ponder::Off => Progress::Finished,
            _ => self.search.run(&mut self.game, low, high, nodes),
        }
    }

    /// Ends pondering. What was found stays in the table.
    pub fn ponder_stop(&mut self) {
        if let Ponder::Off = self.ponder {
            return;
        }
        self.search.stop(&mut self.game);
        if let Ponder::After(m, undo) = self.ponder {
            self.game.unmake(m, &undo);
        }
        self.ponder = Ponder::Off;
    }

    /// The move that the table thinks the side to move will play, for [`Engine::ponder_begin`].
    pub fn expected_move<const N: usize>(
        &mut self,
        low: &mut Bank<N>,
        high: &mut Bank<N>,
    ) -> Option<Move> {
        self.settle();
        let board = &mut self.game.board;
        let bank = if board.key() & 0x8000_0000 == 0 { low } else { high };
        let m = bank.probe(board.key(), board.lock(), 0)?.best;
        let checked = board.in_check();
        (board.is_pseudo_legal(m) && board.is_legal(m, checked)).then_some(m)
    }

    /// The castling rook's way and the pawn taken in passing that go with a move, as squares;
    /// [`NO_SQUARE`] where there is none: rook from, rook to, pawn.
    pub fn effects(m: Move) -> [Square; 3] {
        let mut effects = [NO_SQUARE; 3];
        if m.is_castle() {
            (effects[0], effects[1]) = Move::rook_squares(m.to());
        } else if m.is_en_passant() {
            effects[2] = m.victim_square();
        }
        effects
    }
}
