//! Running a scenario: its script tick by tick, timed and measured.

use std::time::{Duration, Instant};

use glam::Vec2;
use hecs::{Entity, World};
use throng::{CellRect, March, OrderError, SimError, Simulation, Stage, StageObserver, UnitId};

use crate::error::ScenarioError;
use crate::metrics::Metrics;
use crate::report::Report;
use crate::scenario::{EditEntry, GroupOrder, OrderEntry, Pointer, Scenario};
use crate::setup::{Group, Setup};

/// What a run changes of its scenario.
#[derive(Clone, Copy, Debug, Default)]
pub struct RunOptions {
    /// Replaces the scenario's seed.
    pub seed: Option<u64>,
    /// Replaces the length of the run.
    pub ticks: Option<u64>,
}

/// A scenario being run. Make and step it inside the rayon pool whose threads it shall use.
pub struct Runner {
    scenario: Scenario,
    setup: Setup,
    script: Script,
    timing: Timing,
    metrics: Metrics,
    measured: bool,
}

/// Orders and edits by tick, each in the scenario's order.
struct Script {
    orders: Vec<OrderEntry>,
    edits: Vec<EditEntry>,
    next_order: usize,
    next_edit: usize,
    /// What was given in the last tick.
    given: Given,
}

/// The commands of one tick.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Given {
    /// Map edits.
    pub edits: Vec<EditEntry>,
    /// Orders, pointers' among them.
    pub orders: Vec<OrderEntry>,
}

impl Runner {
    /// Places the units and gets ready for tick 0.
    ///
    /// # Errors
    /// The units do not fit or the simulation refuses one; the error names the key.
    pub fn new(mut scenario: Scenario, options: RunOptions) -> Result<Self, ScenarioError> {
        scenario.seed = options.seed.unwrap_or(scenario.seed);
        scenario.ticks = options.ticks.unwrap_or(scenario.ticks);
        let setup = Setup::new(&scenario, scenario.seed)
            .map_err(|e| e.in_file(scenario.file.as_deref()))?;
        let metrics = Metrics::new(&scenario, &setup.groups);
        Ok(Self {
            script: Script::new(&scenario),
            timing: Timing::default(),
            metrics,
            measured: true,
            setup,
            scenario,
        })
    }

    /// Leaves the figures out, for a host that shows the crowd and wants no report: measuring takes
    /// its time beside every tick.
    pub fn unmeasured(mut self) -> Self {
        self.measured = false;
        self
    }

    /// Gives the orders and edits of the next tick, runs it and measures it.
    ///
    /// # Errors
    /// The simulation refuses an order or an edit of the script.
    pub fn step(&mut self) -> Result<(), RunError> {
        let tick = self.setup.simulation.now();
        self.script.advance(tick, &self.scenario);
        let timer = Instant::now();
        give(&self.script.given, &mut self.setup)?;
        self.timing.begin_tick(timer.elapsed());
        let Setup {
            simulation, world, ..
        } = &mut self.setup;
        simulation.tick_observed(world, &mut self.timing);
        self.timing.end_tick(timer.elapsed());
        if self.measured {
            self.metrics.order(tick, &self.script.given.orders);
            let simulation = &self.setup.simulation;
            self.metrics.observe(
                tick,
                simulation.map(),
                simulation.units(),
                simulation.events(),
            );
        }
        Ok(())
    }

    /// As [`Runner::step`] without measuring, for watching: figures and report leave the tick out.
    ///
    /// # Errors
    /// The simulation refuses an order or an edit of the script.
    pub fn play(&mut self, observer: &mut dyn StageObserver) -> Result<(), RunError> {
        let tick = self.setup.simulation.now();
        self.script.advance(tick, &self.scenario);
        give(&self.script.given, &mut self.setup)?;
        let Setup {
            simulation, world, ..
        } = &mut self.setup;
        simulation.tick_observed(world, observer);
        Ok(())
    }

    /// Changes the length of the run, more than a second before its end.
    pub(crate) fn end_at(&mut self, ticks: u64) {
        self.scenario.ticks = ticks;
        self.metrics.end_at(ticks);
    }

    /// Whether the length of the run is reached.
    pub fn is_done(&self) -> bool {
        self.setup.simulation.now() >= self.scenario.ticks
    }

    /// The scenario, with the seed and length that are run.
    pub fn scenario(&self) -> &Scenario {
        &self.scenario
    }

    /// The simulation after the last tick.
    pub fn simulation(&self) -> &Simulation {
        &self.setup.simulation
    }

    /// The world after the last tick.
    pub fn world(&self) -> &World {
        &self.setup.world
    }

    /// Simulation and world, to give orders beside the script between two ticks.
    pub fn parts_mut(&mut self) -> (&mut Simulation, &mut World) {
        (&mut self.setup.simulation, &mut self.setup.world)
    }

    /// The entity of a unit of the scenario, by its number.
    pub fn entity(&self, unit: u32) -> Option<Entity> {
        self.setup.entities.get(unit as usize).copied()
    }

    /// The groups, in the order of their first entry.
    pub fn groups(&self) -> &[Group] {
        &self.setup.groups
    }

    /// The name of the group of a unit; empty for a unit that is not of the scenario.
    pub fn group_of(&self, unit: u32) -> &str {
        self.metrics
            .group_of(unit)
            .map_or("", |g| &self.setup.groups[g].name)
    }

    /// The commands of the last tick.
    pub fn given(&self) -> &Given {
        &self.script.given
    }

    /// The hash of the state after the last tick.
    pub fn state_hash(&self) -> u64 {
        self.setup.simulation.state_hash()
    }

    /// Time of every tick so far, in milliseconds.
    pub fn tick_ms(&self) -> &[f64] {
        &self.timing.ticks
    }

    /// The report of the run so far. Call it inside the pool that ran it.
    pub fn report(&self) -> Report {
        Report::new(self, &self.metrics, &self.timing)
    }
}

/// The simulation refused a command of the script.
#[derive(Clone, Debug, thiserror::Error)]
pub enum RunError {
    /// An order.
    #[error("tick {tick}: order to \"{group}\" refused: {source}")]
    Order {
        /// The tick.
        tick: u64,
        /// The group.
        group: String,
        /// Why.
        source: OrderError,
    },
    /// A map edit.
    #[error("tick {tick}: edit refused: {source}")]
    Edit {
        /// The tick.
        tick: u64,
        /// Why.
        source: SimError,
    },
}

/// Hands the commands of a tick to the simulation: edits, then orders.
pub(crate) fn give(given: &Given, setup: &mut Setup) -> Result<(), RunError> {
    for edit in &given.edits {
        setup
            .simulation
            .edit(CellRect::covering(edit.rect), edit.blocked)
            .map_err(|source| RunError::Edit {
                tick: edit.tick,
                source,
            })?;
    }
    for order in &given.orders {
        let members: Vec<Entity> = setup
            .groups
            .iter()
            .filter(|g| g.name == order.units)
            .flat_map(Group::units)
            .map(|u| setup.entities[u as usize])
            .filter(|e| setup.world.contains(*e))
            .collect();
        order_group(order, &members, setup).map_err(|source| RunError::Order {
            tick: order.tick,
            group: order.units.clone(),
            source,
        })?;
    }
    Ok(())
}

fn is_alive(simulation: &Simulation, world: &World, entity: Entity) -> bool {
    let units = simulation.units();
    world
        .get::<&UnitId>(entity)
        .is_ok_and(|id| units.index_of(*id).is_some_and(|row| units.is_alive(row)))
}

/// Most members of a group that each of its attackers is given, nearest first.
const MOST_TARGETS: usize = 16;

/// Gives an order to units; one that names a group is given to each with the members nearest to
/// it. Where none of that group is left it is given to nobody.
fn order_group(
    entry: &OrderEntry,
    members: &[Entity],
    setup: &mut Setup,
) -> Result<(), OrderError> {
    let simulation = &mut setup.simulation;
    if let GroupOrder::March {
        to,
        formation,
        facing,
        common_speed,
    } = entry.order
    {
        let march = March {
            to,
            formation,
            facing: facing.map(f32::to_radians),
            common_speed,
        };
        let living: Vec<Entity> = members
            .iter()
            .copied()
            .filter(|&entity| is_alive(simulation, &setup.world, entity))
            .collect();
        return simulation.march(&setup.world, &living, &march, entry.queue);
    }
    let Some(group) = entry.order.target() else {
        let order = entry.order.to_unit(None).expect("names no group");
        return simulation.order(&setup.world, members, order, entry.queue);
    };
    let units = simulation.units();
    let place = |entity: Entity| {
        let id = *setup.world.get::<&UnitId>(entity).ok()?;
        let row = units.index_of(id).filter(|&row| units.is_alive(row))?;
        Some(units.position[row])
    };
    let targets: Vec<(Entity, Vec2)> = setup
        .groups
        .iter()
        .filter(|g| g.name == group)
        .flat_map(Group::units)
        .map(|u| setup.entities[u as usize])
        .filter_map(|entity| Some((entity, place(entity)?)))
        .collect();
    let most = match entry.order {
        GroupOrder::Attack { .. } => MOST_TARGETS,
        _ => 1,
    };
    let mut given = Vec::new();
    for &member in members {
        let Some(at) = place(member) else { continue };
        let mut nearest = targets.clone();
        nearest.sort_by(|a, b| {
            at.distance_squared(a.1)
                .total_cmp(&at.distance_squared(b.1))
                .then(a.0.id().cmp(&b.0.id()))
        });
        for (i, (target, _)) in nearest.iter().take(most).enumerate() {
            let order = entry.order.to_unit(Some(*target)).expect("has a target");
            given.push((member, order, entry.queue || i > 0));
        }
    }
    for (member, order, queue) in given {
        simulation.order(&setup.world, &[member], order, queue)?;
    }
    Ok(())
}

impl Script {
    fn new(scenario: &Scenario) -> Self {
        let mut orders = scenario.orders.clone();
        orders.sort_by_key(|o| o.tick);
        let mut edits = scenario.edits.clone();
        edits.sort_by_key(|e| e.tick);
        Self {
            orders,
            edits,
            next_order: 0,
            next_edit: 0,
            given: Given::default(),
        }
    }

    /// Makes `given` what the script and the pointers have for a tick.
    fn advance(&mut self, tick: u64, scenario: &Scenario) {
        self.given.edits.clear();
        self.given.orders.clear();
        while let Some(edit) = self.edits.get(self.next_edit).filter(|e| e.tick <= tick) {
            self.given.edits.push(*edit);
            self.next_edit += 1;
        }
        while let Some(order) = self.orders.get(self.next_order).filter(|o| o.tick <= tick) {
            self.given.orders.push(order.clone());
            self.next_order += 1;
        }
        for pointer in &scenario.pointers {
            let led = scenario
                .units
                .iter()
                .filter(|entry| entry.group == pointer.units);
            let count = led.map(|entry| entry.count as usize).sum();
            self.given.orders.push(OrderEntry {
                tick,
                units: pointer.units.clone(),
                order: GroupOrder::Move {
                    to: Pointer::goal(pointer.at(tick), count),
                },
                queue: false,
            });
        }
    }
}

/// Wall time of ticks and of their stages.
#[derive(Default)]
pub(crate) struct Timing {
    /// Milliseconds of each tick.
    pub(crate) ticks: Vec<f64>,
    /// Sum of the time of each stage over all ticks but the first, by [`Stage`] as number.
    pub(crate) stages: [Duration; Stage::ALL.len()],
    running: Option<(Stage, Instant)>,
}

impl Timing {
    /// `giving` is the time the orders and edits took, which belongs to the stage of orders.
    fn begin_tick(&mut self, giving: Duration) {
        if !self.ticks.is_empty() {
            self.stages[Stage::Orders as usize] += giving;
        }
    }

    /// Ends the stage that runs. The first tick is left out: it warms caches up.
    fn close(&mut self, now: Instant) {
        if let Some((stage, start)) = self.running.take()
            && !self.ticks.is_empty()
        {
            self.stages[stage as usize] += now - start;
        }
    }

    fn end_tick(&mut self, whole: Duration) {
        self.ticks.push(whole.as_secs_f64() * 1e3);
    }
}

impl StageObserver for Timing {
    fn begin(&mut self, stage: Stage) {
        let now = Instant::now();
        self.close(now);
        self.running = Some((stage, now));
    }

    fn end(&mut self) {
        self.close(Instant::now());
    }
}
