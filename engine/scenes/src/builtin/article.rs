//! From one unit that walks into a wall to a crowd after the pointer, a step at a time.

use glam::Vec2;
use throng::{Mover, Steering};

use super::{empty, go, units};
use crate::canvas::{Canvas, TREE, WALL, WATER};
use crate::scenario::{Pointer, Scenario, UnitEntry};

/// Sprites that turn at once: until step 5.
fn snapping() -> Steering {
    Steering {
        turn_rate: 1.0,
        ..Steering::default()
    }
}

/// A yard with a wall across its middle, open at both ends.
fn yard() -> Canvas {
    let mut canvas = Canvas::walled(48, 27);
    canvas.fill([22, 5, 24, 20], WALL);
    canvas
}

/// Ground with rocks, trees and ponds.
fn garden() -> Canvas {
    let mut canvas = Canvas::walled(64, 36);
    canvas
        .blob([15.0, 10.0], [4.0, 3.0], WALL)
        .blob([32.0, 26.0], [5.5, 2.6], WATER)
        .blob([48.0, 9.5], [3.0, 3.4], WALL)
        .blob([30.0, 9.0], [2.6, 2.2], TREE)
        .blob([13.0, 26.0], [2.4, 3.0], TREE)
        .blob([51.0, 25.0], [3.4, 2.2], WALL)
        .fill([39, 15, 41, 21], WALL)
        .fill([22, 16, 25, 18], WALL);
    canvas
}

/// A lap round the garden with sharp corners.
fn lap(group: &str, ticks: u64) -> Pointer {
    let corners = [
        [8.0, 6.0],
        [40.0, 5.0],
        [57.0, 16.0],
        [44.0, 30.0],
        [22.0, 22.0],
        [6.0, 31.0],
        [7.0, 17.0],
    ];
    Pointer {
        units: group.to_owned(),
        path: corners.map(Vec2::from).to_vec(),
        lap: ticks,
    }
}

fn one(mover: Mover, canvas: &Canvas, ticks: u64) -> Scenario {
    Scenario {
        mover,
        steering: snapping(),
        units: vec![units("unit", 1, [6.0, 12.0, 8.0, 14.0])],
        ..empty(canvas.map(), ticks)
    }
}

pub(super) fn wall() -> Scenario {
    Scenario {
        orders: vec![go("unit", 41.5, 13.5)],
        ..one(Mover::Polar, &yard(), 300)
    }
}

pub(super) fn slide() -> Scenario {
    let mut canvas = yard();
    canvas.fill([15, 18, 22, 20], WALL);
    Scenario {
        orders: vec![go("unit", 41.5, 22.5)],
        ..one(Mover::Slide, &canvas, 400)
    }
}

pub(super) fn polar() -> Scenario {
    Scenario {
        pointers: vec![lap("unit", 1200)],
        ..one(Mover::Polar, &Canvas::walled(64, 36), 1200)
    }
}

pub(super) fn scan() -> Scenario {
    Scenario {
        orders: vec![go("unit", 41.5, 13.5)],
        ..one(Mover::Scan, &yard(), 700)
    }
}

pub(super) fn turning() -> Scenario {
    Scenario {
        steering: Steering::default(),
        pointers: vec![lap("unit", 1200)],
        ..one(Mover::Scan, &garden(), 1200)
    }
}

pub(super) fn many() -> Scenario {
    Scenario {
        mover: Mover::Scan,
        units: vec![units("chasers", 20, [3.0, 14.0, 11.0, 22.0])],
        pointers: vec![lap("chasers", 1400)],
        ..empty(garden().map(), 1400)
    }
}

pub(super) fn article() -> Scenario {
    Scenario {
        mover: Mover::Scan,
        units: vec![chasers(50, [2.0, 13.0, 12.0, 23.0])],
        pointers: vec![lap("chasers", 1500)],
        ..empty(garden().map(), 1500)
    }
}

pub(super) fn five_thousand() -> Scenario {
    wide_country(1, 5000)
}

pub(super) fn fifty_thousand() -> Scenario {
    wide_country(3, 50_000)
}

/// Chasers on ground with rocks, woods and lakes, `times` as wide and high as the smallest.
fn wide_country(times: u16, count: u32) -> Scenario {
    let times_f = f32::from(times);
    let (width, height) = (192 * i32::from(times), 108 * i32::from(times));
    let mut canvas = Canvas::walled(width, height);
    for i in 0..24 * times * times {
        let (column, row) = (f32::from(i % (6 * times)), f32::from(i / (6 * times)));
        let nudge = f32::from(i * 7 % 5) - 2.0;
        let letter = [WALL, TREE, WATER][usize::from(i % 3)];
        let centre = [22.0 + 29.0 * column + nudge, 17.0 + 24.0 * row - nudge];
        canvas.blob(centre, [5.0 + nudge.abs(), 6.0 - nudge.abs()], letter);
    }
    let corners = [
        [20.0, 30.0],
        [96.0, 54.0],
        [170.0, 28.0],
        [176.0, 80.0],
        [96.0, 54.0],
        [18.0, 82.0],
    ];
    let area = [60.0, 20.0, 132.0, 88.0].map(|edge| edge * times_f);
    Scenario {
        units: vec![chasers(count, area)],
        pointers: vec![Pointer {
            units: "chasers".to_owned(),
            path: corners.map(|at| Vec2::from(at) * times_f).to_vec(),
            lap: 3000 * u64::from(times),
        }],
        ..empty(canvas.map(), 1500)
    }
}

/// Units of very different speeds.
fn chasers(count: u32, area: [f32; 4]) -> UnitEntry {
    UnitEntry {
        speed: 4.0,
        speed_spread: 0.6,
        ..units("chasers", count, area)
    }
}
