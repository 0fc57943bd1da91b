//! The figures of a run, measured from positions and outcomes after every tick.

mod overlap;
mod path;
mod summary;
mod track;

use std::ops::Range;

use rayon::prelude::*;
use throng::event::EventKind;
use throng::{Event, Map, Outcome, Units};

use crate::scenario::{GroupOrder, OrderEntry, Scenario};
use crate::setup::Group;
use overlap::Overlaps;
use track::{Sums, Track};

pub(crate) use path::Shortest;
pub(crate) use summary::percentile;
pub use summary::{Arrival, Figures, OrderCounts, PathRatio, Penetration};

/// Units per parallel job; constant, so that sums do not depend on the number of threads.
const CHUNK: usize = 2048;

/// Measures a run tick by tick.
pub(crate) struct Metrics {
    /// The map as loaded: path lengths are judged on it.
    map: Map,
    tick_rate: f64,
    groups: Vec<Group>,
    /// By unit number.
    tracks: Vec<Track>,
    overlaps: Overlaps,
    sums: Sums,
    /// Sum over ticks of the share of units overlapped by more than 0.2.
    deep_share: f64,
    /// Deepest overlap of each unit, summed over units and ticks, and how many that were.
    depth: f64,
    unit_ticks: u64,
    max_depth: f64,
    /// The tick after which the last second of the run begins.
    last_second: u64,
    last_tick: Option<u64>,
}

impl Metrics {
    pub(crate) fn new(scenario: &Scenario, groups: &[Group]) -> Self {
        let mut tracks = vec![Track::default(); scenario.unit_count()];
        for (g, group) in groups.iter().enumerate() {
            for unit in group.units() {
                tracks[unit as usize].group = g as u32;
            }
        }
        let mut metrics = Self {
            map: scenario.map.clone(),
            tick_rate: f64::from(scenario.tick_rate),
            groups: groups.to_vec(),
            tracks,
            overlaps: Overlaps::default(),
            sums: Sums::default(),
            deep_share: 0.0,
            depth: 0.0,
            unit_ticks: 0,
            max_depth: 0.0,
            last_second: 0,
            last_tick: None,
        };
        metrics.end_at(scenario.ticks);
        metrics
    }

    /// Says how many ticks the run has, before the last second of them has begun.
    pub(crate) fn end_at(&mut self, ticks: u64) {
        let before_last = ticks.saturating_sub(1) as f64 - self.tick_rate;
        self.last_second = before_last.max(0.0) as u64;
    }

    /// Index of the group of a unit of the scenario.
    pub(crate) fn group_of(&self, unit: u32) -> Option<usize> {
        Some(self.tracks.get(unit as usize)?.group as usize)
    }

    /// Notes the orders that are given before a tick. An order that repeats the last one is none.
    pub(crate) fn order(&mut self, tick: u64, orders: &[OrderEntry]) {
        for entry in orders {
            let groups = self.groups.iter().filter(|g| g.name == entry.units);
            for unit in groups.flat_map(Group::units) {
                let track = &mut self.tracks[unit as usize];
                if entry.queue || track.order.as_ref() != Some(&entry.order) {
                    track.order = Some(entry.order.clone());
                    track.ordered = tick;
                }
            }
        }
    }

    /// Measures the state after a tick.
    pub(crate) fn observe(&mut self, tick: u64, map: &Map, units: &Units, events: &[Event]) {
        for event in events {
            if ends_order(&event.kind)
                && let Some(track) = self.tracks.get_mut(event.unit.0 as usize)
            {
                track.ended = Some(event.tick);
            }
        }
        let view = View {
            tick,
            first: self.last_tick.is_none(),
            last_second: self.last_second,
            groups: &self.groups,
            map,
            units,
        };
        let parts: Vec<Sums> = self
            .tracks
            .par_chunks_mut(CHUNK)
            .enumerate()
            .map(|(chunk, tracks)| track::observe(&view, (chunk * CHUNK) as u32, tracks))
            .collect();
        for part in parts {
            self.sums.add(&part);
        }
        let overlap = self.overlaps.measure(units);
        self.max_depth = self.max_depth.max(overlap.deepest);
        self.depth += overlap.sum;
        self.unit_ticks += overlap.units;
        if overlap.units > 0 {
            self.deep_share += overlap.deep as f64 / overlap.units as f64;
        }
        self.last_tick = Some(tick);
    }

    /// The figures of the run so far.
    pub(crate) fn figures(&self, units: &Units) -> Figures {
        summary::figures(self, units)
    }
}

/// What the units of a tick are measured against.
struct View<'a> {
    tick: u64,
    /// First tick measured: nothing to compare with yet.
    first: bool,
    last_second: u64,
    groups: &'a [Group],
    map: &'a Map,
    units: &'a Units,
}

impl View<'_> {
    /// Rows of `units` that hold the unit numbers of a range.
    fn rows(&self, numbers: Range<u32>) -> Range<usize> {
        let row = |number| self.units.id.partition_point(|id| id.0 < number);
        row(numbers.start)..row(numbers.end)
    }
}

fn ends_order(kind: &EventKind) -> bool {
    matches!(
        kind,
        EventKind::Arrived
            | EventKind::SettledNear
            | EventKind::Unreachable { .. }
            | EventKind::Stuck { .. }
    )
}

/// Whether an order ended in one of the four outcomes.
fn has_ended(outcome: Outcome) -> bool {
    !matches!(outcome, Outcome::None | Outcome::Active)
}

/// Whether the unit in that row is a corpse.
fn is_dead(units: &Units, row: usize) -> bool {
    units.activity[row].name() == "dead"
}
