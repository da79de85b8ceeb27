//! As much of HTTP as one page and its questions need: a request in, an answer out, one of each
//! for a connection.
//!
//! The server listens to this computer alone unless told otherwise, but every web page that is
//! open in a browser can send requests there too. [`Request::read`] refuses those.

use std::fmt::Write as _;
use std::io::{self, Read, Write};
use std::net::IpAddr;
use std::time::{Duration, Instant};

/// Most bytes of a request line with all headers.
const HEAD: usize = 16 << 10;
/// Most bytes of a body: a file of some thousand games.
pub(super) const BODY: usize = 4 << 20;
/// Most headers.
const HEADERS: usize = 64;
/// A request that takes longer than this to arrive is given up.
pub(super) const PATIENCE: Duration = Duration::from_secs(10);

/// What is asked for.
#[derive(Debug, PartialEq)]
pub(super) struct Request {
    pub(super) is_post: bool,
    /// Without the question mark and what follows it.
    pub(super) path: String,
    query: String,
    pub(super) body: String,
}

/// Why a request is not served.
#[derive(Debug, PartialEq)]
pub(super) struct Refusal {
    pub(super) status: Status,
    pub(super) reason: String,
}

/// Why an answer ended early.
#[derive(Debug)]
pub(super) enum Stop {
    /// The asker is told why.
    Refused(Refusal),
    /// There is nobody to tell.
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

/// How an answer begins.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(super) enum Status {
    Ok = 200,
    BadRequest = 400,
    Forbidden = 403,
    NotFound = 404,
    WrongMethod = 405,
    Timeout = 408,
    TooLarge = 413,
    Busy = 503,
}

impl Status {
    fn name(self) -> &'static str {
        match self {
            Self::Ok => "OK",
            Self::BadRequest => "Bad Request",
            Self::Forbidden => "Forbidden",
            Self::NotFound => "Not Found",
            Self::WrongMethod => "Method Not Allowed",
            Self::Timeout => "Request Timeout",
            Self::TooLarge => "Content Too Large",
            Self::Busy => "Service Unavailable",
        }
    }
}

impl Refusal {
    pub(super) fn new(status: Status, reason: impl Into<String>) -> Self {
        Self { status, reason: reason.into() }
    }

    pub(super) fn bad(reason: impl Into<String>) -> Self {
        Self::new(Status::BadRequest, reason)
    }
}

impl Request {
    /// Reads a request whole; none if the connection was closed before it began.
    pub(super) fn read(input: &mut impl Read) -> Result<Option<Self>, Refusal> {
        let mut bytes = Vec::new();
        let deadline = Instant::now() + PATIENCE;
        let mut more = |bytes: &mut Vec<u8>| {
            let mut piece = [0; 4096];
            let late = || Refusal::new(Status::Timeout, "the request took too long to arrive");
            let count = match input.read(&mut piece) {
                Ok(count) => count,
                // Browsers open connections that they may need soon, and need no answer on those.
                Err(_) if bytes.is_empty() => 0,
                Err(_) => return Err(late()),
            };
            bytes.extend_from_slice(&piece[..count]);
            let in_time = count == 0 || Instant::now() < deadline;
            if in_time { Ok(count) } else { Err(late()) }
        };
        let (mut request, length, start) = loop {
            if let Some(head) = Self::head(&bytes)? {
                break head;
            }
            if bytes.len() > HEAD {
                let reason = format!("expected at most {HEAD} bytes of headers");
                return Err(Refusal::new(Status::TooLarge, reason));
            }
            if more(&mut bytes)? == 0 {
                let cut = Refusal::bad("expected a request, got the beginning of one");
                return if bytes.is_empty() { Ok(None) } else { Err(cut) };
            }
        };
        while bytes.len() < start + length {
            if more(&mut bytes)? == 0 {
                let got = bytes.len() - start;
                return Err(Refusal::bad(format!("expected {length} bytes of text, got {got}")));
            }
        }
        request.body = String::from_utf8_lossy(&bytes[start..start + length]).into_owned();
        Ok(Some(request))
    }

    /// The request without its body, the body's length, and where it begins; none if there is
    /// more to come.
    fn head(bytes: &[u8]) -> Result<Option<(Self, usize, usize)>, Refusal> {
        let mut headers = [httparse::EMPTY_HEADER; HEADERS];
        let mut parsed = httparse::Request::new(&mut headers);
        let start = match parsed.parse(bytes) {
            Ok(httparse::Status::Complete(start)) => start,
            Ok(httparse::Status::Partial) => return Ok(None),
            Err(error) => return Err(Refusal::bad(format!("expected a request: {error}"))),
        };
        let header = |name: &str| {
            let found = parsed.headers.iter().find(|header| header.name.eq_ignore_ascii_case(name));
            found.map(|header| String::from_utf8_lossy(header.value))
        };
        if let Some(site) = header("sec-fetch-site")
            && !matches!(&*site, "same-origin" | "none")
        {
            return Err(Refusal::new(Status::Forbidden, "expected a request of this page's own"));
        }
        if !header("host").is_some_and(|host| is_address(&host)) {
            let reason = "expected an address of numbers or localhost, got another name for it";
            return Err(Refusal::new(Status::Forbidden, reason));
        }
        let length = match header("content-length") {
            None => 0,
            Some(text) => text.trim().parse().map_err(|_| {
                Refusal::bad(format!("expected a Content-Length in bytes, got {text:?}"))
            })?,
        };
        if length > BODY {
            let reason = format!("expected at most {BODY} bytes of text, got {length}");
            return Err(Refusal::new(Status::TooLarge, reason));
        }
        let is_post = match parsed.method {
            Some("GET") => false,
            Some("POST") => true,
            other => {
                let reason = format!("expected GET or POST, got {}", other.unwrap_or_default());
                return Err(Refusal::new(Status::WrongMethod, reason));
            }
        };
        let target = parsed.path.unwrap_or_default();
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let (path, query) = (path.to_owned(), query.to_owned());
        Ok(Some((Self { is_post, path, query, body: String::new() }, length, start)))
    }

    /// A number of the query, within bounds; `usual` if it is not there.
    pub(super) fn number(
        &self,
        name: &str,
        usual: u64,
        bounds: std::ops::RangeInclusive<u64>,
    ) -> Result<u64, Refusal> {
        let mut pairs = self.query.split('&').filter_map(|pair| pair.split_once('='));
        let Some((_, text)) = pairs.find(|&(key, _)| key == name) else { return Ok(usual) };
        let number = text.parse().ok().filter(|number| bounds.contains(number));
        number.ok_or_else(|| {
            let (low, high) = (bounds.start(), bounds.end());
            Refusal::bad(format!("expected {name} from {low} to {high}, got {text:?}"))
        })
    }
}

/// Does the name in a request say where the server is, rather than what someone else calls it? A
/// name that another page's owner has pointed here would let that page read our answers.
fn is_address(host: &str) -> bool {
    let host = host.trim();
    let name = match host.strip_prefix('[') {
        Some(rest) => rest.split_once(']').map_or("", |(name, _)| name),
        None => host.split_once(':').map_or(host, |(name, _)| name),
    };
    name.eq_ignore_ascii_case("localhost") || name.parse::<IpAddr>().is_ok()
}

/// A whole answer.
pub(super) fn answer(
    output: &mut impl Write,
    status: Status,
    kind: &str,
    body: &str,
) -> io::Result<()> {
    let mut text = head(status, kind);
    // Writing to a string cannot fail.
    let _ = write!(text, "Content-Length: {}\r\n\r\n{body}", body.len());
    output.write_all(text.as_bytes())?;
    output.flush()
}

/// The beginning of an answer that goes on until the connection is closed.
pub(super) fn begin(output: &mut impl Write, kind: &str) -> io::Result<()> {
    let text = head(Status::Ok, kind) + "\r\n";
    output.write_all(text.as_bytes())?;
    output.flush()
}

fn head(status: Status, kind: &str) -> String {
    format!(
        "HTTP/1.1 {} {}\r\nContent-Type: {kind}; charset=utf-8\r\nConnection: close\r\n\
         Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n\
         Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; \
         img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; \
         frame-ancestors 'none'\r\n",
        status as u16,
        status.name()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Option<Request>, Refusal> {
        Request::read(&mut text.as_bytes())
    }

    fn status(text: &str) -> Status {
        read(text).expect_err(text).status
    }

    #[test]
    fn a_request_has_a_path_numbers_and_a_body() {
        let text = "POST /api/watch?lines=3&x HTTP/1.1\r\nHost: localhost:8127\r\n\
                    Content-Length: 8\r\n\r\nstartposignored";
        let request = read(text).unwrap().unwrap();
        assert!(request.is_post && request.path == "/api/watch" && request.body == "startpos");
        assert_eq!(request.number("lines", 1, 1..=5), Ok(3));
        assert_eq!(request.number("ms", 200, 1..=5), Ok(200));
        let reason = request.number("lines", 1, 4..=5).unwrap_err().reason;
        assert_eq!(reason, "expected lines from 4 to 5, got \"3\"");
    }

    #[test]
    fn pages_of_others_are_refused() {
        let with = |headers: &str| format!("GET / HTTP/1.1\r\n{headers}\r\n\r\n");
        for good in ["127.0.0.1:8127", "LocalHost", "[::1]:80", "192.168.1.5:8127"] {
            assert!(read(&with(&format!("Host: {good}"))).is_ok(), "{good}");
        }
        for bad in ["evil.example:8127", "", "[::1", "localhost.evil.example"] {
            assert_eq!(status(&with(&format!("Host: {bad}"))), Status::Forbidden, "{bad}");
        }
        assert_eq!(status(&with("X: y")), Status::Forbidden);
        let fetch = |site: &str| with(&format!("Host: localhost\r\nSec-Fetch-Site: {site}"));
        assert!(read(&fetch("same-origin")).is_ok() && read(&fetch("none")).is_ok());
        assert_eq!(status(&fetch("cross-site")), Status::Forbidden);
        assert_eq!(status(&fetch("same-site")), Status::Forbidden);
    }

    #[test]
    fn what_is_too_long_or_too_short_is_refused() {
        let post = |length: &str| {
            format!("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: {length}\r\n\r\nabc")
        };
        assert_eq!(status(&post("4")), Status::BadRequest);
        assert_eq!(status(&post("-1")), Status::BadRequest);
        assert_eq!(status(&post("99999999999999999999")), Status::BadRequest);
        assert_eq!(status(&post(&(BODY + 1).to_string())), Status::TooLarge);
        assert_eq!(status(&format!("GET /{} ", "a".repeat(2 * HEAD))), Status::TooLarge);
        assert_eq!(status("GET / HT"), Status::BadRequest);
        assert_eq!(status("\0\0\0"), Status::BadRequest);
        assert_eq!(status("PUT / HTTP/1.1\r\nHost: localhost\r\n\r\n"), Status::WrongMethod);
        assert_eq!(read(""), Ok(None));
    }

    /// A connection that stays silent needs no answer, one that breaks off does.
    #[test]
    fn silence_is_no_request() {
        struct Silent(Option<&'static [u8]>);
        impl Read for Silent {
            fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
                let Some(mut bytes) = self.0.take() else {
                    return Err(io::ErrorKind::WouldBlock.into());
                };
                bytes.read(buffer)
            }
        }
        assert_eq!(Request::read(&mut Silent(None)), Ok(None));
        let broken = Request::read(&mut Silent(Some(b"GET / HTTP/1.1\r\n")));
        assert_eq!(broken.unwrap_err().status, Status::Timeout);
    }

    /// Whatever bytes come, there is an answer.
    #[test]
    fn noise_is_answered() {
        let text =
            b"POST /api/watch?lines=3 HTTP/1.1\r\nHost: [::1]:1\r\nContent-Length: 2\r\n\r\nab";
        let mut seed = 1_u64;
        let mut random = |below: usize| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 33) as usize % below
        };
        let mut served = 0;
        for _ in 0..20_000 {
            let mut bytes = text.to_vec();
            for _ in 0..random(4) {
                let place = random(bytes.len());
                bytes[place] = random(256) as u8;
            }
            bytes.truncate(text.len() - random(2) * random(text.len()));
            served += usize::from(Request::read(&mut &bytes[..]).is_ok());
        }
        assert!((1000..19_000).contains(&served), "{served}");
    }

    #[test]
    fn an_answer_says_how_long_it_is() {
        let mut bytes = Vec::new();
        answer(&mut bytes, Status::NotFound, "text/plain", "äh").unwrap();
        let text = String::from_utf8(bytes).unwrap();
        assert!(text.starts_with("HTTP/1.1 404 Not Found\r\n"));
        assert!(text.contains("\r\nContent-Length: 3\r\n\r\näh"));
    }
}
