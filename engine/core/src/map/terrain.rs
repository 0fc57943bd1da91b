//! What a cell of the map is made of.

/// Ground of one cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Terrain {
    /// Plain ground.
    #[default]
    Free = 0,
    /// Walkable, at the swamp's cost.
    Swamp = 1,
    /// Deep water: closed to land units.
    Water = 2,
    /// Shallow water: open to land units and to ships.
    Shallow = 3,
    /// Wall, rock, tree, void.
    Blocked = 4,
}

impl Terrain {
    /// The letters a map may hold, for messages.
    pub const LETTERS: &'static str = ". G # @ O T S W ~";

    /// The terrain of a map letter: `.` `G` free, `#` `@` `O` `T` blocked, `S` swamp, `W` water,
    /// `~` shallow water; `None` for any other.
    pub const fn from_letter(letter: char) -> Option<Self> {
        Some(match letter {
            '.' | 'G' => Self::Free,
            '#' | '@' | 'O' | 'T' => Self::Blocked,
            'S' => Self::Swamp,
            'W' => Self::Water,
            '~' => Self::Shallow,
            _ => return None,
        })
    }

    /// The letter written for it: `.` `S` `W` `~` `#`.
    pub const fn letter(self) -> char {
        match self {
            Self::Free => '.',
            Self::Swamp => 'S',
            Self::Water => 'W',
            Self::Shallow => '~',
            Self::Blocked => '#',
        }
    }

    /// Whether land units cannot enter.
    pub const fn blocks_land(self) -> bool {
        matches!(self, Self::Water | Self::Blocked)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_read_back_as_written() {
        for letter in Terrain::LETTERS
            .split(' ')
            .map(|s| s.chars().next().unwrap())
        {
            let terrain = Terrain::from_letter(letter).unwrap();
            assert_eq!(Terrain::from_letter(terrain.letter()), Some(terrain));
        }
        assert_eq!(Terrain::from_letter('x'), None);
        assert_eq!(Terrain::from_letter(' '), None);
    }
}
