//! Many games in numbers: by colour, opening, phase, time and opponent, with intervals.
//!
//! Seen from one player's side, if one is named; else over both sides. An interval counts games and
//! not moves, and where there are too few of them it says so.

use std::collections::BTreeMap;
use std::fmt::Write;

use chess::Color;
use pgn::{Game, GameResult};

use crate::phase::Phase;
use crate::player::Player;
use crate::review::{Review, Step};
use crate::sample::{Ratio, Sample};
use crate::summary::with_error;

/// Rows of a table that are shown.
const ROWS: usize = 20;

/// The tables, in the order in which they are shown.
#[derive(Copy, Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum Topic {
    /// Everything together.
    All,
    /// White or Black.
    Colour,
    /// Opening, middlegame, endgame.
    Phase,
    /// In time trouble or not.
    Time,
    /// Families of openings.
    Opening,
    /// By the difference of ratings.
    Strength,
    /// By name.
    Opponent,
}

impl Topic {
    /// Its name for programs.
    pub fn word(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::Colour => "colour",
            Self::Phase => "phase",
            Self::Time => "time",
            Self::Opening => "opening",
            Self::Strength => "strength",
            Self::Opponent => "opponent",
        }
    }

    /// The name of a group as people read it. Phases have a number, for their order is not that of the
    /// alphabet.
    fn shown(self, name: &str) -> &str {
        let is_number = |letter: char| self == Self::Phase && letter.is_ascii_digit();
        name.trim_start_matches(is_number)
    }
}

/// Games that have something in common.
#[derive(Clone, Debug, Default)]
pub struct Group {
    /// Results: the player's, or White's.
    pub score: Sample,
    /// Points lost, by how many judged moves.
    pub loss: Ratio,
}

/// The sum over many games.
#[derive(Default)]
pub struct Overview {
    player: Option<Player>,
    groups: BTreeMap<(Topic, String), Group>,
    games: usize,
}

/// A row of a table, ready to be shown.
pub struct Row {
    /// What the games have in common.
    pub name: String,
    /// How many there are.
    pub games: usize,
    /// The mean result, with its error.
    pub score: String,
    /// Judged moves.
    pub moves: usize,
    /// The mean loss of a move, with its error.
    pub loss: String,
    /// What can be said, in words.
    pub remark: &'static str,
}

impl Overview {
    /// Over both sides, or from the side of a player.
    pub fn new(player: Option<Player>) -> Self {
        Self { player, ..Self::default() }
    }

    /// Whose games are counted.
    pub fn player(&self) -> Option<&Player> {
        self.player.as_ref()
    }

    /// How many games have been counted.
    pub fn games(&self) -> usize {
        self.games
    }

    /// Counts a game; not if it is none of the player's.
    pub fn add(&mut self, review: &Review) {
        let side = match &self.player {
            None => None,
            Some(player) => match player.side(&review.game) {
                Some(side) => Some(side),
                None => return,
            },
        };
        self.games += 1;
        let game = &review.game;
        let score = score(game.result, side.unwrap_or(Color::White));
        let mut add = |topic, name: &str, is_wanted: &dyn Fn(&Step) -> bool| {
            let steps = review.steps.iter().filter(|step| {
                let mine = side.is_none_or(|side| step.before.side_to_move() == side);
                mine && !step.is_book && is_wanted(step)
            });
            let losses: Vec<f64> = steps.map(|step| step.loss).collect();
            let group = self.groups.entry((topic, name.to_owned())).or_default();
            group.loss.add(losses.iter().sum(), losses.len());
            // A phase has no result.
            if let Some(score) = score.filter(|_| !matches!(topic, Topic::Phase | Topic::Time)) {
                group.score.add(score);
            }
        };
        add(Topic::All, "All games", &|_| true);
        if let Some(side) = side {
            add(Topic::Colour, &format!("As {side}"), &|_| true);
            add(Topic::Opponent, opponent(game, side), &|_| true);
            if let Some(name) = strength(game, side) {
                add(Topic::Strength, name, &|_| true);
            }
        }
        for (index, phase) in Phase::ALL.into_iter().enumerate() {
            let name = format!("{index}In the {}", phase.word());
            add(Topic::Phase, &name, &|step| Phase::of(&step.before) == phase);
        }
        if review.steps.iter().any(|step| step.time.left.is_some()) {
            add(Topic::Time, "In time trouble", &|step| step.time.is_trouble);
            add(Topic::Time, "Otherwise", &|step| !step.time.is_trouble);
        }
        let opening = review.known.opening.map_or("Unknown", |opening| opening.name);
        add(Topic::Opening, opening.split(':').next().unwrap_or(opening), &|_| true);
    }

    /// All groups with the names of what their games have in common.
    pub fn groups(&self) -> impl Iterator<Item = (Topic, &str, &Group)> {
        self.groups.iter().map(|((topic, name), group)| (*topic, topic.shown(name), group))
    }

    /// The rows of a table, most games first.
    pub fn rows(&self, topic: Topic) -> Vec<Row> {
        let usual = self.groups.get(&(Topic::All, "All games".to_owned()));
        let usual = usual.and_then(|group| group.loss.mean()).map_or(0.0, |mean| mean.value);
        let groups = self.groups.iter().filter(|((found, _), _)| *found == topic);
        let mut rows: Vec<Row> = groups
            .filter(|(_, group)| group.loss.games() > 0)
            .map(|((_, name), group)| Row {
                name: topic.shown(name).to_owned(),
                games: group.loss.games(),
                score: with_error(group.score.mean(), 2),
                moves: group.loss.moves(),
                loss: with_error(group.loss.mean(), 3),
                remark: if topic == Topic::All { "" } else { remark(&group.loss, usual) },
            })
            .collect();
        if topic != Topic::Phase {
            rows.sort_by_key(|row| std::cmp::Reverse(row.games));
        }
        rows.truncate(ROWS);
        rows
    }

    /// The tables that have something to say, with their titles.
    pub fn tables(&self) -> Vec<(&'static str, Vec<Row>)> {
        let topics = [
            (Topic::All, "All games"),
            (Topic::Colour, "Colour"),
            (Topic::Phase, "Phases"),
            (Topic::Time, "Time"),
            (Topic::Opening, "Openings"),
            (Topic::Strength, "Strength of the opponent"),
            (Topic::Opponent, "Opponents"),
        ];
        let tables = topics.map(|(topic, title)| (topic, title, self.rows(topic)));
        // Without time trouble there is nothing to compare.
        let says = |topic, rows: &[Row]| rows.len() > usize::from(topic == Topic::Time);
        let tables = tables.into_iter().filter(|(topic, _, rows)| says(*topic, rows));
        tables.map(|(_, title, rows)| (title, rows)).collect()
    }

    /// What the scores are.
    pub fn score_title(&self) -> &'static str {
        if self.player.is_some() { "Score" } else { "White's score" }
    }

    /// For a terminal.
    pub fn text(&self) -> String {
        let whose =
            self.player.as_ref().map_or(String::new(), |player| format!(" of {}", player.name()));
        let mut text = format!("{} games{whose}; ± is half of a 95 % interval\n", self.games);
        let score = self.score_title();
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "{:<32} {:>6} {score:>14} {:>7} {:>18}",
            "", "games", "moves", "points lost a move"
        );
        for (title, rows) in self.tables() {
            let _ = writeln!(text, "{title}");
            for row in rows {
                let name: String = row.name.chars().take(30).collect();
                let line = format!(
                    "  {name:<30} {:>6} {:>14} {:>7} {:>18}  {}",
                    row.games, row.score, row.moves, row.loss, row.remark
                );
                let _ = writeln!(text, "{}", line.trim_end());
            }
        }
        text
    }
}

/// What can be said about a group against the mean of all games.
fn remark(loss: &Ratio, usual: f64) -> &'static str {
    let Some(mean) = loss.mean() else { return "" };
    match mean.error {
        Some(error) => {
            if mean.value - error > usual {
                "worse than usual"
            } else if mean.value + error < usual {
                "better than usual"
            } else {
                ""
            }
        }
        None => "too few games to tell",
    }
}

fn score(result: GameResult, side: Color) -> Option<f64> {
    let white = match result {
        GameResult::WhiteWins => 1.0,
        GameResult::Draw => 0.5,
        GameResult::BlackWins => 0.0,
        GameResult::Unknown => return None,
    };
    Some(if side == Color::White { white } else { 1.0 - white })
}

fn opponent(game: &Game, side: Color) -> &str {
    let tag = if side == Color::White { "Black" } else { "White" };
    game.tag(tag).unwrap_or("Unknown")
}

/// The opponent's rating against the player's own.
fn strength(game: &Game, side: Color) -> Option<&'static str> {
    let rating = |tag: &str| game.tag(tag)?.parse::<i32>().ok();
    let (white, black) = (rating("WhiteElo")?, rating("BlackElo")?);
    let difference = if side == Color::White { black - white } else { white - black };
    Some(match difference {
        101.. => "More than 100 points stronger",
        ..=-101 => "More than 100 points weaker",
        _ => "About as strong",
    })
}

#[cfg(test)]
mod tests {
    use chess::Board;

    use super::*;
    use crate::review::tests::review;

    fn game(white: &str, black: &str, score: i32) -> Review {
        let tags = [("White", white), ("Black", black), ("WhiteElo", "2000"), ("BlackElo", "1500")];
        let mut review = review(
            &Board::default(),
            &tags,
            &[("e4", score, "d4"), ("e5", 200, "c5"), ("d3", 200, "d3")],
        );
        review.game.result = GameResult::WhiteWins;
        review
    }

    #[test]
    fn a_player_sees_the_own_moves_and_both_colours() {
        let mut overview = Overview::new(Player::new("me"));
        for index in 0..6 {
            overview.add(&game("Me", "Other", -100 - index));
        }
        overview.add(&game("Other", "Me", -100));
        overview.add(&game("Somebody", "Else", -900));
        assert_eq!(overview.games(), 7);
        let colours = overview.rows(Topic::Colour);
        assert_eq!(
            (colours[0].name.as_str(), colours[0].games, colours[0].moves),
            ("As White", 6, 12)
        );
        assert_eq!(colours[1].remark, "too few games to tell");
        assert_eq!(colours[0].score, "1.00 ± 0.00");
        assert_eq!(overview.rows(Topic::Strength)[0].name, "More than 100 points weaker");
        assert_eq!(overview.rows(Topic::Opponent)[0].name, "Other");
        let text = overview.text();
        assert!(text.starts_with("7 games of me") && text.contains("In the opening"), "{text}");
    }

    #[test]
    fn without_a_player_both_sides_count() {
        let mut overview = Overview::default();
        (0..3).for_each(|_| overview.add(&game("A", "B", 0)));
        assert_eq!(
            (overview.rows(Topic::All)[0].moves, overview.rows(Topic::Opponent).len()),
            (9, 0)
        );
        assert_eq!(overview.rows(Topic::Phase)[0].name, "In the opening");
        assert_eq!(overview.score_title(), "White's score");
    }
}
