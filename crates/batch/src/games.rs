//! A run over many games: found, searched, judged and written, each in its turn.

use std::cell::RefCell;
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};

use review::answers::{Answers, Tick};
use review::review::Review;
use review::searcher::Searcher;
use review::theory::Theory;

use crate::format::{GameOutcome, Outcome};
use crate::input::{Found, Games, Input};
use crate::journal::Journal;
use crate::outputs::Outputs;
use crate::workers::{self, Task};
use crate::{BatchError, Progress};

/// What to go through, and with what.
pub struct Run<'a> {
    /// Where the games come from.
    pub inputs: Vec<Input>,
    /// Only the game with this number, counted from 1 over all inputs.
    pub wanted: Option<usize>,
    /// One for each game that is searched at once.
    pub searchers: Vec<Searcher>,
    /// The openings that are known.
    pub theory: &'a Theory,
    /// What earlier runs have found.
    pub journal: Option<Journal>,
}

/// A game, and the answers if there are moves to search.
type Searched = (Found, Option<Answers>);

/// Reviews all games and writes what the outputs ask for.
pub fn review<W: Write>(
    run: Run<'_>,
    mut outputs: Outputs<W>,
    progress: &impl Progress,
) -> Result<(), BatchError> {
    let Run { inputs, wanted, searchers, theory, journal } = run;
    if let Some(done) = journal.as_ref().map(Journal::len).filter(|&done| done > 0) {
        progress.resumed(done);
    }
    // The journal is read when a game is found, and written when it is done.
    let journal = journal.map(RefCell::new);
    let games = RefCell::new(Games::new(inputs, wanted));
    let tasks = std::iter::from_fn(|| {
        let found = match games.borrow_mut().next()? {
            Ok(found) => found,
            Err(reason) => return Some(Err(BatchError::Other(reason))),
        };
        if found.game.is_unreadable() {
            return Some(Ok(Task::Done((found, None))));
        }
        let known = journal.as_ref().and_then(|journal| journal.borrow_mut().find(&found.game));
        Some(Ok(match known {
            Some(answers) => {
                progress.advance(found.game.moves.len() + 1);
                Task::Done((found, Some(answers)))
            }
            None => Task::Search(found),
        }))
    });
    let work = |searcher: &mut Searcher, found: Found, stop: &AtomicBool| {
        let tick = |searched: Tick| {
            progress.expect(searched.ahead());
            progress.advance(searched.done());
            if stop.load(Ordering::Relaxed) { Err(()) } else { Ok(()) }
        };
        let answers = Answers::search(&found.game, searcher, tick).ok()?;
        Some((found, Some(answers)))
    };
    let finished = |(found, answers): &Searched| match (&journal, answers) {
        (Some(journal), Some(answers)) => {
            journal.borrow_mut().add(&found.game, answers).map_err(BatchError::Other)
        }
        _ => Ok(()),
    };
    let take = |(found, answers): Searched| {
        let Found { game, file } = found;
        let result = match answers {
            None => GameOutcome::Unread(Box::new(game)),
            Some(answers) => GameOutcome::Reviewed(Box::new(Review::judge(game, &answers, theory))),
        };
        progress.finished(outputs.games() + 1, || outputs.add(Outcome { file, result }))
    };
    workers::run(searchers, tasks, work, finished, take)?;
    progress.ended();
    let found = games.borrow().number();
    match wanted.filter(|&wanted| wanted > found) {
        Some(wanted) => Err(BatchError::Other(no_such_game(wanted, found))),
        None => outputs.finish(),
    }
}

/// There are not as many games.
pub(crate) fn no_such_game(wanted: usize, games: usize) -> String {
    format!("expected --game from 1 to {games}, as many as there are, got {wanted}")
}
