//! Random games played on two implementations of the rules at once.
//!
//! Moves, captures, checks, ends of the game, FEN and SAN must be the same in `chess` and in
//! shakmaty, in standard chess and in Chess960.

#[path = "../../chess/tests/rules/random.rs"]
mod random;

use chess::{Board, Color, Move, Outcome, Piece, Rng, Square};
use random::random_game;
use shakmaty::fen::Fen;
use shakmaty::san::SanPlus;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position, Role};
use std::collections::HashMap;
use std::fs;
use std::mem::{Discriminant, discriminant};
use std::path::Path;

/// Notation is compared at one position of this many: it is much slower than moves.
const NOTATION_EVERY: u64 = 16;

#[test]
fn random_games_agree() {
    let full = std::env::var_os("BRIER_FULL_TESTS").is_some_and(|value| value == "1");
    let wanted = if full { 1_000_000 } else { 100_000 };
    let starts = start_positions();
    let mut rng = Rng::new(2026);
    let (mut positions, mut notations) = (0, 0);
    while positions < wanted {
        let start = &starts[rng.next_u64() as usize % starts.len()];
        let mut twin = twin_of(start);
        let seed = rng.next_u64();
        random_game(start, &mut Rng::new(seed), |board, mv| {
            compare_positions(board, &twin);
            if rng.next_u64().is_multiple_of(NOTATION_EVERY) {
                compare_notation(board, &twin);
                notations += 1;
            }
            let legal = twin.legal_moves();
            let same = legal.into_iter().find(|&theirs| translate(theirs) == mv);
            let same = same.expect("the move is in both lists");
            assert_eq!(board.captured(mv), same.capture().map(piece), "{mv} in {board}");
            let noisy = same.is_capture() || same.is_promotion();
            assert_eq!(board.is_noisy(mv), noisy, "{mv} in {board}");
            twin.play_unchecked(same);
            assert_eq!(board.after(mv).to_string(), fen_of(&twin), "{mv} in {board}");
            positions += 1;
        });
    }
    assert!(notations > wanted / (2 * NOTATION_EVERY));
}

#[test]
fn ends_of_games_agree() {
    let ends = [
        "R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1",
        "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
        "8/8/4k3/8/8/3K4/8/8 w - - 0 1",
        "8/8/4k3/8/8/3KN3/8/8 w - - 0 1",
        "8/8/4k3/8/8/3KNN2/8/8 w - - 0 1",
        "8/8/4kb2/8/8/3KB3/8/8 w - - 0 1",
        "8/8/4k1b1/8/8/3KB3/8/8 w - - 0 1",
        "8/8/4k1n1/8/8/3KB3/8/8 w - - 0 1",
        "8/8/4k1n1/8/8/3KN3/8/8 w - - 0 1",
        "8/8/4k1p1/8/8/3K4/8/8 w - - 0 1",
    ];
    for fen in ends {
        let board: Board = fen.parse().expect("a legal position");
        compare_positions(&board, &twin_of(&board));
        compare_notation(&board, &twin_of(&board));
    }
}

/// Random endgames go round in circles, so that all ends of games are met. Who is mated and which
/// draws end the game is shakmaty's word; it knows nothing of repetitions, so they are counted here
/// by the text of its positions.
#[test]
fn outcomes_agree() {
    const STARTS: [&str; 6] = [
        "k7/8/1K6/8/8/8/8/7R w - - 80 60",
        "8/8/5k2/8/8/3KQ3/8/8 w - - 90 70",
        "8/8/4kb2/8/8/3KBN2/8/8 w - - 0 1",
        "8/8/4k1n1/8/8/3KR3/8/8 b - - 80 60",
        "8/8/p7/P1k5/2p5/2P5/2K5/8 w - - 0 1",
        "4k3/8/8/8/1p6/8/P7/4K3 w - - 0 1",
    ];
    let mut rng = Rng::new(7);
    let mut met = HashMap::<Option<Discriminant<Outcome>>, u32>::new();
    for game in 0..1200 {
        let start: Board = STARTS[game % STARTS.len()].parse().expect("a legal position");
        let mut twin = twin_of(&start);
        let mut keys = Vec::new();
        let mut seen = HashMap::<String, u32>::new();
        random_game(&start, &mut rng, |board, mv| {
            let expected = outcome_of(&twin, &mut seen);
            let outcome = board.outcome(&keys);
            assert_eq!(outcome, expected, "{board}");
            *met.entry(outcome.as_ref().map(discriminant)).or_default() += 1;
            keys.push(board.key());
            let legal = twin.legal_moves();
            let same = legal.into_iter().find(|&theirs| translate(theirs) == mv);
            twin.play_unchecked(same.expect("the move is in both lists"));
            // A random game goes on past draws, but not past a mate or a stalemate.
            let next = board.after(mv);
            if !next.has_legal_move() {
                let outcome = next.outcome(&keys);
                assert_eq!(outcome, outcome_of(&twin, &mut seen), "{next}");
                *met.entry(outcome.as_ref().map(discriminant)).or_default() += 1;
            }
        });
    }
    assert_eq!(met.len(), 6, "all five ends, and none: {met:?}");
    assert!(met.values().all(|&count| count >= 10), "{met:?}");
}

fn outcome_of(twin: &Chess, seen: &mut HashMap<String, u32>) -> Option<Outcome> {
    let fen = fen_of(twin);
    let fields: Vec<&str> = fen.split(' ').take(4).collect();
    let times = seen.entry(fields.join(" ")).or_default();
    *times += 1;
    if twin.is_checkmate() {
        let winner = if twin.turn().is_white() { Color::Black } else { Color::White };
        Some(Outcome::Checkmate { winner })
    } else if twin.is_stalemate() {
        Some(Outcome::Stalemate)
    } else if twin.is_insufficient_material() {
        Some(Outcome::InsufficientMaterial)
    } else if twin.halfmoves() >= 100 {
        Some(Outcome::FiftyMoves)
    } else {
        (*times >= 3).then_some(Outcome::Threefold)
    }
}

/// The start of the game as often as all others together, which are the first Chess960
/// positions of the perft file and the tricky ones.
fn start_positions() -> Vec<Board> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/perft");
    let mut starts = Vec::new();
    for (file, count) in [("chess960.epd", 100), ("tricky.epd", 100), ("tricky-chess960.epd", 100)]
    {
        let text = fs::read_to_string(folder.join(file)).unwrap_or_else(|e| panic!("{file}: {e}"));
        let lines = text.lines().filter(|line| !line.starts_with('#')).take(count);
        starts.extend(lines.map(|line| {
            let fen = line.split(';').next().unwrap_or_default();
            fen.parse::<Board>().unwrap_or_else(|error| panic!("{line}: {error}"))
        }));
    }
    starts.extend(vec![Board::default(); starts.len()]);
    starts
}

fn twin_of(board: &Board) -> Chess {
    let fen: Fen = board.to_string().parse().expect("shakmaty reads our FEN");
    fen.into_position(CastlingMode::Chess960).expect("shakmaty accepts our position")
}

fn fen_of(twin: &Chess) -> String {
    Fen::from_position(twin, EnPassantMode::Legal).to_string()
}

fn compare_positions(board: &Board, twin: &Chess) {
    let mut ours: Vec<u16> = board.legal_moves().iter().map(|mv| mv.bits()).collect();
    let mut theirs: Vec<u16> =
        twin.legal_moves().into_iter().map(|mv| translate(mv).bits()).collect();
    ours.sort_unstable();
    theirs.sort_unstable();
    assert_eq!(ours, theirs, "{board}");
    assert_eq!(board.in_check(), twin.is_check(), "{board}");
    assert_eq!(board.is_checkmate(), twin.is_checkmate(), "{board}");
    assert_eq!(board.is_stalemate(), twin.is_stalemate(), "{board}");
    assert_eq!(board.is_insufficient_material(), twin.is_insufficient_material(), "{board}");
    assert_eq!(u32::from(board.halfmove_clock()), twin.halfmoves(), "{board}");
    assert_eq!(u32::from(board.fullmove_number()), twin.fullmoves().get(), "{board}");
}

fn compare_notation(board: &Board, twin: &Chess) {
    assert_eq!(board.to_string(), fen_of(twin));
    for theirs in twin.legal_moves() {
        let text = SanPlus::from_move(twin.clone(), theirs).to_string();
        let ours = translate(theirs);
        assert_eq!(board.san(ours).to_string(), text, "{board}");
        assert_eq!(board.parse_san(&text), Ok(ours), "{board}");
    }
}

fn translate(mv: shakmaty::Move) -> Move {
    use shakmaty::Move as Theirs;
    let square = |square: shakmaty::Square| Square::from_index(square.to_usize());
    match mv {
        Theirs::Normal { from, to, promotion: None, .. } => Move::normal(square(from), square(to)),
        Theirs::Normal { from, to, promotion: Some(role), .. } => {
            Move::promotion(square(from), square(to), piece(role))
        }
        Theirs::EnPassant { from, to } => Move::en_passant(square(from), square(to)),
        Theirs::Castle { king, rook } => Move::castling(square(king), square(rook)),
        Theirs::Put { .. } => panic!("no drops in chess"),
    }
}

fn piece(role: Role) -> Piece {
    match role {
        Role::Pawn => Piece::Pawn,
        Role::Knight => Piece::Knight,
        Role::Bishop => Piece::Bishop,
        Role::Rook => Piece::Rook,
        Role::Queen => Piece::Queen,
        Role::King => Piece::King,
    }
}
