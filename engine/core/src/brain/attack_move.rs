//! Walking to a point and fighting what is met on the way.

use super::{Mind, Senses, State, engage};
use crate::components::Outcome;

/// On the route of the order, with an eye on enemies.
pub(super) struct AttackMove;

impl State for AttackMove {
    fn name(&self) -> &'static str {
        "attack_move"
    }

    fn enter(&self, _: &Senses, mind: &mut Mind) {
        mind.obey();
    }

    fn execute(&self, me: &Senses, mind: &mut Mind) {
        if me.outcome() != Outcome::Active {
            mind.take_role(me.position());
        } else if !engage::watch(me, mind) {
            mind.obey();
        }
    }
}
