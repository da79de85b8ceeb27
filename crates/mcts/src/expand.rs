//! Expansion: what a position is worth by a short alpha-beta search, and which moves deserve visits.
//!
//! The short search takes the place of a value network: its score is the value of the position, its
//! line begins with the move that is visited first. A look at every move, with its captures, takes
//! the place of a policy network: the more points it promises, the more it deserves exploring. At
//! the root the opinion of a real policy comes in. When a position has been visited often, it is
//! searched again, deeper (`deepen`): visits below a position are spent better if they begin with
//! the right moves.

use chess::{Board, Move, repetition};
use eval::score::{self, DRAW, INFINITY, Score};
use eval::tablebase::Wdl;
use eval::{Chances, Evaluator, Quantiles};
use search::Found;

use crate::playout::{Return, Stop, Worker};
use crate::points;
use crate::proof;
use crate::tree::{Edge, Known, Node, Tree};

/// The depth of the first search of a position.
pub(crate) const DEPTH: i32 = 3;

/// A move so far behind the best in centipawns is not judged to the end.
const WINDOW: Score = 250;

/// How far behind the best a move has to be to deserve a factor of e less: in points and, because
/// points hardly differ where the game is decided, in centipawns.
const POINTS_HEAT: f32 = 0.06;
const SCORE_HEAT: f32 = 120.0;
/// More centipawns than this make no difference.
const MOST_BEHIND: Score = 400;

/// The part that all moves share alike, and how much more of it a check gets.
const EVEN: f32 = 0.05;
const CHECK: f32 = 4.0;

/// The least part for the best move of the short search.
const FOUND: f32 = 0.5;

/// A deeper search counts as this many times the visits that its position has had before: it is about as much
/// work as all of them.
const VOTE: u32 = 1;

/// A doubt, in points, that gives exploration its full size; how small narrower ones can make it;
/// and its size where the evaluator does not doubt at all, which says nothing.
const WIDE: f32 = 0.6;
const LEAST_DOUBT: f32 = 0.02;
const WITHOUT_DOUBT: f32 = 0.25;

/// What is found behind a move, for the side that made it.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Look {
    mv: Move,
    value: f32,
    score: Score,
    /// For the side to move behind it.
    known: Option<Score>,
    /// It gives check.
    check: bool,
}

impl<E: Evaluator> Worker<'_, E> {
    /// The value of a new node, for the side to move, by a search of [`DEPTH`]. The evaluator stands
    /// at the board.
    pub(crate) fn judge_new(
        &mut self,
        tree: &Tree,
        node: Node<'_>,
        board: &Board,
    ) -> Result<f32, Stop> {
        let found = self.probe.search(board, DEPTH);
        if self.probe.aborted() {
            return Err(Stop::Over);
        }
        if score::is_mate(found.score) {
            proof::hang(tree, node, found.score, &found.line).ok_or(Stop::Full)?;
        } else {
            let value = points::of_score(&self.judge(board), found.score, board);
            node.set_known(value, Known::Nothing);
        }
        Ok(node.best())
    }

    /// Gives a node its edges and returns its value, for the side to move, by a search of this
    /// depth. The evaluator stands at the board.
    pub(crate) fn expand(
        &mut self,
        tree: &Tree,
        node: Node<'_>,
        board: &Board,
        is_root: bool,
        depth: i32,
    ) -> Result<f32, Stop> {
        let found =
            if is_root { self.search_new_root(depth) } else { self.probe.search(board, depth) };
        if self.probe.aborted() && !is_root {
            return Err(Stop::Over);
        }
        if score::is_mate(found.score) && !is_root {
            proof::hang(tree, node, found.score, &found.line).ok_or(Stop::Full)?;
            return Ok(node.best());
        }
        let judged = self.judge(board);
        let value = points::of_score(&judged, found.score, board);
        let best = found.line.first().copied();
        let mut looks = std::mem::take(&mut self.looks);
        looks.clear();
        self.look_at_moves(board, is_root, &judged, &mut looks);
        for look in &mut looks {
            // Deeper than the look, the search has found nothing better than its move.
            if Some(look.mv) == best {
                (look.value, look.score) = (value, found.score);
            } else if best.is_some() && look.known.is_none() {
                (look.value, look.score) = (look.value.min(value), look.score.min(found.score));
            }
        }
        looks.sort_by_key(|look| Some(look.mv) != best);
        let over = self.probe.aborted() && !is_root;
        let doubt = points::width(&judged, Chances::material(board));
        let result = if over { Err(Stop::Over) } else { write(tree, node, &looks, doubt, depth) };
        self.looks = looks;
        if is_root && score::is_mate(found.score) {
            self.note_mate_of_root(tree, node, board, &found, depth)?;
        }
        result
    }

    /// Searches a node again, deeper, and lets the result decide which of its moves come first.
    pub(crate) fn deepen(
        &mut self,
        tree: &Tree,
        node: Node<'_>,
        board: &Board,
        is_root: bool,
        depth: i32,
    ) -> Result<Return, Stop> {
        let found = if is_root {
            let visits = |&edge: &u32| tree.child(edge).map_or(0, Node::visits);
            let favourite = node.edges().max_by_key(visits).and_then(|edge| tree.edge(edge));
            self.probe.search_root(depth, favourite.map(|edge| edge.mv))
        } else {
            self.probe.search(board, depth)
        };
        let Some(&best) = found.line.first().filter(|_| !self.probe.aborted()) else {
            return Err(Stop::Over);
        };
        if score::is_mate(found.score) {
            if is_root {
                self.note_mate_of_root(tree, node, board, &found, depth)?;
            } else {
                proof::hang(tree, node, found.score, &found.line).ok_or(Stop::Full)?;
            }
            return Ok(points::proved(found.score).into());
        }
        let value = points::of_score(&self.judge(board), found.score, board);
        let weight = (VOTE * node.visits()).max(1);
        let edges = || node.edges().filter_map(|index| Some((index, tree.edge(index)?)));
        let all: f32 = edges().map(|(_, edge)| edge.prior).sum();
        for (index, edge) in edges() {
            if edge.mv == best {
                let prior = edge.prior.max(FOUND * all);
                tree.write(index, &Edge { prior, value, ..edge });
                if let Some(child) = tree.child_or_new(index) {
                    if child.visits() == 0 {
                        child.set_known(1.0 - value, Known::Nothing);
                    }
                    child.credit(1.0 - value, weight);
                }
            } else if edge.value > value {
                tree.write(index, &Edge { value, ..edge });
            }
        }
        Ok(Return { value, weight })
    }

    /// Searches the root one depth after the other: there must be a move to play soon.
    fn search_new_root(&mut self, deepest: i32) -> Found {
        let mut found = self.probe.search_root(1, None);
        for depth in 2..=deepest {
            if self.probe.aborted() {
                break;
            }
            found = self.probe.search_root(depth, None);
        }
        found
    }

    /// Notes a mate that a search of the root has found. If it is the root that is mated, the same holds for
    /// each of its moves, which is proved one by one: all of them may be shown.
    fn note_mate_of_root(
        &mut self,
        tree: &Tree,
        root: Node<'_>,
        board: &Board,
        found: &Found,
        depth: i32,
    ) -> Result<(), Stop> {
        if score::is_win(found.score) {
            return proof::hang(tree, root, found.score, &found.line).ok_or(Stop::Full);
        }
        for index in root.edges() {
            let Some(edge) = tree.edge(index).filter(|_| !self.probe.aborted()) else { break };
            let next = self.probe.make(board, edge.mv);
            let reply = self.probe.search(&next, depth);
            self.probe.unmake();
            let mates = score::is_mate(reply.score) && !self.probe.aborted();
            if mates && let Some(child) = tree.child_or_new(index) {
                proof::hang(tree, child, reply.score, &reply.line).ok_or(Stop::Full)?;
            }
        }
        proof::update(tree, root);
        Ok(())
    }

    /// The static judgement of a position; without any doubt in check, where it would say nothing.
    fn judge(&mut self, board: &Board) -> Quantiles {
        if board.in_check() {
            Quantiles::certain(DRAW)
        } else {
            self.probe.evaluator().evaluate(board)
        }
    }

    /// Looks at every move of a position.
    fn look_at_moves(
        &mut self,
        board: &Board,
        is_root: bool,
        judged: &Quantiles,
        looks: &mut Vec<Look>,
    ) {
        let legal = board.legal_moves();
        let moves = if is_root { &self.job.root_moves[..] } else { &legal[..] };
        let mut best = -INFINITY;
        for &mv in moves {
            let look = self.look(board, mv, best - WINDOW, judged);
            if self.probe.aborted() && !is_root {
                break;
            }
            best = best.max(look.score);
            looks.push(look);
        }
    }

    /// Judges one move, exactly only if its score is above `alpha`.
    fn look(&mut self, board: &Board, mv: Move, alpha: Score, judged: &Quantiles) -> Look {
        let next = self.probe.make(board, mv);
        let check = next.in_check();
        let look = if self.probe.aborted() {
            // At the root, which needs all its moves however little time there was.
            Look {
                mv,
                value: points::of_score(judged, judged.q50, board),
                score: judged.q50,
                known: None,
                check,
            }
        } else if let Some(known) = self.known(&next) {
            self.probe.count_node();
            let seen = proof::seen_by_parent(known);
            let score = seen.clamp(-score::EVAL_LIMIT, score::EVAL_LIMIT);
            Look { mv, value: points::proved(seen), score, known: Some(known), check }
        } else {
            let score = -self.probe.behind(&next, 0, -INFINITY, -alpha.max(-INFINITY));
            let value = points::of_score(judged, score, &next);
            Look { mv, value, score, known: None, check }
        };
        self.probe.unmake();
        look
    }

    /// The result of a position for its side to move, if rules or tablebases know it. The keys are
    /// those of the positions before it.
    pub(crate) fn known(&mut self, board: &Board) -> Option<Score> {
        if !board.has_legal_move() {
            return Some(if board.in_check() { score::mated_in(0) } else { DRAW });
        }
        let (keys, root) = self.probe.keys();
        if board.is_fifty_move_draw()
            || board.is_insufficient_material()
            || repetition::is_repetition(keys, root, board)
        {
            return Some(DRAW);
        }
        let tablebase = self.job.tablebase.as_ref()?;
        if board.occupied().count() as usize > self.job.errand.tb_men()
            || board.halfmove_clock() != 0
            || !board.castling().is_empty()
        {
            return None;
        }
        let wdl = tablebase.wdl(board)?;
        self.probe.count_tb_hit();
        let fifty = self.job.settings().tb_fifty_move_rule;
        Some(match wdl {
            Wdl::Win => score::TB_WIN,
            Wdl::Loss => -score::TB_WIN,
            Wdl::CursedWin if !fifty => score::TB_WIN,
            Wdl::BlessedLoss if !fifty => -score::TB_WIN,
            _ => DRAW,
        })
    }
}

/// Writes what was found to the tree; the first move is the one that the search has found.
fn write(tree: &Tree, node: Node<'_>, looks: &[Look], doubt: f32, depth: i32) -> Result<f32, Stop> {
    let edges = tree.add_edges(looks.len()).ok_or(Stop::Full)?;
    for ((edge, look), prior) in edges.clone().zip(looks).zip(weights(looks, doubt)) {
        let &Look { mv, value, known, .. } = look;
        tree.write(edge, &Edge { mv, prior, value });
        if known.is_some() {
            tree.set_child(edge, tree.add_node(known).ok_or(Stop::Full)?);
        }
    }
    node.set_edges(edges, depth);
    proof::update(tree, node);
    Ok(node.best())
}

/// How much each move deserves to be explored: by what its look promises, the first of them at least
/// [`FOUND`] of all, a little in any case, and all of them the more, the wider the doubt is.
fn weights(looks: &[Look], doubt: f32) -> impl Iterator<Item = f32> {
    let best = looks.iter().map(|look| look.value).fold(0.0, f32::max);
    let best_score = looks.iter().map(|look| look.score).max().unwrap_or(DRAW);
    let heat = move |look: &Look| {
        let behind = (best_score - look.score).min(MOST_BEHIND) as f32;
        ((look.value - best) / POINTS_HEAT - behind / SCORE_HEAT).exp()
    };
    let force = |look: &Look| if look.check { CHECK } else { 1.0 };
    let all_heat: f32 = looks.iter().map(heat).sum();
    let all_force: f32 = looks.iter().map(force).sum();
    let scale = match doubt {
        // All moves win: the tree grows as narrow as their points differ, or it would not get on.
        _ if points::is_sure(best_score) => points::pawn_of_a_sure_win(best_score) / WIDE,
        0.0 => WITHOUT_DOUBT,
        _ => (doubt / WIDE).clamp(LEAST_DOUBT, 1.0),
    };
    looks.iter().enumerate().map(move |(index, look)| {
        let weight = (1.0 - EVEN) * heat(look) / all_heat + EVEN * force(look) / all_force;
        scale * if index == 0 { weight.max(FOUND) } else { weight }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn look(score: Score, check: bool) -> Look {
        let mv = Board::default().legal_moves()[0];
        let value = points::points(&Quantiles::certain(score), 60);
        Look { mv, value, score, known: None, check }
    }

    #[test]
    fn better_moves_and_checks_deserve_more() {
        let looks = [look(30, false), look(0, false), look(-400, true), look(-400, false)];
        let weights: Vec<_> = weights(&looks, 0.3).collect();
        assert!(weights.is_sorted_by(|a, b| a > b) && weights[3] > 0.0, "{weights:?}");
    }

    #[test]
    fn doubt_widens_the_search() {
        let all = |doubt| weights(&[look(0, false), look(-50, false)], doubt).sum::<f32>();
        assert!(all(0.4) > all(0.2) && all(0.2) > all(0.001) && all(0.0) > all(0.001));
    }
}
