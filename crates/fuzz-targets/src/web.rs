//! Targets of `brier serve`: a request's bytes, and the questions in its body.

use std::io::{self, Read, Write};

use http::message::{Method, Request};
use serve::contract::{
    self, GameQuestion, GameText, PLIES, PlayQuestion, PositionQuestion, ReviewQuestion,
    WatchQuestion,
};

/// A connection that delivers its bytes in pieces.
struct Pieces<'a> {
    bytes: &'a [u8],
    size: usize,
}

impl Read for Pieces<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let size = self.size.min(buffer.len());
        self.bytes.read(&mut buffer[..size])
    }
}

impl Write for Pieces<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Ok(bytes.len())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Any bytes as a request, in pieces of any size: it is read or refused with a reason, and what is
/// read says again what was sent.
pub(crate) fn http_request(bytes: &[u8]) {
    let Some((&size, bytes)) = bytes.split_first() else { return };
    let read = |size: usize| {
        let mut is_head = false;
        let request = Request::read(&mut Pieces { bytes, size }, &mut is_head, |_| Ok(()));
        (request, is_head)
    };
    let (request, is_head) = read(usize::from(size).max(1));
    // How the bytes come in makes no difference to what is read.
    assert_eq!(request.as_ref().ok(), read(usize::MAX).0.as_ref().ok());
    match request {
        Ok(None) => assert!(bytes.is_empty()),
        Ok(Some(request)) => {
            assert_eq!(request.method == Method::Head, is_head);
            assert!(bytes.len() >= request.body.len() && !request.path.contains('?'));
        }
        Err(refusal) => assert!(!refusal.reason.is_empty()),
    }
}

/// Any text as the body of a question: it becomes a game that has been played on a board, or is
/// refused with a reason that has an end.
pub(crate) fn json_question(bytes: &[u8]) {
    let Ok(body) = std::str::from_utf8(bytes) else { return };
    let games = [
        contract::parse::<PositionQuestion>(body).map(|question| question.game),
        contract::parse::<WatchQuestion>(body).map(|question| question.game),
        contract::parse::<ReviewQuestion>(body).map(|question| question.game),
        contract::parse::<PlayQuestion>(body).map(|question| question.game),
    ];
    for game in games {
        match game.and_then(|game: GameText| game.resolve()) {
            Ok(position) => assert!(position.played().len() <= PLIES),
            Err(refusal) => {
                assert!(refusal.reason.contains("expected"), "{}", refusal.reason);
                assert!(refusal.reason.chars().count() < 1000, "{}", refusal.reason);
            }
        }
    }
    if let Ok(question) = contract::parse::<GameQuestion>(body) {
        crate::texts::game(question.pgn.as_bytes());
    }
}
