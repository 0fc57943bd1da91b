//! Orders the player gives by pointing.

use glam::Vec2;
use throng::formation::{Formation, March};
use throng::{Order, Post};

use super::game::Game;

/// What pointing at a place or a unit means.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Aim {
    /// Go there; attack an enemy, follow a friend.
    #[default]
    Go,
    /// Go there and fight on the way; attack whom one points at.
    Attack,
    /// Walk to and fro.
    Patrol,
    /// Guard the place or the unit.
    Guard,
    /// Look there.
    Face,
}

impl Aim {
    /// Colour of its marks.
    pub fn colour(self) -> [u8; 3] {
        match self {
            Self::Go => [150, 255, 130],
            Self::Attack => [255, 96, 80],
            Self::Patrol => [255, 214, 96],
            Self::Guard => [110, 180, 255],
            Self::Face => [240, 240, 240],
        }
    }

    /// What is told while the player aims.
    pub fn prompt(self) -> &'static str {
        match self {
            Self::Go => "go: click where",
            Self::Attack => "attack: click where or whom",
            Self::Patrol => "patrol: click the other end",
            Self::Guard => "guard: click where or whom",
            Self::Face => "face: click where to look",
        }
    }
}

impl Game {
    /// Orders the selected units to do at a place, or with the unit there, what `aim` says;
    /// whether there were any. `slack` in cells is what a click may miss a unit by.
    pub fn point(&mut self, at: Vec2, slack: f32, aim: Aim, queue: bool) -> bool {
        let rows = self.selected_rows();
        let Some(&first) = rows.first() else {
            return false;
        };
        let units = self.simulation().units();
        let target = self
            .unit_at(at, slack)
            .and_then(|id| units.index_of(id))
            .filter(|row| !rows.contains(row))
            .map(|row| (units.entity[row], units.team[row] != units.team[first]));
        match (aim, target) {
            (Aim::Attack, Some((target, _))) | (Aim::Go, Some((target, true))) => {
                self.order(Order::Attack { target }, queue)
            }
            (Aim::Go, Some((target, false))) => self.order(Order::Follow { target }, queue),
            (Aim::Guard, Some((target, _))) => {
                let post = Post::Unit(target);
                self.order(Order::Guard { post }, queue)
            }
            _ if self.simulation().map().cell_at(at).is_none() => false,
            (Aim::Go, None) => self.go(&rows, at, queue),
            (Aim::Attack, None) => self.order(Order::AttackMove { to: at }, queue),
            (Aim::Patrol, _) => self.order(Order::Patrol { to: at }, queue),
            (Aim::Guard, None) => {
                let post = Post::Point(at);
                self.order(Order::Guard { post }, queue)
            }
            (Aim::Face, _) => self.face(&rows, at, queue),
        }
    }

    /// Moves a group, in the chosen formation where there is one.
    fn go(&mut self, rows: &[usize], to: Vec2, queue: bool) -> bool {
        let Some(formation) = self.formation.filter(|_| rows.len() > 1) else {
            return self.order(Order::Move { to }, queue);
        };
        let march = March {
            to,
            formation,
            facing: None,
            common_speed: true,
        };
        self.march(rows, &march, queue);
        true
    }

    /// Turns units on the spot.
    fn face(&mut self, rows: &[usize], at: Vec2, queue: bool) -> bool {
        for &row in rows {
            let here = self.simulation().units().position[row];
            let order = Order::March {
                to: here,
                rally: here,
                facing: throng::steer::directions::angle(at - here),
                pace: f32::INFINITY,
            };
            self.give(&[row], order, queue);
        }
        true
    }

    /// Chooses a formation for moves, or none where it was chosen already.
    pub fn toggle_formation(&mut self, formation: Formation) {
        self.formation = (self.formation != Some(formation)).then_some(formation);
    }
}

#[cfg(test)]
mod tests {
    use throng_scenes::Scenario;

    use super::*;
    use crate::window::game::Join;

    fn game() -> Game {
        let text = "name = 'test'\nticks = 10\n[map]\nempty = [40, 40]\n\
            [[units]]\ngroup = 'a'\ncount = 6\narea = [2, 2, 8, 8]\n\
            [[units]]\ngroup = 'b'\ncount = 1\narea = [30, 30, 31, 31]\nteam = 1\n";
        let scenario = Scenario::parse(text, std::path::Path::new("")).expect("a sound scenario");
        let mut game = Game::new(scenario).expect("it starts");
        game.select_box(Vec2::ZERO, Vec2::splat(10.0), Join::Replace);
        game
    }

    fn doing(game: &mut Game) -> Vec<&'static str> {
        game.advance(0.1, None);
        let units = game.simulation().units();
        units
            .activity
            .iter()
            .map(|activity| activity.name())
            .collect()
    }

    #[test]
    fn pointing_at_an_enemy_sends_them_after_it() {
        let mut game = game();
        let enemy = game.simulation().units().position[6];
        assert!(game.point(enemy, 0.1, Aim::Go, false));
        assert_ne!(doing(&mut game)[0], "idle");
        assert_eq!(game.notice, None);
    }

    #[test]
    fn a_formation_is_marched_in_and_off_again() {
        let mut game = game();
        game.toggle_formation(Formation::Line);
        assert!(game.point(Vec2::new(20.0, 5.0), 0.1, Aim::Go, false));
        assert_ne!(doing(&mut game)[0], "idle");
        game.toggle_formation(Formation::Line);
        assert_eq!(game.formation, None);
    }

    #[test]
    fn every_aim_is_an_order_that_is_taken() {
        for aim in [Aim::Go, Aim::Attack, Aim::Patrol, Aim::Guard, Aim::Face] {
            let mut game = game();
            assert!(
                game.point(Vec2::new(20.0, 25.0), 0.1, aim, false),
                "{aim:?}"
            );
            doing(&mut game);
            assert_eq!(game.notice, None, "{aim:?}");
            assert!(
                !game.point(Vec2::new(-20.0, 25.0), 0.1, aim, false),
                "{aim:?} off the map"
            );
        }
    }

    #[test]
    fn those_told_to_look_somewhere_turn_there_where_they_stand() {
        let mut game = game();
        let (before, at) = (game.simulation().units().position[0], Vec2::new(20.0, 30.0));
        assert!(game.point(at, 0.1, Aim::Face, false));
        for _ in 0..60 {
            game.advance(0.05, None);
        }
        let units = game.simulation().units();
        assert!(units.position[0].distance(before) < 0.5);
        let towards = Vec2::from_angle(units.heading[0]).dot((at - before).normalize());
        assert!(towards > 0.95, "it looks {:?}", units.heading[0]);
    }
}
