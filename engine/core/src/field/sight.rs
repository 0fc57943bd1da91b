//! Line of sight from a goal point to the cells of a map, by one sweep outwards.
//!
//! Rows are swept away from the goal, upwards and downwards. What the goal still sees of a row is a
//! sorted list of open intervals of slope (dx over dy); blocked cells cast their shadows into it.
//! A cell is in sight when the segment from its centre to the goal touches no blocked cell, corners
//! included; it is lit when that holds for any segment from inside it. The work is that of the rows
//! in sight, not of a ray for every cell.

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

/// The cells that a goal point sees.
#[derive(Clone, Debug, Default)]
pub(super) struct Seen {
    /// Those in sight.
    pub sight: Vec<Span>,
    /// Those lit, which are the ones in sight and some beside them. A ray that lights a cell lights
    /// every cell on its way, so each has a lit neighbour nearer to the goal.
    pub lit: Vec<Span>,
}

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

    /// Sweeps one row and adds its cells to those seen; false when nothing is left to see.
    pub fn row(&mut self, occ: &Occupancy, seen: &mut Seen) -> bool {
        if self.gaps.is_empty() || self.y < 0 || self.y >= occ.height() as i32 {
            return false;
        }
        let (near, middle, far) = (self.near, self.near + 0.5, self.near + 1.0);
        let (gx, y, width) = (self.gx, self.y, occ.width() as i32);
        // A column, of those of the map and one on either side.
        let column = |x: f64| x.clamp(-1.0, f64::from(width)) as i32;
        // The first and last column that rays of a gap touch between two distances.
        let first = |low: f64, to: f64| column((gx + (low * near).min(low * to)).floor());
        let last = |high: f64, to: f64| column((gx + (high * near).max(high * to)).ceil());
        let (mut sight_end, mut lit_end) = (0, 0);
        for gap in &self.gaps {
            let to = last(gap.high + GRAZE, far);
            let mut x = first(gap.low - GRAZE, far);
            // From here on rays pass the near half of the row, and all of it.
            let (mut half_low, mut full_low) = (gap.low, gap.low);
            loop {
                let start = run_end(occ, x, y, to, false);
                x = run_end(occ, start, y, to, true);
                // The shadow of the run of blocked cells: of its near half, in which the centres of
                // the row lie behind it, and of all of it.
                let nothing = Gap {
                    low: gap.high,
                    high: gap.high,
                };
                let (half, full) = if start >= to {
                    (nothing, nothing)
                } else {
                    let (start, end) = (f64::from(start) - gx, f64::from(x) - gx);
                    (
                        shadow(start, end, near, middle),
                        shadow(start, end, near, far),
                    )
                };
                let half_high = half.low.min(gap.high);
                if half_high > half_low {
                    let x0 = column((gx + half_low * middle - 0.5).floor()) + 1;
                    let x1 = column((gx + half_high * middle - 0.5).ceil());
                    push(&mut seen.sight, &mut sight_end, y, x0, x1);
                    let mut x0 = first(half_low, middle);
                    let mut x1 = last(half_high, middle);
                    let full_high = full.low.min(gap.high);
                    if full_high > full_low {
                        x0 = x0.min(first(full_low, far));
                        x1 = x1.max(last(full_high, far));
                        self.next.push(Gap {
                            low: full_low,
                            high: full_high,
                        });
                    }
                    push(&mut seen.lit, &mut lit_end, y, x0, x1);
                }
                half_low = half_low.max(half.high);
                full_low = full_low.max(full.high);
                if start >= to {
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

/// Adds the cells `x0..x1` of the map from column `end` on, and moves `end` behind them.
fn push(spans: &mut Vec<Span>, end: &mut i32, y: i32, x0: i32, x1: i32) {
    let x0 = x0.max(*end);
    if x0 < x1 {
        spans.push(Span { y, x0, x1 });
        *end = x1;
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
