//! The figures a run is judged by.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A figure of a run. In JSON they stand under their names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Figure {
    /// Share of units with a goal that ended as arrived or settled near.
    Arrived,
    /// Share of units with a goal that are within its packed disc at the end.
    Reached,
    /// Share of units with a goal whose order ended in any of the four outcomes.
    Ended,
    /// Tick from which half of the units with a goal were within its packed disc for good.
    T50,
    /// The same of 95 % of them.
    T95,
    /// `T95` over the free walk: the shortest octile way of the farthest unit at its top speed.
    T95Ratio,
    /// Tick in which the last order ended.
    Done,
    /// `Done` over the free walk.
    DoneRatio,
    /// Deepest overlap of any pair, in smaller radii.
    MaxPenetration,
    /// Share of units overlapped by more than 0.2, mean over ticks.
    ShareDeep,
    /// Mean turn per tick of units that move, degrees.
    Jitter,
    /// Median of walked over shortest length.
    PathP50,
    /// 95th percentile of the same.
    PathP95,
    /// Mean speed of ended units in the last second, in top speeds.
    Residual,
    /// Farthest settled unit from its goal over the radius of the densest disc of its group.
    DiscRatio,
    /// Units in walls, summed over ticks.
    WallViolations,
    /// Orders that ended and were taken up again without a new one.
    Reopened,
    /// Ticks from one unit to the next through the gap, between a fifth and four fifths of them.
    GateTicks,
    /// Share of a direction on its own side of the corridor's middle third while both are in it,
    /// the lesser of the two directions.
    Lanes,
    /// Share of those who were to be kept out that are beyond the pass at the end.
    Passed,
}

/// Which way a figure is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Better {
    /// The larger the better.
    Higher,
    /// The smaller the better.
    Lower,
}

impl Figure {
    /// All, in the order of tables.
    pub const ALL: [Self; 20] = [
        Self::Arrived,
        Self::Reached,
        Self::Ended,
        Self::T50,
        Self::T95,
        Self::T95Ratio,
        Self::Done,
        Self::DoneRatio,
        Self::MaxPenetration,
        Self::ShareDeep,
        Self::Jitter,
        Self::PathP50,
        Self::PathP95,
        Self::Residual,
        Self::DiscRatio,
        Self::WallViolations,
        Self::Reopened,
        Self::GateTicks,
        Self::Lanes,
        Self::Passed,
    ];

    /// Its name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Arrived => "arrived",
            Self::Reached => "reached",
            Self::Ended => "ended",
            Self::T50 => "t50",
            Self::T95 => "t95",
            Self::T95Ratio => "t95 / free walk",
            Self::Done => "done",
            Self::DoneRatio => "done / free walk",
            Self::MaxPenetration => "max penetration",
            Self::ShareDeep => "share deep",
            Self::Jitter => "jitter",
            Self::PathP50 => "path p50",
            Self::PathP95 => "path p95",
            Self::Residual => "residual",
            Self::DiscRatio => "disc ratio",
            Self::WallViolations => "wall violations",
            Self::Reopened => "reopened",
            Self::GateTicks => "ticks a unit",
            Self::Lanes => "lanes",
            Self::Passed => "passed",
        }
    }

    /// Which way it is better.
    pub fn better(self) -> Better {
        match self {
            Self::Arrived | Self::Reached | Self::Ended | Self::Lanes => Better::Higher,
            _ => Better::Lower,
        }
    }

    /// A value of it as text: shares in per cent, ticks whole.
    pub fn text(self, value: f64) -> String {
        match self {
            Self::Arrived | Self::Reached | Self::Ended | Self::Lanes | Self::Passed => {
                format!("{:.1} %", value * 100.0)
            }
            Self::ShareDeep => format!("{:.2} %", value * 100.0),
            Self::T50 | Self::T95 | Self::Done | Self::WallViolations | Self::Reopened => {
                format!("{value:.0}")
            }
            Self::Residual => format!("{value:.6}"),
            Self::GateTicks | Self::Jitter => format!("{value:.2}"),
            _ => format!("{value:.3}"),
        }
    }

    /// Whether `a` is worse than `b` by more than rounding.
    pub fn is_worse(self, a: f64, b: f64) -> bool {
        match self.better() {
            Better::Higher => a < b - 1e-6,
            Better::Lower => a > b + 1e-6,
        }
    }
}

impl fmt::Display for Figure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
