//! The `throng` program: crowd demo, headless runs, offscreen frames, benchmarks, path quality.

mod animation;
mod cast;
mod cli;
mod commands;
mod exit;
mod machine;
mod output;
mod picture;
mod plot;
mod progress;
mod table;
mod walk;
mod window;

use std::process::ExitCode;

fn main() -> ExitCode {
    exit::code(cli::run())
}
