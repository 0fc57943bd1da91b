//! From a scenario to a populated simulation.

use std::ops::Range;

use glam::Vec2;
use hecs::{Entity, World};
use throng::{Config, SimError, Simulation, SpawnError, UnitSpec};

use crate::error::{Problem, ScenarioError};
use crate::hash;
use crate::placement::Placer;
use crate::scenario::Scenario;

/// A group of a scenario: the units of every entry of that name.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// Its name.
    pub name: String,
    /// Goal of its last order that has one.
    pub goal: Option<Vec2>,
    /// Radius of the packed disc about the goal, in cells.
    pub packed: f64,
    /// Its units, as runs of numbers.
    pub runs: Vec<Range<u32>>,
}

impl Group {
    /// The numbers of its units.
    pub fn units(&self) -> impl Iterator<Item = u32> {
        self.runs.iter().flat_map(Clone::clone)
    }
}

/// A simulation with the units of a scenario in it.
pub(crate) struct Setup {
    pub(crate) world: World,
    pub(crate) simulation: Simulation,
    /// By unit number.
    pub(crate) entities: Vec<Entity>,
    pub(crate) groups: Vec<Group>,
}

impl Setup {
    /// Builds it; `seed` replaces the scenario's.
    pub(crate) fn new(scenario: &Scenario, seed: u64) -> Result<Self, ScenarioError> {
        let config = Config {
            tick_rate: scenario.tick_rate,
            seed,
            mover: scenario.mover,
            steering: scenario.steering,
            ..Config::default()
        };
        let mut simulation = Simulation::new(scenario.map.clone(), config)
            .map_err(|e| ScenarioError::at(setting_of(&e), Problem::Simulation(e)))?;
        let mut world = World::new();
        let mut entities = Vec::new();
        let mut groups: Vec<Group> = Vec::new();
        let mut placer = Placer::new(&scenario.map, &scenario.units);
        for (index, entry) in scenario.units.iter().enumerate() {
            let first = entities.len() as u32;
            let goal = scenario.goal(&entry.group);
            let brain = entry.brain(&mut simulation);
            for position in placer.place(index, entry)? {
                let spread = 2.0 * hash::unit(seed, entities.len() as u64) - 1.0;
                let speed = entry.speed * (1.0 + entry.speed_spread * spread);
                let spec = UnitSpec {
                    position,
                    radius: entry.radius,
                    speed: speed / scenario.tick_rate,
                    team: entry.team,
                    brain,
                    mass: entry.mass,
                    combat: entry.fighter.combat(scenario.tick_rate),
                    heading: goal.map_or(0.0, |to| facing(to - position)),
                    ..UnitSpec::default()
                };
                let entity = simulation.spawn(&mut world, &spec).map_err(|e| {
                    ScenarioError::at(
                        format!("units[{index}]{}", property_of(&e)),
                        Problem::Spawn(e),
                    )
                    .on_line(entry.line)
                })?;
                entities.push(entity);
            }
            let run = first..entities.len() as u32;
            match groups.iter_mut().find(|g| g.name == entry.group) {
                Some(group) => group.runs.push(run),
                None => groups.push(Group {
                    name: entry.group.clone(),
                    goal,
                    packed: scenario.packed_radius(&entry.group),
                    runs: vec![run],
                }),
            }
        }
        Ok(Self {
            world,
            simulation,
            entities,
            groups,
        })
    }
}

/// Units start facing their goal.
fn facing(way: Vec2) -> f32 {
    libm::atan2f(way.y, way.x)
}

/// The key of the property that a refused unit has wrong.
fn property_of(error: &SpawnError) -> String {
    match error {
        SpawnError::Property { name, .. } => format!(".{name}"),
        SpawnError::Place { .. } => ".area".to_owned(),
    }
}

fn setting_of(error: &SimError) -> &'static str {
    match error {
        SimError::Setting { name, .. } => name,
        SimError::EditOutside { .. } | SimError::EditOccupied { .. } => "edits",
    }
}
