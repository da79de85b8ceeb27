//! Builds that know how the program runs: one that counts, a bench with it, and a second build that
//! lays out the code by the counts.
//!
//! The compiler calls this profile-guided optimisation. It changes no result, only speed: docs/speed.md
//! has what it brings.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::need::{self, Need};
use crate::{setup, shell};

/// The program that adds up counts, a component of the compiler.
pub(crate) const NEEDS: &[Need] = &[Need::ProfileTools];

/// What is built, and how it is run here.
pub(crate) struct Plan<'a> {
    /// Rust's name of the system.
    pub(crate) triple: &'a str,
    /// The oldest processor the binary is for, in the words of `-C target-cpu`.
    pub(crate) processor: &'a str,
    /// The folder of the build.
    pub(crate) folder: &'a Path,
    /// A call of a binary on this machine.
    pub(crate) call: &'a dyn Fn(&str, &[&str]) -> Command,
    /// Environment variables for Cargo.
    pub(crate) environment: &'a [(String, &'a str)],
}

/// Plies of the bench that is counted: more than the usual number, so that deeper nodes have their share.
const DEPTH: &str = "14";

/// `cargo xtask fastest`: the fastest binary for this machine's kind of processor.
pub(crate) fn run() -> Result<(), String> {
    setup::require(NEEDS)?;
    let triple = host()?;
    let folder = shell::target().join("fastest");
    let plan = Plan {
        triple: &triple,
        processor: "native",
        folder: &folder,
        call: &|binary, arguments| shell::program(binary, arguments),
        environment: &[],
    };
    println!("the binary is {}", plan.build()?.join("brier").display());
    Ok(())
}

impl Plan<'_> {
    /// Builds twice; returns the folder of the second binary.
    pub(crate) fn build(&self) -> Result<PathBuf, String> {
        let counts = self.folder.join("counts").join(self.triple);
        let failed = |error| format!("{}: {error}", counts.display());
        if counts.exists() {
            fs::remove_dir_all(&counts).map_err(failed)?;
        }
        fs::create_dir_all(&counts).map_err(failed)?;
        // A folder of its own, so that neither build undoes what Cargo has of the other.
        let generate = format!("-C profile-generate={}", counts.display());
        let binary = self.cargo_in(&self.folder.join("counting"), &generate)?.join("brier");
        shell::run(&mut (self.call)(&binary.to_string_lossy(), &["bench", DEPTH]))?;
        let sum = counts.join("sum.profdata");
        let tool = need::profile_tool().ok_or("expected the component llvm-tools, found none")?;
        let mut merge = shell::program(tool, &["merge", "--output"]);
        shell::run(merge.arg(&sum).arg(&counts))?;
        self.cargo(&format!("-C profile-use={}", sum.display()))
    }

    /// Builds once with these flags; returns the folder of the binary.
    pub(crate) fn cargo(&self, flags: &str) -> Result<PathBuf, String> {
        self.cargo_in(self.folder, flags)
    }

    fn cargo_in(&self, folder: &Path, flags: &str) -> Result<PathBuf, String> {
        let arguments =
            ["build", "--release", "--locked", "--package", "brier", "--target", self.triple];
        let mut command = shell::cargo(&arguments);
        // This variable is taken instead of the flags in `.cargo/config.toml`.
        command
            .arg("--target-dir")
            .arg(folder)
            .env("RUSTFLAGS", format!("-C target-cpu={} {flags}", self.processor))
            .envs(self.environment.iter().map(|(name, value)| (name, value)));
        shell::run(&mut command)?;
        Ok(folder.join(self.triple).join("release"))
    }
}

/// The system the compiler runs on.
fn host() -> Result<String, String> {
    let text = shell::output_of(&mut shell::program("rustc", &["-vV"]))?;
    let line = text.lines().find_map(|line| line.strip_prefix("host: "));
    line.map(str::to_owned).ok_or_else(|| format!("expected a line `host: …`, got {text}"))
}
