//! Map files: plain letters, MovingAI, PNG masks, Tiled.

mod ascii;
mod image;
mod movingai;
mod scen;
mod tiled;
pub use scen::{RejectedRow, RowFault, ScenRow, load_scen, parse_scen};
pub use tiled::{Explanation, Tile, TiledFault, TiledMap, TiledOptions, TiledRule, load_tiled};

use std::fs::File;
use std::io::Read;
use std::path::Path;

use super::{Map, MapError, MapFault, Terrain};

/// The file endings that maps are read from, for messages.
pub(super) const ENDINGS: &str = ".map, .png, .txt, .tmx, .tmj";

/// A little over the longest text that a map of the largest size can have.
const MAX_BYTES: u64 = (Map::MAX_SIDE as u64 + 2) * (Map::MAX_SIDE as u64 + 8);

/// Rows of terrain as read, before any layer is built.
pub(super) struct Grid {
    pub width: u32,
    pub height: u32,
    pub cells: Vec<Terrain>,
}

/// Which format a file's name asks for.
enum Format {
    Ascii,
    MovingAi,
    Png,
    Tiled,
}

impl Format {
    fn of(path: &Path) -> Result<Self, MapError> {
        let ending = path
            .extension()
            .and_then(|e| e.to_str())
            .unwrap_or_default();
        match ending.to_ascii_lowercase().as_str() {
            "txt" => Ok(Self::Ascii),
            "map" => Ok(Self::MovingAi),
            "png" => Ok(Self::Png),
            "tmx" | "tmj" => Ok(Self::Tiled),
            _ => Err(MapError::new(MapFault::Ending)),
        }
    }
}

/// The terrain of a map text in plain letters.
pub(super) fn parse_ascii(text: &str) -> Result<Grid, MapError> {
    ascii::parse(text)
}

/// The map in plain letters, a line a row.
pub(super) fn write_ascii(map: &Map) -> String {
    ascii::write(map)
}

/// Reads a map file by its ending.
pub(super) fn load(path: &Path) -> Result<Grid, MapError> {
    let read = || {
        let bytes = || read_bytes(path);
        match Format::of(path)? {
            Format::Ascii => ascii::parse(text(&bytes()?)?),
            Format::MovingAi => movingai::parse(text(&bytes()?)?),
            Format::Png => image::decode(&bytes()?),
            Format::Tiled => tiled::load_grid(path),
        }
    };
    read().map_err(|error| error.in_file(path))
}

/// Writes a map file by its ending.
pub(super) fn save(map: &Map, path: &Path) -> Result<(), MapError> {
    let write = || {
        let bytes = match Format::of(path)? {
            Format::Ascii => ascii::write(map).into_bytes(),
            Format::MovingAi => movingai::write(map).into_bytes(),
            Format::Png => image::encode(map)?,
            Format::Tiled => return Err(MapError::new(MapFault::ReadOnly)),
        };
        std::fs::write(path, bytes).map_err(|error| MapError::new(MapFault::Write(error)))
    };
    write().map_err(|error| error.in_file(path))
}

/// All bytes of a file, up to the largest size a map can have.
fn read_bytes(path: &Path) -> Result<Vec<u8>, MapError> {
    let fault = |error| MapError::new(MapFault::Read(error));
    if path.is_dir() {
        return Err(MapError::new(MapFault::Directory));
    }
    let mut bytes = Vec::new();
    File::open(path)
        .and_then(|file| file.take(MAX_BYTES + 1).read_to_end(&mut bytes))
        .map_err(fault)?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(MapError::new(MapFault::FileSize { limit: MAX_BYTES }));
    }
    Ok(bytes)
}

/// The bytes as text; a byte-order mark before it is left out.
fn text(bytes: &[u8]) -> Result<&str, MapError> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Ok(text.strip_prefix('\u{feff}').unwrap_or(text)),
        Err(error) => {
            let before = &bytes[..error.valid_up_to()];
            let line = 1 + before.iter().filter(|&&b| b == b'\n').count();
            Err(MapError::at_line(line, MapFault::Encoding))
        }
    }
}

/// Appends the cells of one line of letters; `line` counts from 1.
fn parse_row(
    row: &str,
    line: usize,
    width: usize,
    cells: &mut Vec<Terrain>,
) -> Result<(), MapError> {
    let before = cells.len();
    for (column, letter) in row.chars().enumerate() {
        let terrain = Terrain::from_letter(letter).ok_or_else(|| {
            MapError::at_line(line, MapFault::Letter(letter)).at_column(column + 1)
        })?;
        cells.push(terrain);
    }
    let found = cells.len() - before;
    if found != width {
        return Err(MapError::at_line(
            line,
            MapFault::Row {
                found,
                expected: width,
            },
        ));
    }
    Ok(())
}

/// Refuses sizes that are zero or over the limit.
pub(super) fn check_size(width: u64, height: u64) -> Result<(), MapError> {
    let side = 1..=u64::from(Map::MAX_SIDE);
    if side.contains(&width) && side.contains(&height) {
        Ok(())
    } else {
        Err(MapError::new(MapFault::Size { width, height }))
    }
}

#[cfg(test)]
mod tests;
