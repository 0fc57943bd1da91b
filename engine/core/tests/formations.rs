//! Groups that come to stand in formation.

use glam::Vec2;
use hecs::{Entity, World};
use throng::{
    Config, EventKind, Formation, Map, March, Order, Outcome, Simulation, UnitSpec, steer::scan,
};

fn group(sim: &mut Simulation, world: &mut World, count: usize, slow: f32) -> Vec<Entity> {
    (0..count)
        .map(|i| {
            let spec = UnitSpec {
                position: Vec2::new(2.0 + (i % 5) as f32, 2.0 + (i / 5) as f32),
                speed: if i == 7 { slow } else { 0.1 },
                ..UnitSpec::default()
            };
            sim.spawn(world, &spec).unwrap()
        })
        .collect()
}

#[test]
fn a_group_ends_in_formation_and_faces_the_way_it_was_told() {
    for formation in [
        Formation::Box,
        Formation::Line,
        Formation::Wedge,
        Formation::Column,
    ] {
        // Straight on, half aside, and back where it came from: then the first to come stand in
        // the way of those behind, and move up.
        for facing in [0.6, 1.0, 2.2, -2.5] {
            let mut world = World::new();
            let mut sim = Simulation::new(Map::open(60, 50).unwrap(), Config::default()).unwrap();
            let units = group(&mut sim, &mut world, 20, 0.1);
            let march = March {
                to: Vec2::new(40.0, 30.0),
                formation,
                facing: Some(facing),
                common_speed: true,
            };
            sim.march(&world, &units, &march, false).unwrap();
            let mut ends = [0; 20];
            for _ in 0..800 {
                sim.tick(&mut world);
                for event in sim.events() {
                    if event.kind == EventKind::Arrived {
                        ends[event.unit.0 as usize] += 1;
                    }
                }
            }
            let case = format!("{formation:?} facing {facing}");
            assert_eq!(ends, [1; 20], "{case}: every order ends once");
            for (i, &unit) in units.iter().enumerate() {
                assert_eq!(sim.units().outcome[i], Outcome::Arrived, "{case}: {i}");
                let off = scan::signed_difference(sim.units().heading[i], facing);
                assert!(off.abs() < 0.2, "{case}: {i} looks {off} aside");
                let Ok(Some(Order::March { to, .. })) = sim.order_of(&world, unit) else {
                    panic!("{case}: {i} has no place");
                };
                let off = sim.units().position[i].distance(to);
                assert!(off < 0.15, "{case}: {i} is {off} off its place");
                for j in 0..i {
                    // Places are 1.3 diameters apart.
                    let apart = sim.units().position[i].distance(sim.units().position[j]);
                    assert!(apart > 0.9, "{case}: {i} and {j} are {apart} apart");
                }
            }
        }
    }
}

#[test]
fn a_common_speed_is_the_slowest_unless_that_is_a_cripple() {
    for (slow, slowest, fastest) in [(0.07, 0.069, 0.0701), (0.02, 0.09, 0.101)] {
        let mut world = World::new();
        let mut sim = Simulation::new(Map::open(60, 50).unwrap(), Config::default()).unwrap();
        let units = group(&mut sim, &mut world, 12, slow);
        let march = March {
            to: Vec2::new(50.0, 40.0),
            formation: Formation::Box,
            facing: None,
            common_speed: true,
        };
        sim.march(&world, &units, &march, false).unwrap();
        for _ in 0..150 {
            sim.tick(&mut world);
        }
        let speed = sim.units().velocity[0].length();
        assert!((slowest..fastest).contains(&speed), "{speed}");
    }
}

#[test]
fn a_formation_passes_a_gap_and_forms_up_behind_it() {
    let mut map = Map::open(40, 8).unwrap();
    map.paint(throng::CellRect::covering([20.0, 0.0, 22.0, 3.0]), true);
    map.paint(throng::CellRect::covering([20.0, 5.0, 22.0, 8.0]), true);
    let mut world = World::new();
    let mut sim = Simulation::new(map, Config::default()).unwrap();
    let units = group(&mut sim, &mut world, 15, 0.1);
    let march = March {
        to: Vec2::new(34.0, 4.0),
        formation: Formation::Box,
        facing: Some(0.0),
        common_speed: false,
    };
    sim.march(&world, &units, &march, false).unwrap();
    for _ in 0..1200 {
        sim.tick(&mut world);
    }
    assert!(
        sim.units()
            .outcome
            .iter()
            .all(|&outcome| outcome == Outcome::Arrived)
    );
}
