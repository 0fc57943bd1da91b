//! What state machines and orders do: wandering, chasing, fighting, guarding, marching.

use glam::Vec2;
use throng::{Formation, Stance};

use super::{empty, order, riders, tanks, units, with_teams};
use crate::canvas::{Canvas, FREE, TREE, WATER};
use crate::scenario::{BrainKind, Expect, Fighter, GroupOrder, OrderEntry, Scenario, UnitEntry};

fn swordsman() -> Fighter {
    Fighter {
        damage: 8.0,
        ..Fighter::default()
    }
}

fn to(x: f32, y: f32) -> Vec2 {
    Vec2::new(x, y)
}

pub(super) fn wander_hall() -> Scenario {
    let mut canvas = Canvas::walled(36, 22);
    for x in (5..32).step_by(5) {
        for y in (4..20).step_by(4) {
            canvas.fill([x, y, x + 1, y + 1], TREE);
        }
    }
    let wander = |entry| UnitEntry {
        brain: BrainKind::Wander,
        ..entry
    };
    Scenario {
        units: vec![
            wander(units("wanderers", 42, [6.0, 1.0, 21.0, 21.0])),
            wander(riders("wanderers", 12, [21.0, 1.0, 28.0, 21.0])),
            wander(tanks("wanderers", 6, [28.0, 1.0, 35.0, 21.0])),
            units("walkers", 10, [1.0, 8.0, 5.0, 14.0]),
        ],
        orders: vec![order(
            150,
            "walkers",
            GroupOrder::Move { to: to(33.5, 11.5) },
        )],
        expect: Expect {
            arrived_min: Some(1.0),
            max_penetration: Some(0.25),
            ..Expect::default()
        },
        ..empty(canvas.map(), 4000)
    }
}

pub(super) fn chase_wall() -> Scenario {
    let mut canvas = Canvas::walled(60, 40);
    canvas.fill([29, 1, 31, 34], TREE);
    let mut orders: Vec<OrderEntry> = (0..10)
        .map(|i| {
            let y = if i % 2 == 0 { 20.5 } else { 4.5 };
            order(i * 120, "fugitive", GroupOrder::Move { to: to(42.5, y) })
        })
        .collect();
    let target = "fugitive".to_owned();
    orders.push(order(1, "hunters", GroupOrder::Chase { target }));
    Scenario {
        units: with_teams(vec![
            units("hunters", 40, [4.0, 4.0, 16.0, 16.0]),
            units("fugitive", 1, [42.0, 12.0, 43.0, 13.0]),
        ]),
        orders,
        ..empty(canvas.map(), 1500)
    }
}

pub(super) fn battle() -> Scenario {
    let mut canvas = Canvas::walled(160, 110);
    canvas
        .blob([80.0, 30.0], [5.0, 8.0], WATER)
        .blob([80.0, 82.0], [5.0, 8.0], TREE);
    // Boxes of the left army; those of the right one mirror them.
    let side = |[x0, y0, x1, y1]: [f32; 4], right: bool| {
        if right {
            [160.0 - x1, y0, 160.0 - x0, y1]
        } else {
            [x0, y0, x1, y1]
        }
    };
    let army = |name: &'static str, right: bool| {
        let foot = units(name, 1600, side([20.0, 25.0, 50.0, 85.0], right));
        let wings = [[24.0, 12.0, 50.0, 23.0], [24.0, 87.0, 50.0, 98.0]]
            .map(|wing| riders(name, 160, side(wing, right)));
        let guns = tanks(name, 80, side([10.0, 30.0, 18.0, 80.0], right));
        let soldier = Fighter {
            damage: 34.0,
            ..Fighter::default()
        };
        let armed = |entry, speed, fighter| UnitEntry {
            brain: BrainKind::Attack,
            speed,
            fighter,
            ..entry
        };
        let [upper, lower] = wings.map(|wing| armed(wing, 4.2, soldier));
        let gunner = Fighter {
            health: 250.0,
            damage: 60.0,
            range: 5.0,
            ..soldier
        };
        [
            armed(foot, 3.0, soldier),
            upper,
            lower,
            armed(guns, 2.7, gunner),
        ]
    };
    Scenario {
        units: with_teams([army("red", false), army("blue", true)].concat()),
        ..empty(canvas.map(), 6000)
    }
}

pub(super) fn patrol() -> Scenario {
    let mut canvas = Canvas::walled(70, 50);
    canvas
        .fill([30, 20, 40, 30], TREE)
        .fill([31, 21, 39, 29], FREE);
    canvas.fill([34, 29, 36, 30], FREE);
    let patrol = |name: &str, area, x, y| UnitEntry {
        brain: BrainKind::Patrol,
        patrol_to: Some(to(x, y)),
        fighter: swordsman(),
        ..units(name, 6, area)
    };
    let raid = |tick, x, y| order(tick, "raiders", GroupOrder::Move { to: to(x, y) });
    Scenario {
        units: vec![
            UnitEntry {
                brain: BrainKind::Guard,
                fighter: swordsman(),
                ..units("guards", 12, [32.0, 31.0, 38.0, 34.0])
            },
            patrol("north", [20.0, 14.0, 24.0, 17.0], 48.5, 15.5),
            patrol("south", [20.0, 40.0, 24.0, 43.0], 48.5, 41.5),
            UnitEntry {
                team: 1,
                speed: 3.6,
                fighter: Fighter {
                    health: 300.0,
                    stance: Stance::Passive,
                    ..Fighter::default()
                },
                ..units("raiders", 4, [60.0, 30.0, 63.0, 34.0])
            },
        ],
        orders: vec![
            raid(0, 42.5, 33.5),
            raid(300, 64.5, 44.5),
            raid(700, 44.5, 20.5),
            raid(1000, 64.5, 5.5),
        ],
        ..empty(canvas.map(), 1800)
    }
}

pub(super) fn formation() -> Scenario {
    let mut canvas = Canvas::walled(110, 60);
    canvas
        .fill([52, 1, 56, 26], TREE)
        .fill([52, 34, 56, 59], TREE);
    let march = |name: &str, formation, y| {
        order(
            0,
            name,
            GroupOrder::March {
                to: to(90.5, y),
                formation,
                facing: Some(0.0),
                common_speed: true,
            },
        )
    };
    Scenario {
        units: vec![
            units("box", 49, [4.0, 6.0, 20.0, 18.0]),
            units("wedge", 36, [4.0, 24.0, 20.0, 36.0]),
            UnitEntry {
                speed_spread: 0.2,
                ..units("column", 32, [4.0, 42.0, 20.0, 54.0])
            },
        ],
        orders: vec![
            march("box", Formation::Box, 14.5),
            march("wedge", Formation::Wedge, 30.5),
            march("column", Formation::Column, 46.5),
        ],
        expect: Expect {
            arrived_min: Some(0.99),
            max_penetration: Some(0.5),
            ..Expect::default()
        },
        ..empty(canvas.map(), 2400)
    }
}

pub(super) fn worker_loop() -> Scenario {
    let mut canvas = Canvas::walled(60, 34);
    canvas
        .blob([30.0, 17.0], [4.0, 7.0], WATER)
        .blob([52.0, 17.0], [3.0, 4.0], TREE);
    let crew = |name: &str, y| UnitEntry {
        brain: BrainKind::Worker,
        mine: Some(to(47.5, 17.5)),
        store: Some(to(6.5, y)),
        ..units(name, 12, [4.0, y - 2.5, 9.0, y + 2.5])
    };
    Scenario {
        units: with_teams(vec![crew("upper", 6.5), crew("lower", 27.5)]),
        ..empty(canvas.map(), 2400)
    }
}

pub(super) fn flight() -> Scenario {
    let mut canvas = Canvas::walled(90, 54);
    canvas
        .blob([45.0, 12.0], [5.0, 4.0], TREE)
        .blob([24.0, 40.0], [4.0, 4.0], TREE);
    let raid = |tick, x, y| order(tick, "raiders", GroupOrder::AttackMove { to: to(x, y) });
    // They graze well apart, each on its own ground.
    let herd = (0..40_u8).map(|i| {
        let at = to(36.0, 20.0) + to(f32::from(i % 8), f32::from(i / 8)) * 2.4;
        UnitEntry {
            brain: BrainKind::Flee,
            speed: 3.4,
            fighter: Fighter {
                notice: 8.0,
                follow: 12.0,
                ..Fighter::default()
            },
            ..units("herd", 1, [at.x, at.y, at.x + 1.0, at.y + 1.0])
        }
    });
    let armed = [
        UnitEntry {
            brain: BrainKind::Guard,
            speed: 3.4,
            fighter: Fighter {
                flee_below: 0.5,
                ..swordsman()
            },
            ..units("guards", 12, [34.0, 40.0, 50.0, 44.0])
        },
        UnitEntry {
            team: 1,
            speed: 2.8,
            fighter: Fighter {
                health: 200.0,
                ..swordsman()
            },
            ..riders("raiders", 8, [82.0, 22.0, 88.0, 32.0])
        },
    ];
    Scenario {
        units: herd.chain(armed).collect(),
        orders: vec![
            raid(0, 48.5, 26.5),
            raid(600, 42.5, 42.5),
            raid(1300, 84.5, 48.5),
        ],
        ..empty(canvas.map(), 3200)
    }
}

pub(super) fn kiting() -> Scenario {
    let canvas = Canvas::walled(90, 40);
    let march = |x| GroupOrder::AttackMove { to: to(x, 20.5) };
    Scenario {
        units: with_teams(vec![
            UnitEntry {
                speed: 3.6,
                brain: BrainKind::Attack,
                fighter: Fighter {
                    damage: 12.0,
                    range: 5.0,
                    notice: 7.0,
                    follow: 12.0,
                    kites: true,
                    ..Fighter::default()
                },
                ..units("archers", 20, [24.0, 16.0, 30.0, 25.0])
            },
            UnitEntry {
                speed: 2.4,
                brain: BrainKind::Attack,
                fighter: swordsman(),
                ..units("swords", 20, [6.0, 16.0, 12.0, 25.0])
            },
        ]),
        orders: vec![order(0, "swords", march(84.5))],
        ..empty(canvas.map(), 2000)
    }
}
