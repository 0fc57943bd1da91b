//! `.tmj` maps and `.tsj` tilesets.

use serde_json::Value;

use super::super::check_size;
use super::data;
use super::document::{
    Chunk, Document, Group, Layer, Properties, Tileset, TilesetRef, fault, value,
};
use crate::map::{MapError, TiledFault};

/// Reads a map.
pub(super) fn map(text: &str) -> Result<Document, MapError> {
    let map = parse(text)?;
    let orientation = map["orientation"].as_str().unwrap_or("orthogonal");
    if orientation != "orthogonal" {
        return Err(fault(TiledFault::Orientation(orientation.to_string())));
    }
    let mut document = Document {
        width: number(&map, "the map", "width")?,
        height: number(&map, "the map", "height")?,
        infinite: map["infinite"].as_bool().unwrap_or(false),
        tilesets: Vec::new(),
        layers: Vec::new(),
    };
    for node in list(&map, "tilesets") {
        let first_gid = number(node, "a tileset", "firstgid")?;
        let content = match node["source"].as_str() {
            Some(source) => Err(source.to_string()),
            None => Ok(tileset_of(node)?),
        };
        document.tilesets.push(TilesetRef { first_gid, content });
    }
    layers_of(&map, &Group::default(), &mut document)?;
    Ok(document)
}

/// Reads a tileset.
pub(super) fn tileset(text: &str) -> Result<Tileset, MapError> {
    tileset_of(&parse(text)?)
}

fn parse(text: &str) -> Result<Value, MapError> {
    serde_json::from_str(text).map_err(|error| {
        let line = error.line() as u32;
        fault(TiledFault::Syntax(error.to_string())).or_line(line)
    })
}

fn tileset_of(node: &Value) -> Result<Tileset, MapError> {
    let mut tileset = Tileset {
        count: number(node, "a tileset", "tilecount")?,
        ..Tileset::default()
    };
    for tile in list(node, "tiles") {
        let id: u32 = number(tile, "a tile", "id")?;
        tileset.count = tileset.count.max(id.saturating_add(1));
        tileset.properties.insert(id, properties_of(tile));
    }
    Ok(tileset)
}

fn layers_of(parent: &Value, group: &Group, document: &mut Document) -> Result<(), MapError> {
    for node in list(parent, "layers") {
        let name = node["name"].as_str().unwrap_or_default();
        match node["type"].as_str() {
            Some("group") => layers_of(node, &group.inner(name, properties_of(node)), document)?,
            Some("tilelayer") => {
                let Group { name, properties } = group.inner(name, properties_of(node));
                let chunks = chunks_of(node, &name, document)?;
                document.layers.push(Layer {
                    name,
                    properties,
                    chunks,
                });
            }
            _ => {}
        }
    }
    Ok(())
}

fn chunks_of(layer: &Value, name: &str, document: &Document) -> Result<Vec<Chunk>, MapError> {
    if document.infinite {
        let chunk = |node| {
            let whole = "a chunk";
            let origin = (number(node, whole, "x")?, number(node, whole, "y")?);
            let size = (
                number(node, whole, "width")?,
                number(node, whole, "height")?,
            );
            cells_of(layer, node, name, origin, size)
        };
        list(layer, "chunks").iter().map(chunk).collect()
    } else {
        let size = (
            number(layer, "a layer", "width")?,
            number(layer, "a layer", "height")?,
        );
        Ok(vec![cells_of(layer, layer, name, (0, 0), size)?])
    }
}

/// The cells in `node`, encoded as its layer says.
fn cells_of(
    layer: &Value,
    node: &Value,
    name: &str,
    (x, y): (i32, i32),
    (width, height): (u32, u32),
) -> Result<Chunk, MapError> {
    check_size(width.into(), height.into())?;
    let compression = layer["compression"].as_str().unwrap_or_default();
    let gids = match &node["data"] {
        Value::Array(gids) => gids
            .iter()
            .map(|gid| {
                let number = gid.as_u64().and_then(|gid| gid.try_into().ok());
                number.ok_or_else(|| format!("{gid} is no tile number"))
            })
            .collect(),
        Value::String(text) => {
            let encoding = layer["encoding"].as_str().unwrap_or("csv");
            data::decode(
                encoding,
                compression,
                text,
                width as usize * height as usize,
            )
        }
        _ => return Err(value("a layer", "data", "a list or a text")),
    };
    let gids = gids.map_err(|what| {
        fault(TiledFault::Data {
            layer: name.to_string(),
            what,
        })
    })?;
    Ok(Chunk {
        x,
        y,
        width,
        height,
        gids,
    })
}

fn properties_of(node: &Value) -> Properties {
    list(node, "properties")
        .iter()
        .filter_map(|property| {
            let value = match &property["value"] {
                Value::String(text) => text.clone(),
                other => other.to_string(),
            };
            Some((property["name"].as_str()?.to_string(), value))
        })
        .collect()
}

/// The elements of a list; none when it is not there.
fn list<'a>(node: &'a Value, name: &str) -> &'a [Value] {
    node[name].as_array().map_or(&[], Vec::as_slice)
}

fn number<T: TryFrom<i64>>(
    node: &Value,
    owner: &'static str,
    name: &'static str,
) -> Result<T, MapError> {
    node[name]
        .as_i64()
        .and_then(|number| number.try_into().ok())
        .ok_or_else(|| value(owner, name, "a whole number"))
}
