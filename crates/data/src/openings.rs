//! Random openings, so that no two games are the same.
//!
//! A first position (the normal start, one of Chess960's, or a line of a book), then some random
//! legal moves. Whether the result is worth playing is for an engine to say, not for this module.

use chess::notation::epd::Epd;
use chess::{Board, CastlingRights, Color, Piece, Rng, Setup, Wing};

/// Where games begin.
#[derive(Clone, Debug)]
pub struct Openings {
    /// Random moves after a normal or Chess960 start; one more in half of the games, so that both
    /// sides get to move first.
    pub random_plies: usize,
    /// The share of games that begin from a Chess960 start.
    pub chess960: f64,
    /// First positions to choose from.
    pub book: Vec<Board>,
    /// The share of games that begin from the book, if there is one.
    pub from_book: f64,
    /// Random moves after a book's position, or one more.
    pub book_plies: usize,
}

impl Default for Openings {
    fn default() -> Self {
        Self { random_plies: 8, chess960: 0.1, book: Vec::new(), from_book: 0.5, book_plies: 2 }
    }
}

/// The positions of a book: a FEN or an EPD on each line. An error names the line.
pub fn read_book(text: &str) -> Result<Vec<Board>, String> {
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let read = |(index, line)| match Epd::parse(line) {
        Ok(epd) => Ok(epd.board),
        Err(error) => Err(format!("line {}: {error}", index + 1)),
    };
    let book: Vec<Board> = lines.map(read).collect::<Result<_, _>>()?;
    if book.is_empty() {
        return Err("expected at least one position, got an empty file".to_owned());
    }
    Ok(book)
}

impl Openings {
    /// A random opening in which the side to move has a legal move.
    pub fn draw(&self, rng: &mut Rng) -> Board {
        loop {
            let (mut board, plies) = self.first_position(rng);
            let plies = plies + rng.below(2);
            if play_random(&mut board, plies, rng) && board.has_legal_move() {
                return board;
            }
        }
    }

    fn first_position(&self, rng: &mut Rng) -> (Board, usize) {
        if !self.book.is_empty()
            && rng.chance(self.from_book)
            && let Some(board) = rng.pick(&self.book)
            && board.has_legal_move()
        {
            return (board.clone(), self.book_plies);
        }
        if rng.chance(self.chess960) {
            return (chess960_start(rng.below(960)), self.random_plies);
        }
        (Board::default(), self.random_plies)
    }
}

/// Plays random moves; false if the game ends before the last of them.
fn play_random(board: &mut Board, plies: usize, rng: &mut Rng) -> bool {
    for _ in 0..plies {
        let moves = board.legal_moves();
        let Some(&mv) = rng.pick(&moves) else { return false };
        board.make_move(mv, &mut ());
    }
    true
}

/// A Chess960 start by its number, 0 to 959, as Reinhard Scharnagl counts them; 518 is normal chess.
pub fn chess960_start(number: usize) -> Board {
    let rank = back_rank(number % 960);
    let mut setup = Setup { castling: CastlingRights::NONE, ..Setup::START };
    let king = rank.iter().position(|&piece| piece == Piece::King).unwrap_or_default();
    for (file, &piece) in chess::File::ALL.iter().zip(&rank) {
        let index = file.index();
        setup.squares[index] = Some((Color::White, piece));
        setup.squares[56 + index] = Some((Color::Black, piece));
        if piece == Piece::Rook {
            let wing = if index > king { Wing::King } else { Wing::Queen };
            setup.castling.set(Color::White, wing, Some(*file));
            setup.castling.set(Color::Black, wing, Some(*file));
        }
    }
    Board::from_setup(&setup).unwrap_or_default()
}

fn back_rank(number: usize) -> [Piece; 8] {
    /// The two of five free squares that the knights take.
    const KNIGHTS: [(usize, usize); 10] =
        [(0, 1), (0, 2), (0, 3), (0, 4), (1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4)];
    let mut rank = [None; 8];
    let (rest, light) = (number / 4, number % 4);
    rank[2 * light + 1] = Some(Piece::Bishop);
    let (rest, dark) = (rest / 4, rest % 4);
    rank[2 * dark] = Some(Piece::Bishop);
    let (knights, queen) = (rest / 6, rest % 6);
    let mut put = |free: usize, piece: Piece| {
        let square = rank.iter_mut().filter(|square| square.is_none()).nth(free);
        if let Some(square) = square {
            *square = Some(piece);
        }
    };
    put(queen, Piece::Queen);
    let (first, second) = KNIGHTS[knights % 10];
    // The second first: taking a square moves the numbers of those after it.
    put(second, Piece::Knight);
    put(first, Piece::Knight);
    put(0, Piece::Rook);
    put(0, Piece::King);
    put(0, Piece::Rook);
    rank.map(|piece| piece.unwrap_or(Piece::Rook))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_chess960_starts() {
        let board = |number| chess960_start(number).to_string();
        assert_eq!(board(518), Board::default().to_string());
        assert!(board(0).starts_with("bbqnnrkr/pppppppp/"));
        assert!(board(959).starts_with("rkrnnqbb/pppppppp/"));
    }

    #[test]
    fn all_chess960_starts_differ() {
        let mut starts: Vec<_> = (0..960).map(|n| chess960_start(n).to_string()).collect();
        starts.sort();
        starts.dedup();
        assert_eq!(starts.len(), 960);
    }

    #[test]
    fn openings_depend_on_the_seed_alone() {
        let openings = Openings::default();
        let draw = |stream| openings.draw(&mut Rng::stream(1, stream)).to_string();
        assert_eq!(draw(3), draw(3));
        assert_ne!(draw(3), draw(4));
    }

    #[test]
    fn books_may_be_fen_or_epd() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
        let book = read_book(&format!("{start} 0 1\n\n{start} bm e4; id \"a\";\n{start}\n"));
        assert_eq!(book.unwrap().len(), 3);
        let error = read_book(&format!("{start}\nnonsense\n")).unwrap_err();
        assert!(error.starts_with("line 2:"), "{error}");
        assert!(read_book("\n").is_err());
    }
}
