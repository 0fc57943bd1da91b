//! The event loop's application: hands events on, lets time pass, paints.

use std::io::Write;
use std::time::{Duration, Instant};

use glam::Vec2;
use throng::Order;
use throng_render::{Frame, Layer, Layers, View, simulation};
use throng_scenes::Scenario;
use winit::application::ApplicationHandler;
use winit::event::{ElementState, KeyEvent, MouseButton, StartCause, WindowEvent};
use winit::event_loop::{ActiveEventLoop, ControlFlow};
use winit::keyboard::{KeyCode, ModifiersState, PhysicalKey};
use winit::window::WindowId;

use super::NoWindow;
use super::camera::Camera;
use super::clock::FrameRate;
use super::command::Aim;
use super::game::{Game, Join};
use super::input::{self, Action, Held};
use super::minimap::Minimap;
use super::overlay::{self, Marks};
use super::panel::{self, Drive, Settings, Wishes};
use super::screen::Screen;
use crate::cast::Cast;
use crate::picture;

/// Pixels the pointer may move between press and release of a click.
const CLICK: f32 = 5.0;
/// Time between the clicks of a double click.
const DOUBLE: Duration = Duration::from_millis(350);
/// Ticks after which the colours of fields are drawn anew.
const FIELD_REFRESH: u64 = 15;
/// How fast a driven unit turns, radians per second.
const TURN: f32 = 3.0;
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

    fn key(&mut self, event: &KeyEvent, event_loop: &ActiveEventLoop) {
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

    fn button(&mut self, button: MouseButton, state: ElementState) {
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
    fn stroke(&mut self) {
        let Some(at) = self.camera.under_pointer().filter(|_| self.settings.brush) else {
            return;
        };
        if self.press.is_some() || self.erasing {
            self.game.paint(at, self.settings.brush_side, !self.erasing);
        }
    }

    /// Sends the driven unit a few cells on as the keys say; `seconds` have passed.
    fn drive(&mut self, seconds: f32) {
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
        // Cell by cell, so that a new field is asked for no more often.
        let goal = way
            .try_normalize()
            .map(|way| (at + way * 4.0).floor() + 0.5);
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

    fn follow(&mut self) {
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

    /// Brings what the device holds of the map and of the cell layers up to date.
    fn refresh(&mut self, rows: &[usize]) {
        let Some(screen) = &mut self.screen else {
            return;
        };
        let (device, queue) = (&screen.gpu.device, &screen.gpu.queue);
        for rect in self.game.take_edits() {
            let side = |at: i32| at.max(0) as u32;
            let area = [side(rect.x0), side(rect.y0), side(rect.x1), side(rect.y1)];
            let map = self.game.simulation().map();
            screen
                .renderer
                .update_map(queue, area, |x, y| simulation::ground(map, x, y));
        }
        let (crowd, layers) = (self.game.simulation(), self.settings.layers);
        // Units move every tick; fields and walls seldom change.
        let moment = if layers.has(Layer::Density) {
            crowd.now()
        } else {
            (crowd.now() / FIELD_REFRESH) ^ (crowd.map().revision() << 32)
        };
        let key = (moment, layers, rows.first().copied().unwrap_or(usize::MAX));
        if self.laid != Some(key) {
            self.laid = Some(key);
            let colours = overlay::cells(crowd, layers, rows);
            // The map itself was taken, so a layer of its size is too.
            let _ =
                screen
                    .renderer
                    .set_cells(device, queue, simulation::size(crowd.map()), &colours);
        }
    }

    fn paint(&mut self) {
        let rows = self.game.selected_rows();
        self.refresh(&rows);
        self.cast.update(self.game.simulation());
        let marks = self.marks(&rows);
        let wishes = self.paint_with(&marks);
        if let Some(at) = wishes.look_at {
            self.settings.follow = false;
            self.camera.look_at(at);
        }
        if let Some(name) = wishes.scenario {
            match Scenario::find(name) {
                Ok(scenario) => self.load(scenario),
                Err(error) => self.game.notice = Some(error.to_string()),
            }
        }
        if let Some(mover) = wishes.mover {
            let mut scenario = self.game.scenario().clone();
            scenario.mover = mover;
            self.load(scenario);
        }
        if self.rate.count() {
            self.report();
        }
    }

    fn marks(&self, rows: &[usize]) -> Marks {
        let (view, blend) = (&self.camera.view, self.game.clock.blend());
        let crowd = self.game.simulation();
        let mut marks = Marks::new(crowd, self.settings.layers, view, blend, rows);
        marks.order_markers(&self.orders, view);
        marks.pending(self.game.pending_edits());
        if let Some(at) = self.camera.under_pointer() {
            if let Some(aim) = self.aim {
                marks.aim(at, aim, view);
            } else if self.settings.brush {
                marks.brush(at, self.settings.brush_side);
            } else if let Some(from) = self.press {
                marks.selection_box(from, at);
            }
        }
        marks
    }

    fn frame<'a>(&'a self, marks: &'a Marks) -> Frame<'a> {
        picture::frame(
            self.game.simulation(),
            &self.cast,
            self.camera.view,
            self.settings.layers,
            self.game.clock.blend(),
            self.game.version() ^ self.generation << 56,
            marks,
        )
    }

    fn paint_with(&mut self, marks: &Marks) -> Wishes {
        let Some(mut screen) = self.screen.take() else {
            return Wishes::default();
        };
        let input = screen.ui.take_egui_input(&screen.window);
        let ctx = screen.ui.egui_ctx().clone();
        let view: View = self.camera.view;
        let mut wishes = Wishes::default();
        let output = ctx.run_ui(input, |ui| {
            let (game, settings) = (&mut self.game, &mut self.settings);
            if settings.panel {
                let fps = self.rate.fps;
                wishes = panel::show(ui, game, settings, &mut self.minimap, &view, fps);
            }
            panel::caption(ui.ctx(), game, self.aim.map(Aim::prompt));
            if settings.help {
                super::help::show(ui.ctx());
            }
        });
        screen.paint(&self.frame(marks), output);
        self.screen = Some(screen);
        wishes
    }

    /// The title, and the state line where one is asked for.
    fn report(&self) {
        let Some(screen) = &self.screen else { return };
        let crowd = self.game.simulation();
        let (fps, ms) = (self.rate.fps, self.game.times.mean());
        screen.window.set_title(&format!(
            "throng: {}, {} units, {fps:.0} fps, {ms:.2} ms a tick",
            self.game.scenario().name,
            crowd.units().len(),
        ));
        if self.state_lines {
            let rows: Vec<usize> = self
                .game
                .selection
                .iter()
                .filter_map(|id| crowd.units().index_of(*id))
                .collect();
            let sum: Vec2 = rows.iter().map(|&row| crowd.units().position[row]).sum();
            let mean = sum / rows.len().max(1) as f32;
            let [width, height] = screen.size();
            let goal = self.camera.view.to_screen(mean);
            let _ = writeln!(
                std::io::stderr(),
                "state tick={} units={} selected={} mean={:.2},{:.2} pixel={:.0},{:.0} \
                 size={width}x{height} paused={} walls={} fps={fps:.1}",
                crowd.now(),
                crowd.units().len(),
                rows.len(),
                mean.x,
                mean.y,
                goal.x,
                goal.y,
                self.game.clock.paused,
                crowd
                    .map()
                    .nav(Default::default())
                    .occupancy
                    .count_blocked(),
            );
        }
    }

    /// Saves the crowd as it is seen, without the panel, into the working directory.
    fn screenshot(&mut self) {
        let rows = self.game.selected_rows();
        self.cast.update(self.game.simulation());
        let marks = self.marks(&rows);
        let name = format!(
            "throng-{}-{}.png",
            self.game.scenario().name,
            self.game.simulation().now()
        );
        let colours = overlay::cells(self.game.simulation(), self.settings.layers, &rows);
        let saved = picture::save(
            self.game.simulation().map(),
            &self.cast,
            &self.frame(&marks),
            &colours,
            std::path::Path::new(&name),
        );
        self.game.notice = Some(match saved {
            Ok(()) => format!("saved {name}"),
            Err(error) => error.to_string(),
        });
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
