//! Every rule a FEN can break has its own error, which names the field, what was expected and
//! what came.

use chess::Board;

/// A FEN with one fault, and what is said of it.
const FAULTS: &[(&str, &str)] = &[
    ("", "FEN: expected the field \"board\", got the end of the text"),
    ("8/8/8/8/8/8/8/8", "FEN: expected the field \"side to move\", got the end of the text"),
    ("4k3/8/8/8/8/8/8/4K3 w", "FEN: expected the field \"castling\", got the end of the text"),
    ("4k3/8/8/8/8/8/8/4K3 w -", "FEN: expected the field \"en passant\", got the end of the text"),
    ("4k3/8/8/8/8/8/8/4K3 w - - 0 1 bm", "FEN: expected at most six fields, got also \"bm\""),
    (
        "4k3/8/8/9/8/8/8/4K3 w - - 0 1",
        "FEN, board: expected one of PNBRQKpnbrqk, 1 to 8 or /, got '9'",
    ),
    (
        "4k3/8/8/7♞/8/8/8/4K3 w - - 0 1",
        "FEN, board: expected one of PNBRQKpnbrqk, 1 to 8 or /, got '♞'",
    ),
    ("4k3/8/8/7/8/8/8/4K3 w - - 0 1", "FEN, board: expected 8 squares on rank 5, got 7"),
    ("4k3/8/8/8p/8/8/8/4K3 w - - 0 1", "FEN, board: expected 8 squares on rank 5, got 9"),
    ("4k3/8/8/8/8/8/4K3 w - - 0 1", "FEN, board: expected 8 ranks, got 7"),
    ("4k3/8/8/8/8/8/8/4K3/8 w - - 0 1", "FEN, board: expected 8 ranks, got 9"),
    (
        "4k3/8/8/8/8/8/8/4K3 white - - 0 1",
        "FEN, side to move: expected \"w\" or \"b\", got \"white\"",
    ),
    (
        "4k3/8/8/8/8/8/8/4K2R w KK - 0 1",
        "FEN, castling: expected \"-\" or each of KQkq or a rook's file once, got 'K'",
    ),
    (
        "4k3/8/8/8/8/8/8/4K2R w Kx - 0 1",
        "FEN, castling: expected \"-\" or each of KQkq or a rook's file once, got 'x'",
    ),
    (
        "4k3/8/8/8/8/8/8/4K2R w Q - 0 1",
        "FEN, castling: expected a king and a rook on their first rank for 'Q'",
    ),
    (
        "4k3/8/8/8/8/8/4K3/7R w K - 0 1",
        "FEN, castling: expected a king and a rook on their first rank for 'K'",
    ),
    ("4k3/8/8/8/8/8/8/4K3 w - e9 0 1", "FEN, en passant: expected \"-\" or a square, got \"e9\""),
    (
        "4k3/8/8/4P3/8/8/8/4K3 w - d5 0 1",
        "FEN, position: expected an en passant square on rank 6, got d5",
    ),
    (
        "4k3/8/8/4P3/8/8/8/4K3 w - d6 0 1",
        "FEN, position: expected a pawn that has just passed d6, got none",
    ),
    (
        "4k3/3n4/8/3pP3/8/8/8/4K3 w - d6 0 1",
        "FEN, position: expected a pawn that has just passed d6, got none",
    ),
    (
        "4k3/8/8/8/8/8/8/4K3 w - - -1 1",
        "FEN, half-move clock: expected a number from 0 to 65535, got \"-1\"",
    ),
    (
        "4k3/8/8/8/8/8/8/4K3 w - - 65536 1",
        "FEN, half-move clock: expected a number from 0 to 65535, got \"65536\"",
    ),
    (
        "4k3/8/8/8/8/8/8/4K3 w - - 0 0",
        "FEN, move number: expected a number from 1 to 65535, got \"0\"",
    ),
    ("8/8/8/8/8/8/8/4K3 w - - 0 1", "FEN, position: expected one king for Black, got 0"),
    ("4k3/8/8/8/8/8/8/3KK3 w - - 0 1", "FEN, position: expected one king for White, got 2"),
    (
        "4k2P/8/8/8/8/8/8/4K3 w - - 0 1",
        "FEN, position: expected pawns on ranks 2 to 7 only, got one on h8",
    ),
    (
        "4k3/pppppppp/p7/8/8/8/8/4K3 w - - 0 1",
        "FEN, position: expected at most 8 pawns for Black, got 9",
    ),
    (
        "4k3/8/8/8/8/8/PPPPPPPP/QQ2K3 w - - 0 1",
        "FEN, position: expected at most 8 promoted or remaining pawns for White, the pieces need 9",
    ),
    (
        "4k3/8/8/8/8/8/8/4RK2 w - - 0 1",
        "FEN, position: expected Black, who is not to move, not to be in check",
    ),
    (
        "4k3/8/3N1N2/8/4R3/8/8/4K3 b - - 0 1",
        "FEN, position: expected at most 2 checking pieces, got 3",
    ),
];

#[test]
fn each_fault_is_named() {
    for (fen, expected) in FAULTS {
        match fen.parse::<Board>() {
            Ok(board) => panic!("{fen:?} was accepted as {board}"),
            Err(error) => assert_eq!(error.to_string(), *expected, "{fen:?}"),
        }
    }
}

#[test]
fn both_ways_to_write_castling_rights_are_read() {
    let plain: Board = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1".parse().expect("X-FEN");
    let files: Board = "r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1".parse().expect("Shredder-FEN");
    assert_eq!(plain, files);
    assert_eq!(plain.shredder_fen().to_string(), "r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1");
    assert_eq!(files.to_string(), "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
}

#[test]
fn an_inner_rook_is_named_by_its_file() {
    let fen = "4k3/8/8/8/8/8/8/RR2K1RR w GB - 0 1";
    let board: Board = fen.parse().expect("X-FEN");
    assert_eq!(board.to_string(), fen);
    let outer: Board = "4k3/8/8/8/8/8/8/RR2K1RR w KQ - 0 1".parse().expect("X-FEN");
    assert_eq!(outer.to_string(), "4k3/8/8/8/8/8/8/RR2K1RR w KQ - 0 1");
    assert_ne!(board, outer);
}

#[test]
fn an_en_passant_square_without_a_capture_is_dropped() {
    let none: Board = "4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1".parse().expect("a legal position");
    assert_eq!(none.to_string(), "4k3/8/8/8/4P3/8/8/4K3 b - - 0 1");
    // A pawn stands ready but is pinned along the rank with the one it would take.
    let pinned: Board = "8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1".parse().expect("a legal position");
    assert_eq!(pinned.en_passant(), None);
    let real: Board = "4k3/8/8/8/3Pp3/8/8/4K3 b - d3 0 1".parse().expect("a legal position");
    assert_eq!(real.to_string(), "4k3/8/8/8/3Pp3/8/8/4K3 b - d3 0 1");
}
