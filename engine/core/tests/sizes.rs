//! Units of every size and speed: walls hold, and each takes the gaps that it fits through.

use glam::Vec2;
use proptest::prelude::*;
use throng::{
    Config, Map, Order, Outcome, SimError, Simulation, UnitSpec, map::SizeClass, motion::walls,
};

fn unit(position: Vec2, radius: f32, speed: f32) -> UnitSpec {
    UnitSpec {
        position,
        radius,
        speed,
        ..UnitSpec::default()
    }
}

/// Whether every unit's disc is clear of walls.
fn walls_hold(sim: &Simulation) -> bool {
    let cells = &sim.map().nav(SizeClass::default()).occupancy;
    let units = sim.units();
    (0..units.len()).all(|i| walls::is_clear(cells, units.position[i], units.radius[i]))
}

/// Rows of a walled field of 40 x 25 cells, cut by a wall at column 20 that has a gap of one cell
/// in row 4 and one of six cells in rows 16 to 21.
fn two_gaps() -> Map {
    let rows: Vec<String> = (0..25)
        .map(|y| {
            (0..40)
                .map(|x| {
                    let edge = x == 0 || x == 39 || y == 0 || y == 24;
                    let wall = x == 20 && y != 4 && !(16..22).contains(&y);
                    if edge || wall { '#' } else { '.' }
                })
                .collect()
        })
        .collect();
    Map::from_ascii(&rows.join("\n")).unwrap()
}

#[test]
fn under_one_order_the_small_take_the_narrow_gap_and_the_big_the_wide_one() {
    for (radius, wide) in [(0.3, false), (0.8, true), (2.4, true)] {
        let mut world = hecs::World::new();
        let mut sim = Simulation::new(two_gaps(), Config::default()).unwrap();
        let entity = sim
            .spawn(&mut world, &unit(Vec2::new(8.5, 4.5), radius, 0.2))
            .unwrap();
        let to = Vec2::new(32.5, 4.5);
        sim.order(&world, &[entity], Order::Move { to }, false)
            .unwrap();
        let mut lowest: f32 = 0.0;
        for _ in 0..500 {
            sim.tick(&mut world);
            assert!(walls_hold(&sim), "radius {radius} in tick {}", sim.now());
            lowest = lowest.max(sim.units().position[0].y);
        }
        assert_eq!(sim.units().outcome[0], Outcome::Arrived, "radius {radius}");
        assert_eq!(lowest > 12.0, wide, "radius {radius} went down to {lowest}");
    }
}

#[test]
fn a_unit_of_several_cells_a_tick_finds_its_way_and_jumps_no_wall() {
    let map = "\
        ....................\n\
        .##################.\n\
        ...................#\n\
        ##################..\n\
        ....................\n";
    for speed in [1.0, 2.5, 4.0] {
        let mut world = hecs::World::new();
        let mut sim = Simulation::new(Map::from_ascii(map).unwrap(), Config::default()).unwrap();
        let entity = sim
            .spawn(&mut world, &unit(Vec2::new(10.5, 2.5), 0.4, speed))
            .unwrap();
        let to = Vec2::new(10.5, 0.5);
        sim.order(&world, &[entity], Order::Move { to }, false)
            .unwrap();
        let mut last = Vec2::new(10.5, 2.5);
        for _ in 0..60 {
            sim.tick(&mut world);
            let at = sim.units().position[0];
            assert!(walls_hold(&sim), "speed {speed} in tick {}", sim.now());
            // The only way round is at the left end.
            assert!(last.y < 1.8 || at.y > 1.2 || last.x < 6.0, "{last} to {at}");
            last = at;
        }
        assert_eq!(sim.units().outcome[0], Outcome::Arrived, "speed {speed}");
    }
}

#[test]
fn sizes_and_speeds_beyond_the_largest_are_refused() {
    let mut world = hecs::World::new();
    let mut sim = Simulation::new(two_gaps(), Config::default()).unwrap();
    let middle = Vec2::new(10.5, 12.5);
    assert!(sim.spawn(&mut world, &unit(middle, 4.1, 0.1)).is_err());
    assert!(sim.spawn(&mut world, &unit(middle, 0.4, 4.1)).is_err());
    assert!(sim.spawn(&mut world, &unit(middle, 4.0, 4.0)).is_ok());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn no_unit_of_any_size_or_speed_ever_enters_a_wall(
        blocked in prop::collection::vec(prop::bool::weighted(0.04), 40 * 40),
        specs in prop::collection::vec((0.0f32..40.0, 0.0f32..40.0, 0.1f32..4.0, 0.05f32..4.0), 30),
        goal in (0.0f32..40.0, 0.0f32..40.0),
    ) {
        let rows: Vec<String> = blocked
            .chunks(40)
            .map(|row| row.iter().map(|&wall| if wall { '#' } else { '.' }).collect())
            .collect();
        let mut world = hecs::World::new();
        let map = Map::from_ascii(&rows.join("\n")).unwrap();
        let mut sim = Simulation::new(map, Config::default()).unwrap();
        let entities: Vec<_> = specs
            .iter()
            .filter_map(|&(x, y, radius, speed)| {
                sim.spawn(&mut world, &unit(Vec2::new(x, y), radius, speed)).ok()
            })
            .collect();
        let to = Vec2::new(goal.0, goal.1);
        sim.order(&world, &entities, Order::Move { to }, false).unwrap();
        for _ in 0..40 {
            sim.tick(&mut world);
            prop_assert!(walls_hold(&sim), "in tick {}", sim.now());
        }
        sim.edit(throng::CellRect::new(10, 10, 14, 14), true)
            .map_err(|error: SimError| TestCaseError::fail(error.to_string()))?;
        for _ in 0..10 {
            sim.tick(&mut world);
            prop_assert!(walls_hold(&sim), "after the edit, in tick {}", sim.now());
        }
    }
}
