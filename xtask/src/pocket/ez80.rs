//! `cargo xtask pocket-ez80`: the pocket engine on the calculator's kind of processor.
//!
//! There is no Rust compiler for the eZ80, so the engine goes by way of C: rustc writes LLVM IR
//! for a processor with 16-bit addresses, `tools/ir-to-c` turns it into C99, SDCC compiles that for
//! the eZ80 in its 16-bit mode, and `tools/ez80-run` runs it. The same C, compiled for the desktop,
//! and the Rust engine itself must print exactly the same text.
//!
//! What this proves: the engine's code needs no more than 16-bit addresses and finds the same
//! moves there, in so many cycles of an emulated processor. What it does not: anything about a
//! real calculator, its operating system, its memory's true speed, or 24-bit mode.
//!
//! No 24-bit compiler is at hand. What can be checked without one is: the translator refuses
//! what depends on a pointer's width, the same C runs with `int` and pointers of 16 bits and of
//! 32 and 64 bits, and the desktop's run stops at the first overflow of an `int` or a pointer
//! and at the first shift by too much.

use std::fs;
use std::path::{Path, PathBuf};

use super::{expected, measured, tool, without_measures};
use crate::need::{CC, Need};
use crate::shell;

/// The nodes that `pocket::proof::SMALL` searches.
const NODES: u64 = 6 * 600;

/// The C compilers for both sides, and the source of `core`: rustup has no library for a
/// processor with 16-bit addresses.
pub(crate) const NEEDS: &[Need] =
    &[Need::RustSource, CC, Need::Program { name: "sdcc", package: "sdcc" }];

/// Translates, compiles, runs and compares.
pub(crate) fn run() -> Result<(), String> {
    let folder = shell::target().join("ez80");
    fs::create_dir_all(&folder).map_err(|e| format!("cannot create {}: {e}", folder.display()))?;
    let (source, constants) = translate_engine(&folder)?;
    let wanted = expected("small")?;
    check_on_desktop(&folder, &source, &wanted)?;
    let (image, sizes) = compile(&folder, &source)?;
    let mut run = tool("ez80-run");
    let said = shell::output_of(run.arg(&image).arg(format!("{:#x}", sizes.end)))?;
    let found = without_measures(&said);
    if found != wanted {
        return Err(format!("the eZ80 printed\n{found}expected\n{wanted}"));
    }
    print!("{wanted}");
    println!("eZ80, desktop C and desktop Rust agree in every line");
    let calculator = measured(&said, "cycles with wait states")? / NODES;
    let rows = [
        ("code, bytes", u64::from(sizes.code - constants)),
        ("tables, bytes", u64::from(constants)),
        ("static state, bytes", u64::from(sizes.data)),
        ("stack high water, bytes", measured(&said, "stack")?),
        ("cycles a node", measured(&said, "cycles")? / NODES),
        ("the same with wait states", calculator),
        ("nodes a second at 48 MHz", 48_000_000 / calculator.max(1)),
    ];
    for (name, value) in rows {
        println!("{name:<26} {value:>8}");
    }
    println!("the C is {}", source.display());
    Ok(())
}

/// Writes the engine's C; the number is the bytes of its tables.
fn translate_engine(folder: &Path) -> Result<(PathBuf, u32), String> {
    let manifest = shell::root().join("embedded/ez80/Cargo.toml");
    let arguments = [
        "rustc",
        "--release",
        "--lib",
        "--target=msp430-none-elf",
        "-Zbuild-std=core",
        "--manifest-path",
        &manifest.to_string_lossy(),
        "--target-dir",
        &folder.to_string_lossy(),
        "--",
        "--emit=llvm-ir",
        "-Cdebuginfo=0",
    ];
    let mut cargo = shell::cargo(&arguments);
    // rustup has no built `core` for this target, and building one needs the switch that is
    // otherwise for nightly compilers.
    shell::run(cargo.env("RUSTC_BOOTSTRAP", "1").env_remove("RUSTFLAGS"))?;
    let deps = folder.join("msp430-none-elf/release/deps");
    let ir = newest(&deps, "ez80_export", "ll")?;
    let source = folder.join("pocket.c");
    let said = shell::output_of(tool("ir-to-c").arg(&ir).arg(&source))?;
    let bytes = said.trim().strip_prefix("constant bytes ").and_then(|n| n.parse().ok());
    Ok((source, bytes.ok_or_else(|| format!("expected the bytes of the constants, got `{said}`"))?))
}

/// The newest file in a folder whose name starts and ends so.
fn newest(folder: &Path, start: &str, extension: &str) -> Result<PathBuf, String> {
    let entries =
        fs::read_dir(folder).map_err(|e| format!("cannot list {}: {e}", folder.display()))?;
    let mut found: Vec<_> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            name.starts_with(start) && path.extension().is_some_and(|e| e == extension)
        })
        .collect();
    found.sort_by_key(|path| fs::metadata(path).and_then(|m| m.modified()).ok());
    found.pop().ok_or_else(|| format!("expected {start}*.{extension} in {}", folder.display()))
}

/// Compiles the C for this machine, where pointers have 64 bits, and compares what it prints:
/// optimised, and with a stop at the first thing that C leaves undefined.
fn check_on_desktop(folder: &Path, source: &Path, wanted: &str) -> Result<(), String> {
    const STRICT: [&str; 3] = ["-O1", "-fsanitize=undefined", "-fno-sanitize-recover=all"];
    let main = shell::root().join("embedded/ez80/host/main.c");
    for (name, flags) in [("pocket-desktop", &["-O2"][..]), ("pocket-strict", &STRICT)] {
        let program = folder.join(name);
        let mut gcc = shell::program("cc", &["-std=c99", "-Wall", "-Wextra", "-Wno-unused"]);
        shell::run(gcc.args(flags).arg(&main).arg(source).arg("-o").arg(&program))?;
        let said = shell::output_of(&mut shell::program(&program, &[]))?;
        if said != wanted {
            return Err(format!("{name} printed\n{said}expected\n{wanted}"));
        }
    }
    Ok(())
}

/// What SDCC made, in bytes.
struct Sizes {
    /// Code and tables.
    code: u32,
    /// What is written.
    data: u32,
    /// The first byte after everything.
    end: u32,
}

/// Compiles for the eZ80 and links.
fn compile(folder: &Path, source: &Path) -> Result<(PathBuf, Sizes), String> {
    let host = shell::root().join("embedded/ez80/host");
    let file = |name: &str| folder.join(name).to_string_lossy().into_owned();
    let path = |p: &Path| p.to_string_lossy().into_owned();
    let (crt0, main) = (path(&host.join("crt0.s")), path(&host.join("main.c")));
    let (start_object, main_object) = (file("crt0.rel"), file("main.rel"));
    let (engine_object, image) = (file("pocket.rel"), file("pocket.ihx"));
    let source = path(source);
    shell::run(&mut shell::program("sdasz80", &["-l", "-o", &start_object, &crt0]))?;
    const SDCC: [&str; 2] = ["-mez80_z80", "--std-c99"];
    let sdcc = |arguments: &[&str]| shell::run(shell::program("sdcc", &SDCC).args(arguments));
    sdcc(&["-c", &main, "-o", &main_object])?;
    sdcc(&["--max-allocs-per-node", "1000", "-c", &source, "-o", &engine_object])?;
    let object = fs::read_to_string(&engine_object).map_err(|e| format!("no object: {e}"))?;
    let area = |name: &str| -> u32 {
        let line = object.lines().find(|l| l.starts_with(&format!("A {name} ")));
        let size = line.and_then(|l| l.split_whitespace().nth(3));
        size.and_then(|s| u32::from_str_radix(s, 16).ok()).unwrap_or(0)
    };
    let (code, data) = (area("_CODE"), area("_DATA"));
    // The code starts low; what it leaves is for the data, then the stack.
    let data_at = (0x40 + code + 0x600).next_multiple_of(0x100);
    let end = data_at + data;
    if end + 0x600 > 0x1_0000 {
        return Err(format!("expected room for 1.5 KB of stack, but data ends at {end:#x}"));
    }
    let data_at = format!("{data_at:#x}");
    sdcc(&[
        "--no-std-crt0",
        "--code-loc",
        "0x40",
        "--data-loc",
        &data_at,
        "-o",
        &image,
        &start_object,
        &main_object,
        &engine_object,
    ])?;
    Ok((image.into(), Sizes { code, data, end }))
}
