//! `throng replay`: a recorded run once more.

use std::io::Write;
use std::path::PathBuf;

use anyhow::Context;
use clap::value_parser;
use throng_scenes::Recording;

use crate::exit::{Verdict, complain};
use crate::output::Output;
use crate::progress;

/// Run a recording again, and check that it is the same run
#[derive(clap::Args)]
pub struct Args {
    /// File written by throng record
    file: PathBuf,
    /// Stop at the first tick whose state differs from the recording's; exit code 1 if there is one
    #[arg(long)]
    verify: bool,
    /// Number of worker threads [default: the number of cores]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

/// Does it.
pub fn run(args: &Args) -> anyhow::Result<Verdict> {
    let name = args.file.display();
    let pool = super::pool(args.threads)?;
    let recording = Recording::load(&args.file).with_context(|| name.to_string())?;
    let (scenario, ticks) = (recording.scenario().name.clone(), recording.ticks());
    let mut replay = pool
        .install(|| recording.replay())
        .with_context(|| name.to_string())?;
    let bar = progress::bar(ticks, "ticks");
    while !replay.is_done() {
        let divergence = pool
            .install(|| replay.step())
            .with_context(|| name.to_string())?;
        if let Some(divergence) = divergence.filter(|_| args.verify) {
            bar.finish_and_clear();
            complain(&format!("{name}: {divergence}"));
            return Ok(Verdict::Missed);
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    let mut out = Output::stdout();
    let hash = replay.simulation().state_hash();
    let verified = if args.verify {
        ", every tick as recorded"
    } else {
        ""
    };
    writeln!(
        out,
        "{scenario}: {ticks} ticks replayed{verified}, state hash {hash:016x}"
    )?;
    out.flush()?;
    Ok(Verdict::Held)
}
