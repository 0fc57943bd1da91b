//! What a tick reports: each ended order once, in unit order.

use glam::Vec2;

use crate::{brain::StateId, components::UnitId};

/// Something that happened in a tick.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Event {
    /// The tick it happened in.
    pub tick: u64,
    /// The unit it happened to.
    pub unit: UnitId,
    /// What happened.
    pub kind: EventKind,
}

/// The kinds of [`Event`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum EventKind {
    /// Came to rest inside the goal's packed disc.
    Arrived,
    /// Came to rest against settled companions of the same order.
    SettledNear,
    /// The goal cannot be reached; the unit stands at the nearest point that can.
    Unreachable {
        /// That nearest point, in cells.
        nearest: Vec2,
    },
    /// Gave up.
    Stuck {
        /// Why.
        reason: StuckReason,
    },
    /// A blow landed on the unit.
    Attacked {
        /// Who struck.
        by: UnitId,
        /// Health taken, points.
        damage: f32,
    },
    /// The unit lost its last health and is a corpse.
    Died {
        /// Who struck last, if a unit did.
        by: Option<UnitId>,
    },
    /// The unit's brain changed state in this tick; of several changes the last is told.
    StateChanged {
        /// The state before.
        from: StateId,
        /// The state now.
        to: StateId,
    },
    /// The unit's place was illegal (a wall was painted over it, or the host put it there) and it
    /// was moved to the nearest free one.
    Displaced {
        /// Where it was.
        from: Vec2,
    },
}

/// Why a unit gave up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum StuckReason {
    /// Others stood in the way and did not leave.
    Crowded,
    /// No way leads out of where it stands.
    Enclosed,
    /// The unit it was sent after is gone.
    TargetLost,
}
