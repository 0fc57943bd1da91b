//! A Tiled map as both its file formats say it.

use std::collections::BTreeMap;

use crate::map::{MapError, MapFault, TiledFault};

/// Custom properties by name; values as written.
pub(super) type Properties = BTreeMap<String, String>;

/// The parts of a map file that walkability can depend on.
pub(super) struct Document {
    pub width: u32,
    pub height: u32,
    pub infinite: bool,
    pub tilesets: Vec<TilesetRef>,
    /// Tile layers from the bottom up, those in groups among them.
    pub layers: Vec<Layer>,
}

/// A tileset inside the map file, or the name of the file it is in.
pub(super) struct TilesetRef {
    pub first_gid: u32,
    pub content: Result<Tileset, String>,
}

/// Tiles by their number in the set, from 0.
#[derive(Default)]
pub(super) struct Tileset {
    pub count: u32,
    /// Of those tiles that have any.
    pub properties: BTreeMap<u32, Properties>,
}

pub(super) struct Layer {
    /// After the names of the groups it is in, with slashes between.
    pub name: String,
    /// Its own and those of its groups.
    pub properties: Properties,
    pub chunks: Vec<Chunk>,
}

/// A rectangle of cells; the whole layer where a map is not infinite.
pub(super) struct Chunk {
    pub x: i32,
    pub y: i32,
    pub width: u32,
    pub height: u32,
    /// Row by row, flip bits included, 0 for no tile.
    pub gids: Vec<u32>,
}

/// What a layer takes over from the groups it is in.
#[derive(Clone, Default)]
pub(super) struct Group {
    pub name: String,
    pub properties: Properties,
}

impl Group {
    /// A group or layer inside this one.
    pub fn inner(&self, name: &str, properties: Properties) -> Self {
        let name = if self.name.is_empty() {
            name.to_string()
        } else {
            format!("{}/{name}", self.name)
        };
        let mut all = self.properties.clone();
        all.extend(properties);
        Self {
            name,
            properties: all,
        }
    }
}

pub(super) fn fault(fault: TiledFault) -> MapError {
    MapError::new(MapFault::Tiled(Box::new(fault)))
}

pub(super) fn value(owner: &'static str, name: &'static str, wanted: &'static str) -> MapError {
    fault(TiledFault::Value {
        owner,
        name,
        wanted,
    })
}
