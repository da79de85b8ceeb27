//! Everything that reads bytes from outside, and what must hold whatever they are.
//!
//! A target is a function that takes any bytes and panics if a promise is broken: [`TARGETS`] is
//! the list, one row for each format. Two drivers feed them. [`mutate`] changes the examples in
//! `fuzz/seeds` at random, always in the same way; it needs nothing but a stable compiler and runs
//! with the tests. libFuzzer (`fuzz/`, a nightly compiler) looks for inputs that reach new code;
//! `cargo xtask fuzz` starts it.

mod binaries;
pub mod mutate;
mod session;
mod texts;
mod train;
mod web;

// The calls of the C interface are also a test of its own.
#[path = "../../pocket-ffi/tests/support/calls.rs"]
mod calls;

/// A reader of bytes from outside.
pub struct Target {
    /// Its name, and that of its folder in `fuzz/seeds`.
    pub name: &'static str,
    /// Takes any bytes; panics if a promise is broken.
    pub run: fn(&[u8]),
    /// How many inputs cost about as much as a thousand of the cheapest target's.
    pub share: u32,
}

#[rustfmt::skip]
/// Every target.
pub const TARGETS: &[Target] = &[
    Target { name: "fen", run: texts::fen, share: 1000 },
    Target { name: "epd", run: texts::epd, share: 1000 },
    Target { name: "san", run: texts::san, share: 1000 },
    Target { name: "uci_move", run: texts::uci_move, share: 1000 },
    Target { name: "uci_command", run: texts::uci_command, share: 1000 },
    Target { name: "uci_reply", run: texts::uci_reply, share: 1000 },
    Target { name: "option", run: texts::option, share: 1000 },
    Target { name: "genfens", run: texts::genfens, share: 1000 },
    Target { name: "table_name", run: texts::table_name, share: 1000 },
    Target { name: "pgn", run: texts::pgn, share: 500 },
    Target { name: "game", run: texts::game, share: 300 },
    Target { name: "http", run: web::http_request, share: 1000 },
    Target { name: "json", run: web::json_question, share: 1000 },
    Target { name: "book", run: binaries::book, share: 1000 },
    Target { name: "syzygy", run: binaries::syzygy, share: 100 },
    Target { name: "viri", run: binaries::viri, share: 1000 },
    Target { name: "record", run: binaries::record, share: 1000 },
    Target { name: "forecast", run: binaries::forecast, share: 50 },
    Target { name: "people", run: binaries::people, share: 2 },
    Target { name: "gguf", run: binaries::gguf, share: 300 },
    Target { name: "net", run: binaries::net, share: 2 },
    Target { name: "net_threats", run: binaries::net_threats, share: 1 },
    Target { name: "checkpoint", run: train::checkpoint, share: 1000 },
    Target { name: "session", run: session::session, share: 10 },
    Target { name: "pocket_api", run: calls::run, share: 50 },
];

/// The target of this name. Known to the compiler, so that a program with one target has the code of
/// that one alone.
pub const fn find(name: &str) -> Option<&'static Target> {
    let mut index = 0;
    while index < TARGETS.len() {
        if is_same(TARGETS[index].name.as_bytes(), name.as_bytes()) {
            return Some(&TARGETS[index]);
        }
        index += 1;
    }
    None
}

/// `==` is not for compile time yet.
const fn is_same(mut one: &[u8], mut other: &[u8]) -> bool {
    while let ([a, rest @ ..], [b, others @ ..]) = (one, other) {
        if *a != *b {
            return false;
        }
        (one, other) = (rest, others);
    }
    one.is_empty() && other.is_empty()
}
