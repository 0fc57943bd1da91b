//! A game with a window and a device of its own that shows a crowd: the renderer asks for no more
//! than a device, a queue and a pass to draw into.
//!
//! `cargo run --release -p throng-render --example own_window`

use std::sync::Arc;
use std::time::Instant;

use glam::Vec2;
use throng::{Config, Map, Order, Simulation, UnitSpec};
use throng_render::{Frame, Layers, Renderer, View, simulation};
use winit::application::ApplicationHandler;
use winit::event::WindowEvent;
use winit::event_loop::{ActiveEventLoop, EventLoop};
use winit::window::{Window, WindowId};

type Failure = Box<dyn std::error::Error>;

fn main() -> Result<(), Failure> {
    let mut game = Game::new()?;
    EventLoop::new()?.run_app(&mut game)?;
    game.failure.map_or(Ok(()), Err)
}

struct Game {
    world: hecs::World,
    crowd: Simulation,
    last: Instant,
    /// Ticks owed to the clock.
    owed: f32,
    window: Option<GameWindow>,
    failure: Option<Failure>,
}

/// What a game that draws with wgpu has anyway, and the renderer.
struct GameWindow {
    window: Arc<Window>,
    surface: wgpu::Surface<'static>,
    device: wgpu::Device,
    queue: wgpu::Queue,
    config: wgpu::SurfaceConfiguration,
    renderer: Renderer,
}

impl Game {
    fn new() -> Result<Self, Failure> {
        let mut world = hecs::World::new();
        let mut crowd = Simulation::new(Map::open(60, 40)?, Config::default())?;
        for team in 0..2_u8 {
            let mut army = Vec::new();
            for index in 0..200_u8 {
                let (column, row) = (f32::from(index % 8), f32::from(index / 8));
                let x = if team == 0 {
                    3.0 + column
                } else {
                    57.0 - column
                };
                let position = Vec2::new(x, 5.0 + row * 1.2);
                army.push(crowd.spawn(
                    &mut world,
                    &UnitSpec {
                        position,
                        team,
                        ..UnitSpec::default()
                    },
                )?);
            }
            let to = Vec2::new(if team == 0 { 52.0 } else { 8.0 }, 20.0);
            crowd.order(&world, &army, Order::Move { to }, false)?;
        }
        Ok(Self {
            world,
            crowd,
            last: Instant::now(),
            owed: 0.0,
            window: None,
            failure: None,
        })
    }

    fn tick(&mut self) {
        let rate = self.crowd.config().tick_rate;
        self.owed += self.last.elapsed().as_secs_f32().min(0.1) * rate;
        self.last = Instant::now();
        while self.owed >= 1.0 {
            self.owed -= 1.0;
            self.crowd.tick(&mut self.world);
        }
    }

    fn paint(&mut self) {
        let Some(GameWindow {
            surface,
            device,
            queue,
            config,
            renderer,
            ..
        }) = &mut self.window
        else {
            return;
        };
        let target = match surface.get_current_texture() {
            wgpu::CurrentSurfaceTexture::Success(target) => target,
            _ if config.width == 0 || config.height == 0 => return,
            _ => return surface.configure(device, config),
        };
        let frame = Frame {
            view: View::fit([0.0, 0.0, 60.0, 40.0], [config.width, config.height]),
            layers: Layers::default(),
            tick: self.crowd.now(),
            blend: self.owed,
            units: simulation::columns(&self.crowd, &[]),
            below: &[],
            above: &[],
        };
        renderer.prepare(device, queue, &frame);
        let view = target.texture.create_view(&Default::default());
        let mut encoder = device.create_command_encoder(&Default::default());
        // The game's own passes go before and after.
        renderer.draw(&mut Renderer::begin(&mut encoder, &view));
        queue.submit([encoder.finish()]);
        queue.present(target);
    }
}

impl GameWindow {
    fn open(event_loop: &ActiveEventLoop, crowd: &Simulation) -> Result<Self, Failure> {
        let attributes = Window::default_attributes().with_title("A game of its own");
        let window = Arc::new(event_loop.create_window(attributes)?);
        let display = Box::new(event_loop.owned_display_handle());
        let instance =
            wgpu::Instance::new(wgpu::InstanceDescriptor::new_with_display_handle(display));
        let surface = instance.create_surface(Arc::clone(&window))?;
        let adapter = pollster::block_on(instance.request_adapter(&wgpu::RequestAdapterOptions {
            compatible_surface: Some(&surface),
            ..Default::default()
        }))?;
        let (device, queue) = pollster::block_on(adapter.request_device(&Default::default()))?;
        let size = window.inner_size();
        let mut config = surface
            .get_default_config(&adapter, size.width.max(1), size.height.max(1))
            .ok_or("the adapter cannot draw into the window")?;
        config.format = config.format.remove_srgb_suffix();
        surface.configure(&device, &config);
        let mut renderer = Renderer::new(&device, &queue, config.format);
        let map = crowd.map();
        renderer.set_map(
            &device,
            &queue,
            simulation::size(map),
            simulation::cells(map),
        )?;
        Ok(Self {
            window,
            surface,
            device,
            queue,
            config,
            renderer,
        })
    }
}

impl ApplicationHandler for Game {
    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        match GameWindow::open(event_loop, &self.crowd) {
            Ok(window) => self.window = Some(window),
            Err(failure) => {
                self.failure = Some(failure);
                event_loop.exit();
            }
        }
    }

    fn window_event(&mut self, event_loop: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        match (event, &mut self.window) {
            (WindowEvent::CloseRequested, _) => event_loop.exit(),
            (WindowEvent::Resized(size), Some(window)) => {
                (window.config.width, window.config.height) = (size.width, size.height);
                if size.width > 0 && size.height > 0 {
                    window.surface.configure(&window.device, &window.config);
                }
            }
            (WindowEvent::RedrawRequested, Some(_)) => {
                self.tick();
                self.paint();
            }
            _ => {}
        }
    }

    fn about_to_wait(&mut self, _: &ActiveEventLoop) {
        if let Some(window) = &self.window {
            window.window.request_redraw();
        }
    }
}
