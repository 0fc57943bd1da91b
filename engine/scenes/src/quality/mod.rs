//! The movement bench: how good crowds are at moving, by figures over many arrangements.
//!
//! Every [`Case`] is run in several [`Arrangement`]s, its spawn areas shifted and its seed changed.
//! [`measure`] gives the figures of one of them, a [`Plan`] those of many. [`Results`] judge the worst
//! of each case by its [`Bar`]s and are compared with those of another bench.

mod arrangement;
mod bar;
mod bench;
mod case;
mod figure;
mod gauge;
mod grounds;
mod measure;
#[cfg(feature = "peer-orca")]
mod peer;
mod results;

pub use arrangement::Arrangement;
pub use bar::Bar;
pub use bench::{Job, Plan};
pub use case::{Case, all, find};
pub use figure::{Better, Figure};
pub use gauge::Gauge;
pub use measure::{Engine, MeasureError, Sample, measure};
pub use results::{CaseResults, Change, Results, ResultsError, Spread, Verdict};
