//! Units that are gone.

use glam::Vec2;
use hecs::{Entity, World};
use throng::{Brain, Config, Map, Order, OrderError, Post, Simulation, UnitId, UnitSpec};

use crate::field::{FIGHTER, Field, PEACEFUL};

#[test]
fn api_1_a_handle_stays_dead_however_often_its_slot_is_given_again() {
    let mut field = Field::open(20, 20);
    let chaser = field.spawn(5.0, 10.0, 0, PEACEFUL, Brain::None);
    let first = field.spawn(15.0, 10.0, 1, PEACEFUL, Brain::None);
    field.order(chaser, Order::Chase { target: first });
    field.sim.despawn(&mut field.world, first).unwrap();
    for i in 0..70_000 {
        let next = field.spawn(15.0, 10.0, 1, PEACEFUL, Brain::None);
        if i % 10_000 == 0 {
            field.tick();
        }
        field.sim.despawn(&mut field.world, next).unwrap();
    }
    field.tick();
    assert_ne!(field.doing(chaser), "chase");
    assert_eq!(
        field.sim.order(
            &field.world,
            &[chaser],
            Order::Chase { target: first },
            false
        ),
        Err(OrderError::NoSuchUnit(first))
    );
}

#[test]
fn api_7_units_that_come_and_go_in_one_tick_leave_nothing_behind() {
    let mut field = Field::open(60, 60);
    let prey = field.spawn(50.0, 50.0, 1, PEACEFUL, Brain::None);
    for round in 0..3 {
        let units: Vec<Entity> = (0..1000)
            .map(|i| {
                let (x, y) = (1.0 + (i % 40) as f32, 1.0 + (i / 40) as f32);
                field.spawn(x, y, 0, FIGHTER, Brain::Wander)
            })
            .collect();
        for (i, &unit) in units.iter().enumerate() {
            let order = match i % 3 {
                0 => Order::Attack { target: prey },
                1 => Order::Move {
                    to: Vec2::new(30.0, 30.0),
                },
                _ => Order::Guard {
                    post: Post::Unit(prey),
                },
            };
            field
                .sim
                .order(&field.world, &[unit], order, i % 2 == 0)
                .unwrap();
        }
        if round == 1 {
            field.tick();
        }
        for unit in units {
            field.sim.despawn(&mut field.world, unit).unwrap();
        }
        let events = field.tick();
        let ours = UnitId(0);
        assert!(events.iter().all(|e| e.unit == ours), "{events:?}");
        assert_eq!(field.sim.units().len(), 1);
    }
}

#[test]
fn a_corpse_lies_for_its_time() {
    let config = Config {
        corpse: Some(1.0),
        ..Config::default()
    };
    let mut world = World::new();
    let mut sim = Simulation::new(Map::open(10, 10).unwrap(), config).unwrap();
    let spec = UnitSpec {
        position: Vec2::new(5.0, 5.0),
        ..UnitSpec::default()
    };
    let unit = sim.spawn(&mut world, &spec).unwrap();
    sim.hurt(&world, unit, 1000.0).unwrap();
    for _ in 0..20 {
        sim.tick(&mut world);
    }
    assert_eq!(sim.units().activity[0].name(), "dead");
    for _ in 0..20 {
        sim.tick(&mut world);
    }
    assert!(!world.contains(unit) && sim.units().is_empty());
}
