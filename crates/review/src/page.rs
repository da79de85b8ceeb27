//! Reviewed games as one page: charts, diagrams of the critical moments, and all moves. It needs
//! nothing from outside, neither scripts nor fonts.

use std::fmt::Write;

use chess::Color;
use pgn::Game;

use crate::markup::escape;
use crate::position::moves_text;
use crate::review::{Review, Step};
use crate::verdict::pawns;
use crate::{board, chart};

/// The page's own style.
const STYLE: &str = include_str!("page.css");
/// Most diagrams of a game.
const DIAGRAMS: usize = 6;

/// The whole page.
pub fn document(reviews: &[Review], unread: &[Game]) -> String {
    let title = match reviews {
        [review] if unread.is_empty() => escape(&review.game.players()),
        _ => format!("{} games", reviews.len() + unread.len()),
    };
    let is_single = reviews.len() + unread.len() == 1;
    let mut text = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>{title}</title>\n\
         <style>\n{STYLE}{}{}</style>\n</head>\n<body>\n{}",
        chart::STYLE,
        board::STYLE,
        board::shapes()
    );
    if !is_single {
        // Writing to a string cannot fail; the same everywhere below.
        let _ = writeln!(text, "<h1>{title}</h1>\n<nav aria-label=\"Games\"><ol>");
        for game in reviews.iter().map(|review| &review.game).chain(unread) {
            let (number, players) = (game.number, escape(&game.players()));
            let _ = writeln!(
                text,
                "<li value=\"{number}\"><a href=\"#game-{number}\">{players}</a></li>"
            );
        }
        text.push_str("</ol></nav>\n");
    }
    text.push_str("<main>\n");
    let heading = if is_single { 1 } else { 2 };
    for review in reviews {
        section(&mut text, review, heading);
    }
    for game in unread {
        head(&mut text, game, heading);
        text.push_str("</article>\n");
    }
    text.push_str(
        "</main>\n<footer><p>Scores are in pawns and, like points, White's; the loss of points is \
         the mover's. A band (q10 to q90) is where a deeper search will find the score eight times \
         in ten, by the engine's own reckoning. A loss of 0.05 expected points is marked ?!, of \
         0.10 ?, of 0.20 ??, but ~ (unclear) where the middle halves of the bands of the two moves \
         overlap.</p></footer>\n</body>\n</html>\n",
    );
    text
}

fn section(text: &mut String, review: &Review, heading: usize) {
    let below = heading + 1;
    head(text, &review.game, heading);
    if review.steps.is_empty() {
        text.push_str("<p>no moves</p>\n</article>\n");
        return;
    }
    let _ = writeln!(
        text,
        "<figure class=\"wide\" tabindex=\"0\">\n{}</figure>",
        chart::figure(review)
    );
    summary(text, review);
    let moments = critical(&review.steps);
    if !moments.is_empty() {
        let _ = writeln!(text, "<h{below}>Critical moments</h{below}>\n<div class=\"moments\">");
        for step in moments {
            moment(text, step);
        }
        text.push_str("</div>\n");
    }
    let _ = writeln!(text, "<h{below}>Moves</h{below}>");
    moves(text, &review.steps);
    text.push_str("</article>\n");
}

/// Opens a game: its names, and what of it could not be read.
fn head(text: &mut String, game: &Game, heading: usize) {
    let _ = writeln!(
        text,
        "<article id=\"game-{}\">\n<h{heading}>{}</h{heading}>\n<p class=\"occasion\">{}</p>",
        game.number,
        escape(&game.players()),
        escape(&game.occasion())
    );
    for fault in &game.faults {
        let _ = writeln!(text, "<p class=\"unread\">Not read: {}</p>", escape(&fault.to_string()));
    }
}

fn summary(text: &mut String, review: &Review) {
    text.push_str(
        "<div class=\"wide\" tabindex=\"0\"><table>\n<thead><tr><th scope=\"col\">Side</th><th scope=\"col\">Moves</th>\
         <th scope=\"col\">Loss per move</th><th scope=\"col\">?!</th><th scope=\"col\">?</th>\
         <th scope=\"col\">??</th><th scope=\"col\">Unclear</th><th scope=\"col\">As the engine</th>\
         </tr></thead>\n<tbody>\n",
    );
    for side in Color::ALL {
        let sum = review.summary(side);
        let _ = writeln!(
            text,
            "<tr><th scope=\"row\">{side}</th><td>{}</td><td>{:.3}</td><td>{}</td><td>{}</td>\
             <td>{}</td><td>{}</td><td>{}</td></tr>",
            sum.moves,
            sum.mean_loss(),
            sum.inaccuracies,
            sum.mistakes,
            sum.blunders,
            sum.unclear,
            sum.agreed
        );
    }
    text.push_str("</tbody>\n</table></div>\n");
}

/// The marked moves that lost most, in the order of the game.
fn critical(steps: &[Step]) -> Vec<&Step> {
    let mut worst: Vec<(usize, &Step)> =
        steps.iter().enumerate().filter(|(_, step)| step.mark.is_fault()).collect();
    worst.sort_by(|(_, a), (_, b)| b.loss.total_cmp(&a.loss));
    worst.truncate(DIAGRAMS);
    worst.sort_by_key(|&(ply, _)| ply);
    worst.into_iter().map(|(_, step)| step).collect()
}

fn moment(text: &mut String, step: &Step) {
    let name = format!("Position before {}", step.label());
    let picture = board::figure(&step.before, &name, step.mv, step.better());
    let _ = write!(
        text,
        "<figure>\n{picture}<figcaption><p><span class=\"{}\">Played {}</span>, {}: {}, {:.2} \
         points lost.</p>",
        step.mark.word(),
        escape(&step.label()),
        step.mark.word(),
        score(&step.verdict),
        step.loss
    );
    if let Some(mv) = step.better() {
        let _ = write!(
            text,
            "<p><span class=\"good\">Better {}</span>: {}.</p><p class=\"line\">{}</p>",
            escape(&step.before.san(mv).to_string()),
            score(&step.best.verdict),
            escape(&moves_text(&step.before, &step.best.moves))
        );
    }
    if let Some(mate) = step.mate() {
        let _ = write!(text, "<p>It {mate}.</p>");
    }
    text.push_str("</figcaption>\n</figure>\n");
}

fn score(verdict: &crate::verdict::Verdict) -> String {
    match verdict.band_text() {
        Some(band) => format!("{} ({band})", pawns(verdict.score)),
        None => pawns(verdict.score),
    }
}

fn moves(text: &mut String, steps: &[Step]) {
    text.push_str(
        "<div class=\"wide\" tabindex=\"0\"><table class=\"moves\">\n<thead><tr><th scope=\"col\">Move</th>\
         <th scope=\"col\">Score</th><th scope=\"col\">q10 to q90</th><th scope=\"col\">Points</th>\
         <th scope=\"col\">Loss</th><th scope=\"col\">Better</th></tr></thead>\n<tbody>\n",
    );
    for step in steps {
        let better = step.better();
        let _ = writeln!(
            text,
            "<tr><th scope=\"row\"><span class=\"{}\">{}</span></th><td>{}</td><td>{}</td>\
             <td>{:.2}</td><td>{}</td><td>{}</td></tr>",
            step.mark.word(),
            escape(&step.label()),
            pawns(step.verdict.score),
            step.verdict.band_text().unwrap_or_default(),
            step.points(),
            better.map(|_| format!("{:.2}", step.loss)).unwrap_or_default(),
            better.map(|mv| escape(&step.before.san(mv).to_string())).unwrap_or_default()
        );
    }
    text.push_str("</tbody>\n</table></div>\n");
}

#[cfg(test)]
mod tests {
    use chess::Board;

    use super::*;
    use crate::review::tests::review;

    fn sample() -> Review {
        review(
            &Board::default(),
            &[("White", "<script>alert('&')</script>"), ("Black", "C")],
            &[
                ("f3", -30, "e4"),
                ("e5", -35, "e5"),
                ("g4", -31_999, "e4"),
                ("Qh4#", -32_000, "Qh4"),
            ],
        )
    }

    #[test]
    fn a_page_stands_alone_and_escapes_names() {
        let text = document(&[sample()], &[]);
        assert!(text.contains("&lt;script&gt;alert(&#39;&amp;&#39;)&lt;/script&gt;"));
        assert!(!text.contains("<script") && !text.contains("src=") && !text.contains("url("));
        assert_eq!(text.matches("http").count(), 1, "only the name space of SVG");
        assert!(text.contains("Played 2. g4??") && text.contains("Better e4"));
        assert!(!text.contains("<nav") && text.contains("<h1>"));
    }

    #[test]
    fn elements_are_closed_in_order() {
        let text = document(&[sample(), sample()], &[]);
        let mut open: Vec<&str> = Vec::new();
        for tag in text.split('<').skip(1) {
            let name = tag.split([' ', '>', '/', '\n']).next().unwrap_or_default();
            if let Some(closing) = tag.strip_prefix('/') {
                let closed = closing.split('>').next().unwrap();
                assert_eq!(open.pop(), Some(closed), "{tag}");
            } else if !["!DOCTYPE", "meta"].contains(&name) && !tag.contains("/>") {
                open.push(name);
            }
        }
        assert!(open.is_empty(), "{open:?}");
        assert!(text.contains("<nav") && text.contains("id=\"game-1\""));
    }

    #[test]
    fn the_worst_moves_come_in_the_order_of_the_game() {
        let review = review(
            &Board::default(),
            &[],
            &[
                ("e4", -100, "d4"),
                ("e5", 0, "d5"),
                ("d3", -100, "d4"),
                ("d6", 0, "d5"),
                ("c3", -500, "c4"),
                ("c6", 0, "c5"),
                ("b3", -100, "b4"),
                ("b6", 0, "b5"),
            ],
        );
        let moments = critical(&review.steps);
        assert_eq!(moments.len(), DIAGRAMS);
        assert!(moments.is_sorted_by_key(|step| step.before.fullmove_number()));
        assert!(moments.iter().any(|step| step.san == "c3"));
    }
}
