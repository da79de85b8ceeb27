//! Fetches what the steps need, with respect for the machine.
//!
//! Rust's targets come from rustup, Python packages go into a virtual environment inside the
//! build folder, and only programs come from the system's package manager: it is asked as
//! root on a system with `apt-get`, once, for the missing ones alone; it never removes a
//! package, and it waits while another process holds its lock. A program that cannot be installed
//! beside what is here is unpacked into the build folder. A need that cannot be met is
//! no error here: the steps that have it are reported as not run.

use std::fs;

use crate::need::{self, Need};
use crate::shell::{self, find, program};
use crate::unpack::unpack;

/// The Python packages, one per line as pip reads them.
pub(crate) const REQUIREMENTS: &str = "xtask/requirements.txt";

/// How long `apt-get` waits for its lock, in seconds.
const LOCK_TIMEOUT: &str = "DPkg::Lock::Timeout=300";

/// Meets what can be met of some needs and prints the rest.
pub(crate) fn prepare(needs: &[Need]) {
    let missing = || needs.iter().copied().filter(|need| !need.is_met());
    let mut packages: Vec<&str> = missing().filter_map(package).collect();
    packages.sort_unstable();
    packages.dedup();
    if !packages.is_empty() {
        report(install_programs(&packages));
    }
    for need in missing() {
        match need {
            Need::Program { name, package } if can_install() => report(unpack(name, package)),
            Need::Program { .. } => {}
            Need::Target(target) => report(rustup(&["target", "add", target])),
            Need::RustSource => report(rustup(&["component", "add", "rust-src"])),
            Need::ProfileTools => report(rustup(&["component", "add", "llvm-tools"])),
            Need::Nightly { component } => report(nightly(component)),
            Need::CargoDeny => report(crate::deny::install()),
            Need::Python => report(python_environment()),
        }
    }
    for need in needs {
        println!("{}: {}", need, if need.is_met() { "found" } else { "MISSING" });
    }
}

/// Prepares the needs of one chore; the error names what is still missing.
pub(crate) fn require(needs: &[Need]) -> Result<(), String> {
    if need::missing(needs).is_some() {
        prepare(needs);
    }
    need::missing(needs).map_or(Ok(()), |missing| Err(format!("expected {missing}, found none")))
}

fn report(outcome: Result<(), String>) {
    if let Err(reason) = outcome {
        println!("{reason}");
    }
}

/// The Debian package that a need asks for.
fn package(need: Need) -> Option<&'static str> {
    match need {
        Need::Program { package, .. } => Some(package),
        Need::Python if !can_make_environments() => Some("python3-venv"),
        _ => None,
    }
}

/// Whether the system's package manager would obey us.
fn can_install() -> bool {
    let is_root = program("id", &["-u"]).output().is_ok_and(|output| output.stdout == b"0\n");
    is_root && find("apt-get").is_some()
}

fn install_programs(packages: &[&str]) -> Result<(), String> {
    if !can_install() {
        let packages = packages.join(" ");
        return Err(format!("not installing programs, which needs root and apt-get: {packages}"));
    }
    let apt = |arguments: &[&str]| {
        shell::run(program("apt-get", arguments).env("DEBIAN_FRONTEND", "noninteractive"))
    };
    let install = |packages: &[&str]| {
        let mut arguments = vec!["install", "--yes", "--no-install-recommends", "--no-remove"];
        arguments.extend(["-o", LOCK_TIMEOUT]);
        arguments.extend(packages);
        apt(&arguments)
    };
    if install(packages).is_ok() {
        return Ok(());
    }
    // A fresh system has no package lists yet, so a first refusal may only mean that.
    apt(&["update", "-o", LOCK_TIMEOUT])?;
    // One that would remove a package of the user's is refused, and must not keep the others out.
    let refused: Vec<_> = packages.iter().filter_map(|package| install(&[package]).err()).collect();
    if refused.is_empty() { Ok(()) } else { Err(refused.join("\n")) }
}

fn rustup(arguments: &[&str]) -> Result<(), String> {
    shell::run(&mut program("rustup", arguments))
}

/// A nightly compiler that is here already stays the one it is.
fn nightly(component: &str) -> Result<(), String> {
    rustup(&["component", "add", "--toolchain", "nightly", component]).or_else(|_| {
        let minimal = ["--profile", "minimal", "--component", component];
        rustup(&[["toolchain", "install", "nightly"].as_slice(), &minimal].concat())
    })
}

fn can_make_environments() -> bool {
    let modules = ["-c", "import ensurepip, venv"];
    program("python3", &modules).output().is_ok_and(|output| output.status.success())
}

/// Creates the virtual environment and fills it.
fn python_environment() -> Result<(), String> {
    let wanted = fs::read_to_string(shell::root().join(REQUIREMENTS))
        .map_err(|error| format!("cannot read {REQUIREMENTS}: {error}"))?;
    let python = find("python3").ok_or("expected python3, found none")?;
    let folder = shell::virtual_environment();
    shell::run(&mut program(&python, &["-m", "venv", &folder.to_string_lossy()]))?;
    let pip = folder.join("bin").join("python3");
    let arguments = ["-m", "pip", "install", "--quiet", "--requirement", REQUIREMENTS];
    shell::run(program(&pip, &arguments).env("PIP_DISABLE_PIP_VERSION_CHECK", "1"))?;
    let installed = shell::installed_requirements();
    fs::write(&installed, wanted)
        .map_err(|error| format!("cannot write {}: {error}", installed.display()))
}
