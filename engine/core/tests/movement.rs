//! What a moving unit must never do, and what it must: cases from bug reports of other engines.

use glam::Vec2;
use hecs::{Entity, World};
use throng::steer::scan::signed_difference;
use throng::steer::{Refusal, directions};
use throng::{
    Config, EventKind, Map, Order, OrderError, Outcome, Simulation, Steering, UnitId, UnitSpec,
};

struct Ground {
    sim: Simulation,
    world: World,
}

impl Ground {
    fn new(map: Map, config: Config) -> Self {
        Self {
            sim: Simulation::new(map, config).unwrap(),
            world: World::new(),
        }
    }

    fn open(width: u32, height: u32) -> Self {
        Self::new(Map::open(width, height).unwrap(), Config::default())
    }

    fn spawn(&mut self, x: f32, y: f32, like: UnitSpec) -> Entity {
        let position = Vec2::new(x, y);
        let spec = UnitSpec { position, ..like };
        self.sim.spawn(&mut self.world, &spec).unwrap()
    }

    fn walk(&mut self, unit: Entity, x: f32, y: f32, queue: bool) -> Result<(), OrderError> {
        let to = Vec2::new(x, y);
        self.sim
            .order(&self.world, &[unit], Order::Move { to }, queue)
    }

    fn tick(&mut self) {
        self.sim.tick(&mut self.world);
    }

    fn row(&self, unit: Entity) -> usize {
        let id = *self.world.get::<&UnitId>(unit).unwrap();
        self.sim.units().index_of(id).unwrap()
    }

    fn at(&self, unit: Entity) -> Vec2 {
        self.sim.units().position[self.row(unit)]
    }
}

/// ARRIVE-8: a unit that turns slowly comes to its last waypoint without circling round it.
#[test]
fn a_unit_that_turns_slowly_does_not_circle_its_goal() {
    // Of a half turn at most it makes 6 degrees in a tick.
    let steering = Steering {
        turn_rate: 6.0 / 180.0,
        ..Steering::default()
    };
    let config = Config {
        steering,
        ..Config::default()
    };
    let mut ground = Ground::new(Map::open(50, 50).unwrap(), config);
    let like = UnitSpec {
        speed: 0.2,
        ..UnitSpec::default()
    };
    let unit = ground.spawn(5.5, 5.5, like);
    let last = Vec2::new(20.5, 8.5);
    ground.walk(unit, 30.5, 30.5, false).unwrap();
    ground.walk(unit, last.x, last.y, true).unwrap();
    let mut near = false;
    let (mut turned, mut swung) = (0.0, 0.0);
    let mut before: Option<(f32, Vec2)> = None;
    let mut ends = 0;
    for _ in 0..600 {
        ground.tick();
        let units = ground.sim.units();
        let (at, facing, velocity) = (units.position[0], units.heading[0], units.velocity[0]);
        near |= ends > 0 && at.distance(last) < 1.0;
        if let Some((old, way)) = before.filter(|_| near) {
            let turn = signed_difference(facing, old).abs().to_degrees();
            assert!(turn < 6.001, "{turn} degrees in a tick");
            turned += turn;
            if velocity.length() > 1e-3 && way.length() > 1e-3 {
                swung += velocity.angle_to(way).abs().to_degrees();
            }
        }
        before = Some((facing, velocity));
        let arrived = |kind| matches!(kind, EventKind::Arrived);
        ends += ground
            .sim
            .events()
            .iter()
            .filter(|e| arrived(e.kind))
            .count();
    }
    assert!(near, "it came there");
    assert_eq!((ends, ground.sim.units().outcome[0]), (2, Outcome::Arrived));
    assert!(
        turned <= 360.0 && swung <= 360.0,
        "{turned} and {swung} degrees"
    );
    assert!(ground.at(unit).distance(last) < 0.1);
}

/// SOLID-9: goals outside a map without border walls are refused by a typed error, and nobody
/// leaves the map.
#[test]
fn a_map_without_border_walls_is_never_left() {
    let (width, height) = (20, 8);
    let mut ground = Ground::open(width, height);
    let units: Vec<Entity> = (0..60)
        .map(|i| {
            let (x, y) = (1.0 + (i % 15) as f32, 2.0 + (i / 15) as f32);
            ground.spawn(x, y, UnitSpec::default())
        })
        .collect();
    for (x, y) in [(-1.0, 0.0), (width as f32, 3.0), (5.0, -4.0)] {
        let goal = Vec2::new(x, y);
        let refused = OrderError::GoalOutside {
            goal,
            width,
            height,
        };
        assert_eq!(ground.walk(units[0], x, y, false), Err(refused));
    }
    for (x, y) in [(0.0, 0.0), (19.99, 0.1), (10.0, 7.99), (0.01, 7.9)] {
        for &unit in &units {
            ground.walk(unit, x, y, false).unwrap();
        }
        for _ in 0..200 {
            ground.tick();
            let units = ground.sim.units();
            for (at, &radius) in units.position.iter().zip(&units.radius) {
                let low = Vec2::splat(radius - 1e-3);
                let high = Vec2::new(width as f32, height as f32) - low;
                assert!(at.cmpge(low).all() && at.cmple(high).all(), "{at}");
            }
        }
    }
}

/// SOLID-10: no point off the map and no number that is none is reachable, for any radius.
#[test]
fn nothing_off_the_map_is_reachable() {
    let mut ground = Ground::open(12, 9);
    let inside = Vec2::new(3.5, 3.5);
    for radius in [0.4, 1.3, 0.0, -1.0, f32::NAN, 1e9] {
        for off in [
            Vec2::new(-0.5, 3.0),
            Vec2::new(12.0, 3.0),
            Vec2::new(3.0, 9.5),
            Vec2::splat(1e6),
            Vec2::splat(-1e6),
            Vec2::new(f32::NAN, 2.0),
            Vec2::new(2.0, f32::INFINITY),
        ] {
            assert!(!ground.sim.reachable(radius, inside, off), "{radius} {off}");
            assert!(!ground.sim.reachable(radius, off, inside), "{radius} {off}");
        }
    }
    assert!(ground.sim.reachable(0.4, inside, Vec2::new(11.9, 0.1)));
}

/// Every living unit is found in the cell it stands in, once, and nobody else is.
fn assert_cells_are_those_of_the_living(ground: &Ground) {
    let (units, cells) = (ground.sim.units(), ground.sim.cells());
    assert_eq!(cells.len(), units.len());
    for row in units.living() {
        let at = units.position[row];
        let near = cells.rows_near(at.floor(), at.floor() + 1.0, 0.0);
        assert_eq!(near.flatten().filter(|&&r| r as usize == row).count(), 1);
    }
}

/// DYNAMIC-8: units that die between two cells, one in the very tick in which it changes cells,
/// leave nothing behind in the way of others.
#[test]
fn the_dead_leave_the_corridor_at_once() {
    let wall = "#".repeat(40);
    let map = Map::from_ascii(&format!("{wall}\n{}\n{wall}", ".".repeat(40))).unwrap();
    let mut ground = Ground::new(map, Config::default());
    let like = UnitSpec {
        radius: 0.35,
        ..UnitSpec::default()
    };
    let walker = ground.spawn(2.5, 1.5, like);
    let others: Vec<Entity> = (0..5)
        .map(|i| ground.spawn(14.2 + 1.1 * i as f32, 1.5, like))
        .collect();
    ground.walk(walker, 37.5, 1.5, false).unwrap();
    for &other in &others {
        ground.walk(other, 2.5, 1.5, false).unwrap();
    }
    let map_hash = ground.sim.map().hash();
    while ground.at(walker).distance(ground.at(others[0])) > 1.0 {
        ground.tick();
        assert_cells_are_those_of_the_living(&ground);
    }
    // Head to head, one dies in the tick in which it changes cells, the others in mid-step.
    let changes = |ground: &Ground, unit: Entity| {
        let row = ground.row(unit);
        let units = ground.sim.units();
        units.position[row].x.floor() != units.previous[row].x.floor()
    };
    while !others.iter().any(|&unit| changes(&ground, unit)) {
        ground.tick();
        assert!(ground.sim.now() < 400, "one changes cells");
    }
    let first = *others.iter().find(|&&unit| changes(&ground, unit)).unwrap();
    ground.sim.despawn(&mut ground.world, first).unwrap();
    for (i, &other) in others.iter().filter(|&&unit| unit != first).enumerate() {
        if i < 2 {
            ground.sim.hurt(&ground.world, other, 1e6).unwrap();
        } else {
            ground.sim.despawn(&mut ground.world, other).unwrap();
        }
    }
    let start = ground.at(walker).x;
    for tick in 0..60 {
        ground.tick();
        assert_cells_are_those_of_the_living(&ground);
        if tick > 10 {
            let speed = ground.sim.units().velocity[ground.row(walker)].length();
            assert!(speed > 0.099, "{speed} in tick {tick} after they died");
        }
    }
    assert!(ground.at(walker).x - start > 5.0);
    assert_eq!(
        ground.sim.map().hash(),
        map_hash,
        "units never write the map"
    );
}

/// API-5: a unit walks through those that do not avoid as if they were not there.
#[test]
fn units_without_avoidance_are_no_neighbours() {
    let way = |others: u32| -> Vec<Vec2> {
        let mut ground = Ground::open(40, 40);
        let mover = ground.spawn(5.5, 20.3, UnitSpec::default());
        for i in 0..others {
            let angle = i as f32 / others as f32 * std::f32::consts::TAU;
            let at = Vec2::splat(20.0) + directions::unit(angle) * (0.2 + 0.03 * i as f32);
            let like = UnitSpec {
                avoidance: false,
                ..UnitSpec::default()
            };
            ground.spawn(at.x, at.y, like);
        }
        ground.walk(mover, 34.5, 19.6, false).unwrap();
        (0..320)
            .map(|_| {
                ground.tick();
                if let Some(fan) = ground.sim.fan_of(0) {
                    let met = |refusal: &Refusal| matches!(refusal, Refusal::Unit { .. });
                    assert!(!fan.refusals.iter().any(met), "it counts no neighbours");
                }
                let units = ground.sim.units();
                assert!((1..units.len()).all(|row| units.velocity[row] == Vec2::ZERO));
                units.position[0]
            })
            .collect()
    };
    let alone = way(0);
    assert_eq!(alone, way(100));
    assert!(alone.last().unwrap().distance(Vec2::new(34.5, 19.6)) < 0.1);
}
