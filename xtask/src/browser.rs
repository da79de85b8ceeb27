//! The page of `brier serve` and the pages of reports: built from `web/` with packages of npm, and tested in a real browser.
//!
//! The built files are committed, so that the program needs no network to be built. The packages go
//! into `web` inside the build folder; the test builds the page there once more and compares it with
//! what is committed. Screenshots are left in `browser` inside the build folder.

use std::fs;
use std::path::{Path, PathBuf};

use crate::need::{NODE, Need};
use crate::setup;
use crate::shell::{self, find, program, root, target};

/// What the build needs, and the browser.
const BUILD_NEEDS: &[Need] = &[NODE, NPM];
pub(crate) const NEEDS: &[Need] = &[NODE, NPM, CHROMIUM];
const NPM: Need = Need::Program { name: "npm", package: "npm" };
const CHROMIUM: Need = Need::Program { name: "chromium", package: "chromium" };

/// The built page in the repository, and the script of reports.
const PAGE: &str = "crates/serve/src/page";
const REPORT: &str = "crates/review/src/replay";
/// All built files, with the place of the folder that they are in.
const BUILT: [(&str, &str); 6] = [
    (PAGE, "page.js"),
    (PAGE, "style.css"),
    (PAGE, "engine.js"),
    (PAGE, "offline.js"),
    (REPORT, "report.js"),
    (REPORT, "style.css"),
];

/// The scripts of the engine for browsers, which a page without a server takes in.
const ENGINE: &str = "bindings/wasm/js";

/// `cargo xtask web`: builds the page anew.
pub(crate) fn build() -> Result<(), String> {
    setup::require(BUILD_NEEDS)?;
    let folder = prepare()?;
    bundle(&folder, [PAGE, REPORT].map(|built| root().join(built)))
}

/// Builds the page and the script of reports into two folders.
fn bundle(folder: &Path, [page, report]: [PathBuf; 2]) -> Result<(), String> {
    let arguments = [Path::new("build.mjs"), &page, &report, &root().join(ENGINE)];
    shell::run(program("node", &[]).args(arguments).current_dir(folder))
}

/// Builds the page, compares it with the one that is committed, and tests it.
pub(crate) fn test() -> Result<(), String> {
    let folder = prepare()?;
    let built = |committed: &str| folder.join("built").join(committed);
    bundle(&folder, [PAGE, REPORT].map(built))?;
    for (place, name) in BUILT {
        if read(&built(place).join(name))? != read(&root().join(place).join(name))? {
            return Err(format!("{place}/{name} is older than web/: run `cargo xtask web`"));
        }
    }
    node(&folder, &["--test", "tests/unit.test.mjs"])?;
    shell::run(&mut shell::cargo(&["build", "--package", "brier"]))?;
    let tests = ["--test", "tests/browser.test.mjs", "tests/report.test.mjs"];
    let mut command = program("node", &tests);
    command.current_dir(&folder).env("BRIER", target().join("debug").join("brier"));
    if let Some(chromium) = find("chromium") {
        command.env("CHROMIUM", chromium);
    }
    command.env("SHOTS", target().join("browser"));
    command.env("SYZYGY", root().join("testdata").join("syzygy"));
    // A browser on a machine that stops now and then may miss a click; a real fault fails twice.
    shell::run(&mut command).or_else(|_| shell::run(&mut command))
}

/// The sources with the packages that they need, in the build folder.
pub(crate) fn prepare() -> Result<PathBuf, String> {
    let (web, folder) = (root().join("web"), target().join("web"));
    let lock = "package-lock.json";
    let stale = !folder.join("node_modules").is_dir()
        || read(&folder.join(lock)).ok() != Some(read(&web.join(lock))?);
    for name in ["package.json", "build.mjs"] {
        copy(&web.join(name), &folder.join(name))?;
    }
    for part in ["src", "tests"] {
        let entries =
            fs::read_dir(web.join(part)).map_err(|error| format!("web/{part}: {error}"))?;
        for entry in entries.flatten() {
            copy(&entry.path(), &folder.join(part).join(entry.file_name()))?;
        }
    }
    if stale {
        let _ = fs::remove_file(folder.join(lock));
        let installed = folder.join("node_modules");
        copy(&web.join(lock), &folder.join(lock))?;
        let arguments = ["ci", "--no-audit", "--no-fund", "--ignore-scripts"];
        shell::run(program("npm", &arguments).current_dir(&folder)).inspect_err(|_| {
            // Half an installation would look like a whole one next time.
            let _ = fs::remove_dir_all(&installed);
        })?;
    }
    Ok(folder)
}

fn node(folder: &Path, arguments: &[&str]) -> Result<(), String> {
    shell::run(program("node", arguments).current_dir(folder))
}

fn read(path: &Path) -> Result<Vec<u8>, String> {
    fs::read(path).map_err(|error| format!("{}: {error}", path.display()))
}

fn copy(from: &Path, to: &Path) -> Result<(), String> {
    if let Some(folder) = to.parent() {
        fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    fs::copy(from, to).map(drop).map_err(|error| format!("{}: {error}", from.display()))
}
