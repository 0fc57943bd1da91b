//! Settling: which orders end in this tick, and how.

use glam::Vec2;

use crate::{
    components::Outcome,
    event::{Event, EventKind, StuckReason},
    flock::{Flock, Mark, Steered},
    map::Map,
    route::{Route, Routes, SumR2},
    sim::start_order,
    units::{Activity, Agent, Units},
};

/// Progress that resets the patience, cells.
const PROGRESS: f32 = 0.02;
/// Ticks a unit keeps stepping aside after the last press.
const ASIDE_TICKS: u8 = 6;

/// How long a unit tries before it settles for less, in ticks of its own travel by one radius.
const PATIENCE_IN_DISC: f32 = 4.0;
const PATIENCE_BY_SETTLED: f32 = 12.0;
const PATIENCE_FAR: f32 = 60.0;
const PATIENCE_STUCK: f32 = 1000.0;

/// Writes the moved positions back, updates what units remember and ends orders, in id order.
pub(crate) fn settle(
    units: &mut Units,
    flock: &Flock,
    ending: &mut Ending,
    turn_rate: f32,
    places: &mut Vec<u32>,
    ended: &mut Vec<(u32, Outcome)>,
) {
    places.resize(units.len(), 0);
    for (place, &rank) in flock.rank.iter().enumerate() {
        places[rank as usize] = place as u32;
    }
    ended.clear();
    for rank in 0..units.len() {
        let place = places[rank] as usize;
        let (mark, steered) = (&flock.mark[place], &flock.steered[place]);
        let from = units.position[rank];
        let to = flock.moved[place];
        units.previous[rank] = from;
        units.position[rank] = to;
        units.velocity[rank] = to - from;
        let moved = (to - from).length();
        if moved > 0.1 * mark.speed {
            let towards = crate::steer::directions::angle(to - from);
            units.heading[rank] = crate::steer::scan::turn(units.heading[rank], towards, turn_rate);
        }
        let agent = &mut units.agent[rank];
        agent.side = steered.side;
        if units.outcome[rank] != Outcome::Active {
            rest(agent, steered, to);
            continue;
        }
        units.activity[rank] = if moved < 0.1 * mark.speed { Activity::Wait } else { Activity::Move };
        let Some(route) = ending.routes.get(agent.route) else { continue };
        let distance = mark.distance;
        if distance < agent.best - PROGRESS {
            agent.best = distance;
            agent.stall = 0;
        } else {
            agent.stall = agent.stall.saturating_add(1);
        }
        if let Some(outcome) = judge(route, agent, mark, steered, to) {
            ended.push((rank as u32, outcome));
        }
    }
    for &(rank, outcome) in ended.iter() {
        ending.end(units, rank as usize, outcome);
    }
}

/// A unit without an active order.
fn rest(agent: &mut Agent, steered: &Steered, at: Vec2) {
    if steered.aside != Vec2::ZERO {
        agent.aside = steered.aside;
        agent.yielding = ASIDE_TICKS;
    } else if agent.yielding > 0 {
        agent.yielding -= 1;
        if agent.yielding == 0 && !steered.pressed {
            // Friends may have taken the old place; it is tried, and given up when it is far.
            agent.stall = 0;
        }
    } else if agent.anchor.distance_squared(at) > 0.0 {
        agent.stall = agent.stall.saturating_add(1);
        if agent.stall > 100 {
            agent.anchor = at;
            agent.stall = 0;
        }
    }
}

/// How a walking unit's order ends in this tick, if it does.
fn judge(route: &Route, agent: &Agent, mark: &Mark, steered: &Steered, at: Vec2) -> Option<Outcome> {
    let near = if agent.unreachable { Outcome::Unreachable } else { Outcome::SettledNear };
    let in_packed = at.distance(route.goal) <= route.packed_radius();
    let done = if agent.unreachable {
        Outcome::Unreachable
    } else if in_packed {
        Outcome::Arrived
    } else {
        near
    };
    let ticks = |radii: f32| (radii * mark.radius / mark.speed.max(1e-6)).min(60_000.0) as u16;
    let left = mark.distance;
    if left <= (mark.speed * 0.5).min(0.1) {
        return Some(done);
    }
    let full = route.disc(route.members_r2);
    if left <= full + mark.radius {
        let front = route.disc(route.settled_r2.plus(SumR2::of(mark.radius)));
        if steered.blocked_by_settled && left <= front + 0.5 * mark.radius {
            return Some(done);
        }
        if agent.stall >= ticks(PATIENCE_IN_DISC) {
            return Some(done);
        }
    }
    if steered.blocked_by_settled {
        if in_packed && agent.stall >= ticks(PATIENCE_BY_SETTLED) {
            return Some(done);
        }
        if agent.stall >= ticks(PATIENCE_FAR) {
            return Some(near);
        }
    }
    (agent.stall >= ticks(PATIENCE_STUCK)).then_some(Outcome::Stuck)
}

/// What ending an order touches.
pub(crate) struct Ending<'a> {
    pub routes: &'a mut Routes,
    pub map: &'a Map,
    pub events: &'a mut Vec<Event>,
    pub tick: u64,
}

impl Ending<'_> {
    fn end(&mut self, units: &mut Units, rank: usize, outcome: Outcome) {
        let at = units.position[rank];
        let agent = &mut units.agent[rank];
        agent.anchor = at;
        agent.stall = 0;
        agent.side = 0;
        agent.at_rest = true;
        units.outcome[rank] = outcome;
        units.activity[rank] = Activity::Settled;
        let route = self.routes.get_mut(agent.route).expect("an active order has a route");
        route.settle(agent.radius);
        let kind = match outcome {
            Outcome::Arrived => EventKind::Arrived,
            Outcome::Unreachable => EventKind::Unreachable { nearest: route.nearest_to(self.map, at) },
            Outcome::Stuck => EventKind::Stuck { reason: StuckReason::Crowded },
            _ => EventKind::SettledNear,
        };
        self.events.push(Event { tick: self.tick, unit: units.id[rank], kind });
        if !units.queue[rank].is_empty() {
            let next = units.queue[rank].remove(0);
            start_order(units, rank, next, self.routes, self.map);
        }
    }
}
