//! `throng demo`, and `throng` without a command: the crowd in a window.

use std::path::PathBuf;

use anyhow::Context;
use clap::value_parser;
use glam::Vec2;
use throng::Map;
use throng::map::SizeClass;
use throng_scenes::builtin::DEFAULT;
use throng_scenes::{GroupOrder, OrderEntry, Scenario, UnitEntry};

use super::run;
use crate::exit::{Verdict, complain};
use crate::window::{self, NoWindow};

/// Units on a map of the user's when no number is given.
const UNITS: u32 = 1000;

/// Watch and command a crowd in a window
///
/// Where there is no display or no graphics adapter the scenario is run headless, as by throng run.
#[derive(clap::Args, Default)]
pub struct Args {
    /// Built-in name or scenario file (.toml) [default: crowd]
    scenario: Option<String>,
    /// Number of units, shared out over the scenario's groups in proportion
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..=4_000_000))]
    units: Option<u32>,
    /// Map file to use instead of the scenario's; without a scenario a crowd is put on it
    #[arg(long, value_name = "FILE")]
    map: Option<PathBuf>,
}

/// Does it.
pub fn run(args: &Args) -> anyhow::Result<Verdict> {
    let scenario = scenario(args)?;
    match window::run_window(scenario.clone()) {
        Ok(()) => Ok(Verdict::Held),
        Err(NoWindow(why)) => {
            complain(&format!(
                "no window ({why}); running {} headless",
                scenario.name
            ));
            run::run_scenario(&run::Options::default(), scenario)
        }
    }
}

fn scenario(args: &Args) -> anyhow::Result<Scenario> {
    let map = args.map.as_deref().map(Map::load).transpose()?;
    let mut scenario = match (&args.scenario, map) {
        (None, Some(map)) => return crowd_on(map, args.units.unwrap_or(UNITS)),
        (name, map) => {
            let mut scenario = Scenario::find(name.as_deref().unwrap_or(DEFAULT))?;
            if let Some(map) = map {
                scenario.map = map;
            }
            scenario
        }
    };
    if let Some(units) = args.units {
        share_out(&mut scenario.units, units);
    }
    Ok(scenario)
}

/// Units spread over the whole of a map, on the way to its middle.
fn crowd_on(map: Map, count: u32) -> anyhow::Result<Scenario> {
    let (width, height) = (map.width() as f32, map.height() as f32);
    let (x, y) = map
        .nearest_free(SizeClass::SMALLEST, Vec2::new(width, height) / 2.0, None)
        .context("the map has no free cell")?;
    let mut scenario = Scenario::find(DEFAULT)?;
    scenario.name = "map".to_string();
    scenario.summary = String::new();
    scenario.map = map;
    scenario.units = vec![UnitEntry {
        group: "crowd".to_string(),
        count,
        area: [0.0, 0.0, width, height],
        ..UnitEntry::default()
    }];
    scenario.orders = vec![OrderEntry {
        tick: 0,
        units: "crowd".to_string(),
        order: GroupOrder::Move {
            to: Vec2::new(x as f32 + 0.5, y as f32 + 0.5),
        },
        queue: false,
    }];
    scenario.edits = Vec::new();
    scenario.pointers = Vec::new();
    scenario.expect = Default::default();
    Ok(scenario)
}

/// Changes the counts so that they sum to `total` in the same proportion.
fn share_out(units: &mut [UnitEntry], total: u32) {
    let before: u64 = units.iter().map(|u| u64::from(u.count)).sum();
    let (mut seen, mut given) = (0_u64, 0_u64);
    for entry in units {
        seen += u64::from(entry.count);
        let upto = (seen * u64::from(total)).checked_div(before).unwrap_or(0);
        entry.count = (upto - given) as u32;
        given = upto;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_shared_out_in_proportion() {
        let entry = |count| UnitEntry {
            count,
            ..UnitEntry::default()
        };
        let mut units = [entry(10), entry(30), entry(1)];
        share_out(&mut units, 100);
        assert_eq!(units.map(|u| u.count), [24, 73, 3]);
    }

    #[test]
    fn a_map_alone_gets_a_crowd() {
        let scenario = crowd_on(Map::open(64, 48).unwrap(), 50).unwrap();
        assert_eq!((scenario.unit_count(), scenario.map.width()), (50, 64));
        assert_eq!(scenario.goal("crowd"), Some(Vec2::new(31.5, 23.5)));
    }
}
