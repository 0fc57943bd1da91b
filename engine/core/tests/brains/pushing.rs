//! Who gives way to whom.

use glam::Vec2;
use hecs::Entity;
use throng::{Brain, EventKind, Map, Order, UnitSpec};

use crate::field::{FIGHTER, Field, PEACEFUL};

#[test]
fn a_unit_on_hold_is_never_moved_by_a_bit() {
    let mut field = Field::open(30, 12);
    let post = field.spawn(15.3, 6.1, 0, FIGHTER, Brain::None);
    field.order(post, Order::Hold);
    let crowd: Vec<Entity> = (0..20)
        .map(|i| {
            let (x, y) = (2.0 + (i % 4) as f32, 3.0 + (i / 4) as f32);
            field.spawn(x, y, 0, PEACEFUL, Brain::None)
        })
        .collect();
    let to = Vec2::new(27.0, 6.0);
    field
        .sim
        .order(&field.world, &crowd, Order::Move { to }, false)
        .unwrap();
    let enemy = field.spawn(16.2, 6.1, 1, PEACEFUL, Brain::None);
    let mut struck = false;
    for _ in 0..400 {
        let events = field.tick();
        struck |= events
            .iter()
            .any(|e| matches!(e.kind, EventKind::Attacked { .. }));
        let at = field.at(post);
        assert_eq!(
            (at.x.to_bits(), at.y.to_bits()),
            (15.3_f32.to_bits(), 6.1_f32.to_bits())
        );
    }
    assert!(struck, "it strikes at what is in range");
    let _ = enemy;
}

/// Twenty friends walk across where `unit` stands.
fn crowd_through(field: &mut Field) {
    let crowd: Vec<Entity> = (0..20)
        .map(|i| {
            let (x, y) = (2.0 + (i % 4) as f32, 4.0 + (i / 4) as f32);
            field.spawn(x, y, 0, PEACEFUL, Brain::None)
        })
        .collect();
    let to = Vec2::new(27.0, 6.0);
    field
        .sim
        .order(&field.world, &crowd, Order::Move { to }, false)
        .unwrap();
}

#[test]
fn what_cannot_walk_is_never_moved_by_a_bit() {
    let mut field = Field::open(30, 12);
    let spec = UnitSpec {
        position: Vec2::new(15.3, 6.1),
        speed: 0.0,
        ..UnitSpec::default()
    };
    let tower = field.sim.spawn(&mut field.world, &spec).unwrap();
    crowd_through(&mut field);
    for _ in 0..400 {
        field.tick();
        let at = field.at(tower);
        assert_eq!(
            (at.x.to_bits(), at.y.to_bits()),
            (15.3_f32.to_bits(), 6.1_f32.to_bits())
        );
    }
}

#[test]
fn an_idle_friend_in_a_narrow_place_gives_way_and_returns() {
    let map = "####################\n\
               #..................#\n\
               #..................#\n\
               ####################";
    let mut field = Field::new(Map::from_ascii(map).unwrap());
    let post = Vec2::new(9.5, 2.0);
    let idler = field.spawn(post.x, post.y, 0, PEACEFUL, Brain::None);
    let walker = field.spawn(2.5, 2.0, 0, PEACEFUL, Brain::None);
    let to = Vec2::new(17.5, 2.0);
    field.order(walker, Order::Move { to });
    let mut furthest = 0.0_f32;
    for _ in 0..500 {
        field.tick();
        furthest = furthest.max(field.at(idler).distance(post));
    }
    assert!(furthest > 0.2, "it moved {furthest} only");
    assert!(field.at(walker).distance(to) < 0.5, "{}", field.at(walker));
    assert!(field.at(idler).distance(post) < 0.1, "{}", field.at(idler));
}

#[test]
fn of_two_that_press_on_one_another_the_lighter_gives_way() {
    let mut shift = Vec::new();
    for masses in [[1.0, 1.0], [8.0, 1.0], [1.0, 8.0]] {
        let mut field = Field::open(30, 12);
        // On the same spot, so that they have to part.
        let units = masses.map(|mass| {
            let spec = UnitSpec {
                position: Vec2::new(15.0, 6.0),
                mass,
                ..UnitSpec::default()
            };
            field.sim.spawn(&mut field.world, &spec).unwrap()
        });
        field.run(10);
        shift.push(units.map(|unit| field.at(unit).distance(Vec2::new(15.0, 6.0))));
    }
    let [equal, first, second] = shift[..] else {
        unreachable!()
    };
    assert!((equal[0] - equal[1]).abs() < 0.05, "{equal:?}");
    assert!(first[1] > 3.0 * first[0], "{first:?}");
    assert!(second[0] > 3.0 * second[1], "{second:?}");
}
