//! From the float network to the engine's integers, and what that costs.

use data::Record;
use eval::Quantiles;
use nnue::arch::{
    ACT_ONE, FT, FT_ONE, FT_STEP, L1, L1_ONE, L2, L2_IN, OUT, OUT_ONE, OUT_PADDED, OUTPUT_BUCKETS,
    WEIGHT_ONE, is_width,
};
use nnue::{HeadWeights, Network};
use simd::nnue::SQUARE_SHIFT;
use simd::{Aligned, Kernels};

use super::loss::quantiles;
use super::model::{Head, Layout};
use super::step::Step;

/// Rounds every parameter to the engine's scale.
pub(crate) fn quantise(
    layout: Layout,
    parameters: &[f32],
    name: &str,
    scale: i32,
) -> Result<Network, String> {
    let width = layout.ft;
    if !is_width(width) {
        return Err(format!("expected a multiple of {FT_STEP} lanes up to {FT}, got {width}"));
    }
    let mut network = match layout.threats {
        true => Network::with_threats(width, name, scale),
        false => Network::new(width, name, scale),
    };
    let mut merged = Aligned::new(layout.ft_weights().len());
    layout.merge_shared(parameters, &mut merged);
    let ft_one = FT_ONE as f32;
    let to_i16 = |x: f32| x.round().clamp(f32::from(i16::MIN), f32::from(i16::MAX)) as i16;
    for (to, from) in network.ft_weights.iter_mut().zip(merged.iter()) {
        *to = to_i16(from * ft_one);
    }
    for (to, from) in network.threat_weights.iter_mut().zip(&parameters[layout.threat_weights()]) {
        *to = (from * ft_one).round().clamp(-127.0, 127.0) as i8;
    }
    for (to, from) in network.ft_biases.iter_mut().zip(&parameters[layout.ft_biases()]) {
        *to = to_i16(from * ft_one);
    }
    for (bucket, head) in network.heads.iter_mut().enumerate() {
        quantise_head(width, &Head::new(width, &parameters[layout.head(bucket)]), head);
    }
    debug_assert_eq!(network.heads.len(), OUTPUT_BUCKETS);
    Ok(network)
}

fn quantise_head(width: usize, from: &Head<'_>, to: &mut HeadWeights) {
    let one = WEIGHT_ONE as f32;
    let bias = |x: f32, one: i32| (f64::from(x) * f64::from(one)).round() as i32;
    let to_i16 = |x: f32| x.round().clamp(f32::from(i16::MIN), f32::from(i16::MAX)) as i16;
    for o in 0..L1 {
        for i in 0..width {
            let weight = (from.l1_weights[o * width + i] * L1_ONE as f32).round();
            to.l1_weights[(i / 4) * 4 * L1 + o * 4 + i % 4] = weight.clamp(-127.0, 127.0) as i8;
        }
        to.l1_biases[o] = bias(from.l1_biases[o], ACT_ONE);
    }
    // Squares come out a little small, since the shift divides by more than ACT_ONE.
    let square = (1 << SQUARE_SHIFT) as f32 / ACT_ONE as f32;
    for o in 0..L2 {
        for i in 0..L2_IN {
            let one = if i < L1 { one } else { one * square };
            to.l2_weights[((i / 2) * L2 + o) * 2 + i % 2] =
                to_i16(from.l2_weights[o * L2_IN + i] * one);
        }
        to.l2_biases[o] = bias(from.l2_biases[o], OUT_ONE);
    }
    for o in 0..OUT {
        for i in 0..L2 {
            let weight = to_i16(from.out_weights[o * L2 + i] * one);
            to.out_weights[((i / 2) * OUT_PADDED + o) * 2 + i % 2] = weight;
        }
        to.out_biases[o] = bias(from.out_biases[o], OUT_ONE);
    }
}

/// How far the integers are from the floats, in centipawns.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Difference {
    /// Mean distance of the medians.
    pub(crate) mean: f64,
    /// Greatest distance of the medians.
    pub(crate) greatest: f64,
    /// Mean difference of the medians, with its sign.
    pub(crate) bias: f64,
    /// Mean distance of the widths (q90 - q10).
    pub(crate) width: f64,
}

/// Compares a quantised network with its floats.
pub(crate) fn verify(
    network: &Network,
    kernels: &'static Kernels,
    layout: Layout,
    parameters: &[f32],
    records: &[Record],
) -> Difference {
    let outputs = Step::new(kernels, layout, 1).outputs(parameters, records);
    let mut sum = Difference::default();
    for (record, outputs) in records.iter().zip(outputs) {
        let floats = quantiles(&outputs);
        let [q50, _, q10, _, q90] = floats.map(|q| f64::from(q) * f64::from(network.scale));
        let integers = judge(network, kernels, record);
        let difference = f64::from(integers.q50) - q50;
        sum.mean += difference.abs();
        sum.bias += difference;
        sum.greatest = sum.greatest.max(difference.abs());
        sum.width += (f64::from(integers.uncertainty()) - (q90 - q10)).abs();
    }
    let count = records.len().max(1) as f64;
    Difference {
        mean: sum.mean / count,
        greatest: sum.greatest,
        bias: sum.bias / count,
        width: sum.width / count,
    }
}

/// The engine's judgement of a record.
pub(crate) fn judge(network: &Network, kernels: &Kernels, record: &Record) -> Quantiles {
    use chess::{Color, Piece, Square};
    let mut kings = [Square::from_index(0); 2];
    for (square, piece, color) in record.pieces() {
        if piece == Piece::King {
            kings[color.index()] = square;
        }
    }
    let pieces: Vec<_> =
        record.pieces().map(|(square, piece, color)| (color, piece, square)).collect();
    network.evaluate_pieces(kernels, pieces.iter().copied(), kings, Color::White)
}

#[cfg(test)]
mod tests {
    use super::{FT, Layout, quantise, verify};
    use crate::train::inputs::samples::records;

    #[test]
    fn integers_stay_close_to_floats() {
        for layout in [Layout::new(FT, true), Layout::new(128, false)] {
            integers_are_close(layout);
        }
    }

    fn integers_are_close(layout: Layout) {
        let mut parameters = layout.initial(3);
        // Threats start at zero: give them something to round.
        let threats = layout.threat_weights();
        for (i, weight) in parameters[threats].iter_mut().enumerate() {
            *weight = ((i % 97) as f32 - 48.0) / 1000.0;
        }
        let network = quantise(layout, &parameters, "test", 200).unwrap();
        let difference = verify(&network, simd::kernels(), layout, &parameters, &records(500, 4));
        // A unit of the first layer's input is 1/127; two centipawns of 200 are a hundredth.
        assert!(difference.mean < 2.0 && difference.greatest < 10.0, "{difference:?}");
        assert!(difference.width < 3.0, "{difference:?}");
    }

    #[test]
    fn another_width_is_refused() {
        let layout = Layout::new(64, true);
        let message = quantise(layout, &layout.initial(3), "test", 200).unwrap_err();
        assert!(message.contains("got 64"), "{message}");
    }
}
