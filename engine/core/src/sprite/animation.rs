//! A plain animated sprite: one clip, played, paused, sought and stepped, with events.

use super::clip::{Motion, Sample};
use super::clock::{Clock, Pace, Phase, Time};

/// What happened since the last look at an [`Animation`]. Each thing is told exactly once, however
/// long one waited before looking, and telling it costs the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// How many frames were entered; starting enters the first.
    pub entered: u64,
    /// How many passes ended.
    pub passes: u64,
    /// When the clip finished: the end of its last frame.
    pub finished: Option<Time>,
}

/// One clip playing on one sprite. The frame is a function of time; only which events were already
/// told is remembered.
#[derive(Clone, Copy, Debug)]
pub struct Animation {
    motion: Motion,
    clock: Clock,
    /// Where it stands while paused.
    paused: Option<Phase>,
    /// Steps whose entry has been told.
    told: u64,
    /// Passes whose end has been told.
    passes_told: u64,
    finish_told: bool,
}

impl Animation {
    /// Starts a clip from its first frame. `seed` settles the variation of its pace, if it has one.
    pub fn play(motion: Motion, seed: u64, now: Time) -> Self {
        Self {
            motion,
            clock: motion.start(now, seed, 0),
            paused: None,
            told: 0,
            passes_told: 0,
            finish_told: false,
        }
    }

    fn phase(&self, now: Time) -> Phase {
        let phase = self.paused.unwrap_or_else(|| self.clock.phase(now));
        match self.motion.playback.length() {
            Some(length) if phase.frames >= length => Phase::frame(length),
            _ => phase,
        }
    }

    /// What is shown at `now`.
    pub fn sample(&self, now: Time) -> Sample {
        self.motion.playback.sample(self.phase(now))
    }

    /// Whether the last frame has ended by `now`.
    pub fn is_finished(&self, now: Time) -> bool {
        self.motion
            .playback
            .length()
            .is_some_and(|length| self.phase(now).frames >= length)
    }

    /// Whether it is paused.
    pub fn is_paused(&self) -> bool {
        self.paused.is_some()
    }

    /// Stops the clock at `now`; what is shown stays.
    pub fn pause(&mut self, now: Time) {
        self.paused = Some(self.phase(now));
    }

    /// Goes on from where it was paused.
    pub fn resume(&mut self, now: Time) {
        if let Some(phase) = self.paused.take() {
            self.clock = Clock::at(now, phase, self.clock.pace());
        }
    }

    /// Puts it at the beginning of a step, counted over all passes from zero (a step beyond the end
    /// finishes it). Steps passed over on the way are not entered; the one sought is.
    pub fn seek(&mut self, now: Time, step: u64) {
        let step = self
            .motion
            .playback
            .length()
            .map_or(step, |length| step.min(length));
        let phase = Phase::frame(step);
        match &mut self.paused {
            Some(paused) => *paused = phase,
            None => self.clock = Clock::at(now, phase, self.clock.pace()),
        }
        self.told = step;
        self.passes_told = step / self.motion.playback.steps();
        self.finish_told = false;
    }

    /// Pauses and goes `steps` steps on, or back when negative; never before the first.
    pub fn step(&mut self, now: Time, steps: i64) {
        self.pause(now);
        let to = self.phase(now).frames.saturating_add_signed(steps);
        let to = self
            .motion
            .playback
            .length()
            .map_or(to, |length| to.min(length));
        self.paused = Some(Phase::frame(to));
        if steps < 0 {
            // What lies behind it now will be entered anew.
            self.told = self.told.min(to);
            self.passes_told = self.passes_told.min(to / self.motion.playback.steps());
            self.finish_told = false;
        }
    }

    /// Changes the pace from `now` on. The phase is kept: neither the frame nor the part of it that
    /// has passed changes at the moment of the call.
    pub fn set_pace(&mut self, now: Time, pace: Pace) {
        self.clock = self.clock.repaced(now, pace);
    }

    /// Tells what happened up to `now` since the last call, in constant time.
    pub fn advance(&mut self, now: Time) -> Progress {
        let playback = self.motion.playback;
        let at = self.phase(now).frames;
        let length = playback.length();
        // The end is no frame: it is entered by none.
        let entered_to = length.map_or(at + 1, |length| (at + 1).min(length));
        let finished = length
            .filter(|&length| at >= length && !self.finish_told)
            .map(|length| {
                if self.paused.is_some() {
                    now
                } else {
                    self.clock.moment(length)
                }
            });
        let passes = at / playback.steps();
        let progress = Progress {
            entered: entered_to.saturating_sub(self.told),
            passes: passes.saturating_sub(self.passes_told),
            finished,
        };
        self.passes_told = self.passes_told.max(passes);
        self.told = self.told.max(entered_to);
        self.finish_told |= finished.is_some();
        progress
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sprite::{Playback, TickRate, Timing};

    fn motion(playback: Playback, timing: Timing) -> Motion {
        Motion::new(playback, timing, 0.0, TickRate::MILLIS).unwrap()
    }

    fn ms(ms: u64) -> Time {
        Time::tick(ms)
    }

    #[test]
    fn three_loops_of_seven_frames_enter_21_frames_and_finish_once() {
        let clip = motion(
            Playback {
                loops: Some(3),
                ..Playback::looping(7)
            },
            Timing::FrameMs(50.0),
        );
        for stride in [16, 33, 120, 400] {
            let mut sprite = Animation::play(clip, 0, ms(0));
            let (mut entered, mut passes, mut finishes) = (0, 0, Vec::new());
            for now in (0..2000).step_by(stride) {
                let progress = sprite.advance(ms(now));
                entered += progress.entered;
                passes += progress.passes;
                finishes.extend(progress.finished);
                assert_eq!(finishes.is_empty(), now < 1050, "at {now} ms");
            }
            assert_eq!((entered, passes), (21, 3), "steps of {stride} ms");
            assert_eq!(finishes, [ms(1050)]);
        }
    }

    #[test]
    fn finished_comes_when_the_last_frame_ends_not_when_it_begins() {
        let mut sprite = Animation::play(motion(Playback::once(5), Timing::Rate(5.0)), 0, ms(0));
        assert_eq!(sprite.advance(ms(800)).finished, None);
        assert_eq!(sprite.sample(ms(800)).frame, 4);
        assert_eq!(sprite.advance(ms(999)).finished, None);
        assert_eq!(sprite.advance(ms(1000)).finished, Some(ms(1000)));
        assert_eq!(sprite.advance(ms(5000)), Progress::default());
    }

    #[test]
    fn a_clip_started_when_another_finishes_shows_its_own_first_frames() {
        let timing = Timing::FrameMs(100.0);
        let mut sprite = Animation::play(motion(Playback::once(6), timing), 0, ms(0));
        let mut finishes = 0;
        for now in (0..3000).step_by(70) {
            if let Some(end) = sprite.advance(ms(now)).finished {
                finishes += 1;
                if finishes == 1 {
                    sprite = Animation::play(motion(Playback::once(2), timing), 0, end);
                    assert!(sprite.sample(ms(now)).frame < 2);
                    // What the new clip has done in the meantime is its own affair.
                    finishes += usize::from(sprite.advance(ms(now)).finished.is_some());
                }
            }
        }
        assert_eq!(finishes, 2);
    }

    #[test]
    fn a_pause_of_any_length_changes_nothing_shown() {
        let clip = motion(Playback::looping(8), Timing::FrameMs(100.0));
        let mut sprite = Animation::play(clip, 0, ms(0));
        sprite.pause(ms(350));
        assert_eq!(sprite.sample(ms(1 << 40)).frame, 3);
        sprite.resume(ms(10_000));
        assert_eq!(sprite.sample(ms(10_000)).frame, 3);
        assert_eq!(sprite.sample(ms(10_050)).frame, 4);
    }

    #[test]
    fn seek_and_step_enter_what_they_land_on() {
        let clip = motion(Playback::once(8), Timing::FrameMs(100.0));
        let mut sprite = Animation::play(clip, 0, ms(0));
        assert_eq!(sprite.advance(ms(0)).entered, 1);
        sprite.seek(ms(20), 5);
        assert_eq!(
            sprite.advance(ms(20)),
            Progress {
                entered: 1,
                ..Progress::default()
            }
        );
        sprite.step(ms(30), 1);
        assert_eq!(sprite.sample(ms(9_999)).frame, 6);
        assert_eq!(sprite.advance(ms(9_999)).entered, 1);
        sprite.step(ms(9_999), -2);
        assert_eq!(sprite.sample(ms(9_999)).frame, 4);
        assert_eq!(sprite.advance(ms(9_999)).entered, 1);
        sprite.step(ms(9_999), 99);
        let progress = sprite.advance(ms(9_999));
        assert_eq!((progress.entered, progress.passes), (3, 1));
        assert!(progress.finished.is_some());
    }

    #[test]
    fn a_change_of_pace_keeps_the_frame() {
        let clip = motion(Playback::looping(8), Timing::Rate(10.0));
        let mut sprite = Animation::play(clip, 0, ms(0));
        let fast = Pace::new(Timing::Rate(20.0), TickRate::MILLIS).unwrap();
        sprite.set_pace(ms(350), fast);
        let shown: Vec<_> = [350, 374, 375, 425, 475]
            .map(|t| sprite.sample(ms(t)).frame)
            .into();
        assert_eq!(shown, [3, 3, 4, 5, 6]);
    }

    #[test]
    fn looking_late_costs_no_more_and_tells_the_same() {
        let clip = motion(Playback::looping(7), Timing::FrameMs(50.0));
        let mut sprite = Animation::play(clip, 0, ms(0));
        let late = (1u64 << 32) + 1;
        let progress = sprite.advance(ms(late));
        assert_eq!(
            (progress.entered, progress.passes),
            (late / 50 + 1, late / 350)
        );
        assert_eq!(u64::from(sprite.sample(ms(late)).frame), late / 50 % 7);
    }
}
