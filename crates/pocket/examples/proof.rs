//! `proof full` or `proof small`: prints what a run of `pocket::proof` must print everywhere.
//! `cargo xtask pocket-arm` and `cargo xtask pocket-c` compare the small processors with it.
#![expect(clippy::print_stdout, reason = "the text is the point")]

use std::process::ExitCode;

use pocket::engine::Engine;
use pocket::proof::{self, Run};
use pocket::table::{BANK, Bank};

fn text<const SLOTS: usize>(run: &Run) -> String {
    let mut text = Vec::new();
    let mut engine = Box::new(Engine::ZERO);
    let (mut low, mut high) = (Box::new(Bank::<SLOTS>::EMPTY), Box::new(Bank::<SLOTS>::EMPTY));
    proof::counts(&mut engine, (&mut *low, &mut *high), run, |byte| text.push(byte));
    proof::searches(&mut engine, (&mut *low, &mut *high), run, |byte| text.push(byte));
    String::from_utf8_lossy(&text).into_owned()
}

fn main() -> ExitCode {
    match std::env::args().nth(1).as_deref() {
        Some("full") => print!("{}", text::<BANK>(&proof::FULL)),
        Some("small") => print!("{}", text::<{ proof::SMALL_SLOTS }>(&proof::SMALL)),
        other => {
            println!("expected 'full' or 'small', got {other:?}");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}
