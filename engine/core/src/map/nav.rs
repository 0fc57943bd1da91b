//! The grid that one size of unit moves on.

use glam::Vec2;

use super::{CellRect, Clearance, Occupancy, Regions, SizeClass};

/// Blocked cells and connected parts for the units of one size class.
#[derive(Clone, Debug)]
pub struct NavGrid {
    /// The cells that the centre of such a unit may not enter.
    pub occupancy: Occupancy,
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
        Self { occupancy, regions }
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
        let changed = self
            .occupancy
            .rewrite(window, |x, y| !clearance.fits(class, x, y));
        if let Some(changed) = changed {
            self.regions.update(&self.occupancy, changed);
        }
    }

    /// The free cell whose centre is nearest to p, ties to the lowest in row order, optionally in
    /// one region only. Searches square rings about the nearest cell of the map.
    pub(super) fn nearest_free(&self, p: Vec2, region: Option<u32>) -> Option<(i32, i32)> {
        if !p.is_finite() || region.is_some_and(|region| self.regions.size(region) == 0) {
            return None;
        }
        let (width, height) = (
            self.occupancy.width() as i32,
            self.occupancy.height() as i32,
        );
        let (px, py) = (
            f64::from(p.x).clamp(-FAR, FAR),
            f64::from(p.y).clamp(-FAR, FAR),
        );
        let (home_x, home_y) = (
            (px.floor() as i32).clamp(0, width - 1),
            (py.floor() as i32).clamp(0, height - 1),
        );
        let outside_x = px - px.clamp(0.0, f64::from(width));
        let outside_y = py - py.clamp(0.0, f64::from(height));
        let outside = outside_x * outside_x + outside_y * outside_y;

        let mut best: Option<(f64, i32, i32)> = None;
        let consider = |x: i32, y: i32, best: &mut Option<(f64, i32, i32)>| {
            let fits = match region {
                None => !self.occupancy.blocked(x, y),
                Some(region) => self.regions.label(x, y) == Some(region),
            };
            if fits {
                let (dx, dy) = (f64::from(x) + 0.5 - px, f64::from(y) + 0.5 - py);
                let found = (dx * dx + dy * dy, y, x);
                if best.is_none_or(|best| found < best) {
                    *best = Some(found);
                }
            }
        };
        for ring in 0..width.max(height) {
            // No centre on this ring or a later one is nearer than this: the map is convex, so the
            // way from p to its edge and the way on from there add up at least as squares.
            let inner = (f64::from(ring) - 0.5).max(0.0);
            if best.is_some_and(|(d, ..)| outside + inner * inner > d) {
                break;
            }
            let (x0, x1) = (home_x - ring, home_x + ring);
            let (y0, y1) = (home_y - ring, home_y + ring);
            for x in x0.max(0)..=x1.min(width - 1) {
                consider(x, y0, &mut best);
                consider(x, y1, &mut best);
            }
            for y in (y0 + 1).max(0)..=(y1 - 1).min(height - 1) {
                consider(x0, y, &mut best);
                consider(x1, y, &mut best);
            }
        }
        best.map(|(_, y, x)| (x, y))
    }
}
