//! Traces: a CSV row per unit and sampled tick; and hash files.

use std::io::{self, Write};

use throng::Units;

use crate::runner::Runner;

/// Header of a trace.
const HEADER: &str = "tick,unit,group,x,y,heading,radius,state,outcome";

/// Writes a trace of a run. Give it a buffered writer.
pub struct Trace<W> {
    out: W,
    every: u64,
    written: Option<u64>,
    line: String,
}

impl<W: Write> Trace<W> {
    /// Starts a trace of every tick that is a multiple of `every` (at least 1) and of the last.
    ///
    /// # Errors
    /// The header cannot be written.
    pub fn new(mut out: W, every: u64) -> io::Result<Self> {
        writeln!(out, "{HEADER}")?;
        Ok(Self {
            out,
            every: every.max(1),
            written: None,
            line: String::new(),
        })
    }

    /// Writes the rows of the tick that has just been run, if it is one to be traced.
    ///
    /// # Errors
    /// The rows cannot be written.
    pub fn tick(&mut self, runner: &Runner) -> io::Result<()> {
        match runner.simulation().now().checked_sub(1) {
            Some(tick) if tick.is_multiple_of(self.every) => self.rows(tick, runner),
            _ => Ok(()),
        }
    }

    /// Writes the rows of the last tick, where it has none yet, and flushes.
    ///
    /// # Errors
    /// The rows cannot be written.
    pub fn finish(mut self, runner: &Runner) -> io::Result<W> {
        match runner.simulation().now().checked_sub(1) {
            Some(last) if self.written != Some(last) => self.rows(last, runner)?,
            _ => {}
        }
        self.out.flush()?;
        Ok(self.out)
    }

    fn rows(&mut self, tick: u64, runner: &Runner) -> io::Result<()> {
        let units = runner.simulation().units();
        for row in 0..units.len() {
            self.line.clear();
            write_row(&mut self.line, tick, units, row, runner);
            self.out.write_all(self.line.as_bytes())?;
        }
        self.written = Some(tick);
        Ok(())
    }
}

fn write_row(line: &mut String, tick: u64, units: &Units, row: usize, runner: &Runner) {
    use std::fmt::Write as _;
    let id = units.id[row].0;
    write!(line, "{tick},{id},").expect("writing to a string");
    text(line, runner.group_of(id));
    let position = units.position[row];
    for value in [
        position.x,
        position.y,
        units.heading[row].to_degrees(),
        units.radius[row],
    ] {
        line.push(',');
        number(line, value);
    }
    let (state, outcome) = (units.activity[row].name(), units.outcome[row].name());
    writeln!(line, ",{state},{outcome}").expect("writing to a string");
}

/// A CSV field, quoted where it must be.
fn text(line: &mut String, field: &str) {
    if field.contains([',', '"', '\n', '\r']) {
        line.push('"');
        line.push_str(&field.replace('"', "\"\""));
        line.push('"');
    } else {
        line.push_str(field);
    }
}

/// A number with nine significant digits, enough to read the same f32 back; zeros at the end of
/// the fraction are left out.
fn number(line: &mut String, value: f32) {
    use std::fmt::Write as _;
    let magnitude = f64::from(value).abs();
    if magnitude != 0.0 && !(1e-3..1e8).contains(&magnitude) {
        write!(line, "{value:.8e}").expect("writing to a string");
        return;
    }
    let whole = (1..9).find(|n| magnitude < 10f64.powi(*n)).unwrap_or(9);
    let decimals = match magnitude {
        m if m >= 1.0 => (9 - whole) as usize,
        m if m >= 0.1 => 9,
        m if m >= 0.01 => 10,
        _ => 11,
    };
    write!(line, "{:.decimals$}", f64::from(value)).expect("writing to a string");
    if decimals > 0 {
        let kept = line.trim_end_matches('0').trim_end_matches('.').len();
        line.truncate(kept);
    }
}

/// Writes `tick hash` of the tick that has just been run.
///
/// # Errors
/// The line cannot be written.
pub fn write_hash(out: &mut impl Write, runner: &Runner) -> io::Result<()> {
    match runner.simulation().now().checked_sub(1) {
        Some(tick) => writeln!(out, "{tick} {:016x}", runner.state_hash()),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn shown(value: f32) -> String {
        let mut line = String::new();
        number(&mut line, value);
        line
    }

    #[test]
    fn numbers_are_short_where_they_can_be() {
        assert_eq!(shown(0.0), "0");
        assert_eq!(shown(12.5), "12.5");
        assert_eq!(shown(-180.0), "-180");
        assert_eq!(shown(100.0), "100");
        assert_eq!(shown(0.35), "0.349999994");
        assert_eq!(shown(20.1395), "20.1394997");
        assert_eq!(shown(f32::NAN), "NaN");
    }

    #[test]
    fn odd_group_names_are_quoted() {
        let mut line = String::new();
        text(&mut line, "a \"b\", c");
        assert_eq!(line, "\"a \"\"b\"\", c\"");
    }

    proptest! {
        #[test]
        fn every_float_survives(bits in any::<u32>()) {
            let value = f32::from_bits(bits);
            prop_assume!(value.is_finite());
            prop_assert_eq!(shown(value).parse::<f32>().unwrap(), value);
        }
    }
}
