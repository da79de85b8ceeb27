//! What the page is told, as JSON. It knows no rules of chess: which moves there are, what they are
//! called and when the game is over stands in the answers.

use chess::{Board, Color, Outcome};
use search::Position;
use serde_json::{Value, json};
use uci::{Command, CommandError};

use super::http::Refusal;
use crate::analyze::games::{self, Game};
use crate::analyze::position::moves_text;
use crate::analyze::review::{Review, Step};
use crate::analyze::searcher::{Glimpse, Line};
use crate::analyze::verdict::pawns;
use crate::analyze::{chart, move_number};

/// The position that a question is about: the command `position` of UCI.
pub(super) fn parse_position(text: &str) -> Result<Position, Refusal> {
    match Command::parse(text) {
        Ok(Command::Position(command)) => {
            command.resolve().map_err(|error| Refusal::bad(error.to_string()))
        }
        Err(CommandError::Position(error)) => Err(Refusal::bad(error.to_string())),
        _ => Err(Refusal::bad("expected a position, as in \"position startpos moves e2e4\"")),
    }
}

/// Where everything stands, what may be played and what was played.
pub(super) fn position(position: &Position) -> Value {
    let board = position.board();
    let checked = board.in_check().then(|| board.king(board.side_to_move()).to_string());
    let mut moves = board.legal_moves().to_vec();
    // Where a plain step of a Chess960 king ends on the same square, it comes first.
    moves.sort_by_key(|mv| mv.is_castling());
    let legal = moves.into_iter().map(|mv| {
        json!({
            "uci": mv.to_string(),
            "san": board.san(mv).to_string(),
            "from": mv.from().to_string(),
            "to": mv.arrival().to_string(),
            // Castling may also be shown by moving the king onto the rook.
            "onto": mv.to().to_string(),
            "promotion": mv.promoted().map(|piece| piece.letter().to_string()),
        })
    });
    let mut before = position.start().clone();
    let mut played = Vec::new();
    for &mv in position.played() {
        let white = before.side_to_move() == Color::White;
        let number = (white || played.is_empty()).then(|| move_number(&before));
        played.push(json!({
            "uci": mv.to_string(),
            "san": before.san(mv).to_string(),
            "number": number,
            "squares": [mv.from().to_string(), mv.arrival().to_string()],
        }));
        before.make_move(mv, &mut ());
    }
    json!({
        "start": position.start().to_string(),
        "fen": board.to_string(),
        "turn": board.side_to_move().to_string(),
        "check": checked,
        "moves": legal.collect::<Vec<_>>(),
        "played": played,
        "state": state(position),
    })
}

/// What the rules say about the game; none if it simply goes on.
fn state(position: &Position) -> Option<&'static str> {
    let outcome = position.board().outcome(position.keys())?;
    Some(match outcome {
        Outcome::Checkmate { .. } => "Checkmate",
        Outcome::Stalemate => "Stalemate: a draw",
        Outcome::InsufficientMaterial => "Nobody can mate any more: a draw",
        Outcome::FiftyMoves => "Fifty moves without progress: a draw can be claimed",
        Outcome::Threefold => "The third time: a draw can be claimed",
    })
}

/// A search while it goes on.
pub(super) fn glimpse(board: &Board, glimpse: &Glimpse) -> Value {
    let Glimpse { lines, nodes, time } = glimpse;
    json!({
        "depth": lines.iter().map(|line| line.depth).max(),
        "nodes": nodes,
        "ms": u64::try_from(time.as_millis()).unwrap_or(u64::MAX),
        "lines": lines.iter().map(|found| line(board, found)).collect::<Vec<_>>(),
    })
}

fn line(board: &Board, line: &Line) -> Value {
    let squares = line.moves.first().map(|mv| [mv.from().to_string(), mv.arrival().to_string()]);
    json!({
        "uci": line.moves.first().map(|mv| mv.to_string()),
        "squares": squares,
        "text": moves_text(board, &line.moves),
        "score": pawns(line.verdict.score),
        "band": line.verdict.band_text(),
        "expected": line.verdict.points(board),
        "points": line.verdict.point_band(board),
    })
}

/// The games of a PGN text, and what is wrong with those that cannot be replayed.
pub(super) fn games(text: &str) -> Result<Value, Refusal> {
    let found = games::read_from(text.as_bytes())
        .map_err(|error| Refusal::bad(format!("cannot read the games: {error}")))?;
    if found.is_empty() {
        return Err(Refusal::bad("expected a FEN or games in PGN, found neither"));
    }
    let (mut good, mut bad) = (Vec::new(), Vec::new());
    for game in found {
        match game {
            Ok(game) => good.push(json!({
                "number": game.number,
                "players": game.players(),
                "occasion": game.occasion(),
                "position": command(&game),
            })),
            Err(fault) => bad.push(json!({ "number": fault.number, "reason": fault.reason })),
        }
    }
    Ok(json!({ "games": good, "faults": bad }))
}

/// A game as the command `position`.
fn command(game: &Game) -> String {
    let mut text = format!("position fen {} moves", game.start);
    for played in &game.moves {
        text.push(' ');
        text.push_str(&played.mv.to_string());
    }
    text
}

/// A game that has been gone through.
pub(super) fn review(review: &Review) -> Value {
    let summary = Color::ALL.map(|side| {
        let sum = review.summary(side);
        json!({
            "side": side.to_string(),
            "moves": sum.moves,
            "loss": sum.mean_loss(),
            "unclear": sum.unclear,
            "inaccuracies": sum.inaccuracies,
            "mistakes": sum.mistakes,
            "blunders": sum.blunders,
            "agreed": sum.agreed,
        })
    });
    json!({
        "chart": chart::figure(review),
        "steps": review.steps.iter().map(step).collect::<Vec<_>>(),
        "summary": summary,
    })
}

fn step(step: &Step) -> Value {
    json!({
        "symbol": step.mark.symbol(),
        "word": step.mark.word(),
        "title": chart::title(step),
    })
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;
    use crate::analyze::searcher::Searcher;

    fn at(text: &str) -> Position {
        parse_position(text).unwrap()
    }

    #[test]
    fn a_position_tells_what_can_be_played_and_what_was() {
        let told = position(&at("position startpos moves e2e4 e7e5"));
        assert_eq!(told["turn"], "White");
        assert_eq!(told["moves"].as_array().unwrap().len(), 29);
        assert_eq!(told["played"][1]["san"], "e5");
        assert_eq!(
            (&told["played"][0]["number"], &told["played"][1]["number"]),
            (&json!("1."), &Value::Null)
        );
        assert_eq!((&told["state"], &told["check"]), (&Value::Null, &Value::Null));
    }

    #[test]
    fn castling_goes_to_the_king_s_square_or_onto_the_rook() {
        let told = position(&at("position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1"));
        let moves = told["moves"].as_array().unwrap();
        let castling = moves.iter().find(|mv| mv["san"] == "O-O").unwrap();
        assert_eq!((&castling["to"], &castling["onto"]), (&json!("g1"), &json!("h1")));
        let again = format!(
            "position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1 moves {}",
            castling["uci"].as_str().unwrap()
        );
        assert_eq!(position(&at(&again))["played"][0]["san"], "O-O");
    }

    #[test]
    fn the_rules_are_told() {
        let state = |text: &str| state(&at(text));
        assert_eq!(state("position fen 7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"), Some("Checkmate"));
        assert_eq!(state("position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"), Some("Stalemate: a draw"));
        assert!(state("position fen 7k/8/6K1/8/8/8/8/8 b - - 0 1").unwrap().starts_with("Nobody"));
        assert!(
            state("position fen 7k/5R2/6K1/8/8/8/8/8 b - - 100 90").unwrap().starts_with("Fifty")
        );
        let again = format!("position startpos moves{}", " g1f3 g8f6 f3g1 f6g8".repeat(2));
        assert!(state(&again).unwrap().starts_with("The third"));
        let checked = position(&at("position fen 4k3/8/8/8/8/8/4q3/4K3 w - - 0 1"));
        assert_eq!(checked["check"], "e1");
    }

    #[test]
    fn what_is_no_position_is_refused_with_a_reason() {
        for (text, reason) in [
            ("position fen 8/8/8/8/8/8/8/8 w - - 0 1", "FEN"),
            ("position startpos moves e2e5", "move 1: "),
            ("position", "expected \"startpos\""),
            ("go infinite", "expected a position"),
            ("", "expected a position"),
        ] {
            let got = parse_position(text).unwrap_err().reason;
            assert!(got.starts_with(reason), "{text}: {got}");
        }
    }

    #[test]
    fn games_become_positions_and_faults_have_reasons() {
        let told = games("[White \"<A>\"]\n\n1. e4 e5 *\n\n[White \"B\"]\n\n1. e5 *\n").unwrap();
        let text = told["games"][0]["position"].as_str().unwrap();
        assert_eq!(at(text).played().len(), 2);
        assert_eq!(told["games"][0]["players"], "<A> - Black");
        assert_eq!(told["faults"][0]["number"], 2);
        assert!(games("nothing here").is_err());
    }

    #[test]
    fn a_review_has_a_step_for_each_move() {
        let game = Game::of(&at("position startpos moves f2f3 e7e5 g2g4 d8h4"));
        let mut searcher = Searcher::test(2000);
        let Ok(done) = Review::new(game, &mut searcher, || Ok::<_, Infallible>(()));
        let told = review(&done);
        assert_eq!(told["steps"].as_array().unwrap().len(), 4);
        assert_eq!(told["steps"][2]["word"], "blunder");
        assert!(told["chart"].as_str().unwrap().starts_with("<svg"));
        assert_eq!(told["summary"][0]["blunders"], 1);
    }

    #[test]
    fn a_line_has_a_band_in_points() {
        let board = Board::default();
        let lines = Searcher::test(2000).lines(&Position::default(), 1);
        let told = line(&board, &lines[0]);
        let points: Vec<f64> =
            told["points"].as_array().unwrap().iter().map(|p| p.as_f64().unwrap()).collect();
        assert!(points.len() == 5 && points.is_sorted() && points[0] < points[4]);
        assert!(told["text"].as_str().unwrap().starts_with("1. "));
    }
}
