//! Whether the way round a crowd is another way, or only another place in the same queue.
//!
//! Over the prices of congestion it pays to walk round a queue and join it at its head. Nobody gets
//! through the narrow place sooner by that; it only makes the queue mill about. So a unit leaves the
//! shortest way only for one that passes the narrow place by.

use glam::Vec2;

use super::{FlowField, Prices};

/// Cells of the way ahead in which a unit looks for a crowd, and the end of it.
const AHEAD: usize = 96;
/// Price from which on a cell is crowded.
const CROWDED: f32 = 1.5;
/// Cells in a row that are not, behind the crowd.
const CLEAR: usize = 3;
/// The other way is followed for at most that many cells.
const ROUND: usize = 256;
/// Distance between both ways behind the crowd that makes them two, cells.
const APART: f32 = 3.0;
/// What must be gained, lengths.
const GAIN: f32 = 3.0;

/// Whether a unit at `p` gains by the way of `priced` over that of `shortest`, and passes by the
/// place where the crowd is held up.
pub(crate) fn pays(shortest: &FlowField, priced: &FlowField, prices: &Prices, p: Vec2) -> bool {
    let start = (p.x.floor() as i32, p.y.floor() as i32);
    let (mut cell, mut steps) = (start, 0);
    let (mut crowded, mut clear, mut extra) = (false, 0, 0.0);
    while clear < CLEAR {
        let price = prices.of(cell.0, cell.1);
        if price > CROWDED {
            (crowded, clear) = (true, 0);
        } else if crowded {
            clear += 1;
        }
        extra += price - 1.0;
        steps += 1;
        match downhill(shortest, cell) {
            Some(next) if steps < AHEAD => cell = next,
            _ => break,
        }
    }
    if !crowded {
        return false;
    }
    let level = shortest.distance(cell.0, cell.1);
    let length = shortest.distance(start.0, start.1) - level;
    // Steps go along the axes and are more than the length.
    extra *= length / steps as f32;
    let through = length + extra + priced.distance(cell.0, cell.1);
    if through - priced.distance(start.0, start.1) < GAIN {
        return false;
    }
    let mut other = start;
    for _ in 0..ROUND {
        if shortest.distance(other.0, other.1) <= level {
            break;
        }
        match downhill(priced, other) {
            Some(next) => other = next,
            None => break,
        }
    }
    let apart = Vec2::new((other.0 - cell.0) as f32, (other.1 - cell.1) as f32);
    apart.length() > APART
}

/// The next cell on the way, along an axis.
fn downhill(field: &FlowField, (x, y): (i32, i32)) -> Option<(i32, i32)> {
    let left = |(x, y): (i32, i32)| field.distance(x, y);
    [(x + 1, y), (x, y + 1), (x - 1, y), (x, y - 1)]
        .into_iter()
        .min_by(|&a, &b| left(a).total_cmp(&left(b)))
        .filter(|&next| left(next) < left((x, y)))
}
