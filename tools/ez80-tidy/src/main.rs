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

use std::collections::HashMap;
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
    let mut pieces = read(text);
    // What each function takes as arguments, so that calls of it read nothing else.
    let arguments: HashMap<String, String> = pieces
        .iter()
        .map(|piece| (piece.name.clone(), asm::note_reads(live::arguments(&piece.lines))))
        .collect();
    let mut output = String::new();
    for piece in &mut pieces {
        for line in &mut piece.lines {
            if let Line::Code(name, operands) = line
                && name == "call"
                && let [to] = operands.as_slice()
                && let Some(note) = arguments.get(to)
            {
                operands.push(note.clone());
            }
        }
        output.push_str(&piece.before);
        shorten(&mut piece.lines);
        piece.lines.iter().for_each(|line| output.push_str(&asm::write(line)));
    }
    output
}

/// A function, or code without a name.
#[derive(Default)]
struct Piece {
    /// The lines before its first instruction: its name, directives, tables.
    before: String,
    name: String,
    lines: Vec<Line>,
}

/// Takes a file apart: a name at the start of a line begins a piece, and so does a directive.
fn read(text: &str) -> Vec<Piece> {
    let mut pieces = vec![Piece::default()];
    for line in text.lines().map(asm::read) {
        let is_border = matches!(&line, Line::Other(text) if !text.is_empty());
        if is_border && pieces.last().is_some_and(|piece| !piece.lines.is_empty()) {
            pieces.push(Piece::default());
        }
        let Some(piece) = pieces.last_mut() else { continue };
        match line {
            Line::Other(text) => {
                if let Some(name) = text.strip_suffix(':') {
                    piece.name = name.trim_end_matches(':').to_string();
                }
                if is_border {
                    piece.before.push_str(&asm::write(&Line::Other(text)));
                }
            }
            line => piece.lines.push(line),
        }
    }
    pieces
}

/// Shortens a function.
fn shorten(function: &mut Vec<Line>) {
    live::note_copies(function);
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
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tidied(text: &str) -> Vec<String> {
        tidy(text).lines().map(|line| line.trim().replace('\t', " ")).collect()
    }

    #[test]
    fn what_nobody_reads_goes_and_what_lies_in_a_register_is_not_loaded() {
        let text = "_f:\n\tld\t-2 (ix), hl\n\tld\thl, -2 (ix)\n\tld\ta, (hl)\n\tret\n";
        assert_eq!(tidied(text), ["_f:", "ld a, (hl)", "ret"]);
    }

    #[test]
    fn two_bytes_move_at_once() {
        let text = "_f:\n\tld\thl, #_x\n\tld\ta, (hl)\n\tld\t-2 (ix), a\n\tinc\thl\n\tld\ta, (hl)\n\
                    \tld\t-1 (ix), a\n\tld\ta, #0x01\n\tld\tde, #0x0000\n\tld\thl, #0x0000\n\
                    \tcall\t_g\n\tld\te, -2 (ix)\n\tld\td, -1 (ix)\n\tret\n";
        let short = tidied(text);
        assert_eq!(short[1..3], ["ld hl, (#_x + 0)", "ld -2 (ix), hl"]);
    }

    #[test]
    fn a_frame_whose_address_is_taken_keeps_its_bytes() {
        let text = "_f:\n\tld\t-2 (ix), hl\n\tlea\thl, ix, #-2\n\tcall\t_g\n\tret\n";
        assert_eq!(tidied(text)[1..3], ["ld -2 (ix), hl", "lea hl, ix, #-2"]);
    }

    #[test]
    fn code_that_stands_twice_before_a_label_stands_once() {
        let text = "_f:\n\tjr\tZ, 00101$\n\tld\t(_x), a\n\tld\t(_y), a\n\tjp\t00102$\n00101$:\n\
                    \tinc\ta\n\tld\t(_x), a\n\tld\t(_y), a\n00102$:\n\tret\n";
        let short = tidied(text);
        assert_eq!(short.iter().filter(|line| *line == "ld (_x), a").count(), 1);
    }

    #[test]
    fn a_table_of_jumps_keeps_its_long_jumps() {
        let text = "_f:\n\tjp\t(hl)\n00103$:\n\tjp\t00101$\n\tjp\t00102$\n00101$:\n\tinc\ta\n\
                    00102$:\n\tret\n";
        assert_eq!(tidied(text)[1..5].join("; "), "jp (hl); jp 00101$; jp 00102$; 00101$:");
    }
}
