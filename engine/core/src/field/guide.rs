//! The way to go at a point between cell centres.

use glam::Vec2;

use super::FlowField;
use super::flow::Flow;
use crate::map::Occupancy;

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
    pub fn guide(&self, occ: &Occupancy, p: Vec2, goal: Vec2) -> Guidance {
        let _ = occ;
        let (cx, cy) = (p.x.floor() as i32, p.y.floor() as i32);
        let own = self.flow(cx, cy);
        if !own.reachable {
            return self.guide_home(p, cx, cy);
        }
        let centre = Vec2::new(cx as f32 + 0.5, cy as f32 + 0.5);
        let corner = (p - 0.5).floor();
        let (x, y) = (corner.x as i32, corner.y as i32);
        let four = [
            self.flow(x, y),
            self.flow(x + 1, y),
            self.flow(x, y + 1),
            self.flow(x + 1, y + 1),
        ];
        let straight = goal - p;
        if four.iter().all(|f| f.in_sight) {
            let direction = straight.normalize_or_zero();
            return Guidance {
                direction,
                in_sight: true,
                distance: straight.length(),
            };
        }
        let distance = self.distance_at(p);
        let ends_here = self.distance(cx, cy) <= 1.0 && (own.in_sight || self.is_lowest(cx, cy));
        let toward = if ends_here {
            straight
        } else if four.iter().any(|f| !f.reachable) {
            centre + own.vector() - p
        } else {
            let f = p - 0.5 - corner;
            let top = four[0].vector().lerp(four[1].vector(), f.x);
            let bottom = four[2].vector().lerp(four[3].vector(), f.x);
            let blend = top.lerp(bottom, f.y);
            if blend.length() < AGREEMENT {
                own.vector()
            } else {
                blend
            }
        };
        Guidance {
            direction: toward.normalize_or_zero(),
            in_sight: false,
            distance,
        }
    }

    /// Walking distance from `p`, in cells: blended from the reachable ones of the four cells
    /// around it, `INFINITY` when none is.
    pub fn distance_at(&self, p: Vec2) -> f32 {
        let corner = (p - 0.5).floor();
        let (x, y) = (corner.x as i32, corner.y as i32);
        let f = p - 0.5 - corner;
        let (mut sum, mut weight) = (0.0, 0.0);
        for (dx, dy, w) in [
            (0, 0, (1.0 - f.x) * (1.0 - f.y)),
            (1, 0, f.x * (1.0 - f.y)),
            (0, 1, (1.0 - f.x) * f.y),
            (1, 1, f.x * f.y),
        ] {
            let d = self.distance(x + dx, y + dy);
            if d.is_finite() && w > 0.0 {
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

    /// No neighbour of the cell is nearer to the goal.
    fn is_lowest(&self, x: i32, y: i32) -> bool {
        let here = self.distance(x, y);
        [(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)]
            .iter()
            .all(|&(nx, ny)| self.distance(nx, ny) >= here)
    }

    /// To the centre of the neighbouring cell with the shortest way by way of it.
    fn guide_home(&self, p: Vec2, cx: i32, cy: i32) -> Guidance {
        let mut best = Guidance {
            direction: Vec2::ZERO,
            in_sight: false,
            distance: f32::INFINITY,
        };
        for y in cy - 1..=cy + 1 {
            for x in cx - 1..=cx + 1 {
                let Flow {
                    reachable: true, ..
                } = self.flow(x, y)
                else {
                    continue;
                };
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
