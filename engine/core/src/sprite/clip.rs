//! Clips: frames in an order, a pace, and an end.

use super::clock::{Clock, Pace, Phase, TickRate, Time, Timing, mixed};
use super::error::TimingError;

/// Number of a clip in its sheet, from zero in file order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ClipId(pub u16);

impl ClipId {
    /// The number as an index.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// The order in which a pass goes through the frames.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Order {
    /// From the first to the last.
    #[default]
    Forward,
    /// From the last to the first.
    Reverse,
    /// From the first to the last and back; the two ends are shown once a pass, so that passes
    /// join without a stutter. A pass of `n` frames has `2 n - 2` steps (one when `n` is 1).
    PingPong,
}

/// The frame that stays when a clip has ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Finish {
    /// The last frame of the clip.
    #[default]
    Last,
    /// The first frame of the clip.
    First,
}

/// What is shown at a moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sample {
    /// The frame, an index into the clip's frames.
    pub frame: u32,
    /// The frame that follows it, for a renderer that blends the two; the same when none follows.
    pub next: u32,
    /// How far the one has passed into the other, 0 to 65,535.
    pub blend: u16,
}

/// How frames are played: count, order, passes, and what stays at the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Playback {
    /// Number of frames, at least 1.
    pub frames: u32,
    /// Their order.
    pub order: Order,
    /// Number of passes, at least 1; `None` plays for ever.
    pub loops: Option<u32>,
    /// What stays at the end.
    pub finish: Finish,
}

impl Playback {
    /// Forward and for ever.
    pub const fn looping(frames: u32) -> Self {
        Self {
            frames,
            order: Order::Forward,
            loops: None,
            finish: Finish::Last,
        }
    }

    /// Forward and once; the last frame stays.
    pub const fn once(frames: u32) -> Self {
        Self {
            frames,
            order: Order::Forward,
            loops: Some(1),
            finish: Finish::Last,
        }
    }

    /// Steps of one pass: how many frames it shows, one after the other.
    pub fn steps(&self) -> u64 {
        let n = u64::from(self.frames.max(1));
        if self.order == Order::PingPong {
            (2 * n - 2).max(1)
        } else {
            n
        }
    }

    /// Steps until it has finished; `None` when it never does.
    pub fn length(&self) -> Option<u64> {
        self.loops
            .map(|loops| u64::from(loops.max(1)) * self.steps())
    }

    /// The frame shown in a step; beyond the end it is the one that stays.
    pub fn frame(&self, step: u64) -> u32 {
        let last = self.frames.max(1) - 1;
        if self.length().is_some_and(|length| step >= length) {
            return if self.finish == Finish::First {
                0
            } else {
                last
            };
        }
        // Both lie below 2^33 after the division; frames fit u32.
        let step = step % self.steps();
        match self.order {
            Order::Forward => step as u32,
            Order::Reverse => last - step as u32,
            Order::PingPong if step > u64::from(last) => (self.steps() - step) as u32,
            Order::PingPong => step as u32,
        }
    }

    /// What is shown at a phase.
    pub fn sample(&self, phase: Phase) -> Sample {
        let frame = self.frame(phase.frames);
        if self.length().is_some_and(|length| phase.frames >= length) {
            return Sample {
                frame,
                next: frame,
                blend: 0,
            };
        }
        let next = self.frame(phase.frames + 1);
        Sample {
            frame,
            next,
            blend: (phase.part >> 16) as u16,
        }
    }
}

/// How a clip runs: playback, pace, and how far its pace varies from one start to the next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Motion {
    /// Count, order, passes, end.
    pub playback: Playback,
    /// Frames per tick.
    pub pace: Pace,
    /// Each start draws its frame duration from the mean times `1 - variation` to `1 + variation`,
    /// in 1/65,536.
    variation: u16,
}

impl Motion {
    /// A motion at a tick rate. `variation` is a share of the frame duration, kept in 0 to 0.5.
    ///
    /// # Errors
    /// [`TimingError`] for a timing that cannot drive a clock.
    pub fn new(
        playback: Playback,
        timing: Timing,
        variation: f64,
        ticks: TickRate,
    ) -> Result<Self, TimingError> {
        let variation = (variation.clamp(0.0, 0.5) * 65536.0) as u16;
        Ok(Self {
            playback,
            pace: Pace::new(timing, ticks)?,
            variation,
        })
    }

    /// The clock of one start of the clip. `seed` and `counter` settle its variation.
    pub fn start(&self, at: Time, seed: u64, counter: u64) -> Clock {
        if self.variation == 0 {
            return Clock::new(at, self.pace);
        }
        let width = 2 * i64::from(self.variation) + 1;
        let draw = ((mixed(seed, counter) >> 32) as i64 * width) >> 32;
        Clock::new(
            at,
            self.pace.swayed((draw - i64::from(self.variation)) as i32),
        )
    }

    /// When a start of the clip has shown its last frame to the end: [`Time::NEVER`] for one that
    /// loops for ever.
    pub fn end(&self, clock: &Clock) -> Time {
        self.playback
            .length()
            .map_or(Time::NEVER, |length| clock.moment(length))
    }

    /// When the pass that runs at `now` ends, also for a clip that loops for ever.
    pub fn end_of_pass(&self, clock: &Clock, now: Time) -> Time {
        let steps = self.playback.steps();
        let pass = (clock.phase(now).frames / steps + 1) * steps;
        clock.moment(
            self.playback
                .length()
                .map_or(pass, |length| pass.min(length)),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(playback: Playback, steps: u64) -> Vec<u32> {
        (0..steps).map(|step| playback.frame(step)).collect()
    }

    #[test]
    fn the_blend_partner_of_the_last_frame_is_the_first_when_looping() {
        let sample = Playback::looping(16).sample(Phase {
            frames: 15,
            part: 1 << 31,
        });
        assert_eq!(
            sample,
            Sample {
                frame: 15,
                next: 0,
                blend: 1 << 15
            }
        );
        let sample = Playback::looping(16).sample(Phase::frame(3));
        assert_eq!((sample.frame, sample.next), (3, 4));
    }

    #[test]
    fn the_blend_partner_of_the_last_frame_is_itself_when_it_stays() {
        let sample = Playback::once(16).sample(Phase {
            frames: 15,
            part: 1 << 31,
        });
        assert_eq!((sample.frame, sample.next), (15, 15));
    }

    #[test]
    fn orders_and_ends() {
        let base = Playback {
            loops: Some(1),
            ..Playback::looping(4)
        };
        assert_eq!(shown(base, 6), [0, 1, 2, 3, 3, 3]);
        let reverse = Playback {
            order: Order::Reverse,
            finish: Finish::First,
            ..base
        };
        assert_eq!(shown(reverse, 6), [3, 2, 1, 0, 0, 0]);
        let ping_pong = Playback {
            order: Order::PingPong,
            loops: None,
            ..base
        };
        assert_eq!(shown(ping_pong, 9), [0, 1, 2, 3, 2, 1, 0, 1, 2]);
        let once = Playback {
            loops: Some(1),
            finish: Finish::First,
            ..ping_pong
        };
        assert_eq!(shown(once, 8), [0, 1, 2, 3, 2, 1, 0, 0]);
        for order in [Order::Forward, Order::Reverse, Order::PingPong] {
            assert_eq!(
                shown(
                    Playback {
                        order,
                        ..Playback::looping(1)
                    },
                    3
                ),
                [0, 0, 0]
            );
        }
    }

    #[test]
    fn variation_stays_in_its_bounds_and_differs_between_starts() {
        let ticks = TickRate::MILLIS;
        let motion = Motion::new(Playback::once(10), Timing::FrameMs(100.0), 0.2, ticks).unwrap();
        let ends: Vec<u64> = (0..100)
            .map(|n| motion.end(&motion.start(Time::tick(0), 7, n)).ceil())
            .collect();
        assert!(
            ends.iter().all(|end| (799..=1201).contains(end)),
            "{ends:?}"
        );
        assert!(ends.iter().any(|&end| end < 850) && ends.iter().any(|&end| end > 1150));
        assert_eq!(
            ends[3],
            motion.end(&motion.start(Time::tick(0), 7, 3)).ceil()
        );
    }
}
