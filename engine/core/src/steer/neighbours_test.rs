//! Caps on the number of neighbours.

use proptest::prelude::*;

use super::*;
use crate::{Config, Map, Order, Outcome, Simulation, UnitSpec};

/// The eighth of a turn by the angle, as one would measure it.
fn eighth(offset: Vec2) -> i32 {
    (crate::steer::directions::angle(offset) / std::f32::consts::FRAC_PI_4).floor() as i32
}

fn flock(points: &[Vec2]) -> Flock {
    let map = Map::open(20, 20).unwrap();
    let mut sim = Simulation::new(map, Config::default()).unwrap();
    let mut world = hecs::World::new();
    for &position in points {
        let spec = UnitSpec {
            position,
            ..UnitSpec::default()
        };
        sim.spawn(&mut world, &spec).unwrap();
    }
    sim.tick(&mut world);
    sim.flock
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// AVOID-6: the nearest unit of every 45-degree sector is among the kept.
    #[test]
    fn the_nearest_of_every_sector_is_kept(
        points in prop::collection::vec((1.0f32..19.0, 1.0f32..19.0), 2..150),
        cap in LEAST..=MOST,
    ) {
        let points: Vec<Vec2> = points.into_iter().map(Vec2::from).collect();
        let flock = flock(&points);
        let reach = 6.0;
        for place in 0..points.len() {
            let kept = Kept::of(&flock, place, reach, cap);
            let at = flock.position[place];
            let near: Vec<usize> = (0..points.len())
                .filter(|&other| other != place && flock.position[other].distance(at) <= reach)
                .collect();
            prop_assert_eq!(kept.places().len(), near.len().min(cap));
            let away = |&&other: &&usize| flock.position[other].distance_squared(at);
            for sector in -4..4 {
                let inside = near.iter().filter(|&&o| eighth(flock.position[o] - at) == sector);
                let nearest = inside.min_by(|a, b| away(a).total_cmp(&away(b)));
                if let Some(&nearest) = nearest {
                    prop_assert!(kept.places().contains(&(nearest as u32)), "{}", sector);
                }
            }
        }
    }
}

/// Two hundred through a corridor three cells wide; the deepest overlap and those who arrived.
fn corridor(cap: u8) -> (f32, usize) {
    let wall = "#".repeat(120);
    let free = ".".repeat(120);
    let map = Map::from_ascii(&[&wall[..], &free, &free, &free, &wall].join("\n")).unwrap();
    let config = Config {
        neighbour_cap: Some(cap),
        ..Config::default()
    };
    let mut sim = Simulation::new(map, config).unwrap();
    let mut world = hecs::World::new();
    let units: Vec<_> = (0..200)
        .map(|i| {
            let position = Vec2::new(1.5 + 0.8 * (i / 4) as f32, 1.4 + 0.72 * (i % 4) as f32);
            let spec = UnitSpec {
                position,
                radius: 0.35,
                speed: [0.1, 0.12][i % 2],
                ..UnitSpec::default()
            };
            sim.spawn(&mut world, &spec).unwrap()
        })
        .collect();
    let to = Vec2::new(100.5, 2.5);
    sim.order(&world, &units, Order::Move { to }, false)
        .unwrap();
    let mut deepest: f32 = 0.0;
    for _ in 0..1200 {
        sim.tick(&mut world);
        let (at, cells) = (&sim.units().position, sim.cells());
        for (row, &own) in at.iter().enumerate() {
            for &other in cells.rows_near(own, own, 0.0).flatten() {
                if other as usize > row {
                    deepest = deepest.max(0.7 - own.distance(at[other as usize]));
                }
            }
        }
    }
    let came = |&&outcome: &&Outcome| matches!(outcome, Outcome::Arrived | Outcome::SettledNear);
    (
        deepest / 0.35,
        sim.units().outcome.iter().filter(came).count(),
    )
}

/// AVOID-6: a cap of 8 is hardly worse than one of 64.
#[test]
fn a_small_cap_lets_units_overlap_hardly_deeper() {
    let ((small, came), (large, all)) = (corridor(8), corridor(64));
    assert!(
        small <= 1.1 * large,
        "{small} of a radius with 8, {large} with 64"
    );
    assert!(came > 150 && came + 10 > all, "{came} and {all} came");
}
