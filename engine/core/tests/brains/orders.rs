//! Orders: repeated, changed, queued, refused.

use glam::Vec2;
use throng::{Brain, Combat, Map, Order, OrderError, Post};

use crate::field::{FIGHTER, Field, PEACEFUL};

#[test]
fn fsm_19_the_same_order_in_every_tick_is_the_same_as_once() {
    let wall = "....................\n\
                ..........#.........\n\
                ..........#.........\n\
                ..........#.........\n\
                ....................";
    let mut hashes = Vec::new();
    for every in [1, u32::MAX] {
        let mut field = Field::new(Map::from_ascii(wall).unwrap());
        let chaser = field.spawn(4.5, 2.5, 0, PEACEFUL, Brain::None);
        let prey = field.spawn(15.5, 2.5, 1, PEACEFUL, Brain::None);
        for tick in 0..250 {
            if tick == 0 || every == 1 {
                field.order(chaser, Order::Chase { target: prey });
            }
            field.tick();
        }
        assert!(field.at(chaser).distance(field.at(prey)) < 1.2);
        hashes.push(field.sim.state_hash());
    }
    assert_eq!(hashes[0], hashes[1]);
}

#[test]
fn an_order_changed_every_tick_never_stalls_the_unit() {
    let mut field = Field::open(80, 20);
    let unit = field.spawn(5.0, 10.0, 0, PEACEFUL, Brain::None);
    let prey = [
        field.spawn(70.0, 9.0, 1, PEACEFUL, Brain::None),
        field.spawn(70.0, 11.0, 1, PEACEFUL, Brain::None),
    ];
    for tick in 0..300 {
        field.order(
            unit,
            Order::Chase {
                target: prey[tick % 2],
            },
        );
        field.tick();
    }
    assert!(field.at(unit).x > 33.0, "{}", field.at(unit));
}

#[test]
fn orders_name_living_units_other_than_oneself() {
    let mut field = Field::open(20, 20);
    let unit = field.spawn(5.0, 10.0, 0, PEACEFUL, Brain::None);
    let order = |order| field.sim.order(&field.world, &[unit], order, false);
    let mut order = order;
    assert_eq!(
        order(Order::Follow { target: unit }),
        Err(OrderError::OwnTarget(unit))
    );
    assert!(matches!(
        order(Order::Patrol {
            to: Vec2::new(f32::NAN, 1.0)
        }),
        Err(OrderError::GoalOutside { .. })
    ));
    assert!(matches!(
        order(Order::Guard {
            post: Post::Point(Vec2::new(99.0, 1.0))
        }),
        Err(OrderError::GoalOutside { .. })
    ));
}

#[test]
fn a_queue_of_orders_is_worked_off_in_turn() {
    let mut field = Field::open(40, 20);
    let unit = field.spawn(5.0, 10.0, 0, FIGHTER, Brain::None);
    let weak = Combat {
        health: 5.0,
        ..PEACEFUL
    };
    let prey = field.spawn(15.0, 10.0, 1, weak, Brain::None);
    field.order(unit, Order::Attack { target: prey });
    let to = Vec2::new(30.0, 15.0);
    field
        .sim
        .order(&field.world, &[unit], Order::Move { to }, true)
        .unwrap();
    field.run(60);
    assert_eq!(
        field.sim.order_of(&field.world, unit).unwrap(),
        Some(Order::Attack { target: prey })
    );
    let left = field.sim.distance_left(&field.world, unit).unwrap();
    assert!((1.0..6.0).contains(&left.unwrap()), "{left:?}");
    field.run(400);
    assert_eq!(field.doing(prey), "dead");
    assert!(field.at(unit).distance(to) < 0.5);
    assert_eq!(
        field.sim.order_of(&field.world, unit).unwrap(),
        Some(Order::Move { to })
    );
}
