//! Index arithmetic of grids with a border of one cell, so that neighbours need no bounds test.

use crate::map::Occupancy;

/// Distance of a free cell that no wave has reached yet; larger than any real distance.
pub(super) const UNVISITED: f32 = f32::MAX;

/// Size and row stride of a bordered grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Grid {
    pub width: i32,
    pub height: i32,
    pub stride: usize,
}

impl Grid {
    pub fn of(occ: &Occupancy) -> Self {
        let (width, height) = (occ.width() as i32, occ.height() as i32);
        Self {
            width,
            height,
            stride: width as usize + 2,
        }
    }

    /// Cells with the border.
    pub fn len(&self) -> usize {
        self.stride * (self.height as usize + 2)
    }

    /// Index of a cell that may lie in the border.
    pub fn at(&self, x: i32, y: i32) -> usize {
        (y + 1) as usize * self.stride + (x + 1) as usize
    }

    /// Index of a cell of the map.
    pub fn index(&self, x: i32, y: i32) -> Option<usize> {
        (x >= 0 && y >= 0 && x < self.width && y < self.height).then(|| self.at(x, y))
    }

    /// `UNVISITED` in free cells, `INFINITY` in blocked ones and in the border.
    pub fn unvisited(&self, occ: &Occupancy) -> Vec<f32> {
        let mut cells = vec![f32::INFINITY; self.len()];
        for y in 0..self.height {
            for x in 0..self.width {
                if !occ.blocked(x, y) {
                    cells[self.at(x, y)] = UNVISITED;
                }
            }
        }
        cells
    }
}
