//! The debug twin of the crowd's steering: why each of a unit's 64 headings was free or refused.
//!
//! The steering tells a [`Witness`] what it finds as it goes. In a tick nobody listens and the calls
//! vanish; [`Simulation::fan`](crate::Simulation::fan) runs the very same code over the state that
//! the last tick began with and writes down what it hears.

use glam::{IVec2, Vec2};

use super::{crowd, directions, mask};
use crate::{components::UnitId, config::Config, flock::Flock, map::Occupancy, units::Units};

/// How a unit came to its heading.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Choice {
    /// The way it wants to go is free.
    Ahead,
    /// The free heading nearest to the base, round what is in the way.
    Around,
    /// No heading near is free of meetings; this one is free of imminent ones, and taken slowly.
    Squeeze,
    /// Past slow leaders.
    Overtake,
    /// Nothing near is free: it presses on along its way, slowly, or waits where it is polite.
    Press,
}

/// Why a heading was refused, or that it was not.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Refusal {
    /// Nothing is in the way.
    Free,
    /// Free, but turned further from the unit's way than it may at full speed.
    TooFar,
    /// The disc would run into a blocked cell.
    Wall {
        /// That cell; of several the first, row by row.
        cell: IVec2,
    },
    /// The unit would meet another one; of several this is the one met first.
    Unit {
        /// Who.
        unit: UnitId,
        /// Ticks until they touch, at worst.
        ticks: f32,
        /// So near that the heading is refused even at a slower pace.
        imminent: bool,
    },
}

/// What a walking unit did in the last tick and why.
#[derive(Clone, Debug, PartialEq)]
pub struct Fan {
    /// Where it stood, cells.
    pub at: Vec2,
    /// The way it wanted to go, a unit vector.
    pub guidance: Vec2,
    /// The heading that the search began at, in sixty-fourths of a turn.
    pub base: u32,
    /// The heading that it took, a unit vector: one of the 64, or its guidance where that was free.
    pub heading: Vec2,
    /// The speed that it wanted along the heading, cells per tick; 0 where it waits.
    pub speed: f32,
    /// How it came to the heading.
    pub choice: Choice,
    /// Steps of 64 that it leaned to the right, since others came towards it.
    pub lean: f32,
    /// What it steered by in the end, cells per tick: the heading blended with the last velocity,
    /// less what would have run into others in touch.
    pub velocity: Vec2,
    /// For each of the 64 headings of [`directions`] why it was refused.
    pub refusals: [Refusal; directions::COUNT],
    /// The mask of the headings that walls block, a bit a heading.
    pub walls: u64,
    /// The same with those on which it would meet a unit soon.
    pub soft: u64,
    /// The same with those on which it would meet one at once.
    pub hard: u64,
}

impl Fan {
    /// The one of the 64 headings that is nearest to the one taken.
    pub fn chosen(&self) -> u32 {
        directions::nearest(self.heading)
    }
}

/// What a unit decided on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Way {
    /// A unit vector.
    pub heading: Vec2,
    /// Cells per tick.
    pub speed: f32,
    pub choice: Choice,
    /// Steps of 64.
    pub lean: f32,
}

/// Told what the steering of a walking unit finds.
pub(crate) trait Witness {
    /// These headings are blocked by walls.
    fn walls(&mut self, blocked: u64);
    /// The neighbour at `place` blocks these; `travel` is the unit's own way to contact, cells.
    fn neighbour(&mut self, place: usize, blocked: u64, travel: f32, imminent: bool);
    /// This way was taken.
    fn took(&mut self, way: Way);
}

/// Nobody.
impl Witness for () {
    fn walls(&mut self, _: u64) {}
    fn neighbour(&mut self, _: usize, _: u64, _: f32, _: bool) {}
    fn took(&mut self, _: Way) {}
}

/// A neighbour that blocks headings.
struct Met {
    place: usize,
    blocked: u64,
    travel: f32,
    imminent: bool,
}

/// Writes down what it is told.
#[derive(Default)]
struct Record {
    walls: u64,
    met: Vec<Met>,
    way: Option<Way>,
}

impl Witness for Record {
    fn walls(&mut self, blocked: u64) {
        self.walls = blocked;
    }

    fn neighbour(&mut self, place: usize, blocked: u64, travel: f32, imminent: bool) {
        self.met.push(Met {
            place,
            blocked,
            travel,
            imminent,
        });
    }

    fn took(&mut self, way: Way) {
        self.way = Some(way);
    }
}

/// The fan of the unit at `place`, as the last tick steered it; `None` for one that did not walk.
pub(crate) fn fan(
    flock: &Flock,
    place: usize,
    units: &Units,
    cells: &Occupancy,
    config: &Config,
) -> Option<Fan> {
    let own = flock.mark.get(place)?;
    if own.hold || !own.moving {
        return None;
    }
    let mut record = Record::default();
    let steered = crowd::walk_watched(flock, place, cells, config.neighbour_cap, &mut record);
    let way = record.way?;
    let at = flock.position[place];
    let (exact, ahead) = crowd::ahead(own, way.lean);
    let most = crowd::most_turns(own)[0];
    let mut refusals: [Refusal; directions::COUNT] = std::array::from_fn(|step| {
        if crowd::turn_between(ahead, step as u32).abs() > most {
            Refusal::TooFar
        } else {
            Refusal::Free
        }
    });
    // The one met first is written last.
    record.met.sort_by(|a, b| b.travel.total_cmp(&a.travel));
    let (mut soft, mut hard) = (record.walls, record.walls);
    for met in &record.met {
        soft |= met.blocked;
        if met.imminent {
            hard |= met.blocked;
        }
        for step in bits(met.blocked) {
            refusals[step] = Refusal::Unit {
                unit: units.id[flock.rank[met.place] as usize],
                ticks: met.travel / own.speed,
                imminent: met.imminent,
            };
        }
    }
    let mut seen = 0;
    mask::each_wall(cells, at, own.radius, |cell, blocked| {
        for step in bits(blocked & record.walls & !seen) {
            refusals[step] = Refusal::Wall { cell };
        }
        seen |= blocked;
    });
    Some(Fan {
        at,
        guidance: own.desired,
        base: crowd::base(own, exact),
        heading: way.heading,
        speed: way.speed,
        choice: way.choice,
        lean: way.lean,
        velocity: steered.velocity,
        refusals,
        walls: record.walls,
        soft,
        hard,
    })
}

/// The numbers of the set bits.
fn bits(mask: u64) -> impl Iterator<Item = usize> {
    (0..directions::COUNT).filter(move |bit| mask >> bit & 1 == 1)
}

#[cfg(test)]
#[path = "fan_test.rs"]
mod tests;
