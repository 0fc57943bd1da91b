//! Open ground.

use glam::Vec2;

use super::{Arrangement, RADIUS, go, order, scenario, to, units, unshifted};
use crate::canvas::{Canvas, TREE, WALL, WATER};
use crate::scenario::{GroupOrder, Scenario, UnitEntry};

pub(in crate::quality) fn open(a: Arrangement) -> Scenario {
    let map = Canvas::walled(110, 60).map();
    let crowd = units("crowd", 0, 300, [6.0, 18.0, 28.0, 42.0]);
    scenario(a, map, 3000, vec![crowd], vec![go("crowd", 86.5, 30.5)])
}

pub(in crate::quality) fn crossing(a: Arrangement) -> Scenario {
    let map = Canvas::walled(140, 104).map();
    let crowds = vec![
        units("east", 0, 500, [4.0, 33.0, 40.0, 67.0]),
        units("south", 1, 500, [53.0, 4.0, 87.0, 32.0]),
    ];
    let orders = vec![go("east", 116.5, 50.5), go("south", 70.5, 84.5)];
    scenario(a, map, 4000, crowds, orders)
}

pub(in crate::quality) fn large_crossing(a: Arrangement) -> Scenario {
    let map = Canvas::walled(256, 238).map();
    let crowds = vec![
        units("east", 0, 5000, [4.0, 82.0, 60.0, 138.0]),
        units("south", 1, 5000, [102.0, 4.0, 158.0, 60.0]),
    ];
    let orders = vec![go("east", 215.5, 110.5), go("south", 130.5, 197.5)];
    scenario(a, map, 8000, crowds, orders)
}

pub(in crate::quality) fn four_way(a: Arrangement) -> Scenario {
    let mut canvas = Canvas::walled(100, 100);
    for [x, y] in [[1, 1], [62, 1], [1, 62], [62, 62]] {
        canvas.fill([x, y, x + 37, y + 37], WALL);
    }
    let crowds = vec![
        units("east", 0, 100, [3.0, 40.0, 23.0, 60.0]),
        units("west", 1, 100, [77.0, 40.0, 97.0, 60.0]),
        units("south", 2, 100, [40.0, 3.0, 60.0, 23.0]),
        units("north", 3, 100, [40.0, 77.0, 60.0, 97.0]),
    ];
    let orders = vec![
        go("east", 88.5, 50.5),
        go("west", 11.5, 50.5),
        go("south", 50.5, 88.5),
        go("north", 50.5, 11.5),
    ];
    scenario(a, canvas.map(), 4000, crowds, orders)
}

/// `count` units on a circle, each sent to the opposite point.
pub(in crate::quality) fn circle_swap(a: Arrangement, count: u16, radius: f32) -> Scenario {
    let side = (2.0 * radius) as i32 + 12;
    let middle = Vec2::splat(side as f32 / 2.0);
    let point = |i: u16| {
        let angle = (f32::from(i) + a.turn()) / f32::from(count) * std::f32::consts::TAU;
        middle + Vec2::new(libm::cosf(angle), libm::sinf(angle)) * radius
    };
    let (mut crowd, mut orders) = (Vec::new(), Vec::new());
    for i in 0..count {
        let (name, at, goal) = (format!("u{i:03}"), point(i), point((i + count / 2) % count));
        let half = RADIUS + 0.01;
        let area = [at.x - half, at.y - half, at.x + half, at.y + half];
        crowd.push(units(&name, (i * 8 / count) as u8, 1, area));
        orders.push(go(&name, goal.x, goal.y));
    }
    unshifted(a, Canvas::walled(side, side).map(), 4000, crowd, orders)
}

pub(in crate::quality) fn parking(a: Arrangement) -> Scenario {
    let map = Canvas::walled(98, 50).map();
    let cars = units("cars", 0, 500, [5.0, 7.0, 39.0, 43.0]);
    scenario(a, map, 3000, vec![cars], vec![go("cars", 72.5, 25.5)])
}

pub(in crate::quality) fn mixed_sizes(a: Arrangement) -> Scenario {
    let sized = |group: &str, team, count, area, radius| UnitEntry {
        radius,
        ..units(group, team, count, area)
    };
    let crowds = vec![
        sized("east", 0, 150, [4.0, 20.0, 22.0, 34.0], 0.25),
        sized("east", 0, 100, [4.0, 37.0, 22.0, 50.0], RADIUS),
        sized("east", 0, 20, [4.0, 53.0, 22.0, 64.0], 0.8),
        sized("west", 1, 150, [88.0, 20.0, 106.0, 34.0], 0.25),
        sized("west", 1, 100, [88.0, 37.0, 106.0, 50.0], RADIUS),
        sized("west", 1, 20, [88.0, 53.0, 106.0, 64.0], 0.8),
    ];
    let orders = vec![go("east", 86.5, 42.5), go("west", 23.5, 42.5)];
    scenario(a, Canvas::walled(110, 84).map(), 4000, crowds, orders)
}

pub(in crate::quality) fn mixed_speeds(a: Arrangement) -> Scenario {
    let mixed = |group: &str, team, area| UnitEntry {
        speed_spread: 0.5,
        ..units(group, team, 250, area)
    };
    let crowds = vec![
        mixed("east", 0, [4.0, 26.0, 24.0, 54.0]),
        mixed("west", 1, [86.0, 26.0, 106.0, 54.0]),
    ];
    let orders = vec![go("east", 86.5, 40.5), go("west", 23.5, 40.5)];
    scenario(a, Canvas::walled(110, 80).map(), 5000, crowds, orders)
}

/// Turned back, stopped and sent on again on the way.
pub(in crate::quality) fn reorder(a: Arrangement) -> Scenario {
    let mut canvas = Canvas::walled(96, 54);
    canvas
        .blob([48.0, 27.0], [7.0, 5.0], WATER)
        .blob([30.0, 12.0], [4.0, 4.0], TREE)
        .blob([66.0, 42.0], [4.0, 4.0], TREE);
    let crowds = vec![
        units("red", 0, 150, [4.0, 4.0, 22.0, 22.0]),
        units("blue", 1, 150, [74.0, 32.0, 92.0, 50.0]),
    ];
    let orders = vec![
        go("red", 80.5, 40.5),
        go("blue", 14.5, 12.5),
        order(200, "red", to(14.5, 40.5)),
        order(350, "blue", GroupOrder::Stop),
        order(420, "red", to(80.5, 42.5)),
        order(420, "blue", to(80.5, 12.5)),
        order(650, "blue", to(14.5, 12.5)),
    ];
    scenario(a, canvas.map(), 4000, crowds, orders)
}
