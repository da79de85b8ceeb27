//! The rules against an independent oracle: on random positions the engine's legal moves, its
//! status and its draws must be those of the `chess` crate.
//!
//! Positions come from random games, so they have every kind of move. 100,000 of them with
//! `BRIER_FULL_TESTS=1`, fewer otherwise.

use std::collections::BTreeSet;

use chess::{Board, Move as OracleMove, MoveKind, Rng, repetition};
use pocket::eval::{Evaluator, evaluate_traced};
use pocket::types::{BISHOP, KNIGHT, QUEEN, ROOK};
use pocket::{Game, Move, Pool, Setup, Status, fen};

fn square_name(square: u8) -> String {
    format!("{}{}", char::from(b'a' + (square & 7)), char::from(b'8' - (square >> 4)))
}

/// The pocket's move in UCI notation.
fn pocket_name(m: Move) -> String {
    let mut name = square_name(m.from()) + &square_name(m.to());
    if m.is_promotion() {
        name.push(match m.promotion() {
            QUEEN => 'q',
            ROOK => 'r',
            BISHOP => 'b',
            KNIGHT => 'n',
            other => panic!("promotion to {other}"),
        });
    }
    name
}

/// The oracle's move in the same notation; it writes castling as king takes rook.
fn oracle_name(m: OracleMove) -> String {
    let mut name = m.from().to_string();
    match m.kind() {
        MoveKind::Castling => {
            let to = m.to().to_string();
            name.push(if to.starts_with('h') { 'g' } else { 'c' });
            name.push_str(&to[1..]);
        }
        MoveKind::Promotion(piece) => {
            name.push_str(&m.to().to_string());
            name.push(['p', 'n', 'b', 'r', 'q', 'k'][piece.index()]);
        }
        _ => name.push_str(&m.to().to_string()),
    }
    name
}

fn names(game: &mut Game, pool: &mut Pool) -> BTreeSet<String> {
    pool.clear();
    game.legal_moves(None, pool);
    (0..pool.end()).map(|i| pocket_name(pool.get(i))).collect()
}

/// What the status must be, from the oracle alone.
fn expected_status(board: &Board, keys: &[u64], game: &Game) -> Status {
    if board.is_checkmate() {
        Status::Checkmate
    } else if board.is_stalemate() {
        Status::Stalemate
    } else if game.lacks_material() {
        Status::Material
    } else if board.halfmove_clock() >= 100 {
        Status::FiftyMoves
    } else if repetition::occurrences(keys, board) >= 2 {
        Status::Repetition
    } else if board.in_check() {
        Status::Check
    } else {
        Status::Normal
    }
}

#[test]
fn random_games_follow_the_oracle() {
    let full = std::env::var_os("BRIER_FULL_TESTS").is_some();
    let wanted = if full { 100_000 } else { 20_000 };
    let mut random = Rng::new(0x5DEE_CE66_D123_4567);
    let (mut pool, mut game, mut evaluator) = (Pool::EMPTY, Game::ZERO, Evaluator::EMPTY);
    let (mut seen, mut ends) = (0, BTreeSet::new());
    while seen < wanted {
        let mut board = Board::default();
        let mut keys: Vec<u64> = Vec::new();
        game.set(&Setup::START).unwrap();
        // Every third game shuffles pieces to and fro, to meet repetitions and fifty moves.
        let shuffles = random.below(3) == 0;
        for _ in 0..300 {
            seen += 1;
            let moves = board.legal_moves();
            let oracle: BTreeSet<String> = moves.iter().map(|&m| oracle_name(m)).collect();
            assert_eq!(names(&mut game, &mut pool), oracle, "{board}");
            assert_eq!(game.board.in_check(), board.in_check(), "{board}");
            pool.clear();
            let status = game.status(&mut pool);
            assert_eq!(status, expected_status(&board, &keys, &game), "{board}");
            keys.push(board.key());
            assert_eq!(game.lacks_material(), board.is_insufficient_material(), "{board}");
            ends.insert(status as u8);
            if moves.is_empty() || matches!(status, Status::Material) {
                break;
            }
            let quiet: Vec<_> = moves
                .iter()
                .filter(|m| {
                    let pawn = board.piece_at(m.from()) == Some(chess::Piece::Pawn);
                    !pawn && m.kind() == MoveKind::Normal && board.piece_at(m.to()).is_none()
                })
                .collect();
            let chosen = if shuffles && !quiet.is_empty() && random.below(100) > 0 {
                *quiet[random.below(quiet.len().min(3))]
            } else {
                moves[random.below(moves.len())]
            };
            let name = oracle_name(chosen);
            pool.clear();
            game.legal_moves(None, &mut pool);
            let m = (0..pool.end()).map(|i| pool.get(i)).find(|&m| pocket_name(m) == name).unwrap();
            let takes = board.piece_at(chosen.to()).is_some() && !m.is_castle();
            assert_eq!(m.is_capture(), takes || m.is_en_passant(), "{board} {name}");
            game.play(m);
            board.make_move(chosen, &mut ());
            assert_eq!(game.board.in_check_after(m), board.in_check(), "{board} {name}");
            // What the evaluator remembers of pawns must not change what it says.
            let fresh = evaluate_traced(&game.board, ()).0;
            assert_eq!(evaluator.evaluate(&game.board), fresh, "{board}");
        }
    }
    // The walk must have met every way a game can end.
    assert_eq!(ends.into_iter().collect::<Vec<_>>(), [0, 1, 2, 3, 4, 5, 6]);
}

/// FEN text reaches the same position on both sides.
#[test]
fn positions_from_text_agree() {
    let mut random = Rng::new(99);
    let mut game = Game::ZERO;
    let mut pool = Pool::EMPTY;
    for _ in 0..200 {
        let mut board = Board::default();
        for _ in 0..random.below(120) {
            let moves = board.legal_moves();
            if moves.is_empty() {
                break;
            }
            board.make_move(moves[random.below(moves.len())], &mut ());
        }
        let text = board.to_string();
        game.set(&fen::parse(text.as_bytes()).expect(&text)).expect(&text);
        let oracle: BTreeSet<String> =
            board.legal_moves().iter().map(|&m| oracle_name(m)).collect();
        assert_eq!(names(&mut game, &mut pool), oracle, "{text}");
    }
}
