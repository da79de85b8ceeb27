//! Plain Rust: the definition of correct, and the fallback on any processor.

pub mod nnue;
pub mod ternary;
pub mod train;

use crate::dispatch::Kernels;
use crate::nnue::NnueKernels;
use crate::ternary::TernaryKernels;
use crate::train::TrainKernels;

/// The table every other table must equal.
pub(crate) static TABLE: Kernels = Kernels {
    name: "scalar",
    nnue: NnueKernels {
        update: nnue::update,
        update_bytes: nnue::update_bytes,
        threats: None,
        forward: nnue::forward,
    },
    ternary: TernaryKernels { matvec: ternary::matvec, matmul: ternary::matmul },
    train: TrainKernels {
        add_rows: train::add_rows,
        scatter_rows: train::scatter_rows,
        pair: train::pair,
        pair_backward: train::pair_backward,
        matvec: train::matvec,
        matvec_backward: train::matvec_backward,
        adam: train::adam,
    },
};
