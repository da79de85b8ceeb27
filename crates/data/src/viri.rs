//! Viriformat: games as a packed first position, then four bytes for each move (move, score).
//!
//! | bytes | meaning |
//! |---|---|
//! | 32       | the first position and the result, see `packed_board.rs` |
//! | 2        | move: from, to << 6, promotion (N B R Q) << 12, kind << 14 (1 en passant, 2 castling as king takes rook, 3 promotion) |
//! | 2        | score in centipawns from White's side |
//! | 4 zeros  | the end of the game |
//!
//! All numbers are little-endian. A file is any number of games, one after the other, so files can
//! be concatenated, and a file whose writer was killed is good up to its last complete game.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;

use chess::{Move, MoveKind, Piece, Square};

use crate::packed_board::{self, pack, unpack};
use crate::{DataError, Game, ScoredMove};

const PROMOTIONS: [Piece; 4] = [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen];

fn move_to_bits(mv: Move) -> u16 {
    let kind = match mv.kind() {
        MoveKind::Normal => 0,
        MoveKind::EnPassant => 1 << 14,
        MoveKind::Castling => 2 << 14,
        MoveKind::Promotion(piece) => {
            3 << 14 | ((piece.index() as u16).saturating_sub(1) & 3) << 12
        }
    };
    mv.from().index() as u16 | (mv.to().index() as u16) << 6 | kind
}

fn move_from_bits(bits: u16) -> Result<Move, DataError> {
    let from = Square::from_index(usize::from(bits & 63));
    let to = Square::from_index(usize::from(bits >> 6 & 63));
    let promotion = usize::from(bits >> 12 & 3);
    match (bits >> 14, promotion) {
        _ if from == to => Err(DataError::MoveBits(bits)),
        (0, 0) => Ok(Move::normal(from, to)),
        (1, 0) => Ok(Move::en_passant(from, to)),
        (2, 0) => Ok(Move::castling(from, to)),
        (3, _) => Ok(Move::promotion(from, to, PROMOTIONS[promotion])),
        _ => Err(DataError::MoveBits(bits)),
    }
}

/// Appends a game's bytes to a buffer.
pub fn encode(game: &Game, bytes: &mut Vec<u8>) {
    bytes.extend_from_slice(&pack(&game.start, game.outcome, game.family));
    for scored in &game.moves {
        bytes.extend_from_slice(&move_to_bits(scored.mv).to_le_bytes());
        bytes.extend_from_slice(&scored.score.to_le_bytes());
    }
    bytes.extend_from_slice(&[0; 4]);
}

/// Reads games one by one.
#[derive(Debug)]
pub struct Reader<R> {
    input: R,
    /// Bytes read so far; where a game starts, in errors.
    position: u64,
}

impl Reader<BufReader<File>> {
    /// Opens a file of games.
    pub fn open(path: &Path) -> Result<Self, DataError> {
        Ok(Self::new(BufReader::with_capacity(1 << 18, File::open(path)?)))
    }
}

impl<R: BufRead> Reader<R> {
    /// Reads from anything.
    pub fn new(input: R) -> Self {
        Self { input, position: 0 }
    }

    /// Bytes read so far, all of them complete games (unless an error came up).
    pub fn position(&self) -> u64 {
        self.position
    }

    /// The next game, or none at the end. The moves are not checked: [`Game::replay`] does that.
    pub fn read_game(&mut self) -> Result<Option<Game>, DataError> {
        let Some(header) = self.read_header()? else { return Ok(None) };
        let (start, outcome, family) = unpack(&header)?;
        let mut game = Game { start, outcome, family, moves: Vec::new() };
        let game_at = self.position;
        let mut length = packed_board::SIZE as u64;
        loop {
            let [m0, m1, s0, s1] = self.read_element(game_at)?;
            length += 4;
            if [m0, m1, s0, s1] == [0; 4] {
                self.position += length;
                return Ok(Some(game));
            }
            let mv = move_from_bits(u16::from_le_bytes([m0, m1]))?;
            game.moves.push(ScoredMove { mv, score: i16::from_le_bytes([s0, s1]) });
        }
    }

    /// Skips a game without looking into it; false at the end.
    fn skip_game(&mut self) -> Result<bool, DataError> {
        if self.read_header()?.is_none() {
            return Ok(false);
        }
        let game_at = self.position;
        let mut length = packed_board::SIZE as u64;
        loop {
            length += 4;
            if self.read_element(game_at)? == [0; 4] {
                self.position += length;
                return Ok(true);
            }
        }
    }

    /// The 32 bytes a game starts with, or none if there is no further byte.
    fn read_header(&mut self) -> Result<Option<[u8; packed_board::SIZE]>, DataError> {
        if self.input.fill_buf()?.is_empty() {
            return Ok(None);
        }
        let mut header = [0; packed_board::SIZE];
        read_or_truncated(&mut self.input, &mut header, self.position)?;
        Ok(Some(header))
    }

    fn read_element(&mut self, game_at: u64) -> Result<[u8; 4], DataError> {
        let mut element = [0; 4];
        read_or_truncated(&mut self.input, &mut element, game_at)?;
        Ok(element)
    }
}

fn read_or_truncated(
    input: &mut impl Read,
    buffer: &mut [u8],
    game_at: u64,
) -> Result<(), DataError> {
    input.read_exact(buffer).map_err(|error| match error.kind() {
        io::ErrorKind::UnexpectedEof => DataError::Truncated { game_at },
        _ => DataError::Io(error),
    })
}

impl<R: BufRead> Iterator for Reader<R> {
    type Item = Result<Game, DataError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.read_game().transpose()
    }
}

/// Appends games to a file; what was there before stays.
#[derive(Debug)]
pub struct Writer {
    file: File,
    buffer: Vec<u8>,
}

/// What a file held when a [`Writer`] opened it.
#[derive(Copy, Clone, Debug, Default, Eq, PartialEq)]
pub struct Found {
    /// Complete games.
    pub games: u64,
    /// Bytes of an unfinished game at the end, which were cut off.
    pub cut: u64,
}

impl Writer {
    /// Opens or creates a file and cuts off an unfinished game at its end, as a kill leaves one.
    pub fn append(path: &Path) -> Result<(Self, Found), DataError> {
        let file = OpenOptions::new().create(true).append(true).read(true).open(path)?;
        let mut found = Found::default();
        let mut reader = Reader::open(path)?;
        loop {
            match reader.skip_game() {
                Ok(true) => found.games += 1,
                Ok(false) => break,
                Err(DataError::Truncated { game_at }) => {
                    found.cut = file.metadata()?.len() - game_at;
                    file.set_len(game_at)?;
                    break;
                }
                Err(error) => return Err(error),
            }
        }
        Ok((Self { file, buffer: Vec::new() }, found))
    }

    /// Writes a game in one piece, so that a kill can only lose the game under way.
    pub fn write(&mut self, game: &Game) -> Result<(), DataError> {
        self.write_all([game])
    }

    /// Writes several games in one piece.
    pub fn write_all<'a>(
        &mut self,
        games: impl IntoIterator<Item = &'a Game>,
    ) -> Result<(), DataError> {
        self.buffer.clear();
        for game in games {
            encode(game, &mut self.buffer);
        }
        Ok(self.file.write_all(&self.buffer)?)
    }
}
