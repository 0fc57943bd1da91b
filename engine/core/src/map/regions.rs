//! Connected parts of the free cells.
//!
//! Two free cells are in one region when a way of side steps leads from one to the other. A diagonal
//! step needs both cells beside it free, so it never joins what side steps do not.

use super::{CellRect, Occupancy};

/// A label for each free cell, the same for all cells of a connected part.
#[derive(Clone, Debug)]
pub struct Regions {
    width: u32,
    height: u32,
    labels: Vec<u32>,
    sizes: Vec<u32>,
}

const NONE: u32 = u32::MAX;

impl Regions {
    /// Labels the free cells, numbered by the first cell of each part in row order.
    pub fn build(occupancy: &Occupancy) -> Self {
        let (width, height) = (occupancy.width(), occupancy.height());
        let mut labels = vec![NONE; width as usize * height as usize];
        let mut sizes = Vec::new();
        let mut stack = Vec::new();
        for y in 0..height as i32 {
            for x in 0..width as i32 {
                let start = y as usize * width as usize + x as usize;
                if labels[start] != NONE || occupancy.blocked(x, y) {
                    continue;
                }
                let label = sizes.len() as u32;
                labels[start] = label;
                let mut size = 0;
                stack.push((x, y));
                while let Some((x, y)) = stack.pop() {
                    size += 1;
                    for (x, y) in [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)] {
                        if occupancy.blocked(x, y) {
                            continue;
                        }
                        let cell = y as usize * width as usize + x as usize;
                        if labels[cell] == NONE {
                            labels[cell] = label;
                            stack.push((x, y));
                        }
                    }
                }
                sizes.push(size);
            }
        }
        Self {
            width,
            height,
            labels,
            sizes,
        }
    }

    /// Takes over a change of the occupancy inside a rectangle.
    pub(super) fn update(&mut self, occupancy: &Occupancy, _changed: CellRect) {
        *self = Self::build(occupancy);
    }

    /// The region of a cell; `None` when it is blocked or outside.
    #[inline]
    pub fn label(&self, x: i32, y: i32) -> Option<u32> {
        if x as u32 >= self.width || y as u32 >= self.height {
            return None;
        }
        let label = self.labels[y as usize * self.width as usize + x as usize];
        (label != NONE).then_some(label)
    }

    /// Number of regions.
    pub fn count(&self) -> usize {
        self.sizes.len()
    }

    /// Cells of a region, 0 for a label that is not in use.
    pub fn size(&self, label: u32) -> u32 {
        self.sizes.get(label as usize).copied().unwrap_or(0)
    }

    /// Cells of the largest region, 0 when every cell is blocked.
    pub fn largest(&self) -> u32 {
        self.sizes.iter().copied().max().unwrap_or(0)
    }
}
