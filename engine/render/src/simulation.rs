//! From a [`throng::Simulation`] to what the renderer takes.

use glam::Vec2;
use throng::field::FlowField;
use throng::map::{SizeClass, Terrain};
use throng::units::Units;
use throng::{Map, Simulation};

pub use crate::fan::{LEGEND, headings};
use crate::{Ground, Mark, UnitColumns, View};

/// The units of a simulation as they are drawn; `frame` may be empty.
pub fn columns<'a>(crowd: &'a Simulation, frame: &'a [u16]) -> UnitColumns<'a> {
    let units = crowd.units();
    UnitColumns {
        position: &units.position,
        previous: &units.previous,
        heading: &units.heading,
        radius: &units.radius,
        team: &units.team,
        frame,
        lying: &[],
        cells: Some(crowd.cells()),
    }
}

/// Where a unit is drawn between the last two ticks. A jump of a cell and more is not drawn as
/// motion.
pub fn drawn_at(units: &Units, index: usize, blend: f32) -> Vec2 {
    let (from, to) = (units.previous[index], units.position[index]);
    if (to - from).abs().max_element() < 8.0 {
        from.lerp(to, blend)
    } else {
        to
    }
}

/// What a cell of a map looks like.
pub fn ground(map: &Map, x: u32, y: u32) -> Ground {
    match map.terrain(x as i32, y as i32) {
        Terrain::Blocked => Ground::Wall,
        Terrain::Water => Ground::Water,
        Terrain::Shallow => Ground::Shallow,
        Terrain::Swamp => Ground::Swamp,
        Terrain::Free => Ground::Land,
    }
}

/// All cells of a map for [`Renderer::set_map`](crate::Renderer::set_map).
pub fn cells(map: &Map) -> impl Iterator<Item = Ground> {
    (0..map.height()).flat_map(move |y| (0..map.width()).map(move |x| ground(map, x, y)))
}

/// Width and height of a map in cells.
pub fn size(map: &Map) -> (u32, u32) {
    (map.width(), map.height())
}

/// Colours the cells that block land units of a size.
pub fn occupancy(map: &Map, class: SizeClass) -> Vec<[u8; 4]> {
    let cells = &map.nav(class).occupancy;
    colours(map, |x, y| {
        if cells.blocked(x, y) {
            [236, 72, 60, 150]
        } else {
            [90, 220, 120, 22]
        }
    })
}

/// Colours each cell by its distance to the field's goal: bands of twenty cells, running from
/// yellow through green and blue to violet.
pub fn distances(map: &Map, field: &FlowField) -> Vec<[u8; 4]> {
    colours(map, |x, y| {
        let distance = field.distance(x, y);
        if !distance.is_finite() {
            return [0, 0, 0, 0];
        }
        let [r, g, b] = rainbow((distance / 240.0).fract());
        // A thin darker line every ten cells reads like the contours of a map.
        let shade = if distance % 10.0 < 1.0 { 0.72 } else { 1.0 };
        let channel = |value: f32| (value * shade * 255.0) as u8;
        [channel(r), channel(g), channel(b), 150]
    })
}

/// Colours each cell by the ground the units in it cover, from nothing to red.
pub fn density(map: &Map, units: &Units) -> Vec<[u8; 4]> {
    let (width, height) = size(map);
    let mut covered = vec![0.0_f32; (width * height) as usize];
    for (at, radius) in units.position.iter().zip(&units.radius) {
        let (x, y) = (at.x as u32, at.y as u32);
        if at.x >= 0.0 && at.y >= 0.0 && x < width && y < height {
            covered[(y * width + x) as usize] += std::f32::consts::PI * radius * radius;
        }
    }
    covered
        .into_iter()
        .map(|share| {
            if share == 0.0 {
                return [0, 0, 0, 0];
            }
            let heat = (share / 0.9).min(1.0);
            let [r, g, b] = rainbow(0.5 - 0.5 * heat);
            [r, g, b, 0.35 + 0.45 * heat].map(|channel| (channel * 255.0) as u8)
        })
        .collect()
}

/// The directions of a field in the visible cells; every other one, every fourth and so on where
/// arrows would be smaller than twelve pixels.
pub fn flow(field: &FlowField, view: &View) -> Vec<Mark> {
    let stride = (12.0 / view.scale).max(1.0).ceil() as i32;
    let [x0, y0, x1, y1] = visible_cells(field.size(), view);
    let mut marks = Vec::new();
    for y in (y0..y1).step_by(stride as usize) {
        for x in (x0..x1).step_by(stride as usize) {
            let flow = field.flow(x, y);
            if !flow.reachable {
                continue;
            }
            let direction = throng::steer::directions::vector(u32::from(flow.direction));
            let half = direction * 0.34 * stride as f32;
            let centre = Vec2::new(x as f32, y as f32) + 0.5;
            let colour = if flow.in_sight {
                [255, 236, 130, 215]
            } else {
                [240, 246, 255, 190]
            };
            marks.push(Mark::arrow(centre - half, centre + half, 1.2, colour));
        }
    }
    marks
}

/// The borders of the sectors that guidance is computed in, `side` cells each.
pub fn sectors(map: &Map, side: u32) -> Vec<Mark> {
    let (width, height) = (map.width() as f32, map.height() as f32);
    let colour = [120, 200, 255, 170];
    let steps = |length: u32| (0..=length).step_by(side as usize).map(|at| at as f32);
    let upright = steps(map.width())
        .map(|x| Mark::line(Vec2::new(x, 0.0), Vec2::new(x, height), 1.5, colour));
    let level = steps(map.height())
        .map(|y| Mark::line(Vec2::new(0.0, y), Vec2::new(width, y), 1.5, colour));
    upright.chain(level).collect()
}

/// The velocity of each visible unit: the way of ten ticks, coloured by its direction.
pub fn velocities(units: &Units, view: &View, blend: f32) -> Vec<Mark> {
    let [x0, y0, x1, y1] = view.visible();
    (0..units.len())
        .filter(|&index| {
            let at = units.position[index];
            at.x >= x0 && at.x <= x1 && at.y >= y0 && at.y <= y1
        })
        .filter(|&index| units.velocity[index].length_squared() > 1e-6)
        .map(|index| {
            let at = drawn_at(units, index, blend);
            let velocity = units.velocity[index];
            let turn = throng::steer::directions::angle(velocity) / std::f32::consts::TAU;
            let [r, g, b] = rainbow(turn.rem_euclid(1.0)).map(|channel| (channel * 255.0) as u8);
            Mark::arrow(at, at + velocity * 10.0, 1.2, [r, g, b, 230])
        })
        .collect()
}

/// A bar over each visible unit that is hurt, where units are large enough to see one.
pub fn health_bars(units: &Units, view: &View, blend: f32) -> Vec<Mark> {
    let [x0, y0, x1, y1] = view.visible();
    units
        .living()
        .filter(|&index| units.health[index] < units.combat[index].health)
        .filter(|&index| units.radius[index] * view.scale >= 3.0)
        .filter(|&index| {
            let at = units.position[index];
            at.x >= x0 && at.x <= x1 && at.y >= y0 && at.y <= y1 + 1.0
        })
        .flat_map(|index| {
            let share = units.health[index] / units.combat[index].health;
            Mark::health_bar(drawn_at(units, index, blend), units.radius[index], share)
        })
        .collect()
}

fn colours(map: &Map, colour: impl Fn(i32, i32) -> [u8; 4]) -> Vec<[u8; 4]> {
    let (width, height) = (map.width() as i32, map.height() as i32);
    let colour = &colour;
    (0..height)
        .flat_map(|y| (0..width).map(move |x| colour(x, y)))
        .collect()
}

fn visible_cells((width, height): (u32, u32), view: &View) -> [i32; 4] {
    let [x0, y0, x1, y1] = view.visible();
    [
        (x0.floor() as i32).max(0),
        (y0.floor() as i32).max(0),
        (x1.ceil() as i32).min(width as i32),
        (y1.ceil() as i32).min(height as i32),
    ]
}

/// Yellow, green, blue, violet, red and back, for `at` from 0 to 1.
fn rainbow(at: f32) -> [f32; 3] {
    const STOPS: [[f32; 3]; 5] = [
        [0.98, 0.86, 0.30],
        [0.35, 0.78, 0.42],
        [0.22, 0.52, 0.90],
        [0.62, 0.33, 0.80],
        [0.92, 0.32, 0.28],
    ];
    let place = at.clamp(0.0, 1.0) * STOPS.len() as f32;
    let index = (place as usize).min(STOPS.len() - 1);
    let (from, to) = (STOPS[index], STOPS[(index + 1) % STOPS.len()]);
    let share = place - index as f32;
    std::array::from_fn(|channel| from[channel] + (to[channel] - from[channel]) * share)
}
