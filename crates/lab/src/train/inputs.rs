//! Which inputs of the network a training position switches on, by the engine's own rule.

use chess::{Color, Piece};
use data::Record;
use nnue::Placement;
use nnue::arch::output_bucket;
use nnue::features::View;
use nnue::threats::{row, threats};

/// The inputs of both points of view, and the output bucket.
#[derive(Clone, Debug, Default)]
pub(crate) struct Inputs {
    /// Piece-square inputs seen by the side to move.
    pub(crate) us: Vec<u32>,
    /// Piece-square inputs seen by the opponent.
    pub(crate) them: Vec<u32>,
    /// Threat inputs seen by each.
    pub(crate) threats: [Vec<u32>; 2],
    /// Which dense layers judge the position.
    pub(crate) bucket: usize,
    /// Which part of the transformer each side reads.
    pub(crate) king_buckets: [u8; 2],
}

/// How the side to move and its opponent see the board.
fn views(record: &Record) -> [View; 2] {
    // A record shows the board from the side to move, which it calls White.
    let mut kings = [0, 0];
    for (square, piece, color) in record.pieces() {
        if piece == Piece::King {
            kings[color.index()] = square.index();
        }
    }
    [View::new(kings[Color::White.index()]), View::new(kings[Color::Black.index()] ^ 56)]
}

impl Inputs {
    /// The piece-square inputs of the side to move (0) or of the opponent.
    pub(crate) fn side(&self, side: usize) -> &[u32] {
        if side == 0 { &self.us } else { &self.them }
    }

    /// Takes the inputs of a position in place of the last one's.
    pub(crate) fn set(&mut self, record: &Record, with_threats: bool) {
        let [ours, theirs] = views(record);
        self.us.clear();
        self.them.clear();
        self.threats.iter_mut().for_each(Vec::clear);
        for (square, piece, color) in record.pieces() {
            let (square, piece, side) = (square.index(), piece.index(), color.index());
            self.us.push(ours.input(side, piece, square) as u32);
            self.them.push(theirs.input(side ^ 1, piece, square ^ 56) as u32);
        }
        self.bucket = output_bucket(self.us.len());
        self.king_buckets = [ours, theirs].map(|view| (view.slot() / 2) as u8);
        if with_threats {
            let placement: Placement =
                record.pieces().map(|(square, piece, color)| (color, piece, square)).collect();
            let [us, them] = &mut self.threats;
            let flips = [ours.threat_flip(Color::White), theirs.threat_flip(Color::Black)];
            threats(&placement, |threat| {
                us.push(row(threat ^ flips[0]));
                them.push(row(threat ^ flips[1]));
            });
        }
    }
}

/// Records for tests.
#[cfg(test)]
pub(crate) mod samples {
    use chess::Rng;
    use data::Record;

    /// A record of pieces as (square, code), where a code is the piece's index, + 8 if theirs.
    pub(crate) fn record(pieces: &[(usize, u8)], score: i16, result: u8) -> Record {
        let mut pieces = pieces.to_vec();
        pieces.sort_unstable();
        let mut bytes = [0; Record::SIZE];
        let occupied: u64 = pieces.iter().map(|(square, _)| 1 << square).sum();
        bytes[..8].copy_from_slice(&occupied.to_le_bytes());
        for (i, (_, code)) in pieces.iter().enumerate() {
            bytes[8 + i / 2] |= code << (4 * (i % 2));
        }
        bytes[24..26].copy_from_slice(&score.to_le_bytes());
        bytes[28] = result;
        Record::from_bytes(bytes)
    }

    /// Random placements: kings and up to ten other pieces.
    pub(crate) fn records(count: usize, seed: u64) -> Vec<Record> {
        let mut random = Rng::new(seed);
        (0..count)
            .map(|_| {
                let mut squares: Vec<usize> = (0..64).collect();
                random.shuffle(&mut squares);
                squares.truncate(2 + random.below(11));
                let pieces: Vec<_> = squares
                    .iter()
                    .enumerate()
                    .map(|(i, &square)| match i {
                        0 => (square, 5),
                        1 => (square, 8 + 5),
                        _ => {
                            // No pawns on the back ranks.
                            let least = usize::from(!(8..56).contains(&square));
                            let kind = random.below(5).max(least);
                            (square, kind as u8 + 8 * random.below(2) as u8)
                        }
                    })
                    .collect();
                record(&pieces, random.below(1200) as i16 - 600, random.below(3) as u8)
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use data::Record;

    use super::Inputs;
    use super::samples::record;

    #[test]
    fn inputs_see_both_sides() {
        // Our king e1 and pawn e4, their rook a8 and king e8.
        let record = record(&[(4, 5), (28, 0), (56, 8 + 3), (60, 8 + 5)], 0, 1);
        let mut inputs = Inputs::default();
        inputs.set(&record, false);
        assert_eq!((inputs.us.len(), inputs.them.len(), inputs.bucket), (4, 4, 0));
        // King e1 mirrors the board: it is seen on d1, in bucket 3.
        assert_eq!(inputs.us[0], 3 * 768 + 5 * 64 + 3);
        // Their king e8 sees itself on e1, so on d1 too, and our king on its far rank.
        assert_eq!(inputs.them[3], 3 * 768 + 5 * 64 + 3);
        assert_eq!(inputs.them[0], 3 * 768 + (6 + 5) * 64 + 56 + 3);
    }

    #[test]
    fn nonsense_does_not_panic() {
        let mut inputs = Inputs::default();
        inputs.set(&Record::from_bytes([0xFF; 32]), true);
        assert!(inputs.us.len() >= 32);
        inputs.set(&Record::from_bytes([0; 32]), true);
        assert!(inputs.us.is_empty());
    }
}
