//! `pocket-book`: makes the pocket engine's small opening book out of a Polyglot book.
//!
//! Starts at the first position and always opens the position that a game by this book reaches
//! most probably next, until the size is used up. Moves that are rare in their position are left
//! out. `pocket::book` describes the format.

use std::collections::{BinaryHeap, HashSet};
use std::path::PathBuf;

use anyhow::{Context, Result, anyhow, ensure};
use book::Book;
use chess::{Board, Move, MoveKind, Square};
use pocket::book::INDEX;
use pocket::types::{NO_SQUARE, dense};
use pocket::{Game, Pool, Setup};

/// Options of `pocket-book`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// A book in Polyglot's format.
    #[arg(long)]
    book: PathBuf,
    /// The file to write, `crates/pocket/data/book.bin` in the repository.
    #[arg(long)]
    output: PathBuf,
    /// The size of the file at most, in bytes.
    #[arg(long, default_value_t = 20_480)]
    bytes: usize,
    /// Leave out moves that are played less often than this share.
    #[arg(long, default_value_t = 0.15)]
    share: f64,
}

/// A position waiting to be opened, ordered by the chance of reaching it.
struct Waiting {
    chance: f64,
    board: Board,
}

impl PartialEq for Waiting {
    fn eq(&self, other: &Self) -> bool {
        self.chance == other.chance
    }
}
impl Eq for Waiting {}
impl PartialOrd for Waiting {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Waiting {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.chance.total_cmp(&other.chance)
    }
}

/// The pocket engine's position for a board.
fn pocket_game(board: &Board) -> Result<Game> {
    let text = board.to_string();
    let setup: Setup =
        pocket::fen::parse(text.as_bytes()).map_err(|e| anyhow!("bad position {text}: {e:?}"))?;
    let mut game = Game::ZERO;
    game.set(&setup).map_err(|e| anyhow!("impossible position {text}: {e:?}"))?;
    Ok(game)
}

/// The pocket engine's form of a legal move.
fn pocket_move(game: &mut Game, m: Move) -> Option<pocket::Move> {
    let place = |square: Square| (square.index() ^ 56) as u8;
    let (from, mut to) = (place(m.from()), place(m.to()));
    if m.kind() == MoveKind::Castling {
        // The king takes his rook there, and goes to the g- or c-file here.
        to = (to & 0x38) | if to & 7 > from & 7 { 6 } else { 2 };
    }
    let becomes = match m.kind() {
        MoveKind::Promotion(piece) => piece.index() as u8 + 1,
        _ => 0,
    };
    let mut pool = Pool::EMPTY;
    game.legal_moves(None, &mut pool);
    (0..pool.end()).map(|i| pool.get(i)).find(|p| {
        let promotion = if p.is_promotion() { p.promotion() } else { 0 };
        dense(p.from()) == from && dense(p.to()) == to && promotion == becomes
    })
}

/// Builds and writes the book.
#[expect(clippy::print_stdout, reason = "the command's result")]
pub(crate) fn run(args: &Args) -> Result<()> {
    ensure!(
        (INDEX..=INDEX + 4 * usize::from(u16::MAX)).contains(&args.bytes),
        "expected --bytes from {INDEX} to 262652, got {}",
        args.bytes
    );
    let source = Book::open(&args.book)
        .with_context(|| format!("cannot read the book {}", args.book.display()))?;
    let room = (args.bytes - INDEX) / 4;
    let mut heap = BinaryHeap::from([Waiting { chance: 1.0, board: Board::default() }]);
    let mut seen = HashSet::new();
    let mut entries: Vec<(u8, u16, u16)> = Vec::new();
    while let Some(Waiting { chance, board }) = heap.pop() {
        if !seen.insert(board.key()) {
            continue;
        }
        let mut moves = source.moves(&board);
        moves.sort_by_key(|m| std::cmp::Reverse(m.weight));
        let total: f64 = moves.iter().map(|m| f64::from(m.weight)).sum();
        moves.retain(|m| f64::from(m.weight) >= args.share * total && m.weight > 0);
        if entries.len() + moves.len() > room {
            break;
        }
        let mut game = pocket_game(&board)?;
        debug_assert!(game.board.en_passant() == NO_SQUARE || board.en_passant().is_some());
        for m in &moves {
            let Some(pocket) = pocket_move(&mut game, m.mv) else { continue };
            let key = game.board.key();
            entries.push(((key >> 24) as u8, game.board.lock(), pocket.0));
            let next = board.after(m.mv);
            heap.push(Waiting { chance: chance * f64::from(m.weight) / total, board: next });
        }
    }
    // A stable sort keeps each position's best move first.
    entries.sort_by_key(|&(bucket, _, _)| bucket);
    let mut bytes = Vec::new();
    for bucket in 0..=255u8 {
        let start = entries.partition_point(|&(b, _, _)| b < bucket);
        bytes.extend_from_slice(&(start as u16).to_le_bytes());
    }
    for (_, lock, m) in &entries {
        bytes.extend_from_slice(&lock.to_le_bytes());
        bytes.extend_from_slice(&m.to_le_bytes());
    }
    std::fs::write(&args.output, &bytes)
        .with_context(|| format!("cannot write {}", args.output.display()))?;
    println!("{} positions, {} moves, {} bytes", seen.len(), entries.len(), bytes.len());
    Ok(())
}
