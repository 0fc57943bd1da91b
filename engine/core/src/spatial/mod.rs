//! Units sorted by grid cell: neighbour search over contiguous runs.

use glam::Vec2;

mod extent;
pub(crate) use extent::{Extent, Extents};

/// Largest number of buckets; larger maps get buckets of 2, 4, ... cells. 2^20 counters are 4 MiB,
/// about what a core's cache holds.
const MAX_BUCKETS: u64 = 1 << 20;

/// A counting sort of points into square buckets, row by row; points of one bucket keep their
/// input order, so that the result depends on nothing but the points.
#[derive(Clone, Debug, Default)]
pub struct CellOrder {
    shift: u32,
    columns: i32,
    rows: i32,
    /// First place of each bucket; one more entry closes the last.
    starts: Vec<u32>,
    /// Input index of each place.
    order: Vec<u32>,
    keys: Vec<u32>,
}

impl CellOrder {
    /// Buckets for a map of `width` x `height` cells.
    pub fn new(width: u32, height: u32) -> Self {
        let mut shift = 0;
        while (u64::from(width) >> shift) * (u64::from(height) >> shift) > MAX_BUCKETS {
            shift += 1;
        }
        let columns = ((width - 1) >> shift) as i32 + 1;
        let rows = ((height - 1) >> shift) as i32 + 1;
        Self {
            shift,
            columns,
            rows,
            starts: vec![0; (columns * rows) as usize + 1],
            ..Self::default()
        }
    }

    /// Sorts `points` (cells; all inside the map).
    pub fn sort(&mut self, points: &[Vec2]) {
        let buckets = (self.columns * self.rows) as usize;
        self.starts.clear();
        self.starts.resize(buckets + 1, 0);
        let mut keys = std::mem::take(&mut self.keys);
        keys.clear();
        keys.extend(points.iter().map(|p| {
            let (column, row) = (self.bucket(p.x, self.columns), self.bucket(p.y, self.rows));
            (row * self.columns + column) as u32
        }));
        self.keys = keys;
        for &key in &self.keys {
            self.starts[key as usize + 1] += 1;
        }
        let mut sum = 0;
        for start in &mut self.starts {
            sum += *start;
            *start = sum;
        }
        self.order.clear();
        self.order.resize(points.len(), 0);
        // Filling from the back with decrementing ends would need a second array; `starts` is
        // advanced and then shifted back by one bucket instead.
        for (i, &key) in self.keys.iter().enumerate() {
            let place = &mut self.starts[key as usize];
            self.order[*place as usize] = i as u32;
            *place += 1;
        }
        for bucket in (1..=buckets).rev() {
            self.starts[bucket] = self.starts[bucket - 1];
        }
        self.starts[0] = 0;
    }

    /// Input index of the point at each place.
    pub fn order(&self) -> &[u32] {
        &self.order
    }

    /// Runs of places whose points may lie within `reach` (cells) of `centre`, row by row.
    pub fn runs(
        &self,
        centre: Vec2,
        reach: f32,
    ) -> impl Iterator<Item = std::ops::Range<usize>> + '_ {
        self.runs_between(centre - reach, centre + reach)
    }

    /// Runs of places whose points may lie in the box between two corners (cells), row by row.
    pub fn runs_between(
        &self,
        low: Vec2,
        high: Vec2,
    ) -> impl Iterator<Item = std::ops::Range<usize>> + '_ {
        let (left, right) = (
            self.bucket(low.x, self.columns),
            self.bucket(high.x, self.columns),
        );
        let (top, bottom) = (
            self.bucket(low.y, self.rows),
            self.bucket(high.y, self.rows),
        );
        (top..=bottom).map(move |row| {
            let base = row * self.columns;
            self.starts[(base + left) as usize] as usize
                ..self.starts[(base + right) as usize + 1] as usize
        })
    }

    fn bucket(&self, coordinate: f32, count: i32) -> i32 {
        ((coordinate.max(0.0) as i32) >> self.shift).min(count - 1)
    }
}

/// All units of a simulation by the cell they were in as the last tick moved them. Lets whoever
/// draws or looks for units skip the cells that are far away.
#[derive(Clone, Copy, Debug)]
pub struct Cells<'a> {
    pub(crate) order: &'a CellOrder,
    /// Cells that a unit may have moved since it was sorted.
    pub(crate) drift: f32,
    pub(crate) max_radius: f32,
}

impl<'a> Cells<'a> {
    /// How many units were sorted. Rows of [`Units`](crate::Units) from here on are units that came
    /// after the last tick.
    pub fn len(&self) -> usize {
        self.order.order.len()
    }

    /// Whether no unit was sorted.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Radius of the largest unit sorted, cells.
    pub fn max_radius(&self) -> f32 {
        self.max_radius
    }

    /// Rows of all sorted units whose discs may lie within `margin` cells of the box between two
    /// corners, in runs; others that are near come with them.
    pub fn rows_near(
        &self,
        low: Vec2,
        high: Vec2,
        margin: f32,
    ) -> impl Iterator<Item = &'a [u32]> + use<'a> {
        let (order, grown) = (
            self.order,
            Vec2::splat(margin + self.max_radius + self.drift),
        );
        order
            .runs_between(low - grown, high + grown)
            .map(move |places| &order.order[places])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(count: u32, size: f32) -> Vec<Vec2> {
        (0..count)
            .map(|i| {
                let hash = i.wrapping_mul(2_654_435_761);
                Vec2::new(
                    (hash >> 16) as f32 / 65536.0 * size,
                    (hash & 0xffff) as f32 / 65536.0 * size,
                )
            })
            .collect()
    }

    #[test]
    fn places_are_a_stable_permutation() {
        let points = points(500, 20.0);
        let mut sorted = CellOrder::new(20, 20);
        sorted.sort(&points);
        let mut seen: Vec<_> = sorted.order().to_vec();
        for pair in sorted.order().windows(2) {
            let key = |i: u32| points[i as usize].y as u32 * 20 + points[i as usize].x as u32;
            assert!((key(pair[0]), pair[0]) < (key(pair[1]), pair[1]));
        }
        seen.sort_unstable();
        assert!(seen.iter().copied().eq(0..500));
    }

    #[test]
    fn runs_hold_every_point_in_reach() {
        let points = points(700, 30.0);
        let mut sorted = CellOrder::new(30, 30);
        sorted.sort(&points);
        for (i, &centre) in points.iter().enumerate().step_by(17) {
            let found: Vec<u32> = sorted
                .runs(centre, 2.5)
                .flatten()
                .map(|place| sorted.order()[place])
                .collect();
            for (j, &other) in points.iter().enumerate() {
                assert!(
                    centre.distance(other) > 2.5 || found.contains(&(j as u32)),
                    "{i} misses {j}"
                );
            }
        }
    }

    #[test]
    fn large_maps_get_larger_buckets() {
        let sorted = CellOrder::new(4096, 4096);
        assert_eq!(sorted.shift, 2);
    }

    #[test]
    fn cells_hold_every_unit_near_a_box_and_leave_out_most_others() {
        let mut sim = crate::Simulation::new(
            crate::Map::open(60, 60).expect("a small map"),
            crate::Config::default(),
        )
        .expect("sound settings");
        let mut world = hecs::World::new();
        let units: Vec<_> = points(300, 56.0)
            .into_iter()
            .map(|at| {
                let spec = crate::UnitSpec {
                    position: at + 2.0,
                    radius: 0.2,
                    speed: 0.5,
                    ..Default::default()
                };
                sim.spawn(&mut world, &spec).expect("there is room")
            })
            .collect();
        let (low, high) = (Vec2::new(20.0, 30.0), Vec2::new(31.0, 37.0));
        let near = |sim: &crate::Simulation| -> Vec<u32> {
            sim.cells()
                .rows_near(low, high, 0.0)
                .flatten()
                .copied()
                .collect()
        };
        assert!(
            sim.cells().is_empty() && near(&sim).is_empty(),
            "before the first tick"
        );
        let to = Vec2::new(25.5, 33.5);
        sim.order(&world, &units, crate::Order::Move { to }, false)
            .expect("the goal is free");
        for tick in 0..60 {
            sim.tick(&mut world);
            let found = near(&sim);
            assert_eq!(sim.cells().len(), units.len());
            assert!(tick > 0 || found.len() < 100, "{}", found.len());
            for (row, &at) in (0..).zip(&sim.units().position) {
                let inside = at.clamp(low, high).distance(at) <= 0.2;
                assert!(
                    !inside || found.contains(&row),
                    "tick {tick}: row {row} at {at}"
                );
            }
        }
    }
}
