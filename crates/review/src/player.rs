//! Whose games these are: a name as its owner writes it, found in the tags of games.

use chess::Color;
use pgn::Game;

/// A player who is asked about.
#[derive(Clone, Debug)]
pub struct Player {
    name: String,
    words: Vec<String>,
}

impl Player {
    /// By name. All its words must stand in a tag, in any order and case: `Magnus Carlsen` is
    /// `Carlsen, Magnus`, and so is `carlsen`. None if there is no word in it.
    pub fn new(name: &str) -> Option<Self> {
        let words = words(name);
        (!words.is_empty()).then(|| Self { name: name.trim().to_owned(), words })
    }

    /// As it was given.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The player's side in a game; none if it is not the player's, or both sides are.
    pub fn side(&self, game: &Game) -> Option<Color> {
        let plays = |tag| {
            let found = words(game.tag(tag).unwrap_or_default());
            self.words.iter().all(|word| found.contains(word))
        };
        match (plays("White"), plays("Black")) {
            (true, false) => Some(Color::White),
            (false, true) => Some(Color::Black),
            _ => None,
        }
    }
}

fn words(name: &str) -> Vec<String> {
    let parts =
        name.split(|letter: char| !letter.is_alphanumeric() && letter != '_' && letter != '-');
    parts.filter(|word| !word.is_empty()).map(str::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_in_any_order() {
        let text = "[White \"Carlsen, Magnus\"]\n[Black \"Müller\"]\n\n1. e4 *";
        let game = pgn::Reader::new(text.as_bytes()).games().next().unwrap().unwrap();
        let side = |name: &str| Player::new(name).unwrap().side(&game);
        assert_eq!(side("magnus carlsen"), Some(Color::White));
        assert_eq!(side("MÜLLER"), Some(Color::Black));
        assert_eq!((side("Carl"), side("Carlsen Müller")), (None, None));
        assert!(Player::new(" , ").is_none());
    }
}
