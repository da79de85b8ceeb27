//! `cargo xtask dist [name …]`: archives for people who do not build from source.
//!
//! Each archive holds the binary, the licences, the README, a manual page, completions for shells, the
//! engine for browsers that `brier site` needs, and a bill of materials; beside the archives lies one file
//! with their checksums. Every binary is tried first ([`trial`]): an archive exists only if its trial passed.
//! The pocket engine comes as a folder of C.

mod android;
mod bom;
mod debian;
mod targets;
mod trial;
mod wheels;

use std::fs;
use std::path::{Path, PathBuf};

use crate::need::Need;
use crate::profiled::Plan;
use crate::steps::Depth;
use crate::{pocket, setup, shell, wasm};
use targets::{TARGETS, Target, run_by};
use wheels::WHEELS;

/// Files of the repository that go into every archive as they are.
const TEXTS: &[&str] =
    &["README.md", "CHANGELOG.md", "LICENSE-GPL", "LICENSE-MIT", "LICENSE-APACHE"];
const CHECKSUMS: &str = "SHA256SUMS";
/// The folder of the engine for browsers in an archive.
const SITE_ENGINE: &str = "browser";

/// Compilers, linkers and what runs foreign programs here.
pub(crate) const NEEDS: &[Need] = &[
    Need::Target("x86_64-unknown-linux-musl"),
    Need::Target("aarch64-unknown-linux-musl"),
    Need::Target("x86_64-pc-windows-gnu"),
    Need::Target("aarch64-unknown-linux-gnu"),
    Need::Program { name: targets::MINGW, package: "gcc-mingw-w64-x86-64" },
    Need::Program { name: "dpkg-deb", package: "dpkg" },
    Need::Program { name: "wine", package: "wine" },
    Need::Program { name: "qemu-aarch64", package: "qemu-user" },
    Need::Program { name: trial::OLD_PROCESSORS, package: "qemu-user" },
    Need::Python,
    Need::RustSource,
    Need::ProfileTools,
    wasm::NEEDS[0],
    wasm::NEEDS[1],
    wasm::NEEDS[2],
    wasm::NEEDS[3],
    wasm::NEEDS[4],
];

/// The word for the packages of npm.
const WASM: &str = "wasm";
/// The pocket engine as C, to be copied into somebody's project.
const POCKET: &str = "pocket";

/// Makes the archives named, or all.
pub(crate) fn run(names: &[String]) -> Result<(), String> {
    let known: Vec<&str> = TARGETS
        .iter()
        .map(|target| target.name)
        .chain(WHEELS.iter().map(|wheel| wheel.name))
        .chain([debian::NAME, WASM, wheels::NAME, POCKET])
        .collect();
    if let Some(name) = names.iter().find(|name| !known.contains(&name.as_str())) {
        return Err(format!("expected {}, got `{name}`", known.join(", ")));
    }
    let wanted = |wanted: &str| names.is_empty() || names.iter().any(|name| name == wanted);
    let wanted_wheels = || {
        let all = wanted(wheels::NAME);
        WHEELS.iter().filter(move |wheel| all || wanted(wheel.name))
    };
    let mut needs: Vec<Need> = wanted_wheels().flat_map(wheels::needs).collect();
    for target in TARGETS {
        if wanted(target.name) || target.name == debian::BASE && wanted(debian::NAME) {
            needs.extend(target.needs());
        }
    }
    if wanted(WASM) {
        needs.extend(wasm::NEEDS);
    }
    setup::require(&needs)?;
    for target in TARGETS {
        let for_debian = target.name == debian::BASE && wanted(debian::NAME);
        if wanted(target.name) || for_debian {
            println!("\n== {}", target.name);
            make(target).map_err(|reason| format!("{}: {reason}", target.name))?;
        }
        if for_debian {
            println!("\n== {}", debian::NAME);
            debian::make(target).map_err(|reason| format!("{}: {reason}", debian::NAME))?;
        }
    }
    if wanted(WASM) {
        println!("\n== {WASM}");
        make_packages().map_err(|reason| format!("{WASM}: {reason}"))?;
    }
    for wheel in wanted_wheels() {
        println!("\n== {}", wheel.name);
        wheels::make(wheel).map_err(|reason| format!("{}: {reason}", wheel.name))?;
    }
    if wanted(POCKET) {
        println!("\n== {POCKET}");
        let written = pocket::c::dist(&folder().join(POCKET)).and_then(|()| pack(POCKET, "tar.gz"));
        written.map_err(|reason| format!("{POCKET}: {reason}"))?;
    }
    checksums()
}

/// What building for a system with these programs takes of [`NEEDS`].
fn needs_of<'a>(triple: &'a str, programs: &'a [&str]) -> impl Iterator<Item = Need> + use<'a> {
    NEEDS.iter().copied().filter(move |need| match need {
        Need::Target(target) => *target == triple,
        Need::Program { name, .. } => programs.contains(name),
        _ => false,
    })
}

/// The packages of npm, after their tests.
fn make_packages() -> Result<(), String> {
    let packages = wasm::test(Depth::Usual)?;
    let folder = folder();
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let arguments = ["pack", "--pack-destination", &folder.to_string_lossy()];
    for package in packages {
        shell::run(shell::program("npm", &arguments).current_dir(package))?;
    }
    Ok(())
}

/// Where archives come to lie.
fn folder() -> PathBuf {
    shell::target().join("dist")
}

fn make(target: &Target) -> Result<(), String> {
    let binary = build(target)?;
    trial::run(target, &binary)?;
    fill(&inside(target), target, &binary)?;
    trial::site(target, &inside(target))?;
    pack(&name(target), target.archive)
}

/// What an archive is called, and the folder in it.
fn name(target: &Target) -> String {
    format!("brier-{}-{}", env!("CARGO_PKG_VERSION"), target.name)
}

/// The folder that is packed.
fn inside(target: &Target) -> PathBuf {
    folder().join(name(target))
}

/// Builds the binary and returns its path.
fn build(target: &Target) -> Result<PathBuf, String> {
    let linker = target.linker.map(|linker| (target.linker_variable(), linker));
    let plan = Plan {
        triple: target.triple,
        processor: target.processor,
        folder: &shell::target().join("dist-build"),
        call: &|binary, arguments| run_by(target.runner, binary, arguments),
        environment: linker.as_slice(),
    };
    let built = if target.is_profiled { plan.build()? } else { plan.cargo("")? };
    Ok(built.join(target.binary))
}

/// Collects everything that goes into the archive.
fn fill(inside: &Path, target: &Target, binary: &Path) -> Result<(), String> {
    let failed = |path: &Path, error| format!("cannot write {}: {error}", path.display());
    if inside.exists() {
        fs::remove_dir_all(inside).map_err(|error| failed(inside, error))?;
    }
    let completions = inside.join("completions");
    fs::create_dir_all(&completions).map_err(|error| failed(&completions, error))?;
    let copy = |from: &Path, to: PathBuf| {
        fs::copy(from, &to).map(drop).map_err(|error| failed(&to, error))
    };
    copy(binary, inside.join(target.binary))?;
    for text in TEXTS {
        copy(&shell::root().join(text), inside.join(text))?;
    }
    let write =
        |path: PathBuf, text: &str| fs::write(&path, text).map_err(|error| failed(&path, error));
    let binary = binary.to_string_lossy();
    let printed = |arguments: &[&str]| shell::output_of(&mut target.call(&binary, arguments));
    // `brier site` looks for it there.
    wasm::copy_site_engine(&inside.join(SITE_ENGINE))?;
    write(inside.join("brier.1"), &printed(&["man"])?)?;
    for (shell, file) in [
        ("bash", "brier.bash"),
        ("zsh", "_brier"),
        ("fish", "brier.fish"),
        ("powershell", "_brier.ps1"),
    ] {
        write(completions.join(file), &printed(&["completions", shell])?)?;
    }
    let bill = serde_json::to_string_pretty(&bom::bill(target.triple)?)
        .map_err(|error| error.to_string())?;
    write(inside.join("bom.cdx.json"), &bill)
}

/// Packs a folder of [`folder`] into an archive of this kind.
fn pack(name: &str, kind: &str) -> Result<(), String> {
    let archive = format!("{name}.{kind}");
    let mut command = match kind {
        "zip" => shell::program("python3", &["-m", "zipfile", "-c", &archive, name]),
        // Without the builder's name, and in one order, so that equal contents give equal bytes.
        _ => shell::program(
            "tar",
            &["--sort=name", "--owner=0", "--group=0", "--numeric-owner", "-czf", &archive, name],
        ),
    };
    shell::run(command.current_dir(folder()))
}

/// One line for each archive, as `sha256sum --check` reads them.
fn checksums() -> Result<(), String> {
    let entries = fs::read_dir(folder()).map_err(|error| format!("no archives: {error}"))?;
    let mut archives: Vec<String> = entries
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter(|name| {
            [".tar.gz", ".zip", ".deb", ".tgz", ".whl"].iter().any(|end| name.ends_with(end))
        })
        .collect();
    archives.sort();
    if archives.is_empty() {
        return Err("expected at least one archive, got none".to_owned());
    }
    let names: Vec<&str> = archives.iter().map(String::as_str).collect();
    let sums = shell::output_of(shell::program("sha256sum", &names).current_dir(folder()))?;
    print!("{sums}");
    let path = folder().join(CHECKSUMS);
    fs::write(&path, sums).map_err(|error| format!("cannot write {}: {error}", path.display()))
}
