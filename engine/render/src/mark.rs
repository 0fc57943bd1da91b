//! Marks over the map: rings, lines, arrows, bars. All in one instanced draw per side of the units.

use bytemuck::{Pod, Zeroable};
use glam::Vec2;
use wgpu::vertex_attr_array;

use crate::pipeline::{PipelineSpec, pipeline};

/// A simple figure in world coordinates, with a line width in pixels.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct Mark {
    a: [f32; 2],
    b: [f32; 2],
    colour: [u8; 4],
    kind: u8,
    /// In quarters of a pixel.
    width: u8,
    /// Opacity of the dark rim that keeps a mark readable on any ground.
    rim: u8,
    unused: u8,
}

const SEGMENT: u8 = 0;
const ARROW: u8 = 1;
const RING: u8 = 2;
const DISC: u8 = 3;
const BOX: u8 = 4;
const FRAME: u8 = 5;

impl Mark {
    /// A line from `a` to `b` in cells, `width` in pixels. Colours are straight sRGB and alpha.
    pub fn line(a: Vec2, b: Vec2, width: f32, colour: [u8; 4]) -> Self {
        Self::new(SEGMENT, a, b, width, colour)
    }

    /// A line with a head at `b`.
    pub fn arrow(a: Vec2, b: Vec2, width: f32, colour: [u8; 4]) -> Self {
        Self::new(ARROW, a, b, width, colour)
    }

    /// A circle, `radius` in cells, `width` of the line in pixels.
    pub fn ring(centre: Vec2, radius: f32, width: f32, colour: [u8; 4]) -> Self {
        Self::new(RING, centre, Vec2::splat(radius), width, colour)
    }

    /// A filled circle, `radius` in cells.
    pub fn disc(centre: Vec2, radius: f32, colour: [u8; 4]) -> Self {
        Self::new(DISC, centre, Vec2::splat(radius), 0.0, colour)
    }

    /// A filled box between two opposite corners, in cells.
    pub fn fill(a: Vec2, b: Vec2, colour: [u8; 4]) -> Self {
        Self::new(BOX, a.min(b), a.max(b), 0.0, colour)
    }

    /// The outline of a box between two opposite corners, in cells.
    pub fn outline(a: Vec2, b: Vec2, width: f32, colour: [u8; 4]) -> Self {
        Self::new(FRAME, a.min(b), a.max(b), width, colour)
    }

    /// With a dark rim of one and a half pixels.
    #[must_use]
    pub fn rimmed(mut self) -> Self {
        self.rim = 150;
        self
    }

    /// A bar above a unit that is full at 1 and empty at 0, green to red: two marks.
    pub fn health_bar(centre: Vec2, radius: f32, share: f32) -> [Self; 2] {
        let share = share.clamp(0.0, 1.0);
        let half = radius.max(0.2);
        let low = centre + Vec2::new(-half, -radius * 1.55 - 0.13);
        let high = low + Vec2::new(2.0 * half, 0.13);
        let filled = Vec2::new(low.x + 2.0 * half * share, high.y);
        let red = (510.0 * (1.0 - share)).min(235.0) as u8;
        let green = (440.0 * share).min(210.0) as u8;
        [
            Self::fill(low, high, [18, 18, 18, 200]).rimmed(),
            Self::fill(low, filled, [red, green, 50, 255]),
        ]
    }

    fn new(kind: u8, a: Vec2, b: Vec2, width: f32, colour: [u8; 4]) -> Self {
        Self {
            a: a.to_array(),
            b: b.to_array(),
            colour,
            kind,
            width: (width * 4.0).round().clamp(0.0, 255.0) as u8,
            rim: 0,
            unused: 0,
        }
    }
}

/// The marks of one side of the units.
pub(crate) struct MarkLayer {
    buffer: wgpu::Buffer,
    count: u32,
}

/// Pipeline shared by the mark layers.
pub(crate) fn mark_pipeline(
    device: &wgpu::Device,
    format: wgpu::TextureFormat,
    view: &wgpu::BindGroupLayout,
) -> wgpu::RenderPipeline {
    pipeline(
        device,
        &PipelineSpec {
            label: "marks",
            shader: concat!(
                include_str!("shaders/view.wgsl"),
                include_str!("shaders/marks.wgsl")
            ),
            layouts: &[view],
            stride: size_of::<Mark>(),
            attributes: &vertex_attr_array![0 => Float32x2, 1 => Float32x2, 2 => Unorm8x4, 3 => Uint8x4],
            format,
        },
    )
}

impl MarkLayer {
    pub(crate) fn new(device: &wgpu::Device) -> Self {
        Self {
            buffer: buffer(device, 64 * size_of::<Mark>()),
            count: 0,
        }
    }

    pub(crate) fn prepare(&mut self, device: &wgpu::Device, queue: &wgpu::Queue, marks: &[Mark]) {
        self.count = marks.len() as u32;
        let bytes: &[u8] = bytemuck::cast_slice(marks);
        if bytes.len() as u64 > self.buffer.size() {
            self.buffer = buffer(device, bytes.len().next_power_of_two());
        }
        queue.write_buffer(&self.buffer, 0, bytes);
    }

    /// Returns how many draw calls it recorded.
    pub(crate) fn draw(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        pipeline: &wgpu::RenderPipeline,
    ) -> u32 {
        if self.count == 0 {
            return 0;
        }
        pass.set_pipeline(pipeline);
        pass.set_vertex_buffer(0, self.buffer.slice(..));
        pass.draw(0..4, 0..self.count);
        1
    }
}

fn buffer(device: &wgpu::Device, bytes: usize) -> wgpu::Buffer {
    device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("marks"),
        size: bytes as u64,
        usage: wgpu::BufferUsages::VERTEX | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    })
}
