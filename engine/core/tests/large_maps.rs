//! Maps whose fields cover only the sectors on the way.

use glam::Vec2;
use hecs::World;
use throng::map::CellRect;
use throng::{Config, Map, Order, Outcome, Simulation, UnitSpec};

/// Fields of every map are for sectors only.
fn config() -> Config {
    Config {
        whole_field_max: 0,
        ..Config::default()
    }
}

fn walk(
    map: Map,
    config: Config,
    from: Vec2,
    to: Vec2,
    ticks: u32,
    mut at: impl FnMut(&mut Simulation),
) -> (Simulation, f32) {
    let mut world = World::new();
    let mut sim = Simulation::new(map, config).unwrap();
    let spec = UnitSpec {
        position: from,
        speed: 2.0,
        ..UnitSpec::default()
    };
    let unit = sim.spawn(&mut world, &spec).unwrap();
    sim.order(&world, &[unit], Order::Move { to }, false)
        .unwrap();
    let mut walked = 0.0;
    for _ in 0..ticks {
        at(&mut sim);
        sim.tick(&mut world);
        walked += sim.units().velocity[0].length();
        if sim.units().outcome[0] != Outcome::Active {
            break;
        }
    }
    (sim, walked)
}

/// Walls from above and below in turn, 200 cells apart.
fn baffles() -> Map {
    let mut map = Map::open(1000, 400).unwrap();
    for (i, x) in (150..1000).step_by(200).enumerate() {
        map.paint(CellRect::new(x, 0, x + 3, 400), true);
        let gap = if i % 2 == 0 { 20 } else { 370 };
        map.paint(CellRect::new(x, gap, x + 3, gap + 6), false);
    }
    map
}

#[test]
fn the_way_by_sectors_is_hardly_longer_than_by_the_whole_field() {
    let (from, to) = (Vec2::new(20.5, 200.5), Vec2::new(980.5, 200.5));
    let (whole, straight) = walk(baffles(), Config::default(), from, to, 6000, |_| {});
    let (sectored, length) = walk(baffles(), config(), from, to, 6000, |_| {});
    assert_eq!(whole.units().outcome[0], Outcome::Arrived);
    assert_eq!(sectored.units().outcome[0], Outcome::Arrived);
    assert!(length <= 1.03 * straight, "{length} {straight}");
}

#[test]
fn on_open_ground_only_the_corridor_is_built() {
    let (from, to) = (Vec2::new(40.5, 500.5), Vec2::new(1500.5, 500.5));
    let (sim, length) = walk(
        Map::open(1536, 512).unwrap(),
        config(),
        from,
        to,
        4000,
        |sim| {
            assert!(sim.field_work() <= sim.config().field_budget);
        },
    );
    assert_eq!(sim.units().outcome[0], Outcome::Arrived);
    assert!(length < 1.01 * from.distance(to), "{length}");
    // A row of 24 sectors and the one above it; the last row is at the map's edge.
    let all = 1536 * 512 * 5;
    assert!(sim.memory().fields < all / 2, "{}", sim.memory().fields);
}

#[test]
fn a_wall_across_the_corridor_is_walked_round() {
    let mut map = Map::open(900, 900).unwrap();
    map.paint(CellRect::new(450, 0, 452, 900), true);
    map.paint(CellRect::new(450, 440, 452, 460), false);
    map.paint(CellRect::new(450, 880, 452, 890), false);
    let mut world = World::new();
    let mut sim = Simulation::new(map, config()).unwrap();
    let spec = UnitSpec {
        position: Vec2::new(300.5, 450.5),
        speed: 2.0,
        ..UnitSpec::default()
    };
    let unit = sim.spawn(&mut world, &spec).unwrap();
    sim.order(
        &world,
        &[unit],
        Order::Move {
            to: Vec2::new(600.5, 450.5),
        },
        false,
    )
    .unwrap();
    for tick in 0..4000 {
        if tick == 40 {
            sim.edit(CellRect::new(450, 440, 452, 460), true).unwrap();
        }
        sim.tick(&mut world);
        if tick > 100 && sim.units().outcome[0] != Outcome::Active {
            break;
        }
    }
    assert_eq!(
        sim.units().outcome[0],
        Outcome::Arrived,
        "{:?}",
        sim.units().position[0]
    );
}

#[test]
fn units_carried_off_their_corridor_get_a_way_from_there() {
    let mut world = World::new();
    let mut sim = Simulation::new(Map::open(900, 900).unwrap(), config()).unwrap();
    let spec = UnitSpec {
        position: Vec2::new(30.5, 30.5),
        speed: 2.0,
        ..UnitSpec::default()
    };
    let unit = sim.spawn(&mut world, &spec).unwrap();
    sim.order(
        &world,
        &[unit],
        Order::Move {
            to: Vec2::new(600.5, 30.5),
        },
        false,
    )
    .unwrap();
    for tick in 0..4000 {
        if tick == 50 {
            world.get::<&mut throng::Position>(unit).unwrap().0 = Vec2::new(700.5, 800.5);
        }
        sim.tick(&mut world);
        if tick > 100 && sim.units().outcome[0] != Outcome::Active {
            break;
        }
    }
    assert_eq!(
        sim.units().outcome[0],
        Outcome::Arrived,
        "{:?}",
        sim.units().position[0]
    );
}
