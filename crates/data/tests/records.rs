//! Records: what they say about a position, and the shuffle.

mod common;

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use chess::{Color, Setup, Square};
use common::random_game;
use data::{
    Filter, Game, Outcome, Part, Position, Record, RecordReader, RecordWriter, Reject, ScoredMove,
    Shuffler, Split,
};

fn positions(games: impl IntoIterator<Item = u64>) -> Vec<Position> {
    games
        .into_iter()
        .flat_map(|seed| random_game(seed).replay().map(Result::unwrap).collect::<Vec<_>>())
        .collect()
}

/// A folder of its own for each test, empty.
fn fresh_folder(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}

fn read_all(path: &Path) -> Vec<Record> {
    let mut reader = RecordReader::open(path).unwrap();
    let mut records = Vec::new();
    reader.read_batch(&mut records, usize::MAX).unwrap();
    assert_eq!(records.len() as u64, reader.len());
    records
}

#[test]
fn a_record_shows_the_board_from_the_side_to_move() {
    for position in positions(0..20) {
        let board = &position.board;
        let us = board.side_to_move();
        let record = Record::new(&position);
        assert_eq!(record.occupied().count(), board.occupied().count());
        for (square, piece, owner) in record.pieces() {
            let real = square.relative_to(us);
            let color = if owner == Color::White { us } else { !us };
            assert_eq!(board.piece_at(real), Some(piece));
            assert_eq!(board.color_at(real), Some(color));
        }
        let sign = if us == Color::White { 1 } else { -1 };
        assert_eq!(i32::from(record.score()), (sign * i32::from(position.score)).min(32767));
        assert_eq!(record.flags().in_check(), board.in_check());
        assert_eq!(record.flags().noisy(), position.is_noisy());
        assert_eq!(u16::from(record.halfmove_clock()), board.halfmove_clock());
        assert_eq!(usize::from(record.ply()), position.ply.min(255));
        assert_eq!(record.result(), position.outcome.points(us));
    }
}

#[test]
fn a_position_and_its_mirror_image_make_one_record() {
    for position in positions(20..30).into_iter().filter(|position| position.score != i16::MIN) {
        let setup = position.board.to_setup();
        let mut flipped = Setup { side: !setup.side, en_passant: None, ..setup.clone() };
        flipped.castling = chess::CastlingRights::NONE;
        for square in Square::all() {
            flipped.squares[square.flip_rank().index()] =
                setup.at(square).map(|(color, piece)| (!color, piece));
        }
        let mirror = Position {
            board: chess::Board::from_setup(&flipped).unwrap(),
            mv: position.mv,
            score: -position.score,
            outcome: match position.outcome {
                Outcome::BlackWins => Outcome::WhiteWins,
                Outcome::Draw => Outcome::Draw,
                Outcome::WhiteWins => Outcome::BlackWins,
            },
            ply: position.ply,
        };
        // The move belongs to the other board, so the last byte may differ.
        assert_eq!(Record::new(&mirror).as_bytes()[..26], Record::new(&position).as_bytes()[..26]);
        assert_eq!(Record::new(&mirror).result(), Record::new(&position).result());
    }
}

#[test]
fn the_filter_says_why() {
    let position = |fen: &str, uci: &str, score| {
        let board: chess::Board = fen.parse().unwrap();
        let mv = board.parse_uci(uci).unwrap();
        Position { board, mv, score, outcome: Outcome::Draw, ply: 0 }
    };
    let filter = Filter { min_ply: 10, ..Filter::default() };
    let reject = |fen: &str, uci: &str, score| filter.reject(&position(fen, uci, score));
    let quiet = "4k3/8/8/3p4/4P3/8/8/R3K3 w Q - 0 20";
    assert_eq!(reject(quiet, "e4e5", 10), None);
    assert_eq!(reject(quiet, "e1c1", 10), None);
    assert_eq!(reject(quiet, "e4d5", 10), Some(Reject::Noisy));
    assert_eq!(reject(quiet, "e4e5", -29_990), Some(Reject::Score));
    assert_eq!(reject(quiet, "e4e5", i16::MIN), Some(Reject::Score));
    assert_eq!(reject("4k3/4P3/8/3pP3/8/8/8/4K3 w - d6 0 20", "e5d6", 0), Some(Reject::Noisy));
    assert_eq!(reject("8/3kP3/8/8/8/8/3p4/4K3 w - - 0 20", "e1d2", 0), Some(Reject::InCheck));
    assert_eq!(reject("8/4P3/2k5/8/8/8/p7/4K3 w - - 0 20", "e7e8q", 0), Some(Reject::Noisy));
    assert_eq!(reject("4k3/8/8/8/8/8/8/R3K3 w - - 0 20", "a1a8", 0), Some(Reject::FewPieces));
    assert_eq!(reject("4k3/8/8/3p4/4P3/8/8/R3K3 w - - 0 5", "e4e5", 0), Some(Reject::Early));
    assert_eq!(Filter::NONE.reject(&position(quiet, "e4d5", 30_000)), None);
}

#[test]
fn the_shuffle_depends_on_the_seed_and_nothing_else() {
    let folder = fresh_folder("shuffle");
    let mut records: Vec<_> = positions(40..60).iter().map(Record::new).collect();
    let run = |name: &str, records: &[Record], seed, memory| {
        let path = folder.join(name);
        let buckets = folder.join("buckets");
        let mut shuffler = Shuffler::new(&buckets, seed, records.len() as u64, memory).unwrap();
        records.iter().for_each(|record| shuffler.push(record).unwrap());
        let counts = shuffler.finish(&path, |_| {}).unwrap();
        assert!(!buckets.exists());
        assert_eq!(counts.pushed, records.len() as u64);
        read_all(&path)
    };
    let one_bucket = run("a", &records, 7, u64::MAX);
    let many_buckets = run("b", &records, 7, 2000);
    assert_eq!(one_bucket, many_buckets);
    assert_ne!(one_bucket, run("c", &records, 8, u64::MAX));

    let board = |record: &Record| record.as_bytes()[..24].to_vec();
    let distinct: HashSet<_> = records.iter().map(board).collect();
    let written: HashSet<_> = one_bucket.iter().map(board).collect();
    assert_eq!(written, distinct);
    assert_eq!(one_bucket.len(), distinct.len());
    assert!(one_bucket.iter().all(|record| records.contains(record)));

    // Another order of the same positions: the same order of boards.
    records.reverse();
    let reversed: Vec<_> = run("d", &records, 7, 2000).iter().map(board).collect();
    assert_eq!(reversed, one_bucket.iter().map(board).collect::<Vec<_>>());
}

#[test]
fn the_first_of_two_twins_stays() {
    let folder = fresh_folder("twins");
    let mut position = positions([70]).remove(0);
    let first = Record::new(&position);
    position.score = position.score.wrapping_add(1);
    let second = Record::new(&position);
    // As a shuffle that was killed leaves it.
    fs::create_dir(folder.join("buckets")).unwrap();
    fs::write(folder.join("buckets/bucket-9"), "old").unwrap();
    let mut shuffler = Shuffler::new(&folder.join("buckets"), 1, 2, 1 << 20).unwrap();
    shuffler.push(&first).unwrap();
    shuffler.push(&second).unwrap();
    shuffler.finish(&folder.join("out"), |_| {}).unwrap();
    assert_eq!(read_all(&folder.join("out")), [first]);
    assert!(!folder.join("buckets").exists());
}

#[test]
fn a_damaged_file_of_records_is_refused() {
    let path = fresh_folder("damaged").join("records");
    let mut writer = RecordWriter::create(&path, 1).unwrap();
    positions([80]).iter().for_each(|position| writer.write(&Record::new(position)).unwrap());
    writer.finish().unwrap();
    let whole = fs::read(&path).unwrap();
    assert!(RecordReader::open(&path).is_ok());
    for length in (0..100).chain((100..whole.len()).step_by(31)) {
        fs::write(&path, &whole[..length]).unwrap();
        assert!(RecordReader::open(&path).is_err(), "{length} bytes");
    }
    for index in 0..24 {
        let mut damaged = whole.clone();
        damaged[index] ^= 1;
        fs::write(&path, &damaged).unwrap();
        assert!(RecordReader::open(&path).is_err(), "byte {index}");
    }
}

#[test]
fn a_file_can_be_read_from_any_record_on() {
    let path = fresh_folder("seek").join("records");
    let records: Vec<_> = positions([90, 91]).iter().map(Record::new).collect();
    let mut writer = RecordWriter::create(&path, 1).unwrap();
    records.iter().for_each(|record| writer.write(record).unwrap());
    writer.finish().unwrap();
    let mut reader = RecordReader::open(&path).unwrap();
    let mut batch = Vec::new();
    for start in [0, 5, records.len() - 1, records.len(), records.len() + 9] {
        reader.seek(start as u64).unwrap();
        reader.read_batch(&mut batch, 3).unwrap();
        let start = start.min(records.len());
        assert_eq!(batch, records[start..records.len().min(start + 3)]);
        assert_eq!(reader.position(), (start + batch.len()) as u64);
    }
}

#[test]
fn the_split_is_by_game_and_stays_as_it_is() {
    let games: Vec<_> = (0..600).map(random_game).filter(|game| !game.moves.is_empty()).collect();
    let split = Split::new(0.1);
    let held_out = games.iter().filter(|game| split.part(game) == Part::HeldOut).count();
    let share = held_out as f64 / games.len() as f64;
    assert!((0.06..0.14).contains(&share), "{share}");
    // More held out never brings a held-out game back into training.
    let more = Split::new(0.2);
    assert!(games.iter().all(|g| split.part(g) == Part::Training || more.part(g) == Part::HeldOut));
    // A line of analysis follows its game.
    for game in &games[..50] {
        let mut line = Game::new(game.start.clone(), game.outcome);
        line.family = game.group();
        assert_eq!(split.part(&line), split.part(game));
    }
    assert!(games.iter().all(|g| Split::new(0.0).part(g) == Part::Training));
    assert!(games.iter().all(|g| Split::new(1.0).part(g) == Part::HeldOut));
}

#[test]
fn groups_never_change() {
    // Nets that are out must find the same games held out as when they were made.
    let mut game = Game::new(chess::Board::default(), Outcome::WhiteWins);
    let mut groups = vec![game.group()];
    for (uci, score) in [("e2e4", 30), ("e7e5", -12), ("g1f3", 25)] {
        let board = game.replay().fold(game.start.clone(), |_, position| {
            let Position { mut board, mv, .. } = position.unwrap();
            board.make_move(mv, &mut ());
            board
        });
        game.moves.push(ScoredMove { mv: board.parse_uci(uci).unwrap(), score });
        groups.push(game.group());
    }
    assert_eq!(groups, [81, 123, 39, 40]);
}
