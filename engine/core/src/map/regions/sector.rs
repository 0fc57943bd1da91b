//! The parts of one sector and their links to the sectors beside it.

use std::ops::Range;

use super::SIDE;
use crate::map::Occupancy;

/// Cells of one sector that hang together inside it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    /// The region it belongs to.
    pub region: u32,
    /// What the join has found out about it, 0 outside of a join.
    pub mark: u32,
    /// Number of cells.
    pub size: u16,
    /// Its first cell in row order, `row * SIDE + column` inside the sector.
    pub first: u16,
}

impl Part {
    /// The region of a part that has none yet.
    pub const NO_REGION: u32 = u32::MAX;
}

/// The parts of a sector, numbered by their first cells, and where they go on.
#[derive(Clone, Debug, Default)]
pub(super) struct Sector {
    pub parts: Vec<Part>,
    /// Sorted, each once.
    pub links: Vec<Link>,
}

/// A part touches a part of the next sector.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Link {
    /// The part of this sector.
    part: u16,
    /// Where the other sector lies.
    pub side: Side,
    /// The part over there.
    pub other: u16,
}

/// A border of a sector.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Side {
    Left,
    Right,
    Top,
    Bottom,
}

impl Side {
    /// The sector across this border, in a map with that many sectors a row.
    pub fn step(self, sector: u32, across: u32) -> u32 {
        match self {
            Self::Left => sector - 1,
            Self::Right => sector + 1,
            Self::Top => sector - across,
            Self::Bottom => sector + across,
        }
    }
}

impl Sector {
    /// Indices of the links of one part.
    pub fn links_of(&self, part: u16) -> Range<usize> {
        let start = self.links.partition_point(|link| link.part < part);
        start..start + self.links[start..].partition_point(|link| link.part == part)
    }

    pub fn memory_bytes(&self) -> usize {
        size_of::<Self>()
            + self.parts.capacity() * size_of::<Part>()
            + self.links.capacity() * size_of::<Link>()
    }
}

/// For each cell the part it belongs to, row by row.
#[derive(Clone, Debug)]
pub(super) struct Labels {
    width: u32,
    height: u32,
    parts: Vec<u16>,
}

/// The label of blocked cells. A sector has at most one part for every second cell.
const NO_PART: u16 = u16::MAX;

/// Free cells side by side in one row of a sector.
#[derive(Clone, Copy)]
pub(super) struct Run {
    row: u8,
    start: u8,
    length: u8,
    /// A run before this one, or itself, that it hangs together with; later the number of its part.
    parent: u16,
}

impl Run {
    fn bits(&self) -> u64 {
        (u64::MAX >> (64 - self.length)) << self.start
    }
}

impl Labels {
    pub fn new(width: u32, height: u32) -> Self {
        Self {
            width,
            height,
            parts: vec![NO_PART; width as usize * height as usize],
        }
    }

    /// The part of a cell; `None` when it is blocked or outside the map.
    #[inline]
    pub fn part(&self, x: i32, y: i32) -> Option<u16> {
        if x as u32 >= self.width || y as u32 >= self.height {
            return None;
        }
        let part = self.parts[self.index(x, y)];
        (part != NO_PART).then_some(part)
    }

    pub fn memory_bytes(&self) -> usize {
        self.parts.capacity() * size_of::<u16>()
    }

    /// Labels the cells of the sector whose first cell is (x0, y0) and answers its parts. `runs` is
    /// scratch.
    pub fn label_sector(
        &mut self,
        occupancy: &Occupancy,
        x0: i32,
        y0: i32,
        runs: &mut Vec<Run>,
    ) -> Vec<Part> {
        find_runs(occupancy, x0, y0, runs);
        let columns = SIDE.min(self.width as i32 - x0) as usize;
        for y in y0..(y0 + SIDE).min(self.height as i32) {
            let start = self.index(x0, y);
            self.parts[start..start + columns].fill(NO_PART);
        }
        let mut parts: Vec<Part> = Vec::new();
        for index in 0..runs.len() {
            let Run {
                row,
                start,
                length,
                parent,
            } = runs[index];
            // Parents come first, so theirs is already the number of a part.
            let part = if usize::from(parent) == index {
                let first = u16::from(row) * SIDE as u16 + u16::from(start);
                parts.push(Part {
                    region: Part::NO_REGION,
                    mark: 0,
                    size: 0,
                    first,
                });
                parts.len() as u16 - 1
            } else {
                runs[usize::from(parent)].parent
            };
            runs[index].parent = part;
            parts[usize::from(part)].size += u16::from(length);
            let cell = self.index(x0 + i32::from(start), y0 + i32::from(row));
            self.parts[cell..cell + usize::from(length)].fill(part);
        }
        parts.shrink_to_fit();
        parts
    }

    /// Finds the links of the sector whose first cell is (x0, y0).
    pub fn link_sector(&self, x0: i32, y0: i32, links: &mut Vec<Link>) {
        links.clear();
        let mut link = |side, (x, y), (other_x, other_y)| {
            if let (Some(part), Some(other)) = (self.part(x, y), self.part(other_x, other_y)) {
                let found = Link { part, side, other };
                if links.last() != Some(&found) {
                    links.push(found);
                }
            }
        };
        let (x1, y1) = (x0 + SIDE, y0 + SIDE);
        for y in y0..y1 {
            link(Side::Left, (x0, y), (x0 - 1, y));
        }
        for y in y0..y1 {
            link(Side::Right, (x1 - 1, y), (x1, y));
        }
        for x in x0..x1 {
            link(Side::Top, (x, y0), (x, y0 - 1));
        }
        for x in x0..x1 {
            link(Side::Bottom, (x, y1 - 1), (x, y1));
        }
        links.sort_unstable();
        links.dedup();
    }

    fn index(&self, x: i32, y: i32) -> usize {
        y as usize * self.width as usize + x as usize
    }
}

/// Lists the runs of free cells of a sector in row order. The parent of a run that hangs together
/// with earlier ones is the first of them all.
fn find_runs(occupancy: &Occupancy, x0: i32, y0: i32, runs: &mut Vec<Run>) {
    runs.clear();
    let mut above = 0..0;
    for row in 0..SIDE {
        let mut free = !occupancy.row64(x0, y0 + row);
        let begin = runs.len();
        while free != 0 {
            let start = free.trailing_zeros();
            let length = (free >> start).trailing_ones();
            let index = runs.len();
            let run = Run {
                row: row as u8,
                start: start as u8,
                length: length as u8,
                parent: index as u16,
            };
            free &= !run.bits();
            runs.push(run);
            for upper in above.clone() {
                if runs[upper].bits() & run.bits() != 0 {
                    unite(runs, upper, index);
                }
            }
        }
        above = begin..runs.len();
    }
    // Ascending, so that each parent is a root by the time it is asked.
    for index in 0..runs.len() {
        runs[index].parent = runs[usize::from(runs[index].parent)].parent;
    }
}

fn unite(runs: &mut [Run], a: usize, b: usize) {
    let (a, b) = (root(runs, a), root(runs, b));
    runs[a.max(b)].parent = a.min(b) as u16;
}

fn root(runs: &mut [Run], mut index: usize) -> usize {
    while usize::from(runs[index].parent) != index {
        let parent = usize::from(runs[index].parent);
        runs[index].parent = runs[parent].parent;
        index = parent;
    }
    index
}
