//! The neighbours that a unit heeds where their number is capped.
//!
//! A cap that keeps the nearest alone makes a unit in a queue blind to one side: all it keeps may
//! stand behind it. Here the nearest of every eighth of a turn is kept first.

use glam::Vec2;

use crate::flock::Flock;

/// Sectors that each keep their nearest neighbour, and so the least cap.
pub(super) const LEAST: usize = 8;
/// Largest cap: what is kept lies on the stack.
pub(super) const MOST: usize = 64;

/// A neighbour's ground between the discs, cells, and its place.
type Near = (f32, u32);

const NOBODY: Near = (f32::INFINITY, u32::MAX);

/// The kept neighbours of one unit.
pub(super) struct Kept {
    places: [u32; MOST],
    count: usize,
}

impl Kept {
    /// Of the solid units whose centres lie within `reach` cells of the unit at `place`, at most
    /// `cap`: the nearest of every sector of 45 degrees, then the nearest of the rest; of equally
    /// near ones the first by place.
    pub fn of(flock: &Flock, place: usize, reach: f32, cap: usize) -> Self {
        let at = flock.position[place];
        let each = |f: &mut dyn FnMut(Vec2, Near)| {
            for other in flock.cells.runs(at, reach).flatten() {
                let offset = flock.position[other] - at;
                let square = offset.length_squared();
                if square <= reach * reach && other != place && flock.mark[other].solid {
                    f(
                        offset,
                        (square.sqrt() - flock.mark[other].radius, other as u32),
                    );
                }
            }
        };
        let mut first = [NOBODY; LEAST];
        each(&mut |offset, near| {
            let nearest = &mut first[sector(offset)];
            if near < *nearest {
                *nearest = near;
            }
        });
        // Sorted by nearness, the furthest last.
        let mut rest = [NOBODY; MOST];
        let taken = first.iter().filter(|&&near| near != NOBODY).count();
        let room = cap.clamp(LEAST, MOST) - taken;
        each(&mut |offset, near| {
            if near == first[sector(offset)] {
                return;
            }
            let at = rest[..room].partition_point(|other| *other < near);
            if at < room {
                rest[at..room].rotate_right(1);
                rest[at] = near;
            }
        });
        let mut kept = Self {
            places: [0; MOST],
            count: 0,
        };
        for &(_, place) in first.iter().chain(&rest[..room]) {
            if place != NOBODY.1 {
                kept.places[kept.count] = place;
                kept.count += 1;
            }
        }
        // In cell order, as without a cap.
        kept.places[..kept.count].sort_unstable();
        kept
    }

    /// Their places, ascending.
    pub fn places(&self) -> &[u32] {
        &self.places[..self.count]
    }
}

/// The eighth of a turn that an offset lies in.
fn sector(offset: Vec2) -> usize {
    let steep = offset.x.abs() < offset.y.abs();
    usize::from(offset.x < 0.0) | usize::from(offset.y < 0.0) << 1 | usize::from(steep) << 2
}

#[cfg(test)]
#[path = "neighbours_test.rs"]
mod tests;
