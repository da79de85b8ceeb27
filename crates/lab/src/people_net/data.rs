//! `brier-lab people-data`: PGN games become one file of moves with the players' ratings.
//!
//! A game is a run of 16-bit numbers: White's rating, Black's (0 if unknown), the number of moves
//! and the moves. One game in [`HELD_OUT`] is never trained with.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use chess::{Board, Move};
use engine::{Limits, Position};
use pgn::{Item, RawGame, Reader};

use crate::pgn_files::PgnFiles;
use crate::progress;

/// One game in this many is kept for testing.
const HELD_OUT: usize = 40;
/// Shorter games were seldom played out.
const LEAST_PLIES: usize = 20;
/// Half-moves at the beginning that everybody knows.
pub(crate) const OPENING: usize = 12;
/// Ratings outside are mistakes or machines.
const RATINGS: std::ops::RangeInclusive<u16> = 800..=2900;

/// Options of `brier-lab people-data`.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    games: PgnFiles,
    /// Where the games go.
    #[arg(short, long)]
    output: PathBuf,
}

/// Which games a command looks at, and how hard.
#[derive(clap::Args)]
pub(crate) struct Searched {
    /// Games, as written by `people-data`: those kept apart are used.
    games: PathBuf,
    /// Nodes of a search.
    #[arg(long, default_value_t = 10_000)]
    nodes: u64,
}

impl Searched {
    pub(crate) fn games(&self) -> anyhow::Result<Games> {
        Games::read(&self.games)
    }

    pub(crate) fn limits(&self) -> Limits {
        Limits { nodes: Some(self.nodes), ..Limits::default() }
    }
}

/// Reads all games and writes those with a rating.
#[expect(clippy::print_stdout, reason = "what was written is the command's answer")]
pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let files = args.games.find()?;
    let output = File::create(&args.output)
        .with_context(|| format!("cannot write {}", args.output.display()))?;
    let mut output = BufWriter::new(output);
    let bar = progress::counter("files", files.len() as u64);
    let (mut games, mut moves) = (0, 0);
    for path in files {
        let context = || format!("cannot read {}", path.display());
        let mut reader = Reader::new(File::open(&path).with_context(context)?);
        while let Some(raw) = reader.next_game().with_context(context)? {
            if let Some(game) = collect(&raw) {
                games += 1;
                moves += game.len() - 3;
                let bytes: Vec<u8> = game.iter().flat_map(|number| number.to_le_bytes()).collect();
                output.write_all(&bytes)?;
            }
        }
        bar.inc(1);
    }
    bar.finish();
    output.flush()?;
    println!("{games} games with {moves} moves");
    Ok(())
}

/// A game's numbers, if it is of use.
fn collect(raw: &RawGame<'_>) -> Option<Vec<u16>> {
    let rating = |tag| {
        let found = raw.tag(tag).and_then(|value| value.parse::<u16>().ok()).unwrap_or(0);
        if RATINGS.contains(&found) { found } else { 0 }
    };
    let (white, black) = (rating("WhiteElo"), rating("BlackElo"));
    if white == 0 && black == 0 || raw.tag("FEN").is_some() || raw.tag("Variant").is_some() {
        return None;
    }
    let mut game = vec![white, black, 0];
    for item in raw.main_line().ok()? {
        match item {
            Ok(Item::Move(mv)) => game.push(mv.bits()),
            Ok(_) => {}
            Err(_) => break,
        }
    }
    let plies = game.len() - 3;
    game[2] = u16::try_from(plies).ok()?;
    (plies >= LEAST_PLIES).then_some(game)
}

/// The games of a file.
pub(crate) struct Games {
    numbers: Vec<u16>,
    /// Where each game begins.
    starts: Vec<usize>,
}

/// One game of a file.
pub(crate) struct Game<'a> {
    ratings: [u16; 2],
    moves: &'a [u16],
}

impl Games {
    /// Reads a file of [`run`].
    pub(crate) fn read(path: &Path) -> anyhow::Result<Self> {
        let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
        let numbers: Vec<u16> =
            bytes.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect();
        let mut starts = Vec::new();
        let mut at = 0;
        while let Some(&plies) = numbers.get(at + 2) {
            starts.push(at);
            at += 3 + usize::from(plies);
        }
        ensure!(
            at == numbers.len() && !starts.is_empty(),
            "expected games as written by people-data in {}, got {} bytes that end within one",
            path.display(),
            bytes.len()
        );
        Ok(Self { numbers, starts })
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.starts.len()
    }

    /// The numbers of the games kept for testing.
    pub(crate) fn held_out(&self) -> anyhow::Result<Vec<usize>> {
        let numbers: Vec<usize> = (0..self.len()).filter(|&n| Self::is_held_out(n)).collect();
        ensure!(!numbers.is_empty(), "expected games kept apart, got none");
        Ok(numbers)
    }

    /// Is this game kept for testing?
    pub(crate) fn is_held_out(number: usize) -> bool {
        number % HELD_OUT == HELD_OUT - 1
    }

    /// The game of this number.
    pub(crate) fn get(&self, number: usize) -> Game<'_> {
        let at = self.starts[number];
        let end = at + 3 + usize::from(self.numbers[at + 2]);
        Game {
            ratings: [self.numbers[at], self.numbers[at + 1]],
            moves: &self.numbers[at + 3..end],
        }
    }
}

impl Game<'_> {
    /// Calls `see` with each position whose player's rating is known, the moves that led to it and the
    /// one played. The file is trusted to hold legal moves only as far as they are.
    pub(crate) fn for_each(&self, mut see: impl FnMut(&Board, &[Move], Move, u32)) {
        let mut board = Board::default();
        let mut played = Vec::with_capacity(self.moves.len());
        for &bits in self.moves {
            let Some(mv) = Move::from_bits(bits).filter(|&mv| board.is_legal(mv)) else { return };
            let rating = self.ratings[board.side_to_move() as usize];
            if rating > 0 {
                see(&board, &played, mv, rating.into());
            }
            board.make_move(mv, &mut ());
            played.push(mv);
        }
    }
}

/// The position after these moves of a game.
pub(crate) fn position_after(played: &[Move]) -> Position {
    let mut position = Position::default();
    played.iter().for_each(|&mv| position.play(mv));
    position
}
