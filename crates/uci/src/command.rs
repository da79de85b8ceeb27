//! What a GUI says to the engine.

use std::fmt;

use crate::go::Go;
use crate::position::{PositionCommand, PositionError};
use crate::words::{Words, quote};

/// A `setoption` command, not compared with the table of options yet.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct SetOption {
    /// The option's name; words are separated by single spaces.
    pub name: String,
    /// Everything after `value`, if that word is there.
    pub value: Option<String>,
}

/// A `bench` command of our own.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Bench {
    /// `bench [depth] [threads] [hash]`: search the fixed positions; what is missing is standard.
    Search {
        /// Depth of each search.
        depth: Option<u32>,
        /// Threads.
        threads: Option<usize>,
        /// Table size in MB.
        hash: Option<usize>,
    },
    /// `bench nn`: measure the evaluation alone.
    Evaluation,
    /// `bench policy`: measure the root policy.
    Policy,
}

/// A line from the GUI.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Command {
    /// `uci`: introduce yourself.
    Uci,
    /// `debug on` or `debug off`.
    Debug(bool),
    /// `isready`: answer when all before is done.
    IsReady,
    /// `setoption name … [value …]`.
    SetOption(SetOption),
    /// `register …`: of no use to a free engine.
    Register,
    /// `ucinewgame`: what follows belongs to another game.
    NewGame,
    /// `position …`.
    Position(PositionCommand),
    /// `go …`.
    Go(Go),
    /// `stop`: answer now.
    Stop,
    /// `ponderhit`: the expected move was played.
    PonderHit,
    /// `quit`.
    Quit,
    /// `d`, our own: show the board.
    Display,
    /// `eval`, our own: show what the evaluation thinks.
    Eval,
    /// `bench`, our own.
    Bench(Bench),
    /// `help`, our own.
    Help,
}

/// Why a line is no command.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum CommandError {
    /// Nothing but spaces.
    Empty,
    /// No word of the line is a command; the first one is here.
    Unknown(String),
    /// A `position` that cannot be followed.
    Position(PositionError),
    /// A `setoption` without `name`.
    OptionName(String),
    /// A `debug` without `on` or `off`.
    Debug(String),
    /// A `bench` with something else than numbers from 1 up, or more than three of them.
    Bench(String),
}

impl fmt::Display for CommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("expected a command, got an empty line"),
            Self::Unknown(word) => write!(f, "expected a command, got {}", quote(word)),
            Self::Position(error) => write!(f, "position ignored: {error}"),
            Self::OptionName(got) => write!(
                f,
                "setoption ignored: expected \"name\" and an option's name, got {}",
                quote(got)
            ),
            Self::Debug(got) => {
                write!(f, "debug ignored: expected \"on\" or \"off\", got {}", quote(got))
            }
            Self::Bench(got) => write!(
                f,
                "bench ignored: expected \"nn\", \"policy\" or up to three numbers from 1 up \
                 (depth, threads, hash in MB), got {}",
                quote(got)
            ),
        }
    }
}

impl std::error::Error for CommandError {}

impl Command {
    /// Reads one line. Words before the first command are skipped, as the protocol says.
    pub fn parse(line: &str) -> Result<Self, CommandError> {
        let mut words = Words::new(line);
        let first = words.peek().ok_or(CommandError::Empty)?;
        while let Some(word) = words.next() {
            return Ok(match word {
                "uci" => Self::Uci,
                "debug" => Self::Debug(parse_debug(words.rest())?),
                "isready" => Self::IsReady,
                "setoption" => Self::SetOption(parse_option(&mut words)?),
                "register" => Self::Register,
                "ucinewgame" => Self::NewGame,
                "position" => Self::Position(
                    PositionCommand::parse(&mut words).map_err(CommandError::Position)?,
                ),
                "go" => Self::Go(Go::parse(&mut words)),
                "stop" => Self::Stop,
                "ponderhit" => Self::PonderHit,
                "quit" => Self::Quit,
                "d" => Self::Display,
                "eval" => Self::Eval,
                "bench" => Self::Bench(Bench::parse(words.rest())?),
                "help" => Self::Help,
                _ => continue,
            });
        }
        Err(CommandError::Unknown(first.to_owned()))
    }
}

fn parse_debug(rest: &str) -> Result<bool, CommandError> {
    match rest {
        "on" => Ok(true),
        "off" => Ok(false),
        other => Err(CommandError::Debug(other.to_owned())),
    }
}

fn parse_option(words: &mut Words<'_>) -> Result<SetOption, CommandError> {
    let whole = words.rest();
    let fault = || CommandError::OptionName(whole.to_owned());
    if words.next() != Some("name") {
        return Err(fault());
    }
    let mut name = Vec::new();
    let mut value = None;
    while let Some(word) = words.next() {
        if word == "value" {
            // The rest as it stands: a path may hold several spaces in a row.
            value = Some(words.rest().to_owned());
            break;
        }
        name.push(word);
    }
    match name.is_empty() {
        true => Err(fault()),
        false => Ok(SetOption { name: name.join(" "), value }),
    }
}

impl Bench {
    /// Reads what stands behind the word `bench`.
    pub fn parse(rest: &str) -> Result<Self, CommandError> {
        if rest == "nn" {
            return Ok(Bench::Evaluation);
        }
        if rest == "policy" {
            return Ok(Bench::Policy);
        }
        let fault = || CommandError::Bench(rest.to_owned());
        let mut numbers = Vec::new();
        for word in rest.split_whitespace() {
            let number: u32 = word.parse().map_err(|_| fault())?;
            numbers.push(Some(number).filter(|&n| n > 0).ok_or_else(fault)?);
        }
        if numbers.len() > 3 {
            return Err(fault());
        }
        let size = |index: usize| numbers.get(index).map(|&n| n as usize);
        Ok(Bench::Search { depth: numbers.first().copied(), threads: size(1), hash: size(2) })
    }
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Uci => f.write_str("uci"),
            Self::Debug(true) => f.write_str("debug on"),
            Self::Debug(false) => f.write_str("debug off"),
            Self::IsReady => f.write_str("isready"),
            Self::SetOption(SetOption { name, value: None }) => write!(f, "setoption name {name}"),
            Self::SetOption(SetOption { name, value: Some(value) }) => {
                write!(f, "setoption name {name} value {value}")
            }
            Self::Register => f.write_str("register later"),
            Self::NewGame => f.write_str("ucinewgame"),
            Self::Position(position) => position.fmt(f),
            Self::Go(go) => go.fmt(f),
            Self::Stop => f.write_str("stop"),
            Self::PonderHit => f.write_str("ponderhit"),
            Self::Quit => f.write_str("quit"),
            Self::Display => f.write_str("d"),
            Self::Eval => f.write_str("eval"),
            Self::Bench(Bench::Evaluation) => f.write_str("bench nn"),
            Self::Bench(Bench::Policy) => f.write_str("bench policy"),
            Self::Bench(Bench::Search { depth, threads, hash }) => {
                f.write_str("bench")?;
                let given = [depth.map(|n| n as usize), *threads, *hash];
                given.into_iter().map_while(|n| n).try_for_each(|n| write!(f, " {n}"))
            }
            Self::Help => f.write_str("help"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writing_and_reading_agree() {
        for text in [
            "uci",
            "debug on",
            "debug off",
            "isready",
            "setoption name Clear Hash",
            "setoption name Move Overhead value 30",
            "setoption name BookFile value /a  b/c.bin",
            "register later",
            "ucinewgame",
            "position startpos moves e2e4",
            "go wtime 1000 btime 1000",
            "stop",
            "ponderhit",
            "quit",
            "d",
            "eval",
            "bench",
            "bench 5 2",
            "bench nn",
            "help",
        ] {
            assert_eq!(Command::parse(text).unwrap().to_string(), text);
        }
    }

    #[test]
    fn words_before_a_command_are_skipped() {
        assert_eq!(Command::parse("joho debug on"), Ok(Command::Debug(true)));
        assert_eq!(Command::parse(" \t isready\r"), Ok(Command::IsReady));
    }

    #[test]
    fn an_option_may_have_an_empty_value() {
        let expected = SetOption { name: "BookFile".to_owned(), value: Some(String::new()) };
        let parsed = Command::parse("setoption name BookFile value");
        assert_eq!(parsed, Ok(Command::SetOption(expected)));
    }

    #[test]
    fn faults_are_one_line_and_do_not_begin_with_error() {
        for text in [
            "",
            "xyzzy",
            "position",
            "setoption",
            "setoption Hash 3",
            "setoption name value 3",
            "debug perhaps",
            "bench 0",
            "bench fast",
            "bench 1 2 3 4",
        ] {
            let message = Command::parse(text).expect_err(text).to_string();
            assert!(!message.contains('\n') && message.contains("expected"), "{message}");
            for word in message.split_whitespace().take(2) {
                assert!(!word.to_lowercase().starts_with("error"), "{message}");
            }
        }
    }
}
