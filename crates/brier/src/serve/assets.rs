//! The files of the page, which the program carries in itself.

use crate::analyze::{board, chart};

const HTML: &str = "text/html";
const CSS: &str = "text/css";
const SCRIPT: &str = "text/javascript";

/// The kind and the text of a file.
pub(super) fn find(path: &str) -> Option<(&'static str, String)> {
    let (kind, text) = match path {
        "/" => {
            // The pieces are drawn once, in the page; boards refer to them.
            return Some((
                HTML,
                include_str!("web/index.html").replace("<!-- pieces -->", &board::shapes()),
            ));
        }
        "/style.css" => {
            return Some((
                CSS,
                [include_str!("web/style.css"), board::STYLE, chart::STYLE].concat(),
            ));
        }
        "/main.js" => (SCRIPT, include_str!("web/main.js")),
        "/board.js" => (SCRIPT, include_str!("web/board.js")),
        "/panels.js" => (SCRIPT, include_str!("web/panels.js")),
        "/server.js" => (SCRIPT, include_str!("web/server.js")),
        _ => return None,
    };
    Some((kind, text.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Everything that the page and its scripts name is there, and nothing comes from elsewhere.
    #[test]
    fn the_page_is_complete() {
        let page = find("/").unwrap().1;
        assert!(page.contains("id=\"piece-k\"") && !page.contains("<!-- pieces -->"));
        let scripts = ["/main.js", "/board.js", "/panels.js", "/server.js"];
        let texts: Vec<_> = scripts.iter().map(|name| find(name).unwrap().1).collect();
        for text in texts.iter().chain([&page]) {
            assert!(!text.contains("https://"));
            for quoted in text.split('"').filter(|word| word.starts_with("./")) {
                assert!(find(&quoted[1..]).is_some(), "{quoted}");
            }
        }
        // Every element that a script looks up by its name is in the page.
        let mut names = 0;
        for text in &texts {
            for rest in text.split("byId(\"").skip(1) {
                let name = rest.split('"').next().unwrap();
                assert!(page.contains(&format!("id=\"{name}\"")), "{name}");
                names += 1;
            }
        }
        assert!(names > 10, "{names}");
        assert!(find("/../Cargo.toml").is_none());
    }
}
