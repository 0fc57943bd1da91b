//! The parts of one sector and their links to the sectors beside it.

use std::{ops::Range, sync::OnceLock};

use super::SIDE;
use super::gates::Gates;
use crate::map::{CellRect, Occupancy};

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
    /// Where the links lead through; measured when it is first asked for.
    pub gates: OnceLock<Gates>,
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
    pub const ALL: [Self; 4] = [Self::Left, Self::Right, Self::Top, Self::Bottom];

    /// Of a rectangle of sectors those along this border, and those across it in the same order.
    pub fn rows_along(self, rect: CellRect) -> (CellRect, CellRect) {
        let CellRect { x0, y0, x1, y1 } = rect;
        let column = |x| CellRect::new(x, y0, x + 1, y1);
        let row = |y| CellRect::new(x0, y, x1, y + 1);
        match self {
            Self::Left => (column(x0), column(x0 - 1)),
            Self::Right => (column(x1 - 1), column(x1)),
            Self::Top => (row(y0), row(y0 - 1)),
            Self::Bottom => (row(y1 - 1), row(y1)),
        }
    }

    /// The cells on both sides of the border at a place along it: numbers inside this sector and
    /// the other, `row * SIDE + column`.
    pub fn border_cells(self, along: usize) -> (usize, usize) {
        const LAST: usize = SIDE as usize - 1;
        let (column, row) = (SIDE as usize, 1);
        match self {
            Self::Left => (along * column, along * column + LAST),
            Self::Right => (along * column + LAST, along * column),
            Self::Top => (along * row, LAST * column + along * row),
            Self::Bottom => (LAST * column + along * row, along * row),
        }
    }

    /// The same border, seen from the other sector.
    pub fn opposite(self) -> Self {
        match self {
            Self::Left => Self::Right,
            Self::Right => Self::Left,
            Self::Top => Self::Bottom,
            Self::Bottom => Self::Top,
        }
    }

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

impl Link {
    /// The part of this sector.
    pub fn part(&self) -> u16 {
        self.part
    }

    /// The same link, seen from the other sector.
    pub fn reversed(self) -> Self {
        Self {
            part: self.other,
            side: self.side.opposite(),
            other: self.part,
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
            + self.gates.get().map_or(0, Gates::memory_bytes)
    }
}

/// For each cell the part it belongs to; the cells of a sector lie together, so that labelling one
/// touches few pages of memory.
#[derive(Clone, Debug)]
pub(super) struct Labels {
    width: u32,
    height: u32,
    /// Sectors per row.
    across: usize,
    parts: Vec<u16>,
}

/// The label of blocked cells. A sector has at most one part for every second cell.
pub(super) const NO_PART: u16 = u16::MAX;

/// Cells of a sector.
const CELLS: usize = (SIDE * SIDE) as usize;

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
    /// The column after the last.
    fn end(&self) -> u8 {
        self.start + self.length
    }
}

impl Labels {
    pub fn new(width: u32, height: u32) -> Self {
        let across = width.div_ceil(SIDE as u32) as usize;
        let down = height.div_ceil(SIDE as u32) as usize;
        Self {
            width,
            height,
            across,
            parts: vec![NO_PART; across * down * CELLS],
        }
    }

    /// Sector and part of a cell; `None` when it is blocked or outside the map.
    #[inline]
    pub fn part(&self, x: i32, y: i32) -> Option<(usize, u16)> {
        if x as u32 >= self.width || y as u32 >= self.height {
            return None;
        }
        let sector = (y / SIDE) as usize * self.across + (x / SIDE) as usize;
        let part = self.parts[sector * CELLS + (y % SIDE * SIDE + x % SIDE) as usize];
        (part != NO_PART).then_some((sector, part))
    }

    /// Sectors per row.
    pub fn across(&self) -> usize {
        self.across
    }

    /// The parts of the cells of a sector, row by row; `NO_PART` in blocked ones.
    pub fn cells(&self, sector: usize) -> &[u16] {
        &self.parts[sector * CELLS..][..CELLS]
    }

    /// The parts of the cells of one row of a sector.
    pub fn row(&self, sector: usize, row: i32) -> impl Iterator<Item = Option<u16>> {
        let start = sector * CELLS + (row * SIDE) as usize;
        let cells = &self.parts[start..start + SIDE as usize];
        cells.iter().map(|&part| (part != NO_PART).then_some(part))
    }

    pub fn memory_bytes(&self) -> usize {
        self.parts.capacity() * size_of::<u16>()
    }

    /// Labels the cells of a sector and answers its parts. `runs` is scratch.
    pub fn label_sector(
        &mut self,
        occupancy: &Occupancy,
        sector: usize,
        runs: &mut Vec<Run>,
    ) -> Vec<Part> {
        let (x0, y0) = (sector % self.across, sector / self.across);
        find_runs(occupancy, x0 as i32 * SIDE, y0 as i32 * SIDE, runs);
        let cells = &mut self.parts[sector * CELLS..][..CELLS];
        cells.fill(NO_PART);
        let mut parts: Vec<Part> = Vec::new();
        for index in 0..runs.len() {
            let Run {
                row,
                start,
                length,
                parent,
            } = runs[index];
            let first = u16::from(row) * SIDE as u16 + u16::from(start);
            // Parents come first, so theirs is already the number of a part.
            let part = if usize::from(parent) == index {
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
            cells[usize::from(first)..][..usize::from(length)].fill(part);
        }
        parts
    }

    /// Finds the links of a sector. Empty cells beyond the map's edge have no part.
    pub fn link_sector(&self, sector: usize, links: &mut Vec<Link>) {
        links.clear();
        let (x, y) = (sector % self.across, sector / self.across);
        let down = self.parts.len() / CELLS / self.across;
        for (side, there) in [
            (Side::Left, x > 0),
            (Side::Right, x + 1 < self.across),
            (Side::Top, y > 0),
            (Side::Bottom, y + 1 < down),
        ] {
            if !there {
                continue;
            }
            let other = side.step(sector as u32, self.across as u32) as usize;
            let (here, there) = (self.cells(sector), self.cells(other));
            for along in 0..SIDE as usize {
                let (from, to) = side.border_cells(along);
                let found = Link {
                    part: here[from],
                    side,
                    other: there[to],
                };
                let free = found.part != NO_PART && found.other != NO_PART;
                if free && links.last() != Some(&found) {
                    links.push(found);
                }
            }
        }
        links.sort_unstable();
        links.dedup();
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
            let start = free.trailing_zeros() as u8;
            let length = (free >> start).trailing_ones() as u8;
            let index = runs.len();
            let run = Run {
                row: row as u8,
                start,
                length,
                parent: index as u16,
            };
            runs.push(run);
            free &= (u64::MAX << start).checked_shl(length.into()).unwrap_or(0);
            while above.start < above.end && runs[above.start].end() <= run.start {
                above.start += 1;
            }
            // The last run above that touches this one may touch the next one too.
            for upper in above.clone() {
                if runs[upper].start >= run.end() {
                    break;
                }
                unite(runs, upper, index);
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
