//! The renderer: what is to be shown goes in by `set_*` and [`Renderer::prepare`], and
//! [`Renderer::draw`] records the draw calls into a pass of the caller's.

use bytemuck::{Pod, Zeroable};

use throng::sprite::Atlas;

use crate::atlas::AtlasTextures;
use crate::cells::CellLayer;
use crate::ground::GroundLayer;
use crate::mark::{MarkLayer, mark_pipeline};
use crate::units::UnitLayer;
use crate::{Frame, Ground, Layer, Layers, RenderError, TEAM_COLOURS};

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct ViewUniform {
    centre: [f32; 2],
    viewport: [f32; 2],
    map: [f32; 2],
    scale: f32,
    blend: f32,
    teams: [[f32; 4]; 16],
}

/// What a picture took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DrawStats {
    /// Units in the draw call.
    pub units: usize,
    /// Bytes of units uploaded for this picture; 0 when the last upload served.
    pub unit_bytes: usize,
}

/// Draws map, units and marks with any wgpu device into any colour target.
///
/// Colours are written as they are, without conversion: choose a target format that is not sRGB
/// (`Rgba8Unorm`, `Bgra8Unorm`).
pub struct Renderer {
    uniform: wgpu::Buffer,
    view_group: wgpu::BindGroup,
    atlas: AtlasTextures,
    ground: GroundLayer,
    cells: CellLayer,
    units: UnitLayer,
    marks: wgpu::RenderPipeline,
    below: MarkLayer,
    above: MarkLayer,
    layers: Layers,
}

impl Renderer {
    /// What lies outside the map.
    pub const BACKGROUND: wgpu::Color = wgpu::Color {
        r: 0.055,
        g: 0.06,
        b: 0.065,
        a: 1.0,
    };

    /// Builds the pipelines for targets of `format`.
    pub fn new(device: &wgpu::Device, queue: &wgpu::Queue, format: wgpu::TextureFormat) -> Self {
        let view_layout = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some("view"),
            entries: &[wgpu::BindGroupLayoutEntry {
                binding: 0,
                visibility: wgpu::ShaderStages::VERTEX_FRAGMENT,
                ty: wgpu::BindingType::Buffer {
                    ty: wgpu::BufferBindingType::Uniform,
                    has_dynamic_offset: false,
                    min_binding_size: None,
                },
                count: None,
            }],
        });
        let uniform = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("view"),
            size: size_of::<ViewUniform>() as u64,
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let view_group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("view"),
            layout: &view_layout,
            entries: &[wgpu::BindGroupEntry {
                binding: 0,
                resource: uniform.as_entire_binding(),
            }],
        });
        let atlas = AtlasTextures::new(device, queue);
        Self {
            uniform,
            view_group,
            ground: GroundLayer::new(device, queue, format, &view_layout),
            cells: CellLayer::new(device, format, &view_layout),
            units: UnitLayer::new(device, format, &view_layout, &atlas),
            marks: mark_pipeline(device, format, &view_layout),
            below: MarkLayer::new(device),
            above: MarkLayer::new(device),
            layers: Layers::NONE,
            atlas,
        }
    }

    /// Takes a map of `size` cells, row by row; cells that do not come are walls.
    ///
    /// # Errors
    /// [`RenderError::TooLarge`] where a side is beyond the device's texture limit.
    pub fn set_map(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        size: (u32, u32),
        cells: impl Iterator<Item = Ground>,
    ) -> Result<(), RenderError> {
        self.ground.set(device, queue, size, cells)
    }

    /// Changes the cells of the half-open box `x0, y0, x1, y1`; what lies outside is left out.
    pub fn update_map(
        &mut self,
        queue: &wgpu::Queue,
        area: [u32; 4],
        cell: impl Fn(u32, u32) -> Ground,
    ) {
        self.ground.update(queue, area, cell);
    }

    /// Lays a straight RGBA colour over each cell of a map of `size`, row by row; an empty slice
    /// takes the overlay away.
    ///
    /// # Errors
    /// [`RenderError::TooLarge`] where a side is beyond the device's texture limit.
    pub fn set_cells(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        size: (u32, u32),
        colours: &[[u8; 4]],
    ) -> Result<(), RenderError> {
        self.cells.set(device, queue, size, colours)
    }

    /// Takes the picture that frame numbers refer to.
    ///
    /// # Errors
    /// [`RenderError::TooLarge`] where a side is beyond the device's texture limit.
    pub fn set_atlas(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        atlas: &Atlas,
    ) -> Result<(), RenderError> {
        self.units.invalidate();
        self.atlas.set(device, queue, atlas)
    }

    /// Uploads what `frame` needs. With an empty view there is nothing to do or to draw.
    pub fn prepare(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        frame: &Frame<'_>,
    ) -> DrawStats {
        self.layers = frame.layers;
        if frame.view.is_empty() {
            self.layers = Layers::NONE;
            return DrawStats::default();
        }
        let teams = TEAM_COLOURS.map(|[r, g, b]| [r, g, b, 255].map(|c: u8| f32::from(c) / 255.0));
        let uniform = ViewUniform {
            centre: frame.view.centre.to_array(),
            viewport: frame.view.size.map(|side| side as f32),
            map: self.ground.size(),
            scale: frame.view.scale,
            blend: frame.blend.clamp(0.0, 1.0),
            teams,
        };
        queue.write_buffer(&self.uniform, 0, bytemuck::bytes_of(&uniform));
        self.below.prepare(device, queue, frame.below);
        self.above.prepare(device, queue, frame.above);
        if !frame.layers.has(Layer::Units) {
            return DrawStats::default();
        }
        let unit_bytes = self.units.prepare(device, queue, frame);
        DrawStats {
            units: self.units.count(),
            unit_bytes,
        }
    }

    /// Records the draw calls: map, overlay, marks below, all units in one, marks above. Returns how
    /// many there were.
    pub fn draw(&self, pass: &mut wgpu::RenderPass<'_>) -> u32 {
        if self.layers == Layers::NONE {
            return 0;
        }
        pass.set_bind_group(0, &self.view_group, &[]);
        let mut calls = 0;
        if self.layers.has(Layer::Map) {
            calls += self.ground.draw(pass);
        }
        calls += self.cells.draw(pass);
        calls += self.below.draw(pass, &self.marks);
        if self.layers.has(Layer::Units) {
            calls += self.units.draw(pass, &self.atlas);
        }
        calls + self.above.draw(pass, &self.marks)
    }

    /// Begins a pass that clears `target` to [`Renderer::BACKGROUND`], for [`Renderer::draw`] and
    /// whatever the host draws over it.
    pub fn begin<'a>(
        encoder: &'a mut wgpu::CommandEncoder,
        target: &wgpu::TextureView,
    ) -> wgpu::RenderPass<'a> {
        encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("throng"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: target,
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations {
                    load: wgpu::LoadOp::Clear(Self::BACKGROUND),
                    store: wgpu::StoreOp::Store,
                },
            })],
            ..Default::default()
        })
    }
}
