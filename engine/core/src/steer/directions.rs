//! The 64 directions: the one source of trigonometry in the simulation.
//!
//! Direction `i` points `i * 360 / 64` degrees from +x towards +y. The table is filled once with
//! `libm`, whose results are the same on every machine.

use std::sync::LazyLock;

use glam::Vec2;

/// Number of directions in a mask: one `u64`.
pub const COUNT: usize = 64;

static TABLE: LazyLock<[Vec2; COUNT]> = LazyLock::new(|| {
    std::array::from_fn(|i| unit(i as f32 * (std::f32::consts::TAU / COUNT as f32)))
});

/// All directions as unit vectors.
pub fn table() -> &'static [Vec2; COUNT] {
    &TABLE
}

/// The unit vector of direction `i` (taken modulo 64).
pub fn vector(i: u32) -> Vec2 {
    TABLE[(i as usize) & (COUNT - 1)]
}

/// The unit vector at an angle in radians.
pub fn unit(angle: f32) -> Vec2 {
    Vec2::new(libm::cosf(angle), libm::sinf(angle))
}

/// The angle of a vector in radians, in (-pi, pi]; 0 for the zero vector.
pub fn angle(v: Vec2) -> f32 {
    if v == Vec2::ZERO {
        0.0
    } else {
        libm::atan2f(v.y, v.x)
    }
}

/// The direction nearest to a vector, as a number of sixty-fourths of a turn in [0, 64).
pub fn nearest(v: Vec2) -> u32 {
    let turns = angle(v) * (COUNT as f32 / std::f32::consts::TAU);
    // `+ 64.5` keeps the value positive before truncation.
    ((turns + COUNT as f32 + 0.5) as u32) & (COUNT as u32 - 1)
}
