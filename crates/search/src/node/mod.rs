//! A node of the tree: principal variation search, phase by phase.
//!
//! [`Worker::search`] is the table of contents. Each phase is a function in a file of its own that
//! says what it decides: [`prune`] may end the node or skip a move, [`extend`] looks deeper,
//! [`reduce`] looks less deep, [`learn`] remembers what happened, [`quiescence`] ends the line.

mod candidate;
mod extend;
mod facts;
mod learn;
mod prune;
mod quiescence;
mod reduce;
mod tablebase;

use chess::{Board, Move};
use eval::Evaluator;
use eval::score::{self, DRAW, INFINITY, MAX_PLY, Score};

use crate::event::Bound;
use crate::params::{iir, lmr, policy, table_cutoff};
use crate::picker::{Picker, Wanted};
use crate::pool::Worker;
use crate::table::Entry;
use crate::threats::Threats;

use candidate::Candidate;
use facts::Node;
use quiescence::Quiets;
pub(crate) use reduce::Reductions;
use tablebase::Knowledge;

/// What kind of node it is, known at compile time.
pub(crate) trait Kind {
    /// The window is open: the node may be on the main line.
    const PV: bool;
    /// The node is the root.
    const ROOT: bool;
}

/// The root.
pub(crate) struct Root;
/// A node of the main line, or one that may become it.
pub(crate) struct Pv;
/// A node with a null window: only above or below is asked.
pub(crate) struct NonPv;

impl Kind for Root {
    const PV: bool = true;
    const ROOT: bool = true;
}
impl Kind for Pv {
    const PV: bool = true;
    const ROOT: bool = false;
}
impl Kind for NonPv {
    const PV: bool = false;
    const ROOT: bool = false;
}

/// Moves a node has tried without success, up to a sensible number.
struct Tried {
    moves: [Option<Move>; 32],
    len: usize,
}

impl Tried {
    const NONE: Self = Self { moves: [None; 32], len: 0 };

    #[inline]
    fn push(&mut self, mv: Move) {
        if let Some(slot) = self.moves.get_mut(self.len) {
            *slot = Some(mv);
            self.len += 1;
        }
    }

    fn iter(&self) -> impl Iterator<Item = Move> + '_ {
        self.moves[..self.len].iter().flatten().copied()
    }
}

/// What the loop over the moves found.
struct Outcome {
    best_score: Score,
    best_move: Option<Move>,
    move_count: i32,
    raised_alpha: bool,
    quiets: Tried,
    noisy: Tried,
}

/// How the search of a node's moves ended.
enum End {
    /// One after the other, until a cutoff or to the last.
    Searched(Outcome),
    /// A move besides the table's fails high, and the table's did before: enough.
    MultiCut(Score),
}

/// A score above beta, brought nearer to it: `weight` percent of the score, the rest of beta. What
/// was guessed or searched little is not as far above beta as it seems. Proved wins stay.
#[inline]
fn blend(score: Score, beta: Score, weight: i32) -> Score {
    if score::is_decisive(score) {
        return score;
    }
    (score * weight + beta * (100 - weight)) / 100
}

impl<E: Evaluator> Worker<E> {
    /// Searches a node and returns its score for the side to move (fail-soft).
    pub(crate) fn search<K: Kind>(
        &mut self,
        board: &Board,
        ply: usize,
        depth: i32,
        mut alpha: Score,
        mut beta: Score,
        cut: bool,
    ) -> Score {
        if depth <= 0 {
            return self.quiescence::<K>(board, ply, alpha, beta, Quiets::Checks);
        }
        // 1. Count the node, end the search when it is time.
        self.enter::<K>(ply);
        if self.aborted {
            return DRAW;
        }
        // 2. Draws, the end of the stack, and mates that cannot matter any more.
        if !K::ROOT
            && let Some(score) = self.end_of_line(board, ply, &mut alpha, &mut beta)
        {
            return score;
        }
        // 3. What the table knows.
        let excluded = self.stack.at(ply).excluded;
        let tt = self.table().probe(board.key(), ply);
        if !K::PV
            && excluded.is_none()
            && let Some(score) = self.table_cutoff(board, ply, depth, beta, tt.as_ref())
        {
            return score;
        }
        // 4. Tablebases.
        let (mut least, mut most) = (-INFINITY, INFINITY);
        if !K::ROOT && excluded.is_none() {
            match self.probe_tablebase(board, ply, depth, alpha, beta, K::PV) {
                Knowledge::Answer(score) => return score,
                Knowledge::AtLeast(score) => {
                    least = score;
                    alpha = alpha.max(score);
                }
                Knowledge::AtMost(score) => most = score,
                Knowledge::Nothing => {}
            }
        }
        // 5. The facts of the node, static evaluation included.
        let mut node = self.examine::<K>(board, ply, depth, beta, cut, tt);
        if !K::ROOT && excluded.is_none() {
            self.learn_from_swing(board, &node);
        }
        // 6. Pruning of the whole node: razoring, reverse futility, null move, ProbCut.
        if !K::PV
            && !node.in_check
            && excluded.is_none()
            && let Some(score) = self.prune_node(board, &node, alpha)
        {
            return score;
        }
        // 7. Internal iterative reduction: without a table move the node is not worth its depth.
        if node.tt_move.is_none()
            && depth >= iir::min_depth()
            && (K::PV || cut)
            && excluded.is_none()
        {
            node.depth -= 1;
        }
        // 8. The moves.
        node.threats = Threats::new(board);
        self.stack.at(ply).threats = node.threats.all;
        let mut outcome = match self.search_moves::<K>(board, &node, alpha) {
            End::Searched(outcome) => outcome,
            // Known from a search of half the depth: nothing to remember.
            End::MultiCut(score) => return score,
        };
        outcome.best_score = outcome.best_score.clamp(least, most);
        if self.aborted {
            return DRAW;
        }
        // 9. Mate, stalemate, or nothing but the excluded move.
        if outcome.move_count == 0 {
            return match (excluded.is_some(), node.in_check) {
                (true, _) => alpha,
                (false, true) => score::mated_in(ply),
                (false, false) => DRAW,
            };
        }
        // 10. Remember.
        self.learn::<K>(board, &node, &outcome);
        outcome.best_score
    }

    /// Counts a node and begins its line.
    #[inline]
    fn enter<K: Kind>(&mut self, ply: usize) {
        self.count_node();
        if K::PV && !self.aborted {
            self.pv.clear(ply);
            self.seldepth = self.seldepth.max(ply + 1);
        }
    }

    /// Ends a line that has a known result; narrows the window by mates already found.
    #[inline]
    fn end_of_line(
        &mut self,
        board: &Board,
        ply: usize,
        alpha: &mut Score,
        beta: &mut Score,
    ) -> Option<Score> {
        if let Some(score) = self.draw_or_last_ply(board, ply, alpha, *beta) {
            return Some(score);
        }
        *alpha = (*alpha).max(score::mated_in(ply));
        *beta = (*beta).min(score::mate_in(ply + 1));
        (*alpha >= *beta).then_some(*alpha)
    }

    /// Ends a line by the rules of draws or at the end of the stack. A repetition that the side to
    /// move can reach at once raises alpha.
    #[inline]
    fn draw_or_last_ply(
        &mut self,
        board: &Board,
        ply: usize,
        alpha: &mut Score,
        beta: Score,
    ) -> Option<Score> {
        if *alpha < DRAW && self.can_repeat(board) {
            *alpha = self.draw_score();
            if *alpha >= beta {
                return Some(*alpha);
            }
        }
        if self.is_draw(board) {
            return Some(self.draw_score());
        }
        if ply >= MAX_PLY {
            let eval =
                if board.in_check() { DRAW } else { self.static_eval(board, ply, None).value };
            return Some(eval);
        }
        None
    }

    /// A table entry deep enough to answer for the search.
    #[inline]
    fn table_cutoff(
        &mut self,
        board: &Board,
        ply: usize,
        depth: i32,
        beta: Score,
        tt: Option<&Entry>,
    ) -> Option<Score> {
        let entry = tt?;
        let fails_high = entry.score >= beta;
        // Near the fifty-move rule the score of another path may be wrong here.
        if entry.depth < depth + i32::from(fails_high)
            || !entry.proves(beta)
            || i32::from(board.halfmove_clock()) >= table_cutoff::max_halfmoves()
        {
            return None;
        }
        if fails_high
            && let Some(mv) = entry.mv.filter(|&mv| board.is_legal(mv) && !board.is_noisy(mv))
        {
            let before = self.stack.moves_before(ply);
            let threats = board.attacks_of(!board.side_to_move());
            self.histories.update_quiet(board, threats, &before, mv, learn::bonus(depth));
        }
        Some(entry.score)
    }

    /// Searches the moves of a node, best first.
    fn search_moves<K: Kind>(&mut self, board: &Board, node: &Node, mut alpha: Score) -> End {
        let ply = node.ply;
        let wanted = Wanted::All { threats: node.threats, before: node.before };
        let mut picker = Picker::new(&self.moves, wanted, node.tt_move);
        if K::ROOT {
            picker.set_priors(&self.root, policy::weight());
        }
        let mut outcome = Outcome {
            best_score: -INFINITY,
            best_move: None,
            move_count: 0,
            raised_alpha: false,
            quiets: Tried::NONE,
            noisy: Tried::NONE,
        };
        while let Some(mv) = picker.next(&mut self.moves, board, &self.histories) {
            if node.excluded == Some(mv) || K::ROOT && !self.root.may_search(mv) {
                continue;
            }
            outcome.move_count += 1;
            self.ask_table_early(board, mv);
            let mut candidate = self.candidate(board, node, &mut picker, mv, outcome.move_count);
            if K::ROOT {
                self.root_move_begins(mv, outcome.move_count);
                // A policy's opinion counts like experience.
                candidate.history += self.root.prior(mv) * policy::weight() / 1000;
            }
            // Pruning of single moves, once something better than a loss is known.
            if !K::ROOT
                && !score::is_loss(outcome.best_score)
                && board.has_pieces(board.side_to_move())
                && self.prune_move(
                    board,
                    node,
                    &candidate,
                    alpha,
                    outcome.raised_alpha,
                    &mut picker,
                )
            {
                continue;
            }
            // Extensions of the table's move, or proof that the node fails high without it.
            let mut extension = 0;
            if !K::ROOT && Some(mv) == node.tt_move && node.excluded.is_none() {
                match self.singular(board, node, alpha) {
                    extend::Verdict::Extend(plies) => extension = plies,
                    extend::Verdict::Cutoff(score) => {
                        picker.finish(&mut self.moves);
                        return End::MultiCut(score);
                    }
                }
                if self.aborted {
                    break;
                }
            }

            let nodes_before = self.nodes;
            let next = self.make(board, mv, ply);
            // A check that loses nothing is worth a look, within reason.
            if extension == 0
                && candidate.gives_check
                && self.deserves_check_extension(board, node, mv)
            {
                extension = 1;
            }
            let best_score = outcome.best_score;
            let score =
                self.search_move::<K>(&next, node, &candidate, alpha, best_score, extension);
            self.unmake();
            if self.aborted {
                break;
            }
            if K::ROOT {
                self.root.record(mv, score, (alpha, node.beta), self.nodes - nodes_before);
                if outcome.move_count == 1 || score > alpha {
                    self.root.record_line(mv, score, self.pv.line(1), self.seldepth);
                }
            }
            if score > outcome.best_score {
                outcome.best_score = score;
                if score > alpha {
                    outcome.best_move = Some(mv);
                    outcome.raised_alpha = true;
                    if K::PV {
                        self.pv.update(ply, mv);
                    }
                    alpha = score;
                    if score >= node.beta {
                        self.stack.at(ply).cutoffs += 1;
                        break;
                    }
                }
            }
            if outcome.best_move != Some(mv) {
                if candidate.noisy {
                    outcome.noisy.push(mv);
                } else {
                    outcome.quiets.push(mv);
                }
            }
        }
        picker.finish(&mut self.moves);
        End::Searched(outcome)
    }

    /// Searches one move: reduced, then as deep as the others, then with an open window.
    #[inline]
    fn search_move<K: Kind>(
        &mut self,
        next: &Board,
        node: &Node,
        candidate: &Candidate,
        alpha: Score,
        best_score: Score,
        extension: i32,
    ) -> Score {
        let (ply, number) = (node.ply, candidate.number);
        let mut new_depth = node.depth - 1 + extension;
        let mut score = -INFINITY;
        if node.depth >= lmr::min_depth() && number > 1 + i32::from(K::ROOT) {
            let reduction = self.reduction(next, node, candidate);
            let reduced = (new_depth - reduction).clamp(1.min(new_depth), new_depth + 1);
            score = -self.search::<NonPv>(next, ply + 1, reduced, -alpha - 1, -alpha, true);
            if score > alpha && reduced < new_depth {
                // Much better than expected: look deeper; barely better: not quite so deep.
                new_depth += i32::from(score > best_score + lmr::deeper());
                new_depth -= i32::from(score < best_score + new_depth);
                if reduced < new_depth {
                    score = -self.search::<NonPv>(
                        next,
                        ply + 1,
                        new_depth,
                        -alpha - 1,
                        -alpha,
                        !node.cut,
                    );
                }
                if !candidate.noisy && !self.aborted {
                    self.update_after_research(node, score, alpha, new_depth);
                }
            }
        } else if !K::PV || number > 1 {
            score = -self.search::<NonPv>(next, ply + 1, new_depth, -alpha - 1, -alpha, !node.cut);
        }
        if K::PV && (number == 1 || score > alpha) {
            score = -self.search::<Pv>(next, ply + 1, new_depth, -node.beta, -alpha, false);
        }
        score
    }

    /// Stores the result of a node in the table.
    fn store_result<K: Kind>(&mut self, board: &Board, node: &Node, outcome: &Outcome) {
        let bound = if outcome.best_score >= node.beta {
            Bound::Lower
        } else if K::PV && outcome.raised_alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let Outcome { best_score, best_move, .. } = *outcome;
        let entry =
            Entry::searched(node.depth, best_score, bound, best_move, node.eval, node.tt_pv);
        self.table().store(board.key(), node.ply, &entry);
    }
}
