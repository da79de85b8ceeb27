//! The page as files for any web server, with an engine of its own: nothing answers questions but the page itself.
//!
//! The engine is WebAssembly, which this program cannot be at the same time; it comes from two files of the package for
//! browsers, a module and a network.

use std::borrow::Cow;
use std::hash::{DefaultHasher, Hash, Hasher};

use crate::assets;

/// The names of the engine's files, here and in the package for browsers.
pub const ENGINE_FILES: [&str; 2] = ["brier.wasm.packed", "default.nnue.packed"];

/// The engine's worker, and the script that keeps all files for when there is no network.
const ENGINE: &str = include_str!("page/engine.js");
const OFFLINE: &str = include_str!("page/offline.js");

/// Where the page says which engine it has, and where its keeper has a version.
const HEAD: &str = "<title>";
const VERSION: &str = "{version}";

/// A file's name and its bytes.
pub type File<'a> = (&'static str, Cow<'a, [u8]>);

/// The files of a site with an engine of these files ([`ENGINE_FILES`]).
pub fn files(engine: &[Vec<u8>; 2]) -> Result<Vec<File<'_>>, String> {
    let packed = |bytes: &Vec<u8>| bytes.starts_with(&[0x1f, 0x8b]);
    if let Some(at) = engine.iter().position(|bytes| !packed(bytes)) {
        let name = ENGINE_FILES[at];
        return Err(format!("{name}: expected a packed engine for browsers, got other bytes"));
    }
    let asset = |path| assets::find(path).map_or("", |(_, text)| text);
    let tag = "<meta name=\"brier-engine\" content=\"./engine.js\">\n";
    let page = asset("/").replacen(HEAD, &format!("{tag}{HEAD}"), 1);
    let mut files = vec![
        ("index.html", Cow::Owned(page.into_bytes())),
        ("page.js", asset("/page.js").as_bytes().into()),
        ("style.css", asset("/style.css").as_bytes().into()),
        ("engine.js", ENGINE.as_bytes().into()),
    ];
    files.extend(ENGINE_FILES.iter().zip(engine).map(|(&name, bytes)| (name, bytes.into())));
    // Whoever has an older version of any file gets all of them anew.
    let mut hasher = DefaultHasher::new();
    files.hash(&mut hasher);
    let version = format!("{:016x}", hasher.finish());
    let offline = OFFLINE.replacen(VERSION, &version, 1);
    files.push(("offline.js", Cow::Owned(offline.into_bytes())));
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_site_has_an_engine_and_every_file_that_it_keeps() {
        let engine = [vec![0x1f, 0x8b, 1], vec![0x1f, 0x8b, 2]];
        let files = files(&engine).unwrap();
        let text = |name: &str| {
            let (_, bytes) = files.iter().find(|(found, _)| *found == name).expect(name);
            String::from_utf8_lossy(bytes).into_owned()
        };
        assert!(
            text("index.html").contains("<meta name=\"brier-engine\" content=\"./engine.js\">")
        );
        let offline = text("offline.js");
        assert!(!offline.contains(VERSION), "{offline}");
        for (name, _) in files.iter().filter(|(name, _)| *name != "offline.js") {
            let kept = if *name == "index.html" { "./" } else { name };
            assert!(offline.contains(kept), "{name}");
        }
        let other = [vec![0x1f, 0x8b, 1], vec![0x1f, 0x8b, 3]];
        let other = super::files(&other).unwrap();
        assert_ne!(other.last(), files.last(), "another engine is another version");
        let error = super::files(&[vec![0x1f, 0x8b], b"net".to_vec()]).unwrap_err();
        assert!(error.starts_with("default.nnue.packed: expected a packed engine"), "{error}");
    }
}
