//! Ways over real game maps: exact lengths, and what a lone unit walks along a flow field, against
//! the rows of the MovingAI benchmark files in the shared folder.
#![allow(clippy::print_stdout, clippy::print_stderr)]

use std::path::{Path, PathBuf};

use glam::Vec2;
use hecs::World;
use throng::field::{FlowField, Seed, octile};
use throng::map::{Map, Occupancy, ScenRow, SizeClass, load_scen};
use throng::motion::walls;
use throng::{Config, Order, Simulation, UnitSpec};

/// Radius of the lone unit, and its step, in cells.
const RADIUS: f32 = 0.4;
const STEP: f32 = 0.1;

/// Every benchmark file of the shared maps with at most `rows` of its rows, evenly spread; none,
/// with a line that says so, where the maps are not there.
fn benchmarks(rows: usize) -> Vec<(String, Map, Vec<ScenRow>)> {
    let folder = match std::env::var_os("THRONG_SHARED") {
        Some(folder) => PathBuf::from(folder),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"),
    };
    let Ok(kinds) = std::fs::read_dir(folder.join("maps")) else {
        eprintln!("skipped: no maps in {}", folder.display());
        return Vec::new();
    };
    let mut files: Vec<PathBuf> = kinds
        .flatten()
        .filter_map(|kind| std::fs::read_dir(kind.path()).ok())
        .flat_map(|files| files.flatten().map(|file| file.path()))
        .filter(|file| file.extension().is_some_and(|ending| ending == "scen"))
        .collect();
    files.sort();
    files
        .iter()
        .map(|file| {
            let map = Map::load(&file.with_extension("")).unwrap();
            let (mut all, rejected) = load_scen(file, &map).unwrap();
            assert_eq!(rejected, []);
            let every = all.len().div_ceil(rows);
            let mut number = 0;
            all.retain(|_| {
                number += 1;
                number % every == every / 2
            });
            let name = file.file_stem().unwrap().to_string_lossy().into_owned();
            (name, map, all)
        })
        .collect()
}

/// Whether a length is the number that a benchmark file printed, to its last digit: the files have
/// two decimals, or eight, or six significant digits, and take 1.41421356 for the root of two.
fn agrees(exact: f64, printed: f64) -> bool {
    let decimals = printed
        .to_string()
        .split_once('.')
        .map_or(0, |(_, decimals)| decimals.len());
    (exact - printed).abs() <= 0.1f64.powi(decimals.max(2) as i32) + 2e-9 * exact
}

fn octile_lengths(rows: usize) {
    for (name, map, rows) in benchmarks(rows) {
        let cells = &map.nav(SizeClass::default()).occupancy;
        for row in rows {
            let exact = octile::distances(cells, row.goal.0, row.goal.1);
            let exact = exact.distance(row.start.0, row.start.1);
            assert!(
                agrees(exact, row.optimal),
                "{name} line {}: {exact} for {}",
                row.line,
                row.optimal
            );
        }
    }
}

/// ROUTE-2: the lengths of the files, to the last digit printed.
#[test]
fn octile_lengths_are_those_of_the_benchmark_files() {
    octile_lengths(if cfg!(debug_assertions) { 25 } else { 100 });
}

#[test]
#[ignore = "minutes in release; run by hand"]
fn octile_lengths_are_those_of_the_benchmark_files_in_every_row() {
    octile_lengths(usize::MAX);
}

/// What a lone unit walked.
struct Walk {
    length: f64,
    /// Sum of the changes of its direction, degrees, and the steps they are of.
    turned: f64,
    steps: u32,
}

/// Walks from `start` along the field until half a cell from `goal`; `None` when it does not come
/// there in 30 steps a cell of the optimal way.
fn walk(cells: &Occupancy, start: Vec2, goal: Vec2, optimal: f64) -> Option<Walk> {
    let cell = goal.floor().as_ivec2();
    let cell = (cell.y * cells.width() as i32 + cell.x) as u32;
    let field = FlowField::build(cells, &[Seed { cell, cost: 0.0 }], Some(goal));
    let (mut at, mut last) = (start, Vec2::ZERO);
    let mut walk = Walk {
        length: 0.0,
        turned: 0.0,
        steps: 0,
    };
    while at.distance(goal) > 0.5 {
        let way = field.guide(at, goal);
        let next = walls::slide(cells, at, way.direction * STEP, RADIUS);
        let step = next - at;
        walk.length += f64::from(step.length());
        walk.steps += 1;
        if step.length() > 0.1 * STEP && last.length() > 0.1 * STEP {
            walk.turned += f64::from(step.angle_to(last).abs().to_degrees());
        }
        (at, last) = (next, step);
        if f64::from(walk.steps) > 30.0 * optimal + 100.0 {
            return None;
        }
    }
    walk.length += f64::from(at.distance(goal));
    Some(walk)
}

fn lone_walks(rows: usize) {
    let centre = |(x, y): (i32, i32)| Vec2::new(x as f32 + 0.5, y as f32 + 0.5);
    for (name, map, rows) in benchmarks(rows) {
        let cells = &map.nav(SizeClass::of(RADIUS)).occupancy;
        let (mut ratios, mut turned, mut steps) = (Vec::new(), 0.0, 0);
        for row in rows.iter().filter(|row| row.optimal > 0.0) {
            let walk = walk(cells, centre(row.start), centre(row.goal), row.optimal);
            let walk = walk.unwrap_or_else(|| panic!("{name} line {}: never came there", row.line));
            ratios.push(walk.length / row.optimal);
            turned += walk.turned;
            steps += walk.steps;
        }
        ratios.sort_by(f64::total_cmp);
        let count = ratios.len();
        let mean = ratios.iter().sum::<f64>() / count as f64;
        let (p95, max) = (ratios[count * 95 / 100], ratios[count - 1]);
        let turn = turned / f64::from(steps);
        println!(
            "{name}: {count} rows, mean {mean:.4}, p95 {p95:.4}, max {max:.4}, turn {turn:.3} deg"
        );
        assert!(
            mean <= 0.98 && p95 <= 1.001 && max <= 1.02,
            "{name}: {mean} {p95} {max}"
        );
        assert!(turn < 1.5, "{name}: {turn} degrees a step");
    }
}

#[test]
fn a_lone_unit_walks_less_than_the_octile_way() {
    lone_walks(if cfg!(debug_assertions) { 12 } else { 50 });
}

#[test]
#[ignore = "minutes in release; run by hand"]
fn a_lone_unit_walks_less_than_the_octile_way_in_every_row() {
    lone_walks(usize::MAX);
}

/// Walks in a simulation whose fields cover only the sectors on the way, however small the map.
fn sectored_walks(rows: usize) {
    let centre = |(x, y): (i32, i32)| Vec2::new(x as f32 + 0.5, y as f32 + 0.5);
    let mut ratios = Vec::new();
    for (name, map, rows) in benchmarks(rows) {
        for row in rows.iter().filter(|row| row.optimal > 5.0) {
            let config = Config {
                whole_field_max: 0,
                ..Config::default()
            };
            let (mut world, to) = (World::new(), centre(row.goal));
            let mut sim = Simulation::new(map.clone(), config).unwrap();
            let spec = UnitSpec {
                position: centre(row.start),
                radius: RADIUS,
                speed: 0.4,
                ..UnitSpec::default()
            };
            let unit = sim.spawn(&mut world, &spec).unwrap();
            sim.order(&world, &[unit], Order::Move { to }, false)
                .unwrap();
            let (mut walked, mut ticks) = (0.0, 0);
            while sim.units().position[0].distance(to) > 0.5 {
                sim.tick(&mut world);
                walked += f64::from(sim.units().velocity[0].length());
                ticks += 1;
                let late = f64::from(ticks) > 5.0 * row.optimal + 100.0;
                assert!(!late, "{name} line {}: never came there", row.line);
            }
            walked += f64::from(sim.units().position[0].distance(to));
            ratios.push(walked / row.optimal);
        }
    }
    ratios.sort_by(f64::total_cmp);
    let Some(&max) = ratios.last() else { return };
    let p95 = ratios[ratios.len() * 95 / 100];
    println!(
        "{} rows by sectors: p95 {p95:.4}, max {max:.4}",
        ratios.len()
    );
    assert!(p95 <= 1.06 && max <= 1.15, "{p95} {max}");
}

#[test]
fn ways_by_sectors_are_hardly_longer_than_the_octile_way() {
    sectored_walks(2);
}

#[test]
#[ignore = "minutes in release; run by hand"]
fn ways_by_sectors_are_hardly_longer_than_the_octile_way_in_many_rows() {
    sectored_walks(40);
}
