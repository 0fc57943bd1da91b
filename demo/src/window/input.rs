//! From keys and buttons to what they mean.

use throng::formation::Formation;
use winit::event::{ElementState, KeyEvent, MouseScrollDelta};
use winit::keyboard::{KeyCode, ModifiersState, PhysicalKey};

use super::command::Aim;

/// What a key asks for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Action {
    /// Start or stop time.
    Pause,
    /// One tick.
    Step,
    /// Twice or half the speed.
    Speed {
        /// Twice.
        faster: bool,
    },
    /// Order the selected units to stop.
    Stop,
    /// Order them to hold their place.
    Hold,
    /// The next click gives this order.
    Aim(Aim),
    /// Order them to wander.
    Wander,
    /// Groups move in this shape, or no longer.
    Shape(Formation),
    /// Select nothing; leave modes.
    Clear,
    /// Select everything.
    All,
    /// The camera follows the selection, or no longer.
    Follow,
    /// The next way of driving the selected unit.
    Drive,
    /// The mouse paints walls, or no longer.
    Brush,
    /// Start the scenario again.
    Restart,
    /// Show the whole map.
    Overview,
    /// Show or hide the keys.
    Help,
    /// Show or hide the side panel.
    Panel,
    /// Save a picture.
    Screenshot,
    /// Store the selection as a control group.
    Store(usize),
    /// Select a control group.
    Recall(usize),
    /// Close the window.
    Quit,
}

/// What pressing a key asks for, if it asks for anything. Keys are known by their place, so that
/// they work on any layout.
pub fn action(event: &KeyEvent, modifiers: ModifiersState) -> Option<Action> {
    let PhysicalKey::Code(code) = event.physical_key else {
        return None;
    };
    if event.state != ElementState::Pressed {
        return None;
    }
    // Held keys repeat only where that is of use.
    if event.repeat && !matches!(code, KeyCode::KeyN | KeyCode::Period) {
        return None;
    }
    let command = modifiers.control_key() || modifiers.super_key();
    if let Some(number) = digit(code) {
        return Some(if command {
            Action::Store(number)
        } else {
            Action::Recall(number)
        });
    }
    Some(match code {
        KeyCode::KeyA if command => Action::All,
        KeyCode::KeyA => Action::Aim(Aim::Attack),
        KeyCode::KeyP => Action::Aim(Aim::Patrol),
        KeyCode::KeyG => Action::Aim(Aim::Guard),
        KeyCode::KeyV => Action::Aim(Aim::Face),
        KeyCode::KeyW => Action::Wander,
        KeyCode::F5 => Action::Shape(Formation::Box),
        KeyCode::F6 => Action::Shape(Formation::Line),
        KeyCode::F7 => Action::Shape(Formation::Wedge),
        KeyCode::F8 => Action::Shape(Formation::Column),
        KeyCode::Space => Action::Pause,
        KeyCode::KeyN | KeyCode::Period => Action::Step,
        KeyCode::Equal | KeyCode::NumpadAdd => Action::Speed { faster: true },
        KeyCode::Minus | KeyCode::NumpadSubtract => Action::Speed { faster: false },
        KeyCode::KeyS => Action::Stop,
        KeyCode::KeyH => Action::Hold,
        KeyCode::Escape => Action::Clear,
        KeyCode::KeyF => Action::Follow,
        KeyCode::KeyE => Action::Drive,
        KeyCode::KeyB => Action::Brush,
        KeyCode::KeyR => Action::Restart,
        KeyCode::Home => Action::Overview,
        KeyCode::F1 => Action::Help,
        KeyCode::Tab => Action::Panel,
        KeyCode::F12 => Action::Screenshot,
        KeyCode::KeyQ => Action::Quit,
        _ => return None,
    })
}

fn digit(code: KeyCode) -> Option<usize> {
    use KeyCode::*;
    [
        Digit0, Digit1, Digit2, Digit3, Digit4, Digit5, Digit6, Digit7, Digit8, Digit9,
    ]
    .into_iter()
    .position(|key| key == code)
}

/// The keys that are held to move the camera or a driven unit: right, left, down, up.
#[derive(Clone, Copy, Debug, Default)]
pub struct Held {
    arrows: [bool; 4],
    letters: [bool; 4],
}

impl Held {
    /// Takes note of a key going down or up.
    pub fn note(&mut self, event: &KeyEvent) {
        let PhysicalKey::Code(code) = event.physical_key else {
            return;
        };
        let down = event.state == ElementState::Pressed;
        use KeyCode::*;
        for (held, key) in self
            .arrows
            .iter_mut()
            .zip([ArrowRight, ArrowLeft, ArrowDown, ArrowUp])
        {
            if key == code {
                *held = down;
            }
        }
        for (held, key) in self.letters.iter_mut().zip([KeyD, KeyA, KeyS, KeyW]) {
            if key == code {
                *held = down;
            }
        }
    }

    /// Lets go of all keys: their release will not be seen.
    pub fn release(&mut self) {
        *self = Self::default();
    }

    /// Where the arrow keys point.
    pub fn arrows(&self) -> glam::Vec2 {
        way(self.arrows)
    }

    /// Where W, A, S and D point.
    pub fn letters(&self) -> glam::Vec2 {
        way(self.letters)
    }
}

fn way([right, left, down, up]: [bool; 4]) -> glam::Vec2 {
    let axis = |plus: bool, minus: bool| f32::from(u8::from(plus)) - f32::from(u8::from(minus));
    glam::Vec2::new(axis(right, left), axis(down, up))
}

/// Notches of the wheel.
pub fn notches(delta: MouseScrollDelta) -> f32 {
    match delta {
        MouseScrollDelta::LineDelta(_, lines) => lines,
        MouseScrollDelta::PixelDelta(pixels) => pixels.y as f32 / 50.0,
    }
}
