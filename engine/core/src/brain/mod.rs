//! Brains: what units do of themselves and how they carry out orders that need judgement.
//!
//! A *state* is an object shared by all units in it ([`State`]); what differs from unit to unit is
//! in its [`Mind`]. Each tick, after the crowd has moved, every unit with a state is asked what to
//! do ([`State::execute`]), all in parallel: a state reads the world through [`Senses`], which show
//! what the tick left, and writes its own unit's mind only. What it asks for (walk there, strike,
//! change state) is carried out afterwards in unit order, the walking in the next tick. So the
//! result does not depend on the number of threads.
//!
//! The built-in states are registered first, under the constants of [`StateId`]; a game adds its
//! own with [`Simulation::add_state`](crate::Simulation::add_state).

use glam::Vec2;

use crate::components::UnitId;

mod attack;
mod attack_move;
mod chase;
mod engage;
mod flee;
mod follow;
mod guard;
mod idle;
pub(crate) mod machine;
mod march;
pub(crate) mod mind;
mod patrol;
pub(crate) mod presence;
pub(crate) mod pursuit;
pub mod random;
pub(crate) mod senses;
pub(crate) mod stage;
pub(crate) mod walk;
mod wander;
mod way;

pub use machine::{Sensor, State};
pub use mind::Mind;
pub use senses::Senses;

/// Number of a state in its simulation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StateId(pub(crate) u16);

impl StateId {
    /// No state: the unit only does what it is ordered.
    pub const NONE: Self = Self(0);
    /// Stands, looks out for enemies as its stance has it.
    pub const IDLE: Self = Self(1);
    /// Walks at random round where it began.
    pub const WANDER: Self = Self(2);
    /// Goes after its target.
    pub const CHASE: Self = Self(3);
    /// Strikes its target.
    pub const ATTACK: Self = Self(4);
    /// Walks to a point and fights what it meets.
    pub const ATTACK_MOVE: Self = Self(5);
    /// Walks to and fro between two points and fights what it meets.
    pub const PATROL: Self = Self(6);
    /// Keeps near a point or a unit and fights what comes near.
    pub const GUARD: Self = Self(7);
    /// Keeps close to a unit.
    pub const FOLLOW: Self = Self(8);
    /// Runs from what threatens it.
    pub const FLEE: Self = Self(9);
    /// Walks back to its post.
    pub const RETURN: Self = Self(10);
    /// Goes for the nearest enemy, wherever it is.
    pub const HUNT: Self = Self(11);
    /// Walks to its place in a formation.
    pub const MARCH: Self = Self(12);
    /// Strikes its target from afar and steps back between blows.
    pub const KITE: Self = Self(13);
    /// Keeps near where it is and runs from enemies that come near.
    pub const WARY: Self = Self(14);
}

/// What a unit does when it has no order, or has carried out the last.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Brain {
    /// Stands; armed, it watches as its stance has it.
    #[default]
    None,
    /// Wanders round where it is.
    Wander,
    /// Chases the nearest enemy it notices.
    Chase,
    /// Goes for the nearest enemy, wherever it is.
    Attack,
    /// Guards the place where it is.
    Guard,
    /// Walks to and fro between the place where it is and a point.
    Patrol {
        /// The other end; a reachable place some cells away when not given.
        to: Option<Vec2>,
    },
    /// Keeps near where it is, runs from the enemies it notices, and comes back.
    Flee,
    /// Begins in a state of the game's own.
    State(StateId),
}

impl Brain {
    pub(crate) fn state(self) -> StateId {
        match self {
            Self::None => StateId::IDLE,
            Self::Wander => StateId::WANDER,
            Self::Chase | Self::Guard => StateId::GUARD,
            Self::Attack => StateId::HUNT,
            Self::Patrol { .. } => StateId::PATROL,
            Self::Flee => StateId::WARY,
            Self::State(state) => state,
        }
    }
}

/// How units wander. Lengths in cells, times in seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wandering {
    /// Most legs before it goes home, at least 1; their number is drawn each time.
    pub legs: u8,
    /// Targets lie within this of home.
    pub radius: f32,
    /// A leg is at least this long. Over the radius, most places have no target left.
    pub least: f32,
    /// At every stop it rests for a time uniform in one to two times this.
    pub pause: f32,
}

impl Default for Wandering {
    fn default() -> Self {
        Self {
            legs: 3,
            radius: 7.0,
            least: 2.5,
            pause: 4.0,
        }
    }
}

/// No unit.
pub(crate) const NOBODY: UnitId = UnitId(u32::MAX);

/// How a brain moves its unit in the next tick. Read by the steering.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Intent {
    /// The brain leads; else the unit walks as ordered.
    pub leads: bool,
    /// Direction, a unit vector; zero to stand.
    pub desired: Vec2,
    /// Way left, cells.
    pub left: f32,
    /// Speed not to be passed, cells per tick.
    pub pace: f32,
    /// Units with the same number queue behind one another; unique for one that walks alone.
    pub company: u32,
    /// The goal lies straight ahead.
    pub in_sight: bool,
    /// It goes round those at rest and never presses on them.
    pub polite: bool,
}

impl Intent {
    pub const NONE: Self = Self {
        leads: false,
        desired: Vec2::ZERO,
        left: 0.0,
        pace: f32::INFINITY,
        company: u32::MAX,
        in_sight: false,
        polite: false,
    };

    /// The brain leads and the unit stands.
    pub const STAND: Self = Self {
        leads: true,
        ..Self::NONE
    };

    pub fn moves(&self) -> bool {
        self.leads && self.desired != Vec2::ZERO
    }
}
