//! Any bytes as endgame tables: every question is answered, if only with an error.
#![no_main]

use chess::Board;
use tablebase::{SyzygyTables, Tablebase};

const POSITIONS: [&str; 6] = [
    "4k3/8/8/8/8/8/8/3RK3 w - - 0 1",
    "4k3/8/8/8/8/8/8/3RK3 b - - 0 1",
    "3k4/8/3K4/3P4/8/8/8/8 w - - 0 1",
    "8/3P4/8/8/8/8/k7/3K4 b - - 0 1",
    "8/8/8/3Q4/8/2kr4/8/K7 w - - 0 1",
    "8/8/8/8/8/1k1r4/8/K2Q4 b - - 0 1",
];

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    // A table's length is sixteen more than a multiple of 64; others are refused by their length.
    let length = bytes.len().saturating_sub(16) / 64 * 64 + 16;
    let mut table = bytes.to_vec();
    table.resize(length, 0);
    let names = ["KRvK", "KPvK", "KQvKR", "KQvK", "KBvK", "KNvK"];
    let files = names.iter().flat_map(|name| {
        ["rtbw", "rtbz"].map(|extension| (format!("{name}.{extension}"), table.clone()))
    });
    let tables = SyzygyTables::from_memory(files);
    for fen in POSITIONS {
        let board: Board = fen.parse().expect("legal");
        let _ = tables.wdl(&board);
        let _ = tables.probe_dtz(&board);
        let _ = tables.root(&board, &[], true);
    }
});
