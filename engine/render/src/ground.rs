//! The map: a texel a cell, drawn in one quad.

use crate::RenderError;
use crate::noise;
use crate::pipeline::{PipelineSpec, pipeline};
use crate::texture::{extent, texture};

/// What a cell looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[repr(u8)]
pub enum Ground {
    /// Plain ground.
    #[default]
    Land = 0,
    /// Soft ground.
    Swamp = 1,
    /// Water one can wade through.
    Shallow = 2,
    /// Deep water.
    Water = 3,
    /// A wall.
    Wall = 4,
}

/// The map layer on the device.
pub(crate) struct GroundLayer {
    pipeline: wgpu::RenderPipeline,
    layout: wgpu::BindGroupLayout,
    noise: wgpu::TextureView,
    sampler: wgpu::Sampler,
    map: Option<MapTexture>,
}

struct MapTexture {
    texture: wgpu::Texture,
    bind_group: wgpu::BindGroup,
    width: u32,
    height: u32,
    cells: Vec<Ground>,
}

impl GroundLayer {
    pub(crate) fn new(
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        format: wgpu::TextureFormat,
        view: &wgpu::BindGroupLayout,
    ) -> Self {
        let picture = |binding, sample_type| wgpu::BindGroupLayoutEntry {
            binding,
            visibility: wgpu::ShaderStages::FRAGMENT,
            ty: wgpu::BindingType::Texture {
                sample_type,
                view_dimension: wgpu::TextureViewDimension::D2,
                multisampled: false,
            },
            count: None,
        };
        let layout = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some("ground"),
            entries: &[
                picture(0, wgpu::TextureSampleType::Uint),
                picture(1, wgpu::TextureSampleType::Float { filterable: true }),
                wgpu::BindGroupLayoutEntry {
                    binding: 2,
                    visibility: wgpu::ShaderStages::FRAGMENT,
                    ty: wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Filtering),
                    count: None,
                },
            ],
        });
        let pipeline = pipeline(
            device,
            &PipelineSpec {
                label: "ground",
                shader: concat!(
                    include_str!("shaders/view.wgsl"),
                    include_str!("shaders/ground.wgsl")
                ),
                layouts: &[view, &layout],
                stride: 0,
                attributes: &[],
                format,
            },
        );
        let sampler = device.create_sampler(&wgpu::SamplerDescriptor {
            label: Some("noise"),
            address_mode_u: wgpu::AddressMode::Repeat,
            address_mode_v: wgpu::AddressMode::Repeat,
            mag_filter: wgpu::FilterMode::Linear,
            min_filter: wgpu::FilterMode::Linear,
            mipmap_filter: wgpu::MipmapFilterMode::Nearest,
            ..Default::default()
        });
        Self {
            pipeline,
            layout,
            noise: noise::texture(device, queue),
            sampler,
            map: None,
        }
    }

    /// Takes a whole map, row by row.
    pub(crate) fn set(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        (width, height): (u32, u32),
        cells: impl Iterator<Item = Ground>,
    ) -> Result<(), RenderError> {
        let limit = device.limits().max_texture_dimension_2d;
        if width.max(height) > limit {
            return Err(RenderError::TooLarge {
                what: "the map",
                width,
                height,
                limit,
            });
        }
        let mut cells: Vec<Ground> = cells.collect();
        cells.resize((width * height) as usize, Ground::Wall);
        let texture = texture(
            device,
            (width.max(1), height.max(1)),
            1,
            wgpu::TextureFormat::Rg8Uint,
        );
        let entry = |binding, resource| wgpu::BindGroupEntry { binding, resource };
        let bind_group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("ground"),
            layout: &self.layout,
            entries: &[
                entry(
                    0,
                    wgpu::BindingResource::TextureView(&texture.create_view(&Default::default())),
                ),
                entry(1, wgpu::BindingResource::TextureView(&self.noise)),
                entry(2, wgpu::BindingResource::Sampler(&self.sampler)),
            ],
        });
        let map = MapTexture {
            texture,
            bind_group,
            width,
            height,
            cells,
        };
        map.upload(queue, [0, 0, width, height]);
        self.map = Some(map);
        Ok(())
    }

    /// Changes the cells of a box `x0, y0, x1, y1` (half-open; what lies outside is left out).
    pub(crate) fn update(
        &mut self,
        queue: &wgpu::Queue,
        [x0, y0, x1, y1]: [u32; 4],
        cell: impl Fn(u32, u32) -> Ground,
    ) {
        let Some(map) = &mut self.map else { return };
        let (x1, y1) = (x1.min(map.width), y1.min(map.height));
        if x0 >= x1 || y0 >= y1 {
            return;
        }
        for y in y0..y1 {
            for x in x0..x1 {
                map.cells[(y * map.width + x) as usize] = cell(x, y);
            }
        }
        // A cell's look depends on its neighbours.
        map.upload(
            queue,
            [
                x0.saturating_sub(1),
                y0.saturating_sub(1),
                (x1 + 1).min(map.width),
                (y1 + 1).min(map.height),
            ],
        );
    }

    /// Width and height of the map in cells; zero without one.
    pub(crate) fn size(&self) -> [f32; 2] {
        self.map
            .as_ref()
            .map_or([0.0; 2], |map| [map.width as f32, map.height as f32])
    }

    /// Returns how many draw calls it recorded.
    pub(crate) fn draw(&self, pass: &mut wgpu::RenderPass<'_>) -> u32 {
        let Some(map) = &self.map else {
            return 0;
        };
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(1, &map.bind_group, &[]);
        pass.draw(0..4, 0..1);
        1
    }
}

/// The eight neighbours in the order of the bits of a mask.
const NEIGHBOURS: [(i32, i32); 8] = [
    (-1, -1),
    (0, -1),
    (1, -1),
    (-1, 0),
    (1, 0),
    (-1, 1),
    (0, 1),
    (1, 1),
];

impl MapTexture {
    /// Sends the cells of a box: kind, and which neighbours are walls.
    fn upload(&self, queue: &wgpu::Queue, [x0, y0, x1, y1]: [u32; 4]) {
        let mut texels = Vec::with_capacity(((x1 - x0) * (y1 - y0)) as usize);
        for y in y0..y1 {
            for x in x0..x1 {
                let mut walls = 0_u8;
                for (bit, (dx, dy)) in NEIGHBOURS.into_iter().enumerate() {
                    let kind = self.at(x as i32 + dx, y as i32 + dy);
                    walls |= u8::from(kind == Ground::Wall) << bit;
                }
                let own = self.cells[(y * self.width + x) as usize];
                texels.push([own as u8, walls]);
            }
        }
        if texels.is_empty() {
            return;
        }
        queue.write_texture(
            wgpu::TexelCopyTextureInfo {
                texture: &self.texture,
                mip_level: 0,
                origin: wgpu::Origin3d { x: x0, y: y0, z: 0 },
                aspect: wgpu::TextureAspect::All,
            },
            bytemuck::cast_slice(&texels),
            wgpu::TexelCopyBufferLayout {
                offset: 0,
                bytes_per_row: Some((x1 - x0) * 2),
                rows_per_image: None,
            },
            extent((x1 - x0, y1 - y0)),
        );
    }

    /// Beyond the border the outermost cells go on, so that the border shows no seam.
    fn at(&self, x: i32, y: i32) -> Ground {
        let x = x.clamp(0, self.width as i32 - 1) as u32;
        let y = y.clamp(0, self.height as i32 - 1) as u32;
        self.cells[(y * self.width + x) as usize]
    }
}
