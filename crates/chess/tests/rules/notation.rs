//! What is written can be read, in random games of both kinds of chess.

use crate::random::random_game;
use crate::support::{for_each_parallel, perft_file};
use chess::notation::epd::Epd;
use chess::notation::uci::CastlingForm;
use chess::{Board, Move, Rng};

#[test]
fn positions_survive_being_written() {
    for file in ["chess960.epd", "tricky-chess960.epd", "tricky.epd"] {
        for_each_parallel(&perft_file(file), |case| {
            let mut rng = Rng::new(case.counts[0].1);
            random_game(&case.board(), &mut rng, |board, _| {
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
    let forms =
        [("chess960.epd", CastlingForm::Chess960), ("standard.epd", CastlingForm::Standard)];
    for (file, form) in forms {
        for_each_legal_move(file, |board, mv| {
            let text = mv.uci(form).to_string();
            assert_eq!(board.parse_uci(&text), Ok(mv), "{text} in {board}");
        });
    }
}

#[test]
fn san_survives_being_written() {
    for file in ["tricky-chess960.epd", "standard.epd"] {
        for_each_legal_move(file, |board, mv| {
            let text = board.san(mv).to_string();
            assert_eq!(board.parse_san(&text), Ok(mv), "{text} in {board}");
        });
    }
}

#[test]
fn epd_survives_being_written() {
    let starts = perft_file("chess960.epd");
    for_each_parallel(&starts, |case| {
        random_game(&case.board(), &mut Rng::new(3), |board, mv| {
            let fen = board.to_string();
            let fields: Vec<&str> = fen.split(' ').collect();
            let (position, clock, number) = (fields[..4].join(" "), fields[4], fields[5]);
            let san = board.san(mv);
            let text = format!("{position} hmvc {clock}; fmvn {number}; bm {san}; id \"a; b\";");
            let epd = Epd::parse(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(epd.board, *board);
            assert_eq!(epd.moves("bm").collect::<Vec<_>>(), [Ok(mv)]);
            assert_eq!(epd.to_string(), text);
        });
    });
}

fn for_each_legal_move(file: &str, check: impl Fn(&Board, Move) + Sync) {
    for_each_parallel(&perft_file(file), |case| {
        let mut rng = Rng::new(case.counts[0].1);
        random_game(&case.board(), &mut rng, |board, _| {
            for mv in &board.legal_moves() {
                check(board, mv);
            }
        });
    });
}
