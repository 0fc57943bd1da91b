//! The stage of the brains: blows land, states think, what they asked for is done.

use super::{
    StateId, machine::Machine, march, mind::Request, presence::Presence, pursuit::Pursuits,
    senses::Scene,
};
use crate::{
    assign, combat,
    components::Outcome,
    config::Config,
    event::{Event, EventKind, StuckReason},
    flock::Flock,
    map::{Map, SizeClass},
    route::Routes,
    steer::{directions, scan},
    units::{Activity, Units},
};

/// What the stage reads and writes beside the units.
pub(crate) struct Surroundings<'a> {
    pub machine: &'a Machine,
    pub pursuits: &'a mut Pursuits,
    pub presence: &'a mut Presence,
    /// A flag per unit whose state asked for something; scratch.
    pub busy: &'a mut Vec<bool>,
    pub routes: &'a mut Routes,
    pub flock: &'a Flock,
    pub map: &'a Map,
    pub config: &'a Config,
    pub events: &'a mut Vec<Event>,
    pub tick: u64,
}

/// Runs the stage.
pub(crate) fn run(units: &mut Units, around: &mut Surroundings) {
    combat::land_blows(units, around.routes, around.events, around.tick);
    around
        .presence
        .measure(units, around.map.width(), around.map.height());
    think(units, around);
    for rank in 0..units.len() {
        if around.busy[rank] {
            carry_out(units, rank, around);
        }
    }
    let queue = &mut around.routes.queue;
    around
        .pursuits
        .refresh(around.map, units, around.tick, queue);
}

fn think(units: &mut Units, around: &mut Surroundings) {
    let mut minds = std::mem::take(&mut units.mind);
    let mut intents = std::mem::take(&mut units.intent);
    let scene = Scene {
        units,
        flock: around.flock,
        map: around.map,
        pursuits: around.pursuits,
        presence: around.presence,
        wandering: &around.config.wandering,
        seed: around.config.seed,
        tick_rate: around.config.tick_rate,
        now: around.tick,
    };
    around.busy.clear();
    around.busy.resize(minds.len(), false);
    around
        .machine
        .think(&scene, &mut minds, &mut intents, around.busy);
    units.mind = minds;
    units.intent = intents;
}

/// Does what a unit's state asked for.
fn carry_out(units: &mut Units, rank: usize, around: &mut Surroundings) {
    let mind = &mut units.mind[rank];
    let (state, told) = (mind.state, mind.told);
    // Blows land at the start of the next stage.
    let Request {
        travel,
        end,
        strike,
        trade,
    } = std::mem::take(&mut mind.request);
    mind.request.strike = strike;
    units.strikes[rank] = strike.is_some();
    mind.told = state;
    let wanders = state == StateId::WANDER;
    let claims = [
        wanders.then_some(mind.home),
        (wanders && !mind.resting).then_some(mind.point),
    ];
    if state != told {
        around.events.push(Event {
            tick: around.tick,
            unit: units.id[rank],
            kind: EventKind::StateChanged {
                from: told,
                to: state,
            },
        });
    }
    units.claims[rank] = claims;
    if let Some(quarry) = units.mind[rank].quarry {
        let class = SizeClass::of(units.radius[rank]);
        let queue = &mut around.routes.queue;
        around
            .pursuits
            .want((quarry, class), around.map, units, around.tick, queue);
    }
    if !units.intent[rank].moves() {
        turn(units, rank, around.config.steering.turn_rate);
    }
    if let Some(to) = travel
        && around.map.cell_at(to).is_some()
    {
        assign::leave_route(units, rank, around.routes);
        assign::join_route(units, rank, to, around.routes, around.map);
    }
    if let Some(other) = trade {
        march::trade(units, rank, other);
    }
    if let Some((outcome, reason)) = end {
        end_order(units, rank, outcome, reason, around);
    }
    name_activity(units, rank, around.machine);
}

/// Turns a standing unit to what its state faces.
fn turn(units: &mut Units, rank: usize, turn_rate: f32) {
    let mind = &units.mind[rank];
    let towards = match mind.state {
        StateId::ATTACK | StateId::KITE => units
            .index_of(mind.target)
            .map(|target| directions::angle(units.position[target] - units.position[rank])),
        StateId::MARCH => Some(mind.facing),
        _ => None,
    };
    if let Some(towards) = towards {
        units.heading[rank] = scan::turn(units.heading[rank], towards, turn_rate);
    }
}

/// Ends an order that its state carried out.
fn end_order(
    units: &mut Units,
    rank: usize,
    outcome: Outcome,
    reason: StuckReason,
    around: &mut Surroundings,
) {
    assign::leave_route(units, rank, around.routes);
    units.outcome[rank] = outcome;
    units.activity[rank] = Activity::Settled;
    let kind = match outcome {
        Outcome::Arrived => Some(EventKind::Arrived),
        Outcome::SettledNear => Some(EventKind::SettledNear),
        Outcome::Unreachable => Some(EventKind::Unreachable {
            nearest: units.position[rank],
        }),
        Outcome::Stuck => Some(EventKind::Stuck { reason }),
        Outcome::None | Outcome::Active => None,
    };
    around.events.extend(kind.map(|kind| Event {
        tick: around.tick,
        unit: units.id[rank],
        kind,
    }));
    let at = units.position[rank];
    units.mind[rank].take_role(at);
    assign::next_order(units, rank, around.routes, around.map);
}

/// Shows the state as what the unit is doing; without one the core's own word stands.
fn name_activity(units: &mut Units, rank: usize, machine: &Machine) {
    let state = units.mind[rank].state;
    let activity = &mut units.activity[rank];
    if state != StateId::NONE && state != StateId::IDLE {
        *activity = Activity::Brain(machine.name(state));
    } else if matches!(activity, Activity::Brain(_)) {
        *activity = if units.agent[rank].hold {
            Activity::Hold
        } else {
            Activity::Idle
        };
    }
}
