//! What jumps: blocks and their phis, branches, switches, calls and returns.

use std::fmt::Write as _;

use crate::c;
use crate::ir::{Type, closing, identifier, split, without_attributes};
use crate::module::result_type;
use crate::operations::intrinsic;
use crate::translate::{Body, take_apart};

impl Body<'_> {
    /// Goes to a block, with the values that its phis take when they come from here.
    fn go(&mut self, from: &str, to: &str) -> Result<String, String> {
        let to = to.trim().trim_start_matches("label").trim().trim_start_matches('%');
        let to = to.trim_matches('"');
        let function = self.function;
        let number = function
            .blocks
            .iter()
            .position(|(label, _)| label == to)
            .ok_or_else(|| format!("expected a block, got %{to}"))?;
        // Type, variable and new value of each phi.
        let mut copies: Vec<(String, String, String)> = Vec::new();
        for line in &function.blocks[number].1 {
            let (Some(name), "phi", rest) = take_apart(line) else { continue };
            let (ty, rest) = self.parse_type(rest)?;
            let value = self.coming_from(from, &ty, rest)?;
            let target = self.variable(&name)?.1;
            if target != value {
                copies.push((c::type_of(&ty), target, value));
            }
        }
        Ok(format!("{}goto L{number};", all_at_once(&copies)))
    }

    /// What a phi is when its block is reached from this one, given as `[ 0, %a ], [ %x, %b ]`.
    fn coming_from(&mut self, from: &str, ty: &Type, pairs: &str) -> Result<String, String> {
        for pair in split(pairs) {
            let inner = pair.trim().trim_start_matches('[').trim_end_matches(']');
            let [value, block] = split(inner)[..] else {
                return Err(format!("expected a value and a block, got `{pair}`"));
            };
            if block.trim_start_matches('%').trim_matches('"') == from {
                return self.value(ty, value);
            }
        }
        Err(format!("expected a value for the way from %{from}, got `{pairs}`"))
    }

    pub(crate) fn branch(&mut self, label: &str, rest: &str) -> Result<String, String> {
        let parts = split(rest);
        match parts.as_slice() {
            [to] => self.go(label, to),
            [condition, yes, no] => {
                let (_, condition) = self.typed(condition)?;
                let (yes, no) = (self.go(label, yes)?, self.go(label, no)?);
                let condition = without_brackets(&condition);
                Ok(format!("if ({condition}) {{ {yes} }} else {{ {no} }}"))
            }
            _ => Err("expected one block or a condition and two".into()),
        }
    }

    pub(crate) fn switch(&mut self, label: &str, rest: &str) -> Result<String, String> {
        let (head, cases) = rest.split_once('[').ok_or("expected cases")?;
        let head = split(head);
        let [value, default] = head.as_slice() else { return Err("expected a value".into()) };
        let (ty, value) = self.typed(value)?;
        let mut text = format!("switch ({value}) {{");
        let cases = cases.trim().trim_end_matches(']');
        // Cases follow each other without commas: `i8 1, label %a i8 2, label %b`.
        for case in cases.split("label ").collect::<Vec<_>>().windows(2) {
            let (before, after) = (case[0], case[1]);
            let number = before.trim().trim_end_matches(',');
            let number = number.rsplit(' ').next().unwrap_or_default();
            let number = self.value(&ty, number)?;
            let (name, _) = identifier(after.trim_start_matches('%')).ok_or("expected a block")?;
            let go = self.go(label, &name)?;
            let _ = write!(text, " case {number}: {go}");
        }
        let go = self.go(label, default)?;
        let _ = write!(text, " default: {go} }}");
        Ok(text)
    }

    pub(crate) fn give_back(&mut self, rest: &str) -> Result<String, String> {
        if rest == "void" {
            return Ok("return;".into());
        }
        let (ty, value) = self.parse_type(rest)?;
        let Type::Struct(fields, _) = &ty else {
            let value = self.value(&ty, value)?;
            return Ok(format!("return {value};"));
        };
        let (_, from) = self.variable(value)?;
        let mut text = String::new();
        for (i, field) in fields.iter().enumerate().skip(1) {
            let _ = write!(text, "{} = {from}_{i}; ", c::part_name(i, &c::type_of(field)));
        }
        let _ = write!(text, "return {from}_0;");
        Ok(text)
    }

    pub(crate) fn call(&mut self, c: &str, rest: &str) -> Result<String, String> {
        if is_ignored(rest) {
            return Ok(String::new());
        }
        let at = rest.find('@').ok_or("expected a function's name")?;
        let returns = result_type(&without_attributes(&rest[..at]), &self.module.named);
        let (name, after) = identifier(&rest[at + 1..]).ok_or("expected a function's name")?;
        let end = closing(after).ok_or("expected arguments")?;
        let mut values = Vec::new();
        for argument in split(&after[1..end - 1]) {
            values.push(self.typed(argument)?);
        }
        if let Some(name) = name.strip_prefix("llvm.") {
            return intrinsic(c, name, &values, |part| self.is_declared_part(c, part));
        }
        let list: Vec<&str> = values.iter().map(|(_, v)| v.as_str()).collect();
        let call = format!("{}({})", self.names.of(&name), list.join(", "));
        Ok(match returns {
            Some(Type::Struct(fields, _)) if !c.is_empty() => {
                let is_used = |i: usize| self.is_declared_part(c, i);
                let mut text =
                    if is_used(0) { format!("{c}_0 = {call};") } else { format!("{call};") };
                for (i, field) in fields.iter().enumerate().skip(1).filter(|(i, _)| is_used(*i)) {
                    let part = c::part_name(i, &c::type_of(field));
                    let _ = write!(text, " {c}_{i} = {part};");
                }
                text
            }
            _ if c.is_empty() => format!("{call};"),
            _ => format!("{c} = {call};"),
        })
    }
}

/// A condition without the brackets around it: Clang takes a comparison in two pairs of them for
/// an assignment that was meant.
fn without_brackets(condition: &str) -> &str {
    condition.strip_prefix('(').and_then(|c| c.strip_suffix(')')).unwrap_or(condition)
}

/// Whether a call only tells the optimiser something.
pub(crate) fn is_ignored(call: &str) -> bool {
    ["@llvm.lifetime", "@llvm.assume", "@llvm.experimental.noalias", "@llvm.dbg"]
        .iter()
        .any(|name| call.contains(name))
}

/// Assignments that happen at the same time: if one reads what another writes, all old values
/// are read first.
fn all_at_once(copies: &[(String, String, String)]) -> String {
    let mut text = String::new();
    let clash = copies.iter().any(|(_, _, value)| copies.iter().any(|(_, to, _)| to == value));
    if clash {
        text.push_str("{ ");
        for (i, (ty, _, value)) in copies.iter().enumerate() {
            let _ = write!(text, "{ty} t{i} = {value}; ");
        }
        for (i, (_, to, _)) in copies.iter().enumerate() {
            let _ = write!(text, "{to} = t{i}; ");
        }
        text.push_str("} ");
    } else {
        for (_, to, value) in copies {
            let _ = write!(text, "{to} = {value}; ");
        }
    }
    text
}
