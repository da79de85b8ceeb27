//! The files of the page, which the program carries in itself. They are built from `web/`.

/// The kind and the text of a file.
pub(crate) fn find(path: &str) -> Option<(&'static str, &'static str)> {
    Some(match path {
        "/" => ("text/html", include_str!("page/index.html")),
        "/style.css" => ("text/css", include_str!("page/style.css")),
        "/page.js" => ("text/javascript", include_str!("page/page.js")),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Everything that the page names is there, and nothing comes from elsewhere.
    #[test]
    fn the_page_is_complete() {
        let page = find("/").unwrap().1;
        let mut files = 0;
        for quoted in page.split('"').filter(|word| word.starts_with("./")) {
            assert!(find(&quoted[1..]).is_some(), "{quoted}");
            files += 1;
        }
        assert_eq!(files, 2);
        for path in ["/", "/style.css", "/page.js"] {
            assert!(!find(path).unwrap().1.contains("https://"), "{path}");
        }
        assert!(find("/../Cargo.toml").is_none());
    }
}
