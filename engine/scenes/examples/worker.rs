//! A game's own states and a game's own interrupt: workers dig ore, carry it home and go back to
//! what they did; a sensor makes those who are hurt run, whatever they are at.
//!
//! The states are in [`throng_scenes::worker`] and, like this file, use only the public interface
//! of the engine.

use glam::Vec2;
use hecs::{Entity, World};
use throng::{Brain, Config, Map, Mind, Senses, Sensor, Simulation, StateId, UnitSpec};
use throng_scenes::worker::{self, Job};

/// Whoever has lost health and sees an enemy runs.
struct Alarm {
    healthy: f32,
}

impl Sensor for Alarm {
    fn sense(&self, me: &Senses, mind: &Mind) -> Option<StateId> {
        let afraid = me.health() < self.healthy && mind.state() != StateId::FLEE;
        (afraid && me.nearest_enemy(4.0).is_some()).then_some(StateId::FLEE)
    }
}

/// Workers on a map with a rock between the mine and the store.
fn settle(workers: u32) -> (Simulation, World, Vec<Entity>) {
    let map = Map::from_ascii(
        "....................\n\
         ....................\n\
         .........##.........\n\
         .........##.........\n\
         .........##.........\n\
         ....................\n\
         ....................",
    )
    .expect("the map is drawn above");
    let mut world = World::new();
    let mut sim = Simulation::new(map, Config::default()).expect("the settings are the default");
    let gather = worker::hire(&mut sim, Vec2::new(17.5, 3.5), Vec2::new(2.5, 3.5));
    sim.add_sensor(Alarm { healthy: 100.0 });
    let entities = (0..workers)
        .map(|i| {
            let spec = UnitSpec {
                position: Vec2::new(1.5 + (i % 6) as f32, 0.5 + (i / 6) as f32),
                brain: Brain::State(gather),
                ..UnitSpec::default()
            };
            sim.spawn(&mut world, &spec).expect("the place is free")
        })
        .collect();
    (sim, world, entities)
}

#[allow(dead_code, reason = "its test is run with those of the crate")]
#[allow(clippy::print_stdout)]
fn main() {
    let (mut sim, mut world, workers) = settle(6);
    for _ in 0..3000 {
        sim.tick(&mut world);
    }
    for worker in workers {
        let mind = sim.mind(&world, worker).expect("the worker is there");
        println!("{}: {:?}", sim.state_name(mind.state()), mind.data::<Job>());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_worker_that_is_hurt_runs_and_then_goes_on_where_it_was() {
        let (mut sim, mut world, workers) = settle(1);
        let doing = |sim: &Simulation, world: &World| {
            let mind = sim.mind(world, workers[0]).unwrap();
            (sim.state_name(mind.state()), mind.data::<Job>())
        };
        while doing(&sim, &world).0 != "deliver" {
            sim.tick(&mut world);
            assert!(sim.now() < 1000);
        }
        sim.hurt(&world, workers[0], 10.0).unwrap();
        let wolf = UnitSpec {
            position: sim.units().position[0] - Vec2::new(1.5, 0.0),
            team: 1,
            ..UnitSpec::default()
        };
        let wolf = sim.spawn(&mut world, &wolf).unwrap();
        sim.tick(&mut world);
        let (state, job) = doing(&sim, &world);
        assert_eq!((state, job.delivered), ("flee", 0));
        sim.despawn(&mut world, wolf).unwrap();
        let mut after = vec![state];
        for _ in 0..600 {
            sim.tick(&mut world);
            let (state, _) = doing(&sim, &world);
            if after.last() != Some(&state) {
                after.push(state);
            }
        }
        // Home with the load it had, and only then to the mine again.
        assert_eq!(after[..3], ["flee", "deliver", "gather"]);
        assert!(doing(&sim, &world).1.delivered > 0);
    }
}
