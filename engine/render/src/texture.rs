//! Making and filling textures.

pub(crate) fn extent((width, height): (u32, u32)) -> wgpu::Extent3d {
    wgpu::Extent3d {
        width,
        height,
        depth_or_array_layers: 1,
    }
}

/// A texture that is sampled and written by [`upload`].
pub(crate) fn texture(
    device: &wgpu::Device,
    size: (u32, u32),
    mip_level_count: u32,
    format: wgpu::TextureFormat,
) -> wgpu::Texture {
    device.create_texture(&wgpu::TextureDescriptor {
        label: None,
        size: extent(size),
        mip_level_count,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
        view_formats: &[],
    })
}

/// Writes a whole mip level; `data` holds its rows without gaps.
pub(crate) fn upload(
    queue: &wgpu::Queue,
    texture: &wgpu::Texture,
    mip_level: u32,
    size: (u32, u32),
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
            bytes_per_row: Some(data.len() as u32 / size.1),
            rows_per_image: None,
        },
        extent(size),
    );
}
