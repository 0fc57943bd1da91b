//! Where units start: a packed lattice inside the area of their entry.
//!
//! Tried in this order, and the first that holds all units is taken: the square lattice, the
//! hexagonal one with whole rows, the hexagonal one with whole columns, all of spacing 2.05 r; each
//! first centred in the box, then at its top left corner, then shifted by quarters of its spacing.
//! Where a lattice holds more points than are needed, those nearest to the centre of the box are
//! taken, so that a group starts as one round crowd. Units are numbered along the rows.

use glam::{DVec2, Vec2, Vec2Swizzles as _};
use throng::Map;

use crate::error::{Problem, ScenarioError};
use crate::scenario::UnitEntry;

/// Distance of lattice points, in radii: touching discs would be 2.
const SPACING: f64 = 2.05;
/// Overlap that counts as touching, in cells: above the rounding of f32 coordinates of tiny discs.
const TOUCH: f64 = 1e-6;
/// Row distance of a hexagonal lattice, in spacings.
const HEX_ROW: f64 = 0.866_025_403_784_438_6;

#[derive(Clone, Copy)]
enum Lattice {
    Square,
    HexRows,
    HexColumns,
}

/// Places the entries of a scenario one after the other, none over another.
pub(crate) struct Placer<'a> {
    map: &'a Map,
    taken: Taken,
}

impl<'a> Placer<'a> {
    /// Starts with an empty map; `entries` are all that will be placed.
    pub(crate) fn new(map: &'a Map, entries: &[UnitEntry]) -> Self {
        let largest = entries.iter().map(|e| e.radius).fold(0.25, f32::max);
        Self {
            map,
            taken: Taken::new(map, 2.0 * f64::from(largest)),
        }
    }

    /// Centres of the units of an entry.
    ///
    /// # Errors
    /// The area has no room for them; `index` is the entry's in the file.
    pub(crate) fn place(
        &mut self,
        index: usize,
        entry: &UnitEntry,
    ) -> Result<Vec<Vec2>, ScenarioError> {
        let count = entry.count as usize;
        let mut room = 0;
        for lattice in [Lattice::Square, Lattice::HexRows, Lattice::HexColumns] {
            for phase in phases() {
                let mut points = self.candidates(entry, lattice, phase);
                room = room.max(points.len());
                if points.len() >= count {
                    keep_central(&mut points, count, centre(entry.area));
                    for p in &points {
                        self.taken.add(*p, f64::from(entry.radius));
                    }
                    return Ok(points.iter().map(|p| p.as_vec2()).collect());
                }
            }
        }
        let problem = Problem::NoRoom {
            count: entry.count,
            room,
            radius: entry.radius,
        };
        Err(ScenarioError::at(format!("units[{index}].area"), problem).on_line(entry.line))
    }

    /// The free points of a lattice, along its rows. `phase` shifts it by shares of its spacing;
    /// `None` centres it.
    fn candidates(&self, entry: &UnitEntry, lattice: Lattice, phase: Option<DVec2>) -> Vec<DVec2> {
        let radius = f64::from(entry.radius);
        let [x0, y0, x1, y1] = entry.area.map(f64::from);
        let x1 = x1.min(f64::from(self.map.width()));
        let y1 = y1.min(f64::from(self.map.height()));
        // Work in a frame in which rows are whole: columns are the rows of the transposed box.
        let turned = matches!(lattice, Lattice::HexColumns);
        let turn = |p: DVec2| if turned { p.yx() } else { p };
        let low = turn(DVec2::new(x0, y0)) + radius;
        let size = turn(DVec2::new(x1 - x0, y1 - y0)) - 2.0 * radius;
        if size.min_element() < -TOUCH {
            return Vec::new();
        }
        let size = size.max(DVec2::ZERO);
        let (step, row, lag) = match lattice {
            Lattice::Square => (SPACING * radius, SPACING * radius, 0.0),
            Lattice::HexRows | Lattice::HexColumns => (
                SPACING * radius,
                SPACING * radius * HEX_ROW,
                SPACING * radius * 0.5,
            ),
        };
        let shift = match phase {
            Some(share) => DVec2::new(share.x * step, share.y * row),
            None => {
                let spare = size.x % step;
                let spare = if spare >= lag { spare - lag } else { spare };
                DVec2::new(spare, size.y % row) * 0.5
            }
        };
        let mut points = Vec::new();
        let mut line = 0u32;
        loop {
            let y = shift.y + f64::from(line) * row;
            if y > size.y + TOUCH {
                break;
            }
            let start = shift.x + if line % 2 == 1 { lag } else { 0.0 };
            let mut i = 0u32;
            loop {
                let x = start + f64::from(i) * step;
                if x > size.x + TOUCH {
                    break;
                }
                let p = turn(low + DVec2::new(x, y).min(size));
                if clear(self.map, p, radius) && self.taken.free(p, radius) {
                    points.push(p);
                }
                i += 1;
            }
            line += 1;
            // Those that would go in the end go now: a large map has more points than memory.
            if points.len() > 2 * entry.count as usize + SPARE {
                keep_central(&mut points, entry.count as usize, centre(entry.area));
            }
        }
        points
    }
}

/// Points beyond twice the number wanted that are held until those far out are dropped.
const SPARE: usize = 1 << 20;

/// The shifts of a lattice in the order they are tried.
fn phases() -> impl Iterator<Item = Option<DVec2>> {
    let quarters = (0..16).map(|i| DVec2::new(f64::from(i % 4), f64::from(i / 4)) * 0.25);
    std::iter::once(None).chain(quarters.map(Some))
}

fn centre([x0, y0, x1, y1]: [f32; 4]) -> DVec2 {
    Vec2::new(x0 + x1, y0 + y1).as_dvec2() * 0.5
}

/// Keeps the `count` points nearest to `centre` (of equally near ones the first), in their order.
fn keep_central(points: &mut Vec<DVec2>, count: usize, centre: DVec2) {
    if points.len() <= count {
        return;
    }
    let mut order: Vec<usize> = (0..points.len()).collect();
    order.select_nth_unstable_by(count, |&a, &b| {
        let far = |i: usize| points[i].distance_squared(centre);
        far(a).total_cmp(&far(b)).then(a.cmp(&b))
    });
    order.truncate(count);
    order.sort_unstable();
    *points = order.into_iter().map(|i| points[i]).collect();
}

/// Whether a disc overlaps no cell that is blocked to land units and lies inside the map.
fn clear(map: &Map, p: DVec2, radius: f64) -> bool {
    let reach = radius - TOUCH;
    let low = (p - reach).floor().as_ivec2();
    let high = (p + reach).floor().as_ivec2();
    (low.y..=high.y).all(|y| {
        (low.x..=high.x).all(|x| {
            let cell = DVec2::new(f64::from(x), f64::from(y));
            !map.is_blocked(x, y) || p.clamp(cell, cell + 1.0).distance_squared(p) >= reach * reach
        })
    })
}

/// The discs placed so far, in a grid of buckets no smaller than any two of them together.
struct Taken {
    bucket: f64,
    columns: usize,
    rows: usize,
    /// Last disc of each bucket, as an index into `discs` plus one.
    last: Vec<u32>,
    /// Centre, radius and the disc before it in the same bucket.
    discs: Vec<(DVec2, f64, u32)>,
}

impl Taken {
    fn new(map: &Map, reach: f64) -> Self {
        let bucket = reach.max(1.0);
        let columns = (f64::from(map.width()) / bucket) as usize + 1;
        let rows = (f64::from(map.height()) / bucket) as usize + 1;
        Self {
            bucket,
            columns,
            rows,
            last: vec![0; columns * rows],
            discs: Vec::new(),
        }
    }

    fn bucket_of(&self, p: DVec2) -> (usize, usize) {
        let column = (p.x / self.bucket) as usize;
        let row = (p.y / self.bucket) as usize;
        (column.min(self.columns - 1), row.min(self.rows - 1))
    }

    fn add(&mut self, p: DVec2, radius: f64) {
        let (column, row) = self.bucket_of(p);
        let last = &mut self.last[row * self.columns + column];
        self.discs.push((p, radius, *last));
        *last = self.discs.len() as u32;
    }

    fn free(&self, p: DVec2, radius: f64) -> bool {
        let (column, row) = self.bucket_of(p);
        let near = |at: usize, end: usize| at.saturating_sub(1)..=(at + 1).min(end - 1);
        near(row, self.rows).all(|r| {
            near(column, self.columns).all(|c| {
                let mut next = self.last[r * self.columns + c];
                while next != 0 {
                    let (q, other, before) = self.discs[next as usize - 1];
                    let reach = radius + other - TOUCH;
                    if p.distance_squared(q) < reach * reach {
                        return false;
                    }
                    next = before;
                }
                true
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn entry(count: u32, area: [f32; 4], radius: f32) -> UnitEntry {
        UnitEntry {
            group: "a".into(),
            count,
            area,
            radius,
            ..UnitEntry::default()
        }
    }

    fn place(map: &Map, entries: &[UnitEntry]) -> Result<Vec<Vec<Vec2>>, ScenarioError> {
        let mut placer = Placer::new(map, entries);
        entries
            .iter()
            .enumerate()
            .map(|(i, e)| placer.place(i, e))
            .collect()
    }

    fn check(map: &Map, entries: &[UnitEntry], placed: &[Vec<Vec2>]) {
        let mut all: Vec<(DVec2, f64)> = Vec::new();
        for (e, points) in entries.iter().zip(placed) {
            assert_eq!(points.len(), e.count as usize);
            for p in points {
                let (p, r) = (p.as_dvec2(), f64::from(e.radius));
                let [x0, y0, x1, y1] = e.area.map(f64::from);
                assert!(p.x - r > x0 - 1e-4 && p.x + r < x1 + 1e-4, "{p} in x");
                assert!(p.y - r > y0 - 1e-4 && p.y + r < y1 + 1e-4, "{p} in y");
                assert!(clear(map, p, r - 1e-4), "{p} is in a wall");
                for (q, s) in &all {
                    assert!(p.distance(*q) > r + s - 1e-4, "{p} overlaps {q}");
                }
                all.push((p, r));
            }
        }
    }

    #[test]
    fn one_unit_fits_a_box_of_its_own_size() {
        let map = Map::open(5, 5).unwrap();
        let entries = [entry(1, [1.0, 1.0, 1.7, 1.7], 0.35)];
        let placed = place(&map, &entries).unwrap();
        assert!(placed[0][0].distance(Vec2::splat(1.35)) < 1e-5);
    }

    #[test]
    fn a_few_of_many_places_are_the_central_ones() {
        let map = Map::open(40, 40).unwrap();
        let entries = [entry(9, [0.0, 0.0, 40.0, 40.0], 0.4)];
        let placed = place(&map, &entries).unwrap();
        check(&map, &entries, &placed);
        assert!(
            placed[0]
                .iter()
                .all(|p| p.distance(Vec2::splat(20.0)) < 2.0)
        );
    }

    #[test]
    fn walls_and_earlier_entries_are_kept_clear_of() {
        let map = Map::from_ascii("......\n.##...\n.##...\n......\n......\n").unwrap();
        let area = [0.0, 0.0, 6.0, 5.0];
        let entries = [
            entry(10, area, 0.3),
            entry(5, area, 0.45),
            entry(8, area, 0.2),
        ];
        check(&map, &entries, &place(&map, &entries).unwrap());
    }

    #[test]
    fn a_dense_box_falls_back_to_a_hexagonal_lattice() {
        // Square rows at 1.025 hold 3 x 3; hexagonal rows 0.888 apart hold a fourth row.
        let map = Map::open(10, 10).unwrap();
        let entries = [entry(10, [1.0, 1.0, 4.2, 4.7], 0.5)];
        check(&map, &entries, &place(&map, &entries).unwrap());
    }

    #[test]
    fn no_room_says_how_many_fit() {
        let map = Map::open(10, 10).unwrap();
        let error = place(&map, &[entry(60, [1.0, 1.0, 3.0, 3.0], 0.4)]).unwrap_err();
        assert_eq!(
            error.to_string(),
            "units[0].area: room for 4 of 60 units of radius 0.4; \
             a larger area or a lower count would fit"
        );
    }

    #[test]
    fn a_hundred_thousand_units_are_placed() {
        let map = Map::open(400, 400).unwrap();
        let entries = [entry(100_000, [0.0, 0.0, 400.0, 400.0], 0.4)];
        assert_eq!(place(&map, &entries).unwrap()[0].len(), 100_000);
    }

    proptest! {
        #[test]
        fn placed_discs_are_inside_clear_and_apart(
            cells in prop::collection::vec(prop::bool::weighted(0.2), 144),
            specs in prop::collection::vec((1u32..12, 0.0f32..6.0, 0.0f32..6.0, 1.0f32..7.0, 0.15f32..0.9), 1..4),
        ) {
            let rows: Vec<String> = cells
                .chunks(12)
                .map(|r| r.iter().map(|b| if *b { '#' } else { '.' }).collect())
                .collect();
            let map = Map::from_ascii(&rows.join("\n")).unwrap();
            let entries: Vec<UnitEntry> = specs
                .iter()
                .map(|&(n, x, y, side, r)| entry(n, [x, y, x + side, y + side], r))
                .collect();
            if let Ok(placed) = place(&map, &entries) {
                check(&map, &entries, &placed);
                prop_assert_eq!(place(&map, &entries).unwrap(), placed);
            }
        }
    }
}
