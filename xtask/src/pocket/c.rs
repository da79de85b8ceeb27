//! `cargo xtask pocket-c`: the pocket engine as one C file, on the desktop and on an emulated eZ80.
//!
//! There is no Rust compiler for the eZ80, so the engine goes by way of C: rustc writes LLVM IR
//! for a processor with 16-bit addresses, and `tools/ir-to-c` turns it into C99 between the two
//! halves of `embedded/c` that are written by hand. `embedded/c/proof.c`, which uses `engine.h`
//! alone, must then print the same text with the Rust library, with that C under each compiler,
//! under sanitizers and with an `int` of 24 bits.
//!
//! The emulated eZ80 in its 16-bit mode has 64 KB, which do not hold all of `engine.h`: there the
//! smaller `embedded/ez80` is translated in the same way, compiled by SDCC, shortened by
//! `tools/ez80-tidy`, run by `tools/ez80-run`, and compared with `pocket::proof` on the desktop.
//!
//! What this does not prove: anything about a real calculator, its operating system or its
//! memory's true speed.

use std::fs;
use std::path::{Path, PathBuf};

use super::{check_limits, expected, library, measured, tool, without_measures};
use crate::need::Need;
use crate::{setup, shell};

/// The nodes that `pocket::proof::SMALL` searches.
const NODES: u64 = 6 * 600;

/// What the engine may take on the eZ80. Each limit only goes down. The cycles were 64,124 and
/// 237,720 at first.
const CODE_AND_TABLES: u64 = 32 * 1024;
const STATE: u64 = 15_000;
/// With the full table of 32 KB in place of the small one of 4 KB: this is not run, there is no room.
const FULL_STATE: u64 = 46 * 1024;
const TABLES: [u64; 2] = [4 * 1024, 32 * 1024];
const STACK: u64 = 768;
const CYCLES: u64 = 38_500;
const CYCLES_WITH_WAIT_STATES: u64 = 142_000;

/// The file with the full table, and the one for machines with 64 KB in all: name, features of
/// `brier-pocket-ffi`, and the flag of `proof.c`.
const FILES: [(&str, &str, &[&str]); 2] =
    [("pocket.c", "c-export", &[]), ("pocket-small.c", "c-export,small-table", &["-DPROOF_SMALL"])];

/// Compilers of the desktop with their flags: each must be silent.
const STRICT: [&str; 5] = ["-std=c99", "-Wall", "-Wextra", "-pedantic", "-Werror"];
const SANITIZED: [&str; 4] =
    ["-O1", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"];
/// The eZ80's `int` has 24 bits: so has C's own widening with this macro, and an overflow of it
/// stops the program, by a trap: that needs no library of the compiler's, which is a package of its own.
const INT24: [&str; 5] =
    ["-std=c23", "-O1", "-DPOCKET_INT24", "-fsanitize=undefined", "-fsanitize-trap=all"];

/// The source of `core` (rustup has no library for a processor with 16-bit addresses) and the C
/// compilers. Clang 19 knows `_BitInt`, which Debian's default does not in C.
pub(crate) const NEEDS: &[Need] = &[
    Need::RustSource,
    Need::Program { name: "gcc", package: "gcc" },
    Need::Program { name: "tcc", package: "tcc" },
    Need::Program { name: CLANG, package: CLANG },
    Need::Program { name: "sdcc", package: "sdcc" },
];
const CLANG: &str = "clang-19";

/// What of that the emulated eZ80 needs.
pub(crate) const EZ80_NEEDS: &[Need] =
    &[Need::RustSource, Need::Program { name: "sdcc", package: "sdcc" }];

/// Translates, compiles, runs and compares.
pub(crate) fn run() -> Result<(), String> {
    desktop()?;
    ez80()
}

/// The whole of `engine.h` in C, by the compilers of this machine.
pub(crate) fn desktop() -> Result<(), String> {
    let folder = shell::target().join("pocket-c");
    write_files(&folder)?;
    for (name, features, flags) in FILES {
        let wanted = with_rust(&folder, features, flags)?;
        on_desktop(&folder, name, flags, &wanted)?;
        silent_sdcc(&folder, name)?;
    }
    Ok(())
}

/// Writes the C engine for others to take, and tries whether its example can be made.
pub(crate) fn dist(folder: &Path) -> Result<(), String> {
    setup::require(&[Need::RustSource])?;
    write_files(folder)?;
    ["chess", "clean"]
        .into_iter()
        .try_for_each(|what| shell::run(shell::program("make", &[what]).current_dir(folder)))
}

/// The files that are copied as they are, from the repository's root.
const COPIED: [(&str, &str); 8] = [
    ("crates/pocket-ffi/include/engine.h", "engine.h"),
    ("embedded/c/platform.h", "platform.h"),
    ("embedded/c/Makefile", "Makefile"),
    ("embedded/c/README.md", "README.md"),
    ("embedded/c/proof.c", "proof.c"),
    ("embedded/c/ti84ce.c", "ti84ce.c"),
    ("crates/pocket-ffi/examples/host.c", "host.c"),
    ("LICENSE-MIT", "LICENSE-MIT"),
];

/// Writes everything a user of the C engine needs into a folder.
fn write_files(folder: &Path) -> Result<(), String> {
    fs::create_dir_all(folder).map_err(|e| format!("cannot create {}: {e}", folder.display()))?;
    for (from, to) in COPIED.into_iter().chain([("LICENSE-APACHE", "LICENSE-APACHE")]) {
        fs::copy(shell::root().join(from), folder.join(to))
            .map_err(|e| format!("cannot copy {from} to {}: {e}", folder.display()))?;
    }
    for (name, features, _) in FILES {
        let arguments = ["--package", "brier-pocket-ffi", "--features", features];
        translate(&arguments, "pocket_ffi", "embedded/c", &folder.join(name))?;
    }
    Ok(())
}

/// Translates a library to a C file, between the `before.c` and `after.c` of a folder.
fn translate(package: &[&str], library: &str, around: &str, output: &Path) -> Result<(), String> {
    // A folder for each output: the file's name does not tell features apart.
    let build = shell::target().join("c-export").join(output.file_stem().unwrap_or_default());
    let mut cargo = shell::cargo(&["rustc", "--release", "--lib", "-Zbuild-std=core"]);
    cargo.args(package).args(["--crate-type", "staticlib", "--target", "msp430-none-elf"]);
    cargo.args(["--config", "profile.release.opt-level='z'", "--target-dir"]).arg(&build);
    cargo.args(["--", "--emit=llvm-ir", "-Cdebuginfo=0"]);
    // rustup has no built `core` for this target, and building one needs the switch that is
    // otherwise for nightly compilers.
    shell::run(cargo.env("RUSTC_BOOTSTRAP", "1").env_remove("RUSTFLAGS"))?;
    let ir = newest(&build.join("msp430-none-elf/release/deps"), library, "ll")?;
    let around = shell::root().join(around);
    let mut tool = tool("ir-to-c");
    tool.arg(&ir).arg(output).arg(around.join("before.c")).arg(around.join("after.c"));
    print!("{}: {}", output.display(), shell::output_of(&mut tool)?);
    Ok(())
}

/// What `proof.c` prints with the Rust library.
fn with_rust(folder: &Path, features: &str, flags: &[&str]) -> Result<String, String> {
    let archive = library(if features.contains("small") { "small-table" } else { "" })?;
    let program = folder.join("proof-rust");
    let mut gcc = shell::program("gcc", &STRICT);
    gcc.args(flags).arg("-I").arg(folder).arg(folder.join("proof.c")).arg(archive);
    shell::run(gcc.args(["-lpthread", "-ldl", "-lm", "-o"]).arg(&program))?;
    shell::output_of(&mut shell::program(&program, &[]))
}

/// Compiles the C with each compiler of this machine and compares what it prints.
fn on_desktop(folder: &Path, name: &str, flags: &[&str], wanted: &str) -> Result<(), String> {
    let builds: [(&str, &[&str], &[&str]); 5] = [
        ("gcc", &STRICT, &["-O2"]),
        (CLANG, &STRICT, &["-O2"]),
        ("tcc", &STRICT, &[]),
        ("gcc", &STRICT, &SANITIZED),
        (CLANG, &[], &INT24),
    ];
    for (compiler, strict, more) in builds {
        let program = folder.join("proof-c");
        let mut build = shell::program(compiler, strict);
        build.args(more).args(flags).arg(folder.join("proof.c")).arg(folder.join(name));
        shell::run(build.arg("-o").arg(&program))?;
        let said = shell::output_of(&mut shell::program(&program, &[]))?;
        if said != wanted {
            return Err(format!("{name} printed\n{said}expected\n{wanted}"));
        }
    }
    println!("{name}: gcc, clang, tcc, sanitizers and a 24-bit int agree with Rust in every line");
    Ok(())
}

/// How many ways to use the registers SDCC tries at a time. From 1,000 to 5,000 code and tables get 3 %
/// smaller and 7 % faster, and compiling takes three times as long.
const ALLOCATIONS: &str = "5000";

/// SDCC's target and language.
const SDCC: [&str; 3] = ["-mez80_z80", "--std-c99", "--Werror"];

/// Compiles a file with SDCC, which must be silent.
fn silent_sdcc(folder: &Path, name: &str) -> Result<(), String> {
    let mut sdcc = shell::program("sdcc", &SDCC);
    sdcc.args(["--max-allocs-per-node", "10", "-c"]).arg(folder.join(name));
    shell::run(sdcc.arg("-o").arg(folder.join("sdcc.rel")))
}

/// Runs the proof on the emulated eZ80 and checks what it takes.
pub(crate) fn ez80() -> Result<(), String> {
    let folder = &shell::target().join("pocket-c/ez80");
    fs::create_dir_all(folder).map_err(|e| format!("cannot create {}: {e}", folder.display()))?;
    let manifest = ["--manifest-path", "embedded/ez80/Cargo.toml"];
    let source = folder.join("ez80.c");
    translate(&manifest, "ez80_export", "embedded/ez80/host", &source)?;
    let (image, sizes) = compile(folder, &source)?;
    let mut run = tool("ez80-run");
    let said = shell::output_of(run.arg(&image).arg(format!("{:#x}", sizes.end)))?;
    let (found, wanted) = (without_measures(&said), expected("small")?);
    if found != wanted {
        return Err(format!("the eZ80 printed\n{found}expected\n{wanted}"));
    }
    println!("the emulated eZ80 agrees with Rust in every line");
    let calculator = measured(&said, "cycles with wait states")? / NODES;
    println!("nodes a second at 48 MHz with wait states: {}", 48_000_000 / calculator.max(1));
    check_limits(&[
        ("eZ80: code and tables", u64::from(sizes.code), CODE_AND_TABLES),
        ("eZ80: static state", u64::from(sizes.data), STATE),
        (
            "eZ80: the same with the full table",
            u64::from(sizes.data) - TABLES[0] + TABLES[1],
            FULL_STATE,
        ),
        ("eZ80: stack", measured(&said, "stack")?, STACK),
        ("eZ80: cycles a node", measured(&said, "cycles")? / NODES, CYCLES),
        ("eZ80: the same with wait states", calculator, CYCLES_WITH_WAIT_STATES),
    ])
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
    let crt0 = path(&host.join("crt0.s"));
    let (assembly, tidied) = (file("ez80.asm"), file("tidied.asm"));
    let (start_object, engine_object, image) =
        (file("crt0.rel"), file("ez80.rel"), file("ez80.ihx"));
    let assemble = |from: &str, to: &str| {
        shell::run(&mut shell::program("sdasz80", &["-g", "-l", "-o", to, from]))
    };
    assemble(&crt0, &start_object)?;
    let sdcc = |arguments: &[&str]| shell::run(shell::program("sdcc", &SDCC).args(arguments));
    sdcc(&[
        "--opt-code-size",
        "--max-allocs-per-node",
        ALLOCATIONS,
        "-S",
        &path(source),
        "-o",
        &assembly,
    ])?;
    shell::run(tool("ez80-tidy").args([&assembly, &tidied]))?;
    assemble(&tidied, &engine_object)?;
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
        &engine_object,
    ])?;
    Ok((image.into(), Sizes { code, data, end }))
}
