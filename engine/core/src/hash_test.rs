//! The state hash notices every part of the state.

use glam::Vec2;

use crate::{
    Brain, Combat, Config, Map, Order, Outcome, Simulation, UnitSpec,
    brain::{Mind, StateId, mind::Change},
    units::{Activity, Units},
};

/// A simulation in which something of everything goes on.
fn busy(seed: u64) -> (Simulation, hecs::World) {
    let config = Config {
        seed,
        ..Config::default()
    };
    let mut sim = Simulation::new(Map::open(30, 30).unwrap(), config).unwrap();
    let mut world = hecs::World::new();
    let armed = Combat {
        damage: 1.0,
        ..Combat::default()
    };
    let units: Vec<_> = (0..40)
        .map(|i| {
            let spec = UnitSpec {
                position: Vec2::new(3.5 + (i % 8) as f32, 3.5 + (i / 8) as f32),
                brain: [Brain::None, Brain::Wander, Brain::Guard][i % 3],
                combat: [Combat::default(), armed][i % 2],
                ..UnitSpec::default()
            };
            sim.spawn(&mut world, &spec).unwrap()
        })
        .collect();
    let to = Vec2::new(20.5, 20.5);
    sim.order(&world, &units[..30], Order::Move { to }, false)
        .unwrap();
    let post = Vec2::new(10.5, 20.5);
    sim.order(&world, &units[..30], Order::Patrol { to: post }, true)
        .unwrap();
    (0..60).for_each(|_| sim.tick(&mut world));
    (sim, world)
}

fn flip(number: &mut f32) {
    *number = f32::from_bits(number.to_bits() ^ 1);
}

/// SYNC-7: one bit of any part of the state, flipped, shows in the hash at once.
#[test]
fn a_flipped_bit_of_any_part_changes_the_hash() {
    let (mut sim, _) = busy(1);
    let mut check = |part: &str, change: fn(&mut Simulation)| {
        let (units, before) = (sim.units.clone(), sim.state_hash());
        change(&mut sim);
        assert_ne!(sim.state_hash(), before, "{part}");
        sim.units = units;
        assert_eq!(sim.state_hash(), before, "{part}");
    };
    macro_rules! parts {
        ($(|$units:ident| $change:expr;)*) => {
            $(check(stringify!($change), |sim| { let $units: &mut Units = &mut sim.units; $change });)*
        };
    }
    parts! {
        |units| flip(&mut units.position[7].x);
        |units| flip(&mut units.position[7].y);
        |units| flip(&mut units.velocity[7].x);
        |units| flip(&mut units.velocity[7].y);
        |units| flip(&mut units.heading[7]);
        |units| flip(&mut units.radius[7]);
        |units| flip(&mut units.speed[7]);
        |units| flip(&mut units.health[7]);
        |units| flip(&mut units.mass[7]);
        |units| units.team[7] ^= 1;
        |units| units.activity[7] = Activity::Wait;
        |units| units.outcome[7] = Outcome::Stuck;
        |units| units.id[39].0 ^= 1;
        |units| units.agent[7].stall ^= 1;
        |units| units.agent[7].loiter ^= 1;
        |units| units.agent[7].yielding ^= 1;
        |units| units.agent[7].lean ^= 1;
        |units| units.agent[7].side ^= 1;
        |units| units.agent[7].saw ^= true;
        |units| units.agent[7].hold ^= true;
        |units| units.agent[7].avoidance ^= true;
        |units| units.agent[7].unreachable ^= true;
        |units| units.agent[7].place ^= 1;
        |units| flip(&mut units.agent[7].best);
        |units| flip(&mut units.agent[7].anchor.x);
        |units| flip(&mut units.agent[7].aside.y);
        |units| units.agent[7].route = u32::MAX;
        |units| units.queue[7].clear();
        |units| units.task[7] = None;
        |units| units.intent[31].leads ^= true;
    }
    let mut check_mind = |part: &str, change: fn(&mut Mind)| {
        let before = sim.state_hash();
        let mind = sim.units.mind[31];
        change(&mut sim.units.mind[31]);
        assert_ne!(sim.state_hash(), before, "{part}");
        sim.units.mind[31] = mind;
    };
    macro_rules! minds {
        ($(|$mind:ident| $change:expr;)*) => {
            $(check_mind(stringify!($change), |$mind| { $change });)*
        };
    }
    minds! {
        |mind| mind.state = StateId::PATROL;
        |mind| mind.previous = StateId::PATROL;
        |mind| mind.pending = Some(Change::To(StateId::IDLE));
        |mind| mind.pending = Some(Change::Back);
        |mind| mind.before = Some(StateId::IDLE);
        |mind| mind.since ^= 1;
        |mind| mind.until ^= 1;
        |mind| mind.ready_at ^= 1;
        |mind| mind.wind ^= 1;
        |mind| mind.target.0 ^= 1;
        |mind| flip(&mut mind.home.x);
        |mind| flip(&mut mind.point.y);
        |mind| mind.data[0] ^= 1;
    }
}

/// The generator's state is the seed and the tick.
#[test]
fn the_seed_is_part_of_the_state() {
    let of = |seed| {
        Simulation::new(
            Map::open(9, 9).unwrap(),
            Config {
                seed,
                ..Config::default()
            },
        )
    };
    assert_ne!(of(1).unwrap().state_hash(), of(2).unwrap().state_hash());
    let (mut sim, mut world) = busy(1);
    let before = sim.state_hash();
    sim.tick(&mut world);
    assert_ne!(sim.state_hash(), before);
}
