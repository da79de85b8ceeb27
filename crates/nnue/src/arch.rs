//! The shape of the network and the scales of its integers.
//!
//! ```text
//!  768 × 8 king buckets ─► FT lanes ─┐  (side to move)   clip, multiply halves
//!                                    ├─► FT bytes ─► 16 ─► 32 ─► 5     × 8 output buckets
//!  768 × 8 king buckets ─► FT lanes ─┘  (opponent)
//! ```
//!
//! Threats ([`crate::threats`]) are inputs of the first half of the lanes alone: a lane that knows them is
//! multiplied with one that knows only where pieces stand.
//!
//! The transformer has one set of weights for both points of view. Behind it each output bucket
//! has its own small dense layers. The shapes of those layers and the shifts between them are
//! [`simd::nnue`]'s, because the kernels are written for them.

pub use simd::nnue::{ACT_ONE, FT_ONE, L1, L2, L2_IN, OUT, OUT_PADDED};

/// Lanes of an accumulator: outputs of the feature transformer for one point of view. The network
/// inside the program has this many; others may have fewer ([`is_width`]).
pub const FT: usize = 512;

/// Output buckets: one set of dense layers for each band of piece counts.
pub const OUTPUT_BUCKETS: usize = 8;

/// Can a network have this many lanes? The kernels of the dense layers work on whole groups of them.
pub const fn is_width(lanes: usize) -> bool {
    0 < lanes && lanes <= FT && lanes.is_multiple_of(FT_STEP)
}

/// What the lanes of every network are a multiple of.
pub const FT_STEP: usize = 128;

/// Lanes that threat inputs reach in a network of this width: those of its first half, each of which is
/// multiplied with one that knows only where pieces stand. Each threat is a row to add, and a move
/// changes many: they would cost more than they tell if they reached all lanes.
pub const fn threat_lanes(width: usize) -> usize {
    width / 2
}

/// Integer value of a first dense layer's weight of 1.0.
pub const L1_ONE: i32 = 256;
/// Integer value of a weight of 1.0 in the second dense layer and the output layer.
pub const WEIGHT_ONE: i32 = 512;
/// Integer value of an output of 1.0: one unit of log-odds.
pub const OUT_ONE: i32 = ACT_ONE * WEIGHT_ONE;

/// Gaps between neighbouring quantiles.
pub const GAPS: usize = OUT - 1;
/// Integer value of a gap scale of 1.0 ([`crate::HeadWeights::gap_scales`]).
pub const GAP_ONE: i32 = 1024;
/// Largest gap scale: no honest correction is that large.
pub const GAP_SCALE_LIMIT: i32 = 16 * GAP_ONE;

/// The output bucket of a position with that many pieces, kings included.
///
/// Bands of four: 2-5, 6-9, …, 30-32.
pub const fn output_bucket(pieces: usize) -> usize {
    let bucket = pieces.saturating_sub(2) / 4;
    if bucket < OUTPUT_BUCKETS { bucket } else { OUTPUT_BUCKETS - 1 }
}

/// The width a gap output stands for: a ramp with a rounded foot, so never negative.
///
/// `0` below -1, `(z + 1)² / 4` up to 1, `z` above, in units where [`OUT_ONE`] is 1. Its slope has
/// no jump, which training likes, and integers compute it exactly, which inference needs.
pub const fn gap(z: i32) -> i64 {
    const ONE: i64 = OUT_ONE as i64;
    let z = z as i64;
    if z <= -ONE {
        0
    } else if z >= ONE {
        z
    } else {
        (z + ONE) * (z + ONE) / (4 * ONE)
    }
}

#[cfg(test)]
mod tests {
    use super::{OUT_ONE, OUTPUT_BUCKETS, gap, output_bucket};

    #[test]
    fn output_buckets_cover_every_piece_count() {
        assert_eq!(output_bucket(2), 0);
        assert_eq!(output_bucket(5), 0);
        assert_eq!(output_bucket(6), 1);
        assert_eq!(output_bucket(32), OUTPUT_BUCKETS - 1);
        // Positions set up by hand may hold more pieces than a game can.
        assert_eq!(output_bucket(64), OUTPUT_BUCKETS - 1);
    }

    #[test]
    fn gaps_are_never_negative_and_never_fall() {
        assert_eq!(gap(i32::MIN), 0);
        assert_eq!(gap(-OUT_ONE), 0);
        assert_eq!(gap(0), i64::from(OUT_ONE) / 4);
        assert_eq!(gap(OUT_ONE), i64::from(OUT_ONE));
        assert_eq!(gap(i32::MAX), i64::from(i32::MAX));
        let mut last = 0;
        for z in (-2 * OUT_ONE..2 * OUT_ONE).step_by(997) {
            assert!(gap(z) >= last);
            last = gap(z);
        }
    }
}
