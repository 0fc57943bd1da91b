//! The twin says what the steering did, for every unit of a crowd.

use super::*;
use crate::{Config, Map, Order, Simulation, UnitSpec, map::SizeClass};

/// Two crowds that meet among pillars, each on its way to the other's side.
fn crowd() -> (Simulation, hecs::World) {
    let rows: Vec<String> = (0..24)
        .map(|y| {
            let blocked = |x: u32| (x % 7 == 3 && y % 5 == 2) || x == 20 && y % 8 != 4;
            (0..40)
                .map(|x| if blocked(x) { '#' } else { '.' })
                .collect()
        })
        .collect();
    let map = Map::from_ascii(&rows.join("\n")).unwrap();
    let mut sim = Simulation::new(map, Config::default()).unwrap();
    let mut world = hecs::World::new();
    let cells = (0..24).flat_map(|y| (0..40).map(move |x| Vec2::new(x as f32, y as f32)));
    let (mut west, mut east) = (Vec::new(), Vec::new());
    for (i, cell) in cells.enumerate() {
        let side = match cell.x {
            1.0..12.0 => &mut west,
            28.0..39.0 => &mut east,
            _ => continue,
        };
        let spec = UnitSpec {
            position: cell + 0.5,
            radius: [0.3, 0.35, 0.45][i % 3],
            speed: [0.08, 0.12][i % 2],
            ..UnitSpec::default()
        };
        side.extend(sim.spawn(&mut world, &spec));
    }
    for (units, x) in [(&west, 37.5), (&east, 2.5)] {
        let to = Vec2::new(x, 12.5);
        sim.order(&world, units, Order::Move { to }, false).unwrap();
    }
    for post in [west[40], east[40]] {
        sim.order(&world, &[post], Order::Hold, false).unwrap();
    }
    (sim, world)
}

/// The masks alone, added up as the steering does.
#[derive(Default)]
struct Masks {
    walls: u64,
    soft: u64,
    hard: u64,
}

impl Witness for Masks {
    fn walls(&mut self, blocked: u64) {
        (self.walls, self.soft, self.hard) = (blocked, blocked, blocked);
    }

    fn neighbour(&mut self, _: usize, blocked: u64, _: f32, imminent: bool) {
        self.soft |= blocked;
        self.hard |= if imminent { blocked } else { 0 };
    }

    fn took(&mut self, _: Way) {}
}

fn mask_of(fan: &Fan, is: impl Fn(&Refusal) -> bool) -> u64 {
    let steps = (0..64).filter(|&step| is(&fan.refusals[step]));
    steps.fold(0, |mask, step| mask | 1 << step)
}

/// Checks all fans of a tick; answers how many there are, by choice.
fn check(sim: &Simulation) -> [usize; 5] {
    let mut choices = [0; 5];
    let cells = &sim.map().nav(SizeClass::default()).occupancy;
    for place in 0..sim.units().len() {
        let index = sim.flock.rank[place] as usize;
        let (mark, steered) = (&sim.flock.mark[place], &sim.flock.steered[place]);
        let Some(fan) = sim.fan_of(index) else {
            assert!(mark.hold || !mark.moving, "a walking unit has a fan");
            continue;
        };
        choices[fan.choice as usize] += 1;
        assert_eq!(fan.velocity, steered.velocity, "what it steered by");
        let mut masks = Masks::default();
        crowd::walk_watched(&sim.flock, place, cells, None, &mut masks);
        assert_eq!(
            (fan.walls, fan.soft, fan.hard),
            (masks.walls, masks.soft, masks.hard)
        );

        assert_eq!(fan.walls, mask::walls(cells, fan.at, mark.radius));
        let by_walls = mask_of(&fan, |r| matches!(r, Refusal::Wall { .. }));
        assert_eq!(by_walls, fan.walls, "each with its cell");
        let by_units = mask_of(&fan, |r| matches!(r, Refusal::Unit { .. }));
        assert_eq!(by_units, fan.soft & !fan.walls, "each with its unit");
        let imminent = mask_of(&fan, |r| matches!(r, Refusal::Unit { imminent: true, .. }));
        assert_eq!(imminent, fan.hard & !fan.walls);

        let bit = 1 << fan.chosen();
        match fan.choice {
            Choice::Around => {
                assert_eq!(fan.soft & bit, 0);
                assert_eq!(fan.refusals[fan.chosen() as usize], Refusal::Free);
            }
            Choice::Squeeze => assert_eq!(fan.hard & bit, 0),
            Choice::Overtake => assert_eq!(fan.soft & bit, 0),
            Choice::Ahead => assert_eq!(fan.soft & bit, 0, "{fan:?}"),
            Choice::Press => assert_eq!(fan.heading, fan.guidance),
        }
        named(sim, &fan, index);
        blended(sim, &fan, place);
    }
    choices
}

/// Cells that are named are blocked, units that are named are near and not the unit itself.
fn named(sim: &Simulation, fan: &Fan, index: usize) {
    let units = sim.units();
    for refusal in fan.refusals {
        match refusal {
            Refusal::Wall { cell } => assert!(sim.map().is_blocked(cell.x, cell.y)),
            Refusal::Unit { unit, ticks, .. } => {
                assert_ne!(unit, units.id[index]);
                let other = units.index_of(unit).unwrap();
                assert!(units.previous[other].distance(fan.at) < 5.0, "{unit:?}");
                assert!((0.0..100.0).contains(&ticks), "{ticks}");
            }
            Refusal::Free | Refusal::TooFar => {}
        }
    }
}

/// A unit that nobody is near steers by the heading and the speed that the fan names.
fn blended(sim: &Simulation, fan: &Fan, place: usize) {
    let flock = &sim.flock;
    let near = flock.cells.runs(fan.at, 2.0).flatten();
    if near.count() > 1 {
        return;
    }
    let old = flock.mark[place].velocity;
    let by = |blend: f32| old + (fan.heading * fan.speed - old) * blend;
    assert!(
        [0.4, 0.25, 1.0]
            .iter()
            .any(|&blend| by(blend).distance(fan.velocity) < 1e-6),
        "{fan:?}"
    );
}

#[test]
fn the_twin_says_what_the_steering_did() {
    let (mut sim, mut world) = crowd();
    assert_eq!(sim.fan_of(0), None, "nobody has walked yet");
    let mut choices = [0; 5];
    for tick in 0..600 {
        sim.tick(&mut world);
        if tick % 40 < 3 {
            let found = check(&sim);
            (0..5).for_each(|i| choices[i] += found[i]);
        }
    }
    assert!(
        choices.iter().all(|&count| count > 20),
        "all happen: {choices:?}"
    );
}

#[test]
fn a_unit_that_stands_has_no_fan() {
    let (mut sim, mut world) = crowd();
    let units: Vec<_> = sim.units().entity.clone();
    sim.order(&world, &units, Order::Stop, false).unwrap();
    for _ in 0..10 {
        sim.tick(&mut world);
    }
    assert!((0..units.len()).all(|index| sim.fan_of(index).is_none()));
}
