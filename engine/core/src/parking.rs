//! Parking: a place for every unit sent to one goal.
//!
//! Places are laid out round the goal in order of walking distance, on a hexagonal lattice where
//! the ground allows and off it where walls cut it up. The crowd fills them from the far side, like
//! passengers a bus: those who come first go deepest and nobody has to walk round those at rest.

use std::collections::BTreeMap;

use glam::Vec2;

use crate::{detour::Detour, field::FlowField, flock::Flock, map::Occupancy, motion::walls};

/// Spacing of places, in sums of radii: 2 % of air lets the last one in without a push.
const SPACING: f32 = 2.04;
/// Weight of the way to a place against how early the place is to be filled. Low fills strictly
/// from the far side, with crossing ways; high leaves holes that later ones cannot reach.
const WAY: f32 = 0.55;

/// The same for places that are sought round those at rest: what a place further from the far side
/// costs more, in lengths of way. Over 1: they fill up from within.
const DEEPER: f32 = 2.5;

/// A part of a lot: where those sent to a goal park who walk in one component of the map.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Section {
    pub region: Option<u32>,
    /// The goal, or the reachable point nearest to it.
    pub centre: Vec2,
    /// Number of places.
    pub count: usize,
    /// Mean of the directions that the units come from, a vector of length 0 (from all sides) to 1.
    pub approach: Vec2,
}

/// The places round one goal.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lot {
    places: Vec<Vec2>,
    taken: Vec<bool>,
    /// Of each place: its distance from where filling begins, cells.
    depth: Vec<f32>,
    /// Of each place: the component of the map it lies in.
    region: Vec<Option<u32>>,
    /// Ways to the places that nobody rests on; empty until someone looks for one.
    pub detour: Detour,
}

pub(crate) const NO_PLACE: u32 = u32::MAX;

impl Lot {
    /// Number of places, taken or not.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Drops all places.
    pub fn clear(&mut self) {
        self.places.clear();
        self.taken.clear();
        self.depth.clear();
        self.region.clear();
        self.detour = Detour::default();
    }

    /// Lays out a section's places for discs of `radius` on the cells that are `inside` it.
    pub fn lay_out(
        &mut self,
        cells: &Occupancy,
        field: &FlowField,
        radius: f32,
        section: &Section,
        inside: &dyn Fn(i32, i32) -> bool,
    ) {
        let (centre, count) = (section.centre, section.count);
        let mut reach = radius * (count as f32 / 0.5).sqrt() + 4.0 * radius;
        let longest = (cells.width().max(cells.height()) as f32) * 1.5;
        let places = loop {
            let places = places_within(cells, field, centre, radius, reach, count, inside);
            if places.len() >= count || reach > longest {
                break places;
            }
            reach *= 1.6;
        };
        let extent = places
            .iter()
            .map(|p| p.distance(centre))
            .fold(0.0, f32::max);
        let far_end = centre + section.approach * extent;
        self.depth
            .extend(places.iter().map(|place| place.distance(far_end)));
        self.places.extend(places);
        self.taken.resize(self.places.len(), false);
        self.region.resize(self.places.len(), section.region);
    }

    /// Makes the places those that the units already stand on.
    pub fn keep(&mut self, places: impl Iterator<Item = Vec2>, region: Option<u32>) {
        self.clear();
        self.places.extend(places);
        self.taken.resize(self.places.len(), false);
        self.depth.resize(self.places.len(), 0.0);
        self.region.resize(self.places.len(), region);
    }

    pub fn place(&self, index: u32) -> Option<Vec2> {
        self.places.get(index as usize).copied()
    }

    /// Looks for the ways to all places that nobody rests on, from anywhere within `reach` of
    /// `goal`, cells.
    pub fn find_detours(&mut self, cells: &Occupancy, flock: &Flock, goal: Vec2, reach: f32) {
        self.detour.reset(cells, goal, reach);
        let rests = |place: usize| flock.mark[place].solid && !flock.mark[place].moving;
        for run in flock.cells.runs(goal, reach) {
            for place in run.filter(|&place| rests(place)) {
                self.detour.add_rester(flock.position[place]);
            }
        }
        let is_open = |at: Vec2| {
            flock
                .cells
                .runs(at, flock.extents.near(at).radius)
                .flatten()
                .all(|place| {
                    let radius = flock.mark[place].radius;
                    !rests(place) || flock.position[place].distance_squared(at) > radius * radius
                })
        };
        let places = self.places.iter().enumerate();
        let open = places.filter(|&(_, &at)| is_open(at));
        self.detour.search(
            cells,
            open.map(|(i, &at)| (i as u32, at, DEEPER * self.depth[i])),
        );
    }

    /// Marks a place as taken.
    pub fn claim(&mut self, index: u32) {
        if let Some(taken) = self.taken.get_mut(index as usize) {
            *taken = true;
        }
    }

    /// Takes the best free place for a unit at `at`, in component `region` of the map; with `nearest`
    /// the one it has the shortest way to.
    pub fn take(&mut self, at: Vec2, nearest: bool, region: Option<u32>) -> u32 {
        let mut best = (f32::INFINITY, NO_PLACE);
        let depth = if nearest { 0.0 } else { 1.0 };
        for (i, place) in self.places.iter().enumerate() {
            if !self.taken[i] && self.region[i] == region {
                let cost = depth * self.depth[i] + WAY * place.distance(at);
                if cost < best.0 {
                    best = (cost, i as u32);
                }
            }
        }
        if let Some(taken) = self.taken.get_mut(best.1 as usize) {
            *taken = true;
        }
        best.1
    }

    pub fn give_back(&mut self, index: u32) {
        if let Some(taken) = self.taken.get_mut(index as usize) {
            *taken = false;
        }
    }
}

/// Up to `count` places within `reach` of the goal, nearest by walking distance first.
fn places_within(
    cells: &Occupancy,
    field: &FlowField,
    goal: Vec2,
    radius: f32,
    reach: f32,
    count: usize,
    inside: &dyn Fn(i32, i32) -> bool,
) -> Vec<Vec2> {
    let spacing = SPACING * radius;
    let mut candidates = Vec::new();
    let offer = |candidates: &mut Vec<(f32, Vec2)>, place: Vec2, late: f32| {
        if place.distance(goal) <= reach && walls::is_clear(cells, place, radius) {
            let left = field.distance_at(place);
            let (x, y) = (place.x.floor() as i32, place.y.floor() as i32);
            if left.is_finite() && field.distance(x, y).is_finite() && inside(x, y) {
                candidates.push((left + late, place));
            }
        }
    };
    let row_height = spacing * 0.866_025_4;
    let rows = (reach / row_height) as i32 + 1;
    let columns = (reach / spacing) as i32 + 1;
    for row in -rows..=rows {
        let shift = if row & 1 == 0 { 0.0 } else { spacing / 2.0 };
        for column in -columns..=columns {
            offer(
                &mut candidates,
                goal + Vec2::new(column as f32 * spacing + shift, row as f32 * row_height),
                0.0,
            );
        }
    }
    let ideal = std::f32::consts::PI * reach * reach / (spacing * row_height);
    if (candidates.len() as f32) < 0.9 * ideal {
        // Walls cut the lattice up: a finer one fills what it misses.
        let fine = spacing / 4.0;
        let steps = (reach / fine) as i32 + 1;
        for row in -steps..=steps {
            for column in -steps..=steps {
                offer(
                    &mut candidates,
                    goal + Vec2::new(column as f32, row as f32) * fine,
                    spacing,
                );
            }
        }
    }
    candidates.sort_by(|a, b| {
        a.0.total_cmp(&b.0)
            .then(a.1.y.total_cmp(&b.1.y))
            .then(a.1.x.total_cmp(&b.1.x))
    });
    let mut places: Vec<Vec2> = Vec::with_capacity(count);
    let mut near: BTreeMap<(i32, i32), Vec<Vec2>> = BTreeMap::new();
    let bucket = |p: Vec2| {
        (
            (p.x / spacing).floor() as i32,
            (p.y / spacing).floor() as i32,
        )
    };
    let least = (2.0 * radius * 1.005) * (2.0 * radius * 1.005);
    for (_, place) in candidates {
        let (x, y) = bucket(place);
        let free = (-1..=1).all(|dy| {
            (-1..=1).all(|dx| {
                near.get(&(x + dx, y + dy))
                    .is_none_or(|taken| taken.iter().all(|t| t.distance_squared(place) >= least))
            })
        });
        if free {
            near.entry((x, y)).or_default().push(place);
            places.push(place);
            if places.len() == count {
                break;
            }
        }
    }
    places
}
