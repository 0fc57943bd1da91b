//! The order units are drawn in: the ones further down the screen later, ties by id.

/// Sorts `(y, index)` pairs by y, keeping the given order of equal y, with a radix sort on the
/// bits of the number: 11 bits a pass, passes in which all agree are left out.
pub(crate) struct DrawOrder {
    keys: Vec<(u32, u32)>,
    other: Vec<(u32, u32)>,
}

const DIGIT: u32 = 11;
const BUCKETS: usize = 1 << DIGIT;

impl DrawOrder {
    pub(crate) fn new() -> Self {
        Self {
            keys: Vec::new(),
            other: Vec::new(),
        }
    }

    /// The indices `0..ys.len()` in drawing order.
    pub(crate) fn sort(&mut self, ys: impl Iterator<Item = f32>) -> impl Iterator<Item = usize> {
        self.keys.clear();
        self.keys
            .extend(ys.zip(0..).map(|(y, index)| (rising_bits(y), index)));
        self.other.resize(self.keys.len(), (0, 0));
        for shift in [0, DIGIT, 2 * DIGIT] {
            let mut starts = [0_u32; BUCKETS];
            for &(key, _) in &self.keys {
                starts[digit(key, shift)] += 1;
            }
            if starts
                .iter()
                .any(|&count| count as usize == self.keys.len())
            {
                continue;
            }
            let mut next = 0;
            for start in &mut starts {
                next += std::mem::replace(start, next);
            }
            for &pair in &self.keys {
                let slot = &mut starts[digit(pair.0, shift)];
                self.other[*slot as usize] = pair;
                *slot += 1;
            }
            std::mem::swap(&mut self.keys, &mut self.other);
        }
        self.keys.iter().map(|&(_, index)| index as usize)
    }
}

fn digit(key: u32, shift: u32) -> usize {
    (key >> shift) as usize & (BUCKETS - 1)
}

/// Bits whose order as integers is that of the numbers.
fn rising_bits(y: f32) -> u32 {
    let bits = y.to_bits();
    if bits >> 31 == 0 {
        bits | 1 << 31
    } else {
        !bits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_is_that_of_a_stable_sort_by_y() {
        let mut state = 1_u32;
        let ys: Vec<f32> = (0..10_000)
            .map(|_| {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                // Many ties, both signs, many magnitudes.
                ((state >> 20) as f32 - 2000.0) * 0.25
            })
            .collect();
        let mut expected: Vec<usize> = (0..ys.len()).collect();
        expected.sort_by(|&a, &b| ys[a].total_cmp(&ys[b]));
        let sorted: Vec<usize> = DrawOrder::new().sort(ys.iter().copied()).collect();
        assert_eq!(sorted, expected);
    }

    #[test]
    fn nothing_and_equal_heights_keep_their_order() {
        let mut order = DrawOrder::new();
        assert_eq!(order.sort(std::iter::empty()).count(), 0);
        assert_eq!(
            order.sort([2.0; 5].into_iter()).collect::<Vec<_>>(),
            [0, 1, 2, 3, 4]
        );
    }
}
