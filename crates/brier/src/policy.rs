//! The optional root policy: its options, `brier policy info` and `bench policy`.

use std::fmt::Write as _;
use std::io::Write;
use std::path::{Path, PathBuf};

use bitnet::PolicyNet;
use clap::Subcommand;
use engine::Position;

use crate::Failure;

/// What can be asked about a policy file.
#[derive(Subcommand)]
pub(crate) enum PolicyCommand {
    /// List the metadata and tensors of a GGUF file
    Info {
        /// The file
        file: PathBuf,
    },
    /// Measure the speed of the reference size and, if given, of a file's model
    Bench {
        /// The file
        file: Option<PathBuf>,
    },
}

/// Runs `brier policy`.
pub(crate) fn run(command: &PolicyCommand, out: &mut impl Write) -> Result<(), Failure> {
    let text = match command {
        PolicyCommand::Info { file } => bitnet::describe(file)
            .map_err(|error| Failure::Other(format!("{}: {error}", file.display())))?,
        PolicyCommand::Bench { file } => bench(file.as_deref()).map_err(Failure::Other)?,
    };
    writeln!(out, "{}", text.trim_end()).map_err(Failure::Output)
}

/// The figures of `bench policy`.
pub(crate) fn bench(file: Option<&Path>) -> Result<String, String> {
    bitnet::bench(file, simd::kernels())
        .map(|figures| figures.to_string())
        .map_err(|error| error.to_string())
}

/// The file that the option `PolicyFile` names; none if it names none.
pub(crate) fn named(option: &str) -> Option<&Path> {
    (option != "<empty>").then(|| Path::new(option))
}

/// Loads a policy.
pub(crate) fn load(path: &Path) -> Result<PolicyNet, String> {
    PolicyNet::load(path, simd::kernels()).map_err(|error| error.to_string())
}

/// The policy's five first moves in a position, for `eval`.
pub(crate) fn first_moves(net: &mut PolicyNet, position: &Position) -> String {
    let mut text = "policy:".to_owned();
    for (mv, share) in net.first_moves(position.start(), position.played(), 5) {
        // Writing to a string cannot fail.
        let _ = write!(text, "  {} {:.1} %", position.board().san(mv), share * 100.0);
    }
    text
}
