//! A game of the engine against itself: `cargo run --release --example self_play -- [nodes]`.
#![expect(clippy::print_stdout, reason = "an example prints what it found")]

use std::env;
use std::error::Error;

use engine::{Engine, Limits, Position};

fn main() -> Result<(), Box<dyn Error>> {
    let nodes = env::args().nth(1).map_or(Ok(5000), |text| text.parse())?;
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let mut engine = Engine::builder().hash_mb(16).option("OwnBook", true).build()?;
    let mut position = Position::default();
    while position.played().len() < 400 {
        let board = position.board();
        if let Some(outcome) = board.outcome(position.keys()) {
            println!("\n{outcome:?}");
            break;
        }
        let Some(mv) = engine.ask(&position, &limits).best else { break };
        print!("{} ", board.san(mv));
        position.play(mv);
    }
    println!("{}", position.board());
    Ok(())
}
