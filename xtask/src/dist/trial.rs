//! A binary at work, on its own system or an imitation of it, before anybody else gets it.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use super::android;
use super::targets::{self, Target, run_by};
use crate::bench_check;
use crate::shell;

const GAME: &str = "testdata/games/opera.pgn";
/// Nodes of a search; a program that is interpreted needs its time for each.
const NODES: &str = "2000";
/// Processors of the years 2006, 2008, 2013 and 2019: the binary must run on all.
const PROCESSORS: [&str; 4] = ["core2duo", "Nehalem", "Haswell", "Icelake-Server"];

/// What imitates them.
pub(crate) const OLD_PROCESSORS: &str = "qemu-x86_64";

/// Fails on the first thing that is not as it should be.
pub(crate) fn run(target: &Target, binary: &Path) -> Result<(), String> {
    if target.runner == ["wine"] {
        help_wine(&targets::wine_libraries())?;
    }
    if target.name == android::NAME {
        android::forget_calls()?;
    }
    let binary = binary.to_string_lossy();
    bench(target, &binary)?;
    session(target, &binary)?;
    analysis(target, &binary)?;
    serve(target, &binary)?;
    if target.triple.starts_with("x86_64") && target.runner.is_empty() {
        old_processors(&binary)?;
    }
    Ok(())
}

/// The page with an engine of its own, written by the binary as it lies in the archive.
pub(crate) fn site(target: &Target, inside: &Path) -> Result<(), String> {
    let folder = shell::target().join("dist-build").join("site");
    let binary = inside.join(target.binary);
    let arguments = ["site", "--out", &folder.to_string_lossy()];
    shell::run(&mut target.call(&binary.to_string_lossy(), &arguments))?;
    for name in ["index.html", "engine.js", "brier.wasm.packed", "default.nnue.packed"] {
        let file = folder.join(name);
        fs::metadata(&file).map_err(|error| format!("{}: {error}", file.display()))?;
    }
    fs::remove_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    match target.name {
        android::NAME => android::check_calls(),
        _ => Ok(()),
    }
}

/// Makes the library that an old wine lacks, in a folder; the C file says which.
pub(super) fn help_wine(folder: &Path) -> Result<(), String> {
    fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let (library, source) =
        (folder.join("bcryptprimitives.dll"), "xtask/src/dist/bcryptprimitives.c");
    let arguments = ["-shared", "-O2", source, "-ladvapi32", "-o", &library.to_string_lossy()];
    shell::run(&mut shell::program(targets::MINGW, &arguments))
}

/// The signature must be the one of the history.
fn bench(target: &Target, binary: &str) -> Result<(), String> {
    let expected = bench_check::promised_here()?;
    let nodes = bench_check::nodes(&shell::output_of(&mut target.call(binary, &["bench"]))?)?;
    println!("bench: {nodes} nodes");
    match nodes == expected {
        true => Ok(()),
        false => Err(format!("expected a bench of {expected} nodes, got {nodes}")),
    }
}

/// A conversation as a chess program has it.
fn session(target: &Target, binary: &str) -> Result<(), String> {
    let commands = format!(
        "uci\nsetoption name Hash value 8\nsetoption name Threads value 2\nisready\n\
         position startpos moves e2e4\ngo nodes {NODES}\n"
    );
    let mut child = start(&mut target.call(binary, &[]))?;
    let mut input = child.0.stdin.take().ok_or("the program has no input")?;
    input.write_all(commands.as_bytes()).map_err(|error| error.to_string())?;
    // The end of the input ends the program once the search has answered.
    drop(input);
    let mut text = String::new();
    let output = child.0.stdout.take().ok_or("the program has no output")?;
    BufReader::new(output).read_to_string(&mut text).map_err(|error| error.to_string())?;
    let says = |word: &str| text.lines().any(|line| line.trim_end().starts_with(word));
    match ["uciok", "readyok", "bestmove "].into_iter().find(|word| !says(word)) {
        None => Ok(()),
        Some(word) => Err(format!("expected `{word}` from a UCI session, got:\n{text}")),
    }
}

/// A game is judged the same everywhere.
fn analysis(target: &Target, binary: &str) -> Result<(), String> {
    let arguments = ["analyze", GAME, "--nodes", "500"];
    let text = shell::output_of(&mut target.call(binary, &arguments))?.replace("\r\n", "\n");
    match text.contains("Rd8#") {
        true => Ok(()),
        false => Err(format!("expected the last move of {GAME} in its analysis, got:\n{text}")),
    }
}

/// The page comes over the network.
fn serve(target: &Target, binary: &str) -> Result<(), String> {
    let mut child = start(&mut target.call(binary, &["serve", "--port", "0"]))?;
    let output = child.0.stdout.take().ok_or("the program has no output")?;
    let mut line = String::new();
    BufReader::new(output).read_line(&mut line).map_err(|error| error.to_string())?;
    let place = line
        .split_once("http://")
        .and_then(|(_, rest)| rest.split('/').next())
        .ok_or_else(|| format!("expected an address from `brier serve`, got `{}`", line.trim()))?;
    let page = page(place).map_err(|error| format!("cannot ask http://{place}/: {error}"))?;
    match page.starts_with("HTTP/1.1 200") && page.contains("<title>") {
        true => Ok(()),
        false => Err(format!("expected a page from `brier serve`, got:\n{page}")),
    }
}

fn page(place: &str) -> std::io::Result<String> {
    let mut stream = TcpStream::connect(place)?;
    stream.set_read_timeout(Some(Duration::from_secs(60)))?;
    write!(stream, "GET / HTTP/1.1\r\nHost: {place}\r\nConnection: close\r\n\r\n")?;
    let mut page = String::new();
    stream.read_to_string(&mut page)?;
    Ok(page)
}

/// Neither an illegal instruction nor another answer, whatever the processor has.
fn old_processors(binary: &str) -> Result<(), String> {
    let bench = ["bench", "3"];
    let expected = bench_check::nodes(&shell::output_of(&mut run_by(&[], binary, &bench))?)?;
    for processor in PROCESSORS {
        let runner = [OLD_PROCESSORS, "-cpu", processor];
        let nodes = bench_check::nodes(&shell::output_of(&mut run_by(&runner, binary, &bench))?)?;
        println!("{processor}: {nodes} nodes");
        if nodes != expected {
            return Err(format!("expected {expected} nodes on {processor}, got {nodes}"));
        }
    }
    Ok(())
}

/// A program that ends with its owner.
struct Child(std::process::Child);

impl Drop for Child {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn start(command: &mut Command) -> Result<Child, String> {
    let command = command.stdin(Stdio::piped()).stdout(Stdio::piped());
    command.spawn().map(Child).map_err(|error| format!("cannot start the binary: {error}"))
}
