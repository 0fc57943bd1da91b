//! Which teams are about: a coarse map that spares most units on the watch the look at every
//! neighbour.

use glam::Vec2;

use crate::units::Units;

/// Side of a block, cells.
const BLOCK: f32 = 8.0;
/// Teams from this number on share a bit.
const LAST: u8 = 63;

/// A bit per team and block, set where one of its living units is; nothing while all units are of
/// one team.
#[derive(Clone, Debug, Default)]
pub(crate) struct Presence {
    columns: usize,
    rows: usize,
    teams: Vec<u64>,
}

impl Presence {
    /// Notes where the units are on a map of so many cells.
    pub fn measure(&mut self, units: &Units, width: u32, height: u32) {
        self.teams.clear();
        let first = units.team.first().copied().unwrap_or(0);
        if units.team.iter().fold(0, |or, team| or | (team ^ first)) == 0 {
            return;
        }
        self.columns = width as usize / BLOCK as usize + 1;
        self.rows = height as usize / BLOCK as usize + 1;
        self.teams.resize(self.columns * self.rows, 0);
        for (rank, &at) in units.position.iter().enumerate() {
            if units.is_alive(rank) {
                let block = self.row(at.y) * self.columns + self.column(at.x);
                self.teams[block] |= 1 << units.team[rank].min(LAST);
            }
        }
    }

    /// Whether a unit of another team may be within `reach` cells of a point; surely not where it
    /// says no.
    pub fn may_hold_enemy(&self, at: Vec2, reach: f32, team: u8) -> bool {
        if self.teams.is_empty() {
            return false;
        }
        let own = if team < LAST { 1 << team } else { 0 };
        (self.row(at.y - reach)..=self.row(at.y + reach)).any(|row| {
            let line = row * self.columns;
            self.teams[line + self.column(at.x - reach)..=line + self.column(at.x + reach)]
                .iter()
                .any(|&teams| teams & !own != 0)
        })
    }

    fn column(&self, x: f32) -> usize {
        ((x / BLOCK) as u32 as usize).min(self.columns - 1)
    }

    fn row(&self, y: f32) -> usize {
        ((y / BLOCK) as u32 as usize).min(self.rows - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Config, Map, Simulation, UnitSpec};

    #[test]
    fn it_never_denies_an_enemy_that_is_there() {
        let mut sim = Simulation::new(Map::open(60, 40).unwrap(), Config::default()).unwrap();
        let mut world = hecs::World::new();
        for i in 0..40_u8 {
            let spec = UnitSpec {
                position: Vec2::new(1.0 + f32::from(i % 8) * 8.0, 1.0 + f32::from(i / 8) * 9.0),
                team: [0, 1, 63, 64, 200][usize::from(i) % 5],
                ..UnitSpec::default()
            };
            sim.spawn(&mut world, &spec).unwrap();
        }
        let units = sim.units();
        let mut presence = Presence::default();
        presence.measure(units, 60, 40);
        let mut denied = 0;
        for i in 0..units.len() {
            for reach in [0.5, 3.0, 9.0, 30.0] {
                let (at, team) = (units.position[i], units.team[i]);
                let there = (0..units.len())
                    .any(|j| units.team[j] != team && units.position[j].distance(at) <= reach);
                let told = presence.may_hold_enemy(at, reach, team);
                assert!(told || !there, "{i} within {reach}");
                denied += u32::from(!told);
            }
        }
        assert!(denied > 10, "{denied}");
    }
}
