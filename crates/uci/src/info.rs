//! The words of an `info` line: read, written, and made from what a search reports.

use std::fmt;

use chess::notation::uci::CastlingForm;
use chess::{Board, Move};
use eval::score::{Score, TB_WIN, is_loss, is_win, mate_distance};
use search::{Bound, Info};

use crate::words::Words;
use eval::Chances;

/// A score as the protocol writes it.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub enum ScoreText {
    /// Centipawns.
    Centipawns(i32),
    /// Moves to mate; negative if the side to move is mated.
    Mate(i32),
}

/// What a tablebase win is shown as, in centipawns; less one for each half-move to it.
const TB_CENTIPAWNS: i32 = 20_000;

impl ScoreText {
    /// From the search's scale.
    pub fn new(score: Score) -> Self {
        if let Some(moves) = mate_distance(score) {
            Self::Mate(moves)
        } else if is_win(score) {
            Self::Centipawns(TB_CENTIPAWNS - (TB_WIN - score))
        } else if is_loss(score) {
            Self::Centipawns(-TB_CENTIPAWNS + (TB_WIN + score))
        } else {
            Self::Centipawns(score)
        }
    }
}

impl fmt::Display for ScoreText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Centipawns(value) => write!(f, "cp {value}"),
            Self::Mate(moves) => write!(f, "mate {moves}"),
        }
    }
}

/// How a user wants lines to look.
#[derive(Copy, Clone, Debug, Default)]
pub struct Style {
    castling: CastlingForm,
    /// Material on the root's board, if chances are to be shown.
    wdl_material: Option<u32>,
}

impl Style {
    /// The style for lines about a search from this board.
    pub fn new(board: &Board, chess960: bool, show_wdl: bool) -> Self {
        Self {
            castling: if chess960 { CastlingForm::Chess960 } else { CastlingForm::Standard },
            wdl_material: show_wdl.then(|| Chances::material(board)),
        }
    }

    /// A move in this style.
    pub fn mv(&self, mv: Move) -> String {
        mv.uci(self.castling).to_string()
    }

    fn wdl(&self, info: &Info) -> Option<Chances> {
        self.wdl_material.map(|material| Chances::after(info.nodes, &info.quantiles, material))
    }
}

/// An `info` line, except `info string`. Only what the protocol names.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct InfoLine {
    /// `depth`.
    pub depth: Option<u32>,
    /// `seldepth`.
    pub seldepth: Option<u32>,
    /// `multipv`.
    pub multi_pv: Option<usize>,
    /// `score`.
    pub score: Option<ScoreText>,
    /// `lowerbound` or `upperbound` after the score.
    pub bound: Option<Bound>,
    /// `wdl` after the score.
    pub wdl: Option<Chances>,
    /// `nodes`.
    pub nodes: Option<u64>,
    /// `nps`.
    pub nps: Option<u64>,
    /// `hashfull`.
    pub hashfull: Option<u32>,
    /// `tbhits`.
    pub tb_hits: Option<u64>,
    /// `time`, in milliseconds.
    pub time: Option<u64>,
    /// `currmove`.
    pub current_move: Option<String>,
    /// `currmovenumber`.
    pub current_move_number: Option<usize>,
    /// `pv`, always last.
    pub pv: Vec<String>,
}

impl InfoLine {
    /// What a search reports, in a style.
    pub fn new(info: &Info, style: &Style) -> Self {
        let micros = info.time.as_micros().max(1);
        let nps = u128::from(info.nodes) * 1_000_000 / micros;
        Self {
            depth: Some(info.depth),
            seldepth: Some(info.seldepth),
            multi_pv: Some(info.multi_pv),
            score: Some(ScoreText::new(info.score)),
            bound: Some(info.bound).filter(|&bound| bound != Bound::Exact),
            wdl: style.wdl(info),
            nodes: Some(info.nodes),
            nps: Some(u64::try_from(nps).unwrap_or(u64::MAX)),
            hashfull: Some(info.hashfull),
            tb_hits: Some(info.tb_hits),
            time: Some(u64::try_from(info.time.as_millis()).unwrap_or(u64::MAX)),
            current_move: None,
            current_move_number: None,
            pv: info.pv.iter().map(|&mv| style.mv(mv)).collect(),
        }
    }

    /// Reads what follows `info`; words that nobody knows are skipped.
    pub(crate) fn parse(words: &mut Words<'_>) -> Self {
        fn take<T: TryFrom<i64>>(words: &mut Words<'_>) -> Option<T> {
            words.number().and_then(|value| T::try_from(value).ok())
        }
        let mut line = Self::default();
        while let Some(word) = words.next() {
            match word {
                "depth" => line.depth = take(words),
                "seldepth" => line.seldepth = take(words),
                "multipv" => line.multi_pv = take(words),
                "cp" => line.score = take(words).map(ScoreText::Centipawns),
                "mate" => line.score = take(words).map(ScoreText::Mate),
                "lowerbound" => line.bound = Some(Bound::Lower),
                "upperbound" => line.bound = Some(Bound::Upper),
                "wdl" => {
                    let mut next = || take(words);
                    line.wdl = next().zip(next()).zip(next()).map(|((win, draw), loss)| Chances {
                        win,
                        draw,
                        loss,
                    });
                }
                "nodes" => line.nodes = take(words),
                "nps" => line.nps = take(words),
                "hashfull" => line.hashfull = take(words),
                "tbhits" => line.tb_hits = take(words),
                "time" => line.time = take(words),
                "currmove" => line.current_move = words.next().map(str::to_owned),
                "currmovenumber" => line.current_move_number = take(words),
                "pv" => line.pv = words.map(str::to_owned).collect(),
                _ => {}
            }
        }
        line
    }
}

impl fmt::Display for InfoLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fn field(
            f: &mut fmt::Formatter<'_>,
            word: &str,
            value: Option<impl fmt::Display>,
        ) -> fmt::Result {
            value.map_or(Ok(()), |value| write!(f, " {word} {value}"))
        }
        f.write_str("info")?;
        field(f, "depth", self.depth)?;
        field(f, "seldepth", self.seldepth)?;
        field(f, "multipv", self.multi_pv)?;
        field(f, "score", self.score)?;
        match self.bound {
            Some(Bound::Lower) => f.write_str(" lowerbound")?,
            Some(Bound::Upper) => f.write_str(" upperbound")?,
            Some(Bound::Exact) | None => {}
        }
        if let Some(Chances { win, draw, loss }) = self.wdl {
            write!(f, " wdl {win} {draw} {loss}")?;
        }
        field(f, "nodes", self.nodes)?;
        field(f, "nps", self.nps)?;
        field(f, "hashfull", self.hashfull)?;
        field(f, "tbhits", self.tb_hits)?;
        field(f, "time", self.time)?;
        field(f, "currmove", self.current_move.as_deref())?;
        field(f, "currmovenumber", self.current_move_number)?;
        field(f, "pv", Some(self.pv.join(" ")).filter(|pv| !pv.is_empty()))
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use eval::Quantiles;
    use eval::score::{mate_in, mated_in, tb_win_in};

    use super::*;

    #[test]
    fn scores_of_decided_games() {
        assert_eq!(ScoreText::new(-31), ScoreText::Centipawns(-31));
        assert_eq!(ScoreText::new(mate_in(5)), ScoreText::Mate(3));
        assert_eq!(ScoreText::new(mated_in(4)), ScoreText::Mate(-2));
        assert_eq!(ScoreText::new(tb_win_in(7)), ScoreText::Centipawns(19_993));
        assert_eq!(ScoreText::new(-tb_win_in(7)), ScoreText::Centipawns(-19_993));
    }

    #[test]
    fn a_search_report_becomes_a_line_with_pv_last() {
        let board: Board = "4k3/8/8/8/8/8/8/4K2R w K - 0 1".parse().unwrap();
        let castle = board.parse_uci("e1g1").unwrap();
        let info = Info {
            depth: 9,
            seldepth: 14,
            multi_pv: 1,
            score: 25,
            quantiles: Quantiles::certain(25),
            confidence: None,
            bound: Bound::Lower,
            nodes: 5000,
            tb_hits: 0,
            time: Duration::from_millis(50),
            hashfull: 3,
            pv: vec![castle],
        };
        let standard = InfoLine::new(&info, &Style::new(&board, false, true)).to_string();
        assert!(standard.starts_with("info depth 9 seldepth 14 multipv 1 score cp 25 lowerbound "));
        assert!(standard.contains(" wdl "));
        assert!(standard.ends_with(" nodes 5000 nps 100000 hashfull 3 tbhits 0 time 50 pv e1g1"));
        let chess960 = InfoLine::new(&info, &Style::new(&board, true, false)).to_string();
        assert!(chess960.ends_with(" pv e1h1") && !chess960.contains("wdl"));
    }

    #[test]
    fn writing_and_reading_agree() {
        for text in [
            "info depth 1 seldepth 2 multipv 3 score cp -4 upperbound wdl 5 6 989 nodes 7 nps 8 \
             hashfull 9 tbhits 10 time 11 pv e2e4 e7e5",
            "info depth 1 currmove e2e4 currmovenumber 12",
            "info depth 0 score mate 0",
        ] {
            let mut words = Words::new(text);
            words.next();
            assert_eq!(InfoLine::parse(&mut words).to_string(), text);
        }
    }

    #[test]
    fn a_search_without_time_has_a_speed() {
        let info = Info {
            depth: 1,
            seldepth: 1,
            multi_pv: 1,
            score: 0,
            quantiles: Quantiles::default(),
            confidence: None,
            bound: Bound::Exact,
            nodes: u64::MAX,
            tb_hits: 0,
            time: Duration::ZERO,
            hashfull: 0,
            pv: Vec::new(),
        };
        assert_eq!(InfoLine::new(&info, &Style::default()).nps, Some(u64::MAX));
    }
}
