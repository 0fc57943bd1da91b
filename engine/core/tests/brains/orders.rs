//! Orders: repeated, changed, queued, refused.

use glam::Vec2;
use throng::{Brain, Combat, Map, Mind, Order, OrderError, Post, Senses, State, UnitId};

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

/// After a unit, chosen when the state begins or in every tick anew.
struct Pursue {
    prey: UnitId,
    every_tick: bool,
}

impl State for Pursue {
    fn name(&self) -> &'static str {
        "pursue"
    }

    fn enter(&self, _: &Senses, mind: &mut Mind) {
        mind.set_target(Some(self.prey));
        mind.walk_after(self.prey);
    }

    fn execute(&self, me: &Senses, mind: &mut Mind) {
        if self.every_tick {
            self.enter(me, mind);
        }
    }
}

#[test]
fn fsm_19_choosing_the_same_target_in_every_tick_is_the_same_as_once() {
    let wall = "....................\n\
                ..........#.........\n\
                ..........#.........\n\
                ..........#.........\n\
                ....................";
    let runs = [true, false].map(|every_tick| {
        let mut field = Field::new(Map::from_ascii(wall).unwrap());
        let prey = UnitId(0);
        field.spawn(15.5, 2.5, 1, PEACEFUL, Brain::None);
        let pursue = field.sim.add_state(Pursue { prey, every_tick });
        let chaser = field.spawn(4.5, 2.5, 0, PEACEFUL, Brain::State(pursue));
        let hashes: Vec<u64> = (0..250)
            .map(|_| {
                field.tick();
                field.sim.state_hash()
            })
            .collect();
        assert!(field.at(chaser).x > 13.0);
        hashes
    });
    assert_eq!(runs[0], runs[1]);
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

#[test]
fn a_queue_passes_over_what_is_over_at_once_and_what_is_done() {
    let mut field = Field::open(40, 20);
    let unit = field.spawn(5.0, 10.0, 0, PEACEFUL, Brain::None);
    let [near, far] = [Vec2::new(8.0, 10.0), Vec2::new(12.0, 14.0)];
    field.order(unit, Order::Move { to: near });
    for order in [
        Order::Move { to: near },
        Order::Stop,
        Order::Move { to: far },
    ] {
        field.sim.order(&field.world, &[unit], order, true).unwrap();
    }
    field.run(200);
    assert!(field.at(unit).distance(far) < 0.2, "{}", field.at(unit));
}

#[test]
fn an_order_before_the_first_tick_comes_before_what_the_unit_does_of_itself() {
    let mut field = Field::open(60, 20);
    let to = Vec2::new(30.0, 10.0);
    let wanderer = field.spawn(5.0, 8.0, 0, PEACEFUL, Brain::Wander);
    let fighter = field.spawn(5.0, 12.0, 0, FIGHTER, Brain::Guard);
    field.spawn(9.0, 14.0, 1, PEACEFUL, Brain::None);
    field
        .sim
        .order(
            &field.world,
            &[wanderer, fighter],
            Order::Move { to },
            false,
        )
        .unwrap();
    field.run(100);
    for unit in [wanderer, fighter] {
        assert_eq!(field.doing(unit), "move");
        assert!(field.at(unit).x > 13.0, "{}", field.at(unit));
    }
    field.run(300);
    assert_eq!(field.doing(wanderer), "wander");
    assert_eq!(field.doing(fighter), "guard");
}

#[test]
fn a_goal_changed_every_tick_never_stalls_the_unit() {
    let mut field = Field::open(80, 20);
    let walker = field.spawn(5.0, 5.0, 0, PEACEFUL, Brain::None);
    let marcher = field.spawn(5.0, 15.0, 0, PEACEFUL, Brain::None);
    for tick in 0..300 {
        let y = 9.0 + (tick % 2) as f32;
        let to = Vec2::new(70.0, y);
        field.order(walker, Order::Move { to });
        field.order(marcher, Order::AttackMove { to });
        field.tick();
    }
    for unit in [walker, marcher] {
        assert!(field.at(unit).x > 33.0, "{}", field.at(unit));
    }
}
