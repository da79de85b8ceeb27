//! One conversation with a GUI: the game, the engine's memory, and what each command does.

use std::io::{self, Write};
use std::sync::mpsc::Receiver;
use std::time::{Duration, Instant, SystemTime};

use pocket::level::LEVELS;
use pocket::score::{MATE, MATE_BOUND, Score};
use pocket::search::{Outcome, Progress, Search};
use pocket::table::{BANK, Bank};
use pocket::{Game, Setup, fen};

use crate::command::{Command, Limits};
use crate::notation::{read_move, write_move};

/// How many nodes run between two looks at the clock and at the GUI.
const PORTION: u32 = 256;

/// Everything the engine owns, and where it writes.
pub(crate) struct Session<W: Write> {
    game: Box<Game>,
    search: Box<Search>,
    low: Box<Bank<BANK>>,
    high: Box<Bank<BANK>>,
    out: W,
    input: Receiver<Command>,
    quitting: bool,
    /// The handicap from 1 to [`LEVELS`]; 0 is none.
    level: u8,
    /// What the noise of the levels comes from.
    random: u32,
}

/// The positions of `bench`, from opening to ending.
const BENCH: [&str; 8] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1",
    "r1bq1rk1/ppp2ppp/2np1n2/2b1p3/2B1P3/2NP1N2/PPP2PPP/R1BQ1RK1 w - - 0 7",
    "r2q1rk1/1b2bppp/p1n1pn2/1p6/3P4/P1NB1N2/1P2QPPP/R1BR2K1 b - - 4 14",
    "8/5pk1/4p1p1/3pP2p/3P1P1P/4K1P1/8/8 w - - 0 40",
    "6k1/5ppp/8/8/8/2r5/1R3PPP/6K1 b - - 1 30",
];

impl<W: Write> Session<W> {
    pub(crate) fn new(out: W, input: Receiver<Command>) -> Session<W> {
        let mut game = Box::new(Game::ZERO);
        // The start is a position.
        let _ = game.set(&Setup::START);
        Session {
            game,
            search: Box::new(Search::EMPTY),
            low: Box::new(Bank::EMPTY),
            high: Box::new(Bank::EMPTY),
            out,
            input,
            quitting: false,
            level: 0,
            // Two games at one level should differ.
            random: SystemTime::UNIX_EPOCH.elapsed().map_or(1, |t| t.subsec_nanos()),
        }
    }

    /// Obeys commands until `quit` or the end of the input.
    pub(crate) fn run(&mut self) -> io::Result<()> {
        while !self.quitting {
            let Ok(command) = self.input.recv() else { break };
            self.obey(command)?;
        }
        Ok(())
    }

    fn say(&mut self, line: &str) -> io::Result<()> {
        writeln!(self.out, "{line}")?;
        self.out.flush()
    }

    pub(crate) fn obey(&mut self, command: Command) -> io::Result<()> {
        match command {
            Command::Uci => {
                let version = env!("CARGO_PKG_VERSION");
                self.say(&format!("id name Brier Pocket {version}"))?;
                self.say("id author the Brier authors")?;
                self.say(&format!("option name Level type spin default 0 min 0 max {LEVELS}"))?;
                self.say("uciok")
            }
            Command::IsReady => self.say("readyok"),
            Command::NewGame => {
                self.forget();
                Ok(())
            }
            Command::Position(fen, moves) => match self.set_position(fen.as_deref(), &moves) {
                Ok(()) => Ok(()),
                Err(error) => self.say(&format!("info string {error}")),
            },
            Command::Go(limits) => self.go(&limits),
            Command::Perft(depth) => self.perft(depth),
            Command::Bench => self.bench(),
            Command::SetOption(name, value) => self.set_option(&name, &value),
            Command::Quit => {
                self.quitting = true;
                Ok(())
            }
            Command::Display => {
                let text = format!("key {:08x}", self.game.board.key());
                self.say(&text)
            }
            Command::Stop | Command::Nothing => Ok(()),
        }
    }

    fn set_option(&mut self, name: &str, value: &str) -> io::Result<()> {
        if !name.eq_ignore_ascii_case("level") {
            return self.say(&format!("info string expected the option 'Level', got '{name}'"));
        }
        match value.parse() {
            Ok(level) if level <= LEVELS => {
                self.level = level;
                Ok(())
            }
            _ => {
                self.say(&format!("info string expected a level from 0 to {LEVELS}, got '{value}'"))
            }
        }
    }

    fn forget(&mut self) {
        self.search.clear();
        self.low.clear();
        self.high.clear();
    }

    fn set_position(&mut self, text: Option<&str>, moves: &[String]) -> Result<(), String> {
        let setup = match text {
            None => Setup::START,
            Some(text) => {
                fen::parse(text.as_bytes()).map_err(|e| format!("bad FEN '{text}': {e:?}"))?
            }
        };
        let mut game = Box::new(Game::ZERO);
        game.set(&setup).map_err(|e| format!("impossible position: {e:?}"))?;
        for text in moves {
            let m = read_move(&mut game, &mut self.search.pool, text)
                .ok_or_else(|| format!("expected a legal move, got '{text}'"))?;
            game.play(m);
        }
        self.game = game;
        Ok(())
    }

    /// The time for this move: a thirtieth of what is left and most of the increment, and never
    /// so much that the clock could run out.
    fn time_for(&self, limits: &Limits) -> Option<Duration> {
        let side = self.game.board.side() as usize;
        if let Some(time) = limits.movetime {
            return Some(time.saturating_sub(Duration::from_millis(2)));
        }
        let left = limits.clock[side]?;
        let share = left / limits.moves_to_go.map_or(30, |n| n.clamp(1, 30) + 1);
        let wanted = share + limits.increment[side] * 3 / 4;
        let safe = left.saturating_sub(Duration::from_millis(20)) * 4 / 5;
        Some(wanted.min(safe))
    }

    fn go(&mut self, limits: &Limits) -> io::Result<()> {
        let start = Instant::now();
        let (best, stopped) = match self.level {
            0 => {
                let stopped = self.think(limits, start)?;
                self.search.stop(&mut self.game);
                (self.search.outcome().best, stopped)
            }
            // A level has its own small limits and is done at once.
            level => {
                let banks = (&mut *self.low, &mut *self.high);
                let random = &mut self.random;
                let outcome = self.search.choose(&mut self.game, banks, level, random, || false);
                self.report(&outcome, start)?;
                (outcome.best, false)
            }
        };
        // UCI: after `go infinite` the answer waits for `stop`.
        if limits.infinite && !stopped {
            while !self.quitting {
                match self.input.recv() {
                    Ok(Command::Stop) | Err(_) => break,
                    Ok(other) => self.obey_while_searching(other)?,
                }
            }
        }
        self.say(&format!("bestmove {}", write_move(best)))
    }

    /// Searches until a limit is reached, or the GUI ends it: then true comes back.
    fn think(&mut self, limits: &Limits, start: Instant) -> io::Result<bool> {
        let deadline = self.time_for(limits).map(|time| start + time);
        let max_nodes = limits.nodes.unwrap_or(u32::MAX);
        self.search.begin(&mut self.game, limits.depth.unwrap_or(0));
        let mut reported = 0;
        loop {
            let done = self.search.outcome().nodes;
            let portion = PORTION.min(max_nodes.saturating_sub(done));
            let progress = self.search.run(&mut self.game, &mut self.low, &mut self.high, portion);
            let outcome = self.search.outcome();
            if outcome.depth > reported {
                reported = outcome.depth;
                self.report(&outcome, start)?;
            }
            let timed_out = deadline.is_some_and(|deadline| Instant::now() >= deadline);
            if progress == Progress::Finished || timed_out || outcome.nodes >= max_nodes {
                return Ok(false);
            }
            if self.interrupted()? {
                return Ok(true);
            }
        }
    }

    /// Looks at what the GUI sent meanwhile; true means the search must end.
    fn interrupted(&mut self) -> io::Result<bool> {
        while let Ok(command) = self.input.try_recv() {
            if command == Command::Stop {
                return Ok(true);
            }
            self.obey_while_searching(command)?;
            if self.quitting {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn obey_while_searching(&mut self, command: Command) -> io::Result<()> {
        match command {
            Command::Quit => {
                self.quitting = true;
                Ok(())
            }
            Command::IsReady => self.say("readyok"),
            Command::Nothing => Ok(()),
            _ => self.say("info string searching: send 'stop' first"),
        }
    }

    fn report(&mut self, outcome: &Outcome, start: Instant) -> io::Result<()> {
        let elapsed = start.elapsed();
        let nps = (u64::from(outcome.nodes) * 1000) / (elapsed.as_millis() as u64).max(1);
        self.say(&format!(
            "info depth {} score {} nodes {} time {} nps {nps} pv {}",
            outcome.depth,
            write_score(outcome.score),
            outcome.nodes,
            elapsed.as_millis(),
            write_move(outcome.best)
        ))
    }

    fn perft(&mut self, depth: u8) -> io::Result<()> {
        let start = Instant::now();
        self.search.pool.clear();
        let leaves = self.game.perft(depth, &mut self.search.pool);
        self.say(&format!("perft {depth} {leaves} leaves {} ms", start.elapsed().as_millis()))
    }

    /// Searches fixed positions to a fixed depth: the node total is the engine's signature.
    pub(crate) fn bench(&mut self) -> io::Result<()> {
        let start = Instant::now();
        let mut nodes = 0u32;
        for text in BENCH {
            self.forget();
            if let Err(error) = self.set_position(Some(text), &[]) {
                return self.say(&format!("info string {error}"));
            }
            self.search.begin(&mut self.game, 10);
            self.search.run(&mut self.game, &mut self.low, &mut self.high, u32::MAX);
            let outcome = self.search.outcome();
            nodes += outcome.nodes;
            let best = write_move(outcome.best);
            self.say(&format!("{best} {} {}", write_score(outcome.score), outcome.nodes))?;
        }
        let millis = (start.elapsed().as_millis() as u32).max(1);
        self.say(&format!("{nodes} nodes {} nps", nodes / millis * 1000))
    }
}

fn write_score(score: Score) -> String {
    if score >= MATE_BOUND {
        format!("mate {}", (MATE - score + 1) / 2)
    } else if score <= -MATE_BOUND {
        format!("mate -{}", (MATE + score) / 2)
    } else {
        format!("cp {score}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::parse;
    use pocket::Move;
    use std::sync::mpsc;

    fn talk(lines: &[&str]) -> String {
        let (sender, receiver) = mpsc::channel();
        for line in lines {
            sender.send(parse(line).unwrap()).unwrap();
        }
        drop(sender);
        let mut session = Session::new(Vec::new(), receiver);
        session.run().unwrap();
        String::from_utf8(session.out).unwrap()
    }

    #[test]
    fn a_mate_in_one_is_played() {
        let said = talk(&["position fen 6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", "go depth 3"]);
        assert!(said.contains("bestmove d1d8"), "{said}");
        assert!(said.contains("score mate 1"), "{said}");
    }

    #[test]
    fn a_node_limit_is_exact() {
        let (sender, receiver) = mpsc::channel();
        sender.send(parse("go nodes 1000").unwrap()).unwrap();
        drop(sender);
        let mut session = Session::new(Vec::new(), receiver);
        session.run().unwrap();
        assert_eq!(session.search.outcome().nodes, 1000);
        assert!(String::from_utf8(session.out).unwrap().contains("bestmove "));
    }

    #[test]
    fn a_level_plays_and_a_wrong_one_is_refused() {
        let said = talk(&["setoption name Level value 1", "go nodes 100000"]);
        assert!(said.contains("info depth 1 ") && said.contains("bestmove "), "{said}");
        let said = talk(&["setoption name Level value 11", "setoption name Hash value 1"]);
        assert!(said.contains("expected a level from 0 to 10, got '11'"), "{said}");
        assert!(said.contains("expected the option 'Level', got 'Hash'"), "{said}");
    }

    #[test]
    fn an_endless_search_waits_for_stop() {
        // Mate in one ends the search, but not the wait.
        let mate = "position fen 6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1";
        let said = talk(&[mate, "go infinite", "isready", "stop", "isready"]);
        let order: Vec<_> =
            said.lines().filter(|l| l.starts_with("best") || l.starts_with("ready")).collect();
        assert_eq!(order, ["readyok", "bestmove d1d8", "readyok"], "{said}");
    }

    #[test]
    fn an_illegal_move_is_refused_and_the_position_kept() {
        let said = talk(&["position startpos moves e2e4 e7e4", "perft 1"]);
        assert!(said.contains("expected a legal move, got 'e7e4'"), "{said}");
        assert!(said.contains("perft 1 20"), "{said}");
    }

    #[test]
    fn mates_are_counted_in_moves() {
        assert_eq!(write_score(MATE - 1), "mate 1");
        assert_eq!(write_score(MATE - 3), "mate 2");
        assert_eq!(write_score(-MATE + 2), "mate -1");
        assert_eq!(write_move(Move::NONE), "0000");
    }
}
