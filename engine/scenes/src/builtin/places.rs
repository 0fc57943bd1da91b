//! Grounds that ask for a way: a pocket, a maze, clutter, rooms.

use super::{empty, go, units, with_teams};
use crate::canvas::{Canvas, FREE, TREE, WALL};
use crate::hash;
use crate::scenario::{Expect, Scenario, UnitEntry};

/// Seed of the maps drawn at random.
const MAP_SEED: u64 = 20_080_515;

fn home(arrived: f64) -> Expect {
    Expect {
        arrived_min: Some(arrived),
        max_penetration: Some(0.8),
        ..Expect::default()
    }
}

pub(super) fn u_trap() -> Scenario {
    let mut canvas = Canvas::walled(80, 50);
    canvas
        .fill([20, 12, 42, 14], WALL)
        .fill([20, 36, 42, 38], WALL)
        .fill([40, 12, 42, 38], WALL);
    Scenario {
        units: vec![units("trapped", 200, [22.0, 15.0, 39.0, 35.0])],
        orders: vec![go("trapped", 64.5, 25.5)],
        expect: home(0.99),
        ..empty(canvas.map(), 2000)
    }
}

/// A perfect maze of passages `WAY` wide, by depth-first digging.
pub(super) fn maze() -> Scenario {
    const WAY: i32 = 5;
    const PITCH: i32 = WAY + 1;
    const SIDE: i32 = 13;
    let size = SIDE * PITCH + 1;
    let mut canvas = Canvas::walled(size, size);
    canvas.fill([0, 0, size, size], WALL);
    let room = |x: i32, y: i32| {
        [
            x * PITCH + 1,
            y * PITCH + 1,
            x * PITCH + PITCH,
            y * PITCH + PITCH,
        ]
    };
    let mut seen = vec![false; (SIDE * SIDE) as usize];
    let mut stack = vec![(0, 0)];
    seen[0] = true;
    canvas.fill(room(0, 0), FREE);
    let mut draws = 0;
    while let Some(&(x, y)) = stack.last() {
        let ways: Vec<(i32, i32)> = [(1, 0), (0, 1), (-1, 0), (0, -1)]
            .into_iter()
            .map(|(dx, dy)| (x + dx, y + dy))
            .filter(|(u, v)| (0..SIDE).contains(u) && (0..SIDE).contains(v))
            .filter(|(u, v)| !seen[(v * SIDE + u) as usize])
            .collect();
        if ways.is_empty() {
            stack.pop();
            continue;
        }
        draws += 1;
        let (u, v) = ways[(hash::draw(MAP_SEED, draws) % ways.len() as u64) as usize];
        seen[(v * SIDE + u) as usize] = true;
        let [a, b] = [room(x.min(u), y.min(v)), room(x.max(u), y.max(v))];
        canvas.fill([a[0], a[1], b[2], b[3]], FREE);
        stack.push((u, v));
    }
    let far = (size - 4) as f32;
    let span = (5 * PITCH) as f32;
    Scenario {
        units: with_teams(vec![
            units("a", 150, [1.0, 1.0, span, span]),
            units("b", 150, [1.0, far - span, span, far + 3.0]),
        ]),
        orders: vec![go("a", far - 0.5, far - 0.5), go("b", far - 0.5, 3.5)],
        expect: home(0.98),
        ..empty(canvas.map(), 6000)
    }
}

pub(super) fn clutter() -> Scenario {
    let mut canvas = Canvas::walled(200, 200);
    canvas.sprinkle([1, 1, 199, 199], MAP_SEED, 0.06, WALL);
    canvas.sprinkle([1, 1, 199, 199], MAP_SEED + 1, 0.065, TREE);
    canvas.blob([100.0, 100.0], [31.0, 31.0], FREE);
    let corner = |name: &str, x: f32, y: f32| units(name, 375, [x, y, x + 50.0, y + 50.0]);
    let names = ["nw", "ne", "sw", "se"];
    Scenario {
        units: with_teams(vec![
            corner(names[0], 2.0, 2.0),
            corner(names[1], 148.0, 2.0),
            corner(names[2], 2.0, 148.0),
            corner(names[3], 148.0, 148.0),
        ]),
        orders: names.map(|n| go(n, 100.5, 100.5)).to_vec(),
        expect: home(0.98),
        ..empty(canvas.map(), 4500)
    }
}

/// Sixteen rooms with two doors in every wall between them.
pub(super) fn rooms() -> Scenario {
    const SIDE: i32 = 28;
    let mut canvas = Canvas::walled(4 * SIDE + 1, 4 * SIDE + 1);
    for i in 1..4 {
        canvas.fill([i * SIDE, 1, i * SIDE + 1, 4 * SIDE], WALL);
        canvas.fill([1, i * SIDE, 4 * SIDE, i * SIDE + 1], WALL);
    }
    for i in 1..4 {
        for j in 0..4 {
            for door in 0..2 {
                let draw = hash::draw(MAP_SEED, (i * 16 + j * 2 + door) as u64);
                let at = j * SIDE + 3 + door * 13 + (draw % 5) as i32;
                canvas.fill([i * SIDE, at, i * SIDE + 1, at + 6], FREE);
                canvas.fill([at, i * SIDE, at + 6, i * SIDE + 1], FREE);
            }
        }
    }
    let side = SIDE as f32;
    let from = |name: &str, x: f32, y: f32| -> UnitEntry {
        let (x, y) = (x * side, y * side);
        units(
            name,
            250,
            [x + 2.0, y + 2.0, x + side - 1.0, y + side - 1.0],
        )
    };
    let middle = |i: f32| i * side + side / 2.0;
    Scenario {
        units: with_teams(vec![
            from("nw", 0.0, 0.0),
            from("ne", 3.0, 0.0),
            from("se", 3.0, 3.0),
            from("sw", 0.0, 3.0),
        ]),
        orders: vec![
            go("nw", middle(3.0), middle(0.0)),
            go("ne", middle(3.0), middle(3.0)),
            go("se", middle(0.0), middle(3.0)),
            go("sw", middle(0.0), middle(0.0)),
        ],
        expect: home(0.98),
        ..empty(canvas.map(), 3600)
    }
}
