//! Maps as plain letters, a line a row, as in scenario files and `.txt` files.

use super::{Grid, check_size, parse_row};
use crate::map::{Map, MapError, MapFault};

/// Reads rows of letters. Empty lines before the first row and after the last are left out; line
/// ends may be LF or CRLF.
pub(super) fn parse(text: &str) -> Result<Grid, MapError> {
    let lines = || text.lines().enumerate();
    let filled = |(_, line): &(usize, &str)| !line.is_empty();
    let Some((first, row)) = lines().find(filled) else {
        return Err(MapError::new(MapFault::Empty));
    };
    let last = lines()
        .filter(filled)
        .last()
        .map_or(first, |(index, _)| index);
    let (width, height) = (row.chars().count(), last - first + 1);
    check_size(width as u64, height as u64)?;
    let mut cells = Vec::with_capacity(text.len());
    for (index, row) in lines().skip(first).take(height) {
        parse_row(row, index + 1, width, &mut cells)?;
    }
    Ok(Grid {
        width: width as u32,
        height: height as u32,
        cells,
    })
}

/// Writes a line a row.
pub(super) fn write(map: &Map) -> String {
    let mut text = String::with_capacity((map.width() as usize + 1) * map.height() as usize);
    for y in 0..map.height() as i32 {
        text.extend((0..map.width() as i32).map(|x| map.terrain(x, y).letter()));
        text.push('\n');
    }
    text
}
