//! The built-in network, its file, and what holds for every position.

use chess::{Board, Move};
use people::{Last, Net, NetError, Rating, embedded};

/// The same position with colours exchanged.
fn mirrored(fen: &str) -> String {
    let swap = |c: char| match c {
        'a'..='z' => c.to_ascii_uppercase(),
        _ => c.to_ascii_lowercase(),
    };
    let fields: Vec<&str> = fen.split(' ').collect();
    let rows: Vec<String> =
        fields[0].split('/').rev().map(|r| r.chars().map(swap).collect()).collect();
    let side = if fields[1] == "w" { "b" } else { "w" };
    let rights: String = fields[2].chars().map(swap).collect();
    let passing = fields[3].replace('3', "x").replace('6', "3").replace('x', "6");
    format!("{} {side} {rights} {passing} 0 1", rows.join("/"))
}

fn shares(fen: &str, rating: u32) -> Vec<(Move, f32)> {
    let board: Board = fen.parse().unwrap();
    let moves = board.legal_moves();
    let found = embedded().shares(&board, Last::default(), Rating::new(rating), &moves);
    moves.iter().copied().zip(found).collect()
}

const FENS: [&str; 5] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1",
    "rnbqkb1r/ppp1pppp/8/3pP3/8/5n2/PPPP1PPP/RNBQKBNR w KQkq d6 0 3",
];

#[test]
fn shares_add_up() {
    for fen in FENS {
        for rating in [0, 1000, 1499, 2799, 5000] {
            let found = shares(fen, rating);
            assert!(found.iter().all(|(_, share)| *share >= 0.0));
            let sum: f32 = found.iter().map(|(_, share)| share).sum();
            assert!((sum - 1.0).abs() < 1e-4, "{fen} {rating}: {sum}");
        }
    }
}

#[test]
fn colours_make_no_difference() {
    for fen in FENS {
        let there = shares(&mirrored(fen), 1700);
        for (mv, share) in shares(fen, 1700) {
            let same = |other: &&(Move, f32)| {
                other.0.from() == mv.from().flip_rank()
                    && other.0.to() == mv.to().flip_rank()
                    && other.0.promoted() == mv.promoted()
            };
            let found = there.iter().find(same).unwrap();
            // The sums of the shares have another order.
            assert!((found.1 - share).abs() <= 1e-6 * share, "{fen} {mv:?}");
        }
    }
}

#[test]
fn people_begin_with_a_centre_pawn_and_take_back() {
    let board = Board::default();
    let of = |board: &Board, last: Last, text: &str, rating: u32| {
        let moves = board.legal_moves();
        let mv = board.parse_uci(text).unwrap();
        let at = moves.iter().position(|&other| other == mv).unwrap();
        embedded().shares(board, last, Rating::new(rating), &moves)[at]
    };
    let centre =
        of(&board, Last::default(), "e2e4", 2000) + of(&board, Last::default(), "d2d4", 2000);
    assert!(centre > 0.5, "{centre}");
    // After 1.e4 e5 2.Nf3 Nc6 3.Bb5 a6 4.Bxc6 Black takes back, mostly with the d-pawn.
    let board: Board =
        "r1bqkbnr/1ppp1ppp/p1B5/4p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 0 4".parse().unwrap();
    let last = Last { theirs: Some(Move::normal(square("b5"), square("c6"))), ours: None };
    let back = of(&board, last, "d7c6", 2000) + of(&board, last, "b7c6", 2000);
    assert!(back > 0.9, "{back}");
}

fn square(name: &str) -> chess::Square {
    name.parse().unwrap()
}

#[test]
fn a_file_is_read_as_it_was_written() {
    let bytes = embedded().to_bytes();
    assert_eq!(bytes, include_bytes!("../data/people.net"));
    assert_eq!(Net::parse(&bytes).unwrap(), *embedded());
}

#[test]
fn a_damaged_file_is_refused_with_a_reason() {
    let good = embedded().to_bytes();
    assert_eq!(Net::parse(&good[..good.len() - 1]), Err(NetError::Length(good.len() - 1)));
    assert_eq!(Net::parse(b"NOTANET0"), Err(NetError::Magic(*b"NOTANET0")));
    assert_eq!(Net::parse(&[]), Err(NetError::Length(0)));
    let mut bad = good.clone();
    bad[1000] ^= 1;
    let error = Net::parse(&bad).unwrap_err();
    assert!(matches!(error, NetError::Checksum { .. }) && error.to_string().contains("checksum"));
}
