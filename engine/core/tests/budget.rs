//! The budget of field work: no tick goes over it, no unit waits for its field.

use glam::Vec2;
use hecs::{Entity, World};
use throng::map::CellRect;
use throng::{Config, Map, Order, Outcome, Simulation, UnitSpec};

/// A repeatable sequence of numbers below `bound`.
struct Draw(u64);

impl Draw {
    fn below(&mut self, bound: u32) -> u32 {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        ((self.0 >> 33) % u64::from(bound)) as u32
    }

    fn free_point(&mut self, map: &Map) -> Vec2 {
        loop {
            let (x, y) = (self.below(map.width()), self.below(map.height()));
            if !map.is_blocked(x as i32, y as i32) {
                return Vec2::new(x as f32 + 0.5, y as f32 + 0.5);
            }
        }
    }
}

/// Open ground with blocks on it.
fn blocks(side: u32, count: u32) -> Map {
    let (mut map, mut draw) = (Map::open(side, side).unwrap(), Draw(3));
    for _ in 0..count {
        let (x, y) = (draw.below(side) as i32, draw.below(side) as i32);
        let (w, h) = (4 + draw.below(30) as i32, 4 + draw.below(30) as i32);
        map.paint(CellRect::new(x, y, x + w, y + h), true);
    }
    map
}

fn crowd(map: Map, config: Config, units: usize) -> (Simulation, World, Vec<Entity>) {
    let (mut draw, mut world) = (Draw(9), World::new());
    let mut sim = Simulation::new(map, config).unwrap();
    let entities = (0..units)
        .map(|_| {
            let position = draw.free_point(sim.map());
            let spec = UnitSpec {
                position,
                speed: 0.2,
                ..UnitSpec::default()
            };
            sim.spawn(&mut world, &spec).unwrap()
        })
        .collect();
    (sim, world, entities)
}

#[test]
fn a_hundred_goals_in_a_tick_never_go_over_the_budget_and_all_set_off_at_once() {
    let config = Config {
        field_budget: 1 << 19,
        ..Config::default()
    };
    let (mut sim, mut world, units) = crowd(blocks(1024, 300), config, 100);
    let mut draw = Draw(11);
    for &unit in &units {
        let to = draw.free_point(sim.map());
        sim.order(&world, &[unit], Order::Move { to }, false)
            .unwrap();
    }
    let mut busy = 0;
    for tick in 0..60 {
        sim.tick(&mut world);
        assert!(
            sim.field_work() <= 1 << 19,
            "tick {tick}: {}",
            sim.field_work()
        );
        busy += u32::from(sim.field_work() > 1 << 18);
        if tick == 1 {
            assert!(sim.fields_pending() > 90);
            let moving = (0..100)
                .filter(|&i| sim.units().velocity[i].length() > 0.01)
                .count();
            assert_eq!(moving, 100, "units that move in the second tick");
        }
    }
    assert!(busy > 50, "the work is spread: {busy} ticks");
}

#[test]
fn a_field_that_fits_is_there_in_the_tick_of_the_order() {
    let (mut sim, mut world, units) = crowd(blocks(256, 40), Config::default(), 4);
    let to = Vec2::new(100.5, 100.5);
    sim.order(&world, &units, Order::Move { to }, false)
        .unwrap();
    sim.tick(&mut world);
    assert_eq!(sim.fields_pending(), 0);
    assert!(sim.field_work() > 0 && sim.guidance_of(0).is_some());
    sim.tick(&mut world);
    assert_eq!(sim.field_work(), 0);
}

/// The hashes of a run in which orders and edits come while fields are under way.
fn hashes(threads: usize, forget: bool) -> Vec<u64> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .unwrap();
    pool.install(|| {
        let config = Config {
            field_budget: 20_000,
            ..Config::default()
        };
        let (mut sim, mut world, units) = crowd(blocks(200, 60), config, 60);
        let mut draw = Draw(5);
        let mut goals = Vec::new();
        for _ in 0..3 {
            goals.push(draw.free_point(sim.map()));
        }
        (0..80)
            .map(|tick| {
                if tick % 10 == 0 {
                    for (i, &unit) in units.iter().enumerate() {
                        let to = goals[(i + tick / 10) % goals.len()];
                        sim.order(&world, &[unit], Order::Move { to }, false)
                            .unwrap();
                    }
                }
                if tick % 7 == 3 {
                    let (x, y) = (draw.below(190) as i32, draw.below(190) as i32);
                    sim.edit(CellRect::new(x, y, x + 6, y + 6), tick % 2 == 0)
                        .unwrap();
                }
                if forget && tick % 5 == 0 {
                    sim.forget_fields();
                }
                sim.tick(&mut world);
                sim.state_hash()
            })
            .collect()
    })
}

#[test]
fn neither_threads_nor_the_cache_change_a_run_with_fields_under_way() {
    let one = hashes(1, false);
    for threads in [2, 7] {
        assert_eq!(one, hashes(threads, false), "{threads} threads");
    }
    assert_eq!(one, hashes(2, true), "with the cache dropped now and then");
}

#[test]
fn units_get_round_corners_before_their_field_is_there() {
    // Three walls across the map with gaps at alternating ends, and a budget that takes some
    // twenty ticks for the field.
    let mut map = Map::open(260, 260).unwrap();
    for (x, gap) in [(60, 0), (130, 250), (200, 0)] {
        map.paint(CellRect::new(x, 0, x + 2, 260), true);
        map.paint(CellRect::new(x, gap, x + 2, gap + 10), false);
    }
    let mut world = World::new();
    let config = Config {
        field_budget: 4096,
        ..Config::default()
    };
    let mut sim = Simulation::new(map, config).unwrap();
    let spec = UnitSpec {
        position: Vec2::new(20.5, 130.5),
        speed: 2.0,
        ..UnitSpec::default()
    };
    let unit = sim.spawn(&mut world, &spec).unwrap();
    let to = Vec2::new(240.5, 130.5);
    sim.order(&world, &[unit], Order::Move { to }, false)
        .unwrap();
    let mut without = 0;
    for _ in 0..1500 {
        sim.tick(&mut world);
        assert!(sim.field_work() <= 4096);
        without += u32::from(sim.guidance_of(0).is_none());
        if without == 15 {
            assert!(sim.units().position[0].distance(spec.position) > 20.0);
        }
    }
    assert!(without >= 15);
    assert_eq!(sim.units().outcome[0], Outcome::Arrived);
}
