//! The grid that one size of unit moves on.

use std::sync::Arc;

use glam::Vec2;

use super::regions::SIDE;
use super::{CellRect, Clearance, Occupancy, Regions, SizeClass};

/// Blocked cells and connected parts for the units of one size class.
#[derive(Clone, Debug)]
pub struct NavGrid {
    /// The cells that the centre of such a unit may not enter.
    pub occupancy: Arc<Occupancy>,
    /// The connected parts of the others.
    pub regions: Regions,
}

/// Points farther out than this, in cells, count as this far: beyond, the squares of f64 no longer
/// tell neighbouring cells apart.
const FAR: f64 = 16_777_216.0;

impl NavGrid {
    /// The grid of these blocked cells.
    pub(super) fn new(occupancy: Occupancy) -> Self {
        let regions = Regions::build(&occupancy);
        Self {
            occupancy: Arc::new(occupancy),
            regions,
        }
    }

    /// The grid of the cells in which a class does not fit.
    pub(super) fn dilated(
        width: u32,
        height: u32,
        clearance: &Clearance,
        class: SizeClass,
    ) -> Self {
        let mut occupancy = Occupancy::new(width, height);
        occupancy.rewrite(occupancy.bounds(), |x, y| !clearance.fits(class, x, y));
        Self::new(occupancy)
    }

    /// Takes over the clearance of a window that may have changed.
    pub(super) fn update(&mut self, clearance: &Clearance, class: SizeClass, window: CellRect) {
        let changed =
            Arc::make_mut(&mut self.occupancy).rewrite(window, |x, y| !clearance.fits(class, x, y));
        if let Some(changed) = changed {
            self.regions.update(&self.occupancy, changed);
        }
    }

    pub(super) fn memory_bytes(&self) -> usize {
        self.occupancy.memory_bytes() + self.regions.memory_bytes()
    }

    /// The free cell whose centre is nearest to p, ties to the lowest in row order, optionally in
    /// one region only. Searches rings of sectors about the nearest cell of the map, and in them
    /// only rows that can hold a nearer cell.
    pub(super) fn nearest_free(&self, p: Vec2, region: Option<u32>) -> Option<(i32, i32)> {
        if !p.is_finite() {
            return None;
        }
        let (width, height) = (
            self.occupancy.width() as i32,
            self.occupancy.height() as i32,
        );
        let mut search = Nearest {
            x: f64::from(p.x).clamp(-FAR, FAR),
            y: f64::from(p.y).clamp(-FAR, FAR),
            best: None,
        };
        let home_x = (search.x.floor() as i32).clamp(0, width - 1) / SIDE;
        let home_y = (search.y.floor() as i32).clamp(0, height - 1) / SIDE;
        let (across, down) = ((width - 1) / SIDE + 1, (height - 1) / SIDE + 1);
        let sectors = CellRect::new(0, 0, across, down);
        for ring in 0..across.max(down) {
            // Every sector of the next ring has one of this ring between itself and p.
            let mut hopeful = false;
            for (sector_x, sector_y) in square_ring(home_x, home_y, ring) {
                if sectors.contains(sector_x, sector_y) && search.may_hold(sector_x, sector_y) {
                    hopeful = true;
                    if self.regions.sector_holds(region, sector_x, sector_y) {
                        self.search_sector(&mut search, region, sector_x, sector_y);
                    }
                }
            }
            if !hopeful {
                break;
            }
        }
        search.best.map(|(_, y, x)| (x, y))
    }

    fn search_sector(
        &self,
        search: &mut Nearest,
        region: Option<u32>,
        sector_x: i32,
        sector_y: i32,
    ) {
        let (x0, y0) = (sector_x * SIDE, sector_y * SIDE);
        for y in y0..(y0 + SIDE).min(self.occupancy.height() as i32) {
            if search.beats(search.to_row(y)) {
                let free = match region {
                    None => !self.occupancy.row64(x0, y),
                    Some(region) => self.regions.row_of(region, sector_x, y),
                };
                search.consider_row(free, x0, y);
            }
        }
    }
}

/// A search for the cell centre nearest to a point.
struct Nearest {
    x: f64,
    y: f64,
    /// Squared distance, row and column of the nearest so far: the smallest of these is the answer.
    best: Option<(f64, i32, i32)>,
}

impl Nearest {
    /// Whether a cell at that squared distance can be the answer.
    fn beats(&self, square: f64) -> bool {
        self.best.is_none_or(|(best, ..)| square <= best)
    }

    /// The smallest squared distance to the centres of a row.
    fn to_row(&self, y: i32) -> f64 {
        let dy = f64::from(y) + 0.5 - self.y;
        dy * dy
    }

    /// Whether a sector has centres near enough.
    fn may_hold(&self, sector_x: i32, sector_y: i32) -> bool {
        let off = |sector: i32, p: f64| {
            let first = f64::from(sector * SIDE) + 0.5;
            p - p.clamp(first, first + f64::from(SIDE - 1))
        };
        let (dx, dy) = (off(sector_x, self.x), off(sector_y, self.y));
        self.beats(dx * dx + dy * dy)
    }

    /// Takes the nearest of the cells whose bits are set, bit 0 being column x0 of row y.
    fn consider_row(&mut self, cells: u64, x0: i32, y: i32) {
        let column = self
            .x
            .floor()
            .clamp(f64::from(x0), f64::from(x0 + SIDE - 1)) as i32
            - x0;
        let before = cells & !(u64::MAX << column);
        let after = cells & (u64::MAX << column);
        let nearest_after = (after != 0).then(|| after.trailing_zeros());
        for column in before.checked_ilog2().into_iter().chain(nearest_after) {
            let x = x0 + column as i32;
            let dx = f64::from(x) + 0.5 - self.x;
            let found = (dx * dx + self.to_row(y), y, x);
            if self.best.is_none_or(|best| found < best) {
                self.best = Some(found);
            }
        }
    }
}

/// The cells of a square ring about a cell, row by row.
fn square_ring(x: i32, y: i32, ring: i32) -> impl Iterator<Item = (i32, i32)> {
    (-ring..=ring).flat_map(move |dy| {
        let step = if dy.abs() == ring { 1 } else { 2 * ring };
        (-ring..=ring)
            .step_by(step as usize)
            .map(move |dx| (x + dx, y + dy))
    })
}
