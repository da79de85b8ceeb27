//! A program whose package cannot be installed without removing one of the user's is unpacked into
//! the build folder instead, with the libraries that are missing here. A small script by its name
//! starts it with those libraries.

use std::fs;
use std::path::Path;

use crate::shell::{self, program};

/// Fetches a Debian package and what it depends on, and makes its program startable.
pub(crate) fn unpack(name: &str, package: &str) -> Result<(), String> {
    let folder = shell::unpacked_programs();
    let (archives, root) = (folder.join("archives"), folder.join("root"));
    let failed = |error| format!("cannot unpack {package} in {}: {error}", folder.display());
    // `partial` is what apt-get expects of a folder for archives.
    for folder in [archives.join("partial"), root.clone(), folder.join("bin")] {
        fs::create_dir_all(folder).map_err(failed)?;
    }
    let cache = format!("Dir::Cache::archives={}", archives.display());
    let download = ["install", "--yes", "--download-only", "--no-install-recommends", "-o", &cache];
    shell::run(program("apt-get", &download).arg(package))?;
    for entry in fs::read_dir(&archives).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if path.extension().is_some_and(|extension| extension == "deb") {
            shell::run(program("dpkg-deb", &["--extract"]).args([&path, &root]))?;
        }
    }
    fs::remove_dir_all(&archives).map_err(failed)?;
    let real = ["usr/bin", "usr/games"].map(|folder| root.join(folder).join(name));
    let real = real.iter().find(|path| path.is_file());
    let real = real.ok_or_else(|| format!("expected {name} in the package {package}"))?;
    let script = folder.join("bin").join(name);
    fs::write(&script, starter(real, &root)).map_err(failed)?;
    shell::run(program("chmod", &["+x"]).arg(&script))
}

/// The script that starts a program with the libraries that were unpacked beside it.
fn starter(real: &Path, root: &Path) -> String {
    let triplet = format!("{}-linux-gnu", std::env::consts::ARCH);
    let libraries = ["usr/lib", "lib"].map(|folder| root.join(folder).join(&triplet));
    let [first, second] = libraries.map(|folder| folder.display().to_string());
    format!("#!/bin/sh\nLD_LIBRARY_PATH='{first}:{second}' exec '{}' \"$@\"\n", real.display())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_starter_names_the_program_and_its_libraries() {
        let script = starter(Path::new("unpacked/usr/bin/emulator"), Path::new("unpacked"));
        assert!(script.starts_with("#!/bin/sh\n"), "{script}");
        assert!(script.contains("exec 'unpacked/usr/bin/emulator' \"$@\""), "{script}");
        assert!(script.contains("LD_LIBRARY_PATH='unpacked/usr/lib/"), "{script}");
    }
}
