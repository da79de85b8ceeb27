//! The position: a 0x88 board with piece lists, its hash and its running evaluation, and the
//! making and taking back of moves.
//!
//! Every byte that describes the position changes through `add`, `remove`, `shift` or the two
//! functions that make and unmake a move, so board, lists, hash and scores cannot disagree.
//! `movegen` finds the possible moves, `attack` says which of them are legal.

use crate::geometry::forward;
use crate::terms::{PHASE, endgame_value, middlegame_value};
use crate::types::{
    BLACK, BLACK_BIT, EMPTY, KING, Move, NO_SQUARE, OFF, PAWN, Piece, Side, Square, WHITE, kind,
    on_board, piece, side_of,
};
use crate::zobrist::{KEY, LOCK};

/// What castling rights survive a move that touches a square.
const fn castling_mask(square: Square) -> u8 {
    match square {
        0x70 => !2,
        0x74 => !3,
        0x77 => !1,
        0x00 => !8,
        0x04 => !12,
        0x07 => !4,
        _ => 0xFF,
    }
}

/// [`castling_mask`] of every square.
static CASTLING_MASK: [u8; 128] = {
    let mut table = [0xFF; 128];
    let mut square = 0;
    while square < 128 {
        table[square as usize] = castling_mask(square);
        square += 1;
    }
    table
};

/// A chess position.
///
/// `squares` has 256 bytes, so that any byte indexes it and a step off any edge lands on
/// [`OFF`]: walking along a line needs neither a bounds check nor a test for the edge.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Board {
    squares: [Piece; 256],
    /// For an occupied square, the piece's place in its side's list.
    places: [u8; 128],
    /// The squares of each side's pieces; the king comes first.
    lists: [[Square; 16]; 2],
    counts: [u8; 2],
    /// Pieces other than pawns and king, weighted; see [`PHASE`].
    phases: [u8; 2],
    side: Side,
    castling: u8,
    en_passant: Square,
    halfmove: u8,
    fullmove: u16,
    key: u32,
    lock: u16,
    /// The part of `key` that the pawns make.
    pawn_key: u32,
    /// The pawns of each side as one byte a file (bit = row), with an empty file at both edges.
    pawn_files: [[u8; 10]; 2],
    /// Material and piece-square sum for the middlegame, White minus Black.
    middlegame: i16,
    /// The same for the endgame.
    endgame: i16,
}

/// What a move destroys and taking it back needs: 12 bytes.
///
/// The 32-bit key is not here: the caller keeps the keys of the line anyway, to see repetitions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Undo {
    lock: u16,
    middlegame: i16,
    endgame: i16,
    /// The piece taken, or [`EMPTY`], and in the high half its place in its list.
    captured: u8,
    castling: u8,
    en_passant: Square,
    halfmove: u8,
    phases: [u8; 2],
}

const _: () = assert!(size_of::<Undo>() == 12);

impl Undo {
    /// Zeros, to fill memory with.
    pub const NONE: Undo = Undo {
        lock: 0,
        middlegame: 0,
        endgame: 0,
        captured: EMPTY,
        castling: 0,
        en_passant: 0,
        halfmove: 0,
        phases: [0; 2],
    };

    /// The piece that was taken, or [`EMPTY`].
    #[inline(always)]
    pub fn captured(&self) -> Piece {
        self.captured & 15
    }
}

impl Board {
    /// A board whose memory is all zero. It is no position yet: fill it with [`Board::clear`] and
    /// [`crate::setup::Setup`].
    pub const ZERO: Board = Board {
        squares: [0; 256],
        places: [0; 128],
        lists: [[0; 16]; 2],
        counts: [0; 2],
        phases: [0; 2],
        side: WHITE,
        castling: 0,
        en_passant: 0,
        halfmove: 0,
        fullmove: 0,
        key: 0,
        lock: 0,
        pawn_key: 0,
        pawn_files: [[0; 10]; 2],
        middlegame: 0,
        endgame: 0,
    };

    /// The piece on a square; [`OFF`] off the board.
    #[inline(always)]
    pub fn at(&self, square: Square) -> Piece {
        self.squares[square as usize]
    }

    /// The number of pieces of a side, its king included.
    #[inline(always)]
    pub fn count(&self, side: Side) -> u8 {
        self.counts[(side & 1) as usize]
    }

    /// The square of a side's piece number `i`; number 0 is the king.
    #[inline(always)]
    pub fn listed(&self, side: Side, i: u8) -> Square {
        self.lists[(side & 1) as usize][(i & 15) as usize]
    }

    /// Where a side's king stands.
    #[inline(always)]
    pub fn king(&self, side: Side) -> Square {
        self.lists[(side & 1) as usize][0]
    }

    /// A side's weight of knights, bishops, rooks and queens; 12 at the start of a game.
    #[inline(always)]
    pub fn phase(&self, side: Side) -> u8 {
        self.phases[(side & 1) as usize]
    }

    /// Who is to move.
    #[inline(always)]
    pub fn side(&self) -> Side {
        self.side
    }

    /// The castling rights: 1 White short, 2 White long, 4 Black short, 8 Black long.
    #[inline(always)]
    pub fn castling(&self) -> u8 {
        self.castling
    }

    /// The square a pawn may legally take in passing, or [`NO_SQUARE`].
    #[inline(always)]
    pub fn en_passant(&self) -> Square {
        self.en_passant
    }

    /// Half-moves since the last capture or pawn move.
    #[inline(always)]
    pub fn halfmove(&self) -> u8 {
        self.halfmove
    }

    /// The number of the move, 1 at the start.
    pub fn fullmove(&self) -> u16 {
        self.fullmove
    }

    /// The 32-bit hash.
    #[inline(always)]
    pub fn key(&self) -> u32 {
        self.key
    }

    /// The 16-bit hash that is independent of [`Board::key`].
    #[inline(always)]
    pub fn lock(&self) -> u16 {
        self.lock
    }

    /// The hash of the pawns alone.
    #[inline(always)]
    pub(crate) fn pawn_key(&self) -> u32 {
        self.pawn_key
    }

    /// A side's pawns on the file numbered from 1 to 8, one bit a row; 0 and 9 are empty.
    #[inline(always)]
    pub(crate) fn pawn_file(&self, side: Side, number: u8) -> u8 {
        self.pawn_files[(side & 1) as usize].get(number as usize).copied().unwrap_or(0)
    }

    /// Whether a side has any pawn.
    pub(crate) fn has_pawns(&self, side: Side) -> bool {
        self.pawn_files[(side & 1) as usize].iter().any(|&file| file != 0)
    }

    /// The running material and piece-square sums, White minus Black: middlegame, endgame.
    #[inline(always)]
    pub fn sums(&self) -> (i16, i16) {
        (self.middlegame, self.endgame)
    }

    /// Empties the board; White is to move, nobody may castle.
    pub fn clear(&mut self) {
        *self = Board::ZERO;
        let mut i = 0u8;
        loop {
            self.squares[i as usize] = if on_board(i) { EMPTY } else { OFF };
            i = i.wrapping_add(1);
            if i == 0 {
                break;
            }
        }
        self.en_passant = NO_SQUARE;
        self.fullmove = 1;
        self.key ^= KEY.castling(0);
        self.lock ^= LOCK.castling(0);
    }

    /// Sets side, rights and clocks of a board that was just filled with [`Board::add`].
    pub(crate) fn set_state(&mut self, side: Side, castling: u8, halfmove: u8, fullmove: u16) {
        self.set_castling(castling & 15);
        if side == BLACK {
            self.flip_side();
        }
        self.halfmove = halfmove;
        self.fullmove = fullmove;
    }

    /// Puts a piece on an empty square. The first piece of a side must be its king.
    pub(crate) fn add(&mut self, piece: Piece, square: Square) {
        self.put(piece, square);
        self.count_in(piece, square, true);
    }

    fn put(&mut self, piece: Piece, square: Square) {
        let side = side_of(piece) as usize;
        let place = self.counts[side] & 15;
        self.counts[side] = place + 1;
        self.lists[side][place as usize] = square;
        self.places[(square & 0x77) as usize] = place;
        self.squares[square as usize] = piece;
    }

    /// Takes a piece off the board and returns its place; the list's last piece fills the hole.
    fn lift(&mut self, square: Square) -> u8 {
        let side = side_of(self.squares[square as usize]) as usize;
        self.squares[square as usize] = EMPTY;
        let place = self.places[(square & 0x77) as usize] & 15;
        let last = self.counts[side].wrapping_sub(1) & 15;
        self.counts[side] = last;
        let moved = self.lists[side][last as usize];
        self.lists[side][place as usize] = moved;
        self.places[(moved & 0x77) as usize] = place;
        self.places[(square & 0x77) as usize] = 0;
        place
    }

    /// The exact inverse of [`Board::lift`].
    fn unlift(&mut self, piece: Piece, square: Square, place: u8) {
        let side = side_of(piece) as usize;
        let last = self.counts[side] & 15;
        self.counts[side] = last + 1;
        let moved = self.lists[side][place as usize & 15];
        self.lists[side][last as usize] = moved;
        self.places[(moved & 0x77) as usize] = last;
        self.lists[side][place as usize & 15] = square;
        self.places[(square & 0x77) as usize] = place;
        self.squares[square as usize] = piece;
    }

    #[inline(always)]
    fn carry(&mut self, from: Square, to: Square) {
        let piece = self.squares[from as usize];
        self.squares[from as usize] = EMPTY;
        self.squares[to as usize] = piece;
        let place = self.places[(from & 0x77) as usize] & 15;
        self.places[(from & 0x77) as usize] = 0;
        self.places[(to & 0x77) as usize] = place;
        self.lists[side_of(piece) as usize][place as usize] = to;
    }

    /// Notes that a pawn comes to a square or leaves it.
    fn toggle_pawn(&mut self, pawn: Piece, square: Square) {
        self.pawn_key ^= KEY.piece(pawn, square);
        let file = &mut self.pawn_files[side_of(pawn) as usize][(square & 7) as usize + 1];
        *file ^= 1 << (square >> 4 & 7);
    }

    /// Adds a piece to hash and sums, or takes it out.
    fn count_in(&mut self, piece: Piece, square: Square, comes: bool) {
        self.key ^= KEY.piece(piece, square);
        self.lock ^= LOCK.piece(piece, square);
        if kind(piece) == PAWN {
            self.toggle_pawn(piece, square);
        }
        let (mut mg, mut eg) = (middlegame_value(piece, square), endgame_value(piece, square));
        let phase = PHASE[kind(piece) as usize];
        let side = side_of(piece) as usize;
        if comes {
            self.phases[side] = self.phases[side].wrapping_add(phase);
        } else {
            (mg, eg) = (-mg, -eg);
            self.phases[side] = self.phases[side].wrapping_sub(phase);
        }
        self.middlegame += mg;
        self.endgame += eg;
    }

    fn shift(&mut self, from: Square, to: Square) {
        let piece = self.squares[from as usize];
        self.count_in(piece, from, false);
        self.carry(from, to);
        self.count_in(piece, to, true);
    }

    fn flip_side(&mut self) {
        self.side ^= 1;
        self.key ^= KEY.side;
        self.lock ^= LOCK.side;
    }

    fn set_castling(&mut self, rights: u8) {
        self.key ^= KEY.castling(self.castling) ^ KEY.castling(rights);
        self.lock ^= LOCK.castling(self.castling) ^ LOCK.castling(rights);
        self.castling = rights;
    }

    fn forget_en_passant(&mut self) {
        if self.en_passant != NO_SQUARE {
            self.key ^= KEY.en_passant(self.en_passant);
            self.lock ^= LOCK.en_passant(self.en_passant);
            self.en_passant = NO_SQUARE;
        }
    }

    /// Remembers that the pawn which just stepped over `square` can be taken there, if it can:
    /// a right that nobody can use would make equal positions look different.
    pub(crate) fn offer_en_passant(&mut self, square: Square) {
        let pawn = piece(PAWN, self.side);
        let behind = square.wrapping_sub(forward(self.side));
        // No closure here: it would keep references in memory, which must hold no pointers.
        let mut from = behind.wrapping_sub(1);
        while from != behind.wrapping_add(3) {
            if self.at(from) == pawn && self.is_legal_en_passant(from, square) {
                self.en_passant = square;
                self.key ^= KEY.en_passant(square);
                self.lock ^= LOCK.en_passant(square);
                return;
            }
            from = from.wrapping_add(2);
        }
    }

    fn remember(&self) -> Undo {
        Undo {
            lock: self.lock,
            middlegame: self.middlegame,
            endgame: self.endgame,
            captured: EMPTY,
            castling: self.castling,
            en_passant: self.en_passant,
            halfmove: self.halfmove,
            phases: self.phases,
        }
    }

    /// Makes a pseudo-legal move. The caller keeps the [`Board::key`] from before it.
    pub fn make(&mut self, m: Move) -> Undo {
        let mut undo = Undo::NONE;
        self.make_into(m, &mut undo);
        undo
    }

    /// [`Board::make`] that writes where the caller keeps it: a result of 12 bytes would be copied.
    pub fn make_into(&mut self, m: Move, undo: &mut Undo) {
        *undo = self.remember();
        let (from, to) = (m.from(), m.to());
        self.forget_en_passant();
        self.halfmove = self.halfmove.saturating_add(1);
        if m.is_capture() {
            let victim = m.victim_square();
            let taken = self.at(victim);
            self.count_in(taken, victim, false);
            undo.captured = taken | self.lift(victim) << 4;
            self.halfmove = 0;
        }
        if kind(self.at(from)) == PAWN {
            self.halfmove = 0;
        }
        if m.is_promotion() {
            let (pawn, promoted) = (self.at(from), piece(m.promotion(), self.side));
            self.count_in(pawn, from, false);
            self.carry(from, to);
            self.squares[to as usize] = promoted;
            self.count_in(promoted, to, true);
        } else {
            self.shift(from, to);
            if m.is_castle() {
                let (rook_from, rook_to) = Move::rook_squares(to);
                self.shift(rook_from, rook_to);
            }
        }
        let rights = self.castling & CASTLING_MASK[from as usize] & CASTLING_MASK[to as usize];
        if rights != self.castling {
            self.set_castling(rights);
        }
        self.fullmove = self.fullmove.wrapping_add(self.side as u16);
        self.flip_side();
        if m.is_double() {
            self.offer_en_passant(to ^ 0x10);
        }
    }

    /// Takes back the last move, given what [`Board::make`] returned and the key before it.
    pub fn unmake(&mut self, m: Move, undo: &Undo, key: u32) {
        let (from, to) = (m.from(), m.to());
        self.side ^= 1;
        self.fullmove = self.fullmove.wrapping_sub(self.side as u16);
        if m.is_promotion() {
            self.squares[to as usize] = piece(PAWN, self.side);
        } else if m.is_castle() {
            let (rook_from, rook_to) = Move::rook_squares(to);
            self.carry(rook_to, rook_from);
        }
        self.carry(to, from);
        let mover = self.at(from);
        if kind(mover) == PAWN {
            self.toggle_pawn(mover, from);
            if !m.is_promotion() {
                self.toggle_pawn(mover, to);
            }
        }
        let taken = undo.captured();
        if taken != EMPTY {
            let victim = m.victim_square();
            if kind(taken) == PAWN {
                self.toggle_pawn(taken, victim);
            }
            self.unlift(taken, victim, undo.captured >> 4);
        }
        self.restore(undo, key);
    }

    fn restore(&mut self, undo: &Undo, key: u32) {
        self.key = key;
        self.lock = undo.lock;
        self.middlegame = undo.middlegame;
        self.endgame = undo.endgame;
        self.castling = undo.castling;
        self.en_passant = undo.en_passant;
        self.halfmove = undo.halfmove;
        self.phases = undo.phases;
    }

    /// Passes: the other side moves twice. Only the search does this, and never in check.
    pub fn make_null(&mut self) -> Undo {
        let undo = self.remember();
        self.forget_en_passant();
        self.halfmove = 0;
        self.flip_side();
        undo
    }

    /// Takes back [`Board::make_null`].
    pub fn unmake_null(&mut self, undo: &Undo, key: u32) {
        self.side ^= 1;
        self.restore(undo, key);
    }

    /// Writes a piece into the board array alone, for tests of "what if"; the caller puts the
    /// old one back before anything else looks at the lists.
    #[inline(always)]
    pub(crate) fn pretend(&mut self, square: Square, piece: Piece) -> Piece {
        core::mem::replace(&mut self.squares[square as usize], piece)
    }

    /// Whether a square holds a piece of `side`.
    #[inline(always)]
    pub fn is_of(&self, square: Square, side: Side) -> bool {
        let p = self.at(square);
        p != EMPTY && (p ^ (side << 3)) & (OFF | BLACK_BIT) == 0
    }

    /// Whether a side has only pawns beside its king.
    #[inline(always)]
    pub fn only_pawns(&self, side: Side) -> bool {
        self.phase(side) == 0
    }

    /// Checks that lists, board, hash and sums tell the same story: for tests.
    #[doc(hidden)]
    pub fn is_consistent(&self) -> bool {
        let mut copy = Board::ZERO;
        copy.clear();
        for side in [WHITE, BLACK] {
            if self.at(self.king(side)) != piece(KING, side) {
                return false;
            }
            for i in 0..self.count(side) {
                let square = self.listed(side, i);
                if !self.is_of(square, side) || self.places[square as usize] != i {
                    return false;
                }
                copy.add(self.at(square), square);
            }
        }
        copy.set_state(self.side, self.castling, self.halfmove, self.fullmove);
        if self.en_passant != NO_SQUARE {
            copy.offer_en_passant(self.en_passant);
        }
        // The halves of the board that differ in list places alone are compared by content.
        copy.squares == self.squares
            && copy.phases == self.phases
            && (copy.key, copy.lock) == (self.key, self.lock)
            && copy.sums() == self.sums()
            && copy.en_passant == self.en_passant
    }
}
