//! UCI sessions with little of everything, and with lines that make no sense.

use std::path::Path;
use std::process::Stdio;

use super::Trial;
use super::place::{Place, ended_by_itself, limited};
use super::talk::Talk;

const SESSION: &str = "uci\nsetoption name Hash value 64\nsetoption name Threads value 2\n\
                       isready\nposition startpos\ngo depth 6\nisready\nquit\n";

/// Runs a session under limits: it must end by itself, and either answer or fail with a reason.
fn session(program: &Path, limits: &str) -> Result<(), String> {
    let mut talk = Talk::start(&mut limited(program, limits, ""))?;
    talk.send(SESSION);
    // The session ends with `quit`; its input stays open so that nothing else ends it.
    let (status, lines) = talk.end()?;
    // A status of 127 is the system's that could not even load the program.
    if status.code() == Some(127) {
        return Ok(());
    }
    ended_by_itself(status)?;
    let said = |word: &str| lines.iter().any(|line| line.contains(word));
    match (said("bestmove"), status.success()) {
        (true, true) => Ok(()),
        (false, false) if said("cannot") || said("ailed") => Ok(()),
        (best, _) => Err(format!("bestmove: {best}, but {status}")),
    }
}

/// A hundred sizes of address space around what the session needs. With less than the first the
/// system cannot map the program, networks and all.
pub(super) fn little_memory(place: &Place) -> Result<Trial, String> {
    let mut trial = Trial::new("little memory");
    for step in 1..=100 {
        let megabytes = 22 + 2 * step;
        let limits = format!("ulimit -v {}", megabytes * 1024);
        trial.compare(place, &format!("{megabytes} MB"), |program| session(program, &limits));
    }
    Ok(trial)
}

/// Three to twenty open files.
pub(super) fn few_descriptors(place: &Place) -> Result<Trial, String> {
    let mut trial = Trial::new("few descriptors");
    for count in 3..=20 {
        let limits = format!("ulimit -n {count}");
        trial.compare(place, &format!("{count} files"), |program| session(program, &limits));
    }
    Ok(trial)
}

/// Commands whose reader has gone.
pub(super) fn reader_gone(place: &Place) -> Result<Trial, String> {
    let mut trial = Trial::new("reader gone");
    for arguments in
        ["bench 4", "perft 4", "perft 3 --divide", "book dump", "book info", "help", "uci"]
    {
        let mut command = place.limited("", arguments);
        let mut child = command.stdout(Stdio::piped()).spawn().map_err(|e| e.to_string())?;
        drop(child.stdout.take());
        let status = child.wait().map_err(|error| error.to_string())?;
        let outcome = match status.success() {
            true => Ok(()),
            false => Err(format!("ended with {status}")),
        };
        trial.count(arguments, outcome);
    }
    Ok(trial)
}

/// Lines that make no sense, or that stand where they do not belong. Whatever they are, the engine
/// is ready afterwards and plays a legal move from the position that it is given then.
pub(super) fn malformed(place: &Place) -> Result<Trial, String> {
    let mut trial = Trial::new("malformed lines");
    for line in LINES {
        let text = line.replace("<long>", &"x".repeat(1_000_000));
        let shown: String = line.chars().take(60).collect();
        trial.compare(place, &shown, |program| malformed_session(program, text.as_bytes()));
    }
    for (name, bytes) in [
        ("no text", vec![0xff, 0xfe, 0x80, 0xc3, 0x28]),
        ("zeros", vec![0; 1000]),
        ("carriage returns", b"\r\r\r\rposition startpos\r\r\r".to_vec()),
        ("all bytes", (0..=255).filter(|&byte| byte != b'\n').collect()),
    ] {
        trial.compare(place, name, |program| malformed_session(program, &bytes));
    }
    Ok(trial)
}

fn malformed_session(program: &Path, line: &[u8]) -> Result<(), String> {
    let mut talk = Talk::start(&mut limited(program, "ulimit -v 8000000", ""))?;
    talk.send("uci\n");
    talk.until("uciok")?;
    talk.send([line, b"\nstop\nisready\n"].concat());
    talk.until("readyok")?;
    talk.send(
        "ucinewgame\nsetoption name UCI_Chess960 value false\nposition startpos\ngo depth 3\n",
    );
    let lines = talk.until("bestmove")?;
    let best = lines.last().map(String::as_str).unwrap_or_default();
    let mv = best.split_whitespace().nth(1).unwrap_or_default();
    if !is_first_move(mv) {
        return Err(format!("`{best}` from the usual start"));
    }
    talk.close();
    ended_by_itself(talk.end()?.0)
}

/// The twenty moves of the usual start.
fn is_first_move(mv: &str) -> bool {
    let knight = ["b1a3", "b1c3", "g1f3", "g1h3"].contains(&mv);
    let [from, two, to, rank] = mv.as_bytes() else { return false };
    knight || (from == to && (b'a'..=b'h').contains(from) && *two == b'2' && b"34".contains(rank))
}

#[rustfmt::skip]
const LINES: &[&str] = &[
    "", " ", "\t", "xyzzy", "<long>", "uci uci", "UCI", "isready now", "quit2", "ucinewgame x", "joho debug on", "debug", "debug maybe",
    "setoption", "setoption name", "setoption name Hash", "setoption name Hash value", "setoption name Hash value -1",
    "setoption name Hash value 99999999999999999999", "setoption name Hash value x", "setoption name Threads value 0",
    "setoption name Threads value -7", "setoption name Threads value 1.5", "setoption value 3", "setoption name value",
    "setoption name <long> value 1", "setoption name MultiPV value 0", "setoption name MultiPV value 100000",
    "setoption name Move Overhead value -5", "setoption name SyzygyPath value /no/such/folder", "setoption name EvalFile value",
    "position", "position startpos moves", "position startpos moves e2e5", "position startpos moves e2e4 e2e4", "position startpos moves <long>",
    "position startpos e2e4", "position fen", "position fen x", "position fen 8/8/8/8/8/8/8/8 w - - 0 1",
    "position fen kkkkkkkk/8/8/8/8/8/8/K7 w - - 0 1", "position fen k7/8/8/8/8/8/8/8 w - - 0 1",
    "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq e3 0 1", "position fen 4k3/8/8/8/8/8/8/4K2R w KQkq - 0 1",
    "position fen 4k3/8/8/8/8/8/8/4K3 x - - 0 1", "position fen 4k3/8/8/8/8/8/8/4K3 w - - -1 -1",
    "position fen 4k3/8/8/8/8/8/8/4K3 w - - 99999999999 99999999999", "position fen 9/8/8/8/8/8/8/4K3 w - - 0 1",
    "position fen 4k3/4R3/8/8/8/8/8/4K3 w - - 0 1", "position fen 4k3/8/8/8/8/8/8/4KP2 w - - 0 1", "position fen <long>", "position moves e2e4",
    "position fen qqqqkqqq/qqqqqqqq/8/8/8/8/QQQQQQQQ/QQQQKQQQ w - - 0 1\ngo depth 1", "go depth 0", "go depth -1", "go depth 99999999999999999999",
    "go nodes 0", "go nodes -5", "go movetime 0", "go movetime -100", "go movetime x", "go wtime 0 btime 0", "go wtime -1000 btime -1000",
    "go wtime 100", "go btime 100", "go wtime 99999999999999999999 btime 1", "go winc 5", "go movestogo 0 wtime 100 btime 100",
    "go movestogo -3 wtime 100 btime 100", "go mate 0", "go mate -1", "go searchmoves", "go searchmoves e2e5", "go searchmoves x y z",
    "go searchmoves e2e4 e2e4 e2e4", "go infinite infinite", "go ponder", "go ponder infinite wtime 1", "go perft 0", "go perft -1", "go depth", "go xyz", "go <long>",
    "stop", "stop\nstop\nstop", "ponderhit", "ponderhit\nponderhit", "go infinite\ngo infinite\ngo infinite", "go infinite\nponderhit",
    "go infinite\nposition startpos moves e2e4", "go infinite\nucinewgame", "go infinite\nsetoption name Hash value 1",
    "go infinite\nsetoption name Threads value 2", "go infinite\nisready\nisready", "go infinite\nuci", "register", "register later", "register name x code y",
    "d d d", "eval eval", "flip", "bench x", "compiler", "go\0depth 1", "\u{feff}uci", "GO DEPTH 1", "  go   depth   1  ", "position startpos moves 0000",
    "position startpos moves e7e8q", "position startpos moves e2e4 e7e5 e1e2 e8e7 (none)",
];

#[cfg(test)]
mod tests {
    use super::is_first_move;

    #[test]
    fn the_first_moves_are_the_twenty() {
        let squares = || (b'a'..=b'h').flat_map(|file| (b'1'..=b'8').map(move |rank| [file, rank]));
        let all = squares().flat_map(|from| squares().map(move |to| [from, to].concat()));
        let first = all.filter(|mv| is_first_move(std::str::from_utf8(mv).unwrap()));
        assert_eq!(first.count(), 20);
        assert!(!is_first_move("") && !is_first_move("e2e4q") && !is_first_move("(none)"));
    }
}
