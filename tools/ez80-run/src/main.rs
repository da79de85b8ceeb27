//! `ez80-run <image.ihx> <stack floor>`: runs an image on an emulated eZ80 in Z80 mode. What it
//! prints goes to standard output; then come lines that begin with `#`: cycles, cycles with wait
//! states, and the stack's high-water mark. The exit code is the program's own.
//!
//! `<stack floor>` is the first address after the image's data, in hexadecimal: writes from
//! there up are the stack's.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command-line tool talks to its user"
)]

mod machine;

use std::fs;
use std::process::ExitCode;

/// More instructions than any test needs; a program that runs longer does not end.
const INSTRUCTION_LIMIT: u64 = 20_000_000_000;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match run(&arguments) {
        Ok(code) => ExitCode::from(code),
        Err(message) => {
            eprintln!("ez80-run: {message}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &[String]) -> Result<u8, String> {
    let [image, floor] = arguments else {
        return Err(format!(
            "expected two arguments, <image.ihx> and <stack floor>, got {}",
            arguments.len()
        ));
    };
    let floor = u32::from_str_radix(floor.trim_start_matches("0x"), 16)
        .map_err(|_| format!("expected a hexadecimal address, got `{floor}`"))?;
    let hex = fs::read_to_string(image).map_err(|e| format!("cannot read {image}: {e}"))?;
    let used = machine::run(&hex, floor, INSTRUCTION_LIMIT)?;
    print!("{}", used.text);
    println!("# cycles {}", used.cycles);
    println!("# cycles with wait states {}", used.calculator_cycles);
    println!("# stack {}", used.stack);
    used.code.ok_or_else(|| format!("expected an end within {INSTRUCTION_LIMIT} instructions"))
}
