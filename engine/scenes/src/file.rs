//! Scenario files: the TOML model and its checks. Nothing wrong is repaired in silence.

use std::path::Path;

use glam::Vec2;
use serde::Deserialize;
use throng::{Formation, Map, Mover, Stance, Steering};
use toml::Spanned;

use crate::error::{Problem, ScenarioError, closest};
use crate::number::{Coordinates, Count, MOST_UNITS, NotNegative, Positive, Radius, Share};
use crate::scenario::{
    BrainKind, EditEntry, Expect, Fighter, GroupOrder, OrderEntry, Scenario, UnitEntry,
};

/// Orders of the format.
const ORDERS: [&str; 10] = [
    "move",
    "attack_move",
    "attack",
    "chase",
    "follow",
    "patrol",
    "guard",
    "hold",
    "stop",
    "wander",
];
const BRAINS: [&str; 8] = [
    "none", "wander", "chase", "attack", "guard", "patrol", "flee", "worker",
];
const FORMATIONS: [&str; 5] = ["none", "box", "line", "wedge", "column"];

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    name: String,
    #[serde(default)]
    seed: u64,
    ticks: Count<{ u32::MAX }>,
    tick_rate: Option<Positive>,
    map: Spanned<MapTable>,
    units: Vec<Spanned<UnitTable>>,
    #[serde(default)]
    orders: Vec<Spanned<OrderTable>>,
    #[serde(default)]
    edits: Vec<EditTable>,
    #[serde(default)]
    expect: Expect,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MapTable {
    ascii: Option<Spanned<String>>,
    file: Option<Spanned<String>>,
    empty: Option<Spanned<[u32; 2]>>,
    swamp_cost: Option<Spanned<Positive>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct UnitTable {
    group: Spanned<String>,
    count: Count<MOST_UNITS>,
    area: Spanned<Coordinates<4>>,
    radius: Option<Radius>,
    speed: Option<Positive>,
    #[serde(default)]
    speed_spread: Share,
    #[serde(default)]
    team: u8,
    brain: Option<Spanned<String>>,
    patrol_to: Option<Spanned<Coordinates<2>>>,
    mine: Option<Spanned<Coordinates<2>>>,
    store: Option<Spanned<Coordinates<2>>>,
    mass: Option<Positive>,
    health: Option<Positive>,
    damage: Option<Spanned<NotNegative>>,
    range: Option<NotNegative>,
    wind_up: Option<NotNegative>,
    cooldown: Option<NotNegative>,
    notice: Option<NotNegative>,
    follow: Option<Spanned<NotNegative>>,
    leash: Option<NotNegative>,
    stance: Option<Stance>,
    #[serde(default)]
    kites: bool,
    #[serde(default)]
    flee_below: Share,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OrderTable {
    tick: Spanned<u64>,
    units: Spanned<String>,
    order: Spanned<String>,
    to: Option<Spanned<Coordinates<2>>>,
    target: Option<Spanned<String>>,
    #[serde(default)]
    queue: bool,
    formation: Option<Spanned<String>>,
    facing: Option<Spanned<f32>>,
    common_speed: Option<Spanned<bool>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct EditTable {
    tick: Spanned<u64>,
    rect: Spanned<Coordinates<4>>,
    blocked: bool,
}

/// Reads and checks a scenario; map files are found relative to `folder`.
pub(crate) fn parse(text: &str, folder: &Path) -> Result<Scenario, ScenarioError> {
    let file = read(text)?;
    let reader = Reader { text, folder };
    let ticks = u64::from(file.ticks.0);
    let map = reader.map(&file.map)?;
    let units = file
        .units
        .iter()
        .enumerate()
        .map(|(i, u)| reader.units(i, u, &map))
        .collect::<Result<Vec<_>, _>>()?;
    let orders = file
        .orders
        .iter()
        .enumerate()
        .map(|(i, o)| reader.order(i, o, ticks, &map, &units))
        .collect::<Result<Vec<_>, _>>()?;
    let edits = file
        .edits
        .iter()
        .enumerate()
        .map(|(i, e)| reader.edit(i, e, ticks, &map))
        .collect::<Result<Vec<_>, _>>()?;
    Ok(Scenario {
        name: file.name,
        summary: String::new(),
        seed: file.seed,
        ticks,
        tick_rate: file.tick_rate.map_or(30.0, |r| r.0),
        mover: Mover::default(),
        steering: Steering::default(),
        map,
        units,
        orders,
        edits,
        pointers: Vec::new(),
        expect: file.expect,
        file: None,
    })
}

/// Parses the TOML and says where and what an error is.
fn read(text: &str) -> Result<File, ScenarioError> {
    let syntax = |error: &toml::de::Error, key: Option<String>| {
        let problem = Problem::Syntax(reword(error.message()));
        ScenarioError {
            key,
            ..ScenarioError::whole(problem)
        }
        .on_line(error.span().map(|s| line_of(text, s.start)))
    };
    let parser = toml::de::Deserializer::parse(text).map_err(|e| syntax(&e, None))?;
    serde_path_to_error::deserialize(parser).map_err(|e| {
        let key = key_path(e.path());
        let inner = e.into_inner();
        match unknown_key(inner.message()) {
            Some(problem) => ScenarioError {
                key: Some(key),
                ..ScenarioError::whole(problem)
            }
            .on_line(inner.span().map(|s| line_of(text, s.start))),
            None => syntax(&inner, (!key.is_empty()).then_some(key)),
        }
    })
}

/// `units[1].radius` from the path of a value, without the steps that spans add to it.
fn key_path(path: &serde_path_to_error::Path) -> String {
    let mut out = String::new();
    for segment in path {
        let step = segment.to_string();
        if step.starts_with("$__") || step == "?" {
            continue;
        }
        if !out.is_empty() && !step.starts_with('[') {
            out.push('.');
        }
        out.push_str(&step);
    }
    out
}

/// Recognises serde's text for an unknown field, which lists the known ones in backquotes.
fn unknown_key(message: &str) -> Option<Problem> {
    let mut names = message
        .strip_prefix("unknown field ")?
        .split('`')
        .skip(1)
        .step_by(2);
    let found = names.next()?;
    let known: Vec<String> = names.map(str::to_owned).collect();
    Some(Problem::UnknownKey {
        nearest: closest(found, known.iter().map(String::as_str)),
        known,
    })
}

/// Says in a writer's words what serde expected.
fn reword(message: &str) -> String {
    let one_line = message.replace('\n', " ");
    match one_line.rsplit_once("expected ") {
        Some((head, "f32" | "f64")) => format!("{head}expected a number"),
        Some((head, "u8")) => format!("{head}expected a whole number from 0 to 255"),
        Some((head, "u32" | "u64" | "i64")) => {
            format!("{head}expected a whole number, 0 or more")
        }
        Some((head, "a sequence")) => format!("{head}expected an array"),
        _ => one_line,
    }
}

fn line_of(text: &str, offset: usize) -> usize {
    1 + text.as_bytes()[..offset.min(text.len())]
        .iter()
        .filter(|b| **b == b'\n')
        .count()
}

struct Reader<'a> {
    text: &'a str,
    folder: &'a Path,
}

impl Reader<'_> {
    fn error<T>(&self, key: impl Into<String>, at: &Spanned<T>, problem: Problem) -> ScenarioError {
        ScenarioError::at(key, problem).on_line(Some(line_of(self.text, at.span().start)))
    }

    /// The line that the text of a string begins on: the one after quotes that end their line.
    fn first_line(&self, string: &Spanned<String>) -> usize {
        let raw = &self.text[string.span().start..];
        let quotes = raw.trim_start_matches(['\'', '"']);
        line_of(self.text, string.span().start) + usize::from(quotes.starts_with(['\n', '\r']))
    }

    fn word(
        &self,
        key: impl Into<String>,
        word: &Spanned<String>,
        known: &[&str],
    ) -> Result<(), ScenarioError> {
        let found = word.get_ref();
        if known.contains(&found.as_str()) {
            return Ok(());
        }
        let problem = Problem::UnknownWord {
            found: found.clone(),
            nearest: closest(found, known.iter().copied()),
            known: known.iter().map(|k| (*k).to_owned()).collect(),
        };
        Err(self.error(key, word, problem))
    }

    fn formation(
        &self,
        key: String,
        word: Option<&Spanned<String>>,
    ) -> Result<Option<Formation>, ScenarioError> {
        let Some(word) = word else { return Ok(None) };
        self.word(key, word, &FORMATIONS)?;
        Ok(match word.get_ref().as_str() {
            "box" => Some(Formation::Box),
            "line" => Some(Formation::Line),
            "wedge" => Some(Formation::Wedge),
            "column" => Some(Formation::Column),
            _ => None,
        })
    }

    fn map(&self, table: &Spanned<MapTable>) -> Result<Map, ScenarioError> {
        let t = table.get_ref();
        let map = match (&t.ascii, &t.file, &t.empty) {
            (Some(ascii), None, None) => Map::from_ascii(ascii.get_ref()).map_err(|e| {
                let line = self.first_line(ascii) + e.place.line.map_or(0, |l| l as usize - 1);
                ScenarioError::at("map.ascii", Problem::Map(e)).on_line(Some(line))
            }),
            (None, Some(file), None) => Map::load(&self.folder.join(file.get_ref()))
                .map_err(|e| self.error("map.file", file, Problem::Map(e))),
            (None, None, Some(size)) => {
                let [width, height] = *size.get_ref();
                Map::open(width, height).map_err(|e| self.error("map.empty", size, Problem::Map(e)))
            }
            _ => Err(self.error(
                "map",
                table,
                Problem::Combination(
                    "exactly one of \"ascii\", \"file\" and \"empty\" must be given".to_owned(),
                ),
            )),
        }?;
        let mut map = map;
        if let Some(cost) = &t.swamp_cost {
            let value = cost.get_ref().0;
            if !(1.0..=Map::MAX_SWAMP_COST).contains(&value) {
                return Err(self.error(
                    "map.swamp_cost",
                    cost,
                    Problem::Unsupported {
                        what: format!("a swamp cost of {value}"),
                        have: format!("costs of 1 to {}", Map::MAX_SWAMP_COST),
                    },
                ));
            }
            map.set_swamp_cost(value);
        }
        Ok(map)
    }

    fn units(
        &self,
        i: usize,
        entry: &Spanned<UnitTable>,
        map: &Map,
    ) -> Result<UnitEntry, ScenarioError> {
        let t = entry.get_ref();
        if t.group.get_ref().is_empty() {
            let problem = Problem::Combination("a group needs a name".to_owned());
            return Err(self.error(format!("units[{i}].group"), &t.group, problem));
        }
        let brain = self.brain(format!("units[{i}].brain"), t.brain.as_ref())?;
        let place = |name: &str, point: &Option<Spanned<_>>, (kind, needs): (BrainKind, &str)| {
            let Some(point) = point else { return Ok(None) };
            let key = format!("units[{i}].{name}");
            if brain == kind {
                return self.goal(key, point, map).map(Some);
            }
            let problem = Problem::Combination(format!("\"{name}\" needs brain \"{needs}\""));
            Err(self.error(key, point, problem))
        };
        let patrol_to = place("patrol_to", &t.patrol_to, (BrainKind::Patrol, "patrol"))?;
        let mine = place("mine", &t.mine, (BrainKind::Worker, "worker"))?;
        let store = place("store", &t.store, (BrainKind::Worker, "worker"))?;
        if brain == BrainKind::Worker && mine.is_none() {
            let problem = Problem::Combination("brain \"worker\" needs a \"mine\"".to_owned());
            return Err(self.error(format!("units[{i}]"), entry, problem));
        }
        self.rectangle(format!("units[{i}].area"), &t.area)?;
        Ok(UnitEntry {
            group: t.group.get_ref().clone(),
            count: t.count.0,
            area: t.area.get_ref().0,
            radius: t.radius.map_or(0.4, |r| r.0),
            speed: t.speed.map_or(3.0, |s| s.0),
            speed_spread: t.speed_spread.0,
            team: t.team,
            brain,
            patrol_to,
            mine,
            store,
            mass: t.mass.map_or(1.0, |m| m.0),
            fighter: self.fighter(i, t)?,
            line: Some(line_of(self.text, entry.span().start)),
        })
    }

    /// How units fight; the follow radius grows with the notice radius where it is not given.
    fn fighter(&self, i: usize, t: &UnitTable) -> Result<Fighter, ScenarioError> {
        let usual = Fighter::default();
        let or = |value: Option<NotNegative>, usual: f32| value.map_or(usual, |v| v.0);
        let notice = or(t.notice, usual.notice);
        let follow = match &t.follow {
            Some(follow) if follow.get_ref().0 < notice => {
                let problem = Problem::Range {
                    found: follow.get_ref().0.to_string(),
                    want: format!("at least the notice radius, {notice}"),
                };
                return Err(self.error(format!("units[{i}].follow"), follow, problem));
            }
            Some(follow) => follow.get_ref().0,
            None => usual.follow.max(1.5 * notice),
        };
        Ok(Fighter {
            health: t.health.map_or(usual.health, |h| h.0),
            damage: t.damage.as_ref().map_or(usual.damage, |d| d.get_ref().0),
            range: or(t.range, usual.range),
            wind_up: or(t.wind_up, usual.wind_up),
            cooldown: or(t.cooldown, usual.cooldown),
            notice,
            follow,
            leash: or(t.leash, usual.leash),
            stance: t.stance.unwrap_or(usual.stance),
            kites: t.kites,
            flee_below: t.flee_below.0,
        })
    }

    fn brain(
        &self,
        key: String,
        word: Option<&Spanned<String>>,
    ) -> Result<BrainKind, ScenarioError> {
        let Some(word) = word else {
            return Ok(BrainKind::None);
        };
        self.word(key, word, &BRAINS)?;
        Ok(match word.get_ref().as_str() {
            "wander" => BrainKind::Wander,
            "chase" => BrainKind::Chase,
            "attack" => BrainKind::Attack,
            "guard" => BrainKind::Guard,
            "patrol" => BrainKind::Patrol,
            "flee" => BrainKind::Flee,
            "worker" => BrainKind::Worker,
            _ => BrainKind::None,
        })
    }

    fn rectangle(&self, key: String, rect: &Spanned<Coordinates<4>>) -> Result<(), ScenarioError> {
        let [x0, y0, x1, y1] = rect.get_ref().0;
        if x0 < x1 && y0 < y1 {
            return Ok(());
        }
        let problem = Problem::Range {
            found: format!("[{x0}, {y0}, {x1}, {y1}]"),
            want: "x0, y0, x1, y1 with x0 < x1 and y0 < y1".to_owned(),
        };
        Err(self.error(key, rect, problem))
    }

    fn tick(&self, key: String, tick: &Spanned<u64>, ticks: u64) -> Result<u64, ScenarioError> {
        if *tick.get_ref() < ticks {
            return Ok(*tick.get_ref());
        }
        let problem = Problem::Range {
            found: tick.get_ref().to_string(),
            want: format!("a tick of the run, 0 to {}", ticks - 1),
        };
        Err(self.error(key, tick, problem))
    }

    fn order(
        &self,
        i: usize,
        entry: &Spanned<OrderTable>,
        ticks: u64,
        map: &Map,
        units: &[UnitEntry],
    ) -> Result<OrderEntry, ScenarioError> {
        let t = entry.get_ref();
        let key = |name: &str| format!("orders[{i}].{name}");
        let tick = self.tick(key("tick"), &t.tick, ticks)?;
        let mut groups: Vec<&str> = units.iter().map(|u| u.group.as_str()).collect();
        groups.sort_unstable();
        groups.dedup();
        self.word(key("units"), &t.units, &groups)?;
        if let Some(target) = &t.target {
            self.word(key("target"), target, &groups)?;
        }
        self.word(key("order"), &t.order, &ORDERS)?;
        let formation = self.formation(key("formation"), t.formation.as_ref())?;
        let to = match &t.to {
            None => None,
            Some(to) => Some(self.goal(key("to"), to, map)?),
        };
        let name = t.order.get_ref().as_str();
        let target = t.target.as_ref().map(|target| target.get_ref().clone());
        if target.as_ref() == Some(t.units.get_ref()) {
            return Err(self.needs(i, entry, "a group cannot be its own target"));
        }
        if formation.is_some() && name != "move" {
            return Err(self.needs(i, entry, "\"formation\" needs order \"move\""));
        }
        if formation.is_none() && (t.facing.is_some() || t.common_speed.is_some()) {
            let text = "\"facing\" and \"common_speed\" need a \"formation\"";
            return Err(self.needs(i, entry, text));
        }
        if let Some(facing) = t.facing.as_ref().filter(|f| !f.get_ref().is_finite()) {
            let problem = Problem::Range {
                found: facing.get_ref().to_string(),
                want: "a finite number of degrees".to_owned(),
            };
            return Err(self.error(key("facing"), facing, problem));
        }
        let order = match (name, to, target) {
            ("move", Some(to), None) => match formation {
                None => GroupOrder::Move { to },
                Some(formation) => GroupOrder::March {
                    to,
                    formation,
                    facing: t.facing.as_ref().map(|facing| *facing.get_ref()),
                    common_speed: t.common_speed.as_ref().is_none_or(|c| *c.get_ref()),
                },
            },
            ("attack_move", Some(to), None) => GroupOrder::AttackMove { to },
            ("patrol", Some(to), None) => GroupOrder::Patrol { to },
            ("attack", None, Some(target)) => GroupOrder::Attack { target },
            ("chase", None, Some(target)) => GroupOrder::Chase { target },
            ("follow", None, Some(target)) => GroupOrder::Follow { target },
            ("guard", to, target) if to.is_none() || target.is_none() => {
                GroupOrder::Guard { to, target }
            }
            ("wander", None, None) => GroupOrder::Wander,
            ("hold", None, None) => GroupOrder::Hold,
            ("stop", None, None) => GroupOrder::Stop,
            _ => {
                let needs = match name {
                    "move" | "attack_move" | "patrol" => "needs \"to\" and no \"target\"",
                    "attack" | "chase" | "follow" => "needs \"target\" and no \"to\"",
                    "guard" => "takes \"to\" or \"target\", not both",
                    _ => "takes neither \"to\" nor \"target\"",
                };
                return Err(self.needs(i, entry, &format!("order \"{name}\" {needs}")));
            }
        };
        Ok(OrderEntry {
            tick,
            units: t.units.get_ref().clone(),
            order,
            queue: t.queue,
        })
    }

    fn needs(&self, i: usize, entry: &Spanned<OrderTable>, text: &str) -> ScenarioError {
        let problem = Problem::Combination(text.to_owned());
        self.error(format!("orders[{i}]"), entry, problem)
    }

    fn goal(
        &self,
        key: String,
        to: &Spanned<Coordinates<2>>,
        map: &Map,
    ) -> Result<Vec2, ScenarioError> {
        let [x, y] = to.get_ref().0;
        if x < map.width() as f32 && y < map.height() as f32 {
            return Ok(Vec2::new(x, y));
        }
        let problem = Problem::Range {
            found: format!("[{x}, {y}]"),
            want: format!("inside the {} x {} map", map.width(), map.height()),
        };
        Err(self.error(key, to, problem))
    }

    fn edit(
        &self,
        i: usize,
        entry: &EditTable,
        ticks: u64,
        map: &Map,
    ) -> Result<EditEntry, ScenarioError> {
        let tick = self.tick(format!("edits[{i}].tick"), &entry.tick, ticks)?;
        let key = format!("edits[{i}].rect");
        self.rectangle(key.clone(), &entry.rect)?;
        let rect = entry.rect.get_ref().0;
        if rect[2] > map.width() as f32 || rect[3] > map.height() as f32 {
            let problem = Problem::Range {
                found: format!("{rect:?}"),
                want: format!("inside the {} x {} map", map.width(), map.height()),
            };
            return Err(self.error(key, &entry.rect, problem));
        }
        Ok(EditEntry {
            tick,
            rect,
            blocked: entry.blocked,
        })
    }
}
