//! The graphics device, asked for once and shared by everything that draws.

use crate::RenderError;

/// Instance, adapter, device and queue. A game that has its own passes its device and queue to
/// [`Renderer`](crate::Renderer) and needs none of this.
#[derive(Debug)]
pub struct Gpu {
    /// The wgpu instance, for making surfaces.
    pub instance: wgpu::Instance,
    /// The adapter chosen.
    pub adapter: wgpu::Adapter,
    /// The device.
    pub device: wgpu::Device,
    /// Its queue.
    pub queue: wgpu::Queue,
}

impl Gpu {
    /// A device without a window.
    ///
    /// # Errors
    /// [`RenderError::NoAdapter`] and [`RenderError::NoDevice`].
    pub fn headless() -> Result<Self, RenderError> {
        let descriptor = wgpu::InstanceDescriptor::new_without_display_handle_from_env();
        Self::request(wgpu::Instance::new(descriptor), None)
    }

    /// A device of `instance` that can draw into `surface` where one is given.
    ///
    /// # Errors
    /// [`RenderError::NoAdapter`] and [`RenderError::NoDevice`].
    pub fn request(
        instance: wgpu::Instance,
        surface: Option<&wgpu::Surface<'_>>,
    ) -> Result<Self, RenderError> {
        let adapter = pollster::block_on(instance.request_adapter(&wgpu::RequestAdapterOptions {
            power_preference: wgpu::PowerPreference::HighPerformance,
            compatible_surface: surface,
            ..Default::default()
        }))
        .map_err(|error| RenderError::NoAdapter(one_line(&error)))?;
        // The smallest limits everything here fits in, so that browsers and old devices serve too;
        // only the texture sizes are taken as large as they come.
        let required_limits =
            wgpu::Limits::downlevel_webgl2_defaults().using_resolution(adapter.limits());
        let (device, queue) = pollster::block_on(adapter.request_device(&wgpu::DeviceDescriptor {
            label: Some("throng"),
            required_limits,
            ..Default::default()
        }))
        .map_err(|error| RenderError::NoDevice {
            adapter: adapter.get_info().name,
            reason: one_line(&error),
        })?;
        Ok(Self {
            instance,
            adapter,
            device,
            queue,
        })
    }
}

/// The text of an error on one line.
pub(crate) fn one_line(error: &dyn std::error::Error) -> String {
    error
        .to_string()
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
}
