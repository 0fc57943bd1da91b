//! The crowd that speed is measured on: the same at every size, always on the move.
//!
//! One unit to ten cells, spread over a square map whose left half is open and whose right half is
//! strewn with blocks. Eight goals lie round the rim and every unit walks to one of the three
//! farthest from it, so that streams cross everywhere and nobody arrives while it is measured.

use glam::Vec2;
use throng::map::CellRect;
use throng::{Config, Map, Order, Simulation, UnitSpec};

/// Cells of map to a unit.
const CELLS_PER_UNIT: f32 = 10.0;
/// Radius of every unit, in cells.
const RADIUS: f32 = 0.4;
/// Top speed of every unit, in cells per tick: 3 cells a second at 30 ticks a second.
const SPEED: f32 = 0.1;
/// Side of the tiles of which each holds a block in the right half, in cells; blocks are at most
/// 5 cells wide and kept off the tile's rim, so that ways between them stay open.
const TILE: i32 = 12;

/// Ticks to run before measuring: fields are built and streams are under way.
pub const WARM_UP_TICKS: u32 = 32;

/// Ticks to measure for a crowd of `units`: enough for a median, few enough that a unit is still
/// on its way at the end.
pub fn measured_ticks(units: u32) -> u32 {
    (4_000_000 / units.max(1)).clamp(40, 160)
}

/// Makes the crowd: the map, the world and the units with their orders, before the first tick.
///
/// # Errors
/// When the map or a unit is refused, which only a size beyond the engine's limits can cause.
pub fn bench_crowd(units: u32) -> Result<(Simulation, hecs::World), BenchCrowdError> {
    let side = ((units.max(1) as f32 * CELLS_PER_UNIT).sqrt() / 8.0)
        .ceil()
        .max(4.0) as u32
        * 8;
    let goals = goals(side as f32);
    let map = Map::from_ascii(&drawing(side as usize, &blocks(side as i32, &goals)))?;
    let places = places(&map, units as usize);
    let mut sim = Simulation::new(map, Config::default())?;
    let mut world = hecs::World::new();
    let mut groups: Vec<Vec<hecs::Entity>> = vec![Vec::new(); goals.len()];
    for (i, &position) in places.iter().enumerate() {
        let spec = UnitSpec {
            position,
            radius: RADIUS,
            speed: SPEED,
            ..UnitSpec::default()
        };
        groups[goal_of(i, position, &goals)].push(sim.spawn(&mut world, &spec)?);
    }
    for (group, &to) in groups.iter().zip(&goals) {
        sim.order(&world, group, Order::Move { to }, false)?;
    }
    Ok((sim, world))
}

/// Why no crowd could be made.
#[derive(Debug, thiserror::Error)]
pub enum BenchCrowdError {
    /// The map is larger than the engine takes.
    #[error(transparent)]
    Map(#[from] throng::MapError),
    /// The simulation refused the map or its settings.
    #[error(transparent)]
    Sim(#[from] throng::SimError),
    /// A unit was refused.
    #[error(transparent)]
    Spawn(#[from] throng::SpawnError),
    /// An order was refused.
    #[error(transparent)]
    Order(#[from] throng::OrderError),
}

/// A block in every tile of the right half but for those at a goal, its size and place drawn from
/// the tile's number.
fn blocks(side: i32, goals: &[Vec2; 8]) -> Vec<CellRect> {
    let mut blocks = Vec::new();
    for y in (0..side - TILE).step_by(TILE as usize) {
        for x in (side / 2..side - TILE).step_by(TILE as usize) {
            let centre = Vec2::new(x as f32, y as f32) + TILE as f32 / 2.0;
            if goals.iter().any(|g| g.distance(centre) < TILE as f32) {
                continue;
            }
            let draw = mix((x * 8191 + y) as u64);
            let (w, h) = (2 + (draw % 4) as i32, 2 + (draw >> 8 & 3) as i32);
            let x0 = x + 2 + ((draw >> 16) as i32 & 0xff) % (TILE - 3 - w);
            let y0 = y + 2 + ((draw >> 24) as i32 & 0xff) % (TILE - 3 - h);
            blocks.push(CellRect {
                x0,
                y0,
                x1: x0 + w,
                y1: y0 + h,
            });
        }
    }
    blocks
}

/// A map of free ground with those blocks, in letters.
fn drawing(side: usize, blocks: &[CellRect]) -> String {
    let mut rows = vec![vec![b'.'; side]; side];
    for block in blocks {
        for row in &mut rows[block.y0 as usize..block.y1 as usize] {
            row[block.x0 as usize..block.x1 as usize].fill(b'#');
        }
    }
    String::from_utf8_lossy(&rows.join(&b'\n')).into_owned()
}

/// `n` free places on a jittered lattice over the whole map.
fn places(map: &Map, n: usize) -> Vec<Vec2> {
    let side = map.width() as f32;
    let mut columns = (n as f32 * 1.1).sqrt().ceil() as usize + 1;
    loop {
        let pitch = side / columns as f32;
        let jitter = (pitch / 2.0 - RADIUS - 0.05).max(0.0);
        let found: Vec<Vec2> = (0..columns * columns)
            .map(|i| {
                let draw = mix(i as u64);
                let centre =
                    Vec2::new((i % columns) as f32 + 0.5, (i / columns) as f32 + 0.5) * pitch;
                centre + Vec2::new(unit_range(draw), unit_range(draw >> 32)) * jitter
            })
            .filter(|p| has_room(map, *p))
            .collect();
        if found.len() >= n {
            return (0..n).map(|i| found[i * found.len() / n]).collect();
        }
        columns += 1 + columns / 64;
    }
}

/// No blocked cell within reach of a disc at `p`, by its bounding box.
fn has_room(map: &Map, p: Vec2) -> bool {
    let reach = RADIUS + 0.05;
    let (low, high) = (
        (p - reach).floor().as_ivec2(),
        (p + reach).floor().as_ivec2(),
    );
    (low.y..=high.y).all(|y| (low.x..=high.x).all(|x| !map.is_blocked(x, y)))
}

/// Eight points round the rim: corners and middles of the sides, in open cells.
fn goals(side: f32) -> [Vec2; 8] {
    let (near, mid, far) = (0.08, 0.5, 0.92);
    [
        (near, near),
        (mid, near),
        (far, near),
        (far, mid),
        (far, far),
        (mid, far),
        (near, far),
        (near, mid),
    ]
    .map(|(x, y)| Vec2::new(x, y) * side)
}

/// One of the three goals farthest from `position`, drawn from the unit's number.
fn goal_of(unit: usize, position: Vec2, goals: &[Vec2; 8]) -> usize {
    let mut by_distance: Vec<usize> = (0..goals.len()).collect();
    by_distance.sort_by(|&a, &b| {
        let (a, b) = (
            goals[a].distance_squared(position),
            goals[b].distance_squared(position),
        );
        b.total_cmp(&a)
    });
    by_distance[(mix(unit as u64 ^ 0x5eed) % 3) as usize]
}

/// A number in [-1, 1) from the low 32 bits of a draw.
fn unit_range(draw: u64) -> f32 {
    (draw as u32 >> 8) as f32 / (1 << 23) as f32 - 1.0
}

/// The finaliser of SplitMix64 (Steele, Lea, Flood 2014): one well-mixed number from another.
fn mix(x: u64) -> u64 {
    let x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_has_the_asked_size_and_nobody_overlaps() {
        let (sim, _) = bench_crowd(500).unwrap();
        let units = sim.units();
        assert_eq!(units.len(), 500);
        for (i, a) in units.position.iter().enumerate() {
            assert!(
                units.position[..i]
                    .iter()
                    .all(|b| a.distance(*b) >= 2.0 * RADIUS)
            );
        }
    }

    #[test]
    fn everybody_is_still_on_the_way_when_measuring_ends() {
        let (mut sim, mut world) = bench_crowd(500).unwrap();
        for _ in 0..WARM_UP_TICKS + measured_ticks(500) {
            sim.tick(&mut world);
        }
        let active = sim
            .units()
            .outcome
            .iter()
            .filter(|o| **o == throng::Outcome::Active)
            .count();
        assert!(active >= 475, "{active} of 500 are still on the way");
    }
}
