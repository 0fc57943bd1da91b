//! `.tmx` maps and `.tsx` tilesets.

use roxmltree::{Document as Xml, Node};

use super::super::check_size;
use super::data;
use super::document::{
    Chunk, Document, Group, Layer, Properties, Tileset, TilesetRef, fault, value,
};
use crate::map::{MapError, TiledFault};

/// Reads a map.
pub(super) fn map(text: &str) -> Result<Document, MapError> {
    let xml = parse(text)?;
    let map = xml.root_element();
    let at = |error: MapError| error.or_line(line(&map));
    let orientation = map.attribute("orientation").unwrap_or("orthogonal");
    if !map.has_tag_name("map") {
        return Err(at(value("the file", "map", "an element of that name")));
    }
    if orientation != "orthogonal" {
        return Err(at(fault(TiledFault::Orientation(orientation.to_string()))));
    }
    let mut document = Document {
        width: number(&map, "the map", "width")?,
        height: number(&map, "the map", "height")?,
        infinite: map.attribute("infinite") == Some("1"),
        tilesets: Vec::new(),
        layers: Vec::new(),
    };
    for node in elements(&map, "tileset") {
        let first_gid = number(&node, "a tileset", "firstgid")?;
        let content = match node.attribute("source") {
            Some(source) => Err(source.to_string()),
            None => Ok(tileset_of(&node)?),
        };
        document.tilesets.push(TilesetRef { first_gid, content });
    }
    layers_of(&map, &Group::default(), &mut document)?;
    Ok(document)
}

/// Reads a tileset.
pub(super) fn tileset(text: &str) -> Result<Tileset, MapError> {
    tileset_of(&parse(text)?.root_element())
}

fn parse(text: &str) -> Result<Xml<'_>, MapError> {
    Xml::parse(text).map_err(|error| {
        let line = error.pos().row;
        fault(TiledFault::Syntax(error.to_string())).or_line(line)
    })
}

fn tileset_of(node: &Node) -> Result<Tileset, MapError> {
    let mut tileset = Tileset {
        count: number(node, "a tileset", "tilecount")?,
        ..Tileset::default()
    };
    for tile in elements(node, "tile") {
        let id: u32 = number(&tile, "a tile", "id")?;
        // Sets of single images may leave numbers out.
        tileset.count = tileset.count.max(id.saturating_add(1));
        tileset.properties.insert(id, properties_of(&tile));
    }
    Ok(tileset)
}

fn layers_of(parent: &Node, group: &Group, document: &mut Document) -> Result<(), MapError> {
    for node in parent.children().filter(Node::is_element) {
        let name = node.attribute("name").unwrap_or_default();
        match node.tag_name().name() {
            "group" => layers_of(&node, &group.inner(name, properties_of(&node)), document)?,
            "layer" => {
                let Group { name, properties } = group.inner(name, properties_of(&node));
                let chunks = chunks_of(&node, &name, document)
                    .map_err(|error| error.or_line(line(&node)))?;
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

fn chunks_of(layer: &Node, name: &str, document: &Document) -> Result<Vec<Chunk>, MapError> {
    let data = elements(layer, "data")
        .next()
        .ok_or_else(|| value("a layer", "data", "an element of that name"))?;
    if document.infinite {
        let chunk = |node: Node| {
            let whole = "a chunk";
            let origin = (number(&node, whole, "x")?, number(&node, whole, "y")?);
            let size = (
                number(&node, whole, "width")?,
                number(&node, whole, "height")?,
            );
            cells_of(&data, &node, name, origin, size).map_err(|error| error.or_line(line(&node)))
        };
        elements(&data, "chunk").map(chunk).collect()
    } else {
        let size = (
            number(layer, "a layer", "width")?,
            number(layer, "a layer", "height")?,
        );
        Ok(vec![cells_of(&data, &data, name, (0, 0), size)?])
    }
}

/// The cells in `node`, encoded as `data` says.
fn cells_of(
    data: &Node,
    node: &Node,
    layer: &str,
    (x, y): (i32, i32),
    (width, height): (u32, u32),
) -> Result<Chunk, MapError> {
    check_size(width.into(), height.into())?;
    let compression = data.attribute("compression").unwrap_or_default();
    let gids = match data.attribute("encoding") {
        None => elements(node, "tile")
            .map(|tile| tile.attribute("gid").unwrap_or("0"))
            .map(|gid| {
                gid.parse()
                    .map_err(|_| format!("{gid:?} is no tile number"))
            })
            .collect(),
        Some(encoding) => {
            let text = node.text().unwrap_or_default();
            data::decode(
                encoding,
                compression,
                text,
                width as usize * height as usize,
            )
        }
    };
    let gids = gids.map_err(|what| {
        fault(TiledFault::Data {
            layer: layer.to_string(),
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

fn properties_of(node: &Node) -> Properties {
    let list = elements(node, "properties").flat_map(|list| list.children());
    list.filter(|node| node.has_tag_name("property"))
        .filter_map(|property| {
            let name = property.attribute("name")?;
            let value = property
                .attribute("value")
                .or(property.text())
                .unwrap_or_default();
            Some((name.to_string(), value.to_string()))
        })
        .collect()
}

fn elements<'a>(node: &Node<'a, 'a>, name: &'static str) -> impl Iterator<Item = Node<'a, 'a>> {
    node.children()
        .filter(move |child| child.has_tag_name(name))
}

fn number<T: std::str::FromStr>(
    node: &Node,
    owner: &'static str,
    name: &'static str,
) -> Result<T, MapError> {
    node.attribute(name)
        .and_then(|text| text.parse().ok())
        .ok_or_else(|| value(owner, name, "a whole number").or_line(line(node)))
}

fn line(node: &Node) -> u32 {
    node.document().text_pos_at(node.range().start).row
}
