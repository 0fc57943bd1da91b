//! What a unit can be told to do.

use glam::Vec2;
use hecs::Entity;

use crate::components::UnitId;

/// An order to a unit. Given with [`Simulation::order`](crate::Simulation::order). Points are in
/// cells and inside the map; targets are living units other than the one ordered.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Order {
    /// Walk to a point and come to rest there, packed with the others sent to it; no fighting.
    Move {
        /// The goal.
        to: Vec2,
    },
    /// Walk to a point and fight what is met on the way.
    AttackMove {
        /// The goal.
        to: Vec2,
    },
    /// Go after a unit and strike at it until it is gone.
    Attack {
        /// The victim.
        target: Entity,
    },
    /// Go after a unit and keep at it, without striking, until it is gone.
    Chase {
        /// The unit chased.
        target: Entity,
    },
    /// Stay close to a unit until it is gone.
    Follow {
        /// The leader.
        target: Entity,
    },
    /// Walk to and fro between here and a point and fight what is met. Has no end.
    Patrol {
        /// The other end.
        to: Vec2,
    },
    /// Keep a post and fight what comes near. Has no end but that of the unit guarded.
    Guard {
        /// What is guarded.
        post: Post,
    },
    /// Walk to an exact place and face a direction: the order to one unit of a formation, see
    /// [`Simulation::march`](crate::Simulation::march).
    March {
        /// The place.
        to: Vec2,
        /// Middle of the formation: the field that leads far-off units is that to this point.
        rally: Vec2,
        /// Where to look in the end, radians.
        facing: f32,
        /// Speed not to be passed, cells per tick.
        pace: f32,
    },
    /// Walk at random round here. Has no end.
    Wander,
    /// Stay on the spot and never be pushed from it; strike at what comes in range.
    Hold,
    /// Drop what was ordered and stand; friends may still push past.
    Stop,
}

/// What a guard keeps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Post {
    /// Where it is.
    Here,
    /// A point, cells.
    Point(Vec2),
    /// A unit.
    Unit(Entity),
}

impl Order {
    /// The order's name in scenario files.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Move { .. } => "move",
            Self::AttackMove { .. } => "attack_move",
            Self::Attack { .. } => "attack",
            Self::Chase { .. } => "chase",
            Self::Follow { .. } => "follow",
            Self::Patrol { .. } => "patrol",
            Self::Guard { .. } => "guard",
            Self::March { .. } => "march",
            Self::Wander => "wander",
            Self::Hold => "hold",
            Self::Stop => "stop",
        }
    }

    /// The points that the order names.
    pub(crate) fn points(&self) -> [Option<Vec2>; 2] {
        let point = match *self {
            Self::March { to, rally, .. } => return [Some(to), Some(rally)],
            Self::Move { to } | Self::AttackMove { to } | Self::Patrol { to } => Some(to),
            Self::Guard {
                post: Post::Point(at),
            } => Some(at),
            _ => None,
        };
        [point, None]
    }

    /// The unit that the order names.
    pub(crate) fn target(&self) -> Option<Entity> {
        match *self {
            Self::Attack { target } | Self::Chase { target } | Self::Follow { target } => {
                Some(target)
            }
            Self::Guard {
                post: Post::Unit(target),
            } => Some(target),
            _ => None,
        }
    }
}

/// An order as it is kept: units by number, which is never given twice, so that an order never
/// passes to a stranger in the same slot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Task {
    Move {
        to: Vec2,
    },
    AttackMove {
        to: Vec2,
    },
    Attack {
        target: UnitId,
    },
    Chase {
        target: UnitId,
    },
    Follow {
        target: UnitId,
    },
    Patrol {
        to: Vec2,
    },
    Guard {
        at: Option<Vec2>,
    },
    Escort {
        target: UnitId,
    },
    March {
        to: Vec2,
        rally: Vec2,
        facing: f32,
        pace: f32,
    },
    Wander,
    Hold,
    Stop,
}

impl Task {
    /// The order checked at the door; `target` is the number of the unit it names.
    pub fn new(order: Order, target: Option<UnitId>) -> Self {
        let target = target.unwrap_or(crate::brain::NOBODY);
        match order {
            Order::Move { to } => Self::Move { to },
            Order::AttackMove { to } => Self::AttackMove { to },
            Order::Attack { .. } => Self::Attack { target },
            Order::Chase { .. } => Self::Chase { target },
            Order::Follow { .. } => Self::Follow { target },
            Order::Patrol { to } => Self::Patrol { to },
            Order::Guard { post: Post::Here } => Self::Guard { at: None },
            Order::Guard {
                post: Post::Point(at),
            } => Self::Guard { at: Some(at) },
            Order::Guard {
                post: Post::Unit(_),
            } => Self::Escort { target },
            Order::March {
                to,
                rally,
                facing,
                pace,
            } => Self::March {
                to,
                rally,
                facing,
                pace,
            },
            Order::Wander => Self::Wander,
            Order::Hold => Self::Hold,
            Order::Stop => Self::Stop,
        }
    }

    /// Back to the order, with `entity` for a unit's number; `None` when that unit is gone.
    pub fn order(self, entity: impl Fn(UnitId) -> Option<Entity>) -> Option<Order> {
        Some(match self {
            Self::Move { to } => Order::Move { to },
            Self::AttackMove { to } => Order::AttackMove { to },
            Self::Attack { target } => Order::Attack {
                target: entity(target)?,
            },
            Self::Chase { target } => Order::Chase {
                target: entity(target)?,
            },
            Self::Follow { target } => Order::Follow {
                target: entity(target)?,
            },
            Self::Patrol { to } => Order::Patrol { to },
            Self::Guard { at } => Order::Guard {
                post: at.map_or(Post::Here, Post::Point),
            },
            Self::Escort { target } => Order::Guard {
                post: Post::Unit(entity(target)?),
            },
            Self::March {
                to,
                rally,
                facing,
                pace,
            } => Order::March {
                to,
                rally,
                facing,
                pace,
            },
            Self::Wander => Order::Wander,
            Self::Hold => Order::Hold,
            Self::Stop => Order::Stop,
        })
    }
}
