//! `throng path`: how good are the ways that a lone unit walks?

use std::io::Write;
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use serde::Serialize;
use throng::Map;
use throng::field::octile;
use throng::map::{ScenRow, SizeClass, load_scen};

use crate::exit::{Verdict, complain};
use crate::output::{Output, Target, only_one_stdout};
use crate::progress;
use crate::walk::{Errand, Walk, obstacle, walk_all};

/// Measure the paths of lone units against the shortest ones
///
/// One unit walks by the simulation's own steering from the centre of the start cell until it is
/// within half a cell of the goal's. Exit code 1 when a valid row fails.
#[derive(clap::Args)]
pub struct Args {
    /// Map file: .map (MovingAI), .txt (ASCII), .png (dark is blocked), .tmx or .tmj (Tiled)
    #[arg(long, value_name = "FILE")]
    map: PathBuf,
    /// MovingAI scenario file: every row of it is walked
    #[arg(long, value_name = "FILE", conflicts_with_all = ["from", "to"], required_unless_present_all = ["from", "to"])]
    scen: Option<PathBuf>,
    /// Cell to start from
    #[arg(long, value_name = "X,Y", allow_hyphen_values = true, value_parser = cell, requires = "to")]
    from: Option<[u32; 2]>,
    /// Cell to walk to
    #[arg(long, value_name = "X,Y", allow_hyphen_values = true, value_parser = cell, requires = "from")]
    to: Option<[u32; 2]>,
    /// Radius of the unit, in cells
    #[arg(long, value_name = "R", default_value_t = 0.4, allow_negative_numbers = true, value_parser = radius)]
    radius: f32,
    /// Write the results as JSON ('-' for stdout)
    #[arg(long, value_name = "FILE")]
    json: Option<Target>,
}

/// The results, as JSON holds them.
#[derive(Serialize)]
struct Results {
    map: String,
    scenarios: usize,
    skipped: usize,
    failed: usize,
    ratio: Option<Ratio>,
    rows: Vec<Row>,
}

/// Walked over shortest length, of the rows that came to their goal and are longer than nothing.
#[derive(Serialize)]
struct Ratio {
    mean: f64,
    p95: f64,
    max: f64,
}

#[derive(Serialize)]
struct Row {
    bucket: u32,
    start: [u32; 2],
    goal: [u32; 2],
    optimal: f64,
    /// None when the unit did not come to its goal.
    length: Option<f64>,
    ms: f64,
}

/// A row to walk and how to name it to the user.
struct Task {
    name: String,
    bucket: u32,
    errand: Errand,
}

/// Does it.
pub fn run(args: &Args) -> anyhow::Result<Verdict> {
    let quiet = only_one_stdout([&args.json])?;
    let mut map = Map::load(&args.map)?;
    map.ensure_class(SizeClass::of(args.radius));
    let (tasks, skipped) = match &args.scen {
        Some(file) => rows_of(&map, args.radius, file)?,
        None => (vec![single(&map, args)?], 0),
    };
    let mut json = args.json.as_ref().map(Target::create).transpose()?;

    let errands: Vec<Errand> = tasks.iter().map(|t| t.errand).collect();
    let bar = progress::bar(errands.len() as u64, "rows");
    let walks = walk_all(&map, args.radius, &errands, |n| bar.inc(n))?;
    bar.finish_and_clear();

    for (task, walk) in tasks.iter().zip(&walks) {
        if walk.length.is_none() {
            let ([ax, ay], [bx, by]) = (task.errand.start, task.errand.goal);
            complain(&format!(
                "{}: the unit from ({ax}, {ay}) never came to ({bx}, {by})",
                task.name
            ));
        }
    }
    let results = Results {
        map: args.map.display().to_string(),
        scenarios: tasks.len() + skipped,
        skipped,
        failed: walks.iter().filter(|w| w.length.is_none()).count(),
        ratio: ratio(&errands, &walks),
        rows: tasks.iter().zip(&walks).map(row).collect(),
    };
    if !quiet {
        report(&results)?;
    }
    if let Some(out) = &mut json {
        out.json(&results)?;
    }
    Ok(Verdict::of(results.failed == 0))
}

fn row((task, walk): (&Task, &Walk)) -> Row {
    let Errand {
        start,
        goal,
        optimal,
    } = task.errand;
    Row {
        bucket: task.bucket,
        start,
        goal,
        optimal,
        length: walk.length,
        ms: walk.ms,
    }
}

fn report(results: &Results) -> anyhow::Result<()> {
    let mut out = Output::stdout();
    let Results {
        map,
        scenarios,
        skipped,
        failed,
        ratio,
        rows,
    } = results;
    writeln!(
        out,
        "{map}: {scenarios} rows, {skipped} skipped, {failed} failed"
    )?;
    if let [row] = rows.as_slice()
        && let Some(length) = row.length
    {
        writeln!(
            out,
            "walked {length:.3} cells, shortest over the grid {:.3}",
            row.optimal
        )?;
    }
    if let Some(Ratio { mean, p95, max }) = ratio {
        writeln!(
            out,
            "walked / shortest: mean {mean:.4}, p95 {p95:.4}, max {max:.4}"
        )?;
    }
    out.flush()?;
    Ok(())
}

fn ratio(errands: &[Errand], walks: &[Walk]) -> Option<Ratio> {
    let mut ratios: Vec<f64> = errands
        .iter()
        .zip(walks)
        .filter(|(errand, _)| errand.optimal > 0.0)
        .filter_map(|(errand, walk)| Some(walk.length? / errand.optimal))
        .collect();
    ratios.sort_by(f64::total_cmp);
    let max = *ratios.last()?;
    let mean = ratios.iter().sum::<f64>() / ratios.len() as f64;
    let p95 = ratios[((ratios.len() as f64 * 0.95).ceil() as usize).max(1) - 1];
    Some(Ratio { mean, p95, max })
}

/// The one walk that `--from` and `--to` ask for.
fn single(map: &Map, args: &Args) -> anyhow::Result<Task> {
    let (Some(start), Some(goal)) = (args.from, args.to) else {
        anyhow::bail!("give --scen FILE, or --from X,Y and --to X,Y");
    };
    let mut errand = Errand {
        start,
        goal,
        optimal: 0.0,
    };
    if let Some(why) = obstacle(map, args.radius, &errand) {
        anyhow::bail!("{}: {why}", args.map.display());
    }
    errand.optimal = shortest(map, SizeClass::of(args.radius), &errand);
    Ok(Task {
        name: args.map.display().to_string(),
        bucket: 0,
        errand,
    })
}

/// The rows of a scenario file that agree with the map; the others are named on stderr and counted.
fn rows_of(map: &Map, radius: f32, file: &Path) -> anyhow::Result<(Vec<Task>, usize)> {
    let (rows, rejected) = load_scen(file, map)?;
    let mut wrong: Vec<(u32, String)> = rejected
        .into_iter()
        .map(|row| (row.line, row.fault.to_string()))
        .collect();
    let checked: Vec<Result<Errand, String>> =
        rows.par_iter().map(|row| check(map, radius, row)).collect();
    let name = file.display();
    let mut tasks = Vec::new();
    for (row, errand) in rows.iter().zip(checked) {
        match errand {
            Ok(errand) => {
                tasks.push(Task {
                    name: format!("{name}:{}", row.line),
                    bucket: row.bucket,
                    errand,
                });
            }
            Err(why) => wrong.push((row.line, why)),
        }
    }
    wrong.sort();
    for (line, why) in &wrong {
        complain(&format!("{name}:{line}: {why}; the row is skipped"));
    }
    Ok((tasks, wrong.len()))
}

/// A row that agrees with the map, or why it does not.
fn check(map: &Map, radius: f32, row: &ScenRow) -> Result<Errand, String> {
    let cell = |(x, y): (i32, i32)| [x as u32, y as u32];
    let errand = Errand {
        start: cell(row.start),
        goal: cell(row.goal),
        optimal: row.optimal,
    };
    if let Some(why) = obstacle(map, radius, &errand) {
        return Err(why);
    }
    let shortest = shortest(map, SizeClass::SMALLEST, &errand);
    // Benchmark files give lengths with two to eight digits after the point.
    if (shortest - errand.optimal).abs() > 0.01 + 1e-4 * shortest {
        return Err(format!(
            "the length is {}; the shortest way has {shortest:.5}",
            errand.optimal
        ));
    }
    Ok(errand)
}

/// Shortest length over the grid for a unit of a size.
fn shortest(map: &Map, size: SizeClass, errand: &Errand) -> f64 {
    let [gx, gy] = errand.goal.map(|v| v as i32);
    let [sx, sy] = errand.start.map(|v| v as i32);
    octile::distances(&map.nav(size).occupancy, gx, gy).distance(sx, sy)
}

/// Parses `X,Y` as the cell that holds the point.
fn cell(text: &str) -> Result<[u32; 2], String> {
    let parse = |part: &str| {
        part.trim()
            .parse::<f64>()
            .ok()
            .filter(|v| (0.0..1e9).contains(v))
    };
    match text.split_once(',').map(|(x, y)| (parse(x), parse(y))) {
        Some((Some(x), Some(y))) => Ok([x as u32, y as u32]),
        _ => Err("a cell X,Y is wanted, such as 12,7".to_string()),
    }
}

/// Parses a radius that a unit can have.
fn radius(text: &str) -> Result<f32, String> {
    let max = throng::sim::MAX_RADIUS;
    match text.parse::<f32>() {
        Ok(r) if r > 0.0 && r <= max => Ok(r),
        _ => Err(format!("a radius over 0 and up to {max} cells is wanted")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_read_and_nonsense_is_not() {
        assert_eq!(cell("12,7"), Ok([12, 7]));
        assert_eq!(cell("12.5, 7.9"), Ok([12, 7]));
        for bad in ["12", "-1,3", "NaN,1", "1,inf", "", "a,b"] {
            assert!(cell(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn the_ratio_leaves_out_failures_and_walks_of_no_length() {
        let errand = |optimal| Errand {
            start: [0, 0],
            goal: [1, 0],
            optimal,
        };
        let walk = |length| Walk { length, ms: 0.0 };
        let errands = [errand(0.0), errand(2.0), errand(4.0), errand(4.0)];
        let walks = [
            walk(Some(0.0)),
            walk(Some(3.0)),
            walk(Some(4.0)),
            walk(None),
        ];
        let ratio = ratio(&errands, &walks).unwrap();
        assert_eq!((ratio.mean, ratio.p95, ratio.max), (1.25, 1.5, 1.5));
    }
}
