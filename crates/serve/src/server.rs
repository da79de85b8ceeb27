//! What is asked, and who answers it.

use std::io::{self, Write};
use std::net::TcpStream;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use book::Book;
use engine::{Limits, Position};
use eval::Tablebase;
use http::connection::{Connection, Place};
use http::gate::Gate;
use http::message::{self, Method, Refusal, Request, Status};
use review::answers::Tick;
use review::replay::VerdictAnswer;
use review::review::Review;
use review::searcher::Searcher;
use serde::Serialize;

use crate::contract::{
    self, AboutAnswer, ErrorAnswer, GameQuestion, News, PlayAnswer, PlayQuestion, PositionQuestion,
    ReviewQuestion, WatchQuestion, number,
};
use crate::player::Player;
use crate::turns::{Order, Turn, Turns};
use crate::{answers, assets};

/// Most best lines of a position.
const LINES: u32 = 5;
/// Most milliseconds for each position of a game.
const REVIEW_MS: u32 = 10_000;
/// The most of the option `UntilSure`.
const SURE: u32 = 99;
/// How far the option `Risk` goes.
const RISK: std::ops::RangeInclusive<i32> = -100..=100;
/// Most milliseconds for a move of a game.
const PLAY_MS: u32 = 10_000;
/// How often a window that waits for the engine finds out whether it is still there.
const WAIT: Duration = Duration::from_millis(250);

const JSON: &str = "application/json";
/// One JSON text on each line, as they come.
const JSON_LINES: &str = "application/x-ndjson";

/// Why an answer ended early.
enum Stop {
    /// The asker gets to know why.
    Refused(Refusal),
    /// There is nobody left to answer.
    Gone,
}

impl From<Refusal> for Stop {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

impl From<io::Error> for Stop {
    fn from(_: io::Error) -> Self {
        Self::Gone
    }
}

/// The engines, each with work of its own, so that none has to wait for another's.
pub(crate) struct Engines {
    pub(crate) watched: Searcher,
    pub(crate) reviewing: Searcher,
    pub(crate) playing: Player,
    pub(crate) tablebases: Option<Arc<dyn Tablebase>>,
}

/// How positions are searched if the page does not say otherwise.
pub(crate) struct Usual {
    /// Names of networks, and what the option `EvalFile` calls them; the usual one first.
    pub(crate) networks: Vec<(String, String)>,
    pub(crate) risk: i32,
    /// How sure is sure enough, in percent; 0 for never.
    pub(crate) sure: u32,
    pub(crate) probe_limit: usize,
}

/// What all connections share.
pub(crate) struct Server {
    about: AboutAnswer,
    usual: Usual,
    book: Book,
    tablebases: Option<Arc<dyn Tablebase>>,
    /// Plays games.
    playing: Turns<Player>,
    /// Searches positions that people look at.
    watched: Turns<Searcher>,
    /// Searches whole games; an engine of its own, so that neither has to wait for the other.
    reviewing: Turns<Searcher>,
    /// Held while a text is read, so that many large ones do not need memory at once.
    reading: Mutex<()>,
    longest: Duration,
    gate: Gate,
}

impl Server {
    pub(crate) fn new(
        about: AboutAnswer,
        usual: Usual,
        engines: Engines,
        longest: Duration,
        gate: Gate,
    ) -> Self {
        Self {
            about,
            usual,
            book: book::embedded(),
            tablebases: engines.tablebases,
            playing: Turns::new(Order::OldestFirst, engines.playing),
            watched: Turns::new(Order::NewestFirst, engines.watched),
            reviewing: Turns::new(Order::OldestFirst, engines.reviewing),
            reading: Mutex::new(()),
            longest,
            gate,
        }
    }

    /// Answers one request. Whatever goes wrong with the connection is the other side's to notice.
    pub(crate) fn serve(&self, stream: TcpStream, place: &Place) {
        let mut connection = Connection::new(stream);
        let mut is_head = false;
        if let Err(Stop::Refused(refusal)) = self.answer(&mut connection, place, &mut is_head) {
            let Refusal { status, reason } = refusal;
            let text = json(&ErrorAnswer { error: reason });
            let _ = message::answer(&mut connection, status, JSON, &text, is_head);
        }
        connection.close();
    }

    fn answer(
        &self,
        connection: &mut Connection,
        place: &Place,
        is_head: &mut bool,
    ) -> Result<(), Stop> {
        let here = connection.stream().local_addr()?;
        let request = Request::read(connection, is_head, |head| self.gate.admit(head, here))?;
        let Some(request) = request else { return Ok(()) };
        place.arrived();
        connection.renew();
        let Request { method, path, body } = &request;
        let text = match (method, path.as_str()) {
            (Method::Get | Method::Head, "/api/about") => json(&self.about),
            (Method::Post, "/api/book") => {
                let question: PositionQuestion = contract::parse(body)?;
                let position = question.game.resolve()?;
                json(&answers::book(&self.book, self.tablebases.as_deref(), &position))
            }
            (Method::Post, "/api/game") => {
                let _one = self.reading.lock().unwrap_or_else(PoisonError::into_inner);
                let GameQuestion { pgn } = contract::parse(body)?;
                json(&answers::game(&pgn)?)
            }
            (Method::Post, "/api/play") => json(&self.play(&contract::parse(body)?)?),
            (Method::Post, "/api/watch") => return self.watch(&contract::parse(body)?, connection),
            (Method::Post, "/api/review") => {
                return self.review(&contract::parse(body)?, connection);
            }
            (Method::Get | Method::Head, path) if let Some((kind, text)) = assets::find(path) => {
                return Ok(message::answer(connection, Status::Ok, kind, text, *is_head)?);
            }
            (_, path) => {
                let reason = format!("there is nothing at {path:?}");
                return Err(Refusal::new(Status::NotFound, reason).into());
            }
        };
        // The engine may have thought for as long as the connection had.
        connection.renew();
        Ok(message::answer(connection, Status::Ok, JSON, &text, *is_head)?)
    }

    /// Searches a position and sends what it finds until the asker goes away. Whoever asks later
    /// gets the engine meanwhile.
    fn watch(&self, question: &WatchQuestion, connection: &mut Connection) -> Result<(), Stop> {
        let position = question.game.resolve()?;
        let lines = number("lines", question.lines, 3, 1..=LINES)?;
        let &AboutAnswer { threads, most_threads, hash, most_hash, .. } = &self.about;
        let threads = number("threads", question.threads, threads, 1..=most_threads)?;
        let hash = number("hash", question.hash, hash, 0..=most_hash)?;
        let risk = question.risk.unwrap_or(self.usual.risk);
        if !RISK.contains(&risk) {
            let (least, most) = (RISK.start(), RISK.end());
            return Err(Refusal::bad(format!("expected risk from {least} to {most}, got {risk}")))?;
        }
        let sure = number("sure", question.sure, self.usual.sure, 0..=SURE)?;
        let network = self.network(question.network.as_deref())?;
        let men = if question.tablebases == Some(false) { 0 } else { self.usual.probe_limit };
        expect_moves(&position)?;
        message::begin(connection, JSON_LINES)?;
        let turn = self.watched.join();
        loop {
            wait(&turn, connection)?;
            let mut searcher = turn.take();
            // What cannot be had now was good enough before.
            let _ = searcher.configure([
                ("Threads", threads.to_string()),
                ("Hash", hash.to_string()),
                ("EvalFile", network.to_owned()),
                ("Risk", risk.to_string()),
                ("SyzygyProbeLimit", men.to_string()),
                ("UntilSure", sure.to_string()),
            ]);
            let mut sent = Ok(());
            let settled = searcher.watch(&position, lines as usize, self.longest, |news| {
                let found = news.map(|snapshot| answers::found(position.board(), &snapshot));
                sent = send(connection, found.map(News::Found).as_ref());
                if sent.is_ok() && turn.is_mine() {
                    ControlFlow::Continue(())
                } else {
                    ControlFlow::Break(())
                }
            });
            drop(searcher);
            sent?;
            if turn.is_mine() {
                return send(connection, Some(&News::done(settled)));
            }
        }
    }

    /// What the option `EvalFile` calls a network of the list, or the usual one.
    fn network(&self, name: Option<&str>) -> Result<&str, Refusal> {
        let Some(name) = name else { return Ok(&self.usual.networks[0].1) };
        let found = self.usual.networks.iter().find(|(found, _)| found == name);
        found.map(|(_, value)| value.as_str()).ok_or_else(|| {
            let names = self.about.networks.join(", ");
            let name: String = name.chars().take(40).collect();
            Refusal::bad(format!("expected one of the networks {names}, got {name:?}"))
        })
    }

    /// A move of the engine in a game.
    fn play(&self, question: &PlayQuestion) -> Result<PlayAnswer, Refusal> {
        let position = question.game.resolve()?;
        let ms = number("ms", question.ms, 1000, 1..=PLAY_MS)?;
        expect_moves(&position)?;
        let turn = self.playing.join();
        while !turn.wait(WAIT) {}
        let time = Duration::from_millis(u64::from(ms));
        let seed = u64::from(question.seed.unwrap_or(0));
        let choice = turn.take().choose(&position, question.elo, seed, time);
        let choice = choice
            .map_err(|error| Refusal::bad(error.to_string()))?
            .ok_or_else(|| Refusal::new(Status::Busy, "the engine found no move in time"))?;
        let board = position.board();
        let verdict = choice.verdict.map(|verdict| VerdictAnswer::new(board, &verdict));
        let (uci, confidence) = (choice.mv.to_string(), choice.confidence);
        Ok(PlayAnswer { uci, book: choice.is_book, verdict, confidence })
    }

    /// Goes through a game and says how far it is, then what it found.
    fn review(&self, question: &ReviewQuestion, connection: &mut Connection) -> Result<(), Stop> {
        let position = question.game.resolve()?;
        let ms = number("ms", question.ms, 200, 1..=REVIEW_MS)?;
        message::begin(connection, JSON_LINES)?;
        let turn = self.reviewing.join();
        wait(&turn, connection)?;
        let mut searcher = turn.take();
        let move_time = Some(Duration::from_millis(u64::from(ms)));
        searcher.set_limits(Limits { move_time, ..Limits::default() });
        let mut all = position.played().len() + 1;
        let mut positions = 0;
        let game = pgn::Game::from_moves(position.start().clone(), position.played());
        let review = Review::new(game, &mut searcher, |searched: Tick| {
            all += searched.ahead();
            positions += searched.done();
            send(connection, Some(&News::Progress { positions, all }))
        })?;
        send(connection, Some(&News::Reviewed(Box::new(answers::review(&review)))))
    }
}

fn expect_moves(position: &Position) -> Result<(), Refusal> {
    if position.board().has_legal_move() {
        return Ok(());
    }
    Err(Refusal::bad("expected a position with legal moves, got none"))
}

/// Waits for the engine; the asker is kept informed.
fn wait<T>(turn: &Turn<'_, T>, connection: &mut Connection) -> Result<(), Stop> {
    if turn.is_mine() {
        return Ok(());
    }
    send(connection, Some(&News::Waiting { waiting: true }))?;
    while !turn.wait(WAIT) {
        send(connection, None)?;
    }
    Ok(())
}

/// One line of an answer that goes on; an empty one only finds out whether somebody is there.
fn send(connection: &mut Connection, news: Option<&News>) -> Result<(), Stop> {
    connection.renew();
    let text = news.map(json).unwrap_or_default() + "\n";
    connection.write_all(text.as_bytes())?;
    Ok(connection.flush()?)
}

/// The types of the contract hold nothing that JSON cannot say.
fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}
