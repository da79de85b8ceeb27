//! Text for SVG and HTML. The templates escape by themselves; this is about what XML does not
//! allow at all.

/// A text without control characters.
pub(crate) fn clean(text: &str) -> String {
    let is_bad = |letter: char| letter.is_control() || matches!(letter, '\u{fffe}' | '\u{ffff}');
    text.replace(is_bad, " ")
}

#[cfg(test)]
mod tests {
    use super::clean;

    #[test]
    fn controls_go_and_letters_stay() {
        assert_eq!(clean("a\0b\u{ffff}c"), "a b c");
        assert_eq!(clean("Łukasz <Ünal>"), "Łukasz <Ünal>");
    }
}
