//! `ez80-tidy <in.asm> <out.asm>`: shortens the eZ80 assembly that SDCC writes.
//!
//! SDCC's register allocator gives up on large functions and keeps what they compute in the stack
//! frame, byte by byte. Here each function is gone over again with the knowledge of what is still
//! read later: values are taken from where they lie already, what nobody reads goes, two bytes
//! are moved at once, and code that stands twice before the same label stands once.
//!
//! `asm` knows what instructions do, `live` what is still read, `values` where a value lies,
//! `rules` has the replacements and `jumps` the jumps.
#![expect(clippy::print_stderr, reason = "a command-line tool talks to its user")]

mod asm;
mod jumps;
mod live;
mod rules;
mod values;

use std::fs;
use std::process::ExitCode;

use asm::Line;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [from, to] = arguments.as_slice() else {
        eprintln!("expected two arguments, <in.asm> and <out.asm>, got {}", arguments.len());
        return ExitCode::FAILURE;
    };
    let done = fs::read_to_string(from)
        .map_err(|e| format!("cannot read {from}: {e}"))
        .and_then(|text| fs::write(to, tidy(&text)).map_err(|e| format!("cannot write {to}: {e}")));
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("ez80-tidy: {message}");
            ExitCode::FAILURE
        }
    }
}

/// Shortens all functions of a file.
fn tidy(text: &str) -> String {
    let mut output = String::new();
    let mut function: Vec<Line> = Vec::new();
    for line in text.lines().map(asm::read) {
        // A name at the start of a line begins a function or a table, a directive ends one.
        let border = match &line {
            Line::Other(text) => !text.is_empty(),
            _ => false,
        };
        if border {
            finish(&mut function, &mut output);
            output.push_str(&asm::write(&line));
        } else if !matches!(line, Line::Other(_)) {
            function.push(line);
        }
    }
    finish(&mut function, &mut output);
    output
}

/// Shortens a function and writes it.
fn finish(function: &mut Vec<Line>, output: &mut String) {
    let exposed = live::exposed(function);
    let mut number = 0;
    // Each round may make room for the next; the bound is far beyond what any function needs.
    for _ in 0..64 {
        let mut changed = jumps::straighten(function);
        changed |= rules::replace(function, exposed);
        changed |= values::reuse(function, exposed);
        changed |= rules::drop_idle(function, exposed);
        if !changed && !jumps::merge(function, &mut number) {
            break;
        }
    }
    jumps::shorten(function);
    function.drain(..).for_each(|line| output.push_str(&asm::write(&line)));
}
