//! `throng record`: the orders of a run and a hash for every tick.

use std::io::Write;

use clap::value_parser;
use throng_scenes::{Recorder, RunOptions, Runner, Scenario};

use crate::exit::Verdict;
use crate::output::{Output, Target};
use crate::progress;

/// Record a run: its orders, and a hash of the state for every tick
#[derive(clap::Args)]
pub struct Args {
    /// Built-in name or scenario file (.toml)
    scenario: String,
    /// File to write ('-' for stdout)
    #[arg(long, value_name = "FILE")]
    out: Target,
    /// Record this many ticks instead of the scenario's
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = value_parser!(u64).range(1..=1_000_000_000))]
    ticks: Option<u64>,
    /// Seed to use instead of the scenario's
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    seed: Option<u64>,
    /// Number of worker threads [default: the number of cores]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

/// Does it.
pub fn run(args: &Args) -> anyhow::Result<Verdict> {
    let scenario = Scenario::find(&args.scenario)?;
    let options = RunOptions {
        seed: args.seed,
        ticks: args.ticks,
    };
    let pool = super::pool(args.threads)?;
    let mut runner = pool
        .install(|| Runner::new(scenario, options))?
        .unmeasured();
    let mut recorder = Recorder::new(args.out.create()?, &runner)?;
    let bar = progress::bar(runner.scenario().ticks, "ticks");
    while !runner.is_done() {
        pool.install(|| runner.step())?;
        recorder.tick(&runner)?;
        bar.inc(1);
    }
    bar.finish_and_clear();
    recorder.finish(&runner)?;
    if args.out != Target::Stdout {
        let mut out = Output::stdout();
        let (name, ticks) = (&runner.scenario().name, runner.simulation().now());
        writeln!(
            out,
            "{name}: {ticks} ticks recorded, state hash {:016x}",
            runner.state_hash()
        )?;
        out.flush()?;
    }
    Ok(Verdict::Held)
}
