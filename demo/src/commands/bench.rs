//! `throng bench`: units against milliseconds a tick and frames a second.

use std::io::Write;
use std::time::Instant;

use clap::value_parser;
use serde::Serialize;
use throng::Simulation;
use throng_scenes::bench_crowd::{WARM_UP_TICKS, bench_crowd, measured_ticks};

use crate::exit::Verdict;
use crate::machine::{Machine, cores};
use crate::output::{Output, Target, only_one_stdout};
use crate::picture;
use crate::plot;
use crate::progress;
use crate::table::Table;

/// Measure crowds of several sizes: ms a tick, ns a unit, simulated and drawn frames a second
///
/// The crowd is the same at every size: one unit to ten cells, half of the map open and half strewn
/// with blocks, eight goals, everybody on the way. Times are medians over the ticks after a warm-up.
#[derive(clap::Args)]
pub struct Args {
    /// Crowd sizes
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_value = "1000,10000,100000",
          value_parser = value_parser!(u32).range(1..=4_000_000))]
    units: Vec<u32>,
    /// Numbers of worker threads [default: 1 and the number of cores]
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = value_parser!(u16).range(1..=1024))]
    threads: Vec<u16>,
    /// Write the results as JSON ('-' for stdout)
    #[arg(long, value_name = "FILE")]
    json: Option<Target>,
    /// Draw the results as a picture (SVG)
    #[arg(long, value_name = "FILE.svg")]
    plot: Option<Target>,
}

/// The results of a bench, as JSON holds them.
#[derive(Serialize)]
struct Results {
    machine: Machine,
    rows: Vec<Row>,
}

/// One crowd on one number of threads.
#[derive(Clone, Serialize)]
pub struct Row {
    /// Units in the crowd.
    pub units: u32,
    /// Worker threads.
    pub threads: u16,
    /// Width and height of the map, in cells.
    pub map: [u32; 2],
    /// Median time of a tick, in milliseconds.
    pub ms_per_tick_p50: f64,
    /// The 99th percentile of the same.
    pub ms_per_tick_p99: f64,
    /// Median time of a tick over the units, in nanoseconds.
    pub ns_per_unit_tick: f64,
    /// Ticks a second at the median.
    pub sim_fps: f64,
    /// Frames a second drawn offscreen; none without an adapter.
    pub render_fps: Option<f64>,
    /// Hash of the state after the last tick: the same for any number of threads.
    pub state_hash: String,
}

/// Does it.
pub fn run(args: &Args) -> anyhow::Result<Verdict> {
    let quiet = only_one_stdout([&args.json, &args.plot])?;
    let mut json = args.json.as_ref().map(Target::create).transpose()?;
    let mut plot = args.plot.as_ref().map(Target::create).transpose()?;
    let threads = if args.threads.is_empty() {
        default_threads()
    } else {
        args.threads.clone()
    };

    let machine = Machine::here();
    let ticks = |n: &u32| u64::from(WARM_UP_TICKS + measured_ticks(*n)) * threads.len() as u64;
    let bar = progress::bar(args.units.iter().map(ticks).sum(), "ticks");
    let mut rows = Vec::new();
    for &units in &args.units {
        let mut fps = None;
        for &threads in &threads {
            let (mut row, crowd) = measure(units, threads, &bar)?;
            row.render_fps = *fps.get_or_insert_with(|| picture::frames_per_second(&crowd));
            rows.push(row);
        }
    }
    bar.finish_and_clear();

    if !quiet {
        let mut out = Output::stdout();
        writeln!(
            out,
            "{}, {} cores, {}, {}",
            machine.cpu, machine.cores, machine.os, machine.profile
        )?;
        table(&rows).write(&mut out)?;
        out.flush()?;
    }
    if let Some(out) = &mut plot {
        out.write_all(plot::bench::svg(&machine, &rows)?.as_bytes())?;
        out.flush()?;
    }
    if let Some(out) = &mut json {
        out.json(&Results { machine, rows })?;
    }
    Ok(Verdict::Held)
}

fn default_threads() -> Vec<u16> {
    match cores() {
        1 => vec![1],
        n => vec![1, n.min(1024) as u16],
    }
}

fn measure(
    units: u32,
    threads: u16,
    bar: &indicatif::ProgressBar,
) -> anyhow::Result<(Row, Simulation)> {
    let pool = super::pool(Some(threads))?;
    let (mut sim, mut world) = bench_crowd(units)?;
    let mut times = Vec::new();
    for tick in 0..WARM_UP_TICKS + measured_ticks(units) {
        let start = Instant::now();
        pool.install(|| sim.tick(&mut world));
        if tick >= WARM_UP_TICKS {
            times.push(start.elapsed().as_secs_f64() * 1e3);
        }
        bar.inc(1);
    }
    times.sort_by(f64::total_cmp);
    let p50 = quantile(&times, 0.5);
    let row = Row {
        units,
        threads,
        map: [sim.map().width(), sim.map().height()],
        ms_per_tick_p50: p50,
        ms_per_tick_p99: quantile(&times, 0.99),
        ns_per_unit_tick: p50 * 1e6 / f64::from(units),
        sim_fps: 1e3 / p50,
        render_fps: None,
        state_hash: format!("{:016x}", sim.state_hash()),
    };
    Ok((row, sim))
}

/// The value below which the share `q` of sorted values lies (nearest rank).
fn quantile(sorted: &[f64], q: f64) -> f64 {
    let rank = (q * sorted.len() as f64).ceil() as usize;
    sorted[rank.clamp(1, sorted.len()) - 1]
}

fn table(rows: &[Row]) -> Table {
    let mut table = Table::new(&[
        "units",
        "threads",
        "map",
        "ms/tick p50",
        "p99",
        "ns/unit/tick",
        "sim fps",
        "render fps",
        "state hash",
    ]);
    for row in rows {
        table.row(vec![
            row.units.to_string(),
            row.threads.to_string(),
            format!("{}x{}", row.map[0], row.map[1]),
            format!("{:.3}", row.ms_per_tick_p50),
            format!("{:.3}", row.ms_per_tick_p99),
            format!("{:.0}", row.ns_per_unit_tick),
            format!("{:.1}", row.sim_fps),
            row.render_fps
                .map_or_else(|| "-".to_string(), |fps| format!("{fps:.1}")),
            row.state_hash.clone(),
        ]);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_nearest_ranks() {
        let values: Vec<f64> = (1..=100).map(f64::from).collect();
        assert_eq!(quantile(&values, 0.5), 50.0);
        assert_eq!(quantile(&values, 0.99), 99.0);
        assert_eq!(quantile(&[7.0], 0.99), 7.0);
    }
}
