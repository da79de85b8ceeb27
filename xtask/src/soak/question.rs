//! What the clients of a soak ask, and what is the right answer to it.

use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::thread;
use std::time::{Duration, Instant};

/// The status of a server that has no room for a connection now.
pub(super) const BUSY: u16 = 503;
/// Longer than any answer may take.
const PATIENCE: Duration = Duration::from_secs(60);

/// One kind of question.
pub(super) struct Question {
    pub(super) name: &'static str,
    /// How often it is asked, compared with the others.
    pub(super) share: u64,
    manner: Manner,
    /// The status of the right answer.
    status: u16,
    /// The request, for a server at this place.
    request: fn(&str) -> Vec<u8>,
}

/// How a client behaves.
#[derive(Clone, Copy, PartialEq)]
enum Manner {
    /// It sends its request and reads the whole answer.
    Proper,
    /// It goes away as soon as the first bytes of the answer are there.
    Leaves,
    /// It sends more than the server wants to read, so that the answer may be lost with the
    /// connection.
    Floods,
    /// It sends two bytes a second and gives up after some time; any answer will do, or none.
    Drips,
}

/// What came of one question.
pub(super) struct Answer {
    /// Its index in [`QUESTIONS`].
    pub(super) kind: usize,
    pub(super) time: Duration,
    /// The status, if it is the right one or [`BUSY`].
    pub(super) result: Result<u16, String>,
}

#[rustfmt::skip]
pub(super) const QUESTIONS: &[Question] = &[
    // What the page asks.
    Question { name: "page", share: 6, manner: Manner::Proper, status: 200,
        request: |place| get(place, "/") },
    Question { name: "about", share: 10, manner: Manner::Proper, status: 200,
        request: |place| get(place, "/api/about") },
    Question { name: "book", share: 12, manner: Manner::Proper, status: 200,
        request: |place| post(place, "/api/book", r#"{"game":{"moves":"e2e4 c7c5 g1f3"}}"#) },
    Question { name: "game", share: 12, manner: Manner::Proper, status: 200,
        request: |place| post(place, "/api/game", r#"{"pgn":"1. e4 e5 2. Nf3 Nc6 3. Bb5 {x} a6 *"}"#) },
    Question { name: "play", share: 6, manner: Manner::Proper, status: 200,
        request: |place| post(place, "/api/play", r#"{"game":{"moves":"e2e4 h7h6"},"elo":1500,"ms":10,"seed":1}"#) },
    Question { name: "watch", share: 3, manner: Manner::Leaves, status: 200,
        request: |place| post(place, "/api/watch", r#"{"game":{"moves":"e2e4"},"lines":2}"#) },
    Question { name: "review", share: 1, manner: Manner::Proper, status: 200,
        request: |place| post(place, "/api/review", r#"{"game":{"moves":"e2e4 e7e5 g1f3 g8f6"},"ms":5}"#) },
    // Abuse.
    Question { name: "no such page", share: 4, manner: Manner::Proper, status: 404,
        request: |place| get(place, "/../../etc/passwd") },
    Question { name: "not HTTP", share: 4, manner: Manner::Proper, status: 400,
        request: |_| b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03".repeat(20) },
    Question { name: "another site's page", share: 4, manner: Manner::Proper, status: 403,
        request: |place| with_header(place, "Origin: http://example.com") },
    Question { name: "another host", share: 4, manner: Manner::Proper, status: 403,
        request: |_| post("example.com", "/api/book", r#"{"game":{}}"#) },
    Question { name: "two lengths", share: 4, manner: Manner::Proper, status: 400,
        request: |place| with_header(place, "Content-Length: 3") },
    Question { name: "broken JSON", share: 4, manner: Manner::Proper, status: 400,
        request: |place| post(place, "/api/watch", &"[".repeat(10_000)) },
    Question { name: "illegal move", share: 4, manner: Manner::Proper, status: 400,
        request: |place| post(place, "/api/review", r#"{"game":{"moves":"e2e5"},"ms":5}"#) },
    Question { name: "80,000 plies", share: 2, manner: Manner::Proper, status: 413,
        request: |place| post(place, "/api/review", &format!(r#"{{"game":{{"moves":"{}"}},"ms":5}}"#,
            "g1f3 g8f6 f3g1 f6g8 ".repeat(20_000))) },
    Question { name: "4 MB", share: 2, manner: Manner::Floods, status: 413,
        request: |place| post(place, "/api/game", &" ".repeat(4 << 20)) },
    Question { name: "1 MB of braces", share: 1, manner: Manner::Proper, status: 400,
        request: |place| post(place, "/api/game", &format!(r#"{{"pgn":"{}"}}"#, "{(".repeat(500_000))) },
    Question { name: "endless headers", share: 2, manner: Manner::Floods, status: 413,
        request: |place| format!("GET / HTTP/1.1\r\nHost: {place}\r\nX: {}", "x".repeat(100_000)).into() },
    Question { name: "leaves in the middle", share: 4, manner: Manner::Leaves, status: 0,
        request: |place| format!("POST /api/play HTTP/1.1\r\nHost: {place}\r\nContent-Len").into() },
    Question { name: "two bytes a second", share: 3, manner: Manner::Drips, status: 408,
        request: |place| get(place, "/api/about") },
];

fn get(place: &str, path: &str) -> Vec<u8> {
    format!("GET {path} HTTP/1.1\r\nHost: {place}\r\n\r\n").into()
}

fn post(place: &str, path: &str, body: &str) -> Vec<u8> {
    let length = body.len();
    format!(
        "POST {path} HTTP/1.1\r\nHost: {place}\r\nContent-Type: application/json\r\n\
         Content-Length: {length}\r\n\r\n{body}"
    )
    .into()
}

/// A good question with one header too many.
fn with_header(place: &str, header: &str) -> Vec<u8> {
    let body = r#"{"game":{}}"#;
    let length = body.len();
    format!(
        "POST /api/book HTTP/1.1\r\nHost: {place}\r\nContent-Type: application/json\r\n{header}\r\n\
         Content-Length: {length}\r\n\r\n{body}"
    )
    .into()
}

impl Question {
    /// Asks it once, in its manner.
    pub(super) fn ask(&self, kind: usize, place: &str) -> Answer {
        let request = (self.request)(place);
        let start = Instant::now();
        let status = self.exchange(place, &request);
        let time = start.elapsed();
        let result = match status {
            Ok(status) if status == self.status || status == BUSY => Ok(status),
            Ok(0) if matches!(self.manner, Manner::Floods | Manner::Drips) => Ok(0),
            Ok(200) if self.manner == Manner::Drips => Ok(200),
            Ok(status) => Err(format!("expected status {}, got {status}", self.status)),
            Err(reason) => Err(reason),
        };
        Answer { kind, time, result }
    }

    /// The status of the answer; 0 if the connection ended without one.
    fn exchange(&self, place: &str, request: &[u8]) -> Result<u16, String> {
        let mut stream =
            TcpStream::connect(place).map_err(|error| format!("no connection: {error}"))?;
        stream.set_read_timeout(Some(PATIENCE)).map_err(|error| error.to_string())?;
        stream.set_write_timeout(Some(PATIENCE)).map_err(|error| error.to_string())?;
        if self.manner == Manner::Drips {
            for piece in request.chunks(1) {
                thread::sleep(Duration::from_millis(500));
                if stream.write_all(piece).is_err() {
                    break;
                }
            }
        } else if stream.write_all(request).is_err() && self.manner == Manner::Proper {
            // A server without room answers and closes before it has read.
            return status_of(&mut stream, false)
                .map(|status| if status == 0 { BUSY } else { status });
        }
        if self.status == 0 {
            return Ok(0);
        }
        status_of(&mut stream, self.manner == Manner::Leaves)
    }
}

/// Reads the answer, or only its beginning.
fn status_of(stream: &mut TcpStream, only_head: bool) -> Result<u16, String> {
    let (mut answer, mut piece) = (Vec::new(), [0; 4096]);
    loop {
        match stream.read(&mut piece) {
            Ok(0) => break,
            Ok(count) => answer.extend_from_slice(&piece[..count]),
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {
                return Err(format!("no answer within {} s", PATIENCE.as_secs()));
            }
            Err(_) => break,
        }
        if only_head && answer.len() > 12 {
            break;
        }
    }
    let text = String::from_utf8_lossy(&answer);
    Ok(text.split(' ').nth(1).and_then(|word| word.parse().ok()).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;

    use super::*;

    /// The first question of a name, asked of a server that says this.
    fn ask(name: &str, says: &'static [u8]) -> Result<u16, String> {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let place = listener.local_addr().unwrap().to_string();
        let server = thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            let _ = stream.read(&mut [0; 4096]);
            let _ = stream.write_all(says);
        });
        let question = QUESTIONS.iter().find(|question| question.name == name).unwrap();
        let result = question.ask(0, &place).result;
        server.join().unwrap();
        result
    }

    #[test]
    fn only_the_right_answer_and_a_busy_server_pass() {
        assert_eq!(ask("about", b"HTTP/1.1 200 OK\r\n\r\n{}"), Ok(200));
        assert_eq!(ask("about", b"HTTP/1.1 503 Service Unavailable\r\n\r\n"), Ok(BUSY));
        assert!(ask("about", b"HTTP/1.1 404 Not Found\r\n\r\n").is_err());
        assert!(ask("about", b"").is_err());
        assert!(ask("another host", b"HTTP/1.1 200 OK\r\n\r\n{}").is_err());
    }
}
