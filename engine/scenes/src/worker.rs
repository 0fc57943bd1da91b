//! Workers: they mine, carry home, and go back to what they did before.
//!
//! They are what a game would write: states of its own with data of its own, by the public
//! interface of the engine only.

use bytemuck::{Pod, Zeroable};
use glam::Vec2;
use throng::{Mind, Outcome, Senses, Simulation, State, StateId};

/// Seconds of digging for one load.
const DIG: f32 = 2.0;
/// Ore in a load.
const LOAD: u32 = 5;
/// Seconds after which one who could not get there tries again.
const RETRY: f32 = 2.0;

/// What a worker remembers: its game data, see [`Mind::data`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct Job {
    /// Ticks dug at the present load.
    pub dug: u32,
    /// Ore carried.
    pub ore: u32,
    /// Ore brought home so far.
    pub delivered: u32,
}

/// Adds the states of workers between a mine and a store, both in cells, and returns the one to
/// begin in: for [`Brain::State`](throng::Brain::State).
pub fn hire(simulation: &mut Simulation, mine: Vec2, store: Vec2) -> StateId {
    let deliver = simulation.add_state(Deliver { store });
    simulation.add_state(Gather { mine, deliver })
}

/// To the mine, and dig there.
struct Gather {
    mine: Vec2,
    deliver: StateId,
}

impl State for Gather {
    fn name(&self) -> &'static str {
        "gather"
    }

    fn enter(&self, _: &Senses, mind: &mut Mind) {
        // An order may have taken it off its way home.
        if mind.data::<Job>().ore > 0 {
            mind.change(self.deliver);
        } else {
            mind.travel(self.mine);
        }
    }

    fn execute(&self, me: &Senses, mind: &mut Mind) {
        if is_there(me, mind, self.mine) {
            let mut job: Job = mind.data();
            job.dug += 1;
            if u64::from(job.dug) >= me.ticks(DIG) {
                (job.dug, job.ore) = (0, LOAD);
                mind.change(self.deliver);
            }
            mind.set_data(job);
        }
    }
}

/// Home with what is carried, then back to what was done before.
struct Deliver {
    store: Vec2,
}

impl State for Deliver {
    fn name(&self) -> &'static str {
        "deliver"
    }

    fn enter(&self, _: &Senses, mind: &mut Mind) {
        mind.travel(self.store);
    }

    fn execute(&self, me: &Senses, mind: &mut Mind) {
        if is_there(me, mind, self.store) {
            let mut job: Job = mind.data();
            job.delivered += std::mem::take(&mut job.ore);
            mind.set_data(job);
            mind.go_back();
        }
    }
}

/// Whether the way to `to` is done; one who is kept from it tries again now and then.
fn is_there(me: &Senses, mind: &mut Mind, to: Vec2) -> bool {
    let spent = me.now() - mind.since();
    if spent == 0 {
        // What the outcome tells of is the way before.
        return false;
    }
    let outcome = me.outcome();
    let kept = matches!(outcome, Outcome::Unreachable | Outcome::Stuck);
    if kept && spent.is_multiple_of(me.ticks(RETRY).max(1)) {
        mind.travel(to);
    }
    matches!(outcome, Outcome::Arrived | Outcome::SettledNear)
}
