//! `brier serve`: what a browser would ask, asked over plain connections.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// No answer takes this long; it is no measure of speed.
const PATIENCE: Duration = Duration::from_secs(120);

/// A running server, killed at the end.
struct Server {
    child: Child,
    /// Where it listens, as `127.0.0.1:1234`.
    place: String,
}

impl Server {
    fn start() -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_brier"))
            .args(["serve", "--port", "0", "--hash", "1"])
            .stdout(Stdio::piped())
            .spawn()
            .expect("the binary starts");
        let mut line = String::new();
        let output = child.stdout.as_mut().expect("a pipe");
        BufReader::new(output).read_line(&mut line).expect("a line");
        let place = line.split("http://").nth(1).and_then(|rest| rest.split('/').next());
        let place = place.unwrap_or_else(|| panic!("no address in {line:?}")).to_owned();
        Self { child, place }
    }

    /// Sends bytes and returns the open connection.
    fn send(&self, bytes: &[u8]) -> BufReader<TcpStream> {
        let mut stream = TcpStream::connect(&self.place).expect("a connection");
        stream.set_read_timeout(Some(PATIENCE)).expect("a timeout");
        stream.write_all(bytes).expect("sent");
        BufReader::new(stream)
    }

    /// Asks a question and returns the connection after the answer's head.
    fn post(&self, path: &str, body: &str) -> (String, BufReader<TcpStream>) {
        let length = body.len();
        let request = format!(
            "POST {path} HTTP/1.1\r\nHost: {}\r\nContent-Length: {length}\r\n\r\n{body}",
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

    fn get(&self, path: &str) -> (String, String) {
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
    let server = Server::start();
    let (head, page) = server.get("/");
    assert!(
        status(&head) == 200 && head.contains("text/html") && head.contains("default-src 'none'")
    );
    assert!(page.contains("<!DOCTYPE html>") && page.contains("id=\"piece-q\""));
    for (file, kind) in [("/main.js", "text/javascript"), ("/style.css", "text/css")] {
        let (head, text) = server.get(file);
        assert!(status(&head) == 200 && head.contains(kind) && text.len() > 1000, "{head}");
    }
    let (head, text) = server.get("/etc/passwd");
    assert!(status(&head) == 404 && text.contains("/etc/passwd"), "{head}{text}");
}

#[test]
fn bad_questions_get_reasons() {
    let server = Server::start();
    for (path, body, code, reason) in [
        ("/api/position", "position startpos moves e2e5", 400, "move 1: "),
        ("/api/position", "position fen 8/8 w - - 0 1", 400, "FEN"),
        ("/api/position", "\0\u{fffd}", 400, "expected a position"),
        ("/api/games", "no games", 400, "expected a FEN or games"),
        ("/api/watch?lines=9", "position startpos", 400, "expected lines from 1 to 5"),
        ("/api/watch", "position fen 7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", 400, "legal moves"),
        ("/api/review?ms=0", "position startpos moves e2e4", 400, "expected ms from 1"),
        ("/api/other", "", 404, "/api/other"),
        ("/main.js", "", 404, "/main.js"),
    ] {
        let (got, text) = server.ask(path, body);
        assert!(
            got == code && text.starts_with("{\"error\":") && text.contains(reason),
            "{path}: {text}"
        );
    }
    let foreign = "GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n";
    assert_eq!(status(&head(&mut server.send(foreign.as_bytes()))), 403);
    let noise = [0_u8, 255, 10, 13, 10, 13, 10];
    assert_eq!(status(&head(&mut server.send(&noise))), 400);
    // After all that it still plays.
    let (code, text) = server.ask("/api/position", "position startpos moves e2e4");
    assert!(code == 200 && text.contains("\"san\":\"e5\""), "{text}");
}

#[test]
fn a_search_is_followed_and_ends_when_another_asks() {
    let server = Server::start();
    let (_, mut first) = server.post("/api/watch?lines=2", "position startpos");
    let line = next(&mut first).expect("something found");
    assert!(line.contains("\"depth\":") && line.contains("\"points\":["), "{line}");

    let (_, mut second) = server.post("/api/watch?lines=1", "position startpos moves e2e4");
    let end = std::iter::from_fn(|| next(&mut first)).last().expect("a last line");
    assert!(end.contains("\"taken\":true"), "{end}");
    assert!(next(&mut second).expect("something found").contains("\"text\":\"1... "));
    // Who goes away leaves the engine to others.
    drop(second);
    let (code, text) =
        server.ask("/api/review?ms=300", "position startpos moves f2f3 e7e5 g2g4 d8h4");
    assert_eq!(code, 200);
    assert!(text.contains("{\"all\":5,\"positions\":5}"), "{text}");
    let last = text.lines().last().expect("a last line");
    assert!(last.contains("\"word\":\"blunder\"") && last.contains("<svg"), "{last}");
}

#[test]
fn a_review_ends_when_another_asks() {
    let server = Server::start();
    let game = format!("position startpos moves{}", " g1f3 g8f6 f3g1 f6g8".repeat(50));
    let (_, mut review) = server.post("/api/review?ms=500", &game);
    assert!(next(&mut review).expect("progress").contains("\"positions\":1"));
    let (_, mut other) = server.post("/api/watch", "position startpos");
    let end = std::iter::from_fn(|| next(&mut review)).last().expect("a last line");
    assert!(end.contains("\"taken\":true"), "{end}");
    assert!(next(&mut other).expect("something found").contains("\"lines\":["));
}

#[test]
fn a_crowd_waits_outside() {
    let server = Server::start();
    let wait_for = |code: u16| {
        let asked = std::time::Instant::now();
        while status(&server.get("/").0) != code {
            assert!(asked.elapsed() < PATIENCE, "no {code}");
            std::thread::sleep(Duration::from_millis(10));
        }
    };
    let silent: Vec<_> = (0..32).map(|_| server.send(b"")).collect();
    wait_for(503);
    drop(silent);
    wait_for(200);
}

#[test]
fn a_taken_port_is_named() {
    let server = Server::start();
    let port = server.place.split(':').nth(1).expect("a port");
    let output = Command::new(env!("CARGO_BIN_EXE_brier"))
        .args(["serve", "--hash", "1", "--port", port])
        .output()
        .expect("the binary runs");
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && text.contains(port) && text.contains("--port"), "{text}");
}
