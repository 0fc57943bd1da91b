//! The spawn arrangements a case is run in.

use crate::hash;

/// How far spawn areas are shifted each way, in cells. More than the spacing of any lattice of the
/// cases, so that arrangements share neither places nor the order in which units meet.
pub(super) const SHIFT: f32 = 1.5;

/// One way to place the units of a case. The first leaves everything as it is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrangement(pub u32);

impl Arrangement {
    /// Seed of its run.
    pub fn seed(self) -> u64 {
        u64::from(self.0) + 1
    }

    /// A spawn area, shifted by up to [`SHIFT`] cells each way; `area` tells several of a case apart.
    pub(super) fn shift(self, area: u32, [x0, y0, x1, y1]: [f32; 4]) -> [f32; 4] {
        let [dx, dy] = [0, 1].map(|axis| self.draw(2 * area + axis) * SHIFT);
        [x0 + dx, y0 + dy, x1 + dx, y1 + dy]
    }

    /// A share of a turn by which a pattern is rotated.
    pub(super) fn turn(self) -> f32 {
        self.draw(0) * 0.5
    }

    /// Uniform in [-1, 1); 0 for the first arrangement.
    fn draw(self, n: u32) -> f32 {
        if self.0 == 0 {
            return 0.0;
        }
        2.0 * hash::unit(self.seed(), u64::from(n)) - 1.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const AREA: [f32; 4] = [10.0, 20.0, 30.0, 40.0];

    #[test]
    fn the_first_is_as_drawn_and_each_of_the_others_its_own() {
        assert_eq!(Arrangement(0).shift(0, AREA), AREA);
        let shifted: Vec<_> = (1..9).map(|k| Arrangement(k).shift(0, AREA)).collect();
        for (i, a) in shifted.iter().enumerate() {
            assert!((a[0] - AREA[0]).abs() <= SHIFT && (a[1] - AREA[1]).abs() <= SHIFT);
            assert!((a[2] - a[0] - 20.0).abs() < 1e-4, "the size stays");
            assert!(shifted[..i].iter().all(|b| a != b));
        }
    }

    #[test]
    fn the_same_arrangement_is_the_same_shift_and_areas_of_one_differ() {
        let (a, b) = (Arrangement(3), Arrangement(3));
        assert_eq!(a.shift(1, AREA), b.shift(1, AREA));
        assert_ne!(a.shift(0, AREA), a.shift(1, AREA));
    }
}
