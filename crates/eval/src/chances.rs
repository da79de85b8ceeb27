//! The chances of win, draw and loss that go with a score.
//!
//! A score gives a chance by a curve whose shape depends on the material left. A forecast gives the
//! mean over its distribution, so that an unclear position shows fewer draws than a quiet one with
//! the same score.

use crate::Quantiles;
use crate::score::{Score, is_loss, is_win};
use chess::{Board, Piece};

/// Chances in thousandths, for the side to move; they add up to 1000.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub struct Chances {
    /// The side to move wins.
    pub win: u32,
    /// Nobody wins.
    pub draw: u32,
    /// The side to move loses.
    pub loss: u32,
}

/// The curves at four amounts of material, straight lines in between: material as
/// [`Chances::material`] counts it, the score that wins half of the games, and how far the chances
/// spread around it, in centipawns.
///
/// They hold for games of the engine against itself with [`NODES`] nodes a move. `brier-lab chances
/// fit` finds them; docs/quantiles.md says on what, and how far they can be believed.
const CURVES: [Curve; 4] = [
    Curve { material: 10.0, half: 219.0, spread: 28.0 },
    Curve { material: 30.0, half: 126.0, spread: 60.0 },
    Curve { material: 58.0, half: 100.0, spread: 58.0 },
    Curve { material: 78.0, half: 87.0, spread: 74.0 },
];
/// Who thinks longer draws more: the score that wins half of the games and the spread go with these powers
/// of the nodes a move.
const POWERS: Powers = Powers { half: 0.077, spread: -0.244 };
/// The least and the most nodes a move of the games that taught this.
const THOUGHT: (u64, u64) = (500, 20_000);
/// The thought to which [`Chances::of`] and all expected points belong: whatever a search has spent, two of
/// them count points alike.
pub const NODES: u64 = 20_000;
/// How much of a distribution each of its five quantiles stands for.
const SHARES: [f64; 5] = [0.175, 0.2, 0.25, 0.2, 0.175];

impl Chances {
    /// Both sides' material in pawns; the measure of how much game is left.
    pub fn material(board: &Board) -> u32 {
        [
            (Piece::Pawn, 1),
            (Piece::Knight, 3),
            (Piece::Bishop, 3),
            (Piece::Rook, 5),
            (Piece::Queen, 9),
        ]
        .into_iter()
        .map(|(piece, value)| value * board.kind(piece).count())
        .sum()
    }

    /// The chances on this board, if these quantiles are what longer searches will say.
    pub fn on(board: &Board, quantiles: &Quantiles) -> Self {
        Self::of(quantiles, Self::material(board))
    }

    /// Expected points, 0 to 1, for the side to move.
    pub fn points(self) -> f64 {
        f64::from(2 * self.win + self.draw) / 2000.0
    }

    /// Expected points of these quantiles with this much material, 0 to 1, without rounding: for
    /// who compares moves whose chances are nearly the same.
    pub fn expected_points(quantiles: &Quantiles, material: u32) -> f64 {
        let curve = Curve::at(&CURVES, f64::from(material));
        let lead = |score: Score| curve.chance(score) - curve.chance(-score);
        let leads = quantiles.to_array().map(lead);
        0.5 + 0.5 * leads.into_iter().zip(SHARES).map(|(lead, share)| share * lead).sum::<f64>()
    }

    /// The chances with this much material (see [`material`](Self::material)) on the board.
    pub fn of(quantiles: &Quantiles, material: u32) -> Self {
        Self::by(Curve::at(&CURVES, f64::from(material)), quantiles)
    }

    /// The chances if the game goes on with `nodes` for each move of both sides: fewer draws than
    /// [`of`](Self::of) says after little thought, more after much.
    pub fn after(nodes: u64, quantiles: &Quantiles, material: u32) -> Self {
        let nodes = nodes.clamp(THOUGHT.0, THOUGHT.1);
        let curve = Curve::at(&CURVES, f64::from(material)).thought(nodes, POWERS);
        Self::by(curve, quantiles)
    }

    /// The chances by a curve of one's own, to fit one.
    pub fn by(curve: Curve, quantiles: &Quantiles) -> Self {
        let mean = |sign: Score| {
            let points = quantiles.to_array().map(|score| curve.chance(sign * score));
            points.into_iter().zip(SHARES).map(|(chance, share)| share * chance).sum::<f64>()
        };
        let win = (1000.0 * mean(1)).round() as u32;
        let loss = (1000.0 * mean(-1)).round() as u32;
        // Each is below a half where the other is not, but rounding could go up twice.
        Self { win, draw: 1000_u32.saturating_sub(win + loss), loss: loss.min(1000 - win) }
    }
}

/// The powers of the nodes a move by which a [`Curve`] grows.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub struct Powers {
    /// Of the score that wins half of the games.
    pub half: f64,
    /// Of the spread around it.
    pub spread: f64,
}

/// How the chance to win rises with the score.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Curve {
    /// The material that it is for.
    pub material: f64,
    /// The score that wins half of the games.
    pub half: f64,
    /// How far the chances spread around it.
    pub spread: f64,
}

impl Curve {
    /// The curve for this much material, between two of `curves`, which are in rising order.
    pub fn at(curves: &[Self; 4], material: f64) -> Self {
        let material = material.clamp(curves[0].material, curves[3].material);
        let above = 1 + curves[1..3].iter().filter(|curve| material > curve.material).count();
        let (from, to) = (curves[above - 1], curves[above]);
        let part = (material - from.material) / (to.material - from.material);
        let mix = |from: f64, to: f64| from + part * (to - from);
        Self { material, half: mix(from.half, to.half), spread: mix(from.spread, to.spread) }
    }

    /// The curve of games with `nodes` a move, of one that holds for [`NODES`].
    pub fn thought(self, nodes: u64, powers: Powers) -> Self {
        let factor = nodes as f64 / NODES as f64;
        Self {
            half: self.half * factor.powf(powers.half),
            spread: self.spread * factor.powf(powers.spread),
            ..self
        }
    }

    /// The chance to win with this score.
    fn chance(self, score: Score) -> f64 {
        if is_win(score) {
            return 1.0;
        }
        if is_loss(score) {
            return 0.0;
        }
        1.0 / (1.0 + ((self.half - f64::from(score)) / self.spread).exp())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::{EVAL_LIMIT, mate_in, mated_in, tb_win_in};

    const SURE: Quantiles = Quantiles::certain(0);

    #[test]
    fn chances_add_up_and_mirror() {
        let wide = Quantiles::from_gaps(300, [80, 60, 90, 200]);
        for material in [0, 10, 40, 78, 200] {
            for doubt in [SURE, wide] {
                // Miri is a thousand times slower.
                let step = if cfg!(miri) { 7001 } else { 7 };
                for score in (-EVAL_LIMIT..=EVAL_LIMIT).step_by(step) {
                    let quantiles = doubt.shifted(score);
                    let ours = Chances::of(&quantiles, material);
                    let theirs = Chances::of(&quantiles.flipped(), material);
                    assert_eq!(ours.win + ours.draw + ours.loss, 1000);
                    assert_eq!((ours.win, ours.loss), (theirs.loss, theirs.win));
                }
            }
        }
    }

    #[test]
    fn exact_points_round_to_those_of_the_chances() {
        let wide = Quantiles::from_gaps(20, [80, 60, 90, 200]);
        for score in [-900, -120, 0, 35, 400, mate_in(3)] {
            let quantiles =
                if score < 1000 { wide.shifted(score) } else { Quantiles::certain(score) };
            let (exact, rounded) =
                (Chances::expected_points(&quantiles, 40), Chances::of(&quantiles, 40).points());
            assert!((exact - rounded).abs() <= 0.001, "{score}: {exact} {rounded}");
        }
    }

    #[test]
    fn a_better_score_never_wins_less() {
        for material in [0, 40, 78] {
            let step = if cfg!(miri) { 101 } else { 1 };
            let scores = (-2000..2000).step_by(step).map(Quantiles::certain);
            assert!(scores.map(|score| Chances::of(&score, material).win).is_sorted());
        }
    }

    #[test]
    fn doubt_makes_draws_rarer() {
        let wide = Quantiles::from_gaps(0, [150, 100, 100, 150]);
        assert!(Chances::of(&wide, 60).draw < Chances::of(&SURE, 60).draw);
    }

    #[test]
    fn longer_thought_draws_more() {
        let draws = [500, 2_000, 20_000].map(|nodes| Chances::after(nodes, &SURE, 70).draw);
        assert!(draws.is_sorted_by(|a, b| a < b), "{draws:?}");
        assert_eq!(Chances::after(NODES, &SURE, 70), Chances::of(&SURE, 70));
        assert_eq!(Chances::after(0, &SURE, 70), Chances::after(THOUGHT.0, &SURE, 70));
        assert_eq!(Chances::after(u64::MAX, &SURE, 70), Chances::after(THOUGHT.1, &SURE, 70));
    }

    #[test]
    fn decided_games_are_certain() {
        let sure = |score| Chances::of(&Quantiles::certain(score), 9);
        assert_eq!(sure(mate_in(5)).win, 1000);
        assert_eq!(sure(tb_win_in(5)).win, 1000);
        assert_eq!(sure(mated_in(4)).loss, 1000);
    }

    /// What the field means by a pawn.
    #[test]
    fn a_pawn_wins_half_of_the_games_at_move_32() {
        let chances = Chances::of(&Quantiles::certain(100), 58);
        assert!((480..=520).contains(&chances.win), "{chances:?}");
    }

    #[test]
    fn curves_are_mixed_between_their_materials() {
        let at = |material| Curve::at(&CURVES, material);
        for curve in CURVES {
            assert_eq!(at(curve.material), curve);
        }
        assert_eq!(at(0.0), CURVES[0]);
        assert_eq!(at(200.0), CURVES[3]);
        assert_eq!(at(20.0).half, (CURVES[0].half + CURVES[1].half) / 2.0);
    }

    #[test]
    fn material_of_the_start() {
        assert_eq!(f64::from(Chances::material(&Board::default())), CURVES[3].material);
    }
}
