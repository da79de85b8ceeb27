//! Which values of a function are read, and which of them need no variable.

use std::collections::{HashMap, HashSet};

use crate::flow::is_ignored;
use crate::ir::{identifier, split};
use crate::module::Function;
use crate::translate::{take_apart, without_flags};

/// The yes-or-no values that are read once, further down, by something that asks whether they
/// hold: they are written where they are asked for. In a variable they would be made a number
/// first and then tested, which costs more code than the jump they are for.
///
/// Moving them is safe: what they are computed from can only change where they would be computed
/// anew, too.
pub(crate) fn conditions(function: &Function) -> HashSet<String> {
    let lines: Vec<&String> = function.blocks.iter().flat_map(|(_, lines)| lines).collect();
    let mut reads: HashMap<String, Vec<(usize, bool)>> = HashMap::new();
    for (i, line) in lines.iter().enumerate() {
        let (_, operation, rest) = take_apart(line);
        let asks = match operation {
            "br" => true,
            "select" => rest.starts_with("i1 "),
            _ => is_logic(operation, rest),
        };
        for piece in rest.split('%').skip(1) {
            if let Some((name, _)) = identifier(piece) {
                reads.entry(name).or_default().push((i, asks));
            }
        }
    }
    let mut found = HashSet::new();
    for (i, line) in lines.iter().enumerate() {
        let (Some(name), operation, rest) = take_apart(line) else { continue };
        let is_condition = operation == "icmp" || is_logic(operation, rest);
        let read_once =
            matches!(reads.get(&name).map(Vec::as_slice), Some([(at, true)]) if *at > i);
        if is_condition && read_once {
            found.insert(name);
        }
    }
    found
}

/// Whether an instruction combines yes-or-no values to another one.
pub(crate) fn is_logic(operation: &str, rest: &str) -> bool {
    match operation {
        "and" | "or" | "xor" => without_flags(rest).starts_with("i1 "),
        "select" => split(rest).get(1).is_some_and(|yes| yes.starts_with("i1 ")),
        _ => false,
    }
}

/// Which values of a function are read, by instructions that are themselves of use.
pub(crate) fn used_values(function: &Function) -> HashSet<String> {
    let lines = || function.blocks.iter().flat_map(|(_, lines)| lines);
    let mut used: Option<HashSet<String>> = None;
    loop {
        let mut next = HashSet::new();
        for line in lines() {
            let (target, operation, rest) = take_apart(line);
            let idle = match (&target, operation) {
                (_, "call") => is_ignored(rest),
                (Some(name), _) => used.as_ref().is_some_and(|used| !is_read(used, name)),
                (None, _) => false,
            };
            if !idle {
                add_uses(operation, rest, &mut next);
            }
        }
        if used.as_ref() == Some(&next) {
            return next;
        }
        used = Some(next);
    }
}

/// Whether anything reads a value or one of its parts.
pub(crate) fn is_read(used: &HashSet<String>, name: &str) -> bool {
    used.contains(name) || (0..4).any(|i| used.contains(&format!("{name}.{i}")))
}

/// The values that one instruction reads.
fn add_uses(operation: &str, rest: &str, used: &mut HashSet<String>) {
    let names = rest.split('%').skip(1).filter_map(|piece| Some(identifier(piece)?.0));
    let number = rest.rsplit(' ').next().unwrap_or_default();
    match operation {
        "extractvalue" => used.extend(names.map(|name| format!("{name}.{number}"))),
        "insertvalue" => {
            let parts = split(rest);
            for (i, name) in names.enumerate() {
                // The first operand gives all parts but the one that is replaced.
                if i == 0 && parts.first().is_some_and(|base| base.contains('%')) {
                    let kept = (0..4).map(|part| part.to_string()).filter(|part| part != number);
                    used.extend(kept.map(|part| format!("{name}.{part}")));
                } else {
                    used.insert(name);
                }
            }
        }
        _ => used.extend(names),
    }
}
