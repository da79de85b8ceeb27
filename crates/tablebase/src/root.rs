//! Every move of a root position, ranked.

use std::cmp::Reverse;

use chess::{Board, Move, repetition};

use crate::rank::{self, RootState};
use crate::syzygy::{ProbeError, RoundedDtz, SyzygyTables};
use eval::tablebase::{RootMove, RootProbe, Wdl};

impl SyzygyTables {
    /// As `Tablebase::root`, with the reason if there is no answer.
    pub fn probe_root(
        &self,
        board: &Board,
        keys: &[u64],
        fifty_move_rule: bool,
    ) -> Result<RootProbe, ProbeError> {
        self.position(board)?;
        let state = RootState {
            clock: i32::from(board.halfmove_clock()),
            repeated: has_repeated(board, keys),
            fifty_move_rule,
        };
        let by_dtz = self.each_move(board, |mv, next| {
            let dtz = self.dtz_of_move(next, keys)?;
            let (wdl, rank) = rank::by_dtz(dtz.value, dtz.exact, state);
            Ok(RootMove { mv, wdl, dtz: Some(dtz.value), rank })
        });
        let (mut moves, by_dtz) = match by_dtz {
            Ok(moves) => (moves, true),
            // A DTZ table is missing or damaged: the results alone are still worth knowing.
            Err(_) => {
                let moves = self.each_move(board, |mv, next| {
                    let wdl = -self.probe_wdl(next)?;
                    Ok(RootMove { mv, wdl, dtz: None, rank: rank::by_wdl(wdl, fifty_move_rule) })
                })?;
                (moves, false)
            }
        };
        moves.sort_by_key(|root| Reverse(root.rank));
        Ok(RootProbe { moves, by_dtz })
    }

    fn each_move(
        &self,
        board: &Board,
        mut probe: impl FnMut(Move, &Board) -> Result<RootMove, ProbeError>,
    ) -> Result<Vec<RootMove>, ProbeError> {
        let moves = board.legal_moves();
        let probes = moves.iter().map(|&mv| {
            let next = board.after(mv);
            probe(mv, &next)
        });
        probes.collect()
    }

    /// The distance of a root move that leads to `next`, for the side that makes it.
    fn dtz_of_move(&self, next: &Board, keys: &[u64]) -> Result<RoundedDtz, ProbeError> {
        if next.in_check() && next.legal_moves().is_empty() {
            return Ok(RoundedDtz { value: 1, exact: true });
        }
        if next.halfmove_clock() == 0 {
            // The move itself is the capture or pawn move; beyond it only the result counts.
            let value = match -self.probe_wdl(next)? {
                Wdl::Loss => -1,
                Wdl::BlessedLoss => -101,
                Wdl::Draw => 0,
                Wdl::CursedWin => 101,
                Wdl::Win => 1,
            };
            return Ok(RoundedDtz { value, exact: true });
        }
        if is_third_time(next, keys) {
            return Ok(RoundedDtz { value: 0, exact: true });
        }
        let dtz = self.rounded_dtz(next)?;
        Ok(RoundedDtz { value: -dtz.value - dtz.value.signum(), exact: dtz.exact })
    }
}

/// Does the move bring a position of the game for the third time?
fn is_third_time(next: &Board, keys: &[u64]) -> bool {
    keys.iter().filter(|&&key| key == next.key()).count() >= 2
}

/// Has any position come back since the last capture or pawn move?
fn has_repeated(board: &Board, keys: &[u64]) -> bool {
    let reversible = usize::from(board.halfmove_clock()).min(keys.len());
    let recent = &keys[keys.len() - reversible..];
    let twice = |(index, key)| recent[..index].contains(key);
    repetition::occurrences(keys, board) > 0 || recent.iter().enumerate().any(twice)
}
