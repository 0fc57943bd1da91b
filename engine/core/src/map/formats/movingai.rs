//! Grid maps of the MovingAI benchmarks, <https://movingai.com/benchmarks/formats.html>: a header of
//! `type octile`, `height N`, `width N` and `map`, then a line of letters a row.

use super::{Grid, ascii, check_size, parse_row};
use crate::map::{Map, MapError, MapFault};

/// Reads a map; line ends may be LF or CRLF.
pub(super) fn parse(text: &str) -> Result<Grid, MapError> {
    let mut lines = text
        .lines()
        .enumerate()
        .map(|(index, line)| (index + 1, line));
    let (mut width, mut height, mut octile) = (None, None, false);
    let mut last = 0;
    loop {
        let Some((line, row)) = lines.next() else {
            if last == 0 {
                return Err(MapError::new(MapFault::Empty));
            }
            return Err(header(
                last + 1,
                "the end of the file",
                "a line `map` before the rows",
            ));
        };
        last = line;
        let mut words = row.split_ascii_whitespace();
        match (words.next(), words.next(), words.next()) {
            (Some("type"), Some("octile"), None) => octile = true,
            (Some("type"), Some(_), _) => {
                let name = row.trim_start_matches("type").trim();
                return Err(MapError::at_line(line, MapFault::Type(name.to_string())));
            }
            (Some("width"), Some(number), None) => width = Some(side(line, row, number)?),
            (Some("height"), Some(number), None) => height = Some(side(line, row, number)?),
            (Some("map"), None, None) => break,
            _ => {
                let expected = "`type octile`, `height N`, `width N` or `map`";
                return Err(header(line, row, expected));
            }
        }
    }
    if !octile {
        return Err(header(last, "map", "a line `type octile` before it"));
    }
    let (Some(width), Some(height)) = (width, height) else {
        return Err(header(last, "map", "`height N` and `width N` before it"));
    };
    check_size(width, height)?;
    let (width, height) = (width as usize, height as usize);

    // Bounded by the text, not by what the header claims.
    let mut cells = Vec::with_capacity(text.len());
    for found in 0..height {
        let fault = MapFault::Rows {
            found,
            expected: height,
        };
        let (line, row) = lines
            .next()
            .ok_or_else(|| MapError::at_line(last + found + 1, fault))?;
        parse_row(row, line, width, &mut cells)?;
    }
    if let Some((line, _)) = lines.find(|(_, row)| !row.trim().is_empty()) {
        let found = line - last;
        return Err(MapError::at_line(
            line,
            MapFault::Rows {
                found,
                expected: height,
            },
        ));
    }
    Ok(Grid {
        width: width as u32,
        height: height as u32,
        cells,
    })
}

/// Writes the same format. Blocked cells are written `@`, as these files have it.
pub(super) fn write(map: &Map) -> String {
    let (width, height) = (map.width(), map.height());
    let rows = ascii::write(map).replace('#', "@");
    format!("type octile\nheight {height}\nwidth {width}\nmap\n{rows}")
}

fn side(line: usize, row: &str, number: &str) -> Result<u64, MapError> {
    number
        .parse()
        .map_err(|_| header(line, row, "a whole number of cells"))
}

fn header(line: usize, found: &str, expected: &'static str) -> MapError {
    // A binary file may come as one endless line.
    let found = found.chars().take(40).collect();
    MapError::at_line(line, MapFault::Header { found, expected })
}
