//! Endings where counting material misleads: advantages that do not win, and bare kings that
//! must be driven to the edge.

use crate::board::Board;
use crate::geometry::distance;
use crate::kpk;
use crate::types::{BISHOP, BLACK, KNIGHT, Side, WHITE, kind};

/// What a pawn that is known to promote adds.
const PROMISED: i16 = 500;

/// Corrects a white-positive score for what is known of the ending.
pub(crate) fn adjust(board: &Board, white: i16) -> i16 {
    let strong: Side = if white >= 0 { WHITE } else { BLACK };
    let weak = strong ^ 1;
    if let Some(won) = kpk::probe(board) {
        // A win that is not yet there counts as one that will come.
        return match (won, strong) {
            (false, _) => 0,
            (true, WHITE) => white + PROMISED,
            (true, _) => white - PROMISED,
        };
    }
    if board.has_pawns(strong) {
        return white;
    }
    let (mine, theirs) = (board.phase(strong), board.phase(weak));
    // A bare king facing a rook or more: push him to the edge and bring the own king near.
    if board.count(weak) == 1 {
        if mine < 2 || only_knights(board, strong) {
            return 0;
        }
        let drive = drive_to_edge(board, strong);
        return if strong == WHITE { white + drive } else { white - drive };
    }
    // Without pawns, a lead of less than a rook seldom wins.
    if mine <= theirs + 1 { white >> 3 } else { white }
}

fn only_knights(board: &Board, side: Side) -> bool {
    board.count(side) == 3 && (1..3).all(|i| kind(board.at(board.listed(side, i))) == KNIGHT)
}

/// How far a bare king was driven; a bishop and knight drive him to a corner of the bishop's
/// colour.
fn drive_to_edge(board: &Board, strong: Side) -> i16 {
    let king = board.king(strong ^ 1);
    let from_centre = |x: u8| if x < 4 { 3 - x } else { x - 4 };
    let edge = from_centre(king & 7) + from_centre(king >> 4);
    let near = 7 - distance(king, board.king(strong));
    let mut drive = edge as i16 * 8 + near as i16 * 8;
    if board.count(strong) == 3 && board.phase(strong) == 2 {
        let bishop = (1..3)
            .map(|i| board.listed(strong, i))
            .find(|&square| kind(board.at(square)) == BISHOP)
            .unwrap_or(0);
        let light = (bishop ^ bishop >> 4) & 1 == 0;
        // Light corners are a8 and h1.
        let (a, b) = if light { (0x00, 0x77) } else { (0x07, 0x70) };
        let (to_a, to_b) = (distance(king, a), distance(king, b));
        let corner = if to_a < to_b { to_a } else { to_b };
        drive += (7 - corner as i16) * 16;
    }
    drive
}
