//! Typed errors of the simulation's doors: creation, spawning, orders, edits.

use glam::Vec2;
use thiserror::Error;

use crate::components::UnitId;

/// A simulation could not be made or an edit was refused.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum SimError {
    /// A setting is out of its range.
    #[error("{name} is {value}; it must be {want}")]
    Setting {
        /// Name of the setting.
        name: &'static str,
        /// The value given.
        value: f64,
        /// What would be right.
        want: &'static str,
    },
    /// An edit lies outside the map.
    #[error("edit rectangle {rect:?} lies outside the {width} x {height} map")]
    EditOutside {
        /// x0, y0, x1, y1 in cells.
        rect: [i32; 4],
        /// Map width in cells.
        width: u32,
        /// Map height in cells.
        height: u32,
    },
    /// A unit stands where something is to be built.
    #[error("unit {} stands in the rectangle {rect:?} to be built on", unit.0)]
    EditOccupied {
        /// x0, y0, x1, y1 in cells.
        rect: [i32; 4],
        /// The first such unit.
        unit: UnitId,
    },
}

/// A unit could not be spawned.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum SpawnError {
    /// A property is not a finite number in its range.
    #[error("{name} is {value}; it must be {want}")]
    Property {
        /// Name of the property.
        name: &'static str,
        /// The value given.
        value: f32,
        /// What would be right.
        want: &'static str,
    },
    /// The place is in a wall or outside the map.
    #[error("a disc of radius {radius} at ({}, {}) overlaps a wall or leaves the map", position.x, position.y)]
    Place {
        /// The place asked for.
        position: Vec2,
        /// The disc's radius.
        radius: f32,
    },
}

/// An order was refused.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum OrderError {
    /// The entity is no unit of this simulation, or no longer.
    #[error("entity {0:?} is not a living unit of this simulation")]
    NoSuchUnit(hecs::Entity),
    /// A unit was ordered to do something to itself.
    #[error("unit {0:?} is its own target; the target must be another unit")]
    OwnTarget(hecs::Entity),
    /// A facing or a pace is no number in its range.
    #[error("facing {facing} and pace {pace}: the facing must be finite, the pace 0 or more")]
    March {
        /// The facing given, radians.
        facing: f32,
        /// The pace given, cells per tick.
        pace: f32,
    },
    /// Damage must be a finite number.
    #[error("damage is {0}; it must be a finite number")]
    Damage(f32),
    /// The goal is not a finite point inside the map.
    #[error("goal ({}, {}) is not inside the {width} x {height} map", goal.x, goal.y)]
    GoalOutside {
        /// The goal given.
        goal: Vec2,
        /// Map width in cells.
        width: u32,
        /// Map height in cells.
        height: u32,
    },
}
