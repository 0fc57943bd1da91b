//! What can be walked on.

use std::collections::BTreeMap;

use super::document::{Document, Properties, Tileset, fault};
use super::{Cover, terrain_named};
use crate::map::{MapError, Terrain, TiledFault};

/// What says where a Tiled map can be walked on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum TiledRule {
    /// The properties `terrain`, `blocked` and `walkable` of tiles, layers and groups, and the names
    /// of layers.
    #[default]
    Properties,
    /// Cells with a tile on this layer are blocked, all others free.
    LayerBlocks(String),
    /// Cells with a tile on this layer are free, all others blocked.
    LayerOpens(String),
    /// Cells with a tile whose property of that name is `true` are blocked, all others free; of
    /// several tiles the topmost one that has the property counts.
    TileBlocks(String),
    /// Cells with a tile whose property of that name is `true` are free, all others blocked.
    TileOpens(String),
}

/// Layers of these names block when no property says otherwise.
const BLOCKING_NAMES: [&str; 4] = ["walls", "collision", "blocked", "obstacles"];

/// What layers and tiles say about the ground.
pub(super) struct Ground {
    layers: Vec<Option<Terrain>>,
    tiles: BTreeMap<u32, Terrain>,
    with_tile: Terrain,
    without_tile: Terrain,
}

impl Ground {
    pub fn new(
        rule: &TiledRule,
        document: &Document,
        tilesets: &[(u32, Option<Tileset>)],
    ) -> Result<Self, MapError> {
        let mut ground = Self {
            layers: vec![None; document.layers.len()],
            tiles: BTreeMap::new(),
            with_tile: Terrain::Free,
            without_tile: Terrain::Free,
        };
        let open = |opens: bool| {
            if opens {
                Terrain::Free
            } else {
                Terrain::Blocked
            }
        };
        match rule {
            TiledRule::Properties => ground.by_properties(document, tilesets)?,
            TiledRule::LayerBlocks(name) | TiledRule::LayerOpens(name) => {
                let opens = matches!(rule, TiledRule::LayerOpens(_));
                let named = document.layers.iter().position(|layer| layer.name == *name);
                let index = named.ok_or_else(|| no_layer(name, document))?;
                ground.layers[index] = Some(open(opens));
                ground.with_tile = open(!opens);
                ground.without_tile = open(!opens);
            }
            TiledRule::TileBlocks(name) | TiledRule::TileOpens(name) => {
                let opens = matches!(rule, TiledRule::TileOpens(_));
                for (gid, properties) in tiles(tilesets) {
                    if let Some(value) = properties.get(name) {
                        let yes = truth(value)
                            .ok_or_else(|| property(&format!("tile {gid}"), name, value, TRUTH))?;
                        ground.tiles.insert(gid, open(yes == opens));
                    }
                }
                ground.with_tile = open(!opens);
                ground.without_tile = open(!opens);
            }
        }
        Ok(ground)
    }

    /// What a tile on a layer says.
    pub fn of(&self, layer: usize, gid: u32) -> Option<Terrain> {
        self.tiles.get(&gid).copied().or(self.layers[layer])
    }

    /// What a cell is when no tile in it says anything.
    pub fn unsaid(&self, cover: Cover) -> Terrain {
        match cover {
            Cover::Outside => Terrain::Blocked,
            Cover::Empty => self.without_tile,
            Cover::Tile => self.with_tile,
        }
    }

    fn by_properties(
        &mut self,
        document: &Document,
        tilesets: &[(u32, Option<Tileset>)],
    ) -> Result<(), MapError> {
        for (gid, properties) in tiles(tilesets) {
            if let Some(terrain) = said(properties, || format!("tile {gid}"))? {
                self.tiles.insert(gid, terrain);
            }
        }
        for (said_by, layer) in self.layers.iter_mut().zip(&document.layers) {
            let own_name = layer
                .name
                .rsplit('/')
                .next()
                .unwrap_or_default()
                .to_ascii_lowercase();
            let by_name = BLOCKING_NAMES
                .contains(&own_name.as_str())
                .then_some(Terrain::Blocked);
            *said_by = said(&layer.properties, || format!("layer {:?}", layer.name))?.or(by_name);
        }
        let ground_layer = self.layers.contains(&Some(Terrain::Free));
        let silent = self.tiles.is_empty() && self.layers.iter().all(Option::is_none);
        if ground_layer || silent {
            self.without_tile = Terrain::Blocked;
        }
        if ground_layer {
            self.with_tile = Terrain::Blocked;
        }
        Ok(())
    }
}

/// The tiles that have properties, by their numbers in the map.
fn tiles(tilesets: &[(u32, Option<Tileset>)]) -> impl Iterator<Item = (u32, &Properties)> {
    let known = tilesets
        .iter()
        .filter_map(|(first, set)| Some((first, set.as_ref()?)));
    known.flat_map(|(first, set)| {
        let tiles = set.properties.iter();
        tiles.map(move |(id, properties)| (first.saturating_add(*id), properties))
    })
}

const TRUTH: &str = "true or false";

/// The ground that properties tell of, if any.
fn said(properties: &Properties, owner: impl Fn() -> String) -> Result<Option<Terrain>, MapError> {
    if let Some(value) = properties.get("terrain") {
        let wanted = "free, swamp, water, shallow or blocked";
        let terrain = terrain_named(value);
        return terrain
            .ok_or_else(|| property(&owner(), "terrain", value, wanted))
            .map(Some);
    }
    for (name, when_true, when_false) in [
        ("blocked", Terrain::Blocked, Terrain::Free),
        ("walkable", Terrain::Free, Terrain::Blocked),
    ] {
        if let Some(value) = properties.get(name) {
            let yes = truth(value).ok_or_else(|| property(&owner(), name, value, TRUTH))?;
            return Ok(Some(if yes { when_true } else { when_false }));
        }
    }
    Ok(None)
}

fn truth(value: &str) -> Option<bool> {
    match value.to_ascii_lowercase().as_str() {
        "true" | "1" => Some(true),
        "false" | "0" => Some(false),
        _ => None,
    }
}

fn property(owner: &str, name: &str, value: &str, wanted: &'static str) -> MapError {
    let (owner, name, value) = (owner.to_string(), name.to_string(), value.to_string());
    fault(TiledFault::Property {
        owner,
        name,
        value,
        wanted,
    })
}

fn no_layer(name: &str, document: &Document) -> MapError {
    let names: Vec<&str> = document
        .layers
        .iter()
        .map(|layer| layer.name.as_str())
        .collect();
    fault(TiledFault::NoLayer {
        name: name.to_string(),
        layers: names.join(", "),
    })
}
