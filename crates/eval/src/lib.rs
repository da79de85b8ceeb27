//! What a position is worth, and how sure we are.
//!
//! [`score`] has the scale of the search, [`Quantiles`] a distribution on that scale, and
//! [`Evaluator`] is the seam between the search and whoever judges positions. What is not here:
//! networks (they implement the seam in their own crate) and the search.
#![forbid(unsafe_code)]

pub mod classical;
mod evaluator;
mod material;
mod policy;
mod quantiles;
pub mod score;

pub use classical::Classical;
pub use evaluator::Evaluator;
pub use material::Material;
pub use policy::Policy;
pub use quantiles::Quantiles;
pub use score::Score;
