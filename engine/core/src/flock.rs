//! Scratch of a tick: the units' hot state copied into cell order.
//!
//! All arrays are indexed by *place*, the position in cell order. They live in the simulation and
//! are reused, so that a steady tick allocates nothing.

use glam::Vec2;
use rayon::prelude::*;

use crate::{
    field::Congestion,
    map::{Map, SizeClass},
    motion::walls,
    route::Routes,
    spatial::{CellOrder, Cells, Extents},
    units::{NO_ROUTE, Units},
};

/// Units per parallel job. A constant, so that the split never depends on the number of threads;
/// small enough to balance 10,000 units over 32 threads.
pub(crate) const CHUNK: usize = 256;

/// Parking begins within this many times the distance that holds the settled crowd.
const PARKING: f32 = 1.6;

/// What others need to know of a unit while they steer.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Mark {
    /// Velocity in the last tick, cells per tick.
    pub velocity: Vec2,
    /// Direction it wants to go, a unit vector; zero for one that stands.
    pub desired: Vec2,
    /// Distance left to its goal, cells.
    pub distance: f32,
    pub radius: f32,
    /// Top speed, cells per tick.
    pub speed: f32,
    pub route: u32,
    pub team: u8,
    /// In masses of a common unit.
    pub mass: f32,
    /// Walks on an order or steps aside.
    pub moving: bool,
    pub hold: bool,
    /// See [`Steered::lean`], of the last tick.
    pub lean: u8,
    /// Side last taken round an obstacle: -1, 0, +1.
    pub side: i8,
    /// Steps aside for a friend that pressed; who does has no companions meanwhile.
    pub aside: bool,
    /// Goes round those at rest and never presses on them.
    pub polite: bool,
    /// Walks round a crowd rather than the shortest way.
    pub bypasses: bool,
    /// Takes part in avoidance and contacts.
    pub solid: bool,
    /// Straight way to the goal is clear of walls.
    pub in_sight: bool,
    /// Close enough to the goal to look for a place rather than to queue.
    pub parking: bool,
}

/// The cell-ordered scratch.
#[derive(Clone, Debug, Default)]
pub(crate) struct Flock {
    pub cells: CellOrder,
    /// Place -> index in [`Units`].
    pub rank: Vec<u32>,
    pub position: Vec<Vec2>,
    pub mark: Vec<Mark>,
    /// Output of the steer stage, cells per tick.
    pub steered: Vec<Steered>,
    /// Output of the relax stage, and its second buffer.
    pub moved: Vec<Vec2>,
    pub swap: Vec<Vec2>,
    /// Of the relax stage's passes: how near units are to a wall that keeps them from giving way.
    pub wedged: Vec<u8>,
    pub wedged_next: Vec<u8>,
    /// How large and fast the units about a place are.
    pub extents: Extents,
}

/// What the steer stage decides for one unit.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Steered {
    pub velocity: Vec2,
    pub side: i8,
    /// Place of the companion that stands between it and its parking place.
    pub rival: Option<u32>,
    /// Rests against a settled companion that is nearer to the goal.
    pub blocked_by_settled: bool,
    /// Over 0: leans to the right, since others come towards it or its leaders.
    pub lean: u8,
    /// Way to step aside for a friend that presses; zero for none.
    pub aside: Vec2,
    /// A friend leans on it.
    pub pressed: bool,
}

impl Flock {
    pub fn new(map: &Map) -> Self {
        Self {
            cells: CellOrder::new(map.width(), map.height()),
            extents: Extents::new(map.width(), map.height()),
            ..Self::default()
        }
    }

    /// The units by cell, for others to look at.
    pub fn cells(&self) -> Cells<'_> {
        let all = self.extents.all();
        Cells {
            order: &self.cells,
            // A step, and what relaxation adds to it: less than a radius.
            drift: all.speed + all.radius,
            max_radius: all.radius,
        }
    }

    /// Sorts the units into cells and copies what the steering reads.
    pub fn load(&mut self, units: &Units, routes: &Routes, map: &Map, tick: u64) {
        self.cells.sort(&units.position);
        self.rank.clear();
        self.rank.extend_from_slice(self.cells.order());
        let count = units.len();
        self.position.resize(count, Vec2::ZERO);
        self.mark.resize(count, Mark::default());
        self.steered.resize(count, Steered::default());
        self.moved.resize(count, Vec2::ZERO);
        self.swap.resize(count, Vec2::ZERO);
        self.wedged.resize(count, 0);
        self.wedged_next.resize(count, 0);
        self.extents
            .measure(&units.position, &units.radius, &units.speed);
        let rank = &self.rank;
        self.position
            .par_chunks_mut(CHUNK)
            .zip(self.mark.par_chunks_mut(CHUNK))
            .zip(rank.par_chunks(CHUNK))
            .for_each(|((positions, marks), ranks)| {
                for ((position, mark), &rank) in positions.iter_mut().zip(marks).zip(ranks) {
                    *position = units.position[rank as usize];
                    *mark = mark_of(units, rank as usize, routes, map, tick);
                }
            });
    }
}

/// Ticks between two looks of a unit for a way round the crowd ahead.
const DECIDE_EVERY: u64 = 32;
/// Ticks between two counts of those held up.
const COUNT_EVERY: u64 = 16;
/// Share of the speed from which on a walker counts as held up.
const SLOW: f32 = 0.5;

impl Flock {
    /// Counts, now and then, the units on a route that others hold up, by place and by route.
    pub fn count_held_up(
        &self,
        units: &Units,
        routes: &mut Routes,
        congestion: &mut Congestion,
        tick: u64,
    ) {
        if !tick.is_multiple_of(COUNT_EVERY) {
            return;
        }
        for (_, route) in routes.iter_mut() {
            (route.held_up, route.advance_of_held) = (0, 0.0);
        }
        let walkers = self.position.iter().zip(&self.mark).zip(&self.rank);
        for ((&at, mark), &rank) in walkers {
            let is_cut_off = units.agent[rank as usize].unreachable;
            if !mark.moving || mark.parking || mark.speed == 0.0 || is_cut_off {
                continue;
            }
            let Some(route) = routes.get_mut(mark.route) else {
                continue;
            };
            let progress = mark.velocity.dot(mark.desired) / mark.speed;
            let slowness = 1.0 - progress.clamp(0.0, 1.0);
            if slowness > SLOW {
                route.held_up += 1;
                route.advance_of_held += 1.0 - slowness;
            }
            congestion.count(at, slowness);
        }
        congestion.update();
    }
}

fn mark_of(units: &Units, rank: usize, routes: &Routes, map: &Map, tick: u64) -> Mark {
    let agent = &units.agent[rank];
    let at = units.position[rank];
    let intent = &units.intent[rank];
    let walking =
        !intent.leads && agent.route != NO_ROUTE && units.outcome[rank] == crate::Outcome::Active;
    let mut mark = Mark {
        velocity: units.velocity[rank],
        radius: units.radius[rank],
        speed: units.speed[rank],
        route: agent.route,
        team: units.team[rank],
        mass: units.mass[rank],
        moving: walking,
        // What cannot walk does not budge.
        hold: agent.hold || units.speed[rank] == 0.0,
        lean: agent.lean,
        side: agent.side,
        aside: agent.yielding > 0,
        solid: agent.avoidance,
        ..Mark::default()
    };
    if intent.leads {
        mark.desired = intent.desired;
        mark.distance = intent.left;
        mark.in_sight = intent.in_sight;
        mark.polite = intent.polite;
        mark.speed = mark.speed.min(intent.pace);
        mark.moving = intent.moves();
        mark.route = if mark.moving {
            intent.company
        } else {
            NO_ROUTE
        };
    }
    if walking && let Some(route) = routes.get(agent.route) {
        let cells = &map.nav(SizeClass::of(mark.radius)).occupancy;
        let guidance = route.guide(map, at);
        mark.desired = guidance.direction;
        mark.distance = guidance.distance;
        mark.in_sight = guidance.in_sight;
        mark.parking =
            route.field.is_some() && guidance.distance < PARKING * route.full + 2.0 * mark.radius;
        let may = !mark.parking && !mark.in_sight;
        mark.bypasses = may && agent.bypasses;
        if may && (tick + u64::from(units.id[rank].0)).is_multiple_of(DECIDE_EVERY) {
            mark.bypasses = route.is_crowded(at);
        }
        if mark.bypasses
            && let Some(way) = route.guide_round_crowds(at)
        {
            mark.desired = way.direction;
            mark.distance = way.distance;
        }
        if let Some(place) = route.lot.place(agent.place) {
            let away = place - at;
            if walls::is_in_sight(cells, at, place) {
                mark.desired = away.normalize_or_zero();
                mark.distance = away.length();
                mark.in_sight = true;
            } else {
                mark.in_sight = false;
                match route.lot.detour.next(cells, at) {
                    Some((next, left)) => {
                        let way = next - at;
                        mark.desired = way.normalize_or_zero();
                        mark.distance = way.length() + left;
                    }
                    None => mark.distance += place.distance(route.goal),
                }
            }
        }
    } else if agent.yielding > 0 && !mark.moving {
        mark.desired = agent.aside;
        mark.moving = true;
    }
    mark
}
