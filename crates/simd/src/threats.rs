//! Threats: which input each is, and lists of them.
//!
//! A threat is a piece that attacks or defends another. Its number is
//!
//! | bits | |
//! |---|---|
//! | 8 and up | attacker's kind × 5 + victim's kind |
//! | 7, 6 | is the attacker Black's, is the victim |
//! | 5 to 0 | where the victim stands |
//!
//! Pieces have codes: pawn 0, knight, bishop, rook, queen, king 5, and 6 more if they are Black's.

/// The code of an empty square: no piece has it.
pub const EMPTY: u8 = 12;

/// What a piece adds to the number of a threat as its attacker.
pub static AS_ATTACKER: Parts = Parts::new(5 << 8, 1 << 7);
/// What a piece adds to the number of a threat as its victim; kings are none.
pub static AS_VICTIM: Parts = Parts::new(1 << 8, 1 << 6);

/// Parts of numbers by the code of a piece; a power of two of them, so that none is looked for outside.
pub struct Parts(pub(crate) [u16; 16]);

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
    pub fn of(&self, code: u8) -> u16 {
        self.0[usize::from(code) % 16]
    }
}

/// A list of threats in a place of its own: one that grows would ask before each whether it must.
#[derive(Clone, Debug)]
pub struct List {
    pub(crate) threats: [u16; List::ROOM],
    pub(crate) len: usize,
}

impl List {
    /// The most threats in a list.
    pub const ROOM: usize = 128;

    /// No threats.
    pub const EMPTY: Self = Self { threats: [0; Self::ROOM], len: 0 };

    /// Adds one. There must be room.
    #[inline]
    pub fn push(&mut self, threat: u16) {
        self.push_if(true, threat);
    }

    /// Adds one or none, without a branch, which no processor could foresee. There must be room.
    #[inline]
    pub fn push_if(&mut self, wanted: bool, threat: u16) {
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
    pub fn as_slice(&self) -> &[u16] {
        &self.threats[..self.len]
    }
}
