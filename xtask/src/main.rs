//! Chores of the repository: `cargo xtask help` lists them.
//!
//! One module per chore, one row per chore in [`CHORES`]. A chore is a plain function; what
//! several chores share (running programs, finding them, naming folders) lies in [`shell`].
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command-line tool talks to its user"
)]

mod bench_check;
mod browser;
mod crate_edges;
mod deny;
mod dist;
mod fuzz;
mod kernels;
mod latency;
mod licences;
mod memory;
mod miri;
mod need;
mod nightly;
mod no_std;
mod pocket;
mod profiled;
mod python;
mod reproducible;
mod setup;
mod shell;
mod short_clocks;
mod soak;
mod speed;
mod steps;
mod test;
mod threads;
mod torture;
mod unpack;
mod wasm;

use std::process::ExitCode;

/// A thing `cargo xtask` can do.
struct Chore {
    name: &'static str,
    arguments: &'static str,
    about: &'static str,
    run: fn(&[String]) -> Result<(), String>,
}

const CHORES: &[Chore] = &[
    Chore {
        name: "test",
        arguments: "[--full]",
        about: "set up what the tests need, then run every check of the repository",
        run: test::run,
    },
    Chore {
        name: "setup",
        arguments: "[--full]",
        about: "only the set-up: Rust targets, Python environment and programs the tests drive",
        run: test::prepare,
    },
    Chore {
        name: "web",
        arguments: "",
        about: "build the page of brier serve from web/ anew",
        run: |_| browser::build(),
    },
    Chore {
        name: "site",
        arguments: "folder",
        about: "build the page with an engine of its own, as files for any web server",
        run: |arguments| setup::require(wasm::NEEDS).and_then(|()| wasm::site(arguments)),
    },
    Chore {
        name: "test-python",
        arguments: "",
        about: "build the Python package into the tests' environment, and test it",
        run: |_| setup::require(python::NEEDS).and_then(|()| python::test(steps::Depth::Usual)),
    },
    Chore {
        name: "test-wasm",
        arguments: "",
        about: "build the package for browsers and node, and test it in both",
        run: |_| {
            setup::require(wasm::NEEDS).and_then(|()| wasm::test(steps::Depth::Usual).map(drop))
        },
    },
    Chore {
        name: "fastest",
        arguments: "",
        about: "build the fastest binary for this machine's processor, by counts of what a bench runs",
        run: |_| profiled::run(),
    },
    Chore {
        name: "check-edges",
        arguments: "",
        about: "compare the crates' dependencies with the table in ARCHITECTURE.md",
        run: |_| crate_edges::check(),
    },
    Chore {
        name: "check-bench",
        arguments: "[--release]",
        about: "compare `brier bench` with the newest `Bench:` line of the history",
        run: bench_check::run,
    },
    Chore {
        name: "check-no-std",
        arguments: "",
        about: "prove that the embeddable crates build without the standard library",
        run: |_| setup::require(no_std::NEEDS).and_then(|()| no_std::check()),
    },
    Chore {
        name: "check-licences",
        arguments: "",
        about: "compare the licences and sources of all dependencies with what may be used",
        run: |_| licences::check(),
    },
    Chore {
        name: "deny",
        arguments: "",
        about: "licences, sources, versions and known faults of all dependencies, by cargo-deny",
        run: |_| setup::require(deny::NEEDS).and_then(|()| deny::run()),
    },
    Chore {
        name: "check-threads",
        arguments: "",
        about: "stop and ponder under loom, searches under the thread sanitizer (nightly)",
        run: |_| setup::require(threads::NEEDS).and_then(|()| threads::check()),
    },
    Chore {
        name: "miri",
        arguments: "",
        about: "rules, scores, hash table and pocket engine under Miri (nightly)",
        run: |_| setup::require(miri::NEEDS).and_then(|()| miri::check()),
    },
    Chore {
        name: "reproducible",
        arguments: "",
        about: "build the newest commit in two folders and compare the binaries",
        run: |_| reproducible::check(),
    },
    Chore {
        name: "torture",
        arguments: "",
        about: "make faults of the system (disk, memory, kill) around the real binary",
        run: |_| torture::run(),
    },
    Chore {
        name: "fuzz",
        arguments: "[seconds] [target …]",
        about: "run every parser under libFuzzer with the address sanitizer (nightly compiler)",
        run: |arguments| setup::require(fuzz::NEEDS).and_then(|()| fuzz::run(arguments)),
    },
    Chore {
        name: "latency",
        arguments: "[rounds [busy threads]]",
        about: "how long `stop` takes, against Debian's Stockfish, in turns",
        run: latency::run,
    },
    Chore {
        name: "short-clocks",
        arguments: "[games] [time control]",
        about: "losses on time against Debian's Stockfish, and when the machine stood still",
        run: short_clocks::run,
    },
    Chore {
        name: "soak",
        arguments: "[minutes] [clients] [pause]",
        about: "ask brier serve for an hour, with abuse; its memory and its answers' times",
        run: soak::run,
    },
    Chore {
        name: "dist",
        arguments: "[system …]",
        about: "make archives for other systems, each tried before it is packed, and the pocket engine as C",
        run: dist::run,
    },
    Chore {
        name: "speed",
        arguments: "[rounds]",
        about: "perft against Debian's Stockfish, in turns",
        run: speed::run,
    },
    Chore {
        name: "pocket-arm",
        arguments: "[--all-targets]",
        about: "run the pocket engine on an emulated Cortex-M and check its budgets",
        run: pocket::arm::run,
    },
    Chore {
        name: "pocket-c",
        arguments: "",
        about: "translate the pocket engine to C; compare compilers and an emulated eZ80",
        run: |_| setup::require(pocket::c::NEEDS).and_then(|()| pocket::c::run()),
    },
    Chore {
        name: "ez80",
        arguments: "",
        about: "run the pocket engine on an emulated eZ80 and check its budgets",
        run: |_| setup::require(pocket::c::EZ80_NEEDS).and_then(|()| pocket::c::ez80()),
    },
];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some((name, rest)) = arguments.split_first() else {
        eprint!("{}", usage());
        return ExitCode::from(2);
    };
    if matches!(name.as_str(), "help" | "--help" | "-h") {
        print!("{}", usage());
        return ExitCode::SUCCESS;
    }
    let Some(chore) = CHORES.iter().find(|chore| chore.name == name) else {
        eprintln!("xtask: expected the name of a chore, got `{name}`\n\n{}", usage());
        return ExitCode::from(2);
    };
    match (chore.run)(rest) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("xtask {name}: {message}");
            ExitCode::FAILURE
        }
    }
}

fn usage() -> String {
    let mut text = String::from("usage: cargo xtask <chore>\n\n");
    for chore in CHORES {
        let call = format!("{} {}", chore.name, chore.arguments);
        text.push_str(&format!("  {call:<24} {}\n", chore.about));
    }
    text
}
