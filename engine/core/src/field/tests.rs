use glam::{IVec2, Vec2};
use proptest::prelude::*;

use super::*;
use crate::motion::walls;
use crate::steer::directions;

/// A map from rows of `.` and `#`.
pub(super) fn occupancy(rows: &[&str]) -> Occupancy {
    let mut occ = Occupancy::new(rows[0].len() as u32, rows.len() as u32);
    for (y, row) in rows.iter().enumerate() {
        for (x, letter) in row.bytes().enumerate() {
            occ.set(x as i32, y as i32, letter == b'#');
        }
    }
    occ
}

/// A map with a share of its cells blocked at random.
pub(super) fn clutter(width: u32, height: u32, percent: u64, seed: u64) -> Occupancy {
    let mut occ = Occupancy::new(width, height);
    let mut state = seed;
    for y in 0..height as i32 {
        for x in 0..width as i32 {
            state = state
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            occ.set(x, y, (state >> 33) % 100 < percent);
        }
    }
    occ
}

fn field_to(occ: &Occupancy, goal: Vec2) -> FlowField {
    let cell = goal.floor().as_ivec2();
    let cost = goal.distance(cell.as_vec2() + 0.5);
    let seed = Seed {
        cell: cell.y as u32 * occ.width() + cell.x as u32,
        cost,
    };
    FlowField::build(occ, &[seed], Some(goal))
}

fn cells(occ: &Occupancy) -> impl Iterator<Item = IVec2> + use<> {
    let (w, h) = (occ.width() as i32, occ.height() as i32);
    (0..h).flat_map(move |y| (0..w).map(move |x| IVec2::new(x, y)))
}

/// Does the segment from `a` to `b` touch the closed square of a blocked cell, made larger by
/// `margin` on each side?
fn segment_blocked(occ: &Occupancy, a: Vec2, b: Vec2, margin: f64) -> bool {
    let (a, b) = (a.as_dvec2(), b.as_dvec2());
    let low = a.min(b).floor().as_ivec2() - 1;
    let high = a.max(b).floor().as_ivec2() + 1;
    (low.y..=high.y).any(|y| {
        (low.x..=high.x).any(|x| {
            // Slab test of the segment against the square.
            let (mut enter, mut leave) = (0.0f64, 1.0f64);
            for (from, to, side) in [(a.x, b.x, f64::from(x)), (a.y, b.y, f64::from(y))] {
                let (near, far) = (side - margin, side + 1.0 + margin);
                if from == to {
                    if from < near || from > far {
                        return false;
                    }
                    continue;
                }
                let (s, t) = ((near - from) / (to - from), (far - from) / (to - from));
                enter = enter.max(s.min(t));
                leave = leave.min(s.max(t));
            }
            enter <= leave && occ.blocked(x, y)
        })
    })
}

#[test]
fn open_ground_has_straight_distances_and_straight_directions() {
    let occ = Occupancy::new(60, 40);
    let goal = Vec2::new(20.3, 11.8);
    let field = field_to(&occ, goal);
    for cell in cells(&occ) {
        let way = goal - (cell.as_vec2() + 0.5);
        let flow = field.flow(cell.x, cell.y);
        assert!(flow.reachable && flow.in_sight);
        assert!((field.distance(cell.x, cell.y) - way.length()).abs() < 1e-4);
        if way.length() > 0.7 && cell.min_element() > 0 && cell.x < 59 && cell.y < 39 {
            assert!(
                flow.vector().angle_to(way).abs().to_degrees() < 2.9,
                "{cell} {flow:?}"
            );
        }
    }
}

#[test]
fn without_a_sight_point_the_wave_is_round_within_a_few_degrees() {
    let occ = Occupancy::new(101, 101);
    let field = FlowField::build(
        &occ,
        &[Seed {
            cell: 50 * 101 + 50,
            cost: 0.0,
        }],
        None,
    );
    for cell in cells(&occ) {
        let way = Vec2::splat(50.0) - cell.as_vec2();
        let error = field.distance(cell.x, cell.y) - way.length();
        assert!((-1e-3..1.6).contains(&error), "{cell}: {error}");
        if way.length() > 4.0 {
            let angle = field
                .flow(cell.x, cell.y)
                .vector()
                .angle_to(way)
                .abs()
                .to_degrees();
            assert!(angle < 9.0, "{cell}: {angle}");
        }
    }
}

/// ROUTE-4: exact by the line of sight that every field to a point has.
#[test]
fn a_diagonal_of_k_cells_is_k_times_the_root_of_two() {
    let occ = Occupancy::new(300, 300);
    let field = field_to(&occ, Vec2::splat(0.5));
    for k in 1..300 {
        let (found, wanted) = (field.distance(k, k), k as f32 * std::f32::consts::SQRT_2);
        assert!((found - wanted).abs() < 1e-5 * wanted, "{k}: {found}");
    }
}

#[test]
fn a_diagonal_gap_is_no_passage() {
    let occ = occupancy(&["...#..", "...#..", "...#..", "..#...", ".#....", "#....."]);
    let field = field_to(&occ, Vec2::new(0.5, 0.5));
    for cell in cells(&occ) {
        let inside = !occ.blocked(cell.x, cell.y) && cell.x < 3 && cell.x + cell.y < 5;
        assert_eq!(field.flow(cell.x, cell.y).reachable, inside, "{cell}");
        assert_eq!(field.distance(cell.x, cell.y).is_finite(), inside, "{cell}");
    }
}

#[test]
fn each_part_of_the_map_follows_its_own_seeds() {
    let occ = occupancy(&["..#..#.", "..#..#.", "..#..#."]);
    let seeds = [
        Seed { cell: 8, cost: 2.0 },
        Seed {
            cell: 10,
            cost: 1.0,
        },
    ];
    let field = FlowField::build(&occ, &seeds, None);
    assert_eq!(field.distance(1, 1), 2.0);
    assert_eq!(field.distance(0, 1), 3.0);
    assert_eq!(field.distance(4, 1), 2.0);
    assert_eq!(field.distance(6, 1), f32::INFINITY);
    assert_eq!(
        field
            .guide(Vec2::new(6.5, 1.5), Vec2::new(2.5, 1.5))
            .direction,
        Vec2::ZERO
    );
}

#[test]
fn seeds_that_cannot_be_stood_on_are_passed_over() {
    let occ = occupancy(&["..#"]);
    let field = FlowField::build(
        &occ,
        &[Seed { cell: 2, cost: 0.0 }, Seed { cell: 9, cost: 0.0 }],
        None,
    );
    assert!(cells(&occ).all(|c| !field.flow(c.x, c.y).reachable));
    assert_eq!(field.cells_within(100.0), 0);
}

#[test]
fn cells_within_counts_what_a_scan_counts() {
    let occ = clutter(40, 30, 15, 3);
    let field = FlowField::build(
        &occ,
        &[Seed {
            cell: 15 * 40 + 20,
            cost: 0.0,
        }],
        None,
    );
    for quarter in 0..200 {
        let d = quarter as f32 * 0.25;
        let scanned = cells(&occ)
            .filter(|c| field.distance(c.x, c.y) < d + 0.25)
            .count();
        assert_eq!(field.cells_within(d) as usize, scanned, "{d}");
    }
    assert_eq!(
        field.cells_within(f32::INFINITY) as usize,
        cells(&occ)
            .filter(|c| field.flow(c.x, c.y).reachable)
            .count()
    );
    assert_eq!(field.cells_within(f32::NAN), 0);
}

#[test]
fn a_unit_pushed_onto_a_blocked_cell_is_led_back() {
    let occ = occupancy(&["....", "..#.", "...."]);
    let goal = Vec2::new(0.5, 1.5);
    let field = field_to(&occ, goal);
    let back = field.guide(Vec2::new(2.1, 1.5), goal);
    assert_eq!(back.direction, Vec2::NEG_X);
    assert!(back.distance < 2.0);
    let outside = field.guide(Vec2::new(-0.2, 0.4), goal);
    assert!(outside.direction.x > 0.0);
}

proptest! {
    #[test]
    fn sight_agrees_with_a_ray_for_every_cell(
        seed: u64,
        percent in 0u64..40,
        gx in 0.02f32..0.98,
        gy in 0.02f32..0.98,
    ) {
        let mut occ = clutter(37, 29, percent, seed);
        occ.set(18, 14, false);
        let goal = Vec2::new(18.0 + gx, 14.0 + gy);
        let field = field_to(&occ, goal);
        for cell in cells(&occ) {
            let seen = field.flow(cell.x, cell.y).in_sight;
            let centre = cell.as_vec2() + 0.5;
            if seen {
                prop_assert!(!segment_blocked(&occ, centre, goal, 0.0), "{} sees", cell);
            } else {
                prop_assert!(segment_blocked(&occ, centre, goal, 1e-5), "{} does not see", cell);
            }
        }
    }

    /// SHAPE-6: the way of a cell has no part into a blocked one beside it.
    #[test]
    fn directions_never_point_into_walls(seed: u64, percent in 5u64..40) {
        let mut occ = clutter(31, 33, percent, seed);
        occ.set(15, 16, false);
        let field = field_to(&occ, Vec2::new(15.4, 16.7));
        // In the goal's own cell the goal may lie in a blocked corner of the way.
        let home = IVec2::new(15, 16);
        for cell in cells(&occ).filter(|&c| c != home && field.flow(c.x, c.y).reachable) {
            let v = field.flow(cell.x, cell.y).vector();
            // The table's axes are exact to rounding only.
            let sign = |a: f32| if a.abs() < 1e-6 { 0 } else { a.signum() as i32 };
            let (sx, sy) = (sign(v.x), sign(v.y));
            prop_assert!(sx == 0 || !occ.blocked(cell.x + sx, cell.y), "{}", cell);
            prop_assert!(sy == 0 || !occ.blocked(cell.x, cell.y + sy), "{}", cell);
            prop_assert!(!occ.blocked(cell.x + sx, cell.y + sy), "{}", cell);
        }
    }

    #[test]
    fn distances_solve_the_upwind_equation(seed: u64, percent in 0u64..40) {
        let mut occ = clutter(31, 33, percent, seed);
        occ.set(15, 16, false);
        let field = FlowField::build(&occ, &[Seed { cell: 16 * 31 + 15, cost: 0.0 }], None);
        for c in cells(&occ).filter(|c| field.flow(c.x, c.y).reachable && *c != IVec2::new(15, 16)) {
            let a = field.distance(c.x - 1, c.y).min(field.distance(c.x + 1, c.y));
            let b = field.distance(c.x, c.y - 1).min(field.distance(c.x, c.y + 1));
            let t = if (a - b).abs() >= 1.0 { a.min(b) + 1.0 } else {
                0.5 * (a + b + (2.0 - (a - b) * (a - b)).sqrt())
            };
            prop_assert!((field.distance(c.x, c.y) - t).abs() < 1e-4);
        }
    }
}

#[test]
fn directions_are_quantised_to_the_nearest_of_64() {
    let occ = Occupancy::new(91, 91);
    let goal = Vec2::splat(45.5);
    let field = field_to(&occ, goal);
    for cell in cells(&occ).filter(|c| c.min_element() > 0 && c.max_element() < 90) {
        let way = goal - (cell.as_vec2() + 0.5);
        if way != Vec2::ZERO {
            let wanted = directions::nearest(way) as i32;
            let got = i32::from(field.flow(cell.x, cell.y).direction);
            assert!(
                (wanted - got).rem_euclid(64) % 63 <= 1,
                "{cell} {wanted} {got}"
            );
        }
    }
}

fn same(occ: &Occupancy, a: &FlowField, b: &FlowField) -> bool {
    cells(occ).all(|c| {
        a.flow(c.x, c.y) == b.flow(c.x, c.y) && a.distance(c.x, c.y) == b.distance(c.x, c.y)
    })
}

#[test]
fn building_by_and_by_is_the_same_as_at_once() {
    let mut occ = clutter(150, 120, 25, 5);
    occ.set(75, 60, false);
    let goal = Vec2::new(75.2, 60.9);
    let seed = Seed {
        cell: 60 * 150 + 75,
        cost: 0.5,
    };
    let whole = FlowField::build(&occ, &[seed], Some(goal));
    for cells in [1, 7, 100, 2000] {
        let mut builder = FieldBuilder::new(&occ, &[seed], Some(goal));
        let mut end = cells;
        while !builder.advance(&occ, end) {
            assert!(builder.work() <= end);
            end += cells;
        }
        assert_eq!(builder.work(), whole.work());
        assert!(whole.work() <= end && end < whole.work() + cells);
        let field = builder.finish(&occ);
        assert!(same(&occ, &field, &whole));
        for d in 0..80 {
            assert_eq!(field.cells_within(d as f32), whole.cells_within(d as f32));
        }
    }
}

#[test]
fn a_unit_on_a_ridge_between_two_equal_ways_takes_one() {
    // Two diagonal pairs of pillars with the goal dead ahead: up and right are as good.
    let occ = occupancy(&[
        ".........",
        ".........",
        "..##.....",
        "..#......",
        ".....#...",
        "....##...",
        ".........",
        ".........",
        ".........",
    ]);
    let goal = Vec2::new(0.5, 8.5);
    for target in [
        goal,
        Vec2::new(8.5, 0.5),
        Vec2::new(0.5, 0.5),
        Vec2::new(8.5, 8.5),
    ] {
        let field = field_to(&occ, target);
        for start in cells(&occ).filter(|c| !occ.blocked(c.x, c.y)) {
            let mut at = start.as_vec2() + 0.5;
            let mut steps = 0;
            while at.distance(target) > 0.2 {
                at += field.guide(at, target).direction * 0.1;
                steps += 1;
                assert!(steps < 400, "from {start} to {target}: at {at}");
            }
        }
    }
}

proptest! {
    #[test]
    fn every_way_goes_down_to_the_goal(seed: u64, percent in 0u64..40, gx in 0.42f32..0.58) {
        let mut occ = clutter(31, 33, percent, seed);
        occ.set(15, 16, false);
        let goal = Vec2::new(15.0 + gx, 16.5);
        let field = field_to(&occ, goal);
        for c in cells(&occ).filter(|c| field.flow(c.x, c.y).reachable && *c != IVec2::new(15, 16)) {
            let around = [(c.x - 1, c.y), (c.x + 1, c.y), (c.x, c.y - 1), (c.x, c.y + 1)];
            let least = around.map(|(x, y)| field.distance(x, y)).into_iter().fold(f32::INFINITY, f32::min);
            prop_assert!(least < field.distance(c.x, c.y), "{}", c);
        }
    }

    #[test]
    fn a_lone_disc_comes_to_the_goal_from_everywhere(seed: u64, percent in 0u64..35) {
        let mut occ = clutter(24, 25, percent, seed);
        occ.set(12, 12, false);
        let goal = Vec2::new(12.5, 12.5);
        let field = field_to(&occ, goal);
        for c in cells(&occ).filter(|c| field.flow(c.x, c.y).reachable) {
            let mut at = c.as_vec2() + 0.5;
            let mut left = (field.distance(c.x, c.y) * 20.0) as u32 + 50;
            while at.distance(goal) > 0.1 {
                at = walls::slide(&occ, at, field.guide(at, goal).direction * 0.1, 0.4);
                prop_assert!(left > 0, "from {} at {}", c, at);
                left -= 1;
            }
        }
    }
}

mod sectors {
    use std::sync::Arc;

    use super::*;
    use crate::field::Area;

    fn within(occ: &Occupancy, goal: Vec2, sectors: Vec<u32>) -> FlowField {
        let area = Arc::new(Area::new(sectors));
        let cut = area.cut_out(occ);
        let cell = goal.floor().as_ivec2();
        let seed = Seed {
            cell: cell.y as u32 * occ.width() + cell.x as u32,
            cost: goal.distance(cell.as_vec2() + 0.5),
        };
        FieldBuilder::new(&cut, &[seed], Some(goal))
            .within(area)
            .finish(&cut)
    }

    #[test]
    fn a_field_for_all_sectors_is_that_for_the_whole_map() {
        let mut occ = clutter(200, 150, 25, 8);
        occ.set(70, 66, false);
        let goal = Vec2::new(70.3, 66.6);
        let (whole, sectored) = (field_to(&occ, goal), within(&occ, goal, (0..12).collect()));
        assert!(same(&occ, &whole, &sectored));
        for d in 0..300 {
            assert_eq!(
                whole.cells_within(d as f32),
                sectored.cells_within(d as f32)
            );
        }
        for c in cells(&occ) {
            let p = c.as_vec2() + Vec2::new(0.3, 0.9);
            assert_eq!(whole.guide(p, goal), sectored.guide(p, goal), "{p}");
        }
    }

    #[test]
    fn a_field_for_some_sectors_is_that_of_the_map_cut_down_to_them() {
        let mut occ = clutter(300, 200, 20, 4);
        occ.set(100, 66, false);
        let goal = Vec2::new(100.5, 66.5);
        // An L of sectors, and one at the ragged edge of the map.
        let sectors = vec![1, 6, 11, 12, 13, 14];
        let cut = Area::new(sectors.clone()).cut_out(&occ);
        let (whole, sectored) = (field_to(&cut, goal), within(&occ, goal, sectors));
        assert!(same(&occ, &whole, &sectored));
        assert!(cells(&occ).any(|c| sectored.flow(c.x, c.y).reachable));
        for c in cells(&occ) {
            let p = c.as_vec2() + Vec2::new(0.1, 0.6);
            assert_eq!(whole.guide(p, goal), sectored.guide(p, goal), "{p}");
        }
        assert!(sectored.work() < whole.work() && sectored.memory_bytes() < whole.memory_bytes());
    }

    #[test]
    fn straight_ways_cross_seams_without_a_turn() {
        let occ = Occupancy::new(640, 320);
        let goal = Vec2::new(610.2, 290.7);
        let field = within(&occ, goal, (0..50).collect());
        let inner = |c: &IVec2| c.min_element() > 0 && c.x < 639 && c.y < 319;
        for c in cells(&occ).filter(|c| inner(c) && c.as_vec2().distance(goal) > 2.0) {
            let p = c.as_vec2() + 0.5;
            let way = field.guide(p, goal);
            assert!(
                way.direction.angle_to(goal - p).abs().to_degrees() < 1.0,
                "{p}"
            );
        }
    }
}

mod swamps {
    use super::*;
    use crate::map::{Map, SizeClass};

    fn field(map: &Map, goal: Vec2) -> FlowField {
        let cell = goal.floor().as_ivec2();
        let seed = Seed {
            cell: cell.y as u32 * map.width() + cell.x as u32,
            cost: goal.distance(cell.as_vec2() + 0.5),
        };
        FlowField::of(map, SizeClass::default(), &[seed], Some(goal))
    }

    /// A band of swamp across the map, open at the bottom.
    fn band() -> Map {
        let rows: Vec<String> = (0..30)
            .map(|y| {
                let middle = if y < 20 { "SSSSSS" } else { "......" };
                format!("{}{middle}{}", ".".repeat(17), ".".repeat(17))
            })
            .collect();
        Map::from_ascii(&rows.join("\n")).unwrap()
    }

    #[test]
    fn a_swamp_that_costs_as_other_ground_is_other_ground() {
        let (map, goal) = (band(), Vec2::new(35.5, 10.5));
        let plain = FlowField::build(
            &Occupancy::new(40, 30),
            &[Seed {
                cell: 10 * 40 + 35,
                cost: 0.0,
            }],
            Some(goal),
        );
        assert!(same(
            &map.nav(SizeClass::default()).occupancy,
            &field(&map, goal),
            &plain
        ));
    }

    #[test]
    fn ways_through_a_swamp_cost_more_and_lead_round_it_where_that_is_shorter() {
        let goal = Vec2::new(35.5, 10.5);
        let mut map = band();
        map.set_swamp_cost(2.0);
        // Straight through: 24 cells of ground and 6 of swamp.
        let through = field(&map, goal).distance(5, 10);
        assert!((through - 36.0).abs() < 0.7, "{through}");
        map.set_swamp_cost(10.0);
        let far = field(&map, goal);
        // Round the lower end, about 37 cells; through it would be 84.
        assert!(
            (35.0..40.0).contains(&far.distance(5, 10)),
            "{}",
            far.distance(5, 10)
        );
        let mut at = Vec2::new(5.5, 10.5);
        for _ in 0..1000 {
            assert!(
                !(17.0..23.0).contains(&at.x) || at.y >= 19.5,
                "in the swamp at {at}"
            );
            at += far.guide(at, goal).direction * 0.1;
            if at.distance(goal) < 0.2 {
                return;
            }
        }
        panic!("ended at {at}");
    }

    #[test]
    fn a_goal_in_the_swamp_is_reached() {
        let mut map = band();
        map.set_swamp_cost(30.0);
        let goal = Vec2::new(20.3, 5.5);
        let field = field(&map, goal);
        for start in [
            Vec2::new(3.5, 3.5),
            Vec2::new(38.5, 28.5),
            Vec2::new(18.5, 1.5),
        ] {
            let mut at = start;
            let mut steps = 0;
            while at.distance(goal) > 0.2 {
                at += field.guide(at, goal).direction * 0.1;
                steps += 1;
                assert!(steps < 1500, "from {start} at {at}");
            }
        }
    }
}
