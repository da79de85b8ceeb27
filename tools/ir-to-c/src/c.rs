//! How C describes a value: its type, its sign, its width, its name.
//!
//! The widths of `int` and of pointers differ between the compilers that read this C: 16 bits
//! both with SDCC, 24 both on the calculator, 32 and 64 on the desktop. So nothing here depends
//! on them: narrow operands are made `unsigned` before an operation that could overflow a signed
//! `int`, and every result is cut to the width that the IR gave it.

use std::collections::{HashMap, HashSet};

use crate::ir::Type;

/// The first lines of every translation.
///
/// Memory is an array of bytes that is read in wider units, at any address. GCC and Clang need
/// attributes for that; SDCC has neither alignment nor alias analysis. `N` marks a value that C widens to an
/// `int` by itself; `POCKET_INT24` makes the width of that `int` 24 bits, as on the eZ80, with a
/// compiler that has `_BitInt`.
pub(crate) const PROLOGUE: &str = "\
/* Translated from LLVM IR by ir-to-c. */
#ifdef __SDCC
/* SDCC takes a value that comes round a loop for one that was never set, and the end of a switch
   whose cases all jump for code. */
#pragma disable_warning 84
#pragma disable_warning 126
#endif
#if defined(__GNUC__) && !defined(__clang__)
/* Structures are copied whole, also where a part is not set and then not read. */
#pragma GCC diagnostic ignored \"-Wmaybe-uninitialized\"
#endif
#if defined(__GNUC__) || defined(__clang__)
#define LOOSE __attribute__((may_alias, aligned(1)))
#else
#define LOOSE
#endif
#ifdef __SDCCCALL
/* The first arguments in registers, where that is not the rule. */
#define CALL __sdcccall(1)
#else
#define CALL
#endif
#ifdef POCKET_INT24
#define N(x) ((_BitInt(24))(x))
typedef unsigned _BitInt(24) W;
#else
#define N(x) (x)
typedef unsigned W;
#endif
typedef uint8_t *P;
typedef uint8_t M8;
typedef uint16_t LOOSE M16;
typedef uint32_t LOOSE M32;
typedef uint64_t LOOSE M64;
";

/// Short C names for IR's long ones; the interface keeps its own.
#[derive(Default)]
pub(crate) struct Names {
    known: HashMap<String, String>,
    /// Globals that hold pointers: only panic messages, which nobody reads here.
    pub(crate) dropped: HashSet<String>,
}

impl Names {
    /// The C name of a function or a global.
    pub(crate) fn of(&mut self, name: &str) -> String {
        let number = self.known.len();
        let short = || if is_interface(name) { name.to_string() } else { format!("s{number}") };
        self.known.entry(name.to_string()).or_insert_with(short).clone()
    }
}

/// Whether a function keeps its name: `engine_` is called from other files, `pk_` is called from
/// or lies in what is written by hand around the translation.
pub(crate) fn is_interface(name: &str) -> bool {
    is_exported(name) || name.starts_with("pk_")
}

/// Whether a function is called from other files.
pub(crate) fn is_exported(name: &str) -> bool {
    name.starts_with("engine_")
}

/// An operand as C widens it by itself: narrower than an `int`, it becomes one.
pub(crate) fn widened(ty: &Type, value: &str) -> String {
    match width(ty.bits()) {
        8 | 16 => format!("N({value})"),
        _ => value.to_string(),
    }
}

/// The C type of a variable that holds such a value.
pub(crate) fn type_of(ty: &Type) -> String {
    match ty {
        Type::Pointer => "P".into(),
        Type::Void => "void".into(),
        Type::Int(bits) => format!("uint{}_t", width(*bits)),
        // A structure travels in parts; its first part is the function's result.
        Type::Struct(fields, _) => fields.first().map_or("void".into(), type_of),
        Type::Array(..) => "P".into(),
    }
}

/// The C type through which such a value lies in memory. A pointer never does: its width
/// differs from machine to machine.
pub(crate) fn type_in_memory(ty: &Type) -> Result<String, String> {
    match ty {
        Type::Int(bits @ (1 | 8 | 16 | 32 | 64)) => Ok(format!("M{}", width(*bits))),
        Type::Pointer => Err("expected no pointer in memory, got one".into()),
        other => Err(format!("expected a whole number of bytes in memory, got {other:?}")),
    }
}

/// The variable that carries part `i` of a returned structure.
pub(crate) fn part_name(i: usize, ty: &str) -> String {
    format!("part{i}_{ty}")
}

/// The narrowest width that C has for this many bits.
fn width(bits: u32) -> u32 {
    bits.next_power_of_two().clamp(8, 64)
}

/// The unsigned type in which an operation on such values can neither overflow nor be signed.
pub(crate) fn unsigned(ty: &Type) -> String {
    match width(ty.bits()) {
        8 | 16 => "W".into(),
        wider => format!("uint{wider}_t"),
    }
}

/// The value as a signed C expression.
pub(crate) fn signed(ty: &Type, value: &str) -> String {
    let width = width(ty.bits());
    let shift = width - ty.bits();
    if shift == 0 {
        format!("((int{width}_t){value})")
    } else {
        // The sign bit goes to the top and comes back as many.
        let up = format!("(uint{width}_t)(({}){value} << {shift})", unsigned(ty));
        format!("((int{width}_t)((int{width}_t){up} >> {shift}))")
    }
}

/// Cuts an expression to a value's width, which C may not have.
pub(crate) fn cut(ty: &Type, expression: &str) -> String {
    let (bits, c) = (ty.bits(), type_of(ty));
    if bits == width(bits) {
        format!("({c})({expression})")
    } else {
        format!("({c})(({expression}) & {})", number(ty, u64::MAX))
    }
}

/// A number as such a value, cut to its width.
pub(crate) fn number(ty: &Type, number: u64) -> String {
    let bits = ty.bits();
    let suffix = match width(bits) {
        8 | 16 => "u",
        32 => "UL",
        _ => "ULL",
    };
    format!("{}{suffix}", number & (u64::MAX >> (64 - bits.clamp(1, 64))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_width_has_its_type_and_its_mask() {
        let names: Vec<_> = [1, 8, 9, 16, 24, 33, 64].map(|b| type_of(&Type::Int(b))).into();
        let wanted = ["8", "8", "16", "16", "32", "64", "64"].map(|w| format!("uint{w}_t"));
        assert_eq!(names, wanted);
        assert_eq!(cut(&Type::Int(3), "x"), "(uint8_t)((x) & 7u)");
        assert_eq!(cut(&Type::Int(24), "x"), "(uint32_t)((x) & 16777215UL)");
        assert_eq!(number(&Type::Int(64), u64::MAX), "18446744073709551615ULL");
    }

    #[test]
    fn only_whole_bytes_lie_in_memory() {
        assert_eq!(type_in_memory(&Type::Int(1)).unwrap(), "M8");
        assert_eq!(type_in_memory(&Type::Int(64)).unwrap(), "M64");
        assert!(type_in_memory(&Type::Pointer).unwrap_err().contains("no pointer"));
        assert!(type_in_memory(&Type::Int(24)).unwrap_err().contains("Int(24)"));
    }

    #[test]
    fn the_interface_keeps_its_names() {
        let mut names = Names::default();
        assert_eq!((names.of("_ZN1f"), names.of("pk_put")), ("s0".into(), "pk_put".into()));
        assert_eq!(names.of("_ZN1f"), "s0");
    }
}
