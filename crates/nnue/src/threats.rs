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

use chess::{Color, Piece, Square};

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
    let victims = placement.victims();
    for (color, piece, square) in placement.pieces() {
        let attacker = code(color, piece);
        for victim in placement.sight(square).attacks(color, piece) & victims {
            take(Threat::of_codes(attacker, placement.code_at(victim), victim));
        }
    }
}

/// Threats that came and went while pieces were put on a board and taken away. One that came and went
/// again, or the other way round, may be in both lists.
#[derive(Clone, Debug, Default)]
pub(crate) struct Changes {
    pub(crate) added: Vec<Threat>,
    pub(crate) removed: Vec<Threat>,
}

impl Changes {
    /// Forgets all, keeping the memory.
    #[inline]
    pub(crate) fn clear(&mut self) {
        self.added.clear();
        self.removed.clear();
    }

    /// A piece comes: there are its threats and those on it, and lines across its square are closed.
    #[inline]
    pub(crate) fn put(&mut self, on: &mut Placement, color: Color, piece: Piece, square: Square) {
        threats_at(on, (color, piece, square), &mut self.added, &mut self.removed);
        on.put(color, piece, square);
    }

    /// What stands on a square goes: the same the other way round.
    #[inline]
    pub(crate) fn take(&mut self, from: &mut Placement, square: Square) {
        if let Some((color, piece)) = from.at(square) {
            threats_at(from, (color, piece, square), &mut self.removed, &mut self.added);
            from.clear(square);
        }
    }

    /// Goes from one placement to another, whatever lies between them.
    pub(crate) fn between(&mut self, before: &Placement, after: &Placement) {
        self.clear();
        let (mut now, changed) = (*before, before.changed(after));
        for square in changed {
            self.take(&mut now, square);
        }
        for square in changed {
            if let Some((color, piece)) = after.at(square) {
                self.put(&mut now, color, piece, square);
            }
        }
    }
}

/// Names the threats of one piece and those on it (`near`), and those along lines that run through its
/// square while it is empty (`across`). Whether it stands there already makes no difference.
#[inline]
fn threats_at(
    placement: &Placement,
    (color, piece, square): (Color, Piece, Square),
    near: &mut Vec<Threat>,
    across: &mut Vec<Threat>,
) {
    let (own, victims) = (code(color, piece), placement.victims());
    let sight = placement.sight(square);
    for victim in sight.attacks(color, piece) & victims {
        near.push(Threat::of_codes(own, placement.code_at(victim), victim));
    }
    let sliders = placement.sliders(&sight);
    if piece != Piece::King {
        for attacker in placement.steppers(square) | sliders {
            near.push(Threat::of_codes(placement.code_at(attacker), own, square));
        }
    }
    for slider in sliders {
        for victim in sight.beyond(slider) & victims {
            across.push(Threat::of_codes(
                placement.code_at(slider),
                placement.code_at(victim),
                victim,
            ));
        }
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
            let mut changes = Changes::default();
            changes.between(&before, &placement);
            let rows = |threats: &[Threat]| -> Vec<u32> {
                threats.iter().map(|t| View::new(0).threat_of(Color::White, t)).collect()
            };
            let (mut added, mut removed) = (rows(&changes.added), rows(&changes.removed));
            let (mut left, mut right) = (all(&before), all(&placement));
            left.append(&mut added);
            right.append(&mut removed);
            left.sort_unstable();
            right.sort_unstable();
            assert_eq!(left, right);
        }
    }
}
