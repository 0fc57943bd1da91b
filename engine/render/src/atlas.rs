//! The sprite atlas on the device.

use throng::sprite::atlas::{MIP_LEVELS, Place};
use throng::sprite::{Atlas, Rect};

use crate::RenderError;
use crate::texture::{texture, upload};

/// Frames per row of the table, two texels each.
const TABLE_COLUMNS: u32 = 128;

/// The atlas on the device.
pub(crate) struct AtlasTextures {
    pub(crate) layout: wgpu::BindGroupLayout,
    pub(crate) bind_group: wgpu::BindGroup,
    sampler: wgpu::Sampler,
}

impl AtlasTextures {
    pub(crate) fn new(device: &wgpu::Device, queue: &wgpu::Queue) -> Self {
        let texture = |binding, filterable| wgpu::BindGroupLayoutEntry {
            binding,
            visibility: wgpu::ShaderStages::VERTEX_FRAGMENT,
            ty: wgpu::BindingType::Texture {
                sample_type: wgpu::TextureSampleType::Float { filterable },
                view_dimension: wgpu::TextureViewDimension::D2,
                multisampled: false,
            },
            count: None,
        };
        let layout = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some("atlas"),
            entries: &[
                texture(0, true),
                wgpu::BindGroupLayoutEntry {
                    binding: 1,
                    visibility: wgpu::ShaderStages::FRAGMENT,
                    ty: wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Filtering),
                    count: None,
                },
                texture(2, false),
            ],
        });
        let sampler = device.create_sampler(&wgpu::SamplerDescriptor {
            label: Some("atlas"),
            mag_filter: wgpu::FilterMode::Linear,
            min_filter: wgpu::FilterMode::Linear,
            ..Default::default()
        });
        let empty = Texels {
            width: 1,
            height: 1,
            texels: vec![[0; 4]],
        };
        let bind_group = bind(device, queue, &layout, &sampler, empty, &[]);
        Self {
            layout,
            bind_group,
            sampler,
        }
    }

    pub(crate) fn set(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        atlas: &Atlas,
    ) -> Result<(), RenderError> {
        let [width, height] = atlas.size();
        let limit = device.limits().max_texture_dimension_2d;
        if width.max(height) > limit {
            return Err(RenderError::TooLarge {
                what: "the sprite atlas",
                width,
                height,
                limit,
            });
        }
        let texels = premultiplied(atlas.image());
        self.bind_group = bind(
            device,
            queue,
            &self.layout,
            &self.sampler,
            texels,
            atlas.places(),
        );
        Ok(())
    }
}

fn bind(
    device: &wgpu::Device,
    queue: &wgpu::Queue,
    layout: &wgpu::BindGroupLayout,
    sampler: &wgpu::Sampler,
    texels: Texels,
    places: &[Place],
) -> wgpu::BindGroup {
    let sheet = mipped(device, queue, texels);
    let rows = (places.len() as u32).div_ceil(TABLE_COLUMNS).max(1);
    let mut table = vec![[0.0_f32; 4]; (rows * TABLE_COLUMNS * 2) as usize];
    for (texels, place) in table.chunks_exact_mut(2).zip(places) {
        let Rect {
            x,
            y,
            width,
            height,
        } = place.rect;
        texels[0] = [x, y, width, height].map(|value| value as f32);
        texels[1][0] = place.radius;
    }
    let size = (TABLE_COLUMNS * 2, rows);
    let frames = texture(device, size, 1, wgpu::TextureFormat::Rgba32Float);
    upload(queue, &frames, 0, size, bytemuck::cast_slice(&table));
    let view = |texture: &wgpu::Texture| texture.create_view(&Default::default());
    let views = [view(&sheet), view(&frames)];
    let entry = |binding, resource| wgpu::BindGroupEntry { binding, resource };
    device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: Some("atlas"),
        layout,
        entries: &[
            entry(0, wgpu::BindingResource::TextureView(&views[0])),
            entry(1, wgpu::BindingResource::Sampler(sampler)),
            entry(2, wgpu::BindingResource::TextureView(&views[1])),
        ],
    })
}

/// Colours with premultiplied alpha, row by row.
struct Texels {
    width: u32,
    height: u32,
    texels: Vec<[u8; 4]>,
}

/// Alpha premultiplied, so that what is under transparent texels never shows at smoothed edges.
fn premultiplied(image: &image::RgbaImage) -> Texels {
    let multiplied = |pixel: &image::Rgba<u8>| {
        let [r, g, b, alpha] = pixel.0;
        let times = |channel| ((u16::from(channel) * u16::from(alpha) + 127) / 255) as u8;
        [times(r), times(g), times(b), alpha]
    };
    Texels {
        width: image.width(),
        height: image.height(),
        texels: image.pixels().map(multiplied).collect(),
    }
}

impl Texels {
    fn halved(&self) -> Self {
        let (width, height) = (self.width / 2, self.height / 2);
        let texel = |x: u32, y: u32| self.texels[(y * self.width + x) as usize];
        let texels = (0..width * height).map(|index| {
            let (x, y) = (index % width * 2, index / width * 2);
            let four = [
                texel(x, y),
                texel(x + 1, y),
                texel(x, y + 1),
                texel(x + 1, y + 1),
            ];
            std::array::from_fn(|channel| {
                let sum: u16 = four.iter().map(|texel| u16::from(texel[channel])).sum();
                ((sum + 2) / 4) as u8
            })
        });
        Self {
            width,
            height,
            texels: texels.collect(),
        }
    }
}

/// A texture with as many mip levels as the packer keeps frames apart in.
fn mipped(device: &wgpu::Device, queue: &wgpu::Queue, mut texels: Texels) -> wgpu::Texture {
    let levels = MIP_LEVELS.min(texels.width.min(texels.height).max(1).ilog2() + 1);
    let size = (texels.width, texels.height);
    let texture = texture(device, size, levels, wgpu::TextureFormat::Rgba8Unorm);
    for level in 0..levels {
        if level > 0 {
            texels = texels.halved();
        }
        let size = (texels.width, texels.height);
        upload(
            queue,
            &texture,
            level,
            size,
            bytemuck::cast_slice(&texels.texels),
        );
    }
    texture
}
