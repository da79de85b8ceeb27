//! What the page gets to know, as the types of `contract`.

use book::Book;
use chess::{Board, Color};
use engine::Position;
use eval::Tablebase;
use eval::tablebase::{RootMove, Wdl};

use crate::contract::{
    BookAnswer, BookMoveAnswer, Found, GameAnswer, ReviewAnswer, SummaryAnswer, TablebaseAnswer,
    TablebaseMoveAnswer,
};
use http::message::Refusal;
use review::replay::{LineAnswer, StepAnswer, VerdictAnswer};
use review::review::Review;
use review::searcher::Snapshot;

/// A search while it goes on.
pub(crate) fn found(board: &Board, snapshot: &Snapshot) -> Found {
    let Snapshot { lines, nodes, time } = snapshot;
    Found {
        depth: lines.iter().map(|line| line.depth).max().unwrap_or(0),
        nodes: *nodes,
        ms: u64::try_from(time.as_millis()).unwrap_or(u64::MAX),
        lines: lines.iter().map(|found| LineAnswer::new(board, found)).collect(),
    }
}

/// The name of the opening, the book's moves in a position, the heaviest first, and what the
/// tablebases know of it.
pub(crate) fn book(book: &Book, tables: Option<&dyn Tablebase>, position: &Position) -> BookAnswer {
    let found = book.moves(position.board());
    let all: f64 = found.iter().map(|found| f64::from(found.weight)).sum();
    let share = |weight: u16| f64::from(weight) / all.max(1.0);
    let answer = |found: &book::BookMove| BookMoveAnswer {
        uci: found.mv.to_string(),
        share: share(found.weight),
    };
    let mut board = position.start().clone();
    let first = std::iter::once(board.clone());
    let boards = first.chain(position.played().iter().map(|&mv| {
        board.make_move(mv, &mut ());
        board.clone()
    }));
    let opening = book::opening_of(boards).map(|found| format!("{} {}", found.eco, found.name));
    let tablebase = tables.and_then(|tables| tablebase(tables, position));
    BookAnswer { opening, moves: found.iter().map(answer).collect(), tablebase }
}

fn tablebase(tables: &dyn Tablebase, position: &Position) -> Option<TablebaseAnswer> {
    let board = position.board();
    if board.occupied().count() as usize > tables.max_men() {
        return None;
    }
    let probe = tables.root(board, position.keys(), true)?;
    let side = board.side_to_move();
    let text = match probe.wdl()? {
        Wdl::Win => format!("{side} wins"),
        Wdl::Loss => format!("{} wins", !side),
        Wdl::CursedWin | Wdl::BlessedLoss => "a draw by the fifty-move rule".to_owned(),
        Wdl::Draw => "a draw".to_owned(),
    };
    let result = |root: &RootMove| {
        let word = match root.wdl {
            Wdl::Win => "wins",
            Wdl::Loss => "loses",
            Wdl::CursedWin | Wdl::BlessedLoss | Wdl::Draw => return "draws".to_owned(),
        };
        match root.dtz {
            Some(dtz) => format!("{word}, {} to zero", dtz.abs()),
            None => word.to_owned(),
        }
    };
    let answer =
        |root: &RootMove| TablebaseMoveAnswer { uci: root.mv.to_string(), result: result(root) };
    Some(TablebaseAnswer { text, moves: probe.moves.iter().map(answer).collect() })
}

/// The first game of a text.
pub(crate) fn game(text: &str) -> Result<GameAnswer, Refusal> {
    let found = pgn::Reader::new(text.as_bytes()).games().next();
    let game = match found {
        Some(Ok(game)) if !(game.tags.is_empty() && game.moves.is_empty()) => game,
        Some(Err(error)) => return Err(Refusal::bad(format!("cannot read the game: {error}"))),
        _ => return Err(Refusal::bad("expected a FEN or games in PGN, found neither")),
    };
    if let Some(fault) = game.cut()
        && game.is_unreadable()
    {
        return Err(Refusal::bad(fault.to_string()));
    }
    let faults = game.faults.iter().map(ToString::to_string).collect();
    Ok(GameAnswer { pgn: game.to_string(), faults })
}

/// A game that has been gone through.
pub(crate) fn review(review: &Review) -> ReviewAnswer {
    let summary = Color::ALL.map(|side| {
        let sum = review.summary(side);
        SummaryAnswer {
            side: side.to_string(),
            moves: sum.moves,
            loss: sum.mean_loss(),
            unclear: sum.unclear,
            inaccuracies: sum.inaccuracies,
            mistakes: sum.mistakes,
            blunders: sum.blunders,
            agreed: sum.agreed,
        }
    });
    ReviewAnswer {
        start: VerdictAnswer::new(&review.game.start, &review.start),
        steps: review.steps.iter().map(StepAnswer::new).collect(),
        summary,
        done: true,
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;
    use crate::contract::GameText;
    use review::replay::ScoreAnswer;
    use review::searcher::Searcher;

    fn searcher() -> Searcher {
        let limits = engine::Limits { nodes: Some(2000), ..engine::Limits::default() };
        Searcher::new(engine::Engine::builder().hash_mb(1).build().unwrap(), limits)
    }

    fn at(moves: &str) -> Position {
        GameText { fen: None, moves: moves.to_owned() }.resolve().unwrap()
    }

    #[test]
    fn a_game_is_written_again_with_its_variations_and_faults_have_reasons() {
        let text = "[White \"<A>\"]\n\n1. e2-e4 {best} (1. d4 d5) e5 2. Ke5 *\n";
        let answer = game(text).unwrap();
        assert!(answer.pgn.contains("1. e4 { best } ( 1. d4 d5 )"), "{}", answer.pgn);
        assert!(answer.pgn.contains("[White \"<A>\"]"));
        assert!(answer.faults.len() == 1 && answer.faults[0].contains("move 2."), "{answer:?}");
        assert!(game("").is_err());
        let bad = game("[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n\n1. e4 *\n").unwrap_err();
        assert!(bad.reason.contains("FEN"), "{}", bad.reason);
    }

    #[test]
    fn a_review_has_a_step_for_each_move_and_the_better_line() {
        let position = at("f2f3 e7e5 g2g4 d8h4");
        let game = pgn::Game::from_moves(position.start().clone(), position.played());
        let mut searcher = searcher();
        let Ok(done) = Review::new(game, &mut searcher, |_| Ok::<_, Infallible>(()));
        let answer = review(&done);
        assert_eq!((answer.steps.len(), answer.steps[2].mark), (4, "blunder"));
        assert!(!answer.steps[2].better.as_ref().unwrap().moves.is_empty());
        assert!(matches!(answer.steps[2].played.score, ScoreAnswer::Mate(-1)));
        assert!(matches!(answer.steps[3].played.score, ScoreAnswer::Mate(0)));
        assert_eq!(answer.summary[0].blunders, 1);
    }

    #[test]
    fn a_line_has_a_band_in_points_and_is_json() {
        let board = Board::default();
        let lines = searcher().lines(&Position::default(), 1);
        let answer = LineAnswer::new(&board, &lines[0]);
        let VerdictAnswer { points, quantiles, .. } = &answer.verdict;
        assert!(points.is_sorted() && points[0] < points[4] && quantiles.is_sorted());
        assert!(answer.confidence.is_some_and(|sure| (0.0..=1.0).contains(&sure)));
        let text = serde_json::to_string(&answer).unwrap();
        assert!(
            text.starts_with("{\"moves\":[\"") && text.contains("\"score\":{\"cp\":"),
            "{text}"
        );
    }

    #[test]
    fn the_book_knows_the_start_and_openings_have_names() {
        let answer = book(&book::embedded(), None, &at("e2e4 e7e5 g1f3 b8c6 f1b5"));
        assert_eq!(answer.opening.as_deref(), Some("C60 Ruy Lopez"));
        let answer = book(&book::embedded(), None, &Position::default());
        assert_eq!(answer.opening, None);
        let sum: f64 = answer.moves.iter().map(|found| found.share).sum();
        assert!(answer.moves.len() > 2 && (sum - 1.0).abs() < 1e-9, "{answer:?}");
    }
}
