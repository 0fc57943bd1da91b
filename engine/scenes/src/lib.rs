//! Scenarios for the Throng engine: the file format, built-in scenarios, and measured runs.
//!
//! A [`Scenario`] is read from a TOML file or found by name among the [built-in ones](builtin). A
//! [`Runner`] plays it tick by tick: it gives the scripted orders and edits, times the stages and
//! measures the crowd. Its [`Report`] holds the figures and says which of the scenario's bars were
//! missed. [`Trace`] writes every unit's way, a [`Recorder`] an order log that can be replayed.
//!
//! ```
//! use throng_scenes::{RunOptions, Runner, Scenario};
//!
//! let scenario = Scenario::find("gap")?;
//! let expect = scenario.expect;
//! let mut runner = Runner::new(scenario, RunOptions { ticks: Some(10), ..RunOptions::default() })?;
//! while !runner.is_done() {
//!     runner.step()?;
//! }
//! let report = runner.report();
//! assert_eq!(report.wall_violations, 0);
//! println!("{report}\n{:?}", report.misses(&expect));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod bench_crowd;
pub mod builtin;
mod canvas;
mod error;
mod file;
mod hash;
mod metrics;
mod number;
mod placement;
pub mod quality;
mod recording;
mod report;
mod runner;
mod scenario;
mod setup;
mod trace;
pub mod worker;

pub use error::{Problem, ScenarioError};
pub use metrics::{Arrival, Figures, OrderCounts, PathRatio, Penetration};
pub use recording::{Divergence, LogError, Recorder, Recording, Replay};
pub use report::{Memory, Miss, Report, StageTimes, TickTime};
pub use runner::{Given, RunError, RunOptions, Runner};
pub use scenario::{
    BrainKind, EditEntry, Expect, Fighter, GroupOrder, OrderEntry, Pointer, Scenario, UnitEntry,
};
pub use setup::Group;
pub use trace::{Trace, write_hash};
