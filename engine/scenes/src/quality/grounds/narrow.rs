//! Passages and corners.

use super::{Arrangement, go, order, scenario, to, units};
use crate::canvas::{Canvas, FREE, TREE, WALL, WATER};
use crate::scenario::{GroupOrder, Scenario};

/// Two rooms joined by a corridor of 30 cells.
fn corridor(lanes: i32, room: [i32; 2]) -> Canvas {
    let [width, height] = room;
    let mut canvas = Canvas::walled(2 * width + 30, height);
    canvas.fill([width, 1, width + 30, height - 1], WALL);
    let top = (height - lanes) / 2;
    canvas.fill([width, top, width + 30, top + lanes], FREE);
    canvas
}

/// `count` each way through a corridor of `lanes` cells.
pub(in crate::quality) fn counterflow(a: Arrangement, lanes: i32, count: u32) -> Scenario {
    let (width, height) = match lanes {
        2 => (20, 20),
        4 => (26, 28),
        _ => (36, 36),
    };
    let (w, h) = (width as f32, height as f32);
    let right = 2.0 * w + 30.0;
    // Half of a room to start in, the other half stays free to come to.
    let crowds = vec![
        units("east", 0, count, [3.0, 3.0, w * 0.5, h - 3.0]),
        units(
            "west",
            1,
            count,
            [right - w * 0.5, 3.0, right - 3.0, h - 3.0],
        ),
    ];
    let orders = vec![
        go("east", right - w * 0.5, h / 2.0),
        go("west", w * 0.5, h / 2.0),
    ];
    scenario(
        a,
        corridor(lanes, [width, height]).map(),
        5000,
        crowds,
        orders,
    )
}

/// Four each way through a corridor one cell wide with one bay to pass in.
pub(in crate::quality) fn counterflow_bay(a: Arrangement) -> Scenario {
    let mut canvas = corridor(1, [16, 15]);
    canvas.fill([29, 6, 33, 7], FREE);
    let crowds = vec![
        units("east", 0, 4, [4.0, 5.0, 8.0, 10.0]),
        units("west", 1, 4, [54.0, 5.0, 58.0, 10.0]),
    ];
    let orders = vec![go("east", 54.5, 7.5), go("west", 7.5, 7.5)];
    scenario(a, canvas.map(), 4000, crowds, orders)
}

/// Two halls and a wall between them with a gap of `lanes` cells in it.
fn halls(lanes: i32) -> Canvas {
    let mut canvas = Canvas::walled(112, 50);
    let top = 25 - lanes / 2;
    canvas
        .fill([55, 1, 57, 49], WALL)
        .fill([55, top, 57, top + lanes], FREE);
    canvas
}

/// The middle of the halls, in the gap.
pub(in crate::quality) const GATE: f32 = 56.0;

pub(in crate::quality) fn gap_one_way(a: Arrangement, lanes: i32, ticks: u64) -> Scenario {
    let queue = units("queue", 0, 1000, [6.0, 6.0, 40.0, 44.0]);
    let orders = vec![go("queue", 88.5, 25.5)];
    scenario(a, halls(lanes).map(), ticks, vec![queue], orders)
}

pub(in crate::quality) fn gap_two_way(a: Arrangement, lanes: i32) -> Scenario {
    let crowds = vec![
        units("east", 0, 500, [6.0, 9.0, 32.0, 41.0]),
        units("west", 1, 500, [80.0, 9.0, 106.0, 41.0]),
    ];
    let orders = vec![go("east", 93.5, 25.5), go("west", 18.5, 25.5)];
    scenario(a, halls(lanes).map(), 16_000, crowds, orders)
}

pub(in crate::quality) fn corner(a: Arrangement) -> Scenario {
    let mut canvas = Canvas::walled(64, 64);
    canvas.fill([1, 1, 44, 44], WALL).fill([4, 4, 41, 41], TREE);
    let crowd = units("crowd", 0, 200, [3.0, 46.0, 26.0, 62.0]);
    let orders = vec![go("crowd", 53.5, 12.5)];
    scenario(a, canvas.map(), 4000, vec![crowd], orders)
}

/// A pocket that opens away from the goal.
pub(in crate::quality) fn u_trap(a: Arrangement) -> Scenario {
    let mut canvas = Canvas::walled(84, 50);
    canvas
        .fill([20, 11, 44, 13], WALL)
        .fill([20, 37, 44, 39], WALL)
        .fill([42, 11, 44, 39], WALL);
    let crowd = units("trapped", 0, 200, [23.0, 15.0, 40.0, 35.0]);
    let orders = vec![go("trapped", 66.5, 25.5)];
    scenario(a, canvas.map(), 4000, vec![crowd], orders)
}

/// A river and one bridge, six cells wide, for both directions.
pub(in crate::quality) fn bridge(a: Arrangement) -> Scenario {
    let mut canvas = Canvas::walled(100, 50);
    canvas
        .fill([42, 1, 58, 49], WATER)
        .blob([42.0, 9.0], [5.0, 6.0], WATER)
        .blob([58.0, 41.0], [5.0, 6.0], WATER)
        .fill([42, 22, 58, 28], FREE);
    let crowds = vec![
        units("east", 0, 200, [5.0, 12.0, 25.0, 38.0]),
        units("west", 1, 200, [75.0, 12.0, 95.0, 38.0]),
    ];
    let orders = vec![go("east", 82.5, 25.5), go("west", 17.5, 25.5)];
    scenario(a, canvas.map(), 6000, crowds, orders)
}

/// Where the enemies of [`enemy_block`] would have got through, behind the pass.
pub(in crate::quality) const BEHIND_PASS: f32 = 43.0;

/// Eight hold a pass of six cells against sixty enemies who are ordered through it.
pub(in crate::quality) fn enemy_block(a: Arrangement) -> Scenario {
    let mut canvas = Canvas::walled(80, 40);
    canvas
        .fill([38, 1, 42, 39], WALL)
        .fill([38, 17, 42, 23], FREE);
    // In the mouth of the pass, one row that closes it: placed by the walls, so it is not shifted.
    let mut scenario = scenario(
        a,
        canvas.map(),
        2500,
        vec![
            units("enemies", 1, 60, [5.0, 12.0, 21.0, 28.0]),
            units("guards", 0, 8, [39.6, 17.0, 40.4, 23.0]),
        ],
        vec![
            order(0, "guards", GroupOrder::Hold),
            order(0, "enemies", to(66.5, 20.5)),
        ],
    );
    scenario.units[1].area = [39.6, 17.0, 40.4, 23.0];
    scenario
}
