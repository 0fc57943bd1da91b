//! What the player does with the crowd: select, order, spawn, paint. Knows no window.

use std::time::{Duration, Instant};

use glam::Vec2;
use throng::formation::{Formation, March};
use throng::{CellRect, Order, Simulation, UnitId, UnitSpec};
use throng_scenes::{Pointer, RunOptions, Runner, Scenario, ScenarioError};

use super::clock::{FixedStep, StageTimes};

/// Time the ticks of one frame may take before the rest is dropped.
const TICK_BUDGET: Duration = Duration::from_millis(45);

/// A running scenario in the player's hands.
pub struct Game {
    /// The scenario as it was loaded, for starting again.
    scenario: Scenario,
    runner: Runner,
    /// Groups that run after the mouse pointer instead of the scenario's own.
    chasers: Vec<Pointer>,
    chased: Option<Vec2>,
    /// Simulated against real time.
    pub clock: FixedStep,
    /// How long the stages took.
    pub times: StageTimes,
    /// The shape that groups move in, if any.
    pub formation: Option<Formation>,
    /// Selected units, ascending.
    pub selection: Vec<UnitId>,
    /// Control groups 0 to 9.
    groups: [Vec<UnitId>; 10],
    /// Boxes of cells that change in a tick, with its number.
    edits: Vec<(u64, CellRect)>,
    spawned: u32,
    /// The last thing to tell the player, such as what the simulation refused.
    pub notice: Option<String>,
}

/// How a new selection joins the old one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Join {
    /// It replaces it.
    Replace,
    /// It is added.
    Add,
}

impl Game {
    /// Starts a scenario. A group that a scripted pointer leads follows the mouse instead.
    pub fn new(scenario: Scenario) -> Result<Self, ScenarioError> {
        let mut played = scenario.clone();
        let chasers = std::mem::take(&mut played.pointers);
        Ok(Self {
            runner: Runner::new(played, RunOptions::default())?.unmeasured(),
            scenario,
            chasers,
            chased: None,
            clock: FixedStep::new(),
            times: StageTimes::default(),
            formation: None,
            selection: Vec::new(),
            groups: Default::default(),
            edits: Vec::new(),
            spawned: 0,
            notice: None,
        })
    }

    /// The scenario being played.
    pub fn scenario(&self) -> &Scenario {
        &self.scenario
    }

    /// The simulation after the last tick.
    pub fn simulation(&self) -> &Simulation {
        self.runner.simulation()
    }

    /// A number that changes whenever the units do.
    pub fn version(&self) -> u64 {
        let simulation = self.simulation();
        simulation.now() ^ (simulation.units().len() as u64) << 40
    }

    /// Lets real time pass and runs the ticks that are due, `pointer` being where the mouse is.
    pub fn advance(&mut self, seconds: f64, pointer: Option<Vec2>) {
        let rate = f64::from(self.scenario.tick_rate);
        self.clock.pass(seconds, rate);
        let start = Instant::now();
        while self.clock.take() {
            self.chase(pointer);
            if let Err(error) = self.runner.play(&mut self.times) {
                self.notice = Some(error.to_string());
            }
            let edits = self.runner.given().edits.iter();
            self.edits
                .extend(edits.map(|edit| (edit.tick, CellRect::covering(edit.rect))));
            if start.elapsed() > TICK_BUDGET {
                self.clock.forgive();
                break;
            }
        }
    }

    /// The boxes of cells that changed since the last call.
    pub fn take_edits(&mut self) -> Vec<CellRect> {
        let now = self.simulation().now();
        let done = self.edits.extract_if(.., |(tick, _)| *tick < now);
        done.map(|(_, rect)| rect).collect()
    }

    /// The boxes of cells that the next tick will change.
    pub fn pending_edits(&self) -> impl Iterator<Item = CellRect> {
        self.edits.iter().map(|(_, rect)| *rect)
    }

    /// Rows of the selected units in [`Simulation::units`]; the gone are forgotten.
    pub fn selected_rows(&mut self) -> Vec<usize> {
        let units = self.runner.simulation().units();
        let mut rows = Vec::with_capacity(self.selection.len());
        self.selection.retain(|id| {
            let row = units.index_of(*id).filter(|&row| units.is_alive(row));
            rows.extend(row);
            row.is_some()
        });
        rows
    }

    /// Selects the units whose centres lie in a box of the world.
    pub fn select_box(&mut self, a: Vec2, b: Vec2, join: Join) {
        let (low, high) = (a.min(b), a.max(b));
        self.select_where(join, |at, _| at.cmpge(low).all() && at.cmple(high).all());
    }

    /// Selects the unit under a point, or nothing. `slack` in cells is what a click may miss by.
    pub fn click(&mut self, at: Vec2, slack: f32, join: Join) {
        let found = self.unit_at(at, slack);
        self.join(found.into_iter().collect(), join);
    }

    /// Selects all units of the kind of the one under a point that lie in `view`.
    pub fn select_kind(&mut self, at: Vec2, slack: f32, view: [f32; 4], join: Join) {
        let units = self.simulation().units();
        let row = self.unit_at(at, slack).and_then(|id| units.index_of(id));
        let Some(kind) = row.map(|row| (units.team[row], units.radius[row])) else {
            return;
        };
        let [x0, y0, x1, y1] = view;
        self.select_where(join, |at, found| {
            found == kind && at.x >= x0 && at.x <= x1 && at.y >= y0 && at.y <= y1
        });
    }

    /// Stores the selection as control group `number`.
    pub fn store_group(&mut self, number: usize) {
        self.groups[number] = self.selection.clone();
    }

    /// Selects control group `number`.
    pub fn recall_group(&mut self, number: usize, join: Join) {
        self.join(self.groups[number].clone(), join);
    }

    /// Orders the selected units; whether there were any.
    pub fn order(&mut self, order: Order, queue: bool) -> bool {
        let rows = self.selected_rows();
        self.give(&rows, order, queue);
        !rows.is_empty()
    }

    /// Sends the selected units to a point; whether there were any. Outside the map nobody goes.
    pub fn send(&mut self, to: Vec2, queue: bool) -> bool {
        let bounds = self.simulation().map().bounds();
        let inside = to.x >= bounds.x0 as f32
            && to.y >= bounds.y0 as f32
            && to.x < bounds.x1 as f32
            && to.y < bounds.y1 as f32;
        inside && self.order(Order::Move { to }, queue)
    }

    /// Paints or erases walls in a square brush of `side` cells around a point.
    pub fn paint(&mut self, at: Vec2, side: u32, blocked: bool) {
        let corner = (at - side as f32 * 0.5).round();
        let (x0, y0) = (corner.x as i32, corner.y as i32);
        let rect = CellRect {
            x0,
            y0,
            x1: x0 + side as i32,
            y1: y0 + side as i32,
        };
        let (simulation, _) = self.runner.parts_mut();
        // Beside the map there is nothing to paint.
        if simulation.edit(rect, blocked).is_ok() {
            self.edits.push((self.simulation().now(), rect));
        }
    }

    /// Spawns or removes units until there are `count`. New ones stand where there is room, the
    /// newest go first.
    pub fn set_count(&mut self, count: usize) {
        let entities = &self.simulation().units().entity;
        let gone = entities[count.min(entities.len())..].to_vec();
        let (simulation, world) = self.runner.parts_mut();
        for entity in gone {
            // While time stands the same ones may be told to go again.
            let _ = simulation.despawn(world, entity);
        }
        let missing = count.saturating_sub(self.simulation().units().len());
        for _ in 0..missing {
            if !self.spawn() {
                self.notice = Some("no room for more units was found".to_owned());
                return;
            }
        }
    }

    /// Spawns a unit like one of the scenario's kinds at the next free place of a sequence that
    /// spreads evenly over the map; whether there was one within reason.
    fn spawn(&mut self) -> bool {
        let kinds = &self.scenario.units;
        let Some(kind) = kinds.get(self.spawned as usize % kinds.len().max(1)) else {
            return false;
        };
        let mut spec = UnitSpec {
            radius: kind.radius,
            team: kind.team,
            speed: kind.speed / self.scenario.tick_rate,
            ..UnitSpec::default()
        };
        let (simulation, world) = self.runner.parts_mut();
        let size = Vec2::new(
            simulation.map().width() as f32,
            simulation.map().height() as f32,
        );
        for _ in 0..256 {
            self.spawned += 1;
            // The two-dimensional golden ratio: no two places fall close together for long.
            let share = glam::DVec2::new(0.754_877_666_246_69, 0.569_840_290_998_05)
                * f64::from(self.spawned);
            spec.position = share.fract().as_vec2() * size;
            spec.heading = self.spawned as f32 * 2.4 % 6.0 - 3.0;
            if simulation.spawn(world, &spec).is_ok() {
                return true;
            }
        }
        false
    }

    /// The unit under a point.
    pub fn unit_at(&self, at: Vec2, slack: f32) -> Option<UnitId> {
        let units = self.simulation().units();
        let miss = |row: usize| units.position[row].distance(at) - units.radius[row];
        units
            .living()
            .filter(|&row| miss(row) <= slack)
            .min_by(|&a, &b| miss(a).total_cmp(&miss(b)))
            .map(|row| units.id[row])
    }

    /// Runtime access for the panel: the simulation, to change its steering.
    pub fn simulation_mut(&mut self) -> &mut Simulation {
        self.runner.parts_mut().0
    }

    fn chase(&mut self, pointer: Option<Vec2>) {
        let Some(at) = pointer.filter(|_| !self.chasers.is_empty()) else {
            return;
        };
        let groups = self.runner.groups().iter();
        let led = groups.filter(|group| self.chasers.iter().any(|p| p.units == group.name));
        let numbers: Vec<u32> = led.flat_map(|group| group.units()).collect();
        let to = Pointer::goal(at, numbers.len());
        if self.chased == Some(to) || self.simulation().map().cell_at(to).is_none() {
            return;
        }
        self.chased = Some(to);
        let units = self.simulation().units();
        let rows: Vec<usize> = numbers
            .iter()
            .filter_map(|&number| units.index_of(UnitId(number)))
            .filter(|&row| units.is_alive(row))
            .collect();
        self.give(&rows, Order::Move { to }, false);
    }

    /// Sends the units in some rows of [`Simulation::units`] to stand in formation.
    pub fn march(&mut self, rows: &[usize], march: &March, queue: bool) {
        let units = self.runner.simulation().units();
        let entities: Vec<hecs::Entity> = rows.iter().map(|&row| units.entity[row]).collect();
        let (simulation, world) = self.runner.parts_mut();
        if let Err(error) = simulation.march(world, &entities, march, queue) {
            self.notice = Some(error.to_string());
        }
    }

    /// Orders the units in some rows of [`Simulation::units`].
    pub fn give(&mut self, rows: &[usize], order: Order, queue: bool) {
        let units = self.runner.simulation().units();
        let entities: Vec<hecs::Entity> = rows.iter().map(|&row| units.entity[row]).collect();
        let (simulation, world) = self.runner.parts_mut();
        if let Err(error) = simulation.order(world, &entities, order, queue) {
            self.notice = Some(error.to_string());
        }
    }

    fn select_where(&mut self, join: Join, keep: impl Fn(Vec2, (u8, f32)) -> bool) {
        let units = self.simulation().units();
        let found = units
            .living()
            .filter(|&row| keep(units.position[row], (units.team[row], units.radius[row])))
            .map(|row| units.id[row])
            .collect();
        self.join(found, join);
    }

    fn join(&mut self, mut found: Vec<UnitId>, join: Join) {
        if join == Join::Add {
            found.extend_from_slice(&self.selection);
        }
        found.sort_unstable();
        found.dedup();
        self.selection = found;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game() -> Game {
        let text = "name = 'test'\nticks = 10\n[map]\nempty = [40, 40]\n\
            [[units]]\ngroup = 'a'\ncount = 9\narea = [2, 2, 8, 8]\n\
            [[units]]\ngroup = 'b'\ncount = 4\narea = [30, 30, 36, 36]\nteam = 1\n";
        let scenario = Scenario::parse(text, std::path::Path::new("")).expect("a sound scenario");
        Game::new(scenario).expect("it starts")
    }

    #[test]
    fn a_box_selects_what_lies_in_it_and_shift_adds() {
        let mut game = game();
        game.select_box(Vec2::ZERO, Vec2::splat(10.0), Join::Replace);
        assert_eq!(game.selected_rows().len(), 9);
        game.select_box(Vec2::splat(40.0), Vec2::splat(25.0), Join::Add);
        assert_eq!(game.selected_rows().len(), 13);
        game.select_box(Vec2::splat(12.0), Vec2::splat(14.0), Join::Replace);
        assert!(game.selected_rows().is_empty());
    }

    #[test]
    fn a_double_click_selects_the_kind_in_view() {
        let mut game = game();
        let at = game.simulation().units().position[0];
        game.select_kind(at, 0.1, [0.0, 0.0, 40.0, 40.0], Join::Replace);
        assert_eq!(game.selected_rows().len(), 9);
        game.select_kind(
            Vec2::splat(20.0),
            0.1,
            [0.0, 0.0, 40.0, 40.0],
            Join::Replace,
        );
        assert_eq!(
            game.selected_rows().len(),
            9,
            "a miss leaves the selection alone"
        );
    }

    #[test]
    fn selected_units_walk_where_they_are_sent() {
        let mut game = game();
        game.select_box(Vec2::ZERO, Vec2::splat(10.0), Join::Replace);
        game.store_group(3);
        assert!(game.send(Vec2::splat(20.0), false));
        assert!(
            !game.send(Vec2::new(-3.0, 20.0), false),
            "outside the map nobody goes"
        );
        for _ in 0..30 {
            game.advance(0.1, None);
        }
        let at = game.simulation().units().position[0];
        assert!(at.distance(Vec2::splat(20.0)) < 15.0, "it came to {at}");
        game.selection.clear();
        game.recall_group(3, Join::Replace);
        assert_eq!(game.selection.len(), 9);
    }

    #[test]
    fn the_count_follows_the_slider_both_ways() {
        let mut game = game();
        game.set_count(200);
        game.advance(0.1, None);
        assert_eq!(game.simulation().units().len(), 200);
        game.set_count(5);
        game.advance(0.1, None);
        assert_eq!(game.simulation().units().len(), 5);
    }

    #[test]
    fn painted_walls_are_in_the_map_after_the_next_tick() {
        let mut game = game();
        game.paint(Vec2::new(20.0, 20.0), 2, true);
        game.paint(Vec2::new(-20.0, 20.0), 2, true);
        game.advance(0.1, None);
        assert!(game.simulation().map().is_blocked(19, 20));
        assert_eq!(game.take_edits().len(), 1);
        game.paint(Vec2::new(20.0, 20.0), 2, false);
        assert!(game.take_edits().is_empty(), "not before the tick");
        assert_eq!(game.pending_edits().count(), 1);
    }
}
