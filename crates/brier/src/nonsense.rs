//! The option `nonsense`: a joke, and none of the search's business.
//!
//! The king goes for a walk in the opening, pawns become knights and bishops, and the engine
//! babbles while it thinks. The search only sees a shorter list of root moves.

use chess::{Board, Color, Move, Piece, Rank};

/// The root moves a fool would consider: the walk if there is one, else everything but sensible
/// promotions. Empty, which means "all moves", if there is nothing foolish to do.
pub(crate) fn root_moves(board: &Board) -> Vec<Move> {
    let legal = board.legal_moves();
    if let Some(step) = legal.iter().copied().find(|&mv| is_walk(board, mv)) {
        return vec![step];
    }
    if let Some(way) = legal.iter().copied().find(|&mv| makes_way(board, mv)) {
        return vec![way];
    }
    let sensible = |mv: &Move| matches!(mv.promoted(), Some(Piece::Queen | Piece::Rook));
    let foolish: Vec<_> = legal.iter().copied().filter(|mv| !sensible(mv)).collect();
    if foolish.len() < legal.len() { foolish } else { Vec::new() }
}

/// The king's first step forward, in the first moves of a game, onto a square nobody attacks.
fn is_walk(board: &Board, mv: Move) -> bool {
    let us = board.side_to_move();
    is_early(board)
        && mv.from() == board.king(us)
        && mv.from().rank() == Rank::First.relative_to(us)
        && mv.to().rank() == Rank::Second.relative_to(us)
}

/// The double step of the pawn before the king, so that the walk can begin.
fn makes_way(board: &Board, mv: Move) -> bool {
    let us = board.side_to_move();
    let king = board.king(us);
    is_early(board)
        && king.rank() == Rank::First.relative_to(us)
        && mv.from() == king.forward(us)
        && mv.to() == king.forward(us).forward(us).forward(us)
}

fn is_early(board: &Board) -> bool {
    board.fullmove_number() <= 3
}

/// Something to say after this many iterations.
pub(crate) fn babble(board: &Board, depth: u32) -> &'static str {
    const VERSES: [&str; 10] = [
        "the bishop asked the rook to dance, but rooks go straight and never glance",
        "a pawn is just a queen who has not heard the news",
        "I counted all the squares again and found the same amount",
        "my other board has nine ranks and a balcony",
        "the knight turned left, then left, then left, and that is how he stays so deft",
        "castles in the air are hollow, castles on g1 are hard to swallow",
        "en passant means: excuse me, was this pawn yours?",
        "his majesty prefers fresh air to safety",
        "I would resign, but then who would feed the horses?",
        "thinking very hard about lunch",
    ];
    let start = match board.side_to_move() {
        Color::White => 0,
        Color::Black => VERSES.len() / 2,
    };
    VERSES[(start + usize::from(board.fullmove_number()) + depth as usize) % VERSES.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves(fen: &str) -> Vec<String> {
        root_moves(&fen.parse().unwrap()).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn the_king_goes_for_a_walk() {
        let start = Board::default();
        assert_eq!(moves(&start.to_string()), ["e2e4"]);
        let open = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
        assert_eq!(moves(open), ["e1e2"]);
        let black = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPPKPPP/RNBQ1BNR b kq - 1 2";
        assert_eq!(moves(black), ["e8e7"]);
    }

    #[test]
    fn pawns_become_minor_pieces() {
        let found = moves("8/P6k/8/8/8/8/8/K7 w - - 0 40");
        assert!(found.contains(&"a7a8n".to_owned()) && found.contains(&"a7a8b".to_owned()));
        assert!(!found.contains(&"a7a8q".to_owned()) && !found.contains(&"a7a8r".to_owned()));
    }

    #[test]
    fn without_an_idea_all_moves_are_searched() {
        assert!(moves("8/7k/8/8/8/8/P7/K7 w - - 0 40").is_empty());
        assert!(moves("7k/5Q2/6K1/8/8/8/8/8 b - - 0 40").is_empty());
    }
}
