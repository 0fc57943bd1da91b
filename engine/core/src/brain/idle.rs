//! Doing nothing, with or without an eye on enemies.

use super::{Mind, Senses, State, engage};

/// Only what is ordered; then the unit's own brain.
pub(super) struct Nothing;

impl State for Nothing {
    fn name(&self) -> &'static str {
        "idle"
    }

    fn execute(&self, me: &Senses, mind: &mut Mind) {
        if me.outcome() != crate::Outcome::Active && mind.role != mind.state {
            mind.take_role(me.position());
        }
    }
}

/// Stands and watches.
pub(super) struct Idle;

impl State for Idle {
    fn name(&self) -> &'static str {
        "idle"
    }

    fn enter(&self, me: &Senses, mind: &mut Mind) {
        mind.home = me.position();
    }

    fn execute(&self, me: &Senses, mind: &mut Mind) {
        engage::watch(me, mind);
    }
}
