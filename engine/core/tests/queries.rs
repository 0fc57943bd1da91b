//! What a rectangle and a disc hold, against a look at every unit.

use glam::Vec2;
use hecs::World;
use proptest::prelude::*;
use throng::{Config, Map, Order, Simulation, UnitSpec};

const SIDE: f32 = 48.0;

fn place() -> impl Strategy<Value = Vec2> {
    (-4.0..SIDE + 4.0, -4.0..SIDE + 4.0).prop_map(|(x, y)| Vec2::new(x, y))
}

/// A crowd of all sizes, or of small and fast units, that presses into one place, some of it dead, some gone, some just come.
fn crowd(seed: u64, ticks: u32) -> (Simulation, World) {
    let config = Config {
        seed,
        ..Config::default()
    };
    let map = Map::open(SIDE as u32, SIDE as u32).unwrap();
    let mut sim = Simulation::new(map, config).unwrap();
    let mut world = World::new();
    let scatter = |i: u64| {
        let hash = (i + 1000 * seed).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        Vec2::new((hash >> 40) as f32, (hash >> 16 & 0xff_ffff) as f32) / 16_777_216.0
    };
    let spawn = |sim: &mut Simulation, world: &mut World, i: u64| {
        let spec = UnitSpec {
            position: scatter(i) * (SIDE - 4.0) + 2.0,
            radius: if seed.is_multiple_of(2) {
                [0.2, 0.4, 1.0, 1.9][i as usize % 4]
            } else {
                0.1
            },
            speed: [0.05, 0.1, 1.2, 0.0][i as usize % 4],
            ..UnitSpec::default()
        };
        sim.spawn(world, &spec).unwrap()
    };
    let mut units: Vec<_> = (0..120).map(|i| spawn(&mut sim, &mut world, i)).collect();
    let to = scatter(7) * (SIDE - 4.0) + 2.0;
    sim.order(&world, &units, Order::Move { to }, false)
        .unwrap();
    for unit in units.drain(..10) {
        sim.hurt(&world, unit, 1e3).unwrap();
    }
    for tick in 0..ticks {
        if tick == ticks / 2 {
            for unit in units.drain(..10) {
                sim.despawn(&mut world, unit).unwrap();
            }
        }
        sim.tick(&mut world);
    }
    for i in 120..130 {
        spawn(&mut sim, &mut world, i);
    }
    (sim, world)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn rectangles_and_discs_hold_whom_a_look_at_every_unit_finds(
        seed in 0_u64..1000,
        ticks in 0_u32..60,
        questions in proptest::collection::vec((place(), place(), -1.0_f32..30.0), 12),
    ) {
        let (sim, _world) = crowd(seed, ticks);
        let units = sim.units();
        let all = |is_in: &dyn Fn(Vec2) -> bool| -> Vec<usize> {
            units.living().filter(|&row| is_in(units.position[row])).collect()
        };
        for (a, b, radius) in questions {
            let (low, high) = (a.min(b), a.max(b));
            let inside = |at: Vec2| at.clamp(low, high) == at;
            prop_assert_eq!(sim.in_rect(a, b), all(&inside));
            let near = |at: Vec2| radius >= 0.0 && at.distance_squared(a) <= radius * radius;
            prop_assert_eq!(sim.in_disc(a, radius), all(&near));
        }
        // A point, the whole plane, and what is no number.
        let at = units.position[3];
        prop_assert_eq!(sim.in_rect(at, at), all(&|other| other == at));
        let whole = Vec2::splat(f32::INFINITY);
        prop_assert_eq!(sim.in_rect(-whole, whole), units.living().collect::<Vec<_>>());
        prop_assert_eq!(sim.in_disc(at, f32::INFINITY), units.living().collect::<Vec<_>>());
        prop_assert_eq!(sim.in_disc(Vec2::NAN, 5.0), Vec::<usize>::new());
    }
}
