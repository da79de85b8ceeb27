//! What the network sees: of a position, which pieces stand where and whether they are attacked
//! and defended, the last two moves, the rights; of a move, where it goes, and facts that people
//! look for (captures, checks, retreats, recaptures, what it leaves hanging, what it threatens).
//!
//! The board is always seen by the side to move: for Black it is turned top to bottom. Trainer
//! and engine share these functions, so they cannot disagree.

use chess::attacks::pawn_attacks_from;
use chess::{Bitboard, Board, CheckSquares, Color, Move, MoveList, Piece, Square, Wing, see_value};

/// The last moves before a position, if they are known.
#[derive(Copy, Clone, Debug, Default, Eq, PartialEq)]
pub struct Last {
    /// The opponent's: the very last one.
    pub theirs: Option<Move>,
    /// The one before it, of the side that is now to move.
    pub ours: Option<Move>,
}

impl Last {
    /// The last two of the moves played so far.
    pub fn of(played: &[Move]) -> Self {
        let mut newest = played.iter().rev().copied();
        Self { theirs: newest.next(), ours: newest.next() }
    }
}

/// A player's rating, as the network knows it.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub struct Rating(u32);

impl Rating {
    /// The lowest and highest rating that are told apart.
    pub const RANGE: std::ops::RangeInclusive<u32> = 1000..=2800;
    /// Points from one row of the network to the next.
    const STEP: u32 = 200;
    /// How many rows there are.
    pub const ROWS: usize = 10;
    /// What the shares of the two rows add up to.
    pub const WHOLE: i32 = 200;

    /// This rating, or the nearest one of [`Self::RANGE`].
    pub fn new(points: u32) -> Self {
        Self(points.clamp(*Self::RANGE.start(), *Self::RANGE.end()))
    }

    /// The points.
    pub fn points(self) -> u32 {
        self.0
    }

    /// The row below this rating, and the share (of [`Self::WHOLE`]) of the row above it.
    pub fn rows(self) -> (usize, i32) {
        let above = self.0 - Self::RANGE.start();
        let row = (above / Self::STEP).min(Self::ROWS as u32 - 2);
        (row as usize, (above - row * Self::STEP) as i32)
    }
}

const PIECES: usize = 4 * 12 * 64;
const CASTLING: usize = PIECES;
const EN_PASSANT: usize = CASTLING + 4;
const THEIR_LAST: usize = EN_PASSANT + 8;
const OUR_LAST: usize = THEIR_LAST + 64;
const CHECK: usize = OUR_LAST + 64;
/// Rows of the first table, ratings aside.
pub const INPUTS: usize = CHECK + 1;

/// The rows that are active in a position, in no order.
pub fn inputs(board: &Board, last: Last, out: &mut Vec<u16>) {
    out.clear();
    let us = board.side_to_move();
    let seen = |square: Square| square.relative_to(us).index();
    let attacks = [board.attacks_of(us), board.attacks_of(!us)];
    for (side, color) in [us, !us].into_iter().enumerate() {
        for square in board.color(color) {
            let Some(piece) = board.piece_at(square) else { continue };
            let defended = usize::from(attacks[side].contains(square));
            let attacked = usize::from(attacks[side ^ 1].contains(square));
            let kind = (2 * attacked + defended) * 12 + side * 6 + piece as usize;
            out.push((kind * 64 + seen(square)) as u16);
        }
    }
    for (side, color) in [us, !us].into_iter().enumerate() {
        for (i, wing) in [Wing::King, Wing::Queen].into_iter().enumerate() {
            if board.castling().rook_file(color, wing).is_some() {
                out.push((CASTLING + 2 * side + i) as u16);
            }
        }
    }
    if let Some(square) = board.en_passant() {
        out.push((EN_PASSANT + square.file().index()) as u16);
    }
    if let Some(mv) = last.theirs {
        out.push((THEIR_LAST + seen(mv.arrival())) as u16);
    }
    if let Some(mv) = last.ours {
        out.push((OUR_LAST + seen(mv.arrival())) as u16);
    }
    if board.in_check() {
        out.push(CHECK as u16);
    }
}

/// Moves of each kind of piece from square to square, castling on either wing aside.
const PAIRS: usize = 140 + 336 + 560 + 896 + 1456 + 420;
const CASTLING_MOVES: usize = PAIRS;
/// Underpromotions: three pieces, from file, to file.
const UNDERPROMOTIONS: usize = CASTLING_MOVES + 2;
/// Moves that are told apart by piece and squares.
const MOVES: usize = UNDERPROMOTIONS + 3 * 64;
/// Rows of the second table: each move once if it loses material by exchanges, once if not.
pub const OUTPUTS: usize = 2 * MOVES;

/// The number of each piece's move between two squares, as the side to move sees the board.
static PAIR_NUMBERS: [[[u16; 64]; 64]; 6] = {
    let mut table = [[[0; 64]; 64]; 6];
    let mut next = 0;
    let mut piece = 0;
    while piece < 6 {
        let mut pair = 0;
        while pair < 64 * 64 {
            let (from, to) = (pair / 64, pair % 64);
            if can_go(piece, from as i32, to as i32) {
                table[piece][from][to] = next;
                next += 1;
            }
            pair += 1;
        }
        piece += 1;
    }
    assert!(next as usize == PAIRS);
    table
};

/// Could a piece of this kind, from the pawn to the king, go from one square to the other?
const fn can_go(piece: usize, from: i32, to: i32) -> bool {
    let files = (from % 8 - to % 8).abs();
    let (rank, ranks) = (from / 8, to / 8 - from / 8);
    let (straight, slanted) = (files == 0 || ranks == 0, files == ranks.abs());
    if from == to {
        return false;
    }
    match piece {
        0 => rank > 0 && (ranks == 1 && files < 2 || rank == 1 && ranks == 2 && files == 0),
        1 => files * ranks.abs() == 2,
        2 => slanted,
        3 => straight,
        4 => straight || slanted,
        _ => files < 2 && ranks.abs() < 2,
    }
}

const CAPTURES: usize = 0;
const QUIETS: usize = CAPTURES + 6 * 6 * 2;
const CHECKS: usize = QUIETS + 6 * 4;
const MATES: usize = CHECKS + 2;
const RECAPTURES: usize = MATES + 1;
const SAME_PIECE: usize = RECAPTURES + 2;
const BACK: usize = SAME_PIECE + 1;
const INTO_PAWN: usize = BACK + 1;
const PROMOTES: usize = INTO_PAWN + 6;
const CASTLES: usize = PROMOTES + 2;
const RISKS: usize = CASTLES + 1;
const THREATS: usize = RISKS + 2 * GAINS.len();
/// How many facts of a move have a weight of their own for each rating.
pub const FACTS: usize = THREATS + 2 * GAINS.len();
/// No move has more.
const MOST_FACTS: usize = 10;

/// What a capture wins at least, by exchanges: a pawn, a piece, a rook, a queen.
const GAINS: [i32; 4] = [80, 250, 450, 800];

/// A legal move as the network sees it.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub struct Candidate {
    /// Its row in the second table.
    pub row: u16,
    facts: [u8; MOST_FACTS],
    count: u8,
}

impl Candidate {
    /// The facts that hold for it.
    pub fn facts(&self) -> &[u8] {
        &self.facts[..usize::from(self.count)]
    }

    fn note(&mut self, fact: usize) {
        if let Some(slot) = self.facts.get_mut(usize::from(self.count)) {
            *slot = fact as u8;
            self.count += 1;
        }
    }
}

/// The moves of a position as candidates, in the same order.
pub fn candidates(board: &Board, last: Last, moves: &[Move], out: &mut Vec<Candidate>) {
    out.clear();
    let us = board.side_to_move();
    let checks = CheckSquares::new(board);
    let danger = Danger::of(board, us);
    for &mv in moves {
        out.push(candidate(board, last, mv, us, &checks, &danger));
    }
}

/// What the opponent attacks.
struct Danger {
    by_pawns: Bitboard,
    by_any: Bitboard,
    defended: Bitboard,
}

impl Danger {
    fn of(board: &Board, us: Color) -> Self {
        Self {
            by_pawns: pawn_attacks_from(!us, board.pieces(!us, Piece::Pawn)),
            by_any: board.attacks_of(!us),
            defended: board.attacks_of(us),
        }
    }

    fn threatens(&self, piece: Piece, square: Square) -> bool {
        piece != Piece::Pawn && self.by_pawns.contains(square)
            || self.by_any.contains(square) && !self.defended.contains(square)
    }
}

fn candidate(
    board: &Board,
    last: Last,
    mv: Move,
    us: Color,
    checks: &CheckSquares,
    danger: &Danger,
) -> Candidate {
    let (from, to) = (mv.from().relative_to(us), mv.to().relative_to(us));
    let keeps = board.see_at_least(mv, 0);
    let under = mv.promoted().filter(|&piece| piece != Piece::Queen);
    let piece = board.piece_at(mv.from()).unwrap_or(Piece::Pawn);
    let number = match under {
        // Knight, bishop, rook are 1, 2, 3.
        Some(piece) => {
            let files = from.file().index() * 8 + to.file().index();
            UNDERPROMOTIONS + (piece as usize - 1) * 64 + files
        }
        // A king that takes its own rook.
        None if mv.is_castling() => CASTLING_MOVES + usize::from(to.index() > from.index()),
        None => usize::from(PAIR_NUMBERS[piece as usize][from.index()][to.index()]),
    };
    let kept = usize::from(keeps);
    let row = (kept * MOVES + number) as u16;
    let mut found = Candidate { row, facts: [0; MOST_FACTS], count: 0 };
    match board.captured(mv) {
        Some(victim) => {
            found.note(CAPTURES + (piece as usize * 6 + victim as usize) * 2 + kept);
            if last.theirs.is_some_and(|theirs| theirs.arrival() == mv.to()) {
                found.note(RECAPTURES + kept);
            }
        }
        None => {
            let threatened = usize::from(danger.threatens(piece, mv.from()));
            found.note(QUIETS + piece as usize * 4 + 2 * kept + threatened);
        }
    }
    let mut next = board.after(mv);
    if let Some(size) = best_capture(&next) {
        found.note(RISKS + 2 * size + kept);
    }
    if checks.gives_check(board, mv) {
        found.note(if next.is_checkmate() { MATES } else { CHECKS + kept });
    } else {
        next.make_null_move();
        if let Some(size) = best_capture(&next) {
            found.note(THREATS + 2 * size + kept);
        }
    }
    if let Some(ours) = last.ours
        && ours.arrival() == mv.from()
    {
        found.note(SAME_PIECE);
        if ours.from() == mv.to() {
            found.note(BACK);
        }
    }
    if danger.by_pawns.contains(mv.to()) {
        found.note(INTO_PAWN + piece as usize);
    }
    if mv.promoted().is_some() {
        found.note(PROMOTES + usize::from(under.is_some()));
    } else if mv.is_castling() {
        found.note(CASTLES);
    }
    found
}

/// The largest of [`GAINS`] that a capture of the side to move brings.
fn best_capture(board: &Board) -> Option<usize> {
    let mut captures = MoveList::new();
    board.noisy_moves(&mut captures);
    let mut best = 0;
    for mv in &captures {
        let victim = board.captured(mv).map_or(0, see_value);
        let wins = |&size: &usize| victim >= GAINS[size] && board.see_at_least(mv, GAINS[size]);
        best = (best..GAINS.len()).rev().find(wins).map_or(best, |size| size + 1);
    }
    best.checked_sub(1)
}
