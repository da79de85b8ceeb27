//! The tests of the session once more, with the other search: the same files, another option. Mates are
//! in the tests of crate `mcts`, because this search does not find all of those in `mates.rs`, and `technique.rs`
//! it does not have.

/// What every engine is told before a test.
const OPTIONS: &[&str] = &["name MCTS value true"];

#[path = "../uci/driver.rs"]
mod driver;
#[path = "../uci/endgames.rs"]
mod endgames;
#[path = "../uci/games.rs"]
mod games;
#[path = "../uci/limits.rs"]
mod limits;
#[path = "../uci/session.rs"]
mod session;
mod visits;
