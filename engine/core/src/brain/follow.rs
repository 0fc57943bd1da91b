//! Staying close to a unit.

use super::{Mind, Senses, State};
use crate::components::Outcome;

/// Gap to the leader, cells, at which a follower stands, and at which it walks on.
const CLOSE: f32 = 0.6;
const LEFT_BEHIND: f32 = 1.4;
/// Ticks without walking after which a follower that others keep away stands too.
const PATIENCE: u16 = 20;
/// Way of the leader, cells, after which such a one tries again.
const MOVED_ON: f32 = 1.0;

/// Behind `charge`.
pub(super) struct Follow;

impl State for Follow {
    fn name(&self) -> &'static str {
        "follow"
    }

    fn enter(&self, _: &Senses, mind: &mut Mind) {
        mind.resting = false;
        mind.stalled = 0;
    }

    fn execute(&self, me: &Senses, mind: &mut Mind) {
        let (Some(at), Some(gap)) = (me.position_of(mind.charge), me.gap_to(mind.charge)) else {
            mind.finish(Outcome::Stuck);
            mind.stand();
            return;
        };
        mind.count_stall(me);
        if mind.resting {
            let kept_away = mind.point.distance(at) < MOVED_ON;
            mind.resting = gap < LEFT_BEHIND || kept_away && mind.stalled > PATIENCE;
            if !mind.resting {
                mind.stalled = 0;
            }
        } else {
            mind.resting = gap < CLOSE || mind.stalled > PATIENCE;
            mind.point = at;
        }
        if mind.resting {
            mind.stand();
        } else {
            mind.walk_after(mind.charge);
        }
    }
}
