//! The rules of one node: when it is decided at once, which moves are searched how deep, and
//! what their results mean.

use super::picker::Stage;
use super::{NO_EVAL, Search, State, Waiting};
use crate::board::Board;
use crate::game::{Game, MAX_PLY};
use crate::score::{INFINITE, MATE, MATE_BOUND, Score};
use crate::table::{Bank, Bound, Key};
use crate::types::{Move, QUEEN, kind};

/// What taking a piece can gain at most, for pruning in quiescence. By type.
static GAIN: [Score; 8] = [0, 120, 360, 380, 560, 1080, 0, 0];

/// How much less deep a late move is searched: 16 times the logarithm of move number or depth.
static LOG: [u8; 64] = [
    0, 0, 11, 18, 22, 26, 29, 31, 33, 35, 37, 38, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 49, 50,
    51, 51, 52, 53, 53, 54, 54, 55, 55, 56, 56, 57, 57, 58, 58, 59, 59, 59, 60, 60, 61, 61, 61, 62,
    62, 62, 63, 63, 63, 64, 64, 64, 64, 65, 65, 65, 66, 66, 66, 66,
];

/// The base reduction of a late quiet move, in plies.
fn reduction(depth: i8, searched: u8) -> i8 {
    let log = |x: u8| LOG[if x > 63 { 63 } else { x } as usize] as u16;
    // 0.6 + ln(depth) * ln(searched) / 2.2, in 1/256.
    ((160 + ((((log(depth as u8) * log(searched)) >> 2) * 29) >> 4)) >> 8) as i8
}

impl Search {
    /// Enters the node of the current ply: counts it, and ends it at once if it is drawn, known
    /// or beyond doubt; otherwise prepares its moves.
    #[cfg_attr(target_arch = "msp430", inline(never))]
    pub(super) fn enter<const N: usize>(&mut self, game: &mut Game, bank: &mut Bank<N>) {
        self.nodes += 1;
        let base = self.pool.end();
        let (ply, iteration) = (self.ply, self.iteration);
        let root = ply == 0;
        let checked = self.is_checked(&game.board);
        let root_move =
            if self.candidate != Move::NONE { self.candidate } else { self.outcome.best };
        let frame = self.frame();
        frame.base = base;
        frame.bad_end = base;
        frame.quiets = base;
        frame.next = base;
        frame.searched = 0;
        frame.best = -INFINITE;
        frame.best_move = Move::NONE;
        frame.checked = checked;
        frame.stage = Stage::Table;
        let pv = frame.alpha + 1 < frame.beta;

        if !root {
            // A mate on the hundredth half-move still counts.
            if game.is_draw() && !(checked && game.board.halfmove() >= 100) {
                return self.give_back(0);
            }
            // A shorter mate is known already.
            let (mated, mating) = (-MATE + ply as Score, MATE - ply as Score - 1);
            let frame = self.frame();
            if frame.alpha < mated {
                frame.alpha = mated;
            }
            if frame.beta > mating {
                frame.beta = mating;
            }
            if frame.alpha >= frame.beta {
                let value = frame.alpha;
                return self.give_back(value);
            }
            if ply as usize >= MAX_PLY - 1 {
                let value = if checked { 0 } else { self.evaluator.evaluate(&game.board) };
                return self.give_back(value);
            }
        }

        let frame = self.frame();
        // Checks are forcing: look one ply further, but not for ever.
        if checked && ply < iteration << 1 && (ply as usize) < MAX_PLY / 2 && frame.depth >= 0 {
            frame.depth += 1;
        }
        frame.quiescence = frame.depth <= 0;
        let (alpha, beta, depth) = (frame.alpha, frame.beta, frame.depth);

        let mut found = bank.probe(game.board.key(), game.board.lock(), ply);
        let mut table_move = Move::NONE;
        if let Some(entry) = found {
            if entry.best == Move::NONE || game.board.is_legal_here(entry.best, checked) {
                if !pv && entry.depth >= depth.max(0) && entry.decides(alpha, beta) {
                    return self.give_back(entry.score);
                }
                table_move = entry.best;
            } else {
                // Another position's entry: nothing it says is about this one.
                found = None;
            }
        }
        let frame = self.frame();
        frame.table_move = if root { root_move } else { table_move };

        if checked {
            frame.eval = NO_EVAL;
            self.state = State::Next;
            return;
        }
        let mut eval = self.evaluator.evaluate_within(&game.board, alpha, beta);
        let frame = self.frame();
        frame.eval = eval;
        if let Some(found) = found
            && found.improves(eval)
        {
            eval = found.score;
        }
        if frame.quiescence {
            // Standing pat: the side to move need not take anything.
            frame.best = eval;
            if eval >= beta {
                return self.give_back(eval);
            }
            if eval > alpha {
                frame.alpha = eval;
            }
            if !frame.table_move.is_tactical() {
                frame.table_move = Move::NONE;
            }
            self.state = State::Next;
            return;
        }
        if !pv && beta.abs() < MATE_BOUND {
            let after_null = frame.after_null;
            // So far ahead that a whole move's worth of bad luck would not matter.
            if depth <= 6 && eval - 75 * depth as Score >= beta {
                return self.give_back(eval);
            }
            // So far behind that only captures can help: look at those alone.
            if depth <= 2 && eval + 250 * depth as Score <= alpha {
                let frame = self.frame();
                frame.quiescence = true;
                frame.depth = 0;
                frame.best = eval;
                if !frame.table_move.is_tactical() {
                    frame.table_move = Move::NONE;
                }
                self.state = State::Next;
                return;
            }
            // If even passing keeps the score above beta, moving surely does; except where
            // having to move is the trouble, as with pawns alone.
            let side = game.board.side();
            if depth >= 3 && eval >= beta && !after_null && !game.board.only_pawns(side) {
                let less = 3 + (depth >> 2) + (eval - beta >= 200) as i8;
                let undo = game.make_null();
                let frame = self.frame();
                frame.undo = undo;
                frame.waiting = Waiting::Null;
                return self.descend(-beta, 1 - beta, depth - 1 - less, true);
            }
        }
        // Without a move to try first, a shallower search will find one.
        let frame = self.frame();
        if depth >= 4 && frame.table_move == Move::NONE {
            frame.depth -= 1;
        }
        self.state = State::Next;
    }

    /// Whether the side to move is in check; the move that led here says where to look.
    fn is_checked(&self, board: &Board) -> bool {
        if self.ply == 0 {
            return board.in_check();
        }
        let parent = &self.frames[(self.ply as usize - 1) & (MAX_PLY - 1)];
        // Nobody passes when in check, and no move leaves its own king in check.
        parent.waiting != Waiting::Null && board.in_check_after(parent.current)
    }

    /// Searches the current node's next move, or ends the node if there is none.
    #[cfg_attr(target_arch = "msp430", inline(never))]
    pub(super) fn try_next<const N: usize>(&mut self, game: &mut Game, bank: &mut Bank<N>) {
        loop {
            let m = self.pick(&mut game.board);
            if m == Move::NONE {
                return self.finish_node(game, bank);
            }
            let checked = self.frame().checked;
            if !game.board.is_legal(m, checked) || self.is_pruned(game, m) {
                continue;
            }
            return self.search_move(game, m);
        }
    }

    /// Whether a move is so unlikely to matter that it is not searched.
    #[cfg_attr(target_arch = "msp430", inline(never))]
    fn is_pruned(&mut self, game: &mut Game, m: Move) -> bool {
        let ply = self.ply;
        let frame = self.frame();
        let (alpha, depth, eval) = (frame.alpha, frame.depth, frame.eval);
        if frame.checked || frame.best <= -MATE_BOUND {
            return false;
        }
        if frame.quiescence {
            // Even the captured piece and a margin would not bring the score to alpha.
            let gain = GAIN[kind(game.board.at(m.victim_square())) as usize];
            if m.is_promotion() {
                return m.promotion() != QUEEN;
            }
            return eval + gain + 60 <= alpha;
        }
        if ply == 0 || frame.searched == 0 {
            return false;
        }
        if frame.stage == Stage::BadCaptures && m.is_tactical() {
            return depth <= 4;
        }
        if m.is_tactical() {
            return false;
        }
        let searched = frame.searched as i16;
        let late = depth <= 5 && searched > 3 + depth as i16 * depth as i16;
        let futile = depth <= 6 && eval + 90 + 70 * depth as Score <= alpha;
        if late || futile {
            self.skip_quiets();
            return true;
        }
        // A quiet move that loses the piece it moves.
        depth <= 4 && !game.board.keeps_material(m)
    }

    #[cfg_attr(target_arch = "msp430", inline(never))]
    fn search_move(&mut self, game: &mut Game, m: Move) {
        let piece = game.board.at(m.from());
        let quiet = !m.is_tactical();
        let learned = if quiet { self.history.get(piece, m) } else { 0 };
        let frame = self.frame();
        game.make_into(m, &mut frame.undo);
        frame.current = m;
        frame.searched = frame.searched.saturating_add(1);
        frame.child_depth = frame.depth - 1;
        let (alpha, beta, depth) = (frame.alpha, frame.beta, frame.child_depth);
        if frame.quiescence || frame.searched == 1 {
            frame.waiting = Waiting::Full;
            return self.descend(-beta, -alpha, depth, false);
        }
        let mut less = 0;
        if frame.depth >= 3 && !frame.checked && (quiet || frame.stage == Stage::BadCaptures) {
            less = reduction(frame.depth, frame.searched);
            if alpha + 1 < beta {
                less -= 1;
            }
            if frame.stage < Stage::MakeQuiets {
                less -= 1;
            }
            less -= (learned >> 9) as i8;
            less = less.clamp(0, depth - 1);
        }
        frame.waiting = if less > 0 { Waiting::Reduced } else { Waiting::Scout };
        self.descend(-alpha - 1, -alpha, depth - less, false);
    }

    /// A child's result came back: search it again if it promises more than was asked, or take
    /// it into account. Ends in `Return` only on a cutoff.
    #[cfg_attr(target_arch = "msp430", inline(never))]
    pub(super) fn resume(&mut self, game: &mut Game) {
        let value = -self.value;
        let frame = self.frame();
        let (alpha, beta, depth) = (frame.alpha, frame.beta, frame.child_depth);
        match frame.waiting {
            Waiting::Null => {
                self.unmake(game);
                let frame = self.frame();
                frame.waiting = Waiting::Full;
                if value >= beta {
                    frame.best_move = Move::NONE;
                    // A mate found by passing is not proved.
                    let value = if value >= MATE_BOUND { beta } else { value };
                    frame.best = value;
                    return self.give_back(value);
                }
                if frame.depth >= 4 && frame.table_move == Move::NONE {
                    frame.depth -= 1;
                }
                self.state = State::Next;
                return;
            }
            Waiting::Reduced if value > alpha => {
                frame.waiting = Waiting::Scout;
                return self.descend(-alpha - 1, -alpha, depth, false);
            }
            Waiting::Scout if value > alpha && value < beta => {
                frame.waiting = Waiting::Full;
                return self.descend(-beta, -alpha, depth, false);
            }
            _ => {}
        }
        self.unmake(game);
        self.state = State::Next;
        let root = self.ply == 0;
        let frame = self.frame();
        if value <= frame.best {
            return;
        }
        frame.best = value;
        if value <= frame.alpha {
            return;
        }
        let m = frame.current;
        frame.alpha = value;
        frame.best_move = m;
        let (depth, quiescence) = (frame.depth, frame.quiescence);
        if root {
            self.candidate = m;
            self.candidate_score = value;
        }
        if value >= beta {
            if !m.is_tactical() && !quiescence {
                self.learn(&game.board, m, depth);
            }
            self.give_back(value);
        }
    }

    /// All moves were tried: mate, stalemate, or the best of them.
    fn finish_node<const N: usize>(&mut self, game: &mut Game, bank: &mut Bank<N>) {
        let ply = self.ply;
        let frame = self.frame();
        let mut value = frame.best;
        if frame.searched == 0 && value == -INFINITE {
            // Pruning needs a searched move first, so there was no legal one at all.
            value = if frame.checked { -MATE + ply as Score } else { 0 };
            return self.give_back(value);
        }
        self.give_back(value);
        self.store(game, bank);
    }

    /// Stores the node that has just ended.
    #[cfg_attr(target_arch = "msp430", inline(never))]
    pub(super) fn store<const N: usize>(&mut self, game: &mut Game, bank: &mut Bank<N>) {
        let (value, ply, number) = (self.value, self.ply, self.number);
        let frame = self.frame();
        if frame.quiescence {
            return;
        }
        let bound = if value >= frame.beta {
            Bound::Lower
        } else if frame.best_move != Move::NONE {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let (depth, best) = (frame.depth, frame.best_move);
        let key = Key { key: game.board.key(), lock: game.board.lock(), search: number, ply };
        bank.store(key, depth, value, bound, best);
    }
}
