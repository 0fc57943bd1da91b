//! Steering: the angular scan and its mask form.

use glam::Vec2;
use rayon::prelude::*;

use crate::{
    config::{Config, Mover},
    flock::{CHUNK, Flock, Mark, Steered},
    map::{Map, Occupancy},
    route::Routes,
    units::Units,
};

pub mod directions;
mod fan;
pub mod mask;
mod neighbours;
pub mod scan;

/// Caps on neighbours that can be set.
pub(crate) const CAPS: std::ops::RangeInclusive<usize> = neighbours::LEAST..=neighbours::MOST;

pub(crate) use fan::fan;
pub use fan::{Choice, Fan, Refusal};

/// Steers every unit: fills `flock.steered` from the old state.
pub(crate) fn steer(flock: &mut Flock, units: &Units, routes: &Routes, map: &Map, config: &Config) {
    let mut steered = std::mem::take(&mut flock.steered);
    let cells = &map.nav(Default::default()).occupancy;
    steered
        .par_chunks_mut(CHUNK)
        .enumerate()
        .for_each(|(chunk, out)| {
            for (i, out) in out.iter_mut().enumerate() {
                let place = chunk * CHUNK + i;
                let rank = flock.rank[place] as usize;
                *out = match config.mover {
                    Mover::Mask => {
                        crowd::steer_unit(flock, place, units, rank, cells, config.neighbour_cap)
                    }
                    simple => {
                        let mark = &flock.mark[place];
                        let walker = scan::Walker {
                            at: flock.position[place],
                            target: routes
                                .get(mark.route)
                                .map_or(flock.position[place], |route| route.goal),
                            heading: units.heading[rank],
                            step: mark.speed,
                            radius: mark.radius,
                        };
                        Steered {
                            velocity: simple_step(simple, mark, cells, &walker, config),
                            ..Steered::default()
                        }
                    }
                };
            }
        });
    flock.steered = steered;
}

/// One step of the article's movers.
fn simple_step(
    mover: Mover,
    mark: &Mark,
    cells: &Occupancy,
    walker: &scan::Walker,
    config: &Config,
) -> Vec2 {
    if !mark.moving {
        return Vec2::ZERO;
    }
    match mover {
        Mover::Slide => scan::slide_step(cells, walker),
        Mover::Polar => scan::polar_step(cells, walker),
        _ => scan::scan_step(cells, walker, &config.steering),
    }
}

mod crowd;
pub(crate) use crowd::gives_way;
