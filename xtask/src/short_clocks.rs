//! `cargo xtask short-clocks [games] [time control]`: losses on time against Stockfish.
//!
//! fastchess plays the games one at a time and gives no margin. Beside it a thread sleeps for a
//! moment over and over and notes when it was woken late: that is how long the machine stood
//! still for everyone. Each loss is listed with the longest such stop of its game, so that one can
//! tell a clock that is planned badly from a machine that was elsewhere. It also takes samples of the
//! engine's memory: one process plays all games.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::Stdio;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::memory::{self, Memory};
use crate::shell;

const GAMES: usize = 2000;
const TIME_CONTROL: &str = "0.5+0.005";
const NAMES: [&str; 2] = ["brier", "stockfish"];

/// How long the sampler sleeps, and from which delay on it calls the machine stopped.
const NAP: Duration = Duration::from_millis(1);
const STOP: Duration = Duration::from_millis(5);

/// Plays and prints the losses of each side, and how often the machine stood still.
pub(crate) fn run(arguments: &[String]) -> Result<(), String> {
    let games = match arguments.first() {
        None => GAMES,
        Some(text) => text.parse().ok().filter(|&games| games > 0).ok_or("expected a number")?,
    };
    let time_control = arguments.get(1).map_or(TIME_CONTROL, String::as_str);
    shell::run(&mut shell::cargo(&["build", "--release", "--package", "brier"]))?;
    let built = shell::target().join("release").join("brier");
    let stockfish = shell::find("stockfish").ok_or("expected Stockfish to play against")?;
    let fastchess = shell::find("fastchess").ok_or("expected fastchess on the search path")?;
    let folder = shell::target().join("short-clocks");
    fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    // A copy, so that the next build does not change players in the middle of a match.
    let brier = folder.join("brier");
    fs::copy(built, &brier).map_err(|error| error.to_string())?;
    let openings = openings(&brier, &folder, games.div_ceil(2))?;

    let mut contest = shell::program(&fastchess, &[]);
    contest
        .args(["-engine", &format!("cmd={}", brier.display()), &format!("name={}", NAMES[0])])
        .args(["-engine", &format!("cmd={}", stockfish.display()), &format!("name={}", NAMES[1])])
        .args(["-each", &format!("tc={time_control}"), "timemargin=0", "option.Hash=16"])
        .args(["-openings", &format!("file={openings}"), "format=epd", "order=sequential"])
        .args(["-rounds", &games.div_ceil(2).to_string(), "-games", "2", "-repeat"])
        // The generator also gives Chess960 starts.
        .args(["-variant", "fischerandom", "-concurrency", "1", "-recover"])
        .current_dir(&folder)
        .stdout(Stdio::piped());

    let (over, stops) = (AtomicBool::new(false), Mutex::new(Stops::default()));
    let mut memory = Memory::default();
    let mut losses = [0; 2];
    let mut finished = 0;
    thread::scope(|scope| -> Result<(), String> {
        scope.spawn(|| sample(&over, &stops));
        scope.spawn(|| watch_memory(&over, &brier, &mut memory));
        let mut child =
            contest.spawn().map_err(|error| format!("cannot start a match: {error}"))?;
        let output = BufReader::new(child.stdout.take().ok_or("the match has no output")?);
        for line in output.lines().map_while(Result::ok) {
            if line.starts_with("Started game") {
                stops.lock().expect("no thread panics").longest_of_game = Duration::ZERO;
            }
            if !line.starts_with("Finished game") {
                continue;
            }
            finished += 1;
            if let Some(loser) = loser_on_time(&line) {
                losses[loser] += 1;
                let longest = stops.lock().expect("no thread panics").longest_of_game;
                println!("{line}; longest stop {} ms", longest.as_millis());
            } else if line.contains("illegal") || line.contains("disconnect") {
                println!("{line}");
            }
        }
        over.store(true, Ordering::Relaxed);
        child.wait().map(drop).map_err(|error| error.to_string())
    })?;
    println!("{finished} games at {time_control}, one at a time, no margin");
    for (name, losses) in NAMES.iter().zip(losses) {
        println!("{name:<10} {losses:>6} losses on time");
    }
    print!("{}", stops.into_inner().expect("no thread panics").report());
    println!("memory of {}: {}", NAMES[0], memory.report());
    Ok(())
}

/// Starting positions from the engine's own generator, the same each time.
fn openings(brier: &Path, folder: &Path, count: usize) -> Result<String, String> {
    let command = format!("genfens {count} seed 1 book None");
    let text = shell::output_of(&mut shell::program(brier, &[&command, "quit"]))?;
    let positions: Vec<&str> =
        text.lines().filter_map(|line| line.strip_prefix("info string genfens ")).collect();
    if positions.len() < count {
        return Err(format!("expected {count} positions, got {}", positions.len()));
    }
    let path = folder.join("openings.epd");
    fs::write(&path, positions.join("\n") + "\n").map_err(|error| error.to_string())?;
    Ok(path.display().to_string())
}

/// Which of [`NAMES`] lost on time, by a line such as
/// `Finished game 3 (brier vs stockfish): 0-1 {White loses on time}`.
fn loser_on_time(line: &str) -> Option<usize> {
    let black_is_brier = line.contains(&format!("vs {}", NAMES[0]));
    let white = line.contains("White loses on time");
    let black = line.contains("Black loses on time");
    (white || black).then_some(usize::from(white == black_is_brier))
}

/// How often and how long the machine stood still.
#[derive(Default)]
struct Stops {
    count: [usize; LONGER_THAN.len()],
    total: Duration,
    longest: Duration,
    longest_of_game: Duration,
}

const LONGER_THAN: [u64; 5] = [5, 10, 20, 50, 100];

impl Stops {
    fn note(&mut self, delay: Duration) {
        for (count, limit) in self.count.iter_mut().zip(LONGER_THAN) {
            *count += usize::from(delay >= Duration::from_millis(limit));
        }
        self.total += delay;
        self.longest = self.longest.max(delay);
        self.longest_of_game = self.longest_of_game.max(delay);
    }

    fn report(&self) -> String {
        let mut text = String::from("stops of the machine:");
        for (count, limit) in self.count.iter().zip(LONGER_THAN) {
            text += &format!(" {count} of {limit} ms and more,");
        }
        let (longest, total) = (self.longest.as_millis(), self.total.as_secs_f64());
        text + &format!(" the longest {longest} ms, {total:.1} s in all\n")
    }
}

fn sample(over: &AtomicBool, stops: &Mutex<Stops>) {
    while !over.load(Ordering::Relaxed) {
        let start = Instant::now();
        thread::sleep(NAP);
        let delay = start.elapsed().saturating_sub(NAP);
        if delay >= STOP {
            stops.lock().expect("no thread panics").note(delay);
        }
    }
}

/// Ten samples a minute.
fn watch_memory(over: &AtomicBool, program: &Path, memory: &mut Memory) {
    while !over.load(Ordering::Relaxed) {
        thread::sleep(Duration::from_secs(6));
        if let Some(process) = memory::process_of(program) {
            memory.sample(process);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_loser_is_found_whatever_its_colour() {
        let line = |players: &str, colour: &str| {
            loser_on_time(&format!("Finished game 1 ({players}): 0-1 {{{colour} loses on time}}"))
        };
        assert_eq!(line("brier vs stockfish", "White"), Some(0));
        assert_eq!(line("brier vs stockfish", "Black"), Some(1));
        assert_eq!(line("stockfish vs brier", "White"), Some(1));
        assert_eq!(line("stockfish vs brier", "Black"), Some(0));
        assert_eq!(loser_on_time("Finished game 1 (brier vs stockfish): 1-0 {White mates}"), None);
    }

    #[test]
    fn a_stop_counts_for_every_limit_it_reaches() {
        let mut stops = Stops::default();
        stops.note(Duration::from_millis(20));
        stops.note(Duration::from_millis(6));
        assert_eq!(stops.count, [2, 1, 1, 0, 0]);
        assert_eq!(stops.longest, Duration::from_millis(20));
    }
}
