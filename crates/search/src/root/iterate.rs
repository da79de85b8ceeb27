//! Iterative deepening: one depth after the other, each around the score of the last.

use chess::Move;
use eval::Evaluator;
use eval::score::{self, INFINITY, MAX_PLY, Score};

use super::clock::Progress;
use super::forecast::Outlook;
use super::iterations::Shown;
use crate::doubt::{self, Doubt};
use crate::event::{Bound, Event, Info, Settled};
use crate::hunt::{Hunt, State};
use crate::node::Root;
use crate::params::{aspiration, doubt as weight, hunt};
use crate::pool::{Summary, Worker};

/// Lines within an iteration, and moves being searched, are reported only after this many seconds.
const PATIENCE: f64 = 3.0;

/// No search ends as sure of its move before this many nodes.
const LEAST_SURE_NODES: u64 = 1000;

impl<E: Evaluator> Worker<E> {
    /// Deepens until a limit, the clock or somebody else says stop.
    pub(crate) fn iterate(&mut self) {
        let max_depth = self.job.limits.depth.map_or(MAX_PLY, |depth| depth as usize);
        let lines = self.job.settings.multi_pv.min(self.root.len());
        let mut hunt = self.begin_hunt();
        for depth in 1..=max_depth.clamp(1, MAX_PLY - 1) as i32 {
            self.root_depth = depth;
            self.root.next_iteration();
            for line in 0..lines {
                self.root.set_line(line);
                self.seldepth = 0;
                self.search_window(depth);
                self.root.sort_settled();
                if self.aborted {
                    break;
                }
            }
            if self.aborted {
                self.root.abandon_iteration(depth);
                self.report_lines(lines);
                break;
            }
            self.root.complete_iteration(depth);
            self.iterations.complete(self.root.first(lines), self.nodes);
            self.control().publish(self.id, self.nodes, self.tb_hits);
            // Only now: a later line may have turned out better than an earlier one.
            self.report_lines(lines);
            self.iterations.set_shown(self.shown);
            if self.control().stopped() {
                break;
            }
            if self.id == 0 && self.is_enough() {
                break;
            }
            self.go_hunting(&mut hunt);
            if self.aborted {
                break;
            }
        }
    }

    /// One thread of an analysis, and of a search for a mate, hunts one beside its search.
    fn begin_hunt(&self) -> Option<Hunt> {
        let hunter = self.id + 1 == self.control().threads();
        (hunter && self.hunter_share() > 0)
            .then(|| Hunt::new(self.job.position.board(), self.root.moves()))
    }

    /// The hunter's part of the nodes, in hundredths.
    fn hunter_share(&self) -> u64 {
        let share = match (self.job.limits.mate, self.job.settings.analysis) {
            (Some(_), _) => hunt::mate(),
            (None, true) => hunt::analysis(),
            (None, false) => 0,
        };
        share as u64
    }

    /// Goes on with a hunt until it has had its share, or nobody needs it any more; the search
    /// finds what it proves in the table.
    fn go_hunting(&mut self, hunt: &mut Option<Hunt>) {
        let Some(hunter) = hunt else { return };
        if self.root.best().is_some_and(|best| score::is_mate(best.score)) {
            *hunt = None;
            return;
        }
        let share = self.nodes * self.hunter_share() / 100;
        let state = hunter.resume(share.saturating_sub(hunter.spent()), || {
            self.count_node();
            self.aborted
        });
        if let State::Mate(_) = state {
            hunter.publish(self.table());
        }
        if state != State::Hunting {
            *hunt = None;
        }
    }

    /// Searches the root in a window around the expected score, wider after each failure.
    pub(crate) fn search_window(&mut self, depth: i32) {
        let board = self.job.position.board().clone();
        let expected = self.root.get(self.root.line()).average;
        let gap = self.root_doubt().mean();
        let mut delta = doubt::scale(aspiration::base(), gap, weight::aspiration());
        let (mut alpha, mut beta) = (-INFINITY, INFINITY);
        if depth >= aspiration::min_depth()
            && let Some(expected) = expected
        {
            delta += expected.abs().min(aspiration::score_max()) / aspiration::score_divisor();
            alpha = (expected - delta).max(-INFINITY);
            beta = (expected + delta).min(INFINITY);
        }
        let mut reduced = 0;
        loop {
            let at = (depth - reduced).max(1);
            let score = self.search::<Root>(&board, 0, at, alpha, beta, false);
            self.root.sort_unsettled();
            if self.aborted {
                return;
            }
            if score > alpha && score < beta {
                return;
            }
            if self.timer().elapsed().as_secs_f64() > PATIENCE {
                self.report_bound(depth);
            }
            if score <= alpha {
                self.iterations.fail_low();
                beta = (alpha + beta) / 2;
                alpha = (score - delta).max(-INFINITY);
                reduced = 0;
            } else {
                self.iterations.fail_high();
                beta = (score + delta).min(INFINITY);
                reduced = (reduced + 1).min(aspiration::reduction_max());
            }
            delta += delta * aspiration::growth() / 1000;
            if delta > aspiration::widest() {
                (alpha, beta) = (-INFINITY, INFINITY);
            }
        }
    }

    /// How unsure the static evaluation of the root is; not at all in check.
    fn root_doubt(&mut self) -> Doubt {
        let board = self.job.position.board().clone();
        if board.in_check() { Doubt::default() } else { self.static_eval(&board, 0, None).doubt }
    }

    /// Reports the best lines, at the end of an iteration or of the search.
    fn report_lines(&mut self, lines: usize) {
        for line in 0..lines {
            let root = self.root.get(line);
            // Before the first complete iteration there may be fewer lines than asked for.
            if root.score != -INFINITY {
                let found = Summary::new(root);
                self.report(&found, line);
            }
        }
    }

    /// Reports, within an iteration, a line whose window failed.
    fn report_bound(&mut self, depth: i32) {
        let line = self.root.line();
        let found = Summary { depth, ..Summary::new(self.root.get(line)) };
        if found.score != -INFINITY {
            self.control().publish(self.id, self.nodes, self.tb_hits);
            self.report(&found, line);
        }
    }

    /// Reports the line with this index, if this thread has a listener.
    pub(crate) fn report(&mut self, found: &Summary, line: usize) {
        if self.sink.is_none() {
            return;
        }
        if line == 0 {
            self.reported = Some(found.line.clone());
        }
        let (score, bound) = self.show_tablebase(found.score, found.bound);
        let Outlook { score, quantiles, confidence } = self.outlook(found, score, line);
        if line == 0 {
            self.shown = Shown { confidence, width: quantiles.uncertainty() };
        }
        let info = Info {
            depth: found.depth.max(1) as u32,
            seldepth: found.seldepth.max(1) as u32,
            multi_pv: line + 1,
            score,
            bound,
            quantiles,
            confidence,
            nodes: self.control().nodes(),
            tb_hits: self.control().tb_hits(),
            time: self.timer().elapsed(),
            hashfull: self.table().hashfull(),
            pv: found.line.clone(),
        };
        self.send(Event::Info(info));
    }

    /// The tablebase's result of the root, unless the search has found a mate.
    fn show_tablebase(&self, score: Score, bound: Bound) -> (Score, Bound) {
        match self.job.tb_root {
            Some(known) if !score::is_mate(score) => (known, Bound::Exact),
            _ => (score, bound),
        }
    }

    /// Reports, in long searches, which root move is being searched.
    pub(crate) fn root_move_begins(&mut self, mv: Move, number: i32) {
        if self.sink.is_some() && self.timer().elapsed().as_secs_f64() > PATIENCE {
            let number = number as usize + self.root.line();
            self.send(Event::CurrentMove { depth: self.root_depth as u32, mv, number });
        }
    }

    /// Is a search that was to become this sure of its move at its end?
    fn settled(&self, wanted: u16) -> Option<Settled> {
        let confidence = self.iterations.confidence()?;
        if self.nodes >= LEAST_SURE_NODES && confidence >= wanted {
            Some(Settled::Sure(confidence))
        } else {
            self.iterations.no_surer().then_some(Settled::NoSurer(confidence))
        }
    }

    /// Is the result good enough for the limits and the clock?
    fn is_enough(&mut self) -> bool {
        let surplus = doubt::surplus(self.root_doubt().mean(), weight::clock());
        let width = 1.0 + f64::from(surplus) / 100.0;
        let limits = &self.job.limits;
        let Some(best) = self.root.best() else { return true };
        let (best_move, best_score, best_nodes) = (best.mv, best.score, best.nodes);
        if let Some(moves) = limits.mate
            && score::mate_distance(best_score).is_some_and(|found| found.unsigned_abs() <= moves)
        {
            return true;
        }
        if limits.soft_nodes.is_some_and(|soft| self.nodes >= soft) {
            return true;
        }
        if let Some(settled) = limits.sure.and_then(|wanted| self.settled(wanted)) {
            self.send(Event::Settled(settled));
            return true;
        }
        if limits.infinite {
            return false;
        }
        let progress = Progress {
            stability: self.iterations.stood(0, best_move).saturating_sub(1) as u32,
            changes: self.iterations.changes(),
            drop: self.iterations.drop(),
            best_share: best_nodes as f64 / self.nodes.max(1) as f64,
            width,
        };
        self.control().publish(self.id, self.nodes, self.tb_hits);
        let nodes = self.control().nodes();
        // One legal move needs no thought; a mate that is found does not get any shorter.
        let forced = self.root.len() == 1;
        let mate_seen = score::is_mate(best_score)
            && self.root_depth > 2 * (score::MATE - best_score.abs()) + 4;
        let settled = limits.clock.is_some() && (forced || mate_seen);
        let enough = settled || self.timer().is_enough(nodes, &progress);
        if self.control().pondering() {
            self.control().set_ready(enough);
            return false;
        }
        enough
    }
}
