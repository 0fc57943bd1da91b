//! Marks and colours laid over the picture: selection, orders and debug layers.

use std::time::Instant;

use glam::Vec2;
use throng::field::FlowField;
use throng::map::SizeClass;
use throng::{Map, Simulation};
use throng_render::{Layer, Layers, Mark, View, simulation};

use super::command::Aim;

const SELECTED: [u8; 4] = [132, 255, 140, 255];

/// Marks for one picture.
#[derive(Default)]
pub struct Marks {
    /// Drawn under the units.
    pub below: Vec<Mark>,
    /// Drawn over them.
    pub above: Vec<Mark>,
}

/// Fans of headings drawn at most.
const FANS: usize = 12;

/// The walking unit nearest to the middle of a view.
fn walker_in_the_middle(crowd: &Simulation, view: &View) -> Option<usize> {
    let units = crowd.units();
    let away = |row: &usize| units.position[*row].distance_squared(view.centre);
    let walking = units
        .living()
        .filter(|&row| units.velocity[row] != Vec2::ZERO);
    walking.min_by(|a, b| away(a).total_cmp(&away(b)))
}

impl Marks {
    /// The marks of the debug layers, the rings of the units in `rows` and the lines to their
    /// goals.
    pub fn new(
        crowd: &Simulation,
        layers: Layers,
        view: &View,
        blend: f32,
        rows: &[usize],
    ) -> Self {
        let mut marks = Self::default();
        let field = shown_field(crowd, rows);
        if layers.has(Layer::Flow)
            && let Some(field) = field
        {
            marks.below.extend(simulation::flow(field, view));
        }
        if layers.has(Layer::Velocity) {
            marks
                .above
                .extend(simulation::velocities(crowd.units(), view, blend));
        }
        if layers.has(Layer::Sectors) {
            marks.below.extend(simulation::sectors(crowd.map(), SECTOR));
        }
        if layers.has(Layer::Headings) {
            let middle = rows.is_empty().then(|| walker_in_the_middle(crowd, view));
            for row in rows.iter().copied().take(FANS).chain(middle.flatten()) {
                let at = simulation::drawn_at(crowd.units(), row, blend);
                marks.above.extend(simulation::headings(crowd, row, at));
            }
        }
        if layers.has(Layer::Health) {
            marks
                .above
                .extend(simulation::health_bars(crowd.units(), view, blend));
        }
        if layers.has(Layer::Selection) {
            marks.selection(crowd, view, blend, rows);
        }
        marks
    }

    /// Order lines of at most so many units are drawn.
    const LINES: usize = 300;

    fn selection(&mut self, crowd: &Simulation, view: &View, blend: f32, rows: &[usize]) {
        let units = crowd.units();
        let few = rows.len() <= Self::LINES;
        // The more lines, the fainter each.
        let faint = (90.0 / (rows.len() as f32).sqrt()).clamp(8.0, 80.0) as u8;
        for &row in rows {
            let at = simulation::drawn_at(units, row, blend);
            let radius = units.radius[row].max(1.6 / view.scale);
            let width = (units.radius[row] * view.scale * 0.16).clamp(0.8, 2.2);
            self.below
                .push(Mark::ring(at, radius * 1.22, width, SELECTED).rimmed());
            if few
                && units.outcome[row] == throng::Outcome::Active
                && let Some((goal, _)) = crowd.guidance_of(row)
            {
                self.below
                    .push(Mark::line(at, goal, 1.0, [132, 255, 140, faint]));
            }
        }
    }

    /// The box that is being dragged.
    pub fn selection_box(&mut self, a: Vec2, b: Vec2) {
        self.above.push(Mark::fill(a, b, [132, 255, 140, 28]));
        self.above
            .push(Mark::outline(a, b, 1.2, [150, 255, 160, 230]).rimmed());
    }

    /// What is under the pointer while the player aims.
    pub fn aim(&mut self, at: Vec2, aim: Aim, view: &View) {
        let [r, g, b] = aim.colour();
        let (radius, colour) = (10.0 / view.scale, [r, g, b, 255]);
        self.above
            .push(Mark::ring(at, radius, 2.0, colour).rimmed());
        for way in [Vec2::X, Vec2::Y, -Vec2::X, -Vec2::Y] {
            let (from, to) = (at + way * radius * 0.6, at + way * radius * 1.5);
            self.above.push(Mark::line(from, to, 2.0, colour).rimmed());
        }
    }

    /// Walls that are painted or erased at the next tick.
    pub fn pending(&mut self, edits: impl Iterator<Item = throng::CellRect>) {
        for rect in edits {
            let corner = |x: i32, y: i32| Vec2::new(x as f32, y as f32);
            let (low, high) = (corner(rect.x0, rect.y0), corner(rect.x1, rect.y1));
            self.above.push(Mark::fill(low, high, [214, 190, 140, 120]));
        }
    }

    /// The square that a brush of `side` cells would paint.
    pub fn brush(&mut self, at: Vec2, side: u32) {
        let corner = (at - side as f32 * 0.5).round();
        let far = corner + side as f32;
        self.above
            .push(Mark::outline(corner, far, 1.5, [255, 214, 120, 240]).rimmed());
    }

    /// Shrinking rings where orders were given less than a second ago.
    pub fn order_markers(&mut self, given: &[(Vec2, Aim, Instant)], view: &View) {
        for (at, aim, since) in given {
            let age = since.elapsed().as_secs_f32();
            if age < 1.0 {
                let radius = (14.0 * (1.0 - age) + 3.0) / view.scale;
                let alpha = (255.0 * (1.0 - age * age)) as u8;
                let [r, g, b] = aim.colour();
                let colour = [r, g, b, alpha];
                self.above.push(Mark::ring(*at, radius, 2.0, colour));
                self.above.push(Mark::disc(*at, 2.5 / view.scale, colour));
            }
        }
    }
}

/// Cells of a side of a sector, as in the engine's guidance.
const SECTOR: u32 = 64;

/// The field that flow and distance layers show: that of the first selected unit that has one, or
/// else of any unit.
pub fn shown_field<'a>(crowd: &'a Simulation, rows: &[usize]) -> Option<&'a FlowField> {
    let field = |row| crowd.guidance_of(row).map(|(_, field)| field);
    rows.iter()
        .copied()
        .find_map(field)
        .or_else(|| (0..crowd.units().len()).find_map(field))
}

/// The colours of the cell layers that are on, one over the other.
pub fn cells(crowd: &Simulation, layers: Layers, rows: &[usize]) -> Vec<[u8; 4]> {
    let map: &Map = crowd.map();
    let mut colours = Vec::new();
    let mut lay = |layer: Vec<[u8; 4]>| {
        if colours.is_empty() {
            colours = layer;
        } else {
            for (below, above) in colours.iter_mut().zip(layer) {
                *below = over(above, *below);
            }
        }
    };
    if layers.has(Layer::Distance)
        && let Some(field) = shown_field(crowd, rows)
    {
        lay(simulation::distances(map, field));
    }
    if layers.has(Layer::Occupancy) {
        lay(simulation::occupancy(map, SizeClass::default()));
    }
    if layers.has(Layer::Density) {
        lay(simulation::density(map, crowd.units()));
    }
    colours
}

/// One straight-alpha colour over another.
fn over(above: [u8; 4], below: [u8; 4]) -> [u8; 4] {
    let [top, bottom] = [above[3], below[3]].map(|alpha| f32::from(alpha) / 255.0);
    let alpha = top + bottom * (1.0 - top);
    if alpha == 0.0 {
        return [0; 4];
    }
    let channel = |c: usize| {
        let mixed = f32::from(above[c]) * top + f32::from(below[c]) * bottom * (1.0 - top);
        (mixed / alpha).round() as u8
    };
    [
        channel(0),
        channel(1),
        channel(2),
        (alpha * 255.0).round() as u8,
    ]
}
