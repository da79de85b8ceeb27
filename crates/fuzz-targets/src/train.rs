//! The trainer's checkpoint. The trainer is a program, so its files are read in here once more.
#![expect(dead_code, reason = "the trainer uses the rest")]

#[path = "../../lab/src/train/checkpoint.rs"]
mod checkpoint;
#[path = "../../lab/src/train/model.rs"]
mod model;
#[path = "../../lab/src/train/optimiser.rs"]
mod optimiser;
#[path = "../../lab/src/train/parallel.rs"]
mod parallel;

use std::sync::LazyLock;

use crate::binaries::{changed, sign};
use checkpoint::Checkpoint;
use model::Layout;
use optimiser::AdamW;

/// Any bytes as a checkpoint, as they are and with the right checksum, and changes of a whole one:
/// refused with a reason, or read and written with the same bytes.
pub(crate) fn checkpoint(bytes: &[u8]) {
    check(bytes);
    let mut signed = bytes.to_vec();
    sign(&mut signed);
    check(&signed);
    static WHOLE: LazyLock<Vec<u8>> = LazyLock::new(|| whole().to_bytes());
    check(&changed(&WHOLE, bytes));
}

fn check(bytes: &[u8]) {
    match Checkpoint::from_bytes(bytes) {
        Err(reason) => assert!(!reason.is_empty() && reason.len() < 1000),
        Ok(read) => {
            assert_eq!(read.parameters.len(), read.layout.len());
            assert_eq!(read.to_bytes().len(), bytes.len());
        }
    }
}

/// The smallest one.
fn whole() -> Checkpoint {
    let layout = Layout { ft: 1, king_buckets: 1, threats: false };
    let adam = AdamW::new(layout.len());
    let (step, settings) = (1, "rate 1".to_owned());
    Checkpoint {
        layout,
        step,
        settings,
        parameters: vec![0.0; layout.len()].as_slice().into(),
        adam,
    }
}
