//! Formations: a place for every unit of a group, and who takes which.
//!
//! Places lie on a lattice that faces a direction; those in walls or out of reach are left out and
//! further rows make up for them. Units take places so that no two ways cross: whoever is in front
//! goes to the front, and then pairs swap while that shortens their ways together. Where no swap
//! shortens anything no two straight ways cross, since crossing ones are longer than swapped ones.

use glam::Vec2;
use serde::{Deserialize, Serialize};

use crate::{
    map::{Map, SizeClass},
    motion::walls,
    route::region_of,
    steer::directions,
};

/// The shapes that a group can take.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Formation {
    /// As wide as deep.
    Box,
    /// Four times as wide as deep.
    Line,
    /// A point in front, wider from row to row.
    Wedge,
    /// A narrow file, eight times as deep as wide.
    Column,
}

/// Where and how a group comes to stand.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct March {
    /// Middle of the formation, cells.
    pub to: Vec2,
    /// Its shape.
    pub formation: Formation,
    /// Where its front looks, radians; away from where the group comes when not given.
    pub facing: Option<f32>,
    /// All walk at the speed of the slowest, but at half the median at least, so that one cripple
    /// does not stop an army.
    pub common_speed: bool,
}

/// Distance of places, in sums of radii: room to turn.
const SPACING: f32 = 1.3;
/// Share of the median speed under which nobody slows the group.
const SLOWEST: f32 = 0.5;
/// Most rounds of swaps; a few settle hundreds of units.
const ROUNDS: usize = 64;

/// A group's unit.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Member {
    pub at: Vec2,
    pub radius: f32,
    pub speed: f32,
}

/// The places of a formation, in the order of its members, with the direction that it faces.
pub(crate) fn places(members: &[Member], march: &March, map: &Map) -> (Vec<Vec2>, f32) {
    let count = members.len() as f32;
    let middle = members.iter().map(|m| m.at).sum::<Vec2>() / count.max(1.0);
    let facing = march
        .facing
        .unwrap_or_else(|| directions::angle(march.to - middle));
    let front = directions::unit(facing);
    let radius = members.iter().map(|m| m.radius).fold(0.0, f32::max);
    let centre = centre(middle, march.to, radius, map);
    let mut slots = lay_out(members.len(), march.formation, (centre, front), radius, map);
    let mut order: Vec<usize> = (0..members.len()).collect();
    let ahead = |i: usize| members[i].at.dot(front);
    order.sort_by(|&a, &b| ahead(b).total_cmp(&ahead(a)).then(a.cmp(&b)));
    slots.sort_by(|a, b| b.dot(front).total_cmp(&a.dot(front)));
    let mut taken = vec![0; members.len()];
    for (slot, &member) in order.iter().enumerate() {
        taken[member] = slot;
    }
    uncross(members, &slots, &mut taken);
    (taken.iter().map(|&slot| slots[slot]).collect(), facing)
}

/// The speed that all members keep to, cells per tick.
pub(crate) fn common_speed(members: &[Member]) -> f32 {
    let mut speeds: Vec<f32> = members.iter().map(|m| m.speed).collect();
    speeds.sort_by(f32::total_cmp);
    let median = speeds.get(speeds.len() / 2).copied().unwrap_or(0.0);
    speeds
        .into_iter()
        .find(|&speed| speed >= SLOWEST * median)
        .unwrap_or(median)
}

/// Swaps places between pairs while that makes their two ways shorter in sum.
fn uncross(members: &[Member], slots: &[Vec2], taken: &mut [usize]) {
    for _ in 0..ROUNDS {
        let mut swapped = false;
        for i in 0..members.len() {
            for j in i + 1..members.len() {
                // Ways that cross at a small angle gain less than an f32 can tell.
                let way = |unit: usize, slot: usize| {
                    members[unit].at.as_dvec2().distance(slots[slot].as_dvec2())
                };
                let (a, b) = (taken[i], taken[j]);
                if way(i, b) + way(j, a) + 1e-9 < way(i, a) + way(j, b) {
                    taken.swap(i, j);
                    swapped = true;
                }
            }
        }
        if !swapped {
            break;
        }
    }
}

/// Where the middle of the formation comes to lie: where it was told, or in the cell nearest to it
/// that the group can get to.
fn centre(from: Vec2, to: Vec2, radius: f32, map: &Map) -> Vec2 {
    let class = SizeClass::of(radius);
    if map.reachable(class, from, to) {
        return to;
    }
    map.nearest_free(class, to, region_of(map, class, from))
        .map_or(to, |(x, y)| Vec2::new(x as f32 + 0.5, y as f32 + 0.5))
}

/// Exactly `count` places: those of the lattice that are free and in reach of its middle, row by
/// row from the front, and the middle itself for whoever finds none.
fn lay_out(
    count: usize,
    formation: Formation,
    (middle, front): (Vec2, Vec2),
    radius: f32,
    map: &Map,
) -> Vec<Vec2> {
    let class = SizeClass::of(radius);
    let cells = &map.nav(SizeClass::SMALLEST).occupancy;
    let files = match formation {
        Formation::Box => (count as f32).sqrt().ceil(),
        Formation::Line => (4.0 * count as f32).sqrt().ceil(),
        Formation::Column => (count as f32 / 8.0).sqrt().ceil(),
        Formation::Wedge => 1.0,
    } as usize;
    let width = |row: usize| match formation {
        Formation::Wedge => row + 1,
        _ => files,
    };
    let mut rows = 0;
    let mut room = 0;
    while room < count {
        room += width(rows);
        rows += 1;
    }
    let spacing = 2.0 * radius * SPACING;
    let side = front.perp();
    let mut slots = Vec::with_capacity(count);
    for row in 0..3 * rows + 8 {
        let wanted = width(row).min(count - slots.len());
        let depth = (rows as f32 - 1.0) / 2.0 - row as f32;
        for file in 0..wanted {
            let aside = file as f32 - (wanted as f32 - 1.0) / 2.0;
            let slot = middle + front * (depth * spacing) + side * (aside * spacing);
            if walls::is_clear(cells, slot, radius) && map.reachable(class, middle, slot) {
                slots.push(slot);
            }
        }
        if slots.len() == count {
            break;
        }
    }
    slots.resize(count, middle);
    slots
}

#[cfg(test)]
mod tests {
    use super::*;

    fn crowd(count: usize, at: Vec2) -> Vec<Member> {
        (0..count)
            .map(|i| Member {
                at: at + Vec2::new((i * 7 % 11) as f32, (i * 5 % 13) as f32),
                radius: 0.4,
                speed: 0.1,
            })
            .collect()
    }

    fn cross(a: Vec2, b: Vec2, c: Vec2, d: Vec2) -> bool {
        let side = |p: Vec2, q: Vec2, r: Vec2| (q - p).perp_dot(r - p);
        side(a, b, c) * side(a, b, d) < -1e-3 && side(c, d, a) * side(c, d, b) < -1e-3
    }

    #[test]
    fn ways_to_places_do_not_cross_in_any_formation() {
        let map = Map::open(120, 120).unwrap();
        let members = crowd(60, Vec2::new(20.0, 20.0));
        for formation in [
            Formation::Box,
            Formation::Line,
            Formation::Wedge,
            Formation::Column,
        ] {
            let march = March {
                to: Vec2::new(80.0, 70.0),
                formation,
                facing: Some(2.0),
                common_speed: false,
            };
            let (places, _) = places(&members, &march, &map);
            for i in 0..places.len() {
                for j in 0..i {
                    assert!(places[i].distance(places[j]) > 0.8, "{formation:?}");
                    assert!(
                        !cross(members[i].at, places[i], members[j].at, places[j]),
                        "{formation:?}: {i} and {j}"
                    );
                }
            }
        }
    }

    #[test]
    fn places_keep_off_walls_and_out_of_closed_rooms() {
        let map = Map::from_ascii(
            "................\n\
             ....######......\n\
             ....#....#......\n\
             ....#....#......\n\
             ....######......\n\
             ................\n\
             ................\n\
             ................",
        )
        .unwrap();
        let march = March {
            to: Vec2::new(7.0, 6.0),
            formation: Formation::Box,
            facing: Some(-1.57),
            common_speed: false,
        };
        let (places, _) = places(&crowd(16, Vec2::ZERO), &march, &map);
        let cells = &map.nav(SizeClass::default()).occupancy;
        for place in places {
            assert!(walls::is_clear(cells, place, 0.4));
            assert!(
                !(place.y < 5.0 && (4.0..10.0).contains(&place.x)),
                "{place}"
            );
        }
    }

    #[test]
    fn a_formation_told_to_stand_in_a_wall_stands_beside_it() {
        let map = Map::from_ascii(
            "................\n\
             ................\n\
             ......####......\n\
             ......####......\n\
             ................\n\
             ................",
        )
        .unwrap();
        let march = March {
            to: Vec2::new(8.0, 3.0),
            formation: Formation::Line,
            facing: Some(1.57),
            common_speed: false,
        };
        let (places, _) = places(&crowd(4, Vec2::new(0.5, 0.5)), &march, &map);
        for i in 0..places.len() {
            assert!(places[i].distance(march.to) < 8.0, "{}", places[i]);
            for j in 0..i {
                assert!(places[i].distance(places[j]) > 0.8, "{places:?}");
            }
        }
    }

    #[test]
    fn a_cripple_does_not_set_the_pace() {
        let mut members = crowd(9, Vec2::ZERO);
        members[3].speed = 0.08;
        assert_eq!(common_speed(&members), 0.08);
        members[5].speed = 0.01;
        assert_eq!(common_speed(&members), 0.08);
    }
}
