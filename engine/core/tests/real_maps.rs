//! The map layer on real maps: the MovingAI benchmark maps and Tiled maps in the shared folder.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use glam::vec2;
use throng::field::{FlowField, Seed, octile};
use throng::map::{CellRect, Map, NavGrid, SizeClass, TiledOptions, load_scen, load_tiled};

/// The folder of shared maps; `None`, with a line that says so, where it is not there.
#[expect(clippy::print_stderr, reason = "tells that tests were skipped")]
fn shared_maps() -> Option<PathBuf> {
    let folder = match std::env::var_os("THRONG_SHARED") {
        Some(folder) => PathBuf::from(folder),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"),
    };
    let maps = folder.join("maps");
    if maps.is_dir() {
        return Some(maps);
    }
    eprintln!("skipped: no maps in {}", maps.display());
    None
}

fn load(path: &Path) -> Map {
    Map::load(path).unwrap_or_else(|error| panic!("{error}"))
}

/// A small generator: numbers below a bound.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u32) -> i32 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % u64::from(bound)) as i32
    }
}

/// One row of the table of maps: file, size, free cells, parts, largest part, rows of the `.scen`.
struct Listed {
    file: String,
    numbers: [usize; 6],
}

/// The table in the folder's read-me.
fn listed(maps: &Path) -> Vec<Listed> {
    let text = std::fs::read_to_string(maps.join("README.md")).unwrap();
    let rows = text.lines().filter(|line| line.starts_with("| `"));
    rows.map(|line| {
        let columns: Vec<&str> = line.split('|').map(str::trim).collect();
        let size = columns[3].split_once(" x ").unwrap();
        let numbers = [
            size.0, size.1, columns[4], columns[5], columns[6], columns[7],
        ];
        Listed {
            file: columns[1].trim_matches('`').to_string(),
            numbers: numbers.map(|number| number.replace(',', "").parse().unwrap()),
        }
    })
    .collect()
}

#[test]
fn every_map_is_as_the_table_says() {
    let Some(maps) = shared_maps() else { return };
    let listed = listed(&maps);
    assert!(listed.len() >= 12);
    for Listed { file, numbers } in listed {
        let map = load(&maps.join(&file));
        let info = map.info();
        let (rows, rejected) = load_scen(&maps.join(format!("{file}.scen")), &map).unwrap();
        assert_eq!(rejected, [], "{file}");
        let found = [
            info.width as usize,
            info.height as usize,
            info.passable,
            info.components,
            info.largest,
            rows.len(),
        ];
        assert_eq!(found, numbers, "{file}");
    }
}

/// CLIFF-4: ten thousand random pairs, blocked cells and those of other parts among them.
#[test]
fn reachability_is_what_a_flood_fill_says() {
    let Some(maps) = shared_maps() else { return };
    for file in ["sc1/IceFloes.map", "cities/Berlin_0_256.map"] {
        let map = load(&maps.join(file));
        let (width, height) = (map.width() as i32, map.height() as i32);
        let flooded = flood(&map);
        let part = |x: i32, y: i32| flooded[(y * width + x) as usize];
        let mut random = Random(4);
        let mut small = 0;
        for _ in 0..10_000 {
            let mut cell = || (random.below(map.width()), random.below(map.height()));
            let (a, b) = (cell(), cell());
            let wanted = part(a.0, a.1).is_some() && part(a.0, a.1) == part(b.0, b.1);
            let centre = |(x, y): (i32, i32)| vec2(x as f32 + 0.5, y as f32 + 0.5);
            let reachable = map.reachable(SizeClass::SMALLEST, centre(a), centre(b));
            assert_eq!(reachable, wanted, "{file}: {a:?} to {b:?}");
            small += usize::from(part(a.0, a.1) != part(b.0, b.1));
        }
        assert!(small > 1000, "{file}: too few pairs that are apart");
        assert!(
            (0..height).all(|y| (0..width).all(|x| part(x, y).is_none() == map.is_blocked(x, y)))
        );
    }
}

/// For each cell the number of its part, by flood fill.
fn flood(map: &Map) -> Vec<Option<usize>> {
    let (width, height) = (map.width() as i32, map.height() as i32);
    let mut parts = vec![None; (width * height) as usize];
    for start in 0..parts.len() {
        let mut stack = vec![(start as i32 % width, start as i32 / width)];
        while let Some((x, y)) = stack.pop() {
            if !map.is_blocked(x, y) && parts[(y * width + x) as usize].is_none() {
                parts[(y * width + x) as usize] = Some(start);
                stack.extend([(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]);
            }
        }
    }
    parts
}

/// DYNAMIC-11: rectangles blocked and unblocked again leave exactly what a fresh map has, and the
/// ways planned on it are the same to the bit.
#[test]
fn walls_painted_and_erased_leave_no_trace() {
    let Some(maps) = shared_maps() else { return };
    let classes = [0.4, 0.7, 1.5].map(SizeClass::of);
    let mut map = load(&maps.join("sc1/IceFloes.map"));
    classes.iter().for_each(|&class| map.ensure_class(class));
    let mut random = Random(11);
    let mut painted = Vec::new();
    for edit in 0..500 {
        let (x, y) = (random.below(map.width()), random.below(map.height()));
        let rect = CellRect::new(x, y, x + 1 + random.below(24), y + 1 + random.below(24));
        map.paint(rect, true);
        painted.push(rect);
        // Some are erased much later than they were painted, in another order.
        if painted.len() > 40 || edit > 460 {
            let rect = painted.swap_remove(random.below(painted.len() as u32) as usize);
            map.paint(rect, false);
        }
        if edit % 100 == 50 {
            assert_as_fresh(&map, &classes);
        }
    }
    for rect in painted {
        map.paint(rect, false);
    }
    let fresh = assert_as_fresh(&map, &classes);
    assert_eq!(
        map.hash(),
        fresh.hash(),
        "no paint is left, so the letters are all there is"
    );
    let (rows, _) = load_scen(&maps.join("sc1/IceFloes.map.scen"), &map).unwrap();
    for row in rows.iter().step_by(rows.len() / 8) {
        let (goal, cell) = (
            row.goal,
            row.goal.1 as u32 * map.width() + row.goal.0 as u32,
        );
        let seed = Seed { cell, cost: 0.0 };
        let sight = vec2(goal.0 as f32 + 0.5, goal.1 as f32 + 0.5);
        let plan = |map: &Map| {
            let cells = &map.nav(SizeClass::SMALLEST).occupancy;
            let field = FlowField::build(cells, &[seed], Some(sight));
            let exact = octile::distances(cells, goal.0, goal.1);
            (0..map.height() as i32)
                .flat_map(|y| (0..map.width() as i32).map(move |x| (x, y)))
                .map(|(x, y)| {
                    let costs = (
                        field.distance(x, y).to_bits(),
                        exact.distance(x, y).to_bits(),
                    );
                    (costs, field.flow(x, y))
                })
                .collect::<Vec<_>>()
        };
        assert!(plan(&map) == plan(&fresh), "line {}", row.line);
    }
}

/// Fails unless the grids of the map are those of a map built from its letters, which it answers.
fn assert_as_fresh(map: &Map, classes: &[SizeClass]) -> Map {
    let mut fresh = Map::from_ascii(&map.to_ascii()).unwrap();
    for &class in classes {
        fresh.ensure_class(class);
        let (NavGrid { occupancy, regions }, built) = (map.nav(class), fresh.nav(class));
        assert_eq!(*occupancy, built.occupancy);
        assert_eq!(regions.count(), built.regions.count());
        let mut names = BTreeMap::new();
        for y in 0..map.height() as i32 {
            for x in 0..map.width() as i32 {
                let (ours, theirs) = (regions.label(x, y), built.regions.label(x, y));
                assert_eq!(*names.entry(theirs).or_insert(ours), ours, "({x}, {y})");
            }
        }
        for (theirs, ours) in names {
            let size = |label: Option<u32>| label.map(|label| regions.size(label));
            assert_eq!(size(ours), theirs.map(|label| built.regions.size(label)));
        }
    }
    fresh
}

/// MAPIN-7; headers, short rows and rows that disagree are tested beside the readers.
#[test]
fn a_map_with_crlf_line_ends_is_read() {
    let Some(maps) = shared_maps() else { return };
    let path = maps.join("cities/Berlin_0_256.map");
    assert!(std::fs::read(&path).unwrap().contains(&b'\r'));
    assert_eq!(load(&path).width(), 256);
}

#[test]
fn the_tiled_maps_are_read() {
    let Some(maps) = shared_maps() else { return };
    let maps = maps.join("tiled");
    let load = |file: &str| {
        load_tiled(&maps.join(file), &TiledOptions::default()).unwrap_or_else(|e| panic!("{e}"))
    };
    let csv = load("tiled_csv.tmx").map;
    assert_eq!((csv.width(), csv.height()), (100, 100));
    for file in [
        "tiled_base64_gzip.tmx",
        "tiled_base64_zlib.tmx",
        "tiled_base64_zstandard.tmx",
    ] {
        assert_eq!(load(file).map.hash(), csv.hash(), "{file}");
    }
    assert_eq!(load("tiled_xml.tmx").map.width(), 100);
    assert_eq!(load("tiled_flipped.tmx").map.info().passable, 4);
    assert_eq!(load("tiled_group_layers.tmx").map.width(), 8);
    let northstar = load("northstar_demo_128.tmx");
    assert_eq!(northstar.map.info().passable, 128 * 128);
    assert_eq!(northstar.warnings.len(), 1, "its tileset is not there");
    let infinite = load("tiled_base64_zlib_infinite.tmx");
    assert_eq!(infinite.bounds, CellRect::new(-32, 0, 32, 64));
}
