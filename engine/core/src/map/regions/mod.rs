//! Connected parts of the free cells.
//!
//! Two free cells are in one region when a way of side steps leads from one to the other. A diagonal
//! step needs both cells beside it free, so it never joins what side steps do not.
//!
//! The map is cut into square sectors. A cell knows its *part*, the piece of its region that lies in
//! its sector and hangs together there; a part knows its region and the parts it touches across the
//! sector's borders. An edit labels only the sectors it touches afresh. Whether that joins or splits
//! regions is then a question about parts, which [`join`] answers by searching from both sides of
//! the edit until they meet or one comes to an end.

mod gates;
mod join;
mod sector;
mod ways;

use super::{CellRect, Occupancy};
use sector::{Labels, Part, Sector, Side};
pub(crate) use ways::CoarseWays;

/// A label for each free cell, the same for all cells of a connected part of the map.
#[derive(Clone, Debug)]
pub struct Regions {
    /// Sectors, row by row.
    sectors: Vec<Sector>,
    /// Sectors per row.
    across: usize,
    labels: Labels,
    /// Cells by region; 0 where the number is not in use.
    sizes: Vec<u32>,
    /// Numbers that are not in use, the next one to take last.
    unused: Vec<u32>,
    /// Numbers taken and given back so far.
    changes: u64,
}

/// Side of a sector in cells: a row of one is a word of the occupancy.
pub(crate) const SIDE: i32 = 64;

/// A part of some sector.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct PartId {
    sector: u32,
    part: u16,
}

impl Regions {
    /// Labels the free cells; regions are numbered by their first cells in row order.
    pub(super) fn build(occupancy: &Occupancy) -> Self {
        let across = occupancy.width().div_ceil(SIDE as u32) as usize;
        let down = occupancy.height().div_ceil(SIDE as u32) as usize;
        let mut regions = Self {
            sectors: vec![Sector::default(); across * down],
            across,
            labels: Labels::new(occupancy.width(), occupancy.height()),
            sizes: Vec::new(),
            unused: Vec::new(),
            changes: 0,
        };
        let all = CellRect::new(0, 0, across as i32, down as i32);
        regions.relabel(occupancy, all);
        regions.number_afresh();
        regions
    }

    /// Takes over a change of the occupancy inside a rectangle. Regions that stay as they are keep
    /// their labels; of the pieces of one that falls apart, one keeps its label.
    pub(super) fn update(&mut self, occupancy: &Occupancy, changed: CellRect) {
        let changed = changed.intersection(&occupancy.bounds());
        if changed.is_empty() {
            return;
        }
        let dirty = CellRect::new(
            changed.x0 / SIDE,
            changed.y0 / SIDE,
            (changed.x1 - 1) / SIDE + 1,
            (changed.y1 - 1) / SIDE + 1,
        );
        let mut touched = self.neighbours_of(dirty);
        for sector in self.sectors_in(dirty) {
            for part in &self.sectors[sector].parts {
                self.sizes[part.region as usize] -= u32::from(part.size);
                if self.sizes[part.region as usize] == 0 {
                    self.unused.push(part.region);
                    self.changes += 1;
                }
            }
        }
        self.relabel(occupancy, dirty);
        self.forget_gates(changed, dirty);
        touched.extend(self.neighbours_of(dirty));
        for sector in self.sectors_in(dirty) {
            let parts = 0..self.sectors[sector].parts.len() as u16;
            touched.extend(parts.map(|part| PartId {
                sector: sector as u32,
                part,
            }));
        }
        touched.sort_unstable();
        touched.dedup();
        join::settle(self, &touched);
    }

    /// The region of a cell; `None` when it is blocked or outside.
    #[inline]
    pub fn label(&self, x: i32, y: i32) -> Option<u32> {
        let (sector, part) = self.labels.part(x, y)?;
        Some(self.sectors[sector].parts[usize::from(part)].region)
    }

    /// Moves on with every edit that can have given another label to a cell that was free before.
    pub(crate) fn changes(&self) -> u64 {
        self.changes
    }

    /// Number of regions. Labels lie below this number on a fresh build; after edits some may be
    /// higher.
    pub fn count(&self) -> usize {
        self.sizes.len() - self.unused.len()
    }

    /// Cells of a region, 0 for a label that is not in use.
    pub fn size(&self, label: u32) -> u32 {
        self.sizes.get(label as usize).copied().unwrap_or(0)
    }

    /// Cells of the largest region, 0 when every cell is blocked.
    pub fn largest(&self) -> u32 {
        self.sizes.iter().copied().max().unwrap_or(0)
    }

    /// For each cell its region, renumbered by first cells in row order: equal for equal partitions.
    #[cfg(test)]
    pub(super) fn labels_by_first_cell(&self, occupancy: &Occupancy) -> Vec<Option<usize>> {
        let mut order = Vec::new();
        let bounds = occupancy.bounds();
        (0..bounds.y1)
            .flat_map(|y| (0..bounds.x1).map(move |x| (x, y)))
            .map(|(x, y)| {
                let label = self.label(x, y)?;
                let known = order.iter().position(|&other| other == label);
                Some(known.unwrap_or_else(|| {
                    order.push(label);
                    order.len() - 1
                }))
            })
            .collect()
    }

    /// Bytes held.
    pub fn memory_bytes(&self) -> usize {
        let sectors: usize = self.sectors.iter().map(Sector::memory_bytes).sum();
        sectors + self.labels.memory_bytes() + 4 * self.sizes.capacity()
    }

    /// Labels the cells of these sectors afresh and links them with one another and with the sectors
    /// beside them.
    fn relabel(&mut self, occupancy: &Occupancy, dirty: CellRect) {
        let mut runs = Vec::new();
        for sector in self.sectors_in(dirty) {
            self.sectors[sector].parts = self.labels.label_sector(occupancy, sector, &mut runs);
            self.sectors[sector].gates.take();
        }
        for sector in self.sectors_in(dirty) {
            self.labels
                .link_sector(sector, &mut self.sectors[sector].links);
        }
        for side in Side::ALL {
            let (border, beyond) = side.rows_along(dirty);
            for (sector, other) in self.sectors_in(border).zip(self.sectors_in(beyond)) {
                let links = self.sectors[sector]
                    .links
                    .iter()
                    .filter(|link| link.side == side);
                let reversed: Vec<_> = links.map(|link| link.reversed()).collect();
                let other = &mut self.sectors[other];
                let before = std::mem::take(&mut other.links);
                let kept = before.iter().filter(|link| link.side != side.opposite());
                other.links.extend(kept);
                other.links.extend(reversed);
                other.links.sort_unstable();
                if other.links != before {
                    other.gates.take();
                }
            }
        }
    }

    /// Forgets the gates of the sectors beside these where a changed cell lies at the border.
    fn forget_gates(&mut self, changed: CellRect, dirty: CellRect) {
        let at_border = [
            changed.x0 % SIDE == 0,
            changed.x1 % SIDE == 0,
            changed.y0 % SIDE == 0,
            changed.y1 % SIDE == 0,
        ];
        for (side, touched) in Side::ALL.into_iter().zip(at_border) {
            if touched {
                let (_, beyond) = side.rows_along(dirty);
                for sector in self.sectors_in(beyond) {
                    self.sectors[sector].gates.take();
                }
            }
        }
    }

    /// Numbers all regions by their first cells in row order.
    fn number_afresh(&mut self) {
        let mut found = Vec::new();
        for sector in 0..self.sectors.len() {
            for part in 0..self.sectors[sector].parts.len() as u16 {
                let id = PartId {
                    sector: sector as u32,
                    part,
                };
                if self.part(id).region == Part::NO_REGION {
                    found.push((self.spread(id, found.len() as u32), found.len()));
                }
            }
        }
        found.sort_unstable();
        let mut numbers = vec![0; found.len()];
        for (number, &(_, temporary)) in found.iter().enumerate() {
            numbers[temporary] = number as u32;
        }
        self.sizes = vec![0; found.len()];
        for part in self.sectors.iter_mut().flat_map(|sector| &mut sector.parts) {
            part.region = numbers[part.region as usize];
            self.sizes[part.region as usize] += u32::from(part.size);
        }
    }

    /// Which cells of a row of a sector belong to a region, as bits from column `64 * sector_x` on.
    pub(super) fn row_of(&self, region: u32, sector_x: i32, y: i32) -> u64 {
        let sector = (y / SIDE) as usize * self.across + sector_x as usize;
        let parts = &self.sectors[sector].parts;
        let row = self.labels.row(sector, y % SIDE);
        row.enumerate().fold(0, |bits, (column, part)| {
            let inside = part.is_some_and(|part| parts[usize::from(part)].region == region);
            bits | u64::from(inside) << column
        })
    }

    /// Whether a sector holds cells of a region, or any free cells when none is named.
    pub(super) fn sector_holds(&self, region: Option<u32>, sector_x: i32, sector_y: i32) -> bool {
        let parts = &self.sectors[sector_y as usize * self.across + sector_x as usize].parts;
        region.map_or(!parts.is_empty(), |region| {
            parts.iter().any(|part| part.region == region)
        })
    }

    /// Gives a region to a part without one and to all parts connected to it; answers the first
    /// cell of them all, as (row, column).
    fn spread(&mut self, start: PartId, region: u32) -> (i32, i32) {
        self.part_mut(start).region = region;
        let mut first = (i32::MAX, i32::MAX);
        let mut stack = vec![start];
        while let Some(id) = stack.pop() {
            let (x, y) = self.place(id.sector as usize);
            let cell = i32::from(self.part(id).first);
            first = first.min((y * SIDE + cell / SIDE, x * SIDE + cell % SIDE));
            for index in self.sectors[id.sector as usize].links_of(id.part) {
                let next = self.across_link(id.sector, index);
                if self.part(next).region == Part::NO_REGION {
                    self.part_mut(next).region = region;
                    stack.push(next);
                }
            }
        }
        first
    }

    /// The parts outside these sectors that are linked to a part inside.
    fn neighbours_of(&self, dirty: CellRect) -> Vec<PartId> {
        let mut outside = Vec::new();
        for sector in self.sectors_in(dirty) {
            for index in 0..self.sectors[sector].links.len() {
                let next = self.across_link(sector as u32, index);
                let (x, y) = self.place(next.sector as usize);
                if !dirty.contains(x, y) {
                    outside.push(next);
                }
            }
        }
        outside
    }

    /// The part at the far end of a sector's link.
    fn across_link(&self, sector: u32, index: usize) -> PartId {
        let link = self.sectors[sector as usize].links[index];
        PartId {
            sector: link.side.step(sector, self.across as u32),
            part: link.other,
        }
    }

    fn part(&self, id: PartId) -> &Part {
        &self.sectors[id.sector as usize].parts[usize::from(id.part)]
    }

    fn part_mut(&mut self, id: PartId) -> &mut Part {
        &mut self.sectors[id.sector as usize].parts[usize::from(id.part)]
    }

    /// Column and row of a sector among the sectors.
    fn place(&self, sector: usize) -> (i32, i32) {
        ((sector % self.across) as i32, (sector / self.across) as i32)
    }

    /// The numbers of the sectors in a rectangle of sectors, clipped to the map, row by row.
    fn sectors_in(&self, rect: CellRect) -> impl Iterator<Item = usize> + use<> {
        let across = self.across;
        let down = self.sectors.len() / across;
        let rect = rect.intersection(&CellRect::new(0, 0, across as i32, down as i32));
        (rect.y0..rect.y1)
            .flat_map(move |y| (rect.x0..rect.x1).map(move |x| y as usize * across + x as usize))
    }
}

#[cfg(test)]
mod tests;
