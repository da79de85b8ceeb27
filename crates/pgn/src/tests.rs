//! Whole texts: what is read, what is said, and what stays in spite of all.

use crate::{Fault, Game, GameResult, MOST_BYTES, MOST_PLIES, Reader, Reason};

fn read(text: impl AsRef<[u8]>) -> Vec<Game> {
    Reader::new(text.as_ref()).games().map(|game| game.expect("bytes in memory")).collect()
}

fn sans(game: &Game) -> String {
    let boards = game.positions();
    let words: Vec<_> =
        boards.zip(&game.moves).map(|(board, played)| board.san(played.mv).to_string()).collect();
    words.join(" ")
}

fn faults(game: &Game) -> Vec<String> {
    game.faults.iter().map(Fault::to_string).collect()
}

#[test]
fn keeps_tags_moves_marks_comments_and_variations() {
    let games = read(
        "[White \"A \\\"B\\\" C\"]\n[Black \"?\"]\n[Result \"1/2-1/2\"]\n\n\
         {first} 1. e4 $1 {best  by\ntest} (1. d4 d5 (1... Nf6 {Indian}) 2. c4) ({or} 1. c4) e5! \
         2. Nf3 ; a line\n1/2-1/2\n",
    );
    let [game] = &games[..] else { panic!("{games:?}") };
    assert_eq!((game.tag("White"), game.tag("Black")), (Some("A \"B\" C"), None));
    assert_eq!((game.preface.as_str(), sans(game).as_str()), ("first", "e4 e5 Nf3"));
    assert_eq!(game.moves[0].nags, [1]);
    assert_eq!(game.moves[0].comment, "best by test");
    assert_eq!(game.moves[0].variations[0][1].variations[0][0].comment, "Indian");
    assert_eq!(game.moves[0].variations[1][0].before, "or");
    assert_eq!(
        (game.moves[1].nags.as_slice(), game.moves[2].comment.as_str()),
        (&[1][..], "a line")
    );
    assert_eq!((game.result, game.faults.len()), (GameResult::Draw, 0));
    assert_eq!(
        game.to_string(),
        "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n\
         [White \"A \\\"B\\\" C\"]\n[Black \"?\"]\n[Result \"1/2-1/2\"]\n\n\
         { first } 1. e4 $1 { best by test } ( 1. d4 d5 ( 1... Nf6 { Indian } ) 2. c4 )\n\
         ( { or } 1. c4 ) 1... e5 $1 2. Nf3 { a line } 1/2-1/2\n"
    );
}

#[test]
fn an_open_brace_spoils_one_game_only() {
    let games = read(
        "[Event \"a\"]\n\n1. e4 e5 *\n\n[Event \"b\"]\n\n1. d4 {never closed\nd5 2. c4 *\n\n\
         [Event \"c\"]\n\n1. c4 *\n",
    );
    assert_eq!(games.iter().map(sans).collect::<Vec<_>>(), ["e4 e5", "d4", "c4"]);
    assert_eq!(games[1].number, 2);
    assert_eq!(faults(&games[1]), ["line 7: expected \"}\" at the end of a comment, got none"]);
    assert!(games[1].cut().is_some() && games[1].moves[0].comment.ends_with("d5 2. c4 *"));
    assert!(games[2].faults.is_empty());
}

#[test]
fn a_huge_tag_spoils_one_game_only() {
    let text = format!(
        "[Event \"a\"]\n\n1. e4 *\n\n[Event \"{}\"]\n[White \"W\"]\n\n1. d4 *\n\n[Event \"c\"]\n\n1. c4 *\n",
        "x".repeat(1 << 20)
    );
    let games = read(text);
    assert_eq!(games.iter().map(sans).collect::<Vec<_>>(), ["e4", "d4", "c4"]);
    assert_eq!(games[1].tag("White"), Some("W"));
    assert!(faults(&games[1])[0].starts_with("line 5: expected at most 4096 bytes"));
    assert!(games[1].cut().is_none());
}

#[test]
fn a_game_without_end_takes_no_memory() {
    let text = format!(
        "[Event \"a\"]\n\n1. e4 {{{}\n\n[Event \"b\"]\n\n1. d4 *\n",
        "word ".repeat(MOST_BYTES / 4)
    );
    let mut reader = Reader::new(text.as_bytes());
    let first = reader.next_game().unwrap().unwrap().game();
    assert!(matches!(first.faults[0].reason, Reason::Bytes(_)), "{:?}", first.faults);
    assert_eq!(sans(&first), "e4");
    assert_eq!(sans(&reader.next_game().unwrap().unwrap().game()), "d4");
    assert!(reader.next_game().unwrap().is_none());
}

#[test]
fn plies_and_depth_have_ends() {
    let shuffle = "Nf3 Nf6 Ng1 Ng8 ".repeat(MOST_PLIES / 4);
    let game = read(format!("{shuffle} e4 e5 1-0")).remove(0);
    assert_eq!((game.moves.len(), game.result), (MOST_PLIES, GameResult::WhiteWins));
    assert_eq!(game.cut().unwrap().reason, Reason::Plies);
    assert!(game.moves[MOST_PLIES - 1].comment.ends_with("e4 e5 1-0"));
    assert!(read(format!("{shuffle} 1-0"))[0].faults.is_empty());

    let deep = read(format!("1. e4 {} {} e5 *", "( 1. d4 ".repeat(100_000), ")".repeat(100_000)));
    assert_eq!(sans(&deep[0]), "e4 e5");
    assert_eq!(deep[0].faults[0].reason, Reason::Nesting);
    assert!(read("(".repeat(1 << 16) + "e4")[0].moves.is_empty());
}

#[test]
fn an_illegal_move_leaves_what_came_before() {
    let games = read(
        "[White \"A\"]\n\n1. e4 e5\n2. Qh6 {oh} Nc6 1-0\n\n[White \"B\"]\n\n1. d4 (1. e5 d5) d5 *\n\n\
         [FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n\n1. e4 *\n\n[Variant \"Atomic\"]\n\n1. e4 *\n",
    );
    assert_eq!(games.len(), 4);
    assert_eq!((sans(&games[0]).as_str(), games[0].result), ("e4 e5", GameResult::WhiteWins));
    assert!(faults(&games[0])[0].starts_with("line 4: move 2. Qh6: expected a legal move"));
    assert_eq!(games[0].moves[1].comment, "unread: Qh6 (oh) Nc6 1-0");
    assert_eq!(
        (sans(&games[1]).as_str(), games[1].moves[0].comment.as_str()),
        ("d4 d5", "unread: e5 d5")
    );
    assert!(games[1].cut().is_none() && games[1].faults.len() == 1);
    assert!(faults(&games[2])[0].starts_with("line 10: FEN"), "{:?}", faults(&games[2]));
    assert!(games[2].is_unreadable() && games[3].is_unreadable());
    assert_eq!(games[2].preface, "unread: 1. e4 *");
    assert!(faults(&games[3])[0].contains("Atomic"));
}

#[test]
fn languages_are_properties_of_games() {
    let games = read(
        "[Event \"German\"]\n\n1. e4 e5 2. Sf3 Sc6 3. Lb5 a6 4. Lxc6 dxc6 5. O-O Dd6 6. Te1 *\n\n\
         [Event \"French\"]\n\n1. e4 e5 2. Cf3 Cc6 3. Fb5 Cf6 4. O-O Cxe4 5. Te1 Cd6 6. Rh1 *\n\n\
         [Event \"Spanish\"]\n\n1. e4 e5 2. Cf3 Cc6 3. Ab5 Cf6 4. Re2 De7 *\n\n\
         [Event \"Dutch\"]\n\n1. e4 e5 2. Pf3 Pc6 3. Lb5 Pf6 4. Ke2 De7 *\n\n\
         [Event \"figurines\"]\n\n1. e4 e5 2. ♘f3 ♞c6 3. ♗b5 *\n\n\
         [Event \"long\"]\n\n1. e2-e4 e7-e5 2. Ng1-f3 Nb8-c6 *\n\n\
         [Event \"engine\"]\n\n1. e2e4 e7e5 2. g1f3 b8c6 *\n",
    );
    let moves: Vec<_> = games.iter().map(sans).collect();
    assert_eq!(
        moves,
        [
            "e4 e5 Nf3 Nc6 Bb5 a6 Bxc6 dxc6 O-O Qd6 Re1",
            "e4 e5 Nf3 Nc6 Bb5 Nf6 O-O Nxe4 Re1 Nd6 Kh1",
            "e4 e5 Nf3 Nc6 Bb5 Nf6 Ke2 Qe7",
            "e4 e5 Nf3 Nc6 Bb5 Nf6 Ke2 Qe7",
            "e4 e5 Nf3 Nc6 Bb5",
            "e4 e5 Nf3 Nc6",
            "e4 e5 Nf3 Nc6",
        ]
    );
    assert!(games.iter().all(|game| game.faults.is_empty()), "{games:?}");
}

#[test]
fn encodings_are_recognised() {
    let name = |bytes: &[u8]| read(bytes)[0].tag("White").unwrap().to_owned();
    assert_eq!(name("[White \"Müller\"]\n\n1. e4 *".as_bytes()), "Müller");
    assert_eq!(name(b"[White \"M\xfcller\"]\n\n1. e4 *"), "Müller");
    assert_eq!(name(b"[White \"\x93M\x94\"]\n\n1. e4 *"), "“M”");
    let wide: Vec<u8> =
        "[White \"Müller\"]\n\n1. e4 *\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert_eq!(name(&wide), "Müller");
    // Old Mac files end lines with a carriage return alone.
    assert_eq!(read("[Event \"a\"]\r\r1. e4 *\r\r[Event \"b\"]\r\r1. d4 *\r").len(), 2);
    assert_eq!(read("[Event \"a\"]\r\n\r\n1. e4 *\r\n\r\n[Event \"b\"]\r\n").len(), 2);
}

#[test]
fn words_that_are_no_moves_stay_as_comments() {
    let game = read("1. e4 e5 White resigns 0-1").remove(0);
    assert_eq!((sans(&game).as_str(), game.moves[1].comment.as_str()), ("e4 e5", "White resigns"));
    assert_eq!((game.faults.len(), game.result), (2, GameResult::BlackWins));
    assert!(game.cut().is_none());
    assert!(faults(&game)[0].contains("\"White\""));
    // A null move changes who is to move: nothing after it can be read.
    let game = read("1. e4 e5 (1... -- 2. d4) 2. Nf3 *").remove(0);
    assert_eq!(sans(&game), "e4 e5 Nf3");
    assert_eq!(game.moves[1].comment, "unread: -- 2. d4");
    assert!(read(format!("1. e4 {} *", "nonsense ".repeat(100)))[0].faults.len() < 20);
}

#[test]
fn games_without_tags_and_texts_without_games() {
    assert_eq!(read("1. e4 e5 1-0\n\n1. d4 d5 0-1\n").len(), 2);
    assert_eq!(read("1. e4 e5 1-0 {resigns}\n\n{too late}\n\n1. d4 d5 0-1\n").len(), 2);
    assert_eq!(read("[Event \"a\"]\n\n[Event \"b\"]\n\n1. e4 *\n").len(), 2);
    assert_eq!(read("% escaped\n[Event \"a\"]\n\n1. e4\n% e5\nc5 *\n")[0].moves.len(), 2);
    assert!(read("").is_empty());
    assert!(read("this is not a game, and neither is this\n").is_empty());
    assert!(read("<html>\n<body>\n").is_empty());
    let after = read("1. e4 1-0 1. d4 d5").remove(0);
    assert!(matches!(after.cut().unwrap().reason, Reason::AfterResult(_)), "{after:?}");
}

#[test]
fn chess960_and_black_to_move() {
    let games = read(
        "[Variant \"Chess960\"]\n[FEN \"nrbkqrnb/pppppppp/8/8/8/8/PPPPPPPP/NRBKQRNB w KQkq - 0 1\"]\n\n\
         1. e4 e5 *\n\n[FEN \"4k3/8/8/8/8/8/8/4K2R b K - 0 7\"]\n\n7... Ke7 8. O-O Qd1 *\n",
    );
    assert_eq!((games[0].moves.len(), games[1].moves.len()), (2, 2));
    assert!(faults(&games[1])[0].contains("move 8... Qd1"));
    assert!(games[1].to_string().contains("7... Ke7 8. O-O { unread: Qd1 * } *\n"));
}

#[test]
fn what_is_written_survives_reading() {
    // Comments that look like tags, escapes and brackets at every place of a line.
    for pad in 0..90 {
        let text = format!(
            "1. e4 {{{} [Event \"x\"] % [%clk 0:01:00] ( }} 1... e5 ; a }} b {{\n2. Nf3 *",
            "x".repeat(pad + 1)
        );
        let game = read(text).remove(0);
        let again = read(game.to_string()).remove(0);
        assert_eq!((&again.moves, again.faults.len()), (&game.moves, 0), "{game}");
        assert_eq!(game.to_string(), again.to_string());
    }
}

#[test]
fn the_main_line_alone() {
    let text =
        "[Event \"a\"]\n\n1. e4 {book} (1. d4 (1. c4 c5)) e5 $2 word 2. Nf3 {x} Qh1 3. d4 *\n";
    let mut reader = Reader::new(text.as_bytes());
    let raw = reader.next_game().unwrap().unwrap();
    let mut line = raw.main_line().unwrap();
    let items: Vec<String> = line.by_ref().map(|item| format!("{item:?}")).collect();
    assert_eq!(items.len(), 6, "{items:?}");
    assert!(items[1].contains("book") && items[5].contains("line: 3"), "{items:?}");
    assert_eq!(line.board().fullmove_number(), 2);
}

#[test]
fn names_for_people() {
    let game = |tags: &str| read(format!("{tags}\n\n1. e4 1/2-1/2")).remove(0);
    let named = game("[White \"A\"]\n[Black \"?\"]\n[Event \"Cup\"]\n[Date \"1900.??.??\"]");
    assert_eq!(named.players(), "A - Black");
    assert_eq!(named.occasion(), "Cup, 1900, 1/2-1/2");
    assert_eq!(read("1. e4 *")[0].occasion(), "unfinished");
}
