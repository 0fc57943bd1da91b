//! How far each cell's centre is from the nearest blocked cell.
//!
//! An exact distance transform in two passes, rows then columns, of the distance between a point
//! and a square. Distances are kept as ranks among the few values that they can take (see
//! [`SizeClass`]), so one byte a cell answers for every size, and up to a reach of eight cells, so
//! that an edit changes no cell farther off than that.

use super::size_class::{NEEDED, REACH, distance};
use super::{CellRect, Occupancy, SizeClass};

/// The clearance of every cell of a map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clearance {
    width: u32,
    height: u32,
    /// For each cell the number of size classes that fit, 0 where it is blocked.
    ranks: Vec<u8>,
}

/// Four times the squared distance to a square that many columns (or rows) away; the last stands
/// for everything beyond the reach.
const SQUARES: [i16; REACH + 2] = {
    let mut squares = [0; REACH + 2];
    let mut cells = 1;
    while cells < squares.len() {
        let half_cells = 2 * cells as i16 - 1;
        squares[cells] = half_cells * half_cells;
        cells += 1;
    }
    squares
};

const FARTHEST: usize = SQUARES[REACH + 1] as usize;

/// Number of classes that fit at four times a squared distance.
const RANKS: [u8; FARTHEST + 1] = {
    let mut ranks = [0; FARTHEST + 1];
    let (mut value, mut rank) = (0, 0);
    while value <= FARTHEST {
        while rank < NEEDED.len() && NEEDED[rank] as usize <= value {
            rank += 1;
        }
        ranks[value] = rank as u8;
        value += 1;
    }
    ranks
};

impl Clearance {
    /// The clearance of every cell; outside the map is blocked.
    pub(super) fn build(occupancy: &Occupancy) -> Self {
        let (width, height) = (occupancy.width(), occupancy.height());
        let ranks = vec![0; width as usize * height as usize];
        let mut clearance = Self {
            width,
            height,
            ranks,
        };
        clearance.rewrite(occupancy, occupancy.bounds());
        clearance
    }

    /// Takes over a change inside a rectangle; answers the cells whose clearance may have changed.
    pub(super) fn update(&mut self, occupancy: &Occupancy, changed: CellRect) -> CellRect {
        let window = changed
            .grown(REACH as i32)
            .intersection(&occupancy.bounds());
        self.rewrite(occupancy, window);
        window
    }

    /// Whether a disc of the class's largest radius about the cell's centre overlaps no blocked
    /// cell. False outside the map.
    #[inline]
    pub fn fits(&self, class: SizeClass, x: i32, y: i32) -> bool {
        usize::from(self.rank(x, y)) > class.index()
    }

    /// Distance from the cell's centre to the nearest blocked cell's square, in cells: 0 in blocked
    /// cells and outside the map, at most [`SizeClass::max_radius`].
    pub fn distance(&self, x: i32, y: i32) -> f32 {
        match self.rank(x, y) {
            0 => 0.0,
            rank => distance(NEEDED[usize::from(rank) - 1]),
        }
    }

    /// Bytes held.
    pub fn memory_bytes(&self) -> usize {
        self.ranks.capacity()
    }

    #[inline]
    fn rank(&self, x: i32, y: i32) -> u8 {
        if x as u32 >= self.width || y as u32 >= self.height {
            return 0;
        }
        self.ranks[y as usize * self.width as usize + x as usize]
    }

    /// Computes the cells of a window inside the map.
    fn rewrite(&mut self, occupancy: &Occupancy, window: CellRect) {
        const ROWS: usize = 2 * REACH + 1;
        let reach = REACH as i32;
        let columns = window.width();
        let mut rows = vec![vec![0i16; columns]; ROWS];
        let mut steps = vec![0u8; columns + 2 * REACH];
        let mut nearest = vec![0i16; columns];
        for y in window.y0 - reach..window.y1 + reach {
            // Row y takes the slot of row y - ROWS, which no later row looks at.
            let slot = (y - (window.y0 - reach)) as usize;
            row_squares(occupancy, y, window.x0, &mut steps, &mut rows[slot % ROWS]);
            if slot + 1 < ROWS {
                continue;
            }
            nearest.fill(FARTHEST as i16);
            for (above, offset) in (slot + 1 - ROWS..=slot).zip(-reach..) {
                let added = SQUARES[offset.unsigned_abs() as usize];
                for (nearest, &square) in nearest.iter_mut().zip(&rows[above % ROWS]) {
                    *nearest = (*nearest).min(square + added);
                }
            }
            let start = (y - reach) as usize * self.width as usize + window.x0 as usize;
            for (rank, &square) in self.ranks[start..start + columns].iter_mut().zip(&nearest) {
                *rank = RANKS[square as usize];
            }
        }
    }
}

/// Fills `squares` with four times the squared distance along row y from each column, the first of
/// which is x0, to the nearest blocked cell of the row. `steps` is scratch, the reach wider on both
/// sides.
fn row_squares(occupancy: &Occupancy, y: i32, x0: i32, steps: &mut [u8], squares: &mut [i16]) {
    let beyond = REACH as u8 + 1;
    let first = x0 - REACH as i32;
    let mut walked = beyond;
    for (chunk, x) in steps.chunks_mut(64).zip((first..).step_by(64)) {
        let mut bits = occupancy.row64(x, y);
        for step in chunk {
            walked = if bits & 1 != 0 {
                0
            } else {
                (walked + 1).min(beyond)
            };
            *step = walked;
            bits >>= 1;
        }
    }
    walked = beyond;
    for step in steps.iter_mut().rev() {
        walked = (*step).min(walked + 1).min(beyond);
        *step = walked;
    }
    for (square, &step) in squares.iter_mut().zip(&steps[REACH..]) {
        *square = SQUARES[usize::from(step)];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Distance from the centre of a cell to the square of another, straight from the definition.
    fn to_square(x: i32, y: i32, bx: i32, by: i32) -> f32 {
        let along = |a: i32, b: i32| ((a - b).abs() as f32 - 0.5).max(0.0);
        let (dx, dy) = (along(x, bx), along(y, by));
        (dx * dx + dy * dy).sqrt()
    }

    #[test]
    fn clearance_is_the_distance_to_the_nearest_blocked_square() {
        let mut occupancy = Occupancy::new(90, 40);
        for (x, y) in [(3, 4), (30, 20), (31, 20), (64, 9), (63, 30), (80, 39)] {
            occupancy.set(x, y, true);
        }
        let clearance = Clearance::build(&occupancy);
        for y in 0..40 {
            for x in 0..90 {
                let mut nearest = SizeClass::max_radius();
                for by in y - 9..=y + 9 {
                    for bx in x - 9..=x + 9 {
                        if occupancy.blocked(bx, by) {
                            nearest = nearest.min(to_square(x, y, bx, by));
                        }
                    }
                }
                assert_eq!(clearance.distance(x, y), nearest, "at ({x}, {y})");
            }
        }
        assert_eq!(clearance.distance(-1, 0), 0.0);
        assert!(!clearance.fits(SizeClass::SMALLEST, 3, 4));
    }

    #[test]
    fn an_update_changes_only_its_window_and_equals_a_build() {
        let mut occupancy = Occupancy::new(70, 50);
        let mut clearance = Clearance::build(&occupancy);
        for (rect, blocked) in [
            (CellRect::new(20, 20, 22, 40), true),
            (CellRect::new(0, 0, 1, 1), true),
            (CellRect::new(60, 45, 70, 50), true),
            (CellRect::new(20, 24, 22, 25), false),
        ] {
            occupancy.fill(rect, blocked);
            clearance.update(&occupancy, rect);
            assert_eq!(clearance, Clearance::build(&occupancy), "after {rect:?}");
        }
    }
}
