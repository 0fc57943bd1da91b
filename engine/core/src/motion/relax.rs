//! Integration and overlap relaxation.
//!
//! Every unit takes its steered step; then a few Jacobi passes push overlapping discs apart: all
//! displacements of a pass are computed from the same state before any is applied (as DetourCrowd
//! and position-based dynamics do). Walls clamp each pass.

use std::cmp::Ordering;

use glam::Vec2;
use rayon::prelude::*;

use crate::{
    flock::{CHUNK, Flock},
    map::{Map, SizeClass},
    motion::walls,
    steer::gives_way,
};

/// Passes per tick. Three leave overlaps over a quarter of a radius where crowds come to rest.
const PASSES: usize = 4;
/// Overlap left alone, in radii; without it packed crowds never come to rest.
const SLOP: f32 = 0.02;
/// Far from any wall that matters.
const NOT_WEDGED: u8 = u8::MAX;
/// Overlap, in radii, from which on it matters who is wedged.
const DEEP: f32 = 0.15;
/// Units between a wall and one that counts as wedged, at most.
const DEEPEST: u8 = 1;
/// Share of a push that a unit must be able to follow; else it is wedged.
const FREE: f32 = 0.5;
/// Most that all passes of a tick may move a unit, in radii.
const MOST: f32 = 0.35;

/// Moves every unit by its steered velocity and relaxes overlaps: fills `flock.moved`.
pub(crate) fn relax(flock: &mut Flock, map: &Map) {
    let mut moved = std::mem::take(&mut flock.moved);
    let mut swap = std::mem::take(&mut flock.swap);
    let mut wedged = std::mem::take(&mut flock.wedged);
    let mut wedged_next = std::mem::take(&mut flock.wedged_next);
    wedged.fill(NOT_WEDGED);
    moved
        .par_chunks_mut(CHUNK)
        .enumerate()
        .for_each(|(chunk, out)| {
            for (i, out) in out.iter_mut().enumerate() {
                let place = chunk * CHUNK + i;
                let (at, step) = (flock.position[place], flock.steered[place].velocity);
                *out = if step == Vec2::ZERO {
                    at
                } else {
                    slide(map, at, step, flock.mark[place].radius)
                };
            }
        });
    for pass in 0..PASSES {
        let old = Old {
            at: &moved,
            wedged: &wedged,
        };
        swap.par_chunks_mut(CHUNK)
            .zip(wedged_next.par_chunks_mut(CHUNK))
            .enumerate()
            .for_each(|(chunk, (out, wedged))| {
                for (i, (out, wedged)) in out.iter_mut().zip(wedged).enumerate() {
                    (*out, *wedged) = separate(flock, map, &old, chunk * CHUNK + i, pass);
                }
            });
        std::mem::swap(&mut moved, &mut swap);
        std::mem::swap(&mut wedged, &mut wedged_next);
    }
    flock.moved = moved;
    flock.swap = swap;
    flock.wedged = wedged;
    flock.wedged_next = wedged_next;
}

fn slide(map: &Map, at: Vec2, step: Vec2, radius: f32) -> Vec2 {
    // Walls are those of the cells themselves, whatever the size of the disc.
    walls::slide(&map.nav(SizeClass::default()).occupancy, at, step, radius)
}

/// What a pass starts from.
struct Old<'a> {
    at: &'a [Vec2],
    /// Number of units between it and a wall that keeps them from giving way, as found in the
    /// passes before.
    wedged: &'a [u8],
}

/// Where a unit goes in one pass, and how it is wedged.
fn separate(flock: &Flock, map: &Map, old: &Old, place: usize, pass: usize) -> (Vec2, u8) {
    let own = &flock.mark[place];
    let at = old.at[place];
    if own.hold || !own.solid {
        return (at, NOT_WEDGED);
    }
    // Buckets are those of the tick's start: both may have moved since.
    let start = flock.position[place];
    let near = flock.extents.near(start);
    let drift = near.speed + MOST * near.radius;
    let reach = own.radius + near.radius + drift + at.distance(start);
    let mut push = Vec2::ZERO;
    let mut count = 0;
    let mut behind = NOT_WEDGED;
    for run in flock.cells.runs(start, reach) {
        for other_place in run {
            let offset = at - old.at[other_place];
            let other = &flock.mark[other_place];
            let sum = own.radius + other.radius;
            let square = offset.length_squared();
            if square >= sum * sum || other_place == place || !other.solid {
                continue;
            }
            let distance = square.sqrt();
            let depth = sum - distance - SLOP * own.radius.min(other.radius);
            if depth <= 0.0 {
                continue;
            }
            // Coincident centres part along a line that both agree on.
            let away = if distance > 1e-5 {
                offset / distance
            } else {
                let side = if flock.rank[place] < flock.rank[other_place] {
                    1.0
                } else {
                    -1.0
                };
                Vec2::new(0.8, 0.6) * side
            };
            // Who is nearer to the wall cannot give way, the other does.
            let nearer = old.wedged[other_place].cmp(&old.wedged[place]);
            let share = match nearer {
                _ if depth < DEEP * own.radius.min(other.radius) => gives_way(own, other),
                Ordering::Less => 1.0,
                Ordering::Equal => gives_way(own, other),
                Ordering::Greater => 0.0,
            };
            behind = behind.min(old.wedged[other_place]);
            push += away * (depth * share);
            count += 1;
        }
    }
    if count == 0 {
        return (at, NOT_WEDGED);
    }
    push /= 1.0 + 0.2 * (count - 1) as f32;
    let most = MOST * own.radius / PASSES as f32 * (1 + pass / PASSES) as f32;
    let push = push.clamp_length_max(most);
    let to = slide(map, at, push, own.radius);
    let wedged = if to.distance_squared(at) < FREE * FREE * push.length_squared() {
        0
    } else if behind < DEEPEST {
        behind + 1
    } else {
        NOT_WEDGED
    };
    (to, wedged)
}
