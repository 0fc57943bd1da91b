//! How large and fast the units about a place are, so that one giant makes only those near it look
//! far.

use glam::Vec2;

/// Side of a block, cells: more than two of the largest discs at their fastest may be apart and
/// still meet within a tick.
const BLOCK: u32 = 32;
/// Radii (cells) and speeds (cells per tick) up to here are common: they are looked for everywhere.
const COMMON: f32 = 0.5;

/// The largest radius, cells, and the highest speed, cells per tick, of some units.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Extent {
    pub radius: f32,
    pub speed: f32,
}

impl Extent {
    fn join(self, other: Self) -> Self {
        Self {
            radius: self.radius.max(other.radius),
            speed: self.speed.max(other.speed),
        }
    }
}

/// The extents of the units in the 3 x 3 blocks about each block of the map.
#[derive(Clone, Debug, Default)]
pub(crate) struct Extents {
    columns: usize,
    rows: usize,
    /// Of all common units.
    common: Extent,
    /// Of all units.
    all: Extent,
    /// Of uncommon units, by block; empty where there are none.
    blocks: Vec<Extent>,
    swap: Vec<Extent>,
}

impl Extents {
    /// Blocks for a map of `width` x `height` cells.
    pub fn new(width: u32, height: u32) -> Self {
        Self {
            columns: width.div_ceil(BLOCK) as usize,
            rows: height.div_ceil(BLOCK) as usize,
            ..Self::default()
        }
    }

    /// Takes over units with these centres (cells; all inside the map), radii and speeds.
    pub fn measure(&mut self, centres: &[Vec2], radii: &[f32], speeds: &[f32]) {
        self.common = Extent::default();
        self.all = Extent::default();
        self.blocks.clear();
        for ((&at, &radius), &speed) in centres.iter().zip(radii).zip(speeds) {
            let own = Extent { radius, speed };
            if radius <= COMMON && speed <= COMMON {
                self.common = self.common.join(own);
            } else {
                self.blocks
                    .resize(self.columns * self.rows, Extent::default());
                let block = self.block(at);
                self.blocks[block] = self.blocks[block].join(own);
                self.all = self.all.join(own);
            }
        }
        self.all = self.all.join(self.common);
        if !self.blocks.is_empty() {
            self.spread();
        }
    }

    /// Of all units.
    pub fn all(&self) -> Extent {
        self.all
    }

    /// An extent that no unit within 32 cells of a point exceeds.
    pub fn near(&self, at: Vec2) -> Extent {
        match self.blocks.get(self.block(at)) {
            Some(&uncommon) => uncommon.join(self.common),
            None => self.common,
        }
    }

    fn block(&self, at: Vec2) -> usize {
        let index = |p: f32, count: usize| (p as usize / BLOCK as usize).min(count - 1);
        index(at.y, self.rows) * self.columns + index(at.x, self.columns)
    }

    /// Joins every block with its eight neighbours: along rows, then along columns.
    fn spread(&mut self) {
        for (count, stride) in [(self.columns, 1), (self.rows, self.columns)] {
            self.swap.clone_from(&self.blocks);
            for (i, block) in self.blocks.iter_mut().enumerate() {
                let along = i / stride % count;
                if along > 0 {
                    *block = block.join(self.swap[i - stride]);
                }
                if along + 1 < count {
                    *block = block.join(self.swap[i + stride]);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_giant_is_told_of_near_it_alone() {
        let mut extents = Extents::new(300, 200);
        let centres = [Vec2::new(10.0, 10.0), Vec2::new(150.0, 100.0)];
        extents.measure(&centres, &[0.4, 4.0], &[0.1, 2.0]);
        let common = Extent {
            radius: 0.4,
            speed: 0.1,
        };
        let giant = Extent {
            radius: 4.0,
            speed: 2.0,
        };
        assert_eq!(extents.all(), giant);
        for off in [Vec2::ZERO, Vec2::new(31.0, 31.0), Vec2::new(-31.0, 31.0)] {
            assert_eq!(extents.near(centres[1] + off), giant, "{off}");
        }
        for far in [centres[0], Vec2::new(299.0, 199.0), Vec2::new(150.0, 10.0)] {
            assert_eq!(extents.near(far), common, "{far}");
        }
    }
}
