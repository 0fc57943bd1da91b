//! The state machine: shared states, sensors, and the change from one state to another.

use rayon::prelude::*;

use super::{
    Intent, Mind, Senses, StateId, attack, attack_move, chase, flee, follow, guard, idle, march,
    mind::{Change, Go, Request},
    patrol,
    senses::Scene,
    walk, wander,
};
use crate::{components::Outcome, flock::CHUNK};

/// Changes of state in one tick after which a unit keeps the state it is in until the next: bounds
/// states that hand on to one another in a ring.
const MOST_CHANGES: u32 = 8;

/// A state, shared by all units in it. Methods run in parallel for many units: they must depend on
/// nothing but their arguments, and what they remember of a unit belongs in its [`Mind`].
pub trait State: Send + Sync {
    /// The state's name in traces.
    fn name(&self) -> &'static str;

    /// The unit has come into the state.
    fn enter(&self, me: &Senses, mind: &mut Mind) {
        let _ = (me, mind);
    }

    /// Once a tick.
    fn execute(&self, me: &Senses, mind: &mut Mind);

    /// The unit leaves the state.
    fn exit(&self, me: &Senses, mind: &mut Mind) {
        let _ = (me, mind);
    }
}

/// Looks at a unit in every tick, before its state is asked; the state it names
/// [interrupts](Mind::interrupt) the one that the unit is in, unless it is that one already.
pub trait Sensor: Send + Sync {
    /// The state to interrupt with, if any.
    fn sense(&self, me: &Senses, mind: &Mind) -> Option<StateId>;
}

/// The states and sensors of a simulation.
pub(crate) struct Machine {
    states: Vec<Box<dyn State>>,
    sensors: Vec<Box<dyn Sensor>>,
}

impl Default for Machine {
    fn default() -> Self {
        Self {
            // In the order of the constants of `StateId`.
            states: vec![
                Box::new(idle::Nothing),
                Box::new(idle::Idle),
                Box::new(wander::Wander),
                Box::new(chase::Chase),
                Box::new(attack::Attack),
                Box::new(attack_move::AttackMove),
                Box::new(patrol::Patrol),
                Box::new(guard::Guard),
                Box::new(follow::Follow),
                Box::new(flee::Flee),
                Box::new(guard::Return),
                Box::new(chase::Hunt),
                Box::new(march::March),
                Box::new(attack::Kite),
                Box::new(flee::Wary),
            ],
            sensors: Vec::new(),
        }
    }
}

impl Machine {
    pub fn add(&mut self, state: Box<dyn State>) -> StateId {
        self.states.push(state);
        StateId((self.states.len() - 1) as u16)
    }

    pub fn add_sensor(&mut self, sensor: Box<dyn Sensor>) {
        self.sensors.push(sensor);
    }

    pub fn name(&self, state: StateId) -> &'static str {
        self.get(state).name()
    }

    fn get(&self, state: StateId) -> &dyn State {
        // A number of another simulation may name no state here.
        self.states
            .get(usize::from(state.0))
            .map_or(&idle::Nothing, |state| &**state)
    }

    /// Asks every unit's state what to do: writes minds and intents, reads all else.
    /// Marks as busy those whose state asked for something or has to be told of.
    pub fn think(
        &self,
        scene: &Scene,
        minds: &mut [Mind],
        intents: &mut [Intent],
        busy: &mut [bool],
    ) {
        minds
            .par_chunks_mut(CHUNK)
            .zip(intents.par_chunks_mut(CHUNK))
            .zip(busy.par_chunks_mut(CHUNK))
            .enumerate()
            .for_each(|(chunk, ((minds, intents), busy))| {
                let minds = minds.iter_mut().zip(intents).zip(busy);
                for (i, ((mind, intent), busy)) in minds.enumerate() {
                    let rank = chunk * CHUNK + i;
                    if self.sensors.is_empty()
                        && mind
                            .is_waiting(scene.now, || scene.units.outcome[rank] == Outcome::Active)
                    {
                        continue;
                    }
                    if scene.units.is_alive(rank) {
                        *intent = self.think_one(scene, rank, mind);
                    }
                    *busy = mind.needs_care();
                }
            });
    }

    fn think_one(&self, scene: &Scene, rank: usize, mind: &mut Mind) -> Intent {
        let me = Senses { scene, rank };
        mind.request = Request::default();
        mind.quarry = None;
        self.settle_changes(&me, mind);
        if flee::is_desperate(&me, mind) {
            mind.interrupt(StateId::FLEE);
            self.settle_changes(&me, mind);
        }
        for sensor in &self.sensors {
            if let Some(state) = sensor.sense(&me, mind).filter(|&s| s != mind.state) {
                mind.interrupt(state);
                self.settle_changes(&me, mind);
            }
        }
        self.get(mind.state).execute(&me, mind);
        self.settle_changes(&me, mind);
        match mind.go {
            Go::Ordered => Intent::NONE,
            Go::Stand => Intent::STAND,
            _ => walk::steer(&me, mind),
        }
    }

    /// Carries out the change of state that is asked for, and those that it leads to.
    fn settle_changes(&self, me: &Senses, mind: &mut Mind) {
        for _ in 0..MOST_CHANGES {
            let Some(change) = mind.pending.take() else {
                return;
            };
            self.get(mind.state).exit(me, mind);
            store(change, mind);
            mind.since = me.now();
            mind.changes += 1;
            mind.go = Go::Ordered;
            mind.polite = false;
            mind.via_until = 0;
            mind.pending = None;
            self.get(mind.state).enter(me, mind);
        }
    }
}

/// Makes a change's state the present one, and the present one the previous.
fn store(change: Change, mind: &mut Mind) {
    let (next, previous, before) = match (change, mind.before) {
        (Change::To(next), _) => (next, mind.state, None),
        (Change::Interrupt(next), None) => (next, mind.state, Some(mind.previous)),
        (Change::Interrupt(next), before) => (next, mind.previous, before),
        (Change::Back, before) => (mind.previous, before.unwrap_or(mind.state), None),
    };
    (mind.state, mind.previous, mind.before) = (next, previous, before);
}
