//! Proves that the embeddable crates build without the standard library.
//!
//! `xtask/no-std-probe` is a `no_std` library with a panic handler of its own that uses
//! those crates without their default features. The standard library brings a panic
//! handler too, and a program may hold only one: if anything pulls `std` in, the probe
//! does not build, on any target. Where a bare-metal target is installed, the probe is
//! checked for that as well.

use crate::shell;

const PROBE: &str = "xtask/no-std-probe/Cargo.toml";
const BARE_TARGETS: &[&str] = &["thumbv7em-none-eabihf", "thumbv6m-none-eabi"];

/// Builds the probe.
pub(crate) fn check() -> Result<(), String> {
    let folder = shell::target().join("no-std-probe");
    let folder = folder.to_string_lossy();
    let build = ["build", "--manifest-path", PROBE, "--target-dir", &folder];
    shell::run(&mut shell::cargo(&build))?;
    for target in BARE_TARGETS.iter().filter(|target| is_installed(target)) {
        let check =
            ["check", "--manifest-path", PROBE, "--target-dir", &folder, "--target", target];
        shell::run(&mut shell::cargo(&check))?;
    }
    Ok(())
}

fn is_installed(target: &str) -> bool {
    let sysroot = shell::output_of(&mut shell::program("rustc", &["--print", "sysroot"]));
    sysroot.is_ok_and(|sysroot| {
        let library = format!("{}/lib/rustlib/{target}/lib", sysroot.trim());
        std::path::Path::new(&library).is_dir()
    })
}
