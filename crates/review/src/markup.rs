//! Text that is safe inside SVG and HTML.

/// Escapes everything that could end a text or an attribute, and drops control characters, which
/// XML does not allow at all.
pub(crate) fn escape(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            letter if letter.is_control() || matches!(letter, '\u{fffe}' | '\u{ffff}') => {
                safe.push(' ');
            }
            letter => safe.push(letter),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::escape;

    #[test]
    fn nothing_escapes() {
        assert_eq!(
            escape("<b a='1' c=\"2\">&amp;\0"),
            "&lt;b a=&#39;1&#39; c=&quot;2&quot;&gt;&amp;amp; "
        );
        assert_eq!(escape("Łukasz Ünal"), "Łukasz Ünal");
    }
}
