//! The way to go at a point between cell centres.

use glam::Vec2;

use super::grid::UNVISITED;
use super::{FlowField, flow};
use crate::steer::directions;

/// What a field tells a unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Guidance {
    /// Unit vector of the way to go; zero at the goal and where nothing is reachable.
    pub direction: Vec2,
    /// The goal lies straight ahead with nothing in between.
    pub in_sight: bool,
    /// Walking distance to the goal in cells, `INFINITY` where nothing is reachable.
    pub distance: f32,
}

/// Below this length the flows of the four cells disagree so much that their blend means nothing.
const AGREEMENT: f32 = 0.5;

impl FlowField {
    /// The way to go from `p` to `goal`, the point that the field was built for, in cells.
    ///
    /// With the goal in sight of all four cells around `p` it is straight ahead. Beside a wall the
    /// unit is led by its own cell: at the cell's centre moved by the cell's direction. Elsewhere
    /// the directions of the four cells are blended. A unit in a cell without a way is led to the
    /// best neighbouring cell that has one.
    pub fn guide(&self, p: Vec2, goal: Vec2) -> Guidance {
        let square = Square::around(self, p);
        let flow = square.cells.map(|i| self.flow[i]);
        let all = flow[0] & flow[1] & flow[2] & flow[3];
        let straight = goal - p;
        if all & flow::SIGHT != 0 {
            let distance = straight.length();
            let direction = if distance > 0.0 {
                straight / distance
            } else {
                Vec2::ZERO
            };
            return Guidance {
                direction,
                in_sight: true,
                distance,
            };
        }
        let own = square.own();
        if flow[own] & flow::REACHABLE == 0 {
            return self.guide_home(p);
        }
        let distances = square.cells.map(|i| self.distance[i]);
        let table = directions::table();
        let vector = |k: usize| table[(flow[k] & flow::DIRECTION) as usize];
        let toward = if distances[own] <= 1.0 && self.ends(square.own_cell()) {
            straight
        } else if all & flow::REACHABLE == 0 {
            square.centre(own) + vector(own)
        } else {
            let w = square.weights();
            let blend = vector(0) * w[0] + vector(1) * w[1] + vector(2) * w[2] + vector(3) * w[3];
            if blend.length_squared() < AGREEMENT * AGREEMENT {
                // A ridge between two ways: the cell with the shortest one decides for all four,
                // so that nobody is sent to and fro across it.
                let best = (1..4).fold(0, |b, k| if distances[k] < distances[b] { k } else { b });
                square.centre(best) + vector(best)
            } else {
                blend
            }
        };
        Guidance {
            direction: toward.normalize_or_zero(),
            in_sight: false,
            distance: square.blend(distances),
        }
    }

    /// Walking distance from `p`, in cells: blended from the reachable ones of the four cells
    /// around it, `INFINITY` when none is.
    pub fn distance_at(&self, p: Vec2) -> f32 {
        let square = Square::around(self, p);
        square.blend(square.cells.map(|i| self.distance[i]))
    }

    /// Whether ways end in the cell: the goal is in sight or no neighbour is nearer to it.
    fn ends(&self, (x, y): (i32, i32)) -> bool {
        let here = self.at(x, y);
        let around = [(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)];
        self.flow[here] & flow::SIGHT != 0
            || around
                .iter()
                .all(|&(x, y)| self.distance[self.at(x, y)] >= self.distance[here])
    }

    /// To the centre of the neighbouring cell with the shortest way by way of it.
    #[cold]
    fn guide_home(&self, p: Vec2) -> Guidance {
        let mut best = Guidance {
            direction: Vec2::ZERO,
            in_sight: false,
            distance: f32::INFINITY,
        };
        let (cx, cy) = (p.x.floor() as i32, p.y.floor() as i32);
        for y in cy.saturating_sub(1)..=cy.saturating_add(1) {
            for x in cx.saturating_sub(1)..=cx.saturating_add(1) {
                let way = Vec2::new(x as f32 + 0.5, y as f32 + 0.5) - p;
                let distance = self.distance(x, y) + way.length();
                if distance < best.distance {
                    best.distance = distance;
                    best.direction = way.normalize_or_zero();
                }
            }
        }
        best
    }
}

/// The four cells whose centres are around a point.
struct Square {
    /// The upper left one.
    corner: (i32, i32),
    /// Upper left, upper right, lower left, lower right.
    cells: [usize; 4],
    /// Place of the point between the centres, 0 to 1 each way.
    between: Vec2,
}

impl Square {
    fn around(field: &FlowField, p: Vec2) -> Self {
        let (width, height) = (field.grid.width, field.grid.height);
        // Points off the map are given cells of the border, which have no way.
        let last = Vec2::new(width as f32 - 1.0, height as f32 - 1.0);
        let p = (p - 0.5).clamp(Vec2::NEG_ONE, last);
        // Truncation of what is not negative is the floor, without a call to it.
        let (x, y) = ((p.x + 1.0) as i32 - 1, (p.y + 1.0) as i32 - 1);
        let cells = [(x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1)];
        Self {
            corner: (x, y),
            cells: cells.map(|(x, y)| field.at(x, y)),
            between: (p - Vec2::new(x as f32, y as f32)).clamp(Vec2::ZERO, Vec2::ONE),
        }
    }

    /// Which of the four holds the point.
    fn own(&self) -> usize {
        usize::from(self.between.x >= 0.5) + 2 * usize::from(self.between.y >= 0.5)
    }

    fn own_cell(&self) -> (i32, i32) {
        let own = self.own() as i32;
        (self.corner.0 + own % 2, self.corner.1 + own / 2)
    }

    /// Centre of a cell, seen from the point.
    fn centre(&self, k: usize) -> Vec2 {
        Vec2::new((k % 2) as f32, (k / 2) as f32) - self.between
    }

    fn weights(&self) -> [f32; 4] {
        let (right, down) = (self.between.x, self.between.y);
        let (left, up) = (1.0 - right, 1.0 - down);
        [left * up, right * up, left * down, right * down]
    }

    /// Mean of the distances that are one, by weight.
    fn blend(&self, distances: [f32; 4]) -> f32 {
        let (mut sum, mut weight) = (0.0, 0.0);
        for (d, w) in distances.into_iter().zip(self.weights()) {
            if d < UNVISITED && w > 0.0 {
                sum += w * d;
                weight += w;
            }
        }
        if weight > 0.0 {
            sum / weight
        } else {
            f32::INFINITY
        }
    }
}
