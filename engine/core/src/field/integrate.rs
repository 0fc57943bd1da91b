//! Distances by the eikonal equation |grad T| = 1, solved upwind as in the fast marching method
//! (Sethian, "A fast marching level set method for monotonically advancing fronts", PNAS 1996),
//! with a queue of buckets in place of the heap.
//!
//! A cell takes its value from the nearer of its two horizontal and of its two vertical neighbours,
//! so nothing passes diagonally between blocked cells. Inside a bucket a cell may be improved after
//! it was visited and is then visited again; the result is that of an exactly ordered march.

use glam::Vec2;

use super::Seed;
use super::grid::{Grid, UNVISITED};
use super::sight::Span;

/// Width of a bucket, in cells of distance.
const BUCKET: f32 = 0.5;
/// Buckets in the ring; a wave runs at most one cell of distance ahead of the bucket at work.
const RING: usize = 4;

/// Gives seeds in free cells their cost; returns their indices.
pub(super) fn plant(grid: &Grid, distance: &mut [f32], seeds: &[Seed]) -> Vec<u32> {
    let mut front = Vec::with_capacity(seeds.len());
    for seed in seeds {
        let (x, y) = (seed.cell as i32 % grid.width, seed.cell as i32 / grid.width);
        if let Some(i) = grid.index(x, y)
            && distance[i].is_finite()
            && seed.cost < distance[i]
        {
            distance[i] = seed.cost;
            front.push(i as u32);
        }
    }
    front
}

/// Gives the cells of `spans` their straight distance to `goal`, and adds those of them to `front`
/// that border on cells out of sight.
pub(super) fn plant_spans(
    grid: &Grid,
    distance: &mut [f32],
    spans: &[Span],
    goal: Vec2,
    front: &mut Vec<u32>,
) {
    for span in spans {
        let dy = span.y as f32 + 0.5 - goal.y;
        let row = grid.at(0, span.y);
        for x in span.x0..span.x1 {
            let dx = x as f32 + 0.5 - goal.x;
            let d = &mut distance[row + x as usize];
            *d = d.min((dx * dx + dy * dy).sqrt());
        }
    }
    for span in spans {
        let row = grid.at(0, span.y);
        for i in row + span.x0 as usize..row + span.x1 as usize {
            let open = [i - 1, i + 1, i - grid.stride, i + grid.stride];
            if open.iter().any(|&n| distance[n] == UNVISITED) {
                front.push(i as u32);
            }
        }
    }
}

/// Spreads the distances from `front` over all free cells they can reach; returns the number of
/// cells visited.
pub(super) fn spread(grid: &Grid, distance: &mut [f32], mut front: Vec<u32>) -> u32 {
    front.sort_unstable_by(|&a, &b| {
        let by_distance = distance[a as usize].total_cmp(&distance[b as usize]);
        by_distance.then(a.cmp(&b))
    });
    let bucket_of = |d: f32| (d * (1.0 / BUCKET)) as usize;
    let mut ring: [Vec<u32>; RING] = Default::default();
    let mut front = front.into_iter().peekable();
    let mut waiting = 0usize;
    let mut now = 0usize;
    let mut work = 0u32;
    loop {
        if waiting == 0 {
            match front.peek() {
                Some(&i) => now = now.max(bucket_of(distance[i as usize])),
                None => return work,
            }
        }
        while let Some(&i) = front.peek()
            && bucket_of(distance[i as usize]) <= now
        {
            ring[now % RING].push(i);
            waiting += 1;
            front.next();
        }
        let mut at = 0;
        let mut bucket = std::mem::take(&mut ring[now % RING]);
        while at < bucket.len() {
            let i = bucket[at] as usize;
            at += 1;
            waiting -= 1;
            if bucket_of(distance[i]) != now {
                continue;
            }
            work += 1;
            for n in [i - grid.stride, i - 1, i + 1, i + grid.stride] {
                // Blocked cells are infinite and never improve.
                if distance[n] <= distance[i] || distance[n] == f32::INFINITY {
                    continue;
                }
                let t = upwind(grid, distance, n);
                if t < distance[n] {
                    distance[n] = t;
                    waiting += 1;
                    let to = bucket_of(t);
                    if to == now {
                        bucket.push(n as u32);
                    } else {
                        ring[to % RING].push(n as u32);
                    }
                }
            }
        }
        bucket.clear();
        ring[now % RING] = bucket;
        now += 1;
    }
}

/// The first-order upwind solution at `i`.
fn upwind(grid: &Grid, distance: &[f32], i: usize) -> f32 {
    let a = distance[i - 1].min(distance[i + 1]);
    let b = distance[i - grid.stride].min(distance[i + grid.stride]);
    let difference = a - b;
    if difference.abs() >= 1.0 {
        a.min(b) + 1.0
    } else {
        0.5 * (a + b + (2.0 - difference * difference).sqrt())
    }
}
