//! What the stage of the brains costs ten thousand units that do little: it is to be under 20 ns a
//! unit and a tick.

use std::time::{Duration, Instant};

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use glam::Vec2;
use hecs::{Entity, World};
use throng::{Combat, Config, Map, Order, Simulation, Stage, StageObserver, UnitSpec};

const UNITS: u32 = 10_000;
const TICKS: u64 = 100;

/// What the ten thousand are and do.
#[derive(Clone, Copy, Debug)]
enum Crowd {
    /// Unarmed, without an order.
    Idle,
    /// Armed, on the watch, nobody near.
    Watching,
    /// Unarmed, on a move order.
    Moving,
    /// Armed, on a move order.
    ArmedMoving,
}

/// Time spent in the stage of the brains.
#[derive(Default)]
struct BrainClock {
    since: Option<Instant>,
    spent: Duration,
}

impl StageObserver for BrainClock {
    fn begin(&mut self, stage: Stage) {
        self.since = (stage == Stage::Brains).then(Instant::now);
    }

    fn end(&mut self) {
        self.spent += self.since.map_or(Duration::ZERO, |since| since.elapsed());
    }
}

fn crowd(kind: Crowd) -> (Simulation, World) {
    let map = Map::open(256, 256).expect("a small map");
    let mut world = World::new();
    let mut sim = Simulation::new(map, Config::default()).expect("the default settings");
    let damage = match kind {
        Crowd::Idle | Crowd::Moving => 0.0,
        Crowd::Watching | Crowd::ArmedMoving => 10.0,
    };
    let units: Vec<Entity> = (0..UNITS)
        .map(|i| {
            let spec = UnitSpec {
                position: Vec2::new(20.0 + (i % 100) as f32, 20.0 + (i / 100) as f32 * 1.2),
                combat: Combat {
                    damage,
                    ..Combat::default()
                },
                ..UnitSpec::default()
            };
            sim.spawn(&mut world, &spec).expect("open ground")
        })
        .collect();
    // Far off, but an enemy: where there is none at all, looking out for one costs nothing.
    let enemy = UnitSpec {
        position: Vec2::new(250.0, 250.0),
        team: 1,
        ..UnitSpec::default()
    };
    sim.spawn(&mut world, &enemy).expect("open ground");
    if matches!(kind, Crowd::Moving | Crowd::ArmedMoving) {
        let to = Vec2::new(240.0, 128.0);
        sim.order(&world, &units, Order::Move { to }, false)
            .expect("a goal on the map");
    }
    for _ in 0..10 {
        sim.tick(&mut world);
    }
    (sim, world)
}

fn brains(c: &mut Criterion) {
    let mut group = c.benchmark_group("brains of 10,000");
    group
        .sample_size(10)
        .measurement_time(Duration::from_secs(5))
        .throughput(Throughput::Elements(u64::from(UNITS)));
    for kind in [
        Crowd::Idle,
        Crowd::Watching,
        Crowd::Moving,
        Crowd::ArmedMoving,
    ] {
        let id = BenchmarkId::from_parameter(format!("{kind:?}"));
        group.bench_function(id, |b| {
            b.iter_custom(|ticks| {
                let mut clock = BrainClock::default();
                let mut left = ticks;
                while left > 0 {
                    let (mut sim, mut world) = crowd(kind);
                    for _ in 0..left.min(TICKS) {
                        sim.tick_observed(&mut world, &mut clock);
                    }
                    left -= left.min(TICKS);
                }
                clock.spent
            })
        });
    }
    group.finish();
}

criterion_group!(benches, brains);
criterion_main!(benches);
