//! Short stretches of code that a shorter one replaces, and code that nobody needs.

use crate::asm::{Line, Places, code, is_pair, is_single, slot, slot_name};
use crate::live::{after, effect_of};

/// Drops instructions whose results nobody reads; returns whether there were any.
pub(crate) fn drop_idle(lines: &mut Vec<Line>, exposed: Places) -> bool {
    let live = after(lines, exposed);
    let before = lines.len();
    let mut number = 0;
    lines.retain(|line| {
        number += 1;
        let effect = effect_of(line);
        !effect.pure || !effect.writes.is_apart(live[number - 1])
    });
    lines.len() != before
}

/// Replaces what one of the rules matches; returns whether any did.
pub(crate) fn replace(lines: &mut Vec<Line>, exposed: Places) -> bool {
    let mut live = after(lines, exposed);
    let mut changed = false;
    let mut i = 0;
    while i < lines.len() {
        let found = RULES.iter().find_map(|(length, rule)| {
            let end = i + length;
            let part: Option<Vec<Part<'_>>> = lines.get(i..end)?.iter().map(part).collect();
            rule(&part?, live[end - 1]).map(|new| (*length, new))
        });
        if let Some((length, new)) = found {
            // Between the new lines nothing is known of what is read; the next round will see.
            live.splice(i..i + length, new.iter().map(|_| Places::ALL));
            lines.splice(i..i + length, new);
            changed = true;
        }
        i += 1;
    }
    changed
}

/// An instruction with its operands.
type Part<'a> = (&'a str, &'a str, &'a str);
/// Given some instructions and what is read after them, others in their place.
type Rule = fn(&[Part<'_>], Places) -> Option<Vec<Line>>;

/// With the number of instructions that each looks at; long ones first.
const RULES: [(usize, Rule); 9] = [
    (6, load_from_fixed),
    (6, store_to_fixed),
    (6, sum),
    (5, load),
    (5, store),
    (2, by_way_of_a),
    (2, constant_byte),
    (2, tested_twice),
    (2, exchanged),
];

fn part(line: &Line) -> Option<Part<'_>> {
    let Line::Code(name, operands) = line else { return None };
    let operand = |i: usize| operands.get(i).map_or("", String::as_str);
    Some((name, operand(0), operand(1)))
}

fn is_dead(names: &[&str], live: Places) -> bool {
    live.is_apart(Places::of(names))
}

/// A pair that nobody reads.
fn free_pair(live: Places) -> Option<&'static str> {
    ["bc", "de"].into_iter().find(|pair| is_dead(&[pair], live))
}

/// Two bytes of the frame that lie side by side.
fn two_slots(low: &str, high: &str) -> Option<i32> {
    let at = slot(low)?;
    (slot(high)? == at + 1).then_some(at)
}

/// Two bytes from `(hl)` to the frame by way of `a`: where they go to.
fn is_load(p: &[Part<'_>]) -> Option<i32> {
    let [
        ("ld", "a", "(hl)"),
        ("ld", low, "a"),
        ("inc", "hl", ""),
        ("ld", "a", "(hl)"),
        ("ld", high, "a"),
    ] = p
    else {
        return None;
    };
    two_slots(low, high)
}

/// Two bytes from the frame to `(hl)` by way of `a`: where they come from.
fn is_store(p: &[Part<'_>]) -> Option<i32> {
    let [
        ("ld", "a", low),
        ("ld", "(hl)", "a"),
        ("inc", "hl", ""),
        ("ld", "a", high),
        ("ld", "(hl)", "a"),
    ] = p
    else {
        return None;
    };
    two_slots(low, high)
}

fn load_from_fixed(p: &[Part<'_>], live: Places) -> Option<Vec<Line>> {
    let at = is_load(&p[1..])?;
    let ("ld", "hl", from) = p[0] else { return None };
    let fits = from.starts_with('#') && is_dead(&["a", "hl"], live);
    fits.then(|| {
        vec![code("ld", &["hl", &format!("({from} + 0)")]), code("ld", &[&slot_name(at), "hl"])]
    })
}

fn store_to_fixed(p: &[Part<'_>], live: Places) -> Option<Vec<Line>> {
    let at = is_store(&p[1..])?;
    let ("ld", "hl", to) = p[0] else { return None };
    let to = to.strip_prefix('#').filter(|_| is_dead(&["a", "hl"], live))?;
    Some(vec![code("ld", &["hl", &slot_name(at)]), code("ld", &[&format!("({to})"), "hl"])])
}

fn load(p: &[Part<'_>], live: Places) -> Option<Vec<Line>> {
    let to = slot_name(is_load(p)?);
    if !is_dead(&["a"], live) {
        return None;
    }
    if is_dead(&["hl"], live) {
        return Some(vec![code("ld", &["hl", "(hl)"]), code("ld", &[&to, "hl"])]);
    }
    let pair = free_pair(live)?;
    Some(vec![code("ld", &[pair, "(hl)"]), code("ld", &[&to, pair]), code("inc", &["hl"])])
}

fn store(p: &[Part<'_>], live: Places) -> Option<Vec<Line>> {
    let from = slot_name(is_store(p)?);
    let pair = free_pair(live).filter(|_| is_dead(&["a"], live))?;
    let mut lines = vec![code("ld", &[pair, &from]), code("ld", &["(hl)", pair])];
    if !is_dead(&["hl"], live) {
        lines.push(code("inc", &["hl"]));
    }
    Some(lines)
}

/// Two bytes as one operand: a part of the frame, a pair, or a constant.
fn word(low: &str, high: &str) -> Option<String> {
    if let Some(at) = two_slots(low, high) {
        return Some(slot_name(at));
    }
    let pair = format!("{high}{low}");
    if is_pair(&pair) {
        return Some(pair);
    }
    if let (Some(low), Some(high)) = (low.strip_prefix("#<"), high.strip_prefix("#>")) {
        return (low == high).then(|| format!("#{low}"));
    }
    match (low.strip_prefix("#0x"), high.strip_prefix("#0x")) {
        (Some(low), Some(high)) if low.len() == 2 && high.len() == 2 => {
            Some(format!("#0x{high}{low}"))
        }
        _ => None,
    }
}

/// A sum or difference of two words, byte by byte, in the frame.
fn sum(p: &[Part<'_>], live: Places) -> Option<Vec<Line>> {
    let [("ld", "a", left), (first, "a", right), ("ld", low, "a"), rest @ ..] = p else {
        return None;
    };
    let [("ld", "a", left_high), (second, "a", right_high), ("ld", high, "a")] = rest else {
        return None;
    };
    let adds = match (*first, *second) {
        ("add", "adc") => true,
        ("sub", "sbc") => false,
        _ => return None,
    };
    let to = two_slots(low, high)?;
    // The low byte must not be written over something that is still to be read.
    if left_high == low || right_high == low || !is_dead(&["a", "f", "hl"], live) {
        return None;
    }
    let (left, right) = (word(left, left_high)?, word(right, right_high)?);
    if right == "hl" || (is_pair(&left) && left != "hl") {
        return None;
    }
    let mut lines = Vec::new();
    if left != "hl" {
        lines.push(code("ld", &["hl", &left]));
    }
    if adds && right == "#0x0001" {
        lines.push(code("inc", &["hl"]));
    } else if adds && right == "#0xffff" {
        lines.push(code("dec", &["hl"]));
    } else {
        let pair = if is_pair(&right) { right.clone() } else { free_pair(live)?.to_string() };
        if pair != right {
            lines.push(code("ld", &[&pair, &right]));
        }
        if adds {
            lines.push(code("add", &["hl", &pair]));
        } else {
            lines.push(code("or", &["a", "a"]));
            lines.push(code("sbc", &["hl", &pair]));
        }
    }
    lines.push(code("ld", &[&slot_name(to), "hl"]));
    Some(lines)
}

/// A byte that `a` only carries.
fn by_way_of_a(p: &[Part<'_>], live: Places) -> Option<Vec<Line>> {
    let [("ld", "a", from), ("ld", to, "a")] = p else { return None };
    let constant = from.starts_with('#');
    let memory = |o: &str| o == "(hl)" || slot(o).is_some();
    let possible = (is_single(to) && (is_single(from) || memory(from) || constant))
        || (memory(to) && (is_single(from) || constant));
    (possible && is_dead(&["a"], live)).then(|| vec![code("ld", &[to, from])])
}

/// A constant of two bytes in the frame of which one is read.
fn constant_byte(p: &[Part<'_>], live: Places) -> Option<Vec<Line>> {
    let [("ld", "hl", constant), ("ld", to, "hl")] = p else { return None };
    let (at, digits) = (slot(to)?, constant.strip_prefix("#0x")?);
    let idle = is_dead(&["hl"], live) && live.is_apart(Places::slots(at + 1, 1));
    (idle && digits.len() == 4).then(|| vec![code("ld", &[to, &format!("#0x{}", &digits[2..])])])
}

/// A test of `a` right after an operation that has just set the same flags.
fn tested_twice(p: &[Part<'_>], _: Places) -> Option<Vec<Line>> {
    let [(name @ ("and" | "or" | "xor"), "a", operand), ("or", "a", "a")] = p else { return None };
    Some(vec![code(name, &["a", operand])])
}

/// A pair that is loaded and then only moved.
fn exchanged(p: &[Part<'_>], live: Places) -> Option<Vec<Line>> {
    let [("ld", "hl", from), ("ex", "de", "hl")] = p else { return None };
    is_dead(&["hl"], live).then(|| vec![code("ld", &["de", from])])
}
