//! Walking at random round home: a few legs, then home again, with a rest at every stop.

use glam::Vec2;

use super::{Mind, Senses, State, Wandering};
use crate::{motion::walls, steer::directions};

/// Distance to the end of a leg, cells, that counts as there, and to home.
const THERE: f32 = 0.15;
const AT_HOME: f32 = 0.3;
/// Places drawn before a unit gives up, and what each lot of them must have: clearance from walls
/// and from those who stand about, cells, beside the radius, and nobody in the way there.
const TRIES: [(u32, f32, bool); 3] = [(24, 0.4, true), (12, 0.15, true), (12, 0.12, false)];
/// Longest way to a target, in radii of the roaming ground.
const DETOUR: f32 = 3.0;
/// Ticks without progress after which it rests where it is: others stand in the way.
const PATIENCE: u16 = 30;

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

/// The next leg: a new place, or home after the last. Where others bar the way home, one leg more.
fn set_out(me: &Senses, mind: &mut Mind) {
    let at_home = me.position().distance(mind.home) < AT_HOME;
    if mind.legs > 0 {
        mind.legs -= 1;
    } else if at_home {
        mind.legs = 1 + (me.random(2) * f32::from(me.scene.wandering.legs)) as u8;
    }
    let homeward = || (!at_home && !me.is_taken(mind.home, 0.0)).then_some(mind.home);
    let elsewhere = || draw(me, mind.home);
    let target = if mind.legs > 0 {
        elsewhere().or_else(homeward)
    } else {
        homeward().or_else(elsewhere)
    };
    let Some(target) = target else {
        rest(me, mind);
        return;
    };
    if target == mind.home {
        mind.legs = 0;
    }
    mind.point = target;
    mind.resting = false;
    mind.set_out();
    mind.walk_to(target);
}

/// A place to walk to: on the roaming ground about `home`, far enough from here and from there,
/// clear of walls, of standing units and of what other wanderers claim, and with a way that is not
/// much longer. `None` where none is found.
pub(super) fn draw(me: &Senses, home: Vec2) -> Option<Vec2> {
    let Wandering { radius, least, .. } = *me.scene.wandering;
    let tries = TRIES
        .into_iter()
        .flat_map(|(tries, clearance, choosy)| (0..tries).map(move |_| (clearance, choosy)));
    (8..)
        .step_by(2)
        .zip(tries)
        .find_map(|(stream, (clearance, choosy))| {
            // Uniform over the disc.
            let angle = me.random(stream) * std::f32::consts::TAU;
            let out = directions::unit(angle) * (radius * me.random(stream + 1).sqrt());
            let point = home + out;
            let fits = point.distance(me.position()) >= least
                && point.distance(home) >= least
                && walls::is_clear(me.walls(), point, me.radius() + clearance)
                && me.can_reach(point)
                && !me.is_taken(point, clearance)
                && !me.is_claimed(point)
                && me.polite_way(point).is_some_and(|way| {
                    !way.barred && (!choosy || way.next == point) && way.length <= DETOUR * radius
                });
            fits.then_some(point)
        })
}

#[cfg(test)]
#[path = "wander_test.rs"]
mod tests;
