//! Tests of scenario files, runs, logs and the built-in scenarios against the public interface.

mod files;
mod golden;
mod logs;
mod runs;
mod shared_cases;
