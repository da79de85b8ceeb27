//! Running programs, finding them, and naming the repository's folders.
//!
//! No shell is involved: arguments go to the program as they are.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The repository's root folder.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask lies in the root").to_path_buf()
}

/// The build folder, as Cargo chose it.
pub(crate) fn target() -> PathBuf {
    match env::var_os("CARGO_TARGET_DIR") {
        Some(folder) => root().join(folder),
        None => root().join("target"),
    }
}

/// The Cargo that started us, to run in the root folder.
pub(crate) fn cargo(arguments: &[&str]) -> Command {
    program(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()), arguments)
}

/// A program to run in the root folder, with [`search_path`] as its `PATH`.
pub(crate) fn program(name: impl AsRef<Path>, arguments: &[&str]) -> Command {
    let mut command = Command::new(name.as_ref());
    command.args(arguments).current_dir(root()).env("PATH", search_path());
    command
}

/// Runs a command whose output goes straight to the user.
pub(crate) fn run(command: &mut Command) -> Result<(), String> {
    let shown = shown(command);
    println!("$ {shown}");
    let status = command.status().map_err(|error| format!("cannot start `{shown}`: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("`{shown}` ended with {status}")) }
}

/// Runs a command and returns what it wrote to its standard output.
pub(crate) fn output_of(command: &mut Command) -> Result<String, String> {
    let shown = shown(command);
    let Output { status, stdout, stderr } =
        command.output().map_err(|error| format!("cannot start `{shown}`: {error}"))?;
    if !status.success() {
        let reason = String::from_utf8_lossy(&stderr);
        return Err(format!("`{shown}` ended with {status}: {}", reason.trim()));
    }
    String::from_utf8(stdout).map_err(|_| format!("`{shown}` wrote something that is not UTF-8"))
}

/// Runs a command and returns what it wrote, to either of its outputs: QEMU's semihosting uses
/// the error output.
pub(crate) fn output_of_both(command: &mut Command) -> Result<String, String> {
    let shown = shown(command);
    let Output { status, stdout, stderr } =
        command.output().map_err(|error| format!("cannot start `{shown}`: {error}"))?;
    let text = [stdout, stderr].concat();
    let text = String::from_utf8_lossy(&text).into_owned();
    if status.success() { Ok(text) } else { Err(format!("`{shown}` ended with {status}: {text}")) }
}

fn shown(command: &Command) -> String {
    let name = Path::new(command.get_program()).file_name().unwrap_or(command.get_program());
    let mut text = name.to_string_lossy().into_owned();
    for argument in command.get_args() {
        text.push(' ');
        text.push_str(&argument.to_string_lossy());
    }
    text
}

/// The full path of a program, if it is installed.
pub(crate) fn find(name: &str) -> Option<PathBuf> {
    env::split_paths(&search_path()).map(|folder| folder.join(name)).find(|path| path.is_file())
}

/// `PATH`, with the tests' Python environment before it, the folder where Debian keeps
/// its chess programs after it, and at last what [`crate::unpack`] has brought.
fn search_path() -> OsString {
    let inherited = env::var_os("PATH").unwrap_or_default();
    let folders = std::iter::once(virtual_environment().join("bin"))
        .chain(env::split_paths(&inherited))
        .chain([Path::new("/usr").join("games"), unpacked_programs().join("bin")]);
    env::join_paths(folders).unwrap_or(inherited)
}

/// Where [`crate::unpack`] keeps its programs.
pub(crate) fn unpacked_programs() -> PathBuf {
    target().join("programs")
}

/// Where [`crate::setup`] keeps the Python packages of the tests.
pub(crate) fn virtual_environment() -> PathBuf {
    target().join("venv")
}

/// A copy of the requirements that [`virtual_environment`] was filled with.
pub(crate) fn installed_requirements() -> PathBuf {
    virtual_environment().join("installed-requirements.txt")
}

/// Whether the environment holds what the requirements file asks for.
pub(crate) fn virtual_environment_is_complete() -> bool {
    let wanted = std::fs::read(root().join(crate::setup::REQUIREMENTS));
    let installed = std::fs::read(installed_requirements());
    wanted.is_ok() && wanted.ok() == installed.ok()
}
