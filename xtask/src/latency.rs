//! `cargo xtask latency [rounds [busy]]`: how long `stop` takes, against Stockfish, in turns.
//!
//! An endless search is started, stopped after a moment, and the time until `bestmove` is taken.
//! The two engines take turns, so that a busy machine treats both alike; compare within one run.
//! `busy` threads that do nothing but work make the machine as busy as wanted.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::shell;

const ROUNDS: usize = 400;

/// Prints median, 90th and 99th percentile and maximum for each engine, in milliseconds.
pub(crate) fn run(arguments: &[String]) -> Result<(), String> {
    let number = |text: &String| text.parse().map_err(|_| format!("expected a number, got {text}"));
    let (rounds, busy) = match arguments {
        [] => (ROUNDS, 0),
        [rounds] => (number(rounds)?, 0),
        [rounds, busy] => (number(rounds)?, number(busy)?),
        _ => return Err("expected at most a number of rounds and one of busy threads".into()),
    };
    if rounds == 0 {
        return Err("expected at least one round".into());
    }
    shell::run(&mut shell::cargo(&["build", "--release", "--package", "brier"]))?;
    let brier = shell::target().join("release").join("brier");
    let stockfish = shell::find("stockfish").ok_or("expected Stockfish to compare with")?;
    let over = AtomicBool::new(false);
    thread::scope(|scope| {
        for _ in 0..busy {
            scope.spawn(|| {
                while !over.load(Ordering::Relaxed) {
                    std::hint::spin_loop();
                }
            });
        }
        let outcome = measure(rounds, &brier, &stockfish);
        over.store(true, Ordering::Relaxed);
        outcome
    })
}

fn measure(rounds: usize, brier: &Path, stockfish: &Path) -> Result<(), String> {
    let mut engines = [("brier", brier), ("stockfish", stockfish)]
        .map(|(name, path)| Engine::start(path).map(|engine| (name, engine, Vec::new())));
    for round in 0..rounds {
        for entry in &mut engines {
            let (_, engine, times) = entry.as_mut().map_err(|reason| reason.clone())?;
            // Ten to fifty milliseconds, another time in each round.
            times.push(
                engine.stop_after(Duration::from_micros(10_000 + round as u64 * 7919 % 40_000))?,
            );
        }
    }
    println!("{:<10} {:>8} {:>8} {:>8} {:>8}", "ms", "median", "90 %", "99 %", "most");
    for entry in engines {
        let (name, _engine, mut times) = entry?;
        times.sort();
        let [median, ninety, high, most] = [50, 90, 99, 100].map(|percent| {
            let index = (times.len() * percent / 100).min(times.len() - 1);
            times[index].as_secs_f64() * 1000.0
        });
        println!("{name:<10} {median:>8.2} {ninety:>8.2} {high:>8.2} {most:>8.2}");
    }
    Ok(())
}

struct Engine {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Engine {
    fn start(path: &Path) -> Result<Engine, String> {
        let failed = |error| format!("cannot start {}: {error}", path.display());
        let mut command = shell::program(path, &[]);
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().map_err(failed)?;
        let input = child.stdin.take().ok_or("the engine has no input")?;
        let output = BufReader::new(child.stdout.take().ok_or("the engine has no output")?);
        let mut engine = Engine { child, input, output };
        engine.send("uci\nsetoption name Hash value 16\nisready\n")?;
        engine.until("readyok")?;
        Ok(engine)
    }

    fn send(&mut self, text: &str) -> Result<(), String> {
        self.input.write_all(text.as_bytes()).map_err(|error| error.to_string())
    }

    fn until(&mut self, word: &str) -> Result<(), String> {
        let mut line = String::new();
        while !line.starts_with(word) {
            line.clear();
            let length = self.output.read_line(&mut line).map_err(|error| error.to_string())?;
            if length == 0 {
                return Err(format!("expected `{word}`, got the end of the output"));
            }
        }
        Ok(())
    }

    fn stop_after(&mut self, pause: Duration) -> Result<Duration, String> {
        self.send("position startpos\ngo infinite\n")?;
        thread::sleep(pause);
        let start = Instant::now();
        self.send("stop\n")?;
        self.until("bestmove")?;
        Ok(start.elapsed())
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
