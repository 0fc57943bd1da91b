//! Line of sight from a goal point to the cells of a map, by one sweep outwards.
//!
//! Rows are swept away from the goal, upwards and downwards. What the goal still sees of a row is a
//! sorted list of open intervals of slope (dx over dy); blocked cells cast their shadows into it.
//! A cell is in sight when the segment from its centre to the goal touches no blocked cell, corners
//! included. The work is that of the rows in sight, not of a ray for every cell.

use glam::Vec2;

use crate::map::Occupancy;

/// Cells `x0..x1` of row `y`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Span {
    pub y: i32,
    pub x0: i32,
    pub x1: i32,
}

/// Shadows are widened by this much slope, so that rounding never lets a ray touch a corner.
const GRAZE: f64 = 1e-9;
/// Least distance of a row's near edge from the goal, to keep slopes finite.
const NEAR: f64 = 1e-6;

/// An interval of slope in which the goal still sees.
#[derive(Clone, Copy, Debug)]
struct Gap {
    low: f64,
    high: f64,
}

/// The sweep of one side of the goal's row.
#[derive(Clone, Debug)]
pub(super) struct Sweep {
    /// Column of the goal point.
    gx: f64,
    /// The row to be swept next, and the way on.
    y: i32,
    step: i32,
    /// Distance of the goal to the near edge of that row.
    near: f64,
    gaps: Vec<Gap>,
    next: Vec<Gap>,
}

impl Sweep {
    /// The goal's own row, and the sweeps of both sides of it; `None` when the goal lies in a
    /// blocked cell and sees nothing.
    pub fn start(occ: &Occupancy, goal: Vec2) -> Option<(Span, [Self; 2])> {
        let (gx, gy) = (f64::from(goal.x), f64::from(goal.y));
        let (column, y) = (gx.floor() as i32, gy.floor() as i32);
        if occ.blocked(column, y) {
            return None;
        }
        // A strip free of corners up to the first blocked cells.
        let (mut x0, mut x1) = (column, column + 1);
        while !occ.blocked(x0 - 1, y) {
            x0 -= 1;
        }
        while !occ.blocked(x1, y) {
            x1 += 1;
        }
        let side = |step: i32, edge: f64| {
            let near = edge.max(NEAR);
            let gap = Gap {
                low: (f64::from(x0) - gx) / near + GRAZE,
                high: (f64::from(x1) - gx) / near - GRAZE,
            };
            Self {
                gx,
                y: y + step,
                step,
                near,
                gaps: vec![gap],
                next: Vec::new(),
            }
        };
        let sides = [side(-1, gy - f64::from(y)), side(1, f64::from(y + 1) - gy)];
        Some((Span { y, x0, x1 }, sides))
    }

    /// Sweeps one row and adds its cells in sight to `spans`; false when nothing is left to see.
    pub fn row(&mut self, occ: &Occupancy, spans: &mut Vec<Span>) -> bool {
        if self.gaps.is_empty() || self.y < 0 || self.y >= occ.height() as i32 {
            return false;
        }
        let (near, middle, far) = (self.near, self.near + 0.5, self.near + 1.0);
        let (gx, y, width) = (self.gx, self.y, occ.width() as i32);
        // A column, of those of the map and one on either side.
        let column = |x: f64| x.clamp(-1.0, f64::from(width)) as i32;
        let mut last = -1;
        for gap in &self.gaps {
            // All columns the gap touches in this row.
            let from = column((gx + (gap.low * near).min(gap.low * far) - GRAZE).floor());
            let to = column((gx + (gap.high * near).max(gap.high * far) + GRAZE).floor());
            let (mut seen, mut lit) = (gap.low, gap.low);
            let mut x = from;
            loop {
                let start = run_end(occ, x, y, to + 1, false);
                x = run_end(occ, start, y, to + 1, true);
                // The shadow of the run of blocked cells: of its near half, in which the centres of
                // the row lie behind it, and of all of it.
                let nothing = Gap {
                    low: gap.high,
                    high: gap.high,
                };
                let (half, full) = if start > to {
                    (nothing, nothing)
                } else {
                    let (start, end) = (f64::from(start) - gx, f64::from(x) - gx);
                    (
                        shadow(start, end, near, middle),
                        shadow(start, end, near, far),
                    )
                };
                let until = half.low.min(gap.high);
                if until > seen {
                    let x0 = column((gx + seen * middle - 0.5).floor()) + 1;
                    let x1 = column((gx + until * middle - 0.5).ceil());
                    let x0 = x0.max(last + 1);
                    if x0 < x1 {
                        spans.push(Span { y, x0, x1 });
                        last = x1 - 1;
                    }
                }
                seen = seen.max(half.high);
                let until = full.low.min(gap.high);
                if until > lit {
                    self.next.push(Gap {
                        low: lit,
                        high: until,
                    });
                }
                lit = lit.max(full.high);
                if start > to {
                    break;
                }
            }
        }
        std::mem::swap(&mut self.gaps, &mut self.next);
        self.next.clear();
        self.y += self.step;
        self.near = far;
        true
    }
}

/// The first cell from `x` on in row `y` that is not `blocked`, or `end`.
fn run_end(occ: &Occupancy, mut x: i32, y: i32, end: i32, blocked: bool) -> i32 {
    while x < end {
        let bits = occ.row64(x, y);
        let run = if blocked {
            bits.trailing_ones()
        } else {
            bits.trailing_zeros()
        };
        x += run as i32;
        if run < 64 {
            break;
        }
    }
    x.min(end)
}

/// The slopes at which the rectangle `start..end` by `near..far` is touched.
fn shadow(start: f64, end: f64, near: f64, far: f64) -> Gap {
    let low = start / if start > 0.0 { far } else { near };
    let high = end / if end > 0.0 { near } else { far };
    Gap {
        low: low - GRAZE,
        high: high + GRAZE,
    }
}
