//! A colour for each cell, laid over the map: occupancy, distances, densities.

use crate::RenderError;
use crate::pipeline::{PipelineSpec, pipeline};
use crate::texture::{texture, upload};

/// The overlay on the device.
pub(crate) struct CellLayer {
    pipeline: wgpu::RenderPipeline,
    layout: wgpu::BindGroupLayout,
    picture: Option<(wgpu::Texture, wgpu::BindGroup)>,
}

impl CellLayer {
    pub(crate) fn new(
        device: &wgpu::Device,
        format: wgpu::TextureFormat,
        view: &wgpu::BindGroupLayout,
    ) -> Self {
        let layout = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some("cells"),
            entries: &[wgpu::BindGroupLayoutEntry {
                binding: 0,
                visibility: wgpu::ShaderStages::VERTEX_FRAGMENT,
                ty: wgpu::BindingType::Texture {
                    sample_type: wgpu::TextureSampleType::Float { filterable: false },
                    view_dimension: wgpu::TextureViewDimension::D2,
                    multisampled: false,
                },
                count: None,
            }],
        });
        let pipeline = pipeline(
            device,
            &PipelineSpec {
                label: "cells",
                shader: concat!(
                    include_str!("shaders/view.wgsl"),
                    include_str!("shaders/cells.wgsl")
                ),
                layouts: &[view, &layout],
                stride: 0,
                attributes: &[],
                format,
            },
        );
        Self {
            pipeline,
            layout,
            picture: None,
        }
    }

    /// Shows `colours`, a straight RGBA per cell, row by row; nothing where it is empty.
    pub(crate) fn set(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        (width, height): (u32, u32),
        colours: &[[u8; 4]],
    ) -> Result<(), RenderError> {
        if width == 0 || colours.len() < (width * height) as usize || height == 0 {
            self.picture = None;
            return Ok(());
        }
        let limit = device.limits().max_texture_dimension_2d;
        if width.max(height) > limit {
            return Err(RenderError::TooLarge {
                what: "the cell layer",
                width,
                height,
                limit,
            });
        }
        let same = |texture: &wgpu::Texture| texture.width() == width && texture.height() == height;
        if !self
            .picture
            .as_ref()
            .is_some_and(|(texture, _)| same(texture))
        {
            let texture = texture(device, (width, height), 1, wgpu::TextureFormat::Rgba8Unorm);
            let view = texture.create_view(&Default::default());
            let bind_group = device.create_bind_group(&wgpu::BindGroupDescriptor {
                label: Some("cells"),
                layout: &self.layout,
                entries: &[wgpu::BindGroupEntry {
                    binding: 0,
                    resource: wgpu::BindingResource::TextureView(&view),
                }],
            });
            self.picture = Some((texture, bind_group));
        }
        if let Some((texture, _)) = &self.picture {
            upload(
                queue,
                texture,
                0,
                (width, height),
                bytemuck::cast_slice(colours),
            );
        }
        Ok(())
    }

    /// Returns how many draw calls it recorded.
    pub(crate) fn draw(&self, pass: &mut wgpu::RenderPass<'_>) -> u32 {
        let Some((_, bind_group)) = &self.picture else {
            return 0;
        };
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(1, bind_group, &[]);
        pass.draw(0..4, 0..1);
        1
    }
}
