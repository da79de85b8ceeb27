//! The promises of `oracle_tests` on texts made up at random: noise, the letters of the
//! notation in any order, and right texts with a few letters changed.

use chess::Board;
use chess::notation::uci::CastlingForm;
use oracle_tests::{check_epd, check_fen, check_san, check_uci_move};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;

const STARTS: [&str; 5] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "nrbkqbrn/pppppppp/8/8/8/8/PPPPPPPP/NRBKQBRN w GBgb - 0 1",
    "rr2k1rr/8/8/8/8/8/8/RR2K1RR w GBgb - 0 1",
];

/// A position some random moves into a game of chess or Chess960.
fn any_board() -> impl Strategy<Value = Board> {
    let start = proptest::sample::select(&STARTS[..]);
    (start, vec(any::<Index>(), 0..120)).prop_map(|(start, choices)| {
        let mut board: Board = start.parse().expect("a legal position");
        for choice in choices {
            let moves = board.legal_moves();
            if moves.is_empty() {
                break;
            }
            board.make_move(*choice.get(&moves), &mut ());
        }
        board
    })
}

/// A change of one letter: where, and what to put there.
type Change = (Index, Option<char>, bool);

fn any_changes() -> impl Strategy<Value = Vec<Change>> {
    let letter = prop_oneof![
        proptest::sample::select(
            "PNBRQKpnbrqk12345678/ -wabcdefgh;\"=+#xO0".chars().collect::<Vec<_>>()
        ),
        any::<char>(),
    ];
    vec((any::<Index>(), proptest::option::of(letter), any::<bool>()), 0..4)
}

/// Replaces, inserts or removes single letters.
fn changed(text: &str, changes: &[Change]) -> String {
    let mut letters: Vec<char> = text.chars().collect();
    for (place, letter, insert) in changes {
        let place = place.index(letters.len() + 1);
        if !insert && place < letters.len() {
            letters.remove(place);
        }
        if let Some(letter) = letter {
            letters.insert(place.min(letters.len()), *letter);
        }
    }
    letters.into_iter().collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn noise_is_refused_politely(text in ".*") {
        check_fen(&text);
        check_epd(&text);
        check_san(&Board::default(), &text);
        check_uci_move(&Board::default(), &text);
    }

    #[test]
    fn letters_in_any_order(
        fen in "[PNBRQKpnbrqk1-8/]{1,72} [wb] [KQkqA-Ha-h-]{1,4} (-|[a-h][36])( [0-9]{1,6}){0,3}",
        mv in "[KQRBN]?[a-h]?[1-8]?x?[a-h][1-8](=?[QRBNK])?[+#!?]{0,2}",
        uci in "[a-h][1-9][a-h][1-9][nbrqk]?",
    ) {
        check_fen(&fen);
        check_san(&Board::default(), &mv);
        check_uci_move(&Board::default(), &uci);
    }

    #[test]
    fn changed_positions(board in any_board(), changes in any_changes()) {
        check_fen(&changed(&board.to_string(), &changes));
        check_fen(&changed(&board.shredder_fen().to_string(), &changes));
    }

    #[test]
    fn changed_operations(board in any_board(), changes in any_changes()) {
        let Some(&mv) = board.legal_moves().first() else { return Ok(()) };
        let line = format!("{board} bm {}; id \"a; b\"; c0 x \"y\" z;", board.san(mv));
        check_epd(&changed(&line, &changes));
    }

    #[test]
    fn changed_moves(board in any_board(), choice in any::<Index>(), changes in any_changes()) {
        let moves = board.legal_moves();
        if moves.is_empty() {
            return Ok(());
        }
        let mv = *choice.get(&moves);
        check_san(&board, &changed(&board.san(mv).to_string(), &changes));
        for form in [CastlingForm::Standard, CastlingForm::Chess960] {
            check_uci_move(&board, &changed(&mv.uci(form).to_string(), &changes));
        }
    }
}
