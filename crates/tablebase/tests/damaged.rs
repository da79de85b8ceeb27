//! Damaged tables: no panic, no hang, one report, and the rest goes on working.

use std::fs;
use std::path::PathBuf;

use chess::{Board, Rng};
use eval::Tablebase;
use tablebase::{ProbeError, SyzygyTables};

/// Positions of every table in `testdata`, with captures, promotions and both sides to move.
const POSITIONS: [&str; 10] = [
    "4k3/8/8/8/8/8/8/3RK3 w - - 0 1",
    "4k3/8/8/8/8/8/8/3QK3 b - - 0 1",
    "3k4/8/3K4/3P4/8/8/8/8 w - - 0 1",
    "8/3P4/8/8/8/8/k7/3K4 w - - 0 1",
    "8/8/8/8/4k3/8/3p4/K7 b - - 0 1",
    "8/8/8/3Q4/8/2kr4/8/K7 w - - 0 1",
    "8/8/8/8/8/1k1r4/8/K2Q4 b - - 0 1",
    "8/3k4/8/8/2BN4/8/8/K7 w - - 0 1",
    "8/8/8/8/2BN4/3k4/8/K7 b - - 0 1",
    "k7/8/8/8/2B5/8/8/K7 w - - 0 1",
];

fn boards() -> Vec<Board> {
    POSITIONS.iter().map(|fen| fen.parse().expect("legal")).collect()
}

/// All files of `testdata`, by name.
fn sound_files() -> Vec<(String, Vec<u8>)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../testdata/syzygy");
    let mut files: Vec<(String, Vec<u8>)> = fs::read_dir(folder)
        .expect("testdata is there")
        .map(|entry| {
            let path = entry.expect("readable").path();
            let name = path.file_name().expect("a file").to_string_lossy().into_owned();
            (name, fs::read(path).expect("readable"))
        })
        .collect();
    files.sort();
    files
}

fn ask_everything(tables: &SyzygyTables, boards: &[Board]) {
    for board in boards {
        // Any answer will do; it must come.
        let _ = tables.wdl(board);
        let _ = tables.probe_dtz(board);
        let _ = tables.root(board, &[], true);
    }
}

#[test]
fn any_damage_is_survived() {
    let boards = boards();
    let sound = sound_files();
    let mut rng = Rng::new(3);
    let rounds = if std::env::var_os("BRIER_FULL_TESTS").is_some() { 2_000 } else { 200 };
    for round in 0..rounds {
        let mut files = sound.clone();
        for (_, bytes) in &mut files {
            match round % 4 {
                // Headers are where damage does most.
                0 => bytes[rng.below(64)] = rng.next_u64() as u8,
                1 => {
                    for _ in 0..8 {
                        let length = bytes.len().min(300);
                        bytes[rng.below(length)] = rng.next_u64() as u8;
                    }
                }
                2 => {
                    for _ in 0..1 + bytes.len() / 500 {
                        let position = rng.below(bytes.len());
                        bytes[position] ^= 1 << rng.below(8);
                    }
                }
                // A file that ends early, still of a length that a table could have.
                _ => bytes.truncate(16 + 64 * rng.below(bytes.len() / 64 + 1)),
            }
        }
        ask_everything(&SyzygyTables::from_memory(files), &boards);
    }
}

#[test]
fn damage_is_reported_once_and_the_rest_works() {
    let folder = std::env::temp_dir().join(format!("brier-damaged-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("the temporary folder is writable");
    for (name, mut bytes) in sound_files() {
        match name.as_str() {
            // A changed bit in the data, which only the checksum shows, and a torn file.
            "KRvK.rtbw" => bytes[150] ^= 1,
            "KQvK.rtbw" => bytes.truncate(100),
            _ => {}
        }
        fs::write(folder.join(name), bytes).expect("writable");
    }
    let tables = SyzygyTables::open(&[&folder]);
    let torn = tables.take_problems();
    assert_eq!(torn.len(), 1);
    assert!(torn[0].to_string().contains("KQvK.rtbw"), "{torn:?}");

    let boards = boards();
    for _ in 0..3 {
        assert_eq!(tables.probe_wdl(&boards[0]), Err(ProbeError::Damaged("KRvK.rtbw".to_owned())));
    }
    let reported = tables.take_problems();
    assert_eq!(reported.len(), 1);
    let text = reported[0].to_string();
    assert!(text.contains("KRvK.rtbw") && text.contains("checksum"), "{text}");
    assert_eq!(tables.take_problems(), []);

    let bishop_and_knight = tables.probe_wdl(&boards[7]);
    assert!(bishop_and_knight.is_ok(), "{bishop_and_knight:?}");
    fs::remove_dir_all(&folder).expect("just written");
}
