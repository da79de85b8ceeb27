//! One run that must come out the same on every machine: leaf counts of the six classic
//! positions and searches with fixed numbers of nodes, written as text.
//!
//! The desktop's text is compared with that of the emulated small computers, byte for byte.
//! Numbers are hexadecimal because that needs no division.

use crate::engine::{Engine, Limits};
use crate::setup::Setup;
use crate::table::Bank;
use crate::types::{BISHOP, BLACK, EMPTY, KING, KNIGHT, PAWN, QUEEN, ROOK, WHITE, piece};

/// The positions of the counts, padded to one length: an array of slices would hold pointers.
#[rustfmt::skip]
pub static POSITIONS: [[u8; 74]; 6] = [
    *b"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1                  ",
    *b"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1      ",
    *b"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1                                 ",
    *b"r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1          ",
    *b"rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8                 ",
    *b"r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10  ",
];

/// [`POSITIONS`] as the engine takes them, read by the compiler: no reader of text is in the image
/// of a small computer.
static SETUPS: [Setup; 6] = {
    let mut setups = [Setup::START; 6];
    let mut i = 0;
    while i < 6 {
        setups[i] = read(&POSITIONS[i]);
        i += 1;
    }
    setups
};

/// Reads one of [`POSITIONS`]: White is to move, nothing can be taken in passing, and the clocks
/// have one digit, but for the last number, which may have two.
const fn read(text: &[u8; 74]) -> Setup {
    let mut setup = Setup { squares: [EMPTY; 64], castling: 0, ..Setup::START };
    let (mut at, mut square) = (0, 0);
    while text[at] != b' ' {
        let kind = match text[at] | 0x20 {
            b'p' => PAWN,
            b'n' => KNIGHT,
            b'b' => BISHOP,
            b'r' => ROOK,
            b'q' => QUEEN,
            b'k' => KING,
            _ => EMPTY,
        };
        if kind != EMPTY {
            setup.squares[square] = piece(kind, if text[at] & 0x20 != 0 { BLACK } else { WHITE });
            square += 1;
        } else if text[at] != b'/' {
            square += (text[at] - b'0') as usize;
        }
        at += 1;
    }
    at += 3;
    while text[at] != b' ' {
        setup.castling |= match text[at] {
            b'K' => 1,
            b'Q' => 2,
            b'k' => 4,
            b'q' => 8,
            _ => 0,
        };
        at += 1;
    }
    setup.halfmove = text[at + 3] - b'0';
    setup.fullmove = (text[at + 5] - b'0') as u16;
    if text[at + 6] != b' ' {
        setup.fullmove = setup.fullmove * 10 + (text[at + 6] - b'0') as u16;
    }
    setup
}

/// How much a run does: the depth of each position's leaf count, and the nodes of each search.
#[derive(Clone, Copy)]
pub struct Run {
    /// Depths of the leaf counts, by position.
    pub depths: [u8; 6],
    /// Nodes of each position's search.
    pub nodes: u32,
}

/// The run for 32-bit processors, with the full table.
pub const FULL: Run = Run { depths: [3, 2, 4, 3, 3, 2], nodes: 5_000 };
/// The run for processors with 64 KB, with a table of 2 x [`SMALL_SLOTS`] entries.
pub const SMALL: Run = Run { depths: [3, 2, 3, 2, 2, 2], nodes: 600 };
/// Slots in a bank of the small run's table: 64 KB hold code, tables and state together.
pub const SMALL_SLOTS: usize = 256;

/// Writes text through a function that takes bytes, and numbers in hexadecimal.
struct Out<F: FnMut(u8)>(F);

impl<F: FnMut(u8)> Out<F> {
    fn text(&mut self, text: &str) {
        for byte in text.bytes() {
            (self.0)(byte);
        }
    }

    fn number(&mut self, number: u32) {
        (self.0)(b' ');
        let mut shift = 28u8;
        while shift > 0 && number >> shift == 0 {
            shift -= 4;
        }
        loop {
            let digit = (number >> shift) as u8 & 15;
            (self.0)(if digit < 10 { b'0' + digit } else { b'a' - 10 + digit });
            if shift == 0 {
                break;
            }
            shift -= 4;
        }
    }
}

/// Sets up one of [`POSITIONS`] as a new game.
fn set_up<const N: usize>(
    engine: &mut Engine,
    low: &mut Bank<N>,
    high: &mut Bank<N>,
    number: u8,
) -> bool {
    engine.new_game(low, high);
    match SETUPS.get(number as usize) {
        Some(setup) => engine.set_position(setup).is_ok(),
        None => false,
    }
}

/// Counts the leaves of every position.
pub fn counts<const N: usize>(
    engine: &mut Engine,
    (low, high): (&mut Bank<N>, &mut Bank<N>),
    run: &Run,
    mut out: impl FnMut(u8),
) {
    for position in 0..6 {
        let depth = run.depths[position as usize];
        count(engine, (low, high), (position, depth), &mut out);
    }
}

/// Searches every position.
pub fn searches<const N: usize>(
    engine: &mut Engine,
    (low, high): (&mut Bank<N>, &mut Bank<N>),
    run: &Run,
    mut out: impl FnMut(u8),
) {
    for position in 0..6 {
        think(engine, (low, high), (position, run.nodes), &mut out);
    }
}

/// Counts the leaves of a position: `perft <position> <depth> <leaves>`.
fn count<const N: usize>(
    engine: &mut Engine,
    (low, high): (&mut Bank<N>, &mut Bank<N>),
    (position, depth): (u8, u8),
    out: impl FnMut(u8),
) {
    let ready = set_up(engine, low, high, position);
    let leaves = if ready { engine.perft(depth) } else { 0 };
    let mut out = Out(out);
    out.text("perft");
    out.number(position as u32);
    out.number(depth as u32);
    out.number(leaves);
    out.text("\n");
}

/// Searches a position: `think <position> <move> <score> <depth> <nodes>`.
fn think<const N: usize>(
    engine: &mut Engine,
    (low, high): (&mut Bank<N>, &mut Bank<N>),
    (position, nodes): (u8, u32),
    out: impl FnMut(u8),
) {
    let ready = set_up(engine, low, high, position);
    let outcome = engine.think((low, high), Limits { depth: 0, nodes }, || false);
    let mut out = Out(out);
    out.text(if ready { "think" } else { "cannot set up" });
    out.number(position as u32);
    out.number(outcome.best.0 as u32);
    out.number(outcome.score as u16 as u32);
    out.number(outcome.depth as u32);
    out.number(outcome.nodes);
    out.text("\n");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_compiler_reads_the_positions_as_fen_does() {
        for (text, setup) in POSITIONS.iter().zip(&SETUPS) {
            assert_eq!(crate::fen::parse(text).unwrap(), *setup);
        }
    }
}
