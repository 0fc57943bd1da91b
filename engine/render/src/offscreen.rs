//! Pictures without a window.

use std::path::Path;

use throng::sprite::Atlas;

use crate::gpu::one_line;
use crate::texture::extent;
use crate::{DrawStats, Frame, Gpu, Ground, RenderError, Renderer};

/// A picture in memory: render into it, read it back, save it.
pub struct Offscreen {
    gpu: Gpu,
    renderer: Renderer,
    target: wgpu::Texture,
}

const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;

impl Offscreen {
    /// A picture of `size` pixels on a device of its own.
    ///
    /// # Errors
    /// [`RenderError::EmptyPicture`], [`RenderError::NoAdapter`], [`RenderError::NoDevice`],
    /// [`RenderError::TooLarge`].
    pub fn new(size: [u32; 2]) -> Result<Self, RenderError> {
        let [width, height] = size;
        if size.contains(&0) {
            return Err(RenderError::EmptyPicture(width, height));
        }
        let gpu = Gpu::headless()?;
        let limit = gpu.device.limits().max_texture_dimension_2d;
        if width.max(height) > limit {
            return Err(RenderError::TooLarge {
                what: "the picture",
                width,
                height,
                limit,
            });
        }
        let renderer = Renderer::new(&gpu.device, &gpu.queue, FORMAT);
        let target = gpu.device.create_texture(&wgpu::TextureDescriptor {
            label: Some("picture"),
            size: extent((width, height)),
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: FORMAT,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
            view_formats: &[],
        });
        Ok(Self {
            gpu,
            renderer,
            target,
        })
    }

    /// Width and height in pixels.
    pub fn size(&self) -> [u32; 2] {
        [self.target.width(), self.target.height()]
    }

    /// As [`Renderer::set_map`].
    ///
    /// # Errors
    /// [`RenderError::TooLarge`].
    pub fn set_map(
        &mut self,
        size: (u32, u32),
        cells: impl Iterator<Item = Ground>,
    ) -> Result<(), RenderError> {
        self.renderer
            .set_map(&self.gpu.device, &self.gpu.queue, size, cells)
    }

    /// As [`Renderer::update_map`].
    pub fn update_map(&mut self, area: [u32; 4], cell: impl Fn(u32, u32) -> Ground) {
        self.renderer.update_map(&self.gpu.queue, area, cell);
    }

    /// As [`Renderer::set_cells`].
    ///
    /// # Errors
    /// [`RenderError::TooLarge`].
    pub fn set_cells(&mut self, size: (u32, u32), colours: &[[u8; 4]]) -> Result<(), RenderError> {
        self.renderer
            .set_cells(&self.gpu.device, &self.gpu.queue, size, colours)
    }

    /// As [`Renderer::set_atlas`].
    ///
    /// # Errors
    /// [`RenderError::TooLarge`].
    pub fn set_atlas(&mut self, atlas: &Atlas) -> Result<(), RenderError> {
        self.renderer
            .set_atlas(&self.gpu.device, &self.gpu.queue, atlas)
    }

    /// Draws a frame. Its view should have the picture's size.
    pub fn render(&mut self, frame: &Frame<'_>) -> DrawStats {
        let Gpu { device, queue, .. } = &self.gpu;
        let stats = self.renderer.prepare(device, queue, frame);
        let mut encoder = device.create_command_encoder(&Default::default());
        let view = self.target.create_view(&Default::default());
        self.renderer
            .draw(&mut Renderer::begin(&mut encoder, &view));
        queue.submit([encoder.finish()]);
        stats
    }

    /// Waits until the device has drawn what was given to it.
    ///
    /// # Errors
    /// [`RenderError::ReadBack`].
    pub fn wait(&self) -> Result<(), RenderError> {
        self.gpu
            .device
            .poll(wgpu::PollType::wait_indefinitely())
            .map(|_| ())
            .map_err(|error| RenderError::ReadBack(one_line(&error)))
    }

    /// The pixels of the last frame.
    ///
    /// # Errors
    /// [`RenderError::ReadBack`].
    pub fn read(&self) -> Result<image::RgbaImage, RenderError> {
        let Gpu { device, queue, .. } = &self.gpu;
        let [width, height] = self.size();
        // Rows are copied with a stride the device asks for.
        let stride = (width * 4).next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
        let buffer = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("read back"),
            size: u64::from(stride) * u64::from(height),
            usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
            mapped_at_creation: false,
        });
        let mut encoder = device.create_command_encoder(&Default::default());
        encoder.copy_texture_to_buffer(
            self.target.as_image_copy(),
            wgpu::TexelCopyBufferInfo {
                buffer: &buffer,
                layout: wgpu::TexelCopyBufferLayout {
                    offset: 0,
                    bytes_per_row: Some(stride),
                    rows_per_image: None,
                },
            },
            extent((width, height)),
        );
        queue.submit([encoder.finish()]);
        let failed = |error: &dyn std::error::Error| RenderError::ReadBack(one_line(error));
        let (sender, receiver) = std::sync::mpsc::channel();
        buffer.map_async(wgpu::MapMode::Read, .., move |result| {
            // The receiver is gone only when polling failed, which is reported below.
            let _ = sender.send(result);
        });
        device
            .poll(wgpu::PollType::wait_indefinitely())
            .map_err(|error| failed(&error))?;
        receiver
            .recv()
            .map_err(|error| failed(&error))?
            .map_err(|error| failed(&error))?;
        let mapped = buffer
            .get_mapped_range(..)
            .map_err(|error| failed(&error))?;
        let mut pixels = Vec::with_capacity((width * height * 4) as usize);
        for row in mapped.chunks_exact(stride as usize) {
            pixels.extend_from_slice(&row[..(width * 4) as usize]);
        }
        image::RgbaImage::from_raw(width, height, pixels)
            .ok_or_else(|| RenderError::ReadBack("it has too few bytes".to_owned()))
    }

    /// Saves the pixels of the last frame as PNG.
    ///
    /// # Errors
    /// [`RenderError::ReadBack`] and [`RenderError::Write`].
    pub fn save_png(&self, path: &Path) -> Result<(), RenderError> {
        self.read()?
            .save_with_format(path, image::ImageFormat::Png)
            .map_err(|error| RenderError::Write {
                path: path.display().to_string(),
                reason: one_line(&error),
            })
    }
}
