//! `cargo xtask reproducible`: the release binary of one commit, built in two folders, byte for byte.
//!
//! Whoever builds the same commit with the same compiler must get the same program, wherever the
//! source lies. What is built is the newest commit, not what lies in the work tree.

use std::fs;
use std::path::Path;

use crate::shell;

/// Builds twice and compares.
pub(crate) fn check() -> Result<(), String> {
    let parent = shell::target().join("reproducible");
    // Named once: somebody may commit while the first is being built.
    let commit = shell::output_of(&mut shell::program("git", &["rev-parse", "HEAD"]))?;
    let commit = commit.trim();
    let build = |name: &str| {
        let folder = parent.join(name);
        let binary = build(commit, &folder);
        // The next run makes it anew.
        let _ = fs::remove_dir_all(&folder);
        binary
    };
    let (one, other) = (build("here")?, build("somewhere/with a longer name")?);
    match difference(&one, &other) {
        None => {
            println!("two builds of {commit}, {} bytes each, are the same", one.len());
            Ok(())
        }
        Some(place) => Err(format!(
            "expected the same binary twice, got {} and {} bytes that differ from byte {place} on",
            one.len(),
            other.len()
        )),
    }
}

/// The binary of a commit, built in this folder and nowhere else.
fn build(commit: &str, folder: &Path) -> Result<Vec<u8>, String> {
    let _ = fs::remove_dir_all(folder);
    fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let (source, archive) = (folder.join("source"), folder.join("source.tar"));
    fs::create_dir_all(&source).map_err(|error| format!("{}: {error}", source.display()))?;
    let [source, archive] = [source, archive].map(|path| path.to_string_lossy().into_owned());
    shell::output_of(&mut shell::program("git", &["archive", "-o", &archive, commit]))?;
    shell::output_of(&mut shell::program("tar", &["-xf", &archive, "-C", &source]))?;
    let mut cargo = shell::cargo(&["build", "--release", "--locked", "--package", "brier"]);
    // A build folder of its own: what is built elsewhere must not be taken from there.
    cargo.current_dir(&source).env("CARGO_TARGET_DIR", folder.join("target"));
    shell::run(&mut cargo)?;
    let binary = folder.join("target").join("release").join("brier");
    fs::read(&binary).map_err(|error| format!("{}: {error}", binary.display()))
}

/// The first byte in which two files differ.
fn difference(one: &[u8], other: &[u8]) -> Option<usize> {
    let place = one.iter().zip(other).position(|(a, b)| a != b);
    place.or_else(|| (one.len() != other.len()).then(|| one.len().min(other.len())))
}

#[cfg(test)]
mod tests {
    use super::difference;

    #[test]
    fn the_first_difference_is_found_even_at_the_end() {
        assert_eq!(difference(b"same", b"same"), None);
        assert_eq!(difference(b"same", b"sale"), Some(2));
        assert_eq!(difference(b"same", b"same again"), Some(4));
    }
}
