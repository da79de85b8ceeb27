//! The table worked out backwards from the ends, to be compared with the file.
//!
//! `BRIER_WRITE_KPK=1 cargo test -p brier-classical kpk` writes the file.

use chess::attacks::{king_attacks, pawn_attacks};
use chess::{Bitboard, Color, Square};

use super::{POSITIONS, Position, WON};

/// What is known of a position while working backwards.
#[derive(Copy, Clone, Eq, PartialEq)]
enum Value {
    Unknown,
    Won,
    Drawn,
    /// Cannot arise.
    Impossible,
}

impl Position {
    fn at(index: usize) -> Self {
        let mover = Color::ALL[index & 1];
        let weak = Square::from_index(index >> 1);
        let strong = Square::from_index(index >> 7);
        let pawn = index >> 13;
        let pawn = Square::from_index((((pawn >> 2) + 1) << 3) | (pawn & 3));
        Self { mover, strong, weak, pawn }
    }

    /// What can be said without looking at other positions.
    fn first_look(self) -> Value {
        let Self { mover, strong, weak, pawn } = self;
        let guarded = king_attacks(strong);
        let hit = pawn_attacks(Color::White, pawn);
        let kings_touch = strong == weak || guarded.contains(weak);
        if kings_touch || strong == pawn || weak == pawn {
            return Value::Impossible;
        }
        if mover == Color::White {
            let goal = pawn.forward(Color::White);
            let promotes = pawn.index() >= 48 && goal != strong && goal != weak;
            let safe = !king_attacks(weak).contains(goal) || guarded.contains(goal);
            return match hit.contains(weak) {
                true => Value::Impossible,
                false if promotes && safe => Value::Won,
                false => Value::Unknown,
            };
        }
        let free = king_attacks(weak) & !guarded & !hit;
        let takes_pawn = king_attacks(weak).contains(pawn) && !guarded.contains(pawn);
        let stalemate = free.is_empty() && !hit.contains(weak);
        if takes_pawn || stalemate { Value::Drawn } else { Value::Unknown }
    }

    /// What the moves say: the mover takes the best that is known.
    fn look_ahead(self, values: &[Value]) -> Value {
        let Self { mover, strong, weak, pawn } = self;
        let (good, bad) = match mover {
            Color::White => (Value::Won, Value::Drawn),
            Color::Black => (Value::Drawn, Value::Won),
        };
        let mut value = bad;
        let mut look = |next: Self| match values[next.index()] {
            found if found == good => value = good,
            Value::Unknown if value == bad => value = Value::Unknown,
            _ => {}
        };
        match mover {
            Color::White => {
                for to in king_attacks(strong) & !pawn.bitboard() {
                    look(Self { mover: Color::Black, strong: to, weak, pawn });
                }
                let once = pawn.forward(Color::White);
                if pawn.index() < 48 && once != strong && once != weak {
                    look(Self { mover: Color::Black, strong, weak, pawn: once });
                    let twice = once.forward(Color::White);
                    if pawn.index() < 16 && twice != strong && twice != weak {
                        look(Self { mover: Color::Black, strong, weak, pawn: twice });
                    }
                }
            }
            Color::Black => {
                let hit = king_attacks(strong) | pawn_attacks(Color::White, pawn);
                for to in king_attacks(weak) & !hit & !Bitboard::from(pawn) {
                    look(Self { mover: Color::White, strong, weak: to, pawn });
                }
            }
        }
        value
    }
}

/// The bytes of the table.
fn work_out() -> Vec<u8> {
    let mut values: Vec<Value> = (0..POSITIONS).map(|i| Position::at(i).first_look()).collect();
    let mut changed = true;
    while changed {
        changed = false;
        for index in 0..POSITIONS {
            if values[index] == Value::Unknown {
                values[index] = Position::at(index).look_ahead(&values);
                changed |= values[index] != Value::Unknown;
            }
        }
    }
    // What never gets decided is a draw.
    let bit = |value: &Value| u8::from(*value == Value::Won);
    let word = |chunk: &[Value]| chunk.iter().rev().fold(0, |word, value| word << 1 | bit(value));
    values.chunks(8).map(word).collect()
}

#[test]
fn indices_go_both_ways() {
    assert!((0..POSITIONS).all(|index| Position::at(index).index() == index));
}

#[test]
fn the_file_is_what_the_solver_makes() {
    let table = work_out();
    if std::env::var_os("BRIER_WRITE_KPK").is_some() {
        std::fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/src/kpk.bin"), &table).unwrap();
    }
    assert!(
        WON[..] == table[..],
        "kpk.bin differs: write it with BRIER_WRITE_KPK=1, then build again"
    );
}

/// As counted with the Syzygy table of this ending.
#[test]
fn as_many_wins_as_tablebases_know() {
    assert_eq!(WON.iter().map(|byte| byte.count_ones()).sum::<u32>(), 111_282);
}
