//! Going after a unit.

use super::{Mind, Senses, State, StateId, engage};
use crate::components::Outcome;

/// Gap to the target, cells, at which a chaser that does not strike stands, and at which it walks
/// on.
const CAUGHT: f32 = 0.1;
const ESCAPED: f32 = 0.4;

/// After the target until it is in range.
pub(super) struct Chase;

impl State for Chase {
    fn name(&self) -> &'static str {
        "chase"
    }

    fn enter(&self, me: &Senses, mind: &mut Mind) {
        if engage::is_ordered(mind) {
            mind.set_target(Some(mind.charge));
        }
        mind.resting = false;
        // Whoever was striking goes on at the new target if the blow lands.
        let struck = matches!(mind.previous, StateId::ATTACK | StateId::KITE);
        let reaches =
            struck && engage::can_strike(me, mind.target) || engage::in_range(me, mind.target);
        if mind.strikes && reaches {
            mind.change(engage::fight(me));
        } else {
            mind.walk_after(mind.target);
        }
    }

    fn execute(&self, me: &Senses, mind: &mut Mind) {
        if engage::is_over(me, mind) {
            if engage::is_ordered(mind) {
                let done = mind.strikes && mind.target().is_some();
                mind.set_target(None);
                mind.finish(if done {
                    Outcome::Arrived
                } else {
                    Outcome::Stuck
                });
                mind.stand();
            } else {
                engage::leave(me, mind);
            }
            return;
        }
        if mind.strikes && engage::in_range(me, mind.target) {
            mind.change(engage::fight(me));
            return;
        }
        engage::reconsider(me, mind);
        let gap = me.gap_to(mind.target).unwrap_or(0.0);
        mind.resting = gap < if mind.resting { ESCAPED } else { CAUGHT };
        if mind.resting || engage::stays(me) {
            mind.stand();
        } else {
            mind.walk_after(mind.target);
        }
    }
}

/// For the nearest enemy, wherever it is.
pub(super) struct Hunt;

impl State for Hunt {
    fn name(&self) -> &'static str {
        "hunt"
    }

    fn execute(&self, me: &Senses, mind: &mut Mind) {
        if !engage::watch(me, mind) {
            mind.go = super::mind::Go::Enemies;
        }
    }
}
