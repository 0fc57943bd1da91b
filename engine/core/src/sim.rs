//! The simulation: owns the map and the units' memory, and runs the tick.

use glam::Vec2;
use hecs::{Entity, World};

use crate::{
    assign,
    brain::{
        Brain, NOBODY, Sensor, State, StateId, machine::Machine, presence::Presence,
        pursuit::Pursuits, stage,
    },
    combat::Combat,
    components::{Body, Heading, Outcome, Position, UnitId, Velocity},
    config::{Config, Mover},
    error::{OrderError, SimError, SpawnError},
    event::{Event, EventKind},
    field::Congestion,
    flock::Flock,
    formation::{self, March, Member},
    hash::StateHasher,
    map::{CellRect, Map, SizeClass},
    motion::{relax, walls},
    order::{Order, Task},
    route::Routes,
    settle,
    spatial::Cells,
    steer,
    units::{Agent, Nature, Units},
};

/// Largest radius of a unit, cells.
pub const MAX_RADIUS: f32 = 4.0;
/// Furthest that units notice and strike, cells: they look through all units that near.
pub const MAX_NOTICE: f32 = 64.0;
/// Fastest unit, cells per tick. Over its radius or half a cell a tick it moves in several steps, so
/// that it jumps no wall.
pub const MAX_SPEED: f32 = 4.0;

/// Less would not get a field across a large map in reasonable time.
const MIN_FIELD_BUDGET: u64 = 4096;

/// Ticks in which each unit is looked at once, whether its field covers where it is.
const STRAY_PERIOD: u64 = 16;

/// The stages of a tick, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stage {
    /// Edits and orders are applied.
    Orders,
    /// Flow fields that the map's changes touched are made anew.
    Fields,
    /// Units are sorted into cells and guided.
    Spatial,
    /// Every unit chooses its velocity.
    Steer,
    /// Units move, overlaps are pushed apart, walls clamp.
    Relax,
    /// Orders end, events are written.
    Settle,
    /// State machines read the outcomes.
    Brains,
}

impl Stage {
    /// All stages in the order of the tick.
    pub const ALL: [Self; 7] = [
        Self::Orders,
        Self::Fields,
        Self::Spatial,
        Self::Steer,
        Self::Relax,
        Self::Settle,
        Self::Brains,
    ];

    /// The stage's name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Orders => "orders",
            Self::Fields => "fields",
            Self::Spatial => "spatial",
            Self::Steer => "steer",
            Self::Relax => "relax",
            Self::Settle => "settle",
            Self::Brains => "brains",
        }
    }
}

/// Told when a stage begins and when the tick's stages end: the host's clock hangs here, since the
/// simulation has none.
pub trait StageObserver {
    /// `stage` begins; the one before it ends.
    fn begin(&mut self, stage: Stage);
    /// The last stage ended.
    fn end(&mut self);
}

impl StageObserver for () {
    fn begin(&mut self, _: Stage) {}
    fn end(&mut self) {}
}

/// A unit to be spawned.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UnitSpec {
    /// Centre, cells; the whole disc must be clear of walls.
    pub position: Vec2,
    /// Radius, cells: over 0 and at most [`MAX_RADIUS`].
    pub radius: f32,
    /// Top speed, cells per tick: 0 to [`MAX_SPEED`].
    pub speed: f32,
    /// Team.
    pub team: u8,
    /// Facing, radians.
    pub heading: f32,
    /// Whether it sees other units and is seen by them. Off, it walks as if alone.
    pub avoidance: bool,
    /// Mass, in those of a common unit: of two that press on one another the lighter gives way.
    pub mass: f32,
    /// How it fights; unarmed when not given.
    pub combat: Combat,
    /// What it does without an order.
    pub brain: Brain,
}

impl Default for UnitSpec {
    fn default() -> Self {
        Self {
            position: Vec2::ZERO,
            radius: 0.4,
            speed: 0.1,
            team: 0,
            heading: 0.0,
            avoidance: true,
            mass: 1.0,
            combat: Combat::default(),
            brain: Brain::default(),
        }
    }
}

/// Bytes held, by what they serve.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MemoryUse {
    /// Terrain, occupancy, components.
    pub map: usize,
    /// Flow fields.
    pub fields: usize,
    /// Unit columns and scratch.
    pub units: usize,
}

enum Command {
    Edit {
        rect: CellRect,
        blocked: bool,
    },
    Order {
        unit: UnitId,
        task: Task,
        queue: bool,
    },
}

/// A crowd on a map.
///
/// ```
/// use glam::Vec2;
/// use throng::{Config, Map, Order, Outcome, Simulation, UnitSpec};
///
/// let map = Map::from_ascii("..........\n....##....\n....##....\n..........").unwrap();
/// let mut world = hecs::World::new();
/// let mut sim = Simulation::new(map, Config::default()).unwrap();
/// let unit = sim.spawn(&mut world, &UnitSpec { position: Vec2::new(1.5, 1.5), ..UnitSpec::default() }).unwrap();
/// sim.order(&world, &[unit], Order::Move { to: Vec2::new(8.5, 2.5) }, false).unwrap();
/// for _ in 0..200 {
///     sim.tick(&mut world);
/// }
/// assert_eq!(sim.units().outcome[0], Outcome::Arrived);
/// ```
pub struct Simulation {
    pub(crate) map: Map,
    config: Config,
    now: u64,
    pub(crate) units: Units,
    pub(crate) routes: Routes,
    commands: Vec<Command>,
    events: Vec<Event>,
    event_hash: u64,
    pub(crate) flock: Flock,
    congestion: Congestion,
    moved: Vec<u32>,
    places: Vec<u32>,
    ended: Vec<(u32, Option<Outcome>)>,
    machine: Machine,
    pursuits: Pursuits,
    presence: Presence,
    busy: Vec<bool>,
    seen_revision: u64,
    /// [`Map::region_changes`] as of the last look at the units' components.
    seen_changes: u64,
    /// A unit was put off a wall since.
    displaced: bool,
    /// The last tick's cell order tells where the units are.
    is_sorted: bool,
}

impl Simulation {
    /// An empty crowd on `map`.
    ///
    /// # Errors
    ///
    /// When a setting is not a finite number in its range.
    pub fn new(map: Map, config: Config) -> Result<Self, SimError> {
        check_config(&config)?;
        if Routes::are_late(&map, 1, config.field_budget) {
            map.prepare_searches();
        }
        Ok(Self {
            flock: Flock::new(&map),
            congestion: Congestion::new(map.width(), map.height()),
            seen_revision: map.revision(),
            seen_changes: map.region_changes(),
            displaced: false,
            is_sorted: false,
            map,
            config,
            now: 0,
            units: Units::default(),
            routes: Routes::default(),
            commands: Vec::new(),
            events: Vec::new(),
            event_hash: 0,
            moved: Vec::new(),
            places: Vec::new(),
            ended: Vec::new(),
            machine: Machine::default(),
            pursuits: Pursuits::default(),
            presence: Presence::default(),
            busy: Vec::new(),
        })
    }

    /// Adds a unit to the world. Units see and avoid one another unless a spec says otherwise:
    ///
    /// ```
    /// use glam::Vec2;
    /// use throng::{Config, Map, Order, Outcome, Simulation, UnitSpec};
    ///
    /// let mut world = hecs::World::new();
    /// let mut sim = Simulation::new(Map::open(20, 5).unwrap(), Config::default()).unwrap();
    /// let ends = [Vec2::new(2.5, 2.5), Vec2::new(17.5, 2.5)];
    /// for (position, to) in [(ends[0], ends[1]), (ends[1], ends[0])] {
    ///     let unit = sim.spawn(&mut world, &UnitSpec { position, ..UnitSpec::default() }).unwrap();
    ///     sim.order(&world, &[unit], Order::Move { to }, false).unwrap();
    /// }
    /// // They swap places and step round one another on the way.
    /// for _ in 0..200 {
    ///     sim.tick(&mut world);
    ///     let at = &sim.units().position;
    ///     assert!(at[0].distance(at[1]) > 0.79);
    /// }
    /// assert!(sim.units().outcome.iter().all(|&outcome| outcome == Outcome::Arrived));
    /// ```
    ///
    /// # Errors
    ///
    /// When a property is out of range or the disc is not clear of walls.
    pub fn spawn(&mut self, world: &mut World, spec: &UnitSpec) -> Result<Entity, SpawnError> {
        check_spec(spec)?;
        let cells = &self.map.nav(SizeClass::default()).occupancy;
        if !walls::is_clear(cells, spec.position, spec.radius) {
            return Err(SpawnError::Place {
                position: spec.position,
                radius: spec.radius,
            });
        }
        self.map.ensure_class(SizeClass::of(spec.radius));
        let body = Body {
            radius: spec.radius,
            speed: spec.speed,
            team: spec.team,
        };
        let entity = world.spawn((
            self.units.next_id(),
            Position(spec.position),
            Velocity(Vec2::ZERO),
            Heading(spec.heading),
            body,
        ));
        let nature = Nature {
            avoidance: spec.avoidance,
            mass: spec.mass,
            combat: spec.combat,
            role: match spec.brain {
                Brain::None if !spec.combat.is_armed() => StateId::NONE,
                brain => brain.state(),
            },
        };
        self.units
            .push(entity, spec.position, spec.heading, body, &nature);
        if let Brain::Patrol { to: Some(to) } = spec.brain {
            let rank = self.units.len() - 1;
            self.units.mind[rank].point = to;
        }
        Ok(entity)
    }

    /// Takes a unit out of the world. A host may as well despawn it through `hecs`.
    ///
    /// # Errors
    ///
    /// When the entity is no living unit of this simulation.
    pub fn despawn(&mut self, world: &mut World, entity: Entity) -> Result<(), OrderError> {
        self.unit_of(world, entity)?;
        world
            .despawn(entity)
            .map_err(|_| OrderError::NoSuchUnit(entity))
    }

    /// Gives an order to units at the start of the next tick, in call order. With `queue` it comes
    /// after the orders already given, else it replaces them. An order that a unit already carries
    /// out changes nothing.
    ///
    /// # Errors
    ///
    /// When an entity is no living unit or the goal is outside the map; then no unit is ordered.
    pub fn order(
        &mut self,
        world: &World,
        units: &[Entity],
        order: Order,
        queue: bool,
    ) -> Result<(), OrderError> {
        for to in order.points().into_iter().flatten() {
            self.check_goal(to)?;
        }
        if let Order::March { facing, pace, .. } = order
            && (!facing.is_finite() || pace.is_nan() || pace < 0.0)
        {
            return Err(OrderError::March { facing, pace });
        }
        let target = match order.target() {
            Some(entity) => Some(self.living(world, entity)?),
            None => None,
        };
        let task = Task::new(order, target);
        let first = self.commands.len();
        for &entity in units {
            let unit = self.unit_of(world, entity).and_then(|unit| {
                if Some(unit) == target {
                    Err(OrderError::OwnTarget(entity))
                } else {
                    Ok(unit)
                }
            });
            match unit {
                Ok(unit) => self.commands.push(Command::Order { unit, task, queue }),
                Err(error) => {
                    self.commands.truncate(first);
                    return Err(error);
                }
            }
        }
        Ok(())
    }

    /// Sends a group to stand in formation: each unit is given an [`Order::March`] to its place, so
    /// that no two ways cross. Units that walk in open country keep the shape they have and take
    /// on the new one on the way; in a pass they file through.
    ///
    /// # Errors
    ///
    /// When an entity is no living unit, or the middle is outside the map or no number; then no
    /// unit is ordered.
    pub fn march(
        &mut self,
        world: &World,
        units: &[Entity],
        march: &March,
        queue: bool,
    ) -> Result<(), OrderError> {
        self.check_goal(march.to)?;
        let mut members = Vec::with_capacity(units.len());
        for &entity in units {
            self.living(world, entity)?;
            let rank = self.index_of(world, entity)?;
            members.push(Member {
                at: self.units.position[rank],
                radius: self.units.radius[rank],
                speed: self.units.speed[rank],
            });
        }
        let pace = if march.common_speed {
            formation::common_speed(&members)
        } else {
            f32::INFINITY
        };
        let (places, facing) = formation::places(&members, march, &self.map);
        for (&entity, to) in units.iter().zip(places) {
            let order = Order::March {
                to,
                rally: march.to,
                facing,
                pace,
            };
            self.order(world, &[entity], order, queue)?;
        }
        Ok(())
    }

    /// Takes health from a unit, or gives it some (negative `damage`, points); it dies in the next
    /// tick when none is left.
    ///
    /// # Errors
    ///
    /// When the entity is no living unit, or `damage` no number.
    pub fn hurt(&mut self, world: &World, entity: Entity, damage: f32) -> Result<(), OrderError> {
        self.living(world, entity)?;
        if !damage.is_finite() {
            return Err(OrderError::Damage(damage));
        }
        let rank = self.index_of(world, entity)?;
        let most = self.units.combat[rank].health;
        self.units.health[rank] = (self.units.health[rank] - damage).min(most);
        self.units.mind[rank].hurt_by = NOBODY;
        if damage > 0.0 {
            self.units.mind[rank].hurt_at = self.now;
        }
        Ok(())
    }

    /// Paints walls over a rectangle, or frees it, at the start of the next tick. A unit under a
    /// new wall is put to the nearest free place and an event says so.
    ///
    /// # Errors
    ///
    /// When no cell of the rectangle lies on the map.
    pub fn edit(&mut self, rect: CellRect, blocked: bool) -> Result<(), SimError> {
        let inside = rect.intersection(&self.map.bounds());
        if inside.x0 >= inside.x1 || inside.y0 >= inside.y1 {
            return Err(SimError::EditOutside {
                rect: [rect.x0, rect.y0, rect.x1, rect.y1],
                width: self.map.width(),
                height: self.map.height(),
            });
        }
        self.commands.push(Command::Edit { rect, blocked });
        Ok(())
    }

    /// Cells of work that the last tick did on flow fields, at most [`Config::field_budget`].
    /// Fields that were in the cache count as if they had been built.
    pub fn field_work(&self) -> u64 {
        self.routes.work()
    }

    /// Drops the fields kept for goals that nobody walks to now. It frees memory and changes no
    /// result.
    pub fn forget_fields(&mut self) {
        self.routes.queue.forget();
    }

    /// Flow fields that are asked for and not there yet.
    pub fn fields_pending(&self) -> usize {
        self.routes.queue.len()
    }

    /// Paints walls over a rectangle as [`edit`](Self::edit) does, but only where no unit stands:
    /// for games whose buildings wait for a clear site.
    ///
    /// # Errors
    ///
    /// When no cell of the rectangle lies on the map, or a unit's disc reaches into it; then nothing
    /// is painted.
    pub fn build(&mut self, rect: CellRect) -> Result<(), SimError> {
        if let Some(rank) = (0..self.units.len()).find(|&rank| self.is_under(rank, rect)) {
            return Err(SimError::EditOccupied {
                rect: [rect.x0, rect.y0, rect.x1, rect.y1],
                unit: self.units.id[rank],
            });
        }
        self.edit(rect, true)
    }

    /// Runs one tick.
    pub fn tick(&mut self, world: &mut World) {
        self.tick_observed(world, &mut ());
    }

    /// Runs one tick and tells `observer` of each stage.
    pub fn tick_observed(&mut self, world: &mut World, observer: &mut dyn StageObserver) {
        observer.begin(Stage::Orders);
        self.events.clear();
        self.gather(world);
        // One order of each unit may end in any tick: the list never grows in mid-run.
        self.events.reserve(self.units.len());
        self.apply_commands();

        observer.begin(Stage::Fields);
        self.refresh_fields();

        observer.begin(Stage::Spatial);
        self.routes.measure_discs();
        self.flock
            .load(&self.units, &self.routes, &self.map, self.now);
        if Routes::are_whole(&self.map, &self.config) {
            let (routes, congestion) = (&mut self.routes, &mut self.congestion);
            self.flock
                .count_held_up(&self.units, routes, congestion, self.now);
        }

        observer.begin(Stage::Steer);
        steer::steer(
            &mut self.flock,
            &self.units,
            &self.routes,
            &self.map,
            &self.config,
        );

        observer.begin(Stage::Relax);
        relax::relax(&mut self.flock, &self.map);

        observer.begin(Stage::Settle);
        settle::settle(
            &mut self.units,
            &self.flock,
            &mut settle::Ending {
                routes: &mut self.routes,
                map: &self.map,
                events: &mut self.events,
                tick: self.now,
            },
            self.config.steering.turn_rate,
            &mut self.places,
            &mut self.ended,
        );

        observer.begin(Stage::Brains);
        stage::run(
            &mut self.units,
            &mut stage::Surroundings {
                machine: &self.machine,
                pursuits: &mut self.pursuits,
                presence: &mut self.presence,
                busy: &mut self.busy,
                routes: &mut self.routes,
                flock: &self.flock,
                map: &self.map,
                config: &self.config,
                events: &mut self.events,
                tick: self.now,
            },
        );
        self.units.scatter(world);
        self.event_hash = self.events.iter().fold(self.event_hash, |hash, event| {
            StateHasher::chain(hash, event)
        });
        self.bury(world);
        self.now += 1;
        observer.end();
    }

    /// Ticks done so far; also the number of the next tick.
    pub fn now(&self) -> u64 {
        self.now
    }

    /// The map as it is now.
    pub fn map(&self) -> &Map {
        &self.map
    }

    /// The settings.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// Changes the steering between ticks. It is part of the run: a replay must make the same
    /// change at the same tick.
    ///
    /// # Errors
    ///
    /// When a setting is out of range; then nothing changes.
    pub fn set_steering(&mut self, steering: crate::config::Steering) -> Result<(), SimError> {
        let config = Config {
            steering,
            ..self.config.clone()
        };
        check_config(&config)?;
        self.config = config;
        Ok(())
    }

    /// Events of the last tick.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// The units by the cell they were in as the last tick moved them.
    pub fn cells(&self) -> Cells<'_> {
        self.flock.cells()
    }

    /// The units as the last tick left them, in id order.
    pub fn units(&self) -> &Units {
        &self.units
    }

    /// Goal and flow field of the unit with index `index` in [`units`](Self::units), for drawing;
    /// `None` without an order to a point, and until its field is there.
    pub fn guidance_of(&self, index: usize) -> Option<(Vec2, &crate::field::FlowField)> {
        let route = self.routes.get(self.units.agent.get(index)?.route)?;
        Some((route.goal, route.field.as_deref()?))
    }

    /// Goal of the unit with that index, and the length of its way there, cells.
    pub(crate) fn way_of(&self, index: usize) -> Option<(Vec2, f32)> {
        let route = self.routes.get(self.units.agent.get(index)?.route)?;
        let at = self.units.position[index];
        let left = match &route.field {
            Some(field) => field.distance_at(at),
            None => route.guide(&self.map, at).distance,
        };
        Some((route.goal, left))
    }

    /// Why the unit with index `index` in [`units`](Self::units) took the heading it took in the last
    /// tick, and what refused the others; `None` for one that did not walk then, and for the movers
    /// that are no [`Mover::Mask`].
    pub fn fan_of(&self, index: usize) -> Option<steer::Fan> {
        if self.config.mover != Mover::Mask {
            return None;
        }
        let place = *self.places.get(index)? as usize;
        let cells = &self.map.nav(SizeClass::default()).occupancy;
        steer::fan(&self.flock, place, &self.units, cells, &self.config)
    }

    /// Hash of the whole simulated state: every unit in id order, the map, and all events so far.
    pub fn state_hash(&self) -> u64 {
        let mut hasher =
            StateHasher::new(self.now, self.config.seed, self.event_hash, self.map.hash());
        hasher.units(&self.units, &self.routes);
        hasher.pursuits(&self.pursuits);
        hasher.fields(&self.routes.queue);
        hasher.congestion(&self.congestion);
        hasher.finish()
    }

    /// Bytes held.
    pub fn memory(&self) -> MemoryUse {
        MemoryUse {
            map: self.map.memory_bytes(),
            fields: self.routes.field_bytes()
                + self.congestion.memory_bytes()
                + self.pursuits.memory_bytes(),
            units: self.units.len() * (size_of::<Agent>() + 160),
        }
    }

    /// Adds a state of the game's own; its number is to be used with
    /// [`Mind::change`](crate::Mind::change) and [`Brain::State`]. A run that is to be repeated
    /// must add the same states in the same order.
    pub fn add_state(&mut self, state: impl State + 'static) -> StateId {
        self.machine.add(Box::new(state))
    }

    /// Adds a sensor, asked for every living unit in every tick, after those added before.
    pub fn add_sensor(&mut self, sensor: impl Sensor + 'static) {
        self.machine.add_sensor(Box::new(sensor));
    }

    /// The name of a state.
    pub fn state_name(&self, state: StateId) -> &'static str {
        self.machine.name(state)
    }

    /// Lets a test look through the senses of the first unit, put to `at`, at tick `now`.
    #[cfg(test)]
    pub(crate) fn with_senses<T>(
        &mut self,
        at: Vec2,
        now: u64,
        f: impl FnOnce(&crate::Senses) -> T,
    ) -> T {
        self.units.position[0] = at;
        let scene = crate::brain::senses::Scene {
            units: &self.units,
            flock: &self.flock,
            map: &self.map,
            pursuits: &self.pursuits,
            presence: &self.presence,
            wandering: &self.config.wandering,
            seed: 5,
            tick_rate: 30.0,
            now,
        };
        f(&crate::Senses {
            scene: &scene,
            rank: 0,
        })
    }

    /// The number of a unit that is no corpse.
    fn living(&self, world: &World, entity: Entity) -> Result<UnitId, OrderError> {
        let unit = self.unit_of(world, entity)?;
        match self.units.index_of(unit) {
            Some(rank) if self.units.is_alive(rank) => Ok(unit),
            _ => Err(OrderError::NoSuchUnit(entity)),
        }
    }

    fn check_goal(&self, goal: Vec2) -> Result<(), OrderError> {
        if self.map.cell_at(goal).is_none() {
            return Err(OrderError::GoalOutside {
                goal,
                width: self.map.width(),
                height: self.map.height(),
            });
        }
        Ok(())
    }

    /// Index of a unit in the arrays.
    pub(crate) fn index_of(&self, world: &World, entity: Entity) -> Result<usize, OrderError> {
        let unit = self.unit_of(world, entity)?;
        self.units
            .index_of(unit)
            .ok_or(OrderError::NoSuchUnit(entity))
    }

    fn unit_of(&self, world: &World, entity: Entity) -> Result<UnitId, OrderError> {
        let id = world
            .get::<&UnitId>(entity)
            .map(|id| *id)
            .map_err(|_| OrderError::NoSuchUnit(entity))?;
        match self.units.index_of(id) {
            Some(index) if self.units.entity[index] == entity => Ok(id),
            _ => Err(OrderError::NoSuchUnit(entity)),
        }
    }

    /// Despawns corpses that have lain for their time.
    fn bury(&self, world: &mut World) {
        let Some(seconds) = self.config.corpse else {
            return;
        };
        let time = (seconds * self.config.tick_rate) as u64;
        for rank in 0..self.units.len() {
            if !self.units.is_alive(rank) && self.units.mind[rank].since + time <= self.now {
                // Fails only where the host was faster.
                let _ = world.despawn(self.units.entity[rank]);
            }
        }
    }

    /// Takes over what the host wrote since the last tick.
    fn gather(&mut self, world: &World) {
        let routes = &mut self.routes;
        let mut moved = std::mem::take(&mut self.moved);
        let mut is_same = true;
        self.units.gather(world, &mut moved, |gone| {
            is_same = false;
            routes.leave(gone.route, gone.radius, gone.place);
        });
        self.is_sorted =
            is_same && moved.is_empty() && self.flock.cells().len() == self.units.len();
        // The host may have changed bodies; every unit has its size's grid.
        for &radius in &self.units.radius {
            if radius > SizeClass::SMALLEST.radius() {
                self.map.ensure_class(SizeClass::of(radius));
            }
        }
        for &rank in &moved {
            self.put_back(rank as usize);
        }
        self.moved = moved;
    }

    fn apply_commands(&mut self) {
        let mut commands = std::mem::take(&mut self.commands);
        for command in commands.drain(..) {
            match command {
                Command::Edit { rect, blocked } => {
                    if self.map.paint(rect, blocked) > 0 {
                        self.routes.edited(&self.map, rect);
                        if blocked {
                            self.clear_units_off(rect);
                        }
                    }
                }
                Command::Order { unit, task, queue } => {
                    if let Some(rank) = self.units.index_of(unit) {
                        assign::give_order(
                            &mut self.units,
                            rank,
                            task,
                            queue,
                            &mut self.routes,
                            &self.map,
                        );
                    }
                }
            }
        }
        self.commands = commands;
    }

    fn clear_units_off(&mut self, rect: CellRect) {
        let mut under: Vec<u32> = if self.is_sorted {
            let (low, high) = corners(rect);
            let rows = self.flock.cells().rows_near(low, high, 0.0);
            rows.flatten().copied().collect()
        } else {
            (0..self.units.len() as u32).collect()
        };
        under.retain(|&rank| self.is_under(rank as usize, rect));
        under.sort_unstable();
        for rank in under {
            self.put_back(rank as usize);
        }
    }

    /// Whether a unit's disc touches the bounds of a rectangle.
    fn is_under(&self, rank: usize, rect: CellRect) -> bool {
        let (at, reach) = (self.units.position[rank], self.units.radius[rank]);
        let (low, high) = corners(rect);
        at.x + reach > low.x
            && at.x - reach < high.x
            && at.y + reach > low.y
            && at.y - reach < high.y
    }

    /// Puts a unit that overlaps a wall to the nearest place where it does not.
    fn put_back(&mut self, rank: usize) {
        let cells = &self.map.nav(SizeClass::default()).occupancy;
        let (from, radius) = (self.units.position[rank], self.units.radius[rank]);
        if walls::is_clear(cells, from, radius) {
            return;
        }
        let Some(to) = walls::nearest_place(cells, from, radius, |place| {
            self.units.position.iter().enumerate().any(|(other, &at)| {
                let sum = self.units.radius[other] + radius;
                other != rank && at.distance_squared(place) < sum * sum * 0.8
            })
        }) else {
            return;
        };
        self.units.position[rank] = to;
        self.displaced = true;
        self.is_sorted = false;
        self.units.agent[rank].anchor = to;
        self.events.push(Event {
            tick: self.now,
            unit: self.units.id[rank],
            kind: EventKind::Displaced { from },
        });
    }

    /// Asks for new fields where the map has changed, and works on all that are asked for.
    fn refresh_fields(&mut self) {
        let edited = self.seen_revision != self.map.revision();
        if edited {
            self.seen_revision = self.map.revision();
            self.find_regions();
        }
        self.routes.price(&self.congestion, self.now);
        // A few in every tick: fields for some sectors reach a sector beyond their ways.
        let turn = (self.now % STRAY_PERIOD) as usize;
        let units = self.units.agent.iter().zip(&self.units.position);
        for (agent, &at) in units.skip(turn).step_by(STRAY_PERIOD as usize) {
            self.routes.walks(&self.map, agent.route, at);
        }
        self.routes.advance(&self.map, &self.config);
        self.pursuits.take_over(&mut self.routes.queue);
        if !self.routes.iter().any(|route| route.renewed) {
            return;
        }
        for agent in &mut self.units.agent {
            if let Some(route) = self.routes.get(agent.route)
                && route.renewed
            {
                agent.best = f32::INFINITY;
                agent.stall = 0;
            }
        }
    }

    /// After edits: which components units are in, and who is cut off from its goal.
    fn find_regions(&mut self) {
        let changes = self.map.region_changes();
        let all = self.seen_changes != changes || self.displaced;
        (self.seen_changes, self.displaced) = (changes, false);
        if all {
            let starts = self.units.agent.iter().zip(&self.units.position);
            self.routes
                .find_regions(&self.map, starts.map(|(agent, &at)| (agent.route, at)));
        }
        for (rank, agent) in self.units.agent.iter_mut().enumerate() {
            if let Some(route) = self.routes.get(agent.route)
                && (all || route.stale)
            {
                agent.unreachable = route.is_cut_off(&self.map, self.units.position[rank]);
            }
        }
    }
}

/// The corners of a rectangle of cells.
fn corners(rect: CellRect) -> (Vec2, Vec2) {
    (
        Vec2::new(rect.x0 as f32, rect.y0 as f32),
        Vec2::new(rect.x1 as f32, rect.y1 as f32),
    )
}

fn check_config(config: &Config) -> Result<(), SimError> {
    if config.field_budget < MIN_FIELD_BUDGET {
        return Err(SimError::Setting {
            name: "field_budget",
            value: config.field_budget as f64,
            want: "at least 4096 cells",
        });
    }
    let steering = &config.steering;
    for (name, value, least, most, want) in [
        (
            "tick_rate",
            config.tick_rate,
            1.0,
            1000.0,
            "between 1 and 1000 ticks per second",
        ),
        (
            "steering.scan_step",
            steering.scan_step,
            0.01,
            1.6,
            "between 0.01 and 1.6 radians",
        ),
        (
            "steering.scan_base",
            steering.scan_base,
            0.0,
            1.0,
            "between 0 and 1",
        ),
        (
            "steering.turn_rate",
            steering.turn_rate,
            0.0,
            1.0,
            "between 0 and 1",
        ),
    ] {
        if !(least..=most).contains(&value) {
            return Err(SimError::Setting {
                name,
                value: value.into(),
                want,
            });
        }
    }
    if let Some(cap) = config.neighbour_cap
        && !(steer::CAPS).contains(&usize::from(cap))
    {
        return Err(SimError::Setting {
            name: "neighbour_cap",
            value: cap.into(),
            want: "8 to 64 neighbours",
        });
    }
    Ok(())
}

fn check_spec(spec: &UnitSpec) -> Result<(), SpawnError> {
    let combat = &spec.combat;
    for (name, value, ok, want) in [
        (
            "radius",
            spec.radius,
            spec.radius > 0.0 && spec.radius <= MAX_RADIUS,
            "over 0 and at most 4 cells",
        ),
        (
            "speed",
            spec.speed,
            (0.0..=MAX_SPEED).contains(&spec.speed),
            "0 to 4 cells per tick",
        ),
        (
            "heading",
            spec.heading,
            spec.heading.is_finite(),
            "a finite number of radians",
        ),
        (
            "mass",
            spec.mass,
            (0.01..=100.0).contains(&spec.mass),
            "0.01 to 100 masses of a common unit",
        ),
        (
            "combat.health",
            combat.health,
            combat.health > 0.0 && combat.health.is_finite(),
            "a number over 0",
        ),
        (
            "combat.damage",
            combat.damage,
            combat.damage >= 0.0 && combat.damage.is_finite(),
            "0 or more",
        ),
        (
            "combat.range",
            combat.range,
            (0.0..=MAX_NOTICE).contains(&combat.range),
            "0 to 64 cells",
        ),
        (
            "combat.notice",
            combat.notice,
            (0.0..=MAX_NOTICE).contains(&combat.notice),
            "0 to 64 cells",
        ),
        (
            "combat.follow",
            combat.follow,
            combat.follow >= combat.notice && combat.follow.is_finite(),
            "at least the notice radius",
        ),
        (
            "combat.leash",
            combat.leash,
            combat.leash >= 0.0,
            "0 cells or more",
        ),
        (
            "combat.flee_below",
            combat.flee_below,
            (0.0..=1.0).contains(&combat.flee_below),
            "0 to 1",
        ),
        (
            "position.x",
            spec.position.x,
            spec.position.x.is_finite(),
            "a finite number of cells",
        ),
        (
            "position.y",
            spec.position.y,
            spec.position.y.is_finite(),
            "a finite number of cells",
        ),
    ] {
        if !ok {
            return Err(SpawnError::Property { name, value, want });
        }
    }
    Ok(())
}
