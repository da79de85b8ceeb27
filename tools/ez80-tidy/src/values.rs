//! Where a value lies already: inside a stretch of code that is only entered at its top, a read
//! of the frame becomes one of a register or a constant, and what changes nothing goes.

use crate::asm::{Line, Places, code, effect, is_pair, is_single, is_wide, slot, slot_name};
use crate::live::effect_of;

/// The bytes whose values are known by number: equal numbers mean equal values.
struct Values {
    /// Of each single register and each byte of the frame.
    known: Vec<u32>,
    constants: Vec<(u32, String)>,
    count: u32,
}

const SINGLE: [&str; 7] = ["a", "b", "c", "d", "e", "h", "l"];
const SLOTS: usize = 256;

fn register(name: &str) -> Option<usize> {
    SINGLE.iter().position(|r| *r == name)
}

fn place(at: i32) -> Option<usize> {
    (-128..128).contains(&at).then(|| SINGLE.len() + (at + 128) as usize)
}

impl Values {
    fn new() -> Values {
        let mut values =
            Values { known: vec![0; SINGLE.len() + SLOTS], constants: vec![], count: 0 };
        values.forget_all();
        values
    }

    fn fresh(&mut self) -> u32 {
        self.count += 1;
        self.count
    }

    fn forget_all(&mut self) {
        for i in 0..self.known.len() {
            self.known[i] = self.fresh();
        }
    }

    /// The number of a constant byte.
    fn constant(&mut self, text: &str) -> u32 {
        if let Some((number, _)) = self.constants.iter().find(|(_, known)| known == text) {
            return *number;
        }
        let number = self.fresh();
        self.constants.push((number, text.to_string()));
        number
    }

    fn text_of(&self, number: u32) -> Option<&str> {
        self.constants.iter().find(|(n, _)| *n == number).map(|(_, text)| text.as_str())
    }

    /// The numbers of an operand's bytes, low byte first; none if it is not followed.
    fn read(&mut self, operand: &str, wide: bool) -> Option<Vec<u32>> {
        if let Some(i) = register(operand) {
            return Some(vec![self.known[i]]);
        }
        if is_pair(operand) {
            let (high, low) = (register(&operand[..1])?, register(&operand[1..])?);
            return Some(vec![self.known[low], self.known[high]]);
        }
        if let Some(at) = slot(operand) {
            let count = if wide { 2 } else { 1 };
            return (at..at + count).map(|at| Some(self.known[place(at)?])).collect();
        }
        let number = byte_or_word(operand)?;
        let low = self.constant(&format!("#0x{:02x}", number & 0xFF));
        let high = self.constant(&format!("#0x{:02x}", number >> 8));
        Some(if wide { vec![low, high] } else { vec![low] })
    }

    fn write(&mut self, operand: &str, numbers: &[u32]) {
        let places: Vec<Option<usize>> = match slot(operand) {
            Some(at) => (0..numbers.len()).map(|i| place(at + i as i32)).collect(),
            None if is_pair(operand) => vec![register(&operand[1..]), register(&operand[..1])],
            None => vec![register(operand)],
        };
        for (place, number) in places.into_iter().zip(numbers) {
            if let Some(place) = place {
                self.known[place] = *number;
            }
        }
    }

    /// Forgets what an instruction changes.
    fn forget(&mut self, changed: Places) {
        for (i, name) in SINGLE.iter().enumerate() {
            if !changed.is_apart(Places::of(&[name])) {
                self.known[i] = self.fresh();
            }
        }
        for at in -128..128 {
            if !changed.is_apart(Places::slots(at, 1))
                && let Some(place) = place(at)
            {
                self.known[place] = self.fresh();
            }
        }
    }

    /// A register that holds a byte.
    fn holder(&self, number: u32) -> Option<&'static str> {
        SINGLE.iter().enumerate().find(|(i, _)| self.known[*i] == number).map(|(_, name)| *name)
    }

    /// A register that holds a byte, or its constant.
    fn part_of(&self, number: u32) -> Option<String> {
        self.holder(number).or_else(|| self.text_of(number)).map(str::to_string)
    }

    /// Another part of the frame that holds the same bytes, the topmost one.
    fn home(&self, numbers: &[u32], exposed: Places) -> Option<i32> {
        let fits = |at: i32| {
            exposed.is_apart(Places::slots(at, numbers.len() as i32))
                && numbers.iter().enumerate().all(|(i, number)| {
                    place(at + i as i32).is_some_and(|place| self.known[place] == *number)
                })
        };
        (-128..127).rev().find(|&at| fits(at))
    }
}

/// The number of `#0x12`; none for an address.
fn byte_or_word(operand: &str) -> Option<u32> {
    let text = operand.strip_prefix('#')?;
    if let Some(digits) = text.strip_prefix("0x") {
        return u32::from_str_radix(digits, 16).ok();
    }
    text.parse::<i32>().ok().map(|n| n as u32 & 0xFFFF)
}

/// Shortens a function's reads; returns whether anything changed.
pub(crate) fn reuse(lines: &mut Vec<Line>, exposed: Places) -> bool {
    let mut values = Values::new();
    let mut changed = false;
    let mut i = 0;
    while i < lines.len() {
        if let Line::Label(_) = lines[i] {
            values.forget_all();
        }
        let Some(better) = shorter(&lines[i], &mut values, exposed) else {
            follow(&lines[i], &mut values, exposed);
            i += 1;
            continue;
        };
        changed = true;
        for line in &better {
            follow(line, &mut values, exposed);
        }
        let count = better.len();
        lines.splice(i..=i, better);
        i += count;
    }
    changed
}

/// Takes note of what a line does.
fn follow(line: &Line, values: &mut Values, exposed: Places) {
    let Line::Code(name, operands) = line else { return };
    if name == "ld"
        && let [to, from] = operands.as_slice()
        && (is_single(to) || is_pair(to) || slot(to).is_some())
        && effect(name, operands).is_some()
    {
        let wide = is_wide(to) || is_wide(from);
        let numbers = values.read(from, wide);
        let unknown: Vec<u32> = (0..2).map(|_| values.fresh()).collect();
        let numbers = numbers.filter(|n| n.len() == usize::from(wide) + 1).unwrap_or(unknown);
        let count = if wide { 2 } else { 1 };
        values.write(to, &numbers[..count.min(numbers.len())]);
    } else if name == "ex" && operands.first().is_some_and(|o| o == "de") {
        let (de, hl) = (values.read("de", true), values.read("hl", true));
        if let (Some(de), Some(hl)) = (de, hl) {
            values.write("de", &hl);
            values.write("hl", &de);
        }
    } else {
        let changed = effect_of(line).writes;
        values.forget(changed);
        if name == "xor" && operands.iter().all(|o| o == "a") {
            let zero = values.constant("#0x00");
            values.write("a", &[zero]);
        }
    }
    // Nothing is ever known of what is reached in other ways.
    values.forget(exposed.without(Places::ALL.without(Places::frame())));
}

/// A shorter way to do the same, if there is one.
fn shorter(line: &Line, values: &mut Values, exposed: Places) -> Option<Vec<Line>> {
    let Line::Code(name, operands) = line else { return None };
    let [to, from] = operands.as_slice() else { return None };
    if to == "iy" || from == "iy" {
        return None;
    }
    let wide = is_pair(to) || is_pair(from);
    if name == "ld" {
        effect(name, operands)?;
        let numbers = values.read(from, wide)?;
        if values.read(to, wide).is_some_and(|there| there == numbers)
            && (slot(to).is_some() || is_single(to) || is_pair(to))
        {
            return Some(vec![]);
        }
    }
    let at = slot(from)?;
    let numbers = values.read(from, wide)?;
    if name == "ld" && wide {
        let (low, high) = (values.part_of(numbers[0]), values.part_of(numbers[1]));
        // Byte by byte from registers, unless the low byte would overwrite the source of the high
        // one; with two constants one instruction is shorter.
        if let (Some(low), Some(high)) = (&low, &high)
            && *high != to[1..]
            && !(low.starts_with('#') && high.starts_with('#'))
        {
            return Some(vec![code("ld", &[&to[1..], low]), code("ld", &[&to[..1], high])]);
        }
        let (low, high) = (values.text_of(numbers[0]), values.text_of(numbers[1]));
        if let (Some(low), Some(high)) = (low, high) {
            return Some(vec![code("ld", &[to, &format!("#0x{}{}", &high[3..], &low[3..])])]);
        }
    } else if wide
        || !matches!(
            name.as_str(),
            "ld" | "add" | "adc" | "sub" | "sbc" | "and" | "or" | "xor" | "cp"
        )
    {
        return None;
    } else if let Some(register) = values.holder(numbers[0]) {
        return Some(vec![code(name, &[to, register])]);
    } else if let Some(text) = values.text_of(numbers[0]) {
        return Some(vec![code(name, &[to, text])]);
    }
    let home = values.home(&numbers, exposed)?;
    (home > at).then(|| vec![code(name, &[to, &slot_name(home)])])
}
