//! Wheels: the Python package for the systems of the archives, each installed and tried in a Python of its system.
//!
//! Python for Linux on ARM runs under qemu, Python for Windows under wine; `foreign_python.py` fetches them into
//! the build folder. The trial's answers must be those of the first wheel, byte for byte.

use std::fs;
use std::path::{Path, PathBuf};

use super::targets::{MINGW, run_by};
use super::{folder, needs_of, trial};
use crate::need::Need;
use crate::shell;

/// The word for all of them on the command line.
pub(super) const NAME: &str = "python";
const TRIAL: &str = "xtask/src/dist/wheel_trial.py";
const FOREIGN: &str = "xtask/src/dist/foreign_python.py";

/// One wheel.
pub(super) struct Wheel {
    /// The word for it on the command line.
    pub(super) name: &'static str,
    triple: &'static str,
    /// The oldest processor it is for, in the words of `-C target-cpu`.
    processor: &'static str,
    /// Arguments of maturin. Zig has every version of Linux's C library, so that the wheel needs one of 2012 only.
    build: &'static [&'static str],
    /// A Python of the system, or none where this machine's own will do.
    python: Option<Foreign>,
}

/// A Python for another system.
struct Foreign {
    /// What `foreign_python.py` calls it.
    name: &'static str,
    /// The program in its folder.
    program: &'static str,
    runner: &'static [&'static str],
    /// The system in the words of pip.
    platform: &'static str,
    /// The numpy that runs there.
    numpy: &'static str,
}

/// The version of the foreign Pythons, in the words of pip.
const VERSION: &str = "3.11";
const MANYLINUX: &[&str] = &["--zig", "--compatibility", "manylinux2014"];

/// The first one runs on this machine, and its answers are what the others are compared with.
pub(super) const WHEELS: &[Wheel] = &[
    Wheel {
        name: "python-linux-x86_64",
        triple: "x86_64-unknown-linux-gnu",
        processor: "x86-64",
        build: MANYLINUX,
        python: None,
    },
    Wheel {
        name: "python-linux-aarch64",
        triple: "aarch64-unknown-linux-gnu",
        processor: "generic",
        build: MANYLINUX,
        python: Some(Foreign {
            name: "linux-aarch64",
            program: "usr/bin/python3.11",
            runner: &["qemu-aarch64", "-L"],
            platform: "manylinux2014_aarch64",
            numpy: "numpy",
        }),
    },
    Wheel {
        name: "python-windows-x86_64",
        triple: "x86_64-pc-windows-gnu",
        processor: "x86-64",
        build: &[],
        python: Some(Foreign {
            name: "windows-x86_64",
            program: "python.exe",
            runner: &["wine"],
            platform: "win_amd64",
            // Wine 8 lacks functions that later ones ask for.
            numpy: "numpy<2",
        }),
    },
];

/// What building and trying a wheel takes.
pub(super) fn needs(wheel: &Wheel) -> Vec<Need> {
    let runner = wheel.python.as_ref().and_then(|python| python.runner.first()).copied();
    let mut programs: Vec<&str> = runner.into_iter().collect();
    if wheel.build.is_empty() {
        programs.push(MINGW);
    }
    needs_of(wheel.triple, &programs).chain([Need::Python]).collect()
}

/// Where the wheels are built and tried.
fn place(name: &str) -> PathBuf {
    shell::target().join("wheel").join(name)
}

/// Builds a wheel and tries it.
pub(super) fn make(wheel: &Wheel) -> Result<(), String> {
    let programs = shell::virtual_environment().join("bin");
    shell::run(&mut shell::program(
        programs.join("python3"),
        &["-m", "pip", "install", "--quiet", "ziglang"],
    ))?;
    let out = folder().to_string_lossy().into_owned();
    let arguments = ["build", "--release", "--locked", "--target", wheel.triple, "--out", &out];
    let mut build = shell::program(programs.join("maturin"), &arguments);
    build
        .args(wheel.build)
        .current_dir(shell::root().join("bindings/python"))
        .env("CARGO_TARGET_DIR", shell::target().join("wheel"))
        .env("RUSTFLAGS", format!("-C target-cpu={}", wheel.processor));
    shell::run(&mut build)?;
    let answers = match &wheel.python {
        None => try_here(&out)?,
        Some(python) => try_there(python, &out)?,
    };
    print!("{answers}");
    // A wheel alone is compared with what the first one said when it was made, or is made now.
    let expected = place("answers.json");
    if wheel.python.is_none() {
        return fs::write(&expected, answers)
            .map_err(|error| format!("{}: {error}", expected.display()));
    }
    if !expected.is_file() {
        make(&WHEELS[0])?;
    }
    let said = fs::read_to_string(&expected)
        .map_err(|error| format!("{}: {error}", expected.display()))?;
    match said == answers {
        true => Ok(()),
        false => Err(format!("expected the answers of {}, got others:\n{said}", WHEELS[0].name)),
    }
}

/// What pip needs to take our wheel from the folder of archives.
fn ours(wheels: &str) -> [&str; 4] {
    ["--find-links", wheels, "--no-cache-dir", concat!("brier-chess==", env!("CARGO_PKG_VERSION"))]
}

/// In an environment of its own on this machine.
fn try_here(wheels: &str) -> Result<String, String> {
    let environment = place("here").to_string_lossy().into_owned();
    let python = Path::new(&environment).join("bin").join("python3");
    shell::run(&mut shell::program("python3", &["-m", "venv", "--clear", &environment]))?;
    shell::run(shell::program(&python, &["-m", "pip", "install", "--quiet"]).args(ours(wheels)))?;
    shell::output_of(&mut shell::program(&python, &[TRIAL]))
}

/// In a Python for another system.
fn try_there(foreign: &Foreign, wheels: &str) -> Result<String, String> {
    let python = place(foreign.name).to_string_lossy().into_owned();
    if !Path::new(&python).join(foreign.program).is_file() {
        shell::run(&mut shell::program("python3", &[FOREIGN, foreign.name, &python]))?;
    }
    let site = place(&format!("{}-site", foreign.name)).to_string_lossy().into_owned();
    if Path::new(&site).exists() {
        fs::remove_dir_all(&site).map_err(|error| format!("{site}: {error}"))?;
    }
    let install = ["-m", "pip", "install", "--quiet", "--only-binary", ":all:", "--target", &site];
    let system = ["--platform", foreign.platform, "--python-version", VERSION, foreign.numpy];
    shell::run(shell::program("python3", &install).args(system).args(ours(wheels)))?;
    let mut runner = foreign.runner.to_vec();
    if runner == ["wine"] {
        // Python looks for libraries beside itself, not along the path.
        trial::help_wine(Path::new(&python))?;
    } else {
        runner.push(&python);
    }
    let program = Path::new(&python).join(foreign.program);
    let said = shell::output_of(&mut run_by(&runner, &program.to_string_lossy(), &[TRIAL, &site]))?;
    Ok(said.replace("\r\n", "\n"))
}
