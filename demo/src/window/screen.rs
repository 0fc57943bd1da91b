//! The window with its surface: the crowd's renderer and the panel's, painted one over the other.

use std::sync::Arc;

use throng_render::{DrawStats, Frame, Gpu, Renderer};
use winit::dpi::{LogicalSize, PhysicalSize};
use winit::event_loop::ActiveEventLoop;
use winit::window::Window;

use super::NoWindow;

/// A window that can be painted.
pub struct Screen {
    /// The window.
    pub window: Arc<Window>,
    /// The device.
    pub gpu: Gpu,
    /// Draws the crowd.
    pub renderer: Renderer,
    /// Feeds the panel with events.
    pub ui: egui_winit::State,
    surface: wgpu::Surface<'static>,
    config: wgpu::SurfaceConfiguration,
    ui_renderer: egui_wgpu::Renderer,
}

impl Screen {
    /// Opens a window and a device that can draw into it.
    pub fn open(event_loop: &ActiveEventLoop, title: &str) -> Result<Self, NoWindow> {
        let attributes = Window::default_attributes()
            .with_title(title)
            .with_inner_size(LogicalSize::new(1280, 800));
        let window = event_loop
            .create_window(attributes)
            .map_err(|error| NoWindow::new("no window", &error))?;
        let window = Arc::new(window);
        let display = Box::new(event_loop.owned_display_handle());
        let instance = wgpu::Instance::new(
            wgpu::InstanceDescriptor::new_with_display_handle_from_env(display),
        );
        let surface = instance
            .create_surface(Arc::clone(&window))
            .map_err(|_| NoWindow("no graphics adapter draws into windows here".to_owned()))?;
        let gpu =
            Gpu::request(instance, Some(&surface)).map_err(|error| NoWindow(error.to_string()))?;
        let PhysicalSize { width, height } = window.inner_size();
        let mut config = surface
            .get_default_config(&gpu.adapter, width.max(1), height.max(1))
            .ok_or_else(|| NoWindow("the adapter cannot draw into the window".to_owned()))?;
        // Crowd and panel both write colours as they are.
        let formats = surface.get_capabilities(&gpu.adapter).formats;
        if let Some(plain) = formats.into_iter().find(|format| !format.is_srgb()) {
            config.format = plain;
        }
        config.present_mode = wgpu::PresentMode::AutoVsync;
        let ui = egui_winit::State::new(
            egui::Context::default(),
            egui::ViewportId::ROOT,
            &window,
            Some(window.scale_factor() as f32),
            None,
            Some(gpu.device.limits().max_texture_dimension_2d as usize),
        );
        let renderer = Renderer::new(&gpu.device, &gpu.queue, config.format);
        let ui_renderer = egui_wgpu::Renderer::new(&gpu.device, config.format, Default::default());
        let screen = Self {
            window,
            gpu,
            renderer,
            ui,
            surface,
            config,
            ui_renderer,
        };
        screen.configure();
        Ok(screen)
    }

    /// Takes a new size; a window without pixels is not painted until it has some again.
    pub fn resize(&mut self, size: PhysicalSize<u32>) {
        let limit = self.gpu.device.limits().max_texture_dimension_2d;
        self.config.width = size.width.min(limit);
        self.config.height = size.height.min(limit);
        self.configure();
    }

    /// Width and height in pixels.
    pub fn size(&self) -> [u32; 2] {
        [self.config.width, self.config.height]
    }

    /// Paints the crowd and the panel over it. Nothing where the window has no picture just now.
    pub fn paint(&mut self, frame: &Frame<'_>, mut ui: egui::FullOutput) -> DrawStats {
        let ctx = self.ui.egui_ctx().clone();
        self.ui
            .handle_platform_output(&self.window, ui.platform_output);
        let jobs = ctx.tessellate(ui.shapes, ui.pixels_per_point);
        let Gpu { device, queue, .. } = &self.gpu;
        for (id, deltas) in ui.textures_delta.set.drain() {
            for delta in &deltas {
                self.ui_renderer.update_texture(device, queue, id, delta);
            }
        }
        let mut stats = DrawStats::default();
        if let Some(target) = self.acquire() {
            let Gpu { device, queue, .. } = &self.gpu;
            stats = self.renderer.prepare(device, queue, frame);
            let view = target.texture.create_view(&Default::default());
            let mut encoder = device.create_command_encoder(&Default::default());
            let screen = egui_wgpu::ScreenDescriptor {
                size_in_pixels: [self.config.width, self.config.height],
                pixels_per_point: ui.pixels_per_point,
            };
            let uploads =
                self.ui_renderer
                    .update_buffers(device, queue, &mut encoder, &jobs, &screen);
            {
                let mut pass = Renderer::begin(&mut encoder, &view).forget_lifetime();
                self.renderer.draw(&mut pass);
                self.ui_renderer.render(&mut pass, &jobs, &screen);
            }
            queue.submit(uploads.into_iter().chain([encoder.finish()]));
            self.window.pre_present_notify();
            queue.present(target);
        }
        for id in ui.textures_delta.free.drain() {
            self.ui_renderer.free_texture(&id);
        }
        stats
    }

    fn configure(&self) {
        if self.config.width > 0 && self.config.height > 0 {
            self.surface.configure(&self.gpu.device, &self.config);
        }
    }

    /// The next picture to paint into; a surface that was lost or outgrown is set up again and
    /// gives one at the next frame.
    fn acquire(&self) -> Option<wgpu::SurfaceTexture> {
        use wgpu::CurrentSurfaceTexture as Current;
        if self.config.width == 0 || self.config.height == 0 {
            return None;
        }
        match self.surface.get_current_texture() {
            // A picture that does not fit well is shown all the same; a new size will come.
            Current::Success(texture) | Current::Suboptimal(texture) => Some(texture),
            Current::Outdated | Current::Lost => {
                self.configure();
                None
            }
            Current::Timeout | Current::Occluded | Current::Validation => None,
        }
    }
}
