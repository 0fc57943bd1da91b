//! Scenarios that come with the engine, on maps drawn by code.

mod article;
mod brains;
mod crowd;
mod drills;
mod places;

use glam::Vec2;
use throng::{Map, Mover, Steering};

use crate::scenario::{Expect, GroupOrder, OrderEntry, Scenario, UnitEntry};

/// Name of the scenario that is run where none is named.
pub const DEFAULT: &str = "crowd";

/// A built-in scenario.
#[derive(Clone, Copy, Debug)]
pub struct Builtin {
    /// Its name.
    pub name: &'static str,
    /// What it shows, in a line.
    pub summary: &'static str,
    make: fn() -> Scenario,
}

impl Builtin {
    /// Makes the scenario.
    pub fn build(&self) -> Scenario {
        Scenario {
            name: self.name.to_owned(),
            summary: self.summary.to_owned(),
            ..(self.make)()
        }
    }
}

macro_rules! builtins {
    ($($name:literal, $make:path, $summary:literal;)*) => {
        &[$(Builtin { name: $name, summary: $summary, make: $make }),*]
    };
}

/// All built-in scenarios, the default first, then the steps from a single unit to a crowd.
pub fn all() -> &'static [Builtin] {
    builtins! {
        "crowd", crowd::crowd,
            "Five thousand units change places between six forts across a river valley";
        "article_1_wall", article::wall,
            "Step 1: a unit walks straight at its goal, and the first wall ends its way";
        "article_2_slide", article::slide,
            "Step 2: x and y moved one after the other: it slides along walls, and into a corner";
        "article_3_polar", article::polar,
            "Step 3: motion by angle and speed runs after the pointer over open ground";
        "article_4_scan", article::scan,
            "Step 4: the angular scan tries headings beside the blocked one and walks round things";
        "article_5_turning", article::turning,
            "Step 5: the sprite turns by a share of the angle each tick, so sharp corners look round";
        "article_6_many", article::many,
            "Step 6: the same scan moves twenty units, each as if it were alone";
        "article", article::article,
            "Step 7: fifty units of different speeds chase the pointer through the rocks";
        "article_5000", article::five_thousand,
            "Five thousand chase the pointer, guided by one flow field";
        "article_50000", article::fifty_thousand,
            "Fifty thousand chase the pointer over nine times the ground";
        "crossing", drills::crossing,
            "Two streams of 500 cross at a right angle in the open";
        "four_way", drills::four_way,
            "Four streams of 80 meet at a crossroads and each goes straight on";
        "circle_swap", drills::circle_swap,
            "Sixty-four units on a circle all walk to the opposite point";
        "gap", drills::gap,
            "Three hundred units queue through a gap one unit wide";
        "two_way_gap", drills::two_way_gap,
            "Two hundred units each way share a gap four cells wide";
        "counterflow", drills::counterflow,
            "A hundred and fifty units each way form lanes in a corridor eight cells wide";
        "corner", drills::corner,
            "Two hundred units take a right-angled corner without bunching on its inside";
        "parking", drills::parking,
            "Five hundred units come to rest around one point as a round, still disc";
        "door_switch", drills::door_switch,
            "One door shuts in the face of the crowd while another opens";
        "reorder", drills::reorder,
            "Orders are changed on the way: turn back, hold, stop, then a queue of waypoints";
        "islands", drills::islands,
            "A goal across the water: units end at the nearest shore and say so";
        "u_trap", places::u_trap,
            "Two hundred units walk out of a pocket that opens away from their goal";
        "maze", places::maze,
            "Three hundred units find their way through a maze";
        "clutter", places::clutter,
            "Fifteen hundred units cross ground with one cell in eight blocked";
        "rooms", places::rooms,
            "Four crowds march round through sixteen rooms joined by doors";
        "wander_hall", brains::wander_hall,
            "Sixty units wander among pillars while ten cross the hall";
        "chase_wall", brains::chase_wall,
            "Forty chase one unit that walks up and down behind a long wall, sharing one field";
        "battle", brains::battle,
            "Two armies of 2,000 fight until one is gone";
        "patrol", brains::patrol,
            "Patrols walk round a fort whose guards raiders try to bait away";
        "formation", brains::formation,
            "A box, a wedge and a column march through a pass and form up behind it";
        "worker_loop", brains::worker_loop,
            "Workers dig at a mine, carry the ore to two stores and go back, by states of a game's own";
        "flight", brains::flight,
            "A herd runs from raiders and comes back; its guards run when they are badly hurt";
        "kiting", brains::kiting,
            "Fast archers shoot and step back before slower swordsmen";
    }
}

/// Ticks per second of all built-in scenarios.
const TICK_RATE: f32 = 30.0;
/// Radius of the usual unit, one on foot, in cells.
const RADIUS: f32 = 0.35;
/// Radius of one on horseback, in cells.
const RIDER_RADIUS: f32 = 0.43;
/// Radius of a vehicle, in cells.
const TANK_RADIUS: f32 = 0.5;

/// A scenario with the usual settings and nothing in it.
fn empty(map: Map, ticks: u64) -> Scenario {
    Scenario {
        name: String::new(),
        summary: String::new(),
        seed: 1,
        ticks,
        tick_rate: TICK_RATE,
        mover: Mover::default(),
        steering: Steering::default(),
        map,
        units: Vec::new(),
        orders: Vec::new(),
        edits: Vec::new(),
        pointers: Vec::new(),
        expect: Expect::default(),
        file: None,
    }
}

/// The usual units.
fn units(group: &str, count: u32, area: [f32; 4]) -> UnitEntry {
    UnitEntry {
        group: group.to_owned(),
        count,
        area,
        radius: RADIUS,
        ..UnitEntry::default()
    }
}

/// Units on horseback.
fn riders(group: &str, count: u32, area: [f32; 4]) -> UnitEntry {
    UnitEntry {
        radius: RIDER_RADIUS,
        ..units(group, count, area)
    }
}

/// Vehicles.
fn tanks(group: &str, count: u32, area: [f32; 4]) -> UnitEntry {
    UnitEntry {
        radius: TANK_RADIUS,
        ..units(group, count, area)
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

/// A move order at tick 0.
fn go(units: &str, x: f32, y: f32) -> OrderEntry {
    order(
        0,
        units,
        GroupOrder::Move {
            to: Vec2::new(x, y),
        },
    )
}

/// Teams by the order of the groups, so that each is drawn in its own colour.
fn with_teams(mut units: Vec<UnitEntry>) -> Vec<UnitEntry> {
    let mut groups: Vec<String> = Vec::new();
    for entry in &mut units {
        let known = groups.iter().position(|group| *group == entry.group);
        entry.team = known.unwrap_or(groups.len()) as u8;
        if known.is_none() {
            groups.push(entry.group.clone());
        }
    }
    units
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_in_snake_case() {
        let mut names: Vec<_> = all().iter().map(|b| b.name).collect();
        assert_eq!(names[0], DEFAULT);
        for name in &names {
            let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
            assert!(name.chars().all(plain), "{name}");
        }
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), all().len());
    }

    #[test]
    fn every_scenario_has_room_for_its_units_and_goals_on_free_ground() {
        for builtin in all() {
            let scenario = builtin.build();
            crate::Runner::new(scenario.clone(), crate::RunOptions::default())
                .unwrap_or_else(|e| panic!("{}: {e}", builtin.name));
            for entry in &scenario.orders {
                assert!(entry.tick < scenario.ticks, "{}", builtin.name);
                assert!(scenario.units.iter().any(|u| u.group == entry.units));
                if let Some(to) = crate::scenario::goal_of(&entry.order) {
                    let cell = to.floor().as_ivec2();
                    assert!(
                        !scenario.map.is_blocked(cell.x, cell.y),
                        "{}: {to}",
                        builtin.name
                    );
                }
            }
            for pointer in &scenario.pointers {
                for tick in 0..pointer.lap {
                    let at = pointer.at(tick);
                    assert!(scenario.map.cell_at(at).is_some(), "{}: {at}", builtin.name);
                }
            }
        }
    }
}
