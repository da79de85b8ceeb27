//! Our viriformat against the crate that defines it.

mod common;

use common::random_game;
use data::viri::{Reader, encode};
use data::{Game, Outcome};
use viriformat::chess::board::Board as TheirBoard;
use viriformat::dataformat::{Game as TheirGame, WDL};

fn ours_to_bytes(game: &Game) -> Vec<u8> {
    let mut bytes = Vec::new();
    encode(game, &mut bytes);
    bytes
}

/// Pieces, side to move and castling rights: en passant squares are kept by other rules.
fn first_fields(fen: &str) -> Vec<String> {
    fen.split_whitespace().take(2).map(str::to_owned).collect()
}

#[test]
fn the_reference_reads_what_we_write() {
    for seed in 0..200 {
        let game = random_game(seed);
        let bytes = ours_to_bytes(&game);
        // In a build with debug assertions the reference checks that every move is legal.
        let theirs = TheirGame::deserialise_from(&mut bytes.as_slice(), Vec::new()).unwrap();
        assert_eq!(theirs.len(), game.moves.len());
        let outcome = match theirs.outcome() {
            WDL::Win => Outcome::WhiteWins,
            WDL::Draw => Outcome::Draw,
            WDL::Loss => Outcome::BlackWins,
        };
        assert_eq!(outcome, game.outcome);

        let mut positions = game.replay();
        theirs.visit_positions(|their_board, score| {
            let ours = positions.next().unwrap().unwrap();
            assert_eq!(score, i32::from(ours.score));
            let (their_fen, our_fen) = (their_board.to_string(), ours.board.to_string());
            assert_eq!(first_fields(&their_fen), first_fields(&our_fen));
            assert_eq!(u16::from(their_board.fifty_move_counter()), ours.board.halfmove_clock());
        });
        assert!(positions.next().is_none());

        let mut back = Vec::new();
        theirs.serialise_into(&mut back).unwrap();
        assert_eq!(back, bytes);
    }
}

#[test]
fn we_read_what_the_reference_writes() {
    for seed in 0..100 {
        let game = random_game(1000 + seed);
        let fen = game.start.shredder_fen().to_string();
        let mut board = TheirBoard::new();
        board.set_from_fen(&fen, true).unwrap();
        let mut theirs = TheirGame::new(&board);
        for position in game.replay() {
            let position = position.unwrap();
            // Found by its effect, so that our encoding of moves plays no part.
            let next = position.board.after(position.mv);
            let wanted = first_fields(&next.to_string());
            let mv = board.legal_moves().into_iter().find(|&mv| {
                let mut after = board.clone();
                after.make_move_simple(mv) && first_fields(&after.to_string()) == wanted
            });
            let mv = mv.expect("every move of ours is one of theirs");
            theirs.add_move(mv, position.score);
            board.make_move_simple(mv);
        }
        let mut bytes = Vec::new();
        theirs.serialise_into(&mut bytes).unwrap();
        let read = Reader::new(bytes.as_slice()).read_game().unwrap().unwrap();
        assert_eq!(read.moves, game.moves);
        assert_eq!(read.start.to_string(), game.start.to_string());
    }
}

#[test]
fn chess960_starts_have_the_reference_s_numbers() {
    for number in 0..960 {
        let mut theirs = TheirBoard::new();
        theirs.set_frc_idx(number);
        let ours = data::chess960_start(number).to_string();
        assert_eq!(first_fields(&theirs.to_string()), first_fields(&ours));
    }
}
