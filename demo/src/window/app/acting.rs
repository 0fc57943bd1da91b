//! What keys and buttons do.

use std::time::{Duration, Instant};

use glam::Vec2;
use throng::{Map, Order};
use throng_render::simulation;
use winit::event::{ElementState, KeyEvent, MouseButton};
use winit::event_loop::ActiveEventLoop;
use winit::keyboard::{KeyCode, PhysicalKey};

use super::App;
use crate::window::command::Aim;
use crate::window::game::Join;
use crate::window::input::{self, Action};
use crate::window::panel::Drive;

/// Pixels the pointer may move between press and release of a click.
const CLICK: f32 = 5.0;
/// Time between the clicks of a double click.
const DOUBLE: Duration = Duration::from_millis(350);
/// How fast a driven unit turns, radians per second.
const TURN: f32 = 3.0;

impl App {
    fn act(&mut self, action: Action, event_loop: &ActiveEventLoop) {
        let join = if self.modifiers.shift_key() {
            Join::Add
        } else {
            Join::Replace
        };
        match action {
            Action::Pause => self.game.clock.paused = !self.game.clock.paused,
            Action::Step => self.game.clock.step(),
            Action::Speed { faster } => self.game.clock.change_speed(faster),
            Action::Stop => {
                self.game.order(Order::Stop, self.modifiers.shift_key());
            }
            Action::Hold => {
                self.game.order(Order::Hold, self.modifiers.shift_key());
            }
            Action::Aim(aim) => self.aim = Some(aim),
            Action::Wander => {
                self.game.order(Order::Wander, self.modifiers.shift_key());
            }
            Action::Shape(formation) => self.game.toggle_formation(formation),
            Action::Clear => {
                self.aim = None;
                self.game.selection.clear();
                self.settings.brush = false;
                self.settings.drive = Drive::Off;
                self.settings.follow = false;
                self.settings.help = false;
            }
            Action::All => {
                let far = Vec2::splat(f32::MAX);
                self.game.select_box(-far, far, Join::Replace);
            }
            Action::Follow => self.settings.follow = !self.settings.follow,
            Action::Drive => self.settings.drive = self.settings.drive.next(),
            Action::Brush => self.settings.brush = !self.settings.brush,
            Action::Restart => self.load(self.game.scenario().clone()),
            Action::Overview => {
                let size = self.camera.view.size;
                self.camera = self.overview(size);
            }
            Action::Help => self.settings.help = !self.settings.help,
            Action::Panel => self.settings.panel = !self.settings.panel,
            Action::Screenshot => self.screenshot(),
            Action::Store(number) => self.game.store_group(number),
            Action::Recall(number) => self.game.recall_group(number, join),
            Action::Quit => event_loop.exit(),
        }
    }

    pub(super) fn key(&mut self, event: &KeyEvent, event_loop: &ActiveEventLoop) {
        self.held.note(event);
        let letter = |code| event.physical_key == PhysicalKey::Code(code);
        let driving = self.settings.drive != Drive::Off
            && [KeyCode::KeyW, KeyCode::KeyA, KeyCode::KeyS, KeyCode::KeyD]
                .into_iter()
                .any(letter);
        if !driving && let Some(action) = input::action(event, self.modifiers) {
            self.act(action, event_loop);
        }
    }

    pub(super) fn button(&mut self, button: MouseButton, state: ElementState) {
        let down = state == ElementState::Pressed;
        let Some(at) = self.camera.under_pointer() else {
            return;
        };
        match button {
            MouseButton::Middle => self.camera.drag(down),
            MouseButton::Left if down && self.aim.is_some() => {
                let aim = self.aim.take().unwrap_or_default();
                self.point(at, aim);
            }
            MouseButton::Left if down => {
                self.press = Some(at);
                self.stroke();
            }
            MouseButton::Left => {
                if let Some(from) = self.press.take().filter(|_| !self.settings.brush) {
                    self.select(from, at);
                }
            }
            MouseButton::Right if self.settings.brush => {
                self.erasing = down;
                self.stroke();
            }
            MouseButton::Right if down => {
                let aim = self.aim.take().unwrap_or_default();
                self.point(at, aim);
            }
            _ => {}
        }
    }

    /// Gives the selected units the order that pointing at a place means.
    fn point(&mut self, at: Vec2, aim: Aim) {
        let slack = 4.0 / self.camera.view.scale;
        if self.game.point(at, slack, aim, self.modifiers.shift_key()) {
            self.orders.push((at, aim, Instant::now()));
        }
    }

    fn select(&mut self, from: Vec2, to: Vec2) {
        let join = if self.modifiers.shift_key() {
            Join::Add
        } else {
            Join::Replace
        };
        let scale = self.camera.view.scale;
        if from.distance(to) * scale > CLICK {
            self.game.select_box(from, to, join);
            return;
        }
        let slack = 4.0 / scale;
        let now = Instant::now();
        let double = self.last_click.is_some_and(|(since, place)| {
            now - since < DOUBLE && place.distance(to) * scale < 2.0 * CLICK
        });
        self.last_click = Some((now, to));
        if double {
            self.game
                .select_kind(to, slack, self.camera.view.visible(), join);
        } else {
            self.game.click(to, slack, join);
        }
    }

    /// Paints or erases under the pointer while a button is down and the brush is out.
    pub(super) fn stroke(&mut self) {
        let Some(at) = self.camera.under_pointer().filter(|_| self.settings.brush) else {
            return;
        };
        if self.press.is_none() && !self.erasing {
            self.stroked = None;
            return;
        }
        // The pointer comes in jumps: what lies between is painted too.
        let start = self.stroked.replace(at).unwrap_or(at);
        let side = self.settings.brush_side;
        let steps = (start.distance(at) / side as f32).ceil().max(1.0);
        for step in 1..=steps as u32 {
            let place = start.lerp(at, step as f32 / steps);
            self.game.paint(place, side, !self.erasing);
        }
    }

    /// Sends the driven unit a few cells on as the keys say; `seconds` have passed.
    pub(super) fn drive(&mut self, seconds: f32) {
        let rows = self.game.selected_rows();
        let Some(&row) = rows.first().filter(|_| self.settings.drive != Drive::Off) else {
            self.driven = None;
            return;
        };
        let units = self.game.simulation().units();
        let (at, heading) = (units.position[row], units.heading[row]);
        let keys = self.held.letters();
        let angle = self.driven.map_or(heading, |(angle, _)| angle);
        let (angle, way) = if self.settings.drive == Drive::Angle {
            let angle = angle + keys.x * TURN * seconds;
            (angle, Vec2::from_angle(angle) * -keys.y)
        } else {
            (heading, keys)
        };
        let map = self.game.simulation().map();
        let goal = way.try_normalize().and_then(|way| ahead(map, at, way));
        let before = self
            .driven
            .replace((angle, goal))
            .and_then(|(_, goal)| goal);
        match goal {
            Some(to) if before != goal => {
                self.game.send(to, false);
            }
            None if before.is_some() => {
                self.game.order(Order::Stop, false);
            }
            _ => {}
        }
    }

    pub(super) fn follow(&mut self) {
        if !self.settings.follow {
            return;
        }
        let rows = self.game.selected_rows();
        if rows.is_empty() {
            return;
        }
        let (units, blend) = (self.game.simulation().units(), self.game.clock.blend());
        let sum: Vec2 = rows
            .iter()
            .map(|&row| simulation::drawn_at(units, row, blend))
            .sum();
        self.camera.look_at(sum / rows.len() as f32);
    }
}

/// The centre of a cell some way ahead with nothing blocked before it: a driven unit walks up to
/// walls, not round them. Cell by cell, so that a new field is asked for no more often.
fn ahead(map: &Map, at: Vec2, way: Vec2) -> Option<Vec2> {
    const STEPS: u8 = 4;
    (1..=STEPS)
        .map(|step| (at + way * f32::from(step)).floor())
        .take_while(|cell| !map.is_blocked(cell.x as i32, cell.y as i32))
        .map(|cell| cell + 0.5)
        .last()
}
