//! The part of a map that a field is built for: whole sectors of it, or all.

use super::grid::{BORDER, Grid};
use crate::map::{CellRect, Occupancy, SECTOR};

/// Sectors of a map, by number, ascending.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Area(Vec<u32>);

impl Area {
    pub fn new(mut sectors: Vec<u32>) -> Self {
        sectors.sort_unstable();
        sectors.dedup();
        Self(sectors)
    }

    pub fn sectors(&self) -> &[u32] {
        &self.0
    }

    pub fn contains(&self, sector: u32) -> bool {
        self.0.binary_search(&sector).is_ok()
    }

    /// The cells with everything outside of the area blocked.
    pub fn cut_out(&self, cells: &Occupancy) -> Occupancy {
        let mut cut = Occupancy::all_blocked(cells.width(), cells.height());
        let across = cells.width().div_ceil(SECTOR as u32);
        for &sector in &self.0 {
            let (x, y) = ((sector % across) as i32, (sector / across) as i32);
            let (x, y) = (x * SECTOR, y * SECTOR);
            cut.copy_from(cells, CellRect::new(x, y, x + SECTOR, y + SECTOR));
        }
        cut
    }
}

/// For each row of sectors the columns of a bordered grid that a field covers, as ranges, with those
/// beside them that its cells look at.
#[derive(Clone, Debug)]
pub(super) struct Strips {
    rows: Vec<Vec<(i32, i32)>>,
    last_row: i32,
}

impl Strips {
    pub fn whole(grid: &Grid) -> Self {
        let all = vec![(-BORDER, grid.width + BORDER)];
        Self {
            rows: vec![all; grid.height as usize / SECTOR as usize + 1],
            last_row: grid.height - 1,
        }
    }

    pub fn of(grid: &Grid, area: &Area) -> Self {
        let across = (grid.width as u32).div_ceil(SECTOR as u32);
        let mut rows = vec![Vec::new(); grid.height as usize / SECTOR as usize + 1];
        for &sector in area.sectors() {
            let row: &mut Vec<(i32, i32)> = &mut rows[(sector / across) as usize];
            let x = (sector % across) as i32 * SECTOR;
            let end = (x + SECTOR).min(grid.width) + BORDER;
            match row.last_mut() {
                Some(last) if last.1 >= x - BORDER => last.1 = end,
                _ => row.push((x - BORDER, end)),
            }
        }
        Self {
            rows,
            last_row: grid.height - 1,
        }
    }

    /// The ranges of row `y`, or of the nearest row of the map.
    pub fn at(&self, y: i32) -> &[(i32, i32)] {
        &self.rows[(y.clamp(0, self.last_row) / SECTOR) as usize]
    }

    /// Columns in row `y`.
    pub fn columns(&self, y: i32) -> usize {
        self.at(y).iter().map(|(x0, x1)| (x1 - x0) as usize).sum()
    }

    /// Rows from `y` on that have the same ranges.
    pub fn alike(&self, y: i32) -> usize {
        (SECTOR - y % SECTOR).min(self.last_row + 1 - y) as usize
    }
}

/// Where the cells of each sector of a field are kept; the first place is for all sectors that it
/// does not cover.
#[derive(Clone, Debug)]
pub(super) struct Tiles {
    /// Sectors per row.
    across: usize,
    place: Vec<u32>,
}

/// Cells of a sector.
pub(super) const TILE: usize = (SECTOR * SECTOR) as usize;

impl Tiles {
    pub fn of(grid: &Grid, area: &Area) -> Self {
        let across = (grid.width as usize).div_ceil(SECTOR as usize);
        let down = (grid.height as usize).div_ceil(SECTOR as usize);
        let mut place = vec![0; across * down];
        for (&sector, number) in area.sectors().iter().zip(1..) {
            place[sector as usize] = number;
        }
        Self { across, place }
    }

    /// Index of a cell of the map.
    #[inline]
    pub fn at(&self, x: i32, y: i32) -> usize {
        let sector = (y / SECTOR) as usize * self.across + (x / SECTOR) as usize;
        let inside = (y % SECTOR * SECTOR + x % SECTOR) as usize;
        self.place[sector] as usize * TILE + inside
    }

    /// The cells of the area out of a bordered grid, those of no sector first.
    pub fn gather<T: Copy>(&self, grid: &Grid, area: &Area, from: &[T], nothing: T) -> Vec<T> {
        let mut cells = vec![nothing; (area.sectors().len() + 1) * TILE];
        for (&sector, tile) in area.sectors().iter().zip(cells.chunks_mut(TILE).skip(1)) {
            let (x, y) = (sector as usize % self.across, sector as usize / self.across);
            let (x, y) = (x as i32 * SECTOR, y as i32 * SECTOR);
            let columns = SECTOR.min(grid.width - x) as usize;
            for (line, row) in tile.chunks_mut(SECTOR as usize).enumerate() {
                let y = y + line as i32;
                if y < grid.height {
                    let start = grid.at(x, y);
                    row[..columns].copy_from_slice(&from[start..start + columns]);
                }
            }
        }
        cells
    }

    pub fn memory_bytes(&self) -> usize {
        self.place.capacity() * size_of::<u32>()
    }
}
