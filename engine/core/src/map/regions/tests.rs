//! Regions against a plain flood fill, fresh and after edits.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;
use crate::map::Map;
use crate::map::SizeClass;

/// Labels by flood fill, numbered by first cells in row order.
fn flood(occupancy: &Occupancy) -> Vec<Option<u32>> {
    let (width, height) = (occupancy.width() as i32, occupancy.height() as i32);
    let mut labels = vec![None; (width * height) as usize];
    let mut next = 0;
    for start in 0..width * height {
        let mut stack = vec![(start % width, start / width)];
        let mut grown = false;
        while let Some((x, y)) = stack.pop() {
            if occupancy.blocked(x, y) || labels[(y * width + x) as usize].is_some() {
                continue;
            }
            labels[(y * width + x) as usize] = Some(next);
            grown = true;
            stack.extend([(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]);
        }
        next += u32::from(grown);
    }
    labels
}

fn labels(regions: &Regions, occupancy: &Occupancy) -> Vec<Option<u32>> {
    let (width, height) = (occupancy.width() as i32, occupancy.height() as i32);
    (0..height)
        .flat_map(|y| (0..width).map(move |x| (x, y)))
        .map(|(x, y)| regions.label(x, y))
        .collect()
}

/// Fails unless the labels part the cells as a flood fill does and sizes and count agree.
fn assert_exact(regions: &Regions, occupancy: &Occupancy) {
    let (ours, flooded) = (labels(regions, occupancy), flood(occupancy));
    let (mut names, mut sizes) = (BTreeMap::new(), BTreeMap::new());
    for (cell, (ours, flooded)) in ours.iter().zip(&flooded).enumerate() {
        assert_eq!(ours.is_some(), flooded.is_some(), "cell {cell}");
        if let (Some(ours), Some(flooded)) = (ours, flooded) {
            assert_eq!(
                names.entry(*flooded).or_insert(*ours),
                ours,
                "split at cell {cell}"
            );
            *sizes.entry(*ours).or_insert(0) += 1;
        }
    }
    assert_eq!(names.len(), sizes.len(), "two regions share a label");
    assert_eq!(regions.count(), sizes.len());
    assert_eq!(
        regions.largest(),
        sizes.values().copied().max().unwrap_or(0)
    );
    for (&label, &size) in &sizes {
        assert_eq!(regions.size(label), size);
    }
    let in_use = (0..regions.sizes.len() as u32).filter(|&label| regions.size(label) > 0);
    assert_eq!(in_use.count(), sizes.len());
    for part in regions.sectors.iter().flat_map(|sector| &sector.parts) {
        assert_eq!(part.mark, 0);
    }
}

fn random(width: u32, height: u32, percent: u32, mut seed: u32) -> Occupancy {
    let mut occupancy = Occupancy::new(width, height);
    for y in 0..height as i32 {
        for x in 0..width as i32 {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            occupancy.set(x, y, (seed >> 16) % 100 < percent);
        }
    }
    occupancy
}

#[test]
fn touching_corners_do_not_connect() {
    let map = Map::from_ascii("..#.\n.#..\n#...\n").unwrap();
    let regions = &map.nav(SizeClass::SMALLEST).regions;
    assert_eq!(regions.count(), 2);
    assert_eq!(
        (regions.label(0, 0), regions.label(3, 2)),
        (Some(0), Some(1))
    );
    assert_eq!(
        (
            regions.label(2, 0),
            regions.label(-1, 0),
            regions.label(0, 3)
        ),
        (None, None, None)
    );
    assert_eq!(
        (regions.size(0), regions.size(1), regions.size(2)),
        (3, 6, 0)
    );
}

#[test]
fn a_wall_across_many_sectors_splits_and_a_door_joins() {
    let mut occupancy = Occupancy::new(300, 200);
    let mut regions = Regions::build(&occupancy);
    let mut edit = |rect: CellRect, blocked, count| {
        occupancy.fill(rect, blocked);
        regions.update(&occupancy, rect);
        assert_exact(&regions, &occupancy);
        assert_eq!(regions.count(), count, "after {rect:?} {blocked}");
    };
    edit(CellRect::new(150, 0, 151, 200), true, 2);
    edit(CellRect::new(0, 64, 150, 65), true, 3);
    edit(CellRect::new(150, 10, 151, 11), false, 2);
    edit(CellRect::new(63, 64, 64, 65), false, 1);
    edit(CellRect::new(150, 10, 151, 11), true, 2);
    edit(CellRect::new(0, 0, 300, 200), true, 0);
    edit(CellRect::new(0, 0, 300, 200), false, 1);
}

#[test]
fn a_region_that_stays_keeps_its_label() {
    let mut occupancy = Occupancy::new(200, 200);
    occupancy.fill(CellRect::new(100, 0, 101, 200), true);
    let mut regions = Regions::build(&occupancy);
    let (left, right) = (regions.label(0, 0), regions.label(199, 0));
    let pocket = CellRect::new(20, 20, 40, 40);
    occupancy.fill(pocket, true);
    occupancy.fill(CellRect::new(21, 21, 39, 39), false);
    regions.update(&occupancy, pocket);
    assert_eq!((regions.label(0, 0), regions.label(199, 0)), (left, right));
    assert_ne!(regions.label(30, 30), left);
    assert_eq!(regions.count(), 3);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn a_fresh_build_numbers_regions_by_their_first_cells(
        width in 1u32..200, height in 1u32..150, percent in 0u32..80, seed: u32,
    ) {
        let occupancy = random(width, height, percent, seed);
        let regions = Regions::build(&occupancy);
        prop_assert_eq!(labels(&regions, &occupancy), flood(&occupancy));
        assert_exact(&regions, &occupancy);
    }

    #[test]
    fn edits_leave_what_a_fresh_build_would(
        percent in prop::sample::select(vec![0u32, 10, 35, 45, 60, 100]), seed: u32,
        edits in prop::collection::vec(
            (-5i32..200, -5i32..140, 1i32..90, 1i32..90, 0u32..4, any::<bool>()), 1..16),
    ) {
        let mut occupancy = random(195, 135, percent, seed);
        let mut regions = Regions::build(&occupancy);
        for (x, y, width, height, shape, blocked) in edits {
            let rect = match shape {
                0 => CellRect::new(x, y, x + 1, y + 1),
                1 => CellRect::new(x, y, x + 2 * width, y + 1),
                2 => CellRect::new(x, y, x + 1, y + 2 * height),
                _ => CellRect::new(x, y, x + width, y + height),
            };
            occupancy.fill(rect, blocked);
            regions.update(&occupancy, rect);
            assert_exact(&regions, &occupancy);
        }
    }
}

/// Gates measured afresh, and those kept.
fn assert_gates_exact(regions: &Regions, occupancy: &Occupancy) {
    let fresh = Regions::build(occupancy);
    for sector in 0..regions.sectors.len() {
        assert_eq!(
            regions.gates(occupancy, sector),
            fresh.gates(occupancy, sector),
            "sector {sector}"
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn gates_after_edits_are_those_of_a_fresh_build(
        seed: u32,
        percent in 0u32..40,
        edits in prop::collection::vec((0i32..200, 0i32..140, 1i32..70, 1i32..9, any::<bool>(), any::<bool>()), 1..8),
    ) {
        let mut occupancy = random(200, 140, percent, seed);
        let mut regions = Regions::build(&occupancy);
        for (x, y, long, short, across, blocked) in edits {
            // Those of every sector are known, so that a stale one would show.
            regions.measure_gates(&occupancy);
            let (w, h) = if across { (long, short) } else { (short, long) };
            if let Some(changed) = occupancy.rewrite(CellRect::new(x, y, x + w, y + h), |_, _| blocked) {
                regions.update(&occupancy, changed);
            }
            assert_gates_exact(&regions, &occupancy);
        }
    }
}

#[test]
fn an_edit_forgets_only_the_gates_of_its_sector_and_of_those_whose_border_it_touches() {
    let mut occupancy = Occupancy::new(640, 640);
    let mut regions = Regions::build(&occupancy);
    for (rect, touched) in [
        (CellRect::new(70, 70, 90, 90), 1),
        (CellRect::new(120, 70, 128, 80), 2),
        (CellRect::new(120, 120, 136, 136), 8),
    ] {
        regions.measure_gates(&occupancy);
        let changed = occupancy.rewrite(rect, |_, _| true).unwrap();
        regions.update(&occupancy, changed);
        let forgotten = regions
            .sectors
            .iter()
            .filter(|sector| sector.gates.get().is_none());
        assert!(forgotten.count() <= touched, "{rect:?}");
    }
}

#[test]
fn gates_are_as_far_apart_as_the_way_between_them() {
    // Two sectors side by side; a wall in the first makes the way from its lower gate long.
    let mut occupancy = Occupancy::new(128, 128);
    let regions = Regions::build(&occupancy);
    let open = regions.gates(&occupancy, 0).clone();
    // Right and bottom border, in the order of the links.
    assert_eq!(open.list.len(), 2);
    let diagonal = f32::from(open.length(0, 1));
    assert!((diagonal - 32.0 * 2.0f32.sqrt()).abs() < 2.0, "{diagonal}");
    occupancy.fill(CellRect::new(0, 40, 60, 42), true);
    let regions = Regions::build(&occupancy);
    let walled = regions.gates(&occupancy, 0);
    assert!(walled.length(0, 1) > open.length(0, 1));
    assert_eq!(walled.length(0, 1), walled.length(1, 0));
}

#[test]
fn labels_are_said_to_change_whenever_they_do() {
    let mut occupancy = random(150, 130, 35, 4);
    let mut regions = Regions::build(&occupancy);
    for step in 0..200u32 {
        let draw = step.wrapping_mul(2_654_435_761);
        let (x, y) = ((draw >> 8) % 150, (draw >> 20) % 130);
        let rect = CellRect::new(x as i32, y as i32, x as i32 + 3, y as i32 + 2);
        let (before, changes) = (labels(&regions, &occupancy), regions.changes());
        if let Some(changed) = occupancy.rewrite(rect, |_, _| step % 2 == 0) {
            regions.update(&occupancy, changed);
        }
        let after = labels(&regions, &occupancy);
        let differ = before
            .iter()
            .zip(&after)
            .any(|(a, b)| a.is_some() && b.is_some() && a != b);
        assert!(!differ || regions.changes() > changes, "step {step}");
    }
}
