//! Questions a game asks between ticks. Whatever lists units lists them by ascending number,
//! on every machine and with any number of threads.

use glam::Vec2;
use hecs::{Entity, World};

use crate::{
    brain::Mind, components::Outcome, error::OrderError, map::SizeClass, order::Order,
    sim::Simulation, units::Units,
};

impl Units {
    /// Indices of the living units of a team, by ascending number.
    pub fn of_team(&self, team: u8) -> impl Iterator<Item = usize> + '_ {
        self.living().filter(move |&i| self.team[i] == team)
    }

    /// Indices of the living units, by ascending number.
    pub fn living(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.len()).filter(|&i| self.is_alive(i))
    }
}

impl Simulation {
    /// Indices in [`units`](Self::units) of the living units whose centres lie in the rectangle
    /// between two corners (cells, edges included), by ascending number. Looks only at the cells
    /// about it.
    pub fn in_rect(&self, a: Vec2, b: Vec2) -> Vec<usize> {
        let (low, high) = (a.min(b), a.max(b));
        self.living_near(low, high, |at| at.cmpge(low).all() && at.cmple(high).all())
    }

    /// Indices in [`units`](Self::units) of the living units whose centres lie within `radius`
    /// cells of a point, by ascending number. Looks only at the cells about it.
    pub fn in_disc(&self, centre: Vec2, radius: f32) -> Vec<usize> {
        self.living_near(centre - radius, centre + radius, |at| {
            radius >= 0.0 && at.distance_squared(centre) <= radius * radius
        })
    }

    fn living_near(&self, low: Vec2, high: Vec2, is_in: impl Fn(Vec2) -> bool) -> Vec<usize> {
        let units = self.units();
        let cells = self.cells();
        let sorted = cells.rows_near(low, high, 0.0).flatten();
        // Who came after the last tick is in no cell yet.
        let mut found: Vec<usize> = sorted
            .map(|&row| row as usize)
            .chain(cells.len()..units.len())
            .filter(|&row| units.is_alive(row) && is_in(units.position[row]))
            .collect();
        found.sort_unstable();
        found
    }

    /// Whether a unit of `radius` cells can walk from `a` to `b`, other units aside; in constant
    /// time but for the first question about a size that no unit has had. `false` where a point is
    /// outside the map, in a wall or no number.
    pub fn reachable(&mut self, radius: f32, a: Vec2, b: Vec2) -> bool {
        self.map.ensure_class(SizeClass::of(radius));
        self.map.reachable(SizeClass::of(radius), a, b)
    }

    /// A unit's brain, to read.
    ///
    /// # Errors
    ///
    /// When the entity is no unit of this simulation.
    pub fn mind(&self, world: &World, entity: Entity) -> Result<&Mind, OrderError> {
        let rank = self.index_of(world, entity)?;
        Ok(&self.units().mind[rank])
    }

    /// The way that a unit has left to the goal of its order, cells; `None` without an active
    /// order that has a goal, and where no way leads there.
    ///
    /// # Errors
    ///
    /// When the entity is no unit of this simulation.
    pub fn distance_left(&self, world: &World, entity: Entity) -> Result<Option<f32>, OrderError> {
        let rank = self.index_of(world, entity)?;
        let units = self.units();
        if units.outcome[rank] != Outcome::Active {
            return Ok(None);
        }
        let at = units.position[rank];
        if let Some((goal, left)) = self.way_of(rank) {
            let straight = at.distance(goal);
            // Close to the goal the field's cells are coarser than the ground.
            let left = if straight < 1.0 {
                straight
            } else {
                left.max(straight)
            };
            return Ok(left.is_finite().then_some(left));
        }
        let left = units.mind[rank].left;
        Ok((units.intent[rank].moves() && left.is_finite()).then_some(left))
    }

    /// The order that a unit carries out or last did; `None` where there was none, or the unit that
    /// it names is gone.
    ///
    /// # Errors
    ///
    /// When the entity is no unit of this simulation.
    pub fn order_of(&self, world: &World, entity: Entity) -> Result<Option<Order>, OrderError> {
        let rank = self.index_of(world, entity)?;
        let units = self.units();
        let entity_of = |unit| Some(units.entity[units.index_of(unit)?]);
        Ok(units.task[rank].and_then(|task| task.order(entity_of)))
    }
}
