//! The best move of a position: `cargo run --release --example best_move -- "FEN" [nodes]`.
#![expect(clippy::print_stdout, reason = "an example prints what it found")]

use std::env;
use std::error::Error;

use engine::{Engine, Limits, Position};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let fen = arguments.next();
    let nodes = arguments.next().map_or(Ok(100_000), |text| text.parse())?;
    let position = match fen {
        Some(fen) => Position::new(fen.parse()?),
        None => Position::default(),
    };
    let mut engine = Engine::builder().hash_mb(64).build()?;
    let answer = engine.ask(&position, &Limits { nodes: Some(nodes), ..Limits::default() });
    match answer.best {
        Some(mv) => println!("{} after {} nodes", position.board().san(mv), answer.nodes),
        None => println!("the game is over"),
    }
    Ok(())
}
