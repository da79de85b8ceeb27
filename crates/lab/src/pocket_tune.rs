//! `pocket-tune`: fits the pocket engine's weights to scored games and writes its `weights.rs`.
//!
//! The pocket evaluation is a sum of counts times weights, blended between middlegame and
//! endgame, so this is logistic regression: the win probability that the blended sum stands for
//! should equal the one the teacher's score and the game's result stand for. Gradient descent
//! with Adam's step sizes; what does not fit 8 bits is clipped at the end.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use chess::{Color, Square};
use data::{Filter, Part, Position, Split, viri};
use pocket::eval::{Trace, evaluate_traced, middlegame_share};
use pocket::movegen::Wanted;
use pocket::terms::TEMPO;
use pocket::types::{NO_SQUARE, kind, piece};
use pocket::weights::{
    SQUARES_ENDGAME, SQUARES_MIDDLEGAME, TERMS, VALUE_ENDGAME, VALUE_MIDDLEGAME,
};
use pocket::{Board, Pool, Setup};

use crate::regression::{Adam, sigmoid};

/// Options of `pocket-tune`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Games in viriformat.
    #[arg(long)]
    games: PathBuf,
    /// The file to write, `crates/pocket/src/weights.rs` in the repository.
    #[arg(long)]
    output: PathBuf,
    /// How many positions to learn from at most.
    #[arg(long, default_value_t = 1_500_000)]
    positions: usize,
    /// Keep one position of this many.
    #[arg(long, default_value_t = 3)]
    every: usize,
    /// Passes over the positions.
    #[arg(long, default_value_t = 60)]
    epochs: usize,
    /// How strongly weights that few positions use are held at their old value.
    #[arg(long, default_value_t = 0.003)]
    hold: f32,
    /// How much the game's result counts beside the teacher's score, from 0 to 1.
    #[arg(long, default_value_t = 0.2)]
    result_share: f32,
}

/// Values of pawn to queen, then piece-square entries, then the other terms.
const VALUES: usize = 5;
const SQUARES: usize = VALUES;
const OTHERS: usize = SQUARES + 6 * 64;
const WEIGHTS: usize = OTHERS + TERMS.len();

/// What each run of terms is, for the comments of the written file; see `pocket::terms`.
const SECTIONS: [(&str, usize); 20] = [
    ("mobility of a knight, by squares", 9),
    ("of a bishop", 14),
    ("of a rook", 15),
    ("of a queen", 28),
    ("threats of knight, bishop, rook and queen, five each: to pawn ... queen", 20),
    ("threats of a pawn to pawn ... queen", 5),
    ("king under attack, by attack units", 32),
    ("shelter on a file beside the king: pawn at home, one step, further, none", 4),
    ("the same on the king's own file", 4),
    ("passed pawn by row, from its own side", 8),
    ("added if it is blocked", 8),
    ("own king's distance to its next square", 8),
    ("enemy king's distance to it", 8),
    ("pawn beside or protected by another, by row", 8),
    ("doubled pawn", 1),
    ("isolated pawn", 1),
    ("backward pawn", 1),
    ("pair of bishops", 1),
    ("rook on an open file, on a half-open file", 2),
    ("to move", 1),
];

/// Counts of terms, White minus Black.
struct Counts([i8; TERMS.len()]);

impl Trace for Counts {
    fn count(&mut self, place: u8, side: u8) {
        self.0[usize::from(place)] += if side == 0 { 1 } else { -1 };
    }
}

/// All positions as sparse rows.
#[derive(Default)]
struct Samples {
    /// Weight index and count of every row, one after the other.
    entries: Vec<(u16, i8)>,
    /// Where each row ends.
    ends: Vec<u32>,
    /// The middlegame's share, 0 to 1.
    shares: Vec<f32>,
    /// The teacher's score in centipawns and the result, both White's.
    scores: Vec<f32>,
    results: Vec<f32>,
}

impl Samples {
    fn len(&self) -> usize {
        self.ends.len()
    }

    fn row(&self, i: usize) -> &[(u16, i8)] {
        let start = if i == 0 { 0 } else { self.ends[i - 1] as usize };
        &self.entries[start..self.ends[i] as usize]
    }

    /// The blended evaluation of a row under the given weights.
    fn value(&self, i: usize, weights: &[[f32; 2]]) -> f32 {
        let [mut mg, mut eg] = [0.0f32; 2];
        for &(index, count) in self.row(i) {
            let [m, e] = weights[usize::from(index)];
            mg += m * f32::from(count);
            eg += e * f32::from(count);
        }
        eg + (mg - eg) * self.shares[i]
    }

    /// Adds a position unless the engine treats it as a special ending.
    fn add(&mut self, position: &Position, weights: &[[f32; 2]]) -> Result<()> {
        let mut board = Board::ZERO;
        board
            .set(&describe(&position.board))
            .map_err(|e| anyhow::anyhow!("the pocket board refuses {}: {e:?}", position.board))?;
        if wins_material(&mut board) {
            return Ok(());
        }
        let (value, counts) = evaluate_traced(&board, Counts([0; TERMS.len()]));
        let mut dense = vec![0i8; WEIGHTS];
        for square in Square::all() {
            let board = &position.board;
            let (Some(kind), Some(color)) = (board.piece_at(square), board.color_at(square)) else {
                continue;
            };
            let (sign, flip) = if color == Color::White { (1, 56) } else { (-1, 0) };
            if kind.index() < VALUES {
                dense[kind.index()] += sign;
            }
            dense[SQUARES + kind.index() * 64 + (square.index() ^ flip)] += sign;
        }
        dense[OTHERS..].copy_from_slice(&counts.0);
        let row = dense.iter().enumerate().filter(|(_, c)| **c != 0);
        self.entries.extend(row.map(|(i, &c)| (i as u16, c)));
        self.ends.push(u32::try_from(self.entries.len()).context("too many positions")?);
        self.shares.push(f32::from(middlegame_share(&board)) / 256.0);
        self.scores.push(f32::from(position.score));
        self.results.push(f32::from(position.outcome.points(Color::White)) / 2.0);
        let value = if board.side() == 0 { value } else { -value };
        // Where the engine corrects the sum (endings), the sum teaches nothing.
        if (self.value(self.len() - 1, weights) - f32::from(value)).abs() > 2.0 {
            self.pop();
        }
        Ok(())
    }

    fn pop(&mut self) {
        self.ends.pop();
        self.entries.truncate(self.ends.last().copied().unwrap_or(0) as usize);
        self.shares.pop();
        self.scores.pop();
        self.results.pop();
    }
}

/// Whether the side to move can take something for nothing, or a piece with a lesser one: the
/// engine's quiescence would look on, so the static evaluation is not asked.
fn wins_material(board: &mut Board) -> bool {
    let mut pool = Pool::EMPTY;
    board.generate(Wanted::Captures, &mut pool);
    let enemy = board.side() ^ 1;
    (0..pool.end()).map(|i| pool.get(i)).any(|m| {
        let (victim, taker) = (kind(board.at(m.victim_square())), kind(board.at(m.from())));
        let free = victim > taker || !board.is_attacked(m.to(), enemy);
        m.is_promotion() || (free && board.is_legal(m, false))
    })
}

/// The pocket engine's description of a board.
pub(crate) fn describe(board: &chess::Board) -> Setup {
    let mut setup = Setup { squares: [0; 64], castling: 0, en_passant: NO_SQUARE, ..Setup::START };
    for square in Square::all() {
        if let (Some(kind), Some(color)) = (board.piece_at(square), board.color_at(square)) {
            let code = piece(kind.index() as u8 + 1, color.index() as u8);
            setup.squares[square.index() ^ 56] = code;
        }
    }
    setup.side = board.side_to_move().index() as u8;
    setup
}

/// The scale that makes `sigmoid(x / scale)` fit the results best.
fn fit_scale(samples: &Samples, x: impl Fn(usize) -> f32) -> f32 {
    let loss = |scale: f32| -> f64 {
        (0..samples.len())
            .step_by(7)
            .map(|i| f64::from((sigmoid(x(i) / scale) - samples.results[i]).powi(2)))
            .sum()
    };
    (4..80).map(|i| i as f32 * 10.0).min_by(|a, b| loss(*a).total_cmp(&loss(*b))).unwrap_or(200.0)
}

/// The weights that the engine has now.
fn current() -> Vec<[f32; 2]> {
    let pair = |m: i16, e: i16| [f32::from(m), f32::from(e)];
    let values = (1..=VALUES).map(|k| pair(VALUE_MIDDLEGAME[k], VALUE_ENDGAME[k]));
    let squares = SQUARES_MIDDLEGAME.iter().zip(&SQUARES_ENDGAME);
    let others = TERMS.iter().map(|t| pair(t[0].into(), t[1].into()));
    values.chain(squares.map(|(&m, &e)| pair(m.into(), e.into()))).chain(others).collect()
}

/// Reads positions from the training games, or from the held-out ones.
fn load(args: &Args, part: Part, most: usize) -> Result<Samples> {
    let open = || format!("cannot read games from {}", args.games.display());
    let mut reader = viri::Reader::open(&args.games).with_context(open)?;
    let filter = Filter { min_ply: 12, max_score: 2000, min_pieces: 4, ..Filter::default() };
    let split = Split::new(0.03);
    let (weights, mut samples, mut seen) = (current(), Samples::default(), 0usize);
    while let Some(game) = reader.read_game().with_context(open)? {
        if split.part(&game) != part {
            continue;
        }
        for position in game.replay() {
            let position = position.with_context(open)?;
            if filter.reject(&position).is_some() {
                continue;
            }
            seen += 1;
            if seen.is_multiple_of(args.every) {
                samples.add(&position, &weights)?;
            }
        }
        if samples.len() >= most {
            break;
        }
    }
    ensure!(samples.len() > 1000, "expected at least 1000 quiet positions, got {}", samples.len());
    Ok(samples)
}

/// The mean squared error of the predicted against the wanted result.
fn loss(samples: &Samples, targets: &[f32], weights: &[[f32; 2]], scale: f32) -> f64 {
    let error = |i: usize| f64::from(sigmoid(samples.value(i, weights) / scale) - targets[i]);
    (0..samples.len()).map(|i| error(i).powi(2)).sum::<f64>() / samples.len() as f64
}

fn targets(samples: &Samples, teacher_scale: f32, result_share: f32) -> Vec<f32> {
    let target = |i: usize| {
        let expected = sigmoid(samples.scores[i] / teacher_scale);
        expected + result_share * (samples.results[i] - expected)
    };
    (0..samples.len()).map(target).collect()
}

/// What stays the same from pass to pass.
struct Plan<'a> {
    scale: f32,
    hold: f32,
    passes: usize,
    /// Where the weights started.
    start: &'a [[f32; 2]],
}

/// One pass over all positions in an order that differs from pass to pass.
fn pass(
    samples: &Samples,
    targets: &[f32],
    weights: &mut [[f32; 2]],
    adam: &mut Adam,
    plan: &Plan<'_>,
    epoch: usize,
) {
    const BATCH: usize = 8192;
    let batches = samples.len() / BATCH;
    // A stride that shares no divisor with the length visits every position once.
    let mut stride = (samples.len() as f64 * 0.618) as usize | 1;
    let common = |mut a: usize, mut b: usize| {
        while b != 0 {
            (a, b) = (b, a % b);
        }
        a
    };
    while common(stride, samples.len()) != 1 {
        stride += 2;
    }
    let mut at = epoch * 104_729 % samples.len();
    let rate = 1.5 * 0.93f32.powf(60.0 * epoch as f32 / plan.passes as f32);
    let mut gradient = vec![[0.0f32; 2]; WEIGHTS];
    for _ in 0..batches.max(1) {
        gradient.fill([0.0; 2]);
        for _ in 0..BATCH.min(samples.len()) {
            at = (at + stride) % samples.len();
            let p = sigmoid(samples.value(at, weights) / plan.scale);
            let slope = (p - targets[at]) * p * (1.0 - p);
            let share = samples.shares[at];
            for &(index, count) in samples.row(at) {
                let g = &mut gradient[usize::from(index)];
                g[0] += slope * f32::from(count) * share;
                g[1] += slope * f32::from(count) * (1.0 - share);
            }
        }
        for ((g, w), start) in gradient.iter_mut().zip(&*weights).zip(plan.start) {
            for half in 0..2 {
                g[half] += plan.hold * (w[half] - start[half]);
            }
        }
        // In games where every move threatens something, the right to move looks worth more than
        // it is where the engine stands pat.
        gradient[OTHERS + usize::from(TEMPO)] = [0.0; 2];
        adam.step(weights, &gradient, rate);
    }
}

/// Moves what all squares of a piece share into its value, so that squares fit 8 bits.
fn normalise(weights: &mut [[f32; 2]]) {
    for kind in 0..VALUES {
        let squares = if kind == 0 { 8..56 } else { 0..64 };
        let table = SQUARES + kind * 64;
        let count = squares.len() as f32;
        let mean = [0, 1]
            .map(|half| squares.clone().map(|s| weights[table + s][half]).sum::<f32>() / count);
        let shift = |weight: &mut [f32; 2], sign: f32| {
            weight.iter_mut().zip(mean).for_each(|(half, mean)| *half += sign * mean);
        };
        shift(&mut weights[kind], 1.0);
        for square in squares {
            shift(&mut weights[table + square], -1.0);
        }
    }
}

fn byte(x: f32) -> i32 {
    x.round().clamp(-127.0, 127.0) as i32
}

/// The text of `weights.rs`.
fn source(weights: &[[f32; 2]]) -> String {
    let mut text = String::from(
        "//! The numbers of the evaluation, in centipawns. Written by `brier-lab pocket-tune`: change\n\
         //! them there, not here. `terms` says what each means.\n",
    );
    for (half, name) in [(0, "MIDDLEGAME"), (1, "ENDGAME")] {
        let phase = name.to_lowercase();
        let values: Vec<_> = (0..VALUES).map(|k| format!("{:.0}", weights[k][half])).collect();
        let _ = write!(
            text,
            "\n/// Values of pawn, knight, bishop, rook and queen in the {phase}; by type.\n\
             pub static VALUE_{name}: [i16; 8] = [0, {}, 0, 0];\n",
            values.join(", ")
        );
    }
    for (half, name) in [(0, "MIDDLEGAME"), (1, "ENDGAME")] {
        let phase = name.to_lowercase();
        let _ = write!(
            text,
            "\n/// Piece-square tables of the {phase}, each from a8 to h1.\n#[rustfmt::skip]\n\
             pub static SQUARES_{name}: [i8; 6 * 64] = [\n"
        );
        for (kind, piece) in
            ["pawn", "knight", "bishop", "rook", "queen", "king"].iter().enumerate()
        {
            let _ = writeln!(text, "    // {piece}");
            for row in 0..8 {
                let at = SQUARES + kind * 64 + row * 8;
                let cells: Vec<_> =
                    weights[at..at + 8].iter().map(|w| format!("{},", byte(w[half]))).collect();
                let _ = writeln!(text, "    {}", cells.join(" "));
            }
        }
        text.push_str("];\n");
    }
    let _ = write!(
        text,
        "\n/// All other terms, middlegame and endgame, at the places that `terms` names.\n\
         #[rustfmt::skip]\npub static TERMS: [[i8; 2]; {}] = [\n",
        TERMS.len()
    );
    let mut at = OTHERS;
    for (name, length) in SECTIONS {
        let _ = writeln!(text, "    // {name}");
        for row in weights[at..at + length].chunks(8) {
            let cells: Vec<_> =
                row.iter().map(|w| format!("[{}, {}],", byte(w[0]), byte(w[1]))).collect();
            let _ = writeln!(text, "    {}", cells.join(" "));
        }
        at += length;
    }
    text.push_str("];\n");
    text
}

/// Fits and writes the weights.
#[expect(clippy::print_stdout, reason = "progress of a long command")]
pub(crate) fn run(args: &Args) -> Result<()> {
    ensure!(args.every > 0, "expected --every of at least 1, got 0");
    let share = args.result_share;
    ensure!((0.0..=1.0).contains(&share), "--result-share: expected 0 to 1, got {share}");
    let mut weights = current();
    let train = load(args, Part::Training, args.positions)?;
    let held = load(args, Part::HeldOut, args.positions / 10)?;
    let scale = fit_scale(&train, |i| train.value(i, &weights));
    let teacher = fit_scale(&train, |i| train.scores[i]);
    println!("{} + {} positions, scale {scale}, teacher {teacher}", train.len(), held.len());
    let wanted = targets(&train, teacher, share);
    let held_wanted = targets(&held, teacher, share);
    println!("held-out loss before: {:.6}", loss(&held, &held_wanted, &weights, scale));
    let mut adam = Adam::new(WEIGHTS);
    let start = weights.clone();
    let plan = Plan { scale, hold: args.hold, passes: args.epochs, start: &start };
    for epoch in 0..args.epochs {
        pass(&train, &wanted, &mut weights, &mut adam, &plan, epoch);
        if epoch % 5 == 4 || epoch + 1 == args.epochs {
            let now = loss(&held, &held_wanted, &weights, scale);
            println!("pass {:3}: held-out loss {now:.6}", epoch + 1);
        }
    }
    normalise(&mut weights);
    let rounded: Vec<[f32; 2]> = weights
        .iter()
        .enumerate()
        .map(|(i, w)| w.map(|x| if i < VALUES { x.round() } else { byte(x) as f32 }))
        .collect();
    println!("held-out loss in 8 bits: {:.6}", loss(&held, &held_wanted, &rounded, scale));
    write(&args.output, &source(&weights))
}

fn write(path: &Path, text: &str) -> Result<()> {
    std::fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
}
