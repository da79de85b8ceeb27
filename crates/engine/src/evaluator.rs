//! Which evaluator the engine plays with: the one place where that is chosen.
//!
//! The choice is made at run time, by the option `EvalFile`, but the search is compiled for one
//! type: [`AnyEvaluator`]. A `match` that always goes the same way costs next to nothing beside an
//! evaluation.

use std::fmt;
use std::sync::Arc;

use chess::{Board, Color, MoveObserver, Piece, Square};
use classical::Classical;
use eval::{Evaluator, Forecaster, Quantiles};
use nnue::{NetError, Network, Nnue};
use simd::Kernels;

/// The longest file that is taken for a network.
const MOST_BYTES: u64 = 1 << 28;

/// Where evaluators come from.
#[derive(Clone)]
pub enum Source {
    /// Hand-written terms.
    Classical,
    /// A network, shared by all threads.
    Network(Arc<Network>),
}

/// Why `EvalFile` was refused; the evaluator before it stays.
#[derive(Debug)]
pub enum SourceError {
    /// The file cannot be read.
    Read(std::io::Error),
    /// The file is not a network of ours.
    Network(NetError),
}

impl fmt::Display for SourceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read(error) => write!(f, "expected a network file, got: {error}"),
            Self::Network(error) => write!(f, "{error}"),
        }
    }
}

impl std::error::Error for SourceError {}

impl Default for Source {
    fn default() -> Self {
        Self::Network(Network::default_net())
    }
}

impl Source {
    /// What the option `EvalFile` names: `<default>`, `<classical>` or a file.
    pub fn from_option(value: &str) -> Result<Self, SourceError> {
        match value {
            "<default>" => Ok(Self::default()),
            "<classical>" => Ok(Self::Classical),
            path => {
                let bytes = files::read(path.as_ref(), MOST_BYTES).map_err(SourceError::Read)?;
                let network = Network::from_bytes(&bytes).map_err(SourceError::Network)?;
                Ok(Self::Network(Arc::new(network)))
            }
        }
    }

    /// Who foresees what longer searches with it would say: the shipped model, which was fitted to
    /// searches with the shipped network. For other networks it is a guess; the classical
    /// evaluation has none.
    pub(crate) fn forecaster(&self) -> Option<Arc<dyn Forecaster>> {
        match self {
            Self::Classical => None,
            Self::Network(_) => Some(forecast::Model::embedded()),
        }
    }

    /// An evaluator for one thread.
    pub fn evaluator(&self) -> AnyEvaluator {
        self.evaluator_with(simd::kernels())
    }

    /// The same with kernels of the caller's choice, which change the speed and nothing else.
    pub fn evaluator_with(&self, kernels: &'static Kernels) -> AnyEvaluator {
        match self {
            Self::Classical => AnyEvaluator::Classical(Classical::default()),
            Self::Network(network) => {
                AnyEvaluator::Nnue(Nnue::new(Arc::clone(network), kernels, &Board::default()))
            }
        }
    }
}

/// Any evaluator of ours, with the endings that all of them should know.
#[derive(Clone)]
pub enum AnyEvaluator {
    /// Hand-written terms.
    Classical(Classical),
    /// A network.
    Nnue(Nnue),
}

/// Hands a call on to whichever evaluator it is.
macro_rules! either {
    ($any:expr, $inner:ident => $call:expr) => {
        match $any {
            AnyEvaluator::Classical($inner) => $call,
            AnyEvaluator::Nnue($inner) => $call,
        }
    };
}

impl MoveObserver for AnyEvaluator {
    #[inline]
    fn added(&mut self, color: Color, piece: Piece, square: Square) {
        either!(self, inner => inner.added(color, piece, square));
    }

    #[inline]
    fn removed(&mut self, color: Color, piece: Piece, square: Square) {
        either!(self, inner => inner.removed(color, piece, square));
    }

    #[inline]
    fn moved(&mut self, color: Color, piece: Piece, from: Square, to: Square) {
        either!(self, inner => inner.moved(color, piece, from, to));
    }
}

impl Evaluator for AnyEvaluator {
    fn reset(&mut self, board: &Board) {
        either!(self, inner => inner.reset(board));
    }

    #[inline]
    fn push(&mut self) {
        either!(self, inner => inner.push());
    }

    #[inline]
    fn pop(&mut self) {
        either!(self, inner => inner.pop());
    }

    #[inline]
    fn evaluate(&mut self, board: &Board) -> Quantiles {
        match self {
            Self::Classical(inner) => inner.evaluate(board),
            // Networks see few bare kings in training and give a lone rook no direction.
            Self::Nnue(inner) => match classical::bare_king(board) {
                Some(score) => Quantiles::certain(score),
                None => inner.evaluate(board),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_option_names_a_source() {
        assert!(matches!(Source::from_option("<classical>"), Ok(Source::Classical)));
        assert!(matches!(Source::from_option("<default>"), Ok(Source::Network(_))));
        let missing = Source::from_option("no/such/file.nnue").err().unwrap();
        assert!(missing.to_string().starts_with("expected a network file"));
    }

    #[test]
    fn a_file_that_is_no_network_is_refused() {
        let error = Source::from_option(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml")).err();
        assert!(matches!(error, Some(SourceError::Network(_))));
    }
}
