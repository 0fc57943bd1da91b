//! All units in one instanced draw.

use wgpu::vertex_attr_array;

use crate::Frame;
use crate::atlas::AtlasTextures;
use crate::gather::{Gatherer, Instance};
use crate::pipeline::{PipelineSpec, pipeline};

/// Units this far outside the view are uploaded too, as a share of its size: a moving camera
/// needs no new upload at every frame.
const MARGIN: f32 = 0.15;

/// The unit layer on the device.
pub(crate) struct UnitLayer {
    pipeline: wgpu::RenderPipeline,
    buffer: wgpu::Buffer,
    gatherer: Gatherer,
    uploaded: Option<(u64, [f32; 4])>,
}

impl UnitLayer {
    pub(crate) fn new(
        device: &wgpu::Device,
        format: wgpu::TextureFormat,
        view: &wgpu::BindGroupLayout,
        atlas: &AtlasTextures,
    ) -> Self {
        let pipeline = pipeline(
            device,
            &PipelineSpec {
                label: "units",
                shader: concat!(
                    include_str!("shaders/view.wgsl"),
                    include_str!("shaders/units.wgsl")
                ),
                layouts: &[view, &atlas.layout],
                stride: size_of::<Instance>(),
                attributes: &vertex_attr_array![0 => Float32x2, 1 => Uint32, 2 => Uint32],
                format,
            },
        );
        Self {
            pipeline,
            buffer: instance_buffer(device, 1024 * size_of::<Instance>()),
            gatherer: Gatherer::default(),
            uploaded: None,
        }
    }

    /// Uploads the units that can be seen, if the last upload does not serve. Returns the bytes
    /// sent.
    pub(crate) fn prepare(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        frame: &Frame<'_>,
    ) -> usize {
        let seen = frame.view.visible();
        if self
            .uploaded
            .is_some_and(|(tick, area)| tick == frame.tick && serves(area, seen))
        {
            return 0;
        }
        let area = grown(seen);
        self.uploaded = Some((frame.tick, area));
        let bytes: &[u8] = bytemuck::cast_slice(self.gatherer.gather(&frame.units, area));
        if bytes.len() as u64 > self.buffer.size() {
            self.buffer = instance_buffer(device, bytes.len().next_power_of_two());
        }
        queue.write_buffer(&self.buffer, 0, bytes);
        bytes.len()
    }

    /// Forgets what was uploaded, so that the next picture uploads anew.
    pub(crate) fn invalidate(&mut self) {
        self.uploaded = None;
    }

    /// Units the next draw shows.
    pub(crate) fn count(&self) -> usize {
        self.gatherer.count()
    }

    /// Returns how many draw calls it recorded.
    pub(crate) fn draw(&self, pass: &mut wgpu::RenderPass<'_>, atlas: &AtlasTextures) -> u32 {
        if self.count() == 0 {
            return 0;
        }
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(1, &atlas.bind_group, &[]);
        pass.set_vertex_buffer(0, self.buffer.slice(..));
        pass.draw(0..4, 0..self.count() as u32);
        1
    }
}

fn instance_buffer(device: &wgpu::Device, bytes: usize) -> wgpu::Buffer {
    device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("instances"),
        size: bytes as u64,
        usage: wgpu::BufferUsages::VERTEX | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    })
}

fn grown([x0, y0, x1, y1]: [f32; 4]) -> [f32; 4] {
    let (dx, dy) = ((x1 - x0) * MARGIN, (y1 - y0) * MARGIN);
    [x0 - dx, y0 - dy, x1 + dx, y1 + dy]
}

/// Whether units gathered for `area` serve a view of `seen`: it lies within, and is not so small
/// that most of them would be drawn for nothing.
fn serves(area: [f32; 4], seen: [f32; 4]) -> bool {
    let inside =
        area[0] <= seen[0] && area[1] <= seen[1] && area[2] >= seen[2] && area[3] >= seen[3];
    inside && (area[2] - area[0]) <= 2.0 * (1.0 + 2.0 * MARGIN) * (seen[2] - seen[0])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_view_inside_the_gathered_area_needs_no_upload() {
        let area = grown([0.0, 0.0, 100.0, 100.0]);
        assert!(serves(area, [-10.0, -10.0, 90.0, 90.0]));
        assert!(!serves(area, [-20.0, 0.0, 80.0, 100.0]));
        assert!(!serves(area, [40.0, 40.0, 50.0, 50.0]));
    }
}
