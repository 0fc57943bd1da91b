//! To a place in a formation.

use glam::Vec2;

use super::{Mind, Senses, State, StateId};
use crate::{
    components::{Outcome, UnitId},
    order::Task,
    steer::scan,
    units::Units,
};

/// Distance from the place, cells, that counts as there, and at which one that turns to the front
/// walks back.
const THERE: f32 = 0.06;
const PUSHED_OFF: f32 = 0.12;
/// Ticks without progress after which one close to its place takes what it has.
const PATIENCE: u16 = 300;
const NEAR: f32 = 1.0;
/// Ticks without progress after which one trades places with whoever bars its way.
const BARRED: u16 = 4;
/// Distance from the place, cells, within which it does.
const CLOSE: f32 = 12.0;
/// Way that a trade must save where both are on the way, cells.
const GAIN: f32 = 0.02;
/// Angle to the front, radians, that counts as facing it.
const FACING: f32 = 0.1;

/// Walks to `point`, by the field to `home` while it is far, and turns to `facing`.
pub(super) struct March;

impl State for March {
    fn name(&self) -> &'static str {
        "march"
    }

    fn enter(&self, _: &Senses, mind: &mut Mind) {
        mind.resting = false;
        mind.set_out();
        mind.walk_to_place(mind.point, mind.home);
    }

    fn execute(&self, me: &Senses, mind: &mut Mind) {
        let left = me.position().distance(mind.point);
        mind.count_delay(me.speed().min(mind.pace));
        let given_up = left < NEAR && mind.stalled > PATIENCE;
        mind.resting = left < if mind.resting { PUSHED_OFF } else { THERE } || given_up;
        if !mind.resting {
            mind.walk_to_place(mind.point, mind.home);
            if mind.stalled > BARRED && left < CLOSE {
                mind.request.trade = me.barred_by(mind.point);
            }
            return;
        }
        mind.stand();
        if scan::signed_difference(me.heading(), mind.facing).abs() < FACING || given_up {
            if me.outcome() != Outcome::Active {
                // It had arrived, and moved up for a companion.
                mind.change(mind.role);
            } else {
                mind.finish(if left < NEAR {
                    Outcome::Arrived
                } else {
                    Outcome::SettledNear
                });
            }
        }
    }
}

/// Trades places between a marcher and the companion that bars its way, where that makes their ways
/// shorter in sum; one that has arrived moves up into a place that it is nearer to.
pub(super) fn trade(units: &mut Units, own: usize, other: UnitId) {
    let Some(other) = units.index_of(other) else {
        return;
    };
    let (Some(mine), Some(theirs)) = (place_of(units, own), place_of(units, other)) else {
        return;
    };
    let rests = matches!(units.mind[other].state, StateId::NONE | StateId::IDLE)
        && units.outcome[other] != Outcome::Active;
    if mine.rally != theirs.rally || !rests && units.mind[other].state != StateId::MARCH {
        return;
    }
    let (at, their_at) = (units.position[own], units.position[other]);
    let as_is = at.distance(mine.to) + their_at.distance(theirs.to);
    let traded = at.distance(theirs.to) + their_at.distance(mine.to);
    if traded + GAIN < as_is || rests && their_at.distance(mine.to) < at.distance(mine.to) {
        put(units, own, theirs.to);
        put(units, other, mine.to);
    }
}

struct Place {
    to: Vec2,
    rally: Vec2,
}

fn place_of(units: &Units, rank: usize) -> Option<Place> {
    match units.task[rank] {
        Some(Task::March { to, rally, .. }) if units.is_alive(rank) => Some(Place { to, rally }),
        _ => None,
    }
}

/// Sends a unit to another place of its formation.
fn put(units: &mut Units, rank: usize, place: Vec2) {
    if let Some(Task::March { to, rally, .. }) = &mut units.task[rank] {
        *to = place;
        let mind = &mut units.mind[rank];
        (mind.point, mind.home) = (place, *rally);
        mind.request.end = None;
        mind.change(StateId::MARCH);
    }
}
