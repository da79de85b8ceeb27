//! `brier serve`: a page in the browser, on this computer, to move pieces on a board and see what
//! the engine thinks and how sure it is.
//!
//! The page (`web/`) knows no rules: it asks, and [`answers`] has what it is told. `http` is the
//! little of that protocol that is needed, `desk` shares one engine among all windows, `assets`
//! holds the files of the page. Nothing is stored here: each question carries its game.

mod answers;
mod assets;
mod desk;
mod http;

use std::io::{self, Read, Write};
use std::net::{IpAddr, Shutdown, TcpListener, TcpStream};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use clap::Args;
use search::Limits;
use serde_json::json;

use crate::analyze::games::Game;
use crate::analyze::review::Review;
use crate::analyze::searcher::Searcher;
use crate::effort::EngineArguments;
use crate::{Failure, output};
use desk::Desk;
use http::{Refusal, Request, Status, Stop};

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
    #[command(flatten)]
    engine: EngineArguments,
}

/// Most connections at a time; a browser opens six.
const CONNECTIONS: usize = 32;
/// Most best lines of a position.
const LINES: u64 = 5;
/// Most milliseconds for each position of a game.
const REVIEW_MS: u64 = 10_000;

const JSON: &str = "application/json";
/// One JSON text on each line, as they come; empty lines only show that somebody listens.
const JSON_LINES: &str = "application/x-ndjson";

/// Serves until it is killed.
pub(crate) fn run(arguments: &ServeArguments) -> Result<(), Failure> {
    let &ServeArguments { port, address, seconds, .. } = arguments;
    let engine = arguments.engine.engine().map_err(Failure::Other)?;
    let refused = |error| {
        let hint = "choose another --port, or 0 for any that is free";
        Failure::Other(format!("cannot listen on {address}, port {port}: {error}; {hint}"))
    };
    let listener = TcpListener::bind((address, port)).map_err(refused)?;
    let place = listener.local_addr().map_err(refused)?;
    output::line(format_args!("Brier is at http://{place}/ until Ctrl+C ends it"))
        .map_err(Failure::Output)?;
    let server = Arc::new(Server {
        desk: Desk::new(Searcher::new(engine, Limits::default())),
        longest: Duration::from_secs(u64::from(seconds)),
        connections: AtomicUsize::new(0),
    });
    for stream in listener.incoming() {
        let Ok(stream) = stream else {
            // Too many open files, most likely: some will be closed soon.
            std::thread::sleep(Duration::from_millis(50));
            continue;
        };
        let server = Arc::clone(&server);
        // If there is no thread to be had the connection is closed, and the browser says so.
        let _ = std::thread::Builder::new().spawn(move || server.serve(stream));
    }
    Ok(())
}

/// One of the open connections, counted until it is dropped.
struct Visit<'a> {
    connections: &'a AtomicUsize,
    /// How many there were when it came, itself included.
    number: usize,
}

impl<'a> Visit<'a> {
    fn new(connections: &'a AtomicUsize) -> Self {
        Self { connections, number: connections.fetch_add(1, Ordering::Relaxed) + 1 }
    }
}

impl Drop for Visit<'_> {
    fn drop(&mut self) {
        self.connections.fetch_sub(1, Ordering::Relaxed);
    }
}

/// What all connections share.
struct Server {
    desk: Desk,
    longest: Duration,
    connections: AtomicUsize,
}

impl Server {
    /// Answers one request. Whatever goes wrong with the connection is the other side's to notice.
    fn serve(&self, mut stream: TcpStream) {
        let visit = Visit::new(&self.connections);
        let _ = stream.set_read_timeout(Some(http::PATIENCE));
        let _ = stream.set_write_timeout(Some(http::PATIENCE));
        let _ = stream.set_nodelay(true);
        if let Err(Stop::Refused(Refusal { status, reason })) = self.hear(&mut stream, &visit) {
            let text = json!({ "error": reason }).to_string();
            let _ = http::answer(&mut stream, status, JSON, &text);
        }
        // A connection closed over bytes that were not read may lose the answer on its way.
        let _ = stream.shutdown(Shutdown::Write);
        let _ = stream.set_read_timeout(Some(Duration::from_secs(1)));
        let _ = io::copy(&mut stream.take(2 * http::BODY as u64), &mut io::sink());
    }

    fn hear(&self, stream: &mut TcpStream, visit: &Visit<'_>) -> Result<(), Stop> {
        if visit.number > CONNECTIONS {
            return Err(Refusal::new(Status::Busy, "too many connections, try again").into());
        }
        let Some(request) = Request::read(stream)? else { return Ok(()) };
        let told = match (request.is_post, request.path.as_str()) {
            (true, "/api/position") => answers::position(&answers::parse_position(&request.body)?),
            (true, "/api/games") => answers::games(&request.body)?,
            (true, "/api/watch") => return self.watch(&request, stream),
            (true, "/api/review") => return self.review(&request, stream),
            (_, path) => {
                let page = if request.is_post { None } else { assets::find(path) };
                let Some((kind, text)) = page else {
                    let reason = format!("there is nothing at {path:?}");
                    return Err(Refusal::new(Status::NotFound, reason).into());
                };
                return Ok(http::answer(stream, Status::Ok, kind, &text)?);
            }
        };
        Ok(http::answer(stream, Status::Ok, JSON, &told.to_string())?)
    }

    /// Searches a position and tells what it finds until the asker goes away or another one comes.
    fn watch(&self, request: &Request, output: &mut impl Write) -> Result<(), Stop> {
        let position = answers::parse_position(&request.body)?;
        let lines = request.number("lines", 3, 1..=LINES)?;
        if !position.board().has_legal_move() {
            return Err(Refusal::bad("expected a position with legal moves, got none").into());
        }
        http::begin(output, JSON_LINES)?;
        let Some(mut turn) = self.desk.ask() else {
            return tell(output, &json!({ "taken": true }));
        };
        let (ticket, mut heard) = (turn.ticket(), Ok(()));
        turn.searcher.watch(&position, lines as usize, self.longest, |news| {
            let news = news.map(|glimpse| answers::glimpse(position.board(), &glimpse).to_string());
            heard = writeln!(output, "{}", news.unwrap_or_default()).and_then(|()| output.flush());
            if heard.is_ok() && ticket.is_valid() {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            }
        });
        heard?;
        let end = if ticket.is_valid() { "done" } else { "taken" };
        tell(output, &json!({ end: true }))
    }

    /// Goes through a game and tells how far it is, then what it found.
    fn review(&self, request: &Request, output: &mut impl Write) -> Result<(), Stop> {
        let position = answers::parse_position(&request.body)?;
        let ms = request.number("ms", 200, 1..=REVIEW_MS)?;
        http::begin(output, JSON_LINES)?;
        let Some(mut turn) = self.desk.ask() else {
            return tell(output, &json!({ "taken": true }));
        };
        let ticket = turn.ticket();
        let move_time = Some(Duration::from_millis(ms));
        turn.searcher.set_limits(Limits { move_time, ..Limits::default() });
        let all = position.played().len() + 1;
        let mut positions = 0;
        let review = Review::new(Game::of(&position), &mut turn.searcher, || {
            positions += 1;
            tell(output, &json!({ "positions": positions, "all": all }))?;
            if ticket.is_valid() { Ok(()) } else { Err(Stop::Gone) }
        });
        match review {
            Ok(review) => tell(output, &answers::review(&review)),
            Err(_) => tell(output, &json!({ "taken": true })),
        }
    }
}

/// One line of an answer that goes on.
fn tell(output: &mut impl Write, value: &serde_json::Value) -> Result<(), Stop> {
    writeln!(output, "{value}")?;
    Ok(output.flush()?)
}
