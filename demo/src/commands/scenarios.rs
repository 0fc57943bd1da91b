//! `throng scenarios`: the built-in ones.

use std::io::Write;

use throng_scenes::builtin;

use crate::exit::Verdict;
use crate::output::Output;

/// List the built-in scenarios
#[derive(clap::Args)]
pub struct Args;

/// Does it: a line each with name, units, map, ticks and what it shows.
pub fn run(_: &Args) -> anyhow::Result<Verdict> {
    let mut out = Output::stdout();
    for entry in builtin::all() {
        let scenario = entry.build();
        let (width, height) = (scenario.map.width(), scenario.map.height());
        writeln!(
            out,
            "{:<20} {:>6} units {:>5} ticks  {:<9}  {}",
            scenario.name,
            scenario.unit_count(),
            scenario.ticks,
            format!("{width}x{height}"),
            scenario.summary
        )?;
    }
    out.flush()?;
    Ok(Verdict::Held)
}
