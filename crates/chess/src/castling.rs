//! Castling rights that know the rook, as Chess960 needs.

use crate::{Color, File, Rank, Square};

/// Which way a king castles, named by where it ends: g-file or c-file.
#[derive(Copy, Clone, Debug, Eq, PartialEq, Hash)]
#[repr(u8)]
pub enum Wing {
    /// Towards the h-file; king to g, rook to f.
    King = 0,
    /// Towards the a-file; king to c, rook to d.
    Queen = 1,
}

impl Wing {
    /// Both wings, king's side first.
    pub const ALL: [Self; 2] = [Self::King, Self::Queen];

    /// The file the king ends on.
    pub const fn king_file(self) -> File {
        match self {
            Self::King => File::G,
            Self::Queen => File::C,
        }
    }

    /// The file the rook ends on.
    pub const fn rook_file(self) -> File {
        match self {
            Self::King => File::F,
            Self::Queen => File::D,
        }
    }
}

/// For each side and wing the file of the rook that may still castle.
#[derive(Copy, Clone, Debug, Default, Eq, PartialEq, Hash)]
pub struct CastlingRights {
    rooks: [[Option<File>; 2]; 2],
}

impl CastlingRights {
    /// Nobody may castle.
    pub const NONE: Self = Self { rooks: [[None; 2]; 2] };

    /// The rights of the normal start.
    pub const STANDARD: Self = Self { rooks: [[Some(File::H), Some(File::A)]; 2] };

    /// The file of the rook `color` may castle with on this wing.
    #[inline(always)]
    pub const fn rook_file(&self, color: Color, wing: Wing) -> Option<File> {
        self.rooks[color as usize][wing as usize]
    }

    /// The square of the rook `color` may castle with on this wing.
    #[inline(always)]
    pub fn rook_square(&self, color: Color, wing: Wing) -> Option<Square> {
        let rank = Rank::First.relative_to(color);
        self.rook_file(color, wing).map(|file| Square::new(file, rank))
    }

    /// Gives or takes a right.
    #[inline(always)]
    pub fn set(&mut self, color: Color, wing: Wing, rook: Option<File>) {
        self.rooks[color as usize][wing as usize] = rook;
    }

    /// May nobody castle any more?
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        *self == Self::NONE
    }

    /// Every right as (color, wing, file of the rook), White's king side first.
    pub fn iter(&self) -> impl Iterator<Item = (Color, Wing, File)> + use<> {
        let rooks = self.rooks;
        Color::ALL.into_iter().flat_map(move |color| {
            Wing::ALL.into_iter().filter_map(move |wing| {
                rooks[color as usize][wing as usize].map(|file| (color, wing, file))
            })
        })
    }
}
