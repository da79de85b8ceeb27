//! The first page of a folder of reviewed games: the sum over all of them, and a list that leads to
//! each. It stays quick with ten thousand games, because browsers lay out only what is seen of it.

use chess::Color;
use maud::{Markup, html};
use pgn::Game;

use crate::overview::{Overview, Row};
use crate::page::{Scripts, document};
use crate::review::Review;

/// Games of a block of the list, which is laid out at once.
const BLOCK: usize = 100;

/// A game in the list.
pub struct Entry {
    number: usize,
    /// Its page; none if its moves could not be replayed.
    page: Option<String>,
    white: String,
    black: String,
    result: &'static str,
    date: String,
    opening: String,
    moves: usize,
    /// Mean losses and marked moves of both sides.
    losses: [Option<f64>; 2],
    marks: usize,
}

impl Entry {
    /// A reviewed game with its page.
    pub fn new(review: &Review, page: &str) -> Self {
        let losses = Color::ALL.map(|side| review.summary(side).loss.mean().map(|mean| mean.value));
        let opening = review.known.opening.map(|found| format!("{} {}", found.eco, found.name));
        Self {
            page: Some(page.to_owned()),
            opening: opening.unwrap_or_default(),
            moves: review.steps.len().div_ceil(2),
            losses,
            marks: review.steps.iter().filter(|step| step.mark.is_fault()).count(),
            ..Self::unread(&review.game)
        }
    }

    /// A game whose moves could not be replayed.
    pub fn unread(game: &Game) -> Self {
        let name = |tag: &str, rating: &str| {
            let who = game.tag(tag).unwrap_or(tag);
            game.tag(rating).map_or_else(|| who.to_owned(), |rating| format!("{who} ({rating})"))
        };
        Self {
            number: game.number,
            page: None,
            white: name("White", "WhiteElo"),
            black: name("Black", "BlackElo"),
            result: game.result.as_str(),
            date: game.tag("Date").unwrap_or_default().trim_end_matches(".??").to_owned(),
            opening: String::new(),
            moves: 0,
            losses: [None; 2],
            marks: 0,
        }
    }
}

/// The whole page.
pub fn document_of(entries: &[Entry], overview: &Overview) -> String {
    let title = match overview.player() {
        Some(player) => format!("{} games of {}", overview.games(), player.name()),
        None => format!("{} games", entries.len()),
    };
    let body = html! {
        main {
            h1 { (title) }
            @for (title, rows) in overview.tables() {
                (table(title, overview.score_title(), &rows))
            }
            h2 { "Games" }
            div.wide tabindex="0" {
                div.list {
                    @for (index, block) in entries.chunks(BLOCK).enumerate() {
                        (list(block, index == 0))
                    }
                }
            }
        }
    };
    document(&title, &body, Scripts::None)
}

fn table(title: &str, score: &str, rows: &[Row]) -> Markup {
    html! {
        div.wide tabindex="0" {
            table.overview {
                thead {
                    tr {
                        th scope="col" { (title) }
                        th scope="col" { "Games" }
                        th scope="col" { (score) }
                        th scope="col" { "Moves" }
                        th scope="col" { "Points lost a move" }
                        th scope="col" { "" }
                    }
                }
                tbody {
                    @for row in rows {
                        tr {
                            th scope="row" { (row.name) }
                            td { (row.games) }
                            td { (row.score) }
                            td { (row.moves) }
                            td { (row.loss) }
                            td.remark { (row.remark) }
                        }
                    }
                }
            }
        }
    }
}

fn list(entries: &[Entry], has_head: bool) -> Markup {
    let loss = |loss: Option<f64>| loss.map_or_else(String::new, |loss| format!("{loss:.3}"));
    html! {
        div.block {
            table.games {
                colgroup {
                    @for class in ["number", "name", "name", "result", "date", "opening", "small", "small", "small", "small"] {
                        col class=(class);
                    }
                }
                @if has_head {
                    thead {
                        tr {
                            @for name in ["", "White", "Black", "Result", "Date", "Opening", "Moves", "Loss W", "Loss B", "Marks"] {
                                th scope="col" { (name) }
                            }
                        }
                    }
                }
                tbody {
                    @for entry in entries {
                        tr {
                            td { (entry.number) }
                            th scope="row" {
                                @match &entry.page {
                                    Some(page) => { a href=(page) { (entry.white) } },
                                    None => { (entry.white) " (not read)" },
                                }
                            }
                            td { (entry.black) }
                            td { (entry.result) }
                            td { (entry.date) }
                            td { (entry.opening) }
                            td { (entry.moves) }
                            td { (loss(entry.losses[0])) }
                            td { (loss(entry.losses[1])) }
                            td { (entry.marks) }
                        }
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use chess::Board;

    use super::*;
    use crate::review::tests::review;

    #[test]
    fn every_game_has_a_row_and_those_with_a_page_a_link() {
        let reviewed = review(&Board::default(), &[("White", "<A>")], &[("f3", -30, "e4")]);
        let mut entries: Vec<Entry> =
            (0..250).map(|_| Entry::new(&reviewed, "games/000001.html")).collect();
        entries.push(Entry::unread(&Game::default()));
        let mut overview = Overview::default();
        overview.add(&reviewed);
        let text = document_of(&entries, &overview);
        assert!(text.contains("<h1>251 games</h1>"));
        assert_eq!(text.matches("class=\"block\"").count(), 3);
        assert_eq!(text.matches("<a href=\"games/000001.html\">&lt;A&gt;</a>").count(), 250);
        assert_eq!(text.matches("(not read)").count(), 1);
    }
}
