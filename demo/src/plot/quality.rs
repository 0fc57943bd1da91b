//! The picture of a movement bench: a row for each case, a panel for each figure, in it the range
//! over the arrangements with the median, and the bar.

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use throng_scenes::quality::{CaseResults, Engine, Figure, Results, Spread};

use crate::machine::Machine;

const ROW: u32 = 34;
const NAMES: u32 = 190;
const PANEL: u32 = 190;
const TOP: u32 = 118;
const BOTTOM: u32 = 34;
const GAP: i32 = 14;

const INK: RGBColor = RGBColor(40, 44, 52);
const FAINT: RGBColor = RGBColor(150, 156, 166);
const STRIPE: RGBColor = RGBColor(244, 246, 249);
const MISSED: RGBColor = RGBColor(204, 32, 38);

/// A figure's panel: its head and the range that is drawn.
struct Panel {
    figure: Figure,
    head: &'static str,
    low: f64,
    high: f64,
}

/// What lies beyond a range is drawn at its end as an arrow.
const PANELS: [Panel; 7] = [
    panel(Figure::Arrived, "arrived", 0.0, 1.0),
    panel(Figure::T95Ratio, "95 % there / free walk", 1.0, 8.0),
    panel(Figure::MaxPenetration, "deepest overlap", 0.0, 1.0),
    panel(Figure::ShareDeep, "deeper than 0.2", 0.0, 0.03),
    panel(Figure::Jitter, "turn, degrees a tick", 0.0, 12.0),
    panel(Figure::PathP50, "way, median", 0.9, 2.1),
    panel(Figure::PathP95, "way, 95 %", 0.9, 3.3),
];

const fn panel(figure: Figure, head: &'static str, low: f64, high: f64) -> Panel {
    Panel {
        figure,
        head,
        low,
        high,
    }
}

/// A PNG of the results.
pub fn png(machine: &Machine, results: &Results) -> anyhow::Result<Vec<u8>> {
    super::font()?;
    let size = (
        NAMES + PANEL * PANELS.len() as u32 + 24,
        TOP + ROW * results.cases.len() as u32 + BOTTOM,
    );
    let mut pixels = vec![0; (size.0 * size.1 * 3) as usize];
    draw(&mut pixels, size, machine, results)
        .map_err(|e| anyhow::anyhow!("cannot draw the picture: {e}"))?;
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, size.0, size.1);
    encoder.set_color(png::ColorType::Rgb);
    encoder.write_header()?.write_image_data(&pixels)?;
    Ok(bytes)
}

type Area<'a> = DrawingArea<BitMapBackend<'a>, Shift>;
type Drawn = Result<(), Box<dyn std::error::Error>>;

fn draw(pixels: &mut [u8], size: (u32, u32), machine: &Machine, results: &Results) -> Drawn {
    let root = BitMapBackend::with_buffer(pixels, size).into_drawing_area();
    root.fill(&WHITE)?;
    let width = size.0 as i32;
    for (i, case) in results.cases.iter().enumerate() {
        let top = row_top(i);
        if i % 2 == 0 {
            let stripe = [(0, top), (width, top + ROW as i32)];
            root.draw(&Rectangle::new(stripe, STRIPE.filled()))?;
        }
        let middle = top + ROW as i32 / 2;
        text(&root, &case.name, (16, middle), 17, INK, HPos::Left)?;
        let units = case.units.to_string();
        let end = (NAMES as i32 - 16, middle);
        text(&root, &units, end, 13, FAINT, HPos::Right)?;
    }
    head(&root, machine, results)?;
    for (i, panel) in PANELS.iter().enumerate() {
        let left = NAMES as i32 + PANEL as i32 * i as i32;
        let scale = Scale {
            left: left + GAP,
            right: left + PANEL as i32 - GAP,
            low: panel.low,
            high: panel.high,
        };
        axis(&root, panel, &scale, results.cases.len())?;
        for (row, case) in results.cases.iter().enumerate() {
            cell(&root, panel, &scale, row_top(row), case)?;
        }
    }
    root.present()?;
    Ok(())
}

fn row_top(row: usize) -> i32 {
    (TOP + ROW * row as u32) as i32
}

fn colour(engine: Engine) -> RGBColor {
    match engine {
        Engine::Throng => RGBColor(0, 114, 178),
        Engine::Orca => RGBColor(222, 143, 5),
    }
}

/// Title, machine and what the colours and marks mean.
fn head(root: &Area, machine: &Machine, results: &Results) -> Drawn {
    let runs: usize = results
        .cases
        .iter()
        .flat_map(|case| case.samples.values())
        .map(Vec::len)
        .sum();
    text(root, "How well crowds move", (16, 26), 26, INK, HPos::Left)?;
    let line = format!(
        "throng {}, {runs} runs; least, median and greatest over spawn arrangements; {}, {} cores",
        machine.version, machine.cpu, machine.cores
    );
    text(root, &line, (16, 54), 15, FAINT, HPos::Left)?;

    let mut x = NAMES as i32 + PANEL as i32 * PANELS.len() as i32 - 520;
    for engine in [Engine::Throng, Engine::Orca] {
        let some = |case: &CaseResults| case.samples.contains_key(&engine);
        if results.cases.iter().any(some) {
            range(root, colour(engine), [x, x + 12, x + 28], 26)?;
            text(root, engine.name(), (x + 38, 26), 16, INK, HPos::Left)?;
            x += 120;
        }
    }
    for (mark, label) in [(INK, "bar, held"), (MISSED, "bar, missed")] {
        root.draw(&Rectangle::new([(x, 17), (x + 2, 35)], mark.filled()))?;
        text(root, label, (x + 10, 26), 16, INK, HPos::Left)?;
        x += 110;
    }
    Ok(())
}

/// From values to pixels.
struct Scale {
    left: i32,
    right: i32,
    low: f64,
    high: f64,
}

impl Scale {
    fn x(&self, value: f64) -> i32 {
        let share = (value - self.low) / (self.high - self.low);
        self.left + (share.clamp(0.0, 1.0) * f64::from(self.right - self.left)).round() as i32
    }
}

fn axis(root: &Area, panel: &Panel, scale: &Scale, rows: usize) -> Drawn {
    let middle = (scale.left + scale.right) / 2;
    let top = row_top(0);
    text(root, panel.head, (middle, top - 30), 16, INK, HPos::Center)?;
    let bottom = row_top(rows);
    for value in [panel.low, (panel.low + panel.high) / 2.0, panel.high] {
        let x = scale.x(value);
        root.draw(&PathElement::new([(x, top), (x, bottom)], FAINT.mix(0.35)))?;
        let label = match panel.figure {
            Figure::Arrived => format!("{:.0} %", value * 100.0),
            Figure::ShareDeep => format!("{:.1} %", value * 100.0),
            _ => format!("{}", (value * 100.0).round() / 100.0),
        };
        text(root, &label, (x, top - 10), 13, FAINT, HPos::Center)?;
        text(root, &label, (x, bottom + 12), 13, FAINT, HPos::Center)?;
    }
    Ok(())
}

fn cell(root: &Area, panel: &Panel, scale: &Scale, top: i32, case: &CaseResults) -> Drawn {
    let verdict = |v: &&throng_scenes::quality::Verdict| v.bar.figure == panel.figure;
    if let Some(verdict) = case.verdicts().iter().find(verdict) {
        let x = scale.x(verdict.bar.bound);
        let mark = if verdict.held { INK } else { MISSED };
        let box_ = [(x - 1, top + 4), (x + 1, top + ROW as i32 - 4)];
        root.draw(&Rectangle::new(box_, mark.filled()))?;
    }
    let lines = case.samples.len() as i32;
    for (line, &engine) in case.samples.keys().enumerate() {
        let y = top + ROW as i32 * (2 * line as i32 + 1) / (2 * lines);
        let Some(Spread {
            min, median, max, ..
        }) = case.spread(engine, panel.figure)
        else {
            let at = (scale.right, y);
            text(root, "none", at, 12, colour(engine), HPos::Right)?;
            continue;
        };
        range(
            root,
            colour(engine),
            [min, median, max].map(|v| scale.x(v)),
            y,
        )?;
        if max > panel.high {
            let tip = [
                (scale.right + 7, y),
                (scale.right, y - 4),
                (scale.right, y + 4),
            ];
            root.draw(&Polygon::new(tip, colour(engine)))?;
        }
    }
    Ok(())
}

/// A line from the least to the greatest with a dot at the median.
fn range(root: &Area, colour: RGBColor, [min, median, max]: [i32; 3], y: i32) -> Drawn {
    root.draw(&Rectangle::new(
        [(min - 1, y - 1), (max + 1, y + 1)],
        colour.mix(0.55).filled(),
    ))?;
    root.draw(&Circle::new((median, y), 4, colour.filled()))?;
    Ok(())
}

fn text(root: &Area, what: &str, at: (i32, i32), size: u32, colour: RGBColor, side: HPos) -> Drawn {
    let style = TextStyle::from(("sans-serif", size).into_font())
        .color(&colour)
        .pos(Pos::new(side, VPos::Center));
    root.draw(&Text::new(what.to_owned(), at, style))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_has_a_row_for_each_case() {
        let of = |n: usize| {
            let case = CaseResults {
                name: "corner".to_owned(),
                units: 200,
                samples: Default::default(),
            };
            let results = Results::new(serde_json::Value::Null, vec![case; n]);
            let bytes = png(&Machine::here(), &results).unwrap();
            let reader = png::Decoder::new(std::io::Cursor::new(bytes))
                .read_info()
                .unwrap();
            reader.info().height
        };
        assert_eq!(of(3) - of(1), 2 * ROW);
    }

    #[test]
    fn values_beyond_the_range_stay_in_the_panel() {
        let scale = Scale {
            left: 10,
            right: 110,
            low: 1.0,
            high: 2.0,
        };
        assert_eq!([0.5, 1.0, 1.5, 9.0].map(|v| scale.x(v)), [10, 10, 60, 110]);
    }
}
