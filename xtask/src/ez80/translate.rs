//! From IR to C99, one function after the other.
//!
//! Every value becomes a local variable, every block a label, every memory access a cast: the C
//! is for compilers, not for readers. It needs neither the width of an `int` nor that of a
//! pointer, so the same text runs with 16-, 24- and 64-bit pointers, provided that no pointer is
//! ever stored in memory, which is checked here.

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;

use super::ir::{Type, closing, identifier, split, without_attributes};
use super::module::{Function, Module, result_type};

/// The C text of a module, or what could not be translated.
pub(crate) fn to_c(module: &Module) -> Result<String, String> {
    let mut names = Names::default();
    let mut text = String::from(
        "/* Generated from Rust by `cargo xtask ez80`. Do not edit. */\n\
         #include <stdint.h>\n#include <string.h>\ntypedef uint8_t *P;\n\
         extern void pk_trap(void);\n",
    );
    for global in &module.globals {
        let Some(bytes) = &global.bytes else {
            names.dropped.insert(global.name.clone());
            continue;
        };
        let name = names.of(&global.name);
        if bytes.iter().all(|&b| b == 0) {
            let _ = writeln!(text, "static uint8_t {name}[{}];", bytes.len());
        } else {
            let constant = if global.constant { "const " } else { "" };
            let list: Vec<String> = bytes.iter().map(u8::to_string).collect();
            let _ = writeln!(
                text,
                "static {constant}uint8_t {name}[{}] = {{{}}};",
                bytes.len(),
                list.join(",")
            );
        }
    }
    for declared in &module.declared {
        let parameters: Vec<_> = declared.parameters.iter().map(c_type).collect();
        let list = if parameters.is_empty() { "void".into() } else { parameters.join(", ") };
        let returns = c_type(&declared.returns);
        if declared.name != "pk_trap" {
            let _ = writeln!(text, "extern {returns} {}({list});", names.of(&declared.name));
        }
    }
    let mut bodies = String::new();
    let mut returned = HashSet::new();
    for function in &module.functions {
        let mut body = Body { module, names: &mut names, function, vars: HashMap::new(), count: 0 };
        let (prototype, code) =
            body.translate().map_err(|e| format!("in function {}: {e}", function.name))?;
        let _ = writeln!(text, "{prototype};");
        bodies.push_str(&code);
        if let Type::Struct(fields, _) = &function.returns {
            // What a function returns beyond its first part goes through these.
            for (i, field) in fields.iter().enumerate().skip(1) {
                returned.insert((i, c_type(field)));
            }
        }
    }
    for (i, ty) in returned {
        let _ = writeln!(text, "static {ty} {};", part_name(i, &ty));
    }
    text.push_str(&bodies);
    Ok(text)
}

/// The C variable that carries part `i` of a returned structure.
fn part_name(i: usize, ty: &str) -> String {
    format!("part{i}_{ty}")
}

/// Short C names for IR's long ones; the interface keeps its own.
#[derive(Default)]
struct Names {
    known: HashMap<String, String>,
    /// Globals that hold pointers: only panic messages, which nobody reads here.
    dropped: HashSet<String>,
}

impl Names {
    fn of(&mut self, name: &str) -> String {
        let number = self.known.len();
        let own = name.starts_with("pk_");
        let short = || if own { name.to_string() } else { format!("s{number}") };
        self.known.entry(name.to_string()).or_insert_with(short).clone()
    }
}

/// The C type that holds a value.
fn c_type(ty: &Type) -> String {
    match ty {
        Type::Pointer => "P".into(),
        Type::Void => "void".into(),
        Type::Int(bits) if *bits <= 8 => "uint8_t".into(),
        Type::Int(bits) if *bits <= 16 => "uint16_t".into(),
        Type::Int(_) => "uint32_t".into(),
        // A structure travels in parts; its first part is the function's result.
        Type::Struct(fields, _) => fields.first().map_or("void".into(), c_type),
        Type::Array(..) => "P".into(),
    }
}

/// The value as a signed C expression.
fn signed(ty: &Type, value: &str) -> String {
    let bits = ty.bits();
    let width = if bits <= 8 {
        8
    } else if bits <= 16 {
        16
    } else {
        32
    };
    if bits == width {
        format!("((int{width}_t){value})")
    } else {
        let shift = width - bits;
        format!("((int{width}_t)((int{width}_t)((uint{width}_t){value} << {shift}) >> {shift}))")
    }
}

/// Cuts an expression to a width that C does not have.
fn cut(ty: &Type, expression: String) -> String {
    match ty.bits() {
        8 | 16 | 32 => format!("({})({expression})", c_type(ty)),
        bits => format!("({})(({expression}) & {}u)", c_type(ty), (1u64 << bits) - 1),
    }
}

/// One function on its way to C.
struct Body<'a> {
    module: &'a Module,
    names: &'a mut Names,
    function: &'a Function,
    /// Type and C name of each IR value.
    vars: HashMap<String, (Type, String)>,
    count: usize,
}

/// An instruction: what it defines, its operation, and the rest of the line.
fn take_apart(line: &str) -> (Option<String>, &str, &str) {
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
fn without_flags(mut rest: &str) -> &str {
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
            parameters.push(format!("{} {c}", c_type(ty)));
        }
        let mut locals = String::new();
        for (_, lines) in &function.blocks {
            for line in lines {
                if let (Some(name), operation, rest) = take_apart(line) {
                    let ty = self.result(operation, rest).ok_or_else(|| unknown(line))?;
                    let c = self.define(&name, ty.clone());
                    if let Type::Struct(fields, _) = &ty {
                        for (i, field) in fields.iter().enumerate() {
                            let _ = write!(locals, " {} {c}_{i};", c_type(field));
                        }
                    } else {
                        let _ = write!(locals, " {} {c};", c_type(&ty));
                    }
                    if operation == "alloca" {
                        let (ty, _) = self.parse_type(rest)?;
                        let _ = write!(locals, " uint8_t {c}_m[{}];", ty.layout().0);
                    }
                }
            }
        }
        let mut code = String::new();
        for (i, (label, lines)) in function.blocks.iter().enumerate() {
            let _ = writeln!(code, "L{i}:;");
            for line in lines {
                let (target, operation, rest) = take_apart(line);
                let c = match &target {
                    Some(name) => self.variable(name)?.1,
                    None => String::new(),
                };
                let text = self
                    .instruction(label, &c, operation, rest)
                    .map_err(|e| format!("{e} in `{line}`"))?;
                let _ = writeln!(code, "  {text}");
            }
        }
        let linkage = if function.name.starts_with("pk_") { "" } else { "static " };
        let list = if parameters.is_empty() { "void".into() } else { parameters.join(", ") };
        let prototype = format!(
            "{linkage}{} {}({list})",
            c_type(&function.returns),
            self.names.of(&function.name)
        );
        let text = format!("{prototype}\n{{\n {locals}\n{code}}}\n");
        Ok((prototype, text))
    }

    fn define(&mut self, name: &str, ty: Type) -> String {
        self.count += 1;
        let c = format!("v{}", self.count);
        self.vars.insert(name.to_string(), (ty, c.clone()));
        c
    }

    fn variable(&self, name: &str) -> Result<(Type, String), String> {
        self.vars.get(name).cloned().ok_or_else(|| format!("expected a known value, got %{name}"))
    }

    fn parse_type<'t>(&self, text: &'t str) -> Result<(Type, &'t str), String> {
        Type::parse(text, &self.module.named)
            .ok_or_else(|| format!("expected a type, got `{text}`"))
    }

    /// The type of what an instruction defines.
    fn result(&self, operation: &str, rest: &str) -> Option<Type> {
        let named = &self.module.named;
        let last = || Type::parse(rest.rsplit_once(" to ")?.1, named).map(|(ty, _)| ty);
        Some(match operation {
            "alloca" | "getelementptr" | "inttoptr" => Type::Pointer,
            "icmp" => Type::Int(1),
            "zext" | "sext" | "trunc" | "ptrtoint" | "bitcast" => last()?,
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
    fn value(&mut self, ty: &Type, text: &str) -> Result<String, String> {
        let text = text.trim();
        if let Some(name) = text.strip_prefix('%') {
            return Ok(self.variable(name.trim_matches('"'))?.1);
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
                let number = (number as u64) & ((1u64 << ty.bits().min(63)) - 1);
                let suffix = if ty.bits() > 16 { "UL" } else { "u" };
                format!("{number}{suffix}")
            }
        })
    }

    /// A typed value, as in `i8 %x`.
    fn typed(&mut self, text: &str) -> Result<(Type, String), String> {
        let text = without_attributes(text);
        let (ty, rest) = self.parse_type(&text)?;
        let value = self.value(&ty, rest)?;
        Ok((ty, value))
    }

    /// The address that a `getelementptr` computes.
    fn address(&mut self, rest: &str) -> Result<String, String> {
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
                    let value = signed(&index_type, &value);
                    if step == 1 {
                        text = format!("({text} + {value})");
                    } else {
                        text = format!("({text} + (int16_t)({value} * {step}))");
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
            "phi" => Ok(String::new()),
            "alloca" => Ok(format!("{c} = {c}_m;")),
            "getelementptr" => Ok(format!("{c} = {};", self.address(without_flags(rest))?)),
            "load" => {
                let parts = split(rest);
                let (ty, _) = self.parse_type(parts[0])?;
                let (_, from) = self.typed(parts.get(1).ok_or("expected an address")?)?;
                no_pointer(&ty)?;
                Ok(format!("{c} = *({}*){from};", c_type(&ty)))
            }
            "store" => {
                let parts = split(rest);
                let (ty, value) = self.typed(parts[0])?;
                let (_, to) = self.typed(parts.get(1).ok_or("expected an address")?)?;
                no_pointer(&ty)?;
                Ok(format!("*({}*){to} = {value};", c_type(&ty)))
            }
            "icmp" => self.compare(c, without_flags(rest)),
            "zext" | "trunc" | "freeze" | "bitcast" | "sext" => {
                let rest = without_flags(rest);
                let (from, _) = rest.rsplit_once(" to ").unwrap_or((rest, ""));
                let (ty, value) = self.typed(from)?;
                let target = self.result(operation, rest).ok_or("expected a type")?;
                if target == Type::Pointer {
                    return Ok(format!("{c} = {value};"));
                }
                let value = if operation == "sext" { signed(&ty, &value) } else { value };
                Ok(format!("{c} = {};", cut(&target, value)))
            }
            "select" => {
                let parts = split(rest);
                let [condition, yes, no] = parts.as_slice() else {
                    return Err("expected three values".into());
                };
                let (_, condition) = self.typed(condition)?;
                let ((_, yes), (_, no)) = (self.typed(yes)?, self.typed(no)?);
                Ok(format!("{c} = {condition} ? {yes} : {no};"))
            }
            "br" => self.branch(label, rest),
            "switch" => self.switch(label, rest),
            "ret" => self.give_back(rest),
            "unreachable" => Ok("pk_trap();".into()),
            "call" => self.call(c, rest),
            "extractvalue" => {
                let (_, value) = self.parse_type(rest)?;
                let parts = split(value);
                let (_, from) =
                    self.variable(parts[0].trim_start_matches('%').trim_matches('"'))?;
                Ok(format!("{c} = {from}_{};", parts.last().copied().unwrap_or("0")))
            }
            "insertvalue" => {
                let (ty, value) = self.parse_type(rest)?;
                let parts = split(value);
                let [from, part, number] = parts.as_slice() else {
                    return Err("expected a structure, a value and a number".into());
                };
                let Type::Struct(fields, _) = ty else { return Err("expected a structure".into()) };
                let (_, part) = self.typed(part)?;
                let mut text = String::new();
                if let Some(name) = from.strip_prefix('%') {
                    let (_, from) = self.variable(name.trim_matches('"'))?;
                    for i in 0..fields.len() {
                        let _ = write!(text, "{c}_{i} = {from}_{i}; ");
                    }
                }
                let _ = write!(text, "{c}_{number} = {part};");
                Ok(text)
            }
            _ => self.arithmetic(c, operation, without_flags(rest)),
        }
    }

    fn arithmetic(&mut self, c: &str, operation: &str, rest: &str) -> Result<String, String> {
        let parts = split(rest);
        let [left, right] = parts.as_slice() else {
            return Err(format!("expected an instruction that is known, got `{operation}`"));
        };
        let (ty, left) = self.typed(left)?;
        let right = self.value(&ty, right)?;
        let wide = if ty.bits() > 16 { "uint32_t" } else { "unsigned" };
        let expression = match operation {
            "add" => format!("{left} + {right}"),
            "sub" => format!("{left} - {right}"),
            "mul" => format!("({wide}){left} * {right}"),
            "and" => format!("{left} & {right}"),
            "or" => format!("{left} | {right}"),
            "xor" => format!("{left} ^ {right}"),
            "shl" => format!("({wide}){left} << {right}"),
            "lshr" => format!("{left} >> {right}"),
            "ashr" => format!("{} >> {right}", signed(&ty, &left)),
            "udiv" => format!("{left} / {right}"),
            "urem" => format!("{left} % {right}"),
            other => return Err(format!("expected an instruction that is known, got `{other}`")),
        };
        Ok(format!("{c} = {};", cut(&ty, expression)))
    }

    fn compare(&mut self, c: &str, rest: &str) -> Result<String, String> {
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
        Ok(format!("{c} = ({left} {sign} {right});"))
    }

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
        let mut copies: Vec<(String, String, String)> = Vec::new();
        for line in &function.blocks[number].1 {
            let (Some(name), "phi", rest) = take_apart(line) else { continue };
            let (ty, rest) = self.parse_type(rest)?;
            for pair in split(rest) {
                let inner = pair.trim().trim_start_matches('[').trim_end_matches(']');
                let parts = split(inner);
                let [value, block] = parts.as_slice() else { continue };
                if block.trim_start_matches('%').trim_matches('"') != from
                    || matches!(*value, "undef" | "poison")
                {
                    continue;
                }
                let value = self.value(&ty, value)?;
                copies.push((c_type(&ty), self.variable(&name)?.1, value));
            }
        }
        copies.retain(|(_, to, value)| to != value);
        let clash = copies.iter().any(|(_, _, value)| copies.iter().any(|(_, to, _)| to == value));
        let mut text = String::new();
        if clash {
            // All at once: the old values first.
            text.push_str("{ ");
            for (i, (ty, _, value)) in copies.iter().enumerate() {
                let _ = write!(text, "{ty} t{i} = {value}; ");
            }
            for (i, (_, to, _)) in copies.iter().enumerate() {
                let _ = write!(text, "{to} = t{i}; ");
            }
            text.push_str("} ");
        } else {
            for (_, to, value) in &copies {
                let _ = write!(text, "{to} = {value}; ");
            }
        }
        let _ = write!(text, "goto L{number};");
        Ok(text)
    }

    fn branch(&mut self, label: &str, rest: &str) -> Result<String, String> {
        let parts = split(rest);
        match parts.as_slice() {
            [to] => self.go(label, to),
            [condition, yes, no] => {
                let (_, condition) = self.typed(condition)?;
                let (yes, no) = (self.go(label, yes)?, self.go(label, no)?);
                Ok(format!("if ({condition}) {{ {yes} }} else {{ {no} }}"))
            }
            _ => Err("expected one block or a condition and two".into()),
        }
    }

    fn switch(&mut self, label: &str, rest: &str) -> Result<String, String> {
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

    fn give_back(&mut self, rest: &str) -> Result<String, String> {
        if rest == "void" {
            return Ok("return;".into());
        }
        let (ty, value) = self.parse_type(rest)?;
        let Type::Struct(fields, _) = &ty else {
            let value = self.value(&ty, value)?;
            return Ok(format!("return {value};"));
        };
        let name = value.strip_prefix('%').ok_or("expected a structure's name")?;
        let (_, from) = self.variable(name.trim_matches('"'))?;
        let mut text = String::new();
        for (i, field) in fields.iter().enumerate().skip(1) {
            let _ = write!(text, "{} = {from}_{i}; ", part_name(i, &c_type(field)));
        }
        let _ = write!(text, "return {from}_0;");
        Ok(text)
    }

    fn call(&mut self, c: &str, rest: &str) -> Result<String, String> {
        let at = rest.find('@').ok_or("expected a function's name")?;
        let returns = result_type(&without_attributes(&rest[..at]), &self.module.named);
        let (name, after) = identifier(&rest[at + 1..]).ok_or("expected a function's name")?;
        const IGNORED: [&str; 4] =
            ["llvm.lifetime", "llvm.assume", "llvm.experimental.noalias", "llvm.dbg"];
        if IGNORED.iter().any(|ignored| name.starts_with(ignored)) {
            return Ok(String::new());
        }
        let end = closing(after).ok_or("expected arguments")?;
        let mut values = Vec::new();
        for argument in split(&after[1..end - 1]) {
            values.push(self.typed(argument)?);
        }
        if let Some(intrinsic) = name.strip_prefix("llvm.") {
            return intrinsic_call(c, intrinsic, &values);
        }
        let list: Vec<&str> = values.iter().map(|(_, v)| v.as_str()).collect();
        let call = format!("{}({})", self.names.of(&name), list.join(", "));
        Ok(match returns {
            Some(Type::Struct(fields, _)) if !c.is_empty() => {
                let mut text = format!("{c}_0 = {call};");
                for (i, field) in fields.iter().enumerate().skip(1) {
                    let _ = write!(text, " {c}_{i} = {};", part_name(i, &c_type(field)));
                }
                text
            }
            _ if c.is_empty() => format!("{call};"),
            _ => format!("{c} = {call};"),
        })
    }
}

/// Memory holds no pointers: their width differs from machine to machine.
fn no_pointer(ty: &Type) -> Result<(), String> {
    if *ty == Type::Pointer { Err("expected no pointer in memory, got one".into()) } else { Ok(()) }
}

fn unknown(line: &str) -> String {
    format!("expected an instruction that is known, got `{line}`")
}

/// LLVM's own functions, written out.
fn intrinsic_call(c: &str, name: &str, values: &[(Type, String)]) -> Result<String, String> {
    let (base, _) = name.rsplit_once('.').unwrap_or((name, ""));
    let value = |i: usize| values.get(i).map(|(_, v)| v.as_str()).unwrap_or("0");
    let (a, b, n) = (value(0), value(1), value(2));
    if base.starts_with("memcpy") || base.starts_with("memmove") {
        return Ok(format!("memmove({a}, {b}, {n});"));
    }
    if base.starts_with("memset") {
        return Ok(format!("memset({a}, {b}, {n});"));
    }
    let ty = &values.first().ok_or("expected an argument")?.0;
    let (sa, sb) = (signed(ty, a), signed(ty, b));
    let bits = ty.bits();
    let expression = match base {
        "umin" => format!("({a} < {b}) ? {a} : {b}"),
        "umax" => format!("({a} > {b}) ? {a} : {b}"),
        "smin" => format!("({sa} < {sb}) ? {a} : {b}"),
        "smax" => format!("({sa} > {sb}) ? {a} : {b}"),
        "abs" => format!("({sa} < 0) ? {} : {a}", cut(ty, format!("0 - {a}"))),
        "usub.sat" => format!("({a} > {b}) ? {} : 0", cut(ty, format!("{a} - {b}"))),
        "uadd.sat" => {
            let sum = cut(ty, format!("{a} + {b}"));
            format!("({sum} < {a}) ? {} : {sum}", cut(ty, "0 - 1".into()))
        }
        "sadd.sat" | "ssub.sat" if bits == 16 => {
            let sign = if base == "sadd.sat" { '+' } else { '-' };
            let sum = format!("((int32_t){sa} {sign} (int32_t){sb})");
            format!(
                "({sum} > 32767) ? 32767u : ({sum} < -32768) ? 32768u : {}",
                cut(ty, format!("{a} {sign} {b}"))
            )
        }
        "umul.with.overflow" if bits == 16 => {
            return Ok(format!(
                "{{ uint32_t w = (uint32_t){a} * {b}; {c}_0 = (uint16_t)w; {c}_1 = (w >> 16) != 0; }}"
            ));
        }
        other => return Err(format!("expected a known intrinsic, got `llvm.{other}`")),
    };
    Ok(format!("{c} = {expression};"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn translate(text: &str) -> Result<String, String> {
        to_c(&Module::parse(text).unwrap())
    }

    #[test]
    fn a_loop_keeps_its_phis_apart() {
        // Fibonacci: both phis take each other's old values.
        let text = "define i16 @pk_fib(i16 %n) {\nstart:\n  br label %loop\n\nloop:\n\
            \x20 %a = phi i16 [ 0, %start ], [ %b, %loop ]\n  %b = phi i16 [ 1, %start ], [ %s, %loop ]\n\
            \x20 %i = phi i16 [ 0, %start ], [ %j, %loop ]\n  %s = add i16 %a, %b\n  %j = add nuw i16 %i, 1\n\
            \x20 %d = icmp ult i16 %j, %n\n  br i1 %d, label %loop, label %out\n\nout:\n  ret i16 %b\n}\n";
        let c = translate(text).unwrap();
        assert!(c.contains("uint16_t pk_fib(uint16_t v1)"), "{c}");
        assert!(c.contains("uint16_t t0 = v3;"), "{c}");
        assert!(
            compile_and_call(&c, "uint16_t pk_fib(uint16_t);", "pk_fib(10)")
                .is_none_or(|x| x == 55)
        );
    }

    #[test]
    fn narrow_and_signed_arithmetic_wraps() {
        let text = "define i16 @pk_f(i8 %a, i8 %b) {\nstart:\n  %s = add i8 %a, %b\n  %n = ashr i8 %s, 1\n\
            \x20 %w = sext i8 %n to i16\n  %t = trunc i8 %a to i1\n  %m = call i16 @llvm.smax.i16(i16 %w, i16 -100)\n\
            \x20 %r = select i1 %t, i16 %m, i16 7\n  ret i16 %r\n}\ndeclare i16 @llvm.smax.i16(i16, i16)\n";
        let c = translate(text).unwrap();
        // 101 + 61 wraps to -94, half of it is -47.
        let found =
            compile_and_call(&c, "uint16_t pk_f(uint8_t, uint8_t);", "(int16_t)pk_f(101, 61)");
        assert!(found.is_none_or(|x| x == -47), "{found:?}\n{c}");
    }

    #[test]
    fn structures_are_returned_in_parts() {
        let text = "define internal { i1, i8 } @g(i8 %x) {\nstart:\n  %o = icmp ugt i8 %x, 4\n\
            \x20 %p = insertvalue { i1, i8 } poison, i1 %o, 0\n  %q = insertvalue { i1, i8 } %p, i8 9, 1\n\
            \x20 ret { i1, i8 } %q\n}\ndefine i8 @pk_h(i8 %x) {\nstart:\n\
            \x20 %r = call fastcc { i1, i8 } @g(i8 %x)\n  %a = extractvalue { i1, i8 } %r, 0\n\
            \x20 %b = extractvalue { i1, i8 } %r, 1\n  %c = select i1 %a, i8 %b, i8 0\n  ret i8 %c\n}\n";
        let c = translate(text).unwrap();
        let found = compile_and_call(&c, "uint8_t pk_h(uint8_t);", "pk_h(5) * 10 + pk_h(3)");
        assert!(found.is_none_or(|x| x == 90), "{found:?}\n{c}");
    }

    #[test]
    fn pointers_in_memory_are_refused() {
        let text = "define void @pk_f(ptr %p) {\nstart:\n  %q = load ptr, ptr %p, align 2\n  ret void\n}\n";
        assert!(translate(text).unwrap_err().contains("expected no pointer in memory"));
    }

    #[test]
    fn an_unknown_instruction_is_named() {
        let text =
            "define void @pk_f(i8 %x) {\nstart:\n  %q = frobnicate i8 %x, 3\n  ret void\n}\n";
        let error = translate(text).unwrap_err();
        assert!(error.contains("frobnicate"), "{error}");
    }

    /// Compiles the C and evaluates an expression; none without a C compiler.
    fn compile_and_call(c: &str, prototype: &str, expression: &str) -> Option<i64> {
        use std::process::Command;
        let id = std::thread::current().name()?.replace(':', "_");
        let folder = std::env::temp_dir().join(format!("brier-ez80-{}-{id}", std::process::id()));
        std::fs::create_dir_all(&folder).ok()?;
        let (source, program) = (folder.join("t.c"), folder.join("t"));
        let main = format!(
            "{c}\n#include <stdio.h>\n{prototype}\nvoid pk_trap(void) {{}}\n\
             int main(void) {{ printf(\"%ld\", (long)({expression})); return 0; }}\n"
        );
        std::fs::write(&source, main).ok()?;
        let built =
            Command::new("cc").args(["-std=c99", "-w", "-o"]).arg(&program).arg(&source).status();
        let found = match built {
            Ok(status) if status.success() => {
                let output = Command::new(&program).output().ok()?;
                Some(String::from_utf8(output.stdout).ok()?.parse().expect("a number"))
            }
            Ok(_) => panic!("the C does not compile:\n{c}"),
            Err(_) => None,
        };
        let _ = std::fs::remove_dir_all(&folder);
        found
    }
}
