//! Order logs: what was ordered when, with a hash of the state after every tick, to be run again.
//!
//! A log is text, one JSON value a line: a head with the version and the whole scenario, its map
//! among it; a line for every tick with the edits and orders given before it and the hash after it;
//! an end with the number of ticks and a checksum of all lines before. A log is whole or refused.

mod line;

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;

use serde::Serialize;
use thiserror::Error;
use xxhash_rust::xxh3::Xxh3;

use crate::error::ScenarioError;
use crate::runner::{Given, RunError, Runner, give};
use crate::scenario::Scenario;
use crate::setup::Setup;
use line::{End, Head, LoggedEdit, LoggedOrder, LoggedScenario, LoggedTick};

/// Version of the format that is written and the only one that is read.
const VERSION: u32 = 1;

/// A log cannot be read, or cannot be run again.
#[derive(Debug, Error)]
pub enum LogError {
    /// The file cannot be read.
    #[error("cannot be read: {0}")]
    Read(#[from] io::Error),
    /// It is not an order log.
    #[error("line 1: this is not an order log: {0}")]
    NotALog(String),
    /// A log of another version.
    #[error("line 1: log version {found} is not known; this version reads {VERSION}")]
    Version {
        /// Its version.
        found: u32,
    },
    /// A line that does not read.
    #[error("line {line}: {problem}")]
    Line {
        /// Line number from 1.
        line: usize,
        /// What is wrong with it.
        problem: String,
    },
    /// The end is missing.
    #[error("the log ends after {ticks} ticks without its last line; it was cut short")]
    Truncated {
        /// Whole ticks found.
        ticks: u64,
    },
    /// The checksum is wrong.
    #[error("the log's checksum is {found}, but its lines have {computed}; it was damaged")]
    Checksum {
        /// What the log says.
        found: String,
        /// What its lines have.
        computed: String,
    },
    /// The scenario in it cannot be set up.
    #[error("the log's scenario: {0}")]
    Scenario(#[from] ScenarioError),
    /// A command in it is refused.
    #[error(transparent)]
    Run(#[from] RunError),
}

/// Writes the log of a run. Give it a buffered writer.
pub struct Recorder<W> {
    out: Summed<W>,
}

impl<W: Write> Recorder<W> {
    /// Starts the log of a run that has not begun.
    ///
    /// # Errors
    /// The head cannot be written.
    pub fn new(out: W, runner: &Runner) -> io::Result<Self> {
        let mut out = Summed {
            out,
            sum: Xxh3::new(),
        };
        out.line(&Head {
            throng_log: VERSION,
            scenario: LoggedScenario::of(runner.scenario()),
        })?;
        Ok(Self { out })
    }

    /// Logs the tick that has just been run.
    ///
    /// # Errors
    /// The line cannot be written.
    pub fn tick(&mut self, runner: &Runner) -> io::Result<()> {
        let given = runner.given();
        self.out.line(&LoggedTick {
            tick: runner.simulation().now().saturating_sub(1),
            edits: given
                .edits
                .iter()
                .map(|e| LoggedEdit {
                    rect: e.rect,
                    blocked: e.blocked,
                })
                .collect(),
            orders: given.orders.iter().map(LoggedOrder::of).collect(),
            hash: hex(runner.state_hash()),
        })
    }

    /// Ends the log and flushes it.
    ///
    /// # Errors
    /// The last line cannot be written.
    pub fn finish(mut self, runner: &Runner) -> io::Result<W> {
        let end = End {
            end: runner.simulation().now(),
            checksum: hex(self.out.sum.digest()),
        };
        self.out.line(&end)?;
        self.out.out.flush()?;
        Ok(self.out.out)
    }
}

/// Lines of JSON with a checksum over them.
struct Summed<W> {
    out: W,
    sum: Xxh3,
}

impl<W: Write> Summed<W> {
    fn line(&mut self, value: &impl Serialize) -> io::Result<()> {
        let mut text = serde_json::to_vec(value)?;
        text.push(b'\n');
        self.sum.update(&text);
        self.out.write_all(&text)
    }
}

/// A whole log, read and checked.
pub struct Recording {
    scenario: Scenario,
    ticks: Vec<(Given, u64)>,
}

impl Recording {
    /// Reads a log from a file.
    ///
    /// # Errors
    /// The file cannot be read, is no log, was cut short or damaged.
    pub fn load(path: &Path) -> Result<Self, LogError> {
        Self::read(BufReader::new(File::open(path)?))
    }

    /// Reads a log.
    ///
    /// # Errors
    /// As for [`Recording::load`].
    pub fn read(mut from: impl BufRead) -> Result<Self, LogError> {
        let mut sum = Xxh3::new();
        let mut bytes = Vec::new();
        if from.fill_buf()?.first().is_some_and(|&byte| byte != b'{') {
            return Err(LogError::NotALog(String::from("'{' is wanted first")));
        }
        read_line(&mut from, &mut bytes)?;
        sum.update(&bytes);
        let scenario = read_head(&bytes)?;
        let mut ticks: Vec<(Given, u64)> = Vec::new();
        for line in 2.. {
            bytes.clear();
            read_line(&mut from, &mut bytes)?;
            if bytes.last() != Some(&b'\n') {
                break;
            }
            if let Ok(end) = serde_json::from_slice::<End>(&bytes) {
                let computed = hex(sum.digest());
                if end.checksum != computed || end.end != ticks.len() as u64 {
                    let found = end.checksum;
                    return Err(LogError::Checksum { found, computed });
                }
                return Ok(Self { scenario, ticks });
            }
            sum.update(&bytes);
            let bad = |problem: String| LogError::Line { line, problem };
            let tick: LoggedTick = serde_json::from_slice(&bytes)
                .map_err(|e| bad(format!("this is no line of a log: {e}")))?;
            if tick.tick != ticks.len() as u64 {
                let due = ticks.len();
                return Err(bad(format!("tick {} where tick {due} is due", tick.tick)));
            }
            ticks.push(tick.read().map_err(bad)?);
        }
        Err(LogError::Truncated {
            ticks: ticks.len() as u64,
        })
    }

    /// The scenario that was run, without its edits, pointers and bars.
    pub fn scenario(&self) -> &Scenario {
        &self.scenario
    }

    /// Number of ticks logged.
    pub fn ticks(&self) -> u64 {
        self.ticks.len() as u64
    }

    /// Gets ready to run it again.
    ///
    /// # Errors
    /// The scenario cannot be set up.
    pub fn replay(self) -> Result<Replay, LogError> {
        Ok(Replay {
            setup: Setup::new(&self.scenario, self.scenario.seed)?,
            ticks: self.ticks,
        })
    }
}

/// Longest line that is read, bytes: a head with the largest map there can be, and more.
const LONGEST_LINE: u64 = 300 << 20;

/// Adds the next line to `bytes`, with its end where it has one.
fn read_line(from: &mut impl BufRead, bytes: &mut Vec<u8>) -> io::Result<usize> {
    from.take(LONGEST_LINE).read_until(b'\n', bytes)
}

/// A log being run again. Step it inside the rayon pool whose threads it shall use.
pub struct Replay {
    setup: Setup,
    ticks: Vec<(Given, u64)>,
}

/// The first tick at which a replay left the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("tick {tick} differs: the log has state hash {logged:016x}, this run has {found:016x}")]
pub struct Divergence {
    /// The tick.
    pub tick: u64,
    /// Hash in the log.
    pub logged: u64,
    /// Hash of this run.
    pub found: u64,
}

impl Replay {
    /// Whether all ticks have been run.
    pub fn is_done(&self) -> bool {
        self.setup.simulation.now() >= self.ticks.len() as u64
    }

    /// Runs the next tick; says whether its hash differs from the log's.
    ///
    /// # Errors
    /// The simulation refuses a logged command.
    ///
    /// # Panics
    /// All ticks have been run.
    pub fn step(&mut self) -> Result<Option<Divergence>, LogError> {
        let tick = self.setup.simulation.now();
        let (given, logged) = &self.ticks[tick as usize];
        give(given, &mut self.setup)?;
        self.setup.simulation.tick(&mut self.setup.world);
        let found = self.setup.simulation.state_hash();
        Ok((found != *logged).then_some(Divergence {
            tick,
            logged: *logged,
            found,
        }))
    }

    /// The simulation after the last tick.
    pub fn simulation(&self) -> &throng::Simulation {
        &self.setup.simulation
    }

    /// Runs the rest of the log; stops at the first tick that differs, if one does.
    ///
    /// # Errors
    /// The simulation refuses a logged command.
    pub fn verify(&mut self) -> Result<Option<Divergence>, LogError> {
        while !self.is_done() {
            if let Some(divergence) = self.step()? {
                return Ok(Some(divergence));
            }
        }
        Ok(None)
    }
}

fn read_head(bytes: &[u8]) -> Result<Scenario, LogError> {
    let value: serde_json::Value =
        serde_json::from_slice(bytes).map_err(|e| LogError::NotALog(e.to_string()))?;
    match value.get("throng_log").and_then(serde_json::Value::as_u64) {
        None => return Err(LogError::NotALog("\"throng_log\" is missing".to_owned())),
        Some(found) if found != u64::from(VERSION) => {
            return Err(LogError::Version {
                found: found as u32,
            });
        }
        Some(_) => {}
    }
    let line = |problem: String| LogError::Line { line: 1, problem };
    let head: Head = serde_json::from_slice(bytes).map_err(|e| line(e.to_string()))?;
    head.scenario.read().map_err(line)
}

fn hex(hash: u64) -> String {
    format!("{hash:016x}")
}
