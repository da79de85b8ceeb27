//! The model: a file made ready to run.

use std::path::Path;

use simd::Kernels;

use crate::config::Config;
use crate::forward::{self, Run};
use crate::gguf::{Gguf, GgufError, read_file, verify};
use crate::tokens::Token;
use crate::weights::Weights;

/// A loaded model. It is never changed, so threads may share it; each keeps its own [`Run`].
pub struct Model {
    config: Config,
    weights: Weights,
    kernels: &'static Kernels,
}

impl Model {
    /// Loads a file.
    pub fn load(path: &Path, kernels: &'static Kernels) -> Result<Model, GgufError> {
        Model::from_bytes(&read_file(path)?, kernels)
    }

    /// Loads a file that lies in memory. Its checksum is compared last, so that a file of another
    /// kind is refused for what it is.
    pub fn from_bytes(bytes: &[u8], kernels: &'static Kernels) -> Result<Model, GgufError> {
        let file = Gguf::parse(bytes)?;
        let config = Config::read(&file)?;
        let weights = Weights::load(&file, &config)?;
        verify(bytes)?;
        Ok(Model { config, weights, kernels })
    }

    /// Its sizes.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// An empty sequence.
    pub fn start(&self) -> Run {
        Run::new(&self.config)
    }

    /// Processes `new` tokens after those already in `run`; first the whole position, then moves.
    ///
    /// # Panics
    /// If `run` is of a model of other sizes, the sequence becomes longer than the context, or
    /// `new` is empty.
    pub fn extend(&self, run: &mut Run, new: &[Token]) {
        forward::extend(&self.weights, &self.config, self.kernels, run, new);
    }

    /// The score of a move token after the last token of `run`.
    pub fn logit(&self, run: &Run, token: Token) -> f32 {
        forward::logit(&self.weights, run.state(), token)
    }

    /// Bytes of the packed ternary weights, all of which every token reads.
    pub fn ternary_bytes(&self) -> usize {
        self.weights.ternary_bytes()
    }
}
