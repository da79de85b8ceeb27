//! Fixed work by which the engine is measured: how many positions it visits ([`mod@bench`]), how many
//! problems it solves ([`suite`]), how fast its moves are counted ([`perft`]).
//!
//! Nothing here prints; the commands of `brier` do.
//!
//! ```
//! use engine::{Engine, Limits};
//! use measure::suite;
//!
//! let problems = suite::read("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - bm Rd8; id \"back rank\";")?;
//! let mut engine = Engine::builder().hash_mb(1).build()?;
//! let limits = Limits { depth: Some(3), ..Limits::default() };
//! assert_eq!(suite::attempt(&mut engine, &problems.problems[0], &limits), None);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod bench;
pub mod perft;
pub mod suite;
