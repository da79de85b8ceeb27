//! One reviewed game inside a page: who played, what decided it, the chart, numbers, and all moves.

use chess::Color;
use maud::{Markup, html};
use pgn::Game;

use crate::moments::{self, Moment};
use crate::phase::Phase;
use crate::position::moves_text;
use crate::review::{Review, Step};
use crate::summary::{Summary, time_text, with_error};
use crate::verdict::{Verdict, pawns};
use crate::{board, chart, plausible};

/// Where and when, and what of the game could not be read.
pub(crate) fn head(game: &Game) -> Markup {
    html! {
        p.occasion { (game.rated_players()) ", " (game.occasion()) }
        @for fault in &game.faults {
            p.unread { "Not read: " (fault) }
        }
    }
}

/// Everything else; what decided the game for one side, if asked for.
pub(crate) fn body(review: &Review, me: Option<Color>) -> Markup {
    if review.steps.is_empty() {
        return html! { p { "no moves" } };
    }
    let moments = moments::find(review, me, moments::MOST);
    html! {
        @if let Some(opening) = review.known.opening {
            p.opening { (opening.eco) " " (opening.name) }
        }
        figure.wide tabindex="0" { (chart::figure(review)) }
        (summary(review))
        @if !moments.is_empty() {
            h3 { "What decided the game" }
            div.moments {
                @for found in &moments {
                    (moment(found))
                }
            }
        }
        h3 { "Moves" }
        (moves(&review.steps))
    }
}

fn summary(review: &Review) -> Markup {
    let sides = Color::ALL.map(|side| review.summary(side));
    let row = |name: &str, cell: &dyn Fn(&Summary) -> String| {
        html! {
            tr {
                th scope="row" { (name) }
                @for side in &sides { td { (cell(side)) } }
            }
        }
    };
    let has_time = sides.iter().any(|side| side.time.is_some());
    let has_trouble = sides.iter().any(|side| side.trouble.count() > 0);
    html! {
        div.wide tabindex="0" {
            table {
                thead { tr { th scope="col" { "" } th scope="col" { "White" } th scope="col" { "Black" } } }
                tbody {
                    (row("Moves", &|side| side.moves.to_string()))
                    (row("Accuracy, %", &|side| with_error(side.accuracy.mean(), 0)))
                    (row("Points lost a move", &|side| with_error(side.loss.mean(), 3)))
                    @for phase in Phase::ALL {
                        (phase_row(review, phase))
                    }
                    (row("?!", &|side| side.inaccuracies.to_string()))
                    (row("?", &|side| side.mistakes.to_string()))
                    (row("??", &|side| side.blunders.to_string()))
                    (row("Unclear", &|side| side.unclear.to_string()))
                    (row("As the engine", &|side| side.agreed.to_string()))
                    (row("Book", &|side| side.book.to_string()))
                    @if has_time {
                        (row("Time", &|side| side.time.map(time_text).unwrap_or_default()))
                    }
                    @if has_trouble {
                        (row("Points lost in time trouble", &|side| format!("{:.2} by {}", side.trouble.sum(), side.trouble.count())))
                    }
                }
            }
        }
    }
}

fn phase_row(review: &Review, phase: Phase) -> Markup {
    let losses = Color::ALL.map(|side| {
        let steps = review.steps_of(side).filter(|step| Phase::of(&step.before) == phase);
        Summary::of(steps).loss
    });
    html! {
        @if losses.iter().any(|loss| loss.count() > 0) {
            tr {
                th scope="row" { "… in the " (phase.word()) }
                @for loss in losses { td { (with_error(loss.mean(), 3)) } }
            }
        }
    }
}

fn moment(Moment { ply, step, sentence }: &Moment<'_>) -> Markup {
    let name = format!("Position before {}", step.label());
    html! {
        figure data-ply=(ply + 1) {
            (board::figure(&step.before, &name, step.mv, step.better()))
            figcaption {
                p { span class=(step.mark.word()) { (sentence) "." } }
                p.line { "Played " (step.label()) ": " (score(&step.verdict)) ", " (format!("{:.2}", step.loss)) " points lost." }
                @if step.better().is_some() {
                    p.line { "Better: " (moves_text(&step.before, &step.best.moves)) " " (score(&step.best.verdict)) }
                }
                (plausible::figure(step))
            }
        }
    }
}

fn score(verdict: &Verdict) -> String {
    match verdict.band_text() {
        Some(band) => format!("{} ({band})", pawns(verdict.score)),
        None => pawns(verdict.score),
    }
}

fn moves(steps: &[Step]) -> Markup {
    let has_time = steps.iter().any(|step| step.time.spent.is_some());
    html! {
        div.wide tabindex="0" {
            table.moves {
                thead {
                    tr {
                        th scope="col" { "Move" }
                        th scope="col" { "Score" }
                        th scope="col" { "q10 to q90" }
                        th scope="col" { "Points" }
                        @if has_time { th scope="col" { "Time" } }
                        th scope="col" { "Loss" }
                        th scope="col" { "Better" }
                    }
                }
                tbody {
                    @for (index, step) in steps.iter().enumerate() {
                        (move_row(index + 1, step, has_time))
                    }
                }
            }
        }
    }
}

fn move_row(ply: usize, step: &Step, has_time: bool) -> Markup {
    let better = step.better();
    let time = step.time.spent.map(time_text).unwrap_or_default();
    html! {
        tr data-ply=(ply) {
            th scope="row" { span class=(step.mark.word()) { (step.label()) } }
            td { (pawns(step.verdict.score)) }
            td { (step.verdict.band_text().unwrap_or_default()) }
            td { (format!("{:.2}", step.points())) }
            @if has_time {
                td class=[step.time.is_trouble.then_some("trouble")] { (time) }
            }
            td { @if better.is_some() { (format!("{:.2}", step.loss)) } }
            td { @if step.is_book { "book" } @else if let Some(mv) = better { (step.before.san(mv)) } }
        }
    }
}
