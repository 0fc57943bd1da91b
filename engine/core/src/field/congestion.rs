//! Congestion: where walkers are held up, and what that adds to the price of a cell.
//!
//! A crowd that all follow one shortest way queue before its narrowest place while another way lies
//! empty. So the ground where units get on slower than they could is dearer than its length, and
//! fields of large crowds are made anew over those prices now and then: the tail of a queue leaves
//! it when the way round is quicker (as in Treuille, Cooper, Popović, "Continuum crowds", SIGGRAPH
//! 2006, where the speed of the crowd is part of the cost). Units at rest cost nothing, so that a
//! pass that is held stays the way.

use std::sync::Arc;

use glam::Vec2;

use wide::f32x4;

use super::grid::{BORDER, Grid};

/// Parts of a held-up unit that a cell counts in.
const PARTS: f32 = 16.0;
/// What a held-up unit in a cell adds to its price, in lengths.
const PRICE: f32 = 2.0;
/// Highest price of a cell, in lengths: the wave's ring of buckets holds no more.
pub(super) const DEAREST: f32 = 6.0;
/// Share of the past in what is known of a cell: 3 of 4 parts.
const PAST: (u32, u32) = (3, 4);

/// How many units are held up in each cell, smoothed over time.
#[derive(Clone, Debug, Default)]
pub(crate) struct Congestion {
    width: usize,
    height: usize,
    /// In sixteenths of a unit, by cell number.
    held: Vec<u8>,
    /// The same, as counted now.
    counted: Vec<u16>,
    /// Cells in which either is not zero.
    cells: Vec<u32>,
}

impl Congestion {
    /// On a map of that size in cells; takes memory only once a unit is held up.
    pub fn new(width: u32, height: u32) -> Self {
        Self {
            width: width as usize,
            height: height as usize,
            ..Self::default()
        }
    }

    /// Counts a unit at `at` that gets on slower than it could by the share `slowness`, 0 to 1.
    pub fn count(&mut self, at: Vec2, slowness: f32) {
        if self.held.is_empty() {
            self.held.resize(self.width * self.height, 0);
            self.counted.resize(self.width * self.height, 0);
            self.cells.reserve(self.width * self.height);
        }
        // Spread over the four cells around it, so that prices have no steps.
        let corner = (at - 0.5).max(Vec2::ZERO);
        let (x, y) = (corner.x as usize, corner.y as usize);
        let (right, down) = (corner.x - x as f32, corner.y - y as f32);
        for (dx, share_x) in [(0, 1.0 - right), (1, right)] {
            for (dy, share_y) in [(0, 1.0 - down), (1, down)] {
                let (x, y) = (x + dx, y + dy);
                let parts = (share_x * share_y * slowness * PARTS + 0.5) as u16;
                if x < self.width && y < self.height && parts > 0 {
                    let cell = y * self.width + x;
                    if self.counted[cell] == 0 && self.held[cell] == 0 {
                        self.cells.push(cell as u32);
                    }
                    self.counted[cell] = self.counted[cell].saturating_add(parts);
                }
            }
        }
    }

    /// Takes what was counted into what is known.
    pub fn update(&mut self) {
        let (held, counted) = (&mut self.held, &mut self.counted);
        self.cells.retain(|&cell| {
            let (held, counted) = (&mut held[cell as usize], &mut counted[cell as usize]);
            let mixed = u32::from(*held) * PAST.0 + u32::from(*counted) * (PAST.1 - PAST.0);
            *held = (mixed / PAST.1).min(255) as u8;
            *counted = 0;
            *held > 0
        });
    }

    /// The prices of all cells; `None` where no unit is held up.
    pub fn prices(&self) -> Option<Arc<Prices>> {
        if self.cells.is_empty() {
            return None;
        }
        let stride = self.width + 2 * BORDER as usize;
        let mut cells = vec![0; stride * (self.height + 2 * BORDER as usize)];
        for &cell in &self.cells {
            let (x, y) = (cell as usize % self.width, cell as usize / self.width);
            let border = BORDER as usize;
            cells[(y + border) * stride + x + border] = self.held[cell as usize];
        }
        Some(Arc::new(Prices { stride, cells }))
    }

    /// What decides the next prices: each cell's number and count, in the order of first touch.
    pub fn each(&self, mut f: impl FnMut(u32, u8)) {
        for &cell in &self.cells {
            f(cell, self.held[cell as usize]);
        }
    }

    /// Bytes of heap memory.
    pub fn memory_bytes(&self) -> usize {
        self.held.capacity() + 2 * self.counted.capacity() + 4 * self.cells.capacity()
    }
}

/// What each cell of a bordered grid costs over its length.
#[derive(Debug, PartialEq)]
pub(crate) struct Prices {
    stride: usize,
    cells: Vec<u8>,
}

impl Prices {
    /// What walking through cell (x, y) of the map costs, in lengths.
    pub fn of(&self, x: i32, y: i32) -> f32 {
        self.at((y + BORDER) as usize * self.stride + (x + BORDER) as usize)
    }

    /// Prices of the neighbours above, left, right and below of a bordered cell.
    #[inline]
    pub(super) fn around(&self, grid: &Grid, i: usize) -> f32x4 {
        let cells = [i - grid.stride, i - 1, i + 1, i + grid.stride];
        f32x4::from(cells.map(|cell| self.at(cell)))
    }

    /// What walking through a cell costs, in lengths: 1 to [`DEAREST`].
    #[inline]
    fn at(&self, cell: usize) -> f32 {
        (1.0 + f32::from(self.cells[cell]) * (PRICE / PARTS)).min(DEAREST)
    }
}
