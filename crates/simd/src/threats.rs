//! Threats: which input each is, and lists of them.
//!
//! A threat is a piece that attacks or defends another. Its number is
//!
//! | bits | |
//! |---|---|
//! | 21 to 16 | where the attacker stands |
//! | 15 to 8 | attacker's kind × 5 + victim's kind |
//! | 7, 6 | is the attacker Black's, is the victim |
//! | 5 to 0 | where the victim stands |
//!
//! Such numbers are quickly put together and, by one xor, seen by either side. Most of them no threat
//! has, so weights have a row for each that there is ([`row`]).
//!
//! Pieces have codes: pawn 0, knight, bishop, rook, queen, king 5, and 6 more if they are Black's.

use crate::prefetch::prefetch_at;

/// The code of an empty square: no piece has it.
pub const EMPTY: u8 = 12;

/// What a piece adds to the number of a threat as its attacker, beside its square.
pub(crate) static AS_ATTACKER: Parts = Parts::new(5 << 8, 1 << 7);
/// What a piece adds to the number of a threat as its victim, beside its square; kings are none.
pub(crate) static AS_VICTIM: Parts = Parts::new(1 << 8, 1 << 6);
/// Where a threat's number has the square of the attacker.
pub const FROM: u32 = 16;

/// Parts of numbers by the code of a piece; a power of two of them, so that none is looked for outside.
pub(crate) struct Parts(pub(crate) [u16; 16]);

impl Parts {
    /// `kind` times the piece's kind, and `black` more if it is Black's.
    const fn new(kind: u16, black: u16) -> Self {
        let mut parts = [0; 16];
        let mut code = 0;
        while code < EMPTY {
            parts[code as usize] = (code % 6) as u16 * kind + (code / 6) as u16 * black;
            code += 1;
        }
        Self(parts)
    }

    /// The part of a piece.
    #[inline]
    fn of(&self, code: u8) -> u32 {
        u32::from(self.0[usize::from(code) % 16])
    }
}

/// The part of a threat's number that tells of its attacker.
#[inline]
pub fn attacker(code: u8, square: u8) -> u32 {
    AS_ATTACKER.of(code) + (u32::from(square) << FROM)
}

/// The part of a threat's number that tells of its victim.
#[inline]
pub fn victim(code: u8, square: u8) -> u32 {
    AS_VICTIM.of(code) + u32::from(square)
}

/// Rows of the threats: victims of 5 kinds, each of 2 sides, attacked by either side in as many ways as
/// there are.
pub const ROWS: usize = {
    let (mut rows, mut kind) = (0, 0);
    while kind < 6 {
        rows += 5 * 2 * 2 * WAYS[kind];
        kind += 1;
    }
    rows
};

/// The row of a threat's weights: rows with the same kinds and sides lie together, in the order of the
/// attacker's square, then of the victim's. What is no threat has the row of one.
#[inline]
pub fn row(threat: u32) -> u32 {
    let pair = PAIRS[threat as usize >> 6 & 1023];
    let (from, to) = (threat >> FROM & 63, threat & 63);
    (pair >> WAY_BITS) + u32::from(WAY[(pair | from << 6 | to) as usize % WAY.len()])
}

/// By bits 15 to 6 of the number, which two kinds of pieces: the first row of all in which such pieces can
/// stand, and in the last bits where the ways of the attacker's kind begin.
static PAIRS: [u32; 1024] = {
    let mut pairs = [0; 1024];
    let (mut at, mut first) = (0, 0);
    while at < 6 * 5 * 2 * 2 {
        let kind = at / 20;
        pairs[at] = (first << WAY_BITS) | (kind as u32 * 4096);
        first += WAYS[kind] as u32;
        at += 1;
    }
    pairs
};

/// In how many ways a piece of each kind can attack. Where a king stands is told by other inputs well
/// enough: only the square it attacks counts.
const WAYS: [usize; 6] = [84, 336, 560, 896, 1456, 64];

/// Bits of the attacker's kind and the two squares.
const WAY_BITS: u32 = 15;

/// The number of each way, by the attacker's kind and the two squares. Pawns of both sides are in one
/// table, for they never attack in the same direction. A power of two, so that none is looked for outside.
static WAY: [u16; 1 << WAY_BITS] = {
    let mut way = [0; 1 << WAY_BITS];
    let mut kind = 0;
    while kind < 6 {
        let (mut at, mut next, mut next_down) = (0, 0, 0);
        while at < 4096 {
            let (from, to) = (at / 64, at % 64);
            let way = &mut way[kind * 4096 + at];
            if kind == 5 {
                *way = to as u16;
            } else if attacks(kind, from, to) {
                let next = if kind == 0 && to < from { &mut next_down } else { &mut next };
                *way = *next;
                *next += 1;
            }
            at += 1;
        }
        assert!(kind == 5 || next as usize == WAYS[kind]);
        kind += 1;
    }
    way
};

/// Does a piece attack a square, if nothing stands between?
const fn attacks(kind: usize, from: usize, to: usize) -> bool {
    let (files, ranks) = ((from % 8).abs_diff(to % 8), (from / 8).abs_diff(to / 8));
    let straight = (files == 0) != (ranks == 0);
    let diagonal = files == ranks && files != 0;
    match kind {
        0 => files == 1 && ranks == 1 && from / 8 != 0 && from / 8 != 7,
        1 => files * ranks == 2,
        2 => diagonal,
        3 => straight,
        _ => straight || diagonal,
    }
}

/// A list of threats in a place of its own: one that grows would ask before each whether it must.
#[derive(Clone, Debug)]
pub struct List {
    pub(crate) threats: [u32; List::ROOM],
    pub(crate) len: usize,
}

impl List {
    /// The most threats in a list.
    pub const ROOM: usize = 128;

    /// No threats.
    pub const EMPTY: Self = Self { threats: [0; Self::ROOM], len: 0 };

    /// Adds one. There must be room.
    #[inline]
    pub fn push(&mut self, threat: u32) {
        self.push_if(true, threat);
    }

    /// Adds one or none, without a branch, which no processor could foresee. There must be room.
    #[inline]
    pub fn push_if(&mut self, wanted: bool, threat: u32) {
        debug_assert!(self.len < Self::ROOM);
        self.threats[self.len % Self::ROOM] = threat;
        self.len += usize::from(wanted);
    }

    /// Forgets all.
    #[inline]
    pub fn clear(&mut self) {
        self.len = 0;
    }

    /// All of them, in no particular order.
    #[inline]
    pub fn as_slice(&self) -> &[u32] {
        &self.threats[..self.len]
    }
}

/// The rows of a list of threats.
#[derive(Clone, Debug)]
pub struct Rows {
    rows: [u32; List::ROOM],
    len: usize,
}

impl Rows {
    /// No rows.
    pub const NONE: Self = Self { rows: [0; List::ROOM], len: 0 };

    /// Takes the rows of these threats, each number xored with `flip`, in place of what was there, and asks
    /// for their weights, `width` for each: rows are too many for the nearer caches.
    #[inline]
    pub fn find(&mut self, threats: &List, flip: u32, weights: &[i8], width: usize) {
        match width / LINE {
            0 | 1 => self.find_lines::<1>(threats, flip, weights, width),
            2 => self.find_lines::<2>(threats, flip, weights, width),
            3 => self.find_lines::<3>(threats, flip, weights, width),
            _ => self.find_lines::<4>(threats, flip, weights, width),
        }
    }

    /// [`Rows::find`] for rows of `N` cache lines each.
    #[inline]
    fn find_lines<const N: usize>(
        &mut self,
        threats: &List,
        flip: u32,
        weights: &[i8],
        width: usize,
    ) {
        self.len = threats.len;
        for (to, &threat) in self.rows.iter_mut().zip(threats.as_slice()) {
            *to = row(threat ^ flip);
            let start = weights.as_ptr().wrapping_add(*to as usize * width);
            for line in 0..N {
                prefetch_at(start.wrapping_add(line * LINE));
            }
        }
    }

    /// All of them, in the order of the threats.
    #[inline]
    pub fn as_slice(&self) -> &[u32] {
        &self.rows[..self.len]
    }
}

/// Bytes of a cache line.
const LINE: usize = 64;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_has_a_threat() {
        let mut seen = vec![false; ROWS];
        for number in 0..1 << 22 {
            seen[row(number) as usize] = true;
        }
        assert!(seen.iter().all(|&seen| seen));
    }
}
