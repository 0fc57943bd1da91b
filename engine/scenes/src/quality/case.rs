//! The cases: what is asked of the movement, and how good it has to be.

use super::arrangement::Arrangement;
use super::bar::Bar;
use super::figure::Figure::{self, *};
use super::gauge::Gauge;
use super::grounds as g;
use crate::error::closest;
use crate::scenario::Scenario;

/// A scenario of the bench, to be run in several arrangements.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    /// Its name.
    pub name: &'static str,
    /// What it shows, in a line.
    pub summary: &'static str,
    /// Whether it takes minutes and is left out where time is short.
    pub large: bool,
    /// Whether it is on open ground, where ways and turns are compared with the peer's too.
    pub open: bool,
    /// What it measures beside the figures of every run.
    pub gauge: Option<Gauge>,
    bars: &'static [(Figure, f64)],
    build: fn(Arrangement) -> Scenario,
}

/// Bars of every case.
const ALWAYS: [(Figure, f64); 2] = [(WallViolations, 0.0), (Reopened, 0.0)];

impl Case {
    /// The scenario in one of its arrangements.
    pub fn scenario(&self, arrangement: Arrangement) -> Scenario {
        Scenario {
            name: self.name.to_owned(),
            summary: self.summary.to_owned(),
            ..(self.build)(arrangement)
        }
    }

    /// The bars that its worst arrangement must hold.
    pub fn bars(&self) -> impl Iterator<Item = Bar> {
        let all = self.bars.iter().chain(&ALWAYS);
        all.map(|&(figure, bound)| Bar { figure, bound })
    }
}

/// The case of a name, or else the name it most resembles, if it resembles any.
///
/// # Errors
/// There is no such case.
pub fn find(name: &str) -> Result<&'static Case, Option<String>> {
    let case = CASES.iter().find(|case| case.name == name);
    case.ok_or_else(|| closest(name, CASES.iter().map(|case| case.name)))
}

/// All cases, in the order of tables.
pub fn all() -> &'static [Case] {
    CASES
}

/// Where all are to get there: an order can end beside companions who are stuck on the way too.
const THERE: (Figure, f64) = (Reached, 0.97);
/// A settled crowd: still, round and dense.
const STILL: (Figure, f64) = (Residual, 1e-4);
const ROUND: (Figure, f64) = (DiscRatio, 1.3);

const PLAIN: Case = Case {
    name: "",
    summary: "",
    large: false,
    open: false,
    gauge: None,
    bars: &[],
    build: g::open,
};
const OPEN: Case = Case {
    open: true,
    ..PLAIN
};
const LARGE: Case = Case {
    large: true,
    ..PLAIN
};

const fn lanes(middle: f32, room: f32) -> Option<Gauge> {
    Some(Gauge::Lanes {
        from: room + 10.0,
        to: room + 20.0,
        middle,
    })
}

const CASES: &[Case] = &[
    Case {
        name: "open",
        summary: "300 walk over open ground to one point",
        bars: &[(Arrived, 1.0), THERE, STILL, ROUND],
        build: g::open,
        ..OPEN
    },
    Case {
        name: "crossing",
        summary: "two streams of 500 cross at a right angle",
        bars: &[
            (Arrived, 0.995),
            THERE,
            (MaxPenetration, 0.25),
            (Jitter, 2.0),
            (PathP50, 1.2),
            (PathP95, 1.6),
            STILL,
            ROUND,
        ],
        build: g::crossing,
        ..OPEN
    },
    Case {
        name: "large_crossing",
        summary: "two streams of 5,000 cross at a right angle",
        bars: &[(Arrived, 0.995), THERE, (PathP50, 1.25), (T95Ratio, 2.2)],
        build: g::large_crossing,
        large: true,
        ..OPEN
    },
    Case {
        name: "four_way",
        summary: "four streams of 100 meet at a crossroads",
        bars: &[(Arrived, 1.0), THERE, STILL],
        build: g::four_way,
        ..OPEN
    },
    Case {
        name: "circle_64",
        summary: "64 on a circle walk to the opposite points",
        bars: &[(Arrived, 1.0), THERE, (DoneRatio, 3.0)],
        build: |a| g::circle_swap(a, 64, 16.0),
        ..OPEN
    },
    Case {
        name: "circle_256",
        summary: "256 on a circle walk to the opposite points",
        bars: &[(Arrived, 1.0), THERE, (DoneRatio, 3.0)],
        build: |a| g::circle_swap(a, 256, 48.0),
        ..OPEN
    },
    Case {
        name: "counterflow_bay",
        summary: "4 each way, a corridor one cell wide with a bay to pass in",
        bars: &[(Arrived, 1.0), THERE],
        build: g::counterflow_bay,
        ..PLAIN
    },
    Case {
        name: "counterflow_2",
        summary: "20 each way, a corridor two cells wide",
        bars: &[(Arrived, 1.0), THERE, (Lanes, 0.8)],
        gauge: lanes(10.0, 20.0),
        build: |a| g::counterflow(a, 2, 20),
        ..PLAIN
    },
    Case {
        name: "counterflow_4",
        summary: "60 each way, a corridor four cells wide",
        bars: &[(Arrived, 1.0), THERE, (Lanes, 0.8)],
        gauge: lanes(14.0, 26.0),
        build: |a| g::counterflow(a, 4, 60),
        ..PLAIN
    },
    Case {
        name: "counterflow_8",
        summary: "150 each way, a corridor eight cells wide",
        bars: &[(Arrived, 1.0), THERE, (Lanes, 0.8)],
        gauge: lanes(18.0, 36.0),
        build: |a| g::counterflow(a, 8, 150),
        ..PLAIN
    },
    Case {
        name: "gap_1_one_way",
        summary: "1,000 queue through a gap one cell wide",
        bars: &[
            (Arrived, 1.0),
            THERE,
            (GateTicks, 8.5),
            (PathP95, 1.6),
            (ShareDeep, 0.005),
            (MaxPenetration, 0.6),
        ],
        gauge: Some(Gauge::Gate(g::GATE)),
        build: |a| g::gap_one_way(a, 1, 16_000),
        ..PLAIN
    },
    Case {
        name: "gap_4_one_way",
        summary: "1,000 through a gap four cells wide",
        bars: &[(Arrived, 1.0), THERE],
        gauge: Some(Gauge::Gate(g::GATE)),
        build: |a| g::gap_one_way(a, 4, 6_000),
        ..PLAIN
    },
    Case {
        name: "gap_1_two_way",
        summary: "500 each way through a gap one cell wide",
        bars: &[(Arrived, 1.0), THERE, (Done, 12_000.0)],
        build: |a| g::gap_two_way(a, 1),
        ..PLAIN
    },
    Case {
        name: "gap_4_two_way",
        summary: "500 each way through a gap four cells wide",
        bars: &[(Arrived, 1.0), THERE, (Done, 4_500.0)],
        build: |a| g::gap_two_way(a, 4),
        ..PLAIN
    },
    Case {
        name: "corner",
        summary: "200 round a right-angled corner",
        bars: &[(Arrived, 1.0), THERE],
        build: g::corner,
        ..PLAIN
    },
    Case {
        name: "u_trap",
        summary: "200 out of a pocket that opens away from their goal",
        bars: &[(Arrived, 1.0), THERE, (PathP95, 1.25)],
        build: g::u_trap,
        ..PLAIN
    },
    Case {
        name: "bridge",
        summary: "200 each way over a bridge six cells wide",
        bars: &[(Arrived, 1.0), THERE],
        build: g::bridge,
        ..PLAIN
    },
    Case {
        name: "parking",
        summary: "500 park on one point in the open",
        bars: &[(Arrived, 1.0), THERE, STILL, ROUND],
        build: g::parking,
        ..OPEN
    },
    Case {
        name: "mixed_sizes",
        summary: "radii of 0.25, 0.35 and 0.8 swap places, 270 each way",
        bars: &[(Arrived, 1.0), THERE],
        build: g::mixed_sizes,
        ..OPEN
    },
    Case {
        name: "mixed_speeds",
        summary: "speeds from half to one and a half swap places, 250 each way",
        bars: &[(Arrived, 1.0), THERE],
        build: g::mixed_speeds,
        ..OPEN
    },
    Case {
        name: "enemy_block",
        summary: "8 hold a pass that 60 enemies are ordered through",
        bars: &[(Passed, 0.0)],
        gauge: Some(Gauge::Pass(g::BEHIND_PASS)),
        build: g::enemy_block,
        ..PLAIN
    },
    Case {
        name: "reorder",
        summary: "two crowds of 150 turned back, stopped and sent on again on the way",
        bars: &[(Arrived, 1.0), THERE],
        build: g::reorder,
        ..PLAIN
    },
    Case {
        name: "clutter_10",
        summary: "10,000 to one goal, 10 % of the cells blocked",
        bars: &[(Arrived, 0.995), (Reached, 0.9), (PathP50, 1.03)],
        build: |a| g::clutter(a, 0.1),
        ..LARGE
    },
    Case {
        name: "clutter_20",
        summary: "10,000 to one goal, 20 % of the cells blocked",
        bars: &[(Arrived, 0.99), (Reached, 0.9), (PathP50, 1.03)],
        build: |a| g::clutter(a, 0.2),
        ..LARGE
    },
    Case {
        name: "clutter_30",
        summary: "10,000 to one goal, 30 % of the cells blocked",
        bars: &[(Arrived, 0.97), (Reached, 0.9), (PathP50, 1.03)],
        build: |a| g::clutter(a, 0.3),
        ..LARGE
    },
    Case {
        name: "maze",
        summary: "10,000 in eight crowds through a maze of passages ten cells wide",
        bars: &[(Ended, 1.0), (Arrived, 0.98)],
        build: g::maze,
        ..LARGE
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::setup::Setup;

    #[test]
    fn names_are_unique_and_a_wrong_one_is_met_with_the_nearest() {
        for (i, case) in all().iter().enumerate() {
            assert!(all()[..i].iter().all(|c| c.name != case.name));
            assert_eq!(find(case.name).unwrap().name, case.name);
        }
        assert_eq!(find("crosing").unwrap_err().as_deref(), Some("crossing"));
    }

    #[test]
    fn every_small_case_has_room_in_every_arrangement() {
        for case in all().iter().filter(|case| !case.large) {
            for k in 0..8 {
                let scenario = case.scenario(Arrangement(k));
                Setup::new(&scenario, scenario.seed)
                    .unwrap_or_else(|e| panic!("{} {k}: {e}", case.name));
            }
        }
    }

    #[test]
    fn arrangements_start_from_other_places() {
        let case = find("crossing").unwrap();
        let first = |k| {
            let scenario = case.scenario(Arrangement(k));
            let setup = Setup::new(&scenario, scenario.seed).unwrap();
            setup.simulation.units().position.clone()
        };
        assert_eq!(first(2), first(2));
        assert_ne!(first(1), first(2));
        assert_ne!(first(0), first(1));
    }
}
