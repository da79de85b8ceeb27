//! Any UCI engine as a player.
//!
//! All positions are sent in Chess960 form (`UCI_Chess960`), where every position of normal chess
//! means the same, so that one process can play both.

use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use anyhow::{Context, anyhow, bail};
use chess::notation::uci::CastlingForm;
use data::{Game, ScoredMove};
use engine::Position;

use super::player::{Choice, Player};

/// An engine that is silent for so long hangs.
const PATIENCE: Duration = Duration::from_secs(60);

/// A UCI engine's process.
pub(crate) struct UciPlayer {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
    /// The names of its options.
    offered: Vec<String>,
}

impl UciPlayer {
    /// Starts a program (with arguments, separated by spaces) and sets its options.
    pub(crate) fn start(command: &str, hash: usize, options: &[String]) -> anyhow::Result<Self> {
        let mut words = command.split_whitespace();
        let program = words.next().context("expected the command of an engine, got nothing")?;
        let mut child = Command::new(program)
            .args(words)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("cannot start the engine {program:?}"))?;
        let input = child.stdin.take().context("expected the engine to have an input")?;
        let output = child.stdout.take().context("expected the engine to have an output")?;
        let (sender, lines) = channel();
        // Its own thread, so that waiting for a line can end before the line comes.
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        let mut player = Self { child, input, lines, offered: Vec::new() };
        player.send("uci")?;
        let mut offered = Vec::new();
        player.wait_for("uciok", |line| {
            offered.extend(option_name(line).map(str::to_owned));
        })?;
        player.offered = offered;
        if !player.offers("UCI_Chess960") {
            bail!("expected an engine with the option UCI_Chess960, {program:?} does not offer it");
        }
        player.set_option("UCI_Chess960", "true")?;
        for (name, value) in [("Threads", "1".to_owned()), ("Hash", hash.to_string())] {
            if player.offers(name) {
                player.set_option(name, &value)?;
            }
        }
        for option in options {
            let (name, value) = option
                .split_once('=')
                .ok_or_else(|| anyhow!("expected an option as Name=Value, got {option:?}"))?;
            if !player.offers(name) {
                bail!("expected an option the engine offers, got {name:?}");
            }
            player.set_option(name, value)?;
        }
        player.ready()?;
        Ok(player)
    }

    fn send(&mut self, line: &str) -> anyhow::Result<()> {
        writeln!(self.input, "{line}").context("the engine has gone")
    }

    /// Does the engine have an option of this name?
    pub(crate) fn offers(&self, name: &str) -> bool {
        self.offered.iter().any(|known| known.eq_ignore_ascii_case(name))
    }

    /// Sets an option; the engine is not asked whether it likes the value.
    pub(crate) fn set_option(&mut self, name: &str, value: &str) -> anyhow::Result<()> {
        self.send(&format!("setoption name {name} value {value}"))
    }

    fn ready(&mut self) -> anyhow::Result<()> {
        self.send("isready")?;
        self.wait_for("readyok", |_| {}).map(drop)
    }

    /// Reads until a line that begins with this word and returns it; the others are shown.
    fn wait_for(&mut self, word: &str, mut show: impl FnMut(&str)) -> anyhow::Result<String> {
        loop {
            let line = self.lines.recv_timeout(PATIENCE).map_err(|error| match error {
                RecvTimeoutError::Timeout => {
                    anyhow!("expected {word:?} from the engine, got nothing for {PATIENCE:?}")
                }
                RecvTimeoutError::Disconnected => anyhow!("the engine has gone"),
            })?;
            if line.split_whitespace().next() == Some(word) {
                return Ok(line);
            }
            show(&line);
        }
    }
}

impl Player for UciPlayer {
    fn new_game(&mut self) -> anyhow::Result<()> {
        self.send("ucinewgame")?;
        self.ready()
    }

    fn choose(&mut self, game: &Game, position: &Position, nodes: u64) -> anyhow::Result<Choice> {
        let board = position.board();
        // With all moves, so that the engine knows of repetitions.
        let mut text = format!("position fen {} moves", game.start.shredder_fen());
        for scored in &game.moves {
            write!(text, " {}", scored.mv.uci(CastlingForm::Chess960))?;
        }
        self.send(&text)?;
        self.send(&format!("go nodes {nodes}"))?;
        let mut score = None;
        let answer = self.wait_for("bestmove", |line| {
            if let Some(found) = read_score(line) {
                score = Some(found);
            }
        })?;
        let word = answer.split_whitespace().nth(1).unwrap_or_default();
        let mv = board
            .parse_uci(word)
            .map_err(|error| anyhow!("{error} in {board}, the engine answered {answer:?}"))?;
        let score = score.with_context(|| format!("expected a score for {board}, got none"))?;
        Ok(Choice { mv, score })
    }
}

impl Drop for UciPlayer {
    fn drop(&mut self) {
        // If it does not go by itself it is made to; either way nobody is left behind.
        let _ = self.send("quit");
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The name in a line like `option name Hash type spin …`.
fn option_name(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("option name ")?;
    rest.split_once(" type ").map(|(name, _)| name.trim())
}

/// The score of an `info` line, unless it is a mere bound or of another line than the best.
fn read_score(line: &str) -> Option<i16> {
    let mut words = line.split_whitespace();
    if words.next() != Some("info") {
        return None;
    }
    let mut score = None;
    while let Some(word) = words.next() {
        match word {
            "string" => return None,
            "multipv" if words.next() != Some("1") => return None,
            "lowerbound" | "upperbound" => return None,
            "cp" => score = words.next()?.parse().ok().map(ScoredMove::centipawns),
            "mate" => {
                let moves: i32 = words.next()?.parse().ok()?;
                // The winner needs one ply less than two a move.
                let plies = moves.saturating_abs().saturating_mul(2) - i32::from(moves > 0);
                score = Some(ScoredMove::mate(if moves > 0 { plies } else { -plies }));
            }
            "pv" => break,
            _ => {}
        }
    }
    score
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_read() {
        let line = |score: &str| {
            format!("info depth 5 seldepth 6 multipv 1 score {score} nodes 9 pv e2e4")
        };
        assert_eq!(read_score(&line("cp -31")), Some(-31));
        assert_eq!(read_score(&line("mate 2")), Some(30_000 - 3));
        assert_eq!(read_score(&line("mate -2")), Some(4 - 30_000));
        assert_eq!(read_score(&line("cp 31 lowerbound")), None);
        assert_eq!(read_score("info multipv 2 score cp 5"), None);
        assert_eq!(read_score("info string score cp 5"), None);
        assert_eq!(read_score("info currmove e2e4"), None);
    }

    #[test]
    fn a_missing_engine_is_named() {
        let error = UciPlayer::start("no-such-engine-anywhere", 1, &[]).err().unwrap();
        assert!(error.to_string().contains("no-such-engine-anywhere"), "{error}");
    }
}
