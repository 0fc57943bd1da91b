//! Simulated time against real time: fixed steps, whatever the frame rate.

use std::time::{Duration, Instant};

use throng::{Stage, StageObserver};

/// Owes ticks as real time passes and pays them one by one.
#[derive(Clone, Debug)]
pub struct FixedStep {
    /// How many times faster than real time.
    pub speed: f64,
    /// No time passes.
    pub paused: bool,
    debt: f64,
    steps: u32,
}

impl FixedStep {
    /// The speeds that can be chosen.
    pub const SPEEDS: std::ops::RangeInclusive<f64> = 0.25..=8.0;
    /// At most so much real time is made up for after a hitch, in seconds.
    const LONGEST: f64 = 0.25;

    /// Real time, running.
    pub fn new() -> Self {
        Self {
            speed: 1.0,
            paused: false,
            debt: 0.0,
            steps: 0,
        }
    }

    /// Lets `seconds` of real time pass at `rate` ticks per simulated second.
    pub fn pass(&mut self, seconds: f64, rate: f64) {
        if !self.paused {
            self.debt += seconds.min(Self::LONGEST) * rate * self.speed;
        }
    }

    /// Asks for one tick while paused; pauses first where time runs.
    pub fn step(&mut self) {
        if self.paused {
            self.steps += 1;
        }
        self.paused = true;
    }

    /// Takes one owed tick, if there is one.
    pub fn take(&mut self) -> bool {
        if self.paused {
            let owed = self.steps > 0;
            self.steps = self.steps.saturating_sub(1);
            return owed;
        }
        let owed = self.debt >= 1.0;
        if owed {
            self.debt -= 1.0;
        }
        owed
    }

    /// Drops whole ticks that the machine has no time for: the crowd runs slower, the window
    /// stays alive.
    pub fn forgive(&mut self) {
        self.debt = self.debt.fract();
    }

    /// Where between the last two ticks the present is, 0 to 1.
    pub fn blend(&self) -> f32 {
        if self.paused {
            1.0
        } else {
            self.debt.min(1.0) as f32
        }
    }

    /// Doubles or halves the speed within the range.
    pub fn change_speed(&mut self, faster: bool) {
        let factor = if faster { 2.0 } else { 0.5 };
        self.speed = (self.speed * factor).clamp(*Self::SPEEDS.start(), *Self::SPEEDS.end());
    }
}

/// Milliseconds of the stages of the last ticks, oldest first.
#[derive(Debug, Default)]
pub struct StageTimes {
    /// A row of milliseconds by [`Stage::ALL`] for each tick.
    pub ticks: std::collections::VecDeque<[f32; Stage::ALL.len()]>,
    current: [f32; Stage::ALL.len()],
    running: Option<(Stage, Instant)>,
}

impl StageTimes {
    /// Ticks that are kept.
    pub const KEPT: usize = 120;

    /// Mean milliseconds of a whole tick over the kept ones.
    pub fn mean(&self) -> f32 {
        let sum: f32 = self.ticks.iter().flatten().sum();
        sum / self.ticks.len().max(1) as f32
    }

    fn close(&mut self, now: Instant) {
        if let Some((stage, since)) = self.running.take() {
            self.current[stage as usize] += (now - since).as_secs_f32() * 1e3;
        }
    }
}

impl StageObserver for StageTimes {
    fn begin(&mut self, stage: Stage) {
        let now = Instant::now();
        self.close(now);
        self.running = Some((stage, now));
    }

    fn end(&mut self) {
        self.close(Instant::now());
        if self.ticks.len() == Self::KEPT {
            self.ticks.pop_front();
        }
        self.ticks.push_back(std::mem::take(&mut self.current));
    }
}

/// Frames per second, as a mean over half a second.
#[derive(Debug)]
pub struct FrameRate {
    since: Instant,
    frames: u32,
    /// The last mean.
    pub fps: f32,
}

impl FrameRate {
    /// Nothing measured yet.
    pub fn new() -> Self {
        Self {
            since: Instant::now(),
            frames: 0,
            fps: 0.0,
        }
    }

    /// Counts a frame; true when a new mean is there.
    pub fn count(&mut self) -> bool {
        self.frames += 1;
        let passed = self.since.elapsed();
        if passed < Duration::from_millis(500) {
            return false;
        }
        self.fps = self.frames as f32 / passed.as_secs_f32();
        self.frames = 0;
        self.since = Instant::now();
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ticks(clock: &mut FixedStep) -> usize {
        std::iter::from_fn(|| clock.take().then_some(())).count()
    }

    #[test]
    fn ticks_follow_real_time_at_any_frame_rate() {
        for frames_per_second in [7, 30, 60, 144] {
            let mut clock = FixedStep::new();
            clock.speed = 2.0;
            let mut done = 0;
            for _ in 0..frames_per_second * 10 {
                clock.pass(1.0 / f64::from(frames_per_second), 30.0);
                done += ticks(&mut clock);
            }
            assert!(
                (599..=600).contains(&done),
                "{done} at {frames_per_second} frames a second"
            );
        }
    }

    #[test]
    fn a_long_hitch_is_not_made_up_for() {
        let mut clock = FixedStep::new();
        clock.pass(3600.0, 30.0);
        assert!(ticks(&mut clock) <= 8);
    }

    #[test]
    fn a_step_pauses_and_then_does_one_tick_each() {
        let mut clock = FixedStep::new();
        clock.pass(0.1, 30.0);
        clock.step();
        assert!(clock.paused);
        assert_eq!(ticks(&mut clock), 0);
        clock.step();
        clock.step();
        clock.pass(0.2, 30.0);
        assert_eq!(ticks(&mut clock), 2);
    }

    #[test]
    fn what_is_forgiven_leaves_less_than_a_tick() {
        let mut clock = FixedStep::new();
        clock.speed = 8.0;
        clock.pass(0.2, 30.0);
        clock.forgive();
        assert_eq!(ticks(&mut clock), 0);
        assert!(clock.blend() < 1.0);
    }

    /// SYNC-14: speed and stalls of the picture decide when ticks are done, never what they do.
    #[test]
    fn speed_and_stalls_change_no_hash() {
        let run = |speed: Option<f64>, mut stall: u64| {
            let map = throng::Map::open(24, 24).expect("a small map");
            let config = throng::Config::default();
            let mut sim = throng::Simulation::new(map, config).expect("sound settings");
            let mut world = hecs::World::new();
            for i in 0..6 {
                let spec = throng::UnitSpec {
                    position: glam::Vec2::new(4.5 + 2.0 * i as f32, 12.5),
                    brain: throng::Brain::Wander,
                    ..throng::UnitSpec::default()
                };
                sim.spawn(&mut world, &spec).expect("the map is open");
            }
            let mut clock = FixedStep::new();
            clock.speed = speed.unwrap_or(1.0);
            while sim.now() < 20_000 {
                // A frame takes 1 to 400 ms, and some frames only draw.
                stall = stall
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1);
                clock.pass((1 + (stall >> 33) % 400) as f64 / 1e3, 30.0);
                while sim.now() < 20_000 && (speed.is_none() || clock.take()) {
                    sim.tick(&mut world);
                }
            }
            sim.state_hash()
        };
        let hash = run(None, 0);
        assert_eq!(hash, run(Some(1.0), 1));
        assert_eq!(hash, run(Some(10.0), 2));
    }
}
