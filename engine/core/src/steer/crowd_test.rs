//! How one unit is steered.

use glam::Vec2;

use crate::{Config, Map, Simulation, UnitSpec, brain::Intent, steer::directions};

/// SHAPE-5: a heading into a long wall makes a unit slide along it nearly as fast as it can, not at
/// the cosine of the angle.
#[test]
fn a_heading_into_a_long_wall_is_slid_along() {
    let (free, wall) = (".".repeat(40), "#".repeat(40));
    let rows = [&free[..], &free, &free, &wall].join("\n");
    for (degrees, share) in [(30.0_f32, 0.9), (60.0, 0.9), (80.0, 0.5)] {
        for offset in [0.0, 0.13, 0.37] {
            let mut world = hecs::World::new();
            let map = Map::from_ascii(&rows).unwrap();
            let mut sim = Simulation::new(map, Config::default()).unwrap();
            let spec = UnitSpec {
                position: Vec2::new(3.0 + offset, 2.6),
                ..UnitSpec::default()
            };
            sim.spawn(&mut world, &spec).unwrap();
            let mut along = 0.0;
            for _ in 0..100 {
                sim.units.intent[0] = Intent {
                    leads: true,
                    desired: directions::unit(degrees.to_radians()),
                    left: 100.0,
                    ..Intent::NONE
                };
                sim.tick(&mut world);
                along += sim.units().velocity[0].x.abs() / (100.0 * spec.speed);
            }
            assert!(along >= share, "{degrees} degrees: {along} of its speed");
            let forward = (sim.units().position[0].x - spec.position.x) / (100.0 * spec.speed);
            // Nearly square to the wall both ways along it are as good, and it keeps right.
            assert!(
                forward >= share || degrees > 75.0,
                "{degrees} degrees: {forward}"
            );
        }
    }
}
