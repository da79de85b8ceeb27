//! Threat inputs: one for each kind of piece that attacks or defends a kind of piece on a square.
//!
//! Piece-square inputs see where pieces stand but not what they do: a network has to find out by
//! itself that a bishop on b2 looks at a knight on f6, lane by lane and square by square. Here it
//! sees it at once. The attacker may be of any kind, the victim of any but a king: an attacked king
//! is in check, and no position in check is judged. Where the attacker stands does not matter, so a
//! few thousand inputs ([`THREATS`]) cover all pairs and each is learnt from many positions. Two
//! attackers of one kind count twice.
//!
//! Sides, ranks and mirroring are those of the piece-square inputs ([`View`]), king buckets there
//! are none.

use chess::{Bitboard, Color, Piece, Square};

use crate::features::View;
use crate::placement::{EMPTY, Placement, code};

/// Threat inputs: attacker of 2 sides × 6 kinds, victim of 2 sides × 5 kinds on 64 squares.
pub const THREATS: usize = 2 * 6 * 2 * 5 * 64;

/// A piece that attacks or defends another: which of which kinds, and where the latter stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Threat {
    /// The codes of both pieces in one number ([`Threat::PAIRS`]).
    pair: u8,
    square: u8,
}

impl Threat {
    /// Pairs of codes.
    const PAIRS: usize = (EMPTY as usize) * (EMPTY as usize);

    /// The piece `attacker` attacks or defends `victim`, no king, which stands on `square`.
    pub fn new(attacker: (Color, Piece), victim: (Color, Piece), square: Square) -> Self {
        Self::of_codes(code(attacker.0, attacker.1), code(victim.0, victim.1), square)
    }

    #[inline]
    fn of_codes(attacker: u8, victim: u8, square: Square) -> Self {
        Self { pair: attacker * EMPTY + victim, square: square.index() as u8 }
    }
}

/// The first input of each pair of codes, seen by White and by Black.
const FIRST_INPUTS: [[u16; Threat::PAIRS]; 2] = {
    let mut table = [[0; Threat::PAIRS]; 2];
    let mut at = 0;
    while at < 2 * Threat::PAIRS {
        let (side, pair) = (at / Threat::PAIRS, at % Threat::PAIRS);
        let (attacker, victim) = (pair / EMPTY as usize, pair % EMPTY as usize);
        let attacker = ((attacker / 6) ^ side) * 6 + attacker % 6;
        // No threat has a king for a victim; its place in the table is never read.
        let victim = ((victim / 6) ^ side) * 5 + victim % 6;
        table[side][pair] = ((attacker * 10 + victim) * 64) as u16;
        at += 1;
    }
    table
};

impl View {
    /// The threat input of a threat, seen by `side`, whose view this is.
    #[inline]
    pub fn threat_of(self, side: Color, threat: &Threat) -> u32 {
        let first = FIRST_INPUTS[side.index()][usize::from(threat.pair)];
        let square = Square::from_index(usize::from(threat.square)).relative_to(side);
        u32::from(first) + self.mirrored(square.index()) as u32
    }
}

/// Every threat on a board.
pub fn threats(placement: &Placement, mut take: impl FnMut(Threat)) {
    for attacker in placement.occupied() {
        for_each(placement, attacker, placement.victims(attacker), &mut take);
    }
}

/// Threats that came and went between two placements.
///
/// Whatever stands on a square that changed has other threats than before. Of the pieces elsewhere,
/// those that step see other victims on the changed squares alone; those that slide may also see
/// past them, where a line was opened or closed. A slider's line is the same up to the first changed
/// square on it, so who sees none of them before sees none after.
#[inline]
pub(crate) fn difference(
    before: &Placement,
    after: &Placement,
    mut added: impl FnMut(Threat),
    mut removed: impl FnMut(Threat),
) {
    let changed = before.changed(after);
    let mut sliders = Bitboard::EMPTY;
    for square in changed {
        for_each(before, square, before.victims(square), &mut removed);
        for_each(after, square, after.victims(square), &mut added);
        let here = square.bitboard();
        for stepper in before.steppers(square) & !changed {
            if before.has_victim(square) {
                for_each(before, stepper, here, &mut removed);
            }
            if after.has_victim(square) {
                for_each(after, stepper, here, &mut added);
            }
        }
        sliders |= before.sliders(square);
    }
    for slider in sliders & !changed {
        let (old, new) = (before.victims(slider), after.victims(slider));
        let stay = old & new & !changed;
        for_each(before, slider, old & !stay, &mut removed);
        for_each(after, slider, new & !stay, &mut added);
    }
}

/// Names some victims of one attacker.
#[inline]
fn for_each(
    placement: &Placement,
    attacker: Square,
    victims: Bitboard,
    take: &mut impl FnMut(Threat),
) {
    let attacker = placement.code_at(attacker);
    for square in victims {
        take(Threat::of_codes(attacker, placement.code_at(square), square));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::Board;

    fn all(placement: &Placement) -> Vec<u32> {
        let mut rows = Vec::new();
        let view = View::new(0);
        threats(placement, |threat| rows.push(view.threat_of(Color::White, &threat)));
        rows.sort_unstable();
        rows
    }

    #[test]
    fn threats_of_a_small_board() {
        // Nc3 attacks the pawn d5 and is defended by the pawn b2; Kg1 and Kg8 touch nothing; the
        // pawn d5 is defended by the pawn e6.
        let board: Board = "6k1/8/4p3/3p4/8/2N5/1P6/6K1 w - - 0 1".parse().unwrap();
        let mut found = Vec::new();
        threats(&Placement::of(&board), |threat| found.push(threat));
        let square = |name: &str| name.parse::<Square>().unwrap();
        let (white, black) = (Color::White, Color::Black);
        let expected = [
            ((white, Piece::Pawn), (white, Piece::Knight), "c3"),
            ((white, Piece::Knight), (black, Piece::Pawn), "d5"),
            ((black, Piece::Pawn), (black, Piece::Pawn), "d5"),
        ]
        .map(|(attacker, victim, name)| Threat::new(attacker, victim, square(name)));
        assert_eq!(found, expected);
        // White's king g1 mirrors the board: c3 is seen on f3.
        let view = View::of(white, board.king(white));
        assert_eq!(view.threat_of(white, &found[0]), 64 + 21);
        // Black sees its own pawn's work: attacker and victim are pawns of its own on d4, mirrored e4.
        let view = View::of(black, board.king(black));
        assert_eq!(view.threat_of(black, &found[2]), 28);
    }

    #[test]
    fn inputs_are_distinct_and_in_range() {
        let mut seen = std::collections::HashSet::new();
        for attacker in Color::ALL.iter().flat_map(|&c| Piece::ALL.map(|p| (c, p))) {
            for victim in Color::ALL.iter().flat_map(|&c| Piece::ALL.map(|p| (c, p))) {
                if victim.1 == Piece::King {
                    continue;
                }
                for square in Square::all() {
                    let threat = Threat::new(attacker, victim, square);
                    let input = View::new(7).threat_of(Color::Black, &threat);
                    assert!((input as usize) < THREATS && seen.insert(input));
                }
            }
        }
        assert_eq!(seen.len(), THREATS);
    }

    /// Whatever changes, threats before - removed + added = threats after.
    #[test]
    fn differences_add_up() {
        let mut rng = chess::Rng::new(11);
        let mut random = |n| rng.below(n);
        let mut placement = Placement::EMPTY;
        for _ in 0..20_000 {
            let before = placement;
            for _ in 0..=random(4) {
                let square = Square::from_index(random(64));
                if random(2) == 0 {
                    placement.clear(square);
                } else {
                    placement.put(Color::ALL[random(2)], Piece::ALL[random(6)], square);
                }
            }
            let (mut added, mut removed) = (Vec::new(), Vec::new());
            let view = View::new(0);
            difference(
                &before,
                &placement,
                |threat| added.push(view.threat_of(Color::White, &threat)),
                |threat| removed.push(view.threat_of(Color::White, &threat)),
            );
            let (mut left, mut right) = (all(&before), all(&placement));
            left.append(&mut added);
            right.append(&mut removed);
            left.sort_unstable();
            right.sort_unstable();
            assert_eq!(left, right);
        }
    }
}
