//! `brier serve`: a page in the browser, on this computer, to move pieces on a board and see what
//! the engine thinks and how sure it is.
//!
//! A request comes in through crate `http` (deadlines, the protocol, who may ask). `contract` has the
//! questions and answers as types, `answers` fills them in, and `turns` shares the engines among all
//! windows. `assets` holds the files of the page. Nothing is stored here: each question carries its
//! game.

mod answers;
mod assets;
mod contract;
mod player;
mod turns;

use std::io::{self, Write};
use std::net::{IpAddr, SocketAddr, TcpListener, TcpStream, UdpSocket};
use std::ops::ControlFlow;
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use book::Book;
use clap::Args;
use engine::{Limits, Position};
use http::connection::{Connection, Place, Places, Refused};
use http::gate::{self, Gate};
use http::message::{self, Method, Refusal, Request, Status};
use serde::Serialize;

use crate::flags::EngineArguments;
use crate::{Failure, output};
use contract::{
    AboutAnswer, ErrorAnswer, GameQuestion, News, PlayAnswer, PlayQuestion, PositionQuestion,
    ReviewQuestion, WatchQuestion, number,
};
use player::Player;
use review::answers::Tick;
use review::replay::VerdictAnswer;
use review::review::Review;
use review::searcher::Searcher;
use turns::{Order, Turn, Turns};

/// Where to listen, and how hard to think.
#[derive(Args)]
pub(crate) struct ServeArguments {
    /// The port to listen on; 0 takes any that is free
    #[arg(long, default_value_t = 8127, value_name = "N")]
    port: u16,
    /// The address to listen on; 0.0.0.0 serves other computers of the network too
    #[arg(long, default_value = "127.0.0.1", value_name = "IP")]
    address: IpAddr,
    /// Most seconds to think about a position
    #[arg(long, default_value_t = 120, value_name = "N")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=86_400))]
    seconds: u32,
    /// Open the page in the browser
    #[arg(long)]
    open: bool,
    #[command(flatten)]
    engine: EngineArguments,
}

/// Most best lines of a position.
const LINES: u32 = 5;
/// Most milliseconds for each position of a game.
const REVIEW_MS: u32 = 10_000;
/// The ratings that can be asked for, as the option `UCI_Elo` has them.
const ELO: std::ops::RangeInclusive<u32> = 800..=3000;
/// Most milliseconds for a move of a game.
const PLAY_MS: u32 = 10_000;
/// The table of the engine that plays, in megabytes; its searches are short.
const PLAY_HASH: usize = 16;
/// The largest table that the page may ask for, in megabytes, if no larger one was asked for
/// when the server was started.
const HASH: u32 = 1024;
/// How often a window that waits for the engine finds out whether it is still there.
const WAIT: Duration = Duration::from_millis(250);

const JSON: &str = "application/json";
/// One JSON text on each line, as they come.
const JSON_LINES: &str = "application/x-ndjson";

/// Serves until it is killed.
pub(crate) fn run(arguments: &ServeArguments) -> Result<(), Failure> {
    let &ServeArguments { port, address, seconds, .. } = arguments;
    let own = &arguments.engine;
    let engine = |arguments: &EngineArguments| arguments.engine().map_err(Failure::Other);
    let searcher = || Ok::<_, Failure>(Searcher::new(engine(own)?, Limits::default()));
    let (watched, reviewing) = (searcher()?, searcher()?);
    let small = EngineArguments { hash: Some(own.hash().min(PLAY_HASH)), ..own.clone() };
    let playing =
        Player::new(engine(&small)?).map_err(|error| Failure::Other(error.to_string()))?;
    let refused = |error| {
        let hint = "choose another --port, or 0 for any that is free";
        Failure::Other(format!("cannot listen on {address}, port {port}: {error}; {hint}"))
    };
    let listener = TcpListener::bind((address, port)).map_err(refused)?;
    let place = listener.local_addr().map_err(refused)?;
    let gate = Gate::new(place);
    let page = page_address(place, &gate);
    output::line(format_args!("Brier is at {page} until Ctrl+C ends it"))
        .map_err(Failure::Output)?;
    if arguments.open && !open(&page) {
        output::line(format_args!("No browser was found to open it")).map_err(Failure::Output)?;
    }
    if gate.token().is_some() {
        let warning = "other computers can reach this server: whoever has the address above can \
                       use the engine, and the connection is not encrypted";
        output::line(format_args!("Warning: {warning}")).map_err(Failure::Output)?;
    }
    let (threads, hash) = (u32::from(own.threads()), u32::try_from(own.hash()).unwrap_or(u32::MAX));
    // Others may use what the owner has set aside; the owner may use the whole computer.
    let alone = gate.token().is_none();
    let cores = thread::available_parallelism().map_or(1, |cores| cores.get() as u32);
    let about = AboutAnswer {
        version: env!("CARGO_PKG_VERSION"),
        threads,
        most_threads: if alone { cores.max(threads) } else { threads },
        hash,
        most_hash: if alone { HASH.max(hash) } else { hash },
    };
    let server = Arc::new(Server {
        about,
        book: book::embedded(),
        playing: Turns::new(Order::OldestFirst, playing),
        watched: Turns::new(Order::NewestFirst, watched),
        reviewing: Turns::new(Order::OldestFirst, reviewing),
        reading: Mutex::new(()),
        longest: Duration::from_secs(u64::from(seconds)),
        gate,
    });
    let (places, mut turned_away) = (Arc::new(Places::default()), Refused::default());
    for stream in listener.incoming() {
        let Ok(stream) = stream else {
            // Too many open files, most likely: some will be closed soon.
            thread::sleep(Duration::from_millis(50));
            continue;
        };
        let Some(place) = places.enter(&stream) else {
            turned_away.refuse(stream);
            continue;
        };
        let server = Arc::clone(&server);
        // If there is no thread to be had the connection is closed, and the browser says so.
        let _ = thread::Builder::new().spawn(move || server.serve(stream, &place));
    }
    Ok(())
}

/// What to type into a browser, token and all. The token is in the part that browsers keep to
/// themselves.
fn page_address(place: SocketAddr, gate: &Gate) -> String {
    let mut place = gate::shown(place);
    if place.ip().is_unspecified() {
        place.set_ip(own_address().unwrap_or(place.ip()));
    }
    match gate.token() {
        None => format!("http://{place}/"),
        Some(token) => format!("http://{place}/#token={token}"),
    }
}

/// This computer's address on its network, if it is on one: where packets to elsewhere would come
/// from. None is sent; the other address is one that documents use.
fn own_address() -> Option<IpAddr> {
    let socket = UdpSocket::bind(("0.0.0.0", 0)).ok()?;
    socket.connect(("192.0.2.1", 9)).ok()?;
    Some(socket.local_addr().ok()?.ip())
}

/// Asks the system for its browser.
fn open(address: &str) -> bool {
    let program = if cfg!(target_os = "macos") {
        "open"
    } else if cfg!(windows) {
        "explorer"
    } else {
        "xdg-open"
    };
    let mut command = Command::new(program);
    command
        .arg(address)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .is_ok()
}

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

/// What all connections share.
struct Server {
    about: AboutAnswer,
    book: Book,
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
    /// Answers one request. Whatever goes wrong with the connection is the other side's to notice.
    fn serve(&self, stream: TcpStream, place: &Place) {
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
                json(&answers::book(&self.book, &question.game.resolve()?))
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
        let AboutAnswer { threads, most_threads, hash, most_hash, .. } = self.about;
        let threads = number("threads", question.threads, threads, 1..=most_threads)?;
        let hash = number("hash", question.hash, hash, 0..=most_hash)?;
        expect_moves(&position)?;
        message::begin(connection, JSON_LINES)?;
        let turn = self.watched.join();
        loop {
            wait(&turn, connection)?;
            let mut searcher = turn.take();
            // What cannot be had now was good enough before.
            let _ = searcher.resize(threads as usize, hash as usize);
            let mut sent = Ok(());
            searcher.watch(&position, lines as usize, self.longest, |news| {
                let found = news.map(|glimpse| answers::found(position.board(), &glimpse));
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
                return send(connection, Some(&News::Done { done: true }));
            }
        }
    }

    /// A move of the engine in a game.
    fn play(&self, question: &PlayQuestion) -> Result<PlayAnswer, Refusal> {
        let position = question.game.resolve()?;
        let elo = question.elo.map(|elo| number("elo", Some(elo), elo, ELO)).transpose()?;
        let ms = number("ms", question.ms, 1000, 1..=PLAY_MS)?;
        expect_moves(&position)?;
        let turn = self.playing.join();
        while !turn.wait(WAIT) {}
        let time = Duration::from_millis(u64::from(ms));
        let choice = turn.take().choose(&position, elo, time);
        let choice = choice
            .map_err(|error| Refusal::bad(error.to_string()))?
            .ok_or_else(|| Refusal::new(Status::Busy, "the engine found no move in time"))?;
        let board = position.board();
        let verdict = choice.verdict.map(|verdict| VerdictAnswer::new(board, &verdict));
        Ok(PlayAnswer { uci: choice.mv.to_string(), book: choice.is_book, verdict })
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
        let all = position.played().len() + 1;
        let mut positions = 0;
        let game = pgn::Game::from_moves(position.start().clone(), position.played());
        let review = Review::new(game, &mut searcher, |searched| {
            positions += usize::from(searched == Tick::Position);
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
