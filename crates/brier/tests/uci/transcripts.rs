//! Recorded sessions (`testdata/uci`): what is said and what is answered, line by line.
//!
//! What depends on the weights of search and network (scores, nodes, variations) or on the machine
//! (time) is recorded as 0 or left out, so that a session changes only if the protocol does.
//! Forecasts are left out too, and how visits divide; `docs/quantiles.md` and `docs/mcts.md` are about them. After a change that is meant,
//! `BRIER_RECORD=1 cargo test -p brier transcripts` writes the files anew: read the difference.

use std::fs;
use std::path::Path;

use eval::Chances;
use uci::{Command, Reply, ScoreText};

use crate::driver::Engine;

/// A transcript without what may change, and whether the last score was a mate: only then the moves
/// are the only ones possible.
#[derive(Default)]
struct Transcript {
    lines: Vec<String>,
    mate: bool,
}

impl Transcript {
    fn answer(&mut self, line: &str) {
        let line = match Reply::parse(line) {
            Some(Reply::Text(text))
                if ["doubt ", "confidence ", "visits "]
                    .iter()
                    .any(|word| text.starts_with(word)) =>
            {
                return;
            }
            Some(Reply::Info(mut info)) => {
                self.mate = matches!(info.score, Some(ScoreText::Mate(_)));
                if !self.mate {
                    info.score = Some(ScoreText::Centipawns(0));
                    info.pv.clear();
                }
                info.wdl = info.wdl.map(|_| Chances { win: 0, draw: 0, loss: 0 });
                for number in [&mut info.nodes, &mut info.nps, &mut info.tb_hits, &mut info.time] {
                    *number = number.map(|_| 0);
                }
                for number in [&mut info.seldepth, &mut info.hashfull] {
                    *number = number.map(|_| 0);
                }
                info.to_string()
            }
            Some(Reply::BestMove { best: Some(_), .. }) if !self.mate => "bestmove".to_owned(),
            _ => line.to_owned(),
        };
        self.lines.push(format!("< {line}").trim_end().to_owned());
    }
}

/// Says everything that a recorded session says, and records what is answered.
fn play(recorded: &str) -> String {
    let mut engine = Engine::spawn();
    engine.set_options();
    let mut transcript = Transcript::default();
    for said in recorded.lines() {
        if said.starts_with('#') || said.is_empty() {
            transcript.lines.push(said.to_owned());
        }
        let Some(said) = said.strip_prefix("> ") else { continue };
        transcript.lines.push(format!("> {said}"));
        engine.send(said);
        let answers = match Command::parse(said) {
            Ok(Command::Go(go)) if go.perft.is_some() => engine.until("Nodes"),
            Ok(Command::Go(_)) => engine.until("bestmove"),
            _ => engine.sync(),
        };
        answers.iter().for_each(|line| transcript.answer(line));
    }
    transcript.lines.join("\n") + "\n"
}

fn check(name: &str) {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/uci"));
    let path = folder.join(name);
    let recorded = fs::read_to_string(&path).expect("a recorded session");
    let played = play(&recorded);
    if std::env::var("BRIER_RECORD").is_ok_and(|value| value == "1") {
        fs::write(&path, played).expect("the session can be written");
        return;
    }
    let (mut expected, mut got) = (recorded.lines(), played.lines());
    for number in 1.. {
        match (expected.next(), got.next()) {
            (None, None) => break,
            (expected, got) => assert_eq!(got, expected, "line {number} of {name}"),
        }
    }
}

#[test]
fn rules() {
    check("rules.txt");
}

#[test]
fn faults() {
    check("faults.txt");
}

#[test]
fn searches() {
    check("searches.txt");
}

#[test]
fn mates() {
    check("mates.txt");
}

#[test]
fn chess960() {
    check("chess960.txt");
}
