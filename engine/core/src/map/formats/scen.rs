//! Scenario files of the MovingAI benchmarks: after a line `version 1`, a row for each problem with
//! nine columns (bucket, map, its width and height, start x y, goal x y, optimal length), tabs or
//! spaces between.

use std::path::Path;

use thiserror::Error;

use super::read_bytes;
use crate::map::{Map, MapError, MapFault, SizeClass};

/// One problem of a benchmark file.
#[derive(Clone, Debug, PartialEq)]
pub struct ScenRow {
    /// Its line in the file, from 1.
    pub line: u32,
    /// The bucket it is filed under, by length.
    pub bucket: u32,
    /// Start cell, column and row.
    pub start: (i32, i32),
    /// Goal cell, column and row.
    pub goal: (i32, i32),
    /// Length of the shortest way in cells, with eight neighbours and no corner cut.
    pub optimal: f64,
}

/// A row that was left out.
#[derive(Clone, Debug, PartialEq, Error)]
#[error("line {line}: {fault}")]
pub struct RejectedRow {
    /// Its line in the file, from 1.
    pub line: u32,
    /// What is wrong with it.
    pub fault: RowFault,
}

/// What is wrong with a row of a benchmark file.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum RowFault {
    /// Too few or too many columns.
    #[error("{0} columns; 9 are wanted (bucket, map, width, height, start x y, goal x y, length)")]
    Columns(usize),
    /// A column that is no number.
    #[error("{name} is {found:?}; a number not below 0 is wanted")]
    Number {
        /// Which column.
        name: &'static str,
        /// What stands there.
        found: String,
    },
    /// The row is for a map of another size.
    #[error("is for a map of {0} x {1} cells; this one has {2} x {3}")]
    Size(u64, u64, u32, u32),
    /// Start or goal is not on the map.
    #[error(
        "{end} ({x}, {y}) is off the map; columns 0 to {right} and rows 0 to {bottom} are on it"
    )]
    OffMap {
        /// "start" or "goal".
        end: &'static str,
        /// Column.
        x: u64,
        /// Row.
        y: u64,
        /// Last column of the map.
        right: u32,
        /// Last row of the map.
        bottom: u32,
    },
    /// Start or goal cannot be stood on.
    #[error("{end} ({x}, {y}) is blocked; a free cell is wanted")]
    Blocked {
        /// "start" or "goal".
        end: &'static str,
        /// Column.
        x: i32,
        /// Row.
        y: i32,
    },
    /// No way leads from start to goal.
    #[error("start and goal lie in different parts of the map; a way between them is wanted")]
    Apart,
}

/// Reads the problems of a benchmark file for a map: those that agree with it, and those that do
/// not, with the reasons. Empty lines are left out.
///
/// # Errors
/// When the file cannot be read or does not start with `version 1`.
pub fn load_scen(path: &Path, map: &Map) -> Result<(Vec<ScenRow>, Vec<RejectedRow>), MapError> {
    read_bytes(path)
        .and_then(|bytes| parse_scen(&String::from_utf8_lossy(&bytes), map))
        .map_err(|error| error.in_file(path))
}

/// As [`load_scen`], from the file's text.
///
/// # Errors
/// When the text does not start with `version 1`.
pub fn parse_scen(text: &str, map: &Map) -> Result<(Vec<ScenRow>, Vec<RejectedRow>), MapError> {
    let mut lines = (1..).zip(text.trim_start_matches('\u{feff}').lines());
    let first = lines.next().map_or("", |(_, line)| line);
    let version = first.trim().strip_prefix("version").map(str::trim);
    if !matches!(version, Some("1" | "1.0")) {
        let found = first.chars().take(40).collect();
        return Err(MapError::at_line(
            1,
            MapFault::Header {
                found,
                expected: "`version 1`",
            },
        ));
    }
    let (mut rows, mut rejected) = (Vec::new(), Vec::new());
    for (line, text) in lines.filter(|(_, text)| !text.trim().is_empty()) {
        match parse_row(line, text, map) {
            Ok(row) => rows.push(row),
            Err(fault) => rejected.push(RejectedRow { line, fault }),
        }
    }
    Ok((rows, rejected))
}

fn parse_row(line: u32, text: &str, map: &Map) -> Result<ScenRow, RowFault> {
    // Where tabs part the columns, a map's name may hold spaces.
    let columns: Vec<&str> = if text.contains('\t') {
        text.trim().split('\t').map(str::trim).collect()
    } else {
        text.split_ascii_whitespace().collect()
    };
    let [
        bucket,
        _map,
        width,
        height,
        start_x,
        start_y,
        goal_x,
        goal_y,
        optimal,
    ] = columns[..]
    else {
        return Err(RowFault::Columns(columns.len()));
    };
    let number = |name, found: &str| {
        found.parse().map_err(|_| RowFault::Number {
            name,
            found: found.to_string(),
        })
    };
    let bucket = bucket.parse().map_err(|_| RowFault::Number {
        name: "the bucket",
        found: bucket.to_string(),
    })?;
    let (width, height) = (number("the width", width)?, number("the height", height)?);
    if (width, height) != (map.width().into(), map.height().into()) {
        return Err(RowFault::Size(width, height, map.width(), map.height()));
    }
    let start = (number("start x", start_x)?, number("start y", start_y)?);
    let goal = (number("goal x", goal_x)?, number("goal y", goal_y)?);
    let (start, goal) = (
        free_cell("start", start, map)?,
        free_cell("goal", goal, map)?,
    );
    let regions = &map.nav(SizeClass::SMALLEST).regions;
    if regions.label(start.0, start.1) != regions.label(goal.0, goal.1) {
        return Err(RowFault::Apart);
    }
    let length = optimal
        .parse()
        .ok()
        .filter(|length: &f64| length.is_finite() && *length >= 0.0);
    let optimal = length.ok_or_else(|| RowFault::Number {
        name: "the length",
        found: optimal.to_string(),
    })?;
    Ok(ScenRow {
        line,
        bucket,
        start,
        goal,
        optimal,
    })
}

fn free_cell(end: &'static str, (x, y): (u64, u64), map: &Map) -> Result<(i32, i32), RowFault> {
    if x >= map.width().into() || y >= map.height().into() {
        let (right, bottom) = (map.width() - 1, map.height() - 1);
        return Err(RowFault::OffMap {
            end,
            x,
            y,
            right,
            bottom,
        });
    }
    let (x, y) = (x as i32, y as i32);
    if map.is_blocked(x, y) {
        Err(RowFault::Blocked { end, x, y })
    } else {
        Ok((x, y))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map() -> Map {
        Map::from_ascii("....#.\n....#.\n").unwrap()
    }

    #[test]
    fn rows_with_tabs_or_spaces_are_read() {
        let text =
            "version 1.0\r\n0\tmy map.map\t6\t2\t0\t0\t3\t1\t3.41421\r\n\n7 m 6 2 5 0 5 1 1\n";
        let (rows, rejected) = parse_scen(text, &map()).unwrap();
        assert_eq!(rejected, []);
        let first = ScenRow {
            line: 2,
            bucket: 0,
            start: (0, 0),
            goal: (3, 1),
            optimal: 3.41421,
        };
        let second = ScenRow {
            line: 4,
            bucket: 7,
            start: (5, 0),
            goal: (5, 1),
            optimal: 1.0,
        };
        assert_eq!(rows, [first, second]);
    }

    /// MAPIN-7: bad rows are reported and the rest done.
    #[test]
    fn rows_that_disagree_are_named_and_the_rest_kept() {
        let text = "version 1\n\
            0 m 6 2 0 0 1 0 1\n\
            0 m 6 2 0 0 1 0\n\
            0 m 6 2 -1 0 1 0 1\n\
            0 m 6 3 0 0 1 0 1\n\
            0 m 6 2 0 0 6 0 1\n\
            0 m 6 2 4 0 1 0 1\n\
            0 m 6 2 0 0 5 1 1\n\
            0 m 6 2 0 0 1 0 nan\n\
            0 m 6 2 0 1 1 1 1\n";
        let (rows, rejected) = parse_scen(text, &map()).unwrap();
        assert_eq!(rows.iter().map(|row| row.line).collect::<Vec<_>>(), [2, 10]);
        let told: Vec<_> = rejected.iter().map(ToString::to_string).collect();
        assert_eq!(
            told,
            [
                "line 3: 8 columns; 9 are wanted \
                 (bucket, map, width, height, start x y, goal x y, length)",
                "line 4: start x is \"-1\"; a number not below 0 is wanted",
                "line 5: is for a map of 6 x 3 cells; this one has 6 x 2",
                "line 6: goal (6, 0) is off the map; columns 0 to 5 and rows 0 to 1 are on it",
                "line 7: start (4, 0) is blocked; a free cell is wanted",
                "line 8: start and goal lie in different parts of the map; \
                 a way between them is wanted",
                "line 9: the length is \"nan\"; a number not below 0 is wanted",
            ]
        );
    }

    #[test]
    fn a_file_of_another_kind_is_refused() {
        for text in ["", "type octile\n", "version 2\n"] {
            let error = parse_scen(text, &map()).unwrap_err();
            assert!(
                error.to_string().contains("`version 1` is wanted"),
                "{error}"
            );
        }
    }
}
