//! To a place in a formation.

use super::{Mind, Senses, State};
use crate::{components::Outcome, steer::scan};

/// Distance from the place, cells, that counts as there.
const THERE: f32 = 0.06;
/// Ticks without progress after which one close to its place takes what it has.
const PATIENCE: u16 = 300;
const NEAR: f32 = 1.0;
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
        mind.resting |= left < THERE || given_up;
        if !mind.resting {
            mind.walk_to_place(mind.point, mind.home);
            return;
        }
        mind.stand();
        if scan::signed_difference(me.heading(), mind.facing).abs() < FACING || given_up {
            mind.finish(if left < NEAR {
                Outcome::Arrived
            } else {
                Outcome::SettledNear
            });
        }
    }
}
