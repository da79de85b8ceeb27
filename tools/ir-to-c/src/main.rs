//! `ir-to-c <input.ll> <output.c>`: translates a file and prints the bytes of its constants.
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
    let [input, output] = arguments else {
        return Err(format!(
            "expected two arguments, <input.ll> and <output.c>, got {}",
            arguments.len()
        ));
    };
    let ir = fs::read_to_string(input).map_err(|e| format!("cannot read {input}: {e}"))?;
    let translation = ir_to_c::translate(&ir).map_err(|e| format!("{input}: {e}"))?;
    fs::write(output, translation.c).map_err(|e| format!("cannot write {output}: {e}"))?;
    Ok(translation.constant_bytes)
}
