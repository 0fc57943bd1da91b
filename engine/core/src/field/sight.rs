//! Line of sight from a goal point to the cells of a map, by one sweep outwards.
//!
//! Rows are swept away from the goal, downwards and upwards. What the goal still sees of a row is a
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
#[derive(Clone, Copy)]
struct Gap {
    low: f64,
    high: f64,
}

/// The cells that see `goal`, as disjoint spans. None when the goal is in a blocked cell.
pub(super) fn spans(occ: &Occupancy, goal: Vec2) -> Vec<Span> {
    let (gx, gy) = (f64::from(goal.x), f64::from(goal.y));
    let (column, row) = (gx.floor() as i32, gy.floor() as i32);
    let mut spans = Vec::new();
    if occ.blocked(column, row) {
        return spans;
    }
    // The goal's own row is a strip free of corners up to the first blocked cells.
    let (mut x0, mut x1) = (column, column + 1);
    while !occ.blocked(x0 - 1, row) {
        x0 -= 1;
    }
    while !occ.blocked(x1, row) {
        x1 += 1;
    }
    spans.push(Span { y: row, x0, x1 });
    let (left, right) = (f64::from(x0) - gx, f64::from(x1) - gx);
    for step in [-1, 1] {
        let edge = if step > 0 {
            f64::from(row + 1) - gy
        } else {
            gy - f64::from(row)
        };
        let edge = edge.max(NEAR);
        let gap = Gap {
            low: left / edge + GRAZE,
            high: right / edge - GRAZE,
        };
        sweep(occ, gx, row + step, step, edge, gap, &mut spans);
    }
    spans
}

/// Sweeps the rows from `y` on in direction `step`; `near` is the distance of the goal to the near
/// edge of the first.
fn sweep(
    occ: &Occupancy,
    gx: f64,
    mut y: i32,
    step: i32,
    mut near: f64,
    first: Gap,
    spans: &mut Vec<Span>,
) {
    let width = occ.width() as i32;
    let mut gaps = vec![first];
    let mut next = Vec::new();
    while !gaps.is_empty() && y >= 0 && y < occ.height() as i32 {
        let (middle, far) = (near + 0.5, near + 1.0);
        let mut last = -1;
        for gap in &gaps {
            // All columns the gap touches in this row; beyond the map one blocked column suffices.
            let from = gx + (gap.low * near).min(gap.low * far) - GRAZE;
            let to = gx + (gap.high * near).max(gap.high * far) + GRAZE;
            let from = from.max(-0.5).floor() as i32;
            let to = to.min(f64::from(width) + 0.5).floor() as i32;
            let mut seen = gap.low;
            let mut lit = gap.low;
            let mut x = from;
            loop {
                while x <= to && !occ.blocked(x, y) {
                    x += 1;
                }
                let done = x > to;
                // The shadow of the run of blocked cells on its near half and on all of it.
                let (mut half, mut full) = (*gap, *gap);
                (half.low, full.low) = (gap.high, gap.high);
                if !done {
                    let start = f64::from(x) - gx;
                    while x <= to && occ.blocked(x, y) {
                        x += 1;
                    }
                    let end = f64::from(x) - gx;
                    half = shadow(start, end, near, middle);
                    full = shadow(start, end, near, far);
                }
                let until = half.low.min(gap.high);
                if until > seen {
                    let x0 = (gx + seen * middle - 0.5).floor() as i32 + 1;
                    let x1 = (gx + until * middle - 0.5).ceil() as i32;
                    let (x0, x1) = (x0.max(last + 1).max(0), x1.min(width));
                    if x0 < x1 {
                        spans.push(Span { y, x0, x1 });
                        last = x1 - 1;
                    }
                }
                seen = seen.max(half.high);
                let until = full.low.min(gap.high);
                if until > lit {
                    next.push(Gap {
                        low: lit,
                        high: until,
                    });
                }
                lit = lit.max(full.high);
                if done {
                    break;
                }
            }
        }
        std::mem::swap(&mut gaps, &mut next);
        next.clear();
        y += step;
        near = far;
    }
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
