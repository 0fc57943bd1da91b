//! Fields to goals that move, shared by all who have the same one.
//!
//! A field to a moving goal is made anew only when the goal has left its cell and the last one is
//! some ticks old; in between those who follow it come to where the goal was, and who sees the goal
//! goes straight at it anyway. Fields that nobody used for a while are dropped.

use std::{collections::BTreeMap, sync::Arc};

use glam::Vec2;

use crate::{
    components::UnitId,
    field::{FieldQueue, FlowField, Guidance, Seed, Ticket, Wanted},
    map::{Map, SizeClass},
    units::Units,
};

/// Cells of the map per tick that a field lives at least: bounds the cost of re-aiming one.
const CELLS_PER_TICK: u64 = 16_384;
/// Ticks that a field on a small map lives at least.
const LEAST_AGE: u64 = 4;
/// Ticks without use after which a field is dropped.
const UNUSED: u64 = 64;

/// What a shared field leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Quarry {
    /// A cell of the map.
    Cell(i32, i32),
    /// A unit.
    Unit(UnitId),
    /// The nearest living unit of any other team.
    Enemies(u8),
}

#[derive(Clone, Debug)]
struct Pursuit {
    /// The field that leads there, and the goal that it was built for; `None` until it is there
    /// for the first time.
    field: Option<(Arc<FlowField>, Vec2)>,
    /// The request for the next one.
    ticket: Option<Ticket>,
    goal: Vec2,
    seeds: Vec<Seed>,
    made: u64,
    used: u64,
    revision: u64,
}

impl Pursuit {
    /// Takes its request back; answers false, for it is not kept.
    fn abandon(&self, queue: &mut FieldQueue) -> bool {
        if let Some(ticket) = self.ticket {
            queue.cancel(ticket);
        }
        false
    }
}

/// The fields in use.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pursuits {
    by_quarry: BTreeMap<(Quarry, SizeClass), Pursuit>,
    seeds: Vec<Seed>,
}

impl Pursuits {
    /// The way to a quarry from `at`, where its field is there and reaches `at`.
    pub fn guide(&self, quarry: Quarry, class: SizeClass, at: Vec2) -> Option<Guidance> {
        let pursuit = self.by_quarry.get(&(quarry, class))?;
        let (field, goal) = pursuit.field.as_ref()?;
        let guidance = field.guide(at, *goal);
        (guidance.direction != Vec2::ZERO && guidance.distance.is_finite()).then_some(guidance)
    }

    /// Notes that a quarry's field is wanted at `tick`.
    pub fn want(
        &mut self,
        (quarry, class): (Quarry, SizeClass),
        map: &Map,
        units: &Units,
        tick: u64,
        queue: &mut FieldQueue,
    ) {
        if let Some(pursuit) = self.by_quarry.get_mut(&(quarry, class)) {
            pursuit.used = tick;
            return;
        }
        let mut seeds = Vec::new();
        if let Some(goal) = aim(quarry, map, units, &mut seeds) {
            let pursuit = Pursuit {
                field: None,
                ticket: Some(queue.ask(wanted(&seeds, goal, quarry, class))),
                goal,
                seeds,
                made: tick,
                used: tick,
                revision: map.revision(),
            };
            self.by_quarry.insert((quarry, class), pursuit);
        }
    }

    /// Takes over the fields that have come.
    pub fn take_over(&mut self, queue: &mut FieldQueue) {
        for pursuit in self.by_quarry.values_mut() {
            let delivery = pursuit.ticket.and_then(|ticket| queue.delivery(ticket));
            if let Some(delivery) = delivery {
                pursuit.field = Some((Arc::clone(&delivery.field), pursuit.goal));
                pursuit.ticket = None;
            }
        }
    }

    /// Drops what is not used, and asks anew for what has moved on.
    pub fn refresh(&mut self, map: &Map, units: &Units, tick: u64, queue: &mut FieldQueue) {
        if self.by_quarry.is_empty() {
            return;
        }
        let age = LEAST_AGE + u64::from(map.width()) * u64::from(map.height()) / CELLS_PER_TICK;
        let scratch = &mut self.seeds;
        self.by_quarry.retain(|&(quarry, class), pursuit| {
            if pursuit.used + UNUSED < tick {
                return pursuit.abandon(queue);
            }
            if pursuit.ticket.is_some() {
                // First the one asked for: else a goal that keeps moving would never have any.
                return true;
            }
            let edited = pursuit.revision != map.revision() && queue.may_repair();
            if !edited && (pursuit.made + age > tick || matches!(quarry, Quarry::Cell(..))) {
                return true;
            }
            let Some(goal) = aim(quarry, map, units, scratch) else {
                return pursuit.abandon(queue);
            };
            if edited || *scratch != pursuit.seeds {
                pursuit.goal = goal;
                pursuit.seeds.clone_from(scratch);
                pursuit.made = tick;
                pursuit.revision = map.revision();
                if edited && let Some((field, _)) = &pursuit.field {
                    queue.repairs(field.work());
                }
                pursuit.ticket = Some(queue.ask(wanted(&pursuit.seeds, goal, quarry, class)));
            }
            true
        });
    }

    /// Bytes of the fields.
    pub fn memory_bytes(&self) -> usize {
        self.by_quarry
            .values()
            .filter_map(|pursuit| pursuit.field.as_ref())
            // The cache counts the others.
            .filter(|(field, _)| Arc::strong_count(field) == 1)
            .map(|(field, _)| field.memory_bytes())
            .sum()
    }

    /// What decides the future of a run: quarry, size, goal point, age and time of last use.
    pub fn each_state(&self, mut f: impl FnMut(u64, Vec2, u64, u64)) {
        for ((quarry, _), pursuit) in &self.by_quarry {
            let key = match *quarry {
                Quarry::Cell(x, y) => u64::from(x as u32) << 32 | u64::from(y as u32),
                Quarry::Unit(unit) => 1 << 63 | u64::from(unit.0),
                Quarry::Enemies(team) => 1 << 62 | u64::from(team),
            };
            f(key, pursuit.goal, pursuit.made, pursuit.used);
        }
    }
}

/// Where a quarry is now: the goal point, and the cells that its field starts in.
fn aim(quarry: Quarry, map: &Map, units: &Units, seeds: &mut Vec<Seed>) -> Option<Vec2> {
    seeds.clear();
    let width = map.width() as i32;
    let seed = |x: i32, y: i32| Seed {
        cell: (y * width + x) as u32,
        cost: 0.0,
    };
    let centre = |p: Vec2| Vec2::new(p.x.floor() + 0.5, p.y.floor() + 0.5);
    match quarry {
        Quarry::Cell(x, y) => {
            seeds.push(seed(x, y));
            Some(Vec2::new(x as f32 + 0.5, y as f32 + 0.5))
        }
        Quarry::Unit(unit) => {
            let at = units.position[units.index_of(unit)?];
            seeds.push(seed(at.x.floor() as i32, at.y.floor() as i32));
            Some(centre(at))
        }
        Quarry::Enemies(team) => {
            for (rank, at) in units.position.iter().enumerate() {
                if units.team[rank] != team && units.is_alive(rank) {
                    seeds.push(seed(at.x.floor() as i32, at.y.floor() as i32));
                }
            }
            seeds.sort_by_key(|seed| seed.cell);
            seeds.dedup();
            (!seeds.is_empty()).then_some(Vec2::ZERO)
        }
    }
}

fn wanted(seeds: &[Seed], goal: Vec2, quarry: Quarry, class: SizeClass) -> Wanted {
    Wanted {
        class,
        seeds: seeds.to_vec(),
        sight: (!matches!(quarry, Quarry::Enemies(_))).then_some(goal),
        area: None,
        keep: false,
        prices: None,
    }
}
