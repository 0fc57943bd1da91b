//! Noise for the ground's grain.

use crate::texture;

/// Texels of a side of the noise picture.
const NOISE: u32 = 256;

/// A number that looks drawn by lot for a place.
pub(crate) fn hash(x: u32, y: u32) -> u32 {
    let mut h = x.wrapping_mul(0x9e37_79b9) ^ y.wrapping_mul(0x85eb_ca6b);
    h = (h ^ h >> 15).wrapping_mul(0x2c1b_3c6d);
    h = (h ^ h >> 12).wrapping_mul(0x297a_2d39);
    h ^ h >> 15
}

/// Tileable noise: fine grain in red, patches in green, ripples in blue; with mip levels.
pub(crate) fn texture(device: &wgpu::Device, queue: &wgpu::Queue) -> wgpu::TextureView {
    let levels = NOISE.ilog2() + 1;
    let texture = texture::texture(
        device,
        (NOISE, NOISE),
        levels,
        wgpu::TextureFormat::Rgba8Unorm,
    );
    let mut texels: Vec<[f32; 4]> = (0..NOISE * NOISE)
        .map(|index| {
            let (x, y) = (index % NOISE, index / NOISE);
            [
                octaves(x, y, 128, 2, 0),
                octaves(x, y, 8, 4, 77),
                octaves(x, y, 32, 2, 191),
                1.0,
            ]
        })
        .collect();
    let mut side = NOISE;
    for level in 0..levels {
        let bytes: Vec<[u8; 4]> = texels
            .iter()
            .map(|texel| texel.map(|value| (value * 255.0).round() as u8))
            .collect();
        texture::upload(
            queue,
            &texture,
            level,
            (side, side),
            bytemuck::cast_slice(&bytes),
        );
        let half = side / 2;
        texels = (0..half * half)
            .map(|index| {
                let at = |dx, dy| {
                    texels[((index / half * 2 + dy) * side + index % half * 2 + dx) as usize]
                };
                let four = [at(0, 0), at(1, 0), at(0, 1), at(1, 1)];
                std::array::from_fn(|c| four.iter().map(|texel| texel[c]).sum::<f32>() * 0.25)
            })
            .collect();
        side = half;
    }
    texture.create_view(&Default::default())
}

/// Value noise with `count` octaves from `period` lattice points a side; 0 to 1.
fn octaves(x: u32, y: u32, period: u32, count: u32, salt: u32) -> f32 {
    let (mut sum, mut total, mut weight) = (0.0, 0.0, 1.0);
    for octave in 0..count {
        let period = (period << octave).min(NOISE);
        let cell = NOISE / period;
        let smooth = |at: u32| {
            let t = (at % cell) as f32 / cell as f32;
            t * t * (3.0 - 2.0 * t)
        };
        let value = |dx: u32, dy: u32| {
            let (column, row) = ((x / cell + dx) % period, (y / cell + dy) % period);
            (hash(column + salt, row + octave * 1013) & 0xffff) as f32 / 65535.0
        };
        let mix = |a: f32, b: f32, t: f32| a + (b - a) * t;
        let top = mix(value(0, 0), value(1, 0), smooth(x));
        let bottom = mix(value(0, 1), value(1, 1), smooth(x));
        sum += weight * mix(top, bottom, smooth(y));
        total += weight;
        weight *= 0.5;
    }
    sum / total
}
