//! The fan of headings about a unit: which are free, and what blocks the others.

use glam::Vec2;
use throng::map::SizeClass;
use throng::steer::scan::{self, Walker};
use throng::steer::{Fan, Refusal, directions};
use throng::{Mover, Simulation};

use crate::Mark;

const FREE: [u8; 4] = [150, 255, 160, 150];
const TOO_FAR: [u8; 4] = [180, 190, 210, 130];
const WALL: [u8; 4] = [245, 70, 60, 235];
const SOON: [u8; 4] = [250, 205, 70, 220];
const NOW: [u8; 4] = [255, 130, 40, 235];
const GUIDANCE: [u8; 4] = [90, 220, 255, 255];
const TAKEN: [u8; 4] = [255, 255, 255, 255];

/// What the colours of [`headings`] mean.
pub const LEGEND: [(&str, [u8; 4]); 7] = [
    ("free", FREE),
    ("free, too far round", TOO_FAR),
    ("wall, its cell framed", WALL),
    ("meets a unit soon", SOON),
    ("meets a unit at once", NOW),
    ("guidance", GUIDANCE),
    ("taken, long as fast", TAKEN),
];

/// Ticks to a meeting from which a ray is drawn as long as a free one.
const LONG: f32 = 30.0;

/// The headings of the unit in a row of [`Simulation::units`], drawn at `at`: a ray for each of the
/// 64 of the mask with what refused it in the last tick, as [`Simulation::fan_of`] has it, or one
/// for each heading that the article's scan would test now. [`LEGEND`] names the colours. A ray at
/// a unit is the longer the later they would touch; cells and units that refuse one are framed.
pub fn headings(crowd: &Simulation, row: usize, at: Vec2) -> Vec<Mark> {
    let units = crowd.units();
    let radius = units.radius[row];
    let mut marks = Vec::new();
    let mut arrow = |way: Vec2, colour| {
        if way.length() > 0.05 {
            let from = at + way.normalize() * radius * 1.3;
            marks.push(Mark::arrow(from, from + way * radius * 3.4, 2.2, colour).rimmed());
        }
    };
    if let Some(fan) = crowd.fan_of(row) {
        arrow(fan.guidance, GUIDANCE);
        arrow(
            fan.heading * (fan.speed / units.speed[row].max(1e-6)),
            TAKEN,
        );
        let mut all = refused(crowd, &fan, radius, at);
        all.append(&mut marks);
        return all;
    }
    if let Some((goal, field)) = crowd.guidance_of(row) {
        arrow(field.guide(units.position[row], goal).direction, GUIDANCE);
    }
    arrow(units.velocity[row] / units.speed[row].max(1e-6), TAKEN);
    if crowd.config().mover != Mover::Mask {
        marks.extend(probes(crowd, row).into_iter().map(|probe| {
            let blocked = probe.refused_by.is_some();
            let colour = if blocked { WALL } else { FREE };
            ray(at, directions::unit(probe.heading), radius, 2.0, colour)
        }));
    }
    marks
}

fn ray(at: Vec2, heading: Vec2, radius: f32, length: f32, colour: [u8; 4]) -> Mark {
    let from = at + heading * radius * 1.3;
    Mark::line(from, from + heading * radius * length, 1.6, colour)
}

/// The rays of a fan, and the cells and units that refuse some.
fn refused(crowd: &Simulation, fan: &Fan, radius: f32, at: Vec2) -> Vec<Mark> {
    let units = crowd.units();
    let (mut cells, mut others, mut rays) = (Vec::new(), Vec::new(), Vec::new());
    for (step, &refusal) in (0..).zip(&fan.refusals) {
        let (length, colour) = match refusal {
            Refusal::Free => (2.2, FREE),
            Refusal::TooFar => (1.8, TOO_FAR),
            Refusal::Wall { cell } => {
                if !cells.contains(&cell) {
                    cells.push(cell);
                }
                (0.8, WALL)
            }
            Refusal::Unit {
                unit,
                ticks,
                imminent,
            } => {
                let colour = if imminent { NOW } else { SOON };
                others.push((unit, colour));
                (0.8 + 1.4 * (ticks / LONG).min(1.0), colour)
            }
        };
        rays.push(ray(at, directions::vector(step), radius, length, colour));
    }
    // Of one unit the stronger mark is kept: those at once sort before those soon.
    others.sort_by_key(|&(unit, colour)| (unit, colour != NOW));
    others.dedup_by_key(|&mut (unit, _)| unit);
    let frames = cells.into_iter().map(|cell| {
        let low = cell.as_vec2();
        Mark::outline(low + 0.05, low + 0.95, 1.4, WALL)
    });
    let rings = others.into_iter().filter_map(|(unit, colour)| {
        let other = units.index_of(unit)?;
        let radius = units.radius[other] * 1.1;
        Some(Mark::ring(units.position[other], radius, 1.4, colour))
    });
    frames.chain(rings).chain(rays).collect()
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
