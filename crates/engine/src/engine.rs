//! The engine with everything: search, evaluator, books, tablebases, policy and options.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

use bitnet::PolicyNet;
use book::{BookMove, Books};
use chess::{Board, Move};
use eval::{Forecaster, Policy, Quantiles, Tablebase};
use search::{EngineError, Event, Limits, Position, Settings, Stopper};
use simd::Kernels;
#[cfg(feature = "syzygy")]
use tablebase::SyzygyTables;

use crate::options::{OptionError, Options, Row};
use crate::{Answer, AnyEvaluator, Builder, Source, books, people};

/// Megabytes of the main search's table while the other search has the memory.
const LEAST_TABLE: usize = 1;

/// The chess engine Brier.
///
/// ```
/// use engine::{Engine, Limits, Position};
///
/// let mut engine = Engine::builder().hash_mb(4).build()?;
/// let board = "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1".parse()?;
/// let limits = Limits { depth: Some(6), ..Limits::default() };
/// let answer = engine.ask(&Position::new(board), &limits);
/// assert_eq!(answer.best.unwrap().to_string(), "a1a8");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Engine {
    search: search::Engine<AnyEvaluator>,
    /// The other search, while the option `MCTS` is on.
    tree: Option<mcts::Engine<AnyEvaluator>>,
    source: Source,
    kernels: &'static Kernels,
    books: Books,
    #[cfg(feature = "syzygy")]
    tablebases: Option<Arc<SyzygyTables>>,
    options: Options,
    /// Chooses among moves where the strength is limited.
    seed: u64,
    notes: Vec<String>,
}

impl Engine {
    /// An engine with the options of your choice; without any it plays as the program does.
    pub fn builder() -> Builder {
        Builder::default()
    }

    pub(crate) fn with_options(
        options: Options,
        source: Source,
        kernels: &'static Kernels,
    ) -> Result<Self, EngineError> {
        let factory = source.clone();
        let factory = move || factory.evaluator_with(kernels);
        let mut search = search::Engine::new(factory, options.hash, options.threads)?;
        search.set_forecaster(source.forecaster());
        Ok(Self {
            search,
            tree: None,
            source,
            kernels,
            books: Books::new(vec![book::embedded()]),
            #[cfg(feature = "syzygy")]
            tablebases: None,
            options,
            seed: books::random(),
            notes: Vec::new(),
        })
    }

    /// The options as they stand.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// What positions are judged with.
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// Sets an option by its name, as `setoption` does; a button takes no value. Options that
    /// concern a running search end it first. On an error everything is as before.
    ///
    /// ```
    /// # let mut engine = engine::Engine::builder().hash_mb(1).build()?;
    /// engine.set("MultiPV", Some("3"))?;
    /// let error = engine.set("MultiPV", Some("0")).unwrap_err();
    /// assert_eq!(error.to_string(), "MultiPV: expected 1 to 500, got \"0\"");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set(&mut self, name: &str, value: Option<&str>) -> Result<(), OptionError> {
        #[cfg(feature = "tune")]
        if let Some(param) = search::PARAMS.iter().find(|param| param.name == name) {
            return self.set_param(param, value);
        }
        let before = self.options.clone();
        let row = self.options.store(name, value)?;
        self.act(row).inspect_err(|_| self.options = before)
    }

    /// How many best lines the next search finds.
    pub fn set_lines(&mut self, count: usize) {
        self.options.multi_pv = count.max(1);
    }

    /// Whether the next search is for analysis, as `UCI_AnalyseMode` says.
    pub fn set_analysis(&mut self, analysis: bool) {
        self.options.analyse = analysis;
    }

    /// Does at once what an option asks for.
    pub(crate) fn act(&mut self, row: &Row) -> Result<(), OptionError> {
        let refused = |reason| OptionError::Refused { name: row.name, reason };
        row.action.map_or(Ok(()), |action| action(self)).map_err(refused)
    }

    /// What there is to say about files since the last call: tablebases that were found, and
    /// those that turned out to be damaged.
    pub fn take_notes(&mut self) -> Vec<String> {
        #[cfg(feature = "syzygy")]
        if let Some(tables) = &self.tablebases {
            self.notes.extend(crate::tablebases::take_problems(tables));
        }
        std::mem::take(&mut self.notes)
    }

    /// Foresees with something else than the shipped model from now on, until another evaluator is
    /// loaded; none for the static evaluation's own doubt.
    pub fn set_forecaster(&mut self, forecaster: Option<Arc<dyn Forecaster>>) {
        self.search.set_forecaster(forecaster);
    }

    /// Forgets everything about earlier games.
    ///
    /// With a limited strength the next game is another one, too: see [`Self::set_seed`].
    pub fn new_game(&mut self) {
        self.search.new_game();
        if let Some(tree) = &mut self.tree {
            tree.new_game();
        }
        self.seed = books::random();
    }

    /// Makes games of limited strength repeatable: the same number gives the same choices among the
    /// moves that are good enough for the rating.
    ///
    /// ```
    /// # use engine::{Engine, Limits, Position};
    /// let mut engine = Engine::builder().hash_mb(1).option("UCI_LimitStrength", "true").build()?;
    /// let limits = Limits { nodes: Some(500), ..Limits::default() };
    /// let mut play = |seed| {
    ///     engine.new_game();
    ///     engine.set_seed(seed);
    ///     engine.ask(&Position::default(), &limits).best
    /// };
    /// assert_eq!(play(1), play(1));
    /// assert!((2..20).any(|seed| play(seed) != play(1)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_seed(&mut self, seed: u64) {
        self.seed = seed;
    }

    /// The tablebases that are open, for who wants to ask them without a search.
    #[cfg(feature = "syzygy")]
    pub fn tablebases(&self) -> Option<Arc<dyn Tablebase>> {
        self.tablebases.clone().map(|tables| tables as Arc<dyn Tablebase>)
    }

    /// The moves of the first book that knows the position, heaviest first, whether or not the
    /// option `OwnBook` is on.
    pub fn book_moves(&mut self, board: &Board) -> Vec<BookMove> {
        books::moves(&mut self.books, board, &self.options)
    }

    /// A move to play without a search, if the options and limits allow a book.
    pub fn book_move(&mut self, board: &Board, limits: &Limits) -> Option<Move> {
        books::choose(&mut self.books, board, &self.options, limits)
    }

    /// Starts a search and returns at once; one that still runs is stopped first. The listener is
    /// called from a search thread and gets `BestMove` exactly once, last. No book is asked.
    pub fn go(
        &mut self,
        position: &Position,
        limits: Limits,
        listener: impl FnMut(Event) + Send + 'static,
    ) {
        let limits = self.options.until_sure(limits);
        let settings = Settings { seed: self.seed, ..self.options.settings() };
        self.stop();
        self.wait();
        let like_people = settings.elo.is_some() && self.options.like_people;
        self.search.set_people(like_people.then(people).flatten());
        match &mut self.tree {
            // A tree search does not know how to play worse.
            Some(tree) if settings.elo.is_none() => tree.go(position, limits, settings, listener),
            _ => self.search.go(position, limits, settings, listener),
        }
    }

    /// Asks the running search to answer as soon as it can.
    pub fn stop(&self) {
        self.search.stop();
        self.tree.iter().for_each(mcts::Engine::stop);
    }

    /// What stops this engine's searches from another thread, without waiting for this one.
    ///
    /// ```
    /// # use engine::{Engine, Limits, Position};
    /// # let mut engine = Engine::builder().hash_mb(1).build()?;
    /// let stopper = engine.stopper();
    /// engine.go(&Position::default(), Limits { infinite: true, ..Limits::default() }, |_| ());
    /// std::thread::spawn(move || stopper.stop());
    /// engine.wait();
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn stopper(&self) -> Stopper {
        self.search.stopper()
    }

    /// The move that was pondered on has been played: the limits count from now on.
    pub fn ponder_hit(&self) {
        self.search.ponder_hit();
        self.tree.iter().for_each(mcts::Engine::ponder_hit);
    }

    /// Waits until the running search has answered.
    pub fn wait(&mut self) {
        self.search.wait();
        self.tree.iter_mut().for_each(mcts::Engine::wait);
    }

    /// Searches to the limits and waits for the answer; a book may give it (see
    /// [`book_move`](Self::book_move)). Limits that never end would wait forever: see
    /// [`watch`](Self::watch).
    pub fn ask(&mut self, position: &Position, limits: &Limits) -> Answer {
        if let Some(mv) = self.book_move(position.board(), limits) {
            return Answer { best: Some(mv), is_book: true, ..Answer::default() };
        }
        let (sender, events) = mpsc::channel();
        self.go(position, limits.clone(), move |event| {
            // The receiver outlives the search.
            let _ = sender.send(event);
        });
        self.wait();
        let mut answer = Answer::default();
        events.try_iter().for_each(|event| answer.update(event, self.options.multi_pv));
        answer
    }

    /// Searches to the limits while `listener` wants to go on, and returns what was found. The
    /// listener is called every `pause`, with what is known by then if there is something new.
    ///
    /// ```
    /// # use std::{ops::ControlFlow, time::Duration};
    /// # use engine::{Engine, Limits, Position};
    /// # let mut engine = Engine::builder().hash_mb(1).build()?;
    /// let endless = Limits { infinite: true, ..Limits::default() };
    /// let pause = Duration::from_millis(10);
    /// let answer = engine.watch(&Position::default(), &endless, pause, |news| match news {
    ///     Some(answer) if answer.nodes > 1000 => ControlFlow::Break(()),
    ///     _ => ControlFlow::Continue(()),
    /// });
    /// assert!(answer.best.is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn watch(
        &mut self,
        position: &Position,
        limits: &Limits,
        pause: Duration,
        mut listener: impl FnMut(Option<&Answer>) -> ControlFlow<()>,
    ) -> Answer {
        let (sender, events) = mpsc::channel();
        self.go(position, limits.clone(), move |event| {
            // The receiver outlives the search.
            let _ = sender.send(event);
        });
        let count = self.options.multi_pv;
        let (mut answer, mut is_new) = (Answer::default(), false);
        let mut called = Instant::now();
        loop {
            let over = match events.recv_timeout(pause) {
                Ok(event) => {
                    let over = matches!(event, Event::BestMove { .. });
                    is_new |= matches!(event, Event::Info(_));
                    answer.update(event, count);
                    over
                }
                Err(RecvTimeoutError::Timeout) => false,
                Err(RecvTimeoutError::Disconnected) => true,
            };
            if !over && called.elapsed() < pause {
                continue;
            }
            called = Instant::now();
            let news = is_new.then_some(&answer);
            is_new = false;
            if listener(news).is_break() || over {
                break;
            }
        }
        self.stop();
        self.wait();
        events.try_iter().for_each(|event| answer.update(event, count));
        answer
    }

    /// As [`go`](Self::go), but the listener gets all that is known whenever a line is reported, and once more
    /// with `true` at the end. It is called on the search's thread: where there is no other, this is the way to
    /// follow a search.
    pub fn go_reporting(
        &mut self,
        position: &Position,
        limits: Limits,
        mut listener: impl FnMut(&Answer, bool) + Send + 'static,
    ) {
        let count = self.options.multi_pv;
        let mut answer = Answer::default();
        self.go(position, limits, move |event| {
            let is_last = matches!(event, Event::BestMove { .. });
            let is_news = is_last || matches!(event, Event::Info(_));
            answer.update(event, count);
            if is_news {
                listener(&answer, is_last);
            }
        });
    }

    /// The static evaluation of a position, for the side to move.
    pub fn evaluate(&self, board: &Board) -> Quantiles {
        self.search.evaluate(board)
    }
}

/// What options do at once: see `options/table.rs`.
impl Engine {
    pub(crate) fn resize_table(&mut self) -> Result<(), String> {
        match self.options.mcts {
            true => self.choose_search(),
            false => self.search.set_hash(self.options.hash).map_err(|error| error.to_string()),
        }
    }

    /// Turns to the search that the options name, with all that it needs. Of the two only one has
    /// the memory that `Hash` allows.
    pub(crate) fn choose_search(&mut self) -> Result<(), String> {
        self.stop();
        self.wait();
        if !self.options.mcts {
            self.search.set_hash(self.options.hash).map_err(|error| error.to_string())?;
            self.tree = None;
            return Ok(());
        }
        let policy = self.read_policy()?;
        let (source, kernels) = (self.source.clone(), self.kernels);
        let setup = mcts::Setup {
            evaluator: Arc::new(move || source.evaluator_with(kernels)),
            hash_mb: self.options.hash,
            threads: self.options.threads,
            tablebase: self.tablebase(),
            policy: policy.map(|net| Box::new(net) as Box<dyn Policy>),
            stopper: self.search.stopper(),
        };
        // Everything before it stays if there is no memory.
        let tree = mcts::Engine::new(setup).map_err(|error| error.to_string())?;
        self.search.set_hash(LEAST_TABLE).map_err(|error| error.to_string())?;
        self.tree = Some(tree);
        Ok(())
    }

    /// Gives the tree search, if it is on, what an option has changed.
    fn renew_tree(&mut self) -> Result<(), String> {
        if self.tree.is_some() { self.choose_search() } else { Ok(()) }
    }

    pub(crate) fn start_threads(&mut self) -> Result<(), String> {
        self.search.set_threads(self.options.threads).map_err(|error| error.to_string())?;
        self.renew_tree()
    }

    pub(crate) fn forget(&mut self) -> Result<(), String> {
        self.search.new_game();
        self.tree.iter_mut().for_each(mcts::Engine::new_game);
        Ok(())
    }

    pub(crate) fn load_evaluator(&mut self) -> Result<(), String> {
        let path = &self.options.eval_file;
        let source = Source::from_option(path).map_err(|error| format!("{path}: {error}"))?;
        self.source = source.clone();
        self.search.set_forecaster(source.forecaster());
        let kernels = self.kernels;
        self.search.set_evaluator(move || source.evaluator_with(kernels));
        self.renew_tree()
    }

    pub(crate) fn open_books(&mut self) -> Result<(), String> {
        self.books = books::open(&self.options.book_file)?;
        Ok(())
    }

    /// The file is read in any case, so that a bad one is refused when it is named.
    pub(crate) fn load_policy(&mut self) -> Result<(), String> {
        let net = self.read_policy()?;
        self.search.set_policy(net.map(|net| Box::new(net) as Box<dyn Policy>));
        self.renew_tree()
    }

    /// The policy that the options name and want.
    fn read_policy(&self) -> Result<Option<PolicyNet>, String> {
        let net = match self.options.policy_file.as_str() {
            "<empty>" => None,
            path => {
                let net = PolicyNet::load(path.as_ref(), self.kernels);
                Some(net.map_err(|error| format!("{path}: {error}"))?)
            }
        };
        Ok(net.filter(|_| self.options.use_policy))
    }

    #[cfg(feature = "syzygy")]
    pub(crate) fn open_tablebases(&mut self) -> Result<(), String> {
        self.tablebases = crate::tablebases::open(&self.options.syzygy_path);
        let tables = self.tablebases.clone();
        self.notes.extend(tables.iter().map(|tables| crate::tablebases::describe(tables)));
        self.search.set_tablebase(tables.map(|tables| tables as Arc<dyn Tablebase>));
        self.renew_tree()
    }

    #[cfg(not(feature = "syzygy"))]
    pub(crate) fn open_tablebases(&mut self) -> Result<(), String> {
        match self.options.syzygy_path.as_str() {
            "<empty>" => Ok(()),
            _ => Err("expected <empty>: this build reads no tablebases".to_owned()),
        }
    }

    #[cfg(feature = "syzygy")]
    fn tablebase(&self) -> Option<Arc<dyn Tablebase>> {
        self.tablebases()
    }

    #[cfg(not(feature = "syzygy"))]
    fn tablebase(&self) -> Option<Arc<dyn Tablebase>> {
        None
    }

    /// Sets a number of the search, for tuners; threads start anew with tables made from it.
    #[cfg(feature = "tune")]
    fn set_param(
        &mut self,
        param: &'static search::Param,
        value: Option<&str>,
    ) -> Result<(), OptionError> {
        let number = value.and_then(|value| value.trim().parse::<i32>().ok());
        let number = number.filter(|number| (param.min..=param.max).contains(number));
        let Some(number) = number else {
            return Err(OptionError::Value {
                name: param.name,
                expected: format!("{} to {}", param.min, param.max),
                got: value.map(str::to_owned),
            });
        };
        self.search.stop();
        self.search.wait();
        param.cell.store(number, std::sync::atomic::Ordering::Relaxed);
        self.start_threads().map_err(|reason| OptionError::Refused { name: param.name, reason })
    }
}
