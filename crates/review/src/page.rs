//! Reviewed games as pages that need nothing from outside: one page of all games, or a page for each
//! game of a folder ([`crate::index`] leads to them).

use maud::{DOCTYPE, Markup, PreEscaped, html};
use pgn::Game;

use crate::player::Player;
use crate::review::Review;
use crate::{board, chart, replay, section};

/// The pages' own style.
const STYLE: &str = include_str!("page.css");

/// A page of several games that is made one game after the other.
#[derive(Default)]
pub struct Page {
    games: Vec<Part>,
}

/// A game of the page.
struct Part {
    number: usize,
    players: String,
    text: Markup,
}

impl Page {
    /// Adds a reviewed game, seen from a player's side if it is the player's.
    pub fn add(&mut self, review: &Review, player: Option<&Player>) {
        let me = player.and_then(|player| player.side(&review.game));
        let text = html! {
            (section::head(&review.game))
            (section::body(review, me))
            (replay::data(review, me))
        };
        self.push(&review.game, text);
    }

    /// Adds a game whose moves could not be replayed.
    pub fn add_unread(&mut self, game: &Game) {
        self.push(game, section::head(game));
    }

    fn push(&mut self, game: &Game, text: Markup) {
        self.games.push(Part { number: game.number, players: game.players(), text });
    }

    /// The whole page.
    pub fn finish(self) -> String {
        let title = match &self.games[..] {
            [game] => game.players.clone(),
            games => format!("{} games", games.len()),
        };
        let is_single = self.games.len() == 1;
        let body = html! {
            h1 { (title) }
            @if !is_single {
                nav aria-label="Games" {
                    ol {
                        @for Part { number, players, .. } in &self.games {
                            li value=(number) { a href={ "#game-" (number) } { (players) } }
                        }
                    }
                }
            }
            (viewer())
            main {
                @for Part { number, players, text } in &self.games {
                    article id={ "game-" (number) } data-game=(number) {
                        @if !is_single {
                            h2 { (players) }
                        }
                        (text)
                    }
                }
            }
        };
        document(&title, &body, Scripts::Inside)
    }
}

/// Where the script of a page comes from.
#[derive(Copy, Clone)]
pub(crate) enum Scripts {
    /// There is none.
    None,
    /// From the folder above.
    Beside,
    /// It is a part of the page.
    Inside,
}

/// The names of the script and its style in the folder of a report.
pub const FILES: [(&str, &str); 2] = [("report.js", replay::SCRIPT), ("report.css", replay::STYLE)];

/// The place of the board, which only a script can fill.
fn viewer() -> Markup {
    html! { section #viewer aria-label="Replay" hidden {} }
}

/// The page of one game in a folder, with the pages of its neighbours.
pub fn game_page(
    review: &Review,
    player: Option<&Player>,
    previous: Option<&str>,
    next: Option<&str>,
) -> String {
    let me = player.and_then(|player| player.side(&review.game));
    let game = &review.game;
    let title = game.players();
    let body = html! {
        nav.pages aria-label="Report" {
            @if let Some(page) = previous { a href=(page) rel="prev" { "← Previous" } }
            a href="../index.html" { "All games" }
            @if let Some(page) = next { a href=(page) rel="next" { "Next →" } }
        }
        main {
            article data-game=(game.number) {
                h1 { (title) }
                (section::head(game))
                (viewer())
                (section::body(review, me))
                (replay::data(review, me))
            }
        }
    };
    document(&title, &body, Scripts::Beside)
}

/// A page around its body.
pub(crate) fn document(title: &str, body: &Markup, scripts: Scripts) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) }
                @match scripts {
                    Scripts::None => {}
                    Scripts::Beside => { link rel="stylesheet" href="../report.css"; }
                    Scripts::Inside => { style { (PreEscaped(replay::STYLE)) } }
                }
                style { (PreEscaped(STYLE)) (PreEscaped(chart::STYLE)) (PreEscaped(board::STYLE)) }
            }
            body {
                (board::shapes())
                (body)
                footer { p { (LEGEND) } }
                @match scripts {
                    Scripts::None => {}
                    Scripts::Beside => { script src="../report.js" {} }
                    Scripts::Inside => { script { (PreEscaped(replay::SCRIPT)) } }
                }
            }
        }
    };
    page.into_string() + "\n"
}

/// What the numbers mean.
const LEGEND: &str = "Scores are in pawns and, like points, White's; the loss of points is the \
    mover's. A band (q10 to q90) is where a deeper search will find the score eight times in ten, by \
    the engine's own reckoning. A loss of 0.05 expected points is marked ?!, of 0.10 ?, of 0.20 ??, \
    but ~ (unclear) where the engine cannot tell. ± is half of a 95 % interval. Moves of theory are \
    not judged.";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::review::tests::fools_mate;

    fn sample() -> Review {
        fools_mate("<script>alert('&')</script>")
    }

    fn page(count: usize) -> String {
        let mut page = Page::default();
        (0..count).for_each(|_| page.add(&sample(), None));
        page.finish()
    }

    /// The page without its script and its style, which are ours.
    fn own(text: &str) -> String {
        assert!(text.contains(replay::SCRIPT) && text.contains(replay::STYLE));
        text.replace(replay::SCRIPT, "").replace(replay::STYLE, "")
    }

    #[test]
    fn a_page_stands_alone_and_escapes_names() {
        let text = own(&page(1));
        assert!(text.contains("&lt;script&gt;alert('&amp;')&lt;/script&gt;"));
        assert!(text.contains("\\u003cscript>alert('&')"), "in the data of the script");
        assert!(
            !text.contains("<script>alert") && !text.contains("src=") && !text.contains("url(")
        );
        assert_eq!(text.matches("http").count(), 1, "only the name space of SVG");
        assert!(text.contains("2. g4?? walks into mate in 1; e4 keeps a level position"), "{text}");
        assert!(!text.contains("<nav") && text.contains("<h1>"));
        assert!(!replay::SCRIPT.contains("</script"), "nothing in the script ends it");
    }

    #[test]
    fn elements_are_closed_in_order() {
        for text in [own(&page(2)), game_page(&sample(), None, None, Some("000002.html"))] {
            let mut open: Vec<&str> = Vec::new();
            for tag in text.split('<').skip(1) {
                let name = tag.split([' ', '>', '\n']).next().unwrap_or_default();
                if let Some(closing) = tag.strip_prefix('/') {
                    let closed = closing.split('>').next().unwrap();
                    assert_eq!(open.pop(), Some(closed), "{tag}");
                } else if !["!DOCTYPE", "meta", "link"].contains(&name) {
                    open.push(name);
                }
            }
            assert!(open.is_empty(), "{open:?}");
            assert!(text.contains("<nav"));
        }
    }
}
