//! Which registers and bytes of the frame somebody still reads.

use std::collections::HashMap;

use crate::asm::{Copy, Effect, Line, Places, effect, slot};

/// Notes at each copy to or from the frame which bytes it is about, so that the frame's address does
/// not count as taken for anything else.
pub(crate) fn note_copies(lines: &mut [Line]) {
    let live = after(lines, Places::frame());
    for i in 2..lines.len() {
        let Line::Code(name, _) = &lines[i] else { continue };
        // The addresses must not be of use afterwards.
        if name != "ldir" || !live[i].is_apart(Places::of(&["de", "hl"])) {
            continue;
        }
        let parts = |line: &Line| match line {
            Line::Code(name, operands) => format!("{name} {}", operands.join(",")),
            _ => String::new(),
        };
        let (address, count) = (parts(&lines[i - 2]), parts(&lines[i - 1]));
        let count = count.strip_prefix("ld bc,#0x").and_then(|c| i32::from_str_radix(c, 16).ok());
        let at = address.strip_prefix("lea de,ix,#").and_then(|at| at.parse().ok());
        let copy = match (at, count) {
            (Some(at), Some(count)) => Copy::Into(at, count),
            (None, Some(_)) if address == "add hl,sp" => Copy::FromFrame,
            _ => continue,
        };
        if let Line::Code(_, operands) = &mut lines[i] {
            *operands = vec![copy.note()];
        }
    }
}

/// The frame's bytes that are reached in other ways than as `-4 (ix)`: nothing is known of them.
pub(crate) fn exposed(lines: &[Line]) -> Places {
    let mut lowest = i32::MAX;
    let mut through_stack = false;
    let mut ended = false;
    for (i, line) in lines.iter().enumerate() {
        let Line::Code(name, operands) = line else { continue };
        let (first, second) = (
            operands.first().map_or("", String::as_str),
            operands.get(1).map_or("", String::as_str),
        );
        // An address in the frame, unless it only moves the stack's end.
        let moves_end = |register: &str| {
            matches!(lines.get(i + 1), Some(Line::Code(name, next))
                if name == "ld" && next.first().is_some_and(|o| o == "sp")
                    && next.get(1).is_some_and(|o| o == register))
        };
        // Or a copy that is noted.
        let copies = matches!(lines.get(i + 2), Some(Line::Code(name, note))
            if name == "ldir" && !note.is_empty());
        let takes_address = match name.as_str() {
            "lea" => second == "ix" && first != "ix" && !moves_end(first) && !copies,
            "add" => second == "sp" && first != "ix" && !moves_end(first) && !copies,
            "ld" => second == "ix" && first != "sp",
            "push" => first == "ix" && i > 0,
            _ => false,
        };
        if takes_address {
            return Places::frame();
        }
        // What lies at the stack's end is also reached by popping it. After the frame is gone
        // only arguments and the way back are popped.
        let before = lines[..i].iter().rev().find(|line| !matches!(line, Line::Other(_)));
        ended =
            (ended && matches!(before, Some(Line::Code(..)))) || (name == "pop" && first == "ix");
        through_stack |= (name == "pop" && !ended) || (name == "ex" && first == "(sp)");
        lowest = operands.iter().filter_map(|o| slot(o)).fold(lowest, i32::min);
    }
    if through_stack && lowest < 0 { Places::slots(lowest, 6) } else { Places::NONE }
}

/// Where an instruction may go on: the next line, and a label or all of them.
pub(crate) enum Next {
    /// Only the next line.
    Line,
    /// A label; `true` if the next line is possible too.
    Label(String, bool),
    /// Out of the function; `true` if the next line is possible too.
    Away(bool),
    /// Any label: a table of jumps.
    Anywhere,
}

/// Where the way goes after a line.
pub(crate) fn next(line: &Line) -> Next {
    let Line::Code(name, operands) = line else { return Next::Line };
    let conditional = operands.len() > 1;
    match name.as_str() {
        "jp" | "jr" | "djnz" => match operands.last().map(String::as_str) {
            Some(to) if to.ends_with('$') => {
                Next::Label(to.to_string(), conditional || name == "djnz")
            }
            Some("(hl)" | "(iy)" | "(ix)") => Next::Anywhere,
            _ => Next::Away(conditional),
        },
        "ret" | "reti" | "retn" => Next::Away(!operands.is_empty()),
        "halt" => Next::Away(false),
        _ => Next::Line,
    }
}

/// What an instruction does, jumps included; one that is not known reads everything.
pub(crate) fn effect_of(line: &Line) -> Effect {
    let nothing =
        Effect { reads: Places::NONE, writes: Places::NONE, kills: Places::NONE, pure: false };
    let Line::Code(name, operands) = line else { return nothing };
    match (name.as_str(), next(line)) {
        ("djnz", _) => Effect { reads: Places::of(&["b"]), writes: Places::of(&["b"]), ..nothing },
        (_, Next::Anywhere) => Effect { reads: Places::of(&["hl", "iy"]), ..nothing },
        ("jp" | "jr" | "ret", _) if operands.len() > usize::from(name != "ret") => {
            Effect { reads: Places::of(&["f"]), ..nothing }
        }
        (_, Next::Label(..) | Next::Away(_)) => nothing,
        _ => effect(name, operands).unwrap_or(Effect {
            reads: Places::ALL,
            writes: Places::ALL,
            ..nothing
        }),
    }
}

/// The registers that a function reads of what its caller left there.
pub(crate) fn arguments(lines: &[Line]) -> Places {
    let first = after(lines, Places::NONE).first().copied().unwrap_or(Places::ALL);
    let effect = lines.first().map_or(Places::NONE, |line| effect_of(line).reads);
    let kills = lines.first().map_or(Places::NONE, |line| effect_of(line).kills);
    first.without(kills).with(effect).without(Places::frame())
}

/// For each line of a function what is read after it.
pub(crate) fn after(lines: &[Line], exposed: Places) -> Vec<Places> {
    // Results travel in these; another function that is jumped to may take any as arguments.
    let results = Places::of(&["a", "de", "hl"]).with(exposed);
    let arguments = Places::ALL.without(Places::frame()).with(exposed);
    let labels: HashMap<&str, usize> = lines
        .iter()
        .enumerate()
        .filter_map(|(i, line)| match line {
            Line::Label(label) => Some((label.as_str(), i)),
            _ => None,
        })
        .collect();
    let effects: Vec<Effect> = lines.iter().map(effect_of).collect();
    let mut before = vec![Places::NONE; lines.len() + 1];
    let mut after = vec![Places::NONE; lines.len()];
    if let Some(end) = before.last_mut() {
        *end = Places::ALL;
    }
    loop {
        let mut changed = false;
        for i in (0..lines.len()).rev() {
            let following = before[i + 1];
            let out = match next(&lines[i]) {
                Next::Line => following,
                Next::Label(to, falls) => {
                    let there = labels.get(to.as_str()).map_or(Places::ALL, |&at| before[at]);
                    if falls { there.with(following) } else { there }
                }
                Next::Away(falls) => {
                    let returns = matches!(&lines[i], Line::Code(name, _) if name == "ret");
                    let away = if returns { results } else { arguments };
                    if falls { away.with(following) } else { away }
                }
                Next::Anywhere => labels.values().fold(arguments, |all, &at| all.with(before[at])),
            };
            let out = out.with(exposed);
            let into = out.without(effects[i].kills).with(effects[i].reads);
            changed |= into != before[i] || out != after[i];
            (before[i], after[i]) = (into, out);
        }
        if !changed {
            return after;
        }
    }
}
