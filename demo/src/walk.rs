//! Lone units walked over a map by the simulation's own mover, to measure its paths.
//!
//! A few walks of about the same length share one simulation, whose price for a tick does not grow
//! with so few units; they do not see one another, so each walks as if it were alone.

use std::collections::BTreeSet;
use std::time::Instant;

use glam::Vec2;
use rayon::prelude::*;
use throng::map::SizeClass;
use throng::{Config, Map, Order, Outcome, Simulation, UnitSpec};

/// Speed of the units in cells per tick: 3 cells a second at 30 ticks a second.
const SPEED: f32 = 0.1;
/// A walk ends within this distance of the goal's centre, in cells.
const NEAR: f32 = 0.5;
/// Walks in one simulation. Each worker holds as many fields in memory, 5 bytes a cell each.
const BATCH: usize = 64;

/// A walk to measure: from the centre of one cell to that of another.
#[derive(Clone, Copy, Debug)]
pub struct Errand {
    /// Column and row of the start.
    pub start: [u32; 2],
    /// Column and row of the goal.
    pub goal: [u32; 2],
    /// Shortest length over the grid, in cells: how long a walk may last depends on it.
    pub optimal: f64,
}

/// What came of an errand.
#[derive(Clone, Copy, Debug)]
pub struct Walk {
    /// Length walked until within half a cell of the goal plus what was left, in cells; none when
    /// the unit never came there.
    pub length: Option<f64>,
    /// Share of the time of its simulation, in milliseconds.
    pub ms: f64,
}

/// Walks all errands for units of `radius`, several simulations at a time. `done` is told how many
/// errands have ended each time some have.
pub fn walk_all(
    map: &Map,
    radius: f32,
    errands: &[Errand],
    done: impl Fn(u64) + Sync,
) -> anyhow::Result<Vec<Walk>> {
    let batches = batches(errands);
    let walked: Vec<Vec<(usize, Walk)>> = batches
        .par_iter()
        .map(|batch| {
            let walks = walk_batch(map, radius, batch.iter().map(|&i| &errands[i]))?;
            done(batch.len() as u64);
            Ok(batch.iter().copied().zip(walks).collect())
        })
        .collect::<anyhow::Result<_>>()?;
    let mut walks = vec![
        Walk {
            length: None,
            ms: 0.0
        };
        errands.len()
    ];
    for (i, walk) in walked.into_iter().flatten() {
        walks[i] = walk;
    }
    Ok(walks)
}

/// Numbers of the errands, longest first, a batch at a time. Units sent to one goal would settle
/// beside one another, so no two of a batch have the same.
fn batches(errands: &[Errand]) -> Vec<Vec<usize>> {
    let mut left: Vec<usize> = (0..errands.len()).collect();
    left.sort_by(|&a, &b| errands[b].optimal.total_cmp(&errands[a].optimal));
    let mut batches = Vec::new();
    while !left.is_empty() {
        let mut goals = BTreeSet::new();
        let mut batch = Vec::new();
        left.retain(|&i| {
            let taken = batch.len() < BATCH && goals.insert(errands[i].goal);
            if taken {
                batch.push(i);
            }
            !taken
        });
        batches.push(batch);
    }
    batches
}

/// Walks a few errands side by side in one simulation.
fn walk_batch<'a>(
    map: &Map,
    radius: f32,
    errands: impl ExactSizeIterator<Item = &'a Errand>,
) -> anyhow::Result<Vec<Walk>> {
    let start = Instant::now();
    let n = errands.len();
    let mut sim = Simulation::new(map.clone(), Config::default())?;
    let mut world = hecs::World::new();
    let mut goals = Vec::with_capacity(n);
    let mut longest = 0.0_f64;
    for errand in errands {
        let spec = UnitSpec {
            position: centre(errand.start),
            radius,
            speed: SPEED,
            avoidance: false,
            ..UnitSpec::default()
        };
        let to = centre(errand.goal);
        let unit = sim.spawn(&mut world, &spec)?;
        sim.order(&world, &[unit], Order::Move { to }, false)?;
        goals.push(to);
        longest = longest.max(errand.optimal);
    }
    let mut walked = vec![0.0_f64; n];
    let mut length = vec![None; n];
    let mut open = n;
    let patience = ((2.0 * longest + 50.0) / f64::from(SPEED)) as u64;
    while open > 0 && sim.now() < patience {
        sim.tick(&mut world);
        let mut gone = Vec::new();
        let units = sim.units();
        for (k, id) in units.id.iter().enumerate() {
            let i = id.0 as usize;
            let here = units.position[k];
            walked[i] += f64::from(here.distance(units.previous[k]));
            let left = here.distance(goals[i]);
            if left <= NEAR {
                length[i] = Some(walked[i] + f64::from(left));
            } else if matches!(units.outcome[k], Outcome::None | Outcome::Active) {
                continue;
            }
            gone.push(units.entity[k]);
        }
        open -= gone.len();
        for unit in gone {
            sim.despawn(&mut world, unit)?;
        }
    }
    let ms = start.elapsed().as_secs_f64() * 1e3 / n as f64;
    Ok(length
        .into_iter()
        .map(|length| Walk { length, ms })
        .collect())
}

/// Whether a unit of `radius` can walk the errand at all, and if not, why.
pub fn obstacle(map: &Map, radius: f32, errand: &Errand) -> Option<String> {
    let nav = map.nav(SizeClass::of(radius));
    let ends = [("start", errand.start), ("goal", errand.goal)];
    for (name, [x, y]) in ends {
        if x >= map.width() || y >= map.height() {
            return Some(format!(
                "{name} ({x}, {y}) is outside the map of {} x {} cells",
                map.width(),
                map.height()
            ));
        }
        if nav.occupancy.blocked(x as i32, y as i32) {
            return Some(format!(
                "{name} ({x}, {y}) has no room for a unit of radius {radius}"
            ));
        }
    }
    let [a, b] = ends.map(|(_, [x, y])| nav.regions.label(x as i32, y as i32));
    (a != b).then(|| "start and goal are not connected".to_string())
}

/// The centre of a cell.
fn centre([x, y]: [u32; 2]) -> Vec2 {
    Vec2::new(x as f32 + 0.5, y as f32 + 0.5)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn errand(start: [u32; 2], goal: [u32; 2]) -> Errand {
        Errand {
            start,
            goal,
            optimal: 8.0,
        }
    }

    #[test]
    fn errands_of_like_length_share_a_simulation_but_never_a_goal() {
        let errands: Vec<Errand> = (0..BATCH as u32 * 2)
            .map(|i| Errand {
                start: [0, 0],
                goal: [i / 2, 0],
                optimal: f64::from(i),
            })
            .collect();
        let batches = batches(&errands);
        assert_eq!(
            batches.iter().map(Vec::len).collect::<Vec<_>>(),
            [BATCH, BATCH]
        );
        for batch in batches {
            let goals: BTreeSet<_> = batch.iter().map(|&i| errands[i].goal).collect();
            assert_eq!(goals.len(), BATCH);
        }
    }

    #[test]
    fn a_lone_unit_walks_round_a_wall() {
        let map = Map::from_ascii("..........\n..........\n....#.....\n....#.....\n").unwrap();
        let walks = walk_all(&map, 0.4, &[errand([0, 3], [9, 3])], |_| {}).unwrap();
        let length = walks[0].length.expect("the goal can be reached");
        assert!((9.5..10.5).contains(&length), "{length}");
    }

    #[test]
    fn walls_and_gulfs_are_named() {
        let map = Map::from_ascii("..#..\n..#..\n").unwrap();
        let why = |start, goal| obstacle(&map, 0.4, &errand(start, goal));
        assert_eq!(why([0, 0], [1, 1]), None);
        assert!(why([2, 0], [1, 1]).unwrap().contains("start (2, 0)"));
        assert!(why([0, 0], [9, 1]).unwrap().contains("outside"));
        assert!(why([0, 0], [4, 1]).unwrap().contains("not connected"));
    }
}
