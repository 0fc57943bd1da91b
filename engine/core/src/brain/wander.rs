//! Walking at random round home: a few legs, then home again, with a rest at every stop.

use glam::Vec2;

use super::{Mind, Senses, State};
use crate::{motion::walls, steer::directions};

/// Distance to the end of a leg, cells, that counts as there.
const THERE: f32 = 0.15;
/// Clearance of targets from walls, cells, beside the radius; tried first.
const CLEARANCE: f32 = 0.4;
/// Places drawn before a unit stays where it is.
const TRIES: u32 = 24;
/// Longest way to a target, in radii of the roaming ground.
const DETOUR: f32 = 3.0;
/// Ticks without progress after which it rests where it is: others stand in the way.
const PATIENCE: u16 = 16;

/// Out by legs and home.
pub(super) struct Wander;

impl State for Wander {
    fn name(&self) -> &'static str {
        "wander"
    }

    fn enter(&self, me: &Senses, mind: &mut Mind) {
        mind.home = me.position();
        mind.legs = 0;
        mind.polite = true;
        rest(me, mind);
    }

    fn execute(&self, me: &Senses, mind: &mut Mind) {
        if mind.resting {
            if me.now() >= mind.until {
                set_out(me, mind);
            }
            return;
        }
        mind.count_delay(me.speed());
        if me.position().distance(mind.point) < THERE || mind.stalled > PATIENCE {
            rest(me, mind);
        } else {
            mind.walk_to(mind.point);
        }
    }
}

/// A pause, uniform in one to two times the configured length.
fn rest(me: &Senses, mind: &mut Mind) {
    let pause = me.scene.wandering.pause * me.scene.tick_rate;
    mind.until = me.now() + (pause * (1.0 + me.random(1))) as u64;
    mind.resting = true;
    mind.stand();
}

/// The next leg: a new place, or home after the last.
fn set_out(me: &Senses, mind: &mut Mind) {
    let settings = me.scene.wandering;
    let at_home = me.position().distance(mind.home) < 2.0 * THERE;
    if mind.legs == 0 && at_home {
        mind.legs = 1 + (me.random(2) * f32::from(settings.legs)) as u8;
    } else if mind.legs > 0 {
        mind.legs -= 1;
    }
    let homeward = mind.legs == 0;
    if homeward && me.is_taken(mind.home, 0.0) {
        rest(me, mind);
        return;
    }
    let target = if !homeward {
        draw(me, mind.home, settings.radius, settings.least)
    } else {
        None
    };
    if target.is_none() {
        mind.legs = 0;
        if at_home || me.is_taken(mind.home, 0.0) {
            rest(me, mind);
            return;
        }
    }
    mind.point = target.unwrap_or(mind.home);
    mind.resting = false;
    mind.set_out();
    mind.walk_to(mind.point);
}

/// A place to walk to: within `radius` of home, at least `least` from here and from home, clear of
/// walls and standing units, and with a way that is not much longer. `None` where none is found.
pub(super) fn draw(me: &Senses, home: Vec2, radius: f32, least: f32) -> Option<Vec2> {
    (0..TRIES).find_map(|i| {
        // Uniform over the disc.
        let angle = me.random(8 + 2 * i) * std::f32::consts::TAU;
        let point = home + directions::unit(angle) * (radius * me.random(9 + 2 * i).sqrt());
        let (clearance, choosy) = if i < TRIES / 2 {
            (CLEARANCE, true)
        } else {
            (0.0, false)
        };
        let fits = point.distance(me.position()) >= least
            && point.distance(home) >= least
            && walls::is_clear(me.walls(), point, me.radius() + clearance)
            && me.can_reach(point)
            && !me.is_taken(point, clearance)
            && (!choosy || is_lane_free(me, point));
        (fits
            && me
                .short_way(point)
                .is_some_and(|way| way.length <= DETOUR * radius))
        .then_some(point)
    })
}

/// Whether nobody stands in the straight way to a point.
fn is_lane_free(me: &Senses, point: Vec2) -> bool {
    let way = point - me.position();
    let steps = (way.length() / (2.0 * me.radius())).ceil().max(1.0);
    (1..=steps as u32).all(|i| !me.is_taken(me.position() + way * (i as f32 / steps), 0.1))
}
