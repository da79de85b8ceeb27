//! The table of king and pawn against king: that the file is what the solver makes, and that it
//! tells known endings right.

use pocket::kpk::{BYTES, is_won, solve};
use pocket::{Game, fen};

fn table() -> Vec<u8> {
    let mut table = vec![0; BYTES];
    solve(&mut table);
    table
}

#[test]
fn the_file_is_what_the_solver_makes() {
    let table = table();
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/data/kpk.bin");
    if std::env::var_os("BRIER_WRITE_KPK").is_some() {
        std::fs::write(path, &table).unwrap();
    }
    let file = std::fs::read(path).expect("write it with BRIER_WRITE_KPK=1");
    assert!(file == table, "data/kpk.bin differs: write it anew with BRIER_WRITE_KPK=1");
    let won: u32 = table.iter().map(|byte| byte.count_ones()).sum();
    assert_eq!(won, WON);
}

/// The number of won positions with the pawn's side to move, as Syzygy's KPvK table has it.
const WON: u32 = 62_480;

#[test]
fn known_endings_are_right() {
    let table = table();
    for (text, won) in [
        // The opposition decides.
        ("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1", true),
        ("4k3/8/4K3/4P3/8/8/8/8 b - - 0 1", true),
        ("8/4k3/8/4K3/4P3/8/8/8 w - - 0 1", false),
        ("8/4k3/8/4K3/4P3/8/8/8 b - - 0 1", true),
        // A rook pawn with the king in its corner.
        ("k7/8/K7/P7/8/8/8/8 w - - 0 1", false),
        ("k7/8/K7/P7/8/8/8/8 b - - 0 1", false),
        // The square of the pawn, also mirrored and for Black.
        ("7k/8/8/P7/8/8/8/K7 w - - 0 1", true),
        ("8/8/8/P6k/8/8/8/K7 b - - 0 1", true),
        ("8/8/8/P3k3/8/8/8/K7 b - - 0 1", false),
        ("k7/8/8/8/7p/8/8/K7 b - - 0 1", true),
        // Stalemate and the pawn that is lost.
        ("4k3/4P3/4K3/8/8/8/8/8 b - - 0 1", false),
        ("8/8/8/8/8/4k3/4P3/7K w - - 0 1", false),
    ] {
        let mut game = Game::ZERO;
        game.set(&fen::parse(text.as_bytes()).unwrap()).unwrap();
        assert_eq!(is_won(&table, &game.board), Some(won), "{text}");
    }
}
