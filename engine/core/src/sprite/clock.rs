//! Pure clocks: which frame is shown is arithmetic on whole numbers, never a counter that runs.
//!
//! A [`Clock`] remembers when it started and how fast it goes; where it stands at any [`Time`] is
//! one multiplication and one division. Hiding, culling, pausing or fast-forwarding a sprite costs
//! nothing, and as no floating point is involved nothing drifts, however long a game runs.

use super::error::TimingError;

/// A moment in ticks, in steps of 1/65,536 tick.
///
/// Whole ticks come from [`Time::tick`]; the finer part lets a clip of 17.5 ticks be followed by
/// the next one without losing half a tick.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Time(u64);

/// Fractional bits of a [`Time`].
const TIME_BITS: u32 = 16;

impl Time {
    /// A moment no clock ever reaches.
    pub const NEVER: Self = Self(u64::MAX);

    /// The beginning of a tick. Ticks beyond 2^48 (297,000 years at 30 a second) all count as that.
    pub const fn tick(tick: u64) -> Self {
        if tick >= 1 << (64 - TIME_BITS) {
            Self(u64::MAX - 1)
        } else {
            Self(tick << TIME_BITS)
        }
    }

    /// The first whole tick that is not before this moment.
    pub const fn ceil(self) -> u64 {
        (self.0 >> TIME_BITS) + (self.0 & ((1 << TIME_BITS) - 1) != 0) as u64
    }

    /// Steps of 1/65,536 tick since `earlier`; zero when `earlier` is later.
    pub const fn since(self, earlier: Self) -> u64 {
        self.0.saturating_sub(earlier.0)
    }

    const fn after(self, steps: u64) -> Self {
        Self(self.0.saturating_add(steps))
    }
}

/// Ticks per second as an exact fraction, taken to a millionth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TickRate {
    num: u64,
    den: u64,
}

/// Resolution of every rate and duration that comes as a decimal number.
const MICRO: u64 = 1_000_000;

impl TickRate {
    /// A clock whose ticks are milliseconds, for animations outside a simulation.
    pub const MILLIS: Self = Self { num: 1000, den: 1 };

    /// A rate in ticks per second.
    ///
    /// # Errors
    /// [`TimingError::TickRate`] unless it lies in 0.001 to 1000.
    pub fn per_second(rate: f64) -> Result<Self, TimingError> {
        let (num, den) =
            fraction(rate, 0.001, 1000.0).ok_or(TimingError::TickRate { value: rate })?;
        Ok(Self { num, den })
    }
}

impl Default for TickRate {
    /// 30 ticks per second, the rate a scenario has when it names none.
    fn default() -> Self {
        Self { num: 30, den: 1 }
    }
}

/// How a clip says how long a frame lasts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Timing {
    /// Frames per second, 0.001 to 1000.
    Rate(f64),
    /// Milliseconds per frame, 0.1 to 10,000,000.
    FrameMs(f64),
    /// Ticks per frame, 0.001 to 10,000,000: independent of the tick rate.
    FrameTicks(f64),
}

/// Frames per tick as an exact fraction: a [`Timing`] at a [`TickRate`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pace {
    num: u64,
    den: u64,
}

impl Pace {
    /// The pace of a timing at a tick rate.
    ///
    /// # Errors
    /// [`TimingError`] naming the key and the range, for zero, a negative number, NaN or a number
    /// out of range.
    pub fn new(timing: Timing, ticks: TickRate) -> Result<Self, TimingError> {
        let bad = |key, value, min, max| TimingError::Range {
            key,
            value,
            min,
            max,
        };
        Ok(match timing {
            Timing::Rate(value) => {
                let (num, den) = fraction(value, 0.001, 1000.0)
                    .ok_or_else(|| bad("rate", value, 0.001, 1000.0))?;
                Self::reduced(num * ticks.den, den * ticks.num)
            }
            Timing::FrameMs(value) => {
                let (num, den) =
                    fraction(value, 0.1, 1e7).ok_or_else(|| bad("frame_ms", value, 0.1, 1e7))?;
                // 1 / (ms / 1000 * ticks per second), with 1000 split off before it can overflow.
                let (a, b) = reduce(1000 * den, num);
                Self::reduced(a * ticks.den, b * ticks.num)
            }
            Timing::FrameTicks(value) => {
                let (num, den) = fraction(value, 0.001, 1e7)
                    .ok_or_else(|| bad("frame_ticks", value, 0.001, 1e7))?;
                Self::reduced(den, num)
            }
        })
    }

    fn reduced(num: u64, den: u64) -> Self {
        let (num, den) = reduce(num, den);
        Self { num, den }
    }

    /// The pace at which each frame lasts `65536 + sway` parts of 65,536 of what it does here;
    /// `sway` is kept within a half either way.
    pub(super) fn swayed(self, sway: i32) -> Self {
        // 12 bits are plenty for a variation no one can see and keep the products small.
        let parts = (4096 + (sway >> 4).clamp(-2048, 2048)) as u64;
        let num = u128::from(self.num) << 12;
        let den = u128::from(self.den) * u128::from(parts);
        let excess = (128 - (num.max(den)).leading_zeros()).saturating_sub(63);
        Self::reduced((num >> excess).max(1) as u64, (den >> excess).max(1) as u64)
    }

    /// How long `frames` last, in steps of a [`Time`], rounded up.
    fn span(self, frames: u64) -> u64 {
        let den = u128::from(self.den) << TIME_BITS;
        u128::from(frames)
            .checked_mul(den)
            .and_then(|product| u64::try_from(product.div_ceil(self.num.into())).ok())
            .unwrap_or(u64::MAX)
    }
}

/// A number within bounds as a reduced fraction of millionths.
fn fraction(value: f64, min: f64, max: f64) -> Option<(u64, u64)> {
    // A NaN fails the comparison as it should.
    (min..=max)
        .contains(&value)
        .then(|| reduce((value * MICRO as f64).round() as u64, MICRO))
}

fn reduce(num: u64, den: u64) -> (u64, u64) {
    let (mut a, mut b) = (num, den);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    (num / a, den / a)
}

/// Where a clock stands: whole frames and the part of the next one, in 1/2^32.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Phase {
    /// Frames that have passed.
    pub frames: u64,
    /// The part of the present frame that has passed, in 1/2^32.
    pub part: u32,
}

impl Phase {
    /// The beginning of a frame.
    pub const fn frame(frames: u64) -> Self {
        Self { frames, part: 0 }
    }
}

/// A frame counter that is a function of time: `phase(now) = base + (now - start) * pace`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    start: Time,
    base: Phase,
    pace: Pace,
}

impl Clock {
    /// A clock that stands at frame zero at `start`.
    pub const fn new(start: Time, pace: Pace) -> Self {
        Self {
            start,
            base: Phase::frame(0),
            pace,
        }
    }

    /// A clock that stands at `base` at `start`.
    pub const fn at(start: Time, base: Phase, pace: Pace) -> Self {
        Self { start, base, pace }
    }

    /// When it was started or its pace last changed.
    pub const fn start(&self) -> Time {
        self.start
    }

    /// Its pace.
    pub const fn pace(&self) -> Pace {
        self.pace
    }

    /// Whole frames passed at `now`, as [`phase`](Self::phase) counts them.
    pub fn frames(&self, now: Time) -> u64 {
        // The common case, a clock that began with a whole frame, fits 64 bits, where a division
        // is several times cheaper.
        let den = self.pace.den << TIME_BITS;
        match now.since(self.start).checked_mul(self.pace.num) {
            Some(product) if self.base.part == 0 && den >> TIME_BITS == self.pace.den => {
                self.base.frames.saturating_add(product / den)
            }
            _ => self.phase(now).frames,
        }
    }

    /// Where it stands at `now`; before its start it stands where it starts.
    pub fn phase(&self, now: Time) -> Phase {
        let product = u128::from(now.since(self.start)) * u128::from(self.pace.num);
        let den = u128::from(self.pace.den) << TIME_BITS;
        let frames = u64::try_from(product / den).unwrap_or(u64::MAX);
        // The remainder is below 2^80: it can be scaled without overflow.
        let part = (((product % den) << 32) / den) as u64 + u64::from(self.base.part);
        Phase {
            frames: self
                .base
                .frames
                .saturating_add(frames)
                .saturating_add(part >> 32),
            part: part as u32,
        }
    }

    /// The moment at which frame `frame` begins, never before the clock's start.
    pub fn moment(&self, frame: u64) -> Time {
        if frame <= self.base.frames {
            return self.start;
        }
        // The passed part of the base frame comes off, rounded so that the frame has begun.
        let whole = self.pace.span(frame - self.base.frames);
        let passed = ((u128::from(self.base.part) * u128::from(self.pace.den)) << TIME_BITS)
            / (u128::from(self.pace.num) << 32);
        self.start.after(whole - (passed as u64).min(whole))
    }

    /// The same clock at another pace from `now` on. The phase is kept: frame and part of the frame
    /// that has passed are what they were, so a change of rate never jumps.
    pub fn repaced(&self, now: Time, pace: Pace) -> Self {
        Self {
            start: now,
            base: self.phase(now),
            pace,
        }
    }
}

/// Sixty-four mixed bits from a seed and a counter: randomness that is a pure function.
/// The finaliser is that of SplitMix64 (Steele, Lea and Flood 2014).
pub(super) fn mixed(seed: u64, counter: u64) -> u64 {
    let mut z = seed.wrapping_add(counter.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn clock(timing: Timing, rate: TickRate) -> Clock {
        Clock::new(Time::tick(0), Pace::new(timing, rate).unwrap())
    }

    #[test]
    fn two_to_the_32_milliseconds_do_not_stop_the_clock() {
        let clock = clock(Timing::FrameMs(50.0), TickRate::MILLIS);
        let ms = (1u64 << 32) + 1;
        assert_eq!(clock.phase(Time::tick(ms)).frames, ms / 50);
    }

    #[test]
    fn two_to_the_31_ticks_do_not_drift() {
        let rate = TickRate::per_second(29.97).unwrap();
        let clock = clock(Timing::Rate(12.0), rate);
        let ticks = 1u64 << 31;
        // floor(t / d) with d = 29.97 / 12 ticks
        assert_eq!(clock.phase(Time::tick(ticks)).frames, ticks * 1200 / 2997);
    }

    #[test]
    fn a_frame_duration_of_zero_nan_or_next_to_nothing_is_refused() {
        for value in [0.0, -1.0, f64::NAN, 1e-30, f64::INFINITY] {
            for timing in [
                Timing::Rate(value),
                Timing::FrameMs(value),
                Timing::FrameTicks(value),
            ] {
                let error = Pace::new(timing, TickRate::default()).unwrap_err();
                assert!(error.to_string().contains(&value.to_string()), "{error}");
            }
            assert!(TickRate::per_second(value).is_err());
        }
    }

    #[test]
    fn a_change_of_rate_keeps_the_phase() {
        let rate = TickRate::per_second(100.0).unwrap();
        let slow = clock(Timing::Rate(10.0), rate);
        let fast = slow.repaced(Time::tick(35), Pace::new(Timing::Rate(20.0), rate).unwrap());
        assert_eq!(
            slow.phase(Time::tick(35)),
            Phase {
                frames: 3,
                part: 1 << 31
            }
        );
        assert_eq!(fast.phase(Time::tick(35)), slow.phase(Time::tick(35)));
        let frames: Vec<u64> = (35..60).map(|t| fast.phase(Time::tick(t)).frames).collect();
        assert!(frames.windows(2).all(|w| w[1] - w[0] <= 1), "{frames:?}");
        assert_eq!(
            fast.phase(Time::tick(45)),
            Phase {
                frames: 5,
                part: 1 << 31
            }
        );
    }

    #[test]
    fn a_whole_tick_is_the_ceiling_of_a_moment() {
        assert_eq!(Time::tick(7).ceil(), 7);
        assert_eq!(Time::tick(7).after(1).ceil(), 8);
    }

    proptest! {
        #[test]
        fn the_phase_is_the_exact_quotient(
            ticks in 0u64..1 << 40, rate in 0.001f64..1000.0, tps in 0.01f64..1000.0,
        ) {
            let clock = clock(Timing::Rate(rate), TickRate::per_second(tps).unwrap());
            let (rate, tps) = ((rate * 1e6).round() as u128, (tps * 1e6).round() as u128);
            let expected = u128::from(ticks) * rate / tps;
            prop_assert_eq!(u128::from(clock.phase(Time::tick(ticks)).frames), expected);
            prop_assert_eq!(u128::from(clock.frames(Time::tick(ticks))), expected);
        }

        #[test]
        fn a_frame_has_begun_at_its_moment_and_not_before(
            frame in 1u64..100_000, ms in 0.1f64..5000.0, start in 0u64..1000, part: u32,
        ) {
            let pace = Pace::new(Timing::FrameMs(ms), TickRate::default()).unwrap();
            let clock = Clock::at(Time::tick(start), Phase { frames: 0, part }, pace);
            let moment = clock.moment(frame);
            prop_assert!(clock.phase(moment).frames >= frame);
            prop_assert!(clock.phase(Time(moment.0.saturating_sub(2))).frames < frame
                || moment == Time::tick(start));
        }
    }
}
