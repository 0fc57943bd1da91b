//! Health, blows and death.

use serde::{Deserialize, Serialize};

use crate::{
    brain::{Intent, NOBODY, StateId},
    components::Outcome,
    event::{Event, EventKind},
    route::Routes,
    units::{Activity, NO_ROUTE, Units},
};

/// What a unit does about enemies of itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[repr(u8)]
pub enum Stance {
    /// Goes for what it notices, as far as the leash reaches.
    #[default]
    Aggressive,
    /// The same with half the leash.
    Defensive,
    /// Strikes at what is in range and stays where it is.
    HoldGround,
    /// Lets them be.
    Passive,
}

/// How a unit fights. Distances in cells, between the discs; times in ticks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Combat {
    /// Health it has at first, points; over 0.
    pub health: f32,
    /// Health that a blow takes, points; 0 for an unarmed unit.
    pub damage: f32,
    /// Reach of its weapon. Walls stop blows.
    pub range: f32,
    /// From the decision to strike until the blow lands.
    pub wind_up: u16,
    /// From one blow to the next; at least the wind-up.
    pub cooldown: u16,
    /// It goes for enemies that come nearer than this.
    pub notice: f32,
    /// It gives up those that get further away than this; over `notice`, or it flickers at the
    /// edge.
    pub follow: f32,
    /// How far from where it stood a fight may draw it.
    pub leash: f32,
    /// What it does of itself.
    pub stance: Stance,
    /// Steps back from enemies that come near while its weapon cools down: for those that reach
    /// far and are quick.
    pub kites: bool,
    /// Share of its health, 0 to 1: a blow that leaves it less makes it run, unless it is to stay
    /// where it is. 0 for one that never runs.
    pub flee_below: f32,
}

impl Default for Combat {
    fn default() -> Self {
        Self {
            health: 100.0,
            damage: 0.0,
            range: 0.3,
            wind_up: 6,
            cooldown: 30,
            notice: 6.0,
            follow: 9.0,
            leash: 12.0,
            stance: Stance::default(),
            kites: false,
            flee_below: 0.0,
        }
    }
}

impl Combat {
    /// Whether it can hurt anybody.
    pub fn is_armed(&self) -> bool {
        self.damage > 0.0
    }
}

/// Lands the blows that were asked for in the last tick, in the order of the strikers' numbers,
/// and buries the dead.
pub(crate) fn land_blows(
    units: &mut Units,
    routes: &mut Routes,
    events: &mut Vec<Event>,
    tick: u64,
) {
    for rank in 0..units.len() {
        if !std::mem::take(&mut units.strikes[rank]) {
            continue;
        }
        let Some((target, damage)) = units.mind[rank].request.strike.take() else {
            continue;
        };
        let Some(victim) = units.index_of(target).filter(|&v| units.is_alive(v)) else {
            continue;
        };
        units.health[victim] -= damage;
        units.mind[victim].hurt_at = tick;
        units.mind[victim].hurt_by = units.id[rank];
        events.push(Event {
            tick,
            unit: target,
            kind: EventKind::Attacked {
                by: units.id[rank],
                damage,
            },
        });
    }
    for rank in 0..units.len() {
        if units.health[rank] <= 0.0 && units.is_alive(rank) {
            let by = units.mind[rank].hurt_by;
            die(units, rank, routes);
            units.mind[rank].since = tick;
            events.push(Event {
                tick,
                unit: units.id[rank],
                kind: EventKind::Died {
                    by: (by != NOBODY).then_some(by),
                },
            });
        }
    }
}

/// Makes a unit a corpse: it takes part in nothing and stays until it is despawned.
fn die(units: &mut Units, rank: usize, routes: &mut Routes) {
    let agent = &mut units.agent[rank];
    routes.leave(agent.route, agent.radius, agent.place);
    agent.route = NO_ROUTE;
    agent.avoidance = false;
    agent.hold = true;
    units.activity[rank] = Activity::Dead;
    units.outcome[rank] = Outcome::None;
    units.queue[rank].clear();
    units.intent[rank] = Intent::NONE;
    units.claims[rank] = [None; 2];
    units.velocity[rank] = glam::Vec2::ZERO;
    let mind = &mut units.mind[rank];
    mind.state = StateId::NONE;
    mind.role = StateId::NONE;
    mind.pending = None;
    mind.request = Default::default();
    mind.quarry = None;
}
