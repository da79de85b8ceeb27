//! Chores of the repository: `cargo xtask help` lists them.
#![expect(clippy::print_stderr, reason = "a command-line tool talks to its user")]

fn main() {
    eprintln!("usage: cargo xtask test");
    std::process::exit(2);
}
