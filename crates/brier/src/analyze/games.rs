//! The games of a PGN file: tags, moves and comments; what is wrong with a game, in words.
//!
//! Variations and marks of the file are skipped: this command makes its own.

use std::fs::File;
use std::io::BufReader;
use std::ops::ControlFlow;
use std::path::Path;

use chess::{Board, Move};
use engine::Position;
use pgn_reader::{Outcome, RawComment, RawTag, Reader, SanPlus, Visitor};

/// Values of the tag `Variant` that mean chess as this engine plays it, without spaces.
const VARIANTS: [&str; 8] = [
    "standard",
    "chess",
    "normal",
    "fromposition",
    "chess960",
    "fischerandom",
    "fischerrandom",
    "freestyle",
];

/// A game that can be replayed.
#[derive(Debug, Default)]
pub(crate) struct Game {
    /// Its place in the file, from 1.
    pub(crate) number: usize,
    /// As the file has them.
    pub(crate) tags: Vec<(String, String)>,
    pub(crate) start: Board,
    pub(crate) moves: Vec<Played>,
    /// A comment before the first move.
    pub(crate) preface: String,
    /// `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub(crate) result: String,
}

/// A move and what the file says about it.
#[derive(Debug)]
pub(crate) struct Played {
    pub(crate) mv: Move,
    pub(crate) comment: String,
}

/// A game that cannot be replayed.
#[derive(Debug)]
pub(crate) struct Fault {
    pub(crate) number: usize,
    pub(crate) reason: String,
}

impl Game {
    /// The moves of a position, without names.
    pub(crate) fn of(position: &Position) -> Self {
        let played = |&mv: &Move| Played { mv, comment: String::new() };
        Self {
            number: 1,
            start: position.start().clone(),
            moves: position.played().iter().map(played).collect(),
            result: "*".to_owned(),
            ..Self::default()
        }
    }

    /// A tag's value, unless it is missing or says that nothing is known.
    pub(crate) fn tag(&self, name: &str) -> Option<&str> {
        let (_, value) = self.tags.iter().find(|(tag, _)| tag == name)?;
        let unknown = value.is_empty() || value.starts_with('?') || value == "-";
        (!unknown).then_some(value)
    }

    /// Who played whom.
    pub(crate) fn players(&self) -> String {
        let name = |tag, nobody: &'static str| self.tag(tag).unwrap_or(nobody);
        format!("{} - {}", name("White", "White"), name("Black", "Black"))
    }

    /// Where, when, and how it ended.
    pub(crate) fn occasion(&self) -> String {
        let tags = ["Event", "Site", "Date"].into_iter().filter_map(|tag| self.tag(tag));
        // Of a date only what is known.
        let mut words: Vec<&str> = tags.map(|value| value.trim_end_matches(".??")).collect();
        words.dedup();
        words.push(if self.result == "*" { "unfinished" } else { &self.result });
        words.join(", ")
    }
}

/// All games of a file, good and bad; an error if it cannot be read or has none.
pub(crate) fn read(path: &Path) -> Result<Vec<Result<Game, Fault>>, String> {
    let at = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    let file = File::open(path).map_err(|error| at(&error))?;
    let games = read_from(BufReader::new(file)).map_err(|error| at(&error))?;
    if games.is_empty() {
        return Err(at(&"expected games in PGN, found none"));
    }
    Ok(games)
}

/// All games of a text, good and bad.
pub(crate) fn read_from(input: impl std::io::Read) -> std::io::Result<Vec<Result<Game, Fault>>> {
    let mut reader = Reader::build(input).set_supported_comment_length(1 << 16).finish();
    let mut collector = Collector;
    let mut games = Vec::new();
    while let Some(outcome) = reader.read_game(&mut collector)? {
        let number = games.len() + 1;
        match outcome {
            // A text that is not PGN at all looks like a game with nothing in it.
            Ok(game) if game.tags.is_empty() && game.moves.is_empty() => {}
            Ok(game) => games.push(Ok(Game { number, ..game })),
            Err(reason) => games.push(Err(Fault { number, reason })),
        }
    }
    Ok(games)
}

/// Listens to the reader.
struct Collector;

/// A game while it is read.
struct Builder {
    game: Game,
    board: Board,
    /// The result at the end of the moves, for games without the tag.
    outcome: Option<Outcome>,
}

impl Visitor for Collector {
    type Tags = Vec<(String, String)>;
    type Movetext = Builder;
    type Output = Result<Game, String>;

    fn begin_tags(&mut self) -> ControlFlow<Self::Output, Self::Tags> {
        ControlFlow::Continue(Vec::new())
    }

    fn tag(
        &mut self,
        tags: &mut Self::Tags,
        name: &[u8],
        value: RawTag<'_>,
    ) -> ControlFlow<Self::Output> {
        let name = String::from_utf8_lossy(name).into_owned();
        tags.push((name, value.decode_utf8_lossy().into_owned()));
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, tags: Self::Tags) -> ControlFlow<Self::Output, Builder> {
        let mut game = Game { tags, ..Game::default() };
        if let Some(variant) = game.tag("Variant") {
            let plain = variant.to_ascii_lowercase().replace(' ', "");
            if !VARIANTS.contains(&plain.as_str()) {
                return ControlFlow::Break(Err(format!(
                    "expected standard chess or Chess960, got the variant {variant:?}"
                )));
            }
        }
        if let Some(fen) = game.tag("FEN") {
            match fen.parse() {
                Ok(board) => game.start = board,
                Err(error) => return ControlFlow::Break(Err(format!("{error}"))),
            }
        }
        let board = game.start.clone();
        ControlFlow::Continue(Builder { game, board, outcome: None })
    }

    fn san(&mut self, builder: &mut Builder, san: SanPlus) -> ControlFlow<Self::Output> {
        let text = san.san.to_string();
        match builder.board.parse_san(&text) {
            Ok(mv) => {
                builder.board.make_move(mv, &mut ());
                builder.game.moves.push(Played { mv, comment: String::new() });
                ControlFlow::Continue(())
            }
            Err(error) => {
                let number = super::move_number(&builder.board);
                ControlFlow::Break(Err(format!("move {number} {text}: {error}")))
            }
        }
    }

    fn comment(
        &mut self,
        builder: &mut Builder,
        comment: RawComment<'_>,
    ) -> ControlFlow<Self::Output> {
        let game = &mut builder.game;
        let text = game.moves.last_mut().map_or(&mut game.preface, |played| &mut played.comment);
        for word in String::from_utf8_lossy(comment.as_bytes()).split_whitespace() {
            if !text.is_empty() {
                text.push(' ');
            }
            text.push_str(word);
        }
        ControlFlow::Continue(())
    }

    fn outcome(&mut self, builder: &mut Builder, outcome: Outcome) -> ControlFlow<Self::Output> {
        builder.outcome = Some(outcome);
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, builder: Builder) -> Self::Output {
        let Builder { mut game, outcome, .. } = builder;
        let known = game.tag("Result").filter(|r| ["1-0", "0-1", "1/2-1/2"].contains(r));
        game.result = match (known, outcome) {
            (Some(result), _) => result.to_owned(),
            (None, Some(outcome)) => outcome.to_string(),
            (None, None) => "*".to_owned(),
        };
        Ok(game)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Vec<Result<Game, Fault>> {
        read_from(text.as_bytes()).unwrap()
    }

    #[test]
    fn keeps_tags_moves_and_comments() {
        let games = parse(
            "[White \"A \\\"B\\\" C\"]\n[Black \"?\"]\n[Event \"Cup\"]\n[Date \"1900.??.??\"]\n\n\
             {first} 1. e4 $1 {best  by\ntest} (1. d4 d5) e5! 2. Nf3 1/2-1/2\n",
        );
        let [Ok(game)] = &games[..] else { panic!("{games:?}") };
        assert_eq!((game.number, game.moves.len()), (1, 3));
        assert_eq!(game.players(), "A \"B\" C - Black");
        assert_eq!(game.occasion(), "Cup, 1900, 1/2-1/2");
        assert_eq!(
            (game.preface.as_str(), game.moves[0].comment.as_str()),
            ("first", "best by test")
        );
    }

    #[test]
    fn a_bad_game_says_why_and_the_next_one_is_read() {
        let games = parse(
            "[White \"A\"]\n\n1. e4 e5 2. Qh6 Nc6 *\n\n[White \"B\"]\n\n1. d4 *\n\n\
             [FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n\n1. e4 *\n\n[Variant \"Atomic\"]\n\n1. e4 *\n",
        );
        let faults: Vec<_> = games.iter().filter_map(|game| game.as_ref().err()).collect();
        let numbers: Vec<_> = faults.iter().map(|fault| fault.number).collect();
        assert_eq!(numbers, [1, 3, 4]);
        assert!(faults[0].reason.starts_with("move 2. Qh6: expected a legal move"));
        assert!(faults[1].reason.starts_with("FEN"), "{}", faults[1].reason);
        assert!(faults[2].reason.contains("Atomic"));
        assert_eq!(games[1].as_ref().unwrap().number, 2);
    }

    #[test]
    fn chess960_and_black_to_move() {
        let games = parse(
            "[Variant \"Chess960\"]\n[FEN \"nrbkqrnb/pppppppp/8/8/8/8/PPPPPPPP/NRBKQRNB w KQkq - 0 1\"]\n\n\
             1. e4 e5 *\n\n[FEN \"4k3/8/8/8/8/8/8/4K2R b K - 0 7\"]\n\n7... Ke7 8. O-O Qd1 *\n",
        );
        assert_eq!(games[0].as_ref().unwrap().moves.len(), 2);
        assert!(games[1].as_ref().err().unwrap().reason.starts_with("move 8... Qd1"));
    }

    #[test]
    fn other_texts_hold_no_games() {
        assert!(parse("").is_empty());
        assert!(parse("this is not a game, and neither is this\n").is_empty());
        let missing = read(Path::new("no/such/file.pgn")).err().unwrap();
        assert!(missing.starts_with("no/such/file.pgn: "));
    }
}
