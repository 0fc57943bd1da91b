//! The article's movers: three ways to walk at a target on a walkability bitmap.
//!
//! They are those of a 2008 Flash article on unit movement, in its order: axis-separated sliding,
//! straight polar motion, and the **angular scan**, the primitive this engine is built on. Each is
//! a pure function of the bitmap and a [`Walker`]. A place is free when the walker's disc overlaps no
//! blocked cell there; with a radius of zero that is the article's test of a single pixel.

use std::f32::consts::{PI, TAU};

use glam::Vec2;

use super::directions;
use crate::{config::Steering, map::Occupancy, motion::walls};

/// What a mover knows of its unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Walker {
    /// Position, cells.
    pub at: Vec2,
    /// Where it wants to be, cells.
    pub target: Vec2,
    /// Present heading, radians.
    pub heading: f32,
    /// Length of a step, cells per tick.
    pub step: f32,
    /// Radius of its disc, cells.
    pub radius: f32,
}

/// `a - b` brought into (-pi, pi]: the signed short way from heading `b` to heading `a`.
pub fn signed_difference(a: f32, b: f32) -> f32 {
    let mut difference = (a - b) % TAU;
    if difference > PI {
        difference -= TAU;
    } else if difference <= -PI {
        difference += TAU;
    }
    difference
}

/// Turns a sprite's heading towards the direction of motion by a share of the difference.
pub fn turn(heading: f32, towards: f32, share: f32) -> f32 {
    signed_difference(heading + share * signed_difference(towards, heading), 0.0)
}

/// Axis-separated sliding: each axis steps towards the target where that step is free.
pub fn slide_step(cells: &Occupancy, walker: &Walker) -> Vec2 {
    let wanted = walker.straight();
    let mut moved = Vec2::ZERO;
    if walker.is_free(cells, Vec2::new(wanted.x, 0.0)) {
        moved.x = wanted.x;
    }
    if walker.is_free(cells, Vec2::new(moved.x, wanted.y)) {
        moved.y = wanted.y;
    }
    moved
}

/// Straight polar motion: one step at the target's angle, or none where that is blocked.
pub fn polar_step(cells: &Occupancy, walker: &Walker) -> Vec2 {
    let moved = walker.straight();
    if walker.is_free(cells, moved) {
        moved
    } else {
        Vec2::ZERO
    }
}

/// The angular scan. Straight at the target where that is free; else headings on both sides of a
/// base direction, nearest first, the first free one wins; zero where all are blocked.
///
/// ```
/// use glam::Vec2;
/// use throng::{Map, Steering, steer::scan::{self, Walker}};
///
/// let map = Map::from_ascii(".....\n..#..\n.....").unwrap();
/// let cells = &map.nav(Default::default()).occupancy;
/// let walker = Walker { at: Vec2::new(1.8, 1.5), target: Vec2::new(4.5, 1.5), heading: 0.0, step: 0.3, radius: 0.0 };
/// let step = scan::scan_step(cells, &walker, &Steering::default());
/// assert!(step.length() > 0.29 && step.y.abs() > 0.2);
/// ```
pub fn scan_step(cells: &Occupancy, walker: &Walker, steering: &Steering) -> Vec2 {
    let mut taken = Vec2::ZERO;
    search(walker, steering, |_, candidate| {
        let free = walker.is_free(cells, candidate);
        if free {
            taken = candidate;
        }
        free
    });
    taken
}

/// One heading the scan looked at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Probe {
    /// The heading, radians.
    pub heading: f32,
    /// The blocked cell that refused it, or `None` where it was free.
    pub refused_by: Option<(i32, i32)>,
}

/// The debug twin of [`scan_step`]: every heading in the order tested, with the cell that refused
/// it; the last one is free unless all were refused.
pub fn explain(cells: &Occupancy, walker: &Walker, steering: &Steering) -> Vec<Probe> {
    let mut probes = Vec::new();
    search(walker, steering, |heading, candidate| {
        let refused_by = walls::first_overlap(cells, walker.at + candidate, walker.radius);
        probes.push(Probe {
            heading,
            refused_by,
        });
        refused_by.is_none()
    });
    probes
}

/// Calls `test(heading, step)` for the straight way and then for the fan until it answers true.
fn search(walker: &Walker, steering: &Steering, mut test: impl FnMut(f32, Vec2) -> bool) {
    let direct = walker.straight();
    if direct == Vec2::ZERO {
        return;
    }
    let towards = directions::angle(direct);
    if test(towards, direct) {
        return;
    }
    let base = towards + steering.scan_base * signed_difference(walker.heading, towards);
    let count = (TAU / steering.scan_step) as u32;
    for i in 0..count {
        for side in [-1.0, 1.0] {
            let angle = base + side * i as f32 * steering.scan_step;
            if test(angle, directions::unit(angle) * walker.step) {
                return;
            }
        }
    }
}

impl Walker {
    /// The step straight at the target, not past it.
    fn straight(&self) -> Vec2 {
        (self.target - self.at).clamp_length_max(self.step)
    }

    fn is_free(&self, cells: &Occupancy, step: Vec2) -> bool {
        walls::is_clear(cells, self.at + step, self.radius)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::map::Map;

    const WALL: &str = "........\n....#...\n....#...\n....#...\n........";

    fn cells(ascii: &str) -> Occupancy {
        Map::from_ascii(ascii)
            .unwrap()
            .nav(Default::default())
            .occupancy
            .as_ref()
            .clone()
    }

    fn walker(at: Vec2, target: Vec2, step: f32) -> Walker {
        Walker {
            at,
            target,
            heading: 0.0,
            step,
            radius: 0.0,
        }
    }

    fn walk(mover: impl Fn(&Occupancy, &Walker) -> Vec2, radius: f32) -> Vec2 {
        let cells = cells(WALL);
        let mut walker = Walker {
            radius,
            ..walker(Vec2::new(1.5, 2.5), Vec2::new(6.5, 2.5), 0.2)
        };
        for _ in 0..200 {
            let step = mover(&cells, &walker);
            if step != Vec2::ZERO {
                walker.heading = directions::angle(step);
            }
            walker.at += step;
        }
        walker.at
    }

    #[test]
    fn sliding_and_polar_motion_stop_at_a_wall_that_the_scan_walks_round() {
        let target = Vec2::new(6.5, 2.5);
        let steering = Steering::default();
        for radius in [0.0, 0.4] {
            let slide = walk(slide_step, radius);
            let polar = walk(polar_step, radius);
            let scan = walk(|cells, walker| scan_step(cells, walker, &steering), radius);
            assert!(slide.x < 4.0 && polar.x < 4.0);
            assert!(scan.distance(target) < 0.2, "{scan}");
        }
    }

    #[test]
    fn the_nearest_free_heading_beside_the_base_wins() {
        let probes = explain(
            &cells(WALL),
            &walker(Vec2::new(3.95, 2.5), Vec2::new(6.5, 2.5), 0.2),
            &Steering::default(),
        );
        let (last, refused) = probes.split_last().unwrap();
        assert_eq!(last.refused_by, None);
        assert!(refused.iter().all(|p| p.refused_by == Some((4, 2))));
        // Straight at it, then 0, 10, 10 ... 70, 70 degrees are refused; 80 is free.
        assert!(
            (last.heading.abs() - 80f32.to_radians()).abs() < 1e-3,
            "{last:?}"
        );
    }

    #[test]
    fn the_base_leans_to_the_present_heading() {
        let start = walker(Vec2::new(3.95, 2.5), Vec2::new(6.5, 2.5), 0.2);
        let down = Walker {
            heading: std::f32::consts::FRAC_PI_2,
            ..start
        };
        let step = scan_step(&cells(WALL), &down, &Steering::default());
        assert!(step.y > 0.15, "goes on down: {step}");
    }

    #[test]
    fn an_enclosed_unit_stays() {
        let cells = cells("###\n#.#\n###");
        let enclosed = walker(Vec2::splat(1.5), Vec2::new(9.0, 1.5), 0.9);
        let steering = Steering::default();
        assert_eq!(scan_step(&cells, &enclosed, &steering), Vec2::ZERO);
        assert_eq!(explain(&cells, &enclosed, &steering).len(), 1 + 72);
    }

    #[test]
    fn headings_turn_the_short_way() {
        let half = turn(3.0, -3.0, 0.5);
        assert!((half.abs() - PI).abs() < 1e-5, "{half}");
        assert!((signed_difference(0.1, TAU - 0.1) - 0.2).abs() < 1e-5);
    }
}
