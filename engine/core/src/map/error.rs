//! Why a map could not be read, built or written.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::formats::ENDINGS;
use super::{Terrain, TiledFault};

/// A map that is not right: where, what, and what would be.
#[derive(Debug, Error)]
#[error("{place}: {fault}")]
pub struct MapError {
    /// Where the fault lies.
    pub place: Place,
    /// What it is.
    #[source]
    pub fault: MapFault,
}

/// A place in a map's text or file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// The file, when the map came from one.
    pub file: Option<PathBuf>,
    /// Line, from 1.
    pub line: Option<u32>,
    /// Column in letters, from 1.
    pub column: Option<u32>,
}

/// What is wrong with a map.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum MapFault {
    /// The file could not be read.
    #[error("cannot be read: {0}")]
    Read(io::Error),
    /// The file could not be written.
    #[error("cannot be written: {0}")]
    Write(io::Error),
    /// A directory stands where a file should.
    #[error("is a directory; a map file is wanted")]
    Directory,
    /// The name does not say which format it is.
    #[error("unknown map file ending; one of {ENDINGS} is wanted")]
    Ending,
    /// More bytes than any map may have.
    #[error("is larger than {limit} bytes, the most that a map file may have")]
    FileSize {
        /// The limit in bytes.
        limit: u64,
    },
    /// The text is not UTF-8.
    #[error("is not UTF-8 text; map letters are {}", Terrain::LETTERS)]
    Encoding,
    /// No cells at all.
    #[error("holds no map; rows of the letters {} are wanted", Terrain::LETTERS)]
    Empty,
    /// A side is zero or too long.
    #[error("a map of {width} x {height} cells; each side must be 1 to {max}", max = super::Map::MAX_SIDE)]
    Size {
        /// Cells per row.
        width: u64,
        /// Rows.
        height: u64,
    },
    /// A letter that stands for no terrain.
    #[error("unknown letter {0:?}; map letters are {letters}", letters = Terrain::LETTERS)]
    Letter(char),
    /// A row of another length than it should have.
    #[error("the row has {found} cells; {expected} are wanted")]
    Row {
        /// Its length.
        found: usize,
        /// The right length.
        expected: usize,
    },
    /// Fewer or more rows than the header says.
    #[error("{found} rows; the header says {expected}")]
    Rows {
        /// Rows found.
        found: usize,
        /// Rows named in the header.
        expected: usize,
    },
    /// A MovingAI map of a type that is not read.
    #[error("map type {0:?} is not read; only `type octile` is")]
    Type(String),
    /// A header line that is not right.
    #[error("{found:?} in the header; {expected} is wanted")]
    Header {
        /// The line found.
        found: String,
        /// What should stand there.
        expected: &'static str,
    },
    /// An image with too few bytes for its size.
    #[error("holds too few bytes for {width} x {height} pixels; the whole file is wanted")]
    Truncated {
        /// Pixels per row, as it claims.
        width: u32,
        /// Rows.
        height: u32,
    },
    /// A Tiled map that is not right.
    #[error("{0}")]
    Tiled(Box<TiledFault>),
    /// A format that is only read.
    #[error("Tiled maps are read only; write .map, .png or .txt")]
    ReadOnly,
    /// An image that cannot be decoded or encoded.
    #[error("is no readable PNG image: {0}")]
    Image(image::ImageError),
}

impl MapError {
    /// The fault, at no place in particular.
    pub(super) fn new(fault: MapFault) -> Self {
        Self {
            place: Place::default(),
            fault,
        }
    }

    /// The fault at a line, counted from 1.
    pub(super) fn at_line(line: usize, fault: MapFault) -> Self {
        Self {
            place: Place {
                line: Some(line as u32),
                ..Place::default()
            },
            fault,
        }
    }

    /// The same at a column, counted from 1.
    pub(super) fn at_column(mut self, column: usize) -> Self {
        self.place.column = Some(column as u32);
        self
    }

    /// The same at a line, when it has none yet.
    pub(super) fn or_line(mut self, line: u32) -> Self {
        self.place.line.get_or_insert(line);
        self
    }

    /// The same in a file.
    pub(super) fn in_file(mut self, file: &Path) -> Self {
        self.place.file = Some(file.to_path_buf());
        self
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.file, self.line, self.column) {
            (None, None, _) => f.write_str("map"),
            (None, Some(line), None) => write!(f, "map line {line}"),
            (None, Some(line), Some(column)) => write!(f, "map line {line}, column {column}"),
            (Some(file), None, _) => write!(f, "{}", file.display()),
            (Some(file), Some(line), None) => write!(f, "{}:{line}", file.display()),
            (Some(file), Some(line), Some(column)) => {
                write!(f, "{}:{line}:{column}", file.display())
            }
        }
    }
}
