//! The engine, asked about positions of one game after the other.

use std::sync::mpsc;
use std::time::Duration;

use chess::{Board, Color, Move, repetition};
use eval::Quantiles;
use eval::score::{self, MATE, Score};
use search::{Engine, Event, Info, Limits, Position, Settings};

use super::Effort;
use super::verdict::Verdict;
use crate::evaluator::{AnyEvaluator, Source};

/// A line of play and what it is worth, for White.
#[derive(Clone, Debug)]
pub(super) struct Line {
    /// None if the game is over.
    pub(super) moves: Vec<Move>,
    pub(super) verdict: Verdict,
    pub(super) depth: u32,
}

/// An engine with limits.
pub(super) struct Searcher {
    engine: Engine<AnyEvaluator>,
    limits: Limits,
}

impl Searcher {
    /// Loads the evaluator and starts the threads.
    pub(super) fn new(effort: &Effort, usual_ms: u64) -> Result<Self, String> {
        let &Effort { movetime, nodes, depth, threads, hash, .. } = effort;
        let source = Source::from_option(&effort.eval_file)
            .map_err(|error| format!("{}: {error}", effort.eval_file))?;
        let engine = Engine::new(move || source.evaluator(), hash, usize::from(threads))
            .map_err(|error| error.to_string())?;
        let unlimited = nodes.is_none() && depth.is_none();
        let move_time = movetime.or(unlimited.then_some(usual_ms)).map(Duration::from_millis);
        Ok(Self { engine, limits: Limits { depth, nodes, move_time, ..Limits::default() } })
    }

    /// Forgets the last game. Within a game, what one search learns helps the next.
    pub(super) fn new_game(&mut self) {
        self.engine.new_game();
    }

    /// The best line; where the game is over, or was ended as a draw, what the rules say.
    pub(super) fn best(&mut self, position: &Position, is_last: bool) -> Line {
        match settled(position, is_last) {
            Some(score) => Line { moves: Vec::new(), verdict: Verdict::certain(score), depth: 0 },
            None => self.lines(position, 1).swap_remove(0),
        }
    }

    /// The best lines of a position that has legal moves; at least one.
    pub(super) fn lines(&mut self, position: &Position, count: usize) -> Vec<Line> {
        let settings = Settings { multi_pv: count, ..Settings::default() };
        let (sender, events) = mpsc::channel();
        self.engine.go(position, self.limits.clone(), settings, move |event| {
            // The receiver outlives the search.
            let _ = sender.send(event);
        });
        self.engine.wait();
        let (mut infos, mut best): (Vec<Info>, _) = (Vec::new(), None);
        for event in events {
            match event {
                // A line takes its place and pushes others down: a search that is cut short may
                // tell of its new best line alone. Bounds count too; the last word often is one.
                Event::Info(info) => {
                    infos.retain(|old| old.pv.first() != info.pv.first());
                    infos.insert((info.multi_pv - 1).min(infos.len()), info);
                    infos.truncate(count);
                }
                Event::BestMove { best: found, .. } => best = found,
                _ => {}
            }
        }
        let board = position.board();
        if infos.is_empty() {
            // So little time that not even one depth was finished.
            let moves = best.into_iter().collect();
            return vec![self.line(board, moves, self.engine.evaluate(board).q50, 0)];
        }
        let told = |info: Info| self.line(board, info.pv, info.score, info.depth);
        infos.into_iter().map(told).collect()
    }

    fn line(&self, board: &Board, moves: Vec<Move>, score: Score, depth: u32) -> Line {
        let verdict = Verdict::new(score, &self.shape(board, &moves));
        Line { verdict: verdict.seen_by(board.side_to_move()), moves, depth }
    }

    /// The doubt about a line, for the root's side to move: the evaluation's own at the line's
    /// end, where the score comes from, or at the last place before it that is not a check, which
    /// evaluations do not judge. The search tells the same of its best line, but not of others.
    fn shape(&self, root: &Board, moves: &[Move]) -> Quantiles {
        let mut board = root.clone();
        let mut calm = root.clone();
        for &mv in moves {
            board.make_move(mv, &mut ());
            if !board.in_check() {
                calm = board.clone();
            }
        }
        let shape = self.engine.evaluate(&calm);
        if calm.side_to_move() == root.side_to_move() { shape } else { shape.flipped() }
    }
}

/// The result for White if the rules have ended the game here. A draw that has to be claimed
/// counts only at the end of a game: elsewhere nobody claimed it.
fn settled(position: &Position, is_last: bool) -> Option<Score> {
    let board = position.board();
    if board.is_checkmate() {
        return Some(if board.side_to_move() == Color::White { -MATE } else { MATE });
    }
    let claimed =
        board.halfmove_clock() >= 100 || repetition::occurrences(position.keys(), board) >= 2;
    let drawn = !board.has_legal_move() || board.is_insufficient_material();
    (drawn || is_last && claimed).then_some(score::DRAW)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    fn searcher() -> Searcher {
        Searcher::new(&Effort::test(500), 0).unwrap()
    }

    #[test]
    fn verdicts_are_for_white() {
        let mut searcher = searcher();
        for (fen, white_wins) in
            [("4k3/8/8/8/8/8/8/QQ2K3 b - - 0 1", true), ("qq2k3/8/8/8/8/8/8/4K3 b - - 0 1", false)]
        {
            let line = searcher.best(&Position::new(fen.parse().unwrap()), false);
            assert_eq!(line.verdict.score > 0, white_wins, "{fen}");
        }
    }

    #[test]
    fn lines_differ_and_have_bands() {
        let lines = searcher().lines(&Position::default(), 3);
        assert_eq!(lines.len(), 3);
        let first: HashSet<_> = lines.iter().map(|line| line.moves[0].bits()).collect();
        assert_eq!(first.len(), 3);
        assert!(lines[1].verdict.score >= lines[2].verdict.score);
        let band = lines[2].verdict.band;
        assert!(band.q50 == lines[2].verdict.score && band.q10 < band.q90);
    }

    #[test]
    fn no_nodes_at_all_still_give_a_line() {
        for nodes in [0, 1] {
            let mut searcher = Searcher::new(&Effort::test(nodes), 0).unwrap();
            assert!(!searcher.lines(&Position::default(), 2).is_empty());
        }
    }

    #[test]
    fn the_rules_end_games() {
        let at = |fen: &str| Position::new(fen.parse().unwrap());
        assert_eq!(settled(&at("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"), false), Some(MATE));
        assert_eq!(settled(&at("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"), false), Some(0));
        assert_eq!(settled(&at("7k/8/6K1/8/8/8/8/8 b - - 0 1"), false), Some(0));
        let late = at("7k/5R2/6K1/8/8/8/8/8 b - - 100 90");
        assert_eq!((settled(&late, false), settled(&late, true)), (None, Some(0)));
        let mut again = Position::default();
        for text in ["g1f3", "g8f6", "f3g1", "f6g8"].repeat(2) {
            again.play(again.board().parse_uci(text).unwrap());
        }
        assert_eq!((settled(&again, false), settled(&again, true)), (None, Some(0)));
    }
}
