//! What a position is worth, how sure we are, and whom the search may ask.
//!
//! [`score`] has the scale of the search, [`Quantiles`] a distribution on that scale and
//! [`Chances`] what both mean for the game. The seams of the search stand beside them:
//! [`Evaluator`] judges positions, [`Policy`] orders the moves of the root, [`tablebase`] knows
//! endings. [`checksum`] guards the files of all of them. What is not here: whoever implements a seam (each has a crate of its own), and the
//! search.
#![forbid(unsafe_code)]

pub mod chances;
pub mod checksum;
mod evaluator;
pub mod forecast;
mod material;
mod people;
mod policy;
mod quantiles;
pub mod score;
pub mod tablebase;

pub use chances::{Chances, Curve};
pub use evaluator::Evaluator;
pub use forecast::{Facts, Forecast, Forecaster};
pub use material::Material;
pub use people::People;
pub use policy::Policy;
pub use quantiles::Quantiles;
pub use score::Score;
pub use tablebase::Tablebase;
