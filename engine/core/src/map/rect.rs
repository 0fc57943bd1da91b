//! Half-open rectangles of whole cells.

/// The cells `x0 <= x < x1`, `y0 <= y < y1`. Empty when a side is not positive; may reach outside a
/// map, whose functions clip it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CellRect {
    /// First column.
    pub x0: i32,
    /// First row.
    pub y0: i32,
    /// Column after the last.
    pub x1: i32,
    /// Row after the last.
    pub y1: i32,
}

impl CellRect {
    /// A rectangle from its corners, the second one exclusive.
    pub const fn new(x0: i32, y0: i32, x1: i32, y1: i32) -> Self {
        Self { x0, y0, x1, y1 }
    }

    /// Every cell that the rectangle `[x0, y0, x1, y1]` (in cells) touches with more than its edge.
    /// NaN counts as 0 and values beyond `i32` saturate: callers that take user data check it first.
    pub fn covering(rect: [f32; 4]) -> Self {
        let [x0, y0, x1, y1] = rect;
        Self::new(
            x0.floor() as i32,
            y0.floor() as i32,
            x1.ceil() as i32,
            y1.ceil() as i32,
        )
    }

    /// Whether no cell is inside.
    pub const fn is_empty(&self) -> bool {
        self.x0 >= self.x1 || self.y0 >= self.y1
    }

    /// Whether the cell is inside.
    pub const fn contains(&self, x: i32, y: i32) -> bool {
        x >= self.x0 && x < self.x1 && y >= self.y0 && y < self.y1
    }

    /// The cells in both (empty when there are none).
    pub fn intersection(&self, other: &Self) -> Self {
        Self::new(
            self.x0.max(other.x0),
            self.y0.max(other.y0),
            self.x1.min(other.x1),
            self.y1.min(other.y1),
        )
    }

    /// The smallest rectangle that holds both, neither of which is empty.
    pub(super) fn union(&self, other: &Self) -> Self {
        Self::new(
            self.x0.min(other.x0),
            self.y0.min(other.y0),
            self.x1.max(other.x1),
            self.y1.max(other.y1),
        )
    }

    /// Grown by `cells` on every side.
    pub const fn grown(&self, cells: i32) -> Self {
        Self::new(
            self.x0.saturating_sub(cells),
            self.y0.saturating_sub(cells),
            self.x1.saturating_add(cells),
            self.y1.saturating_add(cells),
        )
    }

    /// Cells per row (0 when empty).
    pub const fn width(&self) -> usize {
        if self.is_empty() {
            0
        } else {
            self.x1.abs_diff(self.x0) as usize
        }
    }

    /// Rows (0 when empty).
    pub const fn height(&self) -> usize {
        if self.is_empty() {
            0
        } else {
            self.y1.abs_diff(self.y0) as usize
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn covering_takes_whole_cells() {
        assert_eq!(
            CellRect::covering([0.5, 1.0, 2.0, 2.1]),
            CellRect::new(0, 1, 2, 3)
        );
        assert_eq!(
            CellRect::covering([-0.1, -1.0, 0.0, 0.0]),
            CellRect::new(-1, -1, 0, 0)
        );
        assert!(CellRect::covering([3.0, 0.0, 1.0, 4.0]).is_empty());
    }

    #[test]
    fn extreme_rectangles_do_not_overflow() {
        let all = CellRect::covering([f32::NEG_INFINITY, -1e30, 1e30, f32::INFINITY]);
        assert_eq!(
            all.grown(8),
            CellRect::new(i32::MIN, i32::MIN, i32::MAX, i32::MAX)
        );
        assert_eq!(all.width(), u32::MAX as usize);
        let map = CellRect::new(0, 0, 4, 3);
        assert_eq!(all.intersection(&map), map);
        assert_eq!(CellRect::new(5, 5, 1, 9).width(), 0);
    }
}
