//! Goals that cannot be reached: answered once, and not searched for again.

use glam::Vec2;
use hecs::{Entity, World};
use throng::map::CellRect;
use throng::{Config, EventKind, Map, Order, OrderError, Outcome, Simulation, UnitSpec};

fn crowd(map: Map, count: u32, corner: Vec2) -> (Simulation, World, Vec<Entity>) {
    let mut world = World::new();
    let mut sim = Simulation::new(map, Config::default()).unwrap();
    let units = (0..count)
        .map(|i| {
            let position = corner + Vec2::new((i % 25) as f32, (i / 25) as f32);
            let spec = UnitSpec {
                position,
                speed: 0.2,
                ..UnitSpec::default()
            };
            sim.spawn(&mut world, &spec).unwrap()
        })
        .collect();
    (sim, world, units)
}

/// Sends all to a goal out of reach; checks that one field is built for it, in the first tick, and
/// answers how many units said that they cannot get there.
fn send(sim: &mut Simulation, world: &mut World, units: &[Entity], to: Vec2, ticks: u32) -> usize {
    sim.order(world, units, Order::Move { to }, false).unwrap();
    sim.tick(world);
    let cells = u64::from(sim.map().width() * sim.map().height());
    assert!(
        sim.field_work() <= 2 * cells,
        "one search for all: {}",
        sim.field_work()
    );
    let mut told = 0;
    for tick in 1..ticks {
        // The same order given again is no new search.
        if tick % 50 == 0 {
            sim.order(world, units, Order::Move { to }, false).unwrap();
        }
        sim.tick(world);
        assert_eq!(sim.field_work(), 0, "tick {tick}");
        let cannot = |kind: &EventKind| matches!(kind, EventKind::Unreachable { .. });
        told += sim
            .events()
            .iter()
            .filter(|event| cannot(&event.kind))
            .count();
    }
    told
}

#[test]
fn two_hundred_units_sent_into_a_sealed_box_search_once() {
    let mut map = Map::open(80, 60).unwrap();
    map.paint(CellRect::new(50, 20, 60, 30), true);
    map.paint(CellRect::new(53, 23, 57, 27), false);
    let (mut sim, mut world, units) = crowd(map, 200, Vec2::new(5.5, 10.5));
    let told = send(&mut sim, &mut world, &units, Vec2::new(55.5, 25.5), 900);
    assert!(told >= 190, "{told}");
    let ended = sim
        .units()
        .outcome
        .iter()
        .filter(|&&outcome| outcome != Outcome::Active);
    assert_eq!(ended.count(), 200);
    // They wait at the box, not anywhere.
    let near = sim
        .units()
        .position
        .iter()
        .filter(|at| at.distance(Vec2::new(55.0, 25.0)) < 16.0);
    assert!(near.count() >= 190);
}

#[test]
fn five_hundred_units_sent_to_another_island_search_once() {
    let mut map = Map::open(120, 60).unwrap();
    map.paint(CellRect::new(70, 0, 76, 60), true);
    let (mut sim, mut world, units) = crowd(map, 500, Vec2::new(5.5, 10.5));
    let told = send(&mut sim, &mut world, &units, Vec2::new(100.5, 30.5), 2200);
    assert!(told >= 480, "{told}");
    for at in &sim.units().position {
        assert!(at.x < 70.0);
    }
}

#[test]
fn a_goal_off_the_map_is_an_error_and_costs_nothing() {
    let (mut sim, mut world, units) = crowd(Map::open(50, 40).unwrap(), 10, Vec2::new(5.5, 5.5));
    for to in [
        Vec2::new(-1.0, 5.0),
        Vec2::new(50.0, 5.0),
        Vec2::new(5.0, 1e6),
        Vec2::new(f32::NAN, 5.0),
        Vec2::new(5.0, f32::INFINITY),
    ] {
        let refused = sim
            .order(&world, &units, Order::Move { to }, false)
            .unwrap_err();
        assert!(
            matches!(refused, OrderError::GoalOutside { .. }),
            "{refused}"
        );
        sim.tick(&mut world);
        assert_eq!((sim.field_work(), sim.fields_pending()), (0, 0));
        assert!(
            sim.units()
                .outcome
                .iter()
                .all(|&outcome| outcome == Outcome::None)
        );
    }
}

/// CLIFF-8: a queue behind one that has stopped only looks things up.
#[test]
fn a_queue_in_a_lane_searches_nothing() {
    let mut map = Map::open(70, 5).unwrap();
    map.paint(CellRect::new(0, 0, 70, 2), true);
    map.paint(CellRect::new(0, 3, 70, 5), true);
    let mut world = World::new();
    let mut sim = Simulation::new(map, Config::default()).unwrap();
    let units: Vec<Entity> = (0..41)
        .map(|i| {
            let position = Vec2::new(1.5 + i as f32, 2.5);
            sim.spawn(
                &mut world,
                &UnitSpec {
                    position,
                    ..UnitSpec::default()
                },
            )
            .unwrap()
        })
        .collect();
    sim.order(&world, &units[40..], Order::Hold, false).unwrap();
    sim.order(
        &world,
        &units[..40],
        Order::Move {
            to: Vec2::new(65.5, 2.5),
        },
        false,
    )
    .unwrap();
    for tick in 0..600 {
        sim.tick(&mut world);
        assert!(tick == 0 || sim.field_work() == 0, "tick {tick}");
    }
    assert!(sim.units().position[..40].iter().all(|at| at.x < 41.5));
}
