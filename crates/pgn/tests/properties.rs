//! What is written is read again, and no bytes are too strange to be read.

use chess::Board;
use pgn::{Game, GameResult, Played, Reader};
use proptest::prelude::*;

/// Plays on from a board by numbers: a move, maybe marks and comments, maybe variations.
fn line(board: &Board, numbers: &mut impl Iterator<Item = u32>, depth: u32) -> Vec<Played> {
    let mut board = board.clone();
    let mut moves = Vec::new();
    let length = numbers.next().unwrap_or(0) % 12 + 1;
    for ply in 0..length {
        let (Some(number), legal) = (numbers.next(), board.legal_moves()) else { break };
        let Some(&mv) = legal.get(number as usize % legal.len().max(1)) else { break };
        let mut played = Played::new(mv);
        match number / 256 % 8 {
            0 => played.comment = comment(number),
            1 => played.nags = vec![(number >> 16) as u8],
            2 if depth > 0 && ply == 0 => played.before = comment(number),
            3 if depth < 3 => played.variations = vec![line(&board, numbers, depth + 1)],
            4 if depth < 3 => {
                played.comment = comment(number);
                played.variations =
                    vec![line(&board, numbers, depth + 1), line(&board, numbers, depth + 1)];
            }
            _ => {}
        }
        played.variations.retain(|line| !line.is_empty());
        moves.push(played);
        board.make_move(mv, &mut ());
    }
    moves
}

/// Words that mean something elsewhere.
fn comment(number: u32) -> String {
    const WORDS: [&str; 12] =
        ["[%clk", "0:01:00]", "[Event", "\"x\"]", "%", "(", "}", "{", ";", "1-0", "Zürich♘", "e4"];
    let words = (0..number % 9 + 1).map(|i| WORDS[(number >> i) as usize % WORDS.len()]);
    words.collect::<Vec<_>>().join(" ")
}

fn read(text: &str) -> Vec<Game> {
    Reader::new(text.as_bytes()).games().map(|game| game.expect("bytes in memory")).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(300) })]

    #[test]
    fn written_games_are_read_again(
        numbers in prop::collection::vec(any::<u32>(), 0..200),
        names in prop::collection::vec("[^\\p{C}]{0,80}", 7),
        start in prop::sample::select(vec![
            "", "4k3/8/8/8/8/8/8/4K2R b K - 0 7",
            "nrbkqrnb/pppppppp/8/8/8/8/PPPPPPPP/NRBKQRNB w KQkq - 0 1",
        ]),
    ) {
        let board: Board = if start.is_empty() { Board::default() } else { start.parse().unwrap() };
        let mut numbers = numbers.into_iter();
        let roster = ["Event", "Site", "Date", "Round", "White", "Black", "Annotator"];
        let mut game = Game {
            preface: comment(numbers.next().unwrap_or(0)),
            moves: line(&board, &mut numbers, 0),
            result: GameResult::WhiteWins,
            ..Game::from_moves(board, &[])
        };
        game.tags = roster.iter().zip(names).map(|(tag, name)| ((*tag).to_owned(), name)).collect();
        game.tags.insert(6, ("Result".to_owned(), "1-0".to_owned()));
        if !start.is_empty() {
            game.tags.push(("SetUp".to_owned(), "1".to_owned()));
            game.tags.push(("FEN".to_owned(), start.to_owned()));
        }
        let text = game.to_string();
        // Two of them, so that nothing of the first runs into the second.
        let again = read(&format!("{text}\n{text}"));
        prop_assert_eq!(again.len(), 2, "{}", text);
        prop_assert_eq!(&again[0], &game, "{}", text);
        prop_assert_eq!(&Game { number: 1, ..again[1].clone() }, &game);
    }

    #[test]
    fn any_text_is_read_and_written(pieces in prop::collection::vec(
        prop::sample::select(vec![
            "[Event \"a\"]\n", "\n", "\r", "\n\n", "[", "]", "{", "}", "(", ")", ";", "%", "$", "$3",
            "\"", "\\", " ", "1.", "1...", "e4", "e5", "Nf3", "Sf3", "Rf1", "d4", "g1f3", "O-O", "--", "1-0", "*",
            "!?", "♘c6", "\u{fe0f}", "wörd", "[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n", "Nc6", "Kxe9",
        ]), 0..60))
    {
        let text = pieces.concat();
        for game in read(&text) {
            let again = read(&game.to_string());
            prop_assert_eq!(again.len(), 1, "{}", game);
            prop_assert_eq!(&again[0].moves, &game.moves, "{}", game);
            prop_assert_eq!(again[0].to_string(), game.to_string());
        }
    }
}
