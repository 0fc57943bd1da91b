//! Striking: wind-up, blow, cool-down.

use super::{Mind, Senses, State, StateId, engage};

/// Shares of the range at which an attacker stands, and walks after a target that draws off.
const STAND: f32 = 0.7;
const CLOSE_UP: f32 = 0.85;

/// Strikes at the target while it is in range.
pub(super) struct Attack;

impl State for Attack {
    fn name(&self) -> &'static str {
        "attack"
    }

    fn enter(&self, _: &Senses, mind: &mut Mind) {
        mind.resting = false;
        mind.stand();
    }

    fn execute(&self, me: &Senses, mind: &mut Mind) {
        if engage::is_over(me, mind) || !engage::can_strike(me, mind.target) {
            mind.wind = 0;
            if engage::is_over(me, mind) && !engage::is_ordered(mind) || engage::stays(me) {
                engage::leave(me, mind);
            } else {
                mind.change(StateId::CHASE);
            }
            return;
        }
        engage::reconsider(me, mind);
        let combat = me.combat();
        let gap = me.gap_to(mind.target).unwrap_or(0.0);
        mind.resting = gap < combat.range * if mind.resting { CLOSE_UP } else { STAND };
        if mind.resting || engage::stays(me) {
            mind.stand();
        } else {
            mind.walk_after(mind.target);
        }
        strike(me, mind);
    }
}

/// One tick of the weapon: the blow lands when the wind-up is done and the cool-down over. A new
/// target resets neither.
fn strike(me: &Senses, mind: &mut Mind) {
    let combat = me.combat();
    if me.now() + u64::from(combat.wind_up) < mind.ready_at + u64::from(mind.wind) {
        return;
    }
    mind.wind = mind.wind.saturating_add(1);
    if mind.wind >= combat.wind_up && me.now() >= mind.ready_at {
        mind.wind = 0;
        mind.ready_at = me.now() + u64::from(combat.cooldown);
        mind.strike(mind.target, combat.damage);
    }
}
