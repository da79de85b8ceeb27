//! In which order a node's moves are tried: the table's move, captures that do not lose
//! material, killers, the other quiet moves by history, and last the captures that lose.
//!
//! Moves are generated only when their turn comes, since a cutoff usually comes first.

use super::Search;
use crate::board::Board;
use crate::movegen::Wanted;
use crate::types::{Move, QUEEN, kind};

/// What is tried next.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub(super) enum Stage {
    Table,
    MakeCaptures,
    Captures,
    FirstKiller,
    SecondKiller,
    MakeQuiets,
    Quiets,
    BadCaptures,
    Done,
}

impl Search {
    /// The next pseudo-legal move of the current node, or [`Move::NONE`].
    #[cfg_attr(target_arch = "msp430", inline(never))]
    pub(super) fn pick(&mut self, board: &mut Board) -> Move {
        let Search { now: frame, pool, history, .. } = self;
        loop {
            match frame.stage {
                Stage::Table => {
                    frame.stage = Stage::MakeCaptures;
                    if frame.table_move != Move::NONE {
                        return frame.table_move;
                    }
                }
                Stage::MakeCaptures => {
                    frame.stage = Stage::Captures;
                    board.generate(Wanted::Captures, pool);
                    let mut i = frame.base;
                    while i < pool.end() {
                        pool.set_score(i, capture_score(board, pool.get(i)));
                        i += 1;
                    }
                    frame.quiets = pool.end();
                }
                Stage::Captures => {
                    if frame.next >= frame.quiets {
                        frame.stage = if frame.quiescence && !frame.checked {
                            Stage::Done
                        } else {
                            Stage::FirstKiller
                        };
                        continue;
                    }
                    let m = pool.select(frame.next, frame.quiets);
                    frame.next += 1;
                    if m == frame.table_move {
                        continue;
                    }
                    if board.keeps_material(m) {
                        return m;
                    }
                    // Put off: the slots before `next` are free.
                    pool.set(frame.bad_end, m);
                    frame.bad_end += 1;
                }
                Stage::FirstKiller | Stage::SecondKiller => {
                    let second = frame.stage == Stage::SecondKiller;
                    frame.stage = if second { Stage::MakeQuiets } else { Stage::SecondKiller };
                    let m = frame.killers[second as usize];
                    if m != frame.table_move && board.is_pseudo_legal(m) {
                        return m;
                    }
                }
                Stage::MakeQuiets => {
                    frame.stage = Stage::Quiets;
                    frame.next = frame.quiets;
                    board.generate(Wanted::Quiets, pool);
                    let mut i = frame.next;
                    while i < pool.end() {
                        let m = pool.get(i);
                        pool.set_score(i, history.get(board.at(m.from()), m));
                        i += 1;
                    }
                }
                Stage::Quiets => {
                    if frame.next >= pool.end() {
                        frame.stage = Stage::BadCaptures;
                        frame.next = frame.base;
                        continue;
                    }
                    let m = pool.select(frame.next, pool.end());
                    frame.next += 1;
                    if m != frame.table_move && m != frame.killers[0] && m != frame.killers[1] {
                        return m;
                    }
                }
                Stage::BadCaptures => {
                    if frame.next >= frame.bad_end {
                        frame.stage = Stage::Done;
                        continue;
                    }
                    frame.next += 1;
                    return pool.get(frame.next - 1);
                }
                Stage::Done => return Move::NONE,
            }
        }
    }

    /// No more quiet moves at this node.
    pub(super) fn skip_quiets(&mut self) {
        let frame = self.frame();
        if frame.stage < Stage::BadCaptures {
            frame.stage = Stage::BadCaptures;
            frame.next = frame.base;
        }
    }

    /// The quiet move in `m` cut off: remember it, and that those tried before it did not.
    pub(super) fn learn(&mut self, board: &Board, m: Move, depth: i8) {
        let Search { now: frame, pool, history, .. } = self;
        if frame.killers[0] != m {
            frame.killers[1] = frame.killers[0];
            frame.killers[0] = m;
        }
        let depth = if depth > 12 { 12 } else { depth as i16 };
        let bonus = ((depth * depth) << 1) + (depth << 3);
        history.update(board.at(m.from()), m, bonus);
        if frame.stage == Stage::Quiets {
            let mut i = frame.quiets;
            while i + 1 < frame.next {
                let tried = pool.get(i);
                history.update(board.at(tried.from()), tried, -bonus);
                i += 1;
            }
        }
    }
}

/// The most valuable victim first, by the least valuable piece; queens are made early and
/// other pieces late.
fn capture_score(board: &Board, m: Move) -> i16 {
    let victim = kind(board.at(m.victim_square())) as i16;
    let victim = if m.is_capture() { victim } else { 0 };
    let attacker = kind(board.at(m.from())) as i16;
    let mut score = (victim << 3) - attacker;
    if m.is_promotion() {
        score += if m.promotion() == QUEEN { 40 } else { -40 };
    }
    score
}
