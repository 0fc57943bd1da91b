//! The map as a whole: edits against fresh builds, questions about places.

use glam::vec2;
use proptest::prelude::*;

use super::*;

/// A map of the letters of every terrain, mostly free, from a small generator.
fn random(width: u32, height: u32, mut seed: u32) -> Map {
    let letters = b"..................S~W###";
    let mut text = String::new();
    for _ in 0..height {
        for _ in 0..width {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            text.push(char::from(letters[(seed >> 16) as usize % letters.len()]));
        }
        text.push('\n');
    }
    Map::from_ascii(&text).unwrap()
}

/// Fails unless every grid of the map is that of a map built from its letters.
fn assert_as_built(map: &Map) {
    let mut built = Map::from_ascii(&map.to_ascii()).unwrap();
    for (class, layer) in map.layers.iter().enumerate() {
        let Some(layer) = layer else { continue };
        built.ensure_class(SizeClass(class as u8));
        let fresh = built.nav(SizeClass(class as u8));
        assert_eq!(layer.occupancy, fresh.occupancy, "class {class}");
        let ours = layer.regions.labels_by_first_cell(&layer.occupancy);
        assert_eq!(
            ours,
            fresh.regions.labels_by_first_cell(&fresh.occupancy),
            "class {class}"
        );
    }
    assert_eq!(map.clearance, built.clearance);
    assert_eq!(map.info(), built.info());
    let cells = map.terrain.iter().enumerate().map(|(cell, &terrain)| {
        let (x, y) = (
            cell as i32 % map.width() as i32,
            cell as i32 / map.width() as i32,
        );
        cell_hash(cell, terrain, map.walls.blocked(x, y))
    });
    assert_eq!(map.hash, cells.fold(0, |hash, cell| hash ^ cell));
}

#[test]
fn erasing_opens_walls_water_and_paint() {
    let mut map = Map::from_ascii("#W~S.\n").unwrap();
    let all = map.bounds();
    assert_eq!(map.paint(all, true), 4);
    assert_eq!(map.to_ascii(), "#####\n");
    assert_eq!(map.paint(all, true), 0);
    assert_eq!(map.paint(all, false), 5);
    assert_eq!(map.to_ascii(), "..~S.\n");
    assert_eq!(map.info().passable, 5);
    assert_eq!(map.revision(), 2);
}

#[test]
fn erasing_what_was_painted_restores_the_hash() {
    let mut map = Map::from_ascii("..~S.\n..#..\n").unwrap();
    let before = map.hash();
    let free = CellRect::new(0, 0, 5, 1);
    map.paint(free, true);
    assert_ne!(map.hash(), before);
    map.paint(free, false);
    assert_eq!(map.hash(), before);
    map.paint(map.bounds(), false);
    assert_ne!(map.hash(), before, "the wall of the second row is gone");
}

#[test]
fn the_hash_tells_maps_apart() {
    let hash = |text| Map::from_ascii(text).unwrap().hash();
    let maps = [
        "....\n",
        "..\n..\n",
        ".\n.\n.\n.\n",
        "...S\n",
        "..S.\n",
        "...#\n",
        "...W\n",
        "..~.\n",
    ];
    for (index, a) in maps.iter().enumerate() {
        for b in &maps[..index] {
            assert_ne!(hash(a), hash(b), "{a:?} {b:?}");
        }
    }
    let mut painted = Map::open(4, 1).unwrap();
    painted.paint(CellRect::new(3, 0, 4, 1), true);
    assert_ne!(
        painted.hash(),
        hash("...#\n"),
        "what lies beneath the paint counts"
    );
}

#[test]
fn painting_off_the_map_changes_nothing() {
    let mut map = Map::open(3, 3).unwrap();
    for rect in [
        CellRect::new(3, 0, 9, 3),
        CellRect::new(-5, -5, 0, 9),
        CellRect::new(2, 2, 2, 3),
        CellRect::new(i32::MAX, 0, i32::MIN, 1),
    ] {
        assert_eq!(map.paint(rect, true), 0);
    }
    assert_eq!((map.revision(), map.info().passable), (0, 9));
    assert_eq!(
        map.paint(CellRect::new(i32::MIN, i32::MIN, i32::MAX, i32::MAX), true),
        9
    );
}

#[test]
fn sizes_that_no_map_has_are_refused() {
    for (width, height) in [(0, 5), (5, 0), (16_385, 1), (u32::MAX, u32::MAX)] {
        let error = Map::open(width, height).unwrap_err();
        assert!(matches!(error.fault, MapFault::Size { .. }), "{error}");
    }
}

#[test]
fn large_units_need_wide_gaps() {
    let mut map = Map::from_ascii(
        "...........\n\
         ...........\n\
         ...........\n\
         ###...#.###\n\
         ...........\n\
         ...........\n\
         ...........\n",
    )
    .unwrap();
    let (above, below) = (vec2(5.5, 1.5), vec2(5.5, 5.5));
    for (radius, fits) in [(0.2, true), (0.5, true), (1.5, true), (1.6, false)] {
        let class = SizeClass::of(radius);
        map.ensure_class(class);
        assert_eq!(map.reachable(class, above, below), fits, "radius {radius}");
    }
    map.paint(CellRect::new(4, 3, 5, 4), true);
    assert!(map.reachable(SizeClass::SMALLEST, above, below));
    assert!(!map.reachable(SizeClass::of(1.5), above, below));
    assert_as_built(&map);
}

/// The centre is asked of the definition: no blocked cell within the class's largest radius.
#[test]
fn a_class_is_free_where_its_largest_disc_fits() {
    let mut map = random(40, 30, 5);
    for class in [1, 2, 4, 5, 9, 20] {
        let class = SizeClass(class);
        map.ensure_class(class);
        for y in 0..30 {
            for x in 0..40 {
                let overlaps = (y - 9..=y + 9)
                    .flat_map(|by| (x - 9..=x + 9).map(move |bx| (bx, by)))
                    .filter(|&(bx, by)| map.is_blocked(bx, by))
                    .any(|(bx, by)| {
                        let (dx, dy) = ((bx - x).abs() as f32 - 0.5, (by - y).abs() as f32 - 0.5);
                        let (dx, dy) = (dx.max(0.0), dy.max(0.0));
                        (dx * dx + dy * dy).sqrt() < class.radius()
                    });
                assert_eq!(
                    map.nav(class).occupancy.blocked(x, y),
                    overlaps,
                    "({x}, {y}) {class:?}"
                );
            }
        }
    }
}

/// SOLID-10.
#[test]
fn nothing_is_reachable_off_the_map() {
    let map = Map::open(4, 3).unwrap();
    let inside = vec2(1.5, 1.5);
    for p in [
        vec2(-0.001, 1.0),
        vec2(4.0, 1.0),
        vec2(1.0, 3.0),
        vec2(1e6, 1e6),
        vec2(-1e6, 1.0),
        vec2(f32::NAN, 1.0),
        vec2(1.0, f32::NAN),
        vec2(f32::INFINITY, 1.0),
        vec2(f32::MAX, f32::MIN),
    ] {
        assert!(!map.reachable(SizeClass::SMALLEST, inside, p), "{p}");
        assert!(!map.reachable(SizeClass::SMALLEST, p, inside), "{p}");
        assert_eq!(map.cell_at(p), None, "{p}");
    }
    assert!(map.reachable(SizeClass::SMALLEST, inside, vec2(3.99, 0.0)));
}

#[test]
fn the_nearest_free_cell_may_be_asked_from_anywhere() {
    let map = Map::from_ascii("....\n.##.\n.##.\n....\n").unwrap();
    let nearest = |x, y| map.nearest_free(SizeClass::SMALLEST, vec2(x, y), None);
    assert_eq!(nearest(3.2, 0.1), Some((3, 0)));
    assert_eq!(
        nearest(1.6, 1.5),
        Some((1, 0)),
        "ties go to the first in row order"
    );
    assert_eq!(nearest(2.9, 2.2), Some((3, 2)));
    assert_eq!(nearest(-1e30, 1.5), Some((0, 1)));
    assert_eq!(nearest(9e8, 9e8), Some((3, 3)));
    assert_eq!(nearest(f32::NAN, 0.0), None);
    assert_eq!(nearest(0.0, f32::INFINITY), None);
    let walled = Map::from_ascii("##\n##\n").unwrap();
    assert_eq!(
        walled.nearest_free(SizeClass::SMALLEST, vec2(1.0, 1.0), None),
        None
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn the_nearest_free_cell_is_the_nearest(
        width in 1u32..200, height in 1u32..90, seed: u32, walled in 0i32..200,
        x in -40f32..240.0, y in -40f32..140.0, whole: bool, any_region: bool,
    ) {
        let (x, y) = if whole { (x.floor(), y.floor()) } else { (x, y) };
        let mut map = random(width, height, seed);
        map.paint(CellRect::new(4, 4, walled, walled), true);
        let NavGrid { occupancy, regions } = map.nav(SizeClass::SMALLEST);
        let free = || {
            let cells = (0..height as i32).flat_map(|y| (0..width as i32).map(move |x| (x, y)));
            cells.filter(|&(x, y)| !occupancy.blocked(x, y))
        };
        // The region of the last free cell is often a small pocket.
        let last = free().next_back();
        let region = last.and_then(|(x, y)| regions.label(x, y)).filter(|_| !any_region);
        let distance = |&(cx, cy): &(i32, i32)| {
            let (dx, dy) = (f64::from(cx) + 0.5 - f64::from(x), f64::from(cy) + 0.5 - f64::from(y));
            dx * dx + dy * dy
        };
        let wanted = free()
            .filter(|&(x, y)| region.is_none() || regions.label(x, y) == region)
            .min_by(|a, b| distance(a).total_cmp(&distance(b)));
        prop_assert_eq!(map.nearest_free(SizeClass::SMALLEST, vec2(x, y), region), wanted);
    }

    #[test]
    fn edited_maps_are_as_built(
        seed: u32,
        edits in prop::collection::vec(
            (-5i32..150, -5i32..100, 0i32..40, 0i32..40, any::<bool>()), 1..12),
        classes in prop::collection::vec(1u8..30, 0..3), late in 0usize..12,
    ) {
        let mut map = random(140, 90, seed);
        for (index, (x, y, width, height, blocked)) in edits.into_iter().enumerate() {
            if index == late {
                classes.iter().for_each(|&class| map.ensure_class(SizeClass(class)));
            }
            let (before, revision) = (map.to_ascii(), map.revision());
            let changed = map.paint(CellRect::new(x, y, x + width, y + height), blocked);
            let after = map.to_ascii();
            let seen = before.chars().zip(after.chars()).filter(|(a, b)| a != b).count();
            prop_assert_eq!(changed as usize, seen);
            prop_assert_eq!(map.revision(), revision + u64::from(changed > 0));
            assert_as_built(&map);
        }
    }

    #[test]
    fn the_hash_forgets_the_way_of_edits(
        seed: u32,
        rects in prop::collection::vec((0i32..60, 0i32..60, 1i32..20, 1i32..20), 1..8),
    ) {
        // Every cell is opened first: over a wall of the map erasing does not undo painting.
        let mut map = random(60, 60, seed);
        map.paint(map.bounds(), false);
        let mut other = map.clone();
        let rects: Vec<_> = rects.into_iter()
            .map(|(x, y, width, height)| CellRect::new(x, y, x + width, y + height)).collect();
        let before = map.hash();
        rects.iter().for_each(|&rect| { map.paint(rect, true); });
        rects.iter().rev().for_each(|&rect| { other.paint(rect, true); });
        prop_assert_eq!(map.hash(), other.hash());
        rects.iter().for_each(|&rect| { map.paint(rect, false); });
        prop_assert_eq!(map.hash(), before);
    }
}
