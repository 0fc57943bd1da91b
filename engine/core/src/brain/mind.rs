//! What a unit's brain remembers.

use bytemuck::{Pod, Zeroable};
use glam::Vec2;

use super::{NOBODY, StateId, pursuit::Quarry};
use crate::{
    components::{Outcome, UnitId},
    event::StuckReason,
};

/// How the unit is to move.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum Go {
    /// As ordered: on the route of a move order, or not at all.
    #[default]
    Ordered,
    Stand,
    To(Vec2),
    /// To a place, by the field to a point that others make for as well while it is far.
    ToPlace(Vec2, Vec2),
    After(UnitId),
    Enemies,
    From(Vec2),
}

/// What a state asked for that others feel. Carried out in unit order.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Request {
    /// Strike this unit for so much.
    pub strike: Option<(UnitId, f32)>,
    /// Walk there as a move order would.
    pub travel: Option<Vec2>,
    /// The order ends like this.
    pub end: Option<(Outcome, StuckReason)>,
    /// Trade places in the formation with this unit, if that brings both on.
    pub trade: Option<UnitId>,
}

/// A change of state that is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    To(StateId),
    /// To a state that ends with a step back.
    Interrupt(StateId),
    /// To the state before.
    Back,
}

/// Share of the top speed that counts as progress.
const PROGRESS: f32 = 0.4;

/// Words of a game's own data in each mind.
const WORDS: usize = 4;

/// A unit's brain: its state, the one before, and what the states remember. A state gets the mind
/// of its own unit to write.
///
/// In a crowd most minds are looked at in every tick and found to wait. What that takes comes first,
/// within one cache line.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub struct Mind {
    /// Change to be made before anything else.
    pub(crate) pending: Option<Change>,
    pub(crate) state: StateId,
    /// The state that events have told of.
    pub(crate) told: StateId,
    /// State without an order.
    pub(crate) role: StateId,
    /// State that the order or the brain's role stands for; fights come back to it.
    pub(crate) base: StateId,
    pub(crate) hurt_at: u64,
    /// Tick of the next look round.
    pub(crate) look_at: u64,
    /// The shared field it follows in this tick.
    pub(crate) quarry: Option<Quarry>,
    pub(crate) previous: StateId,
    /// In an interrupt: what was the previous state of the interrupted one. So a state that ends
    /// with a step back still does so when it was interrupted meanwhile.
    pub(crate) before: Option<StateId>,
    /// Tick in which the state began.
    pub(crate) since: u64,
    pub(crate) target: UnitId,
    /// The unit or nobody that the order names.
    pub(crate) charge: UnitId,
    /// Post, or home of a wanderer.
    pub(crate) home: Vec2,
    /// Other end of a patrol, or goal of the present leg.
    pub(crate) point: Vec2,
    /// First point of the short way to `point`.
    pub(crate) via: Vec2,
    /// The point that `via` leads to, and the way from `via` on, cells; infinite
    /// where no short way leads there.
    pub(crate) point_of_way: Vec2,
    pub(crate) beyond: f32,
    /// The goal lies straight ahead.
    pub(crate) sights: bool,
    /// Tick in which `via` is looked for again.
    pub(crate) via_until: u64,
    /// Tick until which it rests, or gives up.
    pub(crate) until: u64,
    /// Where a fight nobody ordered began; the leash is tied there.
    pub(crate) post: Vec2,
    /// On the way from `home` to `point`.
    pub(crate) outward: bool,
    pub(crate) legs: u8,
    /// Ticks in a row in which it wanted to walk and could not.
    pub(crate) stalled: u16,
    /// Way left to where it walks, cells, and the least so far.
    pub(crate) left: f32,
    pub(crate) best: f32,
    /// Strikes at whom it chases.
    pub(crate) strikes: bool,
    pub(crate) resting: bool,
    /// Ticks of wind-up done.
    pub(crate) wind: u16,
    /// Earliest tick of the next blow.
    pub(crate) ready_at: u64,
    pub(crate) hurt_by: UnitId,
    /// Changes of state so far.
    pub(crate) changes: u32,
    pub(crate) go: Go,
    pub(crate) pace: f32,
    /// Where to look at the end of a march, radians.
    pub(crate) facing: f32,
    /// Goes round those at rest and never presses on them.
    pub(crate) polite: bool,
    pub(crate) request: Request,
    pub(crate) data: [u64; WORDS],
}

impl Mind {
    pub(crate) fn new(role: StateId, at: Vec2) -> Self {
        Self {
            state: StateId::NONE,
            previous: StateId::NONE,
            told: StateId::NONE,
            pending: (role != StateId::NONE).then_some(Change::To(role)),
            before: None,
            base: role,
            role,
            since: 0,
            target: NOBODY,
            charge: NOBODY,
            home: at,
            point: at,
            via: at,
            point_of_way: at,
            beyond: f32::INFINITY,
            sights: false,
            quarry: None,
            via_until: 0,
            until: 0,
            look_at: 0,
            post: at,
            outward: true,
            legs: 0,
            stalled: 0,
            left: f32::INFINITY,
            best: f32::INFINITY,
            strikes: true,
            resting: false,
            wind: 0,
            ready_at: 0,
            hurt_at: u64::MAX,
            hurt_by: NOBODY,
            changes: 0,
            go: Go::Ordered,
            pace: f32::INFINITY,
            facing: 0.0,
            polite: false,
            request: Request::default(),
            data: [0; WORDS],
        }
    }

    /// Whether it is a brain that never did anything and will not.
    pub(crate) fn is_blank(&self) -> bool {
        self.changes == 0 && self.role == StateId::NONE && self.pending.is_none()
    }

    /// Whether thinking would change nothing: it only carries out an order (`is_ordered`), or stands
    /// on the watch and neither looks round in this tick nor has anything to tell.
    pub(crate) fn is_waiting(&self, now: u64, is_ordered: impl FnOnce() -> bool) -> bool {
        self.pending.is_none()
            && self.hurt_at != now
            && match self.state {
                StateId::NONE => self.role == StateId::NONE || is_ordered(),
                StateId::IDLE => {
                    self.told == StateId::IDLE && now < self.look_at && self.quarry.is_none()
                }
                _ => false,
            }
    }

    /// Whether its state has to be told of, or asked for something that others feel.
    pub(crate) fn needs_care(&self) -> bool {
        self.told != self.state
            || !matches!(self.state, StateId::NONE | StateId::IDLE)
            || self.quarry.is_some()
            || self.request != Request::default()
    }

    /// The state it is in.
    pub fn state(&self) -> StateId {
        self.state
    }

    /// The state it was in before.
    pub fn previous(&self) -> StateId {
        self.previous
    }

    /// Tick in which the present state was entered.
    pub fn since(&self) -> u64 {
        self.since
    }

    /// Changes state: the machine calls `exit` of the present one, then `enter` of `state`, once
    /// each. Changing to the present state begins it anew. In `exit` it is without effect.
    pub fn change(&mut self, state: StateId) {
        self.pending = Some(Change::To(state));
    }

    /// Changes state for a while, as the answer of a [`Sensor`](super::Sensor) does: when `state`
    /// ends with [`go_back`](Self::go_back), the interrupted state's own `previous` is what it was.
    /// An interrupt of an interrupt takes its place.
    pub fn interrupt(&mut self, state: StateId) {
        self.pending = Some(Change::Interrupt(state));
    }

    /// Goes back to the state before this one.
    pub fn go_back(&mut self) {
        self.pending = Some(Change::Back);
    }

    /// An order is done: on with what the unit's brain does, about the place where it is.
    pub(super) fn take_role(&mut self, at: Vec2) {
        self.home = at;
        self.charge = NOBODY;
        self.base = self.role;
        self.change(self.role);
    }

    /// Goes back to what the order, or else the unit's brain, has it do.
    pub fn resume(&mut self) {
        self.change(self.base);
    }

    /// The unit it chases or strikes at.
    pub fn target(&self) -> Option<UnitId> {
        (self.target != NOBODY).then_some(self.target)
    }

    /// Chooses whom to chase or strike at. Wind-up and cool-down run on.
    pub fn set_target(&mut self, target: Option<UnitId>) {
        self.target = target.unwrap_or(NOBODY);
    }

    /// From the next tick on: stand, whatever was ordered.
    pub fn stand(&mut self) {
        self.go = Go::Stand;
    }

    /// From the next tick on: walk as ordered, or stand where nothing is.
    pub fn obey(&mut self) {
        self.go = Go::Ordered;
    }

    /// From the next tick on: walk to a point (cells), up to it. Ways to near points are looked
    /// for by each unit; further ones share a field with all who walk to the same cell.
    pub fn walk_to(&mut self, point: Vec2) {
        self.go = Go::To(point);
    }

    pub(super) fn walk_to_place(&mut self, place: Vec2, rally: Vec2) {
        self.go = Go::ToPlace(place, rally);
    }

    /// From the next tick on: walk after a unit, up to touching it.
    pub fn walk_after(&mut self, unit: UnitId) {
        self.go = Go::After(unit);
    }

    /// From the next tick on: walk away from a point (cells).
    pub fn walk_from(&mut self, point: Vec2) {
        self.go = Go::From(point);
    }

    /// Walks to a point (cells, inside the map) as a move order would, settling among the others
    /// sent there; [`Senses::outcome`](super::Senses::outcome) tells how it ended, from the next tick
    /// on. The state stays.
    pub fn travel(&mut self, to: Vec2) {
        self.request.travel = Some(to);
        self.go = Go::Ordered;
    }

    /// Strikes a unit for `damage` points of health at the start of the next tick's brains.
    pub fn strike(&mut self, unit: UnitId, damage: f32) {
        self.request.strike = Some((unit, damage));
    }

    /// Ends the order: the next one in the queue begins, or the unit's own brain takes over.
    pub fn finish(&mut self, outcome: Outcome) {
        self.request.end = Some((outcome, StuckReason::TargetLost));
    }

    /// Counts ticks in which it wanted to walk and hardly moved.
    pub(super) fn count_stall(&mut self, me: &super::Senses) {
        let walks = !matches!(self.go, Go::Stand | Go::Ordered);
        let moved = me.velocity().length_squared() > 0.01 * me.speed() * me.speed();
        self.stalled = if walks && !moved {
            self.stalled.saturating_add(1)
        } else if moved {
            0
        } else {
            self.stalled
        };
    }

    /// Counts ticks without progress on the way it walks.
    pub(super) fn count_delay(&mut self, speed: f32) {
        let progress = self.best - self.left;
        self.best = self.best.min(self.left);
        self.stalled = if progress >= PROGRESS * speed {
            self.stalled.saturating_sub(1)
        } else {
            self.stalled.saturating_add(1)
        };
    }

    /// Begins to count progress anew.
    pub(super) fn set_out(&mut self) {
        self.stalled = 0;
        self.left = f32::INFINITY;
        self.best = f32::INFINITY;
        self.via_until = 0;
    }

    /// The game's own data of this unit, shared by all its states; zeros at first. It is part of
    /// the state hash.
    ///
    /// # Panics
    ///
    /// When `T` is larger than 32 bytes, for every unit alike.
    pub fn data<T: Pod>(&self) -> T {
        bytemuck::pod_read_unaligned(&bytemuck::bytes_of(&self.data)[..size_of::<T>()])
    }

    /// Writes the game's own data of this unit.
    ///
    /// # Panics
    ///
    /// When `T` is larger than 32 bytes, for every unit alike.
    pub fn set_data<T: Pod + Zeroable>(&mut self, data: T) {
        bytemuck::bytes_of_mut(&mut self.data)[..size_of::<T>()]
            .copy_from_slice(bytemuck::bytes_of(&data));
    }
}
