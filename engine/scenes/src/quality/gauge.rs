//! What single cases measure beside the figures of every run.

use throng::Units;

use super::figure::Figure;

/// A measure of one case. Groups are told apart by their teams.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Gauge {
    /// [`Figure::GateTicks`] over the line x = this; everybody starts left of it.
    Gate(f32),
    /// [`Figure::Lanes`] in a corridor along x: team 0 walks right, team 1 left.
    Lanes {
        /// Left end of the middle third.
        from: f32,
        /// Right end of it.
        to: f32,
        /// The line in the middle of the corridor.
        middle: f32,
    },
    /// [`Figure::Passed`]: team 1 beyond the line x = this.
    Pass(f32),
}

/// A gauge at work.
#[derive(Clone, Debug)]
pub(super) struct Meter {
    gauge: Gauge,
    /// Ticks in which the line was first crossed, one for each unit that did.
    crossings: Vec<u64>,
    /// Units beyond the line so far: whoever went back does not count twice.
    beyond: usize,
    /// By team: unit ticks in the middle third, and those on the right-hand side of the way.
    seen: [u64; 2],
    right: [u64; 2],
    passed: f64,
}

impl Meter {
    pub(super) fn new(gauge: Gauge) -> Self {
        Self {
            gauge,
            crossings: Vec::new(),
            beyond: 0,
            seen: [0; 2],
            right: [0; 2],
            passed: 0.0,
        }
    }

    /// Looks at the units after a tick.
    pub(super) fn observe(&mut self, tick: u64, units: &Units) {
        let places = units.position.iter().zip(&units.team);
        match self.gauge {
            Gauge::Gate(line) => {
                let beyond = places.filter(|(p, _)| p.x > line).count();
                if beyond > self.beyond {
                    self.crossings
                        .extend(std::iter::repeat_n(tick, beyond - self.beyond));
                    self.beyond = beyond;
                }
            }
            Gauge::Lanes { from, to, middle } => {
                let (mut seen, mut right) = ([0; 2], [0; 2]);
                for (p, &team) in places {
                    let side = usize::from(team != 0);
                    if p.x > from && p.x < to {
                        seen[side] += 1;
                        // y grows down: right of one who walks to the right is below.
                        right[side] += u64::from((p.y > middle) == (side == 0));
                    }
                }
                if seen[0] > 0 && seen[1] > 0 {
                    for side in 0..2 {
                        self.seen[side] += seen[side];
                        self.right[side] += right[side];
                    }
                }
            }
            Gauge::Pass(line) => {
                let kept = places.filter(|(_, team)| **team == 1);
                let (all, beyond) = kept.fold((0u32, 0u32), |(all, beyond), (p, _)| {
                    (all + 1, beyond + u32::from(p.x > line))
                });
                self.passed = f64::from(beyond) / f64::from(all.max(1));
            }
        }
    }

    /// The figure, where there was enough to measure.
    pub(super) fn read(&self, units: usize) -> (Figure, Option<f64>) {
        match self.gauge {
            Gauge::Gate(_) => (Figure::GateTicks, self.ticks_a_unit(units)),
            Gauge::Lanes { .. } => (Figure::Lanes, self.lanes()),
            Gauge::Pass(_) => (Figure::Passed, Some(self.passed)),
        }
    }

    fn ticks_a_unit(&self, units: usize) -> Option<f64> {
        let at = |share: usize| (units * share).div_ceil(5).checked_sub(1);
        let (first, last) = (at(1)?, at(4)?);
        let ticks = self.crossings.get(last)? - self.crossings[first];
        (last > first).then(|| ticks as f64 / (last - first) as f64)
    }

    /// Either side will do, but both directions must keep to it.
    fn lanes(&self) -> Option<f64> {
        if self.seen.contains(&0) {
            return None;
        }
        let share = |side: usize| self.right[side] as f64 / self.seen[side] as f64;
        let (a, b) = (share(0), share(1));
        Some(a.min(b).max((1.0 - a).min(1.0 - b)))
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec2;
    use throng::UnitId;

    use super::*;

    fn units(places: &[(f32, f32, u8)]) -> Units {
        let mut units = Units::default();
        units.id = (0..places.len() as u32).map(UnitId).collect();
        units.position = places.iter().map(|&(x, y, _)| Vec2::new(x, y)).collect();
        units.team = places.iter().map(|&(_, _, team)| team).collect();
        units
    }

    #[test]
    fn the_rate_is_that_of_the_middle_three_fifths() {
        let mut meter = Meter::new(Gauge::Gate(5.0));
        // Ten units, one through every 8 ticks but for a slow start and a slow end.
        let ticks = [100, 200, 208, 216, 224, 232, 240, 248, 400, 900];
        for tick in 0..1000 {
            let through = ticks.iter().filter(|t| **t <= tick).count();
            let places: Vec<_> = (0..10)
                .map(|i| (if i < through { 6.0 } else { 4.0 }, 1.0, 0))
                .collect();
            meter.observe(tick, &units(&places));
        }
        assert_eq!(meter.read(10), (Figure::GateTicks, Some(8.0)));
        assert_eq!(meter.read(20), (Figure::GateTicks, None), "too few");
    }

    #[test]
    fn lanes_are_kept_by_both_directions_or_by_none() {
        let gauge = Gauge::Lanes {
            from: 10.0,
            to: 20.0,
            middle: 5.0,
        };
        let mut meter = Meter::new(gauge);
        meter.observe(0, &units(&[(15.0, 6.0, 0), (5.0, 6.0, 1)]));
        assert_eq!(meter.read(2).1, None, "one direction alone needs no lane");
        for _ in 0..4 {
            meter.observe(1, &units(&[(15.0, 6.0, 0), (15.0, 4.0, 1)]));
        }
        assert_eq!(meter.read(2).1, Some(1.0));
        meter.observe(2, &units(&[(15.0, 4.0, 0), (15.0, 4.0, 1)]));
        assert_eq!(meter.read(2).1, Some(0.8));
        let mut left = Meter::new(gauge);
        left.observe(0, &units(&[(15.0, 4.0, 0), (15.0, 6.0, 1)]));
        assert_eq!(left.read(2).1, Some(1.0), "the left side is as good");
        let mut same = Meter::new(gauge);
        same.observe(0, &units(&[(15.0, 4.0, 0), (15.0, 4.0, 1)]));
        assert_eq!(same.read(2).1, Some(0.0), "both on one side are no lanes");
    }

    #[test]
    fn only_those_to_be_kept_out_count_as_passed() {
        let mut meter = Meter::new(Gauge::Pass(5.0));
        meter.observe(0, &units(&[(6.0, 1.0, 0), (6.0, 1.0, 1), (4.0, 1.0, 1)]));
        assert_eq!(meter.read(3), (Figure::Passed, Some(0.5)));
    }
}
