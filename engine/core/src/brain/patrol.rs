//! To and fro between two points.

use super::{Mind, Senses, State, engage, wander};

/// Distance to an end of the way, cells, at which a patrol turns.
const TURN: f32 = 0.6;
/// The same for one that is kept from walking on by others at the same end.
const CROWDED_TURN: f32 = 4.0;
/// Ticks without walking after which a patrol is kept from walking on.
const PATIENCE: u16 = 20;

/// Walks between `home` and `point`.
pub(super) struct Patrol;

impl State for Patrol {
    fn name(&self) -> &'static str {
        "patrol"
    }

    fn enter(&self, me: &Senses, mind: &mut Mind) {
        if mind.point == mind.home {
            mind.point = wander::draw(me, mind.home).unwrap_or(mind.home);
        }
        mind.stalled = 0;
    }

    fn execute(&self, me: &Senses, mind: &mut Mind) {
        if engage::watch(me, mind) {
            return;
        }
        let end = if mind.outward { mind.point } else { mind.home };
        let left = me.position().distance(end);
        mind.count_stall(me);
        if left < TURN || left < CROWDED_TURN && mind.stalled > PATIENCE {
            mind.outward = !mind.outward;
            mind.stalled = 0;
        }
        mind.walk_to(if mind.outward { mind.point } else { mind.home });
    }
}
