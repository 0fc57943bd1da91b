//! What is sent of the units: those in view, 16 bytes each, in drawing order.

use std::ops::Range;

use bytemuck::{Pod, Zeroable};
use glam::Vec2;
use rayon::prelude::*;
use throng::spatial::Cells;

use crate::UnitColumns;
use crate::order::{DrawOrder, whole};

/// What is uploaded for a unit each tick: 16 bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Instance {
    position: [f32; 2],
    /// From the low bits: way of the last tick, 14 bits for either axis; team, 4 bits.
    motion: u32,
    /// From the low bits: heading, 8 bits; radius, 8 bits; frame, 16 bits.
    look: u32,
}

/// A longer way in one tick, in cells, is a jump and not drawn as motion. As in the shader.
const STEP_RANGE: f32 = 8.0;
/// Rows that are looked through in one job.
const CHUNK: usize = 1 << 14;

/// With more rows than these jobs are given to other threads: waking them takes a while.
const WORTH_SHARING: usize = 1 << 15;
/// The standing are put in order in so many strips of the picture, each in a job of its own.
const STRIPS: usize = 4;
/// The lying, then the strips from above to below: what is drawn one after the other.
const HEAPS: usize = 1 + STRIPS;

/// Picks the units in view, packs them and puts them in drawing order.
#[derive(Default)]
pub(crate) struct Gatherer {
    /// A bit for each row whose cell is in view.
    near: Vec<u64>,
    /// What was found in each chunk of rows.
    parts: Vec<Heaps>,
    orders: [DrawOrder; HEAPS],
    /// What is drawn, from below to above.
    sorted: Vec<Instance>,
}

impl Gatherer {
    /// How many units were found.
    pub(crate) fn count(&self) -> usize {
        self.sorted.len()
    }

    /// The units within `area` in drawing order.
    pub(crate) fn gather(&mut self, units: &UnitColumns<'_>, area: [f32; 4]) -> &[Instance] {
        let by_cell = units.cells.filter(|cells| few(cells, units, area));
        if let Some(cells) = by_cell {
            self.mark(&cells, units.len(), area);
        }
        let near = by_cell.map(|_| &self.near);
        self.parts
            .resize_with(units.len().div_ceil(CHUNK), Heaps::default);
        let rows = match near {
            Some(near) => near.iter().map(|bits| bits.count_ones() as usize).sum(),
            None => units.len(),
        };
        let many = rows > WORTH_SHARING;
        each(&mut self.parts, many, |number, part| {
            let rows = number * CHUNK..((number + 1) * CHUNK).min(units.len());
            match near {
                Some(near) => part.fill(units, marked(near, rows), area),
                None => part.fill(units, rows, area),
            }
        });
        let parts = &self.parts;
        let heap = |number: usize| parts.iter().map(move |part| &part.0[number][..]);
        let lengths: [usize; HEAPS] =
            std::array::from_fn(|number| heap(number).map(<[_]>::len).sum());
        self.sorted
            .resize(lengths.iter().sum(), Instance::default());
        let mut rest = &mut self.sorted[..];
        let slots = lengths.map(|length| rest.split_off_mut(..length).unwrap_or_default());
        let mut jobs: Vec<_> = self.orders.iter_mut().zip(slots).collect();
        each(&mut jobs, many, |number, (order, sorted)| {
            let y = |instance: &Instance| instance.position[1];
            order.sort(heap(number), y, heights(number, area), sorted);
        });
        &self.sorted
    }

    /// Marks the rows that cells say may be in view: cells know no order of rows, bits do.
    fn mark(&mut self, cells: &Cells<'_>, count: usize, area: [f32; 4]) {
        self.near.clear();
        self.near.resize(count.div_ceil(64), 0);
        let sorted = rows_near(cells, area).flatten().map(|&row| row as usize);
        for row in sorted.chain(cells.len()..count).filter(|&row| row < count) {
            self.near[row / 64] |= 1 << (row % 64);
        }
    }
}

/// Does a job for each item, on other threads too where there is `much` to do.
fn each<T: Send>(items: &mut [T], much: bool, job: impl Fn(usize, &mut T) + Sync) {
    if much {
        let items = items.par_iter_mut().enumerate();
        items.for_each(|(number, item)| job(number, item));
    } else {
        let items = items.iter_mut().enumerate();
        items.for_each(|(number, item)| job(number, item));
    }
}

/// Where in the picture a heap's units are: lowest and highest y.
fn heights(heap: usize, [_, y0, _, y1]: [f32; 4]) -> [f32; 2] {
    let strip = (y1 - y0) / STRIPS as f32;
    match heap.checked_sub(1) {
        None => [y0, y1],
        Some(number) => [0, 1].map(|edge| y0 + strip * (number + edge) as f32),
    }
}

/// Units found in a chunk of rows.
#[derive(Default)]
struct Heaps([Vec<Instance>; HEAPS]);

impl Heaps {
    /// Packs those of some rows that lie within `area`.
    fn fill(&mut self, units: &UnitColumns<'_>, rows: impl Iterator<Item = usize>, area: [f32; 4]) {
        self.0.iter_mut().for_each(Vec::clear);
        let [x0, y0, x1, y1] = area;
        let strips = STRIPS as f32 / (y1 - y0).max(1e-20);
        let count = units.len();
        let (position, previous) = (&units.position[..count], &units.previous[..count]);
        let (radius, heading) = (&units.radius[..count], &units.heading[..count]);
        let team = &units.team[..count];
        for row in rows {
            let (at, radius) = (position[row], radius[row]);
            let reach = 2.0 * radius;
            // What is no number is nowhere.
            let across = at.x + reach >= x0 && at.x - reach <= x1;
            if !(across && at.y + reach >= y0 && at.y - reach <= y1) {
                continue;
            }
            let step = (at - previous[row]) * (1.0 / STEP_RANGE);
            let jump = step.abs().max_element() >= 1.0;
            let step = if jump { Vec2::ZERO } else { step };
            let frame = units.frame.get(row).copied().unwrap_or(UnitColumns::BODY);
            let instance = Instance {
                position: at.to_array(),
                motion: encode_step(step.x)
                    | encode_step(step.y) << 14
                    | u32::from(team[row] & 15) << 28,
                look: encode_heading(heading[row])
                    | encode_radius(radius) << 8
                    | u32::from(frame) << 16,
            };
            let heap = if units.lying.get(row).copied().unwrap_or(false) {
                0
            } else {
                1 + (((at.y - y0) * strips) as usize).min(STRIPS - 1)
            };
            self.0[heap].push(instance);
        }
    }
}

/// Whether going from cell to cell is faster than one walk along the columns.
fn few(cells: &Cells<'_>, units: &UnitColumns<'_>, area: [f32; 4]) -> bool {
    rows_near(cells, area).map(<[u32]>::len).sum::<usize>() * 2 < units.len()
}

/// Rows of the units whose sprites may show in `area`.
fn rows_near<'a>(cells: &Cells<'a>, [x0, y0, x1, y1]: [f32; 4]) -> impl Iterator<Item = &'a [u32]> {
    let margin = cells.max_radius();
    cells.rows_near(Vec2::new(x0, y0), Vec2::new(x1, y1), margin)
}

/// The marked ones of some rows, which begin with a whole word of marks.
fn marked(marks: &[u64], rows: Range<usize>) -> impl Iterator<Item = usize> + '_ {
    let words = rows.start / 64..rows.end.div_ceil(64);
    words.flat_map(|word| ones(marks[word]).map(move |bit| word * 64 + bit))
}

/// Places of the set bits, ascending.
fn ones(mut bits: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = bits.trailing_zeros() as usize;
        (bits != 0).then(|| {
            bits &= bits - 1;
            bit
        })
    })
}

/// 14 bits with zero at 8192; `share` lies in (-1, 1).
fn encode_step(share: f32) -> u32 {
    whole(share * 8191.0 + 8192.0)
}

fn encode_heading(radians: f32) -> u32 {
    // Turns are added, for negative angles to count from the other side.
    whole(radians * (256.0 / std::f32::consts::TAU) + 65536.0) & 255
}

/// Thirty-two steps for each doubling, from 0.05 cells: the exponent and the first five bits of the
/// fraction. As in the shader.
fn encode_radius(radius: f32) -> u32 {
    let steps = radius.to_bits().saturating_sub(SMALLEST.to_bits()) >> RADIUS_SHIFT;
    steps.min(255)
}

/// Smaller radii are drawn as this one, cells.
const SMALLEST: f32 = 0.05;
const RADIUS_SHIFT: u32 = 18;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_instance_is_sixteen_bytes() {
        assert_eq!(size_of::<Instance>(), 16);
    }

    #[test]
    fn headings_wrap() {
        let quarter = std::f32::consts::FRAC_PI_2;
        assert_eq!(encode_heading(quarter), 64);
        assert_eq!(encode_heading(-quarter), 192);
        assert_eq!(encode_heading(4.0 * quarter), 0);
    }

    /// As the shader does it.
    fn decode_radius(code: u32) -> f32 {
        f32::from_bits(SMALLEST.to_bits() + (code << RADIUS_SHIFT) + (1 << (RADIUS_SHIFT - 1)))
    }

    #[test]
    fn radii_survive_to_two_percent() {
        for radius in [0.05_f32, 0.2, 0.3, 0.35, 0.4, 0.5, 1.0, 4.0, 12.0] {
            let back = decode_radius(encode_radius(radius));
            assert!((back / radius - 1.0).abs() < 0.02, "{radius} became {back}");
        }
    }

    #[test]
    fn places_that_are_no_numbers_are_left_out() {
        let position = [f32::NAN, f32::INFINITY, 1.0].map(Vec2::splat);
        let columns = UnitColumns {
            position: &position,
            previous: &position,
            heading: &[f32::NAN, 0.0, f32::INFINITY],
            radius: &[0.5; 3],
            team: &[0; 3],
            ..UnitColumns::default()
        };
        let mut gatherer = Gatherer::default();
        let found = gatherer.gather(&columns, [0.0, 0.0, 2.0, 2.0]);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].position, [1.0; 2]);
    }

    #[test]
    fn going_by_cells_finds_the_same_units_in_the_same_order() {
        let map = throng::Map::open(200, 200).expect("a small map");
        let mut sim = throng::Simulation::new(map, throng::Config::default()).expect("sound");
        let mut world = hecs::World::new();
        let spawn = |sim: &mut throng::Simulation, world: &mut hecs::World, n: u32| {
            let spec = throng::UnitSpec {
                position: Vec2::new((n * 37 % 190) as f32 + 5.0, (n * 71 % 190) as f32 + 5.0),
                radius: 0.2 + (n % 3) as f32 * 0.1,
                ..Default::default()
            };
            sim.spawn(world, &spec).expect("there is room")
        };
        let all: Vec<_> = (0..600).map(|n| spawn(&mut sim, &mut world, n)).collect();
        let to = Vec2::splat(100.5);
        sim.order(&world, &all, throng::Order::Move { to }, false)
            .expect("it is free");
        for _ in 0..20 {
            sim.tick(&mut world);
        }
        // One that no tick has sorted yet.
        spawn(&mut sim, &mut world, 1601);
        let columns = crate::simulation::columns(&sim, &[]);
        let all = UnitColumns {
            cells: None,
            ..columns
        };
        for area in [
            [60.0, 20.0, 110.0, 70.0],
            [0.0, 0.0, 200.0, 200.0],
            [-9.0, -9.0, -4.0, -4.0],
        ] {
            let (mut by_cells, mut by_rows) = (Gatherer::default(), Gatherer::default());
            assert_eq!(by_cells.gather(&columns, area), by_rows.gather(&all, area));
        }
    }
}
