//! Same inputs, same hash, whatever ran before and whatever a host adds to its entities.

use glam::Vec2;
use hecs::{Entity, World};
use throng::field::{FlowField, Seed};
use throng::map::Occupancy;
use throng::{Config, Map, Order, Simulation, UnitSpec};
use xxhash_rust::xxh3::Xxh3;

/// A repeatable sequence of numbers below a bound.
struct Draw(u64);

impl Draw {
    fn below(&mut self, bound: u32) -> u32 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % u64::from(bound)) as u32
    }
}

/// Sixty units on both sides of a wall with a gap, each sent to the other side.
fn gap() -> (Simulation, World, Vec<Entity>) {
    let rows: Vec<String> = (0..20)
        .map(|y| {
            let wall = |x: u32| x == 20 && !(9..12).contains(&y);
            (0..40).map(|x| if wall(x) { '#' } else { '.' }).collect()
        })
        .collect();
    let map = Map::from_ascii(&rows.join("\n")).unwrap();
    let mut sim = Simulation::new(map, Config::default()).unwrap();
    let mut world = World::new();
    let units: Vec<Entity> = (0..60)
        .map(|i| {
            let (side, i) = (i / 30, i % 30);
            let x = 2.5 + 30.0 * side as f32 + (i % 6) as f32;
            let position = Vec2::new(x, 5.5 + (i / 6) as f32);
            let spec = UnitSpec {
                position,
                ..UnitSpec::default()
            };
            sim.spawn(&mut world, &spec).unwrap()
        })
        .collect();
    for (side, x) in [(&units[..30], 35.5), (&units[30..], 4.5)] {
        let to = Vec2::new(x, 10.5);
        sim.order(&world, side, Order::Move { to }, false).unwrap();
    }
    (sim, world, units)
}

/// Hashes of a run of the gap, `before` called before every tick.
fn run(ticks: u32, mut before: impl FnMut(&mut World, &[Entity])) -> Vec<u64> {
    let (mut sim, mut world, units) = gap();
    (0..ticks)
        .map(|_| {
            before(&mut world, &units);
            sim.tick(&mut world);
            sim.state_hash()
        })
        .collect()
}

/// SYNC-10: a run depends on nothing that ran before it in the same process.
#[test]
fn nothing_outlives_a_run() {
    let first = run(300, |_, _| {});
    assert_eq!(first, run(300, |_, _| {}), "twice in a row");
    let (mut other, mut world) = (
        Simulation::new(Map::open(70, 30).unwrap(), Config::default()).unwrap(),
        World::new(),
    );
    for i in 0..200 {
        let spec = UnitSpec {
            position: Vec2::new(2.0 + (i % 20) as f32, 2.0 + (i / 20) as f32),
            radius: 0.2 + 0.001 * i as f32,
            ..UnitSpec::default()
        };
        let unit = other.spawn(&mut world, &spec).unwrap();
        let to = Vec2::new(60.0, 5.0 + (i % 20) as f32);
        other
            .order(&world, &[unit], Order::Move { to }, false)
            .unwrap();
    }
    (0..100).for_each(|_| other.tick(&mut world));
    assert_eq!(first, run(300, |_, _| {}), "after another one");
}

/// SYNC-12: what a host puts on entities and takes off them, which moves their rows about, is none
/// of the simulation's business.
#[test]
fn components_of_the_host_change_no_hash() {
    struct Drawn;
    struct Name(#[expect(dead_code, reason = "a component has data")] String);
    let mut draw = Draw(12);
    let with_marks = run(300, |world, units| {
        for _ in 0..10 {
            let unit = units[draw.below(units.len() as u32) as usize];
            match draw.below(4) {
                0 => world.insert_one(unit, Drawn).unwrap(),
                1 => world.insert_one(unit, Name(String::from("scout"))).unwrap(),
                2 => drop(world.remove_one::<Drawn>(unit)),
                _ => drop(world.remove_one::<Name>(unit)),
            }
        }
        world.spawn((Drawn,));
    });
    assert_eq!(with_marks, run(300, |_, _| {}));
}

/// SYNC-5: of equal ways the same one is taken everywhere: the bytes of ten thousand ways over open
/// ground, where nearly all are ties, are those of this list in every build and on every machine.
#[test]
fn ties_between_equal_ways_are_broken_the_same_everywhere() {
    let occupancy = Occupancy::new(64, 64);
    let (mut draw, mut hash) = (Draw(5), Xxh3::new());
    for _ in 0..100 {
        let cell = draw.below(64 * 64);
        // Without a line of sight, so that every cell takes its way from its neighbours.
        let field = FlowField::build(&occupancy, &[Seed { cell, cost: 0.0 }], None);
        let goal = (cell as i32 % 64, cell as i32 / 64);
        for _ in 0..100 {
            let mut at = (draw.below(64) as i32, draw.below(64) as i32);
            for _ in 0..200 {
                if at == goal {
                    break;
                }
                hash.update(&[at.0 as u8, at.1 as u8, field.flow(at.0, at.1).direction]);
                hash.update(&field.distance(at.0, at.1).to_bits().to_le_bytes());
                let step = field.flow(at.0, at.1).vector();
                let sign = |a: f32| if a.abs() < 0.38 { 0 } else { a.signum() as i32 };
                at = (at.0 + sign(step.x), at.1 + sign(step.y));
            }
            assert_eq!(at, goal, "every way ends at its goal");
        }
    }
    assert_eq!(
        hash.digest(),
        0xb24c_f287_c0d5_3dea,
        "{:#018x}",
        hash.digest()
    );
}
