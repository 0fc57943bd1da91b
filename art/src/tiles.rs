//! Seamless ground tiles of 32 x 32 pixels: grass, earth, walls, water, shallows and swamp.
//!
//! Each kind is one picture of 128 x 128 pixels that repeats without a seam, cut in sixteen: tile
//! `(column mod 4) + 4 * (row mod 4)` belongs to a cell. Water has eight such pictures in a
//! row of frames of 32 x 32 that repeat by themselves.

use image::{Rgba, RgbaImage, imageops};

use crate::canvas::{Tone, lerp, wave};
use crate::sheet::{Clip, Sheet};

/// Side of a tile.
const TILE: u32 = 32;
/// Tiles along a side of a kind's picture.
const ACROSS: u32 = 4;

/// A number from 0 to 1 for a lattice point.
fn hash(x: u32, y: u32, salt: u32) -> f32 {
    let mut h =
        x.wrapping_mul(0x85eb_ca6b) ^ y.wrapping_mul(0xc2b2_ae35) ^ salt.wrapping_mul(0x27d4_eb2f);
    h = (h ^ (h >> 15)).wrapping_mul(0x2c1b_3c6d);
    h = (h ^ (h >> 12)).wrapping_mul(0x297a_2d39);
    (h ^ (h >> 15)) as f32 / u32::MAX as f32
}

/// Value noise with `cells` lattice cells over a picture of `side` pixels, which repeats.
fn noise(x: f32, y: f32, side: f32, cells: u32, salt: u32) -> f32 {
    let (u, v) = (x / side * cells as f32, y / side * cells as f32);
    let (column, row) = (u.floor(), v.floor());
    let smooth = |t: f32| t * t * (3.0 - 2.0 * t);
    let (s, t) = (smooth(u - column), smooth(v - row));
    let at = |dx: u32, dy: u32| {
        let wrap = |lattice: f32, step| (lattice.rem_euclid(cells as f32) as u32 + step) % cells;
        hash(wrap(column, dx), wrap(row, dy), salt)
    };
    lerp(lerp(at(0, 0), at(1, 0), s), lerp(at(0, 1), at(1, 1), s), t)
}

/// Noise of three sizes, from 0 to 1 around a half.
fn rough(x: f32, y: f32, side: f32, cells: u32, salt: u32) -> f32 {
    0.5 * noise(x, y, side, cells, salt)
        + 0.3 * noise(x, y, side, cells * 2, salt + 1)
        + 0.2 * noise(x, y, side, cells * 4, salt + 2)
}

/// The nearest of a few steps: flat patches in the manner of the sprites, and small files.
fn steps(value: f32, count: f32) -> f32 {
    (value.clamp(0.0, 1.0) * count).round() / count
}

fn picture(side: u32, tone: impl Fn(f32, f32) -> Tone) -> RgbaImage {
    RgbaImage::from_fn(side, side, |x, y| {
        let Tone(r, g, b) = tone(x as f32 + 0.5, y as f32 + 0.5);
        Rgba([r, g, b, 255])
    })
}

/// Sixteen tiles of a picture.
fn cut(picture: &RgbaImage) -> Vec<RgbaImage> {
    (0..ACROSS * ACROSS)
        .map(|i| {
            let (x, y) = (i % ACROSS * TILE, i / ACROSS * TILE);
            imageops::crop_imm(picture, x, y, TILE, TILE).to_image()
        })
        .collect()
}

/// Marks scattered over a repeating picture, one in each cell of a jittered grid: the offset from
/// the nearest mark and a number of its own.
fn scatter(x: f32, y: f32, side: f32, cells: u32, salt: u32) -> (f32, f32, f32) {
    let pitch = side / cells as f32;
    let (column, row) = ((x / pitch).floor() as i32, (y / pitch).floor() as i32);
    let mut best = (f32::MAX, 0.0, 0.0, 0.0);
    for dy in -1..=1 {
        for dx in -1..=1 {
            let wrap = |cell: i32| cell.rem_euclid(cells as i32) as u32;
            let (cx, cy) = (wrap(column + dx), wrap(row + dy));
            let px = ((column + dx) as f32 + 0.2 + 0.6 * hash(cx, cy, salt)) * pitch;
            let py = ((row + dy) as f32 + 0.2 + 0.6 * hash(cx, cy, salt + 7)) * pitch;
            let (ox, oy) = (x - px, y - py);
            let distance = ox * ox + oy * oy;
            if distance < best.0 {
                best = (distance, ox, oy, hash(cx, cy, salt + 13));
            }
        }
    }
    (best.1, best.2, best.3)
}

fn grass(x: f32, y: f32) -> Tone {
    let side = (TILE * ACROSS) as f32;
    let base = Tone(98, 122, 62).mix(Tone(122, 142, 74), steps(rough(x, y, side, 4, 1), 5.0));
    let (ox, oy, kind) = scatter(x, y, side, 14, 3);
    // A tuft is three short blades; one in nine is a flower.
    let blade = |dx: f32, lean: f32| (ox - dx - lean * oy).abs() < 0.55 && oy.abs() < 2.0;
    if kind > 0.9 && ox * ox + oy * oy < 1.3 {
        return Tone(226, 214, 140);
    }
    if kind < 0.55 && (blade(0.0, 0.0) || blade(-1.6, -0.4) || blade(1.6, 0.4)) {
        return Tone(82, 106, 50).mix(Tone(142, 160, 88), f32::from(u8::from(kind < 0.25)));
    }
    base
}

fn earth(x: f32, y: f32) -> Tone {
    let side = (TILE * ACROSS) as f32;
    let base = Tone(150, 122, 86).mix(Tone(176, 148, 106), steps(rough(x, y, side, 4, 21), 5.0));
    let (ox, oy, kind) = scatter(x, y, side, 12, 23);
    let size = 0.8 + 1.4 * kind;
    if kind > 0.55 && ox * ox + oy * oy * 1.5 < size * size {
        return if oy < -0.2 {
            Tone(196, 178, 146)
        } else {
            Tone(120, 98, 70)
        };
    }
    base
}

fn swamp(x: f32, y: f32) -> Tone {
    let side = (TILE * ACROSS) as f32;
    let level = rough(x, y, side, 5, 41);
    let base = Tone(84, 92, 56).mix(Tone(112, 112, 66), steps(level, 5.0));
    if level < 0.4 {
        return Tone(58, 76, 62).mix(Tone(72, 92, 74), steps(level / 0.4, 2.0));
    }
    let (ox, oy, kind) = scatter(x, y, side, 12, 43);
    let reed = |dx: f32| (ox - dx).abs() < 0.6 && (-3.0..2.0).contains(&oy);
    if kind < 0.3 && (reed(0.0) || reed(-1.8)) {
        return Tone(150, 140, 76);
    }
    base
}

/// Courses of hewn stones, lit from above.
fn wall(x: f32, y: f32) -> Tone {
    let side = (TILE * ACROSS) as f32;
    let (course, height) = ((y / 16.0).floor(), 16.0);
    let shift = if course as i32 % 2 == 0 { 0.0 } else { 10.0 };
    let wide = side / 6.0;
    let stone = ((x + shift) / wide).floor();
    let (u, v) = ((x + shift) - stone * wide, y - course * height);
    let edge = u.min(wide - u).min(v).min(height - v);
    let own = hash(stone.rem_euclid(6.0) as u32, course as u32, 61);
    let grain = steps(rough(x, y, side, 8, 63), 4.0) - 0.5;
    let base = Tone(126, 122, 116).mix(
        Tone(164, 158, 148),
        (own * 0.8 + grain * 0.5 + 0.1).clamp(0.0, 1.0),
    );
    if edge < 1.0 {
        return Tone(66, 62, 60);
    }
    if edge < 2.4 {
        let lit = v < 2.4 || u < 2.4;
        return if lit {
            base.mix(Tone(214, 208, 196), 0.5)
        } else {
            base.mix(Tone(70, 66, 64), 0.5)
        };
    }
    base
}

/// Ripples that drift and come back after a turn: `depth` of 1 is deep water.
fn water(x: f32, y: f32, turn: f32, depth: f32) -> Tone {
    let side = TILE as f32;
    let (sin, cos) = wave(turn);
    let drift = |salt| noise(x + 3.0 * sin, y + 3.0 * cos, side, 4, salt);
    let level = 0.6 * drift(81) + 0.4 * noise(x - 4.0 * cos, y + 2.0 * sin, side, 8, 83);
    let (low, high) = (Tone(40, 88, 132), Tone(62, 116, 158));
    let (bed, shoal) = (Tone(112, 146, 136), Tone(138, 168, 150));
    let base = bed
        .mix(low, depth)
        .mix(shoal.mix(high, depth), steps(level, 4.0));
    // Bright lines where the surface is level.
    let crest = (level - 0.52).abs();
    if crest < 0.02 {
        base.mix(Tone(214, 236, 240), 0.55)
    } else {
        base
    }
}

/// The tiles' sheet.
pub fn sheet() -> Sheet {
    let side = TILE * ACROSS;
    let ripples = |depth: f32| {
        (0..8)
            .map(|i| picture(TILE, |x, y| water(x, y, i as f32 / 8.0, depth)))
            .collect()
    };
    let still = "rate = 1.0";
    Sheet {
        name: "tiles",
        about: "Ground: tile (column mod 4) + 4 (row mod 4) of a kind belongs to a cell; water moves.",
        body: None,
        clips: vec![
            Clip {
                name: "grass",
                keys: still,
                frames: cut(&picture(side, grass)),
            },
            Clip {
                name: "earth",
                keys: still,
                frames: cut(&picture(side, earth)),
            },
            Clip {
                name: "swamp",
                keys: still,
                frames: cut(&picture(side, swamp)),
            },
            Clip {
                name: "wall",
                keys: still,
                frames: cut(&picture(side, wall)),
            },
            Clip {
                name: "water",
                keys: "rate = 6.0",
                frames: ripples(1.0),
            },
            Clip {
                name: "shallow",
                keys: "rate = 6.0",
                frames: ripples(0.0),
            },
        ],
    }
}
