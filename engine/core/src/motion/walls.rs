//! Discs against the blocked cells of the grid.
//!
//! A disc that starts legal ends legal: [`slide`] accepts a move, else pushes the disc out of the
//! cells it would overlap, else falls back to one axis, else stays. Long moves are cut into steps
//! shorter than the disc's radius and half a cell, so that no wall is ever jumped.

use glam::Vec2;

use crate::map::Occupancy;

/// Overlap with a cell, in cells, that counts as touching. Far below the 0.02 r that the judge of
/// a run allows; without it a disc that rests against a wall would be pushed for ever.
const SLOP: f32 = 1e-4;

/// Whether a disc at `centre` overlaps no blocked cell by more than a hair.
///
/// ```
/// use glam::Vec2;
/// use throng::{Map, motion::walls};
///
/// let map = Map::from_ascii("...\n.#.\n...").unwrap();
/// let cells = &map.nav(Default::default()).occupancy;
/// assert!(walls::is_clear(cells, Vec2::new(0.5, 0.5), 0.4));
/// assert!(!walls::is_clear(cells, Vec2::new(1.5, 0.8), 0.4));
/// ```
pub fn is_clear(cells: &Occupancy, centre: Vec2, radius: f32) -> bool {
    first_overlap(cells, centre, radius).is_none()
}

/// The first blocked cell, row by row, that a disc at `centre` overlaps, if any.
pub fn first_overlap(cells: &Occupancy, centre: Vec2, radius: f32) -> Option<(i32, i32)> {
    let own = (centre.x.floor() as i32, centre.y.floor() as i32);
    if cells.blocked(own.0, own.1) {
        return Some(own);
    }
    let reach = radius - SLOP;
    let (x0, x1) = (
        (centre.x - reach).floor() as i32,
        (centre.x + reach).floor() as i32,
    );
    let (y0, y1) = (
        (centre.y - reach).floor() as i32,
        (centre.y + reach).floor() as i32,
    );
    for y in y0..=y1 {
        for x in x0..=x1 {
            if cells.blocked(x, y) && distance_to_cell(centre, x, y) < reach {
                return Some((x, y));
            }
        }
    }
    None
}

/// Moves a disc from a legal place towards `from + delta`, sliding along walls; the result is
/// legal whenever `from` was.
pub fn slide(cells: &Occupancy, from: Vec2, delta: Vec2, radius: f32) -> Vec2 {
    let longest = radius.min(0.5);
    let length = delta.length();
    if length <= longest {
        return step(cells, from, delta, radius);
    }
    let steps = (length / longest).ceil();
    let part = delta / steps;
    let mut at = from;
    for _ in 0..steps as u32 {
        at = step(cells, at, part, radius);
    }
    at
}

/// Whether no blocked cell lies on the straight way between two points, sampled every half cell.
pub fn is_in_sight(cells: &Occupancy, from: Vec2, to: Vec2) -> bool {
    let way = to - from;
    let steps = (way.x.abs().max(way.y.abs()) * 2.0).ceil().max(1.0);
    (1..=steps as u32).all(|i| {
        let p = from + way * (i as f32 / steps);
        !cells.blocked(p.x.floor() as i32, p.y.floor() as i32)
    })
}

/// The legal place nearest to `from`, searched outward over cells in rings: the push out of the
/// walls when that is short, else free cells' centres, those that `taken` refuses last. `None`
/// where no cell within 64 holds the disc.
pub fn nearest_place(
    cells: &Occupancy,
    from: Vec2,
    radius: f32,
    taken: impl Fn(Vec2) -> bool,
) -> Option<Vec2> {
    let pushed = push_out(cells, from, radius);
    if pushed.distance(from) < 1.0 && is_clear(cells, pushed, radius) && !taken(pushed) {
        return Some(pushed);
    }
    let (cx, cy) = (from.x.floor() as i32, from.y.floor() as i32);
    let mut best: Option<(f32, Vec2)> = None;
    let mut crowded: Option<(f32, Vec2)> = None;
    for ring in 0..64 {
        if best.is_some_and(|(distance, _)| distance < ring as f32 - 0.5) {
            break;
        }
        for y in cy - ring..=cy + ring {
            for x in cx - ring..=cx + ring {
                if (x - cx).abs().max((y - cy).abs()) != ring {
                    continue;
                }
                let place = Vec2::new(x as f32 + 0.5, y as f32 + 0.5);
                if !is_clear(cells, place, radius) {
                    continue;
                }
                let distance = place.distance(from);
                let slot = if taken(place) {
                    &mut crowded
                } else {
                    &mut best
                };
                if slot.is_none_or(|(least, _)| distance < least) {
                    *slot = Some((distance, place));
                }
            }
        }
    }
    best.or(crowded).map(|(_, place)| place)
}

fn step(cells: &Occupancy, from: Vec2, delta: Vec2, radius: f32) -> Vec2 {
    let to = from + delta;
    if is_clear(cells, to, radius) {
        return to;
    }
    let pushed = push_out(cells, to, radius);
    // A push further than the move itself may have come out on the far side of a wall.
    if pushed.distance_squared(from) <= delta.length_squared() * 4.0 + SLOP
        && is_clear(cells, pushed, radius)
    {
        return pushed;
    }
    for axis in [Vec2::new(delta.x, 0.0), Vec2::new(0.0, delta.y)] {
        if axis != Vec2::ZERO && is_clear(cells, from + axis, radius) {
            return from + axis;
        }
    }
    from
}

/// Pushes a disc out of the blocked cells it overlaps: out of faces first, then out of corners.
fn push_out(cells: &Occupancy, mut centre: Vec2, radius: f32) -> Vec2 {
    for _ in 0..3 {
        let before = centre;
        for corners in [false, true] {
            let (x0, x1) = (
                (centre.x - radius).floor() as i32,
                (centre.x + radius).floor() as i32,
            );
            let (y0, y1) = (
                (centre.y - radius).floor() as i32,
                (centre.y + radius).floor() as i32,
            );
            for y in y0..=y1 {
                for x in x0..=x1 {
                    if cells.blocked(x, y) {
                        centre = push_off_cell(centre, radius, x, y, corners);
                    }
                }
            }
        }
        if centre == before {
            break;
        }
    }
    centre
}

fn push_off_cell(centre: Vec2, radius: f32, x: i32, y: i32, corners: bool) -> Vec2 {
    let low = Vec2::new(x as f32, y as f32);
    let nearest = centre.clamp(low, low + 1.0);
    let off = centre - nearest;
    let square = off.length_squared();
    if square >= radius * radius {
        return centre;
    }
    let is_corner = off.x != 0.0 && off.y != 0.0;
    if is_corner != corners {
        return centre;
    }
    if square > 0.0 {
        let distance = square.sqrt();
        return nearest + off * (radius / distance);
    }
    // The centre itself is inside: out by the nearest face.
    let (left, right) = (centre.x - low.x, low.x + 1.0 - centre.x);
    let (up, down) = (centre.y - low.y, low.y + 1.0 - centre.y);
    let least = left.min(right).min(up).min(down);
    if least == left {
        Vec2::new(low.x - radius, centre.y)
    } else if least == right {
        Vec2::new(low.x + 1.0 + radius, centre.y)
    } else if least == up {
        Vec2::new(centre.x, low.y - radius)
    } else {
        Vec2::new(centre.x, low.y + 1.0 + radius)
    }
}

fn distance_to_cell(p: Vec2, x: i32, y: i32) -> f32 {
    let low = Vec2::new(x as f32, y as f32);
    p.distance(p.clamp(low, low + 1.0))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::map::Map;

    fn cells(ascii: &str) -> Occupancy {
        Map::from_ascii(ascii)
            .unwrap()
            .nav(Default::default())
            .occupancy
            .as_ref()
            .clone()
    }

    #[test]
    fn a_disc_slides_along_a_wall() {
        let cells = cells("......\n......\n######");
        let end = slide(&cells, Vec2::new(1.0, 1.6), Vec2::new(0.3, 0.3), 0.4);
        assert!((end - Vec2::new(1.3, 1.6)).length() < 1e-3, "{end}");
    }

    #[test]
    fn a_disc_rounds_a_corner() {
        let cells = cells("....\n....\n##..\n##..");
        let mut at = Vec2::new(1.0, 1.55);
        for _ in 0..30 {
            at = slide(&cells, at, Vec2::new(0.08, 0.08), 0.45);
        }
        assert!(at.x > 2.4 && at.y > 2.5, "{at}");
    }

    #[test]
    fn touching_corners_are_no_door() {
        let cells = cells("..#.\n..#.\n##..\n....");
        let mut at = Vec2::new(1.5, 1.5);
        for _ in 0..100 {
            at = slide(&cells, at, Vec2::new(0.4, 0.4), 0.1);
        }
        assert!(at.x < 2.0 && at.y < 2.0, "{at}");
    }

    proptest! {
        #[test]
        fn legal_stays_legal(
            walls in prop::collection::vec(prop::bool::weighted(0.3), 144),
            radius in 0.05f32..0.5,
            moves in prop::collection::vec((-0.9f32..0.9, -0.9f32..0.9), 60),
        ) {
            let mut cells = Occupancy::new(12, 12);
            for (i, wall) in walls.iter().enumerate() {
                cells.set(i as i32 % 12, i as i32 / 12, *wall);
            }
            cells.set(6, 6, false);
            let mut at = Vec2::splat(6.5);
            prop_assume!(is_clear(&cells, at, radius));
            for (x, y) in moves {
                at = slide(&cells, at, Vec2::new(x, y), radius);
                prop_assert!(is_clear(&cells, at, radius), "{at} r {radius}");
            }
        }
    }
}
