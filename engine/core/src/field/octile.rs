//! Exact shortest lengths over the grid: eight neighbours, a diagonal step only where both cells
//! beside it are free, a straight step of length 1 and a diagonal one of the square root of 2.
//!
//! Lengths are sums of doubles, so those of the MovingAI benchmark files (Sturtevant 2012) come out
//! to the last digit printed there. Cells wait in buckets one cell of length wide; as no step is
//! shorter, the order inside a bucket does not matter (Dial 1969).

use std::f64::consts::SQRT_2;

use crate::map::Occupancy;

/// Shortest lengths from every cell of a map to one goal cell.
#[derive(Clone, Debug)]
pub struct OctileField {
    width: u32,
    height: u32,
    lengths: Vec<f64>,
}

impl OctileField {
    /// The length of a shortest way from the centre of cell (x, y) to that of the goal, in cells,
    /// good to a billionth; `INFINITY` where there is none, in blocked cells and outside the map.
    pub fn distance(&self, x: i32, y: i32) -> f64 {
        if x as u32 >= self.width || y as u32 >= self.height {
            return f64::INFINITY;
        }
        self.lengths[y as usize * self.width as usize + x as usize]
    }
}

/// Shortest lengths to cell (x, y) over the free cells of `occ`. When the goal is blocked or
/// outside the map no way leads anywhere.
pub fn distances(occ: &Occupancy, x: i32, y: i32) -> OctileField {
    let (width, height) = (occ.width(), occ.height());
    let mut lengths = vec![f64::INFINITY; width as usize * height as usize];
    if !occ.blocked(x, y) {
        let goal = y as u32 * width + x as u32;
        lengths[goal as usize] = 0.0;
        spread(occ, &mut lengths, goal);
    }
    OctileField {
        width,
        height,
        lengths,
    }
}

/// The four orthogonal steps as (dx, dy, bit in a 5 x 5 window).
const STRAIGHT: [(i32, i32, u32); 4] = [(0, -1, 7), (-1, 0, 11), (1, 0, 13), (0, 1, 17)];
/// The four diagonal steps with the bits of the three cells that must be free.
const DIAGONAL: [(i32, i32, u32); 4] = [
    (-1, -1, 1 << 6 | 1 << 7 | 1 << 11),
    (1, -1, 1 << 8 | 1 << 7 | 1 << 13),
    (-1, 1, 1 << 16 | 1 << 17 | 1 << 11),
    (1, 1, 1 << 18 | 1 << 17 | 1 << 13),
];

fn spread(occ: &Occupancy, lengths: &mut [f64], goal: u32) {
    let width = occ.width();
    // A step is shorter than two buckets.
    let mut ring: [Vec<u32>; 3] = [vec![goal], Vec::new(), Vec::new()];
    let mut now = 0usize;
    while ring.iter().any(|bucket| !bucket.is_empty()) {
        let mut bucket = std::mem::take(&mut ring[now % 3]);
        for &cell in &bucket {
            let here = lengths[cell as usize];
            if here < now as f64 {
                // Improved since, and visited in an earlier bucket.
                continue;
            }
            let (x, y) = ((cell % width) as i32, (cell / width) as i32);
            let window = occ.window5(x, y);
            let mut improve = |dx: i32, dy: i32, length: f64| {
                let n = (cell as i32 + dy * width as i32 + dx) as usize;
                if length < lengths[n] {
                    lengths[n] = length;
                    ring[length as u32 as usize % 3].push(n as u32);
                }
            };
            for (dx, dy, bit) in STRAIGHT {
                if window >> bit & 1 == 0 {
                    improve(dx, dy, here + 1.0);
                }
            }
            for (dx, dy, cells) in DIAGONAL {
                if window & cells == 0 {
                    improve(dx, dy, here + SQRT_2);
                }
            }
        }
        bucket.clear();
        ring[now % 3] = bucket;
        now += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{clutter, occupancy};
    use super::*;

    #[test]
    fn counts_steps_round_a_corner_without_cutting_it() {
        let occ = occupancy(&["....", ".##.", "....", "...."]);
        let field = distances(&occ, 0, 0);
        assert_eq!(field.distance(0, 0), 0.0);
        assert_eq!(field.distance(1, 1), f64::INFINITY);
        assert_eq!(field.distance(1, 2), 3.0);
        assert_eq!(field.distance(3, 3), 4.0 + SQRT_2);
        assert_eq!(field.distance(4, 0), f64::INFINITY);
        assert_eq!(field.distance(0, -1), f64::INFINITY);
    }

    /// ROUTE-4.
    #[test]
    fn a_diagonal_of_k_cells_is_k_times_the_root_of_two() {
        let field = distances(&Occupancy::new(400, 400), 0, 0);
        for k in 0..400 {
            assert!((field.distance(k, k) - f64::from(k) * SQRT_2).abs() < 1e-9);
        }
    }

    #[test]
    fn a_blocked_goal_reaches_nothing() {
        let occ = occupancy(&["..#"]);
        for (x, y) in [(2, 0), (-1, 0), (0, 5)] {
            assert_eq!(distances(&occ, x, y).distance(0, 0), f64::INFINITY);
        }
    }

    #[test]
    fn no_neighbour_offers_a_shorter_way() {
        let occ = clutter(60, 50, 30, 11);
        let goal = (0..60).find(|&x| !occ.blocked(x, 25)).unwrap();
        let field = distances(&occ, goal, 25);
        let free = |x, y| !occ.blocked(x, y);
        for y in 0..50 {
            for x in (0..60).filter(|&x| free(x, y)) {
                let ways = STRAIGHT
                    .iter()
                    .map(|&(dx, dy, _)| (dx, dy, 1.0))
                    .chain(DIAGONAL.iter().map(|&(dx, dy, _)| (dx, dy, 2.0f64.sqrt())))
                    .filter(|&(dx, dy, _)| {
                        free(x + dx, y + dy) && free(x + dx, y) && free(x, y + dy)
                    })
                    .map(|(dx, dy, length)| field.distance(x + dx, y + dy) + length);
                let best = if (x, y) == (goal, 25) {
                    0.0
                } else {
                    ways.fold(f64::INFINITY, f64::min)
                };
                let here = field.distance(x, y);
                assert!(
                    here == best || (here - best).abs() < 1e-9,
                    "({x}, {y}): {here} {best}"
                );
            }
        }
    }
}
