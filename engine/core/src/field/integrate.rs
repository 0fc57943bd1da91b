//! Distances by the eikonal equation |grad T| = price (1 without prices), solved upwind as in the fast marching method
//! (Sethian, "A fast marching level set method for monotonically advancing fronts", PNAS 1996),
//! with a queue of buckets in place of the heap.
//!
//! A cell takes its value from the nearer of its two horizontal and of its two vertical neighbours,
//! so nothing passes diagonally between blocked cells. Inside a bucket a cell may be improved after
//! it was visited and is then visited again; the result is that of an exactly ordered march.

use std::sync::Arc;

use wide::f32x4;

use super::congestion::{DEAREST, Prices};
use super::grid::Grid;
use crate::map::Occupancy;

/// Buckets per cell of distance, where no step is dearer than `FINE`.
const BUCKETS: f32 = 2.0;
/// Buckets in the ring: more than a wave can run ahead of the bucket at work, one step.
const RING: usize = 16;
/// Steps up to this cost, in cells, share the fine buckets.
const FINE: f32 = DEAREST;
const _: () = assert!(FINE * BUCKETS + 2.0 < RING as f32);

/// What crossing a cell costs beside its length.
#[derive(Clone, Copy, Debug)]
pub(super) struct Costs<'a> {
    pub slow: Option<&'a Slow>,
    pub prices: Option<&'a Prices>,
}

/// Ground that is dearer to cross than the rest.
#[derive(Clone, Debug)]
pub(super) struct Slow {
    pub cells: Arc<Occupancy>,
    /// What a cell of it costs, in lengths of common ground: 1 or more.
    pub cost: f32,
}

/// Cells waiting to be visited, by distance in buckets.
#[derive(Clone, Debug)]
struct Ring {
    /// `RING` runs of `room` cells each; bucket `k` is in use up to `end[k]`.
    cells: Vec<u32>,
    end: [usize; RING],
    room: usize,
    /// Pushes of four that fit into any bucket before the room must be looked at again.
    spare: usize,
    /// Buckets per cell of distance.
    density: f32,
    /// Bucket being visited, and the distance at its middle.
    now: u32,
    middle: f32,
}

/// Adding it rounds to a whole number and leaves that in the low bits: 1.5 * 2^23.
const WHOLE: f32 = 12_582_912.0;

impl Ring {
    /// Buckets for steps of at most that many cells of distance.
    fn new(dearest: f32) -> Self {
        let room = 1024;
        Self {
            density: BUCKETS * (FINE / dearest).min(1.0),
            cells: vec![0; RING * room],
            end: std::array::from_fn(|slot| slot * room),
            room,
            spare: 0,
            now: 0,
            middle: 0.0,
        }
    }

    fn start(&self, slot: usize) -> usize {
        slot * self.room
    }

    fn slot(&self) -> usize {
        self.now as usize % RING
    }

    fn is_empty(&self) -> bool {
        (0..RING).all(|slot| self.end[slot] == self.start(slot))
    }

    /// Empties the bucket at work and moves on to bucket `now`.
    fn turn(&mut self, now: u32) {
        self.end[self.slot()] = self.start(self.slot());
        self.now = now;
        self.middle = now as f32 / self.density;
    }

    /// Puts the cells into the buckets of their distances, those whose bit in `really` is set.
    #[inline]
    fn push(&mut self, cells: [usize; 4], distances: f32x4, really: u32) {
        if self.spare == 0 {
            self.make_room();
        }
        self.spare -= 1;
        let turned = WHOLE + (self.now % RING as u32) as f32;
        let bits: [u32; 4] = bytemuck::cast((distances - self.middle) * self.density + turned);
        let mut left = really;
        while left != 0 {
            let k = left.trailing_zeros() as usize & 3;
            left &= left - 1;
            let end = &mut self.end[bits[k] as usize % RING];
            self.cells[*end] = cells[k] as u32;
            *end += 1;
        }
    }

    #[cold]
    fn make_room(&mut self) {
        let used = (0..RING)
            .map(|slot| self.end[slot] - self.start(slot))
            .max()
            .unwrap_or(0);
        if used + 512 > self.room {
            let mut cells = vec![0; 2 * self.cells.len()];
            for (new, old) in cells
                .chunks_mut(2 * self.room)
                .zip(self.cells.chunks(self.room))
            {
                new[..self.room].copy_from_slice(old);
            }
            for (slot, end) in self.end.iter_mut().enumerate() {
                *end += slot * self.room;
            }
            self.cells = cells;
            self.room *= 2;
        }
        self.spare = (self.room - used) / 4;
    }
}

/// A wave that spreads distances over free cells, and can be stopped and taken up again.
#[derive(Clone, Debug)]
pub(super) struct Wave {
    /// Where it starts: cells by distance, then number.
    front: Vec<u32>,
    /// How many of those have joined it.
    joined: usize,
    ring: Ring,
    /// Cells of the bucket at work that were taken out of it.
    taken: usize,
}

impl Wave {
    /// A wave from the cells of `front`, which have their distances.
    pub fn new(distance: &[f32], mut front: Vec<u32>, dearest: f32) -> Self {
        front.sort_unstable_by(|&a, &b| {
            let by_distance = distance[a as usize].total_cmp(&distance[b as usize]);
            by_distance.then(a.cmp(&b))
        });
        Self {
            front,
            joined: 0,
            ring: Ring::new(dearest),
            taken: 0,
        }
    }

    /// No cell has a distance above this once the wave has ended.
    pub fn farthest(&self) -> f32 {
        self.ring.middle + 1.0 / self.ring.density
    }

    /// Visits at most `limit` cells; answers how many, and whether the wave has ended.
    pub fn advance(
        &mut self,
        grid: &Grid,
        costs: Costs,
        distance: &mut [f32],
        limit: u64,
    ) -> (u64, bool) {
        // The common case knows its costs when it is compiled.
        match (costs.slow, costs.prices) {
            (None, None) => self.run(grid, |_| f32x4::ONE, distance, limit),
            (Some(slow), None) => self.run(grid, |i| slow.around(grid, i), distance, limit),
            (None, Some(prices)) => self.run(grid, |i| prices.around(grid, i), distance, limit),
            (Some(slow), Some(prices)) => {
                let both = |i| slow.around(grid, i) * prices.around(grid, i);
                self.run(grid, both, distance, limit)
            }
        }
    }

    #[inline]
    fn run(
        &mut self,
        grid: &Grid,
        costs: impl Fn(usize) -> f32x4,
        distance: &mut [f32],
        limit: u64,
    ) -> (u64, bool) {
        let ring = &mut self.ring;
        let mut visits = 0;
        loop {
            if ring.is_empty() {
                let Some(&i) = self.front.get(self.joined) else {
                    return (visits, true);
                };
                let bucket = (distance[i as usize] * ring.density + 0.5) as u32;
                ring.turn(bucket.max(ring.now));
            }
            while let Some(&i) = self.front.get(self.joined)
                && distance[i as usize] <= ring.middle + 0.5 / ring.density
            {
                ring.push([i as usize; 4], f32x4::splat(ring.middle), 1);
                self.joined += 1;
            }
            let slot = ring.slot();
            while ring.start(slot) + self.taken < ring.end[slot] {
                if visits == limit {
                    return (visits, false);
                }
                let i = ring.cells[ring.start(slot) + self.taken] as usize;
                self.taken += 1;
                // Improved since it was put here, and visited in an earlier bucket.
                if distance[i] < ring.middle - 0.5 / ring.density {
                    continue;
                }
                visits += 1;
                visit(grid, distance, i, costs(i), ring);
            }
            self.taken = 0;
            ring.turn(ring.now + 1);
        }
    }
}

impl Slow {
    /// Costs of the neighbours above, left, right and below of a cell.
    fn around(&self, grid: &Grid, i: usize) -> f32x4 {
        let (x, y) = grid.cell(i);
        let cost = |x, y| {
            if self.cells.blocked(x, y) {
                self.cost
            } else {
                1.0
            }
        };
        f32x4::new([
            cost(x, y - 1),
            cost(x - 1, y),
            cost(x + 1, y),
            cost(x, y + 1),
        ])
    }
}

/// Improves the four neighbours of `i` by the first-order upwind solution, without a branch on the
/// values: which neighbours improve is beyond the prediction of any processor.
#[inline]
fn visit(grid: &Grid, distance: &mut [f32], i: usize, costs: f32x4, ring: &mut Ring) {
    let s = grid.stride;
    let around = &mut distance[i - 2 * s..i + 2 * s + 1];
    let at = |dx: isize, dy: isize| (2 * s as isize + dy * s as isize + dx) as usize;
    let d = |dx: isize, dy: isize| around[at(dx, dy)];
    let old = f32x4::from([d(0, -1), d(-1, 0), d(1, 0), d(0, 1)]);
    let beyond = f32x4::from([d(0, -2), d(-2, 0), d(2, 0), d(0, 2)]);
    let (nw, ne, sw, se) = (d(-1, -1), d(1, -1), d(-1, 1), d(1, 1));
    let along = beyond.fast_min(f32x4::splat(d(0, 0)));
    let aside = f32x4::from([nw, nw, ne, sw]).fast_min(f32x4::from([ne, sw, se, se]));
    // From a difference of the cell's cost on only the smaller counts.
    let difference = (along - aside).abs().fast_min(costs);
    let root = (costs * costs * 2.0 - difference * difference).sqrt();
    let new = along.fast_min(aside) + (difference + root) * 0.5;
    // Blocked cells are infinite and never improve.
    let improved = new.simd_lt(old) & old.simd_lt(f32x4::splat(f32::INFINITY));
    let best = improved.select(new, old).to_array();
    around[at(0, -1)] = best[0];
    around[at(-1, 0)] = best[1];
    around[at(1, 0)] = best[2];
    around[at(0, 1)] = best[3];
    ring.push([i - s, i - 1, i + 1, i + s], new, improved.to_bitmask());
}
