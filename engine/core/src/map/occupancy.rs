//! The bit grid of blocked cells.
//!
//! One bit a cell, set = blocked, in 64-bit words. Each row starts at a word and a margin of blocked
//! cells lies all round the map, so that window reads near the border need no bounds tests and see
//! the outside as wall. This is the only type that knows `bitvec`; everything that is done in bulk
//! works on its raw words.

use bitvec::order::Lsb0;
use bitvec::vec::BitVec;

use super::CellRect;

/// Blocked cells of a map, for one kind of unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Occupancy {
    width: u32,
    height: u32,
    stride: usize,
    bits: BitVec<u64, Lsb0>,
}

const MARGIN: i32 = Occupancy::MARGIN;

impl Occupancy {
    /// Width of the blocked margin kept on every side, in cells.
    pub const MARGIN: i32 = 4;

    /// A grid of `width` x `height` cells, all free inside.
    pub fn new(width: u32, height: u32) -> Self {
        let mut grid = Self::all_blocked(width, height);
        grid.fill(CellRect::new(0, 0, width as i32, height as i32), false);
        grid
    }

    /// A grid of `width` x `height` cells, all blocked.
    pub fn all_blocked(width: u32, height: u32) -> Self {
        let margins = 2 * MARGIN as usize;
        let stride = (width as usize + margins).div_ceil(64);
        let bits = BitVec::repeat(true, stride * 64 * (height as usize + margins));
        Self {
            width,
            height,
            stride,
            bits,
        }
    }

    /// Cells per row.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Rows.
    pub fn height(&self) -> u32 {
        self.height
    }

    /// The rectangle of the whole map.
    pub fn bounds(&self) -> CellRect {
        CellRect::new(0, 0, self.width as i32, self.height as i32)
    }

    /// Whether the cell is blocked; outside the map always true.
    #[inline]
    pub fn blocked(&self, x: i32, y: i32) -> bool {
        if x as u32 >= self.width || y as u32 >= self.height {
            return true;
        }
        let bit = self.bit(x, y);
        self.words()[bit >> 6] >> (bit & 63) & 1 != 0
    }

    /// Sets one cell; outside the map nothing happens.
    #[inline]
    pub fn set(&mut self, x: i32, y: i32, blocked: bool) {
        if x as u32 >= self.width || y as u32 >= self.height {
            return;
        }
        let bit = self.bit(x, y);
        let word = &mut self.bits.as_raw_mut_slice()[bit >> 6];
        let mask = 1 << (bit & 63);
        if blocked {
            *word |= mask;
        } else {
            *word &= !mask;
        }
    }

    /// Sets every cell of the rectangle that lies in the map; answers how many changed.
    pub fn fill(&mut self, rect: CellRect, blocked: bool) -> u32 {
        let rect = rect.intersection(&self.bounds());
        if rect.is_empty() {
            return 0;
        }
        let target = if blocked { u64::MAX } else { 0 };
        let mut changed = 0;
        for y in rect.y0..rect.y1 {
            let (first, last) = (self.bit(rect.x0, y), self.bit(rect.x1 - 1, y));
            let words = &mut self.bits.as_raw_mut_slice()[first >> 6..=last >> 6];
            for (word, index) in words.iter_mut().zip(first >> 6..) {
                let flips = (*word ^ target) & span_mask(index, first, last);
                *word ^= flips;
                changed += flips.count_ones();
            }
        }
        changed
    }

    /// The cells that are blocked here or in another grid of the same size.
    pub(crate) fn united(&self, other: &Self) -> Self {
        let mut both = self.clone();
        let words = both.bits.as_raw_mut_slice();
        for (word, &more) in words.iter_mut().zip(other.words()) {
            *word |= more;
        }
        both
    }

    /// Takes the cells of a rectangle over from another grid of the same size.
    pub(crate) fn copy_from(&mut self, other: &Self, rect: CellRect) {
        let rect = rect.intersection(&self.bounds());
        if rect.is_empty() {
            return;
        }
        for y in rect.y0..rect.y1 {
            let (first, last) = (self.bit(rect.x0, y), self.bit(rect.x1 - 1, y));
            for index in first >> 6..=last >> 6 {
                let mask = span_mask(index, first, last);
                let word = &mut self.bits.as_raw_mut_slice()[index];
                *word = *word & !mask | other.words()[index] & mask;
            }
        }
    }

    /// Sets every cell of the rectangle that lies in the map to what `blocked` says; answers the
    /// smallest rectangle that holds all cells that changed, `None` when none did.
    pub(super) fn rewrite(
        &mut self,
        rect: CellRect,
        mut blocked: impl FnMut(i32, i32) -> bool,
    ) -> Option<CellRect> {
        let rect = rect.intersection(&self.bounds());
        if rect.is_empty() {
            return None;
        }
        let mut changed: Option<CellRect> = None;
        for y in rect.y0..rect.y1 {
            let row = self.bit(0, y) - MARGIN as usize;
            let (first, last) = (self.bit(rect.x0, y), self.bit(rect.x1 - 1, y));
            for index in first >> 6..=last >> 6 {
                let mask = span_mask(index, first, last);
                let column = (index * 64 - row) as i32 - MARGIN;
                let mut target = 0;
                let mut left = mask;
                while left != 0 {
                    let bit = left.trailing_zeros();
                    target |= u64::from(blocked(column + bit as i32, y)) << bit;
                    left &= left - 1;
                }
                let word = &mut self.bits.as_raw_mut_slice()[index];
                let flips = (*word ^ target) & mask;
                if flips == 0 {
                    continue;
                }
                *word ^= flips;
                let x0 = column + flips.trailing_zeros() as i32;
                let x1 = column + 64 - flips.leading_zeros() as i32;
                let cells = CellRect::new(x0, y, x1, y + 1);
                changed = Some(changed.map_or(cells, |changed| changed.union(&cells)));
            }
        }
        changed
    }

    /// The 5 x 5 cells about (x, y) as 25 bits, set = blocked: bit `(dy + 2) * 5 + (dx + 2)`.
    ///
    /// # Panics
    /// May panic, or answer another cell's window, when (x, y) is not in the map.
    #[inline]
    pub fn window5(&self, x: i32, y: i32) -> u32 {
        debug_assert!(
            self.bounds().contains(x, y),
            "window5 at ({x}, {y}) outside the map"
        );
        let words = self.words();
        let mut bit = self.bit(x - 2, y - 2);
        let mut window = 0;
        for row in 0..5 {
            window |= five_bits(words, bit) << (5 * row);
            bit += self.stride * 64;
        }
        window
    }

    /// The five cells `x - 2 ..= x + 2` of row `y` as bits 0 to 4, set = blocked.
    ///
    /// # Panics
    /// May panic, or answer another cell's row, when x is outside the map or y more than two rows
    /// outside it.
    #[inline]
    pub fn row5(&self, x: i32, y: i32) -> u32 {
        debug_assert!(
            self.bounds().grown(2).contains(x, y) && (x as u32) < self.width,
            "row5 at ({x}, {y}) too far outside the map"
        );
        five_bits(self.words(), self.bit(x - 2, y))
    }

    /// Up to 64 cells of row `y` from column `x` on, as bits from 0, set = blocked. Cells outside
    /// the map are blocked; y may be any row, x any column.
    #[inline]
    pub fn row64(&self, x: i32, y: i32) -> u64 {
        let row_bits = (self.stride * 64) as i32;
        if y as u32 >= self.height || x < -MARGIN - 63 || x >= row_bits - MARGIN {
            return u64::MAX;
        }
        let words = self.words();
        let row = (y + MARGIN) as usize * self.stride;
        let start = x + MARGIN;
        let word = |i: i32| {
            if i < 0 || i as usize >= self.stride {
                u64::MAX
            } else {
                words[row + i as usize]
            }
        };
        let (index, shift) = (start >> 6, start & 63);
        let low = word(index) >> shift;
        if shift == 0 {
            low
        } else {
            low | word(index + 1) << (64 - shift)
        }
    }

    /// Number of blocked cells in the map (the margin is not counted).
    pub fn count_blocked(&self) -> usize {
        let blocked: usize = self.words().iter().map(|w| w.count_ones() as usize).sum();
        let cells = self.width as usize * self.height as usize;
        blocked - (self.bits.len() - cells)
    }

    /// The raw words, margin included: [`stride_words`](Self::stride_words) a row, and
    /// [`MARGIN`](Self::MARGIN) rows before row 0; bit `x + MARGIN` of a row is column x.
    #[inline]
    pub fn words(&self) -> &[u64] {
        self.bits.as_raw_slice()
    }

    /// Words per row.
    #[inline]
    pub fn stride_words(&self) -> usize {
        self.stride
    }

    /// Bytes held.
    pub fn memory_bytes(&self) -> usize {
        self.bits.capacity() / 8
    }

    #[inline]
    fn bit(&self, x: i32, y: i32) -> usize {
        (y + MARGIN) as usize * (self.stride * 64) + (x + MARGIN) as usize
    }
}

/// Bits of word `index` that lie between the bit positions `first` and `last`, both included.
#[inline]
fn span_mask(index: usize, first: usize, last: usize) -> u64 {
    let low = if index == first >> 6 {
        u64::MAX << (first & 63)
    } else {
        u64::MAX
    };
    let high = if index == last >> 6 {
        u64::MAX >> (63 - (last & 63))
    } else {
        u64::MAX
    };
    low & high
}

/// Five bits from position `bit` on. The margin guarantees that the next word exists.
#[inline]
fn five_bits(words: &[u64], bit: usize) -> u32 {
    let (index, shift) = (bit >> 6, bit & 63);
    let low = words[index] >> shift;
    let high = (words[index + 1] << 1) << (63 - shift);
    ((low | high) & 31) as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A grid with about `density` percent of cells blocked, from a small generator.
    fn random(width: u32, height: u32, density: u32, mut seed: u32) -> Occupancy {
        let mut grid = Occupancy::new(width, height);
        for y in 0..height as i32 {
            for x in 0..width as i32 {
                seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                grid.set(x, y, seed >> 16 & 127 < density);
            }
        }
        grid
    }

    #[test]
    fn outside_is_blocked_and_inside_free() {
        let grid = Occupancy::new(3, 2);
        assert_eq!(grid.count_blocked(), 0);
        for y in -6..8 {
            for x in -6..70 {
                let inside = (0..3).contains(&x) && (0..2).contains(&y);
                assert_eq!(grid.blocked(x, y), !inside, "({x}, {y})");
            }
        }
        assert!(grid.blocked(i32::MIN, 0) && grid.blocked(0, i32::MAX));
        assert_eq!(
            grid.row64(i32::MAX, 0) & grid.row64(i32::MIN, 0) & grid.row64(0, i32::MAX),
            u64::MAX
        );
    }

    #[test]
    fn setting_outside_leaves_the_margin_blocked() {
        let mut grid = Occupancy::new(60, 2);
        grid.set(-1, 0, false);
        grid.set(60, 1, false);
        assert_eq!(grid.fill(CellRect::new(-9, -9, 99, 99), false), 0);
        assert_eq!(grid, Occupancy::new(60, 2));
    }

    proptest! {
        #[test]
        fn windows_agree_with_single_cells(w in 1u32..140, h in 1u32..12, density in 0u32..128, seed: u32) {
            let grid = random(w, h, density, seed);
            for y in 0..h as i32 {
                for x in 0..w as i32 {
                    let window = grid.window5(x, y);
                    for dy in -2..=2 {
                        let row = grid.row5(x, y + dy);
                        for dx in -2..=2 {
                            let blocked = grid.blocked(x + dx, y + dy);
                            prop_assert_eq!(window >> ((dy + 2) * 5 + dx + 2) & 1 != 0, blocked);
                            prop_assert_eq!(row >> (dx + 2) & 1 != 0, blocked);
                        }
                    }
                    prop_assert_eq!(window >> 25, 0);
                }
            }
        }

        #[test]
        fn long_rows_agree_with_single_cells(w in 1u32..140, h in 1u32..4, seed: u32) {
            let grid = random(w, h, 60, seed);
            for y in -6..h as i32 + 6 {
                for x in -140..w as i32 + 140 {
                    let row = grid.row64(x, y);
                    for dx in 0..64 {
                        prop_assert_eq!(row >> dx & 1 != 0, grid.blocked(x + dx, y));
                    }
                }
            }
        }

        #[test]
        fn fill_is_a_loop_over_set(
            w in 1u32..140, h in 1u32..12, seed: u32,
            x0 in -9i32..150, y0 in -9i32..20, x1 in -9i32..150, y1 in -9i32..20, blocked: bool,
        ) {
            let mut filled = random(w, h, 60, seed);
            let mut by_cell = filled.clone();
            let mut changed = 0;
            for y in y0..y1 {
                for x in x0..x1 {
                    let inside = by_cell.bounds().contains(x, y);
                    changed += u32::from(inside && by_cell.blocked(x, y) != blocked);
                    by_cell.set(x, y, blocked);
                }
            }
            prop_assert_eq!(filled.fill(CellRect::new(x0, y0, x1, y1), blocked), changed);
            let count = (0..h as i32).flat_map(|y| (0..w as i32).map(move |x| (x, y)))
                .filter(|&(x, y)| by_cell.blocked(x, y)).count();
            prop_assert_eq!(filled.count_blocked(), count);
            prop_assert_eq!(filled, by_cell);
        }

        #[test]
        fn rewriting_answers_the_bounds_of_what_changed(
            w in 1u32..140, h in 1u32..12, seed: u32,
            x0 in -9i32..150, y0 in -9i32..20, x1 in -9i32..150, y1 in -9i32..20,
        ) {
            let (before, wanted) = (random(w, h, 60, seed), random(w, h, 60, seed ^ 9));
            let rect = CellRect::new(x0, y0, x1, y1);
            let mut grid = before.clone();
            let changed = grid.rewrite(rect, |x, y| wanted.blocked(x, y));
            let mut bounds: Option<CellRect> = None;
            for y in 0..h as i32 {
                for x in 0..w as i32 {
                    let source = if rect.contains(x, y) { &wanted } else { &before };
                    prop_assert_eq!(grid.blocked(x, y), source.blocked(x, y));
                    if grid.blocked(x, y) != before.blocked(x, y) {
                        let cell = CellRect::new(x, y, x + 1, y + 1);
                        bounds = Some(bounds.map_or(cell, |bounds| bounds.union(&cell)));
                    }
                }
            }
            prop_assert_eq!(changed, bounds);
        }
    }
}
