//! The state hash: XXH3 over everything that decides the future of a run.

use xxhash_rust::xxh3::{Xxh3, xxh3_64_with_seed};

use crate::{
    brain::{Intent, Mind, NOBODY, StateId, mind::Change, pursuit::Pursuits},
    event::{Event, EventKind},
    field::{Congestion, FieldQueue},
    order::Task,
    route::Routes,
    units::Units,
};

pub(crate) struct StateHasher(Xxh3);

impl StateHasher {
    /// The seed and the tick are all the state that random numbers have.
    pub fn new(now: u64, seed: u64, events: u64, map: u64) -> Self {
        let mut hasher = Self(Xxh3::new());
        for word in [now, seed, events, map] {
            hasher.word(word);
        }
        hasher
    }

    fn word(&mut self, word: u64) {
        self.0.update(&word.to_le_bytes());
    }

    fn pair(&mut self, v: glam::Vec2) {
        self.word(u64::from(v.x.to_bits()) << 32 | u64::from(v.y.to_bits()));
    }

    fn floats(&mut self, a: f32, b: f32) {
        self.pair(glam::Vec2::new(a, b));
    }

    pub fn units(&mut self, units: &Units, routes: &Routes) {
        for i in 0..units.len() {
            let agent = &units.agent[i];
            self.word(u64::from(units.id[i].0));
            self.pair(units.position[i]);
            self.pair(units.velocity[i]);
            self.floats(units.heading[i], units.radius[i]);
            self.floats(units.speed[i], agent.best);
            self.pair(agent.anchor);
            self.pair(agent.aside);
            self.word(u64::from_le_bytes([
                units.team[i],
                units.activity[i].code(),
                units.outcome[i] as u8,
                u8::from(agent.hold)
                    | u8::from(agent.avoidance) << 1
                    | u8::from(agent.unreachable) << 2
                    | u8::from(agent.bypasses) << 3,
                agent.side as u8,
                agent.yielding,
                agent.stall as u8,
                (agent.stall >> 8) as u8,
            ]));
            self.word(
                u64::from(agent.place) << 32
                    | u64::from(agent.loiter) << 16
                    | u64::from(agent.lean) << 8
                    | u64::from(agent.saw),
            );
            self.floats(units.health[i], units.mass[i]);
            self.mind(&units.mind[i]);
            self.intent(&units.intent[i]);
            // The goal stands for the route: slots may be numbered otherwise after a restore.
            match routes.get(agent.route) {
                Some(route) => self.pair(route.goal),
                None => self.word(u64::MAX),
            }
            for task in units.task[i].iter().chain(&units.queue[i]) {
                self.task(task);
            }
        }
    }

    fn task(&mut self, task: &Task) {
        let zero = glam::Vec2::ZERO;
        let (kind, point, unit) = match *task {
            Task::Move { to } => (1, to, NOBODY),
            Task::Hold => (2, zero, NOBODY),
            Task::Stop => (3, zero, NOBODY),
            Task::AttackMove { to } => (4, to, NOBODY),
            Task::Attack { target } => (5, zero, target),
            Task::Chase { target } => (6, zero, target),
            Task::Follow { target } => (7, zero, target),
            Task::Patrol { to } => (8, to, NOBODY),
            Task::Guard { at: None } => (9, zero, NOBODY),
            Task::Guard { at: Some(at) } => (10, at, NOBODY),
            Task::Escort { target } => (11, zero, target),
            Task::Wander => (12, zero, NOBODY),
            Task::March {
                to,
                rally,
                facing,
                pace,
            } => {
                self.pair(rally);
                self.floats(facing, pace);
                (13, to, NOBODY)
            }
        };
        self.word(u64::from(unit.0) << 32 | kind);
        self.pair(point);
    }

    /// All that a mind holds beside what [`request`](Mind::request) repeats of the events.
    fn mind(&mut self, mind: &Mind) {
        if mind.is_blank() {
            self.word(0);
            return;
        }
        let (kind, pending) = match mind.pending {
            None => (0, StateId::NONE),
            Some(Change::To(state)) => (1, state),
            Some(Change::Interrupt(state)) => (2, state),
            Some(Change::Back) => (3, StateId::NONE),
        };
        let before = mind.before.map_or(u16::MAX, |state| state.0);
        for four in [
            [mind.state.0, mind.previous.0, mind.base.0, mind.role.0],
            [pending.0, mind.wind, mind.stalled, before],
            [kind, u16::from(mind.legs), 0, 0],
            [
                u16::from(mind.resting),
                u16::from(mind.strikes),
                u16::from(mind.outward),
                u16::from(mind.sights),
            ],
        ] {
            self.word(
                four.iter()
                    .fold(0, |word, &part| word << 16 | u64::from(part)),
            );
        }
        for word in [
            mind.since,
            mind.until,
            mind.via_until,
            mind.look_at,
            mind.ready_at,
            mind.hurt_at,
            u64::from(mind.changes),
            u64::from(mind.target.0) << 32 | u64::from(mind.charge.0),
            u64::from(mind.hurt_by.0),
        ] {
            self.word(word);
        }
        for point in [
            mind.home,
            mind.point,
            mind.post,
            mind.via,
            mind.point_of_way,
        ] {
            self.pair(point);
        }
        self.floats(mind.beyond, mind.pace);
        self.floats(mind.left, mind.best);
        self.floats(mind.facing, f32::from(u8::from(mind.polite)));
        if let Some((unit, damage)) = mind.request.strike {
            self.word(u64::from(unit.0) << 32 | u64::from(damage.to_bits()));
        }
        for word in mind.data {
            self.word(word);
        }
    }

    fn intent(&mut self, intent: &Intent) {
        if intent.leads {
            self.pair(intent.desired);
            self.floats(intent.left, intent.pace);
            self.word(
                u64::from(intent.company) << 2
                    | u64::from(intent.in_sight) << 1
                    | u64::from(intent.polite),
            );
        }
    }

    /// The shared fields to moving goals.
    pub fn pursuits(&mut self, pursuits: &Pursuits) {
        pursuits.each_state(|key, goal, made, used| {
            self.word(key);
            self.pair(goal);
            self.word(made);
            self.word(used);
        });
    }

    /// How far the fields under construction are.
    pub fn fields(&mut self, queue: &FieldQueue) {
        queue.each_state(|granted| self.word(granted));
    }

    /// Where units are held up: fields to come follow from it.
    pub fn congestion(&mut self, congestion: &Congestion) {
        congestion.each(|cell, held| self.word(u64::from(cell) << 8 | u64::from(held)));
    }

    pub fn finish(self) -> u64 {
        self.0.digest()
    }

    /// The running hash of events, `event` added.
    pub fn chain(hash: u64, event: &Event) -> u64 {
        let (kind, point) = match event.kind {
            EventKind::Arrived => (1, glam::Vec2::ZERO),
            EventKind::SettledNear => (2, glam::Vec2::ZERO),
            EventKind::Unreachable { nearest } => (3, nearest),
            EventKind::Stuck { reason } => (16 + reason as u64, glam::Vec2::ZERO),
            EventKind::Displaced { from } => (4, from),
            EventKind::Attacked { by, damage } => {
                (5 | u64::from(by.0) << 32, glam::Vec2::new(damage, 0.0))
            }
            EventKind::Died { by } => (
                6 | u64::from(by.unwrap_or(NOBODY).0) << 32,
                glam::Vec2::ZERO,
            ),
            EventKind::StateChanged { from, to } => (
                7 | u64::from(from.0) << 48 | u64::from(to.0) << 32,
                glam::Vec2::ZERO,
            ),
        };
        let mut bytes = [0; 32];
        bytes[..8].copy_from_slice(&event.tick.to_le_bytes());
        bytes[8..16].copy_from_slice(&u64::from(event.unit.0).to_le_bytes());
        bytes[16..24].copy_from_slice(&u64::to_le_bytes(kind));
        bytes[24..28].copy_from_slice(&point.x.to_bits().to_le_bytes());
        bytes[28..].copy_from_slice(&point.y.to_bits().to_le_bytes());
        xxh3_64_with_seed(&bytes, hash)
    }
}

#[cfg(test)]
#[path = "hash_test.rs"]
mod tests;
