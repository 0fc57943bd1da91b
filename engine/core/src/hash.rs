//! The state hash: XXH3 over everything that decides the future of a run.

use xxhash_rust::xxh3::{Xxh3, xxh3_64_with_seed};

use crate::{
    event::{Event, EventKind},
    order::Order,
    route::Routes,
    units::Units,
};

pub(crate) struct StateHasher(Xxh3);

impl StateHasher {
    pub fn new(now: u64, events: u64, map: u64) -> Self {
        let mut hasher = Self(Xxh3::new());
        for word in [now, events, map] {
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
                units.activity[i] as u8,
                units.outcome[i] as u8,
                agent.hold as u8 | (agent.avoidance as u8) << 1 | (agent.unreachable as u8) << 2,
                agent.side as u8,
                agent.yielding,
                agent.stall as u8,
                (agent.stall >> 8) as u8,
            ]));
            // The goal stands for the route: slots may be numbered otherwise after a restore.
            match routes.get(agent.route) {
                Some(route) => self.pair(route.goal),
                None => self.word(u64::MAX),
            }
            for order in &units.queue[i] {
                self.order(order);
            }
        }
    }

    fn order(&mut self, order: &Order) {
        match *order {
            Order::Move { to } => {
                self.word(1);
                self.pair(to);
            }
            Order::Hold => self.word(2),
            Order::Stop => self.word(3),
        }
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
