//! The picture of a bench: milliseconds a tick over units, both on logarithmic axes.

use plotters::coord::combinators::IntoLogRange;
use plotters::prelude::*;

use crate::commands::bench::Row;
use crate::machine::Machine;

/// Time of a tick at 30 ticks a second, in milliseconds: above it a game falls behind.
const REAL_TIME_MS: f64 = 1000.0 / 30.0;
const COLOURS: [RGBColor; 4] = [
    RGBColor(31, 119, 180),
    RGBColor(214, 39, 40),
    RGBColor(44, 160, 44),
    RGBColor(148, 103, 189),
];

/// An SVG with one line for each number of threads.
pub fn svg(machine: &Machine, rows: &[Row]) -> anyhow::Result<String> {
    let mut svg = String::new();
    super::font()?;
    draw(&mut svg, machine, rows).map_err(|e| anyhow::anyhow!("cannot draw the picture: {e}"))?;
    Ok(svg)
}

fn draw(
    svg: &mut String,
    machine: &Machine,
    rows: &[Row],
) -> Result<(), Box<dyn std::error::Error>> {
    let root = SVGBackend::with_string(svg, (900, 560)).into_drawing_area();
    root.fill(&WHITE)?;
    let units = rows.iter().map(|r| f64::from(r.units));
    let times = rows.iter().map(|r| r.ms_per_tick_p50);
    let (x, y) = (range(units, 2.0), range(times.chain([REAL_TIME_MS]), 2.0));
    let mut chart = ChartBuilder::on(&root)
        .caption("Median time of a tick", ("sans-serif", 22))
        .margin(16)
        .x_label_area_size(46)
        .y_label_area_size(72)
        .build_cartesian_2d(x.clone().log_scale(), y.log_scale())?;
    chart
        .configure_mesh()
        .x_desc(format!("units ({}, {} cores)", machine.cpu, machine.cores))
        .y_desc("ms a tick")
        .x_label_formatter(&|v| format!("{v:.0}"))
        .y_label_formatter(&|v| format!("{v}"))
        .draw()?;
    chart
        .draw_series(LineSeries::new(
            [(x.start, REAL_TIME_MS), (x.end, REAL_TIME_MS)],
            BLACK.mix(0.5),
        ))?
        .label("real time at 30 ticks a second")
        .legend(|(x, y)| PathElement::new([(x, y), (x + 18, y)], BLACK.mix(0.5)));

    let mut threads: Vec<u16> = rows.iter().map(|r| r.threads).collect();
    threads.sort_unstable();
    threads.dedup();
    for (i, &n) in threads.iter().enumerate() {
        let colour = COLOURS[i % COLOURS.len()];
        let mut points: Vec<(f64, f64)> = rows
            .iter()
            .filter(|r| r.threads == n)
            .map(|r| (f64::from(r.units), r.ms_per_tick_p50))
            .collect();
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        chart
            .draw_series(LineSeries::new(points, colour.stroke_width(2)).point_size(4))?
            .label(format!("{n} thread{}", if n == 1 { "" } else { "s" }))
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], colour.stroke_width(2)));
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperLeft)
        .background_style(WHITE.mix(0.9))
        .border_style(BLACK.mix(0.3))
        .draw()?;
    root.present()?;
    Ok(())
}

/// From the least to the greatest value, widened by `factor` on both ends.
fn range(values: impl Iterator<Item = f64>, factor: f64) -> std::ops::Range<f64> {
    let (low, high) = values.fold((f64::MAX, f64::MIN), |(l, h), v| (l.min(v), h.max(v)));
    low.max(1e-6) / factor..high.max(1e-6) * factor
}
