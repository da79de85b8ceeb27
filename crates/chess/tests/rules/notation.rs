//! What is written can be read, in random games of both kinds of chess.

use crate::support::{Random, for_each_parallel, perft_file, random_game};
use chess::Board;
use chess::notation::uci::CastlingForm;

#[test]
fn positions_survive_being_written() {
    for file in ["chess960.epd", "tricky-chess960.epd", "tricky.epd"] {
        for_each_parallel(&perft_file(file), |case| {
            let mut random = Random(case.counts[0].1);
            random_game(&case.board(), &mut random, |board, _| {
                let plain: Board = board.to_string().parse().expect("X-FEN");
                assert_eq!(plain, *board);
                let files: Board = board.shredder_fen().to_string().parse().expect("Shredder-FEN");
                assert_eq!(files, *board);
            });
        });
    }
}

#[test]
fn uci_moves_survive_being_written() {
    for_each_parallel(&perft_file("chess960.epd"), |case| {
        let mut random = Random(case.counts[0].1);
        random_game(&case.board(), &mut random, |board, _| {
            for mv in &board.legal_moves() {
                let text = mv.uci(CastlingForm::Chess960).to_string();
                assert_eq!(board.parse_uci(&text), Ok(mv), "{text} in {board}");
            }
        });
    });
    for_each_parallel(&perft_file("standard.epd"), |case| {
        let mut random = Random(case.counts[0].1);
        random_game(&case.board(), &mut random, |board, _| {
            for mv in &board.legal_moves() {
                let text = mv.uci(CastlingForm::Standard).to_string();
                assert_eq!(board.parse_uci(&text), Ok(mv), "{text} in {board}");
            }
        });
    });
}
