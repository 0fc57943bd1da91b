//! `throng run`: a scenario without a window, measured.

use std::io::Write;

use clap::value_parser;
use throng_scenes::{Report, RunOptions, Runner, Scenario, Trace, write_hash};

use crate::exit::{Verdict, complain};
use crate::output::{Output, Target, only_one_stdout};
use crate::progress;

/// Run a scenario headless and report how it went
///
/// Exit code 1 when a bar of the scenario's expect table is missed.
#[derive(clap::Args)]
pub struct Args {
    /// Built-in name or scenario file (.toml)
    scenario: String,
    #[command(flatten)]
    options: Options,
}

/// What a run changes of its scenario, and what it writes.
#[derive(clap::Args, Default)]
pub struct Options {
    /// Run this many ticks instead of the scenario's
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = value_parser!(u64).range(1..=1_000_000_000))]
    ticks: Option<u64>,
    /// Number of worker threads [default: the number of cores]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Seed to use instead of the scenario's
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    seed: Option<u64>,
    /// Write the report as JSON ('-' for stdout)
    #[arg(long, value_name = "FILE")]
    json: Option<Target>,
    /// Write where every unit is, as CSV ('-' for stdout)
    #[arg(long, value_name = "FILE")]
    trace: Option<Target>,
    /// Trace only ticks that are a multiple of K, and the last
    #[arg(long, value_name = "K", default_value_t = 1, requires = "trace", value_parser = value_parser!(u64).range(1..))]
    trace_every: u64,
    /// Write the hash of the state after every tick ('-' for stdout)
    #[arg(long, value_name = "FILE")]
    hashes: Option<Target>,
}

/// Does it.
pub fn run(args: &Args) -> anyhow::Result<Verdict> {
    run_scenario(&args.options, Scenario::find(&args.scenario)?)
}

/// The same for a scenario already at hand.
pub fn run_scenario(args: &Options, scenario: Scenario) -> anyhow::Result<Verdict> {
    let quiet = only_one_stdout([&args.json, &args.trace, &args.hashes])?;
    let options = RunOptions {
        seed: args.seed,
        ticks: args.ticks,
    };
    let pool = super::pool(args.threads)?;
    let mut runner = pool.install(|| Runner::new(scenario, options))?;

    let open = |target: &Option<Target>| target.as_ref().map(Target::create).transpose();
    let mut json = open(&args.json)?;
    let mut hashes = open(&args.hashes)?;
    let mut trace = open(&args.trace)?
        .map(|out| Trace::new(out, args.trace_every))
        .transpose()?;

    let bar = progress::bar(runner.scenario().ticks, "ticks");
    while !runner.is_done() {
        pool.install(|| runner.step())?;
        if let Some(trace) = &mut trace {
            trace.tick(&runner)?;
        }
        if let Some(out) = &mut hashes {
            write_hash(out, &runner)?;
        }
        bar.inc(1);
    }
    bar.finish_and_clear();

    if let Some(trace) = trace {
        trace.finish(&runner)?;
    }
    if let Some(out) = &mut hashes {
        out.flush()?;
    }
    let report = pool.install(|| runner.report());
    if let Some(out) = &mut json {
        out.json(&report)?;
    }
    tell(&report, &runner, quiet)
}

/// Prints the report and names the bars that were missed.
fn tell(report: &Report, runner: &Runner, quiet: bool) -> anyhow::Result<Verdict> {
    let misses = report.misses(&runner.scenario().expect);
    if quiet {
        for miss in &misses {
            complain(&format!("missed: {miss}"));
        }
    } else {
        let mut out = Output::stdout();
        writeln!(out, "{report}")?;
        for miss in &misses {
            writeln!(out, "  missed       {miss}")?;
        }
        out.flush()?;
    }
    Ok(Verdict::of(misses.is_empty()))
}
