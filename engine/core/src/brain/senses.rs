//! What a state can see.

use glam::Vec2;
use hecs::Entity;

use super::{
    Wandering,
    presence::Presence,
    pursuit::Pursuits,
    random,
    way::{Ground, ShortWay, Standing},
};
use crate::{
    combat::Combat,
    components::{Outcome, UnitId},
    flock::Flock,
    map::{Map, Occupancy, SizeClass},
    motion::walls,
    route::region_of,
    units::Units,
};

/// All that brains read in a tick.
pub(crate) struct Scene<'a> {
    pub units: &'a Units,
    pub flock: &'a Flock,
    pub map: &'a Map,
    pub pursuits: &'a Pursuits,
    pub presence: &'a Presence,
    pub wandering: &'a Wandering,
    pub seed: u64,
    pub tick_rate: f32,
    pub now: u64,
}

/// Distance in own radii, beside the other's, at which a friend lies against a unit.
const TOUCH: f32 = 1.4;
/// Cosine of the angle to the way within which it stands in the way.
const AHEAD: f32 = 0.5;

/// How far beside its way a polite unit looks for those who stand about, cells.
const ASIDE: f32 = 2.0;

/// The world as one unit sees it: what the tick left.
#[derive(Clone, Copy)]
pub struct Senses<'a> {
    pub(crate) scene: &'a Scene<'a>,
    pub(crate) rank: usize,
}

impl<'a> Senses<'a> {
    /// The tick.
    pub fn now(&self) -> u64 {
        self.scene.now
    }

    /// A time in seconds as ticks.
    pub fn ticks(&self, seconds: f32) -> u64 {
        (seconds * self.scene.tick_rate).round().max(0.0) as u64
    }

    /// Its number.
    pub fn id(&self) -> UnitId {
        self.scene.units.id[self.rank]
    }

    /// Its entity.
    pub fn entity(&self) -> Entity {
        self.scene.units.entity[self.rank]
    }

    /// Where it is, cells.
    pub fn position(&self) -> Vec2 {
        self.scene.units.position[self.rank]
    }

    /// What it moved in this tick, cells per tick.
    pub fn velocity(&self) -> Vec2 {
        self.scene.units.velocity[self.rank]
    }

    /// Where it faces, radians.
    pub fn heading(&self) -> f32 {
        self.scene.units.heading[self.rank]
    }

    /// Its radius, cells.
    pub fn radius(&self) -> f32 {
        self.scene.units.radius[self.rank]
    }

    /// Its top speed, cells per tick.
    pub fn speed(&self) -> f32 {
        self.scene.units.speed[self.rank]
    }

    /// Its team.
    pub fn team(&self) -> u8 {
        self.scene.units.team[self.rank]
    }

    /// Its health, points.
    pub fn health(&self) -> f32 {
        self.scene.units.health[self.rank]
    }

    /// How it fights.
    pub fn combat(&self) -> &'a Combat {
        &self.scene.units.combat[self.rank]
    }

    /// How its last order, or [`Mind::travel`](super::Mind::travel), ended or stands.
    pub fn outcome(&self) -> Outcome {
        self.scene.units.outcome[self.rank]
    }

    /// Whether it was ordered to hold its place.
    pub fn holds(&self) -> bool {
        self.scene.units.agent[self.rank].hold
    }

    /// A uniform number in [0, 1) of this unit and tick; several in one tick by different
    /// `stream`.
    pub fn random(&self, stream: u32) -> f32 {
        random::unit(self.scene.seed, self.id(), self.now(), stream)
    }

    /// Where another living unit is, cells.
    pub fn position_of(&self, unit: UnitId) -> Option<Vec2> {
        let rank = self.living(unit)?;
        Some(self.scene.units.position[rank])
    }

    /// Ground between the discs of this unit and another living one, cells; negative where they
    /// overlap.
    pub fn gap_to(&self, unit: UnitId) -> Option<f32> {
        let rank = self.living(unit)?;
        let units = self.scene.units;
        Some(self.position().distance(units.position[rank]) - self.radius() - units.radius[rank])
    }

    /// Whether no wall lies between this unit and a point.
    pub fn sees(&self, point: Vec2) -> bool {
        walls::is_in_sight(self.walls(), self.position(), point)
    }

    /// Whether the unit can walk to a point, other units aside.
    pub fn can_reach(&self, point: Vec2) -> bool {
        let (map, class) = (self.scene.map, SizeClass::of(self.radius()));
        map.reachable(class, self.position(), point)
            // A large disc may stand where the middle of its cell is too close to a wall, and
            // reaches what stands closer to walls than it can.
            || class != SizeClass::SMALLEST
                && region_of(map, class, self.position()) == region_of(map, class, point)
    }

    /// Whether the unit can go straight to a point, other units aside.
    pub fn is_straight(&self, point: Vec2) -> bool {
        self.ground(&Standing::NOBODY)
            .is_straight(self.position(), point)
    }

    /// The short way to a point.
    pub(crate) fn short_way(&self, point: Vec2) -> Option<ShortWay> {
        self.ground(&Standing::NOBODY).find(self.position(), point)
    }

    /// The short way to a point round those who stand about.
    pub(crate) fn polite_way(&self, point: Vec2) -> Option<ShortWay> {
        let Scene { units, flock, .. } = *self.scene;
        let mut standing = Standing::NOBODY;
        let (middle, half) = (
            self.position().midpoint(point),
            self.position().distance(point) / 2.0,
        );
        for place in flock.cells.runs(middle, half + ASIDE).flatten() {
            let rank = flock.rank[place] as usize;
            if rank != self.rank && flock.mark[place].solid && !flock.mark[place].moving {
                standing.add(units.position[rank], units.radius[rank]);
            }
        }
        self.ground(&standing).find(self.position(), point)
    }

    fn ground<'b>(&self, standing: &'b Standing) -> Ground<'b>
    where
        'a: 'b,
    {
        Ground {
            walls: self.walls(),
            cells: &self.scene.map.nav(SizeClass::of(self.radius())).occupancy,
            radius: self.radius(),
            standing,
        }
    }

    /// The living unit of another team nearest to this one, by the ground between them, among
    /// those at most `reach` cells away that it can walk to or, for [`sees`](Self::sees), strike
    /// at; of equals the one with the lowest number.
    pub fn nearest_enemy(&self, reach: f32) -> Option<UnitId> {
        let centres = reach + self.radius() + self.scene.flock.extents.all().radius;
        let presence = self.scene.presence;
        if !presence.may_hold_enemy(self.position(), centres, self.team()) {
            return None;
        }
        // A near ring first: in a fight the enemy is close.
        let near = 2.0 + self.radius();
        if reach > 2.0 * near
            && let Some(found) = self.nearest_enemy_within(near)
        {
            return Some(found);
        }
        self.nearest_enemy_within(reach)
    }

    fn nearest_enemy_within(&self, reach: f32) -> Option<UnitId> {
        let Scene { units, flock, .. } = *self.scene;
        let (at, team, radius) = (self.position(), self.team(), self.radius());
        // Buckets are those of the tick's start; all may have moved since.
        let all = flock.extents.all();
        let around = reach + radius + all.radius + 2.0 * all.speed;
        let mut best = (f32::INFINITY, UnitId(u32::MAX));
        for run in flock.cells.runs(at, around) {
            for place in run {
                let mark = &flock.mark[place];
                if mark.team == team {
                    continue;
                }
                let rank = flock.rank[place] as usize;
                let gap = at.distance(units.position[rank]) - radius - mark.radius;
                let id = units.id[rank];
                if gap <= reach
                    && (gap, id) < best
                    && units.is_alive(rank)
                    && self.can_reach(units.position[rank])
                {
                    best = (gap, id);
                }
            }
        }
        (best.0 <= reach).then_some(best.1)
    }

    /// Whether another unit stands within `gap` cells of a disc of this unit's radius at `point`.
    pub fn is_taken(&self, point: Vec2, gap: f32) -> bool {
        let Scene { units, flock, .. } = *self.scene;
        let all = flock.extents.all();
        let around = self.radius() + gap + all.radius + all.speed;
        flock.cells.runs(point, around).flatten().any(|place| {
            let rank = flock.rank[place] as usize;
            let near = self.radius() + units.radius[rank] + gap;
            rank != self.rank
                && flock.mark[place].solid
                && !flock.mark[place].moving
                && units.position[rank].distance_squared(point) < near * near
        })
    }

    /// Whether a disc of this unit's radius at `point` would lie on another wanderer's home, or on
    /// the place where one is going.
    pub(crate) fn is_claimed(&self, point: Vec2) -> bool {
        let Scene { units, flock, .. } = *self.scene;
        // Wanderers keep within their roaming ground, but for those that others push off it.
        let all = flock.extents.all();
        let around = 2.0 * self.scene.wandering.radius + self.radius() + all.radius;
        flock.cells.runs(point, around).flatten().any(|place| {
            let rank = flock.rank[place] as usize;
            let near = self.radius() + units.radius[rank];
            let lies_on = |claim: &Vec2| claim.distance_squared(point) < near * near;
            rank != self.rank && units.claims[rank].iter().flatten().any(lies_on)
        })
    }

    /// The friend that lies against this unit on its way to a point; of several the one nearest to
    /// the point, then by number.
    pub(crate) fn barred_by(&self, point: Vec2) -> Option<UnitId> {
        let Scene { units, flock, .. } = *self.scene;
        let at = self.position();
        let towards = (point - at).normalize_or_zero();
        let near = flock.extents.near(at);
        let around = self.radius() * TOUCH + near.radius + near.speed;
        let mut best = None;
        for place in flock.cells.runs(at, around).flatten() {
            let rank = flock.rank[place] as usize;
            let offset = units.position[rank] - at;
            let distance = offset.length();
            if rank != self.rank
                && flock.mark[place].solid
                && units.team[rank] == self.team()
                && distance <= self.radius() * TOUCH + units.radius[rank]
                && offset.dot(towards) > AHEAD * distance
            {
                let found = (units.position[rank].distance(point), units.id[rank]);
                if best.is_none_or(|best| found < best) {
                    best = Some(found);
                }
            }
        }
        best.map(|(_, unit)| unit)
    }

    /// The blocked cells themselves, whatever the size of the unit.
    pub(crate) fn walls(&self) -> &'a Occupancy {
        &self.scene.map.nav(SizeClass::SMALLEST).occupancy
    }

    fn living(&self, unit: UnitId) -> Option<usize> {
        let rank = self.scene.units.index_of(unit)?;
        self.scene.units.is_alive(rank).then_some(rank)
    }
}
