//! The systems we make archives for, and how a foreign program is run on this one.

use std::path::PathBuf;
use std::process::Command;

use super::{android, needs_of, trial};
use crate::need::Need;
use crate::{profiled, shell, wasm};

/// The compiler for Windows.
pub(crate) const MINGW: &str = "x86_64-w64-mingw32-gcc";

/// One archive.
pub(crate) struct Target {
    /// Part of the archive's name, and the word for it on the command line.
    pub(crate) name: &'static str,
    /// Rust's name of the system.
    pub(crate) triple: &'static str,
    /// The oldest processor the binary is for, in the words of `-C target-cpu`.
    pub(crate) processor: &'static str,
    /// The linker, unless it is the usual one.
    pub(crate) linker: Option<&'static str>,
    /// What runs the binary here: a program and its arguments, or nothing.
    pub(crate) runner: &'static [&'static str],
    /// Is it built by counts of what a bench runs? Rust has no library for that on Windows of this kind.
    pub(crate) is_profiled: bool,
    /// What the binary is called.
    pub(crate) binary: &'static str,
    /// `tar.gz` or `zip`, as people of the system expect.
    pub(crate) archive: &'static str,
}

const LINUX_AARCH64: Target = Target {
    name: "linux-aarch64",
    triple: "aarch64-unknown-linux-musl",
    processor: "generic",
    linker: Some("rust-lld"),
    runner: &["qemu-aarch64"],
    is_profiled: true,
    binary: "brier",
    archive: "tar.gz",
};

pub(crate) const TARGETS: &[Target] = &[
    Target {
        name: "linux-x86_64",
        triple: "x86_64-unknown-linux-musl",
        processor: "x86-64",
        linker: None,
        runner: &[],
        is_profiled: true,
        binary: "brier",
        archive: "tar.gz",
    },
    LINUX_AARCH64,
    // The same program: linking for Android's own library needs Google's kit, and a static one needs the kernel alone.
    Target { name: android::NAME, ..LINUX_AARCH64 },
    Target {
        name: "windows-x86_64",
        triple: "x86_64-pc-windows-gnu",
        processor: "x86-64",
        linker: Some(MINGW),
        runner: &["wine"],
        is_profiled: false,
        binary: "brier.exe",
        archive: "zip",
    },
];

impl Target {
    /// The environment variable that names this target's linker to Cargo.
    pub(crate) fn linker_variable(&self) -> String {
        format!("CARGO_TARGET_{}_LINKER", self.triple.to_uppercase().replace('-', "_"))
    }

    /// What building it, trying it and filling its archive takes.
    pub(crate) fn needs(&self) -> Vec<Need> {
        let mut programs: Vec<&str> =
            self.linker.iter().chain(self.runner.first()).copied().collect();
        if self.runner.is_empty() {
            programs.push(trial::OLD_PROCESSORS);
        }
        let profile = if self.is_profiled { profiled::NEEDS } else { &[] };
        needs_of(self.triple, &programs).chain(wasm::NEEDS.iter().chain(profile).copied()).collect()
    }

    /// A call of the binary, through the runner.
    pub(crate) fn call(&self, binary: &str, arguments: &[&str]) -> Command {
        let mut command = run_by(self.runner, binary, arguments);
        if self.name == android::NAME {
            android::log_calls(&mut command);
        }
        command
    }
}

/// A call of a binary through a runner.
pub(crate) fn run_by(runner: &[&str], binary: &str, arguments: &[&str]) -> Command {
    let words: Vec<&str> =
        runner.iter().copied().chain([binary]).chain(arguments.iter().copied()).collect();
    let mut command = shell::program(words[0], &words[1..]);
    // Wine reports every unfinished corner of its own on the error output.
    command.env("WINEDEBUG", "-all");
    let libraries = wine_libraries().to_string_lossy().replace('/', "\\");
    command.env("WINEPATH", format!("Z:{libraries}"));
    command
}

/// Where the trial puts libraries that wine lacks.
pub(crate) fn wine_libraries() -> PathBuf {
    shell::target().join("dist-build").join("wine")
}
