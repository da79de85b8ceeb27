//! UCI commands: text in, values out. `session` does what they ask.

use std::fmt;
use std::time::Duration;

/// What bounds a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Limits {
    pub(crate) depth: Option<u8>,
    pub(crate) nodes: Option<u32>,
    pub(crate) movetime: Option<Duration>,
    /// Remaining time and increment of White and Black.
    pub(crate) clock: [Option<Duration>; 2],
    pub(crate) increment: [Duration; 2],
    pub(crate) moves_to_go: Option<u32>,
    pub(crate) infinite: bool,
}

/// One line from the GUI.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Command {
    Uci,
    IsReady,
    NewGame,
    /// A FEN (none: the start) and moves.
    Position(Option<String>, Vec<String>),
    Go(Limits),
    Perft(u8),
    Bench,
    SetOption(String, String),
    Stop,
    Quit,
    Display,
    Nothing,
}

/// A line that is not a command, or one with a wrong part.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct CommandError {
    expected: &'static str,
    got: String,
}

impl fmt::Display for CommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected {}, got '{}'", self.expected, self.got)
    }
}

fn error<T>(expected: &'static str, got: Option<&str>) -> Result<T, CommandError> {
    Err(CommandError { expected, got: got.unwrap_or("the end of the line").to_string() })
}

/// Reads one line.
pub(crate) fn parse(line: &str) -> Result<Command, CommandError> {
    let mut words = line.split_whitespace();
    Ok(match words.next() {
        None => Command::Nothing,
        Some("uci") => Command::Uci,
        Some("isready") => Command::IsReady,
        Some("ucinewgame") => Command::NewGame,
        Some("position") => return parse_position(words),
        Some("go") => return parse_go(words),
        Some("perft") => Command::Perft(number("a depth from 1 to 255", words.next())?),
        Some("bench") => Command::Bench,
        Some("setoption") => return parse_option(line),
        Some("stop") => Command::Stop,
        Some("quit") => Command::Quit,
        Some("d") => Command::Display,
        Some("ponderhit" | "debug" | "register") => Command::Nothing,
        other => return error("a UCI command", other),
    })
}

fn number<T: std::str::FromStr>(
    expected: &'static str,
    word: Option<&str>,
) -> Result<T, CommandError> {
    match word.and_then(|w| w.parse().ok()) {
        Some(value) => Ok(value),
        None => error(expected, word),
    }
}

fn parse_position<'a>(mut words: impl Iterator<Item = &'a str>) -> Result<Command, CommandError> {
    let mut fen = None;
    let mut word;
    match words.next() {
        Some("startpos") => word = words.next(),
        Some("fen") => {
            let mut fields = Vec::new();
            word = words.next();
            while let Some(field) = word
                && field != "moves"
            {
                fields.push(field);
                word = words.next();
            }
            fen = Some(fields.join(" "));
        }
        other => return error("'startpos' or 'fen'", other),
    }
    match word.take() {
        None => Ok(Command::Position(fen, Vec::new())),
        Some("moves") => Ok(Command::Position(fen, words.map(str::to_string).collect())),
        other => error("'moves'", other),
    }
}

fn parse_go<'a>(mut words: impl Iterator<Item = &'a str>) -> Result<Command, CommandError> {
    let mut limits = Limits::default();
    let millis = |word: Option<&str>| -> Result<Duration, CommandError> {
        let value: i64 = number("milliseconds", word)?;
        Ok(Duration::from_millis(value.max(0) as u64))
    };
    while let Some(word) = words.next() {
        match word {
            "depth" => limits.depth = Some(number("a depth from 1 to 255", words.next())?),
            "nodes" => limits.nodes = Some(number("a number of nodes", words.next())?),
            "movetime" => limits.movetime = Some(millis(words.next())?),
            "wtime" => limits.clock[0] = Some(millis(words.next())?),
            "btime" => limits.clock[1] = Some(millis(words.next())?),
            "winc" => limits.increment[0] = millis(words.next())?,
            "binc" => limits.increment[1] = millis(words.next())?,
            "movestogo" => limits.moves_to_go = Some(number("a number of moves", words.next())?),
            "infinite" => limits.infinite = true,
            "perft" => {
                return Ok(Command::Perft(number("a depth from 1 to 255", words.next())?));
            }
            "ponder" => {}
            other => return error("a limit of 'go'", Some(other)),
        }
    }
    Ok(Command::Go(limits))
}

fn parse_option(line: &str) -> Result<Command, CommandError> {
    let rest = line.trim().trim_start_matches("setoption").trim_start();
    let Some(rest) = rest.strip_prefix("name ") else {
        return error("'name' after 'setoption'", Some(rest));
    };
    let (name, value) = rest.split_once(" value ").unwrap_or((rest, ""));
    Ok(Command::SetOption(name.trim().to_string(), value.trim().to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_has_moves_or_not() {
        assert_eq!(
            parse("position startpos moves e2e4 e7e5"),
            Ok(Command::Position(None, vec!["e2e4".into(), "e7e5".into()]))
        );
        assert_eq!(
            parse("position fen 8/8/8/8/8/8/8/8 w - -"),
            Ok(Command::Position(Some("8/8/8/8/8/8/8/8 w - -".into()), vec![]))
        );
    }

    #[test]
    fn errors_tell_what_was_expected_and_what_came() {
        let text = parse("go depth many").unwrap_err().to_string();
        assert_eq!(text, "expected a depth from 1 to 255, got 'many'");
        let text = parse("position here").unwrap_err().to_string();
        assert_eq!(text, "expected 'startpos' or 'fen', got 'here'");
        assert!(parse("hello").is_err());
    }
}
