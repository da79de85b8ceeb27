//! The moments that decided a game, each in one plain sentence: what the move did, by which reply,
//! and what the better move keeps.

use chess::{Board, Color, Move, Piece};

use crate::marks::{LIKELY, Mark};
use crate::review::{Review, Step};

/// How many there are at most.
pub const MOST: usize = 3;

/// A move that decided something.
pub struct Moment<'a> {
    /// Half-moves before it.
    pub ply: usize,
    /// The move.
    pub step: &'a Step,
    /// What happened.
    pub sentence: String,
}

/// The marked moves that lost most, in the order of the game; only one side's, if asked for. Where
/// no move is marked, those that are likelier bad than not.
pub fn find(review: &Review, side: Option<Color>, most: usize) -> Vec<Moment<'_>> {
    let wanted = |step: &Step| side.is_none_or(|side| step.before.side_to_move() == side);
    let all = |belongs: fn(&Step) -> bool| -> Vec<(usize, &Step)> {
        let steps = review.steps.iter().enumerate();
        steps.filter(|(_, step)| belongs(step) && wanted(step)).collect()
    };
    let mut worst = all(|step| step.mark.is_fault());
    if worst.is_empty() {
        worst = all(|step| step.mark == Mark::Unclear && step.sure >= LIKELY);
    }
    worst.sort_by(|(_, a), (_, b)| b.loss.total_cmp(&a.loss));
    worst.truncate(most);
    worst.sort_by_key(|&(ply, _)| ply);
    let moment = |(ply, step)| Moment { ply, step, sentence: sentence(review, ply) };
    worst.into_iter().map(moment).collect()
}

/// `28. Rxe6?? loses the exchange after Qxe6; Kh1 keeps a small plus, 90 % sure`
pub fn sentence(review: &Review, ply: usize) -> String {
    let step = &review.steps[ply];
    let reply: &[Move] = review.steps.get(ply + 1).map_or(&[], |next| &next.best.moves);
    let probably = if step.mark == Mark::Unclear { "probably " } else { "" };
    let mut text = format!("{} {probably}{}", step.label(), consequence(step, reply));
    if let Some(&mv) = step.best.moves.first().filter(|_| !step.agrees()) {
        let side = step.before.side_to_move();
        let points = step.best.verdict.seen_by(side).points(&step.before);
        text.push_str(&format!("; {} {}", step.before.san(mv), keeps(points)));
        if let Some(sure) = step.best.confidence {
            text.push_str(&format!(", {:.0} % sure", 100.0 * sure));
        }
        if let Some(found) = step.found {
            text.push_str(&format!(", {found}"));
        }
    }
    text
}

/// What a move did, in words. The reply is the engine's line after it.
fn consequence(step: &Step, reply: &[Move]) -> String {
    if let Some(mate) = step.mate() {
        return mate;
    }
    let side = step.before.side_to_move();
    let best = change(&step.before, &step.best.moves, side);
    let played = {
        let mut line = vec![step.mv];
        line.extend(reply);
        change(&step.before, &line, side)
    };
    if let Some(what) = Change::words(&played.negative()) {
        return match reply.first() {
            Some(&mv) => format!("loses {what} after {}", step.after.san(mv)),
            None => format!("loses {what}"),
        };
    }
    if let Some(what) = best.words() {
        return format!("misses the win of {what}");
    }
    let before = step.best.verdict.seen_by(side).points(&step.before);
    let after = step.verdict.seen_by(side).points(&step.after);
    match (level(before), level(after)) {
        (had, has) if had != has => format!("gives up {had} for {has}"),
        _ => format!("costs {:.2} expected points", step.loss),
    }
}

/// What expected points are called.
fn level(points: f64) -> &'static str {
    match points {
        0.90.. => "a winning position",
        0.75.. => "a clear advantage",
        0.58.. => "a small plus",
        0.42.. => "a level position",
        0.25.. => "a slightly worse position",
        0.10.. => "a difficult position",
        _ => "a lost position",
    }
}

/// What the better move does.
fn keeps(points: f64) -> String {
    match points {
        0.42.. => format!("keeps {}", level(points)),
        0.25.. => "is only slightly worse".to_owned(),
        0.10.. => "still puts up a fight".to_owned(),
        _ => "holds out longer".to_owned(),
    }
}

/// How the numbers of pieces change for a side: its own less the opponent's, pawns to queens.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
struct Change([i32; 5]);

/// Half-moves that are followed, and more while pieces are taken.
const FOLLOWED: usize = 5;

/// Plays a line and counts, at a place where nothing is being taken.
fn change(board: &Board, line: &[Move], side: Color) -> Change {
    let before = balance(board, side);
    let mut after = board.clone();
    for (index, &mv) in line.iter().enumerate() {
        let men = after.occupied().count();
        let next = after.after(mv);
        let is_quiet = next.occupied().count() == men && mv.promoted().is_none();
        if index >= FOLLOWED && is_quiet {
            break;
        }
        after = next;
    }
    let now = balance(&after, side);
    Change(std::array::from_fn(|kind| now[kind] - before[kind]))
}

fn balance(board: &Board, side: Color) -> [i32; 5] {
    let kinds = [Piece::Pawn, Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen];
    let count = |color, kind| board.pieces(color, kind).count() as i32;
    kinds.map(|kind| count(side, kind) - count(!side, kind))
}

impl Change {
    fn negative(self) -> Self {
        Self(self.0.map(|count| -count))
    }

    /// What has been won, if it is worth a word.
    fn words(&self) -> Option<&'static str> {
        let [pawns, knights, bishops, rooks, queens] = self.0;
        let minor = knights + bishops;
        match pawns + 3 * minor + 5 * rooks + 9 * queens {
            ..=0 => None,
            1 => Some("a pawn"),
            2.. if queens == 0 && rooks == 1 && minor == -1 => Some("the exchange"),
            2 => Some("two pawns"),
            3.. if queens == 0 && rooks == 0 && minor == 1 => Some("a piece"),
            5.. if queens == 0 && rooks == 1 && minor == 0 => Some("a rook"),
            7.. if queens == 1 && rooks == 0 && minor == 0 => Some("the queen"),
            3.. if queens == 1 => Some("the queen for too little"),
            _ => Some("material"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::review::tests::{fools_mate, review};

    #[test]
    fn sentences_say_what_happened() {
        let review = review(
            &Board::default(),
            &[],
            &[
                ("e4", 30, "e4"),
                ("e5", 30, "e5"),
                // The engine would take the queen.
                ("Qg4", -900, "Nf3"),
                ("d5", -850, "d5"),
                ("Qxc8", -900, "Qf3"),
                ("Qxc8", -900, "Qxc8"),
            ],
        );
        let text = sentence(&review, 4);
        assert_eq!(text, "3. Qxc8 loses the queen for too little after Qxc8; Qf3 holds out longer");
        let text = sentence(&review, 2);
        assert!(text.starts_with("2. Qg4?? "), "{text}");
        let moments = find(&review, None, MOST);
        assert_eq!(moments.iter().map(|moment| moment.ply).collect::<Vec<_>>(), [2]);
        assert!(find(&review, Some(Color::Black), MOST).is_empty());
    }

    #[test]
    fn a_mate_is_named() {
        let review = fools_mate("A");
        assert_eq!(sentence(&review, 2), "2. g4?? walks into mate in 1; e4 keeps a level position");
    }

    #[test]
    fn material_has_names() {
        let words = |change| Change(change).words();
        assert_eq!(words([0, 0, 0, 0, 0]), None);
        assert_eq!(words([0, -1, 0, 1, 0]), Some("the exchange"));
        assert_eq!(words([1, 0, 0, 0, 0]), Some("a pawn"));
        assert_eq!(words([0, 0, 1, 0, 0]), Some("a piece"));
        assert_eq!(words([-1, 1, 0, 0, 0]), Some("two pawns"));
        assert_eq!(words([0, 0, 0, -1, 1]), Some("the queen for too little"));
    }
}
