//! Coarse ways: a search over the gates of sectors, for the time until a flow field is there.

use std::{
    cmp::Reverse,
    collections::{BTreeSet, BinaryHeap},
};

use glam::Vec2;

use super::gates::NO_WAY;
use super::sector::Side;
use super::{PartId, Regions, SIDE};
use crate::map::Occupancy;

/// Lengths are searched this much farther than the last start, cells: units that stray from their
/// way still find one.
const MARGIN: u32 = 3 * SIDE as u32;

/// How much longer a way out of a sector may be than the shortest and still be taken, cells.
const DETOUR: u32 = 2 * SIDE as u32;

/// A way out of a sector.
#[derive(Clone, Copy, Debug)]
struct Exit {
    /// Length of the way from here on, cells; `NO_WAY` where none is known.
    length: u32,
    /// The exit that the way takes out of the next sector, by number; `GOAL` where it ends there.
    next: u32,
    side: Side,
    low: u8,
    high: u8,
    middle: u16,
}

const UNKNOWN: u32 = u32::MAX;
const GOAL: u32 = u32::MAX;

/// Where coarse ways lead: for each sector its exits, with the length of the way from each.
#[derive(Clone, Debug)]
pub(crate) struct CoarseWays {
    /// The exits of sector s are `first[s]..first[s + 1]`.
    first: Vec<u32>,
    exits: Vec<Exit>,
    across: usize,
    /// Cells that the ways end in, with the distance left from there.
    ends: Vec<(i32, i32, f32)>,
    goal: Vec2,
    work: u64,
}

/// What coarse ways tell a unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct CoarseGuidance {
    /// Where to walk.
    pub target: Vec2,
    /// Length of the way to the goal, cells.
    pub distance: f32,
}

impl Regions {
    /// Ways to `goal`, which end in the cells `ends` with a distance left each, out of all sectors
    /// that are not much farther than the farthest of the sectors `starts`.
    pub(crate) fn ways_to(
        &self,
        occupancy: &Occupancy,
        goal: Vec2,
        ends: Vec<(i32, i32, f32)>,
        starts: &[u32],
    ) -> CoarseWays {
        let mut first = Vec::with_capacity(self.sectors.len() + 1);
        let mut count = 0;
        first.push(0);
        for sector in &self.sectors {
            count += sector.links.len() as u32;
            first.push(count);
        }
        let mut search = Search {
            regions: self,
            occupancy,
            first: &first,
            exits: vec![
                Exit {
                    length: UNKNOWN,
                    next: GOAL,
                    side: Side::Left,
                    low: 0,
                    high: 0,
                    middle: 0,
                };
                count as usize
            ],
            nodes: vec![(UNKNOWN, GOAL); count as usize],
            queue: BinaryHeap::new(),
            work: 0,
        };
        for &(x, y, left) in &ends {
            search.begin(x, y, left);
        }
        search.run(starts);
        let (exits, work) = (search.exits, search.work);
        CoarseWays {
            first,
            exits,
            across: self.across,
            ends,
            goal,
            work,
        }
    }

    /// The sector that holds a cell of the map.
    pub(crate) fn sector_of(&self, x: i32, y: i32) -> u32 {
        (y / SIDE) as u32 * self.across as u32 + (x / SIDE) as u32
    }
}

struct Search<'a> {
    regions: &'a Regions,
    occupancy: &'a Occupancy,
    first: &'a [u32],
    exits: Vec<Exit>,
    /// For each gate the length of the way from its cell, inside its sector, and the exit taken.
    nodes: Vec<(u32, u32)>,
    /// Lengths and gates, nearest first, ties by number.
    queue: BinaryHeap<Reverse<(u32, u32, u32)>>,
    work: u64,
}

impl Search<'_> {
    fn begin(&mut self, x: i32, y: i32, left: f32) {
        if self.regions.labels.part(x, y).is_none() {
            return;
        }
        let sector = self.regions.sector_of(x, y);
        let lengths = self.regions.lengths_from(self.occupancy, x, y);
        for (gate, length) in lengths.into_iter().enumerate() {
            if length != NO_WAY {
                self.offer(sector, gate, u32::from(length) + left as u32, GOAL);
            }
        }
    }

    fn offer(&mut self, sector: u32, gate: usize, length: u32, next: u32) {
        let node = self.first[sector as usize] + gate as u32;
        let known = &mut self.nodes[node as usize];
        if length < known.0 {
            *known = (length, next);
            self.queue.push(Reverse((length, node, sector)));
        }
    }

    fn run(&mut self, starts: &[u32]) {
        let mut open: Vec<u32> = starts.to_vec();
        open.sort_unstable();
        open.dedup();
        let (mut found, mut missing) = (vec![false; open.len()], open.len());
        let mut end = UNKNOWN;
        while let Some(Reverse((length, node, sector))) = self.queue.pop() {
            if length > end {
                break;
            }
            let (known, next) = self.nodes[node as usize];
            if length > known {
                continue;
            }
            self.work += 1;
            let gate = (node - self.first[sector as usize]) as usize;
            let (there, twin) = self.regions.twin(sector as usize, gate);
            self.leave(there, twin, length + 1, next);
            for sector in [sector, there.sector] {
                if let Ok(index) = open.binary_search(&sector)
                    && !found[index]
                {
                    found[index] = true;
                    missing -= 1;
                }
            }
            if missing == 0 && end == UNKNOWN {
                end = length.saturating_add(MARGIN);
            }
        }
    }

    /// A way leads out of a part by its gate `twin`: every other gate of the part has one, too.
    fn leave(&mut self, part: PartId, twin: usize, length: u32, next: u32) {
        let sector = part.sector as usize;
        let regions = self.regions;
        let exit = self.first[sector] + twin as u32;
        let gates = regions.gates(self.occupancy, sector);
        let gate = gates.list[twin];
        self.exits[exit as usize] = Exit {
            length,
            next,
            side: regions.sectors[sector].links[twin].side,
            low: gate.low,
            high: gate.high,
            middle: gate.middle,
        };
        for other in regions.sectors[sector].links_of(part.part) {
            let way = gates.length(other, twin);
            if other != twin && way != NO_WAY {
                self.work += 1;
                self.offer(part.sector, other, length + u32::from(way), exit);
            }
        }
    }
}

impl CoarseWays {
    /// Gates looked at in the search.
    pub fn work(&self) -> u64 {
        self.work
    }

    /// The sectors on the ways from `starts` to the goal with `beside` rings of sectors round each,
    /// and `at_end` rings round the ends.
    pub fn corridor(&self, starts: &BTreeSet<u32>, beside: i32, at_end: i32) -> Vec<u32> {
        let sectors = self.first.len() - 1;
        let mut rings = vec![-1; sectors];
        let mut seen = vec![false; self.exits.len()];
        for &start in starts {
            rings[start as usize] = beside;
            let own = self.first[start as usize]..self.first[start as usize + 1];
            let length = |exit: u32| self.exits[exit as usize].length;
            let shortest = own.clone().map(length).min().unwrap_or(UNKNOWN);
            for exit in own {
                // Who stands near another exit of the sector may take that.
                if length(exit) != UNKNOWN && length(exit) - shortest <= DETOUR {
                    self.follow(start, exit, &mut seen, |sector| rings[sector] = beside);
                }
            }
        }
        for &(x, y, _) in &self.ends {
            let sector = (y / SIDE) as usize * self.across + (x / SIDE) as usize;
            rings[sector] = rings[sector].max(at_end);
        }
        let (across, down) = (self.across as i32, (sectors / self.across) as i32);
        let mut covered = vec![false; sectors];
        for (sector, &ring) in rings.iter().enumerate().filter(|(_, ring)| **ring >= 0) {
            let (x, y) = (sector as i32 % across, sector as i32 / across);
            for y in (y - ring).max(0)..=(y + ring).min(down - 1) {
                for x in (x - ring).max(0)..=(x + ring).min(across - 1) {
                    covered[(y * across + x) as usize] = true;
                }
            }
        }
        (0..sectors as u32)
            .filter(|&sector| covered[sector as usize])
            .collect()
    }

    /// Calls `visit` for the sectors that the way by an exit of a sector leads into.
    fn follow(&self, sector: u32, exit: u32, seen: &mut [bool], mut visit: impl FnMut(usize)) {
        let (mut sector, mut exit) = (sector, exit);
        while exit != GOAL && !std::mem::replace(&mut seen[exit as usize], true) {
            let way = self.exits[exit as usize];
            sector = way.side.step(sector, self.across as u32);
            visit(sector as usize);
            exit = way.next;
        }
    }

    /// Whether a way out of a sector, or to the goal in it, is known.
    pub fn lead_from(&self, sector: u32) -> bool {
        let exits = self.first[sector as usize] as usize..self.first[sector as usize + 1] as usize;
        self.exits[exits].iter().any(|exit| exit.length != UNKNOWN)
            || self.ends.iter().any(|&(x, y, _)| {
                (y / SIDE) as usize * self.across + (x / SIDE) as usize == sector as usize
            })
    }

    pub fn memory_bytes(&self) -> usize {
        self.exits.capacity() * size_of::<Exit>() + self.first.capacity() * size_of::<u32>()
    }

    /// Where to walk from `p`; `None` in blocked cells and where no way is known. The regions may
    /// have changed since the search.
    pub fn guide(&self, regions: &Regions, p: Vec2) -> Option<CoarseGuidance> {
        let cell = (p.x.floor() as i32, p.y.floor() as i32);
        let own = regions.labels.part(cell.0, cell.1)?;
        let mut best: Option<CoarseGuidance> = None;
        let mut offer = |target: Vec2, left: f32| {
            let distance = p.distance(target) + left;
            if best.is_none_or(|best| distance < best.distance) {
                best = Some(CoarseGuidance { target, distance });
            }
        };
        for &(x, y, left) in &self.ends {
            if regions.labels.part(x, y) == Some(own) {
                let centre = Vec2::new(x as f32 + 0.5, y as f32 + 0.5);
                if left < 1.0 {
                    offer(self.goal, 0.0);
                } else {
                    offer(centre, left);
                }
            }
        }
        let corner = self.corner(own.0);
        for exit in &self.exits[self.first[own.0] as usize..self.first[own.0 + 1] as usize] {
            let (column, row) = (i32::from(exit.middle) % SIDE, i32::from(exit.middle) / SIDE);
            let middle = (corner.0 + column, corner.1 + row);
            if exit.length != UNKNOWN && regions.labels.part(middle.0, middle.1) == Some(own) {
                offer(exit.target(corner, p), exit.length as f32);
            }
        }
        best
    }

    fn corner(&self, sector: usize) -> (i32, i32) {
        let (column, row) = (sector % self.across, sector / self.across);
        (column as i32 * SIDE, row as i32 * SIDE)
    }
}

impl Exit {
    /// The point beyond the gate that is nearest to `p`, for the sector whose first cell is
    /// `corner`.
    fn target(&self, corner: (i32, i32), p: Vec2) -> Vec2 {
        let corner = Vec2::new(corner.0 as f32, corner.1 as f32);
        let (low, high) = (f32::from(self.low) + 0.5, f32::from(self.high) + 0.5);
        let along = (p - corner).clamp(Vec2::splat(low), Vec2::splat(high));
        let (before, beyond) = (-0.5, SIDE as f32 + 0.5);
        corner
            + match self.side {
                Side::Left => Vec2::new(before, along.y),
                Side::Right => Vec2::new(beyond, along.y),
                Side::Top => Vec2::new(along.x, before),
                Side::Bottom => Vec2::new(along.x, beyond),
            }
    }
}
