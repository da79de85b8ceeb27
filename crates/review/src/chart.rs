//! The course of a game as a picture: the median as a line, the bands around it, marks as dots.
//!
//! The height is expected points, so that the difference between +9 and +12 takes no room. White
//! is above. Each quantile is drawn where it would put the points if it were the truth.

use std::fmt::Write;

use chess::Color;
use maud::{Markup, PreEscaped, html};

use crate::marks::Mark;
use crate::markup::clean;
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
    let heading = html! {
        style { (PreEscaped(STYLE)) }
        text.name x=(LEFT) y="20" { (clean(&game.players())) }
        text x=(LEFT) y="36" { (clean(&game.occasion())) }
    };
    draw(review, &heading, 0.0).into_string() + "\n"
}

/// The same for a page, which has the style and the heading itself.
pub fn figure(review: &Review) -> Markup {
    draw(review, &html! {}, HEADING)
}

/// The picture from `top` downwards.
fn draw(review: &Review, heading: &Markup, top: f64) -> Markup {
    let chart = Chart::new(review);
    let height = HEIGHT - top;
    html! {
        svg.chart xmlns="http://www.w3.org/2000/svg" viewBox=(format!("0 {top} {WIDTH} {height}")) role="img" {
            title { (clean(&review.game.players())) ": expected points after each move" }
            desc { (summary(review)) }
            rect.paper y=(top) width=(WIDTH) height=(height) rx="6" {}
            (heading)
            (chart.bands())
            (chart.axes(review))
            (chart.median())
            @for (ply, step) in review.steps.iter().enumerate() {
                (chart.dot(ply + 1, step))
            }
            @for (ply, step) in review.steps.iter().enumerate() {
                (chart.touch(ply + 1, step))
            }
            text x=(LEFT) y=(BOTTOM + 35.0) {
                "White's expected points: median, q25 to q75, q10 to q90. Dots are marked moves, rings unclear ones."
            }
        }
    }
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

    fn axes(&self, review: &Review) -> Markup {
        let every = spacing(review.steps.len() / 2);
        let has_number = |ply: usize, step: &Step| {
            let white = step.before.side_to_move() == Color::White;
            white && (usize::from(step.before.fullmove_number()) % every == 0 || ply == 0)
        };
        html! {
            @for (points, name) in [(1.0, "1"), (0.75, "¾"), (0.5, "½"), (0.25, "¼"), (0.0, "0")] {
                @let y = Self::y(points);
                path class=(if points == 0.5 { "middle" } else { "grid" }) d=(format!("M{LEFT} {y:.1}H{RIGHT}")) {}
                text.end x=(LEFT - 8.0) y=(tenths(y + 4.0)) { (name) }
            }
            @for (points, name) in [(0.94, "White is better"), (0.03, "Black is better")] {
                text.side x=(LEFT + 6.0) y=(tenths(Self::y(points))) { (name) }
            }
            @for (ply, step) in review.steps.iter().enumerate().filter(|&(ply, step)| has_number(ply, step)) {
                @let x = tenths(self.x(ply + 1));
                path.grid d=(format!("M{x} {BOTTOM}v4")) {}
                text.center x=(x) y=(BOTTOM + 17.0) { (step.before.fullmove_number()) }
            }
        }
    }

    fn bands(&self) -> Markup {
        let band = |low: usize, high: usize| {
            let place = |(ply, band): (usize, &[f64; 5]), which: usize| {
                format!("{:.1} {:.1}", self.x(ply), Self::y(band[which]))
            };
            let above = self.points.iter().enumerate().map(|point| place(point, high));
            let below = self.points.iter().enumerate().rev().map(|point| place(point, low));
            format!("M{}Z", above.chain(below).collect::<Vec<_>>().join("L"))
        };
        html! {
            path.outer d=(band(0, 4)) {}
            path.inner d=(band(1, 3)) {}
        }
    }

    fn median(&self) -> Markup {
        let points = self.points.iter().enumerate();
        let line: Vec<_> =
            points.map(|(ply, p)| format!("{:.1} {:.1}", self.x(ply), Self::y(p[2]))).collect();
        html! { path.median d={ "M" (line.join("L")) } {} }
    }

    /// A marked move: a dot on the line with the mark beside it, where the line does not come from.
    /// One that is unclear has a ring only.
    fn dot(&self, ply: usize, step: &Step) -> Markup {
        let (x, y) = (self.x(ply), Self::y(self.points[ply][2]));
        let white = step.before.side_to_move() == Color::White;
        let beside = if white { y + 17.0 } else { y - 9.0 };
        let beside = if beside < TOP { y + 17.0 } else { beside.min(BOTTOM - 4.0) };
        html! {
            @if step.mark != Mark::Fine {
                circle class=(step.mark.word()) cx=(tenths(x)) cy=(tenths(y)) r=(if step.mark.is_fault() { 4 } else { 3 }) {}
            }
            @if step.mark.is_fault() {
                text class={ "center " (step.mark.word()) } x=(tenths(x)) y=(tenths(beside)) { (step.mark.symbol()) }
            }
        }
    }

    /// An invisible strip over each move that tells its name and score under the pointer.
    fn touch(&self, ply: usize, step: &Step) -> Markup {
        let (left, right) = (self.x(ply - 1), self.x(ply));
        let half = (right - left) / 2.0;
        let width = if ply + 1 < self.points.len() { 2.0 * half } else { half };
        html! {
            rect.touch data-ply=(ply) x=(tenths(right - half)) y=(TOP) width=(tenths(width)) height=(BOTTOM - TOP) {
                title { (title(step)) }
            }
        }
    }
}

/// Places need no more digits.
fn tenths(value: f64) -> String {
    format!("{value:.1}")
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

#[cfg(test)]
mod tests {
    use chess::Board;

    use super::*;
    use crate::review::tests::{fools_mate, review};

    fn sample() -> Review {
        fools_mate("<A> & \"B\"")
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
