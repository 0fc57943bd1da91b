//! Large-crowd movement for real-time strategy games.

pub mod brain;
pub mod combat;
pub mod components;
pub mod config;
pub mod error;
pub mod event;
pub mod field;
pub mod formation;
pub mod map;
pub mod motion;
pub mod order;
pub mod sim;
pub mod spatial;
pub mod sprite;
pub mod steer;
pub mod units;

mod assign;
mod detour;
mod flock;
mod hash;
mod parking;
mod query;
mod route;
mod settle;

pub use brain::{Brain, Mind, Senses, Sensor, State, StateId, Wandering};
pub use combat::{Combat, Stance};
pub use components::{Body, Heading, Outcome, Position, UnitId, Velocity};
pub use config::{Config, Mover, Steering};
pub use error::{OrderError, SimError, SpawnError};
pub use event::{Event, EventKind, StuckReason};
pub use formation::{Formation, March};
pub use map::{CellRect, Map, MapError, Occupancy};
pub use order::{Order, Post};
pub use sim::{Simulation, Stage, StageObserver, UnitSpec};
pub use units::{Activity, Units};

/// The README's example is a test.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
