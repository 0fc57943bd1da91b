//! Plain grounds that each ask one thing of a crowd.

use glam::Vec2;

use super::{empty, go, order, units, with_teams};
use crate::canvas::{Canvas, FREE, TREE, WALL, WATER};
use crate::scenario::{EditEntry, Expect, GroupOrder, OrderEntry, Scenario};

/// All come home and none into a wall.
fn all_home(arrived: f64, penetration: f64) -> Expect {
    Expect {
        arrived_min: Some(arrived),
        reached_min: Some(arrived),
        max_penetration: Some(penetration),
        ..Expect::default()
    }
}

pub(super) fn crossing() -> Scenario {
    Scenario {
        units: with_teams(vec![
            units("east", 500, [4.0, 33.0, 40.0, 67.0]),
            units("south", 500, [53.0, 4.0, 87.0, 32.0]),
        ]),
        orders: vec![go("east", 116.5, 50.5), go("south", 70.5, 84.5)],
        expect: all_home(0.99, 0.5),
        ..empty(Canvas::walled(140, 104).map(), 3000)
    }
}

pub(super) fn four_way() -> Scenario {
    let mut canvas = Canvas::walled(100, 100);
    for corner in [[1, 1], [62, 1], [1, 62], [62, 62]] {
        let [x, y] = corner;
        canvas.fill([x, y, x + 37, y + 37], WALL);
        canvas.fill([x + 5, y + 5, x + 32, y + 32], TREE);
    }
    Scenario {
        units: with_teams(vec![
            units("east", 80, [2.0, 39.0, 22.0, 61.0]),
            units("west", 80, [78.0, 39.0, 98.0, 61.0]),
            units("south", 80, [39.0, 2.0, 61.0, 22.0]),
            units("north", 80, [39.0, 78.0, 61.0, 98.0]),
        ]),
        orders: vec![
            go("east", 88.5, 50.5),
            go("west", 11.5, 50.5),
            go("south", 50.5, 88.5),
            go("north", 50.5, 11.5),
        ],
        expect: all_home(0.98, 0.6),
        ..empty(canvas.map(), 3000)
    }
}

pub(super) fn circle_swap() -> Scenario {
    const COUNT: u16 = 64;
    let point = |i: u16| {
        let angle = f32::from(i) / f32::from(COUNT) * std::f32::consts::TAU;
        Vec2::new(libm::cosf(angle), libm::sinf(angle)) * 16.0 + 22.0
    };
    let mut scenario = Scenario {
        expect: all_home(1.0, 0.5),
        ..empty(Canvas::walled(44, 44).map(), 1200)
    };
    for i in 0..COUNT {
        let (name, at, to) = (format!("u{i:02}"), point(i), point((i + COUNT / 2) % COUNT));
        let area = [at.x - 0.36, at.y - 0.36, at.x + 0.36, at.y + 0.36];
        let mut unit = units(&name, 1, area);
        unit.team = (i / 8) as u8;
        scenario.units.push(unit);
        scenario.orders.push(go(&name, to.x, to.y));
    }
    scenario
}

pub(super) fn gap() -> Scenario {
    let mut canvas = Canvas::walled(72, 36);
    canvas
        .fill([36, 1, 38, 35], WALL)
        .fill([36, 18, 38, 19], FREE);
    Scenario {
        units: vec![units("queue", 300, [4.0, 6.0, 30.0, 30.0])],
        orders: vec![go("queue", 56.5, 18.5)],
        expect: all_home(0.99, 0.6),
        ..empty(canvas.map(), 4500)
    }
}

pub(super) fn two_way_gap() -> Scenario {
    let mut canvas = Canvas::walled(84, 40);
    canvas
        .fill([41, 1, 43, 39], WALL)
        .fill([41, 18, 43, 22], FREE);
    Scenario {
        units: with_teams(vec![
            units("east", 200, [4.0, 8.0, 30.0, 32.0]),
            units("west", 200, [54.0, 8.0, 80.0, 32.0]),
        ]),
        orders: vec![go("east", 66.5, 20.5), go("west", 17.5, 20.5)],
        expect: all_home(0.98, 0.6),
        ..empty(canvas.map(), 5000)
    }
}

pub(super) fn counterflow() -> Scenario {
    let mut canvas = Canvas::walled(110, 34);
    canvas
        .fill([32, 1, 78, 13], WALL)
        .fill([32, 21, 78, 33], WALL);
    canvas
        .fill([34, 3, 76, 11], TREE)
        .fill([34, 23, 76, 31], TREE);
    Scenario {
        units: with_teams(vec![
            units("east", 150, [3.0, 8.0, 25.0, 26.0]),
            units("west", 150, [85.0, 8.0, 107.0, 26.0]),
        ]),
        orders: vec![go("east", 94.5, 17.5), go("west", 15.5, 17.5)],
        expect: all_home(0.98, 0.6),
        ..empty(canvas.map(), 3600)
    }
}

pub(super) fn corner() -> Scenario {
    let mut canvas = Canvas::walled(64, 64);
    canvas.fill([1, 1, 44, 44], WALL).fill([4, 4, 41, 41], TREE);
    Scenario {
        units: vec![units("crowd", 200, [3.0, 45.0, 26.0, 63.0])],
        orders: vec![go("crowd", 53.5, 12.5)],
        expect: all_home(0.99, 0.5),
        ..empty(canvas.map(), 2800)
    }
}

pub(super) fn parking() -> Scenario {
    Scenario {
        units: vec![units("cars", 500, [4.0, 6.0, 40.0, 44.0])],
        orders: vec![go("cars", 72.5, 25.5)],
        expect: all_home(1.0, 0.5),
        ..empty(Canvas::walled(98, 50).map(), 1800)
    }
}

pub(super) fn door_switch() -> Scenario {
    let mut canvas = Canvas::walled(60, 36);
    canvas.fill([29, 1, 31, 35], WALL);
    canvas
        .fill([29, 7, 31, 12], FREE)
        .fill([29, 25, 31, 30], FREE);
    let door = |tick, top: f32, blocked| EditEntry {
        tick,
        rect: [29.0, top, 31.0, top + 5.0],
        blocked,
    };
    Scenario {
        units: vec![units("crowd", 120, [3.0, 3.0, 20.0, 20.0])],
        orders: vec![go("crowd", 46.5, 18.5)],
        edits: vec![
            door(0, 25.0, true),
            door(150, 7.0, true),
            door(150, 25.0, false),
        ],
        expect: all_home(0.99, 0.6),
        ..empty(canvas.map(), 2400)
    }
}

pub(super) fn reorder() -> Scenario {
    let mut canvas = Canvas::walled(96, 54);
    canvas
        .blob([48.0, 27.0], [7.0, 5.0], WATER)
        .blob([30.0, 12.0], [4.0, 4.0], TREE)
        .blob([66.0, 42.0], [4.0, 4.0], TREE);
    let to = |x, y| GroupOrder::Move {
        to: Vec2::new(x, y),
    };
    let then = |units: &str, x, y| OrderEntry {
        queue: true,
        ..order(420, units, to(x, y))
    };
    Scenario {
        units: with_teams(vec![
            units("red", 150, [3.0, 3.0, 22.0, 22.0]),
            units("blue", 150, [74.0, 32.0, 93.0, 51.0]),
        ]),
        orders: vec![
            go("red", 80.5, 40.5),
            go("blue", 14.5, 12.5),
            order(150, "red", to(14.5, 40.5)),
            order(300, "blue", GroupOrder::Hold),
            order(360, "red", GroupOrder::Stop),
            order(420, "red", to(14.5, 42.5)),
            then("red", 48.5, 42.5),
            then("red", 82.5, 42.5),
            order(420, "blue", to(82.5, 12.5)),
            then("blue", 48.5, 12.5),
            then("blue", 14.5, 12.5),
        ],
        expect: all_home(0.99, 0.6),
        ..empty(canvas.map(), 3000)
    }
}

pub(super) fn islands() -> Scenario {
    let mut canvas = Canvas::walled(80, 40);
    canvas
        .fill([34, 1, 46, 39], WATER)
        .blob([34.0, 12.0], [6.0, 7.0], WATER)
        .blob([46.0, 28.0], [6.0, 7.0], WATER);
    Scenario {
        units: with_teams(vec![
            units("castaways", 80, [4.0, 12.0, 20.0, 28.0]),
            units("walkers", 40, [56.0, 4.0, 68.0, 14.0]),
        ]),
        orders: vec![go("castaways", 60.5, 28.5), go("walkers", 66.5, 30.5)],
        ..empty(canvas.map(), 1200)
    }
}
