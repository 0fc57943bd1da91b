//! The grounds and crowds of the cases.
//!
//! The usual unit has a radius of 0.35 cells and walks 0.1 cells a tick, as in the bars.

mod narrow;
mod open;
mod wide;

use glam::Vec2;
use throng::{Map, Mover, Steering};

use super::arrangement::Arrangement;
use crate::scenario::{Expect, GroupOrder, OrderEntry, Scenario, UnitEntry};

pub(super) use narrow::{
    BEHIND_PASS, GATE, bridge, corner, counterflow, counterflow_bay, enemy_block, gap_one_way,
    gap_two_way, u_trap,
};
pub(super) use open::{
    circle_swap, crossing, four_way, large_crossing, mixed_sizes, mixed_speeds, open, parking,
    reorder,
};
pub(super) use wide::{clutter, maze};

pub(super) const RADIUS: f32 = 0.35;
const TICK_RATE: f32 = 20.0;
/// Cells a second.
const SPEED: f32 = 2.0;

/// A scenario of these units with those orders, areas shifted.
fn scenario(
    arrangement: Arrangement,
    map: Map,
    ticks: u64,
    mut units: Vec<UnitEntry>,
    orders: Vec<OrderEntry>,
) -> Scenario {
    for (i, entry) in units.iter_mut().enumerate() {
        entry.area = arrangement.shift(i as u32, entry.area);
    }
    unshifted(arrangement, map, ticks, units, orders)
}

/// The same with areas as they are.
fn unshifted(
    arrangement: Arrangement,
    map: Map,
    ticks: u64,
    units: Vec<UnitEntry>,
    orders: Vec<OrderEntry>,
) -> Scenario {
    Scenario {
        name: String::new(),
        summary: String::new(),
        seed: arrangement.seed(),
        ticks,
        tick_rate: TICK_RATE,
        mover: Mover::default(),
        steering: Steering::default(),
        map,
        units,
        orders,
        edits: Vec::new(),
        pointers: Vec::new(),
        expect: Expect::default(),
        file: None,
    }
}

fn units(group: &str, team: u8, count: u32, area: [f32; 4]) -> UnitEntry {
    UnitEntry {
        group: group.to_owned(),
        count,
        area,
        radius: RADIUS,
        speed: SPEED,
        team,
        ..UnitEntry::default()
    }
}

fn order(tick: u64, units: &str, order: GroupOrder) -> OrderEntry {
    OrderEntry {
        tick,
        units: units.to_owned(),
        order,
        queue: false,
    }
}

fn to(x: f32, y: f32) -> GroupOrder {
    GroupOrder::Move {
        to: Vec2::new(x, y),
    }
}

/// A move order at tick 0.
fn go(units: &str, x: f32, y: f32) -> OrderEntry {
    order(0, units, to(x, y))
}
