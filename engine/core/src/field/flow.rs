//! One byte of direction a cell, from the distances of its neighbours.

use std::sync::LazyLock;

use glam::Vec2;

use super::grid::{Grid, UNVISITED};
use super::sight::Span;
use crate::steer::directions;

const SIGHT: u8 = 0x40;
const REACHABLE: u8 = 0x80;
const DIRECTION: u8 = 0x3f;

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

/// Steps of the table that turns the ratio of two components into an eighth of a turn's direction.
const RATIO: usize = 1024;

/// `SLOPE[k]`: the direction (0 to 8) whose angle has a tangent nearest to `k / RATIO`.
static SLOPE: LazyLock<[u8; RATIO + 1]> = LazyLock::new(|| {
    std::array::from_fn(|k| directions::nearest(Vec2::new(RATIO as f32, k as f32)) as u8)
});

/// Nearest of the 64 directions to a vector that is not zero.
fn quantise(slope: &[u8; RATIO + 1], v: Vec2) -> u8 {
    let (x, y) = (v.x.abs(), v.y.abs());
    let (large, small) = if x >= y { (x, y) } else { (y, x) };
    let eighth = slope[(small / large * RATIO as f32 + 0.5) as usize];
    let quarter = if x >= y { eighth } else { 16 - eighth };
    let half = if v.x >= 0.0 { quarter } else { 32 - quarter };
    (if v.y >= 0.0 { half } else { 64 - half }) & DIRECTION
}

/// Flow bytes of all cells; turns what no wave reached to `INFINITY`.
pub(super) fn directions(
    grid: &Grid,
    distance: &mut [f32],
    spans: &[Span],
    goal: Option<Vec2>,
) -> Vec<u8> {
    let mut flow = vec![0; grid.len()];
    if let Some(goal) = goal {
        for span in spans {
            let row = grid.at(0, span.y);
            let cells = span.x0 as usize..span.x1 as usize;
            for (x, byte) in cells.clone().zip(&mut flow[row..][cells]) {
                *byte = SIGHT | REACHABLE;
                let v = goal - Vec2::new(x as f32 + 0.5, span.y as f32 + 0.5);
                *byte |= clear(&SLOPE, grid, distance, row + x, v);
            }
        }
    }
    for y in 0..grid.height {
        for i in grid.at(0, y)..grid.at(grid.width, y) {
            if distance[i] == UNVISITED {
                distance[i] = f32::INFINITY;
            }
            if distance[i] < f32::INFINITY && flow[i] & SIGHT == 0 {
                let v = descent(grid, distance, i);
                flow[i] = REACHABLE | clear(&SLOPE, grid, distance, i, v);
            }
        }
    }
    flow
}

/// Downhill vector by the two neighbours that the distance of `i` came from.
fn descent(grid: &Grid, distance: &[f32], i: usize) -> Vec2 {
    let here = distance[i];
    let axis = |back: f32, ahead: f32| {
        if back < ahead {
            (back - here).min(0.0)
        } else {
            (here - ahead).max(0.0)
        }
    };
    Vec2::new(
        axis(distance[i - 1], distance[i + 1]),
        axis(distance[i - grid.stride], distance[i + grid.stride]),
    )
}

/// The direction of `v` from cell `i`, without its part into a blocked neighbour; next to a blocked
/// corner along the axis that leads down more.
fn clear(slope: &[u8; RATIO + 1], grid: &Grid, distance: &[f32], i: usize, v: Vec2) -> u8 {
    let blocked = |j: usize| distance[j] == f32::INFINITY;
    let mut v = v;
    let beside = if v.x < 0.0 { i - 1 } else { i + 1 };
    let above = if v.y < 0.0 {
        i - grid.stride
    } else {
        i + grid.stride
    };
    if v.x != 0.0 && blocked(beside) {
        v.x = 0.0;
    }
    if v.y != 0.0 && blocked(above) {
        v.y = 0.0;
    }
    if v.x != 0.0 && v.y != 0.0 && blocked(if v.x < 0.0 { above - 1 } else { above + 1 }) {
        if distance[beside] <= distance[above] {
            v.y = 0.0;
        } else {
            v.x = 0.0;
        }
    }
    if v == Vec2::ZERO {
        0
    } else {
        quantise(slope, v)
    }
}
