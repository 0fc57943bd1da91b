//! All units in one instanced draw.

use bytemuck::{Pod, Zeroable};
use wgpu::vertex_attr_array;

use crate::atlas::AtlasTextures;
use crate::order::DrawOrder;
use crate::pipeline::{PipelineSpec, pipeline};
use crate::{Frame, UnitColumns};

/// What is uploaded for a unit each tick: 16 bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
struct Instance {
    position: [f32; 2],
    /// From the low bits: way of the last tick, 14 bits for either axis; team, 4 bits.
    motion: u32,
    /// From the low bits: heading, 8 bits; radius, 8 bits; frame, 16 bits.
    look: u32,
}

/// A longer way in one tick, in cells, is a jump and not drawn as motion. As in the shader.
const STEP_RANGE: f32 = 8.0;
/// Units this far outside the view are uploaded too, as a share of its size: a moving camera
/// needs no new upload at every frame.
const MARGIN: f32 = 0.15;

/// The unit layer on the device.
pub(crate) struct UnitLayer {
    pipeline: wgpu::RenderPipeline,
    buffer: wgpu::Buffer,
    order: DrawOrder,
    staged: Vec<Instance>,
    instances: Vec<Instance>,
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
            order: DrawOrder::new(),
            staged: Vec::new(),
            instances: Vec::new(),
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
        self.collect(&frame.units, area);
        self.uploaded = Some((frame.tick, area));
        let bytes: &[u8] = bytemuck::cast_slice(&self.instances);
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
        self.instances.len()
    }

    pub(crate) fn draw(&self, pass: &mut wgpu::RenderPass<'_>, atlas: &AtlasTextures) {
        if self.instances.is_empty() {
            return;
        }
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(1, &atlas.bind_group, &[]);
        pass.set_vertex_buffer(0, self.buffer.slice(..));
        pass.draw(0..4, 0..self.instances.len() as u32);
    }

    /// Gathers the units within `area` in drawing order.
    fn collect(&mut self, units: &UnitColumns<'_>, area: [f32; 4]) {
        let [x0, y0, x1, y1] = area;
        self.staged.clear();
        let mut radius = f32::NAN;
        let mut radius_bits = 0;
        for row in 0..units.len() {
            let at = units.position[row];
            let reach = 2.0 * units.radius[row];
            if at.x + reach < x0 || at.x - reach > x1 || at.y + reach < y0 || at.y - reach > y1 {
                continue;
            }
            // Radii come in few values: the logarithm is taken when it changes.
            if units.radius[row].to_bits() != radius.to_bits() {
                radius = units.radius[row];
                radius_bits = encode_radius(radius);
            }
            let step = (at - units.previous[row]) / STEP_RANGE;
            let step = if step.abs().max_element() < 1.0 {
                step
            } else {
                glam::Vec2::ZERO
            };
            let frame = units.frame.get(row).copied().unwrap_or(UnitColumns::BODY);
            self.staged.push(Instance {
                position: at.to_array(),
                motion: encode_step(step.x)
                    | encode_step(step.y) << 14
                    | u32::from(units.team[row] & 15) << 28,
                look: encode_heading(units.heading[row])
                    | radius_bits << 8
                    | u32::from(frame) << 16,
            });
        }
        let y = |instance: &Instance| instance.position[1];
        self.order
            .sort(&self.staged, y, [y0, y1], &mut self.instances);
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

/// 14 bits with zero at 8192; `share` lies in (-1, 1).
fn encode_step(share: f32) -> u32 {
    (share * 8191.0 + 8192.5) as u32
}

fn encode_heading(radians: f32) -> u32 {
    // Sixteen turns are added, so that cutting off rounds down for negative angles too.
    (radians * (256.0 / std::f32::consts::TAU) + 4096.5) as i32 as u32 & 255
}

/// Thirty-two steps for each doubling, from 0.05 cells.
fn encode_radius(radius: f32) -> u32 {
    ((radius / 0.05).log2() * 32.0).round().clamp(0.0, 255.0) as u32
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
    fn an_instance_is_sixteen_bytes() {
        assert_eq!(size_of::<Instance>(), 16);
    }

    #[test]
    fn headings_wrap() {
        let quarter = std::f32::consts::FRAC_PI_2;
        assert_eq!(encode_heading(quarter), 64);
        assert_eq!(encode_heading(-quarter), 192);
        assert_eq!(encode_heading(4.0 * quarter), 0);
    }

    #[test]
    fn radii_survive_to_two_percent() {
        for radius in [0.05_f32, 0.2, 0.3, 0.4, 1.0, 4.0, 12.0] {
            let back = 0.05 * (encode_radius(radius) as f32 / 32.0).exp2();
            assert!((back / radius - 1.0).abs() < 0.02, "{radius} became {back}");
        }
    }

    #[test]
    fn a_view_inside_the_gathered_area_needs_no_upload() {
        let area = grown([0.0, 0.0, 100.0, 100.0]);
        assert!(serves(area, [-10.0, -10.0, 90.0, 90.0]));
        assert!(!serves(area, [-20.0, 0.0, 80.0, 100.0]));
        assert!(!serves(area, [40.0, 40.0, 50.0, 50.0]));
    }
}
