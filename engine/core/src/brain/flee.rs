//! Running away, and looking out for what to run from.

use super::{Mind, Senses, State, StateId, engage, guard};

/// Seconds that a unit runs at least.
const SCARE: f32 = 3.0;
/// How much further than it follows enemies a unit runs from them.
const SAFE: f32 = 1.2;

/// From whoever struck it last, or the nearest enemy, until both are far; then back to what it did.
pub(super) struct Flee;

impl State for Flee {
    fn name(&self) -> &'static str {
        "flee"
    }

    fn execute(&self, me: &Senses, mind: &mut Mind) {
        let safe = me.combat().follow * SAFE;
        let threat = me
            .nearest_enemy(safe)
            .or(Some(mind.hurt_by))
            .and_then(|unit| me.position_of(unit))
            .filter(|at| at.distance(me.position()) < safe);
        match threat {
            Some(at) => mind.walk_from(at),
            None if me.now() - mind.since >= me.ticks(SCARE) => mind.go_back(),
            None => mind.stand(),
        }
    }
}

/// At its post until an enemy is noticed; it never fights.
pub(super) struct Wary;

impl State for Wary {
    fn name(&self) -> &'static str {
        "wary"
    }

    fn enter(&self, _: &Senses, mind: &mut Mind) {
        mind.resting = true;
        mind.stalled = 0;
    }

    fn execute(&self, me: &Senses, mind: &mut Mind) {
        let is_scared = mind.hurt_at == me.now()
            || engage::looks_round(me, mind) && me.nearest_enemy(me.combat().notice).is_some();
        if is_scared {
            mind.change(StateId::FLEE);
        } else {
            guard::keep_post(me, mind);
        }
    }
}

/// Whether a blow in this tick has left the unit with so little health that it runs.
pub(super) fn is_desperate(me: &Senses, mind: &Mind) -> bool {
    let combat = me.combat();
    mind.hurt_at == me.now()
        && me.health() < combat.flee_below * combat.health
        && mind.state != StateId::FLEE
        && !engage::stays(me)
}
