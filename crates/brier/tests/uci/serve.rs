//! `brier serve`: what a browser would ask, asked over plain connections.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// No answer takes this long; it is no measure of speed.
const PATIENCE: Duration = Duration::from_secs(120);

/// A running server, killed at the end.
pub(super) struct Server {
    child: Child,
    /// Where it listens, as `127.0.0.1:1234`.
    place: String,
}

impl Server {
    /// A server with a small table, and with tablebases.
    fn small() -> Self {
        let tables = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/syzygy");
        Self::start(&["--hash", "1", "--syzygy", tables])
    }

    /// A server with these arguments, on any port that is free.
    pub(super) fn start(arguments: &[&str]) -> Self {
        Self::begin(arguments).0
    }

    /// The server, and what it says before it serves.
    fn begin(arguments: &[&str]) -> (Self, String) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_brier"));
        Self::run(command.args(["serve", "--port", "0"]).args(arguments))
    }

    fn run(command: &mut Command) -> (Self, String) {
        let mut child = command.stdout(Stdio::piped()).spawn().expect("the binary starts");
        let mut line = String::new();
        let output = child.stdout.as_mut().expect("a pipe");
        BufReader::new(output).read_line(&mut line).expect("a line");
        let place = line.split("http://").nth(1).and_then(|rest| rest.split('/').next());
        let place = place.unwrap_or_else(|| panic!("no address in {line:?}")).to_owned();
        (Self { child, place }, line)
    }

    /// Sends bytes and returns the open connection.
    fn send(&self, bytes: &[u8]) -> BufReader<TcpStream> {
        let mut stream = TcpStream::connect(&self.place).expect("a connection");
        stream.set_read_timeout(Some(PATIENCE)).expect("a timeout");
        stream.write_all(bytes).expect("sent");
        BufReader::new(stream)
    }

    /// Asks a question and returns the connection after the answer's head.
    pub(super) fn post(&self, path: &str, body: &str) -> (String, BufReader<TcpStream>) {
        let length = body.len();
        let request = format!(
            "POST {path} HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\n\
             Content-Length: {length}\r\n\r\n{body}",
            self.place
        );
        let mut reader = self.send(request.as_bytes());
        let head = head(&mut reader);
        (head, reader)
    }

    /// Asks a question and waits for the whole answer.
    fn ask(&self, path: &str, body: &str) -> (u16, String) {
        let (head, mut reader) = self.post(path, body);
        let mut text = String::new();
        reader.read_to_string(&mut text).expect("text");
        (status(&head), text)
    }

    pub(super) fn get(&self, path: &str) -> (String, String) {
        let request = format!("GET {path} HTTP/1.1\r\nHost: {}\r\n\r\n", self.place);
        let mut reader = self.send(request.as_bytes());
        let head = head(&mut reader);
        let mut text = String::new();
        reader.read_to_string(&mut text).expect("text");
        (head, text)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It serves until it is killed.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The lines up to the empty one.
fn head(reader: &mut impl BufRead) -> String {
    let mut head = String::new();
    while reader.read_line(&mut head).expect("a head") > 2 {}
    head
}

fn status(head: &str) -> u16 {
    head.split(' ').nth(1).and_then(|word| word.parse().ok()).unwrap_or_else(|| panic!("{head}"))
}

/// The next line of a stream that is not empty; none at its end.
fn next(reader: &mut impl BufRead) -> Option<String> {
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).expect("a line") == 0 {
            return None;
        }
        if !line.trim().is_empty() {
            return Some(line);
        }
    }
}

#[test]
fn the_page_and_its_files_are_served() {
    let server = Server::small();
    let (head, page) = server.get("/");
    assert!(
        status(&head) == 200 && head.contains("text/html") && head.contains("default-src 'none'")
    );
    assert!(page.contains("<!DOCTYPE html>") && page.contains("id=\"board\""));
    for (file, kind) in [("/page.js", "text/javascript"), ("/style.css", "text/css")] {
        let (head, text) = server.get(file);
        assert!(status(&head) == 200 && head.contains(kind) && text.len() > 1000, "{head}");
    }
    let (head, text) = server.get("/etc/passwd");
    assert!(status(&head) == 404 && text.contains("/etc/passwd"), "{head}{text}");
}

/// A question about the game with these moves, and what else it holds.
fn game(moves: &str, more: &str) -> String {
    format!("{{\"game\":{{\"moves\":\"{moves}\"}}{more}}}")
}

#[test]
fn bad_questions_get_reasons() {
    let server = Server::small();
    let fen = |fen: &str| format!("{{\"game\":{{\"fen\":\"{fen}\"}}}}");
    for (path, body, code, reason) in [
        ("/api/book", game("e2e5", ""), 400, "move 1: "),
        ("/api/book", fen("8/8 w - - 0 1"), 400, "FEN"),
        ("/api/book", "\0\u{fffd}".to_owned(), 400, "expected a question"),
        ("/api/game", "{\"pgn\":\"\"}".to_owned(), 400, "expected a FEN or games"),
        ("/api/play", game("", ",\"elo\":9"), 400, "UCI_Elo: expected 800 to 3000"),
        ("/api/watch", game("", ",\"threads\":0"), 400, "expected threads from 1"),
        ("/api/watch", game("", ",\"lines\":9"), 400, "expected lines from 1 to 5"),
        ("/api/watch", game("", ",\"risk\":101"), 400, "expected risk from -100 to 100"),
        ("/api/watch", game("", ",\"network\":\"x\""), 400, "networks built in, without a network"),
        ("/api/watch", fen("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"), 400, "legal moves"),
        ("/api/review", game("e2e4", ",\"ms\":0"), 400, "expected ms from 1"),
        ("/api/other", String::new(), 404, "/api/other"),
        ("/page.js", String::new(), 404, "/page.js"),
    ] {
        let (got, text) = server.ask(path, &body);
        assert!(
            got == code && text.starts_with("{\"error\":") && text.contains(reason),
            "{path}: {text}"
        );
    }
    let noise = [0_u8, 255, 10, 13, 10, 13, 10];
    assert_eq!(status(&head(&mut server.send(&noise))), 400);
    // After all that it still plays.
    let (code, text) = server.ask("/api/play", &game("a2a3 h7h6 h2h3", ",\"elo\":800,\"ms\":50"));
    assert!(code == 200 && text.starts_with("{\"uci\":\""), "{text}");
}

/// What the tablebases know comes with the book's moves, and only where they know something.
#[test]
fn endings_are_known() {
    let server = Server::small();
    let (code, text) =
        server.ask("/api/book", "{\"game\":{\"fen\":\"4k3/8/4K3/4P3/8/8/8/8 w - - 0 1\"}}");
    assert!(code == 200 && text.contains("\"tablebase\":{\"text\":\"White wins\""), "{text}");
    assert!(text.contains("\"uci\":\"e6d6\",\"result\":\"wins, "), "{text}");
    assert!(text.contains("\"result\":\"draws\""), "{text}");
    let (_, text) = server.ask("/api/book", "{\"game\":{}}");
    assert!(text.ends_with("\"tablebase\":null}"), "{text}");
    let (_, text) = server.get("/api/about");
    assert!(text.contains("\"tablebases\":4"), "{text}");
}

/// A weak player chooses among moves by the number of its game: other games, other moves.
#[test]
fn weak_players_vary_from_game_to_game() {
    let server = Server::small();
    let play = |seed: u32| {
        let more = format!(",\"elo\":800,\"ms\":2000,\"seed\":{seed}");
        server.ask("/api/play", &game("a2a3 h7h6 h2h3", &more)).1
    };
    let moves: std::collections::BTreeSet<String> =
        (0..24).map(|seed| play(seed).chars().take(13).collect()).collect();
    assert!(moves.len() > 2, "{moves:?}");
}

/// A game that is too long is refused with a reason, whatever is asked about it, and many at once
/// do not end the server.
#[test]
fn games_without_end_are_refused() {
    let server = Server::small();
    let long = game(&"g1f3 g8f6 f3g1 f6g8 ".repeat(20_000), "");
    std::thread::scope(|scope| {
        for _ in 0..4 {
            for path in ["/api/book", "/api/play", "/api/watch", "/api/review"] {
                let (server, long) = (&server, &long);
                scope.spawn(move || {
                    let (code, text) = server.ask(path, long);
                    assert!(code == 413 && text.contains("6000"), "{code} {text}");
                });
            }
        }
    });
    let huge = format!(
        "POST /api/game HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\n\
                        Content-Length: 4194304\r\n\r\n",
        server.place
    );
    assert_eq!(status(&head(&mut server.send(huge.as_bytes()))), 413);
    assert_eq!(status(&server.get("/").0), 200);
}

/// Without care the allocator keeps some free megabytes for every thread that ever read a large one.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[test]
fn large_questions_leave_no_memory_behind() {
    let server = Server::small();
    let large = format!(r#"{{"pgn":"{}"}}"#, "{(".repeat(500_000));
    let ask_all = || {
        std::thread::scope(|scope| {
            for _ in 0..24 {
                scope.spawn(|| assert_eq!(server.ask("/api/game", &large).0, 400));
            }
        });
    };
    server.ask("/api/game", &large);
    let before = resident(&server);
    ask_all();
    ask_all();
    let after = resident(&server);
    assert!(after < before + 16_000, "{before} kB before, {after} kB after");
}

/// The memory of the server in kilobytes.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn resident(server: &Server) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", server.child.id())).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("a size");
    line.trim().trim_end_matches("kB").trim().parse().expect("a number")
}

/// What a page of another site could send, or one that reads a request differently from us.
#[test]
fn requests_of_others_and_ambiguous_ones_are_refused() {
    let server = Server::small();
    let place = &server.place;
    let port = place.split(':').nth(1).expect("a port");
    let question = "{\"game\":{}}";
    let json = format!("Content-Type: application/json\r\nContent-Length: {}", question.len());
    let own = format!("Host: {place}\r\n{json}");
    for (lines, code) in [
        (own.clone(), 200),
        (format!("Host: localhost:{port}\r\n{json}"), 200),
        (format!("{own}\r\nOrigin: http://{place}"), 200),
        (format!("Host: evil.example\r\n{json}"), 403),
        (format!("Host: 127.0.0.1\r\n{json}"), 403),
        (format!("Host: 8.8.8.8:{port}\r\n{json}"), 403),
        (format!("{own}\r\nOrigin: http://evil.example"), 403),
        (format!("{own}\r\nOrigin: null"), 403),
        (format!("{own}\r\nSec-Fetch-Site: cross-site"), 403),
        (format!("Host: {place}\r\nContent-Length: 11"), 415),
        (format!("Host: {place}\r\nContent-Type: text/plain\r\nContent-Length: 11"), 415),
        (format!("{own}\r\nContent-Length: {}", question.len()), 400),
        (format!("{own}\r\nHost: {place}"), 400),
        (format!("{own}\r\nTransfer-Encoding: chunked"), 400),
        (format!("Host: {place}\r\nContent-Length: +{}", question.len()), 400),
        (json.clone(), 400),
    ] {
        let request = format!("POST /api/book HTTP/1.1\r\n{lines}\r\n\r\n{question}");
        assert_eq!(status(&head(&mut server.send(request.as_bytes()))), code, "{lines}");
    }
}

#[test]
fn head_has_no_body_and_expect_is_answered() {
    let server = Server::small();
    for (path, code) in [("/", 200), ("/nothing", 404)] {
        let request = format!("HEAD {path} HTTP/1.1\r\nHost: {}\r\n\r\n", server.place);
        let mut reader = server.send(request.as_bytes());
        let head = head(&mut reader);
        assert!(status(&head) == code && !head.contains("Content-Length: 0"), "{head}");
        let mut rest = String::new();
        reader.read_to_string(&mut rest).expect("the end");
        assert_eq!(rest, "");
    }
    let request = format!(
        "POST /api/book HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\n\
         Content-Length: 11\r\nExpect: 100-continue\r\n\r\n",
        server.place
    );
    let mut reader = server.send(request.as_bytes());
    assert!(head(&mut reader).starts_with("HTTP/1.1 100 "));
    reader.get_mut().write_all(b"{\"game\":{}}").expect("sent");
    assert_eq!(status(&head(&mut reader)), 200);
}

/// A server that others can reach says so, and answers questions with its token only.
#[test]
fn on_a_network_questions_need_a_token() {
    let (mut server, line) = Server::begin(&["--hash", "1", "--address", "0.0.0.0"]);
    let token = line.split("#token=").nth(1).and_then(|rest| rest.split(' ').next());
    let token = token.unwrap_or_else(|| panic!("no token in {line:?}"));
    let port = server.place.rsplit(':').next().expect("a port").to_owned();
    server.place = format!("127.0.0.1:{port}");
    assert_eq!(status(&server.get("/").0), 200);
    assert_eq!(server.ask("/api/book", "{\"game\":{}}").0, 401);
    let with = |token: &str| {
        let request = format!(
            "POST /api/book HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\n\
             Authorization: Bearer {token}\r\nContent-Length: 11\r\n\r\n{{\"game\":{{}}}}",
            server.place
        );
        status(&head(&mut server.send(request.as_bytes())))
    };
    assert_eq!(with(token), 200);
    assert_eq!(with("0123456789abcdef0123456789abcdef"), 401);
}

#[test]
fn a_second_window_takes_the_engine_and_gives_it_back() {
    let server = Server::small();
    let (_, mut first) = server.post("/api/watch", &game("", ",\"lines\":2"));
    let line = next(&mut first).expect("something found");
    assert!(line.contains("\"depth\":") && line.contains("\"points\":["), "{line}");

    let (_, mut second) = server.post("/api/watch", &game("e2e4", ",\"lines\":1"));
    assert!(next(&mut second).expect("something found").contains("\"lines\":[{\"moves\":[\""));
    let waiting = |line: &String| line.contains("\"waiting\":true");
    std::iter::from_fn(|| next(&mut first)).find(waiting).expect("the first one waits");
    // Who goes away leaves the engine to the one before.
    drop(second);
    let again = next(&mut first).expect("something found again");
    assert!(again.contains("\"depth\":"), "{again}");
}

#[test]
fn a_review_is_followed_while_others_watch() {
    let server = Server::small();
    let (_, mut other) = server.post("/api/watch", &game("", ""));
    assert!(next(&mut other).expect("something found").contains("\"lines\":["));
    let (code, text) = server.ask("/api/review", &game("f2f3 e7e5 g2g4 d8h4", ",\"ms\":300"));
    assert_eq!(code, 200);
    assert!(text.contains("{\"positions\":5,\"all\":5}"), "{text}");
    let last = text.lines().last().expect("a last line");
    assert!(last.contains("\"mark\":\"blunder\"") && last.contains("\"better\":{"), "{last}");
}

#[test]
fn a_second_review_waits_and_takes_over_when_the_first_is_closed() {
    let server = Server::small();
    let long = game(&"g1f3 g8f6 f3g1 f6g8 ".repeat(50), ",\"ms\":500");
    let (_, mut first) = server.post("/api/review", &long);
    assert!(next(&mut first).expect("progress").contains("\"positions\":1"));
    let (_, mut second) = server.post("/api/review", &long);
    assert!(next(&mut second).expect("a word").contains("\"waiting\":true"));
    drop(first);
    assert!(next(&mut second).expect("progress").contains("\"positions\":1"));
}

/// Connections that send nothing, or next to nothing, keep nobody out.
#[test]
fn a_crowd_of_slow_senders_keeps_nobody_out() {
    let server = Server::small();
    let mut slow: Vec<_> = (0..48).map(|_| server.send(b"GET /")).collect();
    // All places are taken; those who have just come still have a moment, others are refused
    // without a thread.
    let (mut refused, asked) = (0, std::time::Instant::now());
    loop {
        for sender in &mut slow {
            // Whoever has lost its place cannot send any more.
            let _ = sender.get_mut().write_all(b"a");
        }
        match status(&server.get("/").0) {
            200 => break,
            503 => refused += 1,
            other => panic!("{other}"),
        }
        assert!(asked.elapsed() < PATIENCE, "the crowd holds all places");
        std::thread::sleep(Duration::from_millis(20));
    }
    assert!(refused > 0, "nobody was refused");
    #[cfg(target_os = "linux")]
    {
        let status = std::fs::read_to_string(format!("/proc/{}/status", server.child.id()));
        let status = status.expect("the system's word");
        let threads =
            status.lines().find_map(|line| line.strip_prefix("Threads:")).expect("threads");
        let threads: usize = threads.trim().parse().expect("a number");
        assert!(threads < 2 * 48 + 8, "{threads} threads");
    }
}

#[test]
fn a_taken_port_is_named() {
    let server = Server::small();
    let port = server.place.split(':').nth(1).expect("a port");
    let output = Command::new(env!("CARGO_BIN_EXE_brier"))
        .args(["serve", "--hash", "1", "--port", port])
        .output()
        .expect("the binary runs");
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && text.contains(port) && text.contains("--port"), "{text}");
}

#[cfg(target_os = "linux")]
#[test]
fn the_page_is_opened_in_the_browser() {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    let folder = std::env::temp_dir().join(format!("brier-open-{}", std::process::id()));
    let (program, opened) = (folder.join("xdg-open"), folder.join("opened"));
    fs::create_dir_all(&folder).expect("a folder");
    // It stands in for the desktop's own and writes down what it is asked to open.
    fs::write(&program, format!("#!/bin/sh\necho \"$1\" > '{}'\n", opened.display()))
        .expect("written");
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).expect("a program");
    let mut command = Command::new(env!("CARGO_BIN_EXE_brier"));
    command.args(["serve", "--port", "0", "--hash", "1", "--open"]);
    let (server, _) =
        Server::run(command.env("PATH", format!("{}:/usr/bin:/bin", folder.display())));
    let address = || fs::read_to_string(&opened).unwrap_or_default();
    while !address().ends_with('\n') {
        std::thread::sleep(Duration::from_millis(10));
    }
    assert_eq!(address().trim(), format!("http://{}/", server.place));
    fs::remove_dir_all(&folder).expect("removed");
}
