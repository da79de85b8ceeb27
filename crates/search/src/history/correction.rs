//! How wrong the static evaluation has been in positions that share a part with this one.
//!
//! After a search the difference between its score and the static evaluation is remembered under
//! the keys of the pawns, the minor pieces, each side's pieces, and the last two moves; the average
//! of these corrects the evaluation of the next position with the same parts.

use chess::{Board, Color};
use eval::Score;

use super::continuation::NO_MOVE;
use super::zeroed;
use crate::params::correction;

const SIZE: usize = 16_384;
/// The bound of an entry.
const LIMIT: i32 = 1024;

type Part = Box<[[i16; 2]; SIZE]>;

/// Corrections by part of the position.
pub(crate) struct Corrections {
    pawn: Part,
    minor: Part,
    non_pawn: [Part; 2],
    continuation: Box<[[i16; 768]; 769]>,
}

#[inline(always)]
fn learn(value: &mut i16, bonus: i32) {
    let old = i32::from(*value);
    *value = (old + bonus - old * bonus.abs() / LIMIT) as i16;
}

impl Corrections {
    pub(super) fn try_new() -> Option<Self> {
        Some(Self {
            pawn: zeroed()?,
            minor: zeroed()?,
            non_pawn: [zeroed()?, zeroed()?],
            continuation: zeroed()?,
        })
    }

    pub(super) fn clear(&mut self) {
        let [white, black] = &mut self.non_pawn;
        for part in [&mut self.pawn, &mut self.minor, white, black] {
            part.as_flattened_mut().fill(0);
        }
        self.continuation.as_flattened_mut().fill(0);
    }

    /// What to add to the static evaluation; `last` are the moves one and two plies before.
    #[inline]
    pub(crate) fn get(&self, board: &Board, last: [u16; 2]) -> Score {
        let (keys, side) = (board.keys(), board.side_to_move().index());
        let read = |part: &Part, key: u64| i32::from(part[key as usize % SIZE][side]);
        let sum = correction::pawn() * read(&self.pawn, keys.pawn)
            + correction::minor() * read(&self.minor, keys.minor)
            + correction::non_pawn()
                * (read(&self.non_pawn[0], keys.non_pawn[0])
                    + read(&self.non_pawn[1], keys.non_pawn[1]))
            + correction::continuation() * self.continuation(last);
        sum / (1024 * correction::grain())
    }

    #[inline]
    fn continuation(&self, [one, two]: [u16; 2]) -> i32 {
        if one == NO_MOVE {
            0
        } else {
            i32::from(self.continuation[usize::from(two)][usize::from(one)])
        }
    }

    /// Remembers that a search of this depth found `error` more than the static evaluation.
    pub(crate) fn update(&mut self, board: &Board, [one, two]: [u16; 2], depth: i32, error: Score) {
        let bonus = (error * depth / correction::depth_divisor())
            .clamp(-correction::bonus_max(), correction::bonus_max());
        let (keys, side) = (board.keys(), board.side_to_move().index());
        learn(&mut self.pawn[keys.pawn as usize % SIZE][side], bonus);
        learn(&mut self.minor[keys.minor as usize % SIZE][side], bonus);
        for color in Color::ALL {
            let key = keys.non_pawn[color.index()] as usize % SIZE;
            learn(&mut self.non_pawn[color.index()][key][side], bonus);
        }
        if one != NO_MOVE {
            learn(&mut self.continuation[usize::from(two)][usize::from(one)], bonus);
        }
    }
}
