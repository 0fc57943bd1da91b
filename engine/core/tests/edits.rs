//! Walls that come and go while units walk.

use glam::Vec2;
use hecs::{Entity, World};
use throng::map::CellRect;
use throng::{Config, Event, EventKind, Map, Order, Outcome, SimError, Simulation, UnitSpec};

fn spawn(sim: &mut Simulation, world: &mut World, at: Vec2) -> Entity {
    let spec = UnitSpec {
        position: at,
        speed: 0.2,
        ..UnitSpec::default()
    };
    sim.spawn(world, &spec).unwrap()
}

#[test]
fn a_building_waits_for_a_clear_site_or_puts_units_off_it_as_the_game_chooses() {
    let mut world = World::new();
    let mut sim = Simulation::new(Map::open(40, 40).unwrap(), Config::default()).unwrap();
    let unit = spawn(&mut sim, &mut world, Vec2::new(20.5, 20.5));
    let site = CellRect::new(19, 19, 23, 23);
    let refused = sim.build(site).unwrap_err();
    assert!(
        matches!(refused, SimError::EditOccupied { .. }),
        "{refused}"
    );
    assert_eq!(
        refused.to_string(),
        "unit 0 stands in the rectangle [19, 19, 23, 23] to be built on"
    );
    sim.tick(&mut world);
    assert!(!sim.map().is_blocked(20, 20));

    sim.build(CellRect::new(30, 30, 33, 33)).unwrap();
    sim.edit(site, true).unwrap();
    sim.tick(&mut world);
    assert!(sim.map().is_blocked(20, 20) && sim.map().is_blocked(31, 31));
    let at = sim.units().position[0];
    assert!(
        !sim.map().is_blocked(at.x as i32, at.y as i32) && at.distance(Vec2::new(20.5, 20.5)) < 4.0
    );
    let put_off = |event: &Event| matches!(event.kind, EventKind::Displaced { .. });
    assert!(sim.events().iter().any(put_off));
    assert_eq!(world.get::<&throng::Position>(unit).unwrap().0, at);
}

#[test]
fn everyone_under_several_new_buildings_is_put_off_in_the_same_tick() {
    let mut world = World::new();
    let mut sim = Simulation::new(Map::open(120, 120).unwrap(), Config::default()).unwrap();
    for i in 0..400 {
        let at = Vec2::new((i % 20) as f32, (i / 20) as f32) * 1.1 + 40.5;
        spawn(&mut sim, &mut world, at);
    }
    sim.tick(&mut world);
    for corner in [42, 47, 52, 57] {
        sim.edit(CellRect::new(corner, 44, corner + 4, 60), true)
            .unwrap();
    }
    sim.tick(&mut world);
    for &at in &sim.units().position {
        assert!(!sim.map().is_blocked(at.x as i32, at.y as i32), "{at}");
    }
    // Gone again: nobody is put off by free ground.
    sim.edit(CellRect::new(42, 44, 61, 60), false).unwrap();
    sim.tick(&mut world);
    assert!(
        sim.events()
            .iter()
            .all(|event| !matches!(event.kind, EventKind::Displaced { .. }))
    );
}

#[test]
fn endless_edits_leave_orders_their_fields_and_cost_little_work() {
    let mut world = World::new();
    let mut sim = Simulation::new(Map::open(320, 320).unwrap(), Config::default()).unwrap();
    let units: Vec<Entity> = (0..20)
        .map(|i| spawn(&mut sim, &mut world, Vec2::new(5.5, 20.5 + 3.0 * i as f32)))
        .collect();
    sim.order(
        &world,
        &units,
        Order::Move {
            to: Vec2::new(200.5, 100.5),
        },
        false,
    )
    .unwrap();
    let mut draw = 7u64;
    let mut work = 0;
    for tick in 0..2000 {
        for _ in 0..5 {
            draw = draw
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            let (x, y) = ((draw >> 33) as i32 % 320, (draw >> 45) as i32 % 320);
            sim.edit(CellRect::new(x, y, x + 3, y + 3), draw >> 20 & 3 == 0)
                .unwrap();
        }
        sim.tick(&mut world);
        assert!(sim.field_work() <= sim.config().field_budget);
        // What may be repaired at once, and 2^14 cells a tick.
        work += sim.field_work();
        assert!(
            work <= (1 << 22) + (tick + 1) * (1 << 14) + 400_000,
            "tick {tick}: {work}"
        );
    }
    let arrived = sim
        .units()
        .outcome
        .iter()
        .filter(|&&outcome| outcome == Outcome::Arrived);
    assert!(arrived.count() >= 18, "{:?}", sim.units().outcome);
}

#[test]
fn edits_far_from_everyone_ask_for_no_field() {
    let mut world = World::new();
    let mut map = Map::open(100, 100).unwrap();
    map.paint(CellRect::new(50, 0, 51, 100), true);
    let mut sim = Simulation::new(map, Config::default()).unwrap();
    let unit = spawn(&mut sim, &mut world, Vec2::new(5.5, 5.5));
    sim.order(
        &world,
        &[unit],
        Order::Move {
            to: Vec2::new(30.5, 90.5),
        },
        false,
    )
    .unwrap();
    sim.tick(&mut world);
    for i in 0..20 {
        sim.edit(CellRect::new(60 + i, 50, 62 + i, 60), i % 2 == 0)
            .unwrap();
        sim.tick(&mut world);
        assert_eq!(sim.field_work(), 0, "behind the wall");
    }
    sim.edit(CellRect::new(20, 50, 22, 52), true).unwrap();
    sim.tick(&mut world);
    assert!(sim.field_work() > 0);
}
