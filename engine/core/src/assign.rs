//! Orders taken up: from the queue or at once, each with its route and its state of mind.

use glam::Vec2;

use crate::{
    brain::{Intent, NOBODY, StateId, walk},
    components::Outcome,
    map::{Map, SizeClass},
    order::Task,
    route::Routes,
    units::{Activity, Agent, Units},
};

/// Hands a unit a new order, or queues it.
pub(crate) fn give_order(
    units: &mut Units,
    rank: usize,
    task: Task,
    queue: bool,
    routes: &mut Routes,
    map: &Map,
) {
    if !units.is_alive(rank) {
        return;
    }
    if queue {
        units.queue[rank].push(task);
        if units.outcome[rank] != Outcome::Active {
            next_order(units, rank, routes, map);
        }
        return;
    } else {
        units.queue[rank].clear();
    }
    start_order(units, rank, task, routes, map);
}

/// Makes an order a unit's current one. One that it carries out already changes nothing.
pub(crate) fn start_order(
    units: &mut Units,
    rank: usize,
    task: Task,
    routes: &mut Routes,
    map: &Map,
) {
    if is_current(units, rank, task) {
        return;
    }
    units.task[rank] = Some(task);
    leave_route(units, rank, routes);
    let at = units.position[rank];
    let mut intent = Intent::NONE;
    let mut set_off = |to: Vec2| intent = walk::set_off(at, to, units.id[rank].0);
    let mind = &mut units.mind[rank];
    mind.charge = NOBODY;
    mind.pace = f32::INFINITY;
    let watching = if units.combat[rank].is_armed() {
        StateId::IDLE
    } else {
        StateId::NONE
    };
    let (base, activity, outcome) = match task {
        Task::Move { .. } => (StateId::NONE, Activity::Move, Outcome::Active),
        Task::AttackMove { .. } => (StateId::ATTACK_MOVE, Activity::Move, Outcome::Active),
        Task::Attack { target } | Task::Chase { target } => {
            mind.charge = target;
            mind.strikes = matches!(task, Task::Attack { .. });
            (StateId::CHASE, Activity::Move, Outcome::Active)
        }
        Task::Follow { target } => {
            mind.charge = target;
            (StateId::FOLLOW, Activity::Move, Outcome::Active)
        }
        Task::Escort { target } => {
            mind.charge = target;
            (StateId::GUARD, Activity::Move, Outcome::Active)
        }
        Task::Patrol { to } => {
            (mind.home, mind.point, mind.outward) = (at, to, true);
            set_off(to);
            (StateId::PATROL, Activity::Move, Outcome::Active)
        }
        Task::Guard { at: post } => {
            mind.home = post.unwrap_or(at);
            (StateId::GUARD, Activity::Idle, Outcome::Active)
        }
        Task::March {
            to,
            rally,
            facing,
            pace,
        } => {
            (mind.point, mind.home, mind.facing, mind.pace) = (to, rally, facing, pace);
            (StateId::MARCH, Activity::Move, Outcome::Active)
        }
        Task::Wander => (StateId::WANDER, Activity::Idle, Outcome::None),
        Task::Hold | Task::Stop => {
            mind.role = watching;
            units.agent[rank].hold = task == Task::Hold;
            let activity = if task == Task::Hold {
                Activity::Hold
            } else {
                Activity::Idle
            };
            (watching, activity, Outcome::None)
        }
    };
    mind.base = base;
    if mind.state != base || base != StateId::NONE || mind.pending.is_some() {
        mind.change(base);
    }
    let charge = units.mind[rank].charge;
    if charge != NOBODY
        && let Some(other) = units.index_of(charge)
    {
        // Who is striking already waits for what the brain says.
        intent = if matches!(units.mind[rank].state, StateId::ATTACK | StateId::KITE) {
            units.intent[rank]
        } else {
            walk::set_off(at, units.position[other], units.id[rank].0)
        };
    }
    units.intent[rank] = intent;
    units.activity[rank] = activity;
    units.outcome[rank] = outcome;
    if let Task::Move { to } | Task::AttackMove { to } = task {
        join_route(units, rank, to, routes, map);
    }
}

/// Takes the next order from the queue, and on past those that are over at once; where there is
/// none the unit's own brain takes over.
pub(crate) fn next_order(units: &mut Units, rank: usize, routes: &mut Routes, map: &Map) {
    let mut queue = std::mem::take(&mut units.queue[rank]);
    let mut done = 0;
    for &task in &queue {
        start_order(units, rank, task, routes, map);
        done += 1;
        if units.outcome[rank] == Outcome::Active {
            break;
        }
    }
    queue.drain(..done);
    units.queue[rank] = queue;
}

/// Sends a unit along the route to a point.
pub(crate) fn join_route(units: &mut Units, rank: usize, to: Vec2, routes: &mut Routes, map: &Map) {
    let (at, radius) = (units.position[rank], units.radius[rank]);
    let (route, unreachable) = routes.join(map, to, SizeClass::of(radius), at, radius);
    units.agent[rank].route = route;
    units.agent[rank].unreachable = unreachable;
    units.outcome[rank] = Outcome::Active;
}

/// Takes a unit off its route and makes it forget what it remembers of it.
pub(crate) fn leave_route(units: &mut Units, rank: usize, routes: &mut Routes) {
    let (at, radius) = (units.position[rank], units.radius[rank]);
    let agent = &mut units.agent[rank];
    routes.leave(agent.route, agent.radius, agent.place);
    *agent = Agent {
        side: agent.side,
        ..Agent::new(at, radius, agent.avoidance)
    };
}

/// Whether the unit carries out this very order, or has ended a walk to the same point.
fn is_current(units: &Units, rank: usize, task: Task) -> bool {
    units.task[rank] == Some(task)
        && match task {
            Task::Wander | Task::Hold | Task::Stop => true,
            Task::Move { .. } | Task::AttackMove { .. } | Task::March { .. } => {
                units.outcome[rank] != Outcome::None
            }
            _ => units.outcome[rank] == Outcome::Active,
        }
}
