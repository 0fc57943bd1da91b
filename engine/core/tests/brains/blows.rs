//! Striking: reach, wind-up, cool-down.

use glam::Vec2;
use throng::{Brain, Combat, EventKind, Map, Order, StateId};

use crate::field::{FIGHTER, Field, PEACEFUL, changes};

#[test]
fn fsm_9_chase_and_attack_do_not_alternate_at_the_edge_of_the_range() {
    let mut field = Field::open(80, 20);
    let archer = Combat {
        range: 3.0,
        ..FIGHTER
    };
    let archer = field.spawn(5.0, 10.0, 0, archer, Brain::None);
    let prey = field.spawn(8.5, 10.0, 1, PEACEFUL, Brain::None);
    field.order(
        prey,
        Order::Move {
            to: Vec2::new(75.0, 10.0),
        },
    );
    field.order(archer, Order::Attack { target: prey });
    let (mut events, mut close) = (Vec::new(), 0);
    for _ in 0..400 {
        events.extend(field.tick());
        close += usize::from(field.at(archer).distance(field.at(prey)) - 0.8 <= 3.5);
    }
    assert!(changes(&events, 0) <= 5, "{}", changes(&events, 0));
    assert!(close >= 360, "{close}");
    let blows = events
        .iter()
        .filter(|e| matches!(e.kind, EventKind::Attacked { .. }));
    assert!(blows.count() >= 10);
}

#[test]
fn fsm_11_a_blocked_attacker_goes_on_when_the_way_is_free() {
    let map = "####################\n\
               #..................#\n\
               ########.###########\n\
               ####################";
    let mut field = Field::new(Map::from_ascii(map).unwrap());
    let attacker = field.spawn(2.5, 1.5, 0, FIGHTER, Brain::None);
    let friend = field.spawn(8.5, 1.5, 0, PEACEFUL, Brain::None);
    let prey = field.spawn(16.5, 1.5, 1, PEACEFUL, Brain::None);
    field.order(friend, Order::Hold);
    field.order(attacker, Order::Attack { target: prey });
    field.run(200);
    let held = field.at(attacker).x;
    assert!(held < 8.5, "the lane is blocked");
    field.order(
        friend,
        Order::Move {
            to: Vec2::new(8.5, 2.5),
        },
    );
    while field.at(friend).y < 2.35 {
        field.tick();
        assert!(field.sim.now() < 400);
    }
    field.run(10);
    assert!(field.at(attacker).x > held + 0.2);
    field.run(200);
    assert_eq!(field.doing(attacker), "attack");
}

#[test]
fn fsm_13_choosing_the_same_target_again_restarts_nothing() {
    let mut field = Field::open(20, 20);
    let fighter = Combat {
        wind_up: 8,
        cooldown: 25,
        ..FIGHTER
    };
    let fighter = field.spawn(10.0, 10.0, 0, fighter, Brain::None);
    let prey = field.spawn(11.0, 10.0, 1, PEACEFUL, Brain::None);
    let (mut begun, mut blows) = (None, Vec::new());
    for tick in 0..200 {
        if tick % 5 == 0 {
            field.order(fighter, Order::Attack { target: prey });
        }
        for event in field.tick() {
            match event.kind {
                EventKind::StateChanged { to, .. } if to == StateId::ATTACK => {
                    begun = Some(event.tick)
                }
                EventKind::Attacked { .. } => blows.push(event.tick),
                _ => {}
            }
        }
    }
    let first = begun.unwrap() + 8;
    let expected: Vec<u64> = (0..)
        .map(|i| first + 25 * i)
        .take_while(|&t| t < 200)
        .collect();
    assert_eq!(blows, expected);
}
