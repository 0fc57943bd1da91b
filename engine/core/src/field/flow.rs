//! One byte of direction a cell, from the distances of its neighbours.

use glam::Vec2;
use wide::f32x4;

use super::grid::{BORDER, Grid, UNVISITED};
use super::sight::Span;
use crate::steer::directions;

pub(super) const SIGHT: u8 = 0x40;
pub(super) const REACHABLE: u8 = 0x80;
pub(super) const DIRECTION: u8 = 0x3f;

/// What a field says about a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flow {
    /// Way to go, as a number of [`steer::directions`](crate::steer::directions): sixty-fourths of
    /// a turn from +x towards +y.
    pub direction: u8,
    /// The goal is seen from the cell's centre.
    pub in_sight: bool,
    /// There is a way to the goal.
    pub reachable: bool,
}

impl Flow {
    pub(super) const UNREACHABLE: Self = Self {
        direction: 0,
        in_sight: false,
        reachable: false,
    };

    pub(super) fn from_byte(byte: u8) -> Self {
        Self {
            direction: byte & DIRECTION,
            in_sight: byte & SIGHT != 0,
            reachable: byte & REACHABLE != 0,
        }
    }

    /// The direction as a unit vector.
    pub fn vector(self) -> Vec2 {
        directions::vector(u32::from(self.direction))
    }
}

/// Cells computed at once.
const LANES: usize = 4;

/// Downhill directions of the reachable cells of row `y` in columns `x0..x1`, into its bordered row
/// of flow bytes.
pub(super) fn descend(
    grid: &Grid,
    distance: &[f32],
    y: i32,
    (x0, x1): (i32, i32),
    flow: &mut [u8],
) {
    let (first, last) = ((x0 + BORDER) as usize, (x1 + BORDER) as usize);
    let row = grid.at(-BORDER, y);
    for x in (first..last).step_by(LANES) {
        let cells = Cells::load(grid, distance, row + x);
        let (left, right, up, down) = (cells.left, cells.right, cells.up, cells.down);
        // Toward the nearer neighbour on each axis: the two that the distance came from.
        let fall = |ahead: f32x4| (cells.here - ahead).fast_max(f32x4::ZERO);
        let dx = left.simd_lt(right).select(-fall(left), fall(right));
        let dy = up.simd_lt(down).select(-fall(up), fall(down));
        let directions = cells.direction(dx, dy);
        let reached = cells.here.simd_lt(f32x4::splat(UNVISITED)).to_bitmask();
        let end = (x + LANES).min(last);
        for (k, byte) in flow[x..end].iter_mut().enumerate() {
            *byte = if reached >> k & 1 != 0 {
                REACHABLE | directions[k]
            } else {
                0
            };
        }
    }
}

/// Directions straight to the goal from the cells of a span in sight of it.
pub(super) fn look(grid: &Grid, distance: &[f32], span: &Span, goal: Vec2, flow: &mut [u8]) {
    let row = grid.at(0, span.y);
    let dy = f32x4::splat(goal.y - (span.y as f32 + 0.5));
    for x in (span.x0..span.x1).step_by(LANES) {
        let at = row + x as usize;
        let dx = f32x4::splat(goal.x - (x as f32 + 0.5)) - f32x4::new([0.0, 1.0, 2.0, 3.0]);
        let directions = Cells::load(grid, distance, at).direction(dx, dy);
        let end = (at + LANES).min(row + span.x1 as usize);
        for (byte, direction) in flow[at..end].iter_mut().zip(directions) {
            *byte = SIGHT | REACHABLE | direction;
        }
    }
}

/// The distances of a run of cells and of their neighbours.
struct Cells {
    here: f32x4,
    left: f32x4,
    right: f32x4,
    up: f32x4,
    down: f32x4,
    up_left: f32x4,
    up_right: f32x4,
    down_left: f32x4,
    down_right: f32x4,
}

impl Cells {
    #[inline]
    fn load(grid: &Grid, distance: &[f32], at: usize) -> Self {
        let run = |at: usize| {
            let mut lanes = [0.0; LANES];
            lanes.copy_from_slice(&distance[at..at + LANES]);
            f32x4::new(lanes)
        };
        let (above, below) = (at - grid.stride, at + grid.stride);
        Self {
            here: run(at),
            left: run(at - 1),
            right: run(at + 1),
            up: run(above),
            down: run(below),
            up_left: run(above - 1),
            up_right: run(above + 1),
            down_left: run(below - 1),
            down_right: run(below + 1),
        }
    }

    /// The directions of the vectors (dx, dy), without their part into a blocked neighbour; next
    /// to a blocked corner along the axis that leads down more. 0 for the zero vector.
    #[inline]
    fn direction(&self, dx: f32x4, dy: f32x4) -> [u8; LANES] {
        let zero = f32x4::ZERO;
        let blocked = f32x4::splat(f32::INFINITY);
        let (leftward, upward) = (dx.simd_lt(zero), dy.simd_lt(zero));
        let beside = leftward.select(self.left, self.right);
        let above = upward.select(self.up, self.down);
        let corner = leftward.select(
            upward.select(self.up_left, self.down_left),
            upward.select(self.up_right, self.down_right),
        );
        let x = beside.simd_eq(blocked).select(zero, dx.abs());
        let y = above.simd_eq(blocked).select(zero, dy.abs());
        let pinned = corner.simd_eq(blocked) & zero.simd_lt(x) & zero.simd_lt(y);
        let by_x = beside.simd_le(above);
        let x = (pinned & !by_x).select(zero, x);
        let y = (pinned & by_x).select(zero, y);
        // The angle in the first eighth of a turn by a polynomial, good to 0.02 of a direction.
        let t = x.fast_min(y) / x.fast_max(y).fast_max(f32x4::splat(f32::MIN_POSITIVE));
        let eighth = t * ((f32x4::ONE - t) * (t * 0.675_33 + 2.492_5) + 8.0);
        let quarter = x.simd_lt(y).select(f32x4::splat(16.0) - eighth, eighth);
        let half = leftward.select(f32x4::splat(32.0) - quarter, quarter);
        let turn = upward.select(f32x4::splat(64.0) - half, half);
        // Adding 1.5 * 2^23 rounds to a whole number and leaves that in the low bits.
        let bits: [u32; LANES] = bytemuck::cast(turn + 12_582_912.0);
        bits.map(|b| b as u8 & DIRECTION)
    }
}
