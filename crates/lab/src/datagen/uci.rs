//! Any UCI engine as a player.
//!
//! All positions are sent in Chess960 form (`UCI_Chess960`), where every position of normal chess
//! means the same, so that one process can play both.

use std::io::{BufRead, BufReader, Write};
use std::process::{self, Child, ChildStdin, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use anyhow::{Context, anyhow, bail, ensure};
use chess::notation::uci::CastlingForm;
use data::{Game, ScoredMove};
use engine::Position;
use uci::{Command, Go, InfoLine, PositionCommand, Reply, ScoreText, SetOption, Start};

use super::clock::{Clock, Control, NODES_PER_MS};
use super::player::{Choice, Player};

/// An engine that is silent for this long hangs.
const PATIENCE: Duration = Duration::from_secs(60);

/// A UCI engine's process.
pub(crate) struct UciPlayer {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
    /// The names of its options.
    offered: Vec<String>,
    /// What it thinks by, instead of a number of nodes for each move.
    clock: Option<Clock>,
}

impl UciPlayer {
    /// Starts a program (with arguments, separated by spaces) and sets its options.
    pub(crate) fn start(command: &str, hash: usize, options: &[String]) -> anyhow::Result<Self> {
        let mut words = command.split_whitespace();
        let program = words.next().context("expected the command of an engine, got nothing")?;
        let mut child = process::Command::new(program)
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
        let mut player = Self { child, input, lines, offered: Vec::new(), clock: None };
        player.send(&Command::Uci)?;
        let mut offered = Vec::new();
        player.wait_for("uciok", |reply| {
            offered.extend(reply.option_name().map(str::to_owned));
            matches!(reply, Reply::UciOk).then_some(())
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

    fn send(&mut self, command: &Command) -> anyhow::Result<()> {
        writeln!(self.input, "{command}").context("the engine has gone")
    }

    /// Does the engine have an option of this name?
    pub(crate) fn offers(&self, name: &str) -> bool {
        self.offered.iter().any(|known| known.eq_ignore_ascii_case(name))
    }

    /// Sets an option; the engine is not asked whether it likes the value.
    pub(crate) fn set_option(&mut self, name: &str, value: &str) -> anyhow::Result<()> {
        let (name, value) = (name.to_owned(), Some(value.to_owned()));
        self.send(&Command::SetOption(SetOption { name, value }))
    }

    /// From now on it plays by a clock of nodes.
    pub(crate) fn use_clock(&mut self, control: Control) -> anyhow::Result<()> {
        for (name, value) in [("nodestime", NODES_PER_MS), ("Move Overhead", 0)] {
            ensure!(self.offers(name), "expected an engine with the option {name}, got none");
            self.set_option(name, &value.to_string())?;
        }
        self.clock = Some(Clock::new(control));
        Ok(())
    }

    fn ready(&mut self) -> anyhow::Result<()> {
        self.send(&Command::IsReady)?;
        self.wait_for("readyok", |reply| matches!(reply, Reply::ReadyOk).then_some(()))
    }

    /// Shows replies until one is what was waited for; what is no reply of the protocol is skipped.
    fn wait_for<T>(
        &mut self,
        expected: &str,
        mut show: impl FnMut(Reply) -> Option<T>,
    ) -> anyhow::Result<T> {
        loop {
            let line = self.lines.recv_timeout(PATIENCE).map_err(|error| match error {
                RecvTimeoutError::Timeout => {
                    anyhow!("expected {expected:?} from the engine, got nothing for {PATIENCE:?}")
                }
                RecvTimeoutError::Disconnected => anyhow!("the engine has gone"),
            })?;
            if let Some(answer) = Reply::parse(&line).and_then(&mut show) {
                return Ok(answer);
            }
        }
    }
}

impl Player for UciPlayer {
    fn new_game(&mut self) -> anyhow::Result<()> {
        if let Some(clock) = &mut self.clock {
            clock.reset();
        }
        self.send(&Command::NewGame)?;
        self.ready()
    }

    fn choose(&mut self, game: &Game, position: &Position, nodes: u64) -> anyhow::Result<Choice> {
        let board = position.board();
        // With all moves, so that the engine knows of repetitions.
        let moves = game.moves.iter().map(|scored| scored.mv.uci(CastlingForm::Chess960));
        self.send(&Command::Position(PositionCommand {
            start: Start::Fen(game.start.shredder_fen().to_string()),
            moves: moves.map(|mv| mv.to_string()).collect(),
        }))?;
        let by_nodes = Go { nodes: Some(nodes), ..Go::default() };
        self.send(&Command::Go(self.clock.map_or(by_nodes, |clock| clock.go())))?;
        let (mut score, mut spent) = (None, 0);
        let answer = self.wait_for("bestmove", |reply| match reply {
            Reply::Info(info) => {
                score = read_score(&info).or(score);
                spent = info.nodes.unwrap_or(spent);
                None
            }
            Reply::BestMove { best, .. } => Some(best),
            _ => None,
        })?;
        let word = answer.with_context(|| format!("expected a move in {board}, got none"))?;
        let mv = board
            .parse_uci(&word)
            .map_err(|error| anyhow!("{error} in {board}, the engine answered {word:?}"))?;
        let score = score.with_context(|| format!("expected a score for {board}, got none"))?;
        if let Some(clock) = &mut self.clock {
            clock.press(spent);
        }
        Ok(Choice { mv, score })
    }
}

impl Drop for UciPlayer {
    fn drop(&mut self) {
        // Killed in case it does not obey, and waited for, so that no process is left.
        let _ = self.send(&Command::Quit);
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The score of an `info` line, unless it is a mere bound or of another line than the best.
fn read_score(info: &InfoLine) -> Option<i16> {
    if info.bound.is_some() || info.multi_pv.is_some_and(|line| line != 1) {
        return None;
    }
    Some(match info.score? {
        ScoreText::Centipawns(value) => ScoredMove::centipawns(value),
        // The winner needs one ply less than two a move.
        ScoreText::Mate(moves @ 1..) => ScoredMove::mate(moves.saturating_mul(2) - 1),
        ScoreText::Mate(moves) => ScoredMove::mate(moves.saturating_mul(2)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_read() {
        let read = |line: &str| match Reply::parse(line) {
            Some(Reply::Info(info)) => read_score(&info),
            _ => None,
        };
        let line = |score: &str| {
            read(&format!("info depth 5 seldepth 6 multipv 1 score {score} nodes 9 pv e2e4"))
        };
        assert_eq!(line("cp -31"), Some(-31));
        assert_eq!(line("mate 2"), Some(30_000 - 3));
        assert_eq!(line("mate -2"), Some(4 - 30_000));
        assert_eq!(line("cp 31 lowerbound"), None);
        assert_eq!(read("info multipv 2 score cp 5"), None);
        assert_eq!(read("info string score cp 5"), None);
        assert_eq!(read("info currmove e2e4"), None);
    }

    #[test]
    fn a_missing_engine_is_named() {
        let error = UciPlayer::start("no-such-engine-anywhere", 1, &[]).err().unwrap();
        assert!(error.to_string().contains("no-such-engine-anywhere"), "{error}");
    }
}
