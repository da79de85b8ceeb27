//! What the engine answers about every position of a game: the part of a review that takes time,
//! and that can be kept as text and read again.
//!
//! The search goes from the last position to the first. So, when the engine looks for the best
//! move, its table already knows what became of the one that was played, and the two scores that
//! are compared seldom contradict each other. Then moves that may deserve a mark get a
//! [second look](crate::second_look).

use std::collections::BTreeMap;

use chess::{Board, Move};
use engine::{Position, Share};
use eval::Quantiles;
use pgn::Game;
use serde::{Deserialize, Serialize};

use crate::marks::Claim;
use crate::plausible;
use crate::searcher::{Line, Searcher};
use crate::second_look::SecondLook;
use crate::verdict::Verdict;

/// Half-moves of a line that are kept.
const KEPT: usize = 20;

/// The engine's best line in each position of a game.
#[derive(Clone, Debug, PartialEq)]
pub struct Answers {
    /// From the first position to the last: one more than there are moves.
    pub lines: Vec<Line>,
    /// The moves that were looked at again, by their number from 0.
    pub second_looks: BTreeMap<usize, SecondLook>,
}

/// What has been searched.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub enum Tick {
    /// One of the game's positions.
    Position,
    /// This many moves that may deserve a mark are going to be looked at again.
    Candidates(usize),
    /// One of them, and the engine's choice.
    Candidate,
}

impl Tick {
    /// How many more positions of work it announces.
    pub fn ahead(self) -> usize {
        match self {
            Self::Candidates(count) => count * SecondLook::POSITIONS,
            Self::Position | Self::Candidate => 0,
        }
    }

    /// How many positions of work are done with it.
    pub fn done(self) -> usize {
        match self {
            Self::Position => 1,
            Self::Candidates(_) => 0,
            Self::Candidate => SecondLook::POSITIONS,
        }
    }
}

impl Answers {
    /// Searches every position of a game, and moves that may deserve a mark once more; `tick` is
    /// called after each, and its error ends the search.
    pub fn search<E>(
        game: &Game,
        searcher: &mut Searcher,
        mut tick: impl FnMut(Tick) -> Result<(), E>,
    ) -> Result<Self, E> {
        searcher.new_game();
        let boards: Vec<Board> = game.positions().collect();
        let mut lines = Vec::with_capacity(boards.len());
        for ply in (0..boards.len()).rev() {
            let is_last = ply == game.moves.len();
            let mut line = searcher.best(&with_past(game, &boards, ply), is_last);
            line.moves.truncate(KEPT);
            lines.push(line);
            tick(Tick::Position)?;
        }
        lines.reverse();
        let candidates: Vec<usize> = game
            .moves
            .iter()
            .zip(lines.windows(2))
            .enumerate()
            .filter(|&(ply, (played, pair))| {
                let side = boards[ply].side_to_move();
                let (best, after) = (pair[0].verdict.seen_by(side), pair[1].verdict.seen_by(side));
                pair[0].moves.first().is_some_and(|&choice| choice != played.mv)
                    && Claim::new(&boards[ply], &best, &after).is_likely()
            })
            .map(|(ply, _)| ply)
            .collect();
        tick(Tick::Candidates(candidates.len()))?;
        let mut second_looks = BTreeMap::new();
        for ply in candidates {
            let position = with_past(game, &boards, ply);
            let mut look = SecondLook::new(&position, game.moves[ply].mv, searcher);
            look.best.moves.truncate(KEPT);
            look.played.moves.truncate(KEPT);
            second_looks.insert(ply, look);
            tick(Tick::Candidate)?;
        }
        Ok(Self { lines, second_looks })
    }

    /// As it is kept.
    pub fn to_kept(&self) -> Kept {
        let looks = self.second_looks.iter();
        Kept {
            lines: self.lines.iter().map(KeptLine::new).collect(),
            looks: looks
                .map(|(&ply, look)| (ply, KeptLine::new(&look.best), KeptLine::new(&look.played)))
                .collect(),
        }
    }

    /// Reads what was kept; none if it does not belong to this game.
    pub fn from_kept(game: &Game, kept: &Kept) -> Option<Self> {
        let boards: Vec<Board> = game.positions().collect();
        if kept.lines.len() != boards.len() {
            return None;
        }
        let lines = boards.iter().zip(&kept.lines).map(|(board, kept)| kept.line(board));
        let looks = kept.looks.iter().map(|(ply, best, played)| {
            let board = boards.get(*ply)?;
            let look = SecondLook { best: best.line(board)?, played: played.line(board)? };
            (*ply < game.moves.len()).then_some((*ply, look))
        });
        Some(Self {
            lines: lines.collect::<Option<_>>()?,
            second_looks: looks.collect::<Option<_>>()?,
        })
    }
}

/// The position after this many half-moves, with as much of the game as can come again.
fn with_past(game: &Game, boards: &[Board], ply: usize) -> Position {
    let first = ply.saturating_sub(usize::from(boards[ply].halfmove_clock()));
    let mut position = Position::new(boards[first].clone());
    for played in &game.moves[first..ply] {
        position.play(played.mv);
    }
    position
}

/// Answers as a journal has them.
#[derive(Debug, Deserialize, Serialize)]
pub struct Kept {
    lines: Vec<KeptLine>,
    /// Second looks: the number of the move, the engine's choice, the move that was played.
    looks: Vec<(usize, KeptLine, KeptLine)>,
}

/// A line with short names, for journals. Scores are on the engine's own scale, for White.
#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct KeptLine {
    /// Moves in UCI's notation, castling as king takes rook.
    m: String,
    /// The score.
    s: i32,
    /// Five quantiles.
    q: [i32; 5],
    /// Depth and nodes.
    d: u32,
    n: u64,
    /// Confidence in thousandths.
    c: Option<u16>,
    /// Plausible moves, each with its part of the visits in thousandths.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    v: Vec<(String, u16)>,
}

impl KeptLine {
    fn new(line: &Line) -> Self {
        let moves: Vec<String> = line.moves.iter().map(Move::to_string).collect();
        Self {
            m: moves.join(" "),
            s: line.verdict.score,
            q: line.verdict.band.to_array(),
            d: line.depth,
            n: line.nodes,
            c: line.confidence.map(|sure| (1000.0 * sure).round() as u16),
            v: plausible::shown(&line.shares).map(|(mv, part)| (mv.to_string(), part)).collect(),
        }
    }

    /// The line on a board; none if it is not legal there.
    fn line(&self, board: &Board) -> Option<Line> {
        let mut after = board.clone();
        let mut moves = Vec::new();
        for word in self.m.split_ascii_whitespace() {
            let mv = after.parse_uci(word).ok()?;
            after.make_move(mv, &mut ());
            moves.push(mv);
        }
        let share = |(word, thousandths): &(String, u16)| {
            let mv = board.parse_uci(word).ok()?;
            Some(Share { mv, part: f32::from(*thousandths) / 1000.0 })
        };
        let shares = self.v.iter().map(share).collect::<Option<_>>()?;
        let [q10, q25, q50, q75, q90] = self.q;
        let band = Quantiles { q10, q25, q50, q75, q90 };
        self.q.is_sorted().then(|| Line {
            moves,
            verdict: Verdict { score: self.s, band },
            depth: self.d,
            nodes: self.n,
            confidence: self.c.map(|thousandths| f64::from(thousandths) / 1000.0),
            shares,
        })
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;

    /// Castling, a mate at the end, Chess960: everything that is kept comes back.
    #[test]
    fn what_is_kept_comes_back_as_it_was() {
        for text in [
            "1. f3 e5 2. g4 Qh4# 0-1",
            "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O Nf6 *",
            "[Variant \"Chess960\"]\n[FEN \"bqnrkrnb/pppppppp/8/8/8/8/PPPPPPPP/BQNRKRNB w KQkq - 0 1\"]\n\n1. Nf3 Nf6 2. O-O O-O *",
        ] {
            let game = pgn::Reader::new(text.as_bytes()).games().next().unwrap().unwrap();
            let mut searcher = Searcher::test(2000);
            let Ok(answers) = Answers::search(&game, &mut searcher, |_| Ok::<_, Infallible>(()));
            assert_eq!(answers.lines.len(), game.moves.len() + 1);
            let kept = answers.to_kept();
            assert_eq!(Answers::from_kept(&game, &kept), Some(answers));
            let other = Game::from_moves(Board::default(), &[]);
            assert_eq!(Answers::from_kept(&other, &kept), None);
        }
    }

    #[test]
    fn plausible_moves_are_kept_to_a_thousandth() {
        let engine = engine::Engine::builder().hash_mb(1).option("MCTS", true).build().unwrap();
        let limits = engine::Limits { nodes: Some(3000), ..engine::Limits::default() };
        let mut searcher = Searcher::new(engine, limits);
        let game = pgn::Reader::new("1. f3 e5 2. g4 *".as_bytes()).games().next().unwrap().unwrap();
        let Ok(answers) = Answers::search(&game, &mut searcher, |_| Ok::<_, Infallible>(()));
        let again = Answers::from_kept(&game, &answers.to_kept()).unwrap();
        let shown = |line: &Line| plausible::shown(&line.shares).collect::<Vec<_>>();
        assert!(shown(&answers.lines[0]).len() > 1);
        for (line, kept) in answers.lines.iter().zip(&again.lines) {
            assert_eq!(shown(line), shown(kept));
        }
        for (ply, look) in &answers.second_looks {
            assert_eq!(shown(&look.best), shown(&again.second_looks[ply].best));
        }
    }

    #[test]
    fn what_is_not_legal_is_not_read() {
        let game = Game::default();
        let line =
            |m: &str, q| KeptLine { m: m.to_owned(), s: 0, q, d: 1, n: 1, c: None, v: Vec::new() };
        let is_read = |m: &str, q| {
            let kept = Kept { lines: vec![line(m, q)], looks: Vec::new() };
            Answers::from_kept(&game, &kept).is_some()
        };
        assert!(is_read("e2e4 e7e5", [0; 5]));
        assert!(!is_read("e2e5", [0; 5]));
        assert!(!is_read("e2e4", [1, 0, 0, 0, 0]));
        // A look at a move that the game does not have.
        let looks = vec![(0, line("e2e4", [0; 5]), line("d2d4", [0; 5]))];
        let kept = Kept { lines: vec![line("", [0; 5])], looks };
        assert_eq!(Answers::from_kept(&game, &kept), None);
    }
}
