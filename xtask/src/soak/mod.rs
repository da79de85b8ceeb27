//! `cargo xtask soak [minutes] [clients] [pause]`: a server that is asked for a long time, rightly and wrongly.
//!
//! A hundred clients ask `brier serve`, wait a little, and ask again; about half of what they send
//! is abuse ([`question`] lists all of it). Counted are the answers, those that came late or not at
//! all, and what the server holds on to: memory, threads, open files. With a shorter pause (in
//! milliseconds) many hours of questions fit into one.

mod question;

use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Child, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use self::question::{Answer, QUESTIONS};
use crate::memory::Memory;
use crate::shell;

const MINUTES: u64 = 60;
const CLIENTS: u64 = 100;
/// The middle of a client's pauses between two questions, in milliseconds.
const PAUSE: u64 = 6000;

/// Asks and prints a row for each kind of question; an answer that should not be is an error.
pub(crate) fn run(arguments: &[String]) -> Result<(), String> {
    let number = |index: usize, usual: u64| match arguments.get(index) {
        None => Ok(usual),
        Some(text) => text.parse().map_err(|_| format!("expected a number, got `{text}`")),
    };
    let (minutes, clients) = (number(0, MINUTES)?, number(1, CLIENTS)?);
    let pause = Duration::from_millis(number(2, PAUSE)?);
    shell::run(&mut shell::cargo(&["build", "--release", "--package", "brier"]))?;
    let mut server = Server::start()?;
    let end = Instant::now() + Duration::from_secs(60 * minutes);
    let mut memory = Memory::default();
    let (mut threads, mut files) = (0, 0);
    let answers: Vec<Vec<Answer>> = thread::scope(|scope| {
        let ask = |seed| {
            let place = server.place.clone();
            scope.spawn(move || client(&place, seed, pause, end))
        };
        let clients: Vec<_> = (0..clients).map(ask).collect();
        while Instant::now() < end {
            thread::sleep(Duration::from_secs(6));
            memory.sample(server.child.id());
            threads = threads.max(server.holds("task"));
            files = files.max(server.holds("fd"));
        }
        clients.into_iter().map(|client| client.join().expect("clients do not panic")).collect()
    });
    let ended = server.child.try_wait().map_err(|error| error.to_string())?;
    let answers: Vec<Answer> = answers.into_iter().flatten().collect();
    println!("{clients} clients, {minutes} minutes, {} questions", answers.len());
    let faults = report(&answers);
    println!("memory: {}", memory.report());
    println!("at most {threads} threads and {files} open files");
    if let Some(status) = ended {
        return Err(format!("the server ended with {status}"));
    }
    if faults.is_empty() { Ok(()) } else { Err(faults.join("\n")) }
}

/// A running server, killed at the end.
struct Server {
    child: Child,
    /// Where it listens, as `127.0.0.1:1234`.
    place: String,
}

impl Server {
    fn start() -> Result<Server, String> {
        let brier = shell::target().join("release").join("brier");
        let mut command = shell::program(brier, &["serve", "--port", "0", "--hash", "16"]);
        let mut child =
            command.stdout(Stdio::piped()).spawn().map_err(|error| error.to_string())?;
        let mut line = String::new();
        let output = child.stdout.as_mut().ok_or("the server has no output")?;
        BufReader::new(output).read_line(&mut line).map_err(|error| error.to_string())?;
        let place = line.split("http://").nth(1).and_then(|rest| rest.split('/').next());
        let place = place.ok_or_else(|| format!("expected an address, got {line:?}"))?.to_owned();
        Ok(Server { child, place })
    }

    /// How many entries a folder of the process has: its threads, or its open files.
    fn holds(&self, folder: &str) -> usize {
        fs::read_dir(format!("/proc/{}/{folder}", self.child.id())).map_or(0, Iterator::count)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Asks until the end, each time after a pause.
fn client(place: &str, seed: u64, pause: Duration, end: Instant) -> Vec<Answer> {
    let mut random = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = |below: u64| {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        random % below
    };
    let mut answers = Vec::new();
    loop {
        thread::sleep(pause / 2 + pause * next(1000) as u32 / 1000);
        if Instant::now() >= end {
            return answers;
        }
        let all: u64 = QUESTIONS.iter().map(|question| question.share).sum();
        let mut ticket = next(all);
        for (kind, question) in QUESTIONS.iter().enumerate() {
            if ticket < question.share {
                answers.push(question.ask(kind, place));
                break;
            }
            ticket -= question.share;
        }
    }
}

/// Prints the rows; the answers that should not be.
fn report(answers: &[Answer]) -> Vec<String> {
    println!(
        "{:<26} {:>7} {:>7} {:>6} {:>6} {:>8} {:>8} {:>8}",
        "question", "asked", "right", "busy", "wrong", "p50 ms", "p99 ms", "most ms"
    );
    let mut faults = Vec::new();
    for (kind, question) in QUESTIONS.iter().enumerate() {
        let of_kind = || answers.iter().filter(|answer| answer.kind == kind);
        let wrong: Vec<&String> = of_kind().filter_map(|a| a.result.as_ref().err()).collect();
        let busy = of_kind().filter(|answer| answer.result == Ok(question::BUSY)).count();
        let mut times: Vec<f64> =
            of_kind().map(|answer| answer.time.as_secs_f64() * 1000.0).collect();
        times.sort_by(f64::total_cmp);
        let at = |percent: usize| {
            let index = (times.len() * percent / 100).min(times.len().saturating_sub(1));
            times.get(index).copied().unwrap_or_default()
        };
        let (asked, right) = (times.len(), times.len() - busy - wrong.len());
        println!(
            "{:<26} {asked:>7} {right:>7} {busy:>6} {:>6} {:>8.1} {:>8.1} {:>8.1}",
            question.name,
            wrong.len(),
            at(50),
            at(99),
            at(100)
        );
        faults.extend(wrong.first().map(|fault| format!("{}: {fault}", question.name)));
    }
    faults
}
