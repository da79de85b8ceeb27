//! Targets that read text: positions, moves, the protocol, options, games.

use std::collections::HashSet;
use std::fmt::Display;
use std::path::Path;
use std::sync::LazyLock;

use book::build::{BuildOptions, Builder};
use chess::Board;
use data::GenfensRequest;
use engine::Options;
use pgn::Reader;
use uci::{Command, CommandError, Reply};

/// The longest message about bad input, in characters: sixty of the input, each escaped, may take
/// most of it.
const LONGEST_MESSAGE: usize = 1000;

/// The bytes as text; where they are none, as a program would read them.
fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A message says what was expected, in one line that has an end.
fn check_message(error: &impl Display) {
    let message = error.to_string();
    assert!(message.contains("expected"), "{message}");
    assert!(message.chars().count() <= LONGEST_MESSAGE, "{message}");
    assert!(!message.contains(char::is_control), "{message:?}");
}

/// Any text as a FEN.
pub(crate) fn fen(bytes: &[u8]) {
    oracle_tests::check_fen(&text(bytes));
}

/// Any text as an EPD.
pub(crate) fn epd(bytes: &[u8]) {
    oracle_tests::check_epd(&text(bytes));
}

/// Any text as a move in standard algebraic notation, after a line with the position.
pub(crate) fn san(bytes: &[u8]) {
    let text = text(bytes);
    let (board, text) = oracle_tests::split_position(&text);
    oracle_tests::check_san(&board, text);
}

/// Any text as a move in UCI's notation, after a line with the position.
pub(crate) fn uci_move(bytes: &[u8]) {
    let text = text(bytes);
    let (board, text) = oracle_tests::split_position(&text);
    oracle_tests::check_uci_move(&board, text);
}

/// Any lines as commands of a GUI: what is understood means the same when it is written and read
/// again, and what is not understood is refused with a reason.
pub(crate) fn uci_command(bytes: &[u8]) {
    for line in text(bytes).lines() {
        let command = match Command::parse(line) {
            Ok(command) => command,
            Err(CommandError::Empty) => {
                assert!(line.trim().is_empty());
                continue;
            }
            Err(error) => {
                check_message(&error);
                continue;
            }
        };
        match &command {
            Command::Position(position) => match position.resolve_with_note() {
                Ok((position, note)) => {
                    assert!(note.is_none_or(|note| note.chars().count() <= LONGEST_MESSAGE));
                    assert!(position.played().len() <= line.len() / 4);
                }
                Err(error) => check_message(&error),
            },
            Command::Go(go) => {
                let (limits, faults) = go.limits(&Board::default());
                let start = Board::default();
                assert!(limits.search_moves.iter().all(|&mv| start.is_legal(mv)));
                faults.iter().for_each(check_message);
            }
            _ => {}
        }
        let written = command.to_string();
        let again = Command::parse(&written);
        assert_eq!(again.as_ref().map(ToString::to_string), Ok(written), "{line:?}");
    }
}

/// Any lines as those of an engine: what is understood means the same when it is written and read
/// again.
pub(crate) fn uci_reply(bytes: &[u8]) {
    for line in text(bytes).lines() {
        let Some(reply) = Reply::parse(line) else { continue };
        // Words for a human are cut when they are written.
        if matches!(&reply, Reply::Text(text) if text.chars().count() > 1000) {
            continue;
        }
        let written = reply.to_string();
        let again = Reply::parse(&written).map(|reply| reply.to_string());
        assert_eq!(again, Some(written), "{line:?}");
    }
}

/// A name and, from the second line on, a value: the options take it or are as they were before.
pub(crate) fn option(bytes: &[u8]) {
    let text = text(bytes);
    let (name, value) = match text.split_once('\n') {
        Some((name, value)) => (name, Some(value)),
        None => (text.as_str(), None),
    };
    let before = Options::default();
    let mut options = before.clone();
    match options.store(name, value) {
        Ok(row) => {
            assert!(row.name.eq_ignore_ascii_case(name.trim()), "{name:?}");
            let _ = options.settings();
        }
        Err(error) => {
            check_message(&error);
            assert_eq!(options, before);
        }
    }
}

/// Any text as OpenBench's request for openings.
pub(crate) fn genfens(bytes: &[u8]) {
    if let Err(error) = text(bytes).parse::<GenfensRequest>() {
        check_message(&error);
    }
}

/// Any text as the name of an endgame table: those that are taken are the ones on the list.
pub(crate) fn table_name(bytes: &[u8]) {
    static NAMES: LazyLock<HashSet<String>> =
        LazyLock::new(|| (3..=7).flat_map(tablebase::material_names).collect());
    let text = text(bytes);
    assert_eq!(tablebase::is_material_name(&text), NAMES.contains(&text), "{text}");
}

/// Any bytes as games for a book: all of them are read, and counted or left out.
pub(crate) fn pgn(bytes: &[u8]) {
    // Nothing is written: the memory is ample, and the book is never finished.
    let mut builder = Builder::new(Path::new("unused.bin"), BuildOptions::default());
    builder.add_pgn(bytes).expect("bytes in memory can be read");
}

/// Any bytes as games: all of them are read, and what is written of them is read again.
pub(crate) fn game(bytes: &[u8]) {
    for game in Reader::new(bytes).games() {
        let game = game.expect("bytes in memory can be read");
        let text = game.to_string();
        let again: Vec<_> = Reader::new(text.as_bytes()).games().map(Result::unwrap).collect();
        assert_eq!(again.len(), 1, "{text}");
        assert_eq!(again[0].moves, game.moves, "{text}");
        assert_eq!(again[0].to_string(), text);
    }
}
