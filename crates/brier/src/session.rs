//! A UCI session: commands in, engine calls out.
//!
//! The thread that reads a command also carries it out: on a busy machine each thread that must
//! be woken for a `go` costs a turn of the scheduler, four milliseconds and more of the clock.
//! Everything else that happens becomes a [`Message`] to the thread that began the session. So the
//! session never waits for a search and a search never waits for the session.
//! What is not here: the protocol's text (crate `uci`) and the engine (crate `engine`).

use std::collections::VecDeque;
use std::io::{self, BufRead, IsTerminal};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use engine::options::TABLE;
use engine::{Engine, Event, Position};
use review::terminal;
use uci::{
    Bench, Command, CommandError, Go, InfoLine, PositionCommand, Reply, ScoreText, SetOption, Style,
};

use crate::background::Background;
use crate::bench::{self, BenchError};
use crate::input::{self, Line};
use crate::{Failure, help, nonsense, output, perft, policy};

const NAME: &str = concat!("Brier ", env!("CARGO_PKG_VERSION"));
const AUTHOR: &str = "the Brier team";

/// After the end of input each search that is left has this long: enough for the last answers of a
/// batch, too short to run on for a GUI that has died.
const GRACE: Duration = Duration::from_secs(10);

/// What the network needs before anything can ask for memory politely.
const LEAST_MEMORY: usize = 32 << 20;

/// Something the session has to react to besides commands.
enum Message {
    /// A command was the last one.
    Quit,
    /// There will be no more input.
    EndOfInput,
    /// The search or count with this number has given its answer.
    Done(u64),
    /// Nobody reads our output any more.
    OutputClosed(io::Error),
}

/// Runs a session until `quit`, the end of input or the end of all listeners.
pub(crate) fn run(input: impl BufRead + Send + 'static) -> Result<(), Failure> {
    if io::stdin().is_terminal() {
        output::line(greeting()).map_err(Failure::Output)?;
    }
    let (sender, inbox) = mpsc::channel();
    match Session::begin(sender).and_then(|session| Shared::new(session, input)) {
        Ok(shared) => shared.run(&inbox).map_err(Failure::Output),
        Err(reason) => {
            let reason = format!("cannot start: {reason}");
            say(&reason).map_err(Failure::Output)?;
            Err(Failure::Other(reason))
        }
    }
}

/// What a person at a terminal sees first. A GUI, which is no terminal, sees nothing of it.
fn greeting() -> String {
    let program = std::env::args().next().unwrap_or_else(|| "brier".to_owned());
    format!(
        "{NAME}, a chess engine that knows what it does not know. Three things to try:\n\
         \x20 {program} serve --open           a board in your browser: analysis, and games against it\n\
         \x20 {program} analyze games.pgn      your games reviewed, with how sure it is\n\
         \x20 a chess GUI                      give it this program as a UCI engine\n\
         It speaks UCI here as well: type help for the commands, quit to leave."
    )
}

/// A search or count that has not answered yet.
struct Running {
    number: u64,
    /// Will it end by itself, once it does not ponder?
    limited: bool,
    pondering: bool,
    /// Its answer is being written: what a client sends when it has read it need not wait.
    answered: Arc<AtomicBool>,
}

struct Session {
    engine: Engine,
    position: Position,
    debug: bool,
    running: Option<Running>,
    /// A count or a bench.
    background: Option<Background>,
    /// Commands that wait for a search to end by itself.
    waiting: VecDeque<Command>,
    /// How many searches and counts were started.
    started: u64,
    /// When the search that runs after the end of input is stopped.
    deadline: Option<Instant>,
    sender: Sender<Message>,
}

/// The session between the two threads that work on it; none when it is over.
struct Shared {
    session: Arc<Mutex<Option<Session>>>,
}

impl Shared {
    /// Starts the thread that reads commands and carries them out.
    fn new(session: Session, input: impl BufRead + Send + 'static) -> Result<Self, String> {
        let (sender, stopper) = (session.sender.clone(), session.engine.stopper());
        let session = Arc::new(Mutex::new(Some(session)));
        let shared = Arc::clone(&session);
        let read = move || {
            let deliver = |line| {
                let done = match &mut *lock(&shared) {
                    Some(session) => session.obey(&line),
                    None => return false,
                };
                let end = match done {
                    Ok(ControlFlow::Continue(())) => return true,
                    Ok(ControlFlow::Break(())) => Message::Quit,
                    Err(error) => Message::OutputClosed(error),
                };
                // If nobody listens, the session has ended already.
                let _ = sender.send(end);
                false
            };
            input::read_lines(input, || stopper.stop(), deliver);
            let _ = sender.send(Message::EndOfInput);
        };
        let reader = thread::Builder::new().name("input".to_owned()).spawn(read);
        reader.map_err(|error| format!("expected a thread for the input, got: {error}"))?;
        Ok(Self { session })
    }

    /// Reacts to messages until the session is over.
    fn run(&self, inbox: &Receiver<Message>) -> io::Result<()> {
        let mut done = Ok(ControlFlow::Continue(()));
        while let Ok(ControlFlow::Continue(())) = done
            && let Some(message) = self.next_message(inbox)
        {
            done = match &mut *lock(&self.session) {
                Some(session) => session.react(message),
                None => break,
            };
        }
        // What is running ends with it.
        drop(lock(&self.session).take());
        done.map(|_| ())
    }

    /// Waits for something to happen; a search that outlasts its grace is stopped meanwhile.
    fn next_message(&self, inbox: &Receiver<Message>) -> Option<Message> {
        let deadline = lock(&self.session).as_ref()?.deadline;
        let Some(deadline) = deadline else { return inbox.recv().ok() };
        match inbox.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            Ok(message) => Some(message),
            Err(RecvTimeoutError::Timeout) => {
                lock(&self.session).as_ref()?.stop();
                inbox.recv().ok()
            }
            Err(RecvTimeoutError::Disconnected) => None,
        }
    }
}

fn lock(session: &Mutex<Option<Session>>) -> MutexGuard<'_, Option<Session>> {
    session.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Session {
    fn begin(sender: Sender<Message>) -> Result<Self, String> {
        if Vec::<u8>::new().try_reserve_exact(LEAST_MEMORY).is_err() {
            return Err(format!("expected {} MB of free memory, got less", LEAST_MEMORY >> 20));
        }
        let engine = Engine::builder().build().map_err(|error| error.to_string())?;
        Ok(Self {
            engine,
            position: Position::default(),
            debug: false,
            running: None,
            background: None,
            waiting: VecDeque::new(),
            started: 0,
            deadline: None,
            sender,
        })
    }

    /// Reacts to something that is no command; breaks at the end of the session.
    fn react(&mut self, message: Message) -> io::Result<ControlFlow<()>> {
        match message {
            Message::Quit => return Ok(ControlFlow::Break(())),
            Message::EndOfInput => {
                self.deadline = Some(Instant::now() + GRACE);
                if !self.ends_by_itself() {
                    self.stop();
                }
            }
            Message::Done(number) => {
                self.running.take_if(|running| running.number == number);
                self.engine.take_notes().iter().try_for_each(say)?;
                self.resume()?;
            }
            Message::OutputClosed(error) => return Err(error),
        }
        let over = self.deadline.is_some() && self.running.is_none();
        Ok(if over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    }

    /// Will what is running (if anything is) end without a `stop`?
    fn ends_by_itself(&self) -> bool {
        self.running.as_ref().is_none_or(|running| running.limited && !running.pondering)
    }

    fn obey(&mut self, line: &Line) -> io::Result<ControlFlow<()>> {
        match Command::parse(&line.text) {
            Ok(Command::Quit) => return Ok(ControlFlow::Break(())),
            Ok(command) if self.must_wait(&command) => self.wait(command),
            Ok(Command::Go(go)) => self.go(&go, Some(line.read))?,
            Ok(command) => self.execute(command)?,
            Err(CommandError::Empty) => {}
            // The protocol wants unknown words skipped; only a person wants to know.
            Err(error @ CommandError::Unknown(_)) => {
                if self.debug || io::stdin().is_terminal() {
                    say(format!("{error}; try help"))?;
                }
            }
            Err(error @ CommandError::Position(_)) => self.refuse_position(error)?,
            Err(error) => say(error)?,
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Commands of a batch wait until a search with limits has answered, and those after them wait
    /// too, so that nothing overtakes: a `stop` ends all that was asked for before it.
    fn must_wait(&self, command: &Command) -> bool {
        let disturbs = match command {
            Command::IsReady | Command::Debug(_) => return false,
            Command::Go(_) | Command::Bench(_) | Command::NewGame | Command::SetOption(_) => true,
            _ => false,
        };
        let searching = self.running.as_ref().is_some_and(|running| {
            running.limited && !running.pondering && !running.answered.load(Ordering::Relaxed)
        });
        !self.waiting.is_empty() || disturbs && searching
    }

    /// Lets a command wait; a `stop` also ends what is running.
    fn wait(&mut self, command: Command) {
        if matches!(command, Command::Stop) {
            self.stop();
        }
        self.waiting.push_back(command);
    }

    /// Carries out what has waited, up to the next search.
    fn resume(&mut self) -> io::Result<()> {
        while let Some(command) = self.waiting.pop_front() {
            let concerns_search = matches!(command, Command::Stop | Command::PonderHit);
            if self.running.is_some() && !concerns_search {
                self.waiting.push_front(command);
                // A `stop` further back ends what was asked for before it.
                if self.waiting.iter().any(|command| matches!(command, Command::Stop)) {
                    self.stop();
                }
                break;
            }
            self.execute(command)?;
        }
        if self.deadline.is_some() {
            self.deadline = Some(Instant::now() + GRACE);
        }
        Ok(())
    }

    fn execute(&mut self, command: Command) -> io::Result<()> {
        match command {
            Command::Uci => self.introduce(),
            Command::Debug(on) => {
                self.debug = on;
                Ok(())
            }
            Command::IsReady => output::line(Reply::ReadyOk),
            Command::SetOption(option) => self.set_option(&option),
            Command::NewGame => {
                self.end_search();
                self.engine.new_game();
                Ok(())
            }
            Command::Position(command) => self.set_position(&command),
            Command::Go(go) => self.go(&go, None),
            Command::Stop => {
                self.stop();
                Ok(())
            }
            Command::PonderHit => {
                self.ponder_hit();
                Ok(())
            }
            Command::Display => {
                output::line(terminal::board(self.position.board(), self.engine.options().chess960))
            }
            Command::Eval => {
                let board = self.position.board();
                output::line(terminal::evaluation(board, |board| self.engine.evaluate(board)))?;
                match policy::named(&self.engine.options().policy_file).map(policy::load) {
                    Some(Ok(mut net)) => {
                        output::line(policy::first_moves(&mut net, &self.position))
                    }
                    Some(Err(error)) => say(format!("PolicyFile: {error}")),
                    None => Ok(()),
                }
            }
            Command::Bench(bench) => {
                self.bench(bench);
                Ok(())
            }
            Command::Help => output::line(help::HELP),
            Command::Register | Command::Quit => Ok(()),
        }
    }

    fn introduce(&self) -> io::Result<()> {
        output::line(Reply::IdName(NAME.to_owned()))?;
        output::line(Reply::IdAuthor(AUTHOR.to_owned()))?;
        for row in TABLE.iter().filter(|row| !row.hidden || cfg!(feature = "tune")) {
            output::line(row)?;
        }
        #[cfg(feature = "tune")]
        for param in engine::PARAMS {
            let engine::Param { name, default, min, max, .. } = param;
            output::line(format_args!(
                "option name {name} type spin default {default} min {min} max {max}"
            ))?;
        }
        output::line(Reply::UciOk)
    }

    /// Sets an option. Those that concern the engine itself end a search first.
    fn set_option(&mut self, option: &SetOption) -> io::Result<()> {
        match self.engine.set(&option.name, option.value.as_deref()) {
            Ok(()) => self.engine.take_notes().iter().try_for_each(say),
            Err(error) => say(format!("setoption ignored: {error}")),
        }
    }

    fn set_position(&mut self, command: &PositionCommand) -> io::Result<()> {
        match command.resolve_with_note() {
            Ok((position, note)) => {
                self.position = position;
                note.iter().try_for_each(say)
            }
            Err(error) => self.refuse_position(CommandError::Position(error)),
        }
    }

    /// A `go` that follows would answer for another board than the GUI thinks: say for which.
    fn refuse_position(&self, error: CommandError) -> io::Result<()> {
        say(format!("{error}; the position before it stays: {}", self.position.board()))
    }

    /// Starts a search whose clock runs since `read`; one that has waited has its clock from now.
    fn go(&mut self, go: &Go, read: Option<Instant>) -> io::Result<()> {
        self.end_search();
        if let Some(depth) = go.perft.filter(|&depth| depth > chess::MAX_PERFT_DEPTH) {
            let most = chess::MAX_PERFT_DEPTH;
            return say(format!("expected a perft of at most {most} half-moves, got {depth}"));
        }
        if let Some(depth) = go.perft {
            self.count(depth);
            return Ok(());
        }
        let (mut limits, faults) = go.limits(self.position.board());
        limits.start = read;
        if !faults.is_empty() {
            let faults: Vec<_> = faults.iter().map(ToString::to_string).collect();
            say(format!("go: left out: {}", faults.join("; ")))?;
        }
        let options = self.engine.options();
        let joking = options.nonsense && !options.analyse;
        if joking && limits.search_moves.is_empty() {
            limits.search_moves = nonsense::root_moves(self.position.board());
        }
        let number = self.register(limits.ends_by_itself(), limits.ponder);
        let mut sink = self.sink(number, joking);
        if let Some(mv) = self.engine.book_move(self.position.board(), &limits) {
            say("the move is from a book")?;
            sink(Event::BestMove { best: Some(mv), ponder: None });
            return Ok(());
        }
        self.engine.go(&self.position, limits, sink);
        Ok(())
    }

    /// Writes a search's events, and reports to the session when there is nothing more to write.
    fn sink(&self, number: u64, joking: bool) -> impl FnMut(Event) + Send + 'static {
        let board = self.position.board().clone();
        let options = self.engine.options();
        let style = Style::new(&board, options.chess960, options.show_wdl);
        let sender = self.sender.clone();
        let answered = self.running.as_ref().map(|running| Arc::clone(&running.answered));
        move |event| {
            if let (Event::BestMove { .. }, Some(answered)) = (&event, &answered) {
                answered.store(true, Ordering::Relaxed);
            }
            let mut lines = Vec::new();
            match &event {
                Event::BestMove { best: None, .. } => lines.push(Reply::Info(game_over(&board))),
                Event::Info(info) if joking && info.multi_pv == 1 => {
                    lines.push(Reply::Text(nonsense::babble(&board, info.depth).to_owned()));
                }
                _ => {}
            }
            lines.extend(Reply::from_event(&event, &style));
            let written = lines.iter().try_for_each(output::line);
            // Sending fails only when the session has ended, and then nobody cares.
            if let Err(error) = written {
                let _ = sender.send(Message::OutputClosed(error));
            }
            if matches!(event, Event::BestMove { .. }) {
                let _ = sender.send(Message::Done(number));
            }
        }
    }

    fn count(&mut self, depth: u32) {
        let board = self.position.board().clone();
        let style = Style::new(&board, self.engine.options().chess960, false);
        self.start(move |stop| perft::divide(&board, depth, &|mv| style.mv(mv), stop));
    }

    fn bench(&mut self, bench: Bench) {
        self.end_search();
        let source = self.engine.source().clone();
        let policy_file = self.engine.options().policy_file.clone();
        self.start(move |stop| match bench::run(&bench, source, &policy_file, stop) {
            Ok(()) => Ok(()),
            Err(BenchError::Stopped) => say("bench stopped"),
            Err(BenchError::Engine(error)) => say(format!("bench ignored: {error}")),
            Err(BenchError::Output(error)) => Err(error),
        });
    }

    /// Starts work beside the session, which ends by itself.
    fn start(&mut self, work: impl FnOnce(&AtomicBool) -> io::Result<()> + Send + 'static) {
        let number = self.register(true, false);
        let sender = self.sender.clone();
        let done = move |written: io::Result<()>| {
            // As above: a session that has ended does not mind.
            if let Err(error) = written {
                let _ = sender.send(Message::OutputClosed(error));
            }
            let _ = sender.send(Message::Done(number));
        };
        self.background = Some(Background::start(work, done));
    }

    fn register(&mut self, limited: bool, pondering: bool) -> u64 {
        self.started += 1;
        let answered = Arc::default();
        self.running = Some(Running { number: self.started, limited, pondering, answered });
        self.started
    }

    fn stop(&self) {
        self.engine.stop();
        if let Some(background) = &self.background {
            background.stop();
        }
    }

    /// Stops what is running and waits until its answer is written.
    fn end_search(&mut self) {
        self.stop();
        self.background = None;
        self.engine.wait();
    }

    /// From now on the limits of a ponder search count.
    fn ponder_hit(&mut self) {
        if let Some(running) = &mut self.running {
            running.pondering = false;
        }
        self.engine.ponder_hit();
    }
}

/// Words for a human, on a line of their own.
fn say(text: impl ToString) -> io::Result<()> {
    output::line(Reply::Text(text.to_string()))
}

/// The only thing to say about a position without moves.
fn game_over(board: &chess::Board) -> InfoLine {
    let score = if board.in_check() { ScoreText::Mate(0) } else { ScoreText::Centipawns(0) };
    InfoLine { depth: Some(0), score: Some(score), ..InfoLine::default() }
}
