//! The crowd's steering of one unit: guidance, walls and neighbours merged in the angular mask.

use glam::Vec2;

use super::{
    directions,
    fan::{Choice, Way, Witness},
    mask,
    neighbours::Kept,
    scan::signed_difference,
};
use crate::{
    flock::{Flock, Mark, Steered},
    map::Occupancy,
    motion::walls,
    spatial::Extent,
    units::{Agent, Units},
};

/// How far ahead neighbours count, in radii of own travel. Shorter turns late, longer makes dense
/// crowds swing wide.
const SOFT_REACH: f32 = 4.0;
/// Within this many radii of own travel a meeting is imminent.
const HARD_REACH: f32 = 1.2;
/// Steps (of 64) that a unit may turn from its guidance for a soft-free heading.
const SOFT_TURN: i32 = 14;
/// The same for a heading that is only free of imminent meetings, walked at `HARD_SPEED`.
const HARD_TURN: i32 = 18;
/// The same for a unit that looks for a place: it walks round the settled ones.
const PARKING_TURN: i32 = 22;
/// Both for a polite unit: it rather waits than shifts about in front of those at rest.
const POLITE_TURN: i32 = 10;
const HARD_SPEED: f32 = 0.7;
/// Steps by which the side already taken may be worse and still win.
const SIDE_BIAS: i32 = 4;
/// Share by which the velocity follows the wanted one in a tick.
const BLEND: f32 = 0.4;
/// The same among others that come towards it: headings flicker there.
const LEANING_BLEND: f32 = 0.25;
/// Share of its speed under which a unit in a jam stands still rather than shifts about.
const STANDSTILL: f32 = 0.25;
/// The same for a polite unit among others.
const CREEP: f32 = 0.2;
/// The same for one that looks for a place.
const PARKING_CREEP: f32 = 0.25;
/// Overlap, in radii, to which a unit with priority may press on another.
const LEAN: f32 = 0.05;
/// Overlap, in radii, in which nobody closes up.
const DEEP: f32 = 0.06;
/// Contacts looked at per unit; six equal discs fit round one, smaller ones may be more.
const MAX_CONTACTS: usize = 12;
/// Rounds over the contacts: taking off for one may close on another.
const CONTACT_ROUNDS: usize = 2;
/// A companion whose top speed is under this share of one's own is overtaken, not queued behind.
const SLOWER: f32 = 0.8;

/// Gap to a settled companion at which a unit counts as lying against it, in radii.
const NESTLED: f32 = 0.3;

/// Distance to its place, in radii, from which a unit lands: straight in, by contact alone.
const LANDING: f32 = 2.0;

/// Steps to the right that a unit leans to when others come towards it, tried in turn until it
/// gets on: lanes form by it.
const KEEP_RIGHT: [f32; 3] = [3.0, 7.0, 11.0];

/// How far back through a crowd the leaning is passed on: units of decay per companion.
const LEAN_TICKS: u8 = 60;
const LEAN_DECAY: u8 = 4;

/// A unit whose leaders hold it under this share of its speed looks for a way past them,
const CROWDED: f32 = 0.97;
/// at these turns in steps: each still gets nearer to the goal,
const PASS_BY: [i32; 3] = [2, 4, 7];
/// and takes it for this much more progress, in shares of its speed.
const GAIN: f32 = 0.05;
/// but only where it then walks at this share of its speed: an inch of room is no way past.
const WORTH: f32 = 0.5;
/// and no wall stands within so many cells: the queue before a gap is not to be passed by.
const ROOM: f32 = 6.0;

/// What a unit steers by; `CAPPED` where it heeds the kept neighbours alone.
struct View<'a, const CAPPED: bool> {
    flock: &'a Flock,
    place: usize,
    at: Vec2,
    own: &'a Mark,
    /// How large and fast units near it are.
    near: Extent,
    /// The neighbours it heeds, where their number is capped.
    kept: Option<Kept>,
}

impl<const CAPPED: bool> View<'_, CAPPED> {
    /// Calls `f(other, offset, distance, sum of radii)` for each solid neighbour within `reach`.
    fn each(&self, reach: f32, mut f: impl FnMut(&Mark, Vec2, f32, f32)) {
        self.each_place(reach, |_, other, offset, distance, sum| {
            f(other, offset, distance, sum)
        });
    }

    /// The same, with the neighbour's place in cell order.
    fn each_place(&self, reach: f32, mut f: impl FnMut(usize, &Mark, Vec2, f32, f32)) {
        let mut visit = |place: usize| {
            let offset = self.flock.position[place] - self.at;
            let square = offset.length_squared();
            if square > reach * reach || place == self.place {
                return;
            }
            let other = &self.flock.mark[place];
            if other.solid {
                f(
                    place,
                    other,
                    offset,
                    square.sqrt(),
                    self.own.radius + other.radius,
                );
            }
        };
        if CAPPED && let Some(kept) = &self.kept {
            kept.places()
                .iter()
                .for_each(|&place| visit(place as usize));
            return;
        }
        for run in self.flock.cells.runs(self.at, reach) {
            run.for_each(&mut visit);
        }
    }
}

impl<'a, const CAPPED: bool> View<'a, CAPPED> {
    fn of(flock: &'a Flock, place: usize, cap: Option<u8>) -> Self {
        let (at, own) = (flock.position[place], &flock.mark[place]);
        let near = flock.extents.near(at);
        let kept = cap.filter(|_| own.solid).map(|cap| {
            let seen = SOFT_REACH * own.radius * 2.0;
            let reach = own.radius + near.radius + seen.max(own.speed + near.speed);
            Kept::of(flock, place, reach, cap.into())
        });
        Self {
            flock,
            place,
            at,
            own,
            near,
            kept,
        }
    }
}

pub(super) fn steer_unit(
    flock: &Flock,
    place: usize,
    units: &Units,
    rank: usize,
    cells: &Occupancy,
    cap: Option<u8>,
) -> Steered {
    let own = &flock.mark[place];
    if own.hold {
        Steered::default()
    } else if own.moving {
        walk_watched(flock, place, cells, cap, &mut ())
    } else {
        let agent = &units.agent[rank];
        match cap {
            None => rest(&View::<false>::of(flock, place, cap), agent, cells),
            Some(_) => rest(&View::<true>::of(flock, place, cap), agent, cells),
        }
    }
}

/// Steers a walking unit and tells `witness` what it finds.
pub(super) fn walk_watched(
    flock: &Flock,
    place: usize,
    cells: &Occupancy,
    cap: Option<u8>,
    witness: &mut impl Witness,
) -> Steered {
    match cap {
        None => walk(&View::<false>::of(flock, place, cap), cells, witness),
        Some(_) => walk(&View::<true>::of(flock, place, cap), cells, witness),
    }
}

/// A unit on its way.
fn walk<const CAPPED: bool>(
    view: &View<CAPPED>,
    cells: &Occupancy,
    witness: &mut impl Witness,
) -> Steered {
    let own = view.own;
    let (speed, towards) = (own.speed, own.desired);
    if towards == Vec2::ZERO || speed == 0.0 {
        return Steered::default();
    }
    let mut out = Steered {
        side: own.side,
        ..Steered::default()
    };
    // The last steps of a brain's way to a place: it is known to be clear, and may end at a wall.
    let lands = own.polite && own.in_sight && own.distance < LANDING * own.radius;
    let walls = if lands {
        0
    } else {
        mask::walls(cells, view.at, own.radius)
    };
    witness.walls(walls);
    let (mut soft, mut hard) = (walls, walls);
    let mut leaders = Leaders::default();
    let mut rival_gap = NESTLED * own.radius;
    if own.solid {
        let soft_reach = SOFT_REACH * own.radius;
        let reach = own.radius + view.near.radius + soft_reach * 2.0;
        view.each_place(reach, |place, other, offset, distance, sum| {
            let toward = offset / distance.max(1e-6);
            let gap = distance - sum;
            // Lengths of different ways to the same goal do not compare.
            let companion =
                other.route == own.route && other.bypasses == own.bypasses && !own.aside;
            if other.moving && toward.dot(towards) > 0.5 {
                if !companion && other.desired.dot(towards) < -0.5 {
                    out.lean = LEAN_TICKS;
                } else if companion && own.in_sight {
                    out.lean = out.lean.max(other.lean.saturating_sub(LEAN_DECAY));
                }
            }
            if companion && !other.moving && gap < NESTLED * own.radius && toward.dot(towards) > 0.4
            {
                out.blocked_by_settled = true;
            }
            if companion && own.parking && gap < rival_gap && toward.dot(towards) > 0.7 {
                out.rival = Some(place as u32);
                rival_gap = gap;
            }
            if companion && own.parking && (other.moving || own.distance < LANDING * own.radius) {
                return;
            }
            if companion && !own.parking && other.moving && other.speed > own.speed * SLOWER {
                if other.distance < own.distance && gap < 4.0 * speed && toward.dot(towards) > 0.0 {
                    leaders.add(offset, sum, other.velocity);
                }
                return;
            }
            // Own travel until contact, at worst.
            let closing = speed - other.velocity.dot(toward);
            if closing <= 0.0 {
                return;
            }
            let travel = gap.max(0.0) * speed / closing;
            if travel > soft_reach {
                return;
            }
            let apex = if !other.moving {
                Vec2::ZERO
            } else if other.hold {
                other.velocity
            } else {
                (own.velocity + other.velocity) / 2.0
            };
            let blocked = mask::neighbour(offset, sum * 1.02, apex, speed);
            let imminent = travel < HARD_REACH * own.radius;
            soft |= blocked;
            if imminent {
                hard |= blocked;
            }
            witness.neighbour(place, blocked, travel, imminent);
        });
    }
    let (mut heading, share, mut choice) = choose(own, soft, hard, 0.0, &mut out.side);
    let mut limit = leaders.limit(own.desired, speed);
    let mut lean = 0.0;
    if out.lean > 0 {
        // The least lean that gets on, else the one that gets on most.
        let mut best = -1.0;
        let leans = if own.in_sight {
            &KEEP_RIGHT[..]
        } else {
            &KEEP_RIGHT[..1]
        };
        for &steps in leans {
            let (leaning, share, how) = choose(own, soft, hard, steps, &mut out.side);
            let free = leaders.limit(leaning, speed);
            let progress = free * share;
            if progress > best + 0.05 * speed {
                best = progress;
                (heading, limit) = (leaning, free);
                (choice, lean) = (how, steps);
            }
            if progress > 0.6 * speed {
                break;
            }
        }
    } else if limit < CROWDED * speed && !own.parking {
        let ahead = heading;
        (heading, limit) = pass_by(view, cells, soft, &leaders, (heading, limit), &mut out.side);
        if heading != ahead {
            choice = Choice::Overtake;
        }
    }
    if out.lean == 0 && limit < STANDSTILL * speed {
        limit = 0.0;
    }
    let near_goal = own.distance < 2.0 * speed && own.in_sight;
    let pace = (speed * share).min(limit).min(if near_goal {
        own.distance
    } else {
        f32::INFINITY
    });
    witness.took(Way {
        heading,
        speed: pace,
        choice,
        lean,
    });
    let wanted = heading * pace;
    let blend = if near_goal {
        1.0
    } else if out.lean > 0 || own.polite {
        LEANING_BLEND
    } else {
        BLEND
    };
    out.velocity = own.velocity + (wanted - own.velocity) * blend;
    if own.solid {
        out.velocity = drop_closing(view, out.velocity);
    }
    out.velocity = out.velocity.clamp_length_max(speed);
    let creep = if own.parking {
        PARKING_CREEP
    } else if own.polite {
        CREEP
    } else {
        0.0
    };
    if !near_goal && out.velocity.length() < creep * speed {
        out.velocity = Vec2::ZERO;
    }
    out
}

/// Where the leaders are slow and there is room beside them, the heading past them that gets on
/// most, with its speed: without it a crowd goes round a corner in single file.
fn pass_by<const CAPPED: bool>(
    view: &View<CAPPED>,
    cells: &Occupancy,
    soft: u64,
    leaders: &Leaders,
    straight: (Vec2, f32),
    side: &mut i8,
) -> (Vec2, f32) {
    let (own, at) = (view.own, view.at);
    let base = mask::steps(own.desired) + 64.5;
    let mut best = straight;
    let mut most = (straight.1 + GAIN * own.speed).max(WORTH * own.speed);
    for turn in PASS_BY {
        for way in [1, -1] {
            let step = (base as i32 + way * turn) as u32 & 63;
            if soft >> step & 1 == 1 {
                continue;
            }
            let heading = directions::vector(step);
            let free = leaders.limit(heading, own.speed);
            let bias = if way == i32::from(own.side) {
                GAIN
            } else {
                0.0
            };
            let progress = free * heading.dot(own.desired) + bias * own.speed;
            if progress > most && walls::is_in_sight(cells, at, at + heading * ROOM) {
                most = progress;
                best = (heading, free);
                *side = way as i8;
            }
        }
    }
    best
}

/// Companions nearer to the goal that a unit must not run into.
#[derive(Default)]
struct Leaders {
    count: usize,
    /// Offset, sum of the radii, velocity.
    near: [(Vec2, f32, Vec2); 12],
}

impl Leaders {
    fn add(&mut self, offset: Vec2, sum: f32, velocity: Vec2) {
        if self.count < self.near.len() {
            self.near[self.count] = (offset, sum, velocity);
            self.count += 1;
        }
    }

    /// The speed along `heading` that keeps behind all of them, at most `speed`.
    fn limit(&self, heading: Vec2, speed: f32) -> f32 {
        let mut limit = speed;
        for &(offset, sum, velocity) in &self.near[..self.count] {
            let ahead = offset.dot(heading);
            let lateral = offset.perp_dot(heading).abs();
            if ahead > 0.0 && lateral < 0.9 * sum {
                let free = ahead - (sum * sum - lateral * lateral).sqrt();
                limit = limit.min(velocity.dot(heading).max(0.0) + 0.5 * free.max(0.0));
            }
        }
        limit
    }
}

/// The way to go in sixty-fourths of a turn, leaned to the right, and the nearest of the 64.
pub(super) fn ahead(own: &Mark, lean: f32) -> (f32, u32) {
    let exact = mask::steps(own.desired) + lean;
    (exact, (exact + 0.5) as u32 & 63)
}

/// The article's base: from the target's direction half-way to the present heading.
pub(super) fn base(own: &Mark, exact: f32) -> u32 {
    let moving = own.velocity.length_squared() > 0.04 * own.speed * own.speed;
    let lean = if moving {
        signed_difference(
            directions::angle(own.velocity),
            directions::angle(own.desired),
        ) * 0.5
    } else {
        0.0
    };
    (exact + lean * (64.0 / std::f32::consts::TAU) + 64.5) as u32 & 63
}

/// Steps that a unit may turn from its way, for a soft-free heading and for a hard-free one.
pub(super) fn most_turns(own: &Mark) -> [i32; 2] {
    if own.parking {
        [PARKING_TURN; 2]
    } else if own.polite {
        [POLITE_TURN; 2]
    } else {
        [SOFT_TURN, HARD_TURN]
    }
}

/// Signed steps from one heading to another, -31 to 32.
pub(super) fn turn_between(from: u32, to: u32) -> i32 {
    let turn = (to as i32 - from as i32) & 63;
    if turn > 32 { turn - 64 } else { turn }
}

/// The heading to walk, the share of the speed, and how it came to it.
fn choose(own: &Mark, soft: u64, hard: u64, lean: f32, side: &mut i8) -> (Vec2, f32, Choice) {
    let (exact, straight) = ahead(own, lean);
    let is_free = |mask: u64, step: u32| mask >> (step & 63) & 1 == 0;
    if is_free(soft, exact as u32) && is_free(soft, exact as u32 + 1) {
        *side = 0;
        let heading = if lean > 0.0 {
            directions::vector(straight)
        } else {
            own.desired
        };
        return (heading, 1.0, Choice::Ahead);
    }
    let base = base(own, exact);
    let favour = if own.side == 0 {
        1
    } else {
        i32::from(own.side)
    };
    // Who is polite changes sides only where its own is closed: it would shift about.
    let biases = if own.polite {
        &[64, 0][..]
    } else {
        &[SIDE_BIAS][..]
    };
    let turns = most_turns(own);
    for (mask, most, share, choice) in [
        (soft, turns[0], 1.0, Choice::Around),
        (hard, turns[1], HARD_SPEED, Choice::Squeeze),
    ] {
        for &bias in biases {
            if let Some(found) = mask::pick(mask, base, favour, bias) {
                let step = (base as i32 + found) as u32 & 63;
                let turn = turn_between(straight, step);
                if turn.abs() <= most {
                    if turn != 0 {
                        *side = turn.signum() as i8;
                    }
                    return (directions::vector(step), share, choice);
                }
            }
        }
    }
    (
        own.desired,
        if own.polite { 0.0 } else { 0.3 },
        Choice::Press,
    )
}

/// A unit at rest: back to its place, or aside for a friend that presses.
fn rest<const CAPPED: bool>(view: &View<CAPPED>, agent: &Agent, cells: &Occupancy) -> Steered {
    let own = view.own;
    let mut out = Steered::default();
    if !own.solid {
        return out;
    }
    let mut aside = Vec2::ZERO;
    view.each(
        own.radius + view.near.radius + 0.2 * own.radius,
        |other, offset, distance, sum| {
            if distance > sum * 1.06 || !other.moving || other.polite || other.team != own.team {
                return;
            }
            let toward_me = -offset / distance.max(1e-6);
            if other.desired.dot(toward_me) < 0.4 {
                return;
            }
            out.pressed = true;
            if other.route == own.route && other.route != crate::units::NO_ROUTE {
                return;
            }
            let perp = other.desired.perp();
            let side = if perp.dot(toward_me) >= 0.0 {
                1.0
            } else {
                -1.0
            };
            aside += perp * side + other.desired * 0.3;
        },
    );
    if aside != Vec2::ZERO {
        out.aside = aside.normalize_or_zero();
        return out;
    }
    let away = agent.anchor - view.at;
    let far = away.length();
    if far > 0.1 * own.radius && !out.pressed {
        let back = away / far;
        let walls = mask::walls(cells, view.at, own.radius);
        if walls >> ((mask::steps(back) + 0.5) as u32 & 63) & 1 == 0 {
            out.velocity = drop_closing(view, back * far.min(0.5 * own.speed));
        }
    }
    out
}

/// Takes off a velocity what would run into the units in contact, as far as this unit is the one
/// to give way: what is left closes a gap at most within the tick.
fn drop_closing<const CAPPED: bool>(view: &View<CAPPED>, velocity: Vec2) -> Vec2 {
    let own = view.own;
    let mut contacts = [(Vec2::ZERO, 0.0, 0.0); MAX_CONTACTS];
    let mut count = 0;
    let reach = own.radius + view.near.radius + own.speed + view.near.speed;
    view.each(reach, |other, offset, distance, sum| {
        let gap = (distance - sum).max(0.0);
        if gap > own.speed + other.velocity.length() || count == MAX_CONTACTS {
            return;
        }
        let toward = offset / distance.max(1e-6);
        // Who has priority may lean on the other, but not into it.
        let leaning = sum - distance > LEAN * own.radius;
        let settled_companion = own.moving && !other.moving && own.route == other.route;
        let share = if leaning || settled_companion {
            1.0
        } else {
            gives_way(own, other)
        };
        // The other's part of the closing is taken as it was in the last tick.
        let theirs = other.velocity.dot(toward);
        let deep = sum - distance > DEEP * own.radius;
        // Who withdraws is followed, but not out of a deep overlap: it may be pushed back.
        let most = gap + if deep { theirs.min(0.0) } else { theirs };
        contacts[count] = (toward, most, share);
        count += 1;
    });
    let mut velocity = velocity;
    for _ in 0..CONTACT_ROUNDS {
        for &(toward, most, share) in &contacts[..count] {
            let excess = velocity.dot(toward) - most;
            if excess > 0.0 {
                velocity -= toward * (excess * share);
            }
        }
    }
    velocity
}

/// Share of a conflict that `own` takes on itself, 0 to 1; what `other` takes is the rest.
pub(crate) fn gives_way(own: &Mark, other: &Mark) -> f32 {
    if own.hold || other.hold {
        return if own.hold { 0.0 } else { 1.0 };
    }
    let share = by_priority(own, other);
    if own.mass == other.mass {
        return share;
    }
    // The lighter one takes more.
    let (light, heavy) = (share * other.mass, (1.0 - share) * own.mass);
    light / (light + heavy)
}

/// The same for two of one mass that do not hold.
fn by_priority(own: &Mark, other: &Mark) -> f32 {
    match (own.moving, other.moving) {
        (true, false) if own.route == other.route => 0.5,
        (false, true) if own.route == other.route => 0.5,
        (true, false) => 0.8,
        (false, true) => 0.2,
        (true, true) if own.route == other.route && own.bypasses == other.bypasses => {
            if own.distance < other.distance {
                0.3
            } else {
                0.7
            }
        }
        _ => 0.5,
    }
}

#[cfg(test)]
#[path = "crowd_test.rs"]
mod tests;
