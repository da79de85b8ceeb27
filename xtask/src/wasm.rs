//! The package for browsers and node: built from `bindings/wasm`, packed, and tested in both.
//!
//! The target is the one with a system interface (WASI), because its standard library has a clock and
//! an output; the scripts of the package provide them. Everything is put together in `web/wasm` inside
//! the build folder, where the tests find the packages of npm.

use std::fs;
use std::path::{Path, PathBuf};

use crate::browser;
use crate::need::Need;
use crate::shell::{self, find, program, root, target};
use crate::steps::Depth;

const TARGET: &str = "wasm32-wasip1";
/// The vector instructions, and the stack that a native search thread has.
const FLAGS: &str = "-C target-feature=+simd128 -C link-arg=-zstack-size=16777216";

/// The name of the packed module.
const MODULE: &str = "brier.wasm.packed";

/// The target's library, and what the page of `serve` needs too.
pub(crate) const NEEDS: &[Need] =
    &[Need::Target(TARGET), browser::NEEDS[0], browser::NEEDS[1], browser::NEEDS[2]];

/// Builds the package, tests it in node and in Chromium, and returns its folder.
pub(crate) fn test(depth: Depth) -> Result<PathBuf, String> {
    let package = build()?;
    shell::run(&mut shell::cargo(&["build", "--package", "brier"]))?;
    for tests in ["tests/node.test.mjs", "tests/browser.test.mjs"] {
        let mut command = program("node", &["--test", tests]);
        command
            .current_dir(&package)
            .env("BRIER", target().join("debug").join("brier"))
            .env("PAGE", root().join("docs/browser.md"));
        if depth == Depth::Full {
            // As deep as the signature of the history.
            command.env("BENCH_DEPTH", "13");
        }
        if let Some(chromium) = find("chromium") {
            command.env("CHROMIUM", chromium);
        }
        shell::run(&mut command)?;
    }
    test_site(&package)?;
    Ok(package)
}

/// The page with this engine, as `brier site` writes it.
fn test_site(package: &Path) -> Result<(), String> {
    let mut command = program("node", &["--test", "tests/site.test.mjs"]);
    command
        .current_dir(browser::prepare()?)
        .env("BRIER", target().join("debug").join("brier"))
        .env("ENGINE", package.join("js").join(MODULE))
        .env("SHOTS", target().join("browser"));
    if let Some(chromium) = find("chromium") {
        command.env("CHROMIUM", chromium);
    }
    shell::run(&mut command)
}

/// `cargo xtask site FOLDER`: the page with an engine of its own, built from here.
pub(crate) fn site(arguments: &[String]) -> Result<(), String> {
    let [folder] = arguments else {
        return Err(format!("expected a folder, got `{}`", arguments.join(" ")));
    };
    let engine = build()?.join("js").join(MODULE);
    let engine = engine.to_string_lossy();
    shell::run(&mut shell::cargo(&[
        "run",
        "--release",
        "--package",
        "brier",
        "--",
        "site",
        "--out",
        folder,
        "--engine",
        &engine,
    ]))
}

/// Builds the package and returns its folder.
fn build() -> Result<PathBuf, String> {
    let package = browser::prepare()?.join("wasm");
    copy_folder(&root().join("bindings/wasm"), &package)?;
    let built = target().join("wasm");
    let arguments = ["build", "--release", "--locked", "--target", TARGET];
    let mut command = shell::cargo(&arguments);
    command
        .arg("--manifest-path")
        .arg(root().join("bindings/wasm/Cargo.toml"))
        .arg("--target-dir")
        .arg(&built)
        .env("RUSTFLAGS", FLAGS);
    shell::run(&mut command)?;
    let module = built.join(TARGET).join("release").join("brier.wasm");
    let network = root().join("crates/nnue/data/default.nnue");
    let packed = package.join("js").join(MODULE);
    let mut command = program("node", &["pack.mjs"]);
    command.args([&module, &network, &packed]).current_dir(&package);
    shell::run(&mut command)?;
    Ok(package)
}

/// Copies the files of the package, which are in folders one below the other at most.
fn copy_folder(from: &Path, to: &Path) -> Result<(), String> {
    let failed = |path: &Path, error| format!("{}: {error}", path.display());
    fs::create_dir_all(to).map_err(|error| failed(to, error))?;
    for entry in fs::read_dir(from).map_err(|error| failed(from, error))?.flatten() {
        let (path, copy) = (entry.path(), to.join(entry.file_name()));
        if path.is_dir() {
            copy_folder(&path, &copy)?;
        } else {
            fs::copy(&path, &copy).map_err(|error| failed(&path, error))?;
        }
    }
    Ok(())
}
