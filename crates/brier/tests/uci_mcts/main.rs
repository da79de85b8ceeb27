//! The tests of the session once more, with the other search: the same files, another option.

/// What every engine is told before a test.
const OPTIONS: &[&str] = &["name MCTS value true"];

#[path = "../uci/books.rs"]
mod books;
#[path = "../uci/driver.rs"]
mod driver;
#[path = "../uci/endgames.rs"]
mod endgames;
#[path = "../uci/games.rs"]
mod games;
#[path = "../uci/limits.rs"]
mod limits;
#[path = "../uci/mates.rs"]
mod mates;
#[path = "../uci/session.rs"]
mod session;
#[path = "../uci/technique.rs"]
mod technique;
#[path = "../uci/transcripts.rs"]
mod transcripts;
mod visits;
