//! The figures of a whole bench: its file, its verdicts, its comparison with another.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::bar::Bar;
use super::case;
use super::figure::Figure;
use super::measure::{Engine, Sample};

/// Version of the file. Files of another are refused: their figures may mean other things.
const VERSION: u32 = 1;

/// The results of a bench, as its JSON holds them. All but `machine` are the same wherever it runs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Results {
    version: u32,
    /// The machine it ran on, for the reader.
    pub machine: serde_json::Value,
    /// By case, in the order of tables.
    pub cases: Vec<CaseResults>,
}

/// The runs of one case.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CaseResults {
    /// Its name.
    pub name: String,
    /// Units in it.
    pub units: u64,
    /// By what moved them, then by arrangement.
    pub samples: BTreeMap<Engine, Vec<Sample>>,
}

/// A figure over the arrangements that have it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// Least.
    pub min: f64,
    /// In the middle, interpolated between two.
    pub median: f64,
    /// Greatest.
    pub max: f64,
    /// Arrangements that do not have it.
    pub missing: usize,
}

/// A bar and what became of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Verdict {
    /// The bar.
    pub bar: Bar,
    /// The figure of the worst arrangement; `None` where one has none.
    pub worst: Option<f64>,
    /// Whether the worst holds it.
    pub held: bool,
}

/// A figure whose median differs between two benches.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// The case.
    pub case: String,
    /// What moved the units.
    pub engine: Engine,
    /// The figure.
    pub figure: Figure,
    /// Median before; `None` where it could not be measured.
    pub before: Option<f64>,
    /// Median now.
    pub after: Option<f64>,
}

/// A file of results cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ResultsError {
    /// It is no JSON of results.
    #[error("no results of 'throng quality': {0}")]
    Syntax(#[from] serde_json::Error),
    /// It was written by another version.
    #[error("results of version {found}, but this program compares version {VERSION}")]
    Version {
        /// Its version.
        found: u32,
    },
}

impl Results {
    /// Results of a bench on a machine.
    pub fn new(machine: serde_json::Value, cases: Vec<CaseResults>) -> Self {
        Self {
            version: VERSION,
            machine,
            cases,
        }
    }

    /// Reads them back.
    ///
    /// # Errors
    /// The text is none, or of another version.
    pub fn from_json(text: &str) -> Result<Self, ResultsError> {
        #[derive(Deserialize)]
        struct Head {
            version: u32,
        }
        let Head { version: found } = serde_json::from_str(text)?;
        if found != VERSION {
            return Err(ResultsError::Version { found });
        }
        Ok(serde_json::from_str(text)?)
    }

    /// What has changed since `before`, of the cases in both: figures whose medians differ.
    pub fn changes_since(&self, before: &Self) -> Vec<Change> {
        let mut changes = Vec::new();
        for now in &self.cases {
            let Some(old) = before.cases.iter().find(|c| c.name == now.name) else {
                continue;
            };
            for &engine in now.samples.keys() {
                if !old.samples.contains_key(&engine) {
                    continue;
                }
                for figure in Figure::ALL {
                    let median = |case: &CaseResults| case.spread(engine, figure).map(|s| s.median);
                    let (before, after) = (median(old), median(now));
                    let same = match (before, after) {
                        (Some(a), Some(b)) => (a - b).abs() <= 1e-6,
                        (a, b) => a == b,
                    };
                    if !same {
                        changes.push(Change {
                            case: now.name.clone(),
                            engine,
                            figure,
                            before,
                            after,
                        });
                    }
                }
            }
        }
        changes
    }
}

impl Change {
    /// Whether the figure got worse; a figure that can no longer be measured did.
    pub fn is_worse(&self) -> bool {
        match (self.before, self.after) {
            (Some(before), Some(after)) => self.figure.is_worse(after, before),
            (before, _) => before.is_some(),
        }
    }
}

impl CaseResults {
    /// A figure over the arrangements; `None` where none has it.
    pub fn spread(&self, engine: Engine, figure: Figure) -> Option<Spread> {
        let samples = self.samples.get(&engine)?;
        let mut values: Vec<f64> = self.values(engine, figure).flatten().collect();
        values.sort_by(f64::total_cmp);
        Some(Spread {
            min: *values.first()?,
            median: crate::metrics::percentile(&values, 0.5)?,
            max: *values.last()?,
            missing: samples.len() - values.len(),
        })
    }

    fn values(&self, engine: Engine, figure: Figure) -> impl Iterator<Item = Option<f64>> {
        let samples = self.samples.get(&engine).into_iter().flatten();
        samples.map(move |s| s.figures.get(&figure).copied())
    }

    /// The bars of the case, judged by the worst arrangement of this engine. None where the case is
    /// not known.
    pub fn verdicts(&self) -> Vec<Verdict> {
        let bars = case::find(&self.name).into_iter().flat_map(|c| c.bars());
        bars.map(|bar| {
            let worst = bar.worst(self.values(Engine::Throng, bar.figure));
            Verdict {
                bar,
                worst,
                held: bar.is_held(worst),
            }
        })
        .collect()
    }

    /// The figures in which the median of this engine is worse than the peer's: arrival, the tick of
    /// 95 % and penetration, on open ground ways and turns too. A figure that only the peer has is
    /// one of them.
    pub fn behind_peer(&self) -> Vec<Figure> {
        let mut figures = vec![Figure::Arrived, Figure::T95, Figure::MaxPenetration];
        if case::find(&self.name).is_ok_and(|case| case.open) {
            figures.extend([Figure::PathP50, Figure::PathP95, Figure::Jitter]);
        }
        figures.retain(|&figure| {
            // A figure that half of the arrangements do not have has no median.
            let median = |engine| {
                self.spread(engine, figure)
                    .filter(|s| 2 * s.missing <= self.samples[&engine].len())
                    .map(|s| s.median)
            };
            match (median(Engine::Throng), median(Engine::Orca)) {
                (Some(ours), Some(peer)) => figure.is_worse(ours, peer),
                (ours, peer) => ours.is_none() && peer.is_some(),
            }
        });
        figures
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(arrangement: u32, figures: &[(Figure, f64)]) -> Sample {
        Sample {
            arrangement,
            ticks: 900,
            figures: figures.iter().copied().collect(),
        }
    }

    fn results(name: &str, samples: BTreeMap<Engine, Vec<Sample>>) -> Results {
        let case = CaseResults {
            name: name.to_owned(),
            units: 200,
            samples,
        };
        Results::new(serde_json::json!({"cpu": "none"}), vec![case])
    }

    fn trap(worst_path: f64) -> Results {
        let always = [
            (Figure::Arrived, 1.0),
            (Figure::Reached, 1.0),
            (Figure::WallViolations, 0.0),
            (Figure::Reopened, 0.0),
        ];
        let with = |k, path| {
            let mut s = sample(k, &always);
            s.figures.insert(Figure::PathP95, path);
            s
        };
        let samples = vec![with(0, 1.1), with(1, worst_path), with(2, 1.15)];
        results("u_trap", BTreeMap::from([(Engine::Throng, samples)]))
    }

    #[test]
    fn json_reads_back_as_it_was_and_other_versions_do_not() {
        let before = trap(1.2);
        let text = serde_json::to_string(&before).unwrap();
        assert_eq!(Results::from_json(&text).unwrap(), before);
        let other = text.replace("\"version\":1", "\"version\":7");
        assert!(matches!(
            Results::from_json(&other),
            Err(ResultsError::Version { found: 7 })
        ));
        assert!(matches!(
            Results::from_json("[]"),
            Err(ResultsError::Syntax(_))
        ));
    }

    #[test]
    fn bars_fail_when_the_worst_arrangement_misses() {
        let missed = |results: &Results| {
            let verdicts = results.cases[0].verdicts();
            assert_eq!(verdicts.len(), 5);
            verdicts
                .into_iter()
                .filter(|v| !v.held)
                .map(|v| (v.bar.figure, v.worst))
                .collect::<Vec<_>>()
        };
        assert_eq!(missed(&trap(1.25)), []);
        assert_eq!(missed(&trap(1.26)), [(Figure::PathP95, Some(1.26))]);
        let mut gone = trap(1.2);
        let samples = gone.cases[0].samples.get_mut(&Engine::Throng).unwrap();
        samples[2].figures.remove(&Figure::PathP95);
        assert_eq!(missed(&gone), [(Figure::PathP95, None)]);
    }

    #[test]
    fn a_spread_is_over_those_that_have_the_figure() {
        let mut results = trap(1.25);
        let spread = |r: &Results| r.cases[0].spread(Engine::Throng, Figure::PathP95).unwrap();
        let all = spread(&results);
        assert_eq!((all.min, all.median, all.max), (1.1, 1.15, 1.25));
        let samples = results.cases[0].samples.get_mut(&Engine::Throng).unwrap();
        samples[2].figures.remove(&Figure::PathP95);
        let two = spread(&results);
        assert_eq!((two.median, two.missing), (1.175, 1));
    }

    #[test]
    fn changes_are_those_of_medians_and_say_which_way() {
        let (mut before, after) = (trap(1.2), trap(1.12));
        let changes = after.changes_since(&before);
        assert_eq!(changes.len(), 1, "{changes:?}");
        let change = &changes[0];
        assert_eq!(
            (change.figure, change.before, change.after),
            (Figure::PathP95, Some(1.15), Some(1.12))
        );
        assert!(!change.is_worse());
        assert!(before.changes_since(&after)[0].is_worse());
        assert_eq!(after.changes_since(&after), []);
        before.cases[0].name = "corner".to_owned();
        assert_eq!(after.changes_since(&before), [], "another case");
    }

    #[test]
    fn the_peer_is_ahead_where_its_median_is_better() {
        let ours = sample(
            0,
            &[
                (Figure::Arrived, 1.0),
                (Figure::T95, 800.0),
                (Figure::MaxPenetration, 0.2),
                (Figure::PathP50, 1.1),
            ],
        );
        let peer = sample(
            0,
            &[
                (Figure::Arrived, 0.9),
                (Figure::MaxPenetration, 0.1),
                (Figure::PathP50, 1.0),
            ],
        );
        let pair = BTreeMap::from([(Engine::Throng, vec![ours]), (Engine::Orca, vec![peer])]);
        let behind = |name| results(name, pair.clone()).cases[0].behind_peer();
        assert_eq!(
            behind("crossing"),
            [Figure::MaxPenetration, Figure::PathP50]
        );
        assert_eq!(
            behind("u_trap"),
            [Figure::MaxPenetration],
            "ways count in the open only"
        );
    }
}
