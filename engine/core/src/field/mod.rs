//! Guidance: the way to a goal from every cell of a map.
//!
//! A [`FlowField`] holds the walking distance to a goal and one byte of direction a cell. It is
//! built, at once or by and by with a [`FieldBuilder`], in three steps: `sight` finds the cells that
//! see the goal and gives them their exact distance, `integrate` carries the distance round the
//! obstacles, and `flow` turns it into directions. [`FlowField::guide`] samples it for a unit between
//! cell centres; a [`FieldCache`] keeps fields for those who share a goal.

mod area;
mod build;
pub(crate) mod bypass;
mod cache;
mod congestion;
mod flow;
mod grid;
mod guide;
mod integrate;
pub mod octile;
mod queue;
mod sight;

use std::sync::Arc;

use glam::Vec2;

use crate::map::{CellRect, Map, Occupancy, SizeClass};
use area::Tiles;
use grid::{Grid, UNVISITED};

pub(crate) use area::Area;
pub use build::FieldBuilder;
pub use cache::FieldCache;
pub(crate) use congestion::{Congestion, Prices};
pub use flow::Flow;
pub use guide::Guidance;
pub(crate) use queue::{FieldQueue, Ticket, Wanted};

/// A cell from which a field spreads.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Seed {
    /// Cell number, `y * width + x`.
    pub cell: u32,
    /// Distance that the cell starts with, in cells: that from its centre to the goal. Never
    /// negative.
    pub cost: f32,
}

/// Bins of the distance histogram per cell of distance.
const BINS: f32 = 4.0;

/// Walking distance and direction to one goal for every cell of a map.
#[derive(Clone, Debug)]
pub struct FlowField {
    grid: Grid,
    /// Where the cells of sectors are, in a field for some of them; else all are there, bordered.
    tiles: Option<Tiles>,
    /// Distance per cell; `INFINITY` in blocked cells, `UNVISITED` in those without a way.
    distance: Vec<f32>,
    /// Flow byte per cell; see [`Flow`].
    flow: Vec<u8>,
    /// `cumulative[i]`: cells with `floor(BINS * distance) <= i`.
    cumulative: Vec<u32>,
    work: u64,
    /// Work that had to be allowed for it.
    needed: u64,
}

impl FlowField {
    /// Spreads a field over the free cells of `occ` from `seeds`.
    ///
    /// `sight` is the goal point from which lines of sight are drawn; the cells that see it get
    /// their straight distance to it, so it must be the point that the costs of the seeds are
    /// measured to. Seeds in blocked cells or outside the map are passed over. Several parts of the
    /// map that are not connected may each have seeds; a part without any stays unreachable.
    ///
    /// # Panics
    ///
    /// When a seed's cost is negative, infinite or NaN.
    pub fn build(occ: &Occupancy, seeds: &[Seed], sight: Option<Vec2>) -> Self {
        FieldBuilder::new(occ, seeds, sight).finish(occ)
    }

    /// The field on a map for the units of a size class, swamps at their cost.
    ///
    /// # Panics
    ///
    /// As [`build`](Self::build), and as [`Map::nav`].
    pub fn of(map: &Map, class: SizeClass, seeds: &[Seed], sight: Option<Vec2>) -> Self {
        let occ = &map.nav(class).occupancy;
        let mut builder = FieldBuilder::new(occ, seeds, sight);
        if let Some((swamp, cost)) = map.swamp() {
            builder = builder.over(occ, Arc::clone(swamp), cost);
        }
        builder.finish(occ)
    }

    /// Width and height of the map in cells.
    pub fn size(&self) -> (u32, u32) {
        (self.grid.width as u32, self.grid.height as u32)
    }

    /// The flow of cell (x, y); unreachable outside the map.
    pub fn flow(&self, x: i32, y: i32) -> Flow {
        self.index(x, y)
            .map_or(Flow::UNREACHABLE, |i| Flow::from_byte(self.flow[i]))
    }

    /// Walking distance from the centre of cell (x, y) to the goal, in cells; `INFINITY` where
    /// there is no way, in blocked cells and outside the map.
    pub fn distance(&self, x: i32, y: i32) -> f32 {
        match self.index(x, y).map(|i| self.distance[i]) {
            Some(d) if d < UNVISITED => d,
            _ => f32::INFINITY,
        }
    }

    /// Whether an edit of `rect` can have changed the field, built for units of `class` from the
    /// cells `seeds` and a sight point: not when no cell in or beside the rectangle has a way to
    /// the goal.
    fn depends_on(
        &self,
        rect: CellRect,
        class: SizeClass,
        mut seeds: impl Iterator<Item = u32>,
        sight: Option<Vec2>,
    ) -> bool {
        // Cells that a unit of the class keeps away from the rectangle, and their neighbours.
        let near = rect.grown(class.radius().ceil() as i32 + 1);
        let width = self.grid.width;
        let seeded = |cell: u32| near.contains(cell as i32 % width, cell as i32 / width);
        let sighted = |p: Vec2| near.contains(p.x.floor() as i32, p.y.floor() as i32);
        seeds.any(seeded)
            || sight.is_some_and(sighted)
            || self.reaches(near.x0, near.y0, near.x1, near.y1)
    }

    /// Whether any cell of columns `x0..x1` and rows `y0..y1` has a way to the goal.
    fn reaches(&self, x0: i32, y0: i32, x1: i32, y1: i32) -> bool {
        let (x0, x1) = (x0.max(0), x1.min(self.grid.width));
        (y0.max(0)..y1.min(self.grid.height)).any(|y| (x0..x1).any(|x| self.flow(x, y).reachable))
    }

    /// Index of a cell of the map, or of one beside it.
    #[inline]
    fn at(&self, x: i32, y: i32) -> usize {
        match &self.tiles {
            None => self.grid.at(x, y),
            Some(tiles) if self.grid.index(x, y).is_some() => tiles.at(x, y),
            // The first cells are those of no sector.
            Some(_) => 0,
        }
    }

    fn index(&self, x: i32, y: i32) -> Option<usize> {
        self.grid.index(x, y).map(|_| self.at(x, y))
    }

    /// Number of cells with a distance of at most `d`, rounded up to the next quarter of a cell.
    pub fn cells_within(&self, d: f32) -> u32 {
        let bins = self.cumulative.len();
        if bins == 0 || d.is_nan() || d < 0.0 {
            return 0;
        }
        self.cumulative[((d * BINS) as usize).min(bins - 1)]
    }

    /// What building the field cost, in cells; see [`FieldBuilder::advance`].
    pub fn work(&self) -> u64 {
        self.work
    }

    /// Bytes of heap memory kept.
    pub fn memory_bytes(&self) -> usize {
        let tiles = self.tiles.as_ref().map_or(0, Tiles::memory_bytes);
        tiles
            + self.distance.capacity() * size_of::<f32>()
            + self.flow.capacity()
            + self.cumulative.capacity() * size_of::<u32>()
    }
}

#[cfg(test)]
mod tests;
