//! What the tests need beyond Rust: a Python environment and a few programs.
//!
//! The Python packages go into `venv` inside the build folder, so nothing outside the
//! repository changes. Programs come from the system's package manager, which is only
//! asked when we are root on a system with `apt-get`. Tests skip, with a printed reason,
//! what they cannot find.

use crate::pocket;
use crate::shell::{self, find, program};
use std::fs;

/// A program that tests drive, and where it comes from.
struct Program {
    name: &'static str,
    /// Debian's packages, separated by spaces.
    packages: &'static str,
    needed_for: &'static str,
}

const PROGRAMS: &[Program] = &[
    Program { name: "gcc", packages: "gcc", needed_for: "C test of the pocket engine" },
    Program { name: "stockfish", packages: "stockfish", needed_for: "matches against a peer" },
    Program { name: "polyglot", packages: "polyglot", needed_for: "opening book oracle" },
    Program { name: "qemu-aarch64", packages: "qemu-user", needed_for: "NEON kernels" },
    Program {
        name: "qemu-system-arm",
        packages: "qemu-system-arm",
        needed_for: "the pocket engine on a small processor",
    },
    Program {
        name: "sdcc",
        packages: "sdcc",
        needed_for: "the pocket engine on the calculator's processor",
    },
];

impl Program {
    fn is_here(&self) -> bool {
        find(self.name).is_some()
    }
}

/// The Python packages, one per line as pip reads them.
const REQUIREMENTS: &str = "xtask/requirements.txt";

/// Installs what is missing where it may; returns the names of what stays missing,
/// separated by commas.
pub(crate) fn prepare() -> Result<String, String> {
    let mut missing = Vec::new();
    if !programs_installed() {
        install_programs();
    }
    for program in PROGRAMS {
        if program.is_here() {
            println!("{}: found", program.name);
        } else {
            println!(
                "{}: missing ({}); install `{}`",
                program.name, program.needed_for, program.packages
            );
            missing.push(program.name);
        }
    }
    pocket::prepare_toolchain();
    match pocket::missing_toolchain() {
        None => println!("Rust for small processors: found"),
        Some(part) => {
            println!("Rust for small processors: missing; {part}");
            missing.push("Rust for small processors");
        }
    }
    if let Err(reason) = python_environment() {
        println!("python packages: missing; {reason}");
        missing.push("python packages");
    } else {
        println!("python packages: found");
    }
    Ok(missing.join(", "))
}

fn programs_installed() -> bool {
    PROGRAMS.iter().all(Program::is_here)
}

/// Asks `apt-get` for the missing programs. A failure is not an error here: the caller
/// looks for the programs again and tells which are missing.
fn install_programs() {
    let is_root = program("id", &["-u"]).output().is_ok_and(|output| output.stdout == b"0\n");
    if !is_root || find("apt-get").is_none() {
        println!("not installing programs: that needs root and apt-get");
        return;
    }
    let packages = PROGRAMS.iter().filter(|program| !program.is_here());
    let mut arguments = vec!["install", "--yes", "--no-install-recommends"];
    arguments.extend(packages.flat_map(|program| program.packages.split(' ')));
    let install =
        || shell::run(program("apt-get", &arguments).env("DEBIAN_FRONTEND", "noninteractive"));
    // A fresh system has no package lists yet, so a first refusal may only mean that.
    let outcome = install()
        .or_else(|_| shell::run(&mut program("apt-get", &["update"])).and_then(|()| install()));
    if let Err(reason) = outcome {
        println!("{reason}");
    }
}

/// Creates the virtual environment and fills it, unless it already holds what the
/// requirements file asks for.
fn python_environment() -> Result<(), String> {
    let wanted = fs::read_to_string(shell::root().join(REQUIREMENTS))
        .map_err(|error| format!("cannot read {REQUIREMENTS}: {error}"))?;
    let folder = shell::virtual_environment();
    let installed = folder.join("installed-requirements.txt");
    if fs::read_to_string(&installed).is_ok_and(|text| text == wanted) {
        return Ok(());
    }
    let python = find("python3").ok_or("install python3 with its venv module")?;
    let folder_name = folder.to_string_lossy();
    shell::run(&mut program(&python, &["-m", "venv", &folder_name]))?;
    let pip = folder.join("bin").join("python3");
    let arguments = ["-m", "pip", "install", "--quiet", "--requirement", REQUIREMENTS];
    shell::run(program(&pip, &arguments).env("PIP_DISABLE_PIP_VERSION_CHECK", "1"))?;
    fs::write(&installed, wanted)
        .map_err(|error| format!("cannot write {}: {error}", installed.display()))
}
