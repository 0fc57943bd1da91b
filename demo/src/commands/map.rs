//! `throng map`: what a map file holds, and conversion between formats.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Subcommand;
use throng::Map;
use throng::map::{CellRect, TiledOptions, load_tiled};

use crate::exit::{Verdict, complain};
use crate::output::Output;

/// Describe or convert a map file
#[derive(clap::Args)]
#[command(arg_required_else_help = false)]
pub struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    /// Print size, passable cells and connected components
    Info {
        /// Map file: .map (MovingAI), .txt (ASCII), .png (dark is blocked), .tmx or .tmj (Tiled)
        file: PathBuf,
    },
    /// Convert a map; the file endings name the formats
    Convert {
        /// Map file to read: .map, .txt, .png, .tmx or .tmj
        #[arg(value_name = "IN")]
        input: PathBuf,
        /// Map file to write: .map, .txt or .png
        #[arg(value_name = "OUT")]
        output: PathBuf,
    },
}

/// Does it.
pub fn run(args: &Args) -> anyhow::Result<Verdict> {
    match &args.action {
        Action::Info { file } => {
            let (map, bounds) = load(file)?;
            info(&map, bounds)?;
        }
        Action::Convert { input, output } => load(input)?.0.save(output)?,
    }
    Ok(Verdict::Held)
}

/// The map, and of a Tiled one the cells it is, as Tiled counts them; what is odd about it is told.
fn load(file: &Path) -> anyhow::Result<(Map, Option<CellRect>)> {
    let ending = file.extension().unwrap_or_default();
    if !["tmx", "tmj"]
        .iter()
        .any(|tiled| ending.eq_ignore_ascii_case(tiled))
    {
        return Ok((Map::load(file)?, None));
    }
    let tiled = load_tiled(file, &TiledOptions::default())?;
    for warning in &tiled.warnings {
        complain(&format!("{}: {warning}", file.display()));
    }
    Ok((tiled.map, Some(tiled.bounds)))
}

fn info(map: &Map, bounds: Option<CellRect>) -> anyhow::Result<()> {
    let info = map.info();
    let cells = u64::from(info.width) * u64::from(info.height);
    let share = 100.0 * info.passable as f64 / cells as f64;
    let mut out = Output::stdout();
    writeln!(out, "size        {} x {}", info.width, info.height)?;
    if let Some(CellRect { x0, y0, x1, y1 }) = bounds {
        writeln!(
            out,
            "bounds      columns {x0} to {}, rows {y0} to {}",
            x1 - 1,
            y1 - 1
        )?;
    }
    writeln!(
        out,
        "passable    {} of {cells} cells ({share:.1} %)",
        info.passable
    )?;
    writeln!(out, "components  {}", info.components)?;
    writeln!(out, "largest     {} cells", info.largest)?;
    out.flush()?;
    Ok(())
}
