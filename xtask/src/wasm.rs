//! The package for browsers and node: built from `bindings/wasm`, packed, and tested in both.
//!
//! The targets are those with a system interface (WASI), because their standard library has a clock, an
//! output and threads; the scripts of the package provide them. Everything is put together in `web/wasm` inside
//! the build folder, where the tests find the packages of npm, and beside it a smaller package with the small
//! network alone.

use std::fs;
use std::path::{Path, PathBuf};

use crate::browser;
use crate::need::{Need, sysroot};
use crate::shell::{self, find, program, root, target};
use crate::steps::Depth;

/// A module of the package.
struct Module {
    /// Its name there.
    file: &'static str,
    target: &'static str,
    features: &'static [&'static str],
    /// Arguments of the linker, besides those of all modules.
    linker: &'static str,
}

const MODULES: [Module; 2] = [
    Module { file: "brier.wasm.packed", target: "wasm32-wasip1", features: &[], linker: "" },
    Module {
        file: "brier-threads.wasm.packed",
        target: "wasm32-wasip1-threads",
        features: &["--features", "threads"],
        // The size that `js/threads.js` makes the shared memory with.
        linker: " -C link-arg=--initial-memory=67108864",
    },
];

/// The vector instructions, and the stack that a native search thread has.
const FLAGS: &str = "-C target-feature=+simd128 -C link-arg=-zstack-size=16777216";

/// What makes a library of a module, which is initialised once and then called many times: a part of the standard
/// library of the target that is linked to programs alone.
const REACTOR: &str = "self-contained/crt1-reactor.o";

/// The networks of the package: where they are, and their names there.
const NETWORKS: [(&str, &str); 2] = [
    ("crates/nnue/data/default.nnue", "default.nnue.packed"),
    ("nets/small.nnue", "small.nnue.packed"),
];

/// The files that `brier site` takes.
const SITE: [&str; 2] = [MODULES[0].file, NETWORKS[0].1];

/// The smaller package: its folder beside the other, and its name.
const SMALL: &str = "wasm-small";
const SMALL_NAME: &str = "brier-chess-small";

/// The targets' libraries, and what the page of `serve` needs too.
pub(crate) const NEEDS: &[Need] = &[
    Need::Target(MODULES[0].target),
    Need::Target(MODULES[1].target),
    browser::NEEDS[0],
    browser::NEEDS[1],
    browser::NEEDS[2],
];

/// Builds the packages, tests them in node and in Chromium, and returns their folders.
pub(crate) fn test(depth: Depth) -> Result<[PathBuf; 2], String> {
    let packages = build()?;
    let [package, small] = &packages;
    shell::run(&mut shell::cargo(&["build", "--package", "brier"]))?;
    for tests in ["tests/node.test.mjs", "tests/browser.test.mjs"] {
        let mut command = program("node", &["--test", tests]);
        command
            .current_dir(package)
            .env("BRIER", target().join("debug").join("brier"))
            .env("SMALL", small)
            .env("SMALL_NETWORK", root().join(NETWORKS[1].0))
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
    test_site(package)?;
    Ok(packages)
}

/// The page with this engine, as `brier site` writes it.
fn test_site(package: &Path) -> Result<(), String> {
    let mut command = program("node", &["--test", "tests/site.test.mjs"]);
    command
        .current_dir(browser::prepare()?)
        .env("BRIER", target().join("debug").join("brier"))
        .env("ENGINE", package.join("js"))
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
    let [package, _] = build()?;
    let engine = package.join("js");
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

/// Writes the files that `brier site` takes into a folder.
pub(crate) fn copy_site_engine(to: &Path) -> Result<(), String> {
    let [package, _] = build()?;
    fs::create_dir_all(to).map_err(|error| format!("{}: {error}", to.display()))?;
    for name in SITE {
        let from = package.join("js").join(name);
        fs::copy(&from, to.join(name)).map_err(|error| format!("{}: {error}", from.display()))?;
    }
    Ok(())
}

/// Builds the packages and returns their folders: the whole one, and the small one.
fn build() -> Result<[PathBuf; 2], String> {
    let web = browser::prepare()?;
    let packages = ["wasm", SMALL].map(|name| web.join(name));
    let [package, small] = &packages;
    let scripts = root().join("bindings/wasm");
    for folder in &packages {
        copy_folder(&scripts, folder)?;
    }
    let js = package.join("js");
    let mut pack = program("node", &["pack.mjs"]);
    for module in &MODULES {
        pack.args([compile(module)?, js.join(module.file)]);
    }
    for (network, name) in NETWORKS {
        pack.args([root().join(network), js.join(name)]);
    }
    shell::run(pack.current_dir(package))?;

    let copy = |from: PathBuf, to: PathBuf| {
        fs::copy(&from, to).map(drop).map_err(|error| format!("{}: {error}", from.display()))
    };
    for Module { file, .. } in MODULES {
        copy(js.join(file), small.join("js").join(file))?;
    }
    let [(_, usual), (_, few_lanes)] = NETWORKS;
    copy(js.join(few_lanes), small.join("js").join(usual))?;
    let manifest = small.join("package.json");
    let failed = |error| format!("{}: {error}", manifest.display());
    let text = fs::read_to_string(&manifest).map_err(failed)?;
    let text = text.replacen("\"brier-chess\"", &format!("\"{SMALL_NAME}\""), 1);
    fs::write(&manifest, text).map_err(failed)?;
    Ok(packages)
}

/// Builds a module and returns its path.
fn compile(module: &Module) -> Result<PathBuf, String> {
    let Module { target: triple, features, linker, .. } = module;
    let library = sysroot().ok_or("expected a compiler with a folder of its own, got none")?;
    let reactor = library.join("lib/rustlib").join(triple).join("lib").join(REACTOR);
    let flags = format!("{FLAGS} -C link-arg={}{linker}", reactor.display());
    let built = target().join("wasm");
    let mut command = shell::cargo(&["build", "--release", "--locked", "--target", triple]);
    command
        .args(*features)
        .arg("--manifest-path")
        .arg(root().join("bindings/wasm/Cargo.toml"))
        .arg("--target-dir")
        .arg(&built)
        .env("RUSTFLAGS", flags);
    shell::run(&mut command)?;
    Ok(built.join(triple).join("release").join("brier.wasm"))
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
