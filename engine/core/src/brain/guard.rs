//! Keeping a post.

use super::{Mind, NOBODY, Senses, State, StateId, engage};
use crate::components::Outcome;

/// Distance from the post, cells, at which a guard goes back to it, and at which it is there.
const AWAY: f32 = 0.5;
const THERE: f32 = 0.2;
/// The same for a guard of a unit, between the discs.
const UNIT_AWAY: f32 = 2.0;
const UNIT_THERE: f32 = 1.0;
/// Ticks without walking after which one on its way back takes what it has, when it is near.
const PATIENCE: u16 = 40;
const NEAR: f32 = 3.0;

/// At the post, with an eye on enemies.
pub(super) struct Guard;

impl State for Guard {
    fn name(&self) -> &'static str {
        "guard"
    }

    fn enter(&self, _: &Senses, mind: &mut Mind) {
        mind.resting = true;
        mind.stalled = 0;
    }

    fn execute(&self, me: &Senses, mind: &mut Mind) {
        if mind.charge != NOBODY {
            let Some(at) = me.position_of(mind.charge) else {
                mind.finish(Outcome::Stuck);
                mind.stand();
                return;
            };
            mind.home = at;
        }
        if engage::watch(me, mind) {
            return;
        }
        keep_post(me, mind);
    }
}

/// Stands at the post, or goes back to it.
pub(super) fn keep_post(me: &Senses, mind: &mut Mind) {
    let (left, away, there) = match me.gap_to(mind.charge) {
        Some(gap) => (gap, UNIT_AWAY, UNIT_THERE),
        None => (me.position().distance(mind.home), AWAY, THERE),
    };
    mind.count_stall(me);
    let given_up = left < NEAR && mind.stalled > PATIENCE;
    mind.resting = left < if mind.resting { away } else { there } || given_up;
    if mind.resting {
        mind.stand();
    } else if mind.charge != NOBODY {
        mind.walk_after(mind.charge);
    } else {
        mind.walk_to(mind.home);
    }
}

/// Back to the post; enemies far from it are let be.
pub(super) struct Return;

impl State for Return {
    fn name(&self) -> &'static str {
        "return"
    }

    fn enter(&self, _: &Senses, mind: &mut Mind) {
        mind.stalled = 0;
        mind.walk_to(mind.home);
    }

    fn execute(&self, me: &Senses, mind: &mut Mind) {
        let left = me.position().distance(mind.home);
        mind.count_stall(me);
        if left < THERE || left < NEAR && mind.stalled > PATIENCE {
            let home = mind.home;
            mind.resume();
            mind.stand();
            mind.home = home;
        } else if left > me.combat().leash / 2.0 || !engage::watch(me, mind) {
            mind.walk_to(mind.home);
        }
        debug_assert_ne!(mind.base, StateId::RETURN);
    }
}
