//! `brier-lab inspect`: what is in files of games, and whether the scores make sense.
//!
//! Scores from the wrong side are the classic mistake of training data. They show here: the
//! correlations of the score with the result and with the material must be clearly positive for
//! both sides to move.

use std::path::PathBuf;

use anyhow::Context;
use chess::{Board, Color, see_value};
use data::viri::Reader;
use data::{Filter, Game, Part, Position, Split};
use indicatif::HumanCount;

use crate::progress;

/// Options of `brier-lab inspect`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Games in viriformat.
    #[arg(required = true)]
    inputs: Vec<PathBuf>,
}

/// Beyond this many centipawns a score says "won"; correlations would hang on a few such scores.
const CLIP: i16 = 1000;

/// Sums for a correlation.
#[derive(Copy, Clone, Default)]
struct Correlation {
    n: f64,
    x: f64,
    y: f64,
    xx: f64,
    yy: f64,
    xy: f64,
}

impl Correlation {
    fn add(&mut self, x: f64, y: f64) {
        self.n += 1.0;
        self.x += x;
        self.y += y;
        self.xx += x * x;
        self.yy += y * y;
        self.xy += x * y;
    }

    fn value(&self) -> f64 {
        let covariance = self.n * self.xy - self.x * self.y;
        let variances = (self.n * self.xx - self.x * self.x) * (self.n * self.yy - self.y * self.y);
        if variances > 0.0 { covariance / variances.sqrt() } else { 0.0 }
    }
}

#[derive(Default)]
struct Summary {
    games: u64,
    held_out: u64,
    chess960: u64,
    positions: u64,
    quiet: u64,
    decided: u64,
    /// Lost, drawn and won by White.
    results: [u64; 3],
    /// By side to move.
    with_result: [Correlation; 2],
    with_material: [Correlation; 2],
}

/// Reads all inputs and prints a summary of each.
#[expect(clippy::print_stdout, reason = "the summary is what the command is for")]
pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    for path in &args.inputs {
        let context = || format!("cannot read {}", path.display());
        let bar = progress::bytes(path.metadata().with_context(context)?.len());
        let mut reader = Reader::open(path).with_context(context)?;
        let mut summary = Summary::default();
        while let Some(game) = reader.read_game().with_context(context)? {
            summary.add_game(&game).with_context(context)?;
            bar.set_position(reader.position());
        }
        bar.finish_and_clear();
        println!("{}\n{}", path.display(), summary.text());
    }
    Ok(())
}

impl Summary {
    fn add_game(&mut self, game: &Game) -> anyhow::Result<()> {
        self.games += 1;
        self.held_out += u64::from(Split::default().part(game) == Part::HeldOut);
        self.chess960 += u64::from(game.start.is_chess960());
        self.results[game.outcome as usize] += 1;
        for position in game.replay() {
            self.add_position(&position?);
        }
        Ok(())
    }

    fn add_position(&mut self, position: &Position) {
        self.positions += 1;
        self.quiet += u64::from(Filter::default().reject(position).is_none());
        self.decided += u64::from(position.score.abs() > Filter::default().max_score);
        let side = position.board.side_to_move().index();
        let score = f64::from(position.score.clamp(-CLIP, CLIP));
        let result = f64::from(position.outcome.points(Color::White));
        self.with_result[side].add(score, result);
        self.with_material[side].add(score, material(&position.board));
    }

    fn text(&self) -> String {
        let count = HumanCount;
        let [lost, drawn, won] = self.results;
        let per_game = self.positions as f64 / self.games.max(1) as f64;
        format!(
            "  games      {} ({} Chess960, {} held out), won {} drawn {} lost {} by White\n  \
               positions  {} ({per_game:.1} a game), {} pass the filter, {} decided\n  \
               score with result: {:.3} (White to move) {:.3} (Black); with material: {:.3} {:.3}",
            count(self.games),
            count(self.chess960),
            count(self.held_out),
            count(won),
            count(drawn),
            count(lost),
            count(self.positions),
            count(self.quiet),
            count(self.decided),
            self.with_result[0].value(),
            self.with_result[1].value(),
            self.with_material[0].value(),
            self.with_material[1].value(),
        )
    }
}

/// White's material minus Black's.
fn material(board: &Board) -> f64 {
    let value = |color| -> i32 {
        board.color(color).into_iter().filter_map(|s| board.piece_at(s)).map(see_value).sum()
    };
    f64::from(value(Color::White) - value(Color::Black))
}
