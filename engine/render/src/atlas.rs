//! The picture all units are cut from, and the table of its frames.

use crate::RenderError;

/// One frame of an [`Atlas`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AtlasFrame {
    /// `x, y, width, height` in the picture, in texels.
    pub rect: [u32; 4],
    /// The unit's centre, in texels from the rectangle's top left corner.
    pub pivot: [f32; 2],
    /// How many texels of the drawing make one radius of the unit.
    pub texels_per_radius: f32,
    /// The heading the drawing shows, in radians: 0 looks right, a quarter turn looks down.
    pub facing: f32,
}

/// A picture with all frames of all kinds of units, and where each is.
///
/// A unit's frame number is its index in `frames`; at most [`Atlas::MAX_FRAMES`] are used.
/// Magenta (red and blue over green) stands for the team's colour.
#[derive(Clone, Debug)]
pub struct Atlas {
    /// The picture, straight alpha.
    pub image: image::RgbaImage,
    /// The frames.
    pub frames: Vec<AtlasFrame>,
}

impl Atlas {
    /// A frame number has 12 bits; the last stands for "no frame".
    pub const MAX_FRAMES: usize = 4095;
}

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
        let texture = |binding, visibility, filterable| wgpu::BindGroupLayoutEntry {
            binding,
            visibility,
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
                texture(0, wgpu::ShaderStages::VERTEX_FRAGMENT, true),
                wgpu::BindGroupLayoutEntry {
                    binding: 1,
                    visibility: wgpu::ShaderStages::FRAGMENT,
                    ty: wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Filtering),
                    count: None,
                },
                texture(2, wgpu::ShaderStages::VERTEX, false),
            ],
        });
        let sampler = device.create_sampler(&wgpu::SamplerDescriptor {
            label: Some("atlas"),
            mag_filter: wgpu::FilterMode::Linear,
            min_filter: wgpu::FilterMode::Linear,
            ..Default::default()
        });
        let empty = Atlas {
            image: image::RgbaImage::new(1, 1),
            frames: Vec::new(),
        };
        let bind_group = bind(device, queue, &layout, &sampler, &empty);
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
        let (width, height) = atlas.image.dimensions();
        let limit = device.limits().max_texture_dimension_2d;
        if width.max(height) > limit {
            return Err(RenderError::TooLarge {
                what: "the sprite atlas",
                width,
                height,
                limit,
            });
        }
        self.bind_group = bind(device, queue, &self.layout, &self.sampler, atlas);
        Ok(())
    }
}

fn bind(
    device: &wgpu::Device,
    queue: &wgpu::Queue,
    layout: &wgpu::BindGroupLayout,
    sampler: &wgpu::Sampler,
    atlas: &Atlas,
) -> wgpu::BindGroup {
    let mips = mip_chain(&atlas.image);
    let sheet = device.create_texture(&wgpu::TextureDescriptor {
        label: Some("atlas"),
        size: extent(atlas.image.dimensions()),
        mip_level_count: mips.len() as u32,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: wgpu::TextureFormat::Rgba8Unorm,
        usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
        view_formats: &[],
    });
    for (level, mip) in mips.iter().enumerate() {
        upload(
            queue,
            &sheet,
            level as u32,
            mip.dimensions(),
            4,
            mip.as_raw(),
        );
    }
    let rows = (atlas.frames.len() as u32).div_ceil(TABLE_COLUMNS).max(1);
    let mut table = vec![[0.0_f32; 4]; (rows * TABLE_COLUMNS * 2) as usize];
    for (texels, frame) in table.chunks_exact_mut(2).zip(&atlas.frames) {
        texels[0] = frame.rect.map(|value| value as f32);
        texels[1] = [
            frame.pivot[0],
            frame.pivot[1],
            frame.texels_per_radius,
            frame.facing,
        ];
    }
    let size = (TABLE_COLUMNS * 2, rows);
    let frames = device.create_texture(&wgpu::TextureDescriptor {
        label: Some("frames"),
        size: extent(size),
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: wgpu::TextureFormat::Rgba32Float,
        usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
        view_formats: &[],
    });
    upload(queue, &frames, 0, size, 16, bytemuck::cast_slice(&table));
    device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: Some("atlas"),
        layout,
        entries: &[
            wgpu::BindGroupEntry {
                binding: 0,
                resource: wgpu::BindingResource::TextureView(
                    &sheet.create_view(&Default::default()),
                ),
            },
            wgpu::BindGroupEntry {
                binding: 1,
                resource: wgpu::BindingResource::Sampler(sampler),
            },
            wgpu::BindGroupEntry {
                binding: 2,
                resource: wgpu::BindingResource::TextureView(
                    &frames.create_view(&Default::default()),
                ),
            },
        ],
    })
}

/// The picture with premultiplied alpha, and halves of it. Two halvings at most: the packer keeps
/// frames on multiples of four texels, so no texel of these levels mixes two frames.
fn mip_chain(image: &image::RgbaImage) -> Vec<image::RgbaImage> {
    let mut base = image.clone();
    for pixel in base.pixels_mut() {
        let alpha = u16::from(pixel.0[3]);
        for channel in &mut pixel.0[..3] {
            *channel = ((u16::from(*channel) * alpha + 127) / 255) as u8;
        }
    }
    let mut chain = vec![base];
    while chain.len() < 3 {
        let last = &chain[chain.len() - 1];
        let (width, height) = last.dimensions();
        if width < 2 || height < 2 {
            break;
        }
        chain.push(image::RgbaImage::from_fn(width / 2, height / 2, |x, y| {
            let mut sum = [0_u16; 4];
            for (dx, dy) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
                let pixel = last.get_pixel(2 * x + dx, 2 * y + dy);
                for (total, &channel) in sum.iter_mut().zip(&pixel.0) {
                    *total += u16::from(channel);
                }
            }
            image::Rgba(sum.map(|total| ((total + 2) / 4) as u8))
        }));
    }
    chain
}

pub(crate) fn extent((width, height): (u32, u32)) -> wgpu::Extent3d {
    wgpu::Extent3d {
        width,
        height,
        depth_or_array_layers: 1,
    }
}

pub(crate) fn upload(
    queue: &wgpu::Queue,
    texture: &wgpu::Texture,
    mip_level: u32,
    size: (u32, u32),
    texel_bytes: u32,
    data: &[u8],
) {
    queue.write_texture(
        wgpu::TexelCopyTextureInfo {
            texture,
            mip_level,
            origin: wgpu::Origin3d::ZERO,
            aspect: wgpu::TextureAspect::All,
        },
        data,
        wgpu::TexelCopyBufferLayout {
            offset: 0,
            bytes_per_row: Some(size.0 * texel_bytes),
            rows_per_image: None,
        },
        extent(size),
    );
}
