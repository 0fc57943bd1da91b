//! The report of a run: JSON, a short text, and the check against a scenario's bars.

use std::fmt;

use serde::{Deserialize, Serialize};
use throng::Stage;

use crate::metrics::{Arrival, Figures, Metrics, OrderCounts, PathRatio, Penetration, percentile};
use crate::runner::{Runner, Timing};
use crate::scenario::Expect;

/// The report of `throng run`. Field names and order are those of its JSON.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// Name of the scenario.
    pub scenario: String,
    /// Width and height of the map in cells.
    pub map: [u32; 2],
    /// Ticks run.
    pub ticks: u64,
    /// Ticks per simulated second.
    pub tick_rate: f64,
    /// Seed of the run.
    pub seed: u64,
    /// Worker threads used.
    pub threads: usize,
    /// Units at the start.
    pub units: u64,
    /// Living units at the end.
    pub alive: u64,
    /// Units by outcome of their last order.
    pub orders: OrderCounts,
    /// Ticks from order to arrival.
    pub arrival_ticks: Arrival,
    /// First tick from which every ended unit stood still for good.
    pub settle_tick: Option<u64>,
    /// Units in walls, summed over ticks.
    pub wall_violations: u64,
    /// Overlaps.
    pub penetration: Penetration,
    /// Walked over shortest ways.
    pub path_ratio: PathRatio,
    /// Mean turn of units from one tick in which they move to the next such, degrees; 0 where
    /// nothing moved.
    pub heading_jitter_deg: f64,
    /// Mean speed of ended units in the last second, in top speeds; 0 where none ended.
    pub residual_speed: f64,
    /// Sudden stops before an order ended.
    pub hard_stops: u64,
    /// Wall time of ticks but the first.
    pub ms_per_tick: TickTime,
    /// Mean wall time of a tick over the units at the start.
    pub ns_per_unit_tick: f64,
    /// Mean wall time by stage.
    pub stages_ms: StageTimes,
    /// Memory in use at the end.
    pub memory_bytes: Memory,
    /// Hash of the state after the last tick, 16 hexadecimal digits.
    pub state_hash: String,
    /// Version of the program.
    pub version: String,
    /// Figures that only the bars need.
    #[serde(skip)]
    figures: Figures,
}

/// Milliseconds of wall time a tick.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TickTime {
    /// Mean.
    pub mean: f64,
    /// Median.
    pub p50: f64,
    /// 99th percentile.
    pub p99: f64,
    /// Longest.
    pub max: f64,
}

/// Milliseconds of wall time a tick, by stage.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[expect(
    missing_docs,
    reason = "named for the stages, which the core documents"
)]
pub struct StageTimes {
    pub orders: f64,
    pub fields: f64,
    pub spatial: f64,
    pub steer: f64,
    pub relax: f64,
    pub settle: f64,
    pub brains: f64,
}

/// Bytes in use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Memory {
    /// Map and navigation grids.
    pub map: u64,
    /// Flow fields.
    pub fields: u64,
    /// Units and scratch.
    pub units: u64,
}

/// A bar that a run missed.
#[derive(Clone, Debug, PartialEq)]
pub struct Miss {
    /// Key in the `expect` table.
    pub key: &'static str,
    /// What was asked for.
    pub bar: f64,
    /// What was measured; `None` where there was nothing to measure.
    pub figure: Option<f64>,
}

impl fmt::Display for Miss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is {}, but the run has ", self.key, self.bar)?;
        match self.figure {
            Some(figure) => write!(f, "{}", round(figure)),
            None => f.write_str("no such figure"),
        }
    }
}

impl Report {
    pub(crate) fn new(runner: &Runner, metrics: &Metrics, timing: &Timing) -> Self {
        let scenario = runner.scenario();
        let simulation = runner.simulation();
        let figures = metrics.figures(simulation.units());
        let units = scenario.unit_count() as u64;
        let ms_per_tick = TickTime::of(&timing.ticks);
        let memory = simulation.memory();
        let mut penetration = figures.penetration;
        for value in [
            &mut penetration.max,
            &mut penetration.mean,
            &mut penetration.share_over_0_2,
        ] {
            *value = round(*value);
        }
        Self {
            scenario: scenario.name.clone(),
            map: [scenario.map.width(), scenario.map.height()],
            ticks: simulation.now(),
            tick_rate: shortest(scenario.tick_rate),
            seed: scenario.seed,
            threads: rayon::current_num_threads(),
            units,
            alive: figures.alive,
            orders: figures.orders,
            arrival_ticks: figures.arrival,
            settle_tick: figures.settle_tick,
            wall_violations: figures.wall_violations,
            penetration,
            path_ratio: PathRatio {
                p50: figures.path_ratio.p50.map(round),
                p95: figures.path_ratio.p95.map(round),
            },
            heading_jitter_deg: figures.heading_jitter_deg.map_or(0.0, round),
            residual_speed: figures.residual_speed.map_or(0.0, round),
            hard_stops: figures.hard_stops,
            ms_per_tick,
            ns_per_unit_tick: round(ms_per_tick.mean * 1e6 / units.max(1) as f64),
            stages_ms: StageTimes::of(timing),
            memory_bytes: Memory {
                map: memory.map as u64,
                fields: memory.fields as u64,
                units: memory.units as u64,
            },
            state_hash: format!("{:016x}", runner.state_hash()),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            figures,
        }
    }

    /// The report as JSON on one line.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("a report is plain data")
    }

    /// The figures unrounded, those that only the bars need among them.
    pub fn figures(&self) -> &Figures {
        &self.figures
    }

    /// The bars that the run missed.
    pub fn misses(&self, expect: &Expect) -> Vec<Miss> {
        let f = &self.figures;
        let least = [
            ("arrived_min", expect.arrived_min, f.arrived),
            ("reached_min", expect.reached_min, f.reached),
        ];
        let most = [
            (
                "wall_violations_max",
                Some(expect.wall_violations_max),
                Some(f.wall_violations as f64),
            ),
            (
                "max_penetration",
                expect.max_penetration,
                Some(f.penetration.max),
            ),
            (
                "share_pen_02_max",
                expect.share_pen_02_max,
                Some(f.penetration.share_over_0_2),
            ),
            (
                "path_ratio_p50_max",
                expect.path_ratio_p50_max,
                f.path_ratio.p50,
            ),
            (
                "path_ratio_p95_max",
                expect.path_ratio_p95_max,
                f.path_ratio.p95,
            ),
            (
                "jitter_deg_max",
                expect.jitter_deg_max,
                f.heading_jitter_deg,
            ),
            ("residual_max", expect.residual_max, f.residual_speed),
            ("t95_max", expect.t95_max, f.t95.map(|t| t as f64)),
        ];
        let missed = |(key, bar, figure): (&'static str, Option<f64>, Option<f64>),
                      holds: fn(f64, f64) -> bool| {
            let bar = bar?;
            let held = figure.is_some_and(|figure| holds(round(figure), bar));
            (!held).then_some(Miss { key, bar, figure })
        };
        let least = least
            .into_iter()
            .filter_map(|b| missed(b, |f, bar| f >= bar));
        let most = most
            .into_iter()
            .filter_map(|b| missed(b, |f, bar| f <= bar));
        least.chain(most).collect()
    }
}

impl fmt::Display for Report {
    /// A short report for people, several lines, without a line end after the last.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let o = &self.orders;
        let or_none = |v: Option<u64>| v.map_or("-".to_owned(), |v| v.to_string());
        let ratio = |v: Option<f64>| v.map_or("-".to_owned(), |v| format!("{v:.3}"));
        writeln!(
            f,
            "{}: {} units on {} x {} cells, {} ticks at {} a second, seed {}, threads {}",
            self.scenario,
            self.units,
            self.map[0],
            self.map[1],
            self.ticks,
            self.tick_rate,
            self.seed,
            self.threads
        )?;
        writeln!(
            f,
            "  orders       {} arrived, {} settled near, {} unreachable, {} stuck, {} active",
            o.arrived, o.settled_near, o.unreachable, o.stuck, o.active
        )?;
        writeln!(
            f,
            "  arrival      tick {} (half), {} (95 %), {} (last); all still from tick {}",
            or_none(self.arrival_ticks.p50),
            or_none(self.arrival_ticks.p95),
            or_none(self.arrival_ticks.max),
            or_none(self.settle_tick)
        )?;
        writeln!(
            f,
            "  solidity     {} wall violations; overlap max {:.3}, mean {:.4}, deeper than 0.2: {:.2} %",
            self.wall_violations,
            self.penetration.max,
            self.penetration.mean,
            self.penetration.share_over_0_2 * 100.0
        )?;
        writeln!(
            f,
            "  movement     walked/shortest {} (half), {} (95 %); turn {:.2} deg a tick; {} hard stops; residual speed {:.5}",
            ratio(self.path_ratio.p50),
            ratio(self.path_ratio.p95),
            self.heading_jitter_deg,
            self.hard_stops,
            self.residual_speed
        )?;
        writeln!(
            f,
            "  time         {:.3} ms a tick (median {:.3}, 99 % {:.3}, max {:.3}), {:.0} ns a unit",
            self.ms_per_tick.mean,
            self.ms_per_tick.p50,
            self.ms_per_tick.p99,
            self.ms_per_tick.max,
            self.ns_per_unit_tick
        )?;
        write!(f, "  state hash   {}", self.state_hash)
    }
}

impl TickTime {
    /// Over all ticks but the first.
    fn of(ticks: &[f64]) -> Self {
        let mut later = ticks.get(1..).unwrap_or_default().to_vec();
        later.sort_by(f64::total_cmp);
        let share = |s| percentile(&later, s).map_or(0.0, round);
        Self {
            mean: round(later.iter().sum::<f64>() / later.len().max(1) as f64),
            p50: share(0.5),
            p99: share(0.99),
            max: share(1.0),
        }
    }
}

impl StageTimes {
    fn of(timing: &Timing) -> Self {
        let ticks = timing.ticks.len().saturating_sub(1).max(1) as f64;
        let mean = |s: Stage| round(timing.stages[s as usize].as_secs_f64() * 1e3 / ticks);
        Self {
            orders: mean(Stage::Orders),
            fields: mean(Stage::Fields),
            spatial: mean(Stage::Spatial),
            steer: mean(Stage::Steer),
            relax: mean(Stage::Relax),
            settle: mean(Stage::Settle),
            brains: mean(Stage::Brains),
        }
    }
}

/// Six decimals are more than any figure is good for.
fn round(value: f64) -> f64 {
    (value * 1e6).round() / 1e6
}

/// An f32 as the f64 that prints the same.
fn shortest(value: f32) -> f64 {
    value.to_string().parse().unwrap_or(f64::from(value))
}
