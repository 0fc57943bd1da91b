//! What is followed of each unit.

use glam::{DVec2, Vec2};
use throng::{Map, Outcome};

use super::{GroupOrder, View, has_ended, is_dead};

/// Motion per tick, in cells, over which a unit counts as moving for its turns.
const MOVING: f64 = 0.01;
/// Motion per tick, in top speeds, under which a unit stands still.
const STILL: f64 = 0.01;
/// Overlap with walls that is no violation, in radii.
const WALL_SLOP: f64 = 0.02;
/// How far discs may stick out of the map, in cells: rounding.
const EDGE_SLOP: f64 = 1e-6;

/// The history of one unit.
#[derive(Clone, Debug, Default)]
pub(super) struct Track {
    pub(super) group: u32,
    pub(super) order: Option<GroupOrder>,
    /// Tick of its last order.
    pub(super) ordered: u64,
    /// Tick in which its last order ended.
    pub(super) ended: Option<u64>,
    /// Where it was after the first tick.
    pub(super) start: Vec2,
    /// Where it was before the last second of the run.
    pub(super) before_last_second: Vec2,
    /// Way walked since the first tick, in cells.
    pub(super) walked: f64,
    /// Tick from which it has been inside its group's packed disc.
    pub(super) inside_since: Option<u64>,
    /// Last tick in which it did not stand still.
    pub(super) moved: u64,
    position: Vec2,
    /// Way walked in the last tick.
    stride: f64,
    /// The last step that was long enough to have a direction.
    direction: DVec2,
}

/// Sums over units and ticks.
#[derive(Clone, Debug, Default)]
pub(super) struct Sums {
    pub(super) wall_violations: u64,
    pub(super) hard_stops: u64,
    /// Radians turned between two ticks in which a unit moved, standing ones between them left out,
    /// and how many such turns.
    pub(super) turned: f64,
    pub(super) turns: u64,
}

impl Sums {
    pub(super) fn add(&mut self, other: &Self) {
        self.wall_violations += other.wall_violations;
        self.hard_stops += other.hard_stops;
        self.turned += other.turned;
        self.turns += other.turns;
    }
}

/// Brings the tracks of the units numbered from `first_number` up to date.
pub(super) fn observe(view: &View, first_number: u32, tracks: &mut [Track]) -> Sums {
    let mut sums = Sums::default();
    let units = view.units;
    for row in view.rows(first_number..first_number + tracks.len() as u32) {
        if is_dead(units, row) {
            continue;
        }
        let track = &mut tracks[(units.id[row].0 - first_number) as usize];
        let position = units.position[row];
        if in_wall(view.map, position, units.radius[row]) {
            sums.wall_violations += 1;
        }
        if view.first {
            track.start = position;
            track.position = position;
        } else {
            let top = f64::from(units.speed[row]);
            track.walk(position, top, units.outcome[row], view.tick, &mut sums);
        }
        if view.tick == view.last_second {
            track.before_last_second = position;
        }
        let group = &view.groups[track.group as usize];
        let inside = group
            .goal
            .is_some_and(|goal| position.as_dvec2().distance(goal.as_dvec2()) <= group.packed);
        if !inside {
            track.inside_since = None;
        } else if track.inside_since.is_none() {
            track.inside_since = Some(view.tick);
        }
    }
    sums
}

impl Track {
    fn walk(&mut self, to: Vec2, top: f64, outcome: Outcome, tick: u64, sums: &mut Sums) {
        let step = to.as_dvec2() - self.position.as_dvec2();
        let length = step.length();
        let before = self.stride;
        self.walked += length;
        if length > STILL * top {
            self.moved = tick;
        }
        if length > MOVING {
            let last = self.direction;
            if last != DVec2::ZERO {
                sums.turned += libm::atan2(last.perp_dot(step), last.dot(step)).abs();
                sums.turns += 1;
            }
            self.direction = step;
        }
        if before > 0.5 * top && length < 0.1 * top && !has_ended(outcome) {
            sums.hard_stops += 1;
        }
        self.stride = length;
        self.position = to;
    }
}

/// Whether a unit's centre is in a blocked cell or its disc overlaps one too deep.
fn in_wall(map: &Map, position: Vec2, radius: f32) -> bool {
    let p = position.as_dvec2();
    let radius = f64::from(radius) * (1.0 - WALL_SLOP);
    let size = DVec2::new(f64::from(map.width()), f64::from(map.height()));
    // Written so that NaN counts as outside.
    let inside = (p - radius).cmpge(DVec2::splat(-EDGE_SLOP)).all()
        && (p + radius).cmple(size + EDGE_SLOP).all();
    if !inside {
        return true;
    }
    let low = (p - radius).floor().as_ivec2();
    let high = (p + radius).floor().as_ivec2();
    (low.y.max(0)..=high.y.min(map.height() as i32 - 1)).any(|y| {
        (low.x.max(0)..=high.x.min(map.width() as i32 - 1)).any(|x| {
            let cell = DVec2::new(f64::from(x), f64::from(y));
            map.is_blocked(x, y) && p.clamp(cell, cell + 1.0).distance_squared(p) < radius * radius
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_disc_may_touch_a_wall_but_not_sink_in() {
        let map = Map::from_ascii("...\n.#.\n...\n").unwrap();
        assert!(!in_wall(&map, Vec2::new(0.6, 1.5), 0.4), "touches");
        assert!(!in_wall(&map, Vec2::new(0.607, 1.5), 0.4), "within 0.02 r");
        assert!(in_wall(&map, Vec2::new(0.609, 1.5), 0.4), "over 0.02 r");
        assert!(
            !in_wall(&map, Vec2::new(0.72, 0.72), 0.39),
            "beside the corner"
        );
        assert!(
            in_wall(&map, Vec2::new(0.75, 0.75), 0.39),
            "over the corner"
        );
        assert!(
            in_wall(&map, Vec2::new(1.5, 1.5), 0.1),
            "in the middle of it"
        );
    }

    #[test]
    fn leaving_the_map_and_nan_are_violations() {
        let map = Map::open(3, 3).unwrap();
        assert!(in_wall(&map, Vec2::new(0.3, 1.5), 0.4));
        assert!(in_wall(&map, Vec2::new(1.5, 2.7), 0.4));
        assert!(in_wall(&map, Vec2::new(f32::NAN, 1.5), 0.4));
        assert!(!in_wall(&map, Vec2::new(0.4, 2.6), 0.4));
    }

    #[test]
    fn turns_stops_and_ways_add_up() {
        let mut track = Track {
            position: Vec2::new(1.0, 1.0),
            ..Track::default()
        };
        let mut sums = Sums::default();
        let way = [(1.1, 1.0), (1.2, 1.0), (1.2, 1.1), (1.2, 1.105), (1.2, 1.2)];
        for (tick, (x, y)) in way.into_iter().enumerate() {
            track.walk(
                Vec2::new(x, y),
                0.1,
                Outcome::Active,
                tick as u64,
                &mut sums,
            );
        }
        assert_eq!(
            sums.turns, 3,
            "the first step and the slow one are left out"
        );
        assert!((sums.turned - std::f64::consts::FRAC_PI_2).abs() < 1e-3);
        assert_eq!(sums.hard_stops, 1);
        assert!((track.walked - 0.4).abs() < 1e-6);
        track.walk(Vec2::new(1.2, 1.2), 0.1, Outcome::Arrived, 9, &mut sums);
        assert_eq!(sums.hard_stops, 1, "stopping on arrival is no hard stop");
        assert_eq!(track.moved, 4);
    }
}
