//! The order units are drawn in: the ones further down the screen later, ties by id.

/// Sorts items by a height, equal ones left in their order: a radix sort on the height's place in
/// the range that most lie in, in two passes of 11 bits, and insertions for what is nearer together
/// than its 22 bits tell.
pub(crate) struct DrawOrder {
    keys: Vec<(u32, u32)>,
    other: Vec<(u32, u32)>,
}

const DIGIT: usize = 11;
const PASSES: usize = 2;
const BUCKETS: usize = 1 << DIGIT;

impl DrawOrder {
    pub(crate) fn new() -> Self {
        Self {
            keys: Vec::new(),
            other: Vec::new(),
        }
    }

    /// Puts `items` into `sorted`.
    pub(crate) fn sort<T: Copy>(
        &mut self,
        items: &[T],
        height: impl Fn(&T) -> f32,
        [low, high]: [f32; 2],
        sorted: &mut Vec<T>,
    ) {
        let last = (1_u32 << (PASSES * DIGIT)) - 1;
        let scale = last as f32 / (high - low).max(f32::MIN_POSITIVE);
        let mut counts = [[0_u32; BUCKETS]; PASSES];
        self.keys.clear();
        self.keys.extend(items.iter().zip(0..).map(|(item, index)| {
            let key = (((height(item) - low) * scale) as u32).min(last);
            for (pass, counts) in counts.iter_mut().enumerate() {
                counts[digit(key, pass)] += 1;
            }
            (key, index)
        }));
        self.other.resize(self.keys.len(), (0, 0));
        for (pass, starts) in counts.iter_mut().enumerate() {
            let mut next = 0;
            for start in starts.iter_mut() {
                next += std::mem::replace(start, next);
            }
            for &pair in &self.keys {
                let slot = &mut starts[digit(pair.0, pass)];
                self.other[*slot as usize] = pair;
                *slot += 1;
            }
            std::mem::swap(&mut self.keys, &mut self.other);
        }
        sorted.clear();
        sorted.reserve(items.len());
        for &(_, index) in &self.keys {
            let item = items[index as usize];
            sorted.push(item);
            let mut place = sorted.len() - 1;
            while place > 0 && height(&sorted[place - 1]) > height(&item) {
                sorted.swap(place - 1, place);
                place -= 1;
            }
        }
    }
}

fn digit(key: u32, pass: usize) -> usize {
    (key >> (pass * DIGIT)) as usize & (BUCKETS - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sorted(heights: &[f32], range: [f32; 2]) -> Vec<usize> {
        let items: Vec<(f32, usize)> = heights.iter().copied().zip(0..).collect();
        let mut sorted = Vec::new();
        DrawOrder::new().sort(&items, |item| item.0, range, &mut sorted);
        sorted.into_iter().map(|(_, index)| index).collect()
    }

    #[test]
    fn the_order_is_that_of_a_stable_sort_by_height() {
        let mut state = 1_u32;
        let mut random = move || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            state >> 8
        };
        // Many ties, some closer than the keys tell, some outside the range.
        let heights: Vec<f32> = (0..10_000)
            .map(|_| (random() % 4000) as f32 * 0.25 + (random() % 3) as f32 * 1e-4)
            .collect();
        for range in [[0.0, 1000.0], [-1e6, 1e6], [400.0, 410.0]] {
            let mut expected: Vec<usize> = (0..heights.len()).collect();
            expected.sort_by(|&a, &b| heights[a].total_cmp(&heights[b]));
            assert_eq!(sorted(&heights, range), expected);
        }
    }

    #[test]
    fn nothing_and_equal_heights_keep_their_order() {
        assert!(sorted(&[], [0.0, 1.0]).is_empty());
        assert_eq!(sorted(&[2.0; 5], [0.0, 9.0]), [0, 1, 2, 3, 4]);
        assert_eq!(sorted(&[2.0; 3], [2.0, 2.0]), [0, 1, 2]);
    }
}
