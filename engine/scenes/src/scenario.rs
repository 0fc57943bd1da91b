//! A scenario in memory: map, units, the script of orders and edits, and the bars it is judged by.

use std::io::Read;
use std::path::{Path, PathBuf};

use glam::Vec2;
use hecs::Entity;
use serde::{Deserialize, Serialize};
use throng::{Brain, Combat, Formation, Map, Mover, Order, Post, Simulation, Stance, Steering};

use crate::builtin;
use crate::error::{Problem, ScenarioError};
use crate::{file, number, worker};

/// A scenario, ready to be run. Lengths in cells, speeds in cells per second, time in ticks.
#[derive(Clone, Debug)]
pub struct Scenario {
    /// Its name.
    pub name: String,
    /// What it shows, in a line; empty where it was read from a file.
    pub summary: String,
    /// All randomness derives from it.
    pub seed: u64,
    /// Length of a run.
    pub ticks: u64,
    /// Ticks per simulated second.
    pub tick_rate: f32,
    /// The steering that moves the units; files always have the default.
    pub mover: Mover,
    /// Its parameters.
    pub steering: Steering,
    /// The map as loaded.
    pub map: Map,
    /// The units, in spawn order.
    pub units: Vec<UnitEntry>,
    /// The orders, in the order they are given within a tick.
    pub orders: Vec<OrderEntry>,
    /// The changes of the map, applied before the orders of their tick.
    pub edits: Vec<EditEntry>,
    /// Pointers that groups run after; only built-in scenarios have them.
    pub pointers: Vec<Pointer>,
    /// The bars a run is judged by.
    pub expect: Expect,
    /// The file it was read from.
    pub(crate) file: Option<PathBuf>,
}

/// Units of one kind that start in one area.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct UnitEntry {
    /// Name that orders refer to; several entries may share it.
    pub group: String,
    /// How many.
    pub count: u32,
    /// The box they start in: x0, y0, x1, y1 in cells.
    pub area: [f32; 4],
    /// Radius of each, in cells; at least 0.05.
    pub radius: f32,
    /// Top speed, cells per second.
    pub speed: f32,
    /// Each unit's speed is uniform in `speed * [1 - spread, 1 + spread]`; under 1.
    pub speed_spread: f32,
    /// Team number.
    pub team: u8,
    /// What its units do without an order.
    #[serde(default)]
    pub brain: BrainKind,
    /// Other end of the way of the brain `patrol`.
    #[serde(default)]
    pub patrol_to: Option<Vec2>,
    /// Where units of the brain `worker` dig.
    #[serde(default)]
    pub mine: Option<Vec2>,
    /// Where they carry what they dug; the middle of their area when not given.
    #[serde(default)]
    pub store: Option<Vec2>,
    /// Mass of each, in those of a common unit.
    #[serde(default = "one")]
    pub mass: f32,
    /// How its units fight.
    #[serde(default)]
    pub fighter: Fighter,
    /// The entry's line in the scenario file.
    #[serde(skip)]
    pub line: Option<usize>,
}

impl Default for UnitEntry {
    fn default() -> Self {
        Self {
            group: String::new(),
            count: 1,
            area: [0.0; 4],
            radius: 0.4,
            speed: 3.0,
            speed_spread: 0.0,
            team: 0,
            brain: BrainKind::None,
            patrol_to: None,
            mine: None,
            store: None,
            mass: 1.0,
            fighter: Fighter::default(),
            line: None,
        }
    }
}

fn one() -> f32 {
    1.0
}

/// [`Combat`] with times in seconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fighter {
    /// Health at first, points.
    pub health: f32,
    /// Health that a blow takes, points; 0 for an unarmed unit.
    pub damage: f32,
    /// Reach of the weapon between the discs, cells.
    pub range: f32,
    /// From the decision to strike until the blow, seconds.
    pub wind_up: f32,
    /// From blow to blow, seconds.
    pub cooldown: f32,
    /// Radius within which enemies are noticed, cells.
    pub notice: f32,
    /// Radius beyond which they are given up, cells.
    pub follow: f32,
    /// How far from its place a fight may draw a unit, cells.
    pub leash: f32,
    /// What it does of itself.
    pub stance: Stance,
    /// Whether it steps back while its weapon cools down.
    #[serde(default)]
    pub kites: bool,
    /// Share of the health under which a blow makes a unit run; 0 for one that never does.
    #[serde(default)]
    pub flee_below: f32,
}

impl Default for Fighter {
    fn default() -> Self {
        let combat = Combat::default();
        Self {
            health: combat.health,
            damage: combat.damage,
            range: combat.range,
            wind_up: 0.2,
            cooldown: 1.0,
            notice: combat.notice,
            follow: combat.follow,
            leash: combat.leash,
            stance: combat.stance,
            kites: combat.kites,
            flee_below: combat.flee_below,
        }
    }
}

impl Fighter {
    /// In ticks.
    pub(crate) fn combat(&self, tick_rate: f32) -> Combat {
        let ticks = |seconds: f32| (seconds * tick_rate).round().min(65_535.0) as u16;
        Combat {
            health: self.health,
            damage: self.damage,
            range: self.range,
            wind_up: ticks(self.wind_up),
            cooldown: ticks(self.cooldown).max(1),
            notice: self.notice,
            follow: self.follow,
            leash: self.leash,
            stance: self.stance,
            kites: self.kites,
            flee_below: self.flee_below,
        }
    }
}

/// The built-in state machines by their names in scenario files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BrainKind {
    /// None.
    #[default]
    None,
    /// See [`Brain::Wander`].
    Wander,
    /// See [`Brain::Chase`].
    Chase,
    /// See [`Brain::Attack`].
    Attack,
    /// See [`Brain::Guard`].
    Guard,
    /// See [`Brain::Patrol`].
    Patrol,
    /// See [`Brain::Flee`].
    Flee,
    /// See [`worker`].
    Worker,
}

impl UnitEntry {
    /// The brain of its units; the states that are none of the engine's own are added to the
    /// simulation.
    pub(crate) fn brain(&self, simulation: &mut Simulation) -> Brain {
        match self.brain {
            BrainKind::None => Brain::None,
            BrainKind::Wander => Brain::Wander,
            BrainKind::Chase => Brain::Chase,
            BrainKind::Attack => Brain::Attack,
            BrainKind::Guard => Brain::Guard,
            BrainKind::Patrol => Brain::Patrol { to: self.patrol_to },
            BrainKind::Flee => Brain::Flee,
            BrainKind::Worker => {
                let [mine, store] = [self.mine, self.store].map(|place| {
                    let [x0, y0, x1, y1] = self.area;
                    place.unwrap_or(Vec2::new(x0 + x1, y0 + y1) / 2.0)
                });
                Brain::State(worker::hire(simulation, mine, store))
            }
        }
    }
}

/// An order to a group at the start of a tick.
#[derive(Clone, Debug, PartialEq)]
pub struct OrderEntry {
    /// The tick.
    pub tick: u64,
    /// The group.
    pub units: String,
    /// What it is told.
    pub order: GroupOrder,
    /// Whether it comes after the orders the units already have.
    pub queue: bool,
}

/// An order as scenarios give it: with groups where [`Order`] has units.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GroupOrder {
    /// See [`Order::Move`].
    Move {
        /// The goal.
        to: Vec2,
    },
    /// See [`Simulation::march`](throng::Simulation::march).
    March {
        /// Middle of the formation.
        to: Vec2,
        /// Its shape.
        formation: Formation,
        /// Where its front looks, degrees.
        facing: Option<f32>,
        /// All walk at the speed of the slowest.
        common_speed: bool,
    },
    /// See [`Order::AttackMove`].
    AttackMove {
        /// The goal.
        to: Vec2,
    },
    /// See [`Order::Attack`]; each unit is given the members of the group, nearest first.
    Attack {
        /// The group attacked.
        target: String,
    },
    /// See [`Order::Chase`]; each unit chases the nearest member of the group.
    Chase {
        /// The group chased.
        target: String,
    },
    /// See [`Order::Follow`]; each unit follows the nearest member of the group.
    Follow {
        /// The group followed.
        target: String,
    },
    /// See [`Order::Patrol`].
    Patrol {
        /// The other end.
        to: Vec2,
    },
    /// See [`Order::Guard`]; the place where each is when neither is given.
    Guard {
        /// The point guarded.
        to: Option<Vec2>,
        /// The group guarded; each unit guards the nearest member.
        target: Option<String>,
    },
    /// See [`Order::Wander`].
    Wander,
    /// See [`Order::Hold`].
    Hold,
    /// See [`Order::Stop`].
    Stop,
}

impl GroupOrder {
    /// The group it names, if any.
    pub fn target(&self) -> Option<&str> {
        match self {
            Self::Attack { target } | Self::Chase { target } | Self::Follow { target } => {
                Some(target)
            }
            Self::Guard { target, .. } => target.as_deref(),
            _ => None,
        }
    }

    /// The order to one unit; `target` is the member of the named group that is meant.
    pub(crate) fn to_unit(&self, target: Option<Entity>) -> Option<Order> {
        Some(match *self {
            Self::Move { to } => Order::Move { to },
            // In formation it takes the whole group.
            Self::March { to, .. } => Order::Move { to },
            Self::AttackMove { to } => Order::AttackMove { to },
            Self::Attack { .. } => Order::Attack { target: target? },
            Self::Chase { .. } => Order::Chase { target: target? },
            Self::Follow { .. } => Order::Follow { target: target? },
            Self::Patrol { to } => Order::Patrol { to },
            Self::Guard {
                target: Some(_), ..
            } => Order::Guard {
                post: Post::Unit(target?),
            },
            Self::Guard { to: Some(to), .. } => Order::Guard {
                post: Post::Point(to),
            },
            Self::Guard { .. } => Order::Guard { post: Post::Here },
            Self::Wander => Order::Wander,
            Self::Hold => Order::Hold,
            Self::Stop => Order::Stop,
        })
    }
}

/// A rectangle painted or erased at the start of a tick.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EditEntry {
    /// The tick.
    pub tick: u64,
    /// x0, y0, x1, y1 in cells; every cell it touches is changed.
    pub rect: [f32; 4],
    /// Painted (`true`) or erased.
    pub blocked: bool,
}

/// A pointer that a group runs after, moving along a closed polygon at constant speed: a headless
/// stand-in for a player's mouse.
#[derive(Clone, Debug, PartialEq)]
pub struct Pointer {
    /// The group that runs after it.
    pub units: String,
    /// Corners of the polygon, in cells; at least two.
    pub path: Vec<Vec2>,
    /// Ticks for one lap; at least 1.
    pub lap: u64,
}

impl Pointer {
    /// The goal of `count` units led by a pointer at a place: the centre of the square it is in, so
    /// that the order is new only when the pointer has moved on to another. A large crowd covers
    /// many cells wherever it is, so its squares are larger.
    pub fn goal(at: Vec2, count: usize) -> Vec2 {
        let side = ((count as f32).sqrt() / 20.0).floor().max(1.0);
        ((at / side).floor() + 0.5) * side
    }

    /// Where the pointer is at the start of `tick`.
    pub fn at(&self, tick: u64) -> Vec2 {
        let corners = self.path.iter().zip(self.path.iter().cycle().skip(1));
        let length: f32 = corners.clone().map(|(a, b)| a.distance(*b)).sum();
        let mut left = length * ((tick % self.lap) as f32 / self.lap as f32);
        for (a, b) in corners {
            let side = a.distance(*b);
            if left < side {
                return a + (b - a) * (left / side);
            }
            left -= side;
        }
        self.path[0]
    }
}

/// The bars a run is judged by. `None`: not judged.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Expect {
    /// Least share of units of groups with a goal that ended as arrived or settled near.
    #[serde(
        deserialize_with = "number::optional_bar",
        skip_serializing_if = "Option::is_none"
    )]
    pub arrived_min: Option<f64>,
    /// Least share of the same that end within the packed disc of their goal.
    #[serde(
        deserialize_with = "number::optional_bar",
        skip_serializing_if = "Option::is_none"
    )]
    pub reached_min: Option<f64>,
    /// Most wall violations, counted per unit and tick. Always judged.
    #[serde(deserialize_with = "number::bar")]
    pub wall_violations_max: f64,
    /// Deepest overlap, in smaller radii.
    #[serde(
        deserialize_with = "number::optional_bar",
        skip_serializing_if = "Option::is_none"
    )]
    pub max_penetration: Option<f64>,
    /// Largest share of units overlapped by more than 0.2, mean over all ticks.
    #[serde(
        deserialize_with = "number::optional_bar",
        skip_serializing_if = "Option::is_none"
    )]
    pub share_pen_02_max: Option<f64>,
    /// Largest median of walked over shortest length.
    #[serde(
        deserialize_with = "number::optional_bar",
        skip_serializing_if = "Option::is_none"
    )]
    pub path_ratio_p50_max: Option<f64>,
    /// Largest 95th percentile of the same.
    #[serde(
        deserialize_with = "number::optional_bar",
        skip_serializing_if = "Option::is_none"
    )]
    pub path_ratio_p95_max: Option<f64>,
    /// Largest mean turn per tick, degrees.
    #[serde(
        deserialize_with = "number::optional_bar",
        skip_serializing_if = "Option::is_none"
    )]
    pub jitter_deg_max: Option<f64>,
    /// Largest mean speed of ended units in the last second, in top speeds.
    #[serde(
        deserialize_with = "number::optional_bar",
        skip_serializing_if = "Option::is_none"
    )]
    pub residual_max: Option<f64>,
    /// Latest tick from which 95 % of the units with a goal were within its packed disc for good.
    #[serde(
        deserialize_with = "number::optional_bar",
        skip_serializing_if = "Option::is_none"
    )]
    pub t95_max: Option<f64>,
    /// Accepted and not looked at: every run is deterministic.
    #[serde(skip_serializing)]
    pub deterministic: Option<bool>,
}

impl Default for Expect {
    fn default() -> Self {
        Self {
            arrived_min: None,
            reached_min: None,
            wall_violations_max: 0.0,
            max_penetration: None,
            share_pen_02_max: None,
            path_ratio_p50_max: None,
            path_ratio_p95_max: None,
            jitter_deg_max: None,
            residual_max: None,
            t95_max: None,
            deterministic: None,
        }
    }
}

impl Scenario {
    /// The built-in scenario of that name, or the one in that `.toml` file.
    ///
    /// # Errors
    /// The file is wrong, or there is no such scenario; the error then names the nearest one.
    pub fn find(name_or_path: &str) -> Result<Self, ScenarioError> {
        if let Some(entry) = builtin::all().iter().find(|b| b.name == name_or_path) {
            return Ok(entry.build());
        }
        let path = Path::new(name_or_path);
        if path.exists() || path.extension().is_some_and(|e| e == "toml") {
            return Self::load(path);
        }
        Err(ScenarioError::whole(Problem::UnknownScenario {
            name: name_or_path.to_owned(),
            nearest: crate::error::closest(name_or_path, builtin::all().iter().map(|b| b.name)),
        }))
    }

    /// Reads a scenario file. Map files are found relative to it.
    ///
    /// # Errors
    /// The file cannot be read or something in it is wrong; the error names the line and key.
    pub fn load(path: &Path) -> Result<Self, ScenarioError> {
        let text =
            read(path).map_err(|e| ScenarioError::whole(Problem::Read(e)).in_file(Some(path)))?;
        file::parse(&text, path.parent().unwrap_or(Path::new("")))
            .map(|mut scenario| {
                scenario.file = Some(path.to_owned());
                scenario
            })
            .map_err(|e| e.in_file(Some(path)))
    }

    /// Reads a scenario from text; map files are found relative to `folder`.
    ///
    /// # Errors
    /// As for [`Scenario::load`].
    pub fn parse(text: &str, folder: &Path) -> Result<Self, ScenarioError> {
        file::parse(text, folder)
    }

    /// Number of units it starts with.
    pub fn unit_count(&self) -> usize {
        self.units.iter().map(|u| u.count as usize).sum()
    }

    /// The goal of a group: where the last order with a goal in the script sends it.
    pub fn goal(&self, group: &str) -> Option<Vec2> {
        self.orders
            .iter()
            .rev()
            .filter(|o| o.units == group)
            .find_map(|o| goal_of(&o.order))
    }

    /// Radius of the packed disc of a group about its goal: `max r * sqrt(n / 0.55) + 1` cells.
    pub fn packed_radius(&self, group: &str) -> f64 {
        let entries = self.units.iter().filter(|u| u.group == group);
        let count: u64 = entries.clone().map(|u| u64::from(u.count)).sum();
        let radius = entries.map(|u| u.radius).fold(0.0, f32::max);
        f64::from(radius) * (count as f64 / 0.55).sqrt() + 1.0
    }
}

/// The goal an order has, if it has one.
pub(crate) fn goal_of(order: &GroupOrder) -> Option<Vec2> {
    match order {
        GroupOrder::Move { to } | GroupOrder::March { to, .. } | GroupOrder::AttackMove { to } => {
            Some(*to)
        }
        _ => None,
    }
}

/// Bytes of a scenario file with the largest map there can be, and more.
const MOST_BYTES: u64 = 300 << 20;

/// The text of a file; what is no file of reasonable size, such as a device, is not read for ever.
fn read(path: &Path) -> std::io::Result<String> {
    let mut text = String::new();
    let file = std::fs::File::open(path)?;
    file.take(MOST_BYTES + 1).read_to_string(&mut text)?;
    if text.len() as u64 > MOST_BYTES {
        return Err(std::io::Error::other(
            "larger than 300 MiB; no scenario file is",
        ));
    }
    Ok(text)
}
