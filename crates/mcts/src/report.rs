//! What a search says: the order of the root's moves, lines, scores, shares.

use std::cmp::Ordering;
use std::sync::atomic::Ordering::Relaxed;

use chess::{Board, Move, repetition};
use eval::Quantiles;
use eval::score::{self, Score};
use search::{Bound, Info, Share};

use crate::job::Job;
use crate::points;
use crate::proof::seen_by_parent;
use crate::select::worth;
use crate::tree::{Node, Tree};

/// Beyond this many half-moves a line is not continued by what short searches remember.
const LONGEST_LINE: usize = 16;

/// A move of a node with all that decides between it and the others.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Candidate {
    edge: u32,
    pub(crate) mv: Move,
    pub(crate) visits: u32,
    /// Expected points for the side that makes it.
    worth: f32,
    /// For the side that makes it.
    proof: Option<Score>,
}

impl Candidate {
    /// Proved wins come first, proved losses last; between them visits decide.
    fn compare(&self, other: &Self) -> Ordering {
        let band = |one: &Self| one.proof.filter(|&proof| score::is_decisive(proof)).unwrap_or(0);
        band(other)
            .cmp(&band(self))
            .then(other.visits.cmp(&self.visits))
            .then(other.worth.total_cmp(&self.worth))
    }
}

/// The moves of a node, the one to play first.
pub(crate) fn candidates(tree: &Tree, node: Node<'_>) -> Vec<Candidate> {
    let candidate = |edge| {
        let child = tree.child(edge);
        let kept = tree.edge(edge)?;
        Some(Candidate {
            edge,
            mv: kept.mv,
            visits: child.map_or(0, Node::visits),
            worth: worth(tree, edge, &kept),
            proof: child.and_then(Node::proof).map(seen_by_parent),
        })
    };
    let mut all: Vec<Candidate> = node.edges().filter_map(candidate).collect();
    all.sort_by(Candidate::compare);
    // A proved draw is visited no more, but it is better than what is worse than a draw.
    let draw = all.iter().position(|one| one.proof == Some(score::DRAW));
    if let Some(draw) = draw
        && all[0].worth < 0.5
    {
        all[..=draw].rotate_right(1);
    }
    all
}

/// The line that begins with a move of the root, as far as the tree goes, and then as far as the short searches
/// remember it. What is proved ends with its proof, and nothing goes on behind a draw.
fn line(job: &Job, tree: &Tree, first: &Candidate) -> Vec<Move> {
    let mut line = Vec::new();
    let mut board = job.position().board().clone();
    let mut keys = job.position().keys().to_vec();
    let root = keys.len();
    let mut play = |board: &mut Board, line: &mut Vec<Move>, mv| {
        keys.push(board.key());
        line.push(mv);
        *board = board.after(mv);
        board.outcome(&keys).is_some() || repetition::is_repetition(&keys, root, board)
    };
    let mut over = play(&mut board, &mut line, first.mv);
    let mut at = tree.child(first.edge);
    let mut proved = first.proof.is_some();
    while let Some(node) = at {
        proved |= node.proof().is_some();
        let candidates = candidates(tree, node);
        let Some(next) = candidates.first() else { break };
        over |= play(&mut board, &mut line, next.mv);
        at = tree.child(next.edge);
    }
    while !proved
        && !over
        && line.len() < LONGEST_LINE
        && let Some(mv) = job.errand.remembered(&board)
    {
        over = play(&mut board, &mut line, mv);
    }
    line
}

/// A report on the best lines, best first. Of a `mate`, whose line the tree does not have, only the first
/// move is in the tree.
pub(crate) fn infos(job: &Job, tree: &Tree, depth: u32, mate: &[Move]) -> Vec<Info> {
    let board = job.position().board();
    let candidates = candidates(tree, tree.root());
    let count = job.settings().multi_pv.min(candidates.len());
    let info = |(index, candidate): (usize, &Candidate)| {
        let score = shown_score(job, board, candidate);
        Info {
            depth,
            seldepth: job.seldepth.load(Relaxed).max(1),
            multi_pv: index + 1,
            score,
            // No band of a tree search was ever compared with what came true.
            quantiles: Quantiles::certain(score),
            confidence: None,
            bound: Bound::Exact,
            nodes: job.errand.control().nodes(),
            tb_hits: job.errand.control().tb_hits(),
            time: job.errand.timer().elapsed(),
            hashfull: tree.fill(),
            pv: if mate.first() == Some(&candidate.mv) {
                mate.to_vec()
            } else {
                line(job, tree, candidate)
            },
        }
    };
    candidates[..count].iter().enumerate().map(info).collect()
}

fn shown_score(job: &Job, board: &Board, candidate: &Candidate) -> Score {
    match (candidate.proof, job.errand.tb_root()) {
        (Some(proof), _) if score::is_mate(proof) => proof,
        (_, Some(known)) => known,
        (Some(proof), None) => proof,
        (None, None) => points::score(candidate.worth, board),
    }
}

/// How the visits are divided among the moves of the root, most visited first; nothing if there were none.
pub(crate) fn shares(tree: &Tree) -> Vec<Share> {
    let mut candidates = candidates(tree, tree.root());
    let all: u32 = candidates.iter().map(|one| one.visits).sum();
    candidates.sort_by_key(|one| std::cmp::Reverse(one.visits));
    let share = |one: &Candidate| Share { mv: one.mv, part: one.visits as f32 / all as f32 };
    if all == 0 { Vec::new() } else { candidates.iter().map(share).collect() }
}
