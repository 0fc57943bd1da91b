//! The `hecs` components of a unit. Each names its one writer.

use glam::Vec2;

/// Stable number of a unit: given once by [`Simulation::spawn`](crate::Simulation::spawn), never
/// reused in a run. Writer: spawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct UnitId(pub u32);

/// Centre of the unit's disc, in cells. Writer: the motion stage; a host may write it between
/// ticks to teleport a unit (an illegal place is moved to the nearest free one and reported).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Position(pub Vec2);

/// What the unit really moved in the last tick, in cells per tick. Writer: the motion stage.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Velocity(pub Vec2);

/// Facing of the sprite, radians in (-pi, pi], 0 = +x, growing towards +y (clockwise on screen).
/// Writer: the motion stage.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Heading(pub f32);

/// The physical properties of a unit. Writer: the host (read at the start of a tick).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Body {
    /// Radius of the disc, in cells.
    pub radius: f32,
    /// Top speed, in cells per tick.
    pub speed: f32,
    /// Team number; teams other than one's own are enemies.
    pub team: u8,
}

/// How the last order of a unit ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Outcome {
    /// No order, or one that has no end (hold, stop, wander).
    #[default]
    None,
    /// The order has not ended.
    Active,
    /// Came to rest inside the goal's packed disc.
    Arrived,
    /// Came to rest against settled companions of the same order.
    SettledNear,
    /// Went to the nearest reachable point instead.
    Unreachable,
    /// Gave up; the event says why.
    Stuck,
}

impl Outcome {
    /// The name used in traces and reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Active => "active",
            Self::Arrived => "arrived",
            Self::SettledNear => "settled_near",
            Self::Unreachable => "unreachable",
            Self::Stuck => "stuck",
        }
    }
}
