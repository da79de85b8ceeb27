//! How people play, where that is built in.

use std::sync::Arc;

use eval::People;

/// The built-in network that foresees people's moves; none without the feature `people`.
#[cfg(feature = "people")]
pub fn people() -> Option<Arc<dyn People>> {
    Some(people::embedded())
}

/// The built-in network that foresees people's moves; none without the feature `people`.
#[cfg(not(feature = "people"))]
pub fn people() -> Option<Arc<dyn People>> {
    None
}
