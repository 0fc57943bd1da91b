//! Ten thousand units over broken ground.

use super::{Arrangement, go, scenario, units};
use crate::canvas::{Canvas, FREE, WALL};
use crate::hash;
use crate::scenario::Scenario;

const MAP_SEED: u64 = 20_080_515;

/// Four blocks of 2,500 walk from the corners to one goal in the middle, a share of the cells
/// blocked.
pub(in crate::quality) fn clutter(a: Arrangement, share: f32) -> Scenario {
    const SIDE: i32 = 320;
    let mut canvas = Canvas::walled(SIDE, SIDE);
    canvas
        .sprinkle([1, 1, SIDE - 1, SIDE - 1], MAP_SEED, share, WALL)
        .fill([159, 159, 162, 162], FREE);
    let corner = |x: f32, y: f32| units("crowd", 0, 2500, [x, y, x + 80.0, y + 80.0]);
    let (low, high) = (6.0, SIDE as f32 - 86.0);
    let crowd = vec![
        corner(low, low),
        corner(high, low),
        corner(low, high),
        corner(high, high),
    ];
    let orders = vec![go("crowd", 160.5, 160.5)];
    scenario(a, canvas.map(), 8_000, crowd, orders)
}

/// Passages ten cells wide, dug depth first, with every fourth wall taken out again, so that there
/// is more than one way; eight crowds of 1,250 walk to the rooms opposite.
pub(in crate::quality) fn maze(a: Arrangement) -> Scenario {
    const WAY: i32 = 10;
    const PITCH: i32 = WAY + 1;
    const ROOMS: i32 = 32;
    const SIDE: i32 = ROOMS * PITCH + 1;
    let mut canvas = Canvas::walled(SIDE, SIDE);
    canvas.fill([0, 0, SIDE, SIDE], WALL);
    // The cells of a room, and of two neighbours with the wall between them.
    let room = |x: i32, y: i32| {
        [
            x * PITCH + 1,
            y * PITCH + 1,
            (x + 1) * PITCH,
            (y + 1) * PITCH,
        ]
    };
    let joined = |(x, y): (i32, i32), (u, v): (i32, i32)| {
        let [a, b] = [room(x.min(u), y.min(v)), room(x.max(u), y.max(v))];
        [a[0], a[1], b[2], b[3]]
    };
    let mut seen = vec![false; (ROOMS * ROOMS) as usize];
    let mut stack = vec![(0, 0)];
    seen[0] = true;
    let mut draws = 0;
    while let Some(&(x, y)) = stack.last() {
        let ways: Vec<(i32, i32)> = [(x + 1, y), (x, y + 1), (x - 1, y), (x, y - 1)]
            .into_iter()
            .filter(|(u, v)| (0..ROOMS).contains(u) && (0..ROOMS).contains(v))
            .filter(|(u, v)| !seen[(v * ROOMS + u) as usize])
            .collect();
        if ways.is_empty() {
            stack.pop();
            continue;
        }
        draws += 1;
        let next = ways[(hash::draw(MAP_SEED, draws) % ways.len() as u64) as usize];
        seen[(next.1 * ROOMS + next.0) as usize] = true;
        canvas.fill(joined((x, y), next), FREE);
        stack.push(next);
    }
    for y in 0..ROOMS - 1 {
        for x in 0..ROOMS - 1 {
            let number = (y * ROOMS + x) as u64;
            match hash::draw(MAP_SEED + 1, number) % 4 {
                0 => canvas.fill(joined((x, y), (x + 1, y)), FREE),
                1 => canvas.fill(joined((x, y), (x, y + 1)), FREE),
                _ => &mut canvas,
            };
        }
    }
    // Spawn blocks of six rooms a side on the rim; goals in the middle of the block opposite.
    let middle = SIDE as f32 / 2.0;
    let out = middle - 38.0;
    let places = [
        ("n", 0.0, -1.0),
        ("s", 0.0, 1.0),
        ("w", -1.0, 0.0),
        ("e", 1.0, 0.0),
        ("nw", -1.0, -1.0),
        ("se", 1.0, 1.0),
        ("ne", 1.0, -1.0),
        ("sw", -1.0, 1.0),
    ];
    let room_centre = |v: f32| ((v / PITCH as f32).floor() + 0.5) * PITCH as f32 + 0.5;
    let (mut crowds, mut orders) = (Vec::new(), Vec::new());
    for (i, (name, dx, dy)) in places.into_iter().enumerate() {
        let (x, y) = (middle + dx * out, middle + dy * out);
        let area = [x - 33.0, y - 33.0, x + 33.0, y + 33.0];
        crowds.push(units(name, i as u8, 1250, area));
        let goal = (middle - dx * out, middle - dy * out);
        orders.push(go(name, room_centre(goal.0), room_centre(goal.1)));
    }
    scenario(a, canvas.map(), 14_000, crowds, orders)
}
