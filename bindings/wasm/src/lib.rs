//! Brier as WebAssembly: a few functions that a script calls, and lines of text that come back.
//!
//! A text is passed by asking for room ([`brier_room`]), writing it there, and calling one of the
//! others. Answers of the engine are lines on the standard output, which the script provides as
//! [WASI](https://wasi.dev) has it; so are the clock and nothing else of the system. There is one
//! thread: a call returns when its work is done, and [`brier_stop`] is for the functions that the
//! script provides, which run in between. Built for `wasm32-wasip1-threads`, searches have threads of
//! their own, which the script starts; a call still returns when its work is done.

mod session;

use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use engine::{Engine, Limits, Stopper};
use nnue::Network;
use review::annotate;
use review::page::Page;
use review::record::GameRecord;
use review::review::Review;
use review::searcher::Searcher;
use serve::Local;
use session::Session;

static SESSION: Mutex<Option<Session>> = Mutex::new(None);
/// What answers the questions of a page without a server.
static LOCAL: Mutex<Option<Local>> = Mutex::new(None);
/// What stops the session's searches; outside of the lock that a search holds.
static STOPPER: OnceLock<Stopper> = OnceLock::new();
/// The text that was passed last, then the answer to it.
static TEXT: Mutex<Vec<u8>> = Mutex::new(Vec::new());

/// Allocates a text of `bytes` bytes and returns its address.
#[unsafe(no_mangle)]
pub extern "C" fn brier_room(bytes: usize) -> *mut u8 {
    let mut text = lock(&TEXT);
    text.clear();
    text.resize(bytes, 0);
    text.as_mut_ptr()
}

/// Takes the text as the network for all engines. To be called before anything else, once; the
/// length of an error comes back, or 0.
#[unsafe(no_mangle)]
pub extern "C" fn brier_network() -> usize {
    let mut text = lock(&TEXT);
    let taken = Network::from_bytes(&text).map_err(|error| error.to_string()).and_then(|network| {
        let is_late = |_| "expected the network before the first question, got it later".to_owned();
        network.make_default().map_err(is_late)
    });
    match taken {
        Ok(()) => text.clear(),
        Err(error) => *text = error.into_bytes(),
    }
    text.len()
}

/// Obeys a line of UCI.
#[unsafe(no_mangle)]
pub extern "C" fn brier_command() {
    let line = String::from_utf8_lossy(&lock(&TEXT)).into_owned();
    let mut session = lock(&SESSION);
    let session = match &mut *session {
        Some(session) => session,
        none => match Session::new() {
            Ok(made) => {
                // The first session is the only one.
                let _ = STOPPER.set(made.stopper());
                none.insert(made)
            }
            Err(error) => return session::say(error),
        },
    };
    session.obey(&line);
}

/// Ends the search that runs now, if one does.
#[unsafe(no_mangle)]
pub extern "C" fn brier_stop() {
    if let Some(stopper) = STOPPER.get() {
        stopper.stop();
    }
}

/// Reviews the games of a PGN text with `nodes` nodes for each position. The answer is a JSON object
/// with `games`, `html` and `pgn`, or with `error`; its length comes back, and
/// [`brier_answer`] is its address.
#[unsafe(no_mangle)]
pub extern "C" fn brier_review(nodes: u32) -> usize {
    let text = lock(&TEXT).clone();
    let answer = match reviewed(&text, nodes) {
        Ok(answer) => answer,
        Err(error) => serde_json::json!({ "error": error }),
    };
    let mut text = lock(&TEXT);
    *text = answer.to_string().into_bytes();
    text.len()
}

/// Answers a question of the page of `brier serve`: a path, a line break, and JSON. Each line of the answer is
/// a line on the standard output.
#[unsafe(no_mangle)]
pub extern "C" fn brier_question() {
    let text = String::from_utf8_lossy(&lock(&TEXT)).into_owned();
    let (path, body) = text.split_once('\n').unwrap_or((&text, ""));
    lock(&LOCAL).get_or_insert_default().answer(path, body, |line| println!("{line}"));
}

/// Where the answer to the last review is, or what was wrong with the network.
#[unsafe(no_mangle)]
pub extern "C" fn brier_answer() -> *const u8 {
    lock(&TEXT).as_ptr()
}

/// Nobody panics and goes on here, so a lock is never poisoned.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn reviewed(text: &[u8], nodes: u32) -> Result<serde_json::Value, String> {
    if nodes == 0 {
        return Err("nodes: expected a number above 0, got 0".to_owned());
    }
    let limits = Limits { nodes: Some(nodes.into()), ..Limits::default() };
    let engine = Engine::builder().hash_mb(16).build().map_err(|error| error.to_string())?;
    let mut searcher = Searcher::new(engine, limits);
    let (mut records, mut page, mut annotated) = (Vec::new(), Page::default(), Vec::new());
    for game in pgn::Reader::new(text).games() {
        let game = game.map_err(|error| error.to_string())?;
        if game.is_unreadable() {
            records.push(GameRecord::unread(&game, None));
            annotated.push(game.to_string());
            page.add_unread(&game);
            continue;
        }
        let Ok(review) =
            Review::new(game, &mut searcher, |_| Ok::<_, std::convert::Infallible>(()));
        records.push(GameRecord::new(&review, None));
        annotated.push(annotate::game(&review).to_string());
        page.add(&review, None);
    }
    if records.is_empty() {
        return Err("expected games in PGN, got none".to_owned());
    }
    let games = serde_json::to_value(&records).map_err(|error| error.to_string())?;
    let pgn = annotated.join("\n");
    Ok(serde_json::json!({ "games": games, "html": page.finish(), "pgn": pgn }))
}
