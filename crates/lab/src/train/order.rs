//! Puts lanes next to each other that are at work in the same positions.
//!
//! The first dense layer skips four inputs at once if all are zero. Which lanes share a group of four
//! is free, so those share one that are rarely at work without each other: the judgement stays the
//! same to the bit, and more groups are skipped.

use data::Record;
use nnue::Network;
use nnue::arch::{FT_ONE, L1, threat_lanes};
use nnue::threats::THREATS;
use simd::nnue::PAIR_SHIFT;

use super::inputs::Inputs;

/// Inputs of the first dense layer that are skipped together.
const GROUP: usize = 4;

/// Records that are looked at, at most.
const RECORDS: usize = 20_000;

/// Puts the lanes of a network into the order that skips most on these positions. Returns the share of
/// groups that are not skipped, before and after.
pub(crate) fn sort(network: &mut Network, records: &[Record]) -> [f64; 2] {
    let records = &records[..records.len().min(RECORDS)];
    if records.is_empty() {
        return [1.0; 2];
    }
    let lanes = at_work(network, records);
    let as_it_was: Vec<usize> = (0..lanes.len()).collect();
    let order = grouped(&lanes);
    let share = |order: &[usize]| {
        let used: u32 = order.chunks_exact(GROUP).map(|group| union(&lanes, group).count()).sum();
        f64::from(used) * GROUP as f64 / (2 * records.len() * lanes.len()) as f64
    };
    let shares = [share(&as_it_was), share(&order)];
    reorder(network, &order);
    shares
}

/// In which points of view something is the case: a bit for each.
#[derive(Clone, Default)]
struct Views(Vec<u64>);

impl Views {
    fn count(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    fn shared(&self, other: &Self) -> u32 {
        self.0.iter().zip(&other.0).map(|(a, b)| (a & b).count_ones()).sum()
    }

    fn set(&mut self, view: usize) {
        self.0[view / 64] |= 1 << (view % 64);
    }
}

fn union(lanes: &[Views], group: &[usize]) -> Views {
    let mut union = lanes[group[0]].clone();
    for &lane in &group[1..] {
        union.0.iter_mut().zip(&lanes[lane].0).for_each(|(a, b)| *a |= b);
    }
    union
}

/// For each input of the first dense layer that a side has: where it is not zero.
fn at_work(network: &Network, records: &[Record]) -> Vec<Views> {
    let width = network.width();
    let empty = Views(vec![0; (2 * records.len()).div_ceil(64)]);
    let mut lanes = vec![empty; width / 2];
    let mut inputs = Inputs::default();
    for (number, record) in records.iter().enumerate() {
        inputs.set(record, network.has_threats());
        for side in 0..2 {
            let sums = sums(network, &inputs, side);
            let (low, high) = sums.split_at(width / 2);
            for ((lane, &a), &b) in lanes.iter_mut().zip(low).zip(high) {
                let [a, b] = [a, b].map(|sum| i32::from(sum).clamp(0, FT_ONE));
                if (a * b + (1 << (PAIR_SHIFT - 1))) >> PAIR_SHIFT != 0 {
                    lane.set(2 * number + side);
                }
            }
        }
    }
    lanes
}

/// One side's accumulator.
fn sums(network: &Network, inputs: &Inputs, side: usize) -> Vec<i16> {
    let width = network.width();
    let mut sums = network.ft_biases.to_vec();
    for &row in inputs.side(side) {
        let row = &network.ft_weights[row as usize * width..][..width];
        sums.iter_mut().zip(row).for_each(|(sum, &weight)| *sum = sum.wrapping_add(weight));
    }
    let reached = threat_lanes(width);
    for &row in &inputs.threats[side] {
        let row = &network.threat_weights[row as usize * reached..][..reached];
        for (sum, &weight) in sums.iter_mut().zip(row) {
            *sum = sum.wrapping_add(i16::from(weight));
        }
    }
    sums
}

/// All lanes, group after group: first pairs of lanes that share the most views, then pairs of pairs.
fn grouped(lanes: &[Views]) -> Vec<usize> {
    let mut groups: Vec<Vec<usize>> = (0..lanes.len()).map(|lane| vec![lane]).collect();
    let mut size = 1;
    while size < GROUP {
        let views: Vec<Views> = groups.iter().map(|group| union(lanes, group)).collect();
        let mut pairs: Vec<(u32, usize, usize)> = (0..groups.len())
            .flat_map(|a| (0..a).map(move |b| (a, b)))
            .map(|(a, b)| (views[a].shared(&views[b]), a, b))
            .collect();
        pairs.sort_unstable_by(|a, b| b.cmp(a));
        let mut joined = Vec::new();
        for (_, a, b) in pairs {
            if !groups[a].is_empty() && !groups[b].is_empty() {
                let [a, b] = [a, b].map(|group| std::mem::take(&mut groups[group]));
                joined.push([a, b].concat());
            }
        }
        groups = joined;
        size *= 2;
    }
    groups.concat()
}

/// Puts the lanes of both halves into an order.
fn reorder(network: &mut Network, order: &[usize]) {
    let width = network.width();
    let half = width / 2;
    let of_row = |row: &mut [i16]| {
        for part in row.chunks_exact_mut(half) {
            permute(part, order);
        }
    };
    network.ft_weights.chunks_exact_mut(width).for_each(of_row);
    network.ft_biases.chunks_exact_mut(width).for_each(of_row);
    if network.has_threats() {
        debug_assert_eq!(network.threat_weights.len(), THREATS * half);
        network.threat_weights.chunks_exact_mut(half).for_each(|row| permute(row, order));
    }
    let at = |input: usize, output: usize| (input / 4) * 4 * L1 + output * 4 + input % 4;
    for head in &mut network.heads {
        let old = head.l1_weights.clone();
        for (to, &from) in order.iter().enumerate() {
            for side in [0, half] {
                for output in 0..L1 {
                    head.l1_weights[at(side + to, output)] = old[at(side + from, output)];
                }
            }
        }
    }
}

fn permute<T: Copy>(values: &mut [T], order: &[usize]) {
    let old = values.to_vec();
    for (to, &from) in values.iter_mut().zip(order) {
        *to = old[from];
    }
}

#[cfg(test)]
mod tests {
    use super::sort;
    use crate::train::inputs::samples::records;
    use crate::train::model::Layout;
    use crate::train::quantise::{judge, quantise};

    #[test]
    fn the_judgement_stays_and_more_is_skipped() {
        let layout = Layout::new(128, true);
        let mut parameters = layout.initial(3);
        for (i, weight) in parameters[layout.threat_weights()].iter_mut().enumerate() {
            *weight = ((i % 97) as f32 - 48.0) / 1000.0;
        }
        let mut network = quantise(layout, &parameters, "test", 200).unwrap();
        let (before, records) = (network.clone(), records(300, 5));
        let [share_before, share_after] = sort(&mut network, &records);
        assert!(share_after < share_before, "{share_after} {share_before}");
        assert_ne!(network, before);
        for record in &records {
            let [old, new] =
                [&before, &network].map(|network| judge(network, simd::kernels(), record));
            assert_eq!(old, new);
        }
    }
}
