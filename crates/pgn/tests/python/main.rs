//! python-chess, an independent reader and writer, agrees: on what a text says, game by game, and
//! on what we write.
#![expect(clippy::print_stdout, reason = "a test that skips tells why")]

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use chess::Board;
use pgn::{Game, Played, Reader};

/// The same lines as `outline.py` writes: tags, then every move with what is said about it.
fn outline(game: &Game) -> Vec<String> {
    let mut lines = vec![format!("game {}", game.result)];
    let mut tags: Vec<_> =
        game.tags.iter().map(|(name, value)| format!("{name}={value}")).collect();
    tags.sort();
    lines.extend(tags);
    lines.push(format!("preface {}", game.preface));
    describe(&game.start, &game.moves, 0, &mut lines);
    lines
}

fn describe(start: &Board, moves: &[Played], depth: usize, lines: &mut Vec<String>) {
    let mut board = start.clone();
    for played in moves {
        let mut nags = played.nags.clone();
        nags.sort_unstable();
        let uci = played.mv.uci(chess::notation::uci::CastlingForm::Standard);
        lines.push(format!("{depth} {uci} {nags:?} <{}> <{}>", played.before, played.comment));
        for variation in &played.variations {
            describe(&board, variation, depth + 1, lines);
        }
        board.make_move(played.mv, &mut ());
    }
}

fn python(text: &str) -> Option<Vec<String>> {
    let importable = Command::new("python3").args(["-c", "import chess.pgn"]).status();
    if !importable.is_ok_and(|status| status.success()) {
        println!("skipped: python3 has no package `chess`");
        return None;
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/python/outline.py");
    let mut child = Command::new("python3")
        .arg(script)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("python3 runs");
    let mut input = child.stdin.take().expect("piped");
    let bytes = text.as_bytes().to_owned();
    let writer = std::thread::spawn(move || input.write_all(&bytes));
    let output = child.wait_with_output().expect("python3 ends");
    writer.join().expect("no panic").expect("python3 reads all");
    assert!(output.status.success());
    Some(String::from_utf8(output.stdout).expect("UTF-8").lines().map(str::to_owned).collect())
}

fn ours(text: &str) -> Vec<String> {
    let games = Reader::new(text.as_bytes()).games();
    games.flat_map(|game| outline(&game.expect("bytes in memory"))).collect()
}

fn compare(text: &str) {
    let Some(theirs) = python(text) else { return };
    let ours = ours(text);
    for (i, (a, b)) in ours.iter().zip(&theirs).enumerate() {
        assert_eq!(a, b, "line {i}");
    }
    assert_eq!(ours.len(), theirs.len());
}

#[test]
fn python_chess_reads_the_same() {
    compare(include_str!("games.pgn"));
}

/// Random games with every kind of move, variations, marks and comments, as we write them.
#[test]
fn python_chess_reads_what_we_write() {
    let mut rng = chess::Rng::new(7);
    let mut random = move |bound| rng.below(bound);
    let mut text = String::new();
    for number in 1..=60 {
        let mut board = Board::default();
        let mut game = Game { number, ..Game::default() };
        game.tags.push(("White".to_owned(), format!("Ö {number}")));
        for _ in 0..random(120) {
            let legal = board.legal_moves();
            if legal.is_empty() {
                break;
            }
            let mut played = Played::new(legal[random(legal.len())]);
            if random(6) == 0 {
                played.comment = format!("[%clk 0:{:02}:00] words of any length", random(60));
            }
            if random(6) == 0 {
                played.nags.push(random(140) as u8 + 1);
            }
            if random(6) == 0 {
                played.variations.push(Played::line(&[legal[random(legal.len())]]));
            }
            board.make_move(played.mv, &mut ());
            game.moves.push(played);
        }
        text.push_str(&format!("{game}\n"));
    }
    compare(&text);
}
