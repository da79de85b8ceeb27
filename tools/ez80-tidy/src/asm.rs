//! SDCC's assembly as lines, and what each instruction reads and writes.
//!
//! An instruction that is not known here counts as one that reads everything and that must stay.

/// A line of a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Line {
    /// A place to jump to, without its colon.
    Label(String),
    /// An instruction and its operands.
    Code(String, Vec<String>),
    /// Anything else: directives, comments.
    Other(String),
}

/// Reads one line. Comments go.
pub(crate) fn read(text: &str) -> Line {
    let bare = text.split(';').next().unwrap_or_default().trim_end();
    if let Some(label) = bare.strip_suffix(':').filter(|label| label.ends_with('$')) {
        return Line::Label(label.to_string());
    }
    if !bare.starts_with('\t') || bare.trim_start().starts_with('.') {
        return Line::Other(bare.to_string());
    }
    let bare = bare.trim_start();
    let (name, rest) = bare.split_once(char::is_whitespace).unwrap_or((bare, ""));
    Line::Code(name.to_string(), operands(rest))
}

/// Splits at commas outside of brackets.
fn operands(text: &str) -> Vec<String> {
    let (mut found, mut depth) = (vec![String::new()], 0);
    for c in text.chars() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            ',' if depth == 0 => {
                found.push(String::new());
                continue;
            }
            _ => {}
        }
        if let Some(last) = found.last_mut() {
            last.push(c);
        }
    }
    found.iter().map(|o| o.trim().to_string()).filter(|o| !o.is_empty()).collect()
}

/// Writes a line as SDCC would.
pub(crate) fn write(line: &Line) -> String {
    match line {
        Line::Label(label) => format!("{label}:\n"),
        // What it copies is a note of ours.
        Line::Code(name, _) if name == "ldir" => "\tldir\n".to_string(),
        Line::Code(name, operands) => {
            let said: Vec<&str> =
                operands.iter().map(String::as_str).filter(|o| !o.starts_with(NOTE)).collect();
            format!("\t{name}\t{}\n", said.join(", "))
        }
        Line::Other(text) => format!("{text}\n"),
    }
}

/// How an operand begins that is a note of ours: at a call, the registers that are read there.
const NOTE: char = '@';

/// The note for a call that reads some registers.
pub(crate) fn note_reads(read: Places) -> String {
    let names = REGISTERS.iter().filter(|name| !read.is_apart(Places::of(&[name])));
    format!("{NOTE}{}", names.copied().collect::<Vec<_>>().join(" "))
}

/// An instruction from its parts.
pub(crate) fn code(name: &str, operands: &[&str]) -> Line {
    Line::Code(name.to_string(), operands.iter().map(|o| (*o).to_string()).collect())
}

/// Registers and bytes of the stack frame.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Places {
    registers: u16,
    /// The bytes at `-128 (ix)` to `127 (ix)`.
    slots: [u64; 4],
}

/// The single registers, in the order of their bits. `f` are the flags.
pub(crate) const REGISTERS: [&str; 9] = ["a", "f", "b", "c", "d", "e", "h", "l", "iy"];
const ALL_REGISTERS: u16 = (1 << REGISTERS.len()) - 1;

impl Places {
    pub(crate) const NONE: Places = Places { registers: 0, slots: [0; 4] };
    /// Everything that an instruction could read.
    pub(crate) const ALL: Places = Places { registers: ALL_REGISTERS, slots: [u64::MAX; 4] };

    /// Registers by name; pairs are two of them.
    pub(crate) fn of(names: &[&str]) -> Places {
        let mut places = Places::NONE;
        for name in names {
            match *name {
                "hl" | "de" | "bc" | "af" => {
                    places = places.with(Places::of(&[&name[..1], &name[1..]]));
                }
                single => {
                    if let Some(i) = REGISTERS.iter().position(|r| *r == single) {
                        places.registers |= 1 << i;
                    }
                }
            }
        }
        places
    }

    /// Bytes of the frame.
    pub(crate) fn slots(first: i32, count: i32) -> Places {
        let mut places = Places::NONE;
        for at in (first..first + count).filter(|at| (-128..128).contains(at)) {
            let at = (at + 128) as usize;
            places.slots[at / 64] |= 1 << (at % 64);
        }
        places
    }

    /// The whole frame.
    pub(crate) fn frame() -> Places {
        Places { registers: 0, ..Places::ALL }
    }

    pub(crate) fn with(self, other: Places) -> Places {
        let mut all = self;
        all.registers |= other.registers;
        for (to, from) in all.slots.iter_mut().zip(other.slots) {
            *to |= from;
        }
        all
    }

    pub(crate) fn without(self, other: Places) -> Places {
        let mut rest = self;
        rest.registers &= !other.registers;
        for (to, from) in rest.slots.iter_mut().zip(other.slots) {
            *to &= !from;
        }
        rest
    }

    /// Whether the two have nothing in common.
    pub(crate) fn is_apart(self, other: Places) -> bool {
        self.without(other) == self
    }
}

/// What an instruction does.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effect {
    pub(crate) reads: Places,
    /// What may be different afterwards.
    pub(crate) writes: Places,
    /// What is surely overwritten as a whole: all of `writes` but flags of which some are kept.
    pub(crate) kills: Places,
    /// Whether it does nothing else.
    pub(crate) pure: bool,
}

/// What an `ldir` copies, noted as its operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Copy {
    /// To the frame: the first byte, and how many.
    Into(i32, i32),
    /// From somewhere in the frame.
    FromFrame,
}

impl Copy {
    pub(crate) fn note(self) -> String {
        match self {
            Copy::Into(at, count) => format!("into {at} {count}"),
            Copy::FromFrame => "from frame".to_string(),
        }
    }

    fn noted(text: &str) -> Option<Copy> {
        if text == "from frame" {
            return Some(Copy::FromFrame);
        }
        let (at, count) = text.strip_prefix("into ")?.split_once(' ')?;
        Some(Copy::Into(at.parse().ok()?, count.parse().ok()?))
    }
}

/// The number in `-4 (ix)`.
pub(crate) fn slot(operand: &str) -> Option<i32> {
    operand.strip_suffix(" (ix)")?.trim().parse().ok()
}

/// `-4 (ix)`.
pub(crate) fn slot_name(at: i32) -> String {
    format!("{at} (ix)")
}

pub(crate) fn is_pair(operand: &str) -> bool {
    matches!(operand, "hl" | "de" | "bc")
}

/// The pairs, and the index register that is no frame pointer.
pub(crate) fn is_wide(operand: &str) -> bool {
    is_pair(operand) || operand == "iy"
}

/// The single registers that hold a byte.
pub(crate) fn is_single(operand: &str) -> bool {
    matches!(operand, "a" | "b" | "c" | "d" | "e" | "h" | "l")
}

/// What reading an operand reads, and what it is as something written; none if it is not known.
/// Memory outside of the frame is no place: it counts as nothing read, and writing it is no pure
/// effect.
fn operand(text: &str, wide: bool) -> Option<(Places, Places, bool)> {
    if is_single(text) || is_wide(text) {
        return Some((Places::of(&[text]), Places::of(&[text]), true));
    }
    if let Some(at) = slot(text) {
        let places = Places::slots(at, if wide { 2 } else { 1 });
        return Some((places, places, true));
    }
    match text {
        "(hl)" => Some((Places::of(&["hl"]), Places::NONE, false)),
        "(de)" => Some((Places::of(&["de"]), Places::NONE, false)),
        "(bc)" => Some((Places::of(&["bc"]), Places::NONE, false)),
        _ if text.ends_with(" (iy)") => Some((Places::of(&["iy"]), Places::NONE, false)),
        _ if text.starts_with('#') => Some((Places::NONE, Places::NONE, false)),
        _ if text.starts_with('(') => Some((Places::NONE, Places::NONE, false)),
        _ => None,
    }
}

/// What an instruction reads and writes; none if it is not known here.
pub(crate) fn effect(name: &str, operands: &[String]) -> Option<Effect> {
    let flags = Places::of(&["f"]);
    let a = Places::of(&["a"]);
    let first = operands.first().map_or("", String::as_str);
    let second = operands.get(1).map_or("", String::as_str);
    let pure = |reads: Places, writes: Places, kept: Places| {
        Some(Effect { reads, writes, kills: writes.without(kept), pure: true })
    };
    match name {
        "ld" if first != "sp" && first != "ix" && second != "sp" && second != "ix" => {
            let wide = [first, second].iter().any(|o| is_wide(o));
            let (from, ..) = operand(second, wide)?;
            let (address, writes, pure) = operand(first, wide)?;
            let reads = if pure { from } else { from.with(address) };
            Some(Effect { reads, writes, kills: writes, pure })
        }
        "add" | "adc" | "sub" | "sbc" | "and" | "or" | "xor" | "cp" if first == "a" => {
            let (from, ..) = operand(second, false)?;
            let carry = if matches!(name, "adc" | "sbc") { flags } else { Places::NONE };
            let same = second == "a";
            let reads = match name {
                // The outcome does not depend on what `a` was.
                "xor" | "sub" | "sbc" | "cp" if same => carry,
                _ => from.with(a).with(carry),
            };
            let writes = if name == "cp" { flags } else { flags.with(a) };
            pure(reads, writes, Places::NONE)
        }
        "lea" if second == "iy" => pure(Places::of(&["iy"]), Places::of(&[first]), Places::NONE),
        "add" if is_wide(first) && is_wide(second) => {
            let to = Places::of(&[first]);
            pure(to.with(Places::of(&[second])), to.with(flags), flags)
        }
        "adc" | "sbc" if first == "hl" && is_pair(second) => {
            let to = Places::of(&[first]);
            pure(to.with(flags).with(Places::of(&[second])), to.with(flags), Places::NONE)
        }
        "inc" | "dec" if is_wide(first) => {
            let to = Places::of(&[first]);
            pure(to, to, Places::NONE)
        }
        "inc" | "dec" if is_single(first) || slot(first).is_some() => {
            let (to, ..) = operand(first, false)?;
            pure(to, to.with(flags), flags)
        }
        "rlca" | "rrca" | "cpl" => pure(a, a.with(flags), flags),
        "rla" | "rra" => pure(a.with(flags), a.with(flags), flags),
        "neg" => pure(a, a.with(flags), Places::NONE),
        "rl" | "rr" | "rlc" | "rrc" | "sla" | "sra" | "srl"
            if is_single(first) || slot(first).is_some() =>
        {
            let (to, ..) = operand(first, false)?;
            let carry = if matches!(name, "rl" | "rr") { flags } else { Places::NONE };
            pure(to.with(carry), to.with(flags), Places::NONE)
        }
        "bit" => pure(operand(second, false)?.0, flags, flags),
        "set" | "res" if is_single(second) || slot(second).is_some() => {
            let (to, ..) = operand(second, false)?;
            pure(to, to, Places::NONE)
        }
        "ex" if first == "de" => {
            let both = Places::of(&["de", "hl"]);
            pure(both, both, Places::NONE)
        }
        "push" if is_wide(first) || first == "af" => {
            let reads = Places::of(&[first]);
            Some(Effect { reads, writes: Places::NONE, kills: Places::NONE, pure: false })
        }
        "pop" if is_wide(first) || first == "af" => {
            let writes = Places::of(&[first]);
            Some(Effect { reads: Places::NONE, writes, kills: writes, pure: false })
        }
        // The frame's own set-up and end: `ix` and `sp` are no places.
        "ld" | "push" | "pop" | "inc" | "dec" | "add" | "lea" | "ex"
            if operands.iter().any(|o| matches!(o.as_str(), "ix" | "sp" | "(sp)")) =>
        {
            let reads = match (name, first) {
                ("ld", "sp") => Places::of(&[second]),
                ("add" | "ex", _) => Places::of(&[first, second]),
                _ => Places::NONE,
            };
            let writes = match (name, first) {
                ("ld" | "lea" | "add", to) => Places::of(&[to]).with(flags),
                ("ex", _) => Places::of(&[second]),
                _ => Places::NONE,
            };
            Some(Effect { reads, writes, kills: Places::NONE, pure: false })
        }
        "ldir" => {
            let registers = Places::of(&["bc", "de", "hl"]);
            let copy = Copy::noted(first);
            let reads = match copy {
                Some(Copy::FromFrame) => registers.with(Places::frame()),
                _ => registers,
            };
            let into = match copy {
                Some(Copy::Into(at, count)) => Places::slots(at, count),
                _ => Places::NONE,
            };
            let writes = registers.with(flags).with(into);
            Some(Effect { reads, writes, kills: into, pure: false })
        }
        "call" => {
            // A callee of ours keeps nothing but `ix`; SDCC's own helpers may.
            let registers = Places::ALL.without(Places::frame());
            let note = second.strip_prefix(NOTE);
            let reads =
                note.map_or(registers, |names| Places::of(&names.split(' ').collect::<Vec<_>>()));
            let helper = first.starts_with("__") || (note.is_none() && operands.len() > 1);
            let kills = if helper { Places::NONE } else { registers };
            Some(Effect { reads, writes: registers, kills, pure: false })
        }
        _ => None,
    }
}
