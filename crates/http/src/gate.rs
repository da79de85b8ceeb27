//! Who may ask. The server listens to this computer alone unless its owner wants otherwise, but
//! every web page that is open in a browser can send requests there too.
//!
//! Three things keep those out. `Host` must be where the connection really goes, so that no name
//! of another site can be pointed here. `Origin` and `Sec-Fetch-Site`, where a browser sends them,
//! must be this page's own. And a question must be of a type that pages may not send elsewhere
//! without asking first. A server that other computers can reach wants a token on top, which is
//! in the address that it prints.

use std::collections::hash_map::RandomState;
use std::fmt::Write;
use std::hash::{BuildHasher, Hasher};
use std::net::SocketAddr;

use crate::message::{Head, Method, Refusal, Status};

/// What a request needs to be let in.
#[derive(Default)]
pub struct Gate {
    /// The secret of those who were given the whole address.
    token: Option<String>,
}

impl Gate {
    /// A gate for a server that only this computer reaches, or, with a token, for one on a network.
    pub fn new(address: SocketAddr) -> Self {
        Self { token: (!address.ip().to_canonical().is_loopback()).then(token) }
    }

    /// The token that questions need, if any.
    pub fn token(&self) -> Option<&str> {
        self.token.as_deref()
    }

    /// Lets a request in that came in at `place`.
    pub fn admit(&self, head: &Head, place: SocketAddr) -> Result<(), Refusal> {
        let forbidden = |reason: String| Err(Refusal::new(Status::Forbidden, reason));
        if !is_place(&head.host, place) {
            let (place, host) = (shown(place), &head.host);
            return forbidden(format!("expected a request to {place}, got one to {host:?}"));
        }
        if let Some(origin) = &head.origin
            && !origin.eq_ignore_ascii_case(&format!("http://{}", head.host))
        {
            return forbidden(format!("expected a request of this page's own, got {origin:?}"));
        }
        if let Some(site) = &head.fetch_site
            && !matches!(site.as_str(), "same-origin" | "none")
        {
            return forbidden(format!("expected a request of this page's own, got {site:?}"));
        }
        if head.method == Method::Post {
            let kind = head.content_type.as_deref().unwrap_or_default();
            let name = kind.split(';').next().unwrap_or_default().trim();
            if !name.eq_ignore_ascii_case("application/json") {
                let reason = format!("expected Content-Type application/json, got {kind:?}");
                return Err(Refusal::new(Status::WrongType, reason));
            }
        }
        let needs_token = head.path.starts_with("/api/");
        if let Some(token) = self.token()
            && needs_token
            && !head
                .token
                .as_deref()
                .is_some_and(|given| is_same(given, &format!("Bearer {token}")))
        {
            let reason = "expected the token of the address that brier serve printed";
            return Err(Refusal::new(Status::Unauthorized, reason));
        }
        Ok(())
    }
}

/// 128 bits that nobody can guess: the standard library seeds its hash maps from the system.
fn token() -> String {
    let mut text = String::new();
    for _ in 0..2 {
        // Writing to a string cannot fail.
        let _ = write!(text, "{:016x}", RandomState::new().build_hasher().finish());
    }
    text
}

/// Compares in a time that does not depend on where the first difference is.
fn is_same(a: &str, b: &str) -> bool {
    let differences = a.bytes().zip(b.bytes()).fold(0, |sum, (a, b)| sum | (a ^ b));
    a.len() == b.len() && differences == 0
}

/// As people write it: IPv4 as IPv4, even where the socket speaks IPv6.
pub fn shown(place: SocketAddr) -> SocketAddr {
    SocketAddr::new(place.ip().to_canonical(), place.port())
}

/// Does a `Host` name the place where the connection came in?
fn is_place(host: &str, place: SocketAddr) -> bool {
    let place = shown(place);
    // The usual port may be left out.
    let full = if host.rsplit(']').next().is_some_and(|rest| rest.contains(':')) {
        host.to_owned()
    } else {
        format!("{host}:80")
    };
    let local = format!("localhost:{}", place.port());
    full.parse() == Ok(place) || place.ip().is_loopback() && full.eq_ignore_ascii_case(&local)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn admit(gate: &Gate, place: &str, path: &str, lines: &str) -> Result<(), Status> {
        use std::io::{self, Read, Write};
        struct Talk(Vec<u8>, usize);
        impl Read for Talk {
            fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
                let count = (&self.0[self.1..]).read(buffer)?;
                self.1 += count;
                Ok(count)
            }
        }
        impl Write for Talk {
            fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
                Ok(bytes.len())
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let text = format!("{path} HTTP/1.1\r\n{lines}\r\n\r\n");
        let place = place.parse().unwrap();
        let mut talk = Talk(text.into_bytes(), 0);
        let read =
            crate::message::Request::read(&mut talk, &mut false, |head| gate.admit(head, place));
        read.map(|_| ()).map_err(|refusal| refusal.status)
    }

    #[test]
    fn the_host_is_where_the_connection_goes() {
        let gate = Gate::default();
        for (host, place, good) in [
            ("127.0.0.1:8127", "127.0.0.1:8127", true),
            ("LocalHost:8127", "127.0.0.1:8127", true),
            ("localhost:8127", "[::1]:8127", true),
            ("localhost", "127.0.0.1:80", true),
            ("[::1]", "[::1]:80", true),
            ("[::1]:8127", "[::1]:8127", true),
            ("192.168.1.5:8127", "[::ffff:192.168.1.5]:8127", true),
            ("127.0.0.1:8128", "127.0.0.1:8127", false),
            ("127.0.0.1", "127.0.0.1:8127", false),
            ("127.0.0.2:8127", "127.0.0.1:8127", false),
            ("8.8.8.8:8127", "127.0.0.1:8127", false),
            ("localhost:8127", "192.168.1.5:8127", false),
            ("evil.example:8127", "127.0.0.1:8127", false),
            ("localhost.evil.example:8127", "127.0.0.1:8127", false),
            ("", "127.0.0.1:8127", false),
            ("[::1", "[::1]:8127", false),
        ] {
            let got = admit(&gate, place, "GET /", &format!("Host: {host}"));
            assert_eq!(got.is_ok(), good, "{host} at {place}: {got:?}");
        }
    }

    #[test]
    fn pages_of_others_are_refused() {
        let gate = Gate::default();
        let with = |lines: &str| {
            admit(&gate, "127.0.0.1:8127", "GET /", &format!("Host: 127.0.0.1:8127\r\n{lines}"))
        };
        for good in ["X: y", "Origin: http://127.0.0.1:8127", "Sec-Fetch-Site: none"] {
            assert_eq!(with(good), Ok(()), "{good}");
        }
        for bad in [
            "Origin: http://evil.example",
            "Origin: null",
            "Origin: https://127.0.0.1:8127",
            "Origin: http://127.0.0.1:9999",
            "Origin: http://localhost:8127",
            "Sec-Fetch-Site: cross-site",
            "Sec-Fetch-Site: same-site",
        ] {
            assert_eq!(with(bad), Err(Status::Forbidden), "{bad}");
        }
    }

    #[test]
    fn a_question_is_json() {
        let gate = Gate::default();
        let with = |lines: &str| {
            let lines = format!("Host: 127.0.0.1:8127\r\n{lines}");
            admit(&gate, "127.0.0.1:8127", "POST /api/watch", &lines)
        };
        assert_eq!(with("Content-Type: application/json"), Ok(()));
        assert_eq!(with("Content-Type: Application/JSON; charset=utf-8"), Ok(()));
        for bad in ["X: y", "Content-Type: text/plain", "Content-Type: application/jsonx"] {
            assert_eq!(with(bad), Err(Status::WrongType), "{bad}");
        }
    }

    #[test]
    fn on_a_network_questions_need_the_token() {
        let place = "192.168.1.5:8127";
        let gate = Gate::new("0.0.0.0:8127".parse().unwrap());
        let token = gate.token().expect("a token").to_owned();
        assert_eq!(token.len(), 32);
        assert_ne!(Some(token.as_str()), Gate::new(place.parse().unwrap()).token());
        assert!(Gate::new("127.0.0.1:1".parse().unwrap()).token().is_none());
        let ask =
            |path: &str, line: &str| admit(&gate, place, path, &format!("Host: {place}\r\n{line}"));
        assert_eq!(ask("GET /", "X: y"), Ok(()), "the page itself holds no secrets");
        assert_eq!(ask("GET /api/about", "X: y"), Err(Status::Unauthorized));
        let wrong = format!("Authorization: Bearer {}0", &token[..31]);
        let almost = ask("GET /api/about", &wrong);
        assert!(token.ends_with('0') || almost == Err(Status::Unauthorized));
        assert_eq!(ask("GET /api/about", &format!("Authorization: Bearer {token}")), Ok(()));
    }
}
