//! The file of positions a judgement is compared with.
//!
//! ```text
//! # fen→score→win→draw→loss→best move
//! 8/1pk5/p7/4p3/KPP1P1R1/4r3/7P/8 b - - 10 48→cp -7→1→997→2→c7c6
//! ```
//! A tab, here an arrow, stands between the fields; lines that begin with `#` are notes; score and
//! chances (per mille) are those of the side to move; what follows the chances is not read.
//!
//! A file of records will do as well: then the points follow from the records' scores.

use std::fs;
use std::path::Path;

use anyhow::{Context, bail, ensure};
use chess::Board;
use data::{Outcome, Position, Record, RecordReader};

use crate::statistics::sigmoid;

/// One position.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Reference {
    pub(super) record: Record,
    /// Centipawns for the side to move; a mate is ±30,000.
    pub(super) score: f64,
    /// Expected points of the side to move, 0 to 1.
    pub(super) points: f64,
}

/// What a mate is worth in centipawns.
const MATE: f64 = 30_000.0;

/// Most records that are looked at.
const RECORDS: usize = 1_000_000;

/// Reads a reference file; `scale` is the centipawns of one unit of log-odds in records.
pub(super) fn read(path: &Path, scale: f64) -> anyhow::Result<Vec<Reference>> {
    let context = || format!("cannot read {}", path.display());
    let bytes = fs::read(path).with_context(context)?;
    let Ok(text) = std::str::from_utf8(&bytes) else {
        let mut records = Vec::new();
        RecordReader::open(path)
            .and_then(|mut reader| reader.read_batch(&mut records, RECORDS))
            .with_context(context)?;
        return Ok(records.into_iter().map(|record| of_record(record, scale)).collect());
    };
    parse(text).with_context(|| path.display().to_string())
}

fn of_record(record: Record, scale: f64) -> Reference {
    let score = f64::from(record.score());
    Reference { record, score, points: sigmoid(score / scale) }
}

fn parse(text: &str) -> anyhow::Result<Vec<Reference>> {
    let references = text
        .lines()
        .enumerate()
        .filter(|(_, line)| !line.starts_with('#') && !line.trim().is_empty())
        .map(|(i, line)| parse_line(line).with_context(|| format!("line {}", i + 1)))
        .collect::<anyhow::Result<Vec<_>>>()?;
    ensure!(!references.is_empty(), "expected positions, got none");
    Ok(references)
}

fn parse_line(line: &str) -> anyhow::Result<Reference> {
    let fields: Vec<&str> = line.split('\t').collect();
    let [fen, score, win, draw, loss, ..] = fields[..] else {
        bail!("expected FEN, score, win, draw, loss between tabs, got {} fields", fields.len());
    };
    let board: Board = fen.parse().with_context(|| format!("expected a FEN, got \"{fen}\""))?;
    ensure!(!board.in_check(), "expected a position without check, got \"{fen}\"");
    let score = match score.split_once(' ') {
        Some(("cp", number)) => number.parse::<i32>().ok().map(f64::from),
        Some(("mate", number)) => {
            number.parse::<i32>().ok().map(|moves| if moves > 0 { MATE } else { -MATE })
        }
        _ => None,
    }
    .with_context(|| format!("expected a score like \"cp 12\" or \"mate -3\", got \"{score}\""))?;
    let chance = |text: &str| {
        let chance = text.parse::<u32>().ok().filter(|&chance| chance <= 1000);
        chance.with_context(|| format!("expected a chance of 0 to 1000, got \"{text}\""))
    };
    let (win, draw, loss) = (chance(win)?, chance(draw)?, chance(loss)?);
    let sum = win + draw + loss;
    // Each is rounded by itself.
    ensure!((998..=1002).contains(&sum), "expected chances that add up to 1000, got {sum}");
    let points = (f64::from(win) + f64::from(draw) / 2.0) / f64::from(sum);
    let mv = *board.legal_moves().first().context("expected a position with a move")?;
    let position = Position { board, mv, score: 0, outcome: Outcome::Draw, ply: 0 };
    Ok(Reference { record: Record::new(&position), score, points })
}

#[cfg(test)]
mod tests {
    use super::*;

    const FEN: &str = "8/1pk5/p7/4p3/KPP1P1R1/4r3/7P/8 b - - 10 48";

    #[test]
    fn lines_are_read_and_notes_are_not() {
        let text = format!("# note\n{FEN}\tcp -7\t1\t997\t2\tc7c6\n\n{FEN}\tmate -3\t0\t0\t1000\n");
        let found = parse(&text).unwrap();
        assert_eq!(found.len(), 2);
        assert_eq!((found[0].score, found[1].score), (-7.0, -30_000.0));
        assert!((found[0].points - 0.4995).abs() < 1e-9);
        assert_eq!(found[1].points, 0.0);
        assert_eq!(found[0].record.pieces().count(), 11);
    }

    #[test]
    fn records_have_the_points_of_their_scores() {
        let path = std::env::temp_dir().join(format!("brier-judge-{}.pos", std::process::id()));
        let board: Board = "8/1pk5/p7/4p3/KPP1P1R1/4r3/7P/8 b - - 10 48".parse().unwrap();
        let mv = board.legal_moves()[0];
        let position = Position { board, mv, score: -200, outcome: Outcome::Draw, ply: 0 };
        let mut writer = data::RecordWriter::create(&path, 1).unwrap();
        writer.write(&Record::new(&position)).unwrap();
        writer.finish().unwrap();
        let found = read(&path, 200.0).unwrap();
        assert_eq!((found.len(), found[0].score), (1, 200.0), "for the side to move");
        assert!((found[0].points - sigmoid(1.0)).abs() < 1e-9);
        fs::remove_file(&path).unwrap();
    }

    #[test]
    fn bad_lines_are_refused_with_their_number() {
        let check = "4k3/8/8/8/8/8/4R3/4K3 b - - 0 1";
        for (line, reason) in [
            (FEN.to_string(), "got 1 fields"),
            (format!("{FEN}\tcp -7\t1\t997"), "got 4 fields"),
            ("8/8 w - - 0 1\tcp 1\t0\t1000\t0".into(), "expected a FEN"),
            (format!("{check}\tcp 1\t0\t1000\t0"), "without check"),
            (format!("{FEN}\t12\t0\t1000\t0"), "got \"12\""),
            (format!("{FEN}\tcp x\t0\t1000\t0"), "got \"cp x\""),
            (format!("{FEN}\tcp 1\t-4\t1000\t0"), "got \"-4\""),
            (format!("{FEN}\tcp 1\t5000\t0\t0"), "got \"5000\""),
            (format!("{FEN}\tcp 1\t500\t0\t0"), "got 500"),
        ] {
            let text = format!("# note\n{line}\n");
            let error = format!("{:#}", parse(&text).unwrap_err());
            assert!(error.contains("line 2") && error.contains(reason), "{error}");
        }
        assert!(parse("# nothing\n").unwrap_err().to_string().contains("got none"));
    }
}
