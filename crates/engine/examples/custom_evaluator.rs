//! The search with an evaluator of your own: here, one that counts mobility.
//!
//! `cargo run --release --example custom_evaluator`
#![expect(clippy::print_stdout, reason = "an example prints what it found")]

use std::error::Error;
use std::sync::mpsc;

use chess::{Board, Color, MoveObserver, Piece, Square};
use eval::{Evaluator, Material, Quantiles};
use search::{Engine, Event, Limits, Position, Settings};

/// Material, and a few centipawns for each legal move; the fewer moves, the less sure it is.
#[derive(Clone, Default)]
struct Mobility {
    material: Material,
}

/// Nothing is kept from move to move, so moves need not be observed.
impl MoveObserver for Mobility {
    fn added(&mut self, _: Color, _: Piece, _: Square) {}
    fn removed(&mut self, _: Color, _: Piece, _: Square) {}
    fn moved(&mut self, _: Color, _: Piece, _: Square, _: Square) {}
}

impl Evaluator for Mobility {
    fn reset(&mut self, board: &Board) {
        self.material.reset(board);
    }

    fn push(&mut self) {}

    fn pop(&mut self) {}

    fn evaluate(&mut self, board: &Board) -> Quantiles {
        let moves = i32::try_from(board.legal_moves().len()).unwrap_or(0);
        let score = self.material.evaluate(board).q50 + 3 * moves;
        let doubt = 100 - moves.min(80);
        Quantiles::from_gaps(score, [doubt, doubt / 2, doubt / 2, doubt])
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut engine = Engine::new(Mobility::default, 16, 1)?;
    let (sender, events) = mpsc::channel();
    let limits = Limits { depth: Some(8), ..Limits::default() };
    engine.go(&Position::default(), limits, Settings::default(), move |event| {
        // The receiver outlives the search.
        let _ = sender.send(event);
    });
    for event in events {
        match event {
            Event::Info(info) => {
                println!("depth {} score {} {}", info.depth, info.score, info.pv[0])
            }
            Event::BestMove { best: Some(mv), .. } => println!("plays {mv}"),
            _ => {}
        }
    }
    Ok(())
}
