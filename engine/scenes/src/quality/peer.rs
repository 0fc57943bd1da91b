//! The peer: the same crowd steered by ORCA.
//!
//! Optimal reciprocal collision avoidance (van den Berg, Guy, Lin, Manocha 2011, *Reciprocal n-Body
//! Collision Avoidance*), by the crate `dodgy_2d`. Flow fields, wall clamp, cells to look for
//! neighbours in, orders and figures are those of this engine; only what chooses the velocity is not.
//! As with this engine, units that see their goal within its packed disc are given places there,
//! from the far side on. They rest at their place, inside the disc when they get no nearer for some
//! time, and as settled near when they get no nearer for long beside one that rests.

use std::borrow::Cow;
use std::sync::Arc;

use dodgy_2d::{Agent, AvoidanceOptions};
use glam::Vec2;
use rayon::prelude::*;
use throng::field::{FieldCache, FlowField, Seed};
use throng::map::SizeClass;
use throng::motion::walls;
use throng::spatial::CellOrder;
use throng::{Event, EventKind, Map, Outcome, UnitId, Units};

use super::measure::Run;
use crate::error::ScenarioError;
use crate::metrics::{Figures, Metrics};
use crate::runner::RunError;
use crate::scenario::{GroupOrder, OrderEntry, Scenario};
use crate::setup::{Group, Setup};

/// How far ahead collisions are avoided, in ticks: five radii of the usual unit's way, as in the
/// examples of RVO2. Of 10, 20 and 40 it did best in the crossing.
const HORIZON: f32 = 20.0;
/// Neighbours heeded, the nearest.
const NEIGHBOURS: usize = 12;
/// Spacing of the places round a goal, in radii.
const SPACING: f32 = 2.08;
/// Weight of the way to a place against how far on the far side it is.
const WAY: f32 = 0.55;
/// Share of the avoiding that is left to a unit at rest, in those of one that walks.
const RESTING: f32 = 0.2;
/// Progress towards the goal that counts, cells.
const PROGRESS: f32 = 0.02;
/// Ticks without progress, in those of its own travel by a radius, after which a unit rests: inside
/// the packed disc, and outside it beside one that rests.
const PATIENCE: f32 = 8.0;
const PATIENCE_NEAR: f32 = 30.0;
/// Distance of centres, in sums of radii, that is beside.
const BESIDE: f32 = 1.1;
const CHUNK: usize = 256;

/// A scenario run by ORCA.
pub(super) struct Peer {
    scenario: Scenario,
    orders: Vec<OrderEntry>,
    map: Map,
    fields: FieldCache,
    lots: Vec<Lot>,
    groups: Vec<Group>,
    units: Units,
    minds: Vec<Mind>,
    cells: CellOrder,
    /// Radius of the largest unit, cells, and speed of the fastest, cells per tick.
    largest: f32,
    fastest: f32,
    metrics: Metrics,
    events: Vec<Event>,
    tick: u64,
}

/// What a unit has been told and remembers.
#[derive(Clone)]
struct Mind {
    way: Option<Way>,
    /// Never gives way.
    holds: bool,
    /// Where it rests.
    anchor: Vec2,
    /// Least distance left so far, cells.
    best: f32,
    /// Ticks without progress.
    stall: u32,
}

/// What a tick makes of a unit.
struct Moved {
    to: Vec2,
    /// Way left from where it was, cells.
    left: f32,
    /// One that rests is beside it.
    beside: bool,
}

/// Where a unit is sent.
#[derive(Clone)]
struct Way {
    goal: Vec2,
    field: Arc<FlowField>,
    /// Radius of the packed disc of all that were sent there, cells.
    packed: f32,
    /// Which lot its place is in, and the place once it has one.
    lot: usize,
    place: Option<Vec2>,
}

/// The places round a goal.
struct Lot {
    goal: Vec2,
    free: Vec<Vec2>,
}

impl Lot {
    /// As many places as units, those nearest to the goal of a hexagonal lattice, in the open.
    fn lay_out(map: &Map, goal: Vec2, count: usize, radius: f32) -> Self {
        let free = &map.nav(SizeClass::default()).occupancy;
        let step = SPACING * radius;
        let reach = (count as f32).sqrt() as i32 + 8;
        let mut places: Vec<Vec2> = (-reach..=reach)
            .flat_map(|j| (-reach..=reach).map(move |i| (i as f32, j as f32)))
            .map(|(i, j)| Vec2::new(i + 0.5 * (j % 2.0).abs(), j * 0.866) * step + goal)
            .filter(|p| walls::is_clear(free, *p, radius) && walls::is_in_sight(free, goal, *p))
            .collect();
        places.sort_by(|a, b| a.distance(goal).total_cmp(&b.distance(goal)));
        places.truncate(count);
        Self { goal, free: places }
    }

    /// Takes the place that suits one who comes from `at` best.
    fn take(&mut self, at: Vec2) -> Option<Vec2> {
        let ahead = (self.goal - at).normalize_or_zero();
        let cost = |p: &Vec2| WAY * p.distance(at) - (*p - self.goal).dot(ahead);
        let best = self
            .free
            .iter()
            .enumerate()
            .min_by(|(_, a), (_, b)| cost(a).total_cmp(&cost(b)))
            .map(|(i, _)| i)?;
        Some(self.free.swap_remove(best))
    }
}

impl Peer {
    /// Places the units as the engine does.
    ///
    /// # Errors
    /// The units do not fit.
    pub(super) fn new(scenario: Scenario) -> Result<Self, ScenarioError> {
        let setup = Setup::new(&scenario, scenario.seed)?;
        let mut map = scenario.map.clone();
        for entry in &scenario.units {
            map.ensure_class(SizeClass::of(entry.radius));
        }
        let units = setup.simulation.units().clone();
        let minds = units
            .position
            .iter()
            .map(|&anchor| Mind {
                way: None,
                holds: false,
                anchor,
                best: f32::INFINITY,
                stall: 0,
            })
            .collect();
        let mut orders = scenario.orders.clone();
        orders.sort_by_key(|o| o.tick);
        orders.reverse();
        Ok(Self {
            cells: CellOrder::new(map.width(), map.height()),
            largest: units.radius.iter().copied().fold(0.0, f32::max),
            fastest: units.speed.iter().copied().fold(0.0, f32::max),
            metrics: Metrics::new(&scenario, &setup.groups),
            fields: FieldCache::default(),
            lots: Vec::new(),
            groups: setup.groups,
            scenario,
            orders,
            map,
            units,
            minds,
            events: Vec::new(),
            tick: 0,
        })
    }

    fn give(&mut self, entry: &OrderEntry) {
        let rows: Vec<usize> = self
            .groups
            .iter()
            .filter(|g| g.name == entry.units)
            .flat_map(Group::units)
            .map(|u| u as usize)
            .collect();
        let packed = self.scenario.packed_radius(&entry.units) as f32;
        let lot = self.lots.len();
        if let GroupOrder::Move { to } = entry.order {
            let radius = rows.iter().map(|&row| self.units.radius[row]);
            let radius = radius.fold(0.05, f32::max);
            let lot = Lot::lay_out(&self.map, to, rows.len(), radius);
            self.lots.push(lot);
        }
        for row in rows {
            let (mind, outcome) = (&mut self.minds[row], &mut self.units.outcome[row]);
            *mind = Mind {
                way: None,
                holds: matches!(entry.order, GroupOrder::Hold),
                anchor: self.units.position[row],
                best: f32::INFINITY,
                stall: 0,
            };
            *outcome = Outcome::None;
            if let GroupOrder::Move { to } = entry.order {
                let cell = to.floor().as_ivec2();
                let seed = Seed {
                    cell: (cell.y * self.map.width() as i32 + cell.x) as u32,
                    cost: (cell.as_vec2() + 0.5).distance(to),
                };
                let class = SizeClass::of(self.units.radius[row]);
                mind.way = Some(Way {
                    goal: to,
                    field: self.fields.get(&self.map, class, &[seed], Some(to)),
                    packed,
                    lot,
                    place: None,
                });
                *outcome = Outcome::Active;
            }
        }
    }

    /// The velocity a unit would have if it were alone, and the way it has left.
    fn wish(&self, row: usize) -> (Vec2, f32) {
        let (mind, at) = (&self.minds[row], self.units.position[row]);
        let speed = self.units.speed[row];
        match &mind.way {
            Some(way) if self.units.outcome[row] == Outcome::Active => {
                let free = &self.map.nav(SizeClass::default()).occupancy;
                match way.place {
                    Some(place) if walls::is_in_sight(free, at, place) => {
                        ((place - at).clamp_length_max(speed), at.distance(place))
                    }
                    _ => {
                        let guidance = way.field.guide(at, way.goal);
                        let last = speed.min(at.distance(way.goal));
                        (guidance.direction * last, guidance.distance)
                    }
                }
            }
            _ => ((mind.anchor - at).clamp_length_max(speed), f32::INFINITY),
        }
    }

    /// Where a unit is after the tick, from the state before it.
    fn steer(&self, row: usize) -> Moved {
        let (at, radius) = (self.units.position[row], self.units.radius[row]);
        let (wish, left) = self.wish(row);
        let mut moved = Moved {
            to: at,
            left,
            beside: false,
        };
        if self.minds[row].holds {
            return moved;
        }
        let speed = self.units.speed[row];
        let reach = radius + self.largest + (speed + self.fastest) * HORIZON;
        let mut near: Vec<(f32, u32)> = self
            .cells
            .runs(at, reach)
            .flatten()
            .map(|place| self.cells.order()[place])
            .filter(|&other| other as usize != row)
            .map(|other| {
                let gap = self.units.position[other as usize].distance(at)
                    - self.units.radius[other as usize];
                (gap, other)
            })
            .filter(|(gap, _)| *gap < reach)
            .collect();
        near.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        near.truncate(NEIGHBOURS);
        moved.beside = near.iter().any(|&(gap, other)| {
            let rests = !matches!(
                self.units.outcome[other as usize],
                Outcome::Active | Outcome::None
            );
            rests && gap < BESIDE * radius
        });
        let neighbours: Vec<Cow<Agent>> = near
            .iter()
            .map(|&(_, other)| Cow::Owned(self.agent(other as usize)))
            .collect();
        let velocity = self.agent(row).compute_avoiding_velocity(
            &neighbours,
            &[],
            foreign(wish),
            speed,
            1.0,
            &AvoidanceOptions {
                obstacle_margin: radius,
                time_horizon: HORIZON,
                obstacle_time_horizon: HORIZON,
            },
        );
        let velocity = Vec2::new(velocity.x, velocity.y);
        if velocity.is_finite() {
            let free = &self.map.nav(SizeClass::default()).occupancy;
            moved.to = walls::slide(free, at, velocity, radius);
        }
        moved
    }

    fn agent(&self, row: usize) -> Agent {
        Agent {
            position: foreign(self.units.position[row]),
            velocity: foreign(self.units.velocity[row]),
            radius: self.units.radius[row],
            avoidance_responsibility: match self.units.outcome[row] {
                _ if self.minds[row].holds => 0.0,
                Outcome::Active => 1.0,
                _ => RESTING,
            },
        }
    }

    /// Writes a move back, gives places and ends the order where it is time.
    fn settle(&mut self, row: usize, moved: &Moved) {
        let units = &mut self.units;
        units.previous[row] = units.position[row];
        units.velocity[row] = moved.to - units.position[row];
        units.position[row] = moved.to;
        let mind = &mut self.minds[row];
        let (Some(way), Outcome::Active) = (&mut mind.way, units.outcome[row]) else {
            return;
        };
        if moved.left < mind.best - PROGRESS {
            mind.best = moved.left;
            mind.stall = 0;
        } else {
            mind.stall += 1;
        }
        let (at, radius) = (moved.to, units.radius[row]);
        let inside = at.distance(way.goal) < way.packed;
        let free = &self.map.nav(SizeClass::default()).occupancy;
        if way.place.is_none() && inside && walls::is_in_sight(free, at, way.goal) {
            way.place = self.lots[way.lot].take(at);
            mind.best = f32::INFINITY;
        }
        let home = way.place.is_some_and(|p| at.distance(p) < 0.2 * radius);
        let patience = |radii: f32| mind.stall as f32 * units.speed[row] > radii * radius;
        let (outcome, kind) = if home || inside && patience(PATIENCE) {
            (Outcome::Arrived, EventKind::Arrived)
        } else if moved.beside && patience(PATIENCE_NEAR) {
            (Outcome::SettledNear, EventKind::SettledNear)
        } else {
            return;
        };
        units.outcome[row] = outcome;
        mind.anchor = at;
        self.events.push(Event {
            tick: self.tick,
            unit: UnitId(row as u32),
            kind,
        });
    }
}

/// The vector of the `glam` that `dodgy_2d` uses.
fn foreign(v: Vec2) -> dodgy_2d::Vec2 {
    dodgy_2d::Vec2::new(v.x, v.y)
}

impl Run for Peer {
    fn step(&mut self) -> Result<(), RunError> {
        let mut given = Vec::new();
        while let Some(entry) = self.orders.pop_if(|o| o.tick <= self.tick) {
            self.give(&entry);
            given.push(entry);
        }
        self.events.clear();
        self.cells.sort(&self.units.position);
        let mut moved = Vec::new();
        (0..self.units.len())
            .into_par_iter()
            .with_min_len(CHUNK)
            .map(|row| self.steer(row))
            .collect_into_vec(&mut moved);
        for (row, moved) in moved.iter().enumerate() {
            self.settle(row, moved);
        }
        self.metrics.order(self.tick, &given);
        self.metrics
            .observe(self.tick, &self.map, &self.units, &self.events);
        self.tick += 1;
        Ok(())
    }

    fn end_at(&mut self, ticks: u64) {
        self.scenario.ticks = ticks;
        self.metrics.end_at(ticks);
    }

    fn scenario(&self) -> &Scenario {
        &self.scenario
    }

    fn groups(&self) -> &[Group] {
        &self.groups
    }

    fn units(&self) -> &Units {
        &self.units
    }

    fn figures(&self) -> Figures {
        self.metrics.figures(&self.units)
    }
}

#[cfg(test)]
mod tests {
    use crate::quality::arrangement::Arrangement;
    use crate::quality::case::find;
    use crate::quality::figure::Figure;
    use crate::quality::measure::{Engine, measure};

    #[test]
    fn it_walks_to_its_goals_round_the_others_and_never_into_walls() {
        let sample = measure(find("circle_64").unwrap(), Arrangement(0), Engine::Orca).unwrap();
        assert!(sample.figures[&Figure::Arrived] > 0.95, "{sample:?}");
        assert_eq!(sample.figures[&Figure::WallViolations], 0.0);
        // Without avoidance they would meet in the middle, one upon the other.
        assert!(sample.figures[&Figure::MaxPenetration] < 0.5, "{sample:?}");
    }

    #[test]
    fn a_wall_is_walked_round_by_the_field() {
        let sample = measure(find("u_trap").unwrap(), Arrangement(0), Engine::Orca).unwrap();
        assert!(sample.figures[&Figure::Arrived] > 0.5, "{sample:?}");
        assert_eq!(sample.figures[&Figure::WallViolations], 0.0);
    }
}
