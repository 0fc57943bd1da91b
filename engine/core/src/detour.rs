//! Detours: the ways through a parking lot round those at rest.
//!
//! The flow field of a route knows walls alone. Where walls cut up the ground round the goal, those
//! at rest close passages that it leads through; then whoever still looks for a place follows this
//! small local field to the nearest one that is open. It is made anew every few ticks, over the lot
//! and a margin round it, by Dijkstra's search from all open places at once, in which ground that
//! units rest on costs several times its length.

use std::{cmp::Reverse, collections::BinaryHeap};

use glam::Vec2;

use crate::{map::Occupancy, motion::walls};

/// Ticks between two searches of one lot.
pub(crate) const PERIOD: u64 = 16;
/// What a cell costs per unit that rests in it, in lengths of free ground.
const RESTER: u32 = 8;
/// Cost of a step to a neighbour in sixteenths of a cell, straight and diagonal.
const STRAIGHT: u32 = 16;
const DIAGONAL: u32 = 23;
/// Cells looked ahead along the way for the furthest one in sight.
const AHEAD: usize = 6;
const UNREACHED: u32 = u32::MAX;

/// What is known of one cell.
#[derive(Clone, Copy, Debug)]
struct Cell {
    /// Cost of the way to the best open place, its handicap included, sixteenths of a cell.
    cost: u32,
    /// That place,
    place: u32,
    /// and what of the cost is its handicap.
    handicap: u32,
    /// Step to the next cell of the way, -1 to 1 along each axis.
    step: (i8, i8),
}

impl Cell {
    /// What is left of the way, cells.
    fn left(self) -> f32 {
        (self.cost - self.handicap) as f32 / STRAIGHT as f32
    }
}

const CLOSED: Cell = Cell {
    cost: UNREACHED,
    place: 0,
    handicap: 0,
    step: (0, 0),
};

/// The ways to the open places of one lot.
#[derive(Clone, Debug, Default)]
pub(crate) struct Detour {
    x0: i32,
    y0: i32,
    width: i32,
    height: i32,
    cells: Vec<Cell>,
    resters: Vec<u8>,
    /// Cells to be looked at, cheapest first; empty between searches.
    queue: BinaryHeap<Reverse<(u32, u32)>>,
}

impl Detour {
    /// Begins anew over all cells within `reach` of `goal` that lie on the map.
    pub fn reset(&mut self, walls: &Occupancy, goal: Vec2, reach: f32) {
        let low = (goal - reach).floor().max(Vec2::ZERO);
        let high = (goal + reach).ceil();
        (self.x0, self.y0) = (low.x as i32, low.y as i32);
        self.width = (high.x as i32).min(walls.width() as i32) - self.x0;
        self.height = (high.y as i32).min(walls.height() as i32) - self.y0;
        let count = (self.width.max(0) * self.height.max(0)) as usize;
        self.cells.clear();
        self.cells.resize(count, CLOSED);
        self.resters.clear();
        self.resters.resize(count, 0);
        // Few cells ever wait twice.
        self.queue.reserve(count);
    }

    fn index(&self, x: i32, y: i32) -> Option<usize> {
        let (column, row) = (x - self.x0, y - self.y0);
        let inside = (0..self.width).contains(&column) && (0..self.height).contains(&row);
        inside.then(|| (row * self.width + column) as usize)
    }

    fn index_at(&self, at: Vec2) -> Option<usize> {
        self.index(at.x.floor() as i32, at.y.floor() as i32)
    }

    /// A unit rests at `at`.
    pub fn add_rester(&mut self, at: Vec2) {
        if let Some(index) = self.index_at(at) {
            self.resters[index] = self.resters[index].saturating_add(1);
        }
    }

    /// Searches from the open places, each with its number and its handicap in cells.
    pub fn search(&mut self, walls: &Occupancy, open: impl Iterator<Item = (u32, Vec2, f32)>) {
        let mut queue = std::mem::take(&mut self.queue);
        for (place, at, handicap) in open {
            let handicap = (handicap * STRAIGHT as f32) as u32;
            if let Some(index) = self.index_at(at)
                && handicap < self.cells[index].cost
            {
                self.cells[index] = Cell {
                    cost: handicap,
                    handicap,
                    place,
                    step: (0, 0),
                };
                queue.push(Reverse((handicap, index as u32)));
            }
        }
        while let Some(Reverse((cost, index))) = queue.pop() {
            let index = index as usize;
            let here = self.cells[index];
            if cost > here.cost {
                continue;
            }
            let x = self.x0 + index as i32 % self.width;
            let y = self.y0 + index as i32 / self.width;
            for (dx, dy) in [
                (1, 0),
                (0, 1),
                (-1, 0),
                (0, -1),
                (1, 1),
                (-1, 1),
                (-1, -1),
                (1, -1),
            ] {
                let Some(next) = self.index(x + dx, y + dy) else {
                    continue;
                };
                if walls.blocked(x + dx, y + dy)
                    || walls.blocked(x + dx, y)
                    || walls.blocked(x, y + dy)
                {
                    continue;
                }
                let length = if dx == 0 || dy == 0 {
                    STRAIGHT
                } else {
                    DIAGONAL
                };
                let through = cost + length * (1 + RESTER * u32::from(self.resters[next]));
                if through < self.cells[next].cost {
                    self.cells[next] = Cell {
                        cost: through,
                        place: here.place,
                        handicap: here.handicap,
                        step: (-dx as i8, -dy as i8),
                    };
                    queue.push(Reverse((through, next as u32)));
                }
            }
        }
        self.queue = queue;
    }

    /// The open place that the way from `at` leads to, and what is left of it in
    /// cells.
    pub fn place(&self, at: Vec2) -> Option<(u32, f32)> {
        let cell = self.cells[self.index_at(at)?];
        (cell.cost != UNREACHED).then(|| (cell.place, cell.left()))
    }

    /// The furthest of the next points of the way from `at` that is in sight, and the cost from
    /// there on in cells; `None` where no way is known, or it ends in this very cell.
    pub fn next(&self, walls: &Occupancy, at: Vec2) -> Option<(Vec2, f32)> {
        let mut cell = self.cells[self.index_at(at)?];
        if cell.cost == UNREACHED {
            return None;
        }
        let (mut x, mut y) = (at.x.floor() as i32, at.y.floor() as i32);
        let mut best = None;
        for _ in 0..AHEAD {
            if cell.step == (0, 0) {
                break;
            }
            (x, y) = (x + i32::from(cell.step.0), y + i32::from(cell.step.1));
            cell = self.cells[self.index(x, y)?];
            let centre = Vec2::new(x as f32 + 0.5, y as f32 + 0.5);
            if best.is_some() && !walls::is_in_sight(walls, at, centre) {
                break;
            }
            best = Some((centre, cell.left()));
        }
        best
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::map::{Map, SizeClass};

    /// The way is read off by following it to its end.
    fn walk(detour: &Detour, walls: &Occupancy, from: Vec2) -> Vec<Vec2> {
        let mut way = vec![from];
        while let Some((next, _)) = detour.next(walls, *way.last().unwrap()) {
            way.push(next);
            assert!(way.len() < 100, "{way:?}");
        }
        way
    }

    #[test]
    fn the_way_leads_round_those_at_rest() {
        let map = Map::from_ascii(".........\n.###.###.\n.........\n.........").unwrap();
        let walls = &map.nav(SizeClass::default()).occupancy;
        let (from, open) = (Vec2::new(4.5, 3.5), Vec2::new(4.5, 0.5));
        let search = |resters: &[Vec2]| {
            let mut detour = Detour::default();
            detour.reset(walls, open, 9.0);
            for &at in resters {
                detour.add_rester(at);
            }
            detour.search(walls, std::iter::once((7, open, 2.0)));
            detour
        };
        let free = search(&[]);
        assert_eq!(free.place(from), Some((7, 3.0)));
        assert!(walk(&free, walls, from).iter().all(|p| p.x == 4.5));
        let closed = search(&[Vec2::new(4.4, 1.5), Vec2::new(4.6, 1.2)]);
        let way = walk(&closed, walls, from);
        assert_eq!(way.last(), Some(&open));
        assert!(way.iter().any(|p| p.x < 1.0 || p.x > 8.0), "{way:?}");
    }

    #[test]
    fn no_open_place_is_no_way() {
        let map = Map::open(6, 6).unwrap();
        let walls = &map.nav(SizeClass::default()).occupancy;
        let mut detour = Detour::default();
        detour.reset(walls, Vec2::splat(3.0), 4.0);
        detour.search(walls, std::iter::empty());
        assert_eq!(detour.place(Vec2::splat(1.5)), None);
        assert_eq!(detour.next(walls, Vec2::splat(1.5)), None);
    }
}
