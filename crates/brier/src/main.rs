//! The Brier binary: it wires the crates together, and it alone prints.

mod perft;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

#[derive(Parser)]
#[command(version, about, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Count the leaves of the move tree
    Perft(perft::Arguments),
}

fn main() -> ExitCode {
    let result = match Cli::parse().command {
        Some(Command::Perft(arguments)) => perft::run(&arguments),
        None => Ok(()),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            #[expect(clippy::print_stderr, reason = "the binary tells its user what went wrong")]
            {
                eprintln!("brier: {message}");
            }
            ExitCode::FAILURE
        }
    }
}
