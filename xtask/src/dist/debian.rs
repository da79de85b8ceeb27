//! The package for Debian and its descendants, by `cargo deb`, from the archive of Linux for x86-64.
//!
//! What goes where is in `crates/brier/Cargo.toml`. The binary is the archive's: static, so the
//! package depends on nothing and is for every release.

use std::fs;
use std::path::PathBuf;

use super::targets::Target;
use super::{folder, inside};
use crate::{bench_check, shell};

/// The word for it on the command line.
pub(super) const NAME: &str = "debian";
/// The archive it is made of.
pub(super) const BASE: &str = "linux-x86_64";
/// Files of the archive that the package has too; the manifest names them in this folder.
const FILES: &[&str] = &[
    "brier.1",
    "completions/brier.bash",
    "completions/_brier",
    "completions/brier.fish",
    "browser/brier.wasm.packed",
    "browser/default.nnue.packed",
];

/// Packs the archive's files, unpacks the package and runs its binary.
pub(super) fn make(target: &Target) -> Result<(), String> {
    let failed = |path: &PathBuf, error| format!("{}: {error}", path.display());
    let pages = folder().join(NAME);
    fs::create_dir_all(&pages).map_err(|error| failed(&pages, error))?;
    for file in FILES {
        let from = inside(target).join(file);
        let name = from.file_name().unwrap_or_default();
        fs::copy(&from, pages.join(name)).map_err(|error| failed(&from, error))?;
    }
    let deb = folder().join(concat!("brier_", env!("CARGO_PKG_VERSION"), "_amd64.deb"));
    let package = deb.to_string_lossy();
    let arguments = ["--no-build", "--no-strip", "--package", "brier", "--target", target.triple];
    shell::run(
        shell::program(cargo_deb()?, &arguments)
            .args(["--output", &package])
            // Where the build of the archive left its binary.
            .env("CARGO_TARGET_DIR", shell::target().join("dist-build")),
    )?;
    fs::remove_dir_all(&pages).map_err(|error| failed(&pages, error))?;

    let trial = folder().join("debian-trial");
    shell::run(&mut shell::program(
        "dpkg-deb",
        &["--extract", &package, &trial.to_string_lossy()],
    ))?;
    for file in ["share/man/man1/brier.1.gz", "share/bash-completion/completions/brier"] {
        let file = trial.join("usr").join(file);
        fs::metadata(&file).map_err(|error| failed(&file, error))?;
    }
    let program = trial.join("usr/games/brier");
    let site = trial.join("site");
    shell::run(&mut shell::program(&program, &["site", "--out", &site.to_string_lossy()]))?;
    let mut bench = shell::program(&program, &["bench"]);
    let nodes = bench_check::nodes(&shell::output_of(&mut bench)?)?;
    fs::remove_dir_all(&trial).map_err(|error| failed(&trial, error))?;
    match bench_check::promised_here()? {
        promised if nodes == promised => Ok(()),
        promised => Err(format!("expected a bench of {promised} nodes, got {nodes}")),
    }
}

/// The program `cargo-deb`, installed into the build folder.
fn cargo_deb() -> Result<PathBuf, String> {
    let tools = shell::target().join("tools");
    let program = tools.join("bin").join("cargo-deb");
    if !program.is_file() {
        let arguments = ["install", "cargo-deb", "--locked", "--debug", "--root"];
        shell::run(shell::cargo(&arguments).arg(&tools))?;
    }
    Ok(program)
}
