//! All runs of a bench, several at a time.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::arrangement::Arrangement;
use super::case::Case;
use super::measure::{Engine, MeasureError, Sample, measure};
use super::results::CaseResults;

/// What a bench runs.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The cases.
    pub cases: Vec<&'static Case>,
    /// Arrangements of each.
    pub arrangements: u32,
    /// Arrangements of each large one.
    pub large_arrangements: u32,
    /// What moves the units.
    pub engines: Vec<Engine>,
}

/// One run of a bench.
#[derive(Clone, Copy, Debug)]
pub struct Job {
    /// The case.
    pub case: &'static Case,
    /// How its units are placed.
    pub arrangement: Arrangement,
    /// What moves them.
    pub engine: Engine,
}

impl Plan {
    /// The runs, by case, engine and arrangement.
    pub fn jobs(&self) -> Vec<Job> {
        let mut jobs = Vec::new();
        for &case in &self.cases {
            let count = if case.large {
                self.large_arrangements
            } else {
                self.arrangements
            };
            for &engine in &self.engines {
                jobs.extend((0..count).map(Arrangement).map(|arrangement| Job {
                    case,
                    arrangement,
                    engine,
                }));
            }
        }
        jobs
    }

    /// Runs it, `workers` runs at a time with one thread each, and calls `done` after each.
    ///
    /// # Errors
    /// A case cannot be run; then the rest is left out.
    ///
    /// # Panics
    /// When the system gives no threads.
    pub fn run(
        &self,
        workers: usize,
        done: impl Fn(&Job) + Sync,
    ) -> Result<Vec<CaseResults>, MeasureError> {
        let jobs = self.jobs();
        // The large ones first, so that no worker is left alone with one at the end.
        let mut order: Vec<usize> = (0..jobs.len()).collect();
        order.sort_by_key(|&i| !jobs[i].case.large);
        let next = AtomicUsize::new(0);
        let samples: Mutex<Vec<Option<Result<Sample, MeasureError>>>> =
            Mutex::new((0..jobs.len()).map(|_| None).collect());
        let work = || {
            while let Some(&i) = order.get(next.fetch_add(1, Ordering::Relaxed)) {
                let job = &jobs[i];
                let sample = measure(job.case, job.arrangement, job.engine);
                if sample.is_err() {
                    next.store(order.len(), Ordering::Relaxed);
                }
                samples.lock().expect("no worker panics with it")[i] = Some(sample);
                done(job);
            }
        };
        // A pool of one thread for each worker: what is parallel within a run stays there, and the
        // runs do not wait for one another.
        std::thread::scope(|scope| {
            for _ in 0..workers.max(1) {
                scope.spawn(|| {
                    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build();
                    pool.expect("a thread").install(work);
                });
            }
        });
        let samples = samples.into_inner().expect("no worker panics with it");
        let mut cases: Vec<CaseResults> = Vec::new();
        for (job, sample) in jobs.iter().zip(samples) {
            // Runs after a failed one are not there; the failed one ends this first or is next.
            let Some(sample) = sample else { continue };
            let sample = sample?;
            if cases.last().is_none_or(|case| case.name != job.case.name) {
                let units = job.case.scenario(job.arrangement).unit_count() as u64;
                cases.push(CaseResults {
                    name: job.case.name.to_owned(),
                    units,
                    samples: BTreeMap::new(),
                });
            }
            if let Some(case) = cases.last_mut() {
                case.samples.entry(job.engine).or_default().push(sample);
            }
        }
        Ok(cases)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::quality::case::find;

    #[test]
    fn results_do_not_depend_on_the_number_of_workers() {
        let plan = Plan {
            cases: ["counterflow_bay", "circle_64"]
                .map(|name| find(name).unwrap())
                .to_vec(),
            arrangements: 2,
            large_arrangements: 1,
            engines: vec![Engine::Throng],
        };
        assert_eq!(plan.jobs().len(), 4);
        let counted = AtomicUsize::new(0);
        let count = |_: &Job| {
            counted.fetch_add(1, Ordering::Relaxed);
        };
        let alone = plan.run(1, count).unwrap();
        assert_eq!(counted.load(Ordering::Relaxed), 4);
        assert_eq!(alone, plan.run(3, |_| ()).unwrap());
        assert_eq!(alone[0].name, "counterflow_bay");
        assert_eq!(alone[1].samples[&Engine::Throng].len(), 2);
    }
}
