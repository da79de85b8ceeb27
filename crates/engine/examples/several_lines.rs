//! The three best lines with their bands: `cargo run --release --example several_lines -- "FEN"`.
#![expect(clippy::print_stdout, reason = "an example prints what it found")]

use std::env;
use std::error::Error;

use engine::{Engine, Limits, Position};

fn main() -> Result<(), Box<dyn Error>> {
    let position = match env::args().nth(1) {
        Some(fen) => Position::new(fen.parse()?),
        None => Position::default(),
    };
    let mut engine = Engine::builder().hash_mb(64).lines(3).build()?;
    let limits = Limits { nodes: Some(200_000), ..Limits::default() };
    let pawns = |score| f64::from(score) / 100.0;
    for line in engine.ask(&position, &limits).lines {
        let (low, high) = (pawns(line.quantiles.q10), pawns(line.quantiles.q90));
        print!("{:+.2} ({low:+.2} to {high:+.2})", pawns(line.score));
        let mut board = position.board().clone();
        for &mv in &line.pv {
            print!(" {}", board.san(mv));
            board.make_move(mv, &mut ());
        }
        println!();
    }
    Ok(())
}
