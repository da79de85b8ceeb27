//! A game in progress: the position and the keys of the positions before it, which tell
//! repetitions, and the rules by which a game ends.

use crate::board::{Board, Undo};
use crate::movegen::Wanted;
use crate::pool::Pool;
use crate::setup::{Setup, SetupError};
use crate::types::{BISHOP, BLACK, Move, Side, Square, WHITE, kind};

/// How many earlier keys are kept. Only the moves since the last capture or pawn move matter,
/// a hundred at most while the game lasts, and the search's own line comes on top.
pub const KEYS: usize = 256;

/// The longest line the search may follow.
pub const MAX_PLY: usize = 64;

/// How a position stands in the game; the numbers are those of `engine.h`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Status {
    /// The game goes on.
    Normal = 0,
    /// The game goes on and the side to move is in check.
    Check = 1,
    /// The side to move has lost.
    Checkmate = 2,
    /// The side to move cannot move and is not in check.
    Stalemate = 3,
    /// A hundred half-moves without capture or pawn move.
    FiftyMoves = 4,
    /// The position stands for the third time.
    Repetition = 5,
    /// Nobody can ever give mate.
    Material = 6,
}

/// A position with its past.
pub struct Game {
    /// The position.
    pub board: Board,
    keys: [u32; KEYS],
    /// How many keys are known; the newest is that of the position before the current one.
    known: u16,
}

impl Game {
    /// A game whose memory is all zero; call [`Game::set`] before anything else.
    pub const ZERO: Game = Game { board: Board::ZERO, keys: [0; KEYS], known: 0 };

    /// Begins at a position, with no past.
    pub fn set(&mut self, setup: &Setup) -> Result<(), SetupError> {
        self.board.set(setup)?;
        self.known = 0;
        Ok(())
    }

    /// Makes a pseudo-legal move inside a line that will be taken back.
    #[inline(always)]
    pub fn make(&mut self, m: Move) -> Undo {
        self.remember();
        self.board.make(m)
    }

    /// [`Game::make`] that writes where the caller keeps it.
    #[inline(always)]
    pub fn make_into(&mut self, m: Move, undo: &mut Undo) {
        self.remember();
        self.board.make_into(m, undo);
    }

    /// Takes back the last [`Game::make`].
    #[inline(always)]
    pub fn unmake(&mut self, m: Move, undo: &Undo) {
        let key = self.recall();
        self.board.unmake(m, undo, key);
    }

    /// Lets the other side move twice.
    pub fn make_null(&mut self) -> Undo {
        self.remember();
        self.board.make_null()
    }

    /// Takes back the last [`Game::make_null`].
    pub fn unmake_null(&mut self, undo: &Undo) {
        let key = self.recall();
        self.board.unmake_null(undo, key);
    }

    #[inline(always)]
    fn remember(&mut self) {
        self.keys[self.known as usize & (KEYS - 1)] = self.board.key();
        self.known += 1;
    }

    #[inline(always)]
    fn recall(&mut self) -> u32 {
        self.known -= 1;
        self.keys[self.known as usize & (KEYS - 1)]
    }

    /// Plays a legal move for good. Keys that can matter no more are forgotten.
    pub fn play(&mut self, m: Move) {
        self.make(m);
        if self.board.halfmove() == 0 {
            self.known = 0;
        }
        // Room for the search's line; only a host that plays on after fifty moves gets here.
        const HALF: usize = KEYS / 2;
        if self.known as usize >= KEYS - MAX_PLY - 1 {
            let (old, new) = self.keys.split_at_mut(HALF);
            old.copy_from_slice(new);
            self.known -= HALF as u16;
        }
    }

    /// How often the current position stood before, in the moves that can repeat it.
    pub fn repetitions(&self) -> u8 {
        let key = self.board.key();
        let reversible = (self.board.halfmove() as u16).min(self.known);
        let mut back = 4;
        let mut times = 0;
        while back <= reversible {
            if self.keys[(self.known - back) as usize & (KEYS - 1)] == key {
                times += 1;
            }
            back += 2;
        }
        times
    }

    /// A draw inside the search: fifty moves, one repetition, or too little material. Mate on
    /// the hundredth half-move is left to the caller.
    pub fn is_draw(&self) -> bool {
        let halfmove = self.board.halfmove();
        halfmove >= 100 || (halfmove >= 4 && self.repetitions() > 0) || self.lacks_material()
    }

    /// Whether neither side can give mate with what it has: bare kings, one minor piece, or
    /// bishops that all stand on one colour.
    pub fn lacks_material(&self) -> bool {
        let board = &self.board;
        let total = board.count(WHITE) + board.count(BLACK);
        if total > 4 && board.phase(WHITE) + board.phase(BLACK) + 2 != total {
            return false;
        }
        match total {
            2 => true,
            3 => board.phase(WHITE) + board.phase(BLACK) == 1,
            _ => self.one_coloured_bishops(),
        }
    }

    /// Whether all pieces beside the kings are bishops of one colour of square.
    fn one_coloured_bishops(&self) -> bool {
        let mut colours = 0u8;
        for side in WHITE..BLACK + 1 {
            for i in 1..self.board.count(side) {
                let square = self.board.listed(side, i);
                if kind(self.board.at(square)) != BISHOP {
                    return false;
                }
                colours |= 1 << ((square ^ square >> 4) & 1);
            }
        }
        colours != 3
    }

    /// Appends the legal moves of the side to move, or of one square.
    pub fn legal_moves(&mut self, from: Option<Square>, pool: &mut Pool) {
        let start = pool.end();
        match from {
            None => self.board.generate(Wanted::All, pool),
            Some(square) if self.board.is_of(square, self.board.side()) => {
                self.board.generate_from(square, Wanted::All, pool);
            }
            Some(_) => return,
        }
        let checked = self.board.in_check();
        let (mut read, mut write) = (start, start);
        while read < pool.end() {
            let m = pool.get(read);
            if self.board.is_legal(m, checked) {
                pool.set(write, m);
                write += 1;
            }
            read += 1;
        }
        pool.truncate(write);
    }

    /// Whether the side to move has a legal move.
    pub fn can_move(&mut self, pool: &mut Pool) -> bool {
        let start = pool.end();
        let checked = self.board.in_check();
        let mut found = false;
        let side: Side = self.board.side();
        let mut i = 0;
        while i < self.board.count(side) && !found {
            self.board.generate_from(self.board.listed(side, i), Wanted::All, pool);
            let mut j = start;
            while j < pool.end() && !found {
                found = self.board.is_legal(pool.get(j), checked);
                j += 1;
            }
            pool.truncate(start);
            i += 1;
        }
        found
    }

    /// How the position stands. Mate and stalemate come before the draws by rule.
    pub fn status(&mut self, pool: &mut Pool) -> Status {
        let checked = self.board.in_check();
        if !self.can_move(pool) {
            return if checked { Status::Checkmate } else { Status::Stalemate };
        }
        if self.lacks_material() {
            Status::Material
        } else if self.board.halfmove() >= 100 {
            Status::FiftyMoves
        } else if self.repetitions() >= 2 {
            Status::Repetition
        } else if checked {
            Status::Check
        } else {
            Status::Normal
        }
    }

    /// Counts the leaves of the tree of legal moves; the generator's classic test.
    pub fn perft(&mut self, depth: u8, pool: &mut Pool) -> u32 {
        if depth == 0 {
            return 1;
        }
        let start = pool.end();
        let checked = self.board.in_check();
        self.board.generate(Wanted::All, pool);
        let (mut i, end, mut leaves) = (start, pool.end(), 0);
        while i < end {
            let m = pool.get(i);
            if self.board.is_legal(m, checked) {
                if depth == 1 {
                    leaves += 1;
                } else {
                    let undo = self.make(m);
                    leaves += self.perft(depth - 1, pool);
                    self.unmake(m, &undo);
                }
            }
            i += 1;
        }
        pool.truncate(start);
        leaves
    }
}
