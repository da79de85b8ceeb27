//! A conversation in UCI, one line after the other: what the program does with threads, without.
//!
//! `stop`, `ponderhit` and `isready` during a search are answered by the script around us
//! (`js/conversation.js`), because nobody reads here while a search runs.

use std::time::{Duration, Instant};

use chess::Board;
use engine::options::TABLE;
use engine::{Engine, Event, Limits, Position, Stopper};
use uci::{Bench, Command, CommandError, Go, InfoLine, Reply, ScoreText, Style};

/// The positions of the program's own bench, and its limits.
const POSITIONS: &str = include_str!("../../../crates/measure/src/bench/positions.epd");
const BENCH_DEPTH: u32 = 13;
const BENCH_HASH_MB: usize = 16;

/// Longer than anybody waits. A search with a time looks at the clock every few hundred nodes, and
/// the clock is where the script may stop it; so every search has a time.
const LONG: Duration = Duration::from_secs(100 * 24 * 3600);

/// The engine and its position.
pub(crate) struct Session {
    engine: Engine,
    position: Position,
}

impl Session {
    pub(crate) fn new() -> Result<Self, String> {
        let engine = Engine::builder().build().map_err(|error| error.to_string())?;
        Ok(Self { engine, position: Position::default() })
    }

    pub(crate) fn stopper(&self) -> Stopper {
        self.engine.stopper()
    }

    /// Does what a line asks for; what it does not understand it says.
    pub(crate) fn obey(&mut self, line: &str) {
        match Command::parse(line) {
            Ok(command) => self.execute(command),
            Err(CommandError::Empty | CommandError::Unknown(_)) => {}
            Err(error @ CommandError::Position(_)) => self.refuse_position(&error),
            Err(error) => say(error),
        }
    }

    fn execute(&mut self, command: Command) {
        match command {
            Command::Uci => introduce(),
            Command::IsReady => write(&Reply::ReadyOk),
            Command::SetOption(option) => {
                if let Err(error) = self.engine.set(&option.name, option.value.as_deref()) {
                    say(format_args!("setoption ignored: {error}"));
                }
            }
            Command::NewGame => self.engine.new_game(),
            Command::Position(position) => match position.resolve_with_note() {
                Ok((position, note)) => {
                    self.position = position;
                    note.iter().for_each(say);
                }
                Err(error) => self.refuse_position(&CommandError::Position(error)),
            },
            Command::Go(go) => self.go(&go),
            Command::Bench(Bench::Search { depth, hash, .. }) => {
                bench(depth.unwrap_or(BENCH_DEPTH), hash.unwrap_or(BENCH_HASH_MB));
            }
            Command::Bench(_) => say("expected a depth after bench"),
            Command::Eval => {
                let [q10, q25, q50, q75, q90] =
                    self.engine.evaluate(self.position.board()).to_array();
                say(format_args!("quantiles {q10} {q25} {q50} {q75} {q90}"));
            }
            Command::Display => say(format_args!("fen {}", self.position.board())),
            // The script does what there is to do.
            _ => {}
        }
    }

    /// A `go` that follows would answer for another board than the page thinks: say for which.
    fn refuse_position(&self, error: &CommandError) {
        say(format_args!("{error}; the position before it stays: {}", self.position.board()));
    }

    fn go(&mut self, go: &Go) {
        let board = self.position.board().clone();
        if let Some(depth) = go.perft {
            let most = chess::MAX_PERFT_DEPTH;
            return match depth > most {
                true => {
                    say(format_args!("expected a perft of at most {most} half-moves, got {depth}"))
                }
                false => say(format_args!("nodes {}", chess::perft(&board, depth))),
            };
        }
        let (mut limits, faults) = go.limits(&board);
        for fault in faults {
            say(format_args!("go: left out: {fault}"));
        }
        // Both are the script's: it keeps the answer back until it may be given.
        (limits.infinite, limits.ponder) = (false, false);
        if limits.clock.is_none() {
            limits.move_time.get_or_insert(LONG);
        }
        let options = self.engine.options();
        let style = Style::new(&board, options.chess960, options.show_wdl);
        if let Some(mv) = self.engine.book_move(&board, &limits) {
            say("the move is from a book");
            return write_event(&Event::BestMove { best: Some(mv), ponder: None }, &style);
        }
        self.engine.go(&self.position, limits, move |event| {
            if matches!(event, Event::BestMove { best: None, .. }) {
                write(&Reply::Info(game_over(&board)));
            }
            write_event(&event, &style);
        });
        self.engine.wait();
    }
}

fn introduce() {
    write(&Reply::IdName(concat!("Brier ", env!("CARGO_PKG_VERSION")).to_owned()));
    write(&Reply::IdAuthor("the Brier team".to_owned()));
    for row in TABLE.iter().filter(|row| !row.hidden) {
        println!("{row}");
    }
    write(&Reply::UciOk);
}

/// The signature of the search, which is that of the program.
fn bench(depth: u32, hash_mb: usize) {
    let mut engine = match Engine::builder().hash_mb(hash_mb).build() {
        Ok(engine) => engine,
        Err(error) => return say(format_args!("bench ignored: {error}")),
    };
    let is_position = |line: &&str| !line.is_empty() && !line.starts_with('#');
    let boards =
        POSITIONS.lines().filter(is_position).filter_map(|line| line.parse::<Board>().ok());
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    let (mut total, mut time) = (0, Duration::ZERO);
    for board in boards {
        engine.new_game();
        let start = Instant::now();
        total += engine.ask(&Position::new(board), &limits).nodes;
        time += start.elapsed();
    }
    let nps = (total as f64 / time.as_secs_f64().max(1e-9)) as u64;
    println!("{total} nodes {nps} nps");
}

/// Words for a human, on a line of their own.
pub(crate) fn say(text: impl ToString) {
    write(&Reply::Text(text.to_string()));
}

fn write(reply: &Reply) {
    println!("{reply}");
}

fn write_event(event: &Event, style: &Style) {
    Reply::from_event(event, style).iter().for_each(write);
}

/// The only thing to say about a position without moves.
fn game_over(board: &Board) -> InfoLine {
    let score = if board.in_check() { ScoreText::Mate(0) } else { ScoreText::Centipawns(0) };
    InfoLine { depth: Some(0), score: Some(score), ..InfoLine::default() }
}
