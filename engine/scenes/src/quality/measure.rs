//! Runs a case in an arrangement and measures it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use throng::{Outcome, Units};

use super::arrangement::Arrangement;
use super::case::Case;
use super::figure::Figure;
use super::gauge::Meter;
use crate::error::ScenarioError;
use crate::metrics::{Figures, Shortest};
use crate::runner::{RunError, RunOptions, Runner};
use crate::scenario::Scenario;
use crate::setup::Group;

/// Ticks that a run goes on after its last order has ended: what will move again does so by then.
const AFTERWARDS: u64 = 200;

/// Share of a plane that the densest discs of one size cover.
const DENSEST: f64 = 0.906_899_682;

/// What moves the units.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Engine {
    /// This engine.
    Throng,
    /// Optimal reciprocal collision avoidance with the same guidance, walls and orders; the feature
    /// `peer-orca`.
    Orca,
}

impl Engine {
    /// Its name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Throng => "throng",
            Self::Orca => "orca",
        }
    }
}

/// The figures of one arrangement.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sample {
    /// Its number.
    pub arrangement: u32,
    /// Ticks run.
    pub ticks: u64,
    /// Those that could be measured.
    pub figures: BTreeMap<Figure, f64>,
}

/// A case cannot be run.
#[derive(Debug, thiserror::Error)]
pub enum MeasureError {
    /// It cannot be set up.
    #[error("case \"{case}\": {source}")]
    Setup {
        /// Its name.
        case: &'static str,
        /// Why.
        source: ScenarioError,
    },
    /// The simulation refuses a command.
    #[error("case \"{case}\": {source}")]
    Run {
        /// Its name.
        case: &'static str,
        /// Why.
        source: RunError,
    },
    /// The program was built without the peer.
    #[error("this build has no peer to compare with; build it with --features peer-orca")]
    NoPeer,
}

/// A measured run of a scenario, whoever moves the units.
pub(super) trait Run {
    fn step(&mut self) -> Result<(), RunError>;
    fn end_at(&mut self, ticks: u64);
    fn scenario(&self) -> &Scenario;
    fn groups(&self) -> &[Group];
    fn units(&self) -> &Units;
    fn figures(&self) -> Figures;
}

impl Run for Runner {
    fn step(&mut self) -> Result<(), RunError> {
        Self::step(self)
    }

    fn end_at(&mut self, ticks: u64) {
        Self::end_at(self, ticks);
    }

    fn scenario(&self) -> &Scenario {
        Self::scenario(self)
    }

    fn groups(&self) -> &[Group] {
        Self::groups(self)
    }

    fn units(&self) -> &Units {
        self.simulation().units()
    }

    fn figures(&self) -> Figures {
        self.report().figures().clone()
    }
}

/// Runs a case in an arrangement. The figures depend on nothing but these.
///
/// # Errors
/// The case cannot be set up, or the engine is not built in.
pub fn measure(
    case: &'static Case,
    arrangement: Arrangement,
    engine: Engine,
) -> Result<Sample, MeasureError> {
    let scenario = case.scenario(arrangement);
    let setup = |source| MeasureError::Setup {
        case: case.name,
        source,
    };
    let run = |source| MeasureError::Run {
        case: case.name,
        source,
    };
    let (ticks, figures) = match engine {
        Engine::Throng => {
            let runner = Runner::new(scenario, RunOptions::default()).map_err(setup)?;
            watch(runner, case).map_err(run)?
        }
        #[cfg(feature = "peer-orca")]
        Engine::Orca => {
            let peer = super::peer::Peer::new(scenario).map_err(setup)?;
            watch(peer, case).map_err(run)?
        }
        #[cfg(not(feature = "peer-orca"))]
        Engine::Orca => return Err(MeasureError::NoPeer),
    };
    Ok(Sample {
        arrangement: arrangement.0,
        ticks,
        figures,
    })
}

/// Runs to the end, or until all orders have ended and some time has passed.
fn watch(mut run: impl Run, case: &Case) -> Result<(u64, BTreeMap<Figure, f64>), RunError> {
    let free_walk = free_walk(&run);
    let last_order = run.scenario().orders.iter().map(|o| o.tick).max();
    let mut meter = case.gauge.map(Meter::new);
    let mut orders = Orders::default();
    let mut tick = 0;
    while tick < run.scenario().ticks {
        run.step()?;
        if let Some(meter) = &mut meter {
            meter.observe(tick, run.units());
        }
        if last_order.is_none_or(|last| tick >= last) {
            orders.observe(tick, run.units());
            if orders.done == Some(tick) {
                let end = (tick + AFTERWARDS).min(run.scenario().ticks);
                run.end_at(end);
            }
        }
        tick += 1;
    }
    let found = run.figures();
    let mut figures = BTreeMap::new();
    let mut put = |figure, value: Option<f64>| {
        if let Some(value) = value {
            figures.insert(figure, rounded(value));
        }
    };
    let done = orders.done.map(|t| t as f64);
    let (t50, t95) = (found.t50.map(|t| t as f64), found.t95.map(|t| t as f64));
    put(Figure::Arrived, found.arrived);
    put(Figure::Reached, found.reached);
    put(Figure::Ended, ended(&run));
    put(Figure::T50, t50);
    put(Figure::T95, t95);
    put(Figure::T95Ratio, t95.map(|t| t / free_walk));
    put(Figure::Done, done);
    put(Figure::DoneRatio, done.map(|t| t / free_walk));
    put(Figure::MaxPenetration, Some(found.penetration.max));
    put(Figure::ShareDeep, Some(found.penetration.share_over_0_2));
    put(Figure::Jitter, found.heading_jitter_deg);
    put(Figure::PathP50, found.path_ratio.p50);
    put(Figure::PathP95, found.path_ratio.p95);
    put(Figure::Residual, found.residual_speed);
    put(Figure::DiscRatio, disc_ratio(&run));
    put(Figure::WallViolations, Some(found.wall_violations as f64));
    put(Figure::Reopened, Some(orders.reopened as f64));
    if let Some(meter) = meter {
        let (figure, value) = meter.read(run.units().len());
        put(figure, value);
    }
    Ok((tick, figures))
}

/// Six decimals, so that files are short and read back as they were.
fn rounded(value: f64) -> f64 {
    (value * 1e6).round() / 1e6
}

/// What becomes of orders after the last one was given.
#[derive(Default)]
struct Orders {
    active: Vec<bool>,
    /// The tick after which none was active.
    done: Option<u64>,
    reopened: u64,
}

impl Orders {
    fn observe(&mut self, tick: u64, units: &Units) {
        let active = |outcome: &Outcome| *outcome == Outcome::Active;
        if self.active.is_empty() {
            self.active = units.outcome.iter().map(active).collect();
        }
        let mut any = false;
        for (was, outcome) in self.active.iter_mut().zip(&units.outcome) {
            let is = active(outcome);
            self.reopened += u64::from(is && !*was);
            any |= is;
            *was = is;
        }
        if !any && self.done.is_none() {
            self.done = Some(tick);
        }
    }
}

/// Numbers of the units of groups with a goal, with it. Unit numbers are rows: nobody dies here.
fn with_goals(run: &impl Run) -> impl Iterator<Item = (&Group, glam::Vec2)> {
    run.groups().iter().filter_map(|g| Some((g, g.goal?)))
}

/// Ticks that the farthest unit needs for its shortest way at its top speed.
fn free_walk(run: &impl Run) -> f64 {
    let units = run.units();
    let mut longest = 0.0f64;
    for (group, goal) in with_goals(run) {
        let rows: Vec<usize> = group.units().map(|u| u as usize).collect();
        let radius = rows.iter().map(|&i| units.radius[i]).fold(0.05, f32::min);
        let shortest = Shortest::new(&run.scenario().map, goal, radius);
        for row in rows {
            let way = shortest.length(units.position[row]);
            if way.is_finite() {
                longest = longest.max(way / f64::from(units.speed[row]));
            }
        }
    }
    longest.max(1.0)
}

fn ended(run: &impl Run) -> Option<f64> {
    let (mut all, mut ended) = (0u64, 0u64);
    for (group, _) in with_goals(run) {
        for unit in group.units() {
            all += 1;
            ended += u64::from(run.units().outcome[unit as usize] != Outcome::Active);
        }
    }
    (all > 0).then(|| ended as f64 / all as f64)
}

/// The largest over groups; of groups of one there is no disc.
fn disc_ratio(run: &impl Run) -> Option<f64> {
    let units = run.units();
    let ratios = with_goals(run).filter_map(|(group, goal)| {
        let (mut square, mut farthest, mut count) = (0.0, 0.0f64, 0u32);
        for row in group.units().map(|u| u as usize) {
            if matches!(units.outcome[row], Outcome::Arrived | Outcome::SettledNear) {
                let away = units.position[row].as_dvec2().distance(goal.as_dvec2());
                farthest = farthest.max(away + f64::from(units.radius[row]));
                square += f64::from(units.radius[row]).powi(2);
                count += 1;
            }
        }
        (count > 1).then(|| farthest / (square / DENSEST).sqrt())
    });
    ratios.max_by(f64::total_cmp)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::quality::case::find;

    fn units(outcomes: &[Outcome]) -> Units {
        let mut units = Units::default();
        units.outcome = outcomes.to_vec();
        units
    }

    #[test]
    fn an_order_that_is_taken_up_again_is_counted() {
        use Outcome::{Active, Arrived, SettledNear};
        let mut orders = Orders::default();
        for (tick, outcomes) in [[Active, Arrived], [SettledNear, Arrived], [Active, Arrived]]
            .iter()
            .enumerate()
        {
            orders.observe(tick as u64, &units(outcomes));
        }
        assert_eq!((orders.done, orders.reopened), (Some(1), 1));
    }

    #[test]
    fn a_run_ends_soon_after_its_last_order_and_repeats() {
        let case = find("circle_64").unwrap();
        let sample = measure(case, Arrangement(1), Engine::Throng).unwrap();
        let done = sample.figures[&Figure::Done];
        assert_eq!(sample.ticks, done as u64 + AFTERWARDS);
        assert_eq!(sample.figures[&Figure::Arrived], 1.0);
        // 32 cells across at 0.1 a tick, by an octile way up to 8 % longer and two half cells.
        let free = done / sample.figures[&Figure::DoneRatio];
        assert!((320.0..360.0).contains(&free), "{free}");
        assert_eq!(
            sample,
            measure(case, Arrangement(1), Engine::Throng).unwrap()
        );
    }
}
