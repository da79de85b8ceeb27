//! Which system calls the program makes in its trial: Android ends an app that makes one outside its list.
//!
//! The emulator writes them down, one file for each process.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use crate::shell;

/// The archive.
pub(super) const NAME: &str = "android-aarch64";

/// The calls that we make or may make, all of which Android's filter for apps lets through
/// (bionic's `SYSCALLS.TXT`, `SECCOMP_ALLOWLIST_COMMON.TXT` and `SECCOMP_ALLOWLIST_APP.TXT` of March 2025).
const ALLOWED: &[&str] = &[
    "accept4",
    "bind",
    "brk",
    "clock_gettime",
    "clone",
    "close",
    "exit",
    "exit_group",
    "fcntl",
    "fstat",
    "fsync",
    "futex",
    "getcwd",
    "getpid",
    "getrandom",
    "getsockname",
    "gettid",
    "ioctl",
    "listen",
    "lseek",
    "madvise",
    "mkdirat",
    "mmap",
    "mprotect",
    "mremap",
    "munmap",
    "nanosleep",
    "newfstatat",
    "openat",
    "ppoll",
    "prctl",
    "read",
    "readlinkat",
    "readv",
    "recvfrom",
    "renameat",
    "rt_sigaction",
    "rt_sigprocmask",
    "sched_getaffinity",
    "sched_yield",
    "sendto",
    "set_tid_address",
    "setsockopt",
    "shutdown",
    "sigaltstack",
    "socket",
    "statx",
    "unlinkat",
    "write",
    "writev",
];

fn folder() -> PathBuf {
    shell::target().join("dist-build").join("calls")
}

/// Lets the emulator write down the calls of this process.
pub(super) fn log_calls(command: &mut Command) {
    // It puts the number of the process in the place of `%d`.
    command.env("QEMU_STRACE", "1").env("QEMU_LOG_FILENAME", folder().join("%d"));
}

/// Begins anew.
pub(super) fn forget_calls() -> Result<(), String> {
    let folder = folder();
    let failed = |error| format!("{}: {error}", folder.display());
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(failed)?;
    }
    fs::create_dir_all(&folder).map_err(failed)
}

/// Fails if a call was made that an app may not make, or if none was written down.
pub(super) fn check_calls() -> Result<(), String> {
    let folder = folder();
    let failed = |error| format!("{}: {error}", folder.display());
    let mut made = BTreeSet::new();
    for entry in fs::read_dir(&folder).map_err(failed)?.flatten() {
        let text = fs::read(entry.path()).map_err(failed)?;
        made.extend(String::from_utf8_lossy(&text).lines().filter_map(call).map(str::to_owned));
    }
    let names: Vec<&str> = made.iter().map(String::as_str).collect();
    println!("system calls: {}", names.join(" "));
    let refused: Vec<&str> = names.iter().copied().filter(|name| !ALLOWED.contains(name)).collect();
    match (names.contains(&"write"), refused.is_empty()) {
        (true, true) => Ok(()),
        (false, _) => Err("expected a record of system calls, got none of a write".to_owned()),
        _ => Err(format!("expected calls that Android allows, got {}", refused.join(", "))),
    }
}

/// The name in a line such as `5242 openat(AT_FDCWD,…`.
fn call(line: &str) -> Option<&str> {
    let (process, rest) = line.split_once(' ')?;
    let (name, _) = rest.split_once('(')?;
    let is_name = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    (process.parse::<u32>().is_ok() && is_name).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::call;

    #[test]
    fn the_name_of_a_call_is_found_in_a_line_of_the_record() {
        assert_eq!(call("5242 openat(AT_FDCWD,\"a (b\",O_RDONLY) = 3"), Some("openat"));
        assert_eq!(call(" = 0"), None);
        assert_eq!(call("the end (of it)"), None);
    }
}
