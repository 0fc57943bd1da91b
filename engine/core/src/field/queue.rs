//! Fields that were asked for and are not there yet, and the work that is done on them in a tick.
//!
//! Work is counted in cells, never in time, so the tick in which a field appears is the same on
//! every machine and for every number of threads: threads only share what a tick has been granted.
//! It does not depend on the cache either: a field that is there already is handed out in the tick
//! in which it would have been finished, had it been built.

use std::{collections::VecDeque, sync::Arc};

use glam::Vec2;
use rayon::prelude::*;

use super::{Area, FieldBuilder, FieldCache, FlowField, Prices, Seed};
use crate::map::{CellRect, Map, Occupancy, SizeClass};

/// Bytes of fields under construction: those first in the queue that fit share a tick's work.
const WORKBENCH: u64 = 256 << 20;
/// Fields that share a tick's work at most; more would all be late.
const SHARERS: u64 = 8;
/// Edits of the map that a field under construction remembers; beyond, it counts as out of date.
const EDITS: usize = 256;

/// Cells of work that repairs after edits may take at once: those of a door, at once everywhere.
const REPAIRS: u64 = 1 << 22;
/// Cells of work that they may take in a tick in the long run, about 0.35 ms of one core.
const REPAIR_WAGE: u64 = 1 << 14;

/// Number of a request, ascending.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Ticket(u64);

/// What a field is wanted for.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Wanted {
    pub class: SizeClass,
    pub seeds: Vec<Seed>,
    pub sight: Option<Vec2>,
    /// The sectors that it is wanted for; `None` for the whole map.
    pub area: Option<Arc<Area>>,
    /// Whether it may be wanted again: fields to goals that move are not kept.
    pub keep: bool,
    /// What cells cost beyond their length; then nothing is in sight, and it is not kept.
    pub prices: Option<Arc<Prices>>,
}

impl Wanted {
    fn begin(&self, map: &Map) -> Progress {
        let all = &map.nav(self.class).occupancy;
        let cells = match &self.area {
            None => Arc::clone(all),
            Some(area) => Arc::new(area.cut_out(all)),
        };
        let mut builder = FieldBuilder::new(&cells, &self.seeds, self.sight);
        if let Some(area) = &self.area {
            builder = builder.within(Arc::clone(area));
        }
        if let Some((swamp, cost)) = map.swamp() {
            builder = builder.over(&cells, Arc::clone(swamp), cost);
        }
        if let Some(prices) = &self.prices {
            builder = builder.priced(Arc::clone(prices));
        }
        Progress::Building {
            builder: Box::new(builder),
            cells,
        }
    }

    /// Whether an edit of `rect` can have changed the field built for this.
    pub fn is_touched(&self, field: &FlowField, rect: CellRect) -> bool {
        let seeds = self.seeds.iter().map(|seed| seed.cell);
        field.depends_on(rect, self.class, seeds, self.sight)
    }
}

/// A field that was asked for.
#[derive(Clone, Debug)]
pub(crate) struct Delivery {
    pub field: Arc<FlowField>,
    /// No edit since its work began matters to it.
    pub current: bool,
}

#[derive(Clone, Debug)]
enum Progress {
    Waiting,
    /// It was in the cache; only the time that it would have taken passes.
    Known(Arc<FlowField>),
    Building {
        builder: Box<FieldBuilder>,
        /// The map's cells when the work began.
        cells: Arc<Occupancy>,
    },
}

#[derive(Clone, Debug)]
struct Job {
    ticket: Ticket,
    wanted: Wanted,
    /// Cells of work granted so far.
    granted: u64,
    progress: Progress,
    /// Edits since the work began; `None` when there were too many.
    edits: Option<Vec<CellRect>>,
}

/// The requests, in the order in which they were made, and the cache of what came of them.
#[derive(Clone, Debug, Default)]
pub(crate) struct FieldQueue {
    jobs: VecDeque<Job>,
    asked: u64,
    cache: FieldCache,
    delivered: Vec<(Ticket, Delivery)>,
    /// Cells of work in the last tick.
    work: u64,
    /// Cells of work spent on repairs and not earned again.
    repaired: u64,
}

impl FieldQueue {
    /// Asks for a field; it will be [delivered](Self::delivery) in this or a later tick.
    pub fn ask(&mut self, wanted: Wanted) -> Ticket {
        let ticket = Ticket(self.asked);
        self.asked += 1;
        self.jobs.push_back(Job {
            ticket,
            wanted,
            granted: 0,
            progress: Progress::Waiting,
            edits: Some(Vec::new()),
        });
        ticket
    }

    /// Changes what is wanted, where no work has been done for it yet; answers whether it did.
    pub fn change(&mut self, ticket: Ticket, wanted: &Wanted) -> bool {
        let job = self.jobs.iter_mut().find(|job| job.ticket == ticket);
        match job {
            Some(job) if job.granted == 0 => {
                job.wanted = wanted.clone();
                true
            }
            _ => false,
        }
    }

    /// Takes a request back.
    pub fn cancel(&mut self, ticket: Ticket) {
        self.jobs.retain(|job| job.ticket != ticket);
    }

    /// To be called after every edit of the map.
    pub fn edited(&mut self, map: &Map, rect: CellRect) {
        self.cache.edited(map, rect);
        for job in self.jobs.iter_mut().filter(|job| job.granted > 0) {
            match &mut job.edits {
                Some(edits) if edits.len() < EDITS => edits.push(rect),
                edits => *edits = None,
            }
        }
    }

    /// Whether fields that are there may be made anew after an edit: where the map changes all the
    /// time they are not, for a while, so that the edits do not take all the work.
    pub fn may_repair(&self) -> bool {
        self.repaired < REPAIRS
    }

    /// Notes that a field is made anew which took that much work.
    pub fn repairs(&mut self, work: u64) {
        self.repaired += work;
    }

    /// Requests without an answer.
    pub fn len(&self) -> usize {
        self.jobs.len()
    }

    /// Works for `budget` cells, shared evenly between the first requests. What was delivered
    /// before is forgotten.
    pub fn advance(&mut self, map: &Map, budget: u64) {
        self.delivered.clear();
        self.repaired = self.repaired.saturating_sub(REPAIR_WAGE);
        let mut left = budget;
        let area = u64::from(map.width()) * u64::from(map.height());
        let sharers = (WORKBENCH / (5 * area)).clamp(1, SHARERS);
        while left > 0 && !self.jobs.is_empty() {
            let sharers = sharers.min(self.jobs.len() as u64).min(left);
            let share = left / sharers;
            let jobs = &mut self.jobs.make_contiguous()[..sharers as usize];
            for job in jobs.iter_mut() {
                job.begin(map, &mut self.cache);
                job.granted += share;
            }
            jobs.par_iter_mut().for_each(Job::work);
            left -= share * sharers;
            let before = self.delivered.len();
            for _ in 0..sharers {
                let Some(job) = self.jobs.pop_front() else {
                    break;
                };
                match job.finish(map, &mut self.cache) {
                    Ok((ticket, delivery, unused)) => {
                        left += unused;
                        self.delivered.push((ticket, delivery));
                    }
                    Err(job) => self.jobs.push_back(job),
                }
            }
            // Those that are not done go back to the front, in order.
            let undone = sharers as usize - (self.delivered.len() - before);
            self.jobs.rotate_right(undone);
            if self.delivered.len() == before {
                break;
            }
        }
        self.work = budget - left;
    }

    /// What came of a request in the last call of [`advance`](Self::advance).
    pub fn delivery(&self, ticket: Ticket) -> Option<&Delivery> {
        let found = self.delivered.iter().find(|(other, _)| *other == ticket);
        found.map(|(_, delivery)| delivery)
    }

    /// Cells of work in the last tick, those for fields that were in the cache counted as if they
    /// had been built.
    pub fn work(&self) -> u64 {
        self.work
    }

    /// Empties the cache.
    pub fn forget(&mut self) {
        self.cache.clear();
    }

    /// Bytes of heap memory in the fields kept.
    pub fn memory_bytes(&self) -> usize {
        self.cache.memory_bytes()
    }

    /// What decides when the requests will be answered: how far each is.
    pub fn each_state(&self, mut f: impl FnMut(u64)) {
        for job in self.jobs.iter().filter(|job| job.granted > 0) {
            f(job.granted);
        }
        if self.repaired > 0 {
            f(self.repaired);
        }
    }
}

impl Job {
    fn begin(&mut self, map: &Map, cache: &mut FieldCache) {
        if !matches!(self.progress, Progress::Waiting) {
            return;
        }
        let found = if self.wanted.keep {
            cache.find(map, &self.wanted)
        } else {
            None
        };
        self.progress = match found {
            Some(field) => Progress::Known(field),
            None => self.wanted.begin(map),
        };
    }

    fn work(&mut self) {
        if let Progress::Building { builder, cells } = &mut self.progress {
            builder.advance(cells, self.granted);
        }
    }

    /// Hands out what is done; answers the work granted that it did not need, too.
    fn finish(self, map: &Map, cache: &mut FieldCache) -> Result<(Ticket, Delivery, u64), Self> {
        let is_done = match &self.progress {
            Progress::Waiting => false,
            Progress::Known(field) => field.needed <= self.granted,
            Progress::Building { builder, .. } => builder.is_done(),
        };
        if !is_done {
            return Err(self);
        }
        let keep = self.wanted.keep;
        let (field, is_new) = match self.progress {
            Progress::Building { builder, cells } => (Arc::new(builder.finish(&cells)), keep),
            Progress::Known(field) => (field, false),
            Progress::Waiting => unreachable!("nothing is done before the work began"),
        };
        let matters = |rect: &CellRect| self.wanted.is_touched(&field, *rect);
        let current = self
            .edits
            .as_ref()
            .is_some_and(|edits| !edits.iter().any(matters));
        if is_new && current {
            cache.insert(map, &self.wanted, Arc::clone(&field));
        }
        let unused = self.granted.saturating_sub(field.work());
        Ok((self.ticket, Delivery { field, current }, unused))
    }
}
