//! What can be wrong with a Tiled map.

use thiserror::Error;

/// What is wrong with a Tiled map.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum TiledFault {
    /// The XML or JSON cannot be parsed.
    #[error("is not well-formed: {0}")]
    Syntax(String),
    /// A value is missing or of the wrong kind.
    #[error("{owner} has no usable `{name}`; {wanted} is wanted")]
    Value {
        /// What should have it.
        owner: &'static str,
        /// Its name.
        name: &'static str,
        /// What it should be.
        wanted: &'static str,
    },
    /// Cells that are not squares in rows.
    #[error("is {0}; only orthogonal maps are read")]
    Orientation(String),
    /// The cells of a layer cannot be read.
    #[error("layer {layer:?}: {what}")]
    Data {
        /// Name of the layer, after those of the groups it is in.
        layer: String,
        /// What is wrong, and what would be right.
        what: String,
    },
    /// A cell names a tile that no tileset has.
    #[error("layer {layer:?}, cell ({x}, {y}): tile {gid} is not in any tileset; {known}")]
    Gid {
        /// Name of the layer, after those of the groups it is in.
        layer: String,
        /// Column, as Tiled counts it.
        x: i32,
        /// Row, as Tiled counts it.
        y: i32,
        /// The tile's number, its flip bits masked.
        gid: u32,
        /// The numbers that are known.
        known: String,
    },
    /// A tileset's file cannot be read, so its tiles have no properties.
    #[error(
        "tileset {source_file:?} cannot be read ({why}); its tiles say nothing about the ground"
    )]
    Tileset {
        /// The file as the map names it.
        source_file: String,
        /// Why not.
        why: String,
    },
    /// A property that says something about the ground has a value that means nothing.
    #[error("property `{name}` of {owner} is {value:?}; {wanted} is wanted")]
    Property {
        /// The layer or tile that has it.
        owner: String,
        /// Its name.
        name: String,
        /// Its value.
        value: String,
        /// What it should be.
        wanted: &'static str,
    },
    /// The layer asked for is not there.
    #[error("has no tile layer {name:?}; there are: {layers}")]
    NoLayer {
        /// The layer asked for.
        name: String,
        /// The layers that there are.
        layers: String,
    },
}
