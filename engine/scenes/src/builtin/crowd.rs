//! The default: a valley of six forts.

use super::{empty, go, riders, tanks, units, with_teams};
use crate::canvas::{Canvas, FORD, FREE, TREE, WALL, WATER};
use crate::scenario::{Expect, OrderEntry, Scenario, UnitEntry};

/// Size of the map, in cells.
const SIZE: [i32; 2] = [208, 132];
/// Forts: left and top edge of each; three above the valley, three below.
const FORTS: [[i32; 2]; 6] = [[6, 6], [82, 6], [158, 6], [158, 86], [82, 86], [6, 86]];
const NAMES: [&str; 6] = [
    "north_west",
    "north",
    "north_east",
    "south_east",
    "south",
    "south_west",
];
/// Width and height of a fort, walls among them.
const FORT: [i32; 2] = [44, 40];
/// Groups of 834 and 833, five thousand in all.
const COUNTS: [u32; 6] = [834, 833, 833, 834, 833, 833];
/// Riders and vehicles among them.
const RIDERS: u32 = 48;
const TANKS: u32 = 12;

pub(super) fn crowd() -> Scenario {
    let centre = |fort: [i32; 2]| {
        let middle = |i: usize| fort[i] as f32 + FORT[i] as f32 / 2.0;
        [middle(0) + 0.5, middle(1) + 0.5]
    };
    // On foot, behind them the riders, then the vehicles.
    let garrison = |i: usize| {
        let [x, y] = FORTS[i].map(|v| v as f32);
        let rows = |top: f32, bottom: f32| [x + 3.0, y + top, x + 41.0, y + bottom];
        let foot = COUNTS[i] - RIDERS - TANKS;
        [
            units(NAMES[i], foot, rows(3.0, 24.0)),
            riders(NAMES[i], RIDERS, rows(25.0, 31.0)),
            tanks(NAMES[i], TANKS, rows(32.0, 37.0)),
        ]
        .map(|entry| UnitEntry {
            speed: 5.0,
            speed_spread: 0.15,
            ..entry
        })
    };
    // Every garrison goes two forts on, clockwise. Those bound for a middle fort start later, when
    // the ones whose road leads through it are past.
    let march = |i: usize| {
        let [x, y] = centre(FORTS[(i + 2) % FORTS.len()]);
        let tick = if i % 3 == 2 { 120 } else { 0 };
        OrderEntry {
            tick,
            ..go(NAMES[i], x, y)
        }
    };
    Scenario {
        units: with_teams((0..FORTS.len()).flat_map(garrison).collect()),
        orders: (0..FORTS.len()).map(march).collect(),
        expect: Expect {
            arrived_min: Some(0.98),
            max_penetration: Some(0.8),
            ..Expect::default()
        },
        ..empty(valley().map(), 4500)
    }
}

fn valley() -> Canvas {
    let [width, height] = SIZE;
    let mut canvas = Canvas::walled(width, height);
    canvas
        .fill([0, 0, width, height], TREE)
        .fill([4, 4, width - 4, height - 4], FREE);
    // Woods grow in from the rim, and groves stand in the valley.
    for i in 0..40u16 {
        let t = f32::from(i) * 5.3;
        let deep = 1.0 + f32::from(i * 7 % 5);
        canvas.blob([t, 3.0], [4.0, deep], TREE);
        canvas.blob([t + 2.0, height as f32 - 3.0], [4.0, deep], TREE);
    }
    for [x, y, w, h] in [
        [28.0, 60.0, 5.0, 3.0],
        [180.0, 72.0, 5.0, 3.0],
        [140.0, 57.0, 3.5, 4.0],
        [68.0, 75.0, 3.5, 4.0],
        [66.0, 16.0, 4.0, 6.0],
        [142.0, 118.0, 4.0, 6.0],
    ] {
        canvas.blob([x, y], [w, h], TREE);
    }
    // The river comes down between the forts and bends through the valley; fords cross it.
    for i in 0..=height as u16 {
        let y = f32::from(i);
        let bend = libm::sinf(y * 0.047) * 9.0;
        canvas.blob([142.0 - y * 0.58 + bend, y], [4.0, 4.0], WATER);
    }
    for y in [[10, 34], [50, 82], [98, 122]] {
        for row in y[0]..y[1] {
            canvas.replace([0, row, width, row + 1], WATER, FORD);
        }
    }
    // Standing stones in two rows along the valley.
    for i in 0..12 {
        let x = 14 + i * 16;
        canvas
            .fill([x, 53, x + 2, 55], WALL)
            .fill([x + 6, 77, x + 8, 79], WALL);
    }
    for [x, y] in FORTS {
        fort(&mut canvas, x, y);
    }
    canvas
}

/// A walled square with a wide gate in the middle of each side and towers at its corners.
fn fort(canvas: &mut Canvas, x: i32, y: i32) {
    let [w, h] = FORT;
    canvas
        .fill([x - 2, y - 2, x + w + 2, y + h + 2], FREE)
        .room([x, y, x + w, y + h], 2);
    for [cx, cy] in [[x, y], [x + w, y], [x, y + h], [x + w, y + h]] {
        canvas.blob([cx as f32, cy as f32], [3.6, 3.6], WALL);
    }
    let (gx, gy) = (x + w / 2 - 7, y + h / 2 - 7);
    canvas
        .fill([gx, y - 2, gx + 14, y + 2], FREE)
        .fill([gx, y + h - 2, gx + 14, y + h + 2], FREE)
        .fill([x - 2, gy, x + 2, gy + 14], FREE)
        .fill([x + w - 2, gy, x + w + 2, gy + 14], FREE);
}
