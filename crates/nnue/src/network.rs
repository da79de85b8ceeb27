//! The weights of a network, and the evaluation of a position from nothing.

use std::sync::{Arc, OnceLock};

use chess::{Board, Color, Piece, Square};
use eval::Quantiles;
use eval::score::clamp_eval;
use simd::nnue::Head;
use simd::{Aligned, Kernels};

use crate::accumulator::Lanes;
use crate::arch::{
    GAP_ONE, GAPS, L1, L2, L2_IN, OUT, OUT_ONE, OUT_PADDED, OUTPUT_BUCKETS, gap, is_width,
    output_bucket, threat_lanes,
};
use crate::features::{INPUTS, View};
use crate::file::{self, NetError};
use crate::placement::Placement;
use crate::threats::{THREATS, row, threats};

/// The network inside the program. A module for browsers has none: it comes from outside
/// ([`Network::make_default`]), so that one module serves pages with any network.
#[cfg(not(target_family = "wasm"))]
static EMBEDDED: &[u8] = include_bytes!("../data/default.nnue");

/// What [`Network::default_net`] gives.
static DEFAULT: OnceLock<Arc<Network>> = OnceLock::new();

/// All weights of a network. Shared by all threads, never changed.
#[derive(Clone, Debug, PartialEq)]
pub struct Network {
    /// What it is, in a few words: shown to users and in `nets/NETS.md`.
    pub name: String,
    /// Centipawns of one unit of log-odds.
    pub scale: i32,
    /// Transformer weights, a row of [`Network::width`] for each input.
    pub ft_weights: Aligned<i16>,
    /// Transformer biases.
    pub ft_biases: Aligned<i16>,
    /// Transformer weights of the threats, a row of [`threat_lanes`] for each; none in a network
    /// that has only piece-square inputs.
    pub threat_weights: Aligned<i8>,
    /// Dense layers of each output bucket.
    pub heads: Vec<HeadWeights>,
}

/// The dense layers of one output bucket, in the order of [`simd::nnue::Head`].
#[derive(Clone, Debug, PartialEq)]
pub struct HeadWeights {
    /// First dense layer: weights.
    pub l1_weights: Aligned<i8>,
    /// First dense layer: biases.
    pub l1_biases: [i32; L1],
    /// Second dense layer: weights.
    pub l2_weights: Box<[i16; L2_IN * L2]>,
    /// Second dense layer: biases.
    pub l2_biases: [i32; L2],
    /// Output layer: weights.
    pub out_weights: Box<[i16; L2 * OUT_PADDED]>,
    /// Output layer: biases.
    pub out_biases: [i32; OUT_PADDED],
    /// Corrections of the four gaps, found on held-out games after training: below, far below,
    /// above, far above the median; [`GAP_ONE`] leaves a gap as it is.
    pub gap_scales: [i32; GAPS],
}

impl HeadWeights {
    /// All zeros, behind accumulators of `width` lanes.
    pub fn new(width: usize) -> Self {
        Self {
            l1_weights: Aligned::new(width * L1),
            l1_biases: [0; L1],
            l2_weights: Box::new([0; L2_IN * L2]),
            l2_biases: [0; L2],
            out_weights: Box::new([0; L2 * OUT_PADDED]),
            out_biases: [0; OUT_PADDED],
            gap_scales: [GAP_ONE; GAPS],
        }
    }

    fn as_head(&self) -> Head<'_> {
        Head {
            l1_weights: &self.l1_weights,
            l1_biases: &self.l1_biases,
            l2_weights: &self.l2_weights,
            l2_biases: &self.l2_biases,
            out_weights: &self.out_weights,
            out_biases: &self.out_biases,
        }
    }
}

impl Network {
    /// A network of zeros, to be filled; its accumulators have `width` lanes.
    ///
    /// # Panics
    ///
    /// If no network can have that many ([`is_width`]).
    pub fn new(width: usize, name: &str, scale: i32) -> Self {
        assert!(is_width(width), "no network has {width} lanes");
        Self {
            name: name.into(),
            scale,
            ft_weights: Aligned::new(INPUTS * width),
            ft_biases: Aligned::new(width),
            threat_weights: Aligned::new(0),
            heads: vec![HeadWeights::new(width); OUTPUT_BUCKETS],
        }
    }

    /// A network of zeros with threat inputs, to be filled.
    pub fn with_threats(width: usize, name: &str, scale: i32) -> Self {
        let threat_weights = Aligned::new(THREATS * threat_lanes(width));
        Self { threat_weights, ..Self::new(width, name, scale) }
    }

    /// Lanes of an accumulator.
    #[inline]
    pub fn width(&self) -> usize {
        self.ft_biases.len()
    }

    /// Has it threat inputs?
    #[inline]
    pub fn has_threats(&self) -> bool {
        !self.threat_weights.is_empty()
    }

    /// The network that is part of the program; read once, then shared. In a module for browsers the
    /// one of [`Network::make_default`], or one for which all positions are level.
    pub fn default_net() -> Arc<Self> {
        Arc::clone(DEFAULT.get_or_init(|| Arc::new(Self::embedded())))
    }

    #[cfg(not(target_family = "wasm"))]
    fn embedded() -> Self {
        Self::from_bytes(EMBEDDED).expect("the embedded network is whole: a test reads it")
    }

    #[cfg(target_family = "wasm")]
    fn embedded() -> Self {
        Self::new(crate::arch::FT_STEP, "none", 1)
    }

    /// Makes this the network that [`Network::default_net`] gives from now on. If that has been asked
    /// for already, it stays what it is and the network comes back.
    pub fn make_default(self) -> Result<(), Arc<Self>> {
        DEFAULT.set(Arc::new(self))
    }

    /// Reads the bytes of a network file.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, NetError> {
        file::read(bytes)
    }

    /// The bytes of a network file.
    pub fn to_bytes(&self) -> Vec<u8> {
        file::write(self)
    }

    /// Judges accumulators of the side to move and of its opponent, in a position with that many
    /// pieces.
    #[inline]
    pub(crate) fn judge(
        &self,
        kernels: &Kernels,
        us: &[i16],
        them: &[i16],
        pieces: usize,
    ) -> Quantiles {
        let head = &self.heads[output_bucket(pieces)];
        self.quantiles((kernels.nnue.forward)(us, them, &head.as_head()), &head.gap_scales)
    }

    /// The five raw outputs as quantiles: a median and what lies between its neighbours.
    #[inline]
    fn quantiles(&self, outputs: [i32; OUT], gap_scales: &[i32; GAPS]) -> Quantiles {
        let centipawns = |value: i64| (value * i64::from(self.scale) / i64::from(OUT_ONE)) as i32;
        let [median, below, far_below, above, far_above] = outputs;
        // Each limited to what a score can be, so that no sum can overflow.
        let width = |z: i32, k: usize| {
            let corrected = gap(z) * i64::from(gap_scales[k]) / i64::from(GAP_ONE);
            clamp_eval(centipawns(corrected))
        };
        let gaps = [width(far_below, 1), width(below, 0), width(above, 2), width(far_above, 3)];
        Quantiles::from_gaps(clamp_eval(centipawns(i64::from(median))), gaps).shifted(0)
    }

    /// Judges a board from nothing, for the side to move. The search uses [`crate::Nnue`], which
    /// only looks at what changed.
    pub fn evaluate(&self, kernels: &Kernels, board: &Board) -> Quantiles {
        let [us, them] = self.accumulate(kernels, board);
        let width = self.width();
        self.judge(kernels, us.of(width), them.of(width), board.occupied().count() as usize)
    }

    /// The accumulators of the side to move and of its opponent, from nothing.
    pub(crate) fn accumulate(&self, kernels: &Kernels, board: &Board) -> [Lanes; 2] {
        let placement = Placement::of(board);
        let us = board.side_to_move();
        [us, !us].map(|side| self.accumulate_one(kernels, &placement, side, board.king(side)))
    }

    /// Judges any set of pieces, whether a legal position or not: so that one can ask what a
    /// position would be worth without one of its pieces.
    pub fn evaluate_pieces(
        &self,
        kernels: &Kernels,
        pieces: impl Iterator<Item = (Color, Piece, Square)>,
        kings: [Square; 2],
        side: Color,
    ) -> Quantiles {
        let placement: Placement = pieces.collect();
        let accumulate =
            |side: Color| self.accumulate_one(kernels, &placement, side, kings[side.index()]);
        let (us, them) = (accumulate(side), accumulate(!side));
        let width = self.width();
        self.judge(kernels, us.of(width), them.of(width), placement.occupied().count() as usize)
    }

    /// One side's accumulator from nothing.
    fn accumulate_one(
        &self,
        kernels: &Kernels,
        placement: &Placement,
        side: Color,
        king: Square,
    ) -> Lanes {
        let view = View::of(side, king);
        let inputs: Vec<u32> = placement
            .pieces()
            .map(|(color, piece, square)| view.input_of(side, color, piece, square))
            .collect();
        let mut all = Lanes::ZERO;
        let lanes = all.of_mut(self.width());
        (kernels.nnue.update)(lanes, &self.ft_biases, &self.ft_weights, &inputs, &[]);
        if self.has_threats() {
            let (mut inputs, flip) = (Vec::new(), view.threat_flip(side));
            threats(placement, |threat| inputs.push(row(threat ^ flip)));
            let lanes = &mut lanes[..threat_lanes(self.width())];
            (kernels.nnue.update_bytes)(lanes, &self.threat_weights, &inputs, &[]);
        }
        all
    }
}
