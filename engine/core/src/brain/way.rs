//! Short ways: straight ahead, or a small search round what is in between.
//!
//! Brains walk to points close by, which differ from unit to unit; a flow field each would be
//! waste. A search in a window of cells round the unit finds the way, and all that is kept of it is
//! the furthest point of it in sight.

use glam::Vec2;

use crate::{map::Occupancy, motion::walls};

/// Half the side of the window, cells.
pub(crate) const REACH: i32 = 16;
const SIDE: i32 = 2 * REACH + 1;
const AREA: usize = (SIDE * SIDE) as usize;
/// Share of the radius that must be clear on both sides of a straight way; less than all, since
/// the steering keeps off the walls and a disc may start in touch with one.
const WIDTH: f32 = 0.9;
const STRAIGHT: u16 = 5;
const DIAGONAL: u16 = 7;
const FAR: u16 = u16::MAX;

/// Whether a disc can go straight from one point to the other.
pub fn is_straight(cells: &Occupancy, from: Vec2, to: Vec2, radius: f32) -> bool {
    let aside = (to - from).normalize_or_zero().perp() * (radius * WIDTH);
    walls::is_in_sight(cells, from, to)
        && walls::is_in_sight(cells, from + aside, to + aside)
        && walls::is_in_sight(cells, from - aside, to - aside)
}

/// The short way from one point to another: its length along cells and the furthest point of it
/// that lies straight ahead.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShortWay {
    /// Where to walk first.
    pub next: Vec2,
    /// Length of the whole way, cells.
    pub length: f32,
}

/// Finds the short way of a disc over `cells`, those that its centre may be in, between `walls`, the
/// blocked cells themselves: the same for discs of at most half a cell. `None` where there is no way
/// inside the window.
pub fn find(
    walls: &Occupancy,
    cells: &Occupancy,
    from: Vec2,
    to: Vec2,
    radius: f32,
) -> Option<ShortWay> {
    if is_straight(walls, from, to, radius) {
        return Some(ShortWay {
            next: to,
            length: from.distance(to),
        });
    }
    let origin = (from.x.floor() as i32 - REACH, from.y.floor() as i32 - REACH);
    let goal = (
        to.x.floor() as i32 - origin.0,
        to.y.floor() as i32 - origin.1,
    );
    if !(0..SIDE).contains(&goal.0) || !(0..SIDE).contains(&goal.1) {
        return None;
    }
    let mut left = [FAR; AREA];
    spread(cells, origin, goal, &mut left);
    let mut cell = (REACH, REACH);
    let total = left[index(cell)];
    if total == FAR {
        return None;
    }
    let mut next = None;
    while left[index(cell)] > 0 {
        let step = best_step(cells, origin, cell, &left)?;
        cell = step;
        let point = if left[index(cell)] == 0 {
            to
        } else {
            centre(origin, cell)
        };
        if next.is_some() && !is_straight(walls, from, point, radius) {
            break;
        }
        next = Some(point);
    }
    Some(ShortWay {
        next: next.unwrap_or(to),
        length: f32::from(total) / f32::from(STRAIGHT),
    })
}

fn index((x, y): (i32, i32)) -> usize {
    (y * SIDE + x) as usize
}

fn centre(origin: (i32, i32), cell: (i32, i32)) -> Vec2 {
    Vec2::new(
        (origin.0 + cell.0) as f32 + 0.5,
        (origin.1 + cell.1) as f32 + 0.5,
    )
}

const STEPS: [(i32, i32, u16); 8] = [
    (1, 0, STRAIGHT),
    (0, 1, STRAIGHT),
    (-1, 0, STRAIGHT),
    (0, -1, STRAIGHT),
    (1, 1, DIAGONAL),
    (-1, 1, DIAGONAL),
    (-1, -1, DIAGONAL),
    (1, -1, DIAGONAL),
];

/// Whether the step from `cell` stays in the window and cuts no corner.
fn may_step(cells: &Occupancy, origin: (i32, i32), cell: (i32, i32), dx: i32, dy: i32) -> bool {
    let to = (cell.0 + dx, cell.1 + dy);
    // A large disc may stand in a cell whose middle is too close to a wall for it.
    let free =
        |x: i32, y: i32| (x, y) == (REACH, REACH) || !cells.blocked(origin.0 + x, origin.1 + y);
    (0..SIDE).contains(&to.0)
        && (0..SIDE).contains(&to.1)
        && free(to.0, to.1)
        && (dx == 0 || dy == 0 || (free(to.0, cell.1) && free(cell.0, to.1)))
}

/// Distances from the goal by Dial's buckets until the middle of the window is reached.
fn spread(cells: &Occupancy, origin: (i32, i32), goal: (i32, i32), left: &mut [u16; AREA]) {
    const BUCKETS: usize = DIAGONAL as usize + 1;
    let mut buckets = [[0u16; AREA]; BUCKETS];
    let mut sizes = [0usize; BUCKETS];
    left[index(goal)] = 0;
    buckets[0][0] = index(goal) as u16;
    sizes[0] = 1;
    let (mut now, mut idle) = (0u16, 0);
    while idle < BUCKETS {
        let slot = usize::from(now) % BUCKETS;
        if sizes[slot] == 0 {
            idle += 1;
            now += 1;
            continue;
        }
        idle = 0;
        sizes[slot] -= 1;
        let at = usize::from(buckets[slot][sizes[slot]]);
        if left[at] != now {
            continue;
        }
        let cell = (at as i32 % SIDE, at as i32 / SIDE);
        if cell == (REACH, REACH) {
            return;
        }
        for (dx, dy, cost) in STEPS {
            if !may_step(cells, origin, cell, dx, dy) {
                continue;
            }
            let to = index((cell.0 + dx, cell.1 + dy));
            let new = now + cost;
            if new < left[to] {
                left[to] = new;
                let slot = usize::from(new) % BUCKETS;
                // A bucket holds a cell at most once per distance, so it never overflows.
                buckets[slot][sizes[slot]] = to as u16;
                sizes[slot] += 1;
            }
        }
    }
}

fn best_step(
    cells: &Occupancy,
    origin: (i32, i32),
    cell: (i32, i32),
    left: &[u16; AREA],
) -> Option<(i32, i32)> {
    STEPS
        .iter()
        .filter(|(dx, dy, _)| may_step(cells, origin, cell, *dx, *dy))
        .map(|(dx, dy, cost)| ((cell.0 + dx, cell.1 + dy), cost))
        .filter(|(to, _)| left[index(*to)] < left[index(cell)])
        .min_by_key(|(to, cost)| left[index(*to)].saturating_add(**cost))
        .map(|(to, _)| to)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Map;

    #[test]
    fn a_way_round_a_wall_begins_at_its_corner() {
        let map = Map::from_ascii(
            "........\n\
             ...#....\n\
             ...#....\n\
             ...#....\n\
             ........",
        )
        .unwrap();
        let cells = &map.nav(Default::default()).occupancy;
        let (from, to) = (Vec2::new(1.5, 2.5), Vec2::new(5.5, 2.5));
        assert!(!is_straight(cells, from, to, 0.4));
        let way = find(cells, cells, from, to, 0.4).unwrap();
        assert!(way.length > 5.0 && way.length < 8.0, "{way:?}");
        assert!(is_straight(cells, from, way.next, 0.4));
        assert!(way.next.y < 1.0 || way.next.y > 4.0, "{way:?}");
    }

    #[test]
    fn no_way_leads_into_a_closed_room() {
        let map = Map::from_ascii(".....\n.###.\n.#.#.\n.###.\n.....").unwrap();
        let cells = &map.nav(Default::default()).occupancy;
        assert_eq!(
            find(cells, cells, Vec2::new(0.5, 0.5), Vec2::new(2.5, 2.5), 0.3),
            None
        );
    }

    #[test]
    fn an_open_field_costs_no_search() {
        let map = Map::open(40, 40).unwrap();
        let cells = &map.nav(Default::default()).occupancy;
        let (from, to) = (Vec2::new(1.0, 1.0), Vec2::new(38.0, 30.0));
        assert_eq!(find(cells, cells, from, to, 0.4).unwrap().next, to);
    }
}
