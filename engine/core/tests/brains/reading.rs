//! What a game can ask between ticks.

use glam::Vec2;
use hecs::Entity;
use throng::{Brain, EventKind, Map, Order, UnitId};

use crate::field::{Field, PEACEFUL};

#[test]
fn sync_3_queries_list_units_by_number() {
    let mut field = Field::open(60, 60);
    let mut all: Vec<Entity> = (0..100)
        .map(|i| {
            // Scattered, so that place and number disagree.
            let k = i * 37 % 100;
            let (x, y) = (1.5 + (k % 10) as f32, 1.5 + (k / 10) as f32);
            field.spawn(x, y, (i % 3) as u8, PEACEFUL, Brain::None)
        })
        .collect();
    for i in [90, 50, 13, 2] {
        field.sim.despawn(&mut field.world, all.remove(i)).unwrap();
    }
    field.spawn(4.0, 12.5, 1, PEACEFUL, Brain::None);
    field.tick();
    let units = field.sim.units();
    let (low, high) = (Vec2::new(2.0, 2.0), Vec2::new(7.0, 20.0));
    let found: Vec<Vec<usize>> = vec![
        field.sim.in_rect(high, low),
        field.sim.in_disc(Vec2::new(5.0, 5.0), 4.0),
        units.of_team(1).collect(),
    ];
    for rows in found {
        assert!(rows.len() > 10);
        assert!(rows.windows(2).all(|w| units.id[w[0]] < units.id[w[1]]));
    }
    for row in field.sim.in_rect(low, high) {
        let at = units.position[row];
        assert!(at.cmpge(low).all() && at.cmple(high).all());
    }
}

#[test]
fn what_can_be_reached_is_told_at_once_for_every_size() {
    let map = "..........\n\
               #########.\n\
               ..........\n\
               ##########\n\
               ..........";
    let mut field = Field::new(Map::from_ascii(map).unwrap());
    let (upper, middle, lower) = (
        Vec2::new(0.5, 0.5),
        Vec2::new(0.5, 2.5),
        Vec2::new(0.5, 4.5),
    );
    let sim = &mut field.sim;
    assert!(sim.reachable(0.4, upper, middle));
    assert!(!sim.reachable(0.4, upper, lower));
    assert!(!sim.reachable(0.8, upper, middle), "too wide for the gap");
    for nowhere in [
        Vec2::new(-1.0, 0.5),
        Vec2::new(1e6, 0.5),
        Vec2::new(f32::NAN, 0.5),
        Vec2::new(0.5, 1.5),
    ] {
        assert!(!sim.reachable(0.4, upper, nowhere), "{nowhere}");
    }
}

#[test]
fn the_way_left_and_the_order_are_told_while_it_is_carried_out() {
    let wall = "............\n\
                ......#.....\n\
                ......#.....\n\
                ......#.....";
    let mut field = Field::new(Map::from_ascii(wall).unwrap());
    let unit = field.spawn(3.5, 3.5, 0, PEACEFUL, Brain::None);
    assert_eq!(field.sim.distance_left(&field.world, unit), Ok(None));
    assert_eq!(field.sim.order_of(&field.world, unit), Ok(None));
    let order = Order::Move {
        to: Vec2::new(9.5, 3.5),
    };
    field.order(unit, order);
    let mut last = f32::INFINITY;
    for tick in 0..60 {
        field.tick();
        assert_eq!(field.sim.order_of(&field.world, unit), Ok(Some(order)));
        let left = field
            .sim
            .distance_left(&field.world, unit)
            .unwrap()
            .unwrap();
        if tick == 0 {
            assert!((7.5..9.5).contains(&left), "{left} round the wall");
        }
        assert!(left < last + 0.3, "{left} after {last}");
        last = last.min(left);
    }
    assert!(last < 4.5, "{last}");
    field.run(200);
    assert_eq!(field.sim.distance_left(&field.world, unit), Ok(None));
}

#[test]
fn every_order_ends_with_one_event_that_says_how() {
    let map = "..........#...\n\
               ..........#...\n\
               ..........#...\n\
               ..........#...";
    let mut field = Field::new(Map::from_ascii(map).unwrap());
    let there = field.spawn(1.5, 0.5, 0, PEACEFUL, Brain::None);
    let cut_off = field.spawn(1.5, 3.5, 0, PEACEFUL, Brain::None);
    field.order(
        there,
        Order::Move {
            to: Vec2::new(5.5, 0.5),
        },
    );
    field.order(
        cut_off,
        Order::Move {
            to: Vec2::new(12.5, 3.5),
        },
    );
    let events = field.run(400);
    let ends: Vec<_> = events
        .iter()
        .filter(|e| !matches!(e.kind, EventKind::StateChanged { .. }))
        .map(|e| (e.unit, e.kind))
        .collect();
    let nearest = Vec2::new(9.5, 3.5);
    assert_eq!(
        ends,
        [
            (UnitId(0), EventKind::Arrived),
            (UnitId(1), EventKind::Unreachable { nearest })
        ]
    );
}
