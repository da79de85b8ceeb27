//! From IR to C99, one function after the other.
//!
//! Every value becomes a local variable, every block a label, every memory access a cast: the C
//! is for compilers, not for readers. It needs neither the width of an `int` nor that of a
//! pointer (see [`crate::c`]), provided that no pointer is ever stored in memory and no object
//! is longer than an `int16_t` can count, which is checked here.
//!
//! Here are the file, the function, values and addresses; [`crate::operations`] has what
//! computes, [`crate::flow`] what jumps and calls, [`crate::uses`] what is read at all.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::fmt::Write as _;

use crate::c;
use crate::ir::{Type, identifier, split, without_attributes};
use crate::module::{Function, Global, Module, result_type};
use crate::uses::{conditions, is_logic, is_read, used_values};

/// The longest object: offsets into it are 16-bit numbers with a sign.
const LONGEST: usize = 32_767;

/// The C text of a module, or what could not be translated.
pub(crate) fn to_c(module: &Module) -> Result<String, String> {
    let mut names = c::Names::default();
    let mut text = String::from(c::PROLOGUE);
    let mut tables = Vec::new();
    for global in &module.globals {
        tables.push((global, declare_global(global, &mut names)?));
    }
    // The file around the translation declares what it defines.
    if let Some(name) = module.declared.iter().find(|name| !c::is_interface(name)) {
        return Err(format!("expected a body of function {name}, got none"));
    }
    let mut bodies = String::new();
    let mut returned = BTreeSet::new();
    for function in &module.functions {
        let mut body = Body {
            module,
            names: &mut names,
            function,
            vars: HashMap::new(),
            used: used_values(function),
            conditions: conditions(function),
            folded: HashMap::new(),
            count: 0,
        };
        let (prototype, code) =
            body.translate().map_err(|e| format!("in function {}: {e}", function.name))?;
        let _ = writeln!(text, "{prototype};");
        bodies.push_str(&code);
        if let Type::Struct(fields, _) = &function.returns {
            // What a function returns beyond its first part goes through these.
            for (i, field) in fields.iter().enumerate().skip(1) {
                returned.insert((i, c::type_of(field)));
            }
        }
    }
    for (i, ty) in returned {
        let _ = writeln!(text, "static {ty} {};", c::part_name(i, &ty));
    }
    let prototypes = text.split_off(c::PROLOGUE.len());
    for (global, declaration) in tables {
        // The compiler keeps some that only dropped messages name.
        if !declaration.is_empty() && mentions(&bodies, &names.of(&global.name)) {
            text.push_str(&declaration);
        }
    }
    text.push_str(&prototypes);
    text.push_str(&bodies);
    Ok(text)
}

/// Whether a text has a name as a whole word.
fn mentions(text: &str, name: &str) -> bool {
    let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.match_indices(name)
        .any(|(at, _)| !text[..at].ends_with(word) && !text[at + name.len()..].starts_with(word))
}

/// Constants of at least this many bytes may be kept elsewhere by the host.
const MOVABLE: usize = 128;

/// The last part of a mangled Rust path, as `KEY` of `_RNvNtCs3ajtq_6pocket7zobrist3KEY`.
fn last_part(mangled: &str) -> Option<&str> {
    let digits = mangled.rfind(|c: char| c.is_ascii_digit())?;
    let part = &mangled[digits + 1..];
    mangled[..=digits].ends_with(&part.len().to_string()).then_some(part)
}

/// A global as an array of bytes, or nothing if it is never read.
fn declare_global(global: &Global, names: &mut c::Names) -> Result<String, String> {
    let Some(bytes) = &global.bytes else {
        names.dropped.insert(global.name.clone());
        return Ok(String::new());
    };
    let (name, length) = (names.of(&global.name), bytes.len());
    if length > LONGEST {
        return Err(format!("expected at most {LONGEST} bytes in @{}, got {length}", global.name));
    }
    let constant = if global.constant { "const " } else { "" };
    if !global.constant && bytes.iter().all(|&b| b == 0) {
        return Ok(format!("static uint8_t {name}[{length}];\n"));
    }
    let mut list = String::new();
    for line in bytes.chunks(24) {
        let line: Vec<String> = line.iter().map(u8::to_string).collect();
        let _ = write!(list, "\n{},", line.join(","));
    }
    let table = format!("static {constant}uint8_t {name}[{length}] = {{{list}\n}};\n");
    Ok(match last_part(&global.name) {
        Some(part) if global.constant && length >= MOVABLE => {
            let data = format!("POCKET_DATA_{part}");
            format!("#ifdef {data}\n#define {name} ({data})\n#else\n{table}#endif\n")
        }
        _ => table,
    })
}

/// Drops jumps to the next line and labels that nothing jumps to.
fn without_idle_jumps(code: &str) -> String {
    let lines: Vec<&str> = code.lines().collect();
    let mut text = String::new();
    let kept = lines.iter().enumerate().filter(|&(i, line)| {
        let next = lines.get(i + 1).and_then(|next| next.strip_suffix(":;"));
        line.trim().strip_prefix("goto ").and_then(|to| to.strip_suffix(';')) != next
            || next.is_none()
    });
    let kept: Vec<&str> = kept.map(|(_, line)| *line).collect();
    for line in &kept {
        let idle = line
            .strip_suffix(":;")
            .is_some_and(|label| !kept.iter().any(|l| l.contains(&format!("goto {label};"))));
        if !idle {
            let _ = writeln!(text, "{line}");
        }
    }
    text
}

/// A parameter list as C wants it.
fn list_or_void(parameters: &[String]) -> String {
    if parameters.is_empty() { "void".into() } else { parameters.join(", ") }
}

/// One function on its way to C.
pub(crate) struct Body<'a> {
    pub(crate) module: &'a Module,
    pub(crate) names: &'a mut c::Names,
    pub(crate) function: &'a Function,
    /// Type and C name of each IR value.
    vars: HashMap<String, (Type, String)>,
    /// The values that something reads. Of a structure that is only taken apart, the parts that
    /// are read, as `name.number`.
    used: HashSet<String>,
    /// The conditions that get no variable; see [`conditions`].
    conditions: HashSet<String>,
    /// Their expressions, once they are known.
    folded: HashMap<String, String>,
    count: usize,
}

/// An instruction: what it defines, its operation, and the rest of the line.
pub(crate) fn take_apart(line: &str) -> (Option<String>, &str, &str) {
    let (target, body) = match line.strip_prefix('%') {
        Some(rest) => match identifier(rest) {
            Some((name, rest)) => (Some(name), rest.trim_start().trim_start_matches("= ")),
            None => (None, line),
        },
        None => (None, line),
    };
    let body = ["tail ", "musttail ", "notail "]
        .iter()
        .find_map(|word| body.strip_prefix(word))
        .unwrap_or(body);
    let (operation, rest) = body.split_once(' ').unwrap_or((body, ""));
    (target, operation, rest.trim())
}

/// Drops the flags between an operation and its type.
pub(crate) fn without_flags(mut rest: &str) -> &str {
    const FLAGS: [&str; 9] = [
        "nuw ",
        "nsw ",
        "exact ",
        "disjoint ",
        "samesign ",
        "nneg ",
        "inbounds ",
        "nusw ",
        "fast ",
    ];
    while let Some(next) = FLAGS.iter().find_map(|flag| rest.strip_prefix(flag)) {
        rest = next;
    }
    rest
}

impl Body<'_> {
    fn translate(&mut self) -> Result<(String, String), String> {
        let function = self.function;
        let mut parameters = Vec::new();
        for (ty, name) in &function.parameters {
            let c = self.define(name, ty.clone());
            parameters.push(format!("{} {c}", c::type_of(ty)));
        }
        let locals = self.locals()?;
        let mut code = String::new();
        for (name, unused) in parameters.iter().zip(&function.parameters) {
            if !self.used.contains(&unused.1) {
                let variable = name.rsplit(' ').next().unwrap_or_default();
                let _ = writeln!(code, "  (void){variable};");
            }
        }
        for (i, (label, lines)) in function.blocks.iter().enumerate() {
            let _ = writeln!(code, "L{i}:;");
            for line in lines {
                let (target, operation, rest) = take_apart(line);
                if let Some(name) = target.as_ref().filter(|name| self.conditions.contains(*name)) {
                    let text = self.condition(operation, rest);
                    let text = text.map_err(|e| format!("{e} in `{line}`"))?;
                    self.folded.insert(name.clone(), text);
                    continue;
                }
                let is_used = target.as_ref().is_none_or(|name| self.is_used(name));
                let c = match &target {
                    // A call does more than compute a value; nothing else does.
                    Some(name) if is_used || operation != "call" => self.variable(name)?.1,
                    _ => String::new(),
                };
                let text = self
                    .instruction(label, &c, operation, rest)
                    .map_err(|e| format!("{e} in `{line}`"))?;
                if !text.is_empty() && (is_used || operation == "call") {
                    let _ = writeln!(code, "  {text}");
                }
            }
        }
        let code = without_idle_jumps(&code);
        let linkage = if c::is_exported(&function.name) { "" } else { "static " };
        let returns = c::type_of(&function.returns);
        let name = self.names.of(&function.name);
        let call = if c::is_interface(&function.name) { "" } else { " CALL" };
        let prototype = format!("{linkage}{returns} {name}({}){call}", list_or_void(&parameters));
        let text = format!("{prototype}\n{{\n {locals}\n{code}}}\n");
        Ok((prototype, text))
    }

    /// Defines every value of the function; the text declares their variables.
    fn locals(&mut self) -> Result<String, String> {
        let mut locals = String::new();
        for line in self.function.blocks.iter().flat_map(|(_, lines)| lines) {
            let (Some(name), operation, rest) = take_apart(line) else { continue };
            let ty = self.result(operation, rest).ok_or_else(|| {
                format!("expected an instruction that is known, got `{operation}` in `{line}`")
            })?;
            let c = self.define(&name, ty.clone());
            if !self.is_used(&name) || self.conditions.contains(&name) {
                continue;
            }
            match &ty {
                Type::Struct(..) if !matches!(operation, "call" | "insertvalue") => {
                    return Err(format!("expected a structure only from a call, got `{line}`"));
                }
                Type::Struct(fields, _) => {
                    for (i, field) in fields.iter().enumerate() {
                        if self.is_part_used(&name, i) {
                            let _ = write!(locals, " {} {c}_{i};", c::type_of(field));
                        }
                    }
                }
                Type::Void => {}
                _ => {
                    let _ = write!(locals, " {} {c};", c::type_of(&ty));
                }
            }
            if operation == "alloca" {
                let (ty, _) = self.parse_type(rest)?;
                let _ = write!(locals, " uint8_t {c}_m[{}];", ty.layout().0);
            }
        }
        Ok(locals)
    }

    /// Whether anything reads a value or a part of it.
    fn is_used(&self, name: &str) -> bool {
        is_read(&self.used, name)
    }

    /// Whether anything reads part `i` of a value.
    pub(crate) fn is_part_used(&self, name: &str, i: usize) -> bool {
        self.used.contains(name) || self.used.contains(&format!("{name}.{i}"))
    }

    /// The same by the C name of the value.
    pub(crate) fn is_declared_part(&self, c: &str, i: usize) -> bool {
        self.vars.iter().any(|(name, (_, known))| known == c && self.is_part_used(name, i))
    }

    fn define(&mut self, name: &str, ty: Type) -> String {
        self.count += 1;
        let c = format!("v{}", self.count);
        self.vars.insert(name.to_string(), (ty, c.clone()));
        c
    }

    /// Type and C name of a value, with or without its `%` and quotes.
    pub(crate) fn variable(&self, name: &str) -> Result<(Type, String), String> {
        let name = name.trim().trim_start_matches('%').trim_matches('"');
        self.vars.get(name).cloned().ok_or_else(|| format!("expected a known value, got %{name}"))
    }

    pub(crate) fn parse_type<'t>(&self, text: &'t str) -> Result<(Type, &'t str), String> {
        Type::parse(text, &self.module.named)
            .ok_or_else(|| format!("expected a type, got `{text}`"))
    }

    /// The type of what an instruction defines.
    pub(crate) fn result(&self, operation: &str, rest: &str) -> Option<Type> {
        let named = &self.module.named;
        let last = || Type::parse(rest.rsplit_once(" to ")?.1, named).map(|(ty, _)| ty);
        Some(match operation {
            "alloca" | "getelementptr" => Type::Pointer,
            "icmp" => Type::Int(1),
            "zext" | "sext" | "trunc" => last()?,
            "select" => Type::parse(split(rest).get(1)?, named)?.0,
            "call" => result_type(&without_attributes(&rest[..rest.find('@')?]), named)?,
            "extractvalue" => {
                let (ty, rest) = Type::parse(rest, named)?;
                let number = split(rest).last()?.parse().ok()?;
                ty.field(number)?.1.clone()
            }
            _ => Type::parse(without_flags(rest), named)?.0,
        })
    }

    /// A value in C.
    pub(crate) fn value(&mut self, ty: &Type, text: &str) -> Result<String, String> {
        let text = text.trim();
        if let Some(name) = text.strip_prefix('%') {
            if let Some(folded) = self.folded.get(name.trim_matches('"')) {
                return Ok(folded.clone());
            }
            return Ok(self.variable(text)?.1);
        }
        if let Some(name) = text.strip_prefix('@') {
            let name = name.trim_matches('"');
            if self.names.dropped.contains(name) {
                return Ok("((P)0)".into());
            }
            return Ok(format!("((P){})", self.names.of(name)));
        }
        if let Some(rest) = text.strip_prefix("getelementptr") {
            let rest = without_flags(rest.trim());
            let rest = rest.strip_prefix('(').and_then(|r| r.strip_suffix(')'));
            return self.address(rest.ok_or("expected a constant address")?);
        }
        Ok(match text {
            "true" => "1".into(),
            "false" | "undef" | "poison" | "zeroinitializer" => "0".into(),
            "null" => "((P)0)".into(),
            digits => {
                let number: i64 =
                    digits.parse().map_err(|_| format!("expected a value, got `{digits}`"))?;
                c::number(ty, number as u64)
            }
        })
    }

    /// A typed value, as in `i8 %x`.
    pub(crate) fn typed(&mut self, text: &str) -> Result<(Type, String), String> {
        let text = without_attributes(text);
        let (ty, rest) = self.parse_type(&text)?;
        let value = self.value(&ty, rest)?;
        Ok((ty, value))
    }

    /// The address that a `getelementptr` computes.
    pub(crate) fn address(&mut self, rest: &str) -> Result<String, String> {
        let parts = split(rest);
        let [first, base, indices @ ..] = parts.as_slice() else {
            return Err("expected a type and a base".into());
        };
        let (mut ty, _) = self.parse_type(first)?;
        let (_, mut text) = self.typed(base)?;
        let mut offset = 0i64;
        for (i, index) in indices.iter().enumerate() {
            let (index_type, value) = self.parse_type(index)?;
            let constant: Option<i64> = value.parse().ok();
            let step = if i == 0 {
                ty.layout().0
            } else if let Type::Array(_, element) = ty.clone() {
                ty = *element;
                ty.layout().0
            } else {
                let number = constant.ok_or("expected a field's number")? as usize;
                let (at, field) = ty.field(number).ok_or("expected a structure")?;
                offset += at as i64;
                ty = field.clone();
                continue;
            };
            match constant {
                Some(number) => offset += number * step as i64,
                None => {
                    let value = self.value(&index_type, value)?;
                    let value = c::signed(&index_type, &value);
                    if step == 1 {
                        text = format!("({text} + {value})");
                    } else {
                        text = format!("({text} + (int16_t)(uint16_t)((W){value} * (W){step}u))");
                    }
                }
            }
        }
        if offset != 0 {
            let sign = if offset < 0 { '-' } else { '+' };
            text = format!("({text} {sign} {})", offset.abs());
        }
        Ok(text)
    }

    fn instruction(
        &mut self,
        label: &str,
        c: &str,
        operation: &str,
        rest: &str,
    ) -> Result<String, String> {
        match operation {
            // Whoever jumps to a block sets its phis.
            "phi" => Ok(String::new()),
            "alloca" => Ok(format!("{c} = {c}_m;")),
            "getelementptr" => Ok(format!("{c} = {};", self.address(without_flags(rest))?)),
            "load" => {
                let parts = split(rest);
                let (ty, _) = self.parse_type(parts[0])?;
                let (_, from) = self.typed(parts.get(1).ok_or("expected an address")?)?;
                Ok(format!("{c} = *({}*){from};", c::type_in_memory(&ty)?))
            }
            "store" => {
                let parts = split(rest);
                let (ty, value) = self.typed(parts[0])?;
                let (_, to) = self.typed(parts.get(1).ok_or("expected an address")?)?;
                Ok(format!("*({}*){to} = {value};", c::type_in_memory(&ty)?))
            }
            "icmp" => Ok(format!("{c} = {};", self.condition(operation, rest)?)),
            _ if is_logic(operation, rest) => {
                Ok(format!("{c} = {};", self.condition(operation, rest)?))
            }
            "zext" | "trunc" | "freeze" | "sext" => self.convert(c, operation, without_flags(rest)),
            "select" => self.select(c, rest),
            "br" => self.branch(label, rest),
            "switch" => self.switch(label, rest),
            "ret" => self.give_back(rest),
            "unreachable" => Ok("for (;;) { pk_trap(); }".into()),
            "call" => self.call(c, rest),
            "extractvalue" => self.extract(c, rest),
            "insertvalue" => self.insert(c, rest),
            _ => self.arithmetic(c, operation, without_flags(rest)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_bears_the_last_part_of_its_path() {
        assert_eq!(last_part("_RNvNtCs3ajtq_6pocket7zobrist3KEY"), Some("KEY"));
        assert_eq!(last_part("anon.fe1c.7"), None);
    }

    #[test]
    fn idle_jumps_and_labels_go() {
        assert_eq!(
            without_idle_jumps("L0:;\n  goto L1;\nL1:;\n  goto L3;\nL2:;\nL3:;\n"),
            "  goto L3;\nL3:;\n"
        );
    }
}
