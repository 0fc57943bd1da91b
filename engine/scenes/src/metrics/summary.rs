//! The figures at the end of a run.

use glam::Vec2;
use serde::{Deserialize, Serialize};
use throng::{Outcome, Units};

use super::path::Shortest;
use super::{Metrics, has_ended, is_dead};

/// Ways that leave less than this to walk are too short for a ratio, in cells.
const SHORTEST_JUDGED: f64 = 5.0;

/// Units by the outcome of their last order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OrderCounts {
    /// Came to rest inside the goal's packed disc.
    pub arrived: u64,
    /// Came to rest against settled companions.
    pub settled_near: u64,
    /// Went to the nearest reachable point.
    pub unreachable: u64,
    /// Gave up.
    pub stuck: u64,
    /// Not ended.
    pub active: u64,
}

/// Ticks from its order until a unit ended as arrived or settled near; `None` where none did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Arrival {
    /// Median.
    pub p50: Option<u64>,
    /// 95th percentile.
    pub p95: Option<u64>,
    /// The last one.
    pub max: Option<u64>,
}

/// Overlap of units, in smaller radii, at the ends of ticks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Penetration {
    /// Deepest of all pairs and ticks.
    pub max: f64,
    /// Deepest overlap of each unit (0 where it has none), mean over units and ticks.
    pub mean: f64,
    /// Share of units overlapped by more than 0.2, mean over ticks.
    pub share_over_0_2: f64,
}

/// Walked over shortest length, of units that ended as arrived or settled near.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PathRatio {
    /// Median; `None` where no unit had a way long enough.
    pub p50: Option<f64>,
    /// 95th percentile.
    pub p95: Option<f64>,
}

/// What a run is judged by.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Figures {
    /// Living units at the end.
    pub alive: u64,
    /// Outcomes.
    pub orders: OrderCounts,
    /// When units arrived.
    pub arrival: Arrival,
    /// First tick from which every ended unit stood still for good.
    pub settle_tick: Option<u64>,
    /// Units in walls, summed over ticks.
    pub wall_violations: u64,
    /// Overlaps.
    pub penetration: Penetration,
    /// Ways.
    pub path_ratio: PathRatio,
    /// Mean turn of units from one tick in which they move to the next such, degrees; `None` where
    /// nothing moved.
    pub heading_jitter_deg: Option<f64>,
    /// Mean speed of ended units in the last second, in top speeds; `None` where none ended.
    pub residual_speed: Option<f64>,
    /// Sudden stops before an order ended.
    pub hard_stops: u64,
    /// Share of units of groups with a goal that ended as arrived or settled near; `None` where no
    /// group has a goal.
    pub arrived: Option<f64>,
    /// Share of the same that are within the packed disc of their goal.
    pub reached: Option<f64>,
    /// Tick from which half of the same were within it for good.
    pub t50: Option<u64>,
    /// Tick from which 95 % of the same were within it for good.
    pub t95: Option<u64>,
}

pub(super) fn figures(m: &Metrics, units: &Units) -> Figures {
    let mut f = Figures {
        wall_violations: m.sums.wall_violations,
        hard_stops: m.sums.hard_stops,
        ..Figures::default()
    };
    let Some(last) = m.last_tick else {
        f.alive = units.len() as u64;
        return f;
    };
    f.penetration = Penetration {
        max: m.max_depth,
        mean: m.depth / m.unit_ticks.max(1) as f64,
        share_over_0_2: m.deep_share / (last + 1) as f64,
    };
    if m.sums.turns > 0 {
        f.heading_jitter_deg = Some((m.sums.turned / m.sums.turns as f64).to_degrees());
    }

    let mut with_goal = 0u64;
    let mut home = 0u64;
    let mut inside = Vec::new();
    let mut arrivals = Vec::new();
    let mut residual = (0.0, 0u64);
    let mut settled = None;
    let mut walkers = Vec::new();
    for row in 0..units.len() {
        f.alive += u64::from(!is_dead(units, row));
        let outcome = units.outcome[row];
        match outcome {
            Outcome::Arrived => f.orders.arrived += 1,
            Outcome::SettledNear => f.orders.settled_near += 1,
            Outcome::Unreachable => f.orders.unreachable += 1,
            Outcome::Stuck => f.orders.stuck += 1,
            Outcome::Active => f.orders.active += 1,
            Outcome::None => {}
        }
        let Some(track) = m.tracks.get(units.id[row].0 as usize) else {
            continue;
        };
        let position = units.position[row];
        let arrived = matches!(outcome, Outcome::Arrived | Outcome::SettledNear);
        if let Some(goal) = m.groups[track.group as usize].goal {
            with_goal += 1;
            home += u64::from(arrived);
            inside.extend(track.inside_since);
            if arrived {
                walkers.push(Walker {
                    goal,
                    radius: units.radius[row],
                    start: track.start,
                    walked: track.walked,
                    left: position.as_dvec2().distance(goal.as_dvec2()),
                });
            }
        }
        if has_ended(outcome) {
            let way = position
                .as_dvec2()
                .distance(track.before_last_second.as_dvec2());
            let seconds = last.saturating_sub(m.last_second) as f64 / m.tick_rate;
            if seconds > 0.0 {
                let top = f64::from(units.speed[row]) * m.tick_rate;
                residual = (residual.0 + way / seconds / top, residual.1 + 1);
            }
            let rest = track.ended.unwrap_or(0).max(track.moved + 1);
            settled = settled.max(Some(rest));
            if arrived {
                arrivals.extend(track.ended.map(|t| t.saturating_sub(track.ordered)));
            }
        }
    }
    f.settle_tick = settled.filter(|t| *t <= last);
    f.arrival = arrival(arrivals);
    f.residual_speed = (residual.1 > 0).then(|| residual.0 / residual.1 as f64);
    if with_goal > 0 {
        f.arrived = Some(home as f64 / with_goal as f64);
        f.reached = Some(inside.len() as f64 / with_goal as f64);
        inside.sort_unstable();
        let from = |share| inside.get(nearest_rank(share, with_goal as usize)).copied();
        (f.t50, f.t95) = (from(0.5), from(0.95));
    }
    f.path_ratio = path_ratio(m, walkers);
    f
}

fn arrival(mut ticks: Vec<u64>) -> Arrival {
    ticks.sort_unstable();
    Arrival {
        p50: ticks.get(nearest_rank(0.5, ticks.len())).copied(),
        p95: ticks.get(nearest_rank(0.95, ticks.len())).copied(),
        max: ticks.last().copied(),
    }
}

/// Index of the least of `len` sorted values that a share of them does not exceed.
fn nearest_rank(share: f64, len: usize) -> usize {
    ((share * len as f64).ceil() as usize).saturating_sub(1)
}

/// A unit that came home.
struct Walker {
    goal: Vec2,
    radius: f32,
    start: Vec2,
    walked: f64,
    /// Straight distance from where it stands to the goal.
    left: f64,
}

fn path_ratio(m: &Metrics, mut walkers: Vec<Walker>) -> PathRatio {
    let way = |w: &Walker| (w.goal.to_array().map(f32::to_bits), w.radius.to_bits());
    walkers.sort_by_key(way);
    let mut ratios: Vec<f64> = Vec::new();
    for same in walkers.chunk_by(|a, b| way(a) == way(b)) {
        let shortest = Shortest::new(&m.map, same[0].goal, same[0].radius);
        ratios.extend(same.iter().filter_map(|w| {
            let way = shortest.length(w.start) - w.left;
            (way.is_finite() && way > SHORTEST_JUDGED).then(|| w.walked / way)
        }));
    }
    ratios.sort_by(f64::total_cmp);
    PathRatio {
        p50: percentile(&ratios, 0.5),
        p95: percentile(&ratios, 0.95),
    }
}

/// A share's place in sorted values, interpolated between neighbours.
pub(crate) fn percentile(sorted: &[f64], share: f64) -> Option<f64> {
    let place = share * sorted.len().checked_sub(1)? as f64;
    let (low, part) = (sorted[place as usize], place.fract());
    let high = sorted[(place.ceil() as usize).min(sorted.len() - 1)];
    Some(low + (high - low) * part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_interpolate() {
        let values = [1.0, 2.0, 4.0, 8.0];
        assert_eq!(percentile(&values, 0.5), Some(3.0));
        assert_eq!(percentile(&values, 0.0), Some(1.0));
        assert_eq!(percentile(&values, 1.0), Some(8.0));
        assert!((percentile(&values, 0.95).unwrap() - 7.4).abs() < 1e-12);
        assert_eq!(percentile(&[], 0.5), None);
        assert_eq!(percentile(&[3.0], 0.95), Some(3.0));
    }

    #[test]
    fn the_tick_of_95_percent_is_that_of_the_last_one_needed() {
        assert_eq!(nearest_rank(0.95, 100), 94);
        assert_eq!(nearest_rank(0.95, 20), 18);
        assert_eq!(nearest_rank(0.95, 21), 19);
        assert_eq!(nearest_rank(0.95, 1), 0);
    }
}
