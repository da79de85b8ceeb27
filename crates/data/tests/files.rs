//! Files of games: whole, cut short, damaged, continued.

mod common;

use std::fs;
use std::path::PathBuf;

use common::random_game;
use data::viri::{Found, Reader, Writer, encode};
use data::{DataError, Game};
use proptest::prelude::{ProptestConfig, any, prop_assert_eq, proptest};

/// A path of its own for each test, with nothing there.
fn fresh_path(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_file(&path);
    path
}

fn bytes_of(games: &[Game]) -> (Vec<u8>, Vec<usize>) {
    let mut bytes = Vec::new();
    let mut ends = vec![0];
    for game in games {
        encode(game, &mut bytes);
        ends.push(bytes.len());
    }
    (bytes, ends)
}

#[test]
fn a_cut_file_gives_all_whole_games_and_then_an_error() {
    let games: Vec<_> = (0..3).map(random_game).collect();
    let (bytes, ends) = bytes_of(&games);
    for length in 0..=bytes.len() {
        let mut reader = Reader::new(&bytes[..length]);
        let whole = ends.iter().rposition(|&end| end <= length).unwrap();
        for game in &games[..whole] {
            assert_eq!(reader.read_game().unwrap().as_ref(), Some(game));
        }
        match reader.read_game() {
            Ok(None) => assert_eq!(ends[whole], length),
            Err(DataError::Truncated { game_at }) => assert_eq!(game_at, ends[whole] as u64),
            other => panic!("{length}: {other:?}"),
        }
    }
}

#[test]
fn a_writer_cuts_off_what_a_kill_left_and_goes_on() {
    let games: Vec<_> = (10..13).map(random_game).collect();
    let (bytes, ends) = bytes_of(&games);
    let path = fresh_path("continued.vf");
    for length in (0..=bytes.len()).step_by(7) {
        fs::write(&path, &bytes[..length]).unwrap();
        let (mut writer, found) = Writer::append(&path).unwrap();
        let whole = ends.iter().rposition(|&end| end <= length).unwrap();
        let cut = (length - ends[whole]) as u64;
        assert_eq!(found, Found { games: whole as u64, cut });
        writer.write_all(&games[whole..]).unwrap();
        assert_eq!(fs::read(&path).unwrap(), bytes);
    }
}

#[test]
fn a_new_file_is_made() {
    let path = fresh_path("new.vf");
    let (mut writer, found) = Writer::append(&path).unwrap();
    assert_eq!(found, Found::default());
    let game = random_game(5);
    writer.write(&game).unwrap();
    let games: Result<Vec<_>, _> = Reader::open(&path).unwrap().collect();
    assert_eq!(games.unwrap(), [game]);
}

#[test]
fn damage_is_an_error_or_another_game_but_never_a_panic() {
    let (bytes, _) = bytes_of(&[random_game(20), random_game(21)]);
    let mut errors = 0;
    for index in 0..bytes.len() {
        for flip in [1, 0x80, 0xFF] {
            let mut damaged = bytes.clone();
            damaged[index] ^= flip;
            for game in Reader::new(damaged.as_slice()) {
                let Ok(game) = game else {
                    errors += 1;
                    break;
                };
                errors += usize::from(game.replay().any(|position| position.is_err()));
            }
        }
    }
    assert!(errors > bytes.len() / 4, "damaged moves are noticed: {errors}");
}

#[test]
fn errors_name_what_was_expected_and_what_came() {
    let (bytes, _) = bytes_of(&[random_game(30)]);
    let error = |index: usize, byte: u8| {
        let mut damaged = bytes.clone();
        damaged[index] = byte;
        Reader::new(damaged.as_slice()).read_game().unwrap_err().to_string()
    };
    assert_eq!(error(30, 3), "expected the result 0, 1 or 2 (from White's side), got 3");
    assert_eq!(error(8, 0x77), "expected piece codes 0 to 6 and 8 to 14, got 7");
    assert!(error(0, 0).starts_with("expected"), "{}", error(0, 0));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn games_survive_the_file(seed: u64) {
        let game = random_game(seed);
        let (bytes, _) = bytes_of(std::slice::from_ref(&game));
        prop_assert_eq!(bytes.len(), 32 + 4 * game.moves.len() + 4);
        let read = Reader::new(bytes.as_slice()).read_game().unwrap().unwrap();
        prop_assert_eq!(read, game);
    }

    #[test]
    fn any_bytes_can_be_read(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        for game in Reader::new(bytes.as_slice()).map_while(Result::ok) {
            for position in game.replay() {
                let _ = position;
            }
        }
    }
}
