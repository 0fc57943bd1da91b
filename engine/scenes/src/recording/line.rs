//! The lines of a log.

use serde::{Deserialize, Serialize};
use throng::{Map, Mover, Steering};

use crate::runner::Given;
use crate::scenario::{EditEntry, Expect, GroupOrder, OrderEntry, Scenario, UnitEntry};

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Head {
    pub(super) throng_log: u32,
    pub(super) scenario: LoggedScenario,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LoggedScenario {
    pub(super) name: String,
    pub(super) seed: u64,
    pub(super) ticks: u64,
    pub(super) tick_rate: f32,
    pub(super) mover: LoggedMover,
    /// Scan step, base coefficient and turn rate.
    pub(super) steering: [f32; 3],
    pub(super) map: String,
    pub(super) units: Vec<UnitEntry>,
    /// The script: units start facing where it sends them.
    pub(super) orders: Vec<LoggedOrder>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum LoggedMover {
    Slide,
    Polar,
    Scan,
    Mask,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LoggedTick {
    pub(super) tick: u64,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) edits: Vec<LoggedEdit>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) orders: Vec<LoggedOrder>,
    pub(super) hash: String,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LoggedEdit {
    pub(super) rect: [f32; 4],
    pub(super) blocked: bool,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LoggedOrder {
    pub(super) tick: u64,
    pub(super) units: String,
    pub(super) order: GroupOrder,
    pub(super) queue: bool,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct End {
    pub(super) end: u64,
    pub(super) checksum: String,
}

impl LoggedScenario {
    pub(super) fn of(scenario: &Scenario) -> Self {
        let steering = scenario.steering;
        Self {
            name: scenario.name.clone(),
            seed: scenario.seed,
            ticks: scenario.ticks,
            tick_rate: scenario.tick_rate,
            mover: match scenario.mover {
                Mover::Slide => LoggedMover::Slide,
                Mover::Polar => LoggedMover::Polar,
                Mover::Scan => LoggedMover::Scan,
                Mover::Mask => LoggedMover::Mask,
            },
            steering: [steering.scan_step, steering.scan_base, steering.turn_rate],
            map: scenario.map.to_ascii(),
            units: scenario.units.clone(),
            orders: scenario.orders.iter().map(LoggedOrder::of).collect(),
        }
    }

    pub(super) fn read(self) -> Result<Scenario, String> {
        let [scan_step, scan_base, turn_rate] = self.steering;
        Ok(Scenario {
            name: self.name,
            summary: String::new(),
            seed: self.seed,
            ticks: self.ticks,
            tick_rate: self.tick_rate,
            mover: match self.mover {
                LoggedMover::Slide => Mover::Slide,
                LoggedMover::Polar => Mover::Polar,
                LoggedMover::Scan => Mover::Scan,
                LoggedMover::Mask => Mover::Mask,
            },
            steering: Steering {
                scan_step,
                scan_base,
                turn_rate,
            },
            map: Map::from_ascii(&self.map).map_err(|e| e.to_string())?,
            units: self.units,
            orders: self.orders.into_iter().map(LoggedOrder::read).collect(),
            edits: Vec::new(),
            pointers: Vec::new(),
            expect: Expect::default(),
            file: None,
        })
    }
}

impl LoggedOrder {
    pub(super) fn of(entry: &OrderEntry) -> Self {
        Self {
            tick: entry.tick,
            units: entry.units.clone(),
            order: entry.order.clone(),
            queue: entry.queue,
        }
    }

    pub(super) fn read(self) -> OrderEntry {
        OrderEntry {
            tick: self.tick,
            units: self.units,
            order: self.order,
            queue: self.queue,
        }
    }
}

impl LoggedTick {
    pub(super) fn read(self) -> Result<(Given, u64), String> {
        let tick = self.tick;
        let hash = u64::from_str_radix(&self.hash, 16)
            .map_err(|_| format!("state hash \"{}\" is not hexadecimal", self.hash))?;
        let edits = self.edits.into_iter().map(|e| EditEntry {
            tick,
            rect: e.rect,
            blocked: e.blocked,
        });
        let given = Given {
            edits: edits.collect(),
            orders: self.orders.into_iter().map(LoggedOrder::read).collect(),
        };
        Ok((given, hash))
    }
}
