//! The mate hunter: looks for forced mates that the search, busy with everything, comes to late.
//!
//! A proof-number search over an explicit tree. The attacker may only give check or threaten mate
//! in one; the defender may do anything. It goes on where the fewest replies are left to refute,
//! however much material that costs. A mate it finds is real, though another may be shorter; that
//! it finds none says nothing.

use std::collections::{HashMap, HashSet};

use chess::{Board, CheckSquares, Move};
use eval::score;

use crate::event::Bound;
use crate::params::hunt as param;
use crate::table::{Entry, MAX_DEPTH, Table};

/// The longest mate to look for, in plies.
const LONGEST: usize = 41;
/// More positions are not kept in mind.
const MOST_NODES: usize = 1 << 17;
/// What cannot be proved, or disproved, any more.
const NEVER: u32 = 1 << 30;
/// Mixes the distance from the root into a key, so that no line can come back to itself.
const BY_PLY: u64 = 0x9E37_79B9_7F4A_7C15;

/// How a hunt stands.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub(crate) enum State {
    Hunting,
    /// Found, in this many plies.
    Mate(usize),
    /// There is none of this kind, or it is too far away.
    Nothing,
}

/// A position of the tree: the attacker's to move at even plies, the defender's at odd ones.
#[derive(Copy, Clone)]
struct Node {
    /// How many positions must at least be won to prove the mate.
    proof: u32,
    /// How many must at least be lost to refute it.
    disproof: u32,
    /// How far the mate is, once proved.
    plies: usize,
    /// Its moves are those from the first to before the last; none yet if both are equal.
    first: usize,
    last: usize,
}

impl Node {
    fn new(proof: u32, disproof: u32) -> Self {
        Self { proof, disproof, plies: 0, first: 0, last: 0 }
    }

    fn mate(plies: usize) -> Self {
        Self { plies, ..Self::new(0, NEVER) }
    }

    fn is_settled(&self) -> bool {
        self.proof == 0 || self.disproof == 0
    }
}

/// A proof-number search that can be paused and resumed.
pub(crate) struct Hunt {
    root: Board,
    root_moves: Vec<Move>,
    nodes: Vec<Node>,
    moves: Vec<(Move, usize)>,
    known: HashMap<u64, usize>,
    spent: u64,
}

impl Hunt {
    /// Prepares to look for a mate by one of these moves.
    pub(crate) fn new(root: &Board, root_moves: Vec<Move>) -> Self {
        Self {
            root: root.clone(),
            root_moves,
            nodes: vec![Node::new(1, 1)],
            moves: Vec::new(),
            known: HashMap::new(),
            spent: 0,
        }
    }

    /// How many positions were looked at.
    pub(crate) fn spent(&self) -> u64 {
        self.spent
    }

    /// Goes on until something is certain, this many positions more have been looked at, or `tick`,
    /// which is asked before each, says stop.
    pub(crate) fn resume(&mut self, budget: u64, mut tick: impl FnMut() -> bool) -> State {
        let until = self.spent + budget;
        loop {
            let root = self.nodes[0];
            if root.proof == 0 {
                return State::Mate(root.plies);
            }
            if root.disproof == 0 || self.nodes.len() > MOST_NODES {
                return State::Nothing;
            }
            if self.spent >= until || self.step(&mut tick) {
                return State::Hunting;
            }
        }
    }

    /// Looks at the moves of the most promising position, and passes on what that means. True if
    /// `tick` said stop; nothing has changed then.
    fn step(&mut self, tick: &mut impl FnMut() -> bool) -> bool {
        let mut board = self.root.clone();
        let mut path = vec![0];
        let mut at = 0;
        while !self.nodes[at].is_settled()
            && let Some((mv, child)) = self.most_promising(at, path.len() % 2 == 1)
        {
            board.make_move(mv, &mut ());
            at = child;
            path.push(at);
        }
        let ply = path.len() - 1;
        if self.nodes[at].is_settled() {
            // A transposition was settled by another path; only the nodes above are out of date.
        } else if ply >= LONGEST {
            self.nodes[at] = Node::new(NEVER, 0);
        } else if self.expand(at, &board, ply, tick) {
            return true;
        }
        for (ply, &at) in path.iter().enumerate().rev() {
            self.sum_up(at, ply);
        }
        false
    }

    /// Where the mate, or its refutation, is nearest; none if the moves are not known yet.
    fn most_promising(&self, at: usize, attack: bool) -> Option<(Move, usize)> {
        let node = self.nodes[at];
        let cost = |&&(_, child): &&(Move, usize)| {
            let child = self.nodes[child];
            if attack { child.proof } else { child.disproof }
        };
        self.moves[node.first..node.last].iter().min_by_key(cost).copied()
    }

    /// Finds the moves of a position: the attacker's checks and threats, the defender's all. True
    /// if `tick` said stop before the last.
    fn expand(
        &mut self,
        at: usize,
        board: &Board,
        ply: usize,
        tick: &mut impl FnMut() -> bool,
    ) -> bool {
        let first = self.moves.len();
        for mv in &board.legal_moves() {
            if ply == 0 && !self.root_moves.contains(&mv) {
                continue;
            }
            if tick() {
                self.moves.truncate(first);
                return true;
            }
            self.spent += 1;
            let next = board.after(mv);
            let node = if ply.is_multiple_of(2) { attacked(&next) } else { Some(defended(&next)) };
            if let Some(node) = node {
                self.add(&next, ply + 1, mv, node);
            }
        }
        self.close(at, first);
        false
    }

    /// Adds a move to a new position, or to one that is known.
    fn add(&mut self, next: &Board, ply: usize, mv: Move, node: Node) {
        let key = next.key() ^ BY_PLY.wrapping_mul(ply as u64);
        let child = *self.known.entry(key).or_insert(self.nodes.len());
        if child == self.nodes.len() {
            self.nodes.push(node);
        }
        self.moves.push((mv, child));
    }

    /// All moves from `first` on belong to this node; without any it is no mate.
    fn close(&mut self, at: usize, first: usize) {
        let last = self.moves.len();
        self.nodes[at] = if first == last {
            Node::new(NEVER, 0)
        } else {
            Node { first, last, ..self.nodes[at] }
        };
    }

    /// Recomputes a node from its moves.
    fn sum_up(&mut self, at: usize, ply: usize) {
        let Node { first, last, .. } = self.nodes[at];
        if first == last {
            return;
        }
        let attack = ply.is_multiple_of(2);
        let (mut least, mut sum) = (NEVER, 0);
        let (mut shortest, mut longest) = (usize::MAX, 0);
        for &(_, child) in &self.moves[first..last] {
            let child = self.nodes[child];
            let (min, add) =
                if attack { (child.proof, child.disproof) } else { (child.disproof, child.proof) };
            least = least.min(min);
            sum = NEVER.min(sum + add);
            if child.proof == 0 {
                shortest = shortest.min(child.plies);
                longest = longest.max(child.plies);
            }
        }
        let node = &mut self.nodes[at];
        (node.proof, node.disproof) = if attack { (least, sum) } else { (sum, least) };
        if node.proof == 0 {
            node.plies = 1 + if attack { shortest } else { longest };
        }
    }

    /// Writes a mate that was found into the table, for the search to read.
    pub(crate) fn publish(&self, table: &Table) {
        let mut done = HashSet::new();
        let mut todo = vec![(0, self.root.clone(), 0)];
        while let Some((at, board, ply)) = todo.pop() {
            if !done.insert(at) {
                continue;
            }
            let node = self.nodes[at];
            let moves = &self.moves[node.first..node.last];
            let mut best = None;
            if ply % 2 == 0 {
                let mate = moves.iter().filter(|&&(_, child)| self.nodes[child].proof == 0);
                let shortest = mate.min_by_key(|&&(_, child)| self.nodes[child].plies);
                best = shortest.map_or_else(|| mate_in_one(&board), |&(mv, _)| Some(mv));
                todo.extend(shortest.map(|&(mv, child)| (child, board.after(mv), ply + 1)));
            } else {
                todo.extend(moves.iter().map(|&(mv, child)| (child, board.after(mv), ply + 1)));
            }
            let (score, bound) = if ply % 2 == 0 {
                (score::mate_in(ply + node.plies), Bound::Lower)
            } else {
                (score::mated_in(ply + node.plies), Bound::Upper)
            };
            let entry = Entry::searched(MAX_DEPTH, score, bound, best, None, false);
            table.store(board.key(), ply, &entry);
        }
    }
}

/// The position after a move of the attacker; none if it neither checks nor threatens mate.
fn attacked(board: &Board) -> Option<Node> {
    if !board.in_check() {
        return threatens_mate(board).then_some(Node::new(param::parries() as u32, 1));
    }
    Some(match board.count_legal_moves() as u32 {
        0 => Node::mate(0),
        replies => Node::new(replies, 1),
    })
}

/// The position after a move of the defender, which may run into a mate in one.
fn defended(board: &Board) -> Node {
    if mate_in_one(board).is_some() { Node::mate(1) } else { Node::new(1, 1) }
}

/// Would the side that has just moved mate at once, if it could move again?
fn threatens_mate(board: &Board) -> bool {
    let mut passed = board.clone();
    passed.make_null_move();
    mate_in_one(&passed).is_some()
}

/// The move with which the side to move mates.
fn mate_in_one(board: &Board) -> Option<Move> {
    let checks = CheckSquares::new(board);
    let moves = board.legal_moves();
    let mut checking = moves.iter().copied().filter(|&mv| checks.gives_check(board, mv));
    checking.find(|&mv| !board.after(mv).has_legal_move())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A queen is given for a mate by checks (Win at Chess 217).
    const CHECKS: &str = "r3kb1r/1pp3p1/p3bp1p/5q2/3QN3/1P6/PBP3P1/3RR1K1 w kq - 0 1";
    /// Two knights are given for quiet threats (Win at Chess 293).
    const THREATS: &str = "1nbq1r1k/3rbp1p/p1p1pp1Q/1p6/P1pPN3/5NP1/1P2PPBP/R4RK1 w - - 0 1";

    /// Hunts until this many positions have been looked at.
    fn hunt_for(board: &Board, most: u64) -> (Hunt, State) {
        let mut hunt = Hunt::new(board, board.legal_moves().to_vec());
        let state = hunt.resume(most, || false);
        (hunt, state)
    }

    /// Plays the table's moves against every defence: all lines must end in mate in time.
    fn assert_mates(table: &Table, board: &Board, plies: usize) {
        let entry = table.probe(board.key(), 0).expect("the whole proof is in the table");
        assert!(entry.score >= score::mate_in(plies) && entry.bound == Some(Bound::Lower));
        let next = board.after(entry.mv.filter(|&mv| board.is_legal(mv)).expect("a legal move"));
        if next.is_checkmate() {
            return;
        }
        assert!(plies >= 3 && next.has_legal_move(), "{board} should be mate in {plies} plies");
        let entry = table.probe(next.key(), 1).expect("the defender's positions too");
        assert!(entry.score <= score::mated_in(plies) && entry.bound == Some(Bound::Upper));
        for mv in &next.legal_moves() {
            assert_mates(table, &next.after(mv), plies - 2);
        }
    }

    fn assert_proved(board: &Board, hunt: &Hunt, plies: usize) {
        let table = Table::new(1).unwrap();
        hunt.publish(&table);
        assert_mates(&table, board, plies);
    }

    #[test]
    fn sacrifices_do_not_frighten_it() {
        for (fen, plies) in [(CHECKS, 9), (THREATS, 7)] {
            let board = fen.parse().unwrap();
            let (hunt, state) = hunt_for(&board, 5_000);
            assert_eq!(state, State::Mate(plies), "{fen}");
            assert_proved(&board, &hunt, plies);
        }
    }

    #[test]
    fn a_hunt_can_be_gone_on_with() {
        let board: Board = THREATS.parse().unwrap();
        let mut hunt = Hunt::new(&board, board.legal_moves().to_vec());
        let mut portions = 1_i32;
        while hunt.resume(1, || false) == State::Hunting {
            // A stop in between must do no harm.
            let mut left = portions % 40;
            hunt.resume(u64::MAX / 2, || {
                left -= 1;
                left < 0
            });
            portions += 1;
        }
        assert!(portions > 10);
        assert_proved(&board, &hunt, 7);
    }

    #[test]
    fn nothing_is_found_where_there_is_nothing() {
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1",
            "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",    // stalemate
            "R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1", // mated
        ] {
            assert_eq!(hunt_for(&fen.parse().unwrap(), 5_000).1, State::Nothing, "{fen}");
        }
    }

    #[test]
    fn only_the_moves_of_the_root_count() {
        let board: Board = "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1".parse().unwrap();
        assert_eq!(hunt_for(&board, 1_000).1, State::Mate(1));
        let mut others = board.legal_moves().to_vec();
        others.retain(|mv| mv.to_string() != "a1a8");
        assert_eq!(Hunt::new(&board, others).resume(10_000, || false), State::Nothing);
    }

    /// Another way to look for a mate: every check, every reply.
    fn mates_by_checks(board: &Board, moves: u32) -> bool {
        board.legal_moves().iter().any(|&mv| {
            let next = board.after(mv);
            let replies = next.legal_moves();
            next.in_check()
                && (replies.is_empty()
                    || moves > 1
                        && replies.iter().all(|&mv| mates_by_checks(&next.after(mv), moves - 1)))
        })
    }

    #[test]
    fn what_it_finds_in_random_games_is_mate_and_short_ones_are_found() {
        let mut rng = chess::Rng::new(7);
        let (mut found, mut late) = ([0; 4], 0);
        for _ in 0..60 {
            let mut board = Board::default();
            for _ in 0..120 {
                let Some(&mv) = rng.pick(&board.legal_moves()) else { break };
                board.make_move(mv, &mut ());
                let (hunt, state) = hunt_for(&board, 400);
                if let State::Mate(plies) = state {
                    assert_proved(&board, &hunt, plies);
                    found[(plies / 2).min(3)] += 1;
                } else if mates_by_checks(&board, 2) {
                    // Best first is not always soonest: now and then it needs more.
                    late += 1;
                    let found = matches!(hunt_for(&board, 100_000).1, State::Mate(_));
                    assert!(found, "a mate in two is missed: {board}");
                }
            }
        }
        assert!(found.iter().all(|&count| count > 5), "of every length: {found:?}");
        assert!(5 * late <= found[1], "{late} mates in two late, {} at once", found[1]);
    }
}
