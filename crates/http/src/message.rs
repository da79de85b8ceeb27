//! As much of HTTP as one page and its questions need: a request in, an answer out, one of each
//! for a connection.
//!
//! [`Request::read`] is strict where a lenient reader and another one on the way could disagree
//! about where a request ends (RFC 9112, sections 3.2, 6.1 and 6.3): a length that is given twice,
//! with a sign, or together with a transfer coding is refused, and so are two hosts. Who may ask is
//! not decided here but in [`gate`](crate::gate). Nothing here knows sockets, so that a fuzzer can
//! drive it.

use std::io::{self, Read, Write};

/// Most bytes of a request line with all headers.
const HEAD: usize = 16 << 10;
/// Most bytes of a body: one game with long comments.
const BODY: usize = 1 << 20;
/// Most headers.
const HEADERS: usize = 64;

/// What a request may want.
#[derive(Copy, Clone, Debug, PartialEq)]
pub enum Method {
    /// What is there.
    Get,
    /// As GET, but only the head of the answer.
    Head,
    /// A question with a body.
    Post,
}

/// A request without its body: all that decides whether the body is wanted.
#[derive(Debug, PartialEq)]
pub struct Head {
    /// What it wants.
    pub method: Method,
    /// Without the question mark and what follows it.
    pub path: String,
    /// Whom the asker believes to speak to.
    pub host: String,
    /// The page that asks, where a browser says so.
    pub origin: Option<String>,
    /// How that page is related to ours, where a browser says so.
    pub fetch_site: Option<String>,
    /// What the body is said to be.
    pub content_type: Option<String>,
    /// What the asker shows to be let in.
    pub token: Option<String>,
    /// Bytes of the body.
    length: usize,
    /// The body is sent only after an answer to the head.
    waits: bool,
}

/// What is asked for.
#[derive(Debug, PartialEq)]
pub struct Request {
    /// What it wants.
    pub method: Method,
    /// Without the question mark and what follows it.
    pub path: String,
    /// The body as text.
    pub body: String,
}

/// Why a request is not served.
#[derive(Debug, PartialEq)]
pub struct Refusal {
    /// How the answer begins.
    pub status: Status,
    /// What was expected and what came.
    pub reason: String,
}

/// How an answer begins.
#[derive(Copy, Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names are those of the protocol")]
pub enum Status {
    Ok = 200,
    BadRequest = 400,
    Unauthorized = 401,
    Forbidden = 403,
    NotFound = 404,
    WrongMethod = 405,
    Timeout = 408,
    LengthRequired = 411,
    TooLarge = 413,
    WrongType = 415,
    ExpectationFailed = 417,
    NotImplemented = 501,
    Busy = 503,
}

impl Status {
    fn name(self) -> &'static str {
        match self {
            Self::Ok => "OK",
            Self::BadRequest => "Bad Request",
            Self::Unauthorized => "Unauthorized",
            Self::Forbidden => "Forbidden",
            Self::NotFound => "Not Found",
            Self::WrongMethod => "Method Not Allowed",
            Self::Timeout => "Request Timeout",
            Self::LengthRequired => "Length Required",
            Self::TooLarge => "Content Too Large",
            Self::WrongType => "Unsupported Media Type",
            Self::ExpectationFailed => "Expectation Failed",
            Self::NotImplemented => "Not Implemented",
            Self::Busy => "Service Unavailable",
        }
    }

    /// A header that this status must come with.
    fn header(self) -> &'static str {
        match self {
            Self::Unauthorized => "WWW-Authenticate: Bearer\r\n",
            Self::WrongMethod => "Allow: GET, HEAD, POST\r\n",
            Self::Busy => "Retry-After: 1\r\n",
            _ => "",
        }
    }
}

impl Refusal {
    /// A refusal for a reason.
    pub fn new(status: Status, reason: impl Into<String>) -> Self {
        Self { status, reason: reason.into() }
    }

    /// A request that cannot be understood.
    pub fn bad(reason: impl Into<String>) -> Self {
        Self::new(Status::BadRequest, reason)
    }
}

impl Request {
    /// Reads a request whole; none if the connection was closed before it began. The body is read
    /// only after `admit` has seen the head. `is_head` is set as soon as it is known that the
    /// answer, whatever it is, must have no body.
    pub fn read(
        connection: &mut (impl Read + Write),
        is_head: &mut bool,
        admit: impl FnOnce(&Head) -> Result<(), Refusal>,
    ) -> Result<Option<Self>, Refusal> {
        let mut bytes = Vec::new();
        let (head, start) = loop {
            *is_head = asks_for_head(&bytes);
            if let Some(head) = Head::parse(&bytes)? {
                break head;
            }
            if bytes.len() > HEAD {
                let reason = format!("expected at most {HEAD} bytes of headers");
                return Err(Refusal::new(Status::TooLarge, reason));
            }
            if more(connection, &mut bytes)? == 0 {
                let cut = Refusal::bad("expected a request, got the beginning of one");
                return if bytes.is_empty() { Ok(None) } else { Err(cut) };
            }
        };
        admit(&head)?;
        let length = head.length;
        if head.waits && bytes.len() < start + length {
            // Whoever does not listen does not send the body either.
            let _ = connection.write_all(b"HTTP/1.1 100 Continue\r\n\r\n");
        }
        while bytes.len() < start + length {
            if more(connection, &mut bytes)? == 0 {
                let got = bytes.len() - start;
                return Err(Refusal::bad(format!("expected {length} bytes of text, got {got}")));
            }
        }
        let body = std::str::from_utf8(&bytes[start..start + length])
            .map_err(|error| Refusal::bad(format!("expected text in UTF-8: {error}")))?;
        Ok(Some(Self { method: head.method, path: head.path, body: body.to_owned() }))
    }
}

/// Whether a request begins with HEAD; before it there may be empty lines (RFC 9112, section 2.2).
fn asks_for_head(bytes: &[u8]) -> bool {
    let start = bytes.iter().position(|byte| !b"\r\n".contains(byte)).unwrap_or(0);
    bytes[start..].starts_with(b"HEAD ")
}

/// Appends what has come; the count is 0 at the end.
fn more(connection: &mut impl Read, bytes: &mut Vec<u8>) -> Result<usize, Refusal> {
    let mut piece = [0; 4096];
    let count = match connection.read(&mut piece) {
        Ok(count) => count,
        // Browsers open connections that they may need soon, and need no answer on those.
        Err(_) if bytes.is_empty() => 0,
        Err(_) => {
            return Err(Refusal::new(Status::Timeout, "the request took too long to arrive"));
        }
    };
    bytes.extend_from_slice(&piece[..count]);
    Ok(count)
}

impl Head {
    /// The head and where the body begins; none if there is more to come.
    fn parse(bytes: &[u8]) -> Result<Option<(Self, usize)>, Refusal> {
        let mut headers = [httparse::EMPTY_HEADER; HEADERS];
        let mut parsed = httparse::Request::new(&mut headers);
        let start = match parsed.parse(bytes) {
            Ok(httparse::Status::Complete(start)) => start,
            Ok(httparse::Status::Partial) => return Ok(None),
            Err(error) => return Err(Refusal::bad(format!("expected a request: {error}"))),
        };
        let method = match parsed.method {
            Some("GET") => Method::Get,
            Some("HEAD") => Method::Head,
            Some("POST") => Method::Post,
            other => {
                let got = other.unwrap_or_default();
                let reason = format!("expected GET, HEAD or POST, got {got:?}");
                return Err(Refusal::new(Status::WrongMethod, reason));
            }
        };
        let header = |name| single(parsed.headers, name);
        let (authority, target) = split_target(parsed.path.unwrap_or_default());
        let host =
            header("host")?.ok_or_else(|| Refusal::bad("expected a Host header, got none"))?;
        let path = target.split('?').next().unwrap_or_default().to_owned();
        let waits = match header("expect")? {
            None => false,
            Some(text) if text.eq_ignore_ascii_case("100-continue") => true,
            Some(text) => {
                let reason = format!("expected \"100-continue\" in Expect, got {text:?}");
                return Err(Refusal::new(Status::ExpectationFailed, reason));
            }
        };
        let head = Self {
            method,
            path,
            host: authority.map_or(host, str::to_owned),
            origin: header("origin")?,
            fetch_site: header("sec-fetch-site")?,
            content_type: header("content-type")?,
            token: header("authorization")?,
            length: body_length(header("content-length")?, header("transfer-encoding")?)?,
            waits,
        };
        Ok(Some((head, start)))
    }
}

/// A header's value; twice is once too often, because two readers may take different ones.
fn single(headers: &[httparse::Header<'_>], name: &str) -> Result<Option<String>, Refusal> {
    let mut values = headers.iter().filter(|header| header.name.eq_ignore_ascii_case(name));
    let Some(first) = values.next() else { return Ok(None) };
    if values.next().is_some() {
        return Err(Refusal::bad(format!("expected one header {name:?}, got more")));
    }
    Ok(Some(String::from_utf8_lossy(first.value).trim().to_owned()))
}

/// `http://host/path`, which servers must understand too, and the usual `/path`.
fn split_target(target: &str) -> (Option<&str>, &str) {
    let Some(rest) = target.strip_prefix("http://") else { return (None, target) };
    let end = rest.find(['/', '?']).unwrap_or(rest.len());
    let (authority, path) = rest.split_at(end);
    (Some(authority), if path.is_empty() { "/" } else { path })
}

/// How long the body is. Its length is in digits, and nothing else says how long it is.
fn body_length(length: Option<String>, coding: Option<String>) -> Result<usize, Refusal> {
    if let Some(coding) = coding {
        return Err(match length {
            Some(_) => Refusal::bad("expected a Content-Length or a Transfer-Encoding, got both"),
            None if coding.eq_ignore_ascii_case("chunked") => {
                Refusal::new(Status::LengthRequired, "expected a Content-Length, got chunks")
            }
            None => {
                let reason = format!("expected no Transfer-Encoding, got {coding:?}");
                Refusal::new(Status::NotImplemented, reason)
            }
        });
    }
    let Some(text) = length else { return Ok(0) };
    if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(Refusal::bad(format!("expected digits in Content-Length, got {text:?}")));
    }
    text.parse().ok().filter(|&length| length <= BODY).ok_or_else(|| {
        let reason = format!("expected at most {BODY} bytes of text, got {text}");
        Refusal::new(Status::TooLarge, reason)
    })
}

/// A whole answer, or its head alone.
pub fn answer(
    output: &mut impl Write,
    status: Status,
    kind: &str,
    body: &str,
    is_head: bool,
) -> io::Result<()> {
    let shown = if is_head { "" } else { body };
    let text = format!("{}Content-Length: {}\r\n\r\n{shown}", head(status, kind), body.len());
    output.write_all(text.as_bytes())?;
    output.flush()
}

/// The beginning of an answer that goes on until the connection is closed.
pub fn begin(output: &mut impl Write, kind: &str) -> io::Result<()> {
    let text = head(Status::Ok, kind) + "\r\n";
    output.write_all(text.as_bytes())?;
    output.flush()
}

fn head(status: Status, kind: &str) -> String {
    format!(
        "HTTP/1.1 {} {}\r\n{}Content-Type: {kind}; charset=utf-8\r\nConnection: close\r\n\
         Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n\
         Referrer-Policy: no-referrer\r\nCross-Origin-Resource-Policy: same-origin\r\n\
         Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; \
         img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; \
         frame-ancestors 'none'\r\n",
        status as u16,
        status.name(),
        status.header()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A connection that says this and keeps what it is answered.
    struct Talk<'a> {
        input: &'a [u8],
        output: Vec<u8>,
    }

    impl Read for Talk<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.input.read(buffer)
        }
    }

    impl Write for Talk<'_> {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.output.write(bytes)
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn read_bytes(input: &[u8]) -> (Result<Option<Request>, Refusal>, Vec<u8>, bool) {
        let (mut talk, mut is_head) = (Talk { input, output: Vec::new() }, false);
        let read = Request::read(&mut talk, &mut is_head, |_| Ok(()));
        (read, talk.output, is_head)
    }

    fn read(text: &str) -> Result<Option<Request>, Refusal> {
        read_bytes(text.as_bytes()).0
    }

    /// A POST with these lines after the host's.
    fn post(lines: &str, body: &str) -> Result<Option<Request>, Refusal> {
        read(&format!("POST /api/watch?x HTTP/1.1\r\nHost: localhost\r\n{lines}\r\n{body}"))
    }

    fn refused(read: Result<Option<Request>, Refusal>) -> Status {
        read.expect_err("a refusal").status
    }

    #[test]
    fn a_request_has_a_path_and_a_body() {
        let request = post("Content-Length: 2\r\n", "{}ignored").unwrap().unwrap();
        assert_eq!(request.method, Method::Post);
        assert_eq!((request.path.as_str(), request.body.as_str()), ("/api/watch", "{}"));
        let absolute = read("GET http://a.example:80/b?c HTTP/1.1\r\nHost: x\r\n\r\n");
        assert_eq!(absolute.unwrap().unwrap().path, "/b");
    }

    #[test]
    fn what_two_readers_may_read_differently_is_refused() {
        for (lines, status) in [
            ("Content-Length: 2\r\nContent-Length: 2\r\n", Status::BadRequest),
            ("Content-Length: 2\r\nContent-Length: 1\r\n", Status::BadRequest),
            ("Content-Length: +2\r\n", Status::BadRequest),
            ("Content-Length: -1\r\n", Status::BadRequest),
            ("Content-Length: 2, 2\r\n", Status::BadRequest),
            ("Content-Length: 0x2\r\n", Status::BadRequest),
            ("Content-Length:\r\n", Status::BadRequest),
            ("Content-Length: 2\r\nTransfer-Encoding: chunked\r\n", Status::BadRequest),
            ("Transfer-Encoding: chunked\r\n", Status::LengthRequired),
            ("Transfer-Encoding: gzip\r\n", Status::NotImplemented),
            ("Transfer-Encoding: a\r\nTransfer-Encoding: b\r\n", Status::BadRequest),
            ("Host: localhost\r\n", Status::BadRequest),
            ("Expect: a miracle\r\n", Status::ExpectationFailed),
        ] {
            assert_eq!(refused(post(lines, "{}")), status, "{lines}");
        }
        assert_eq!(refused(read("GET / HTTP/1.1\r\n\r\n")), Status::BadRequest);
    }

    #[test]
    fn who_waits_for_a_word_gets_it_after_admission() {
        let text =
            b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n";
        let (read, output, _) = read_bytes(text);
        assert_eq!(output, b"HTTP/1.1 100 Continue\r\n\r\n");
        assert_eq!(refused(read), Status::BadRequest, "the body never came");
        let (mut talk, mut is_head) = (Talk { input: text, output: Vec::new() }, false);
        let refusal =
            Request::read(&mut talk, &mut is_head, |_| Err(Refusal::new(Status::Forbidden, "no")));
        assert_eq!(refused(refusal), Status::Forbidden);
        assert!(talk.output.is_empty(), "refused before the body is sent");
    }

    #[test]
    fn an_answer_to_head_has_no_body() {
        let (read, _, is_head) = read_bytes(b"HEAD / HTTP/1.1\r\nHost: x\r\n\r\n");
        assert_eq!(read.unwrap().unwrap().method, Method::Head);
        assert!(is_head);
        let (read, _, is_head) = read_bytes(b"HEAD / HTTP/1.1\r\n\r\n");
        assert!(read.is_err() && is_head, "refusals have none either");
        let (read, _, is_head) = read_bytes(b"\r\n\nHEAD / HTTP/1.1\r\nHost: x\r\n\r\n");
        assert_eq!(read.unwrap().unwrap().method, Method::Head);
        assert!(is_head, "after empty lines it is the same request");
        let mut bytes = Vec::new();
        answer(&mut bytes, Status::NotFound, "text/plain", "äh", true).unwrap();
        let text = String::from_utf8(bytes).unwrap();
        assert!(text.ends_with("\r\nContent-Length: 3\r\n\r\n"), "{text}");
    }

    #[test]
    fn what_is_too_long_or_too_short_is_refused() {
        let long = |length: &str| post(&format!("Content-Length: {length}\r\n"), "abc");
        assert_eq!(refused(long("4")), Status::BadRequest);
        assert_eq!(refused(long("99999999999999999999")), Status::TooLarge);
        assert_eq!(refused(long(&(BODY + 1).to_string())), Status::TooLarge);
        assert_eq!(refused(read(&format!("GET /{} ", "a".repeat(2 * HEAD)))), Status::TooLarge);
        assert_eq!(refused(read("GET / HT")), Status::BadRequest);
        assert_eq!(refused(read("\0\0\0")), Status::BadRequest);
        let put = read("PUT / HTTP/1.1\r\nHost: localhost\r\n\r\n");
        assert_eq!(refused(put), Status::WrongMethod);
        assert_eq!(read(""), Ok(None));
        let latin = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\n\xe4";
        assert_eq!(refused(read_bytes(latin).0), Status::BadRequest);
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
        impl Write for Silent {
            fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
                Ok(bytes.len())
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let read = |mut silent: Silent| Request::read(&mut silent, &mut false, |_| Ok(()));
        assert_eq!(read(Silent(None)), Ok(None));
        assert_eq!(refused(read(Silent(Some(b"GET / HTTP/1.1\r\n")))), Status::Timeout);
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
            served += usize::from(read_bytes(&bytes).0.is_ok());
        }
        assert!((1000..19_000).contains(&served), "{served}");
    }
}
