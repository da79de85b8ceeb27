//! Drives the real binary through pipes. Nothing here waits for ever: a silent engine fails the
//! test, with everything that was said before. Every variation and best move it prints is checked
//! for legality, whatever the test is about.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use chess::Board;
use engine::Position;
use uci::{InfoLine, Reply};

/// No answer takes this long on the slowest machine we know; it is no measure of speed.
const PATIENCE: Duration = Duration::from_secs(120);

/// Are the long versions of the tests wanted?
pub(crate) fn full_tests() -> bool {
    std::env::var("BRIER_FULL_TESTS").is_ok_and(|value| value == "1")
}

/// The answer to a `go`.
#[derive(Clone, Debug)]
pub(crate) struct Answer {
    pub(crate) infos: Vec<InfoLine>,
    pub(crate) texts: Vec<String>,
    pub(crate) best: Option<String>,
    pub(crate) ponder: Option<String>,
}

impl Answer {
    /// The last line about the best move with an exact score.
    pub(crate) fn last(&self) -> &InfoLine {
        let exact = |line: &&InfoLine| {
            line.score.is_some() && line.bound.is_none() && line.multi_pv.unwrap_or(1) == 1
        };
        self.infos.iter().rfind(exact).expect("an info line with an exact score")
    }

    /// What was said on `info string` lines, except the forecast and how visits divide.
    pub(crate) fn messages(&self) -> impl Iterator<Item = &String> {
        let forecast =
            |text: &String| ["doubt", "confidence", "visits"].contains(&first_word(text));
        self.texts.iter().filter(move |text| !forecast(text))
    }

    pub(crate) fn nodes(&self) -> u64 {
        self.infos.iter().filter_map(|line| line.nodes).max().unwrap_or(0)
    }
}

fn first_word(text: &str) -> &str {
    text.split_whitespace().next().unwrap_or_default()
}

/// A running engine.
pub(crate) struct Engine {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    transcript: Vec<String>,
    /// The board of the last `position`.
    board: Board,
    /// The boards of all searches that have not answered yet, to check moves against.
    searched: VecDeque<Board>,
}

impl Engine {
    /// Starts the binary and waits until it is ready.
    pub(crate) fn start() -> Self {
        let mut engine = Self::spawn();
        engine.send("uci");
        engine.until("uciok");
        engine.set_options();
        engine
    }

    /// Tells it what every engine of these tests is told.
    pub(crate) fn set_options(&mut self) {
        for option in crate::OPTIONS {
            self.send(&format!("setoption {option}"));
        }
        self.sync();
    }

    /// Starts the binary and says nothing.
    pub(crate) fn spawn() -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_brier"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the binary starts");
        let output = child.stdout.take().expect("a pipe");
        let (sender, lines) = channel();
        thread::spawn(move || {
            for line in BufReader::new(output).lines() {
                let Ok(line) = line else { return };
                // Dropping the receiver closes the engine's output, as a dying GUI would.
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        let input = child.stdin.take();
        let (board, searched) = (Board::default(), VecDeque::new());
        Self { child, input, lines, transcript: Vec::new(), board, searched }
    }

    /// Sends one line. An engine that has gone away is noticed by the reader.
    pub(crate) fn send(&mut self, line: &str) {
        self.send_bytes(line.as_bytes());
        match uci::Command::parse(line) {
            Ok(uci::Command::Position(command)) => {
                if let Ok(position) = command.resolve() {
                    self.board = position.board().clone();
                }
            }
            Ok(uci::Command::Go(go)) if go.perft.is_none() => {
                self.searched.push_back(self.board.clone());
            }
            _ => {}
        }
    }

    /// Sends bytes and a line's end.
    pub(crate) fn send_bytes(&mut self, bytes: &[u8]) {
        self.transcript.push(format!("> {}", String::from_utf8_lossy(bytes)));
        let input = self.input.as_mut().expect("input is open");
        let _ = input.write_all(bytes).and_then(|()| input.write_all(b"\n"));
        let _ = input.flush();
    }

    /// The next line, or none at the end of the output.
    pub(crate) fn next_line(&mut self) -> Option<String> {
        match self.lines.recv_timeout(PATIENCE) {
            Ok(line) => {
                self.transcript.push(format!("< {line}"));
                self.check_moves(&line);
                Some(line)
            }
            Err(RecvTimeoutError::Disconnected) => None,
            Err(RecvTimeoutError::Timeout) => self.fail("the engine is silent"),
        }
    }

    /// All lines up to and with one whose first word is this.
    pub(crate) fn until(&mut self, word: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            let Some(line) = self.next_line() else { self.fail(&format!("no {word} came")) };
            let found = line.split_whitespace().next() == Some(word);
            lines.push(line);
            if found {
                return lines;
            }
        }
    }

    /// Waits for `readyok` and returns what was said before it.
    pub(crate) fn sync(&mut self) -> Vec<String> {
        self.send("isready");
        let mut lines = self.until("readyok");
        lines.pop();
        lines
    }

    /// Sets a position and searches it.
    pub(crate) fn search(&mut self, position: &str, go: &str) -> Answer {
        self.send(position);
        self.send(go);
        self.answer()
    }

    /// Reads up to `bestmove`.
    pub(crate) fn answer(&mut self) -> Answer {
        let lines = self.until("bestmove");
        self.read_answer(&lines)
    }

    /// Like `answer`, ignoring lines that begin with this word.
    pub(crate) fn answer_past(&mut self, word: &str) -> Answer {
        let mut lines = self.until("bestmove");
        lines.retain(|line| line.split_whitespace().next() != Some(word));
        self.read_answer(&lines)
    }

    /// Understands the lines of one answer.
    pub(crate) fn read_answer(&self, lines: &[String]) -> Answer {
        let mut answer = Answer { infos: Vec::new(), texts: Vec::new(), best: None, ponder: None };
        for line in lines {
            match Reply::parse(line) {
                Some(Reply::Info(info)) => {
                    if info.to_string() != *line {
                        self.fail(&format!(
                            "not only the protocol's words, or not in order: {line}"
                        ));
                    }
                    answer.infos.push(info);
                }
                Some(Reply::Text(text)) => answer.texts.push(text),
                Some(Reply::BestMove { best, ponder }) => {
                    (answer.best, answer.ponder) = (best, ponder);
                }
                _ => self.fail(&format!("an unexpected line: {line}")),
            }
        }
        if answer.best.is_none() && !self.board.legal_moves().is_empty() {
            self.fail("no move although there are some");
        }
        answer
    }

    /// Checks the variation or the best move of a line against the board it belongs to.
    fn check_moves(&mut self, line: &str) {
        match Reply::parse(line) {
            Some(Reply::Info(info)) if !info.pv.is_empty() => match self.searched.front() {
                Some(board) => self.check_line(board, &info.pv),
                None => self.fail("a variation without a search"),
            },
            Some(Reply::BestMove { best, ponder }) => match self.searched.pop_front() {
                Some(board) => {
                    let played: Vec<_> = best.into_iter().chain(ponder).collect();
                    self.check_line(&board, &played);
                }
                None => self.fail("a best move without a search"),
            },
            _ => {}
        }
    }

    fn check_line(&self, board: &Board, moves: &[String]) {
        let mut position = Position::new(board.clone());
        for text in moves {
            match position.board().parse_uci(text) {
                Ok(mv) => position.play(mv),
                Err(_) => self.fail(&format!("{text} is not legal in {}", moves.join(" "))),
            }
        }
    }

    /// The FEN that the engine itself has in mind.
    pub(crate) fn fen(&mut self) -> String {
        self.send("d");
        let lines = self.sync();
        let fen = lines.iter().find_map(|line| line.strip_prefix("fen"));
        fen.expect("d shows a FEN").trim().to_owned()
    }

    /// Closes the engine's input.
    pub(crate) fn close_input(&mut self) {
        self.input = None;
    }

    /// Stops reading the engine's output.
    pub(crate) fn close_output(&mut self) {
        self.lines = channel().1;
    }

    /// Waits for the process to end, reading what it still says.
    pub(crate) fn finish(&mut self) -> (ExitStatus, Vec<String>) {
        let mut lines = Vec::new();
        while let Some(line) = self.next_line() {
            lines.push(line);
        }
        let start = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().expect("the process can be asked") {
                return (status, lines);
            }
            if start.elapsed() > PATIENCE {
                self.fail("the process does not end");
            }
            thread::sleep(Duration::from_millis(5));
        }
    }

    /// Memory in use, in kB, where the system tells.
    pub(crate) fn memory(&self) -> Option<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
        line.split_whitespace().nth(1)?.parse().ok()
    }

    fn fail(&self, reason: &str) -> ! {
        let from = self.transcript.len().saturating_sub(60);
        panic!("{reason}\nthe last lines were\n{}", self.transcript[from..].join("\n"));
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        // It may have ended already; both calls may fail then.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
