//! Expansion: every move of a position, each with a look at what it leads to.
//!
//! The look is what takes the place of a policy network inside the tree: one evaluation and its
//! captures for each move say how many points it promises, and a move is worth exploring the more
//! it promises. At the root the opinion of a real policy comes in.

use chess::{Board, Move, repetition};
use eval::score::{self, DRAW, INFINITY, Score};
use eval::tablebase::Wdl;
use eval::{Chances, Evaluator, Quantiles};

use crate::playout::{Stop, Worker};
use crate::points;
use crate::proof;
use crate::quiescence::{faded, urgency};
use crate::tree::{Edge, Node, Tree};

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
    /// How much the points differ between the pessimist's and the optimist's score.
    width: f32,
    /// For the side to move behind it.
    known: Option<Score>,
    /// It gives check.
    check: bool,
}

impl<E: Evaluator> Worker<'_, E> {
    /// Gives a node its edges and returns its value, for the side to move: that of the best of
    /// them. The evaluator stands at the board.
    pub(crate) fn expand(
        &mut self,
        tree: &Tree,
        node: Node<'_>,
        board: &Board,
        is_root: bool,
    ) -> Result<f32, Stop> {
        let mut looks = std::mem::take(&mut self.looks);
        looks.clear();
        let judged = self.look_at_moves(board, is_root, &mut looks);
        let result = judged.and_then(|()| write(tree, node, &looks));
        self.looks = looks;
        result
    }

    /// Looks at every move of a position.
    fn look_at_moves(
        &mut self,
        board: &Board,
        is_root: bool,
        looks: &mut Vec<Look>,
    ) -> Result<(), Stop> {
        let mut moves = std::mem::take(&mut self.moves);
        moves.clear();
        if is_root {
            moves.extend_from_slice(&self.job.root_moves);
        } else {
            moves.extend(&board.legal_moves());
        }
        // What is likely good comes first, so that what is not is judged quickly.
        moves.sort_by_key(|&mv| -urgency(board, mv));
        let mut best = -INFINITY;
        for &mv in &moves {
            let look = self.look(board, mv, best - WINDOW);
            if self.aborted && !is_root {
                break;
            }
            best = best.max(look.score);
            looks.push(look);
            // One mate is enough, but all moves of the root may be asked for.
            if look.known.is_some_and(score::is_mate) && !is_root && look.value == 1.0 {
                looks.drain(..looks.len() - 1);
                break;
            }
        }
        self.moves = moves;
        if self.aborted && !is_root { Err(Stop::Over) } else { Ok(()) }
    }

    /// Judges one move, exactly only if its score is above `alpha`.
    fn look(&mut self, board: &Board, mv: Move, alpha: Score) -> Look {
        let next = self.make(board, mv);
        let check = next.in_check();
        let look = if let Some(known) = self.known(&next) {
            let seen = proof::seen_by_parent(known);
            let score = seen.clamp(-score::EVAL_LIMIT, score::EVAL_LIMIT);
            Look { mv, value: points::proved(seen), score, width: 0.0, known: Some(known), check }
        } else {
            let judged = (!check).then(|| self.evaluator.evaluate(&next));
            let eval = judged.map(|judged| faded(&next, judged.q50));
            let score = self.quiescence(&next, eval, 1, -INFINITY, -alpha.max(-INFINITY));
            let material = Chances::material(&next);
            // The doubt goes where the captures went.
            let judged = match judged {
                Some(judged) if !score::is_decisive(score) => judged.shifted(score - judged.q50),
                _ => Quantiles::certain(score),
            };
            let value = 1.0 - points::points(&judged, material);
            let width = points::width(&judged, material);
            Look { mv, value, score: -score, width, known: None, check }
        };
        self.unmake();
        look
    }

    /// The result of a position for its side to move, if rules or tablebases know it. The keys are
    /// those of the positions before it.
    pub(crate) fn known(&mut self, board: &Board) -> Option<Score> {
        if !board.has_legal_move() {
            return Some(if board.in_check() { score::mated_in(0) } else { DRAW });
        }
        if board.is_fifty_move_draw()
            || board.is_insufficient_material()
            || repetition::is_repetition(&self.keys, self.root_key, board)
        {
            return Some(DRAW);
        }
        let tablebase = self.job.tablebase.as_ref()?;
        if board.occupied().count() as usize > self.job.tb_men
            || board.halfmove_clock() != 0
            || !board.castling().is_empty()
        {
            return None;
        }
        let wdl = tablebase.wdl(board)?;
        self.tb_hits += 1;
        let fifty = self.job.settings.tb_fifty_move_rule;
        Some(match wdl {
            Wdl::Win => score::TB_WIN,
            Wdl::Loss => -score::TB_WIN,
            Wdl::CursedWin if !fifty => score::TB_WIN,
            Wdl::BlessedLoss if !fifty => -score::TB_WIN,
            _ => DRAW,
        })
    }
}

/// Writes what was found to the tree.
fn write(tree: &Tree, node: Node<'_>, looks: &[Look]) -> Result<f32, Stop> {
    let edges = tree.add_edges(looks.len()).ok_or(Stop::Full)?;
    for ((edge, look), prior) in edges.clone().zip(looks).zip(weights(looks)) {
        let &Look { mv, value, known, .. } = look;
        tree.write(edge, &Edge { mv, prior, value });
        if known.is_some() {
            tree.set_child(edge, tree.add_node(known).ok_or(Stop::Full)?);
        }
    }
    node.set_edges(edges);
    proof::update(tree, node);
    Ok(node.best())
}

/// How much each move deserves to be explored: by what its look promises, a little in any case, and
/// all of them the more, the wider the doubt is.
fn weights(looks: &[Look]) -> impl Iterator<Item = f32> {
    let best = looks.iter().map(|look| look.value).fold(0.0, f32::max);
    let best_score = looks.iter().map(|look| look.score).max().unwrap_or(DRAW);
    let heat = move |look: &Look| {
        let behind = (best_score - look.score).min(MOST_BEHIND) as f32;
        ((look.value - best) / POINTS_HEAT - behind / SCORE_HEAT).exp()
    };
    let force = |look: &Look| if look.check { CHECK } else { 1.0 };
    let all_heat: f32 = looks.iter().map(heat).sum();
    let all_force: f32 = looks.iter().map(force).sum();
    let doubt = looks.iter().map(|look| look.width * heat(look)).sum::<f32>() / all_heat;
    let scale = match doubt {
        // All moves win: the tree grows as narrow as their points differ, or it would not get on.
        0.0 if points::is_sure(best_score) => points::pawn_of_a_sure_win(best_score) / WIDE,
        0.0 => WITHOUT_DOUBT,
        _ => (doubt / WIDE).clamp(LEAST_DOUBT, 1.0),
    };
    looks.iter().map(move |look| {
        scale * ((1.0 - EVEN) * heat(look) / all_heat + EVEN * force(look) / all_force)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn look(score: Score, width: f32, check: bool) -> Look {
        let mv = Board::default().legal_moves()[0];
        let value = points::points(&Quantiles::certain(score), 60);
        Look { mv, value, score, width, known: None, check }
    }

    #[test]
    fn better_moves_and_checks_deserve_more() {
        let looks = [
            look(30, 0.3, false),
            look(0, 0.3, false),
            look(-400, 0.3, true),
            look(-400, 0.3, false),
        ];
        let weights: Vec<_> = weights(&looks).collect();
        assert!(weights.is_sorted_by(|a, b| a > b) && weights[3] > 0.0, "{weights:?}");
    }

    #[test]
    fn doubt_widens_the_search() {
        let all = |width| weights(&[look(0, width, false), look(-50, width, false)]).sum::<f32>();
        assert!(all(0.4) > all(0.2) && all(0.2) > all(0.001) && all(0.0) > all(0.001));
    }
}
