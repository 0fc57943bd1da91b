//! A tile's number and how it lies.

/// What a cell of a layer holds. The four top bits of the word in the file say how the tile lies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tile {
    /// Its number over all tilesets (the "gid"); 0 for no tile.
    pub number: u32,
    /// Mirrored left to right.
    pub horizontal: bool,
    /// Mirrored top to bottom.
    pub vertical: bool,
    /// Mirrored along the diagonal from top left, before the other two.
    pub diagonal: bool,
}

impl Tile {
    /// Takes a word of a layer's data apart. The fourth bit turns tiles of hexagonal maps, which are
    /// not read, and is dropped.
    pub fn from_bits(bits: u32) -> Self {
        Self {
            number: bits & 0x0fff_ffff,
            horizontal: bits & 0x8000_0000 != 0,
            vertical: bits & 0x4000_0000 != 0,
            diagonal: bits & 0x2000_0000 != 0,
        }
    }
}
