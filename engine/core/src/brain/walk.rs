//! From where a brain wants to go to a direction for the steering.

use glam::Vec2;

use super::{Intent, Mind, Senses, mind::Go, pursuit::Quarry};
use crate::{map::SizeClass, motion::walls, steer::directions};

/// Ticks that a way looked for is kept.
const KEEP: u64 = 6;
/// Straight ways are looked for up to this distance, cells: longer ones cost too much to test.
const SIGHT: f32 = 24.0;
/// Distance to the next corner, cells, at which the way on is looked for.
const CORNER: f32 = 0.3;
/// How far ahead a fleeing unit wants free ground, cells.
const AHEAD: f32 = 0.8;

/// Numbers of company beyond those of routes: walkers alone, to a cell, after a unit.
const ALONE: u32 = 1 << 30;
const TO_CELL: u32 = 1 << 31;
const AFTER_UNIT: u32 = 3 << 30;

/// The intent of a unit that does not walk as ordered.
pub(super) fn steer(me: &Senses, mind: &mut Mind) -> Intent {
    let intent = match mind.go {
        Go::Ordered => return Intent::NONE,
        Go::Stand => return Intent::STAND,
        Go::To(point) => to_point(me, mind, point, point),
        Go::ToPlace(place, rally) => to_point(me, mind, place, rally),
        Go::After(unit) => match me.position_of(unit) {
            Some(at) => after(me, mind, at, Quarry::Unit(unit), AFTER_UNIT | unit.0),
            None => Intent::STAND,
        },
        Go::Enemies => by_field(
            me,
            mind,
            Quarry::Enemies(me.team()),
            TO_CELL | u32::from(me.team()),
        )
        .unwrap_or(Intent::STAND),
        Go::From(point) => from_point(me, point),
    };
    mind.left = intent.left;
    Intent {
        pace: mind.pace,
        polite: mind.polite,
        ..intent
    }
}

/// The intent of the tick in which an order is given, before the brain has thought.
pub(crate) fn set_off(at: Vec2, to: Vec2, company: u32) -> Intent {
    Intent {
        company: ALONE | company,
        ..straight(at, to)
    }
}

fn straight(at: Vec2, to: Vec2) -> Intent {
    Intent {
        leads: true,
        desired: (to - at).normalize_or_zero(),
        left: at.distance(to),
        in_sight: true,
        ..Intent::NONE
    }
}

/// To a point; while it is far by the field to `rally`.
fn to_point(me: &Senses, mind: &mut Mind, point: Vec2, rally: Vec2) -> Intent {
    let alone = ALONE | me.id().0;
    let short = short_way(me, mind, point);
    if let Some(intent) = short {
        return Intent {
            company: alone,
            ..intent
        };
    }
    let cell = (rally.x.floor() as i32, rally.y.floor() as i32);
    let company = TO_CELL | (cell.1 as u32 * me.scene.map.width() + cell.0 as u32) & (ALONE - 1);
    by_field(me, mind, Quarry::Cell(cell.0, cell.1), company).unwrap_or(Intent {
        company: alone,
        ..straight(me.position(), point)
    })
}

/// After something that moves: straight when it is in sight, else by the shared field.
fn after(me: &Senses, mind: &mut Mind, at: Vec2, quarry: Quarry, company: u32) -> Intent {
    if me.now() >= mind.via_until {
        mind.sights = me.position().distance_squared(at) < SIGHT * SIGHT && me.is_straight(at);
        mind.via_until = me.now() + KEEP / 2;
    }
    if mind.sights {
        return Intent {
            company,
            ..straight(me.position(), at)
        };
    }
    by_field(me, mind, quarry, company).unwrap_or_else(|| {
        // Until the field is there, or where none leads there: as near as one gets.
        let to = me.short_way(at).map_or(at, |way| way.next);
        Intent {
            company,
            ..straight(me.position(), to)
        }
    })
}

fn by_field(me: &Senses, mind: &mut Mind, quarry: Quarry, company: u32) -> Option<Intent> {
    mind.quarry = Some(quarry);
    let class = SizeClass::of(me.radius());
    let guidance = me.scene.pursuits.guide(quarry, class, me.position())?;
    Some(Intent {
        leads: true,
        desired: guidance.direction,
        left: guidance.distance,
        company,
        ..Intent::NONE
    })
}

/// The way to a near point: kept for some ticks, or up to the next corner.
fn short_way(me: &Senses, mind: &mut Mind, point: Vec2) -> Option<Intent> {
    let at = me.position();
    let at_corner =
        !mind.sights && mind.beyond.is_finite() && mind.via.distance_squared(at) < CORNER * CORNER;
    if me.now() >= mind.via_until || mind.point_of_way != point || at_corner {
        mind.point_of_way = point;
        mind.via_until = me.now() + KEEP;
        mind.sights = false;
        mind.beyond = f32::INFINITY;
        if at.distance_squared(point) > SIGHT * SIGHT {
            return None;
        }
        let way = if mind.polite {
            me.polite_way(point)
        } else {
            me.short_way(point)
        }?;
        mind.sights = way.next == point;
        mind.via = way.next;
        mind.beyond = (way.length - at.distance(way.next)).max(0.0);
    }
    if mind.sights {
        return Some(straight(at, point));
    }
    if mind.beyond.is_infinite() {
        return None;
    }
    let intent = straight(at, mind.via);
    Some(Intent {
        left: intent.left + mind.beyond,
        in_sight: false,
        ..intent
    })
}

/// Away from a point: the article's search, the first free heading beside the wanted one.
fn from_point(me: &Senses, point: Vec2) -> Intent {
    let at = me.position();
    let away = directions::nearest(if at == point { Vec2::X } else { at - point });
    let ahead = me.radius() + AHEAD;
    let free = |step: i32| {
        let heading = directions::vector((away as i32 + step) as u32 & 63);
        let clear = walls::is_clear(me.walls(), at + heading * ahead / 2.0, me.radius())
            && walls::is_clear(me.walls(), at + heading * ahead, me.radius());
        clear.then_some(heading)
    };
    let heading = (0..=24).find_map(|step| free(step).or_else(|| free(-step)));
    Intent {
        leads: true,
        desired: heading.unwrap_or(Vec2::ZERO),
        left: f32::INFINITY,
        company: ALONE | me.id().0,
        ..Intent::NONE
    }
}
