//! Drawing maps by code.

use throng::{CellRect, Map};

use crate::hash;

pub(crate) const FREE: u8 = b'.';
pub(crate) const WALL: u8 = b'#';
pub(crate) const TREE: u8 = b'T';
pub(crate) const WATER: u8 = b'W';
pub(crate) const FORD: u8 = b'~';

/// A map being drawn, in map letters.
pub(crate) struct Canvas {
    width: i32,
    height: i32,
    cells: Vec<u8>,
}

impl Canvas {
    /// Free ground inside a border of walls one cell thick.
    pub(crate) fn walled(width: i32, height: i32) -> Self {
        let mut canvas = Self {
            width,
            height,
            cells: vec![WALL; (width * height) as usize],
        };
        canvas.fill([1, 1, width - 1, height - 1], FREE);
        canvas
    }

    /// Fills a rectangle x0, y0, x1, y1 (half open).
    pub(crate) fn fill(&mut self, [x0, y0, x1, y1]: [i32; 4], letter: u8) -> &mut Self {
        let rect = CellRect { x0, y0, x1, y1 }.intersection(&CellRect {
            x0: 0,
            y0: 0,
            x1: self.width,
            y1: self.height,
        });
        for y in rect.y0..rect.y1 {
            let row = (y * self.width) as usize;
            self.cells[row + rect.x0 as usize..row + rect.x1 as usize].fill(letter);
        }
        self
    }

    /// Walls round a rectangle, inside it, `thick` cells wide.
    pub(crate) fn room(&mut self, [x0, y0, x1, y1]: [i32; 4], thick: i32) -> &mut Self {
        self.fill([x0, y0, x1, y0 + thick], WALL)
            .fill([x0, y1 - thick, x1, y1], WALL)
            .fill([x0, y0, x0 + thick, y1], WALL)
            .fill([x1 - thick, y0, x1, y1], WALL)
    }

    /// Fills the cells whose centres lie in an ellipse.
    pub(crate) fn blob(&mut self, centre: [f32; 2], half: [f32; 2], letter: u8) -> &mut Self {
        for y in 0..self.height {
            for x in 0..self.width {
                let dx = (x as f32 + 0.5 - centre[0]) / half[0];
                let dy = (y as f32 + 0.5 - centre[1]) / half[1];
                if dx * dx + dy * dy < 1.0 {
                    self.cells[(y * self.width + x) as usize] = letter;
                }
            }
        }
        self
    }

    /// Turns one letter into another within a rectangle.
    pub(crate) fn replace(&mut self, rect: [i32; 4], from: u8, to: u8) -> &mut Self {
        for y in rect[1]..rect[3] {
            for x in rect[0]..rect[2] {
                let cell = &mut self.cells[(y * self.width + x) as usize];
                if *cell == from {
                    *cell = to;
                }
            }
        }
        self
    }

    /// Turns a share of the free cells of a rectangle into `letter`, drawn from the seed.
    pub(crate) fn sprinkle(
        &mut self,
        rect: [i32; 4],
        seed: u64,
        share: f32,
        letter: u8,
    ) -> &mut Self {
        for y in rect[1]..rect[3] {
            for x in rect[0]..rect[2] {
                let cell = (y * self.width + x) as usize;
                if self.cells[cell] == FREE && hash::unit(seed, cell as u64) < share {
                    self.cells[cell] = letter;
                }
            }
        }
        self
    }

    /// The map as drawn.
    pub(crate) fn map(&self) -> Map {
        let mut text = String::with_capacity(self.cells.len() + self.height as usize);
        for row in self.cells.chunks(self.width as usize) {
            text.extend(row.iter().map(|c| char::from(*c)));
            text.push('\n');
        }
        Map::from_ascii(&text).expect("a drawn map is whole and of known letters")
    }
}
