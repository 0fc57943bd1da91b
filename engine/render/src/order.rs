//! The order units are drawn in: the ones further down the screen later, ties as they come.

/// Sorts items by a height, equal ones left in their order: a counting sort into narrow bands, about
/// half an item each, and insertions for what is out of order within them.
#[derive(Default)]
pub(crate) struct DrawOrder {
    /// Where the next item of each band goes.
    places: Vec<u32>,
}

/// At most so many bands, for the counters to stay in the cache.
const MAX_BANDS: usize = 1 << 18;
/// Bands with more items are sorted by themselves: insertions would take too long.
const CROWDED: u32 = 32;

impl DrawOrder {
    /// Puts slices of `items`, whose heights are numbers and mostly in a range, into `sorted`,
    /// which is as long.
    pub(crate) fn sort<'a, T: Copy + 'a>(
        &mut self,
        items: impl Iterator<Item = &'a [T]> + Clone,
        height: impl Fn(&T) -> f32,
        [low, high]: [f32; 2],
        sorted: &mut [T],
    ) {
        let bands = (2 * sorted.len()).next_power_of_two().min(MAX_BANDS);
        let last = (bands - 1) as f32;
        let scale = last / (high - low).max(1e-20);
        let band = |item: &T| whole(((height(item) - low) * scale).clamp(0.0, last)) as usize;
        self.places.clear();
        self.places.resize(bands, 0);
        for slice in items.clone() {
            for item in slice {
                self.places[band(item)] += 1;
            }
        }
        let (mut next, mut most) = (0, 0);
        for place in &mut self.places {
            most = most.max(*place);
            next += std::mem::replace(place, next);
        }
        for slice in items {
            for item in slice {
                let place = &mut self.places[band(item)];
                sorted[*place as usize] = *item;
                *place += 1;
            }
        }
        if most > CROWDED {
            let mut start = 0;
            for &end in &self.places {
                if end - start > CROWDED {
                    sorted[start as usize..end as usize]
                        .sort_by(|a, b| height(a).total_cmp(&height(b)));
                }
                start = end;
            }
        }
        let mut before = f32::NEG_INFINITY;
        for at in 0..sorted.len() {
            let item = sorted[at];
            if height(&item) >= before {
                before = height(&item);
                continue;
            }
            let mut to = at;
            while to > 0 && height(&sorted[to - 1]) > height(&item) {
                sorted[to] = sorted[to - 1];
                to -= 1;
            }
            sorted[to] = item;
        }
    }
}

/// The nearest whole number to one from 0 to 2^22; faster than a cast, which knows all numbers.
pub(crate) fn whole(number: f32) -> u32 {
    const UNIT: f32 = (1 << 23) as f32;
    (number + UNIT).to_bits().wrapping_sub(UNIT.to_bits())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sorted(heights: &[f32], range: [f32; 2]) -> Vec<usize> {
        let items: Vec<(f32, usize)> = heights.iter().copied().zip(0..).collect();
        let mut sorted = vec![(0.0, 0); items.len()];
        DrawOrder::default().sort(items.chunks(777), |item| item.0, range, &mut sorted);
        sorted.into_iter().map(|(_, index)| index).collect()
    }

    #[test]
    fn the_order_is_that_of_a_stable_sort_by_height() {
        let mut state = 1_u32;
        let mut random = move || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            state >> 8
        };
        // Many ties, some closer than the bands tell, some outside the range.
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
        assert_eq!(sorted(&[2.0; 100], [2.0, 2.0]), Vec::from_iter(0..100));
    }
}
