//! Classes of unit sizes that see the same map.
//!
//! The distance from a cell's centre to a blocked cell's square takes few values: with offsets of
//! (dx, dy) cells it is `sqrt(a^2 + b^2)`, where a and b are 0 or the odd multiples of a half. Radii
//! between two neighbouring values fit through exactly the same cells, so one grid serves them all.

/// A class of radii that need the same clearance: 0 is every radius up to half a cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SizeClass(pub(super) u8);

/// Farthest distance told apart, in cells. Larger costs time on every edit: the window that an edit
/// touches grows by it on each side.
pub(super) const REACH: usize = 8;

/// Four times the squared clearance that each class needs, ascending. Whole numbers, so exact.
pub(super) const NEEDED: [u16; count_needed()] = needed();

const fn is_needed(value: u16) -> bool {
    let mut a: u16 = 0;
    while a * a <= value {
        let mut b: u16 = 0;
        while b <= a {
            if (a == 0 || a % 2 == 1) && (b == 0 || b % 2 == 1) && a * a + b * b == value {
                return true;
            }
            b += 1;
        }
        a += 1;
    }
    false
}

const fn count_needed() -> usize {
    let (mut count, mut value) = (0, 1);
    while value <= 4 * (REACH * REACH) as u16 {
        count += is_needed(value) as usize;
        value += 1;
    }
    count
}

const fn needed() -> [u16; count_needed()] {
    let mut list = [0; count_needed()];
    let (mut count, mut value) = (0, 1);
    while value <= 4 * (REACH * REACH) as u16 {
        if is_needed(value) {
            list[count] = value;
            count += 1;
        }
        value += 1;
    }
    list
}

impl SizeClass {
    /// The class of the smallest units, whose grid is the map itself.
    pub const SMALLEST: Self = Self(0);

    /// The class of a disc of that radius in cells: the first one whose largest radius is not
    /// below it. Radii over [`max_radius`](Self::max_radius) answer the last class, in which
    /// they do not fit: refuse them first.
    pub fn of(radius: f32) -> Self {
        let class = NEEDED.iter().position(|&needed| radius <= distance(needed));
        Self(class.unwrap_or(NEEDED.len() - 1) as u8)
    }

    /// The largest radius of the class, in cells.
    pub fn radius(self) -> f32 {
        distance(NEEDED[self.0 as usize])
    }

    /// The largest radius that any class holds, in cells.
    pub fn max_radius() -> f32 {
        Self(NEEDED.len() as u8 - 1).radius()
    }

    /// Its number: 0 for the smallest, then one up for every distinct clearance.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// Cells, from four times the square.
pub(super) fn distance(quadruple_square: u16) -> f32 {
    f32::from(quadruple_square).sqrt() * 0.5
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_change_at_the_distances_between_cells() {
        let edges = [0.5, 0.5f32.sqrt(), 1.5, 2.5f32.sqrt(), 4.5f32.sqrt(), 2.5];
        for (class, edge) in edges.into_iter().enumerate() {
            assert_eq!(SizeClass::of(edge).index(), class, "at {edge}");
            assert_eq!(
                SizeClass::of(edge + 1e-4).index(),
                class + 1,
                "above {edge}"
            );
            assert!((SizeClass::of(edge).radius() - edge).abs() < 1e-6);
        }
        assert_eq!(SizeClass::of(0.0), SizeClass::SMALLEST);
        assert_eq!(SizeClass::of(0.2), SizeClass::SMALLEST);
    }

    #[test]
    fn radii_of_several_cells_are_told_apart() {
        assert!(SizeClass::max_radius() > 7.5);
        assert!(SizeClass::of(4.0) < SizeClass::of(4.6));
        assert_eq!(SizeClass::of(100.0).radius(), SizeClass::max_radius());
    }
}
