//! A training run from its first step to its last: progress, log, curve, checkpoints.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::time::{Duration, Instant};

use data::Record;

use super::loss::Target;
use super::optimiser::Schedule;
use super::stream::Stream;
use super::trainer::{Report, Trainer};
use crate::progress;
use crate::svg::{Chart, document};

/// Time between two checkpoints.
const SAVE_EVERY: Duration = Duration::from_secs(120);
/// Lines of the log in a whole run.
const LOG_LINES: u64 = 100;

/// Everything about a run that does not change.
pub(crate) struct Session<'a> {
    /// Where checkpoint, log and curve go.
    pub(crate) folder: &'a Path,
    /// Written into checkpoints.
    pub(crate) settings: String,
    /// Positions of a step.
    pub(crate) batch: usize,
    /// What is taught.
    pub(crate) target: Target,
    /// How fast, and how long.
    pub(crate) schedule: Schedule,
    /// Positions to judge by.
    pub(crate) held_out: &'a [Record],
}

impl Session<'_> {
    /// Steps until the schedule ends, then saves.
    pub(crate) fn train(&self, trainer: &mut Trainer, stream: &mut Stream) -> Result<(), String> {
        let saved = self.folder.join("checkpoint");
        self.shorten_log(trainer.step())?;
        let every = (self.schedule.steps / LOG_LINES).max(1);
        let bar = progress::counter("positions", self.schedule.steps * self.batch as u64);
        bar.set_position(trainer.step() * self.batch as u64);
        bar.reset_eta();
        let (began, first_step) = (Instant::now(), trainer.step());
        let mut saved_at = Instant::now();
        let (mut sum, mut count) = (0.0, 0u64);
        let mut batch = Vec::new();
        while trainer.step() < self.schedule.steps {
            next_batch(stream, &mut batch, self.batch)?;
            sum += trainer.learn(&batch).total(&self.target);
            count += 1;
            let done = trainer.step();
            bar.set_position(done * self.batch as u64);
            if count.is_multiple_of(16) {
                bar.set_message(format!("loss {:.5}", sum / count as f64));
            }
            if done.is_multiple_of(every) || done == self.schedule.steps {
                let report = trainer.evaluate(self.held_out);
                let steps = done - first_step;
                let speed = (steps * self.batch as u64) as f64 / began.elapsed().as_secs_f64();
                let line = self.line(done, sum / count as f64, &report, speed);
                bar.suspend(|| eprintln!("{line}"));
                self.log(done, sum / count as f64, &report)?;
                (sum, count) = (0.0, 0);
            }
            if saved_at.elapsed() >= SAVE_EVERY && trainer.is_settled() {
                saved_at = Instant::now();
                trainer.checkpoint(&self.settings).save(&saved)?;
            }
        }
        bar.finish_and_clear();
        trainer.checkpoint(&self.settings).save(&saved)?;
        self.draw()
    }

    fn line(&self, step: u64, loss: f64, report: &Report, speed: f64) -> String {
        let [c50, c25, c10, c75, c90] = report.coverage.map(|share| 100.0 * share);
        format!(
            "{:6.1} M  loss {loss:.5}  held-out pinball {:.5} squared {:.6}  \
             below: {c10:.1} {c25:.1} {c50:.1} {c75:.1} {c90:.1} %  {:.0} k/s",
            (step * self.batch as u64) as f64 / 1e6,
            report.loss.pinball,
            report.loss.squared,
            speed / 1e3,
        )
    }

    fn log(&self, step: u64, loss: f64, report: &Report) -> Result<(), String> {
        let path = self.folder.join("log.csv");
        let error = |e| format!("cannot write {}: {e}", path.display());
        let fresh = !path.exists();
        let mut file =
            fs::OpenOptions::new().create(true).append(true).open(&path).map_err(error)?;
        if fresh {
            let header = "positions,rate,loss,held_out,pinball,squared,\
                          below50,below25,below10,below75,below90";
            writeln!(file, "{header}").map_err(error)?;
        }
        let below = report.coverage.map(|share| format!("{share:.5}")).join(",");
        writeln!(
            file,
            "{},{:.3e},{loss:.6},{:.6},{:.6},{:.7},{below}",
            step * self.batch as u64,
            self.schedule.rate(step),
            report.loss.total(&self.target),
            report.loss.pinball,
            report.loss.squared
        )
        .map_err(error)
    }

    /// Takes the lines out of the log that tell of steps after the checkpoint: they come again.
    fn shorten_log(&self, step: u64) -> Result<(), String> {
        let path = self.folder.join("log.csv");
        let Ok(text) = fs::read_to_string(&path) else { return Ok(()) };
        let done = step * self.batch as u64;
        let stays = |line: &&str| {
            let positions = line.split(',').next().and_then(|field| field.parse::<u64>().ok());
            positions.is_none_or(|positions| positions <= done)
        };
        let kept: String =
            text.split_inclusive('\n').filter(|line| line.ends_with('\n')).filter(stays).collect();
        files::replace(&path, kept.as_bytes())
            .map_err(|error| format!("cannot write {}: {error}", path.display()))
    }

    /// The loss curve, from the log, so that a run that went on after a break has all of it.
    fn draw(&self) -> Result<(), String> {
        let path = self.folder.join("log.csv");
        let text = fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        let path = self.folder.join("curve.svg");
        fs::write(&path, curve(&text)).map_err(|e| format!("cannot write {}: {e}", path.display()))
    }
}

/// The positions of one step; those that the same dense layers judge come together, which is kind to the
/// cache.
fn next_batch(stream: &mut Stream, batch: &mut Vec<Record>, count: usize) -> Result<(), String> {
    stream.next_batch(batch, count)?;
    batch.sort_by_key(|record| record.occupied().count());
    Ok(())
}

/// Training and held-out loss over positions as SVG.
fn curve(log: &str) -> String {
    let rows: Vec<Vec<f64>> = log
        .lines()
        .skip(1)
        .filter_map(|line| line.split(',').map(|field| field.parse().ok()).collect())
        .filter(|row: &Vec<f64>| row.len() > 3)
        .collect();
    let points = |column: usize| -> Vec<(f64, f64)> {
        rows.iter().map(|row| (row[0], row[column])).collect()
    };
    let losses = || rows.iter().flat_map(|row| [row[2], row[3]]);
    // The first lines are so high that nothing else would be seen: cut at twice the lowest.
    let low = losses().fold(f64::INFINITY, f64::min);
    let low = if low.is_finite() { low } else { 0.0 };
    let high = losses().fold(low, f64::max).min(2.0 * low);
    let last = rows.last().map_or(1.0, |row| row[0]);
    let mut chart = Chart::new("Loss over positions", (0.0, last), (0.95 * low, high));
    chart.line("training", "#1f77b4", &points(2));
    chart.line("held out", "#d62728", &points(3));
    document(&[chart.finish()])
}

#[cfg(test)]
mod tests {
    use super::{Session, curve, next_batch};
    use crate::train::inputs::samples::records;
    use crate::train::loss::Target;
    use crate::train::model::Layout;
    use crate::train::optimiser::Schedule;
    use crate::train::stream::Stream;
    use crate::train::trainer::Trainer;

    const TARGET: Target = Target { scale: 200.0, result_share: 0.1, squared: 10.0 };

    fn schedule(steps: u64) -> Schedule {
        Schedule { peak: 1e-3, floor: 1e-5, warm_up: 2, steps, decay: 0.01, threats_every: 3 }
    }

    #[test]
    fn a_run_with_a_break_ends_like_one_without() {
        let folder = std::env::temp_dir().join(format!("brier-{}-session", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let data = folder.join("data");
        let mut writer = data::RecordWriter::create(&data, 0).unwrap();
        for record in records(1000, 8) {
            writer.write(&record).unwrap();
        }
        writer.finish().unwrap();
        let held_out = records(50, 9);
        let layout = Layout::new(64, true);
        let schedule = schedule(24);
        let fresh =
            || Trainer::new(simd::kernels(), layout, TARGET, schedule, 2, layout.initial(1));
        let open = || Stream::open(std::slice::from_ref(&data), 4).unwrap();
        let session = Session {
            folder: &folder,
            settings: "test".into(),
            batch: 100,
            target: TARGET,
            schedule,
            held_out: &held_out,
        };

        let mut whole = fresh();
        session.train(&mut whole, &mut open()).unwrap();

        // Twelve steps, a checkpoint on disk, and a new process's worth of state.
        let mut first = fresh();
        let mut stream = open();
        let mut batch = Vec::new();
        for _ in 0..12 {
            next_batch(&mut stream, &mut batch, 100).unwrap();
            first.learn(&batch);
        }
        let path = folder.join("checkpoint");
        first.checkpoint("test").save(&path).unwrap();
        let mut second = fresh();
        second.restore(crate::train::checkpoint::Checkpoint::load(&path).unwrap());
        let mut stream = open();
        stream.skip(second.step() * 100).unwrap();
        session.train(&mut second, &mut stream).unwrap();

        assert_eq!(whole.step(), second.step());
        assert!(whole.parameters() == second.parameters(), "the break changed the result");
        assert!(whole.parameters() != &*layout.initial(1), "nothing was learnt");
        assert!(std::fs::read_to_string(folder.join("curve.svg")).unwrap().contains("polyline"));
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn learning_lowers_the_loss() {
        let layout = Layout::new(64, true);
        let records = records(256, 5);
        let mut trainer =
            Trainer::new(simd::kernels(), layout, TARGET, schedule(200), 1, layout.initial(1));
        let before = trainer.learn(&records).total(&TARGET);
        for _ in 0..100 {
            trainer.learn(&records);
        }
        let after = trainer.learn(&records).total(&TARGET);
        assert!(after < 0.8 * before, "{before} to {after}");
    }

    #[test]
    fn a_broken_log_gives_an_empty_curve() {
        assert!(curve("").contains("</svg>"));
        assert!(!curve("header\nnonsense,1\n").contains("NaN"));
    }
}
