//! What a board keeps up to date move by move must equal what is computed anew.

use crate::random::random_game;
use crate::support::{for_each_parallel, full_tests, perft_file, walk_tricky_positions};
use chess::{Bitboard, Board, Color, Move, MoveList, Piece, Rng, Square};
use std::collections::HashMap;

#[test]
fn every_node_equals_recomputation() {
    let depth = if full_tests() { 4 } else { 3 };
    walk_tricky_positions(depth, check);
}

#[test]
fn random_games_equal_recomputation() {
    let games = if full_tests() { 40 } else { 2 };
    let mut starts = perft_file("chess960.epd");
    starts.extend(perft_file("standard.epd"));
    for_each_parallel(&starts, |case| {
        let mut rng = Rng::new(case.counts[0].1);
        for _ in 0..games {
            random_game(&case.board(), &mut rng, |board, _| check(board));
        }
    });
}

fn check(board: &Board) {
    check_placement(board);
    // Building the position anew computes keys, checkers and pins from nothing.
    let rebuilt = Board::from_setup(&board.to_setup());
    assert_eq!(rebuilt.as_ref(), Ok(board), "{board}");
    check_stages(board);
    check_copies(board);
}

/// Mailbox and bitboards tell the same story.
fn check_placement(board: &Board) {
    for square in Square::all() {
        let kinds: Vec<Piece> =
            Piece::ALL.into_iter().filter(|&piece| board.kind(piece).contains(square)).collect();
        let colors: Vec<Color> =
            Color::ALL.into_iter().filter(|&color| board.color(color).contains(square)).collect();
        let piece = board.piece_at(square);
        assert_eq!(kinds, Vec::from_iter(piece), "{square} of {board}");
        assert_eq!(colors, Vec::from_iter(board.color_at(square)), "{square} of {board}");
        assert_eq!(piece.is_some(), board.color_at(square).is_some(), "{square} of {board}");
    }
}

/// Noisy and quiet moves together are all moves, and each move is in the stage it belongs to.
fn check_stages(board: &Board) {
    let (mut noisy, mut quiet) = (MoveList::new(), MoveList::new());
    board.noisy_moves(&mut noisy);
    board.quiet_moves(&mut quiet);
    assert!(noisy.iter().all(|&mv| board.is_noisy(mv)), "{board}: {noisy:?}");
    assert!(!quiet.iter().any(|&mv| board.is_noisy(mv)), "{board}: {quiet:?}");

    let all = board.legal_moves();
    assert_eq!(sorted(noisy.iter().chain(quiet.iter())), sorted(all.iter()), "{board}");
    assert_eq!(board.count_legal_moves(), all.len() as u64, "{board}");
    assert_eq!(board.has_legal_move(), !all.is_empty(), "{board}");
}

fn sorted<'a>(moves: impl Iterator<Item = &'a Move>) -> Vec<u16> {
    let mut bits: Vec<u16> = moves.map(|mv| mv.bits()).collect();
    bits.sort_unstable();
    bits
}

/// A move made on a copy leaves the position it came from as it was.
fn check_copies(board: &Board) {
    let text = board.to_string();
    for mv in &board.legal_moves() {
        let next = board.after(mv);
        assert_ne!(next.key(), board.key(), "{mv} in {board}");
        assert_eq!(next.side_to_move(), !board.side_to_move());
    }
    assert_eq!(board.to_string(), text);
}

/// The pieces that a key is about.
type Part = fn(&Board) -> Vec<Bitboard>;
type Key = fn(&Board) -> u64;

#[test]
fn part_keys_name_exactly_their_parts() {
    let parts: [(&str, Part, Key); 4] = [
        ("pawn", |board| of(board, &[Piece::Pawn]), |board| board.keys().pawn),
        (
            "minor",
            |board| of(board, &[Piece::Knight, Piece::Bishop, Piece::King]),
            |board| board.keys().minor,
        ),
        ("white", |board| non_pawns(board, Color::White), |board| board.keys().non_pawn[0]),
        ("black", |board| non_pawns(board, Color::Black), |board| board.keys().non_pawn[1]),
    ];
    let mut rng = Rng::new(1);
    let mut boards = Vec::new();
    for _ in 0..50 {
        random_game(&Board::default(), &mut rng, |board, _| boards.push(board.clone()));
    }
    for (name, part, key) in parts {
        let mut key_of_part = HashMap::new();
        let mut part_of_key = HashMap::new();
        for board in &boards {
            let (part, key) = (part(board), key(board));
            assert_eq!(*key_of_part.entry(part.clone()).or_insert(key), key, "{name}: {board}");
            assert_eq!(*part_of_key.entry(key).or_insert(part.clone()), part, "{name}: {board}");
        }
        assert!(key_of_part.len() > 100, "{name}: too few different parts to say anything");
    }
}

fn of(board: &Board, pieces: &[Piece]) -> Vec<Bitboard> {
    let colors = Color::ALL.into_iter();
    colors.flat_map(|color| pieces.iter().map(move |&piece| board.pieces(color, piece))).collect()
}

fn non_pawns(board: &Board, color: Color) -> Vec<Bitboard> {
    Piece::ALL.into_iter().skip(1).map(|piece| board.pieces(color, piece)).collect()
}

#[test]
fn passing_changes_the_turn_alone() {
    let mut rng = Rng::new(2);
    let mut passed = 0;
    random_game(&Board::default(), &mut rng, |board, _| {
        if board.in_check() {
            return;
        }
        let mut next = board.clone();
        next.make_null_move();
        assert_eq!(next.key(), board.key_after_null_move(), "{board}");
        check_placement(&next);
        let mut setup = board.to_setup();
        setup.side = !setup.side;
        setup.en_passant = None;
        setup.halfmove_clock = next.halfmove_clock();
        setup.fullmove_number = next.fullmove_number();
        assert_eq!(Board::from_setup(&setup), Ok(next), "{board}");
        passed += 1;
    });
    assert!(passed > 20);
}
