//! Random positions of every table that is present: results and distances are python-chess's.
//!
//! The tables of `testdata` are asked, or those of the folder in `BRIER_SYZYGY`.
#![expect(clippy::print_stdout, reason = "a test that skips tells why")]

use std::env;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use chess::{Board, Color, Piece, Rng, Setup};
use eval::tablebase::Wdl;
use tablebase::{SyzygyTables, TableKind, material_names};

/// Positions to compare: 20,000 with `BRIER_FULL_TESTS`.
fn sample_size() -> usize {
    if env::var_os("BRIER_FULL_TESTS").is_some() { 20_000 } else { 1_000 }
}

fn folder() -> PathBuf {
    let testdata = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/syzygy");
    env::var_os("BRIER_SYZYGY").map_or(testdata, PathBuf::from)
}

/// A random legal position with the men of a table, either color the stronger one, sometimes with
/// a pawn that may be captured en passant.
fn random_position(material: &str, rng: &mut Rng) -> Board {
    loop {
        let mut setup = Setup::EMPTY;
        let mut color = if rng.below(2) == 0 { Color::White } else { Color::Black };
        setup.side = if rng.below(2) == 0 { Color::White } else { Color::Black };
        for letter in material.chars() {
            let Some(piece) = Piece::from_letter(letter.to_ascii_lowercase()) else {
                color = !color;
                continue;
            };
            // A man that falls on another leaves a position of another table: try again.
            setup.squares[rng.below(64)] = Some((color, piece));
        }
        let men = setup.squares.iter().flatten().count();
        if men != material.len() - 1 {
            continue;
        }
        let rank = chess::Rank::Sixth.relative_to(setup.side);
        setup.en_passant = Some(chess::Square::new(chess::File::ALL[rng.below(8)], rank));
        let without = Setup { en_passant: None, ..setup.clone() };
        if let Ok(board) = Board::from_setup(&setup).or_else(|_| Board::from_setup(&without)) {
            return board;
        }
    }
}

#[test]
fn python_chess_agrees() {
    let folder = folder();
    let tables = SyzygyTables::open(&[&folder]);
    let present: Vec<String> = (3..=5)
        .flat_map(material_names)
        .filter(|name| {
            TableKind::ALL.into_iter().all(|kind| tables.inventory().contains(name, kind))
        })
        .collect();
    assert!(!present.is_empty(), "no tables in {}", folder.display());

    let importable = Command::new("python3").args(["-c", "import chess.syzygy"]).status();
    if !importable.is_ok_and(|status| status.success()) {
        return println!("skipped: no python3 with the package `chess`");
    }
    let mut rng = Rng::new(7);
    let boards: Vec<Board> = (0..sample_size())
        .map(|index| random_position(&present[index % present.len()], &mut rng))
        .collect();
    let mut python = Command::new("python3")
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/python/probe.py"))
        .arg(&folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("python3 runs");
    let fens: String = boards.iter().map(|board| format!("{board}\n")).collect();
    let mut input = python.stdin.take().expect("piped");
    let writer = std::thread::spawn(move || input.write_all(fens.as_bytes()));
    let output = python.wait_with_output().expect("python3 ends");
    writer.join().expect("it does not panic").expect("python3 reads");
    let answers = String::from_utf8_lossy(&output.stdout);
    assert_eq!(answers.lines().count(), boards.len(), "one answer for each position");

    for (board, answer) in boards.iter().zip(answers.lines()) {
        let wdl = match tables.probe_wdl(board).expect("the table is there") {
            Wdl::Loss => -2,
            Wdl::BlessedLoss => -1,
            Wdl::Draw => 0,
            Wdl::CursedWin => 1,
            Wdl::Win => 2,
        };
        let dtz = tables.probe_dtz(board).expect("the table is there");
        assert_eq!(format!("{wdl} {dtz}"), answer, "{board}");
    }
    println!("{} positions of {} tables agree", boards.len(), present.len());
}
