//! The event loop's application: hands events on, lets time pass, paints.

mod acting;
mod painting;

use std::time::{Duration, Instant};

use glam::Vec2;
use throng_render::{Layers, simulation};
use throng_scenes::Scenario;
use winit::application::ApplicationHandler;
use winit::event::{ElementState, StartCause, WindowEvent};
use winit::event_loop::{ActiveEventLoop, ControlFlow};
use winit::keyboard::ModifiersState;
use winit::window::WindowId;

use super::NoWindow;
use super::camera::Camera;
use super::clock::FrameRate;
use super::command::Aim;
use super::game::Game;
use super::input::{self, Held};
use super::minimap::Minimap;
use super::panel::{self, Settings};
use super::screen::Screen;
use crate::cast::Cast;

/// Pause between looks at the clock while nothing is painted.
const HIDDEN: Duration = Duration::from_millis(30);

/// Everything the window shows and knows.
pub struct App {
    game: Game,
    cast: Cast,
    screen: Option<Screen>,
    failure: Option<NoWindow>,
    camera: Camera,
    settings: Settings,
    minimap: Minimap,
    modifiers: ModifiersState,
    held: Held,
    focused: bool,
    /// Where in the world the left button went down.
    press: Option<Vec2>,
    /// The right button is down while the brush is out.
    erasing: bool,
    /// Where the brush painted last.
    stroked: Option<Vec2>,
    last_click: Option<(Instant, Vec2)>,
    /// Places where orders were given, for the markers.
    orders: Vec<(Vec2, Aim, Instant)>,
    /// The order that the next click gives.
    aim: Option<Aim>,
    /// The angle of the driven unit and where it was sent last.
    driven: Option<(f32, Option<Vec2>)>,
    last: Instant,
    rate: FrameRate,
    /// What the cell layers on the device show: moment, layers and selection.
    laid: Option<(u64, Layers, usize)>,
    /// Changes when another scenario is loaded, so that no upload of the old one serves.
    generation: u64,
    /// Whether state lines are written, for checks that drive the window.
    state_lines: bool,
}

/// With this variable in the environment a line on stderr tells twice a second what the window
/// shows.
const STATE_LINES: &str = "THRONG_WINDOW_STATE";

impl App {
    /// Ready to open its window.
    pub fn new(scenario: Scenario) -> Result<Self, NoWindow> {
        let size = simulation::size(&scenario.map);
        let game = Game::new(scenario)
            .map_err(|error| NoWindow::new("the scenario does not start", &error))?;
        Ok(Self {
            camera: Camera::over(size, [1280, 800]),
            cast: Cast::new(game.scenario().tick_rate),
            game,
            screen: None,
            failure: None,
            settings: Settings::default(),
            minimap: Minimap::default(),
            modifiers: ModifiersState::default(),
            held: Held::default(),
            focused: true,
            press: None,
            erasing: false,
            stroked: None,
            last_click: None,
            orders: Vec::new(),
            aim: None,
            driven: None,
            last: Instant::now(),
            rate: FrameRate::new(),
            laid: None,
            generation: 0,
            state_lines: std::env::var_os(STATE_LINES).is_some(),
        })
    }

    /// How it went, after the loop has ended.
    pub fn outcome(self) -> Result<(), NoWindow> {
        self.failure.map_or(Ok(()), Err)
    }

    fn open(&mut self, event_loop: &ActiveEventLoop) -> Result<(), NoWindow> {
        let mut screen = Screen::open(event_loop, "throng")?;
        self.camera = self.overview(screen.size());
        show_map(&mut screen, &self.game)?;
        let (device, queue) = (&screen.gpu.device, &screen.gpu.queue);
        screen
            .renderer
            .set_atlas(device, queue, self.cast.atlas())
            .map_err(|error| NoWindow(error.to_string()))?;
        self.screen = Some(screen);
        self.last = Instant::now();
        Ok(())
    }

    fn overview(&self, size: [u32; 2]) -> Camera {
        let map = simulation::size(self.game.simulation().map());
        let panel = if self.settings.panel {
            panel::WIDTH as u32
        } else {
            0
        };
        // The whole map beside the panel.
        let free = [size[0].saturating_sub(panel).max(1), size[1].max(1)];
        let mut camera = Camera::over(map, free);
        camera.view.centre.x += panel as f32 * 0.5 / camera.view.scale;
        camera.resize(size);
        camera
    }

    fn load(&mut self, scenario: Scenario) {
        let clock = self.game.clock.clone();
        match Game::new(scenario) {
            Ok(game) => {
                self.game = game;
                self.cast = Cast::new(self.game.scenario().tick_rate);
                self.game.clock.speed = clock.speed;
                self.generation += 1;
                self.minimap.reset();
                self.laid = None;
                self.driven = None;
                if let Some(screen) = &mut self.screen {
                    if let Err(NoWindow(reason)) = show_map(screen, &self.game) {
                        self.game.notice = Some(reason);
                    }
                    let size = screen.size();
                    self.camera = self.overview(size);
                }
            }
            Err(error) => self.game.notice = Some(error.to_string()),
        }
    }

    /// Lets time pass for game and camera.
    fn advance(&mut self) {
        let now = Instant::now();
        let seconds = (now - self.last).as_secs_f64();
        self.last = now;
        let pointer = self.camera.under_pointer();
        self.drive(seconds as f32);
        self.game.advance(seconds, pointer);
        self.camera.keys = self.held.arrows();
        self.camera.update(seconds.min(0.1) as f32, self.focused);
        self.follow();
        self.orders
            .retain(|(_, _, since)| since.elapsed() < Duration::from_secs(1));
    }
}

/// Gives the device the map of a game.
fn show_map(screen: &mut Screen, game: &Game) -> Result<(), NoWindow> {
    let map = game.simulation().map();
    let (device, queue) = (&screen.gpu.device, &screen.gpu.queue);
    screen
        .renderer
        .set_map(device, queue, simulation::size(map), simulation::cells(map))
        .map_err(|error| NoWindow(error.to_string()))
}

impl ApplicationHandler for App {
    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        if self.screen.is_none()
            && let Err(failure) = self.open(event_loop)
        {
            self.failure = Some(failure);
            event_loop.exit();
        }
    }

    fn new_events(&mut self, _: &ActiveEventLoop, _: StartCause) {}

    fn window_event(&mut self, event_loop: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        let Some(screen) = &mut self.screen else {
            return;
        };
        // Keys are the game's unless a number of the panel is being typed.
        let typing = screen.ui.egui_ctx().text_edit_focused();
        let key = matches!(event, WindowEvent::KeyboardInput { .. });
        let taken = (!key || typing) && screen.ui.on_window_event(&screen.window, &event).consumed;
        match event {
            WindowEvent::CloseRequested => event_loop.exit(),
            WindowEvent::Resized(size) => {
                screen.resize(size);
                self.camera.resize(screen.size());
            }
            WindowEvent::Focused(focused) => {
                self.focused = focused;
                self.held.release();
            }
            WindowEvent::ModifiersChanged(modifiers) => self.modifiers = modifiers.state(),
            WindowEvent::CursorMoved { position, .. } => {
                self.camera
                    .pointer_to(Vec2::new(position.x as f32, position.y as f32));
                if !taken {
                    self.stroke();
                }
            }
            WindowEvent::CursorLeft { .. } => self.camera.pointer = None,
            // A release ends what was begun outside the panel.
            WindowEvent::MouseInput { button, state, .. }
                if !taken || state == ElementState::Released =>
            {
                self.button(button, state);
            }
            WindowEvent::MouseWheel { delta, .. } if !taken => {
                self.camera.zoom(input::notches(delta));
            }
            WindowEvent::KeyboardInput { event, .. }
                if !taken || event.state == ElementState::Released =>
            {
                self.key(&event, event_loop);
            }
            WindowEvent::RedrawRequested => self.paint(),
            _ => {}
        }
    }

    fn about_to_wait(&mut self, event_loop: &ActiveEventLoop) {
        self.advance();
        let Some(screen) = &self.screen else { return };
        let visible = !screen.size().contains(&0) && screen.window.is_visible() != Some(false);
        if visible {
            event_loop.set_control_flow(ControlFlow::Poll);
            screen.window.request_redraw();
        } else {
            event_loop.set_control_flow(ControlFlow::WaitUntil(Instant::now() + HIDDEN));
        }
    }
}
