//! A game's own states: workers dig ore in a mine, carry it home, and go back to what they did.
//!
//! Only the public interface is used. `Deliver` ends with `go_back`, so it serves whatever sent the
//! worker home; a sensor makes those who are hurt run, whatever they do.

use bytemuck::{Pod, Zeroable};
use glam::Vec2;
use hecs::World;
use throng::{
    Brain, Config, Map, Mind, Outcome, Senses, Sensor, Simulation, State, StateId, UnitSpec,
};

/// Ticks of digging for one load.
const DIG: u32 = 40;
/// Ore in a load.
const LOAD: u32 = 5;

/// What a worker remembers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct Job {
    /// Ticks dug at the present load.
    pub dug: u32,
    /// Ore carried.
    pub ore: u32,
    /// Ore brought home so far.
    pub delivered: u32,
}

/// To the mine, and dig there.
struct Gather {
    mine: Vec2,
    deliver: StateId,
}

impl State for Gather {
    fn name(&self) -> &'static str {
        "gather"
    }

    fn enter(&self, _: &Senses, mind: &mut Mind) {
        mind.travel(self.mine);
    }

    fn execute(&self, me: &Senses, mind: &mut Mind) {
        match me.outcome() {
            Outcome::Arrived | Outcome::SettledNear => {
                let mut job: Job = mind.data();
                job.dug += 1;
                if job.dug == DIG {
                    job = Job {
                        dug: 0,
                        ore: LOAD,
                        ..job
                    };
                    mind.change(self.deliver);
                }
                mind.set_data(job);
            }
            Outcome::Active => {}
            _ => mind.travel(self.mine),
        }
    }
}

/// Home with what is carried, then back to what was done before.
struct Deliver {
    home: Vec2,
}

impl State for Deliver {
    fn name(&self) -> &'static str {
        "deliver"
    }

    fn enter(&self, _: &Senses, mind: &mut Mind) {
        mind.travel(self.home);
    }

    fn execute(&self, me: &Senses, mind: &mut Mind) {
        if matches!(me.outcome(), Outcome::Arrived | Outcome::SettledNear) {
            let job: Job = mind.data();
            mind.set_data(Job {
                ore: 0,
                delivered: job.delivered + job.ore,
                ..job
            });
            mind.go_back();
        }
    }
}

/// Whoever has lost health and is not armed runs, for a while.
struct Alarm {
    healthy: f32,
}

impl Sensor for Alarm {
    fn sense(&self, me: &Senses, mind: &Mind) -> Option<StateId> {
        let afraid = me.health() < self.healthy && mind.state() != StateId::FLEE;
        (afraid && me.nearest_enemy(4.0).is_some()).then_some(StateId::FLEE)
    }
}

/// Runs `workers` for `ticks` and returns the simulation, the world and the worker's entities.
pub fn run(workers: u32, ticks: u32) -> (Simulation, World, Vec<hecs::Entity>) {
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
    let deliver = sim.add_state(Deliver {
        home: Vec2::new(2.5, 3.5),
    });
    let gather = sim.add_state(Gather {
        mine: Vec2::new(17.5, 3.5),
        deliver,
    });
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
    for _ in 0..ticks {
        sim.tick(&mut world);
    }
    (sim, world, entities)
}

#[allow(dead_code, reason = "a test includes this file")]
#[allow(clippy::print_stdout)]
fn main() {
    let (sim, world, workers) = run(6, 3000);
    for worker in workers {
        let mind = sim.mind(&world, worker).expect("the worker is there");
        println!("{}: {:?}", sim.state_name(mind.state()), mind.data::<Job>());
    }
}
