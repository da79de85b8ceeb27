//! Games judged move by move, several at once: one engine of one thread for each worker.
//!
//! A game is searched by an engine that has forgotten the one before, so what is said about it does
//! not depend on the number of workers nor on the other games.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::Duration;

use ::review::annotate;
use ::review::page::Page;
use ::review::record::GameRecord;
use ::review::review::Review;
use ::review::searcher::Searcher;
use engine::{BuildError, Limits};
use pgn::Game;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;

/// How often the waiting thread looks whether Ctrl-C was pressed.
const PAUSE: Duration = Duration::from_millis(20);

/// A game of the input.
enum Outcome {
    Reviewed(Box<Review>),
    /// Its moves could not be replayed at all.
    Unread(Box<Game>),
}

/// See the stub `_brier.pyi`; `brier.Review` makes it friendly.
#[pyclass(frozen, module = "brier")]
pub(crate) struct Reviewed(Vec<Outcome>);

#[pymethods]
impl Reviewed {
    /// A JSON record for each game, as docs/analyze.md describes them.
    fn records(&self) -> PyResult<Vec<String>> {
        let record = |outcome: &Outcome| match outcome {
            Outcome::Reviewed(review) => GameRecord::new(review, None),
            Outcome::Unread(game) => GameRecord::unread(game, None),
        };
        let text = |outcome| serde_json::to_string(&record(outcome));
        let records: Result<_, _> = self.0.iter().map(text).collect();
        records.map_err(|error| PyRuntimeError::new_err(error.to_string()))
    }

    /// One page with all games.
    fn html(&self) -> String {
        let mut page = Page::default();
        for outcome in &self.0 {
            match outcome {
                Outcome::Reviewed(review) => page.add(review, None),
                Outcome::Unread(game) => page.add_unread(game),
            }
        }
        page.finish()
    }

    /// The games with scores, marks and better lines.
    fn pgn(&self) -> String {
        let game = |outcome: &Outcome| match outcome {
            Outcome::Reviewed(review) => annotate::game(review).to_string(),
            Outcome::Unread(game) => game.to_string(),
        };
        self.0.iter().map(game).collect::<Vec<_>>().join("\n")
    }
}

/// Reviews every game of a text; Ctrl-C ends it with nothing.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "the friendly half names them")]
pub(crate) fn review(
    py: Python<'_>,
    text: &[u8],
    options: Vec<(String, String)>,
    workers: usize,
    nodes: Option<u64>,
    depth: Option<u32>,
    milliseconds: Option<u64>,
) -> PyResult<Reviewed> {
    let games: Result<Vec<Game>, _> = pgn::Reader::new(text).games().collect();
    let games = games.map_err(|error| PyValueError::new_err(error.to_string()))?;
    if games.is_empty() {
        return Err(PyValueError::new_err("expected games in PGN, got none"));
    }
    let limits = Limits {
        nodes,
        depth,
        move_time: milliseconds.map(Duration::from_millis),
        ..Limits::default()
    };
    let workers = workers.clamp(1, games.len());
    let searchers: Result<Vec<Searcher>, _> =
        (0..workers).map(|_| searcher(&options, &limits)).collect();
    let searchers = searchers.map_err(|error| match error {
        BuildError::Option(error) => PyValueError::new_err(error.to_string()),
        BuildError::Engine(error) => PyRuntimeError::new_err(error.to_string()),
    })?;
    py.detach(|| judge_all(games, searchers)).map(Reviewed)
}

fn searcher(options: &[(String, String)], limits: &Limits) -> Result<Searcher, BuildError> {
    let builder = engine::Engine::builder();
    let builder =
        options.iter().fold(builder, |builder, (name, value)| builder.option(name, value));
    Ok(Searcher::new(builder.build()?, limits.clone()))
}

/// Each searcher takes the next game until there is none; this thread waits for Ctrl-C meanwhile.
fn judge_all(games: Vec<Game>, searchers: Vec<Searcher>) -> PyResult<Vec<Outcome>> {
    let stop = AtomicBool::new(false);
    let wanted = games.len();
    let queue = Mutex::new(games.into_iter().enumerate());
    let next = || queue.lock().ok()?.next();
    let work = |mut searcher: Searcher| {
        let mut done = Vec::new();
        while let Some((index, game)) = next() {
            match judge(game, &mut searcher, &stop) {
                Some(outcome) => done.push((index, outcome)),
                None => break,
            }
        }
        done
    };
    let mut interrupted = Ok(());
    let parts: Vec<Vec<(usize, Outcome)>> = thread::scope(|scope| {
        let workers: Vec<_> =
            searchers.into_iter().map(|searcher| scope.spawn(|| work(searcher))).collect();
        while !workers.iter().all(|worker| worker.is_finished()) {
            if interrupted.is_ok() {
                interrupted = Python::attach(|py| py.check_signals());
                stop.store(interrupted.is_err(), Relaxed);
            }
            thread::sleep(PAUSE);
        }
        let join = |worker: thread::ScopedJoinHandle<'_, _>| worker.join().ok();
        workers.into_iter().filter_map(join).collect()
    });
    interrupted?;
    let mut outcomes: Vec<(usize, Outcome)> = parts.into_iter().flatten().collect();
    if outcomes.len() < wanted {
        let got = outcomes.len();
        let lost = format!("expected {wanted} games from the workers, got {got}");
        return Err(PyRuntimeError::new_err(lost));
    }
    outcomes.sort_unstable_by_key(|(index, _)| *index);
    Ok(outcomes.into_iter().map(|(_, outcome)| outcome).collect())
}

/// None if it was stopped.
fn judge(game: Game, searcher: &mut Searcher, stop: &AtomicBool) -> Option<Outcome> {
    if game.is_unreadable() {
        return Some(Outcome::Unread(Box::new(game)));
    }
    let tick = |_| if stop.load(Relaxed) { Err(()) } else { Ok(()) };
    Review::new(game, searcher, tick).ok().map(|review| Outcome::Reviewed(Box::new(review)))
}
