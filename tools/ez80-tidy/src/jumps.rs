//! Jumps: those that lead to others, code that is never reached or stands twice, short forms.

use std::collections::{HashMap, HashSet};

use crate::asm::{Line, code, is_pair, is_single, slot};
use crate::live::{Next, next};

/// Whether a line belongs to a table of jumps, which an indirect jump enters at any line.
fn in_table(lines: &[Line], i: usize) -> bool {
    let mut back = lines[..i].iter().rev();
    loop {
        match back.next() {
            Some(Line::Label(_)) => {}
            Some(line @ Line::Code(name, _)) => match next(line) {
                Next::Anywhere => return true,
                Next::Label(_, false) if name == "jp" => {}
                _ => return false,
            },
            _ => return false,
        }
    }
}

/// Where an unconditional jump leads.
fn leads_to(line: &Line) -> Option<String> {
    match next(line) {
        Next::Label(to, false) => Some(to),
        _ => None,
    }
}

/// Drops labels that nobody names, code that is never reached, and jumps to the next line; jumps
/// to a jump go where that one goes.
pub(crate) fn straighten(lines: &mut Vec<Line>) -> bool {
    let before = lines.clone();
    let mut ends: HashMap<String, String> = HashMap::new();
    for (i, line) in lines.iter().enumerate() {
        let Line::Label(label) = line else { continue };
        let first = lines[i..].iter().find(|l| matches!(l, Line::Code(..)));
        if let Some(to) = first.and_then(leads_to).filter(|to| to != label) {
            ends.insert(label.clone(), to);
        }
    }
    for line in lines.iter_mut() {
        let Next::Label(to, _) = next(line) else { continue };
        if let (Some(end), Line::Code(name, operands)) = (ends.get(&to), line)
            && name != "djnz"
        {
            // The new end may be further away; short forms come last.
            *name = "jp".to_string();
            if let Some(last) = operands.last_mut() {
                last.clone_from(end);
            }
        }
    }
    let tables: HashSet<usize> = (0..lines.len()).filter(|&i| in_table(lines, i)).collect();
    let mut reached = true;
    let mut kept = Vec::new();
    for (i, line) in lines.iter().enumerate() {
        reached |= matches!(line, Line::Label(_));
        let to_next = leads_to(line).is_some_and(|to| {
            let labels = lines[i + 1..].iter().take_while(|l| !matches!(l, Line::Code(..)));
            labels.into_iter().any(|l| *l == Line::Label(to.clone()))
        });
        if !tables.contains(&i) && matches!(line, Line::Code(..)) && (!reached || to_next) {
            continue;
        }
        let away = matches!(next(line), Next::Label(_, false) | Next::Away(false) | Next::Anywhere);
        reached &= !away;
        kept.push(line.clone());
    }
    turn_round(&mut kept);
    let named: HashSet<String> = kept
        .iter()
        .filter_map(|line| if let Line::Code(_, operands) = line { Some(operands) } else { None })
        .flatten()
        .map(|operand| operand.trim_start_matches('#').to_string())
        .collect();
    kept.retain(|line| !matches!(line, Line::Label(label) if !named.contains(label)));
    *lines = kept;
    *lines != before
}

/// A jump over a jump becomes one jump on the opposite condition.
fn turn_round(lines: &mut Vec<Line>) {
    let mut i = 0;
    while i + 2 < lines.len() {
        let over = match (&lines[i], next(&lines[i]), &lines[i + 2]) {
            (Line::Code(_, operands), Next::Label(to, true), Line::Label(label))
                if to == *label && operands.len() == 2 =>
            {
                opposite(&operands[0])
            }
            _ => None,
        };
        if let (Some(condition), Some(to)) = (over, leads_to(&lines[i + 1])) {
            lines.splice(i..i + 2, [code("jp", &[condition, &to])]);
        }
        i += 1;
    }
}

fn opposite(condition: &str) -> Option<&'static str> {
    const PAIRS: [[&str; 2]; 4] = [["Z", "NZ"], ["C", "NC"], ["PO", "PE"], ["P", "M"]];
    PAIRS.iter().find_map(|[a, b]| match condition {
        c if c == *a => Some(*b),
        c if c == *b => Some(*a),
        _ => None,
    })
}

/// Lets code that stands twice before the same label stand once: one of the two jumps to the
/// other. Returns whether anything changed.
pub(crate) fn merge(lines: &mut Vec<Line>, number: &mut usize) -> bool {
    let mut changed = false;
    while let Some((from, end, other)) = longest_twin(lines) {
        let label = format!("{:05}$", 60_000 + *number);
        *number += 1;
        // `from..end` goes, and its jump leads to where the same code stands; the later place
        // changes first, so that the earlier one stays where it is.
        let jump = code("jp", &[&label]);
        let remove = |lines: &mut Vec<Line>| {
            lines.splice(from..=end, [jump.clone()]);
        };
        if other > from {
            lines.insert(other, Line::Label(label));
            remove(lines);
        } else {
            remove(lines);
            lines.insert(other, Line::Label(label));
        }
        changed = true;
    }
    changed
}

/// The longest code before an unconditional jump that stands before the same label elsewhere, too:
/// its first line, its jump, and the first line of the other.
fn longest_twin(lines: &[Line]) -> Option<(usize, usize, usize)> {
    // Where a way ends at each label: by a jump, or by running into it.
    let mut ends: HashMap<String, Vec<usize>> = HashMap::new();
    for (i, line) in lines.iter().enumerate() {
        if let Some(to) = leads_to(line).filter(|_| !in_table(lines, i)) {
            ends.entry(to).or_default().push(i);
        } else if let Line::Label(label) = line {
            ends.entry(label.clone()).or_default().push(i);
        }
    }
    let mut best = None;
    for ways in ends.values() {
        for &jump in ways.iter().filter(|&&i| matches!(lines[i], Line::Code(..))) {
            for &other in ways.iter().filter(|&&i| i != jump) {
                let mut length = 0;
                while length < jump.min(other)
                    && lines[jump - length - 1] == lines[other - length - 1]
                    && matches!(lines[jump - length - 1], Line::Code(..))
                    && jump - length - 1 != other
                    && other - length - 1 != jump
                {
                    length += 1;
                }
                let bytes: usize = lines[jump - length..jump].iter().map(size).sum();
                // The order makes the choice the same every time.
                let key = (bytes, std::cmp::Reverse(jump), std::cmp::Reverse(other));
                if bytes > 0 && best.is_none_or(|(_, _, _, known)| key > known) {
                    best = Some((jump - length, jump, other - length, key));
                }
            }
        }
    }
    best.map(|(from, end, other, _)| (from, end, other))
}

/// The bytes of an instruction, or more.
fn size(line: &Line) -> usize {
    let Line::Code(name, operands) = line else { return 0 };
    let operand = |i: usize| operands.get(i).map_or("", String::as_str);
    let (first, second) = (operand(0), operand(1));
    let has_slot = slot(first).is_some() || slot(second).is_some();
    let plain = |o: &str| is_single(o) || o == "(hl)";
    match name.as_str() {
        "jr" | "djnz" | "ldir" | "neg" => 2,
        "jp" if first.starts_with('(') => 2,
        "jp" | "call" | "lea" => 3,
        "ret" | "rlca" | "rrca" | "rla" | "rra" | "cpl" => 1,
        "ld" if has_slot => {
            if second.starts_with('#') {
                4
            } else {
                3
            }
        }
        "ld" if plain(first) && plain(second) => 1,
        "ld" if plain(first) && second.starts_with('#') => 2,
        "ld" if is_pair(first) && second.starts_with('#') => 3,
        "ld" if [first, second].contains(&"hl") || [first, second].contains(&"a") => 3,
        "add" | "adc" | "sub" | "sbc" | "and" | "or" | "xor" | "cp" if first == "a" => {
            if has_slot {
                3
            } else if plain(second) {
                1
            } else {
                2
            }
        }
        "add" if first == "hl" => 1,
        "adc" | "sbc" if first == "hl" => 2,
        "inc" | "dec" | "push" | "pop" if plain(first) || is_pair(first) || first == "af" => 1,
        "ex" if first == "de" => 1,
        "inc" | "dec" => 3,
        _ => 4,
    }
}

/// The farthest that a short jump is trusted to reach: sizes are upper bounds, but not surely.
const NEAR: usize = 120;

/// Gives jumps their short form where the label is near enough.
pub(crate) fn shorten(lines: &mut [Line]) {
    loop {
        let mut at = 0;
        let mut places = HashMap::new();
        let mut starts = Vec::new();
        for line in lines.iter() {
            starts.push(at);
            if let Line::Label(label) = line {
                places.insert(label.clone(), at);
            }
            at += size(line);
        }
        let fits: Vec<usize> = (0..lines.len())
            .filter(|&i| {
                let Line::Code(name, operands) = &lines[i] else { return false };
                let can = operands.len() == 1
                    || matches!(
                        operands.first().map(String::as_str),
                        Some("Z" | "NZ" | "C" | "NC")
                    );
                let near = operands.last().and_then(|to| places.get(to));
                name == "jp"
                    && can
                    && near.is_some_and(|&to| to.abs_diff(starts[i]) < NEAR)
                    && !in_table(lines, i)
            })
            .collect();
        if fits.is_empty() {
            return;
        }
        for i in fits {
            if let Line::Code(name, _) = &mut lines[i] {
                *name = "jr".to_string();
            }
        }
    }
}
