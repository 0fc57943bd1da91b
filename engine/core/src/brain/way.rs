//! Short ways: straight ahead, or a small search round what is in between.
//!
//! Brains walk to points close by, which differ from unit to unit; a flow field each would be
//! waste. A search in a window of cells round the unit finds the way, and all that is kept of it is
//! the furthest point of it in sight. Who would rather not press on others goes round those who
//! stand about as well.

use glam::Vec2;

use crate::{map::Occupancy, motion::walls};

/// Half the side of the window, cells.
const REACH: i32 = 16;
const SIDE: i32 = 2 * REACH + 1;
const AREA: usize = (SIDE * SIDE) as usize;
/// Share of the radius that must be clear on both sides of a straight way; less than all, since
/// the steering keeps off the walls and a disc may start in touch with one.
const WIDTH: f32 = 0.9;
/// Costs of a step, and what a cell costs more that somebody stands in the way of, in fifths of a
/// cell.
const STRAIGHT: u16 = 5;
const DIAGONAL: u16 = 7;
const TAKEN: u16 = 12;
const FAR: u16 = u16::MAX;
/// Sums of radii that a way keeps from those who stand about: the steering keeps a little more than
/// one.
const MARGIN: f32 = 1.05;
/// Most of those who stand about that are seen at once.
const MOST: usize = 96;

/// Those who stand about.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Standing {
    count: usize,
    /// Centres and radii, cells.
    discs: [(Vec2, f32); MOST],
}

impl Standing {
    pub const NOBODY: Self = Self {
        count: 0,
        discs: [(Vec2::ZERO, 0.0); MOST],
    };

    /// Adds one, as long as there is room.
    pub fn add(&mut self, at: Vec2, radius: f32) {
        if self.count < MOST {
            self.discs[self.count] = (at, radius);
            self.count += 1;
        }
    }

    fn all(&self) -> &[(Vec2, f32)] {
        &self.discs[..self.count]
    }
}

/// What a disc walks among.
#[derive(Clone, Copy)]
pub(crate) struct Ground<'a> {
    /// The blocked cells themselves.
    pub walls: &'a Occupancy,
    /// The cells that the disc's centre may not be in; the same for discs of at most half a cell.
    pub cells: &'a Occupancy,
    /// Radius of the disc, cells.
    pub radius: f32,
    /// Who is to be gone round.
    pub standing: &'a Standing,
}

/// The short way from one point to another: its length along cells and the furthest point of it
/// that lies straight ahead.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ShortWay {
    /// Where to walk first.
    pub next: Vec2,
    /// Length of the whole way, cells.
    pub length: f32,
    /// It leads through where somebody stands: there is none round.
    pub barred: bool,
}

impl Ground<'_> {
    /// Whether the disc can go straight from one point to the other.
    pub fn is_straight(&self, from: Vec2, to: Vec2) -> bool {
        let aside = (to - from).normalize_or_zero().perp() * (self.radius * WIDTH);
        walls::is_in_sight(self.walls, from, to)
            && walls::is_in_sight(self.walls, from + aside, to + aside)
            && walls::is_in_sight(self.walls, from - aside, to - aside)
            && !self.is_barred(from, to)
    }

    /// Whether somebody stands in the straight way; who stands at its end or behind does not.
    fn is_barred(&self, from: Vec2, to: Vec2) -> bool {
        let way = to - from;
        self.standing.all().iter().any(|&(at, radius)| {
            let near = MARGIN * MARGIN * (self.radius + radius) * (self.radius + radius);
            let share = (at - from).dot(way) / way.length_squared().max(1e-6);
            share > 0.0
                && at.distance_squared(to) > near
                && at.distance_squared(from + way * share.min(1.0)) < near
        })
    }

    /// Finds the short way; `None` where there is none inside the window.
    pub fn find(&self, from: Vec2, to: Vec2) -> Option<ShortWay> {
        if self.is_straight(from, to) {
            return Some(ShortWay {
                next: to,
                length: from.distance(to),
                barred: false,
            });
        }
        let origin = (from.x.floor() as i32 - REACH, from.y.floor() as i32 - REACH);
        let goal = (
            to.x.floor() as i32 - origin.0,
            to.y.floor() as i32 - origin.1,
        );
        if !is_inside(goal) {
            return None;
        }
        let window = Window::new(self, origin);
        let mut left = [FAR; AREA];
        window.spread(goal, &mut left);
        let mut cell = (REACH, REACH);
        if left[index(cell)] == FAR {
            return None;
        }
        // The first point of the way, with what is left from there.
        let mut next = None;
        let mut seen = true;
        let (mut before, mut barred) = (from, false);
        while left[index(cell)] > 0 {
            let step = window.best_step(cell, &left)?;
            cell = step;
            let point = if left[index(cell)] == 0 {
                to
            } else {
                centre(origin, cell)
            };
            barred |= if point == to {
                self.is_barred(before, to)
            } else {
                window.is_taken(index(cell))
            };
            before = point;
            seen &= next.is_none() || self.is_straight(from, point);
            if seen {
                next = Some((point, left[index(cell)]));
            }
        }
        let (next, beyond) = next.unwrap_or((to, 0));
        Some(ShortWay {
            next,
            length: from.distance(next) + f32::from(beyond) / f32::from(STRAIGHT),
            barred,
        })
    }
}

fn is_inside((x, y): (i32, i32)) -> bool {
    (0..SIDE).contains(&x) && (0..SIDE).contains(&y)
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

/// The cells about a disc, with what each costs.
struct Window<'a> {
    cells: &'a Occupancy,
    origin: (i32, i32),
    /// A bit per cell in whose middle the disc would lie on somebody.
    taken: [u64; AREA.div_ceil(64)],
}

impl<'a> Window<'a> {
    fn new(ground: &Ground<'a>, origin: (i32, i32)) -> Self {
        let mut taken = [0; AREA.div_ceil(64)];
        for &(at, radius) in ground.standing.all() {
            let near = MARGIN * (ground.radius + radius);
            let (low, high) = ((at - near).floor(), (at + near).floor());
            for y in low.y as i32..=high.y as i32 {
                for x in low.x as i32..=high.x as i32 {
                    let cell = (x - origin.0, y - origin.1);
                    if is_inside(cell) && centre(origin, cell).distance_squared(at) < near * near {
                        taken[index(cell) / 64] |= 1 << (index(cell) % 64);
                    }
                }
            }
        }
        Self {
            cells: ground.cells,
            origin,
            taken,
        }
    }

    fn is_taken(&self, cell: usize) -> bool {
        self.taken[cell / 64] >> (cell % 64) & 1 == 1
    }

    /// Whether the step from `cell` stays in the window and cuts no corner.
    fn may_step(&self, cell: (i32, i32), dx: i32, dy: i32) -> bool {
        let to = (cell.0 + dx, cell.1 + dy);
        // A large disc may stand in a cell whose middle is too close to a wall for it.
        let free = |x: i32, y: i32| {
            (x, y) == (REACH, REACH) || !self.cells.blocked(self.origin.0 + x, self.origin.1 + y)
        };
        is_inside(to)
            && free(to.0, to.1)
            && (dx == 0 || dy == 0 || (free(to.0, cell.1) && free(cell.0, to.1)))
    }

    /// Distances from the goal by Dial's buckets until the middle of the window is reached.
    fn spread(&self, goal: (i32, i32), left: &mut [u16; AREA]) {
        const BUCKETS: usize = (DIAGONAL + TAKEN) as usize + 1;
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
                if !self.may_step(cell, dx, dy) {
                    continue;
                }
                let to = index((cell.0 + dx, cell.1 + dy));
                let new = now + cost + TAKEN * u16::from(self.is_taken(to));
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

    fn best_step(&self, cell: (i32, i32), left: &[u16; AREA]) -> Option<(i32, i32)> {
        STEPS
            .iter()
            .filter(|(dx, dy, _)| self.may_step(cell, *dx, *dy))
            .map(|(dx, dy, cost)| ((cell.0 + dx, cell.1 + dy), cost))
            .filter(|(to, _)| left[index(*to)] < left[index(cell)])
            .min_by_key(|(to, cost)| left[index(*to)].saturating_add(**cost))
            .map(|(to, _)| to)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Map;

    fn ground<'a>(map: &'a Map, standing: &'a Standing) -> Ground<'a> {
        let cells = &map.nav(Default::default()).occupancy;
        Ground {
            walls: cells,
            cells,
            radius: 0.4,
            standing,
        }
    }

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
        let ground = ground(&map, &Standing::NOBODY);
        let (from, to) = (Vec2::new(1.5, 2.5), Vec2::new(5.5, 2.5));
        assert!(!ground.is_straight(from, to));
        let way = ground.find(from, to).unwrap();
        assert!(way.length > 5.0 && way.length < 8.0, "{way:?}");
        assert!(ground.is_straight(from, way.next));
        assert!(way.next.y < 1.0 || way.next.y > 4.0, "{way:?}");
    }

    #[test]
    fn no_way_leads_into_a_closed_room() {
        let map = Map::from_ascii(".....\n.###.\n.#.#.\n.###.\n.....").unwrap();
        let ground = ground(&map, &Standing::NOBODY);
        assert_eq!(ground.find(Vec2::new(0.5, 0.5), Vec2::new(2.5, 2.5)), None);
    }

    #[test]
    fn an_open_field_costs_no_search() {
        let map = Map::open(40, 40).unwrap();
        let ground = ground(&map, &Standing::NOBODY);
        let (from, to) = (Vec2::new(1.0, 1.0), Vec2::new(38.0, 30.0));
        assert_eq!(ground.find(from, to).unwrap().next, to);
    }

    #[test]
    fn those_who_stand_about_are_gone_round_unless_they_stand_at_the_end() {
        let map = Map::open(12, 9).unwrap();
        let mut row = Standing::NOBODY;
        for y in 3..6 {
            row.add(Vec2::new(5.5, y as f32 + 0.5), 0.4);
        }
        let (from, to) = (Vec2::new(1.5, 4.5), Vec2::new(10.5, 4.5));
        let among = ground(&map, &row);
        let way = among.find(from, to).unwrap();
        assert!(way.next != to && way.length > 9.5 && !way.barred, "{way:?}");
        let mut all = row;
        for y in [0, 1, 2, 6, 7, 8] {
            all.add(Vec2::new(5.5, y as f32 + 0.5), 0.4);
        }
        assert!(ground(&map, &all).find(from, to).unwrap().barred);
        assert_eq!(among.find(from, Vec2::new(5.5, 4.5)).unwrap().next.x, 5.5);
        assert_eq!(among.find(from, Vec2::new(1.5, 8.5)).unwrap().length, 4.0);
    }
}
