//! What the page is told, as the types of `contract`.

use chess::{Board, Color, Outcome};
use engine::Position;

use super::contract::{
    Found, GameFault, GameFound, GamesAnswer, LegalMove, LineAnswer, PLIES, PlayedMove,
    PositionAnswer, ReviewAnswer, StepAnswer, SummaryAnswer,
};
use super::http::{Refusal, Status};
use crate::analyze::games;
use crate::analyze::position::moves_text;
use crate::analyze::review::{Review, Step};
use crate::analyze::searcher::{Glimpse, Line};
use crate::analyze::verdict::pawns;
use crate::analyze::{chart, move_number};

/// Most games of one text.
const GAMES: usize = 1000;

/// Where everything stands, what may be played and what was played.
pub(super) fn position(position: &Position) -> PositionAnswer {
    let board = position.board();
    let check = board.in_check().then(|| board.king(board.side_to_move()).to_string());
    let mut moves = board.legal_moves().to_vec();
    // Where a plain step of a Chess960 king ends on the same square, it comes first.
    moves.sort_by_key(|mv| mv.is_castling());
    let legal = moves.into_iter().map(|mv| LegalMove {
        uci: mv.to_string(),
        san: board.san(mv).to_string(),
        from: mv.from().to_string(),
        to: mv.arrival().to_string(),
        onto: mv.to().to_string(),
        promotion: mv.promoted().map(|piece| piece.letter().to_string()),
    });
    let mut before = position.start().clone();
    let mut played = Vec::new();
    for &mv in position.played() {
        let white = before.side_to_move() == Color::White;
        played.push(PlayedMove {
            uci: mv.to_string(),
            san: before.san(mv).to_string(),
            number: (white || played.is_empty()).then(|| move_number(&before)),
            squares: [mv.from().to_string(), mv.arrival().to_string()],
        });
        before.make_move(mv, &mut ());
    }
    PositionAnswer {
        start: position.start().to_string(),
        fen: board.to_string(),
        turn: board.side_to_move().to_string(),
        check,
        moves: legal.collect(),
        played,
        state: state(position),
    }
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
pub(super) fn found(board: &Board, glimpse: &Glimpse) -> Found {
    let Glimpse { lines, nodes, time } = glimpse;
    Found {
        depth: lines.iter().map(|line| line.depth).max().unwrap_or(0),
        nodes: *nodes,
        ms: u64::try_from(time.as_millis()).unwrap_or(u64::MAX),
        lines: lines.iter().map(|found| line(board, found)).collect(),
    }
}

fn line(board: &Board, line: &Line) -> LineAnswer {
    LineAnswer {
        uci: line.moves.first().map(|mv| mv.to_string()),
        squares: line.moves.first().map(|mv| [mv.from().to_string(), mv.arrival().to_string()]),
        text: moves_text(board, &line.moves),
        score: pawns(line.verdict.score),
        band: line.verdict.band_text(),
        expected: line.verdict.points(board),
        points: line.verdict.point_band(board),
    }
}

/// The games of a PGN text, and what is wrong with those that cannot be replayed.
pub(super) fn games(text: &str) -> Result<GamesAnswer, Refusal> {
    let read = games::read_from(text.as_bytes())
        .map_err(|error| Refusal::bad(format!("cannot read the games: {error}")))?;
    if read.is_empty() {
        return Err(Refusal::bad("expected a FEN or games in PGN, found neither"));
    }
    if read.len() > GAMES {
        let reason = format!("expected at most {GAMES} games, got {}", read.len());
        return Err(Refusal::new(Status::TooLarge, reason));
    }
    let (mut games, mut faults) = (Vec::new(), Vec::new());
    for game in read {
        match game {
            Ok(game) if game.moves.len() > PLIES => faults.push(GameFault {
                number: game.number,
                reason: format!("expected at most {PLIES} half-moves, got {}", game.moves.len()),
            }),
            Ok(game) => {
                let mut moves = String::with_capacity(5 * game.moves.len());
                for played in &game.moves {
                    moves.push_str(&played.mv.to_string());
                    moves.push(' ');
                }
                games.push(GameFound {
                    number: game.number,
                    players: game.players(),
                    occasion: game.occasion(),
                    fen: game.start.to_string(),
                    moves,
                });
            }
            Err(fault) => faults.push(GameFault { number: fault.number, reason: fault.reason }),
        }
    }
    Ok(GamesAnswer { games, faults })
}

/// A game that has been gone through.
pub(super) fn review(review: &Review) -> ReviewAnswer {
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
        chart: chart::figure(review),
        steps: review.steps.iter().map(step).collect(),
        summary,
    }
}

fn step(step: &Step) -> StepAnswer {
    StepAnswer { symbol: step.mark.symbol(), word: step.mark.word(), title: chart::title(step) }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::super::contract::GameText;
    use super::*;
    use crate::analyze::games::Game;
    use crate::analyze::searcher::Searcher;

    fn at(fen: &str, moves: &str) -> Position {
        let fen = (!fen.is_empty()).then(|| fen.to_owned());
        GameText { fen, moves: moves.to_owned() }.resolve().unwrap()
    }

    #[test]
    fn a_position_tells_what_can_be_played_and_what_was() {
        let answer = position(&at("", "e2e4 e7e5"));
        assert_eq!((answer.turn.as_str(), answer.moves.len()), ("White", 29));
        assert_eq!(answer.played[1].san, "e5");
        assert_eq!(answer.played[0].number.as_deref(), Some("1."));
        assert_eq!(answer.played[1].number, None);
        assert_eq!((answer.state, answer.check), (None, None));
    }

    #[test]
    fn castling_goes_to_the_king_s_square_or_onto_the_rook() {
        let fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
        let answer = position(&at(fen, ""));
        let castling = answer.moves.iter().find(|mv| mv.san == "O-O").unwrap();
        assert_eq!((castling.to.as_str(), castling.onto.as_str()), ("g1", "h1"));
        assert_eq!(position(&at(fen, &castling.uci)).played[0].san, "O-O");
    }

    #[test]
    fn the_rules_are_told() {
        let state = |fen: &str| state(&at(fen, ""));
        assert_eq!(state("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"), Some("Checkmate"));
        assert_eq!(state("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"), Some("Stalemate: a draw"));
        assert!(state("7k/8/6K1/8/8/8/8/8 b - - 0 1").unwrap().starts_with("Nobody"));
        assert!(state("7k/5R2/6K1/8/8/8/8/8 b - - 100 90").unwrap().starts_with("Fifty"));
        let again = super::state(&at("", &"g1f3 g8f6 f3g1 f6g8 ".repeat(2)));
        assert!(again.unwrap().starts_with("The third"));
        let checked = position(&at("4k3/8/8/8/8/8/4q3/4K3 w - - 0 1", ""));
        assert_eq!(checked.check.as_deref(), Some("e1"));
    }

    #[test]
    fn games_are_told_and_faults_have_reasons() {
        let told = games("[White \"<A>\"]\n\n1. e4 e5 *\n\n[White \"B\"]\n\n1. e5 *\n").unwrap();
        assert_eq!(at(&told.games[0].fen, &told.games[0].moves).played().len(), 2);
        assert_eq!(told.games[0].players, "<A> - Black");
        assert_eq!(told.faults[0].number, 2);
        assert!(games("nothing here").is_err());
    }

    #[test]
    fn too_much_is_said_to_be_too_much() {
        let many = "1. e4 *\n\n".repeat(GAMES + 1);
        assert_eq!(games(&many).unwrap_err().status, Status::TooLarge);
        let long = "Nf3 Nf6 Ng1 Ng8 ".repeat(PLIES / 4 + 1);
        let told = games(&format!("{long}*\n\n1. e4 *\n")).unwrap();
        assert_eq!((told.games.len(), told.faults.len()), (1, 1));
        assert!(told.faults[0].reason.contains("6000"), "{}", told.faults[0].reason);
    }

    #[test]
    fn a_review_has_a_step_for_each_move() {
        let game = Game::of(&at("", "f2f3 e7e5 g2g4 d8h4"));
        let mut searcher = Searcher::test(2000);
        let Ok(done) = Review::new(game, &mut searcher, || Ok::<_, Infallible>(()));
        let told = review(&done);
        assert_eq!((told.steps.len(), told.steps[2].word), (4, "blunder"));
        assert!(told.chart.starts_with("<svg"));
        assert_eq!(told.summary[0].blunders, 1);
    }

    #[test]
    fn a_line_has_a_band_in_points() {
        let board = Board::default();
        let lines = Searcher::test(2000).lines(&Position::default(), 1);
        let told = line(&board, &lines[0]);
        assert!(told.points.is_sorted() && told.points[0] < told.points[4]);
        assert!(told.text.starts_with("1. "));
    }
}
