//! Walked against shortest ways.

use glam::Vec2;
use throng::field::octile::{self, OctileField};
use throng::{Map, Occupancy};

/// Part of a radius that must fit through a cell: units may touch walls by as little as is no
/// violation.
const FIT: f64 = 0.98;
/// Octile lengths to one goal over the cells that hold a disc: 8 neighbours, no corner cut. Nothing
/// leads to a goal that cannot be stood on.
pub(crate) struct Shortest(OctileField);

impl Shortest {
    pub(crate) fn new(map: &Map, goal: Vec2, radius: f32) -> Self {
        let cells = cells_for(map, f64::from(radius) * FIT);
        Self(octile::distances(&cells, goal.x as i32, goal.y as i32))
    }

    /// Length from the cell at `from`, in cells; infinite where there is no way.
    pub(crate) fn length(&self, from: Vec2) -> f64 {
        self.0.distance(from.x as i32, from.y as i32)
    }
}

/// The map's blocked cells and those whose centre is nearer than `radius` to one.
fn cells_for(map: &Map, radius: f64) -> Occupancy {
    let (width, height) = (map.width() as i32, map.height() as i32);
    let reach = (radius - 0.5).max(0.0).ceil() as i32;
    // Offsets of blocked cells that come too near.
    let near: Vec<(i32, i32)> = (-reach..=reach)
        .flat_map(|dy| (-reach..=reach).map(move |dx| (dx, dy)))
        .filter(|(dx, dy)| {
            let gap = |d: i32| (f64::from(d.abs()) - 0.5).max(0.0);
            gap(*dx) * gap(*dx) + gap(*dy) * gap(*dy) < radius * radius
        })
        .collect();
    let mut cells = Occupancy::new(map.width(), map.height());
    for y in 0..height {
        for x in 0..width {
            if near.iter().any(|(dx, dy)| map.is_blocked(x + dx, y + dy)) {
                cells.set(x, y, true);
            }
        }
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROOM: &str = "\
        .........\n\
        ....#....\n\
        ....#....\n\
        .........\n";

    #[test]
    fn lengths_go_round_corners() {
        let map = Map::from_ascii(ROOM).unwrap();
        let way = Shortest::new(&map, Vec2::new(6.5, 2.5), 0.4);
        assert_eq!(way.length(Vec2::new(6.2, 2.9)), 0.0);
        // Down beside the wall, under it and up: no diagonal past its corner cells.
        let expected = 2.0 + 2.0 * std::f64::consts::SQRT_2;
        assert!((way.length(Vec2::new(2.5, 2.5)) - expected).abs() < 1e-9);
        assert!(way.length(Vec2::new(4.5, 1.5)).is_infinite());
    }

    #[test]
    fn large_discs_do_not_fit_beside_walls() {
        let map = Map::from_ascii(ROOM).unwrap();
        let cells = cells_for(&map, 1.0);
        assert!(cells.blocked(0, 1) && cells.blocked(3, 1) && cells.blocked(4, 0));
        assert!(!cells.blocked(1, 1) && !cells.blocked(2, 2));
        let same = cells_for(&map, 0.5);
        assert!((0..4).all(|y| (0..9).all(|x| same.blocked(x, y) == map.is_blocked(x, y))));
    }
}
