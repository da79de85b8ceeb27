//! `cargo xtask pocket-arm`: the pocket engine on an emulated Cortex-M, with its budgets.
//!
//! Builds the bare-metal image of `embedded/firmware`, runs it in QEMU, compares every line with
//! the desktop's, and holds RAM, stack, code and instructions per node to their limits.

use std::path::{Path, PathBuf};

use super::{TARGETS, check_limits, expected, linker, measured, without_measures};
use crate::need::Need;
use crate::{setup, shell};

/// Static state and stack together, in bytes.
const RAM_LIMIT: u64 = 46 * 1024;
/// The stack alone: a calculator gives about four kilobytes.
const STACK_LIMIT: u64 = 4 * 1024;
/// Code and tables without book and KPK at `opt-level = "z"`, for every target.
const FLASH_LIMIT: u64 = 32 * 1024;
/// The first figure was 11,867 instructions a node; the limit only goes down.
const INSTRUCTIONS_LIMIT: u64 = 8_900;

/// What the run on the emulator needs.
pub(crate) const NEEDS: &[Need] = &[
    Need::Target(TARGETS[0]),
    Need::Program { name: "qemu-system-arm", package: "qemu-system-arm" },
];

/// What building the C library for every target needs.
pub(crate) const LIBRARY_NEEDS: &[Need] =
    &[Need::Target(TARGETS[0]), Need::Target(TARGETS[1]), Need::Target(TARGETS[2])];

/// The chore `pocket-arm`: with `--all-targets` the C library is built for each of [`TARGETS`]
/// too.
pub(crate) fn run(arguments: &[String]) -> Result<(), String> {
    match arguments {
        [] => {}
        [flag] if flag == "--all-targets" => {
            setup::require(LIBRARY_NEEDS)?;
            libraries(&EXTRAS)?;
        }
        other => {
            return Err(format!("expected nothing or --all-targets, got `{}`", other.join(" ")));
        }
    }
    setup::require(NEEDS)?;
    check()
}

/// Builds, runs, compares and measures.
pub(crate) fn check() -> Result<(), String> {
    let script = shell::root().join("embedded/firmware/memory.x");
    let lld = linker()?;
    let flags = [
        format!("-Clink-arg=-T{}", script.display()),
        format!("-Clinker={}", lld.display()),
        "-Clinker-flavor=ld.lld".to_string(),
    ];
    let target = TARGETS[0];
    build("embedded/firmware", target, &[], &flags)?;
    let image = target_folder().join(target).join("release/firmware");
    let mut qemu = shell::program("qemu-system-arm", &[]);
    qemu.args(["-M", "mps2-an385", "-cpu", "cortex-m3", "-icount", "shift=0", "-nographic"]);
    qemu.args(["-monitor", "none", "-serial", "none"]);
    qemu.args(["-semihosting-config", "enable=on,target=native", "-kernel"]).arg(&image);
    let said = shell::output_of_both(&mut qemu)?;
    let found = without_measures(&said);
    let wanted = expected("full")?;
    if found != wanted {
        return Err(format!("the image printed\n{found}expected\n{wanted}"));
    }
    print!("{wanted}");
    println!("Cortex-M and desktop agree in every line");
    budgets(&said, memory(&image)?.0)
}

/// Compares what the image measured with the limits, as a table of parts.
fn budgets(said: &str, flash: u32) -> Result<(), String> {
    let stack = measured(said, "stack high water")?;
    let state = measured(said, "static RAM of the engine")?;
    check_limits(&[
        ("static state", state, RAM_LIMIT),
        ("stack", stack, STACK_LIMIT),
        ("state and stack", state + stack, RAM_LIMIT),
        ("code and tables", u64::from(flash), FLASH_LIMIT),
        ("instructions a node", measured(said, "instructions per node")?, INSTRUCTIONS_LIMIT),
    ])
}

fn target_folder() -> PathBuf {
    shell::target().join("firmware")
}

/// What can be built into the library; its size has limits without it.
pub(crate) const EXTRAS: [&str; 3] = ["book", "kpk", "book,kpk"];

/// Builds the C library for every target, plain and with each of `extras`, and links it whole: that
/// fails if it needs anything from outside. Prints the sizes and checks those of the plain one.
pub(crate) fn libraries(extras: &[&str]) -> Result<(), String> {
    let lld = linker()?;
    let header = shell::root().join("crates/pocket-ffi/include/engine.h");
    let header = std::fs::read_to_string(&header)
        .map_err(|e| format!("cannot read {}: {e}", header.display()))?;
    let functions = declared_functions(&header);
    let mut limits = Vec::new();
    let mut table =
        format!("{:<30} {:<10} {:>15} {:>8}\n", "library for", "with", "code+tables", "state");
    for target in TARGETS {
        for features in [""].iter().chain(extras) {
            // Lets the linker shorten calls to what is near; other processors ignore it.
            let relax = "-Ctarget-feature=+relax".to_string();
            let flags = if target.starts_with("riscv") { vec![relax] } else { vec![] };
            build("crates/pocket-ffi", target, &["--features", features], &flags)?;
            let folder = target_folder().join(target).join("release");
            let linked = folder.join("pocket-linked");
            let mut link = shell::program(&lld, &["-flavor", "gnu", "--gc-sections"]);
            link.args(["--no-undefined", "--entry", "engine_init", "-o"]).arg(&linked);
            link.arg("-T").arg(shell::root().join("embedded/c/no-unwind.ld"));
            link.args(functions.iter().map(|name| format!("--undefined={name}")));
            shell::output_of(link.arg(folder.join("libpocket_ffi.a")))?;
            let (fixed, written) = memory(&linked)?;
            if features.is_empty() {
                limits.push((target, u64::from(fixed), FLASH_LIMIT));
                limits.push((target, u64::from(written), RAM_LIMIT));
            }
            let name = if features.is_empty() { &"-" } else { features };
            table += &format!("{target:<30} {name:<10} {fixed:>15} {written:>8}\n");
        }
    }
    print!("{table}");
    check_limits(&limits)
}

/// The functions that a C header declares: names before a bracket, outside of comments.
fn declared_functions(header: &str) -> Vec<String> {
    let mut names = Vec::new();
    for line in header.lines().filter(|line| !line.starts_with([' ', '*', '/', '#'])) {
        let Some((before, _)) = line.split_once('(') else { continue };
        let name = before.rsplit([' ', '*']).next().unwrap_or_default();
        if name.starts_with("engine_") {
            names.push(name.to_string());
        }
    }
    names
}

/// Builds one package, as small as it gets, with more arguments for Cargo and flags for the
/// package itself.
fn build(folder: &str, target: &str, arguments: &[&str], flags: &[String]) -> Result<(), String> {
    let manifest = shell::root().join(folder).join("Cargo.toml");
    let mut cargo = shell::cargo(&["rustc", "--release", "--target", target]);
    cargo.args(["--config", "profile.release.opt-level='z'"]).args(arguments);
    cargo.arg("--manifest-path").arg(manifest);
    cargo.arg("--target-dir").arg(target_folder()).arg("--").args(flags);
    shell::run(cargo.env_remove("RUSTFLAGS"))
}

/// Bytes of an ELF file that are loaded: those that are only read, and those that are written.
fn memory(image: &Path) -> Result<(u32, u32), String> {
    let bytes =
        std::fs::read(image).map_err(|e| format!("cannot read {}: {e}", image.display()))?;
    let word = |at: usize| -> Option<u32> {
        Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
    };
    let half = |at: usize| -> Option<u16> {
        Some(u16::from_le_bytes(bytes.get(at..at + 2)?.try_into().ok()?))
    };
    // ELF32: section headers at e_shoff, of e_shentsize, e_shnum of them.
    let sum = || -> Option<(u32, u32)> {
        let (at, size, count) = (word(0x20)?, half(0x2E)?, half(0x30)?);
        let (mut fixed, mut written) = (0, 0);
        for i in 0..u32::from(count) {
            let header = (at + i * u32::from(size)) as usize;
            let (flags, length) = (word(header + 8)?, word(header + 20)?);
            // In memory (2); writable (1).
            match (flags & 2 != 0, flags & 1 != 0) {
                (true, true) => written += length,
                (true, false) => fixed += length,
                _ => {}
            }
        }
        Some((fixed, written))
    };
    sum().ok_or_else(|| format!("expected an ELF file, got {}", image.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_header_names_its_functions() {
        let header = "/* engine_no(): a comment */\n#define ENGINE_X 1 /* engine_no() */\n\
                      uint8_t engine_a(uint8_t x,\n                 uint8_t y);\nvoid *engine_b(void);\n";
        assert_eq!(declared_functions(header), ["engine_a", "engine_b"]);
    }
}
