//! Time that does not pass as it should: a process that is stopped, clocks that jump.

use std::fs;
use std::path::Path;
use std::thread;
use std::time::Duration;

use super::Trial;
use super::place::{Place, limited};
use super::talk::Talk;

const POSITION: &str = "position startpos moves e2e4 c7c5";

/// A process that is stopped (SIGSTOP) at twenty moments of a move and goes on half a second
/// later: it answers, and the next search is the one it would have been.
pub(super) fn stopped(place: &Place) -> Result<Trial, String> {
    let mut trial = Trial::new("SIGSTOP in a search");
    for step in 0..20 {
        let moment = Duration::from_millis(step * 6);
        trial.compare(place, &format!("after {} ms", moment.as_millis()), |program| {
            let mut talk = begin(program, "")?;
            let clean = depth_six(&mut talk)?;
            talk.send(format!("{POSITION}\ngo wtime 2000 btime 2000 winc 20 binc 20\n"));
            thread::sleep(moment);
            talk.signal("-STOP")?;
            thread::sleep(Duration::from_millis(500));
            talk.signal("-CONT")?;
            talk.until("bestmove")?;
            same(&clean, &depth_six(&mut talk)?)
        });
    }
    Ok(trial)
}

/// What the clocks are moved by, as faketime writes it.
const JUMPS: [&str; 8] = ["+1s", "+1h", "+30d", "+10y", "-1s", "-1h", "-30d", "-10y"];

/// The time of day jumps while a move is being thought about.
pub(super) fn wall_clock_jumps(place: &Place) -> Result<Trial, String> {
    let mut trial = Trial::new("time of day jumps");
    for jump in JUMPS {
        trial.compare(place, jump, |program| jumping(place, program, jump, true));
    }
    Ok(trial)
}

/// Every clock jumps, even the one of which the system promises that it does not: a search may
/// then take any time, but obeys `stop`.
pub(super) fn every_clock_jumps(place: &Place) -> Result<Trial, String> {
    let mut trial = Trial::new("every clock jumps");
    for jump in JUMPS {
        trial.compare(place, jump, |program| jumping(place, program, jump, false));
    }
    Ok(trial)
}

fn jumping(place: &Place, program: &Path, jump: &str, steady: bool) -> Result<(), String> {
    let file = place.folder.join("clock");
    fs::write(&file, "+0").map_err(|error| error.to_string())?;
    let steady_clock = if steady { "DONT_FAKE_MONOTONIC=1" } else { "DONT_FAKE_MONOTONIC=0" };
    let library = "$(dirname \"$(dpkg -L libfaketime | grep 'libfaketimeMT.so.1$')\")";
    let limits = format!(
        "export LD_PRELOAD=\"{library}/libfaketimeMT.so.1\" {steady_clock} FAKETIME_NO_CACHE=1 \
         FAKETIME_TIMESTAMP_FILE='{}'",
        file.display()
    );
    let mut talk = begin(program, &limits)?;
    let clean = depth_six(&mut talk)?;
    talk.send(format!("{POSITION}\ngo movetime 300\n"));
    thread::sleep(Duration::from_millis(60));
    fs::write(&file, jump).map_err(|error| error.to_string())?;
    if !steady {
        thread::sleep(Duration::from_millis(500));
        talk.send("stop\n");
    }
    talk.until("bestmove")?;
    same(&clean, &depth_six(&mut talk)?)?;
    // The end of input ends an endless search, whatever the clocks say.
    talk.send("go infinite\n");
    thread::sleep(Duration::from_millis(20));
    talk.send("stop\n");
    talk.until("bestmove")?;
    talk.close();
    talk.end().map(drop)
}

fn begin(program: &Path, limits: &str) -> Result<Talk, String> {
    let mut talk = Talk::start(&mut limited(program, limits, ""))?;
    talk.send("uci\nsetoption name Hash value 4\nisready\n");
    talk.until("readyok")?;
    Ok(talk)
}

/// The best move and its nodes of a search that depends on nothing but the position.
fn depth_six(talk: &mut Talk) -> Result<(String, String), String> {
    talk.send(format!("ucinewgame\nisready\n{POSITION} g1f3\ngo depth 6\n"));
    let lines = talk.until("bestmove")?;
    let nodes = lines.iter().rev().find_map(|line| {
        let mut words = line.split_whitespace();
        words.find(|&word| word == "nodes").and_then(|_| words.next()).map(str::to_owned)
    });
    let best = lines.last().and_then(|line| line.split_whitespace().nth(1).map(str::to_owned));
    Ok((best.unwrap_or_default(), nodes.unwrap_or_default()))
}

fn same(clean: &(String, String), after: &(String, String)) -> Result<(), String> {
    match clean == after {
        true => Ok(()),
        false => Err(format!("expected {clean:?} as before, got {after:?}")),
    }
}
