//! Exact shortest lengths over the grid: eight neighbours, a diagonal step only where both cells
//! beside it are free, a straight step of length 1 and a diagonal one of the square root of 2.
//!
//! Lengths are kept as whole numbers of steps of either kind, so they are exact: those of the
//! MovingAI benchmark files (Sturtevant 2012) come out to the last digit printed there. Cells wait
//! in buckets one cell of length wide; as no step is shorter, the order inside a bucket does not
//! matter (Dial 1969).

use crate::map::Occupancy;

/// A cell that no way leads to.
const NONE: Steps = Steps {
    straight: u32::MAX,
    diagonal: u32::MAX,
};

/// A length as counts of steps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Steps {
    /// Steps to an orthogonal neighbour.
    pub straight: u32,
    /// Steps to a diagonal neighbour.
    pub diagonal: u32,
}

impl Steps {
    /// The length in cells.
    pub fn length(self) -> f64 {
        f64::from(self.straight) + f64::from(self.diagonal) * std::f64::consts::SQRT_2
    }
}

/// Shortest lengths from every cell of a map to one goal cell.
#[derive(Clone, Debug)]
pub struct OctileField {
    width: u32,
    height: u32,
    steps: Vec<Steps>,
}

impl OctileField {
    /// The steps of a shortest way from cell (x, y); `None` where there is none, in blocked cells
    /// and outside the map.
    pub fn steps(&self, x: i32, y: i32) -> Option<Steps> {
        if x as u32 >= self.width || y as u32 >= self.height {
            return None;
        }
        let steps = self.steps[y as usize * self.width as usize + x as usize];
        (steps != NONE).then_some(steps)
    }

    /// The length of a shortest way from cell (x, y) in cells; `INFINITY` where there is none.
    pub fn distance(&self, x: i32, y: i32) -> f64 {
        self.steps(x, y).map_or(f64::INFINITY, Steps::length)
    }
}

/// Shortest lengths to cell (x, y) over the free cells of `occ`. When the goal is blocked or
/// outside the map no way leads anywhere.
pub fn distances(occ: &Occupancy, x: i32, y: i32) -> OctileField {
    let (width, height) = (occ.width(), occ.height());
    let mut steps = vec![NONE; width as usize * height as usize];
    if !occ.blocked(x, y) {
        let goal = y as u32 * width + x as u32;
        steps[goal as usize] = Steps::default();
        spread(occ, &mut steps, goal);
    }
    OctileField {
        width,
        height,
        steps,
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

fn spread(occ: &Occupancy, steps: &mut [Steps], goal: u32) {
    let width = occ.width();
    // A step is shorter than two buckets.
    let mut ring: [Vec<u32>; 3] = [vec![goal], Vec::new(), Vec::new()];
    let mut now = 0usize;
    while ring.iter().any(|bucket| !bucket.is_empty()) {
        let bucket = std::mem::take(&mut ring[now % 3]);
        for &cell in &bucket {
            let here = steps[cell as usize];
            let length = here.length();
            if (length as usize) < now {
                // Improved since, and visited in an earlier bucket.
                continue;
            }
            let (x, y) = ((cell % width) as i32, (cell / width) as i32);
            let window = occ.window5(x, y);
            let mut improve = |dx: i32, dy: i32, new: Steps| {
                let n = (y + dy) as usize * width as usize + (x + dx) as usize;
                let (old, length) = (steps[n], new.length());
                if length < old.length() {
                    steps[n] = new;
                    ring[length as usize % 3].push(n as u32);
                }
            };
            for (dx, dy, bit) in STRAIGHT {
                if window >> bit & 1 == 0 {
                    let straight = here.straight + 1;
                    improve(dx, dy, Steps { straight, ..here });
                }
            }
            for (dx, dy, cells) in DIAGONAL {
                if window & cells == 0 {
                    let diagonal = here.diagonal + 1;
                    improve(dx, dy, Steps { diagonal, ..here });
                }
            }
        }
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
        assert_eq!(field.steps(0, 0), Some(Steps::default()));
        assert_eq!(field.steps(1, 1), None);
        assert_eq!(
            field.steps(1, 2),
            Some(Steps {
                straight: 3,
                diagonal: 0
            })
        );
        assert_eq!(
            field.steps(3, 3),
            Some(Steps {
                straight: 4,
                diagonal: 1
            })
        );
        assert_eq!(field.distance(4, 0), f64::INFINITY);
        assert_eq!(field.distance(0, -1), f64::INFINITY);
    }

    #[test]
    fn a_diagonal_of_k_cells_is_k_times_the_root_of_two() {
        let field = distances(&Occupancy::new(400, 400), 0, 0);
        for k in 0..400 {
            assert_eq!(
                field.distance(k, k),
                f64::from(k) * std::f64::consts::SQRT_2
            );
        }
    }

    #[test]
    fn a_blocked_goal_reaches_nothing() {
        let occ = occupancy(&["..#"]);
        for (x, y) in [(2, 0), (-1, 0), (0, 5)] {
            assert_eq!(distances(&occ, x, y).steps(0, 0), None);
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
