//! Index arithmetic of grids with a border, so that neighbours need no bounds test.

use crate::map::Occupancy;

/// Distance of a free cell that no wave has reached yet; larger than any real distance.
pub(super) const UNVISITED: f32 = f32::MAX;

/// Width of the border, in cells: the neighbours of neighbours are inside.
pub(super) const BORDER: i32 = 2;

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
            stride: (width + 2 * BORDER) as usize,
        }
    }

    /// Cells with the border.
    pub fn len(&self) -> usize {
        self.stride * (self.height + 2 * BORDER) as usize
    }

    /// Index of a cell that may lie in the border.
    pub fn at(&self, x: i32, y: i32) -> usize {
        (y + BORDER) as usize * self.stride + (x + BORDER) as usize
    }

    /// The cell of an index.
    pub fn cell(&self, index: usize) -> (i32, i32) {
        let (x, y) = (index % self.stride, index / self.stride);
        (x as i32 - BORDER, y as i32 - BORDER)
    }

    /// Index of a cell of the map.
    pub fn index(&self, x: i32, y: i32) -> Option<usize> {
        (x >= 0 && y >= 0 && x < self.width && y < self.height).then(|| self.at(x, y))
    }

    /// Makes the free cells of row `y` in some columns `UNVISITED`; the row may lie in the border,
    /// where none is free. The first column is a multiple of 64.
    pub fn open_row(&self, occ: &Occupancy, y: i32, (x0, x1): (i32, i32), row: &mut [f32]) {
        if y < 0 || y >= self.height {
            return;
        }
        for x in (x0..x1.min(self.width)).step_by(64) {
            let mut free = !occ.row64(x, y);
            while free != 0 {
                let from = free.trailing_zeros();
                let to = from + (free >> from).trailing_ones();
                let at = (x + BORDER) as usize;
                row[at + from as usize..at + to as usize].fill(UNVISITED);
                free &= if to == 64 { 0 } else { u64::MAX << to };
            }
        }
    }
}
