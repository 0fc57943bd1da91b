//! Guards, patrols, followers, stances.

use glam::Vec2;
use throng::{Brain, Combat, EventKind, Order, Stance};

use crate::field::{FIGHTER, Field, PEACEFUL};

#[test]
fn fsm_7_a_guard_is_not_baited_off_its_post() {
    let mut field = Field::open(80, 40);
    let post = Vec2::new(20.0, 20.0);
    let guard = field.spawn(post.x, post.y, 0, FIGHTER, Brain::Guard);
    let bait = field.spawn(24.0, 20.0, 1, PEACEFUL, Brain::None);
    field.run(10);
    assert_eq!(field.doing(guard), "chase");
    field.order(
        bait,
        Order::Move {
            to: Vec2::new(54.0, 20.0),
        },
    );
    let mut lost = None;
    for tick in 0..800 {
        field.tick();
        let away = field.at(guard).distance(post);
        assert!(away <= FIGHTER.leash + 1.0, "{away}");
        if lost.is_none() && field.doing(guard) == "return" {
            lost = Some(tick);
        }
        if lost.is_some_and(|lost| tick > lost + 300) {
            assert!(away < 0.5, "{away} from the post");
        }
    }
    assert!(lost.is_some());
    assert_eq!(field.doing(guard), "guard");
}

#[test]
fn a_patrol_goes_to_and_fro_and_a_follower_keeps_up() {
    let mut field = Field::open(40, 20);
    let scout = field.spawn(5.0, 10.0, 0, FIGHTER, Brain::None);
    let friend = field.spawn(3.0, 10.0, 0, PEACEFUL, Brain::None);
    field.order(
        scout,
        Order::Patrol {
            to: Vec2::new(25.0, 10.0),
        },
    );
    field.order(friend, Order::Follow { target: scout });
    let mut ends = Vec::new();
    for _ in 0..1000 {
        field.tick();
        let x = field.at(scout).x;
        if x < 6.0 && ends.last() != Some(&'a') {
            ends.push('a');
        }
        if x > 24.0 && ends.last() != Some(&'b') {
            ends.push('b');
        }
        assert!(field.at(friend).distance(field.at(scout)) < 3.5);
    }
    assert!(ends.len() >= 4, "{ends:?}");
}

#[test]
fn stances_decide_what_an_idle_unit_does() {
    for (stance, moves, strikes) in [
        (Stance::Aggressive, true, true),
        (Stance::Defensive, true, true),
        (Stance::HoldGround, false, false),
        (Stance::Passive, false, false),
    ] {
        let mut field = Field::open(40, 20);
        let unit = field.spawn(10.0, 10.0, 0, Combat { stance, ..FIGHTER }, Brain::None);
        field.spawn(14.0, 10.0, 1, PEACEFUL, Brain::None);
        let events = field.run(100);
        let struck = events
            .iter()
            .any(|e| matches!(e.kind, EventKind::Attacked { .. }));
        let moved = field.at(unit).distance(Vec2::new(10.0, 10.0)) > 0.5;
        assert_eq!((moved, struck), (moves, strikes), "{stance:?}");
    }
}
