//! A simulation with its world, and the units of the tests.

use glam::Vec2;
use hecs::{Entity, World};
use throng::{
    Brain, Combat, Config, Event, EventKind, Map, Order, Simulation, Stance, UnitId, UnitSpec,
};

pub struct Field {
    pub sim: Simulation,
    pub world: World,
}

impl Field {
    pub fn open(width: u32, height: u32) -> Self {
        Self::new(Map::open(width, height).unwrap())
    }

    pub fn new(map: Map) -> Self {
        Self::with_config(map, Config::default())
    }

    pub fn with_config(map: Map, config: Config) -> Self {
        Self {
            sim: Simulation::new(map, config).unwrap(),
            world: World::new(),
        }
    }

    pub fn spawn(&mut self, x: f32, y: f32, team: u8, combat: Combat, brain: Brain) -> Entity {
        let spec = UnitSpec {
            position: Vec2::new(x, y),
            team,
            combat,
            brain,
            ..UnitSpec::default()
        };
        self.sim.spawn(&mut self.world, &spec).unwrap()
    }

    pub fn order(&mut self, unit: Entity, order: Order) {
        self.sim.order(&self.world, &[unit], order, false).unwrap();
    }

    pub fn tick(&mut self) -> Vec<Event> {
        self.sim.tick(&mut self.world);
        self.sim.events().to_vec()
    }

    pub fn run(&mut self, ticks: u32) -> Vec<Event> {
        (0..ticks).flat_map(|_| self.tick()).collect()
    }

    pub fn row(&self, unit: Entity) -> usize {
        let id = *self.world.get::<&UnitId>(unit).unwrap();
        self.sim.units().index_of(id).unwrap()
    }

    pub fn at(&self, unit: Entity) -> Vec2 {
        self.sim.units().position[self.row(unit)]
    }

    pub fn doing(&self, unit: Entity) -> &'static str {
        self.sim.units().activity[self.row(unit)].name()
    }
}

pub const PEACEFUL: Combat = Combat {
    health: 1e6,
    damage: 0.0,
    range: 0.3,
    wind_up: 6,
    cooldown: 30,
    notice: 6.0,
    follow: 9.0,
    leash: 12.0,
    stance: Stance::Passive,
    kites: false,
    flee_below: 0.0,
};

pub const FIGHTER: Combat = Combat {
    damage: 10.0,
    stance: Stance::Aggressive,
    ..PEACEFUL
};

pub fn changes(events: &[Event], unit: u32) -> usize {
    events
        .iter()
        .filter(|e| e.unit == UnitId(unit) && matches!(e.kind, EventKind::StateChanged { .. }))
        .count()
}
