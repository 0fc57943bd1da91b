//! The fan of headings about a unit: which are free, and what blocks the others.

use glam::Vec2;
use throng::map::SizeClass;
use throng::steer::scan::{self, Walker};
use throng::steer::{directions, mask};
use throng::{Activity, Mover, Simulation};

use crate::Mark;

const FREE: [u8; 4] = [150, 255, 160, 110];
const WALL: [u8; 4] = [245, 70, 60, 235];
const SOON: [u8; 4] = [250, 205, 70, 210];
const NOW: [u8; 4] = [255, 130, 40, 235];
const GUIDANCE: [u8; 4] = [90, 220, 255, 255];
const TAKEN: [u8; 4] = [255, 255, 255, 255];

/// Ways to a meeting, in radii, up to which the steering heeds neighbours, and up to which a
/// meeting is imminent.
const REACH: [f32; 2] = [4.0, 1.2];

/// The headings of the unit in a row of [`Simulation::units`], drawn at `at`: a ray for each of the
/// 64 of the mask, or for each one that the article's scan tests. Red: a wall; yellow: a
/// neighbour on the way; orange: a neighbour just ahead; faint green: free. The blue arrow is
/// the guidance, the white one what the unit did, as long as it was fast.
pub fn headings(crowd: &Simulation, row: usize, at: Vec2) -> Vec<Mark> {
    let units = crowd.units();
    let radius = units.radius[row];
    let ray = |heading: Vec2, length: f32, colour| {
        let from = at + heading * radius * 1.3;
        Mark::line(from, from + heading * radius * length, 1.6, colour)
    };
    let mut marks: Vec<Mark> = match crowd.config().mover {
        Mover::Mask => {
            let blocked = Blocked::new(crowd, row);
            (0..directions::COUNT as u32)
                .map(|step| {
                    let (length, colour) = blocked.look(step);
                    ray(directions::vector(step), length, colour)
                })
                .collect()
        }
        _ => probes(crowd, row)
            .into_iter()
            .map(|probe| {
                let colour = if probe.refused_by.is_some() {
                    WALL
                } else {
                    FREE
                };
                ray(directions::unit(probe.heading), 2.0, colour)
            })
            .collect(),
    };
    let mut arrow = |way: Vec2, colour| {
        if way.length() > 0.05 {
            let from = at + way.normalize() * radius * 1.3;
            marks.push(Mark::arrow(from, from + way * radius * 3.4, 2.2, colour).rimmed());
        }
    };
    arrow(guidance(crowd, row), GUIDANCE);
    arrow(units.velocity[row] / units.speed[row].max(1e-6), TAKEN);
    marks
}

/// Where the field leads the unit.
fn guidance(crowd: &Simulation, row: usize) -> Vec2 {
    let Some((goal, field)) = crowd.guidance_of(row) else {
        return Vec2::ZERO;
    };
    field.guide(crowd.units().position[row], goal).direction
}

/// The masks of a unit, as the steering sees them.
struct Blocked {
    walls: u64,
    soon: u64,
    now: u64,
}

impl Blocked {
    fn new(crowd: &Simulation, row: usize) -> Self {
        let units = crowd.units();
        let (at, radius, speed) = (units.position[row], units.radius[row], units.speed[row]);
        let cells = &crowd.map().nav(SizeClass::default()).occupancy;
        let mut blocked = Self {
            walls: mask::walls(cells, at, radius),
            soon: 0,
            now: 0,
        };
        for other in (0..units.len()).filter(|&other| other != row) {
            let offset = units.position[other] - at;
            let sum = radius + units.radius[other];
            let distance = offset.length();
            let closing = speed - units.velocity[other].dot(offset / distance.max(1e-6));
            if distance > sum + 2.0 * REACH[0] * radius || closing <= 0.0 {
                continue;
            }
            // Behind companions on the same way it queues, it does not walk round them.
            if walks(crowd, other) && same_way(crowd, row, other) {
                continue;
            }
            let travel = (distance - sum).max(0.0) * speed / closing;
            let stands = units.velocity[other] == Vec2::ZERO;
            let apex = if stands {
                Vec2::ZERO
            } else {
                (units.velocity[row] + units.velocity[other]) * 0.5
            };
            let interval = mask::neighbour(offset, sum * 1.02, apex, speed);
            if travel < REACH[0] * radius {
                blocked.soon |= interval;
            }
            if travel < REACH[1] * radius {
                blocked.now |= interval;
            }
        }
        blocked
    }

    /// Length in radii and colour of a heading's ray.
    fn look(&self, step: u32) -> (f32, [u8; 4]) {
        let bit = 1_u64 << step;
        if self.walls & bit != 0 {
            (1.1, WALL)
        } else if self.now & bit != 0 {
            (1.3, NOW)
        } else if self.soon & bit != 0 {
            (1.7, SOON)
        } else {
            (2.2, FREE)
        }
    }
}

fn walks(crowd: &Simulation, row: usize) -> bool {
    matches!(crowd.units().activity[row], Activity::Move | Activity::Wait)
}

/// Whether two units follow one field.
fn same_way(crowd: &Simulation, row: usize, other: usize) -> bool {
    let field = |row| crowd.guidance_of(row).map(|(_, field)| field);
    field(row)
        .zip(field(other))
        .is_some_and(|(a, b)| std::ptr::eq(a, b))
}

/// What the article's scan tests for the unit.
fn probes(crowd: &Simulation, row: usize) -> Vec<scan::Probe> {
    let units = crowd.units();
    let Some((target, _)) = crowd.guidance_of(row) else {
        return Vec::new();
    };
    let walker = Walker {
        at: units.position[row],
        target,
        heading: units.heading[row],
        step: units.speed[row],
        radius: units.radius[row],
    };
    let cells = &crowd.map().nav(SizeClass::default()).occupancy;
    scan::explain(cells, &walker, &crowd.config().steering)
}
