//! The Brier binary. Everything it does is in the library beside it, where fuzzers reach it; only
//! the look at the processor must be linked into the program itself.

mod startup;

fn main() -> std::process::ExitCode {
    brier_program::main()
}
