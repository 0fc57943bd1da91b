//! Maps of the Tiled editor, <https://doc.mapeditor.org/en/stable/reference/tmx-map-format/>: `.tmx`
//! and `.tmj`, finite or infinite, orthogonal, cells as XML, CSV or base64, plain or compressed.
//!
//! What can be walked on is said by a [`TiledRule`]. By default the map's own custom properties say
//! it, on tiles, on layers or on the groups that layers are in:
//!
//! - `terrain`: `free`, `swamp`, `water`, `shallow` or `blocked`;
//! - `blocked`: true or false;
//! - `walkable`: true or false.
//!
//! A tile without one has the meaning of its layer; a layer without one that is named `walls`,
//! `collision`, `blocked` or `obstacles` blocks. In each cell the topmost layer that says something
//! counts. Where none does, the cell is free, unless some layer is walkable as a whole: then what it
//! leaves out is not. In a map that says nothing anywhere, cells with a tile are free and those
//! without one blocked, as are all cells outside an infinite map's chunks.
//!
//! The map is read into one model from either format and not by the `tiled` crate, which reads no
//! `.tmj`, no cells as XML, drops tile numbers below the first tileset's and fails on maps whose
//! tileset files are not at hand.

mod data;
mod document;
mod fault;
mod json;
mod rule;
mod tile;
mod xml;

use std::path::Path;

pub use fault::TiledFault;
pub use rule::TiledRule;
pub use tile::Tile;

use super::{Grid, check_size, read_bytes, text};
use crate::map::{CellRect, Map, MapError, Terrain};
use document::{Chunk, Document, Layer, Tileset, fault, value};
use rule::Ground;

/// How a Tiled map is read.
#[derive(Clone, Debug)]
pub struct TiledOptions {
    /// What can be walked on.
    pub rule: TiledRule,
    /// Whether a tile that no tileset has is an error; else it is a warning and no tile.
    pub strict: bool,
}

/// A map read from a Tiled file.
#[derive(Clone, Debug)]
pub struct TiledMap {
    /// The map itself.
    pub map: Map,
    /// The cells it was cut out of, as Tiled counts them: the map's own rectangle, or the smallest
    /// one that holds all chunks of an infinite map. Its first cell is the map's (0, 0).
    pub bounds: CellRect,
    /// What is not right but did not keep the map from being read.
    pub warnings: Vec<TiledFault>,
    layers: Vec<String>,
    /// For each cell the layer that decided about it.
    deciding: Vec<u32>,
}

/// No layer says anything about the cell.
const NO_LAYER: u32 = u32::MAX;

/// Why a cell of a Tiled map is as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Explanation<'a> {
    /// The cell is not on the map.
    OffMap,
    /// No layer says anything about it.
    NoLayer,
    /// A tile on the layer of this name says what it is.
    Layer(&'a str),
}

impl Default for TiledOptions {
    fn default() -> Self {
        Self {
            rule: TiledRule::Properties,
            strict: true,
        }
    }
}

impl TiledMap {
    /// Which layer made a cell of [`map`](Self::map) what it was when it was read.
    pub fn explain(&self, x: i32, y: i32) -> Explanation<'_> {
        if !self.map.bounds().contains(x, y) {
            return Explanation::OffMap;
        }
        match self.deciding[y as usize * self.map.width() as usize + x as usize] {
            NO_LAYER => Explanation::NoLayer,
            layer => Explanation::Layer(&self.layers[layer as usize]),
        }
    }
}

/// Reads a Tiled map, `.tmj` as JSON and any other ending as XML.
///
/// # Errors
/// When the file cannot be read or is not right; errors name the line where there is one, or layer
/// and cell. A tileset file that is not there is a warning: its tiles have no properties then.
pub fn load_tiled(path: &Path, options: &TiledOptions) -> Result<TiledMap, MapError> {
    read(path, options).map_err(|error| error.in_file(path))
}

/// The terrain of a Tiled map, by the default options.
pub(super) fn load_grid(path: &Path) -> Result<Grid, MapError> {
    let (grid, ..) = Reader::new(path, &TiledOptions::default())?.grid()?;
    Ok(grid)
}

fn read(path: &Path, options: &TiledOptions) -> Result<TiledMap, MapError> {
    let reader = Reader::new(path, options)?;
    let bounds = reader.bounds;
    let layers = reader
        .document
        .layers
        .iter()
        .map(|layer| layer.name.clone())
        .collect();
    let (grid, deciding, warnings) = reader.grid()?;
    Ok(TiledMap {
        map: Map::from_grid(grid),
        bounds,
        warnings,
        layers,
        deciding,
    })
}

/// Everything needed to decide about cells.
struct Reader<'a> {
    options: &'a TiledOptions,
    document: Document,
    bounds: CellRect,
    /// First number and content, ascending; `None` for a set whose file could not be read.
    tilesets: Vec<(u32, Option<Tileset>)>,
    warnings: Vec<TiledFault>,
}

/// What the layers have in a cell.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Cover {
    /// It lies in no chunk.
    Outside,
    /// It has no tile.
    Empty,
    /// It has one.
    Tile,
}

impl<'a> Reader<'a> {
    fn new(path: &Path, options: &'a TiledOptions) -> Result<Self, MapError> {
        let bytes = read_bytes(path)?;
        let text = text(&bytes)?;
        let json = path
            .extension()
            .is_some_and(|ending| ending.eq_ignore_ascii_case("tmj"));
        let mut document = if json {
            json::map(text)
        } else {
            xml::map(text)
        }?;
        let bounds = bounds(&document)?;
        let (mut tilesets, mut warnings) = (Vec::new(), Vec::new());
        for reference in std::mem::take(&mut document.tilesets) {
            let tileset = match reference.content {
                Ok(tileset) => Some(tileset),
                Err(source) => match load_tileset(path, &source) {
                    Ok(tileset) => Some(tileset),
                    Err(error) => {
                        let why = error.in_file(&path.with_file_name(&source)).to_string();
                        warnings.push(TiledFault::Tileset {
                            source_file: source,
                            why,
                        });
                        None
                    }
                },
            };
            tilesets.push((reference.first_gid, tileset));
        }
        tilesets.sort_by_key(|&(first, _)| first);
        Ok(Self {
            options,
            document,
            bounds,
            tilesets,
            warnings,
        })
    }

    fn grid(mut self) -> Result<(Grid, Vec<u32>, Vec<TiledFault>), MapError> {
        let (width, height) = (self.bounds.width(), self.bounds.height());
        let ground = Ground::new(&self.options.rule, &self.document, &self.tilesets)?;
        let mut cells = vec![None; width * height];
        let mut deciding = vec![NO_LAYER; width * height];
        let mut cover = vec![Cover::Outside; width * height];
        for (index, layer) in self.document.layers.iter().enumerate() {
            for chunk in &layer.chunks {
                check_chunk(layer, chunk)?;
                for (position, &bits) in chunk.gids.iter().enumerate() {
                    let x = chunk.x + (position % chunk.width as usize) as i32;
                    let y = chunk.y + (position / chunk.width as usize) as i32;
                    let cell =
                        (y - self.bounds.y0) as usize * width + (x - self.bounds.x0) as usize;
                    let gid = Tile::from_bits(bits).number;
                    cover[cell] = cover[cell].max(Cover::Empty);
                    if gid == 0 {
                        continue;
                    }
                    if let Some(unknown) = self.unknown(layer, x, y, gid) {
                        if self.options.strict {
                            return Err(fault(unknown));
                        }
                        self.warnings.push(unknown);
                        continue;
                    }
                    cover[cell] = Cover::Tile;
                    if let Some(terrain) = ground.of(index, gid) {
                        cells[cell] = Some(terrain);
                        deciding[cell] = index as u32;
                    }
                }
            }
        }
        let cells = cells
            .into_iter()
            .zip(cover)
            .map(|(terrain, cover)| terrain.unwrap_or_else(|| ground.unsaid(cover)))
            .collect();
        let grid = Grid {
            width: width as u32,
            height: height as u32,
            cells,
        };
        Ok((grid, deciding, self.warnings))
    }

    /// The fault of a tile that no tileset has.
    fn unknown(&self, layer: &Layer, x: i32, y: i32, gid: u32) -> Option<TiledFault> {
        let after = self.tilesets.partition_point(|&(first, _)| first <= gid);
        let known = match self.tilesets[..after].last() {
            None => match self.tilesets.first() {
                None => "there are no tilesets".to_string(),
                Some((first, _)) => format!("the first has number {first}"),
            },
            // Nobody knows how many tiles a missing file has.
            Some((_, None)) => return None,
            Some((first, Some(tileset))) if gid - first < tileset.count => return None,
            Some((first, Some(tileset))) => {
                format!("its set has {} tiles from {first} on", tileset.count)
            }
        };
        Some(TiledFault::Gid {
            layer: layer.name.clone(),
            x,
            y,
            gid,
            known,
        })
    }
}

/// The map's own rectangle, or the one around all chunks.
fn bounds(document: &Document) -> Result<CellRect, MapError> {
    if document.layers.is_empty() {
        return Err(value("the map", "layer", "a tile layer"));
    }
    if !document.infinite {
        let (width, height) = (document.width, document.height);
        check_size(width.into(), height.into())?;
        for layer in &document.layers {
            let same = |chunk: &Chunk| (chunk.width, chunk.height) == (width, height);
            if !layer.chunks.iter().all(same) {
                let what = format!("another size than the map; {width} x {height} is wanted");
                return Err(fault(TiledFault::Data {
                    layer: layer.name.clone(),
                    what,
                }));
            }
        }
        return Ok(CellRect::new(0, 0, width as i32, height as i32));
    }
    let chunks = document.layers.iter().flat_map(|layer| &layer.chunks);
    let sides = chunks
        .filter(|chunk| chunk.width > 0 && chunk.height > 0)
        .map(|chunk| {
            let (x, y) = (i64::from(chunk.x), i64::from(chunk.y));
            [
                x,
                y,
                x + i64::from(chunk.width),
                y + i64::from(chunk.height),
            ]
        });
    let around = sides.reduce(|a, b| {
        [
            a[0].min(b[0]),
            a[1].min(b[1]),
            a[2].max(b[2]),
            a[3].max(b[3]),
        ]
    });
    let [x0, y0, x1, y1] = around.unwrap_or_default();
    check_size((x1 - x0) as u64, (y1 - y0) as u64)?;
    let side = |cells: i64| {
        i32::try_from(cells).map_err(|_| value("a chunk", "x or y", "an offset under 2^31 cells"))
    };
    Ok(CellRect::new(side(x0)?, side(y0)?, side(x1)?, side(y1)?))
}

/// Refuses chunks with more or fewer cells than their size says.
fn check_chunk(layer: &Layer, chunk: &Chunk) -> Result<(), MapError> {
    let (found, wanted) = (
        chunk.gids.len() as u64,
        u64::from(chunk.width) * u64::from(chunk.height),
    );
    if found == wanted {
        return Ok(());
    }
    let what = format!(
        "{found} cells; {wanted} are wanted ({} x {})",
        chunk.width, chunk.height
    );
    Err(fault(TiledFault::Data {
        layer: layer.name.clone(),
        what,
    }))
}

/// Reads a tileset file beside the map.
fn load_tileset(map: &Path, source: &str) -> Result<Tileset, MapError> {
    let path = map.with_file_name(source);
    let bytes = read_bytes(&path)?;
    let text = text(&bytes)?;
    if text.trim_start().starts_with('<') {
        xml::tileset(text)
    } else {
        json::tileset(text)
    }
}

/// A property's terrain by its name.
fn terrain_named(name: &str) -> Option<Terrain> {
    Some(match name.to_ascii_lowercase().as_str() {
        "free" => Terrain::Free,
        "swamp" => Terrain::Swamp,
        "water" => Terrain::Water,
        "shallow" => Terrain::Shallow,
        "blocked" => Terrain::Blocked,
        _ => return None,
    })
}

#[cfg(test)]
mod tests;
