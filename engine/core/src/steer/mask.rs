//! The angular mask: the scan's 64 headings as the bits of one word, a set bit = blocked.
//!
//! Walls and neighbours merge in one `u64`, and the article's search for the nearest free heading
//! becomes two bit counts ([`pick`]).

use std::{f32::consts::TAU, sync::OnceLock};

use glam::{IVec2, Vec2};

use super::directions;
use crate::map::Occupancy;

/// Positions inside a cell that the wall table tells apart, along each axis.
const SUB: usize = 16;
/// How far ahead of the disc walls block a heading, in cells.
const LOOK: f32 = 0.45;
/// Radii that share a wall table: steps of 1/16 cell.
const RADIUS_STEPS: usize = 9;

type WallTable = Vec<[u64; 25]>;

/// Largest radius, cells, whose walls lie within the 5 x 5 cells of the table.
const TABLE_RADIUS: f32 = 0.5;

/// Headings blocked by walls for a disc of that radius at `at`, cells.
///
/// A heading is blocked when the disc, moved ahead by up to 0.45 cell, comes closer to a blocked
/// cell than it may; headings along a wall stay free. A table answers for discs up to half a cell;
/// larger ones look at each cell in reach.
pub fn walls(cells: &Occupancy, at: Vec2, radius: f32) -> u64 {
    let mut mask = 0;
    each_wall(cells, at, radius, |_, blocked| mask |= blocked);
    mask
}

/// Calls `f` with each blocked cell in reach and the headings that it blocks: [`walls`] by cell.
pub fn each_wall(cells: &Occupancy, at: Vec2, radius: f32, f: impl FnMut(IVec2, u64)) {
    if radius > TABLE_RADIUS {
        return each_wide_wall(cells, at, radius, f);
    }
    let mut f = f;
    let (x, y) = (at.x.floor(), at.y.floor());
    let mut near = cells.window5(x as i32, y as i32);
    if near == 0 {
        return;
    }
    let table = wall_table(radius);
    let sub = |f: f32| ((f * SUB as f32) as usize).min(SUB - 1);
    let row = &table[sub(at.y - y) * SUB + sub(at.x - x)];
    while near != 0 {
        let bit = near.trailing_zeros() as i32;
        let cell = IVec2::new(x as i32 - 2 + bit % 5, y as i32 - 2 + bit / 5);
        f(cell, row[bit as usize]);
        near &= near - 1;
    }
}

fn each_wide_wall(cells: &Occupancy, at: Vec2, radius: f32, mut f: impl FnMut(IVec2, u64)) {
    let reach = radius + LOOK;
    let low = (at - reach).floor().as_ivec2();
    let high = (at + reach).floor().as_ivec2();
    for y in low.y..=high.y {
        for x in low.x..=high.x {
            if cells.blocked(x, y) {
                let cell = Vec2::new(x as f32, y as f32);
                if at.distance(at.clamp(cell, cell + 1.0)) < reach {
                    f(IVec2::new(x, y), blocked_by(at, radius, cell));
                }
            }
        }
    }
}

/// The headings that the unit cell at `low` blocks.
fn blocked_by(at: Vec2, radius: f32, low: Vec2) -> u64 {
    (0..directions::COUNT as u32)
        .filter(|&step| wall_blocks(at, radius, low, directions::vector(step)))
        .fold(0, |mask, step| mask | 1 << step)
}

fn wall_table(radius: f32) -> &'static WallTable {
    static TABLES: [OnceLock<WallTable>; RADIUS_STEPS] = [const { OnceLock::new() }; RADIUS_STEPS];
    let step = ((radius * 16.0 + 0.5) as usize).clamp(1, RADIUS_STEPS - 1);
    TABLES[step].get_or_init(|| build_wall_table(step as f32 / 16.0))
}

fn build_wall_table(radius: f32) -> WallTable {
    let mut table = vec![[0; 25]; SUB * SUB];
    for (sub, row) in table.iter_mut().enumerate() {
        let at = Vec2::new((sub % SUB) as f32 + 0.5, (sub / SUB) as f32 + 0.5) / SUB as f32;
        for (cell, mask) in row.iter_mut().enumerate() {
            let low = Vec2::new((cell % 5) as f32 - 2.0, (cell / 5) as f32 - 2.0);
            *mask = blocked_by(at, radius, low);
        }
    }
    table
}

/// Whether a disc that moves `LOOK` ahead runs into the unit cell at `low`.
fn wall_blocks(at: Vec2, radius: f32, low: Vec2, heading: Vec2) -> bool {
    let gap = |p: Vec2| p.distance(p.clamp(low, low + 1.0));
    let now = gap(at);
    // The sub-cell position is off by up to 1/32 cell; sliding along must stay free all the same.
    let keep = (radius - 0.05).min(now - 0.01);
    (1..=4).any(|i| gap(at + heading * (LOOK * i as f32 / 4.0)) < keep)
}

/// The headings at which a unit of speed `speed` would meet a neighbour.
///
/// `offset` points to the neighbour, `reach` is the sum of the radii, `apex` the velocity that the
/// neighbour's cone starts from: half-way between both velocities when both give way (reciprocal
/// velocity obstacles, van den Berg et al. 2008), its own when it will not, zero when it stands.
/// The cone's cut with the circle of the unit's speed is an interval of headings.
pub fn neighbour(offset: Vec2, reach: f32, apex: Vec2, speed: f32) -> u64 {
    match interval(offset, reach, apex, speed) {
        Some((low, high)) => span(low, high),
        None => 0,
    }
}

fn interval(offset: Vec2, reach: f32, apex: Vec2, speed: f32) -> Option<(f32, f32)> {
    let square = offset.length_squared();
    let distance = square.sqrt();
    if distance < 1e-4 {
        return None;
    }
    let toward = offset / distance;
    // Touching: every closing heading, a little less than a half-plane.
    let sine = (reach / distance).min(0.996);
    let cosine = (1.0 - sine * sine).sqrt();
    let left = Vec2::new(
        toward.x * cosine + toward.y * sine,
        toward.y * cosine - toward.x * sine,
    );
    let right = Vec2::new(
        toward.x * cosine - toward.y * sine,
        toward.y * cosine + toward.x * sine,
    );
    // An apex outside the circle of speeds would cut it twice or not at all; it is drawn in.
    let length = apex.length();
    let apex = if length > 0.95 * speed {
        apex * (0.95 * speed / length)
    } else {
        apex
    };
    let cut = |edge: Vec2| {
        let along = apex.dot(edge);
        let root = (along * along - apex.length_squared() + speed * speed)
            .max(0.0)
            .sqrt();
        steps(apex + edge * (root - along))
    };
    let low = cut(left);
    let mut high = cut(right);
    if high < low {
        high += directions::COUNT as f32;
    }
    Some((low, high))
}

/// The bits strictly inside an interval of headings given in sixty-fourths of a turn.
fn span(low: f32, high: f32) -> u64 {
    let first = low.ceil() as i32;
    let count = high.floor() as i32 - first + 1;
    match count {
        ..=0 => 0,
        1..64 => ((1u64 << count) - 1).rotate_left(first as u32 & 63),
        _ => u64::MAX,
    }
}

/// The heading of a vector in sixty-fourths of a turn, [0, 64): a polynomial for the arc tangent
/// (error under 0.005 steps), since a library call here would be a third of the tick.
pub fn steps(v: Vec2) -> f32 {
    let (x, y) = (v.x.abs(), v.y.abs());
    let (small, large) = if x < y { (x, y) } else { (y, x) };
    if large == 0.0 {
        return 0.0;
    }
    let q = small / large;
    let s = q * q;
    // Minimax fit of atan on [0, 1] by odd powers.
    let angle =
        q * (0.999_866 + s * (-0.330_299_5 + s * (0.180_141 + s * (-0.085_133 + s * 0.020_835_1))));
    let mut turn = angle * (directions::COUNT as f32 / TAU);
    if x < y {
        turn = 16.0 - turn;
    }
    if v.x < 0.0 {
        turn = 32.0 - turn;
    }
    if v.y < 0.0 {
        turn = 64.0 - turn;
    }
    if turn >= 64.0 { turn - 64.0 } else { turn }
}

/// The article's search as bit arithmetic: signed steps from `base` to the nearest free heading of
/// `blocked`, or `None` where all 64 are blocked. On the side that `favour` names (-1 or +1) a
/// heading may be `bias` steps further and still win.
pub fn pick(blocked: u64, base: u32, favour: i32, bias: i32) -> Option<i32> {
    let free = (!blocked).rotate_right(base & 63);
    if free == 0 {
        return None;
    }
    if free & 1 != 0 {
        return Some(0);
    }
    let up = free.trailing_zeros() as i32;
    let down = free.leading_zeros() as i32 + 1;
    let (cost_up, cost_down) = (
        up - if favour > 0 { bias } else { 0 },
        down - if favour < 0 { bias } else { 0 },
    );
    let take_up = cost_up < cost_down || (cost_up == cost_down && favour >= 0);
    Some(if take_up { up } else { -down })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::map::Map;

    #[test]
    fn a_wall_blocks_the_headings_into_it_and_no_others() {
        let map = Map::from_ascii(".....\n.....\n.....\n#####\n.....").unwrap();
        let mask = walls(
            &map.nav(Default::default()).occupancy,
            Vec2::new(2.5, 2.6),
            0.4,
        );
        assert_ne!(mask & (1 << 16), 0, "down is blocked");
        for free in [0, 32, 48, 40, 56] {
            assert_eq!(mask & (1 << free), 0, "heading {free} is free");
        }
    }

    #[test]
    fn an_oncoming_unit_blocks_the_heading_at_it() {
        let (mine, theirs) = (Vec2::new(0.1, 0.0), Vec2::new(-0.1, 0.0));
        let mask = neighbour(Vec2::new(2.0, 0.0), 0.7, (mine + theirs) / 2.0, 0.1);
        assert_ne!(mask & 1, 0);
        assert_eq!(mask & (1 << 8), 0);
        assert_eq!(
            mask.count_ones() % 2,
            1,
            "symmetric about the line between them"
        );
    }

    /// A leader's own velocity would be the apex of its cone; a step as long as the unit's own is
    /// drawn in to 0.95 of it, so that the cone has a cut at all. So a leader that gets no nearer
    /// still blocks the heading straight at it, and those that would close in, but not those
    /// beside it.
    #[test]
    fn a_leader_of_equal_speed_blocks_the_heading_at_it() {
        let step = Vec2::new(0.1, 0.0);
        let offset = Vec2::new(1.0, 0.0);
        let mask = neighbour(offset, 0.7, step, 0.1);
        assert_eq!(
            mask,
            neighbour(offset, 0.7, step * 0.95, 0.1),
            "{mask:064b}"
        );
        assert_eq!(mask, neighbour(offset, 0.7, step * 3.0, 0.1), "{mask:064b}");
        assert_ne!(mask & 1, 0);
        let slower = neighbour(offset, 0.7, step * 0.5, 0.1);
        assert!(
            mask.count_ones() < slower.count_ones(),
            "a slower one blocks more"
        );
    }

    #[test]
    fn the_nearest_free_heading_is_picked_and_the_favoured_side_wins_ties() {
        assert_eq!(pick(0, 5, 1, 0), Some(0));
        assert_eq!(pick(0b111 << 4, 5, 1, 0), Some(2));
        assert_eq!(pick(0b111 << 4, 5, -1, 0), Some(-2));
        assert_eq!(pick(0b1111 << 4, 5, 1, 2), Some(3));
        assert_eq!(pick(u64::MAX, 5, 1, 0), None);
    }

    proptest! {
        #[test]
        fn pick_is_the_scan_over_bits(blocked: u64, base in 0u32..64) {
            let scan = (0..=32).flat_map(|i| [i, -i]).find(|i| blocked >> ((base as i32 + i) & 63) & 1 == 0);
            prop_assert_eq!(pick(blocked, base, 1, 0).map(i32::abs), scan.map(i32::abs));
        }

        #[test]
        fn steps_is_the_angle(angle in 0.0f32..TAU, length in 0.01f32..50.0) {
            let found = steps(directions::unit(angle) * length);
            let off = (found - angle * 64.0 / TAU).abs();
            prop_assert!(off.min(64.0 - off) < 0.005, "{found} for {angle}");
        }
    }
}
