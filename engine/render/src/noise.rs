//! Noise for the ground's grain.

use crate::texture;

/// Texels of a side of the noise picture.
const NOISE: u32 = 256;

/// A number that looks drawn by lot for a place.
fn hash(x: u32, y: u32) -> u32 {
    let mut h = x.wrapping_mul(0x9e37_79b9) ^ y.wrapping_mul(0x85eb_ca6b);
    h = (h ^ h >> 15).wrapping_mul(0x2c1b_3c6d);
    h = (h ^ h >> 12).wrapping_mul(0x297a_2d39);
    h ^ h >> 15
}

/// Tileable noise: fine grain in red, patches in green, ripples in blue, blades of grass in alpha;
/// with mip levels.
pub(crate) fn texture(device: &wgpu::Device, queue: &wgpu::Queue) -> wgpu::TextureView {
    let levels = NOISE.ilog2() + 1;
    let texture = texture::texture(
        device,
        (NOISE, NOISE),
        levels,
        wgpu::TextureFormat::Rgba8Unorm,
    );
    let blades = blades();
    let mut texels: Vec<[f32; 4]> = (0..NOISE * NOISE)
        .map(|index| {
            let (x, y) = (index % NOISE, index / NOISE);
            [
                octaves(x, y, 128, 2, 0),
                octaves(x, y, 8, 4, 77),
                octaves(x, y, 32, 2, 191),
                blades[index as usize],
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

/// Tufts of three blades each, one in every square of a lattice, somewhere in it: dark ones under a
/// half, bright ones over it.
fn blades() -> Vec<f32> {
    const PITCH: u32 = 11;
    const LENGTH: f32 = 7.0;
    let mut texels = vec![0.5_f32; (NOISE * NOISE) as usize];
    for tuft in 0..(NOISE / PITCH).pow(2) {
        let (column, row) = (tuft % (NOISE / PITCH), tuft / (NOISE / PITCH));
        let lot = |salt: u32| (hash(column + salt, row + 31) & 0xffff) as f32 / 65535.0;
        // Some squares stay bare.
        if lot(3) < 0.35 {
            continue;
        }
        let root = [
            (column as f32 + lot(71)) * PITCH as f32,
            (row as f32 + lot(113)) * PITCH as f32,
        ];
        let (turn, bright) = (lot(151) * std::f32::consts::TAU, lot(197) < 0.45);
        let (shade, length) = (
            if bright { 0.62 } else { 0.34 },
            LENGTH * (0.6 + 0.4 * lot(229)),
        );
        for spread in [-0.5, 0.0, 0.5] {
            let (sin, cos) = (turn + spread).sin_cos();
            for step in 0..=(2.0 * length) as u32 {
                let along = step as f32 * 0.5;
                let at = [root[0] + cos * along, root[1] + sin * along];
                let [x, y] = at.map(|v| v.rem_euclid(NOISE as f32) as u32 % NOISE);
                texels[(y * NOISE + x) as usize] = shade;
            }
        }
    }
    texels
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
