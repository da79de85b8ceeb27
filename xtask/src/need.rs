//! What a step needs beyond Cargo, and how to see whether it is here.
//!
//! Every step names its needs, so the set-up asks for what the chosen steps use and for
//! nothing else. How a missing need is met is the business of [`crate::setup`].

use std::fmt;
use std::path::{Path, PathBuf};

use crate::shell;

/// One thing that a step needs.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Need {
    /// A program on the search path.
    Program {
        /// The name of its file.
        name: &'static str,
        /// Debian's package that has it.
        package: &'static str,
    },
    /// The standard library of a target, as rustup names it.
    Target(&'static str),
    /// The source of `core`, to build it for targets that rustup has no library for.
    RustSource,
    /// A nightly compiler with one of its components.
    Nightly {
        /// As rustup names it.
        component: &'static str,
    },
    /// The compiler's programs for counts of what ran.
    ProfileTools,
    /// The program that checks dependencies, in the build folder.
    CargoDeny,
    /// The Python environment with the packages of `xtask/requirements.txt`.
    Python,
}

/// The C compiler.
pub(crate) const CC: Need = Need::Program { name: "cc", package: "gcc" };
/// A runner of WebAssembly.
pub(crate) const NODE: Need = Need::Program { name: "node", package: "nodejs" };
/// An engine to compare with.
pub(crate) const STOCKFISH: Need = Need::Program { name: "stockfish", package: "stockfish" };
/// The program that gave opening books their format.
pub(crate) const POLYGLOT: Need = Need::Program { name: "polyglot", package: "polyglot" };

/// A file of the component `rust-src`.
const RUST_SOURCE: &str = "lib/rustlib/src/rust/library/core/src/lib.rs";

impl Need {
    /// Whether it is here.
    pub(crate) fn is_met(self) -> bool {
        match self {
            Need::Program { name, .. } => shell::find(name).is_some(),
            Need::Target(target) => in_sysroot(&format!("lib/rustlib/{target}/lib")),
            Need::RustSource => in_sysroot(RUST_SOURCE),
            Need::Nightly { component } => has_nightly(component),
            Need::ProfileTools => profile_tool().is_some(),
            Need::CargoDeny => crate::deny::program().is_file(),
            Need::Python => shell::virtual_environment_is_complete(),
        }
    }
}

impl fmt::Display for Need {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Need::Program { name, package } if name == package => write!(f, "{name}"),
            Need::Program { name, package } => write!(f, "{name} (package {package})"),
            Need::Target(target) => write!(f, "the Rust target {target}"),
            Need::RustSource => write!(f, "the Rust component rust-src"),
            Need::Nightly { component } => write!(f, "a nightly compiler with {component}"),
            Need::ProfileTools => write!(f, "the Rust component llvm-tools"),
            Need::CargoDeny => write!(f, "cargo-deny {} from crates.io", crate::deny::VERSION),
            Need::Python => write!(f, "the Python packages of xtask/requirements.txt"),
        }
    }
}

/// The needs that are not met, as text, if there are any.
pub(crate) fn missing(needs: &[Need]) -> Option<String> {
    let missing: Vec<String> =
        needs.iter().filter(|need| !need.is_met()).map(Need::to_string).collect();
    (!missing.is_empty()).then(|| missing.join(", "))
}

/// Whether a nightly compiler is installed with a component.
fn has_nightly(component: &str) -> bool {
    let mut command = shell::program("rustup", &["run", "nightly", "rustc", "--print", "sysroot"]);
    let Ok(sysroot) = shell::output_of(command.env_remove("RUSTUP_TOOLCHAIN")) else {
        return false;
    };
    let file = match component {
        "rust-src" => RUST_SOURCE.to_owned(),
        tool => format!("bin/{tool}"),
    };
    Path::new(sysroot.trim()).join(file).exists()
}

fn in_sysroot(path: &str) -> bool {
    sysroot().is_some_and(|sysroot| sysroot.join(path).exists())
}

/// The program that adds up counts of what ran, wherever the compiler keeps it.
pub(crate) fn profile_tool() -> Option<PathBuf> {
    let systems = std::fs::read_dir(sysroot()?.join("lib/rustlib")).ok()?;
    systems
        .flatten()
        .map(|system| system.path().join("bin/llvm-profdata"))
        .find(|path| path.is_file())
}

/// The folder of the compiler in use.
pub(crate) fn sysroot() -> Option<PathBuf> {
    let path = shell::output_of(&mut shell::program("rustc", &["--print", "sysroot"])).ok()?;
    Some(PathBuf::from(path.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_is_named() {
        let needs = [
            Need::Program { name: "no-such-program", package: "no-such-package" },
            Need::Target("no-such-target"),
        ];
        let text = missing(&needs).unwrap();
        assert_eq!(
            text,
            "no-such-program (package no-such-package), the Rust target no-such-target"
        );
        assert_eq!(missing(&[]), None);
    }
}
