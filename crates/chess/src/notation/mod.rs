//! Positions and moves as text.

pub mod epd;
mod excerpt;
pub mod fen;
pub mod san;
pub mod uci;

pub use excerpt::Excerpt;
