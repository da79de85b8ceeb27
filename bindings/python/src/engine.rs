//! An engine that Python threads may share: one searches at a time, any may stop it.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, TryLockError};
use std::thread;
use std::time::Duration;

use chess::notation::uci::CastlingForm;
use chess::{Board, Move};
use engine::score::mate_distance;
use engine::{Bound as Known, BuildError, Chances, Info, Limits};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;

use crate::position;

/// How often a search looks whether Ctrl-C was pressed or `stop` was called.
const PAUSE: Duration = Duration::from_millis(20);

/// See the stub `_brier.pyi` for what Python users see.
#[pyclass(frozen, module = "brier")]
pub(crate) struct Engine {
    engine: Mutex<engine::Engine>,
    stopped: AtomicBool,
}

#[pymethods]
impl Engine {
    #[new]
    fn new(py: Python<'_>, options: Vec<(String, String)>) -> PyResult<Self> {
        let builder = options
            .into_iter()
            .fold(engine::Engine::builder(), |builder, (name, value)| builder.option(name, value));
        let engine = py.detach(|| builder.build()).map_err(|error| match error {
            BuildError::Option(error) => PyValueError::new_err(error.to_string()),
            BuildError::Engine(error) => PyRuntimeError::new_err(error.to_string()),
        })?;
        Ok(Self { engine: Mutex::new(engine), stopped: AtomicBool::new(false) })
    }

    fn set(&self, py: Python<'_>, name: &str, value: Option<&str>) -> PyResult<()> {
        self.with(py, |engine| engine.set(name, value))?
            .map_err(|error| PyValueError::new_err(error.to_string()))
    }

    fn new_game(&self, py: Python<'_>) -> PyResult<()> {
        self.with(py, engine::Engine::new_game)
    }

    fn stop(&self) {
        self.stopped.store(true, Relaxed);
    }

    #[expect(clippy::too_many_arguments, reason = "the friendly half names them")]
    fn analyse(
        &self,
        py: Python<'_>,
        fen: &str,
        moves: Vec<String>,
        lines: usize,
        nodes: Option<u64>,
        depth: Option<u32>,
        milliseconds: Option<u64>,
        mate: Option<u32>,
        root_moves: Vec<String>,
        chess960: bool,
    ) -> PyResult<Answer> {
        let position = position::position(fen, &moves)?;
        let board = position.board();
        let search_moves: Result<_, _> =
            root_moves.iter().map(|text| position::legal_move(board, text)).collect();
        let limits = Limits {
            nodes,
            depth,
            mate,
            move_time: milliseconds.map(Duration::from_millis),
            search_moves: search_moves?,
            ..Limits::default()
        };
        self.stopped.store(false, Relaxed);
        let mut interrupted = Ok(());
        let answer = self.with(py, |engine| {
            let before = engine.options().multi_pv;
            engine.set_lines(lines);
            let answer = engine.watch(&position, &limits, PAUSE, |_| {
                interrupted = Python::attach(|py| py.check_signals());
                match interrupted.is_err() || self.stopped.load(Relaxed) {
                    true => ControlFlow::Break(()),
                    false => ControlFlow::Continue(()),
                }
            });
            engine.set_lines(before);
            answer
        })?;
        interrupted?;
        Ok(Answer::new(position.board(), answer, castling_form(chess960)))
    }

    /// Quantiles of one position, with this engine's evaluator.
    fn evaluate(&self, py: Python<'_>, fen: &str) -> PyResult<[i32; 5]> {
        let board = position::board(fen).map_err(PyValueError::new_err)?;
        self.with(py, |engine| engine.evaluate(&board).to_array())
    }
}

impl Engine {
    /// Does something with the engine as soon as it is free, without Python's lock.
    fn with<T: Send>(
        &self,
        py: Python<'_>,
        action: impl FnOnce(&mut engine::Engine) -> T + Send,
    ) -> PyResult<T> {
        py.detach(|| Ok(action(&mut *self.lock()?)))
    }

    /// The engine, once no other thread uses it; Ctrl-C ends the wait.
    fn lock(&self) -> PyResult<MutexGuard<'_, engine::Engine>> {
        loop {
            match self.engine.try_lock() {
                Ok(engine) => return Ok(engine),
                Err(TryLockError::Poisoned(poisoned)) => return Ok(poisoned.into_inner()),
                Err(TryLockError::WouldBlock) => {
                    Python::attach(|py| py.check_signals())?;
                    thread::sleep(PAUSE);
                }
            }
        }
    }
}

/// What a search found.
#[pyclass(frozen, get_all, module = "brier")]
pub(crate) struct Answer {
    best: Option<String>,
    ponder: Option<String>,
    lines: Vec<Py<Line>>,
    nodes: u64,
    seconds: f64,
    is_book: bool,
}

impl Answer {
    fn new(board: &Board, answer: engine::Answer, form: CastlingForm) -> Self {
        let text = |mv: Move| mv.uci(form).to_string();
        let line = |info: &Info| Python::attach(|py| Py::new(py, Line::new(board, info, form)));
        Self {
            best: answer.best.map(text),
            ponder: answer.ponder.map(text),
            lines: answer.lines.iter().filter_map(|info| line(info).ok()).collect(),
            nodes: answer.nodes,
            seconds: answer.time.as_secs_f64(),
            is_book: answer.is_book,
        }
    }
}

/// How castling is written: king takes rook in Chess960.
fn castling_form(chess960: bool) -> CastlingForm {
    if chess960 { CastlingForm::Chess960 } else { CastlingForm::Standard }
}

#[pymethods]
impl Answer {
    fn __repr__(&self) -> String {
        let best = self.best.as_deref().unwrap_or("None");
        format!("<brier.Answer best={best} lines={} nodes={}>", self.lines.len(), self.nodes)
    }
}

/// One line of play and what it is worth, for the side to move.
#[pyclass(frozen, get_all, module = "brier")]
pub(crate) struct Line {
    score: i32,
    mate: Option<i32>,
    bound: &'static str,
    quantiles: (i32, i32, i32, i32, i32),
    chances: (f64, f64, f64),
    points: f64,
    confidence: Option<f64>,
    depth: u32,
    seldepth: u32,
    pv: Vec<String>,
    san: Vec<String>,
}

impl Line {
    fn new(board: &Board, info: &Info, form: CastlingForm) -> Self {
        let material = Chances::material(board);
        let chances = Chances::after(info.nodes, &info.quantiles, material);
        let [q10, q25, q50, q75, q90] = info.quantiles.to_array();
        let mut board = board.clone();
        let (mut pv, mut san) = (Vec::new(), Vec::new());
        for &mv in &info.pv {
            pv.push(mv.uci(form).to_string());
            san.push(board.san(mv).to_string());
            board = board.after(mv);
        }
        Self {
            score: info.score,
            mate: mate_distance(info.score),
            bound: match info.bound {
                Known::Exact => "exact",
                Known::Lower => "lower",
                Known::Upper => "upper",
            },
            quantiles: (q10, q25, q50, q75, q90),
            chances: [chances.win, chances.draw, chances.loss]
                .map(|n| f64::from(n) / 1000.0)
                .into(),
            points: Chances::of(&info.quantiles, material).points(),
            confidence: info.confidence.map(|thousandths| f64::from(thousandths) / 1000.0),
            depth: info.depth,
            seldepth: info.seldepth,
            pv,
            san,
        }
    }
}

#[pymethods]
impl Line {
    fn __repr__(&self) -> String {
        let Self { score, depth, san, .. } = self;
        format!("<brier.Line score={score} depth={depth} {}>", san.join(" "))
    }
}
