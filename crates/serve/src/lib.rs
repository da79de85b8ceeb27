//! The server of a page in the browser: a board, what the engine thinks and how sure it is, reviews of
//! games, and an opponent. `brier serve` starts it.
//!
//! A request comes in through crate `http` (deadlines, the protocol, who may ask) and goes to `server`.
//! [`contract`] has the questions and answers as types, `answers` fills them in, and `turns` shares the
//! engines among all windows; `work` is what an engine does for a question. `assets` holds the files of the
//! page. Nothing is stored here: each question carries its game. [`Local`] answers without a server, and
//! [`site`] is the page with an engine of its own.

mod answers;
#[cfg(feature = "server")]
mod assets;
pub mod contract;
mod local;
mod player;
#[cfg(feature = "server")]
mod port;
#[cfg(feature = "server")]
mod server;
#[cfg(feature = "server")]
pub mod site;
#[cfg(feature = "server")]
mod turns;
mod work;

pub use local::Local;
#[cfg(feature = "server")]
pub use port::{Port, Setup};
