//! LLVM IR as text: the small part of its grammar that rustc writes for the pocket engine.
//!
//! Nothing here knows C. Types are measured as the 16-bit target lays them out.

use std::collections::HashMap;

/// A type: what it is and, for the named ones, what it stands for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Type {
    /// `iN`.
    Int(u32),
    /// `ptr`.
    Pointer,
    /// `void`.
    Void,
    /// `[n x T]`.
    Array(usize, Box<Type>),
    /// `{ … }` or, without padding, `<{ … }>`.
    Struct(Vec<Type>, bool),
}

impl Type {
    /// Reads a type from the front of a text; the rest comes back trimmed.
    pub(crate) fn parse<'a>(
        text: &'a str,
        named: &HashMap<String, Type>,
    ) -> Option<(Type, &'a str)> {
        let text = text.trim_start();
        if let Some(rest) = text.strip_prefix("ptr") {
            return Some((Type::Pointer, rest.trim_start()));
        }
        if let Some(rest) = text.strip_prefix("void") {
            return Some((Type::Void, rest.trim_start()));
        }
        if text.starts_with(['[', '{', '<']) {
            let end = closing(text)?;
            return Some((Type::aggregate(&text[..end], named)?, text[end..].trim_start()));
        }
        if let Some(name) = text.strip_prefix('%') {
            let (name, rest) = identifier(name)?;
            return Some((named.get(&name)?.clone(), rest.trim_start()));
        }
        let digits = text.strip_prefix('i')?;
        let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
        Some((Type::Int(digits[..end].parse().ok()?), digits[end..].trim_start()))
    }

    fn aggregate(text: &str, named: &HashMap<String, Type>) -> Option<Type> {
        if let Some(inner) = text.strip_prefix('[') {
            let (count, element) = inner.strip_suffix(']')?.split_once(" x ")?;
            let (element, _) = Type::parse(element, named)?;
            return Some(Type::Array(count.trim().parse().ok()?, Box::new(element)));
        }
        let packed = text.starts_with("<{");
        let inner = if packed { &text[2..text.len() - 2] } else { &text[1..text.len() - 1] };
        let fields: Option<Vec<Type>> =
            split(inner).into_iter().map(|f| Some(Type::parse(f, named)?.0)).collect();
        Some(Type::Struct(fields?, packed))
    }

    /// Size and alignment in bytes on a machine whose widest alignment is two.
    pub(crate) fn layout(&self) -> (usize, usize) {
        match self {
            Type::Void => (0, 1),
            Type::Pointer => (2, 2),
            Type::Int(bits) => {
                let bytes = (bits.div_ceil(8) as usize).next_power_of_two();
                (bytes, bytes.min(2))
            }
            Type::Array(count, element) => {
                let (size, align) = element.layout();
                (count * size, align)
            }
            Type::Struct(fields, packed) => {
                let (mut at, mut widest) = (0usize, 1);
                for field in fields {
                    let (size, align) = field.layout();
                    if !packed {
                        at = at.next_multiple_of(align);
                        widest = widest.max(align);
                    }
                    at += size;
                }
                (at.next_multiple_of(widest), widest)
            }
        }
    }

    /// The offset and type of a structure's field.
    pub(crate) fn field(&self, number: usize) -> Option<(usize, &Type)> {
        let Type::Struct(fields, packed) = self else { return None };
        let mut at = 0usize;
        for (i, field) in fields.iter().enumerate() {
            let (size, align) = field.layout();
            if !packed {
                at = at.next_multiple_of(align);
            }
            if i == number {
                return Some((at, field));
            }
            at += size;
        }
        None
    }

    /// The width in bits of what C calls an integer; pointers count as their address.
    pub(crate) fn bits(&self) -> u32 {
        match self {
            Type::Int(bits) => *bits,
            _ => 16,
        }
    }
}

/// Where the bracket that opens a text is closed: the index after it.
pub(crate) fn closing(text: &str) -> Option<usize> {
    let (mut depth, mut quoted) = (0, false);
    for (i, c) in text.char_indices() {
        match c {
            '"' => quoted = !quoted,
            '(' | '[' | '{' | '<' if !quoted => depth += 1,
            ')' | ']' | '}' | '>' if !quoted => {
                depth -= 1;
                if depth == 0 {
                    return Some(i + 1);
                }
            }
            _ => {}
        }
    }
    None
}

/// Splits at commas that are not inside brackets or quotes.
pub(crate) fn split(text: &str) -> Vec<&str> {
    let (mut parts, mut depth, mut quoted, mut start) = (Vec::new(), 0, false, 0);
    for (i, c) in text.char_indices() {
        match c {
            '"' => quoted = !quoted,
            '(' | '[' | '{' | '<' if !quoted => depth += 1,
            ')' | ']' | '}' | '>' if !quoted => depth -= 1,
            ',' if !quoted && depth == 0 => {
                parts.push(text[start..i].trim());
                start = i + 1;
            }
            _ => {}
        }
    }
    let last = text[start..].trim();
    if !last.is_empty() {
        parts.push(last);
    }
    parts
}

/// Reads a name after its `%` or `@`, quoted or plain.
pub(crate) fn identifier(text: &str) -> Option<(String, &str)> {
    if let Some(quoted) = text.strip_prefix('"') {
        let end = quoted.find('"')?;
        return Some((quoted[..end].to_string(), &quoted[end + 1..]));
    }
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '$' | '-');
    let end = text.find(|c| !plain(c)).unwrap_or(text.len());
    if end == 0 { None } else { Some((text[..end].to_string(), &text[end..])) }
}

/// Drops a text's attributes: words that tell the optimiser something and us nothing.
pub(crate) fn without_attributes(text: &str) -> String {
    const WITH_ARGUMENT: [&str; 12] = [
        "align",
        "dereferenceable",
        "dereferenceable_or_null",
        "captures",
        "range",
        "sret",
        "initializes",
        "byval",
        "memory",
        "nofpclass",
        "dead_on_return",
        "returned_range",
    ];
    const ALONE: [&str; 24] = [
        "noundef",
        "nonnull",
        "noalias",
        "readonly",
        "writeonly",
        "writable",
        "zeroext",
        "signext",
        "returned",
        "nofree",
        "nocapture",
        "immarg",
        "dead_on_unwind",
        "dead_on_return",
        "readnone",
        "inreg",
        "noreturn",
        "fastcc",
        "coldcc",
        "tail",
        "internal",
        "hidden",
        "dso_local",
        "nuw",
    ];
    let (mut out, mut rest) = (String::new(), text.trim());
    while !rest.is_empty() {
        let end =
            rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(rest.len());
        let word = &rest[..end];
        let after = &rest[end..];
        if WITH_ARGUMENT.contains(&word) && after.starts_with('(') {
            rest = after[closing(after).unwrap_or(after.len())..].trim_start();
        } else if word == "align" {
            let after = after.trim_start();
            let digits = after.find(|c: char| !c.is_ascii_digit()).unwrap_or(after.len());
            rest = after[digits..].trim_start();
        } else if ALONE.contains(&word) {
            rest = after.trim_start();
        } else if end == 0 {
            // A whole bracket, quoted name or sign is copied as it is.
            let c = rest.chars().next().unwrap_or(' ');
            let step = match c {
                '(' | '[' | '{' | '<' => closing(rest).unwrap_or(rest.len()),
                '%' | '@' => identifier(&rest[1..]).map_or(1, |(_, r)| rest.len() - r.len()),
                _ => c.len_utf8(),
            };
            out.push_str(&rest[..step]);
            rest = &rest[step..];
        } else {
            out.push_str(word);
            rest = after;
        }
    }
    out.trim().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Type {
        Type::parse(text, &HashMap::new()).unwrap().0
    }

    #[test]
    fn types_are_measured_as_the_16_bit_target_lays_them_out() {
        assert_eq!(parse("i1").layout(), (1, 1));
        assert_eq!(parse("i32").layout(), (4, 2));
        assert_eq!(parse("[3 x i16]").layout(), (6, 2));
        assert_eq!(parse("{ i8, i32, i8 }").layout(), (8, 2));
        assert_eq!(parse("<{ i8, i32, i8 }>").layout(), (6, 1));
        let t = parse("{ i8, [2 x { i8, i16 }], ptr }");
        assert_eq!(t.field(1).unwrap().0, 2);
        assert_eq!(t.field(2).unwrap().0, 10);
    }

    #[test]
    fn names_and_lists_are_taken_apart() {
        assert_eq!(identifier("\"a b\"(x").unwrap(), ("a b".into(), "(x"));
        assert_eq!(identifier("_ZN4x.1, y").unwrap(), ("_ZN4x.1".into(), ", y"));
        assert_eq!(split("i8 1, [2 x i8] [i8 1, i8 2], ptr @\"a,b\"").len(), 3);
    }

    #[test]
    fn attributes_are_dropped_and_types_kept() {
        let text = "ptr noalias noundef nonnull align 2 captures(none) dereferenceable(8) %x";
        assert_eq!(without_attributes(text), "ptr %x");
        assert_eq!(without_attributes("range(i8 0, 3) i8 %y"), "i8 %y");
        assert_eq!(without_attributes("i16 noundef -3"), "i16 -3");
    }
}
