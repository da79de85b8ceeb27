//! The program: it wires the crates together, and it alone prints.
//!
//! Without arguments it speaks UCI on standard input and output. One module per subcommand.
//! A library only so that a fuzzer can run a whole session ([`session`], [`listen`]).

use std::io::{self, BufRead, BufReader, Write};
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;

use clap::{CommandFactory, Parser, Subcommand};
use clap_complete::Shell;

mod analyze;
mod background;
mod bench;
mod book_cmd;
mod flags;
mod genfens;
mod help;
mod input;
mod nonsense;
mod output;
mod perft;
mod policy;
mod progress;
mod serve;
mod session;
mod site;
mod suite;
mod tb_cmd;
mod text_file;

pub use output::listen;

use batch::BatchError;
use bench::BenchError;
use engine::Source;
use uci::Bench;

/// A chess engine that knows what it does not know.
#[derive(Parser)]
#[command(version, about)]
struct Arguments {
    #[command(subcommand)]
    task: Option<Task>,
}

#[derive(Subcommand)]
enum Task {
    /// Speak UCI on standard input and output; the same as no command at all
    Uci,
    /// Search fixed positions; the last line is `N nodes M nps`
    Bench {
        /// `nn` to measure the evaluation alone, or up to three numbers: depth, threads, MB of hash
        #[arg(value_name = "nn | DEPTH [THREADS [HASH]]")]
        what: Vec<String>,
    },
    /// Count the leaves of the move tree
    Perft(perft::Arguments),
    /// Make, join and look into opening books
    #[command(subcommand)]
    Book(book_cmd::BookCommand),
    /// Ask the tablebases about a position, or which of them there are
    Tb(tb_cmd::TbArguments),
    /// Look into a file with a root policy, or measure it
    #[command(subcommand)]
    Policy(policy::PolicyCommand),
    /// Solve the positions of an EPD file and say how many
    Suite(suite::SuiteArguments),
    /// Look at games, or at one position, and show how sure the engine is
    #[command(visible_alias = "analyse")]
    Analyze(analyze::AnalyzeArguments),
    /// Open a page for the browser: a board, the engine's best lines, and how sure it is
    Serve(serve::ServeArguments),
    /// Write the same page as files for any web server, with an engine that runs in the browser
    Site(site::SiteArguments),
    /// Print the manual page
    Man,
    /// Print a completion script for a shell
    Completions {
        /// The shell
        shell: Shell,
    },
}

/// Does what the command line asks for.
pub fn main() -> ExitCode {
    // OpenBench asks for openings in its own way: one argument of several words.
    let openings = std::env::args().nth(1).filter(|argument| argument.starts_with("genfens"));
    let done = match openings {
        Some(request) => genfens::run(&request, &mut io::stdout().lock()),
        None => run(Arguments::parse().task.unwrap_or(Task::Uci)),
    };
    finish(done)
}

fn run(task: Task) -> Result<(), Failure> {
    match task {
        Task::Uci => session::run(BufReader::new(io::stdin())),
        Task::Bench { what } => run_bench(&what),
        Task::Perft(arguments) => perft::run(&arguments),
        Task::Book(command) => book_cmd::run(command, &mut io::stdout().lock()),
        Task::Tb(arguments) => tb_cmd::run(&arguments, &mut io::stdout().lock()),
        Task::Policy(command) => policy::run(&command, &mut io::stdout().lock()),
        Task::Suite(arguments) => suite::run(&arguments),
        Task::Analyze(arguments) => analyze::run(&arguments),
        Task::Serve(arguments) => serve::run(&arguments),
        Task::Site(arguments) => site::run(&arguments).map_err(Failure::Other),
        Task::Man => {
            let mut page = Vec::new();
            clap_mangen::Man::new(Arguments::command())
                .render(&mut page)
                .map_err(Failure::Output)?;
            io::stdout().lock().write_all(&page).map_err(Failure::Output)
        }
        Task::Completions { shell } => {
            // Into memory first: a reader that goes away would make the generator panic.
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Arguments::command(), "brier", &mut script);
            io::stdout().lock().write_all(&script).map_err(Failure::Output)
        }
    }
}

/// A whole UCI session that reads `input` to its end or to `quit`.
pub fn session(input: impl BufRead + Send + 'static) -> Result<(), String> {
    session::run(input).map_err(|failure| match failure {
        Failure::Output(error) => error.to_string(),
        Failure::Other(reason) => reason,
    })
}

fn finish(done: Result<(), Failure>) -> ExitCode {
    match done {
        Ok(()) => ExitCode::SUCCESS,
        // A reader that has seen enough is no failure: `brier bench | head`.
        Err(Failure::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => {
            ExitCode::SUCCESS
        }
        Err(Failure::Output(error)) => fail(format_args!("cannot write: {error}")),
        Err(Failure::Other(reason)) => fail(reason),
    }
}

/// Why a task ended early.
enum Failure {
    /// Standard output is closed or full.
    Output(io::Error),
    /// Anything else, in words.
    Other(String),
}

impl From<BatchError> for Failure {
    fn from(error: BatchError) -> Self {
        match error {
            BatchError::Output(error) => Self::Output(error),
            BatchError::Other(reason) => Self::Other(reason),
        }
    }
}

fn run_bench(what: &[String]) -> Result<(), Failure> {
    let bench = Bench::parse(&what.join(" ")).map_err(|error| Failure::Other(error.to_string()))?;
    let never = AtomicBool::new(false);
    bench::run(&bench, Source::default(), "<empty>", &never).map_err(|error| match error {
        BenchError::Engine(error) => Failure::Other(error.to_string()),
        BenchError::Output(error) => Failure::Output(error),
        BenchError::Stopped => Failure::Other("bench stopped".to_owned()),
    })
}

/// The one place where a command line task reports failure.
fn fail(reason: impl std::fmt::Display) -> ExitCode {
    // If standard error is full or closed, the status is all that is left.
    let reason = output::plain(&reason.to_string());
    let _ = writeln!(io::stderr(), "brier: {reason}");
    ExitCode::FAILURE
}
