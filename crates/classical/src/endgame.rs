//! What material alone says about the ending: dead draws, sure wins, and leads that do not win.

use chess::{Bitboard, Board, Color, File, Piece, Rank, Square, see_value};

use super::geometry::{ahead, distance};
use super::kpk;
use eval::Score;

/// A scale that leaves the endgame half as it is.
pub const FULL_SCALE: i32 = 128;

/// Above all positions that are merely good, below every mate and tablebase win.
const SURE_WIN: Score = 10_000;

/// A won pawn ending: less than any queen, so that the pawn is promoted.
const PAWN_WIN: Score = 600;

/// The score from White's side, if the material decides it alone.
pub(super) fn known(board: &Board) -> Option<Score> {
    if board.is_insufficient_material() || is_two_knights(board) {
        return Some(0);
    }
    let strong = Color::ALL.into_iter().find(|&color| is_bare(board, !color))?;
    let sign = if strong == Color::White { 1 } else { -1 };
    if can_force_mate(board, strong) {
        return Some(sign * drive_to_mate(board, strong));
    }
    lone_pawn(board, strong).map(|score| sign * score)
}

/// The score for the side to move of an ending against a bare king, if material decides it alone.
///
/// For evaluators that have not learnt how to drive a king to the edge.
#[inline]
pub fn bare_king(board: &Board) -> Option<Score> {
    if Color::ALL.into_iter().all(|color| !is_bare(board, color)) {
        return None;
    }
    let sign = if board.side_to_move() == Color::White { 1 } else { -1 };
    known(board).map(|score| sign * score)
}

/// King and pawn against king, which is known exactly.
fn lone_pawn(board: &Board, strong: Color) -> Option<Score> {
    let pawn = board.pieces(strong, Piece::Pawn);
    if board.color(strong).count() != 2 || pawn.is_empty() {
        return None;
    }
    let pawn = pawn.lowest().relative_to(strong);
    let [ours, theirs] = [strong, !strong].map(|color| board.king(color).relative_to(strong));
    let mover = if board.side_to_move() == strong { Color::White } else { Color::Black };
    let won = kpk::is_won(mover, ours, theirs, pawn);
    Some(if won { PAWN_WIN + 20 * pawn.rank().index() as Score } else { 0 })
}

/// Has the side nothing but its king?
fn is_bare(board: &Board, color: Color) -> bool {
    !board.color(color).many()
}

/// Two knights against a bare king: mate exists, but nobody can force it.
fn is_two_knights(board: &Board) -> bool {
    let knights = board.kind(Piece::Knight);
    board.occupied() == knights | board.kind(Piece::King)
        && knights.count() == 2
        && Color::ALL.into_iter().any(|color| is_bare(board, color))
}

/// A queen, a rook, two unlike bishops, bishop and knight, or three knights.
fn can_force_mate(board: &Board, strong: Color) -> bool {
    let bishops = board.pieces(strong, Piece::Bishop);
    let knights = board.pieces(strong, Piece::Knight);
    let unlike = (bishops & Bitboard::LIGHT).any() && (bishops & Bitboard::DARK).any();
    board.straight_sliders(strong).any()
        || unlike
        || bishops.any() && knights.any()
        || knights.count() > 2
}

/// Rewards a lone king at the edge with the other king near; with bishop and knight only the
/// bishop's corners are deadly.
fn drive_to_mate(board: &Board, strong: Color) -> Score {
    let (prey, hunter) = (board.king(!strong), board.king(strong));
    let material: Score = Piece::ALL
        .into_iter()
        .map(|piece| see_value(piece) * board.pieces(strong, piece).count() as Score)
        .sum();
    let bishops = board.pieces(strong, Piece::Bishop);
    let others = board.color(strong) & !board.pieces(strong, Piece::Knight) & !bishops;
    let edge = if !others.many() && board.pieces(strong, Piece::Knight).any() {
        let corners = if (bishops & Bitboard::DARK).any() { [0, 63] } else { [7, 56] };
        let steps = corners.map(|corner| walk(prey, Square::from_index(corner)));
        // Walking distance: it falls along the edge, all the way to the right corner.
        14 - 3 * steps[0].min(steps[1]) as Score / 2
    } else {
        2 * from_centre(prey) as Score
    };
    SURE_WIN + material + 20 * edge - 10 * distance(prey, hunter) as Score
}

/// Steps between two squares along files and ranks.
fn walk(a: Square, b: Square) -> usize {
    a.file().index().abs_diff(b.file().index()) + a.rank().index().abs_diff(b.rank().index())
}

/// 0 in the centre … 6 in the corners.
fn from_centre(square: Square) -> usize {
    let off = |i: usize| if i < 4 { 3 - i } else { i - 4 };
    off(square.file().index()) + off(square.rank().index())
}

/// How much of its advantage `strong` keeps in the middlegame half and in the endgame half, of
/// [`FULL_SCALE`]. Only dead draws touch the middlegame half.
#[inline]
pub(super) fn scale(board: &Board, strong: Color, passed: Bitboard) -> [i32; 2] {
    let scale = endgame_scale(board, strong, passed);
    [if scale <= FULL_SCALE / 4 { scale } else { FULL_SCALE }, scale]
}

#[inline]
fn endgame_scale(board: &Board, strong: Color, passed: Bitboard) -> i32 {
    let weak = !strong;
    let pawns = board.pieces(strong, Piece::Pawn);
    let strong_pieces = piece_value(board, strong);
    let weak_pieces = piece_value(board, weak);
    let lead = strong_pieces - weak_pieces;

    // Without pawns a lead of a minor piece does not win.
    if pawns.is_empty() && lead <= see_value(Piece::Bishop) {
        let rook = see_value(Piece::Rook);
        return if strong_pieces < rook {
            0
        } else if weak_pieces < rook {
            8
        } else {
            28
        };
    }
    if is_corner_draw(board, strong, pawns) {
        return 0;
    }

    let bishops = board.kind(Piece::Bishop);
    let one_each = Color::ALL.map(|color| board.pieces(color, Piece::Bishop).count()) == [1, 1];
    if one_each && (bishops & Bitboard::LIGHT).count() == 1 {
        let bishop = see_value(Piece::Bishop);
        return if strong_pieces == bishop && weak_pieces == bishop {
            36 + 8 * (passed & pawns).count() as i32
        } else {
            44 + 6 * board.color(strong).count() as i32
        }
        .min(FULL_SCALE);
    }
    let wings = usize::from((pawns & LEFT).any()) + usize::from((pawns & !LEFT).any());
    let rook = see_value(Piece::Rook);
    if strong_pieces == rook && weak_pieces == rook && wings < 2 {
        let extra = pawns.count() as i32 - board.pieces(weak, Piece::Pawn).count() as i32;
        let king = board.king(weak);
        let king_holds = pawns.into_iter().all(|pawn| distance(king, pawn) <= 4);
        if extra <= 1 && king_holds {
            return 72;
        }
    }
    (76 + 14 * pawns.count() as i32 - 8 * i32::from(wings < 2)).min(FULL_SCALE)
}

/// The files a to d.
const LEFT: Bitboard = Bitboard(0x0f0f_0f0f_0f0f_0f0f);

fn piece_value(board: &Board, color: Color) -> Score {
    [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen]
        .into_iter()
        .map(|piece| see_value(piece) * board.pieces(color, piece).count() as Score)
        .sum()
}

/// Rook pawns that cannot be promoted because the enemy king sits in the corner and no piece,
/// or only a bishop of the wrong color, could drive it out.
fn is_corner_draw(board: &Board, strong: Color, pawns: Bitboard) -> bool {
    let bishops = board.pieces(strong, Piece::Bishop);
    if board.color(strong) != pawns | bishops | board.pieces(strong, Piece::King) {
        return false;
    }
    let Some(file) = [File::A, File::H].into_iter().find(|f| (pawns & !f.bitboard()).is_empty())
    else {
        return false;
    };
    let corner = Square::new(file, Rank::Eighth.relative_to(strong));
    let king = board.king(!strong);
    let wrong = (bishops & super::maps::same_color(corner)).is_empty();
    // Without bishops the strong king must not be able to cut off the way into the corner.
    let near = distance(king, corner) <= 1
        || bishops.is_empty() && (ahead(strong, pawns) & board.pieces(!strong, Piece::King)).any();
    wrong && near
}
