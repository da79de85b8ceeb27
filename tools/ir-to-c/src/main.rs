//! `ir-to-c <input.ll> <output.c> <before.c> <after.c>`: translates a file, puts it between two
//! that are written by hand, and prints the bytes of its constants.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command-line tool talks to its user"
)]

use std::fs;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match run(&arguments) {
        Ok(constant_bytes) => {
            println!("constant bytes {constant_bytes}");
            ExitCode::SUCCESS
        }
        Err(message) => {
            eprintln!("ir-to-c: {message}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &[String]) -> Result<usize, String> {
    let [input, output, before, after] = arguments else {
        return Err(format!(
            "expected <input.ll> <output.c> <before.c> <after.c>, got {} arguments",
            arguments.len()
        ));
    };
    let read =
        |file: &String| fs::read_to_string(file).map_err(|e| format!("cannot read {file}: {e}"));
    let (ir, before, after) = (read(input)?, read(before)?, read(after)?);
    let translation = ir_to_c::translate(&ir).map_err(|e| format!("{input}: {e}"))?;
    let text = before + &translation.c + &after;
    fs::write(output, text).map_err(|e| format!("cannot write {output}: {e}"))?;
    Ok(translation.constant_bytes)
}
