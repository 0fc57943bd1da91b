//! Randomness by counter: a draw depends on seed, unit, tick and stream only, never on the order
//! in which units are asked.

use crate::components::UnitId;

/// 64 bits for a unit, a tick and a stream (several draws in one tick use different streams), by
/// the finaliser of SplitMix64 (Steele, Lea, Flood 2014) applied to each in turn.
pub fn bits(seed: u64, unit: UnitId, tick: u64, stream: u32) -> u64 {
    let mut hash = mix(seed ^ 0x9e37_79b9_7f4a_7c15);
    hash = mix(hash ^ u64::from(unit.0));
    hash = mix(hash ^ tick);
    mix(hash ^ u64::from(stream))
}

/// A uniform number in [0, 1).
pub fn unit(seed: u64, unit: UnitId, tick: u64, stream: u32) -> f32 {
    (bits(seed, unit, tick, stream) >> 40) as f32 / (1 << 24) as f32
}

fn mix(mut x: u64) -> u64 {
    x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_are_spread_and_differ_by_every_part_of_the_counter() {
        let mut bins = [0; 10];
        for i in 0..10_000 {
            bins[(unit(7, UnitId(i), 3, 0) * 10.0) as usize] += 1;
        }
        assert!(bins.iter().all(|&n| (900..1100).contains(&n)), "{bins:?}");
        let all = [
            bits(1, UnitId(2), 3, 4),
            bits(2, UnitId(2), 3, 4),
            bits(1, UnitId(3), 3, 4),
            bits(1, UnitId(2), 4, 4),
            bits(1, UnitId(2), 3, 5),
        ];
        for (i, a) in all.iter().enumerate() {
            assert!(all[..i].iter().all(|b| a != b));
        }
    }
}
