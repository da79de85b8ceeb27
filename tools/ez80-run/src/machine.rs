//! An eZ80 in Z80 mode with 64 KB, from the `ez80` crate: loads Intel HEX, prints what the
//! program sends to its ports, and counts cycles and stack.

use ez80::{Cpu, FastBus};

/// What a run used.
pub(crate) struct Used {
    /// What the program printed.
    pub(crate) text: String,
    /// Its exit code; none if it was stopped.
    pub(crate) code: Option<u8>,
    /// Processor cycles between the marks.
    pub(crate) cycles: u64,
    /// Cycles between the marks if each read costs four and each write two, as on the
    /// calculator's RAM.
    pub(crate) calculator_cycles: u64,
    /// The deepest the stack ever was, in bytes.
    pub(crate) stack: u32,
}

/// The address where memory ends and the stack begins to grow down.
const TOP: u32 = 0x1_0000;

struct Machine {
    memory: Vec<u8>,
    text: Vec<u8>,
    code: Option<u8>,
    cycles: u64,
    reads: u64,
    writes: u64,
    mark: (u64, u64, u64),
    between: (u64, u64, u64),
    /// Writes above this address are the stack's.
    stack_floor: u32,
    lowest: u32,
}

impl FastBus for Machine {
    fn read8(&mut self, address: u32) -> u8 {
        self.reads += 1;
        self.memory[address as usize & 0xFFFF]
    }

    fn write8(&mut self, address: u32, value: u8) {
        self.writes += 1;
        let address = address & 0xFFFF;
        if address >= self.stack_floor && address < self.lowest {
            self.lowest = address;
        }
        self.memory[address as usize] = value;
    }

    fn input8(&mut self, _: u16) -> u8 {
        0
    }

    fn output8(&mut self, port: u16, value: u8) {
        let now = (self.cycles, self.reads, self.writes);
        match port & 0xFF {
            0x10 => self.text.push(value),
            0x11 if value == 1 => self.mark = now,
            0x11 => {
                let mark = self.mark;
                self.between = (now.0 - mark.0, now.1 - mark.1, now.2 - mark.2);
            }
            0x12 => self.code = Some(value),
            _ => {}
        }
    }

    fn add_cycles(&mut self, cycles: u32) {
        self.cycles += u64::from(cycles);
    }
}

/// Runs a program until it ends or has used `most` instructions. The stack may use memory from
/// `stack_floor` up.
pub(crate) fn run(hex: &str, stack_floor: u32, most: u64) -> Result<Used, String> {
    let mut machine = Machine {
        memory: load(hex)?,
        text: Vec::new(),
        code: None,
        cycles: 0,
        reads: 0,
        writes: 0,
        mark: (0, 0, 0),
        between: (0, 0, 0),
        stack_floor,
        lowest: TOP,
    };
    let mut processor = Cpu::new_ez80();
    processor.set_adl(false);
    let mut left = most;
    while machine.code.is_none() && !processor.is_halted() && left > 0 {
        processor.step_fast(&mut machine);
        left -= 1;
    }
    let (cycles, reads, writes) = machine.between;
    Ok(Used {
        text: String::from_utf8_lossy(&machine.text).into_owned(),
        code: machine.code,
        cycles,
        // The core counts one cycle for each access already.
        calculator_cycles: cycles + 3 * reads + writes,
        stack: TOP - machine.lowest,
    })
}

/// The memory that an Intel HEX file describes.
fn load(hex: &str) -> Result<Vec<u8>, String> {
    let mut memory = vec![0; TOP as usize];
    for line in hex.lines() {
        let wrong = || format!("expected a line of Intel HEX, got `{line}`");
        let digits = line.trim().strip_prefix(':').ok_or_else(wrong)?;
        let bytes: Option<Vec<u8>> = (0..digits.len() / 2)
            .map(|i| u8::from_str_radix(digits.get(2 * i..2 * i + 2)?, 16).ok())
            .collect();
        let bytes = bytes.ok_or_else(wrong)?;
        let [count, high, low, kind, data @ ..] = bytes.as_slice() else { return Err(wrong()) };
        if *kind == 0 {
            let at = usize::from(*high) << 8 | usize::from(*low);
            let end = at + usize::from(*count);
            let data = data.get(..usize::from(*count)).ok_or_else(wrong)?;
            memory.get_mut(at..end).ok_or_else(wrong)?.copy_from_slice(data);
        }
    }
    Ok(memory)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tiny_program_prints_and_ends() {
        // ld a,'K' ; out (0x10),a ; push af ; xor a ; out (0x12),a ; halt
        let hex = ":090000003E4BD310F5AFD3127656\n:00000001FF\n";
        let used = run(hex, 0x8000, 1000).unwrap();
        assert_eq!((used.text.as_str(), used.code, used.stack), ("K", Some(0), 2));
    }

    #[test]
    fn nonsense_is_refused() {
        assert!(run("hello", 0, 1).err().unwrap().contains("Intel HEX"));
    }
}
