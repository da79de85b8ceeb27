//! What is asked, and who answers it.

use std::io::{self, Write};
use std::net::TcpStream;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use book::Book;
use eval::Tablebase;
use http::connection::{Connection, Place};
use http::gate::Gate;
use http::message::{self, Method, Refusal, Request, Status};
use review::searcher::Searcher;

use crate::contract::{
    self, AboutAnswer, ErrorAnswer, GameQuestion, News, PlayAnswer, PlayQuestion, PositionQuestion,
    ReviewQuestion, WatchQuestion, json,
};
use crate::player::Player;
use crate::turns::{Order, Turn, Turns};
use crate::work::{Play, Reviewing, Usual, Watch};
use crate::{answers, assets};

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
        let watch = Watch::new(question, &self.about, &self.usual)?;
        let position = &watch.position;
        message::begin(connection, JSON_LINES)?;
        let turn = self.watched.join();
        loop {
            wait(&turn, connection)?;
            let mut searcher = turn.take();
            watch.configure(&mut searcher);
            let mut sent = Ok(());
            let settled = searcher.watch(position, watch.lines, self.longest, |news| {
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

    /// A move of the engine in a game.
    fn play(&self, question: &PlayQuestion) -> Result<PlayAnswer, Refusal> {
        let play = Play::new(question)?;
        let turn = self.playing.join();
        while !turn.wait(WAIT) {}
        play.choose(&mut turn.take())
    }

    /// Goes through a game and says how far it is, then what it found.
    fn review(&self, question: &ReviewQuestion, connection: &mut Connection) -> Result<(), Stop> {
        let reviewing = Reviewing::new(question)?;
        message::begin(connection, JSON_LINES)?;
        let turn = self.reviewing.join();
        wait(&turn, connection)?;
        reviewing.run(&mut turn.take(), |news| send(connection, Some(news)))
    }
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
