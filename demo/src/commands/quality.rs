//! `throng quality`: the movement bench.

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::Context;
use clap::value_parser;
use throng_scenes::quality::{
    self, Better, Case, CaseResults, Change, Engine, Figure, Plan, Results, Spread,
};

use crate::exit::Verdict;
use crate::machine::{Machine, cores};
use crate::output::{Output, Target, only_one_stdout};
use crate::plot;
use crate::progress;
use crate::table::Table;

/// Measure how well crowds move: every case over several spawn arrangements, against its bars
///
/// A figure stands as least / median / greatest over the arrangements, as one number where they
/// agree. Bars are judged by the worst arrangement. Exit code 1 when one is missed.
#[derive(clap::Args)]
pub struct Args {
    /// Spawn arrangements of each case [default: 8, with --quick 2]
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..=1000))]
    seeds: Option<u32>,
    /// The same for the cases of 10,000 units [default: as --seeds]
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..=1000))]
    seeds_large: Option<u32>,
    /// Run only these cases
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    only: Vec<String>,
    /// Few arrangements and no large cases: a minute or two
    #[arg(long)]
    quick: bool,
    /// Run every case steered by ORCA too (needs the feature peer-orca)
    #[arg(long)]
    peer: bool,
    /// Runs at a time, a thread each [default: the number of cores]
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Write the results as JSON ('-' for stdout)
    #[arg(long, value_name = "FILE")]
    json: Option<Target>,
    /// Draw the results as a picture (PNG)
    #[arg(long, value_name = "FILE.png")]
    plot: Option<Target>,
    /// Compare with the JSON of another run
    #[arg(long, value_name = "FILE")]
    against: Option<PathBuf>,
}

/// The figures of the table, with their heads.
const COLUMNS: [(Figure, &str); 10] = [
    (Figure::Arrived, "arrived"),
    (Figure::Reached, "reached"),
    (Figure::T50, "t50"),
    (Figure::T95, "t95"),
    (Figure::Done, "all ended"),
    (Figure::MaxPenetration, "max overlap"),
    (Figure::ShareDeep, "over 0.2"),
    (Figure::Jitter, "jitter deg"),
    (Figure::PathP50, "path p50"),
    (Figure::PathP95, "path p95"),
];

/// Does it.
pub fn run(args: &Args) -> anyhow::Result<Verdict> {
    anyhow::ensure!(
        !args.peer || cfg!(feature = "peer-orca"),
        "this build has no peer to compare with; build it with 'cargo build --release --features peer-orca'"
    );
    let quiet = only_one_stdout([&args.json, &args.plot])?;
    let before = args.against.as_ref().map(read).transpose()?;
    let plan = plan(args)?;
    let mut json = args.json.as_ref().map(Target::create).transpose()?;
    let mut plot = args.plot.as_ref().map(Target::create).transpose()?;

    let bar = progress::bar(plan.jobs().len() as u64, "runs");
    let workers = args.threads.map_or_else(cores, usize::from);
    let cases = plan.run(workers, |_| bar.inc(1))?;
    bar.finish_and_clear();

    let machine = Machine::here();
    let results = Results::new(serde_json::to_value(&machine)?, cases);
    if !quiet {
        let mut out = Output::stdout();
        writeln!(
            out,
            "{}, {} cores, {}, {}, throng {}",
            machine.cpu, machine.cores, machine.os, machine.profile, machine.version
        )?;
        tell(&results, &mut out)?;
        if let Some(before) = &before {
            writeln!(out)?;
            tell_changes(&results.changes_since(before), &mut out)?;
        }
        out.flush()?;
    }
    if let Some(out) = &mut plot {
        out.write_all(&plot::quality::png(&machine, &results)?)?;
        out.flush()?;
    }
    if let Some(out) = &mut json {
        out.json(&results)?;
    }
    let verdicts = results.cases.iter().flat_map(CaseResults::verdicts);
    Ok(Verdict::of(verdicts.into_iter().all(|v| v.held)))
}

fn read(path: &PathBuf) -> anyhow::Result<Results> {
    let name = path.display();
    let text = fs::read_to_string(path).with_context(|| format!("cannot read {name}"))?;
    Results::from_json(&text).with_context(|| name.to_string())
}

fn plan(args: &Args) -> anyhow::Result<Plan> {
    let named: Vec<&Case> = args
        .only
        .iter()
        .map(|name| {
            quality::find(name).map_err(|nearest| match nearest {
                Some(nearest) => {
                    anyhow::anyhow!("no case is called '{name}'; did you mean '{nearest}'?")
                }
                None => {
                    let all: Vec<_> = quality::all().iter().map(|case| case.name).collect();
                    anyhow::anyhow!("no case is called '{name}'; there are {}", all.join(", "))
                }
            })
        })
        .collect::<anyhow::Result<_>>()?;
    let cases = if named.is_empty() {
        let all = quality::all().iter();
        all.filter(|case| !(args.quick && case.large)).collect()
    } else {
        named
    };
    let arrangements = args.seeds.unwrap_or(if args.quick { 2 } else { 8 });
    let mut engines = vec![Engine::Throng];
    if args.peer {
        engines.push(Engine::Orca);
    }
    Ok(Plan {
        cases,
        arrangements,
        large_arrangements: args.seeds_large.unwrap_or(arrangements),
        engines,
    })
}

/// The table of figures, that of bars, and where the peer is ahead.
fn tell(results: &Results, out: &mut impl Write) -> io::Result<()> {
    let mut head = vec!["case", "units", "runs", "by"];
    head.extend(COLUMNS.map(|(_, head)| head));
    let mut table = Table::new(&head);
    for case in &results.cases {
        for (&engine, samples) in &case.samples {
            let mut row = vec![
                case.name.clone(),
                case.units.to_string(),
                samples.len().to_string(),
                engine.name().to_owned(),
            ];
            let figures = COLUMNS.map(|(figure, _)| (figure, case.spread(engine, figure)));
            row.extend(figures.map(|(figure, spread)| span(figure, spread)));
            table.row(row);
        }
    }
    table.write(out)?;

    writeln!(out)?;
    tell_bars(results, out)?;
    tell_peer(results, out)
}

/// The bars with the worst arrangement of each; those that hold in every case alike in one line.
fn tell_bars(results: &Results, out: &mut impl Write) -> io::Result<()> {
    let mut table = Table::new(&["case", "bar", "", "worst", ""]);
    let (mut held, mut missed) = (0, 0);
    for case in &results.cases {
        for verdict in case.verdicts() {
            *if verdict.held { &mut held } else { &mut missed } += 1;
            let figure = verdict.bar.figure;
            let of_all = matches!(figure, Figure::WallViolations | Figure::Reopened);
            if of_all && verdict.held {
                continue;
            }
            let sign = match figure.better() {
                Better::Higher => ">=",
                Better::Lower => "<=",
            };
            let worst = verdict.worst.map(|worst| figure.text(worst));
            table.row(vec![
                case.name.clone(),
                figure.to_string(),
                format!("{sign} {}", figure.text(verdict.bar.bound)),
                worst.unwrap_or_else(|| "none".to_owned()),
                if verdict.held { "held" } else { "MISSED" }.to_owned(),
            ]);
        }
    }
    table.write(out)?;
    writeln!(
        out,
        "{held} bars held, {missed} missed; that nobody is in a wall and no ended order is taken up \
         again is asked of every case and listed where it is missed"
    )
}

/// Where the peer's medians are better.
fn tell_peer(results: &Results, out: &mut impl Write) -> io::Result<()> {
    for case in &results.cases {
        let median = |engine, figure: Figure| {
            let spread = case.spread(engine, figure);
            spread.map_or_else(|| "none".to_owned(), |s| figure.text(s.median))
        };
        for figure in case.behind_peer() {
            writeln!(
                out,
                "behind ORCA in {}: {figure} {} against {}",
                case.name,
                median(Engine::Throng, figure),
                median(Engine::Orca, figure)
            )?;
        }
    }
    Ok(())
}

/// Least, median and greatest; how many runs lack the figure.
fn span(figure: Figure, spread: Option<Spread>) -> String {
    let Some(spread) = spread else {
        return "-".to_owned();
    };
    let [min, median, max] = [spread.min, spread.median, spread.max].map(|v| {
        let text = figure.text(v);
        text.trim_end_matches(" %").to_owned()
    });
    let unit = if figure.text(0.0).ends_with('%') {
        " %"
    } else {
        ""
    };
    let missing = match spread.missing {
        0 => String::new(),
        n => format!(" ({n} without)"),
    };
    if min == max {
        format!("{median}{unit}{missing}")
    } else {
        format!("{min} / {median} / {max}{unit}{missing}")
    }
}

/// The figures whose medians changed.
fn tell_changes(changes: &[Change], out: &mut impl Write) -> io::Result<()> {
    if changes.is_empty() {
        return writeln!(out, "no median has changed");
    }
    let mut table = Table::new(&["case", "by", "figure", "before", "now", ""]);
    for change in changes {
        let text =
            |value: Option<f64>| value.map_or_else(|| "none".to_owned(), |v| change.figure.text(v));
        table.row(vec![
            change.case.clone(),
            change.engine.name().to_owned(),
            change.figure.to_string(),
            text(change.before),
            text(change.after),
            if change.is_worse() { "worse" } else { "better" }.to_owned(),
        ]);
    }
    table.write(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_is_one_number_where_all_agree() {
        let spread = |min, median, max, missing| {
            Some(Spread {
                min,
                median,
                max,
                missing,
            })
        };
        let arrived = |s| span(Figure::Arrived, s);
        assert_eq!(arrived(spread(1.0, 1.0, 1.0, 0)), "100.0 %");
        assert_eq!(arrived(spread(0.9, 1.0, 1.0, 0)), "90.0 / 100.0 / 100.0 %");
        assert_eq!(
            span(Figure::T95, spread(7.0, 8.0, 9.0, 2)),
            "7 / 8 / 9 (2 without)"
        );
        assert_eq!(arrived(None), "-");
    }

    #[test]
    fn quick_is_fewer_and_smaller() {
        let args = |quick| Args {
            seeds: None,
            seeds_large: None,
            only: Vec::new(),
            quick,
            peer: false,
            threads: None,
            json: None,
            plot: None,
            against: None,
        };
        let (whole, quick) = (plan(&args(false)).unwrap(), plan(&args(true)).unwrap());
        assert_eq!((whole.arrangements, quick.arrangements), (8, 2));
        assert_eq!(whole.cases.len(), quality::all().len());
        assert!(quick.cases.iter().all(|case| !case.large));
        let wrong = Args {
            only: vec!["corners".to_owned()],
            ..args(false)
        };
        let error = plan(&wrong).unwrap_err().to_string();
        assert!(
            error.contains("'corners'") && error.contains("'corner'"),
            "{error}"
        );
    }
}
