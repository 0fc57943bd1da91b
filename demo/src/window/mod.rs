//! The crowd in a window.

mod app;
mod camera;
mod clock;
mod command;
mod game;
mod help;
mod input;
mod minimap;
pub mod overlay;
mod panel;
mod screen;

use throng_scenes::Scenario;
use winit::event_loop::{ControlFlow, EventLoop};

/// No window can be shown here: there is no display, or no adapter that draws. Says why in a line.
#[derive(Debug)]
pub struct NoWindow(pub String);

impl NoWindow {
    /// `what` failed for the reason that `error` gives, on one line and without the place in a
    /// library's source that some errors begin with.
    fn new(what: &str, error: &dyn std::fmt::Display) -> Self {
        let text = crate::exit::flatten(&error.to_string());
        let reason = text
            .split_once(".rs:")
            .and_then(|(_, rest)| rest.split_once(": "))
            .map_or(text.as_str(), |(_, reason)| reason);
        Self(format!("{what}: {}", reason.trim_end_matches('.')))
    }
}

/// Plays a scenario in a window until it is closed.
///
/// # Errors
/// [`NoWindow`] where none can be shown; nothing has been run then.
pub fn run_window(scenario: Scenario) -> Result<(), NoWindow> {
    let event_loop = EventLoop::new().map_err(|error| NoWindow::new("no display", &error))?;
    event_loop.set_control_flow(ControlFlow::Poll);
    let mut app = app::App::new(scenario)?;
    event_loop
        .run_app(&mut app)
        .map_err(|error| NoWindow::new("the display failed", &error))?;
    app.outcome()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_are_told_without_source_paths() {
        let error =
            "os error at /src/winit/mod.rs:765: neither WAYLAND_DISPLAY nor DISPLAY is set.";
        let NoWindow(line) = NoWindow::new("no display", &error);
        assert_eq!(
            line,
            "no display: neither WAYLAND_DISPLAY nor DISPLAY is set"
        );
        let NoWindow(line) = NoWindow::new("no window", &"too\nlarge");
        assert_eq!(line, "no window: too large");
    }
}
