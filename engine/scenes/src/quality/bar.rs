//! What the worst arrangement of a case must hold.

use super::figure::{Better, Figure};

/// A bar: the figure is at least it where higher is better, else at most.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bar {
    /// What is judged.
    pub figure: Figure,
    /// The bound.
    pub bound: f64,
}

impl Bar {
    /// Whether a value holds it; no value never does.
    pub fn is_held(&self, value: Option<f64>) -> bool {
        value.is_some_and(|v| match self.figure.better() {
            Better::Higher => v >= self.bound,
            Better::Lower => v <= self.bound,
        })
    }

    /// The figure of the worst of several runs; `None` when any has none.
    pub fn worst(&self, values: impl IntoIterator<Item = Option<f64>>) -> Option<f64> {
        values
            .into_iter()
            .try_fold(None, |worst: Option<f64>, value| {
                let value = value?;
                Some(Some(worst.map_or(value, |w| match self.figure.better() {
                    Better::Higher => w.min(value),
                    Better::Lower => w.max(value),
                })))
            })
            .flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ARRIVED: Bar = Bar {
        figure: Figure::Arrived,
        bound: 0.995,
    };
    const T95: Bar = Bar {
        figure: Figure::T95,
        bound: 900.0,
    };

    #[test]
    fn the_worst_run_decides() {
        assert_eq!(ARRIVED.worst([Some(1.0), Some(0.99)]), Some(0.99));
        assert!(!ARRIVED.is_held(ARRIVED.worst([Some(1.0), Some(0.99)])));
        assert!(ARRIVED.is_held(ARRIVED.worst([Some(1.0), Some(0.995)])));
        assert_eq!(T95.worst([Some(800.0), Some(901.0)]), Some(901.0));
        assert!(!T95.is_held(T95.worst([Some(800.0), Some(901.0)])));
    }

    #[test]
    fn a_run_without_the_figure_misses() {
        assert_eq!(T95.worst([Some(800.0), None]), None);
        assert!(!T95.is_held(None));
        assert_eq!(T95.worst([]), None);
    }
}
