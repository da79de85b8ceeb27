//! `brier-lab explore`: the positions that searches ask the network about, without scores.
//!
//! Most of what a network judges in play never comes up in a game: it stands at the end of lines in
//! which pieces were given away and plans met no answer. So short searches run from positions of
//! games, and some of the positions that they judge are kept. They get their scores elsewhere
//! (`docs/training.md`), or, with `--search`, from a short search of their own: by these the network
//! learns how far a static judgement is off from what the search will find. The result is a draw, for
//! nobody played on.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use anyhow::{Context, anyhow};
use chess::{Board, Color, MoveObserver, Piece, Rng, Square};
use data::{Outcome, Position, Record, Shuffler};
use eval::score::is_decisive;
use eval::{Evaluator, Quantiles, Score};
use indicatif::HumanCount;
use nnue::{Network, Nnue};
use search::{Engine, Event, Limits, Settings};

use crate::scatter::{finish_shuffler, open_shuffler};
use crate::strong_games::{Game, Sources};
use crate::train::load_network;

/// Options of `brier-lab explore`.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    sources: Sources,
    /// Where the records go, in random order and without twins.
    #[arg(short, long)]
    output: PathBuf,
    /// The network to search with; the one inside the program by default.
    #[arg(long)]
    net: Option<PathBuf>,
    /// Searches from each game, from positions chosen at random.
    #[arg(long, default_value_t = 1)]
    each: usize,
    /// Plies of each game to leave out, since openings repeat.
    #[arg(long, default_value_t = 6)]
    skip_plies: usize,
    /// Stop after this many games.
    #[arg(long, default_value_t = u64::MAX)]
    games: u64,
    /// Nodes of a search.
    #[arg(long, default_value_t = 3000)]
    nodes: u64,
    /// Keep about one of this many positions that are judged.
    #[arg(long, default_value_t = 12)]
    one_in: usize,
    /// Score each position that is kept by a search of this many nodes; else the score is 0.
    #[arg(long)]
    search: Option<u64>,
    /// How many searches run at once.
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// What is searched and kept follows from this number.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Megabytes of records to hold in memory at once.
    #[arg(long, default_value_t = 1024)]
    memory: u64,
}

/// Megabytes of hash table of a search.
const HASH: usize = 2;
/// Positions that wait for a thread.
const QUEUE: usize = 256;

/// A network that remembers some of the boards it is asked about.
struct Witness {
    network: Nnue,
    rng: Rng,
    one_in: usize,
    kept: Arc<Mutex<Vec<Board>>>,
}

impl MoveObserver for Witness {
    fn added(&mut self, color: Color, piece: Piece, square: Square) {
        self.network.added(color, piece, square);
    }

    fn removed(&mut self, color: Color, piece: Piece, square: Square) {
        self.network.removed(color, piece, square);
    }

    fn moved(&mut self, color: Color, piece: Piece, from: Square, to: Square) {
        self.network.moved(color, piece, from, to);
    }
}

impl Evaluator for Witness {
    fn reset(&mut self, board: &Board) {
        self.network.reset(board);
    }

    fn push(&mut self) {
        self.network.push();
    }

    fn pop(&mut self) {
        self.network.pop();
    }

    fn evaluate(&mut self, board: &Board) -> Quantiles {
        if self.rng.below(self.one_in) == 0 {
            locked(&self.kept).push(board.clone());
        }
        self.network.evaluate(board)
    }
}

/// Explores the positions of all games.
#[expect(clippy::print_stdout, reason = "how many records there are is the command's answer")]
pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let context = || format!("cannot write {}", args.output.display());
    let network = load_network(args.net.as_deref())?;
    let shuffler = Mutex::new(open_shuffler(&args.output, args.seed, args.memory)?);
    let (roots, queue) = sync_channel::<Board>(QUEUE);
    // The threads alone own the queue: when all have failed, nobody waits for them.
    let queue = Arc::new(Mutex::new(queue));
    let games = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..args.threads.max(1))
            .map(|id| {
                let (network, queue, shuffler) = (&network, Arc::clone(&queue), &shuffler);
                scope.spawn(move || explore(args, id as u64, network, &queue, shuffler))
            })
            .collect();
        drop(queue);
        let mut games = 0;
        let sent = args.sources.for_each(|game| {
            games += 1;
            for root in choose(game, args, &mut Rng::stream(args.seed, games)) {
                roots.send(root).context("all searching threads have ended")?;
            }
            Ok(if games < args.games { ControlFlow::Continue(()) } else { ControlFlow::Break(()) })
        });
        drop(roots);
        // What a thread failed at says more than that it is gone.
        for worker in workers {
            worker
                .join()
                .map_err(|_| anyhow!("a searching thread panicked"))?
                .with_context(context)?;
        }
        sent.map(|()| games)
    })?;
    let shuffler = shuffler.into_inner().unwrap_or_else(PoisonError::into_inner);
    let counts = finish_shuffler(shuffler, &args.output)?;
    println!(
        "{}: {} distinct of {} positions from searches in {} games",
        args.output.display(),
        HumanCount(counts.written),
        HumanCount(counts.pushed),
        HumanCount(games)
    );
    Ok(())
}

/// The positions of a game to search.
fn choose(game: &Game, args: &Args, rng: &mut Rng) -> Vec<Board> {
    let boards = game.boards();
    let first = args.skip_plies.max(game.book);
    let Some(choice) = boards.get(first..) else { return Vec::new() };
    (0..args.each).filter_map(|_| rng.pick(choice).cloned()).collect()
}

/// Searches the positions that come and hands on what the network was asked.
fn explore(
    args: &Args,
    id: u64,
    network: &Arc<Network>,
    queue: &Mutex<Receiver<Board>>,
    shuffler: &Mutex<Shuffler>,
) -> anyhow::Result<()> {
    let kept = Arc::new(Mutex::new(Vec::new()));
    let witness = {
        let (network, kept) = (Arc::clone(network), Arc::clone(&kept));
        let (one_in, rng) = (args.one_in.max(1), Rng::stream(args.seed, id));
        move || Witness {
            network: follower(&network),
            rng: rng.clone(),
            one_in,
            kept: kept.clone(),
        }
    };
    let mut explorer = Searcher::new(witness, args.nodes)?;
    let network = Arc::clone(network);
    let mut judge = match args.search {
        Some(nodes) => Some(Searcher::new(move || follower(&network), nodes)?),
        None => None,
    };
    loop {
        let next = locked(queue).recv();
        let Ok(root) = next else { return Ok(()) };
        explorer.score(root);
        let boards = std::mem::take(&mut *locked(&kept));
        let records: Vec<Record> =
            boards.into_iter().filter_map(|board| record(board, judge.as_mut())).collect();
        let mut shuffler = locked(shuffler);
        for record in &records {
            shuffler.push(record)?;
        }
    }
}

/// What a mutex guards; a thread that panicked while it held it is reported when it is joined.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// An evaluator for a search.
fn follower(network: &Arc<Network>) -> Nnue {
    Nnue::new(Arc::clone(network), simd::kernels(), &Board::default())
}

/// A search with a number of nodes.
struct Searcher<E> {
    engine: Engine<E>,
    limits: Limits,
    found: Arc<Mutex<Option<Score>>>,
}

impl<E: Evaluator + 'static> Searcher<E> {
    fn new(evaluator: impl Fn() -> E + Send + Sync + 'static, nodes: u64) -> anyhow::Result<Self> {
        let engine = Engine::new(evaluator, HASH, 1).map_err(|error| anyhow!("{error}"))?;
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        Ok(Self { engine, limits, found: Arc::default() })
    }

    /// Searches a position; none if there is nothing to search or a mate was found.
    fn score(&mut self, board: Board) -> Option<Score> {
        let found = Arc::clone(&self.found);
        let note = move |event| {
            if let Event::Info(info) = event {
                *locked(&found) = Some(info.score);
            }
        };
        self.engine.go(
            &search::Position::new(board),
            self.limits.clone(),
            Settings::default(),
            note,
        );
        self.engine.wait();
        let score = locked(&self.found).take();
        score.filter(|&score| !is_decisive(score))
    }
}

/// The record of a board in which there is a move, with a judge's score if there is a judge.
fn record(board: Board, judge: Option<&mut Searcher<Nnue>>) -> Option<Record> {
    let mv = *board.legal_moves().first()?;
    let score = match judge {
        None => 0,
        Some(judge) => judge.score(board.clone())?,
    };
    let from_white = if board.side_to_move() == Color::White { score } else { -score };
    let score = i16::try_from(from_white).ok()?;
    Some(Record::new(&Position { board, mv, score, outcome: Outcome::Draw, ply: 0 }))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All that a search of this position keeps.
    fn kept(seed: u64, one_in: usize) -> Vec<Board> {
        let kept = Arc::new(Mutex::new(Vec::new()));
        let witness = {
            let kept = Arc::clone(&kept);
            let network = Network::default_net();
            let rng = Rng::new(seed);
            move || Witness {
                network: follower(&network),
                rng: rng.clone(),
                one_in,
                kept: kept.clone(),
            }
        };
        let root: Board = "r1bqk2r/ppp2ppp/2np1n2/2b1p3/2B1P3/2PP1N2/PP3PPP/RNBQK2R w KQkq - 0 6"
            .parse()
            .unwrap();
        Searcher::new(witness, 2000).unwrap().score(root).unwrap();
        std::mem::take(&mut kept.lock().unwrap())
    }

    #[test]
    fn some_of_the_judged_positions_are_kept_and_follow_from_the_seed() {
        let all = kept(1, 1);
        assert!((300..2000).contains(&all.len()), "{}", all.len());
        assert!(all.iter().all(|board| !board.in_check()), "a check is never judged");
        let some = kept(1, 10);
        assert!((all.len() / 20..all.len() / 5).contains(&some.len()), "{}", some.len());
        assert_eq!(some, kept(1, 10));
        assert_ne!(some, kept(2, 10));
    }

    #[test]
    fn a_record_has_its_searchs_score_for_the_side_to_move() {
        let network = Network::default_net();
        let mut judge = Searcher::new(move || follower(&network), 300).unwrap();
        for (fen, sign) in [
            ("4k3/8/8/8/8/8/PPP5/RN2K3 b - - 0 1", -1),
            ("rn2k3/ppp5/8/8/8/8/8/4K3 b - - 0 1", 1),
            ("4k3/8/8/8/8/8/PPP5/RN2K3 w - - 0 1", 1),
        ] {
            let board: Board = fen.parse().unwrap();
            let scored = record(board.clone(), Some(&mut judge)).unwrap();
            assert!(i32::from(scored.score()) * sign > 200, "{fen}: {}", scored.score());
            assert!(!scored.flags().static_score());
            assert_eq!(record(board, None).unwrap().score(), 0);
        }
        let mate: Board = "7k/8/6K1/8/8/8/8/5Q2 w - - 0 1".parse().unwrap();
        assert_eq!(record(mate, Some(&mut judge)), None, "a mate is no matter of judgement");
        let stalemate: Board = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1".parse().unwrap();
        assert_eq!(record(stalemate, Some(&mut judge)), None);
    }
}
