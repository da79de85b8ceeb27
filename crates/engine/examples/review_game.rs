//! The moves of a PGN file that cost the most: `cargo run --release --example review_game -- game.pgn`.
//!
//! Each position is searched once; what a move loses is the difference of the expected points
//! before and after it. `brier analyze` does this with more care: it names only losses it is sure of.
#![expect(clippy::print_stdout, reason = "an example prints what it found")]

use std::env;
use std::error::Error;
use std::fs::File;

use chess::Board;
use engine::{Chances, Engine, Limits, Position};

/// The expected points of the side to move: what the rules say, or a short search.
fn points(engine: &mut Engine, position: &Position) -> f64 {
    let board: &Board = position.board();
    if let Some(outcome) = board.outcome(position.keys()) {
        return if outcome.winner().is_some() { 0.0 } else { 0.5 };
    }
    let limits = Limits { nodes: Some(20_000), ..Limits::default() };
    let answer = engine.ask(position, &limits);
    answer.lines.first().map_or(0.5, |line| Chances::on(board, &line.quantiles).points())
}

fn main() -> Result<(), Box<dyn Error>> {
    let path = env::args().nth(1).ok_or("expected a PGN file, got nothing")?;
    let mut engine = Engine::builder().hash_mb(64).build()?;
    for game in pgn::Reader::new(File::open(path)?).games() {
        let game = game?;
        let player = |tag| game.tag(tag).unwrap_or("?");
        println!("{} against {}", player("White"), player("Black"));
        let mut position = Position::new(game.start.clone());
        let mut before = points(&mut engine, &position);
        for played in &game.moves {
            let board = position.board().clone();
            position.play(played.mv);
            let after = points(&mut engine, &position);
            let loss = before - (1.0 - after);
            if loss >= 0.1 {
                let number = pgn::move_number(&board);
                println!("  {number}{} loses {loss:.2} points", board.san(played.mv));
            }
            before = after;
        }
    }
    Ok(())
}
