//! What a unit can be told to do.

use glam::Vec2;

/// An order to a unit. Given with [`Simulation::order`](crate::Simulation::order).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Order {
    /// Walk to a point (cells) and come to rest there, packed with the others sent to it.
    Move {
        /// The goal, inside the map.
        to: Vec2,
    },
    /// Stay on the spot and never be pushed from it.
    Hold,
    /// Drop what was ordered and stand; friends may still push past.
    Stop,
}

impl Order {
    /// The order's name in scenario files.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Move { .. } => "move",
            Self::Hold => "hold",
            Self::Stop => "stop",
        }
    }
}
