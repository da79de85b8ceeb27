//! `brier-lab datagen`: an engine plays games against itself, for training.
//!
//! ```text
//! Openings ──▶ play ──▶ Game ──▶ file        one such chain on each thread
//!               ▲ └─ Referee: when is it over?
//!             Player: our engine, or any UCI engine
//! ```
//!
//! A game is written in one piece when it is over, so that Ctrl-C or a kill loses at most the games
//! under way; the next run cuts off what is incomplete and goes on with the next game's number.

pub(crate) mod clock;
pub(crate) mod duel;
pub(crate) mod own;
pub(crate) mod play;
pub(crate) mod player;
pub(crate) mod referee;
mod status;
pub(crate) mod uci;

use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use anyhow::{Context, anyhow, ensure};
use chess::Rng;
use data::Openings;
use data::viri::Writer;

use crate::workers;
use engine::Source;
use own::OwnPlayer;
use play::Pace;
use player::Player;
use referee::Rules;
use status::Status;

/// Options of `brier-lab datagen`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Where the games go: viriformat. A file that is there is continued.
    #[arg(short, long)]
    output: PathBuf,
    /// Stop when the file holds this many games.
    #[arg(short, long, default_value_t = 100_000)]
    games: u64,
    /// Stop after this many minutes.
    #[arg(long)]
    minutes: Option<f64>,
    /// Nodes a move: a number, or a range like 80-240 of which each game takes one.
    #[arg(short, long, default_value = "5000")]
    nodes: NodeRange,
    /// How many games to play at once; each takes one thread.
    #[arg(short, long, default_value_t = default_threads())]
    threads: usize,
    /// Let this UCI engine play (program and arguments) instead of our own.
    #[arg(long, value_name = "CMD")]
    engine: Option<String>,
    /// An option of the UCI engine, as Name=Value; may be given more than once.
    #[arg(long = "option", value_name = "NAME=VALUE", requires = "engine")]
    options: Vec<String>,
    /// What our own engine judges with: a network file, `<default>` or `<classical>`.
    #[arg(long, default_value = "<default>", conflicts_with = "engine")]
    eval_file: String,
    #[command(flatten)]
    common: GameArgs,
}

/// What all games of a command have in common.
#[derive(clap::Args)]
pub(crate) struct GameArgs {
    /// Megabytes of hash table for each player.
    #[arg(long, default_value_t = 8)]
    pub(crate) hash: usize,
    #[command(flatten)]
    pub(crate) openings: OpeningArgs,
    #[command(flatten)]
    pub(crate) rules: Rules,
}

/// How games begin; also the options of `brier-lab genfens`.
#[derive(clap::Args)]
pub(crate) struct OpeningArgs {
    /// Random moves at the beginning, or one more.
    #[arg(long, default_value_t = 8)]
    random_plies: usize,
    /// The share of games from Chess960 starts.
    #[arg(long, default_value_t = 0.1)]
    chess960: f64,
    /// A book of positions, one FEN or EPD a line.
    #[arg(long)]
    book: Option<PathBuf>,
    /// The share of games from the book.
    #[arg(long, default_value_t = 0.5, requires = "book")]
    from_book: f64,
    /// Random moves after a book's position, or one more.
    #[arg(long, default_value_t = 2, requires = "book")]
    book_plies: usize,
    /// All openings follow from this number and the game's.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// How many nodes a move may take.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
struct NodeRange {
    least: u64,
    most: u64,
}

impl FromStr for NodeRange {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (least, most) = text.split_once('-').unwrap_or((text, text));
        match (least.parse(), most.parse()) {
            (Ok(least), Ok(most)) if 0 < least && least <= most => Ok(Self { least, most }),
            _ => Err(format!("expected a number of nodes or a range like 80-240, got {text:?}")),
        }
    }
}

impl NodeRange {
    fn draw(self, rng: &mut Rng) -> u64 {
        self.least + rng.below((self.most - self.least + 1) as usize) as u64
    }
}

fn default_threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

impl OpeningArgs {
    /// Reads the book, if there is one.
    pub(crate) fn load(&self) -> anyhow::Result<Openings> {
        let share = |name: &str, value: f64| {
            ensure!((0.0..=1.0).contains(&value), "expected {name} from 0 to 1, got {value}");
            Ok(value)
        };
        let book = match &self.book {
            None => Vec::new(),
            Some(path) => {
                let text = std::fs::read_to_string(path)
                    .with_context(|| format!("cannot read {}", path.display()))?;
                data::read_book(&text).map_err(|error| anyhow!("{}: {error}", path.display()))?
            }
        };
        Ok(Openings {
            random_plies: self.random_plies,
            chess960: share("a share of Chess960 games", self.chess960)?,
            book,
            from_book: share("a share of games from the book", self.from_book)?,
            book_plies: self.book_plies,
        })
    }

    /// The number all openings follow from.
    pub(crate) fn seed(&self) -> u64 {
        self.seed
    }
}

/// What all threads share.
struct Shared<'a> {
    args: &'a Args,
    players: Players<'a>,
    openings: Openings,
    deadline: Option<Instant>,
    next_game: AtomicU64,
    writer: Mutex<Writer>,
    status: Status,
}

/// Plays games until there are enough.
pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    ensure!(args.threads > 0, "expected at least one thread, got 0");
    let openings = args.common.openings.load()?;
    let players = match &args.engine {
        Some(command) => Players::Uci(command),
        None => Players::Own(own::load(&args.eval_file)?),
    };
    let (writer, found) = Writer::append(&args.output)
        .with_context(|| format!("cannot write {}", args.output.display()))?;
    let deadline = workers::deadline(args.minutes)?;
    let shared = Shared {
        args,
        players,
        openings,
        deadline,
        next_game: AtomicU64::new(found.games),
        writer: Mutex::new(writer),
        status: Status::new(args.games, found, deadline.is_some()),
    };
    let outcome = workers::work(args.threads, || play_games(&shared));
    shared.status.finish();
    outcome
}

/// One thread: plays game after game. The first error of any thread ends them all.
fn play_games(shared: &Shared<'_>) -> anyhow::Result<()> {
    let mut player = shared.players.start(shared.args)?;
    let outcome = loop {
        let number = shared.next_game.fetch_add(1, Ordering::Relaxed);
        let late = shared.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        if number >= shared.args.games || late {
            break Ok(());
        }
        let mut rng = Rng::stream(shared.args.common.openings.seed, number);
        let pace =
            Pace { nodes: shared.args.nodes.draw(&mut rng), rules: shared.args.common.rules };
        match play::play(player.as_mut(), &shared.openings, &mut rng, &pace) {
            Ok(game) => {
                let mut writer =
                    shared.writer.lock().map_err(|_| anyhow!("another thread broke down"))?;
                writer
                    .write(&game)
                    .with_context(|| format!("cannot write {}", shared.args.output.display()))?;
                drop(writer);
                shared.status.add(&game);
            }
            Err(error) => break Err(error),
        }
    };
    if outcome.is_err() {
        shared.next_game.store(u64::MAX / 2, Ordering::Relaxed);
    }
    outcome
}

/// Who plays.
enum Players<'a> {
    /// A process of this UCI engine for each thread.
    Uci(&'a str),
    /// Our own engine.
    Own(Source),
}

impl Players<'_> {
    fn start(&self, args: &Args) -> anyhow::Result<Box<dyn Player>> {
        match self {
            Self::Uci(command) => {
                Ok(Box::new(uci::UciPlayer::start(command, args.common.hash, &args.options)?))
            }
            Self::Own(source) => Ok(Box::new(OwnPlayer::new(source.clone(), args.common.hash)?)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn node_ranges_are_read() {
        let range = |text: &str| text.parse::<NodeRange>();
        assert_eq!(range("150"), Ok(NodeRange { least: 150, most: 150 }));
        assert_eq!(range("80-240"), Ok(NodeRange { least: 80, most: 240 }));
        for text in ["", "0", "240-80", "-5", "8k", "1-2-3"] {
            assert!(range(text).is_err(), "{text:?}");
        }
    }
}
