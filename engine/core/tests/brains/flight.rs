//! Running away, and going back to what was done before.

use glam::Vec2;
use throng::{Brain, Combat, EventKind, Mind, Order, Outcome, Senses, Stance, State, StateId};

use crate::field::{FIGHTER, Field, PEACEFUL, changes};

#[test]
fn the_wary_run_from_whoever_comes_near_and_come_back() {
    let mut field = Field::open(60, 40);
    let post = Vec2::new(30.0, 20.0);
    let sheep = field.spawn(post.x, post.y, 0, PEACEFUL, Brain::Flee);
    let wolf = field.spawn(50.0, 20.0, 1, PEACEFUL, Brain::None);
    let near = Vec2::new(32.0, 20.0);
    field.order(wolf, Order::Move { to: near });
    let mut ran = false;
    for _ in 0..400 {
        field.tick();
        let gap = field.at(sheep).distance(field.at(wolf)) - 0.8;
        assert!(gap > 3.0, "let it come to {gap}");
        let runs = field.doing(sheep) == "flee";
        // Noticed within 6 cells, at a look round every 8 ticks.
        assert!(ran || !runs || (5.0..=6.2).contains(&gap), "{gap}");
        ran |= runs;
    }
    assert!(ran && field.at(sheep).distance(post) > 3.0);
    assert_eq!(field.doing(sheep), "wary");
    let far = Vec2::new(55.0, 38.0);
    field.order(wolf, Order::Move { to: far });
    field.run(600);
    assert_eq!(field.doing(sheep), "wary");
    assert!(field.at(sheep).distance(post) < 0.5);
}

/// A fighter that runs at less than half its health, struck for 10 points at a time by a stronger
/// one: its health at every tick, and whether it ran.
fn beaten(stance: Stance) -> (Field, Vec<(f32, bool)>) {
    let mut field = Field::open(60, 40);
    let weak = Combat {
        health: 100.0,
        flee_below: 0.5,
        damage: 1.0,
        stance,
        ..FIGHTER
    };
    let weak = field.spawn(30.0, 20.0, 0, weak, Brain::None);
    let strong = Combat {
        leash: 2.0,
        ..FIGHTER
    };
    field.spawn(28.8, 20.0, 1, strong, Brain::None);
    let seen = (0..300)
        .map(|_| {
            field.tick();
            let row = field.row(weak);
            (field.sim.units().health[row], field.doing(weak) == "flee")
        })
        .collect();
    (field, seen)
}

#[test]
fn a_blow_that_leaves_little_health_interrupts_a_fight() {
    let (mut field, seen) = beaten(Stance::Aggressive);
    let first = seen.iter().position(|(_, runs)| *runs).unwrap();
    assert_eq!((seen[first - 1].0, seen[first].0), (50.0, 40.0));
    assert!(seen[..first].iter().all(|(health, _)| *health >= 50.0));
    // It gets away, and back to its place when the enemy has let off.
    assert!(seen.last().unwrap().0 >= 30.0, "{:?}", seen.last());
    let strong = field.sim.units().entity[1];
    field.sim.despawn(&mut field.world, strong).unwrap();
    field.run(400);
    let weak = field.sim.units().entity[0];
    assert_eq!(field.doing(weak), "idle");
    assert!(field.at(weak).distance(Vec2::new(30.0, 20.0)) < 0.5);
}

#[test]
fn who_is_to_stay_does_not_run() {
    let (_, seen) = beaten(Stance::HoldGround);
    assert!(seen.iter().all(|(_, runs)| !runs));
    assert!(seen.last().unwrap().0 < 20.0);
}

#[test]
fn who_was_sent_somewhere_goes_on_there_and_an_order_ends_the_flight() {
    let timid = Combat {
        health: 100.0,
        flee_below: 0.9,
        ..PEACEFUL
    };
    for new_order in [false, true] {
        let mut field = Field::open(60, 40);
        let unit = field.spawn(10.0, 20.0, 0, timid, Brain::None);
        let to = Vec2::new(50.0, 20.0);
        field.order(unit, Order::Move { to });
        field.run(50);
        let wolf = field.spawn(18.0, 20.0, 1, PEACEFUL, Brain::None);
        field.run(1);
        assert_eq!(field.doing(unit), "move");
        field.sim.hurt(&field.world, unit, 20.0).unwrap();
        field.tick();
        assert_eq!(field.doing(unit), "flee");
        field.run(30);
        assert!(field.at(unit).x < 15.0, "it runs the other way");
        if new_order {
            let home = Vec2::new(10.0, 30.0);
            field.order(unit, Order::Move { to: home });
            field.run(2);
            assert_eq!(field.doing(unit), "move");
            field.run(300);
            assert!(field.at(unit).distance(home) < 1.0);
        } else {
            field.sim.despawn(&mut field.world, wolf).unwrap();
            field.run(700);
            assert_eq!(field.sim.units().outcome[0], Outcome::Arrived);
            assert!(field.at(unit).distance(to) < 1.0);
        }
    }
}

#[test]
fn a_guard_that_was_sent_elsewhere_guards_there() {
    let mut field = Field::open(60, 40);
    let to = Vec2::new(40.0, 20.0);
    for (unit, order) in [
        (12.0, Order::Move { to }),
        (16.0, Order::AttackMove { to: to + 4.0 }),
    ]
    .map(|(y, order)| (field.spawn(10.0, y, 0, FIGHTER, Brain::Guard), order))
    {
        field.order(unit, order);
    }
    field.run(800);
    for (row, place) in [(0, to), (1, to + 4.0)] {
        let at = field.sim.units().position[row];
        assert!(at.distance(place) < 1.0, "{at}");
        assert_eq!(field.sim.units().activity[row].name(), "guard");
    }
}

#[test]
fn a_guard_whose_leader_is_gone_says_so_once() {
    let mut field = Field::open(60, 40);
    let guard = field.spawn(10.0, 20.0, 0, FIGHTER, Brain::Guard);
    let leader = field.spawn(14.0, 20.0, 0, PEACEFUL, Brain::None);
    field.order(guard, Order::Follow { target: leader });
    field.run(50);
    field.sim.despawn(&mut field.world, leader).unwrap();
    let events = field.run(50);
    let stuck = events
        .iter()
        .filter(|e| matches!(e.kind, EventKind::Stuck { .. }));
    assert_eq!(stuck.count(), 1);
    assert_eq!(field.doing(guard), "guard");
}

/// Stands; its `execute` hands on to another state, if it has one.
struct Step(&'static str, Option<StateId>);

impl State for Step {
    fn name(&self) -> &'static str {
        self.0
    }

    fn execute(&self, _: &Senses, mind: &mut Mind) {
        if let Some(next) = self.1 {
            mind.change(next);
        }
        mind.stand();
    }
}

#[test]
fn a_game_state_that_was_interrupted_is_gone_back_to() {
    let mut field = Field::open(60, 40);
    let second = field.sim.add_state(Step("second", None));
    let first = field.sim.add_state(Step("first", Some(second)));
    let timid = Combat {
        health: 100.0,
        flee_below: 0.9,
        ..PEACEFUL
    };
    let unit = field.spawn(10.0, 20.0, 0, timid, Brain::State(first));
    field.run(5);
    assert_eq!(field.doing(unit), "second");
    field.sim.hurt(&field.world, unit, 20.0).unwrap();
    field.tick();
    assert_eq!(field.doing(unit), "flee");
    let events = field.run(200);
    assert_eq!(changes(&events, 0), 1, "back, and not by way of the first");
    assert_eq!(field.doing(unit), "second");
    let mind = field.sim.mind(&field.world, unit).unwrap();
    assert_eq!(mind.previous(), first);
}
