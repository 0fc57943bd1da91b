//! From what a unit does to what its sprite shows.
//!
//! A [`Rig`] is shared by all units of a kind; a [`Drive`] is the memory of one unit's sprite. It
//! reads the simulation and never writes to it, so it is no part of the state that is hashed.
//! A host calls [`Drive::update`] once a tick.

use super::clip::{ClipId, Motion};
use super::clock::{Clock, TickRate, Time};
use super::error::SheetError;
use super::sequence::{Graph, Sequence};
use super::sheet::Sheet;

/// Below this speed, in cells per tick, a unit stands: it neither walks nor turns.
pub const STANDING: f32 = 0.01;

/// Ticks without motion after which a walking unit is taken to have stopped.
const STOP_TICKS: u64 = 8;

/// What one tick of motion is worth in ticks of standing: two in short order start the legs, so
/// that a unit nudged once does not take a step.
const MOVE_WORTH: u64 = 4;

/// What a brain has a unit do besides moving. Ticks are those of the simulation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Action {
    /// Nothing: the sprite stands or walks.
    #[default]
    None,
    /// Strikes: winds up from tick `start`, and the blow lands in tick `hit`.
    Attack {
        /// First tick of the wind-up.
        start: u64,
        /// The tick of the blow.
        hit: u64,
    },
    /// Was struck in this tick. Shown before all but death, for as long as the clip lasts.
    Hurt {
        /// The tick of the blow.
        since: u64,
    },
    /// Died in this tick, and stays down.
    Dead {
        /// The tick of death.
        since: u64,
    },
}

/// What a sprite shows.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Look {
    /// The clip of the unit's sheet.
    pub clip: ClipId,
    /// The frame of the clip.
    pub frame: u32,
    /// Where the unit faces, radians, 0 = +x, growing towards +y.
    pub facing: f32,
}

/// The clips of a kind of unit by what they are for. Clips are found by name: `idle` (without it
/// the sheet's first), `walk`, `attack`, `hurt`, `die`; a kind without one of them shows what comes
/// next in rank.
#[derive(Clone, Debug)]
pub struct Rig {
    graph: Graph,
    idle: ClipId,
    walk: Option<Walk>,
    attack: Option<Attack>,
    hurt: Option<Once>,
    die: Option<Once>,
}

#[derive(Clone, Copy, Debug)]
struct Walk {
    clip: ClipId,
    motion: Motion,
    /// Passes per cell of ground in 1/2^32; `None` runs at the clip's own pace.
    passes: Option<f32>,
}

#[derive(Clone, Copy, Debug)]
struct Attack {
    once: Once,
    hit: u32,
}

/// A clip that is played through once, whatever its loops say.
#[derive(Clone, Copy, Debug)]
struct Once {
    clip: ClipId,
    motion: Motion,
    /// How long it lasts, in whole ticks.
    ticks: u64,
}

impl Once {
    fn new(clip: ClipId, mut motion: Motion) -> Self {
        motion.playback.loops = Some(1);
        let ticks = motion.end(&Clock::new(Time::tick(0), motion.pace)).ceil();
        Self {
            clip,
            motion,
            ticks,
        }
    }

    fn frame(&self, since: u64, now: u64) -> u32 {
        // The dead are many and change no more.
        if now >= since.saturating_add(self.ticks) {
            return self.motion.playback.frame(u64::MAX);
        }
        let clock = Clock::new(Time::tick(since), self.motion.pace);
        self.motion
            .playback
            .sample(clock.phase(Time::tick(now)))
            .frame
    }
}

impl Rig {
    /// The rig of a sheet at a tick rate.
    ///
    /// # Errors
    /// See [`Sheet::graph`].
    pub fn new(sheet: &Sheet, ticks: TickRate) -> Result<Self, SheetError> {
        let graph = sheet.graph(ticks)?;
        let named = |name: &str| {
            let clip = sheet.find(name)?;
            Some((clip, graph.node(clip)?.motion))
        };
        let once = |name: &str| named(name).map(|(clip, motion)| Once::new(clip, motion));
        let walk = named("walk").map(|(clip, motion)| {
            let cells = sheet.clips()[clip.index()].cells;
            Walk {
                clip,
                motion,
                passes: cells.map(|cells| PASS / cells),
            }
        });
        let attack = once("attack").map(|once| Attack {
            once,
            hit: sheet.clips()[once.clip.index()].hit,
        });
        let (hurt, die) = (once("hurt"), once("die"));
        Ok(Self {
            idle: sheet.find("idle").unwrap_or_default(),
            graph,
            walk,
            attack,
            hurt,
            die,
        })
    }
}

/// One pass of a walk, as the whole range of a `u32`: the phase wraps by itself.
const PASS: f32 = 4_294_967_296.0;

/// What the legs do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Gait {
    Rest,
    Walk { since: u64 },
    Busy,
}

/// The memory of one unit's sprite.
#[derive(Clone, Copy, Debug)]
pub struct Drive {
    rest: Sequence,
    gait: Gait,
    /// Whether it is in motion, with some inertia: 0 for at rest to [`STOP_TICKS`].
    momentum: u64,
    walking: bool,
    /// Part of a pass of the walk, in 1/2^32.
    step: u32,
    seen: u64,
    look: Look,
}

impl Drive {
    /// A unit at rest that faces `facing`. `seed` settles what it does for pastime: its stable
    /// number does.
    pub const fn new(seed: u64, facing: f32) -> Self {
        Self {
            rest: Sequence::new(seed),
            gait: Gait::Busy,
            momentum: 0,
            walking: false,
            // Feet of a crowd that sets out together are not all in step.
            step: (seed as u32).wrapping_mul(0x9e37_79b9),
            seen: 0,
            look: Look {
                clip: ClipId(0),
                frame: 0,
                facing,
            },
        }
    }

    /// What it shows since the last update.
    pub const fn look(&self) -> Look {
        self.look
    }

    /// Takes in what a unit did in the tick that ended at `now`: its speed in cells per tick, its
    /// heading in radians, and what its brain has it do. Ranked: dead, hurt, attack, walk, rest.
    pub fn update(
        &mut self,
        rig: &Rig,
        now: u64,
        speed: f32,
        heading: f32,
        action: Action,
    ) -> Look {
        let ticks = now.saturating_sub(self.seen);
        self.seen = now;
        let moving = speed >= STANDING;
        let dead = matches!(action, Action::Dead { .. });
        if moving && !dead || matches!(action, Action::Attack { .. }) {
            self.look.facing = heading;
        }
        self.momentum = if moving {
            self.momentum
                .saturating_add(ticks.saturating_mul(MOVE_WORTH))
                .min(STOP_TICKS)
        } else {
            self.momentum.saturating_sub(ticks)
        };
        match self.momentum {
            0 => self.walking = false,
            STOP_TICKS => self.walking = true,
            _ => {}
        }
        if let Some(passes) = rig
            .walk
            .as_ref()
            .and_then(|walk| walk.passes)
            .filter(|_| moving && !dead)
        {
            let way = speed * ticks as f32 * passes;
            // Through u64, whose low half is the part of a pass.
            self.step = self.step.wrapping_add(way as u64 as u32);
        }
        (self.look.clip, self.look.frame) = self
            .busy(rig, now, action)
            .unwrap_or_else(|| self.legs(rig, now));
        self.look
    }

    /// The clip and frame of what its brain has it do, while that lasts.
    fn busy(&mut self, rig: &Rig, now: u64, action: Action) -> Option<(ClipId, u32)> {
        let shown = match action {
            Action::None => None,
            Action::Dead { since } => rig
                .die
                .as_ref()
                .map(|die| (die.clip, die.frame(since, now))),
            Action::Hurt { since } => rig
                .hurt
                .as_ref()
                .filter(|hurt| now < since.saturating_add(hurt.ticks))
                .map(|hurt| (hurt.clip, hurt.frame(since, now))),
            Action::Attack { start, hit } => rig
                .attack
                .as_ref()
                .and_then(|attack| attack.frame(start, hit, now)),
        };
        if shown.is_some() {
            self.gait = Gait::Busy;
        }
        shown
    }

    fn legs(&mut self, rig: &Rig, now: u64) -> (ClipId, u32) {
        if let Some(walk) = rig.walk.as_ref().filter(|_| self.walking) {
            let since = match self.gait {
                Gait::Walk { since } => since,
                Gait::Rest | Gait::Busy => now,
            };
            self.gait = Gait::Walk { since };
            let playback = &walk.motion.playback;
            let step = match walk.passes {
                Some(_) => (u64::from(self.step) * playback.steps()) >> 32,
                None => {
                    let clock = Clock::new(Time::tick(since), walk.motion.pace);
                    clock.frames(Time::tick(now)) % playback.steps()
                }
            };
            return (walk.clip, playback.frame(step));
        }
        let time = Time::tick(now);
        if self.gait != Gait::Rest {
            self.gait = Gait::Rest;
            // The rig's idle clip is one of its graph.
            let _ = self.rest.jump(&rig.graph, rig.idle, time);
        }
        self.rest.advance(&rig.graph, time);
        self.rest.frame(&rig.graph, time).unwrap_or((rig.idle, 0))
    }
}

impl Attack {
    /// The frames before the blow fill the wind-up, whatever its length; from the blow on the clip
    /// runs at its own pace to its end.
    fn frame(&self, start: u64, hit: u64, now: u64) -> Option<(ClipId, u32)> {
        if now < start {
            return None;
        }
        let frame = if now < hit {
            // Below `self.hit`, a u32.
            (u128::from(now - start) * u128::from(self.hit) / u128::from(hit - start)) as u32
        } else {
            let pace = self.once.motion.pace;
            let after = Clock::new(Time::tick(hit), pace).frames(Time::tick(now));
            let frame = u64::from(self.hit).saturating_add(after);
            if frame >= u64::from(self.once.motion.playback.frames) {
                return None;
            }
            frame as u32
        };
        Some((self.once.clip, frame))
    }
}

#[cfg(test)]
#[path = "drive_test.rs"]
mod tests;
