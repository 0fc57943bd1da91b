//! Overlaps of units, over all pairs.

use rayon::prelude::*;
use throng::Units;

use super::{CHUNK, is_dead};

/// Overlap, in smaller radii, that counts as deep.
const DEEP: f64 = 0.2;
/// Cells of the grid per unit, at most: bounds the time to clear it on large, sparse maps.
const CELLS_PER_UNIT: usize = 16;
const MIN_CELLS: usize = 1 << 16;

/// Finds overlaps with a grid of its own. Scratch is kept from tick to tick.
#[derive(Default)]
pub(super) struct Overlaps {
    /// First disc of each cell, one more at the end.
    starts: Vec<u32>,
    cell_of: Vec<u32>,
    discs: Vec<Disc>,
    sorted: Vec<Disc>,
}

#[derive(Clone, Copy, Default)]
struct Disc {
    x: f32,
    y: f32,
    r: f32,
}

/// The overlaps of one tick.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Overlap {
    /// Living units.
    pub(super) units: u64,
    /// Deepest overlap of any pair, in smaller radii.
    pub(super) deepest: f64,
    /// Deepest overlap of each unit, summed.
    pub(super) sum: f64,
    /// Units overlapped deeper than 0.2.
    pub(super) deep: u64,
}

/// A grid of square cells over the units.
struct Grid {
    low: [f32; 2],
    scale: f32,
    columns: usize,
    rows: usize,
}

impl Overlaps {
    /// Measures the living units of a tick.
    pub(super) fn measure(&mut self, units: &Units) -> Overlap {
        let rows = (0..units.len()).filter(|&row| !is_dead(units, row));
        let discs = rows.map(|row| {
            let p = units.position[row];
            (p.x, p.y, units.radius[row])
        });
        self.measure_discs(discs)
    }

    fn measure_discs(&mut self, discs: impl Iterator<Item = (f32, f32, f32)>) -> Overlap {
        self.discs.clear();
        let finite = discs.filter(|(x, y, _)| x.is_finite() && y.is_finite());
        self.discs.extend(finite.map(|(x, y, r)| Disc { x, y, r }));
        if self.discs.is_empty() {
            return Overlap::default();
        }
        let grid = Grid::over(&self.discs);
        self.sort(&grid);
        let (sorted, starts) = (&self.sorted, &self.starts);
        let parts: Vec<Overlap> = sorted
            .par_chunks(CHUNK)
            .map(|chunk| {
                let mut part = Overlap::default();
                for disc in chunk {
                    let deepest = deepest(disc, &grid, sorted, starts);
                    part.deepest = part.deepest.max(deepest);
                    part.sum += deepest;
                    part.deep += u64::from(deepest > DEEP);
                }
                part
            })
            .collect();
        parts.iter().fold(
            Overlap {
                units: sorted.len() as u64,
                ..Overlap::default()
            },
            |sum, part| Overlap {
                units: sum.units,
                deepest: sum.deepest.max(part.deepest),
                sum: sum.sum + part.sum,
                deep: sum.deep + part.deep,
            },
        )
    }

    /// Counting sort of the discs by cell.
    fn sort(&mut self, grid: &Grid) {
        self.starts.clear();
        self.starts.resize(grid.columns * grid.rows + 1, 0);
        self.cell_of.clear();
        self.cell_of.extend(self.discs.iter().map(|d| {
            let (column, row) = grid.cell(d);
            (row * grid.columns + column) as u32
        }));
        for &cell in &self.cell_of {
            self.starts[cell as usize] += 1;
        }
        let mut sum = 0;
        for start in &mut self.starts {
            sum += *start;
            *start = sum;
        }
        self.sorted.resize(self.discs.len(), Disc::default());
        for (disc, &cell) in self.discs.iter().zip(&self.cell_of).rev() {
            let place = &mut self.starts[cell as usize];
            *place -= 1;
            self.sorted[*place as usize] = *disc;
        }
    }
}

impl Grid {
    /// Cells at least as wide as two of the largest discs.
    fn over(discs: &[Disc]) -> Self {
        let (mut low, mut high, mut radius) = ([f32::MAX; 2], [f32::MIN; 2], 0.05f32);
        for d in discs {
            low = [low[0].min(d.x), low[1].min(d.y)];
            high = [high[0].max(d.x), high[1].max(d.y)];
            radius = radius.max(d.r);
        }
        let [width, height] = [high[0] - low[0], high[1] - low[1]];
        let most = (discs.len() * CELLS_PER_UNIT).max(MIN_CELLS) as f32;
        // The hair more keeps touching discs in neighbouring cells in spite of rounding.
        let side = (2.001 * radius).max((width * height / most).sqrt());
        Self {
            low,
            scale: 1.0 / side,
            columns: (width / side) as usize + 1,
            rows: (height / side) as usize + 1,
        }
    }

    fn cell(&self, d: &Disc) -> (usize, usize) {
        let column = ((d.x - self.low[0]) * self.scale) as usize;
        let row = ((d.y - self.low[1]) * self.scale) as usize;
        (column.min(self.columns - 1), row.min(self.rows - 1))
    }
}

/// The deepest overlap of a disc with any other, in smaller radii; 0 where it has none.
fn deepest(disc: &Disc, grid: &Grid, sorted: &[Disc], starts: &[u32]) -> f64 {
    let (column, row) = grid.cell(disc);
    let (left, right) = (column.saturating_sub(1), (column + 1).min(grid.columns - 1));
    let mut deepest = 0.0f64;
    for r in row.saturating_sub(1)..=(row + 1).min(grid.rows - 1) {
        let line = r * grid.columns;
        let span = starts[line + left] as usize..starts[line + right + 1] as usize;
        for other in &sorted[span] {
            let (dx, dy, reach) = (disc.x - other.x, disc.y - other.y, disc.r + other.r);
            if dx * dx + dy * dy < reach * reach && !std::ptr::eq(disc, other) {
                deepest = deepest.max(depth(disc, other));
            }
        }
    }
    deepest
}

fn depth(a: &Disc, b: &Disc) -> f64 {
    let [dx, dy] = [
        f64::from(a.x) - f64::from(b.x),
        f64::from(a.y) - f64::from(b.y),
    ];
    let apart = (dx * dx + dy * dy).sqrt();
    (f64::from(a.r) + f64::from(b.r) - apart) / f64::from(a.r.min(b.r))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn depth_is_in_smaller_radii() {
        let mut overlaps = Overlaps::default();
        let discs = [
            (1.0, 1.0, 0.5),
            (1.7, 1.0, 0.25),
            (9.0, 9.0, 0.5),
            (9.0, 9.9, 0.5),
        ];
        let found = overlaps.measure_discs(discs.into_iter());
        assert_eq!(found.units, 4);
        assert!((found.deepest - 0.2).abs() < 1e-6, "{found:?}");
        assert!((found.sum - 0.8).abs() < 1e-5, "{found:?}");
        assert_eq!(
            found.deep, 2,
            "0.05 / 0.25 rounds to over 0.2, 0.1 / 0.5 to under"
        );
    }

    #[test]
    fn nobody_and_one_do_not_overlap() {
        let mut overlaps = Overlaps::default();
        assert_eq!(
            overlaps.measure_discs(std::iter::empty()),
            Overlap::default()
        );
        let one = overlaps.measure_discs(std::iter::once((2.0, 2.0, 0.4)));
        assert_eq!((one.units, one.deepest), (1, 0.0));
    }

    proptest! {
        #[test]
        fn the_grid_finds_what_all_pairs_find(
            discs in prop::collection::vec((0.0f32..30.0, 0.0f32..30.0, 0.1f32..1.5), 0..120)
        ) {
            let found = Overlaps::default().measure_discs(discs.iter().copied());
            let all: Vec<Disc> = discs.iter().map(|&(x, y, r)| Disc { x, y, r }).collect();
            let mut worst = vec![0.0f64; all.len()];
            for i in 0..all.len() {
                for j in 0..all.len() {
                    if i != j {
                        worst[i] = worst[i].max(depth(&all[i], &all[j]));
                    }
                }
            }
            let deepest = worst.iter().copied().fold(0.0, f64::max);
            let deep = worst.iter().filter(|d| **d > DEEP).count() as u64;
            prop_assert!((found.deepest - deepest).abs() < 1e-5);
            prop_assert!((found.sum - worst.iter().sum::<f64>()).abs() < 1e-3);
            prop_assert_eq!(found.deep, deep);
        }
    }
}
