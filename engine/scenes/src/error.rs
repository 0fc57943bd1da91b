//! The errors of scenario files and of setting a scenario up.

use std::fmt;
use std::path::{Path, PathBuf};

use thiserror::Error;
use throng::{MapError, SimError, SpawnError};

/// A scenario cannot be read or set up. Its text is one line: file, line, key, what is wrong and
/// what would be right, each where there is one.
#[derive(Debug)]
pub struct ScenarioError {
    /// The scenario file; `None` for a scenario made in memory.
    pub file: Option<PathBuf>,
    /// Line in that file, counted from 1.
    pub line: Option<usize>,
    /// Path of the key, such as `units[1].radius`.
    pub key: Option<String>,
    /// What is wrong; boxed, since errors are returned by value everywhere.
    pub problem: Box<Problem>,
}

/// What is wrong with a scenario.
#[derive(Debug, Error)]
pub enum Problem {
    /// The file cannot be read.
    #[error("cannot be read: {0}")]
    Read(#[source] std::io::Error),
    /// The text is not valid TOML, or a value has the wrong type or is missing.
    #[error("{0}")]
    Syntax(String),
    /// A key that does not exist.
    #[error("there is no such key{}", hint(.nearest, .known))]
    UnknownKey {
        /// The key that it most resembles.
        nearest: Option<String>,
        /// The keys that may stand here.
        known: Vec<String>,
    },
    /// A value outside its range.
    #[error("{found} is out of range; it must be {want}")]
    Range {
        /// The value found.
        found: String,
        /// What would be right.
        want: String,
    },
    /// A word that is none of those allowed.
    #[error("\"{found}\" is not known{}", hint(.nearest, .known))]
    UnknownWord {
        /// The word found.
        found: String,
        /// The allowed word that it most resembles.
        nearest: Option<String>,
        /// The words that may stand here.
        known: Vec<String>,
    },
    /// Part of the format, but not built yet.
    #[error("{what} is not supported yet; this version has {have}")]
    Unsupported {
        /// What was asked for.
        what: String,
        /// What there is.
        have: String,
    },
    /// Keys that are missing or exclude one another.
    #[error("{0}")]
    Combination(String),
    /// The map is wrong.
    #[error("{0}")]
    Map(#[source] MapError),
    /// More units than fit.
    #[error(
        "room for {room} of {count} units of radius {radius}; a larger area or a lower count would fit"
    )]
    NoRoom {
        /// Units asked for.
        count: u32,
        /// How many fit at most.
        room: usize,
        /// Their radius in cells.
        radius: f32,
    },
    /// The simulation refuses a unit.
    #[error("{0}")]
    Spawn(#[source] SpawnError),
    /// The simulation refuses a setting.
    #[error("{0}")]
    Simulation(#[source] SimError),
    /// Neither a built-in scenario nor a scenario file.
    #[error(
        "no built-in scenario is called \"{name}\"{}",
        .nearest.as_ref().map_or_else(
            || "; give the name of one or the path of a .toml file".to_owned(),
            |n| format!("; did you mean \"{n}\"?"),
        )
    )]
    UnknownScenario {
        /// The name given.
        name: String,
        /// The built-in name that it most resembles.
        nearest: Option<String>,
    },
}

impl ScenarioError {
    /// An error at a key of a scenario, with no file yet.
    pub(crate) fn at(key: impl Into<String>, problem: Problem) -> Self {
        Self {
            file: None,
            line: None,
            key: Some(key.into()),
            problem: Box::new(problem),
        }
    }

    /// An error of a whole scenario.
    pub(crate) fn whole(problem: Problem) -> Self {
        Self {
            file: None,
            line: None,
            key: None,
            problem: Box::new(problem),
        }
    }

    pub(crate) fn in_file(mut self, file: Option<&Path>) -> Self {
        self.file = file.map(Path::to_owned);
        self
    }

    pub(crate) fn on_line(mut self, line: Option<usize>) -> Self {
        self.line = line;
        self
    }
}

impl fmt::Display for ScenarioError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(file) = &self.file {
            write!(f, "{}:", file.display())?;
            if let Some(line) = self.line {
                write!(f, "{line}:")?;
            }
            f.write_str(" ")?;
        }
        if let Some(key) = &self.key {
            write!(f, "{key}: ")?;
        }
        write!(f, "{}", self.problem)
    }
}

impl std::error::Error for ScenarioError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &*self.problem {
            Problem::Read(source) => Some(source),
            Problem::Map(source) => Some(source),
            Problem::Spawn(source) => Some(source),
            Problem::Simulation(source) => Some(source),
            _ => None,
        }
    }
}

/// The word of `known` that `word` most resembles, if it resembles any.
pub(crate) fn closest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<String> {
    known
        .into_iter()
        .map(|k| (strsim::jaro_winkler(word, k), k))
        .filter(|(likeness, _)| *likeness > 0.75)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, k)| k.to_owned())
}

fn hint(nearest: &Option<String>, known: &[String]) -> String {
    match nearest {
        Some(name) => format!("; did you mean \"{name}\"?"),
        None if known.is_empty() => String::new(),
        None => format!("; there are {}", known.join(", ")),
    }
}
