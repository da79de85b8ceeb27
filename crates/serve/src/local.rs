//! The same answers without a server: for a page that carries its engine with it, as WebAssembly. There is one
//! thread, and one question at a time; who wants more at once starts several.

use std::convert::Infallible;
use std::time::Duration;

use book::Book;
use engine::{BuildError, Engine, Limits};
use http::message::{Refusal, Status};
use review::searcher::Searcher;

use crate::answers;
use crate::contract::{self, AboutAnswer, ErrorAnswer, GameQuestion, News, PositionQuestion, json};
use crate::player::Player;
use crate::work::{Play, Reviewing, Usual, Watch, networks};

/// The table of an engine in a page, in megabytes, and the largest one.
const HASH: u32 = 16;
const MOST_HASH: u32 = 256;

/// The longest search of one position.
const LONGEST: Duration = Duration::from_secs(600);

/// What answers the questions of one page. Engines are made when they are first needed.
pub struct Local {
    about: AboutAnswer,
    usual: Usual,
    book: Book,
    searcher: Option<Searcher>,
    player: Option<Player>,
}

impl Default for Local {
    fn default() -> Self {
        let usual = Usual { networks: networks("<default>"), risk: 0, sure: 0, probe_limit: 0 };
        let about = AboutAnswer {
            version: env!("CARGO_PKG_VERSION"),
            threads: 1,
            most_threads: 1,
            hash: HASH,
            most_hash: MOST_HASH,
            networks: usual.networks.iter().map(|(name, _)| name.clone()).collect(),
            tablebases: 0,
            sure: usual.sure,
        };
        Self { about, usual, book: book::embedded(), searcher: None, player: None }
    }
}

impl Local {
    /// Answers a question that a server would get at a path; `say` is called with each line of the answer, in
    /// the middle of a search too. What is wrong with a question is said as `{"error": …}`.
    pub fn answer(
        &mut self,
        path: &str,
        body: &str,
        say: impl FnMut(String) + Send + Clone + 'static,
    ) {
        let mut last = say.clone();
        if let Err(Refusal { reason, .. }) = self.try_answer(path, body, say) {
            last(json(&ErrorAnswer { error: reason }));
        }
    }

    fn try_answer(
        &mut self,
        path: &str,
        body: &str,
        mut say: impl FnMut(String) + Send + Clone + 'static,
    ) -> Result<(), Refusal> {
        match path {
            "/api/about" => say(json(&self.about)),
            "/api/book" => {
                let question: PositionQuestion = contract::parse(body)?;
                say(json(&answers::book(&self.book, None, &question.game.resolve()?)));
            }
            "/api/game" => {
                let GameQuestion { pgn } = contract::parse(body)?;
                say(json(&answers::game(&pgn)?));
            }
            "/api/play" => {
                let question = contract::parse(body)?;
                let play = Play::new(&question)?;
                say(json(&play.choose(self.player()?)?));
            }
            "/api/watch" => {
                let watch = Watch::new(&contract::parse(body)?, &self.about, &self.usual)?;
                let searcher = self.searcher()?;
                watch.configure(searcher);
                let board = watch.position.board().clone();
                let mut found = say.clone();
                let settled =
                    searcher.report(&watch.position, watch.lines, LONGEST, move |snapshot| {
                        found(json(&News::Found(answers::found(&board, &snapshot))));
                    });
                say(json(&News::done(settled)));
            }
            "/api/review" => {
                let reviewing = Reviewing::new(&contract::parse(body)?)?;
                let Ok(()) = reviewing.run(self.searcher()?, |news| {
                    say(json(news));
                    Ok::<(), Infallible>(())
                });
            }
            _ => {
                let reason = format!("there is nothing at {path:?}");
                return Err(Refusal::new(Status::NotFound, reason));
            }
        }
        Ok(())
    }

    fn searcher(&mut self) -> Result<&mut Searcher, Refusal> {
        match &mut self.searcher {
            Some(searcher) => Ok(searcher),
            none => Ok(none.insert(Searcher::new(engine()?, Limits::default()))),
        }
    }

    fn player(&mut self) -> Result<&mut Player, Refusal> {
        match &mut self.player {
            Some(player) => Ok(player),
            none => {
                let player = Player::new(engine()?);
                Ok(none.insert(player.map_err(|error| busy(error.to_string()))?))
            }
        }
    }
}

fn engine() -> Result<Engine, Refusal> {
    let built = Engine::builder().hash_mb(HASH as usize).build();
    built.map_err(|error: BuildError| busy(error.to_string()))
}

fn busy(reason: String) -> Refusal {
    Refusal::new(Status::Busy, reason)
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use super::*;

    fn ask(local: &mut Local, path: &str, body: &str) -> Vec<String> {
        let said = Arc::new(Mutex::new(Vec::new()));
        let hears = Arc::clone(&said);
        local.answer(path, body, move |line| hears.lock().unwrap().push(line));
        std::mem::take(&mut *said.lock().unwrap())
    }

    #[test]
    fn every_question_of_the_page_is_answered() {
        let mut local = Local::default();
        for (path, body, words) in [
            ("/api/about", "", "\"most_threads\":1"),
            ("/api/book", r#"{"game":{"moves":"e2e4 e7e5 g1f3 b8c6 f1b5"}}"#, "Ruy Lopez"),
            ("/api/game", r#"{"pgn":"1. e4 e5 2. Sf3 *"}"#, "2. Nf3"),
            ("/api/play", r#"{"game":{"moves":"f2f3 e7e5 g2g4"},"ms":50,"elo":3000}"#, "d8h4"),
            ("/api/play", r#"{"game":{"moves":"f2f3 e7e5 g2g4 d8h4"}}"#, "error"),
            ("/api/watch", r#"{"game":{"moves":"e2e5"}}"#, "\"error\":\"move 1: "),
            ("/api/watch", r#"{"game":{},"threads":2}"#, "expected threads from 1 to 1, got 2"),
            ("/api/nothing", "{}", "there is nothing at"),
        ] {
            let said = ask(&mut local, path, body);
            assert!(said.len() == 1 && said[0].contains(words), "{path}: {said:?}");
        }
        let said =
            ask(&mut local, "/api/review", r#"{"game":{"moves":"f2f3 e7e5 g2g4 d8h4"},"ms":20}"#);
        assert!(said[0].starts_with("{\"positions\":"), "{said:?}");
        assert!(said.last().unwrap().contains("\"mark\":\"blunder\""), "{said:?}");
    }

    /// A mate in one ends the search long before its time.
    #[test]
    fn a_search_reports_lines_and_ends() {
        let body = r#"{"game":{"fen":"6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1"},"lines":1}"#;
        let said = ask(&mut Local::default(), "/api/watch", body);
        assert!(said.iter().any(|line| line.contains("\"moves\":[\"a1a8\"]")), "{said:?}");
        assert_eq!(said.last().map(String::as_str), Some("{\"done\":true,\"why\":null}"));
    }
}
