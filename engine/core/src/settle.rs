//! Settling: which orders end in this tick, and how.

use std::collections::BTreeMap;

use glam::Vec2;

use crate::{
    assign::next_order,
    components::Outcome,
    detour,
    event::{Event, EventKind, StuckReason},
    flock::{Flock, Mark, Steered},
    map::Map,
    parking::{NO_PLACE, Section},
    route::{Route, Routes, region_of},
    units::{Activity, Agent, Units},
};

/// Progress that resets the patience, cells.
const PROGRESS: f32 = 0.02;
/// Ticks a unit keeps stepping aside after the last press.
const ASIDE_TICKS: u8 = 6;

/// Places given out in a tick at most: each looks through the whole lot.
const PLACES_A_TICK: u32 = 256;
/// A unit that sees no way to its place takes an open one that is within this many cells.
const NEAR_PLACE: f32 = 2.0;
/// Detours are looked for within this many times the radius of the lot.
const DETOUR: f32 = 1.7;

/// How near to its goal, in radii, the middle of a crowd that need not move is.
const CENTRED: f32 = 0.5;

/// How near to its place, in radii, a unit that is blocked may take what it has.
const CLOSE: f32 = 0.8;

/// How long a unit tries before it settles for less, in ticks of its own travel by one radius.
const PATIENCE_CLOSE: f32 = 1.5;
const PATIENCE_PLACE: f32 = 8.0;
const PATIENCE_BY_SETTLED: f32 = 20.0;
const PATIENCE_LOT: f32 = 15.0;
const PATIENCE_FAR: f32 = 60.0;
const PATIENCE_STUCK: f32 = 1000.0;

/// Writes the moved positions back, updates what units remember and ends orders, in id order.
pub(crate) fn settle(
    units: &mut Units,
    flock: &Flock,
    ending: &mut Ending,
    turn_rate: f32,
    places: &mut Vec<u32>,
    ended: &mut Vec<(u32, Option<Outcome>)>,
) {
    places.resize(units.len(), 0);
    for (place, &rank) in flock.rank.iter().enumerate() {
        places[rank as usize] = place as u32;
    }
    ended.clear();
    ended.reserve(units.len());
    exchange_places(units, flock, ending.routes);
    for (rank, &place) in places.iter().enumerate() {
        let place = place as usize;
        let (mark, steered) = (&flock.mark[place], &flock.steered[place]);
        let from = units.position[rank];
        let to = flock.moved[place];
        units.previous[rank] = from;
        units.position[rank] = to;
        units.velocity[rank] = to - from;
        let moved = (to - from).length();
        // Who is nudged, or steps back to its place, does not turn.
        let walks = units.intent[rank].moves()
            || !units.intent[rank].leads && units.outcome[rank] == Outcome::Active;
        if walks && moved > 0.1 * mark.speed {
            let towards = crate::steer::directions::angle(to - from);
            units.heading[rank] = crate::steer::scan::turn(units.heading[rank], towards, turn_rate);
        }
        let agent = &mut units.agent[rank];
        agent.side = steered.side;
        agent.lean = steered.lean;
        agent.bypasses = mark.bypasses;
        let intent = &units.intent[rank];
        if intent.moves() {
            agent.anchor = to;
            agent.yielding = 0;
            agent.stall = 0;
            continue;
        }
        if intent.leads || units.outcome[rank] != Outcome::Active {
            rest(agent, steered, to);
            if intent.leads {
                // Where a brain's unit stands is the brain's affair.
                agent.anchor = to;
            }
            continue;
        }
        units.activity[rank] = if moved < 0.1 * mark.speed {
            Activity::Wait
        } else {
            Activity::Move
        };
        let Some(route) = ending.routes.get_mut(agent.route) else {
            continue;
        };
        let seeks = agent.place != NO_PLACE && !mark.in_sight;
        route.seekers += u32::from(seeks);
        let distance = mark.distance;
        let compares = mark.in_sight == agent.saw;
        agent.saw = mark.in_sight;
        if compares && distance < agent.best - PROGRESS {
            agent.best = distance;
            agent.stall = 0;
        } else {
            if !compares {
                // Distances by sight and by the field are of two kinds.
                agent.best = distance;
            }
            agent.stall = agent.stall.saturating_add(1);
            // Ways round those at rest change as more come to rest: following one is no loitering.
            if agent.place != NO_PLACE && (mark.in_sight || moved < 0.1 * mark.speed) {
                agent.loiter = agent.loiter.saturating_add(1);
            }
        }
        let is_near_another = seeks
            && route
                .lot
                .detour
                .place(to)
                .is_some_and(|(other, cost)| cost < NEAR_PLACE && other != agent.place);
        if mark.parking && agent.place == NO_PLACE || is_near_another {
            ended.push((rank as u32, None));
        } else if let Some(verdict) = judge(route, agent, mark, steered, to) {
            ended.push((rank as u32, verdict));
        }
    }
    ending.find_detours(flock);
    let mut asked = 0;
    for &(rank, outcome) in ended.iter() {
        match outcome {
            None => {
                // The rest ask again in the next tick.
                if asked < PLACES_A_TICK {
                    ending.assign_place(units, rank as usize);
                }
                asked += 1;
            }
            Some(outcome) => ending.end(units, rank as usize, outcome),
        }
    }
}

/// Units whose way to their place is barred by a companion trade places with it where that shortens
/// their ways together: crossing ways uncross, and those at rest move up to let the next one in.
fn exchange_places(units: &mut Units, flock: &Flock, routes: &Routes) {
    for (place, steered) in flock.steered.iter().enumerate() {
        let Some(rival) = steered.rival else { continue };
        let (own, other) = (
            flock.rank[place] as usize,
            flock.rank[rival as usize] as usize,
        );
        let Some(route) = routes.get(units.agent[own].route) else {
            continue;
        };
        let (mine, theirs) = (units.agent[own].place, units.agent[other].place);
        let (Some(my_place), Some(their_place)) = (route.lot.place(mine), route.lot.place(theirs))
        else {
            continue;
        };
        let (at, their_at) = (units.position[own], units.position[other]);
        let as_is = at.distance(my_place) + their_at.distance(their_place);
        let traded = at.distance(their_place) + their_at.distance(my_place);
        let active = units.outcome[other] == Outcome::Active;
        // Whoever rests moves up only when that lets the other in, not for an equal exchange.
        if traded + PROGRESS < as_is
            || (!active
                && units.agent[own].stall > 4
                && their_at.distance(my_place) < at.distance(my_place))
        {
            (units.agent[own].place, units.agent[other].place) = (theirs, mine);
            units.agent[own].best = at.distance(their_place);
            if active {
                units.agent[other].best = their_at.distance(my_place);
            } else {
                units.agent[other].anchor = my_place;
                units.agent[other].stall = 0;
            }
        }
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

/// How a walking unit's order ends in this tick, if it does: `Some(None)` asks for another place.
fn judge(
    route: &Route,
    agent: &Agent,
    mark: &Mark,
    steered: &Steered,
    at: Vec2,
) -> Option<Option<Outcome>> {
    let near = if agent.unreachable {
        Outcome::Unreachable
    } else {
        Outcome::SettledNear
    };
    // How far it is from where the crowd settles: round the goal, or where the way there ends.
    let away = match &route.field {
        Some(field) if agent.unreachable => field.distance_at(at),
        _ => at.distance(route.goal),
    };
    let in_packed = away <= route.packed_radius();
    let done = if agent.unreachable {
        Outcome::Unreachable
    } else if in_packed {
        Outcome::Arrived
    } else {
        near
    };
    let ticks = |radii: f32| (radii * mark.radius / mark.speed.max(1e-6)).min(60_000.0) as u16;
    let left = mark.distance;
    if left <= (mark.speed * 0.5).min(0.02) {
        return Some(Some(done));
    }
    if mark.parking {
        if left <= CLOSE * mark.radius && agent.stall >= ticks(PATIENCE_CLOSE) {
            return Some(Some(done));
        }
        if steered.blocked_by_settled
            && agent.stall.is_multiple_of(ticks(PATIENCE_PLACE).max(1))
            && agent.stall > 0
        {
            return Some(None);
        }
    }
    let round_the_lot = 0.5 * route.full / mark.radius + PATIENCE_LOT;
    let among_settled = steered.blocked_by_settled || away < route.full;
    if in_packed && among_settled && agent.loiter >= ticks(round_the_lot) {
        return Some(Some(done));
    }
    if agent.loiter >= ticks(3.0 * round_the_lot + PATIENCE_FAR) {
        return Some(Some(done));
    }
    if steered.blocked_by_settled {
        if in_packed && agent.stall >= ticks(PATIENCE_BY_SETTLED) {
            return Some(Some(done));
        }
        if agent.stall >= ticks(PATIENCE_FAR) {
            return Some(Some(near));
        }
    }
    (agent.stall >= ticks(PATIENCE_STUCK)).then_some(Some(Outcome::Stuck))
}

/// What ending an order touches.
pub(crate) struct Ending<'a> {
    pub routes: &'a mut Routes,
    pub map: &'a Map,
    pub events: &'a mut Vec<Event>,
    pub tick: u64,
}

impl Ending<'_> {
    /// Looks for ways round those at rest, one lot in every tick's turn, where any are sought.
    fn find_detours(&mut self, flock: &Flock) {
        let turn = self.tick % detour::PERIOD;
        for (index, route) in self.routes.iter_mut() {
            if index as u64 % detour::PERIOD == turn {
                if route.seekers > 0 {
                    let cells = &self.map.nav(route.class).occupancy;
                    let reach = DETOUR * route.full + 4.0;
                    route.lot.find_detours(cells, flock, route.goal, reach);
                }
                route.seekers = 0;
            }
        }
    }

    /// Gives a unit near its goal a place, or another one where it has one that it cannot get to.
    fn assign_place(&mut self, units: &mut Units, rank: usize) {
        let index = units.agent[rank].route;
        let Some(route) = self.routes.get(index) else {
            return;
        };
        if route.lot.len() < route.members as usize {
            let lots = sections(units, index, route, self.map);
            let stands = stands_round(units, index, route);
            let route = self.routes.get_mut(index).expect("just found");
            if stands {
                // A crowd that is there already stays as it is.
                let members = (0..units.len()).filter(|&i| units.agent[i].route == index);
                route
                    .lot
                    .keep(members.map(|i| units.position[i]), lots[0].region);
            } else {
                route.open_lot(self.map, &lots);
            }
            // The new lot has other places: those at rest keep the ones they stand on, whoever is
            // under way chooses anew.
            for i in 0..units.len() {
                if units.agent[i].route != index {
                    continue;
                }
                let rests = units.outcome[i] != Outcome::Active;
                units.agent[i].place = if rests {
                    let at = units.position[i];
                    route
                        .lot
                        .take(at, true, region_of(self.map, route.class, at))
                } else {
                    NO_PLACE
                };
            }
        }
        let route = self.routes.get_mut(index).expect("just found");
        let at = units.position[rank];
        let region = region_of(self.map, route.class, at);
        let (goal, full, lot) = (route.goal, route.full, &mut route.lot);
        let old = units.agent[rank].place;
        if old != NO_PLACE
            && let Some((open, _)) = lot.detour.place(at)
        {
            if open == old {
                return;
            }
            // Whoever had it and is not there yet takes the place that this one cannot get to.
            let holds = |agent: &Agent| agent.route == index && agent.place == open;
            match units.agent.iter_mut().find(|agent| holds(agent)) {
                Some(holder) => {
                    holder.place = old;
                    holder.best = f32::INFINITY;
                }
                None => {
                    lot.give_back(old);
                    lot.claim(open);
                }
            }
            units.agent[rank].place = open;
            units.agent[rank].best = f32::INFINITY;
            return;
        }
        let agent = &mut units.agent[rank];
        // Whoever stands inside already, or could not get to its place, takes the nearest.
        let nearest = old != NO_PLACE || at.distance(goal) < full;
        agent.place = lot.take(at, nearest, region);
        if agent.place == NO_PLACE {
            agent.place = old;
        } else {
            lot.give_back(old);
        }
        if let Some(place) = lot.place(agent.place) {
            agent.best = at.distance(place);
        }
    }

    fn end(&mut self, units: &mut Units, rank: usize, outcome: Outcome) {
        let at = units.position[rank];
        let agent = &mut units.agent[rank];
        agent.anchor = at;
        agent.stall = 0;
        agent.side = 0;
        units.outcome[rank] = outcome;
        units.activity[rank] = Activity::Settled;
        let route = self
            .routes
            .get(agent.route)
            .expect("an active order has a route");
        let kind = match outcome {
            Outcome::Arrived => EventKind::Arrived,
            Outcome::Unreachable => EventKind::Unreachable {
                nearest: route.nearest_to(self.map, at),
            },
            Outcome::Stuck => EventKind::Stuck {
                reason: StuckReason::Crowded,
            },
            _ => EventKind::SettledNear,
        };
        self.events.push(Event {
            tick: self.tick,
            unit: units.id[rank],
            kind,
        });
        next_order(units, rank, self.routes, self.map);
    }
}

/// Whether all units sent to a route form a crowd round its goal that takes no more room than it
/// may: its middle is the goal and each would count as arrived.
fn stands_round(units: &Units, index: u32, route: &Route) -> bool {
    let members = (0..units.len()).filter(|&i| units.agent[i].route == index);
    let mut sum = Vec2::ZERO;
    for i in members {
        let away = units.position[i] - route.goal;
        if away.length() > route.packed_radius() {
            return false;
        }
        sum += away;
    }
    (sum / route.members.max(1) as f32).length() < CENTRED * route.max_radius
}

/// Where those sent to a route park: a section of the lot for each component of the map that they
/// walk in.
fn sections(units: &Units, index: u32, route: &Route, map: &Map) -> Vec<Section> {
    let mut members: BTreeMap<Option<u32>, Vec<usize>> = BTreeMap::new();
    for i in (0..units.len()).filter(|&i| units.agent[i].route == index) {
        let region = region_of(map, route.class, units.position[i]);
        members.entry(region).or_default().push(i);
    }
    let sections = members.into_iter().map(|(region, members)| {
        let first = units.position[members[0]];
        // They surround a goal in a building, and line up on the shore before one beyond.
        let nearest = route.nearest_to(map, first);
        let beyond = nearest.distance(route.goal) > route.full;
        let cut_off = route.is_cut_off(map, first);
        let centre = if cut_off && beyond {
            nearest
        } else {
            route.goal
        };
        Section {
            region,
            centre,
            count: members.len(),
            approach: approach(units, &members, route, centre),
        }
    });
    sections.collect()
}

/// Mean direction, from the middle of their section, of the units sent there: a sample of them,
/// each by the last stretch of its way.
fn approach(units: &Units, members: &[usize], route: &Route, centre: Vec2) -> Vec2 {
    const SAMPLE: usize = 64;
    let stride = members.len().div_ceil(SAMPLE).max(1);
    let mut sum = Vec2::ZERO;
    let mut count = 0.0;
    for &i in members.iter().step_by(stride) {
        sum +=
            (centre - route.last_stretch(units.position[i], route.full + 1.0)).normalize_or_zero();
        count += 1.0;
    }
    if count > 0.0 { sum / count } else { Vec2::ZERO }
}
