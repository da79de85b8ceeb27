//! Reading a whole IR file: globals with their bytes, functions with their blocks.

use std::collections::HashMap;

use crate::ir::{Type, closing, identifier, split, without_attributes};

/// A global variable or constant.
pub(crate) struct Global {
    pub(crate) name: String,
    pub(crate) constant: bool,
    /// Its first contents; none if they hold a pointer, which only panic messages do.
    pub(crate) bytes: Option<Vec<u8>>,
}

/// A function with its body.
pub(crate) struct Function {
    pub(crate) name: String,
    pub(crate) returns: Type,
    pub(crate) parameters: Vec<(Type, String)>,
    /// Label and instructions, one line each.
    pub(crate) blocks: Vec<(String, Vec<String>)>,
}

/// A file of IR.
#[derive(Default)]
pub(crate) struct Module {
    pub(crate) named: HashMap<String, Type>,
    pub(crate) globals: Vec<Global>,
    /// Functions that are only named here.
    pub(crate) declared: Vec<String>,
    pub(crate) functions: Vec<Function>,
}

fn wrong(expected: &str, line: &str) -> String {
    let shown: String = line.chars().take(100).collect();
    format!("expected {expected}, got `{shown}`")
}

impl Module {
    /// Reads a file; the error names the line that was not understood.
    pub(crate) fn parse(text: &str) -> Result<Module, String> {
        let mut module = Module::default();
        module.read_types(text);
        let mut lines = text.lines();
        while let Some(line) = lines.next() {
            if line.starts_with('@') {
                let global = module.global(line)?;
                module.globals.push(global);
            } else if let Some(rest) = line.strip_prefix("declare ") {
                let (name, ..) = module.signature(rest)?;
                if !name.starts_with("llvm.") {
                    module.declared.push(name);
                }
            } else if let Some(rest) = line.strip_prefix("define ") {
                let (name, returns, parameters) = module.signature(rest)?;
                // Values without a name are numbered: the parameters first, then the first block.
                let is_number = |name: &str| name.bytes().all(|b| b.is_ascii_digit());
                let entry = parameters.iter().filter(|(_, name)| is_number(name)).count();
                let entry = entry.to_string();
                let blocks = read_blocks(&mut lines, entry);
                module.functions.push(Function { name, returns, parameters, blocks });
            }
        }
        Ok(module)
    }

    /// Reads the named types, which may name each other in any order.
    fn read_types(&mut self, text: &str) {
        let lines: Vec<(String, &str)> = text
            .lines()
            .filter_map(|line| identifier(line.strip_prefix('%')?))
            .filter_map(|(name, rest)| Some((name, rest.trim().strip_prefix("= type")?)))
            .collect();
        for _ in 0..lines.len() {
            for (name, body) in &lines {
                if let Some((ty, _)) = Type::parse(body, &self.named) {
                    self.named.insert(name.clone(), ty);
                }
            }
            if lines.iter().all(|(name, _)| self.named.contains_key(name)) {
                break;
            }
        }
    }

    fn global(&self, line: &str) -> Result<Global, String> {
        let (name, rest) = identifier(&line[1..]).ok_or_else(|| wrong("a global", line))?;
        let word = [" constant ", " global "].into_iter().find(|w| rest.contains(w));
        let word = word.ok_or_else(|| wrong("'constant' or 'global'", line))?;
        let (_, body) = rest.split_once(word).unwrap_or(("", rest));
        let (ty, init) =
            Type::parse(body, &self.named).ok_or_else(|| wrong("a global's type", line))?;
        let init = split(init).into_iter().next().unwrap_or_default();
        let bytes = if init.contains("ptr @") { None } else { Some(self.bytes(&ty, init)?) };
        Ok(Global { name, constant: word == " constant ", bytes })
    }

    /// The bytes of a constant.
    fn bytes(&self, ty: &Type, init: &str) -> Result<Vec<u8>, String> {
        let (size, _) = ty.layout();
        if matches!(init, "zeroinitializer" | "undef" | "poison" | "null") {
            return Ok(vec![0; size]);
        }
        if let Some(literal) = init.strip_prefix("c\"") {
            return unescape(literal.trim_end_matches('"')).ok_or_else(|| wrong("a string", init));
        }
        if let Type::Int(_) = ty {
            let number: i64 = match init {
                "true" => 1,
                "false" => 0,
                digits => digits.parse().map_err(|_| wrong("a number", init))?,
            };
            return Ok(number.to_le_bytes()[..size].to_vec());
        }
        let packed = init.starts_with("<{");
        let cut = if packed { 2 } else { 1 };
        let inner = init.get(cut..init.len() - cut).ok_or_else(|| wrong("a constant", init))?;
        let mut bytes = Vec::new();
        for part in split(inner) {
            let (ty, value) =
                Type::parse(part, &self.named).ok_or_else(|| wrong("a typed constant", part))?;
            let (_, align) = ty.layout();
            if !packed && matches!(init.as_bytes()[0], b'{') {
                bytes.resize(bytes.len().next_multiple_of(align), 0);
            }
            bytes.extend(self.bytes(&ty, value)?);
        }
        bytes.resize(size, 0);
        Ok(bytes)
    }

    /// Name, result and parameters of a function's first line.
    #[expect(clippy::type_complexity, reason = "the parts of a signature, used twice")]
    fn signature(&self, line: &str) -> Result<(String, Type, Vec<(Type, String)>), String> {
        let at = line.find('@').ok_or_else(|| wrong("a function name", line))?;
        let (name, rest) =
            identifier(&line[at + 1..]).ok_or_else(|| wrong("a function name", line))?;
        let before = without_attributes(&line[..at]);
        let returns = result_type(&before, &self.named).ok_or_else(|| wrong("a result", line))?;
        let end = closing(rest).ok_or_else(|| wrong("parameters", line))?;
        let mut parameters = Vec::new();
        for (i, text) in split(&rest[1..end - 1]).into_iter().enumerate() {
            if text == "metadata" {
                continue;
            }
            let text = without_attributes(text);
            let (ty, value) =
                Type::parse(&text, &self.named).ok_or_else(|| wrong("a parameter", &text))?;
            let value = value.trim_start_matches('%').trim_matches('"');
            let name = if value.is_empty() { i.to_string() } else { value.to_string() };
            parameters.push((ty, name));
        }
        Ok((name, returns, parameters))
    }
}

/// The type at the end of what stands before a function's name.
pub(crate) fn result_type(before: &str, named: &HashMap<String, Type>) -> Option<Type> {
    // Linkage words come first; the type is the last thing, and may contain spaces.
    let before = before.trim();
    let starts = before.char_indices().filter(|&(i, _)| i == 0 || before[..i].ends_with(' '));
    for (i, _) in starts {
        if let Some((ty, rest)) = Type::parse(&before[i..], named)
            && rest.is_empty()
        {
            return Some(ty);
        }
    }
    None
}

/// Collects blocks up to the closing brace; a `switch` becomes one line.
fn read_blocks<'a>(
    lines: &mut impl Iterator<Item = &'a str>,
    entry: String,
) -> Vec<(String, Vec<String>)> {
    let mut blocks: Vec<(String, Vec<String>)> = vec![(entry, Vec::new())];
    let mut open: Option<String> = None;
    for line in lines {
        if line == "}" {
            break;
        }
        let line = line.split(" ; ").next().unwrap_or_default();
        let text = line.trim();
        if text.is_empty() || text.starts_with(';') {
            continue;
        }
        if let Some(switch) = &mut open {
            switch.push(' ');
            switch.push_str(text);
            if text.starts_with(']') {
                let done = open.take().unwrap_or_default();
                push(&mut blocks, done);
            }
        } else if !line.starts_with(' ') && text.ends_with(':') {
            let label = text.trim_end_matches(':').trim_matches('"').to_string();
            match blocks.last_mut() {
                Some((name, body)) if body.is_empty() => *name = label,
                _ => blocks.push((label, Vec::new())),
            }
        } else if text.starts_with("switch ") && text.ends_with('[') {
            open = Some(text.to_string());
        } else {
            push(&mut blocks, text.to_string());
        }
    }
    blocks
}

/// Adds an instruction without its metadata and alignment.
fn push(blocks: &mut [(String, Vec<String>)], text: String) {
    let end = text.find(", !").unwrap_or(text.len());
    let mut text = text[..end].to_string();
    if !text.contains("alloca")
        && let Some(at) = text.rfind(", align ")
    {
        text.truncate(at);
    }
    if let Some((_, body)) = blocks.last_mut() {
        body.push(text);
    }
}

/// The bytes of an IR string literal.
fn unescape(literal: &str) -> Option<Vec<u8>> {
    let (mut bytes, mut rest) = (Vec::new(), literal.as_bytes());
    while let [first, tail @ ..] = rest {
        if *first != b'\\' {
            bytes.push(*first);
            rest = tail;
        } else if tail.first() == Some(&b'\\') {
            bytes.push(b'\\');
            rest = &tail[1..];
        } else {
            let digits = std::str::from_utf8(tail.get(..2)?).ok()?;
            bytes.push(u8::from_str_radix(digits, 16).ok()?);
            rest = &tail[2..];
        }
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_become_bytes() {
        let text = "@a = internal constant [4 x i8] c\"x\\00\\\\\\FF\", align 1\n\
                    @b = global { i8, i16 } { i8 1, i16 -2 }\n\
                    @c = constant <{ ptr, [2 x i8] }> <{ ptr @a, [2 x i8] c\"ab\" }>\n";
        let module = Module::parse(text).unwrap();
        assert_eq!(module.globals[0].bytes, Some(b"x\0\\\xFF".to_vec()));
        assert_eq!(module.globals[1].bytes, Some(vec![1, 0, 0xFE, 0xFF]));
        assert!(module.globals[2].bytes.is_none() && module.globals[0].constant);
    }

    #[test]
    fn a_function_falls_into_blocks() {
        let text = "define internal fastcc noundef i8 @f(i8 noundef zeroext %x, ptr align 2 %0) {\n\
                    start:\n  %a = add i8 %x, 1\n  switch i8 %a, label %b [\n    i8 3, label %c\n  ]\n\n\
                    b:                      ; preds = %start\n  ret i8 0\n\nc:\n  ret i8 %a\n}\n";
        let module = Module::parse(text).unwrap();
        let f = &module.functions[0];
        assert_eq!((f.name.as_str(), f.returns.clone()), ("f", Type::Int(8)));
        assert_eq!(f.parameters, [(Type::Int(8), "x".into()), (Type::Pointer, "0".into())]);
        let labels: Vec<_> = f.blocks.iter().map(|(l, _)| l.as_str()).collect();
        assert_eq!(labels, ["start", "b", "c"]);
        assert_eq!(f.blocks[0].1[1], "switch i8 %a, label %b [ i8 3, label %c ]");
    }

    #[test]
    fn a_first_block_without_a_name_takes_the_number_after_the_parameters() {
        let text = "define i8 @f(i8 %0, i8 %x) {\n  br label %b\n\nb:\n  ret i8 %x\n}\n";
        let module = Module::parse(text).unwrap();
        assert_eq!(module.functions[0].blocks[0].0, "1");
    }

    #[test]
    fn what_is_not_understood_is_named() {
        let error = Module::parse("@x = strange").err().unwrap();
        assert_eq!(error, "expected 'constant' or 'global', got `@x = strange`");
    }
}
