//! The course of a game as a picture: the median as a line, the bands around it, marks as dots.
//!
//! The height is expected points, so that the difference between +9 and +12 takes no room. White
//! is above. Each quantile is drawn where it would put the points if it were the truth.

use std::fmt::Write;

use chess::Color;

use crate::marks::Mark;
use crate::markup::escape;
use crate::review::{Review, Step};
use crate::verdict::pawns;

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 340.0;
/// Room for the names of the players.
const HEADING: f64 = 30.0;
const LEFT: f64 = 44.0;
const RIGHT: f64 = 748.0;
const TOP: f64 = 46.0;
const BOTTOM: f64 = 296.0;

/// Colors for light and dark, as rules rather than attributes so that a page can hold them once.
pub const STYLE: &str = include_str!("chart.css");

/// A file of its own.
pub fn document(review: &Review) -> String {
    let game = &review.game;
    let heading = format!(
        "<style>\n{STYLE}</style>\n<text class=\"name\" x=\"{LEFT}\" y=\"20\">{}</text>\n\
         <text x=\"{LEFT}\" y=\"36\">{}</text>\n",
        escape(&game.players()),
        escape(&game.occasion())
    );
    draw(review, &heading, 0.0)
}

/// The same for a page, which has the style and the heading itself.
pub fn figure(review: &Review) -> String {
    draw(review, "", HEADING)
}

/// The picture from `top` downwards.
fn draw(review: &Review, heading: &str, top: f64) -> String {
    let chart = Chart::new(review);
    let height = HEIGHT - top;
    let mut text = format!(
        "<svg class=\"chart\" xmlns=\"http://www.w3.org/2000/svg\" \
         viewBox=\"0 {top} {WIDTH} {height}\" role=\"img\">\n"
    );
    // Writing to a string cannot fail; the same everywhere below.
    let players = escape(&review.game.players());
    let _ = writeln!(text, "<title>{players}: expected points after each move</title>");
    let _ = writeln!(text, "<desc>{}</desc>", escape(&summary(review)));
    let _ = writeln!(
        text,
        "<rect class=\"paper\" y=\"{top}\" width=\"{WIDTH}\" height=\"{height}\" rx=\"6\"/>"
    );
    text.push_str(heading);
    chart.bands(&mut text);
    chart.axes(&mut text, review);
    chart.median(&mut text);
    for (ply, step) in review.steps.iter().enumerate() {
        chart.dot(&mut text, ply + 1, step);
    }
    for (ply, step) in review.steps.iter().enumerate() {
        chart.touch(&mut text, ply + 1, step);
    }
    legend(&mut text);
    text.push_str("</svg>\n");
    text
}

/// What the picture shows, for those who cannot see it.
fn summary(review: &Review) -> String {
    let faults: Vec<_> =
        review.steps.iter().filter(|step| step.mark.is_fault()).map(Step::label).collect();
    let marked = if faults.is_empty() { "none".to_owned() } else { faults.join(", ") };
    let end = review.steps.last().map_or(review.start.score, |step| step.verdict.score);
    format!("{} half-moves, final score {}, marked moves: {marked}", review.steps.len(), pawns(end))
}

/// Where things go: the five quantiles in points, before the first move and after each.
struct Chart {
    points: Vec<[f64; 5]>,
}

impl Chart {
    fn new(review: &Review) -> Self {
        let mut points = vec![review.start.point_band(&review.game.start)];
        points.extend(review.steps.iter().map(|step| step.verdict.point_band(&step.after)));
        Self { points }
    }

    fn x(&self, ply: usize) -> f64 {
        let last = (self.points.len() - 1).max(1);
        LEFT + (RIGHT - LEFT) * ply as f64 / last as f64
    }

    fn y(points: f64) -> f64 {
        BOTTOM - (BOTTOM - TOP) * points
    }

    fn axes(&self, text: &mut String, review: &Review) {
        for (points, name) in [(1.0, "1"), (0.75, "¾"), (0.5, "½"), (0.25, "¼"), (0.0, "0")] {
            let y = Self::y(points);
            let class = if points == 0.5 { "middle" } else { "grid" };
            let _ = writeln!(
                text,
                "<path class=\"{class}\" d=\"M{LEFT} {y:.1}H{RIGHT}\"/>\
                 <text class=\"end\" x=\"{:.1}\" y=\"{:.1}\">{name}</text>",
                LEFT - 8.0,
                y + 4.0
            );
        }
        for (points, name) in [(0.94, "White is better"), (0.03, "Black is better")] {
            let (x, y) = (LEFT + 6.0, Self::y(points));
            let _ = writeln!(text, "<text class=\"side\" x=\"{x}\" y=\"{y:.1}\">{name}</text>");
        }
        let every = spacing(review.steps.len() / 2);
        for (ply, step) in review.steps.iter().enumerate() {
            let number = usize::from(step.before.fullmove_number());
            let white = step.before.side_to_move() == Color::White;
            if white && (number % every == 0 || ply == 0) {
                let x = self.x(ply + 1);
                let _ = writeln!(
                    text,
                    "<path class=\"grid\" d=\"M{x:.1} {BOTTOM}v4\"/>\
                     <text class=\"center\" x=\"{x:.1}\" y=\"{:.1}\">{number}</text>",
                    BOTTOM + 17.0
                );
            }
        }
    }

    fn bands(&self, text: &mut String) {
        for (class, low, high) in [("outer", 0, 4), ("inner", 1, 3)] {
            let place = |(ply, band): (usize, &[f64; 5]), which: usize| {
                format!("{:.1} {:.1}", self.x(ply), Self::y(band[which]))
            };
            let above = self.points.iter().enumerate().map(|point| place(point, high));
            let below = self.points.iter().enumerate().rev().map(|point| place(point, low));
            let around: Vec<_> = above.chain(below).collect();
            let _ = writeln!(text, "<path class=\"{class}\" d=\"M{}Z\"/>", around.join("L"));
        }
    }

    fn median(&self, text: &mut String) {
        let points = self.points.iter().enumerate();
        let line: Vec<_> =
            points.map(|(ply, p)| format!("{:.1} {:.1}", self.x(ply), Self::y(p[2]))).collect();
        let _ = writeln!(text, "<path class=\"median\" d=\"M{}\"/>", line.join("L"));
    }

    /// A marked move: a dot on the line with the mark beside it, where the line does not come from.
    /// One that is unclear has a ring only.
    fn dot(&self, text: &mut String, ply: usize, step: &Step) {
        if step.mark == Mark::Fine {
            return;
        }
        let (x, y) = (self.x(ply), Self::y(self.points[ply][2]));
        let (word, symbol) = (step.mark.word(), step.mark.symbol());
        if step.mark == Mark::Unclear {
            let _ =
                writeln!(text, "<circle class=\"{word}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\"/>");
            return;
        }
        let white = step.before.side_to_move() == Color::White;
        let beside = if white { y + 17.0 } else { y - 9.0 };
        let beside = if beside < TOP { y + 17.0 } else { beside.min(BOTTOM - 4.0) };
        let _ = writeln!(
            text,
            "<circle class=\"{word}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\"/>\
             <text class=\"center {word}\" x=\"{x:.1}\" y=\"{beside:.1}\">{symbol}</text>"
        );
    }

    /// An invisible strip over each move that tells its name and score under the pointer.
    fn touch(&self, text: &mut String, ply: usize, step: &Step) {
        let (left, right) = (self.x(ply - 1), self.x(ply));
        let half = (right - left) / 2.0;
        let _ = writeln!(
            text,
            "<rect class=\"touch\" x=\"{:.1}\" y=\"{TOP}\" width=\"{:.1}\" height=\"{:.1}\"><title>{}</title></rect>",
            right - half,
            if ply + 1 < self.points.len() { 2.0 * half } else { half },
            BOTTOM - TOP,
            escape(&title(step))
        );
    }
}

/// A move in a sentence.
pub fn title(step: &Step) -> String {
    let mut text = format!("{}: {}", step.label(), pawns(step.verdict.score));
    if let Some(band) = step.verdict.band_text() {
        let _ = write!(text, " ({band})");
    }
    if let Some(mv) = step.better() {
        let _ = write!(text, ", {:.2} points lost, better {}", step.loss, step.before.san(mv));
    }
    text
}

/// Every how many moves there is a number, so that they do not touch.
fn spacing(moves: usize) -> usize {
    [1, 2, 5, 10, 20, 50, 100].into_iter().find(|every| moves / every <= 20).unwrap_or(500)
}

fn legend(text: &mut String) {
    let y = BOTTOM + 35.0;
    let _ = writeln!(
        text,
        "<text x=\"{LEFT}\" y=\"{y}\">White's expected points: median, q25 to q75, q10 to q90. \
         Dots are marked moves, rings unclear ones.</text>"
    );
}

#[cfg(test)]
mod tests {
    use chess::Board;

    use super::*;
    use crate::review::tests::review;

    fn sample() -> Review {
        review(
            &Board::default(),
            &[("White", "<A> & \"B\""), ("Black", "C")],
            &[
                ("f3", -30, "e4"),
                ("e5", -35, "e5"),
                ("g4", -31_999, "e4"),
                ("Qh4#", -32_000, "Qh4"),
            ],
        )
    }

    #[test]
    fn places_are_inside_the_frame() {
        let review = sample();
        let chart = Chart::new(&review);
        assert_eq!(chart.points.len(), 5);
        assert_eq!((chart.x(0), chart.x(4)), (LEFT, RIGHT));
        assert_eq!((Chart::y(0.0), Chart::y(1.0)), (BOTTOM, TOP));
        assert_eq!(chart.points[4], [0.0; 5]);
        assert!(chart.points.iter().all(|band| band.is_sorted()));
    }

    #[test]
    fn a_chart_is_well_formed_and_names_its_marks() {
        let text = document(&sample());
        assert!(text.starts_with("<svg ") && text.ends_with("</svg>\n"));
        assert!(text.contains("&lt;A&gt; &amp; &quot;B&quot; - C"));
        assert!(!text.contains("<A>") && !text.contains("NaN"));
        assert_eq!(text.matches("<circle class=\"blunder\"").count(), 1);
        assert!(text.contains("2. g4??: #-1, ") && text.contains("better e4"), "{text}");
        assert_eq!(text.matches("class=\"touch\"").count(), 4);
    }

    #[test]
    fn a_game_without_moves_has_a_chart() {
        let text = document(&review(&Board::default(), &[], &[]));
        assert!(!text.contains("NaN") && !text.contains("inf"));
    }

    #[test]
    fn numbers_do_not_touch() {
        for moves in 0..600 {
            assert!(moves / spacing(moves) <= 20);
        }
    }
}
