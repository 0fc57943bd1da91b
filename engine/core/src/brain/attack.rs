//! Striking: wind-up, blow, cool-down.

use super::{Mind, Senses, State, StateId, engage};

/// Shares of the range at which an attacker stands, and walks after a target that draws off.
const STAND: f32 = 0.7;
const CLOSE_UP: f32 = 0.85;

/// Share of the range that one who steps back keeps from enemies.
const KEEP: f32 = 0.9;

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

/// Strikes from afar, and steps back from whoever comes near while the weapon cools down.
pub(super) struct Kite;

impl State for Kite {
    fn name(&self) -> &'static str {
        "kite"
    }

    fn enter(&self, _: &Senses, mind: &mut Mind) {
        mind.stand();
    }

    fn execute(&self, me: &Senses, mind: &mut Mind) {
        let reaches = engage::can_strike(me, mind.target);
        // Driven off its post it fights on: the way back leads past the enemy.
        if !reaches && (engage::is_over(me, mind) || engage::stays(me)) {
            mind.wind = 0;
            if me.gap_to(mind.target).is_none() && engage::is_ordered(mind) {
                mind.change(StateId::CHASE);
            } else {
                engage::leave(me, mind);
            }
            return;
        }
        engage::reconsider(me, mind);
        let near = me.combat().range * KEEP;
        if cools_down(me, mind) {
            let threat = me
                .nearest_enemy(near)
                .filter(|_| !engage::stays(me))
                .and_then(|enemy| me.position_of(enemy));
            match threat {
                Some(at) => mind.walk_from(at),
                None => mind.stand(),
            }
        } else if reaches {
            mind.stand();
            strike(me, mind);
        } else {
            mind.wind = 0;
            mind.walk_after(mind.target);
        }
    }
}

/// Whether a wind-up begun now would be done before the weapon is ready.
fn cools_down(me: &Senses, mind: &Mind) -> bool {
    me.now() + u64::from(me.combat().wind_up) < mind.ready_at + u64::from(mind.wind)
}

/// One tick of the weapon: the blow lands when the wind-up is done and the cool-down over. A new
/// target resets neither.
fn strike(me: &Senses, mind: &mut Mind) {
    let combat = me.combat();
    if cools_down(me, mind) {
        return;
    }
    mind.wind = mind.wind.saturating_add(1);
    if mind.wind >= combat.wind_up && me.now() >= mind.ready_at {
        mind.wind = 0;
        mind.ready_at = me.now() + u64::from(combat.cooldown);
        mind.strike(mind.target, combat.damage);
    }
}
