//! Tests of scenario files, runs, logs and the built-in scenarios against the public interface.

#![allow(clippy::print_stdout, reason = "skipped tests say so")]

mod battle;
mod files;
mod flight;
mod golden;
mod logs;
mod runs;
mod shared_cases;
mod worker;
#[path = "../../examples/worker.rs"]
mod worker_example;
