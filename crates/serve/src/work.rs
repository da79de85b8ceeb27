//! What an engine does for a question, whoever carries the answer: a server to other programs, or a page to itself.

use std::path::Path;
use std::time::Duration;

use engine::{Limits, Position};
use http::message::{Refusal, Status};
use review::answers::Tick;
use review::replay::VerdictAnswer;
use review::review::Review;
use review::searcher::Searcher;

use crate::answers;
use crate::contract::{
    AboutAnswer, News, PlayAnswer, PlayQuestion, ReviewQuestion, WatchQuestion, number,
};
use crate::player::Player;

/// Most best lines of a position.
const LINES: u32 = 5;
/// Most milliseconds for each position of a game.
const REVIEW_MS: u32 = 10_000;
/// The most of the option `UntilSure`.
const SURE: u32 = 99;
/// How far the option `Risk` goes.
const RISK: std::ops::RangeInclusive<i32> = -100..=100;
/// Most milliseconds for a move of a game.
const PLAY_MS: u32 = 10_000;

/// How positions are searched if the page does not say otherwise.
pub(crate) struct Usual {
    /// Names of networks, and what the option `EvalFile` calls them; the usual one first.
    pub(crate) networks: Vec<(String, String)>,
    pub(crate) risk: i32,
    /// How sure is sure enough, in percent; 0 for never.
    pub(crate) sure: u32,
    pub(crate) probe_limit: usize,
}

impl Usual {
    /// What the option `EvalFile` calls a network of the list, or the usual one.
    fn network(&self, name: Option<&str>) -> Result<&str, Refusal> {
        let Some(name) = name else { return Ok(&self.networks[0].1) };
        let found = self.networks.iter().find(|(found, _)| found == name);
        found.map(|(_, value)| value.as_str()).ok_or_else(|| {
            let names: Vec<&str> = self.networks.iter().map(|(name, _)| name.as_str()).collect();
            let name: String = name.chars().take(40).collect();
            let names = names.join(", ");
            Refusal::bad(format!("expected one of the networks {names}, got {name:?}"))
        })
    }
}

/// What positions can be judged with: names for the page, and values of the option `EvalFile`. A file
/// is named without its folders, which are nobody's business.
pub(crate) fn networks(own: &str) -> Vec<(String, String)> {
    let built_in = [("built in", "<default>"), ("without a network", "<classical>")];
    let mut all = built_in.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec();
    match all.iter().position(|(_, value)| value == own) {
        Some(at) => all.swap(0, at),
        None => {
            let name = Path::new(own).file_name().unwrap_or_default().to_string_lossy();
            all.insert(0, (name.into_owned(), own.to_owned()));
        }
    }
    all
}

/// A position to be searched while somebody watches.
pub(crate) struct Watch {
    pub(crate) position: Position,
    pub(crate) lines: usize,
    options: [(&'static str, String); 6],
}

impl Watch {
    /// Checks a question against what may be asked for.
    pub(crate) fn new(
        question: &WatchQuestion,
        about: &AboutAnswer,
        usual: &Usual,
    ) -> Result<Self, Refusal> {
        let position = question.game.resolve()?;
        let lines = number("lines", question.lines, 3, 1..=LINES)?;
        let &AboutAnswer { threads, most_threads, hash, most_hash, .. } = about;
        let threads = number("threads", question.threads, threads, 1..=most_threads)?;
        let hash = number("hash", question.hash, hash, 0..=most_hash)?;
        let risk = question.risk.unwrap_or(usual.risk);
        if !RISK.contains(&risk) {
            let (least, most) = (RISK.start(), RISK.end());
            return Err(Refusal::bad(format!("expected risk from {least} to {most}, got {risk}")));
        }
        let sure = number("sure", question.sure, usual.sure, 0..=SURE)?;
        let network = usual.network(question.network.as_deref())?;
        let men = if question.tablebases == Some(false) { 0 } else { usual.probe_limit };
        expect_moves(&position)?;
        let options = [
            ("Threads", threads.to_string()),
            ("Hash", hash.to_string()),
            ("EvalFile", network.to_owned()),
            ("Risk", risk.to_string()),
            ("SyzygyProbeLimit", men.to_string()),
            ("UntilSure", sure.to_string()),
        ];
        Ok(Self { position, lines: lines as usize, options })
    }

    /// Sets the engine up for it.
    pub(crate) fn configure(&self, searcher: &mut Searcher) {
        // What cannot be had now was good enough before.
        let _ = searcher.configure(self.options.clone());
    }
}

/// A move of the engine in a game.
pub(crate) struct Play<'a> {
    question: &'a PlayQuestion,
    position: Position,
    time: Duration,
}

impl<'a> Play<'a> {
    pub(crate) fn new(question: &'a PlayQuestion) -> Result<Self, Refusal> {
        let position = question.game.resolve()?;
        let ms = number("ms", question.ms, 1000, 1..=PLAY_MS)?;
        expect_moves(&position)?;
        Ok(Self { question, position, time: Duration::from_millis(u64::from(ms)) })
    }

    pub(crate) fn choose(&self, player: &mut Player) -> Result<PlayAnswer, Refusal> {
        let seed = u64::from(self.question.seed.unwrap_or(0));
        let choice = player.choose(&self.position, self.question.elo, seed, self.time);
        let choice = choice
            .map_err(|error| Refusal::bad(error.to_string()))?
            .ok_or_else(|| Refusal::new(Status::Busy, "the engine found no move in time"))?;
        let board = self.position.board();
        let verdict = choice.verdict.map(|verdict| VerdictAnswer::new(board, &verdict));
        let (uci, confidence) = (choice.mv.to_string(), choice.confidence);
        Ok(PlayAnswer { uci, book: choice.is_book, verdict, confidence })
    }
}

/// A game to go through.
pub(crate) struct Reviewing {
    position: Position,
    limits: Limits,
    ratings: [Option<u32>; 2],
}

impl Reviewing {
    pub(crate) fn new(question: &ReviewQuestion) -> Result<Self, Refusal> {
        let position = question.game.resolve()?;
        let ms = number("ms", question.ms, 200, 1..=REVIEW_MS)?;
        let move_time = Some(Duration::from_millis(u64::from(ms)));
        let ratings = question.ratings.unwrap_or_default();
        Ok(Self { position, limits: Limits { move_time, ..Limits::default() }, ratings })
    }

    /// Goes through it and says how far it is, then what it found.
    pub(crate) fn run<E>(
        &self,
        searcher: &mut Searcher,
        mut send: impl FnMut(&News) -> Result<(), E>,
    ) -> Result<(), E> {
        searcher.set_limits(self.limits.clone());
        let mut all = self.position.played().len() + 1;
        let mut positions = 0;
        let mut game = pgn::Game::from_moves(self.position.start().clone(), self.position.played());
        for (tag, rating) in ["WhiteElo", "BlackElo"].into_iter().zip(self.ratings) {
            game.tags.extend(rating.map(|rating| (tag.to_owned(), rating.to_string())));
        }
        let review = Review::new(game, searcher, |searched: Tick| {
            all += searched.ahead();
            positions += searched.done();
            send(&News::Progress { positions, all })
        })?;
        send(&News::Reviewed(Box::new(answers::review(&review))))
    }
}

fn expect_moves(position: &Position) -> Result<(), Refusal> {
    if position.board().has_legal_move() {
        return Ok(());
    }
    Err(Refusal::bad("expected a position with legal moves, got none"))
}
