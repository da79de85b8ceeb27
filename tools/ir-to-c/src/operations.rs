//! What computes: arithmetic, comparisons, conversions, choices, the parts of structures, and
//! LLVM's own functions.

use std::fmt::Write as _;

use crate::c::{cut, number, signed, unsigned, widened};
use crate::ir::{Type, split};
use crate::translate::{Body, without_flags};

impl Body<'_> {
    pub(crate) fn arithmetic(
        &mut self,
        c: &str,
        operation: &str,
        rest: &str,
    ) -> Result<String, String> {
        let unknown = || format!("expected an instruction that is known, got `{operation}`");
        let parts = split(rest);
        let [left, right] = parts.as_slice() else { return Err(unknown()) };
        let (ty, left) = self.typed(left)?;
        let right = self.value(&ty, right)?;
        let wide = unsigned(&ty);
        let (l, r) = (widened(&ty, &left), widened(&ty, &right));
        let expression = match operation {
            "add" => format!("{l} + {r}"),
            "sub" => format!("{l} - {r}"),
            "mul" => format!("({wide}){left} * ({wide}){right}"),
            "and" => format!("{l} & {r}"),
            "or" => format!("{l} | {r}"),
            "xor" => format!("{l} ^ {r}"),
            "shl" => format!("({wide}){left} << {right}"),
            "lshr" => format!("{l} >> {right}"),
            "ashr" => format!("{} >> {right}", widened(&ty, &signed(&ty, &left))),
            "udiv" => format!("{l} / {r}"),
            "urem" => format!("{l} % {r}"),
            _ => return Err(unknown()),
        };
        Ok(format!("{c} = {};", cut(&ty, &expression)))
    }

    /// A yes-or-no value as an expression in brackets.
    pub(crate) fn condition(&mut self, operation: &str, rest: &str) -> Result<String, String> {
        let rest = without_flags(rest);
        if operation == "icmp" {
            return self.compare(rest);
        }
        let mut values = Vec::new();
        for (i, part) in split(rest).into_iter().enumerate() {
            // Of `and`, `or` and `xor` only the first operand bears the type.
            let typed =
                if part.starts_with("i1 ") || i == 0 { part.into() } else { format!("i1 {part}") };
            values.push(self.typed(&typed)?.1);
        }
        let values: Vec<&str> = values.iter().map(String::as_str).collect();
        Ok(match (operation, values.as_slice()) {
            ("and", [a, b]) | ("select", [a, b, "0"]) => format!("({a} && {b})"),
            ("or", [a, b]) | ("select", [a, "1", b]) => format!("({a} || {b})"),
            ("xor", [a, "1"]) => format!("(!{a})"),
            ("xor", [a, b]) => format!("({a} != {b})"),
            ("select", [a, "0", b]) => format!("(!{a} && {b})"),
            ("select", [a, b, "1"]) => format!("(!{a} || {b})"),
            ("select", [a, b, c]) => format!("({a} ? {b} : {c})"),
            _ => return Err(format!("expected a condition, got `{operation}`")),
        })
    }

    fn compare(&mut self, rest: &str) -> Result<String, String> {
        let (predicate, rest) = rest.split_once(' ').ok_or("expected a predicate")?;
        let parts = split(rest);
        let [left, right] = parts.as_slice() else { return Err("expected two values".into()) };
        let (ty, mut left) = self.typed(left)?;
        let mut right = self.value(&ty, right)?;
        if predicate.starts_with('s') {
            (left, right) = (signed(&ty, &left), signed(&ty, &right));
        }
        let sign = match predicate {
            "eq" => "==",
            "ne" => "!=",
            "ult" | "slt" => "<",
            "ule" | "sle" => "<=",
            "ugt" | "sgt" => ">",
            "uge" | "sge" => ">=",
            other => return Err(format!("expected a predicate, got `{other}`")),
        };
        Ok(format!("({left} {sign} {right})"))
    }

    /// Another width, or the same value once more.
    pub(crate) fn convert(
        &mut self,
        c: &str,
        operation: &str,
        rest: &str,
    ) -> Result<String, String> {
        let (from, _) = rest.rsplit_once(" to ").unwrap_or((rest, ""));
        let (ty, value) = self.typed(from)?;
        let target = self.result(operation, rest).ok_or("expected a type")?;
        if target == Type::Pointer {
            return Ok(format!("{c} = {value};"));
        }
        let value = if operation == "sext" { signed(&ty, &value) } else { value };
        Ok(format!("{c} = {};", cut(&target, &value)))
    }

    pub(crate) fn select(&mut self, c: &str, rest: &str) -> Result<String, String> {
        let parts = split(rest);
        let [condition, yes, no] = parts.as_slice() else {
            return Err("expected three values".into());
        };
        let (_, condition) = self.typed(condition)?;
        let ((_, yes), (_, no)) = (self.typed(yes)?, self.typed(no)?);
        Ok(format!("{c} = {condition} ? {yes} : {no};"))
    }

    pub(crate) fn extract(&mut self, c: &str, rest: &str) -> Result<String, String> {
        let (_, value) = self.parse_type(rest)?;
        let parts = split(value);
        let [from, number] = parts.as_slice() else {
            return Err("expected a structure and a number".into());
        };
        let (_, from) = self.variable(from)?;
        Ok(format!("{c} = {from}_{number};"))
    }

    pub(crate) fn insert(&mut self, c: &str, rest: &str) -> Result<String, String> {
        let (ty, value) = self.parse_type(rest)?;
        let parts = split(value);
        let [from, part, number] = parts.as_slice() else {
            return Err("expected a structure, a value and a number".into());
        };
        let Type::Struct(fields, _) = ty else { return Err("expected a structure".into()) };
        let (_, part) = self.typed(part)?;
        let mut text = String::new();
        let is_used = |i: usize| self.is_declared_part(c, i);
        for i in (0..fields.len()).filter(|&i| i.to_string() != *number && is_used(i)) {
            // A structure that is still being filled has parts that nobody reads.
            let old = match from.strip_prefix('%') {
                Some(name) => format!("{}_{i}", self.variable(name)?.1),
                None => "0".into(),
            };
            let _ = write!(text, "{c}_{i} = {old}; ");
        }
        if number.parse().is_ok_and(is_used) {
            let _ = write!(text, "{c}_{number} = {part};");
        }
        Ok(text)
    }
}

/// LLVM's own functions, written out; `name` comes without its `llvm.`. Of a structure only the
/// parts that something reads are written.
pub(crate) fn intrinsic(
    c: &str,
    name: &str,
    values: &[(Type, String)],
    is_used: impl Fn(usize) -> bool,
) -> Result<String, String> {
    let (base, _) = name.rsplit_once('.').unwrap_or((name, ""));
    let value = |i: usize| values.get(i).map_or("0", |(_, v)| v.as_str());
    let (a, b, n) = (value(0), value(1), value(2));
    if base.starts_with("memcpy") {
        return Ok(format!("memcpy({a}, {b}, {n});"));
    }
    if base.starts_with("memmove") {
        return Ok(format!("memmove({a}, {b}, {n});"));
    }
    if base == "trap" || name == "trap" {
        return Ok("pk_trap();".into());
    }
    if base.starts_with("memset") {
        return Ok(format!("memset({a}, {b}, {n});"));
    }
    let ty = &values.first().ok_or("expected an argument")?.0;
    let (sa, sb) = (signed(ty, a), signed(ty, b));
    let expression = match base {
        "umin" => format!("({a} < {b}) ? {a} : {b}"),
        "umax" => format!("({a} > {b}) ? {a} : {b}"),
        "smin" => format!("({sa} < {sb}) ? {a} : {b}"),
        "smax" => format!("({sa} > {sb}) ? {a} : {b}"),
        "abs" => format!("({sa} < 0) ? {} : {a}", cut(ty, &format!("0 - {a}"))),
        "usub.sat" => format!("({a} > {b}) ? {} : 0", cut(ty, &format!("{a} - {b}"))),
        "uadd.sat" => {
            let sum = cut(ty, &format!("{a} + {b}"));
            format!("({sum} < {a}) ? {} : {sum}", number(ty, u64::MAX))
        }
        "sadd.sat" | "ssub.sat" if *ty == Type::Int(16) => {
            let sign = if base == "sadd.sat" { '+' } else { '-' };
            let exact = format!("((int32_t){sa} {sign} (int32_t){sb})");
            let wrapped = cut(ty, &format!("{a} {sign} {b}"));
            format!("({exact} > 32767) ? 32767u : ({exact} < -32767 - 1) ? 32768u : {wrapped}")
        }
        "umul.with.overflow" if *ty == Type::Int(16) => {
            let mut text = format!("{{ uint32_t w = (uint32_t){a} * {b};");
            for (i, part) in ["(uint16_t)w", "(w >> 16) != 0"].iter().enumerate() {
                if is_used(i) {
                    let _ = write!(text, " {c}_{i} = {part};");
                }
            }
            return Ok(text + " }");
        }
        _ => return Err(format!("expected a known intrinsic, got `llvm.{name}`")),
    };
    Ok(format!("{c} = {expression};"))
}
