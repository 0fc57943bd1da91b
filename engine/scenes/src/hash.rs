//! Counter-based randomness: a value is a pure function of a seed and a counter, so that it does
//! not depend on the order in which values are drawn.

/// The `n`-th 64-bit draw of a seed (the finaliser of SplitMix64, applied to both in turn).
pub(crate) fn draw(seed: u64, n: u64) -> u64 {
    mix(mix(seed).wrapping_add(n))
}

/// The `n`-th draw of a seed, uniform in [0, 1), exact in f32.
pub(crate) fn unit(seed: u64, n: u64) -> f32 {
    (draw(seed, n) >> 40) as f32 / (1u32 << 24) as f32
}

fn mix(x: u64) -> u64 {
    let x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_are_spread_over_the_unit_interval() {
        let mean = (0..10_000).map(|n| f64::from(unit(7, n))).sum::<f64>() / 10_000.0;
        assert!((mean - 0.5).abs() < 0.01, "{mean}");
        assert!((0..10_000).all(|n| (0.0..1.0).contains(&unit(3, n))));
    }

    #[test]
    fn seed_and_counter_both_count() {
        assert_ne!(draw(1, 2), draw(2, 1));
        assert_ne!(draw(1, 2), draw(1, 3));
        assert_eq!(draw(5, 9), draw(5, 9));
    }
}
