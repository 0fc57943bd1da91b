//! Whom units go for, and when they leave off.

use glam::Vec2;
use throng::{Brain, Combat, Config, EventKind, Map, Order, OrderError, Outcome, Position, UnitId};

use crate::field::{FIGHTER, Field, PEACEFUL, changes};

#[test]
fn fsm_2_a_corpse_is_no_target() {
    let mut field = Field::open(30, 30);
    let hunter = field.spawn(10.0, 10.0, 0, FIGHTER, Brain::None);
    let prey = field.spawn(13.0, 10.0, 1, PEACEFUL, Brain::None);
    field.sim.hurt(&field.world, prey, 2e6).unwrap();
    field.tick();
    assert_eq!(field.doing(prey), "dead");
    let events = field.run(200);
    assert!(changes(&events, 0) <= 1);
    assert_eq!(field.doing(hunter), "idle");
    assert_eq!(field.at(hunter), Vec2::new(10.0, 10.0));
    // A living one about, but not noticed: the hunter does look at all who are near.
    field.spawn(20.0, 10.0, 1, PEACEFUL, Brain::None);
    let events = field.run(200);
    assert_eq!(changes(&events, 0), 0);
    assert_eq!(field.at(hunter), Vec2::new(10.0, 10.0));
    assert_eq!(
        field.sim.order(
            &field.world,
            &[hunter],
            Order::Attack { target: prey },
            false
        ),
        Err(OrderError::NoSuchUnit(prey))
    );
}

#[test]
fn fsm_2_whoever_hunts_goes_past_the_corpses() {
    let mut field = Field::open(60, 30);
    let hunter = field.spawn(10.0, 10.0, 0, FIGHTER, Brain::Attack);
    let dead = [(14.0, 10.0), (6.0, 10.0), (10.0, 14.0)]
        .map(|(x, y)| field.spawn(x, y, 1, PEACEFUL, Brain::None));
    for corpse in dead {
        field.sim.hurt(&field.world, corpse, 2e6).unwrap();
    }
    field.tick();
    let events = field.run(200);
    assert!(changes(&events, 0) <= 1);
    assert_eq!(field.at(hunter), Vec2::new(10.0, 10.0), "nobody is left");
    field.spawn(50.0, 12.0, 1, PEACEFUL, Brain::None);
    for _ in 0..600 {
        field.tick();
        let target = field.sim.mind(&field.world, hunter).unwrap().target();
        assert!(target.is_none_or(|unit| unit == UnitId(4)), "{target:?}");
    }
    assert_eq!(field.doing(hunter), "attack");
}

#[test]
fn fsm_3_of_two_equal_targets_one_is_taken_and_kept() {
    let mut config = Config::default();
    // At most 3 degrees a tick: it turns by a share of what is left.
    config.steering.turn_rate = 3.0 / 180.0;
    let mut field = Field::with_config(Map::open(40, 40).unwrap(), config);
    let hunter = field.spawn(20.0, 20.0, 0, FIGHTER, Brain::Attack);
    field.spawn(15.0, 20.0, 1, PEACEFUL, Brain::None);
    field.spawn(25.0, 20.0, 1, PEACEFUL, Brain::None);
    // 5 cells less two radii and the range, at 0.1 a tick; half a turn at 3 degrees.
    let (way, turn) = ((5.0 - 0.8 - 0.3) / 0.1, 60.0);
    let (mut first, mut targets) = (None, Vec::new());
    for tick in 0..400 {
        field.tick();
        let attacks = field.doing(hunter) == "attack";
        first = first.or(attacks.then_some(tick));
        targets.extend(field.sim.mind(&field.world, hunter).unwrap().target());
    }
    assert!(first.unwrap() as f32 <= 1.2 * (way + turn), "{first:?}");
    targets.dedup();
    assert!(targets.len() <= 2, "{targets:?}");
}

#[test]
fn fsm_5_a_hunt_ends_with_the_death_of_its_target() {
    let mut field = Field::open(60, 20);
    let near = field.spawn(12.0, 10.0, 0, FIGHTER, Brain::None);
    let far = field.spawn(50.0, 10.0, 0, FIGHTER, Brain::None);
    let prey = Combat {
        health: 15.0,
        ..PEACEFUL
    };
    let prey = field.spawn(10.0, 10.0, 1, prey, Brain::None);
    for hunter in [near, far] {
        field.order(hunter, Order::Attack { target: prey });
    }
    while field.doing(prey) != "dead" {
        field.tick();
        assert!(field.sim.now() < 200);
    }
    field.run(2);
    assert_eq!(field.doing(far), "idle");
    assert_eq!(field.sim.units().outcome[field.row(far)], Outcome::Arrived);
}

#[test]
fn a_target_that_despawns_ends_the_chase_in_the_same_tick() {
    let mut field = Field::open(60, 20);
    let hunter = field.spawn(12.0, 10.0, 0, PEACEFUL, Brain::None);
    let prey = field.spawn(40.0, 10.0, 1, PEACEFUL, Brain::None);
    field.order(hunter, Order::Chase { target: prey });
    field.run(20);
    assert_eq!(field.doing(hunter), "chase");
    field.sim.despawn(&mut field.world, prey).unwrap();
    let events = field.tick();
    assert!(
        events
            .iter()
            .any(|e| e.unit == UnitId(0) && matches!(e.kind, EventKind::Stuck { .. }))
    );
    assert_eq!(field.sim.units().outcome[0], Outcome::Stuck);
}

#[test]
fn fsm_14_a_target_at_the_edge_of_notice_does_not_flicker() {
    let mut field = Field::open(60, 20);
    let chaser = Combat {
        damage: 0.0,
        leash: 1000.0,
        ..FIGHTER
    };
    field.spawn(10.0, 10.0, 0, chaser, Brain::Chase);
    let prey = field.spawn(30.0, 10.0, 1, PEACEFUL, Brain::None);
    field.run(5);
    let mut events = Vec::new();
    for tick in 0..400 {
        // Discs of 0.4: the gap swings round the notice radius of 6, wherever the chaser is.
        let swing = if tick % 10 < 5 { 0.2 } else { -0.2 };
        let chaser = field.sim.units().position[0].x;
        let x = chaser + 6.8 + swing;
        field.world.get::<&mut Position>(prey).unwrap().0.x = x.min(59.0);
        events.extend(field.tick());
    }
    assert!(changes(&events, 0) <= 2, "{}", changes(&events, 0));
}
