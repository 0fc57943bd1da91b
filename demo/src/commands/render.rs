//! `throng render`: a frame of a scenario as a picture, without a window.

use std::fs::File;
use std::io::BufWriter;
use std::path::PathBuf;
use std::str::FromStr;

use anyhow::Context;
use clap::value_parser;
use throng_render::Layers;
use throng_scenes::{RunOptions, Runner, Scenario};

use crate::animation::Animation;
use crate::exit::Verdict;
use crate::picture::Studio;

/// Draw one tick of a scenario into a PNG, or several into an animated one
///
/// Needs a graphics adapter; a software one such as Mesa's lavapipe is enough.
#[derive(clap::Args)]
pub struct Args {
    /// Built-in name or scenario file (.toml)
    scenario: String,
    /// The tick to show, as it is at its end; the first is 0
    #[arg(long, value_name = "N", value_parser = value_parser!(u64).range(..=1_000_000_000))]
    tick: u64,
    /// The picture to write
    #[arg(long, value_name = "FILE.png")]
    out: PathBuf,
    /// Size in pixels
    #[arg(long, value_name = "WxH", default_value = "1280x800")]
    size: Size,
    /// The box of the map to show, in cells; the whole map when not given
    #[arg(long, value_name = "X,Y,W,H", allow_hyphen_values = true)]
    view: Option<Bounds>,
    /// What to draw: map, occupancy, distance, density, flow, sectors, selection, units, health, velocity, headings
    #[arg(long, value_name = "LIST", default_value = "map,units")]
    layers: Layers,
    /// Number of pictures, from that tick on; more than one make an animated PNG
    #[arg(long, value_name = "N", default_value = "1", value_parser = value_parser!(u32).range(1..=100_000))]
    frames: u32,
    /// Ticks from one picture to the next
    #[arg(long, value_name = "K", default_value = "3", value_parser = value_parser!(u16).range(1..=1000))]
    every: u16,
}

/// Ticks before the first picture in which sprites are followed, so that they are in mid-stride.
const RUN_UP: u64 = 60;

/// Does it.
pub fn run(args: &Args) -> anyhow::Result<Verdict> {
    let scenario = Scenario::find(&args.scenario)?;
    let rate = scenario.tick_rate;
    // What is missing for the picture is found before the run, not after it.
    let mut studio = Studio::new(args.size.0, args.layers, rate)?;
    let cannot_write = || format!("cannot write {}", args.out.display());
    let file = BufWriter::new(File::create(&args.out).with_context(cannot_write)?);
    let mut animation =
        Animation::new(file, args.size.0, args.frames, f32::from(args.every) / rate)
            .with_context(cannot_write)?;
    super::pool(None)?.install(|| {
        let mut runner = Runner::new(scenario, RunOptions::default())?.unmeasured();
        for frame in 0..u64::from(args.frames) {
            let tick = args.tick + frame * u64::from(args.every);
            while runner.simulation().now() <= tick {
                runner.play(&mut ())?;
                if runner.simulation().now() + RUN_UP > args.tick {
                    studio.watch(runner.simulation());
                }
            }
            let picture = studio.draw(runner.simulation(), args.view.map(|view| view.0))?;
            animation.add(picture).with_context(cannot_write)?;
        }
        animation.finish().with_context(cannot_write)?;
        Ok(Verdict::Held)
    })
}

/// `WxH`.
#[derive(Clone, Copy)]
struct Size([u32; 2]);

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || "give a width and a height over 0, such as 1280x800".to_owned();
        let (width, height) = text.split_once('x').ok_or_else(wrong)?;
        let side = |text: &str| text.parse().ok().filter(|side| *side > 0).ok_or_else(wrong);
        Ok(Self([side(width)?, side(height)?]))
    }
}

/// `X,Y,W,H`.
#[derive(Clone, Copy)]
struct Bounds([f32; 4]);

impl FromStr for Bounds {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers: Vec<f32> = text
            .split(',')
            .map_while(|part| part.trim().parse().ok())
            .collect();
        match <[f32; 4]>::try_from(numbers) {
            Ok(bounds)
                if text.split(',').count() == 4
                    && bounds.iter().all(|side| side.is_finite())
                    && bounds[2] > 0.0
                    && bounds[3] > 0.0 =>
            {
                Ok(Self(bounds))
            }
            _ => Err("give X,Y,W,H in cells with W and H over 0, such as 0,0,64,40".to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_views_are_read_and_wrong_ones_told() {
        assert_eq!("64x48".parse::<Size>().map(|s| s.0), Ok([64, 48]));
        assert!(
            ["64", "0x48", "64x", "x", "-1x5"]
                .iter()
                .all(|t| t.parse::<Size>().is_err())
        );
        assert_eq!(
            "-1,2,3.5,4".parse::<Bounds>().map(|b| b.0),
            Ok([-1.0, 2.0, 3.5, 4.0])
        );
        for wrong in ["1,2,3", "1,2,3,0", "1,2,NaN,4", "1,2,3,4,5", "a,2,3,4"] {
            assert!(wrong.parse::<Bounds>().is_err(), "{wrong}");
        }
    }
}
