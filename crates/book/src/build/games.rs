//! One game of a PGN text: is it wanted, and which moves does it add?

use std::fmt::Write;
use std::ops::ControlFlow;

use chess::{Board, Color};
use pgn_reader::{RawTag, SanPlus, Visitor};

use super::counts::{Counts, Table};
use super::{BuildOptions, Summary};
use crate::{encode_move, key};

/// Counts the moves of the game that is being read.
pub(super) struct GameCounter<'a> {
    options: &'a BuildOptions,
    table: &'a mut Table,
    summary: &'a mut Summary,
    text: String,
}

impl<'a> GameCounter<'a> {
    pub(super) fn new(
        options: &'a BuildOptions,
        table: &'a mut Table,
        summary: &'a mut Summary,
    ) -> Self {
        Self { options, table, summary, text: String::with_capacity(8) }
    }

    fn leave_out<T>(&mut self) -> ControlFlow<(), T> {
        self.summary.left_out += 1;
        ControlFlow::Break(())
    }

    fn is_wanted(&self, elo: Option<u32>) -> bool {
        match elo {
            Some(elo) => (self.options.min_elo..=self.options.max_elo).contains(&elo),
            None => self.options.min_elo == 0,
        }
    }
}

/// What the tags say.
#[derive(Default)]
pub(super) struct Tags {
    white_elo: Option<u32>,
    black_elo: Option<u32>,
    result: Option<GameResult>,
    /// A variant, or a start of its own.
    unusual: bool,
}

#[derive(Copy, Clone)]
enum GameResult {
    Win(Color),
    Draw,
}

impl GameResult {
    fn counts_for(self, side: Color) -> Counts {
        let mut counts = Counts::default();
        match self {
            Self::Draw => counts.draws = 1,
            Self::Win(winner) if winner == side => counts.wins = 1,
            Self::Win(_) => counts.losses = 1,
        }
        counts
    }
}

/// Where the game stands.
pub(super) struct Progress {
    board: Board,
    key: u64,
    ply: u32,
    result: GameResult,
}

impl Visitor for GameCounter<'_> {
    type Tags = Tags;
    type Movetext = Progress;
    type Output = ();

    fn begin_tags(&mut self) -> ControlFlow<(), Tags> {
        ControlFlow::Continue(Tags::default())
    }

    fn tag(&mut self, tags: &mut Tags, name: &[u8], value: RawTag<'_>) -> ControlFlow<()> {
        let elo = || value.decode_utf8_lossy().trim().parse().ok();
        match name {
            b"WhiteElo" => tags.white_elo = elo(),
            b"BlackElo" => tags.black_elo = elo(),
            b"Result" => {
                tags.result = match value.as_bytes() {
                    b"1-0" => Some(GameResult::Win(Color::White)),
                    b"0-1" => Some(GameResult::Win(Color::Black)),
                    b"1/2-1/2" => Some(GameResult::Draw),
                    _ => None,
                }
            }
            b"FEN" => tags.unusual = true,
            b"Variant" => {
                let standard = value.as_bytes().eq_ignore_ascii_case(b"standard");
                tags.unusual |= !standard;
            }
            _ => {}
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, tags: Tags) -> ControlFlow<(), Progress> {
        let Some(result) = tags.result else { return self.leave_out() };
        let wanted = self.is_wanted(tags.white_elo) && self.is_wanted(tags.black_elo);
        if tags.unusual || !wanted {
            return self.leave_out();
        }
        self.summary.games += 1;
        let board = Board::default();
        let key = key(&board);
        ControlFlow::Continue(Progress { board, key, ply: 0, result })
    }

    fn san(&mut self, game: &mut Progress, san: SanPlus) -> ControlFlow<()> {
        if game.ply >= self.options.max_ply {
            return ControlFlow::Break(());
        }
        self.text.clear();
        // Writing to a string cannot fail.
        let _ = write!(self.text, "{}", san.san);
        let Ok(mv) = game.board.parse_san(&self.text) else {
            self.summary.broken += 1;
            return ControlFlow::Break(());
        };
        let side = game.board.side_to_move();
        if self.options.side.is_none_or(|wanted| wanted == side) {
            self.table.add(game.key, encode_move(mv), game.result.counts_for(side));
        }
        let before = game.board.clone();
        game.board.make_move(mv, &mut ());
        game.key = crate::key_after(&before, mv, &game.board);
        game.ply += 1;
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, _: Progress) {}
}
