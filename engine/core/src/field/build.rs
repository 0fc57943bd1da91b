//! Building a field, all at once or a bounded number of cells at a time.

use std::sync::Arc;

use glam::Vec2;
use rayon::prelude::*;

use super::area::{Area, Strips, Tiles};
use super::congestion::{DEAREST, Prices};
use super::grid::{BORDER, Grid, UNVISITED};
use super::integrate::{Costs, Slow, Wave};
use super::sight::{Seen, Span, Sweep};
use super::{BINS, FlowField, Seed, flow};
use crate::map::Occupancy;

/// Rows per parallel task of the direction pass.
const BAND: usize = 32;
/// Cells from which on it is worth waking other threads for them.
const PARALLEL: usize = 1 << 17;

/// What steps of the same time cost, in cells visited by the wave: a cell in a row being cleared,
/// planted where it is lit, and given its direction.
const CLEARED: f32 = 1.0 / 32.0;
const PLANTED: f32 = 1.0 / 8.0;
const DIRECTED: f32 = 1.0 / 8.0;

/// The work of a step over some cells.
fn price(cells: usize, each: f32) -> u64 {
    (cells as f32 * each) as u64 + 1
}

/// What is done next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// Clear the bordered row of that number.
    Clear(usize),
    /// Sweep the next rows in sight of the goal.
    Sight,
    /// Find the rim of what is lit, from that span on.
    Rim(usize),
    /// Carry distances round the obstacles.
    Wave,
    /// Directions and counts from that bordered row on.
    Flow(usize),
    /// Straight directions from that span on.
    Look(usize),
    Done,
}

/// A field being built. The map must not change meanwhile: after an edit start afresh.
#[derive(Clone, Debug)]
pub struct FieldBuilder {
    grid: Grid,
    /// The sectors that the field is for; `None` for the whole map.
    area: Option<Arc<Area>>,
    strips: Strips,
    /// Ground that costs more, and the cells that sight does not pass then.
    slow: Option<(Slow, Occupancy)>,
    seeds: Vec<Seed>,
    sight: Option<Vec2>,
    prices: Option<Arc<Prices>>,
    distance: Vec<f32>,
    flow: Vec<u8>,
    sweeps: Vec<Sweep>,
    seen: Seen,
    /// Where the wave starts.
    front: Vec<u32>,
    wave: Option<Wave>,
    /// Longest distance of a lit cell.
    farthest: f32,
    /// Cells by distance, those without a way in the last bin; four counters a bin, so that equal
    /// neighbours do not wait for one another.
    bins: Vec<[u32; 4]>,
    stage: Stage,
    work: u64,
    /// Work that must be allowed until it is done: a little more than the work itself, since the
    /// price of some steps is only known after them.
    needed: u64,
}

impl FieldBuilder {
    /// A field to be built with the arguments of [`FlowField::build`]; nothing is computed yet.
    ///
    /// # Panics
    ///
    /// When a seed's cost is negative, infinite or NaN.
    pub fn new(occ: &Occupancy, seeds: &[Seed], sight: Option<Vec2>) -> Self {
        assert!(
            seeds.iter().all(|s| s.cost >= 0.0 && s.cost.is_finite()),
            "the cost of a seed is a finite distance, not negative"
        );
        let grid = Grid::of(occ);
        Self {
            grid,
            area: None,
            strips: Strips::whole(&grid),
            slow: None,
            seeds: seeds.to_vec(),
            sight,
            prices: None,
            // Zeroed memory is not touched before its row is cleared.
            distance: vec![0.0; grid.len()],
            flow: vec![0; grid.len()],
            sweeps: Vec::new(),
            seen: Seen::default(),
            front: Vec::new(),
            wave: None,
            farthest: 0.0,
            bins: Vec::new(),
            stage: Stage::Clear(0),
            work: 0,
            needed: 0,
        }
    }

    /// The same over ground of different prices; nothing is in sight then.
    pub(super) fn priced(mut self, prices: Arc<Prices>) -> Self {
        self.prices = Some(prices);
        self.sight = None;
        self
    }

    /// The same, to be built for some sectors only; `occ` has everything else blocked.
    pub(super) fn within(mut self, area: Arc<Area>) -> Self {
        self.strips = Strips::of(&self.grid, &area);
        self.area = Some(area);
        self
    }

    /// The same, with some cells that cost more to cross; `occ` is what it is built for. The goal is
    /// seen across common ground only: a straight way through the others need not be the shortest.
    pub(super) fn over(mut self, occ: &Occupancy, cells: Arc<Occupancy>, cost: f32) -> Self {
        let opaque = occ.united(&cells);
        self.slow = Some((Slow { cells, cost }, opaque));
        self
    }

    /// Goes on until `end` cells of work are done since the start, never beyond, and answers whether
    /// the field is done. Work is counted in cells that the wave visits, and the other steps at what
    /// they take in time compared to that. It depends neither on the machine nor on how it is cut
    /// up. A step that would go beyond is left for the next call.
    pub fn advance(&mut self, occ: &Occupancy, end: u64) -> bool {
        while self.stage != Stage::Done {
            let needed = self.work + self.next_price();
            if needed > end {
                break;
            }
            self.needed = self.needed.max(needed);
            self.stage = match self.stage {
                Stage::Clear(row) => self.clear(occ, row),
                Stage::Sight => self.see(occ),
                Stage::Rim(span) => self.find_rim(span),
                Stage::Wave => self.spread(end - self.work),
                Stage::Flow(row) => self.direct(row, end - self.work),
                Stage::Look(span) => self.look(span),
                Stage::Done => Stage::Done,
            };
        }
        self.is_done()
    }

    /// Whether nothing is left to be done.
    pub fn is_done(&self) -> bool {
        self.stage == Stage::Done
    }

    /// What the next step costs at most, and what it needs at least to get anywhere.
    fn next_price(&self) -> u64 {
        match self.stage {
            Stage::Clear(row) if row * self.grid.stride < self.distance.len() => {
                price(self.columns_beside(row as i32 - BORDER), CLEARED)
            }
            // The goal's own row is lit by then.
            Stage::Clear(_) | Stage::Sight => price(self.grid.stride, PLANTED),
            Stage::Rim(span) => self
                .seen
                .lit
                .get(span)
                .map_or(0, |cells| price((cells.x1 - cells.x0) as usize, PLANTED)),
            Stage::Wave => 1,
            Stage::Flow(row) => price(self.strips.columns(row as i32 - BORDER), DIRECTED),
            Stage::Look(span) => self
                .seen
                .sight
                .get(span)
                .map_or(0, |cells| price((cells.x1 - cells.x0) as usize, DIRECTED)),
            Stage::Done => 0,
        }
    }

    /// Work done so far, in cells.
    pub fn work(&self) -> u64 {
        self.work
    }

    /// Does what is left and answers the field.
    pub fn finish(mut self, occ: &Occupancy) -> FlowField {
        self.advance(occ, u64::MAX);
        self.bins.pop();
        let mut sum = 0;
        let sums = self.bins.iter().map(|bin| {
            sum += bin.iter().sum::<u32>();
            sum
        });
        let cumulative = sums.collect();
        let needed = self.needed.max(self.work);
        let (tiles, distance, flow) = match &self.area {
            None => (None, self.distance, self.flow),
            Some(area) => {
                let tiles = Tiles::of(&self.grid, area);
                let distance = tiles.gather(&self.grid, area, &self.distance, f32::INFINITY);
                let flow = tiles.gather(&self.grid, area, &self.flow, 0);
                (Some(tiles), distance, flow)
            }
        };
        FlowField {
            grid: self.grid,
            tiles,
            cumulative,
            distance,
            flow,
            work: self.work,
            needed,
        }
    }

    fn pay(&mut self, cells: usize, each: f32) {
        self.work += price(cells, each);
    }

    fn clear(&mut self, occ: &Occupancy, row: usize) -> Stage {
        let stride = self.grid.stride;
        let y = row as i32 - BORDER;
        let Some(cells) = self.distance.get_mut(row * stride..(row + 1) * stride) else {
            self.plant_seeds();
            if let Some(goal) = self.sight {
                if let Some((own, sides)) = Sweep::start(self.opaque(occ), goal) {
                    self.sweeps = sides.into();
                    self.light(own);
                } else {
                    self.light_near(occ, goal);
                }
                self.plant(0, goal);
            }
            return Stage::Sight;
        };
        // Cells look two rows up and down: the ends of sectors see the beginnings of others.
        for near in [y - BORDER, y, y + BORDER] {
            for &(x0, x1) in self.strips.at(near) {
                cells[(x0 + BORDER) as usize..(x1 + BORDER) as usize].fill(f32::INFINITY);
            }
        }
        for &(x0, x1) in self.strips.at(y) {
            self.grid.open_row(occ, y, (x0.max(0), x1), cells);
        }
        self.pay(self.columns_beside(y), CLEARED);
        Stage::Clear(row + 1)
    }

    /// Columns of the widest of the rows that row `y` looks at.
    fn columns_beside(&self, y: i32) -> usize {
        [y - BORDER, y, y + BORDER]
            .into_iter()
            .map(|y| self.strips.columns(y))
            .fold(0, usize::max)
    }

    fn light(&mut self, cells: Span) {
        self.seen.sight.push(cells);
        self.seen.lit.push(cells);
    }

    /// A goal on dear ground is seen from its own cell and those beside it, so that ways end there.
    fn light_near(&mut self, occ: &Occupancy, goal: Vec2) {
        let (x, y) = (goal.x.floor() as i32, goal.y.floor() as i32);
        let is_free = |x0: i32, x1: i32, y: i32| (x0..x1).all(|x| !occ.blocked(x, y));
        if !is_free(x, x + 1, y) {
            return;
        }
        let is_wide = is_free(x - 1, x + 2, y);
        let (x0, x1) = if is_wide { (x - 1, x + 2) } else { (x, x + 1) };
        for y in y - 1..=y + 1 {
            if is_free(x0, x1, y) {
                self.light(Span { y, x0, x1 });
            }
        }
    }

    /// The cells that sight does not pass.
    fn opaque<'a>(&'a self, occ: &'a Occupancy) -> &'a Occupancy {
        self.slow.as_ref().map_or(occ, |(_, opaque)| opaque)
    }

    /// Gives seeds in free cells their cost.
    fn plant_seeds(&mut self) {
        for seed in &self.seeds {
            let (x, y) = (
                seed.cell as i32 % self.grid.width,
                seed.cell as i32 / self.grid.width,
            );
            if let Some(i) = self.grid.index(x, y)
                && self.distance[i].is_finite()
                && seed.cost < self.distance[i]
            {
                self.distance[i] = seed.cost;
                self.front.push(i as u32);
            }
        }
    }

    fn see(&mut self, occ: &Occupancy) -> Stage {
        let first = self.seen.lit.len();
        let (Some(goal), Some(sweep)) = (self.sight, self.sweeps.last_mut()) else {
            return Stage::Rim(0);
        };
        let opaque = self.slow.as_ref().map_or(occ, |(_, opaque)| opaque);
        if !sweep.row(opaque, &mut self.seen) {
            self.sweeps.pop();
        }
        self.plant(first, goal);
        Stage::Sight
    }

    /// Gives the lit cells, from span `first` on, their straight distance to the goal.
    fn plant(&mut self, first: usize, goal: Vec2) {
        let mut cells = 0;
        for span in &self.seen.lit[first..] {
            let dy = span.y as f32 + 0.5 - goal.y;
            let row = self.grid.at(0, span.y);
            let straight = |x: i32| {
                let dx = x as f32 + 0.5 - goal.x;
                (dx * dx + dy * dy).sqrt()
            };
            let planted = &mut self.distance[row + span.x0 as usize..row + span.x1 as usize];
            for (x, d) in (span.x0..).zip(planted) {
                // Rounding at a grazed corner must not open a blocked cell.
                *d = if *d < f32::INFINITY {
                    d.min(straight(x))
                } else {
                    *d
                };
            }
            let ends = straight(span.x0).max(straight(span.x1 - 1));
            self.farthest = self.farthest.max(ends);
            cells += (span.x1 - span.x0) as usize;
        }
        self.pay(cells, PLANTED);
    }

    /// Adds the cells of a lit span that border on dark ones to the start of the wave.
    fn find_rim(&mut self, span: usize) -> Stage {
        let Some(cells) = self.seen.lit.get(span) else {
            let slowest = self.slow.as_ref().map_or(1.0, |(slow, _)| slow.cost);
            let highest = if self.prices.is_some() { DEAREST } else { 1.0 };
            let dearest = slowest * highest;
            let front = std::mem::take(&mut self.front);
            self.wave = Some(Wave::new(&self.distance, front, dearest));
            return Stage::Wave;
        };
        let row = self.grid.at(0, cells.y);
        let stride = self.grid.stride;
        for i in row + cells.x0 as usize..row + cells.x1 as usize {
            let open = |n: usize| self.distance[n] == UNVISITED;
            if open(i - 1) || open(i + 1) || open(i - stride) || open(i + stride) {
                self.front.push(i as u32);
            }
        }
        self.pay((cells.x1 - cells.x0) as usize, PLANTED);
        Stage::Rim(span + 1)
    }

    fn spread(&mut self, limit: u64) -> Stage {
        let wave = self.wave.as_mut().expect("the rim stage starts the wave");
        let costs = Costs {
            slow: self.slow.as_ref().map(|(slow, _)| slow),
            prices: self.prices.as_deref(),
        };
        let (visits, ended) = wave.advance(&self.grid, costs, &mut self.distance, limit);
        self.work += visits;
        if !ended {
            return Stage::Wave;
        }
        self.farthest = self.farthest.max(wave.farthest());
        self.wave = None;
        self.bins = vec![[0; 4]; (self.farthest * BINS) as usize + 2];
        Stage::Flow(BORDER as usize)
    }

    /// Directions and counts of the bands of rows that fit the limit, at least one.
    fn direct(&mut self, row: usize, limit: u64) -> Stage {
        let (grid, distance, strips) = (&self.grid, &self.distance, &self.strips);
        let first = row as i32 - BORDER;
        let left = (grid.height + BORDER) as usize - row;
        let price = price(strips.columns(first), DIRECTED);
        let alike = if self.area.is_some() {
            strips.alike(first)
        } else {
            left
        };
        let rows = usize::try_from(limit / price).unwrap_or(left).min(alike);
        let cells = row * grid.stride..(row + rows) * grid.stride;
        let band = |(band, flow): (usize, &mut [u8])| {
            for (k, flow) in flow.chunks_mut(grid.stride).enumerate() {
                let y = first + (band * BAND + k) as i32;
                for &(x0, x1) in strips.at(y) {
                    flow::descend(grid, distance, y, (x0.max(0), x1.min(grid.width)), flow);
                }
            }
        };
        let bands = &mut self.flow[cells.clone()];
        if cells.len() < PARALLEL {
            bands
                .chunks_mut(BAND * grid.stride)
                .enumerate()
                .for_each(band);
        } else {
            bands
                .par_chunks_mut(BAND * grid.stride)
                .enumerate()
                .for_each(band);
        }
        let last = self.bins.len() as u32 - 1;
        for y in first..first + rows as i32 {
            for &(x0, x1) in self.strips.at(y) {
                let start = self.grid.at(x0, y);
                for four in self.distance[start..start + (x1 - x0) as usize].chunks(4) {
                    for (k, &d) in four.iter().enumerate() {
                        self.bins[((d * BINS) as u32).min(last) as usize][k] += 1;
                    }
                }
            }
        }
        self.work += price * rows as u64;
        if rows < left {
            Stage::Flow(row + rows)
        } else {
            Stage::Look(0)
        }
    }

    fn look(&mut self, span: usize) -> Stage {
        let (Some(goal), Some(cells)) = (self.sight, self.seen.sight.get(span)) else {
            return Stage::Done;
        };
        flow::look(&self.grid, &self.distance, cells, goal, &mut self.flow);
        let cells = (cells.x1 - cells.x0) as usize;
        self.pay(cells, DIRECTED);
        Stage::Look(span + 1)
    }
}
