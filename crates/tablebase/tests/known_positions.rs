//! Positions whose results are in every endgame book, asked of the tables in `testdata`.

use std::path::PathBuf;

use chess::Board;
use eval::tablebase::{Tablebase, Wdl};
use tablebase::{ProbeError, SyzygyTables, TableKind};

fn tables() -> SyzygyTables {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../testdata/syzygy");
    let tables = SyzygyTables::open(&[folder]);
    assert_eq!(tables.take_problems(), []);
    tables
}

fn board(fen: &str) -> Board {
    fen.parse().expect("the test's FEN is legal")
}

#[test]
fn results_are_those_of_the_books() {
    let tables = tables();
    assert_eq!(tables.max_men(), 4);
    for (fen, wdl) in [
        ("4k3/8/8/8/8/8/8/3RK3 w - - 0 1", Wdl::Win),
        ("4k3/8/8/8/8/8/8/3RK3 b - - 0 1", Wdl::Loss),
        // The king in front of its pawn on the sixth wins, whoever moves.
        ("3k4/8/3K4/3P4/8/8/8/8 w - - 0 1", Wdl::Win),
        ("3k4/8/3K4/3P4/8/8/8/8 b - - 0 1", Wdl::Loss),
        // A rook's pawn with the defender in the corner does not.
        ("k7/8/1K6/P7/8/8/8/8 w - - 0 1", Wdl::Draw),
        // Mated, and stalemated.
        ("R3k3/8/4K3/8/8/8/8/8 b - - 0 1", Wdl::Loss),
        ("k7/8/1Q6/8/8/8/8/4K3 b - - 0 1", Wdl::Draw),
        ("8/8/8/8/8/8/8/K1k5 w - - 0 1", Wdl::Draw),
    ] {
        assert_eq!(tables.wdl(&board(fen)), Some(wdl), "{fen}");
    }
}

#[test]
fn the_best_root_moves_win_and_the_rest_is_ranked_below() {
    let tables = tables();
    let root = tables.root(&board("8/8/8/8/8/1k6/1q6/K7 w - - 0 1"), &[], true).expect("tables");
    assert!(root.moves.is_empty() && root.wdl().is_none());

    // Two pawn moves: one wins, the other lets the king in.
    let pawn = board("8/8/8/4k3/8/3K4/3P4/8 w - - 0 1");
    let root = tables.root(&pawn, &[], true).expect("tables");
    assert!(root.by_dtz);
    assert_eq!(root.moves.len(), pawn.legal_moves().len());
    assert_eq!(root.wdl(), Some(tables.wdl(&pawn).expect("tables")));
    assert!(root.moves.is_sorted_by(|a, b| a.rank >= b.rank));
    for root_move in &root.moves {
        let next = pawn.after(root_move.mv);
        assert_eq!(Some(-root_move.wdl), tables.wdl(&next), "{}", root_move.mv);
    }
}

#[test]
fn a_late_win_is_cursed_and_a_third_repetition_draws() {
    let tables = tables();
    let fresh = board("8/8/8/8/8/2k5/8/K2R4 w - - 0 1");
    let late = board("8/8/8/8/8/2k5/8/K2R4 w - - 90 60");
    assert_eq!(tables.root(&fresh, &[], true).and_then(|root| root.wdl()), Some(Wdl::Win));
    assert_eq!(tables.root(&late, &[], true).and_then(|root| root.wdl()), Some(Wdl::CursedWin));
    assert_eq!(tables.root(&late, &[], false).and_then(|root| root.wdl()), Some(Wdl::Win));

    let mv = fresh.parse_uci("d1d8").expect("legal");
    let next = fresh.after(mv);
    let keys = [next.key(), 1, next.key(), 2];
    let root = tables.root(&fresh, &keys, true).expect("tables");
    let repeating = root.moves.iter().find(|root| root.mv == mv).expect("a legal move");
    assert_eq!(repeating.wdl, Wdl::Draw);
}

#[test]
fn what_the_tables_cannot_know_is_named() {
    let tables = tables();
    assert_eq!(
        tables.probe_wdl(&board("4k3/8/8/8/8/8/8/4K2R w K - 0 1")),
        Err(ProbeError::Castling)
    );
    assert_eq!(
        tables.probe_wdl(&Board::default()),
        Err(ProbeError::TooManyMen { men: 32, max: 4 })
    );
    assert_eq!(
        tables.probe_wdl(&board("4k3/8/8/8/8/8/8/1B2K1B1 w - - 0 1")),
        Err(ProbeError::Missing("KBBvK.rtbw".to_owned()))
    );
    assert_eq!(tables.inventory().missing(3, TableKind::Wdl), Vec::<String>::new());
    assert_eq!(tables.inventory().missing(4, TableKind::Dtz).len(), 28);
}
