//! Gates: where the parts of a sector open to those of the next, and how far apart the gates of one
//! sector are.
//!
//! Every link of a sector has one gate, the longest opening between its two parts, found alike from
//! both sides. Ways between gates are measured inside the sector by a wave that spreads over rows of
//! bits, 64 cells at a time. Two of five of its steps are to all eight neighbours and three to four:
//! straight ways come out exact, diagonal ones 1 % long and those in between 4 % short at most.

use rayon::prelude::*;

use super::sector::{Labels, Link, Sector};
use super::{PartId, Regions, SIDE};
use crate::map::Occupancy;

const ROWS: usize = SIDE as usize;
/// Length of a way that there is none of.
pub(super) const NO_WAY: u16 = u16::MAX;

/// The gate of a link: cells `low..=high` along the border.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Gate {
    pub low: u8,
    pub high: u8,
    /// The cell of the sector in its middle, `row * SIDE + column`.
    pub middle: u16,
}

/// The gates of a sector, in the order of its links.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Gates {
    pub list: Vec<Gate>,
    /// Length of the way from each to each, cells.
    lengths: Vec<u16>,
}

impl Gates {
    /// The gates of sector `index`, whose links are known.
    pub fn find(labels: &Labels, sector: &Sector, index: usize, occupancy: &Occupancy) -> Self {
        let across = labels.across();
        let list: Vec<Gate> = sector
            .links
            .iter()
            .map(|link| opening(labels, link, index, across))
            .collect();
        let middles: Vec<u16> = list.iter().map(|gate| gate.middle).collect();
        let free = free_rows(occupancy, index % across, index / across);
        let lengths = middles
            .iter()
            .flat_map(|&from| spread(&free, from, &middles))
            .collect();
        Self { list, lengths }
    }

    /// Length of the way inside the sector from one gate to another, cells.
    pub fn length(&self, from: usize, to: usize) -> u16 {
        self.lengths[from * self.list.len() + to]
    }

    pub fn memory_bytes(&self) -> usize {
        self.list.capacity() * size_of::<Gate>() + self.lengths.capacity() * size_of::<u16>()
    }
}

impl Regions {
    /// The gates of a sector, measured when they are first asked for.
    pub(super) fn gates(&self, occupancy: &Occupancy, sector: usize) -> &Gates {
        let found = &self.sectors[sector];
        found
            .gates
            .get_or_init(|| Gates::find(&self.labels, found, sector, occupancy))
    }

    /// Measures the gates of every sector, so that no search has to.
    pub(in crate::map) fn measure_gates(&self, occupancy: &Occupancy) {
        (0..self.sectors.len()).into_par_iter().for_each(|sector| {
            self.gates(occupancy, sector);
        });
    }

    /// Lengths of the ways from a cell to the gates of its sector, for those of its own part.
    pub(super) fn lengths_from(&self, occupancy: &Occupancy, x: i32, y: i32) -> Vec<u16> {
        let sector = (y / SIDE) as usize * self.across + (x / SIDE) as usize;
        let gates = self.gates(occupancy, sector);
        let middles: Vec<u16> = gates.list.iter().map(|gate| gate.middle).collect();
        let (column, row) = self.place(sector);
        let free = free_rows(occupancy, column as usize, row as usize);
        spread(&free, (y % SIDE * SIDE + x % SIDE) as u16, &middles)
    }

    /// The same gate, seen from the other side: the part it leads to and its number there.
    pub(super) fn twin(&self, sector: usize, gate: usize) -> (PartId, usize) {
        let there = self.across_link(sector as u32, gate);
        let reversed = self.sectors[sector].links[gate].reversed();
        let links = &self.sectors[there.sector as usize].links;
        let twin = links.partition_point(|link| *link < reversed);
        (there, twin)
    }
}

/// The longest opening of a link, of equals the first.
fn opening(labels: &Labels, link: &Link, sector: usize, across: usize) -> Gate {
    let other = link.side.step(sector as u32, across as u32) as usize;
    let (here, there) = (labels.cells(sector), labels.cells(other));
    let (mut low, mut high, mut start) = (0, 0, None);
    for along in 0..=ROWS {
        let open = along < ROWS && {
            let (from, to) = link.side.border_cells(along);
            here[from] == link.part() && there[to] == link.other
        };
        match (open, start) {
            (true, None) => start = Some(along),
            (false, Some(first)) => {
                if along - first > high - low {
                    (low, high) = (first, along);
                }
                start = None;
            }
            _ => {}
        }
    }
    let (middle, _) = link.side.border_cells((low + high - 1) / 2);
    Gate {
        low: low as u8,
        high: (high - 1) as u8,
        middle: middle as u16,
    }
}

/// The free cells of a sector, a word a row.
fn free_rows(occupancy: &Occupancy, column: usize, row: usize) -> [u64; ROWS] {
    let (x, y) = (column as i32 * SIDE, row as i32 * SIDE);
    std::array::from_fn(|line| !occupancy.row64(x, y + line as i32))
}

/// Lengths of the ways over free cells of a sector from one cell to others.
fn spread(free: &[u64; ROWS], from: u16, to: &[u16]) -> Vec<u16> {
    let cell = |cell: u16| (usize::from(cell) / ROWS, usize::from(cell) % ROWS);
    let mut lengths = vec![NO_WAY; to.len()];
    let mut reached = [0u64; ROWS];
    let (row, column) = cell(from);
    reached[row] = 1 << column;
    let (mut first, mut last) = (row, row);
    let mut missing = to.len();
    for step in 0u16.. {
        for (length, &goal) in lengths.iter_mut().zip(to) {
            let (row, column) = cell(goal);
            if *length == NO_WAY && reached[row] >> column & 1 != 0 {
                *length = step;
                missing -= 1;
            }
        }
        if missing == 0 {
            break;
        }
        let before = reached;
        let diagonal = matches!(step % 5, 1 | 3);
        (first, last) = (first.saturating_sub(1), (last + 1).min(ROWS - 1));
        let mut grown = 0;
        for row in first..=last {
            let here = before[row];
            let mut next = here << 1 | here >> 1;
            for other in [row.wrapping_sub(1), row + 1] {
                let (Some(&beside), Some(&open)) = (before.get(other), free.get(other)) else {
                    continue;
                };
                next |= beside;
                if diagonal {
                    // Both cells beside a diagonal step are free: the one in its row of origin and
                    // the one in its row of arrival.
                    next |= beside << 1 & open & free[row] << 1;
                    next |= beside >> 1 & open & free[row] >> 1;
                }
            }
            reached[row] = here | next & free[row];
            grown |= reached[row] ^ here;
        }
        if grown == 0 {
            break;
        }
    }
    lengths
}
