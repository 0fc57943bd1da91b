//! The simulation's view of its units: structure of arrays in id order.

use glam::Vec2;
use hecs::{Entity, World};

use crate::{
    brain::{Intent, Mind, StateId},
    combat::Combat,
    components::{Body, Heading, Outcome, Position, UnitId, Velocity},
    order::Task,
    parking::NO_PLACE,
};

/// What a unit is doing, as traces and games name it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Activity {
    /// Stands without an order.
    #[default]
    Idle,
    /// Walks on an order.
    Move,
    /// Has an order and is kept from walking by others.
    Wait,
    /// Ended an order and rests.
    Settled,
    /// Holds its place.
    Hold,
    /// What its brain does, by the state's name.
    Brain(&'static str),
    /// A corpse.
    Dead,
}

impl Activity {
    /// The name used in traces.
    pub fn name(self) -> &'static str {
        match self {
            Self::Idle => "idle",
            Self::Move => "move",
            Self::Wait => "wait",
            Self::Settled => "settled",
            Self::Hold => "hold",
            Self::Brain(name) => name,
            Self::Dead => "dead",
        }
    }

    /// A number for the hash; states of brains are hashed with the brains.
    pub(crate) fn code(self) -> u8 {
        match self {
            Self::Idle => 0,
            Self::Move => 1,
            Self::Wait => 2,
            Self::Settled => 3,
            Self::Hold => 4,
            Self::Brain(_) => 5,
            Self::Dead => 6,
        }
    }
}

/// No route: the unit goes nowhere.
pub(crate) const NO_ROUTE: u32 = u32::MAX;

/// What the simulation remembers of a unit beside its hot columns. Writers: orders and settle;
/// `side` and `blocked` are the steer stage's.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Agent {
    /// Index of the route it walks or ended on, or [`NO_ROUTE`].
    pub route: u32,
    /// Radius with which it joined the route.
    pub radius: f32,
    /// Index of its place in the route's parking lot, or [`NO_PLACE`].
    pub place: u32,
    /// Holds its place: never pushed.
    pub hold: bool,
    /// Sees and is seen by others.
    pub avoidance: bool,
    /// The goal lies in another component.
    pub unreachable: bool,
    /// Side last taken round an obstacle: -1, 0, +1.
    pub side: i8,
    /// Leans to the right while over 0.
    pub lean: u8,
    /// Walks round a crowd rather than the shortest way.
    pub bypasses: bool,
    /// Ticks left in which it steps aside for a friend that pressed.
    pub yielding: u8,
    /// Ticks without progress towards the goal.
    pub stall: u16,
    /// Saw its goal, or its place, in the last tick.
    pub saw: bool,
    /// Ticks without progress since it got a place to park, among those at rest.
    pub loiter: u16,
    /// Least distance to the goal so far, cells.
    pub best: f32,
    /// Where it rests and returns to, cells; for a yielding unit, see `aside`.
    pub anchor: Vec2,
    /// Direction in which a yielding unit steps aside.
    pub aside: Vec2,
}

impl Agent {
    pub fn new(at: Vec2, radius: f32, avoidance: bool) -> Self {
        Self {
            route: NO_ROUTE,
            radius,
            place: NO_PLACE,
            hold: false,
            avoidance,
            unreachable: false,
            side: 0,
            lean: 0,
            bypasses: false,
            yielding: 0,
            stall: 0,
            saw: false,
            loiter: 0,
            best: f32::INFINITY,
            anchor: at,
            aside: Vec2::ZERO,
        }
    }
}

/// What is given to a unit once, beside its body.
pub(crate) struct Nature {
    pub avoidance: bool,
    pub mass: f32,
    pub combat: Combat,
    pub role: StateId,
}

/// All units in id order, corpses among them; every array has the same length. A mirror of the world as the
/// last tick left it.
#[derive(Clone, Debug, Default)]
pub struct Units {
    /// Stable numbers, ascending.
    pub id: Vec<UnitId>,
    /// The entities.
    pub entity: Vec<Entity>,
    /// Centres, cells.
    pub position: Vec<Vec2>,
    /// Centres one tick before, cells.
    pub previous: Vec<Vec2>,
    /// Movement in the last tick, cells per tick.
    pub velocity: Vec<Vec2>,
    /// Facing, radians.
    pub heading: Vec<f32>,
    /// Radii, cells.
    pub radius: Vec<f32>,
    /// Top speeds, cells per tick.
    pub speed: Vec<f32>,
    /// Teams.
    pub team: Vec<u8>,
    /// Health, points; none left for a corpse.
    pub health: Vec<f32>,
    /// Masses, in those of a common unit.
    pub mass: Vec<f32>,
    /// How each fights.
    pub combat: Vec<Combat>,
    /// What each is doing.
    pub activity: Vec<Activity>,
    /// How the last order of each ended.
    pub outcome: Vec<Outcome>,
    pub(crate) agent: Vec<Agent>,
    /// The order it carries out or last did.
    pub(crate) task: Vec<Option<Task>>,
    pub(crate) queue: Vec<Vec<Task>>,
    pub(crate) mind: Vec<Mind>,
    pub(crate) intent: Vec<Intent>,
    /// Whose request holds a blow: a few among many.
    pub(crate) strikes: Vec<bool>,
    /// Homes of those who wander, and where they are going, for other wanderers to keep off.
    pub(crate) claims: Vec<[Option<Vec2>; 2]>,
    rank_of: Vec<u32>,
}

const GONE: u32 = u32::MAX;

impl Units {
    /// Number of units.
    pub fn len(&self) -> usize {
        self.id.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.id.is_empty()
    }

    /// Index of a living unit in the arrays.
    pub fn index_of(&self, id: UnitId) -> Option<usize> {
        self.rank_of
            .get(id.0 as usize)
            .filter(|&&rank| rank != GONE)
            .map(|&rank| rank as usize)
    }

    /// Whether the unit at an index is no corpse.
    pub fn is_alive(&self, index: usize) -> bool {
        self.activity[index] != Activity::Dead
    }

    pub(crate) fn next_id(&self) -> UnitId {
        UnitId(self.rank_of.len() as u32)
    }

    pub(crate) fn push(
        &mut self,
        entity: Entity,
        at: Vec2,
        heading: f32,
        body: Body,
        nature: &Nature,
    ) {
        let id = self.next_id();
        self.rank_of.push(self.len() as u32);
        self.id.push(id);
        self.entity.push(entity);
        self.position.push(at);
        self.previous.push(at);
        self.velocity.push(Vec2::ZERO);
        self.heading.push(heading);
        self.radius.push(body.radius);
        self.speed.push(body.speed);
        self.team.push(body.team);
        self.activity.push(Activity::Idle);
        self.outcome.push(Outcome::None);
        self.agent
            .push(Agent::new(at, body.radius, nature.avoidance));
        self.health.push(nature.combat.health);
        self.mass.push(nature.mass);
        self.combat.push(nature.combat);
        self.task.push(None);
        self.queue.push(Vec::new());
        self.mind.push(Mind::new(nature.role, at));
        self.intent.push(Intent::NONE);
        self.claims.push([None; 2]);
        self.strikes.push(false);
    }

    /// Reads what the host may have written. Returns the indices of units it moved by more than
    /// `0`, and drops units whose entities are gone, calling `dropped` for each.
    pub(crate) fn gather(
        &mut self,
        world: &World,
        moved: &mut Vec<u32>,
        mut dropped: impl FnMut(&Agent),
    ) {
        moved.clear();
        let mut found = 0;
        for archetype in world.archetypes() {
            let (Some(ids), Some(positions), Some(bodies)) = (
                archetype.get::<&UnitId>(),
                archetype.get::<&Position>(),
                archetype.get::<&Body>(),
            ) else {
                continue;
            };
            for ((id, position), body) in ids.iter().zip(positions.iter()).zip(bodies.iter()) {
                let Some(rank) = self.index_of(*id) else {
                    continue;
                };
                found += 1;
                if self.position[rank] != position.0 {
                    moved.push(rank as u32);
                    if position.0.is_finite() {
                        self.position[rank] = position.0;
                    }
                }
                self.radius[rank] = body.radius;
                self.speed[rank] = body.speed;
                self.team[rank] = body.team;
            }
        }
        moved.sort_unstable();
        if found < self.len() {
            self.drop_missing(world, moved, &mut dropped);
        }
    }

    fn drop_missing(
        &mut self,
        world: &World,
        moved: &mut Vec<u32>,
        dropped: &mut impl FnMut(&Agent),
    ) {
        // Ranks change, ids do not.
        for rank in moved.iter_mut() {
            *rank = self.id[*rank as usize].0;
        }
        for (i, &id) in self.id.iter().enumerate() {
            let found = world.get::<&UnitId>(self.entity[i]);
            if found.is_err() || found.is_ok_and(|found| *found != id) {
                self.rank_of[id.0 as usize] = GONE;
                dropped(&self.agent[i]);
            }
        }
        let (ids, rank_of) = (&self.id, &self.rank_of);
        macro_rules! retain {
            ($($column:ident),*) => { $({
                let mut row = 0;
                self.$column.retain(|_| { row += 1; rank_of[ids[row - 1].0 as usize] != GONE });
            })* };
        }
        retain!(
            entity, position, previous, velocity, heading, radius, speed, team, activity, outcome,
            agent, health, mass, combat, task, queue, mind, intent, claims, strikes
        );
        self.id.retain(|id| self.rank_of[id.0 as usize] != GONE);
        for (rank, id) in self.id.iter().enumerate() {
            self.rank_of[id.0 as usize] = rank as u32;
        }
        moved.retain_mut(|id| {
            *id = self.rank_of[*id as usize];
            *id != GONE
        });
    }

    /// Writes positions, velocities and headings back into the world.
    pub(crate) fn scatter(&self, world: &World) {
        for archetype in world.archetypes() {
            let (Some(ids), Some(mut positions), Some(mut velocities), Some(mut headings)) = (
                archetype.get::<&UnitId>(),
                archetype.get::<&mut Position>(),
                archetype.get::<&mut Velocity>(),
                archetype.get::<&mut Heading>(),
            ) else {
                continue;
            };
            for (row, id) in ids.iter().enumerate() {
                if let Some(rank) = self.index_of(*id) {
                    positions[row].0 = self.position[rank];
                    velocities[row].0 = self.velocity[rank];
                    headings[row].0 = self.heading[rank];
                }
            }
        }
    }
}
