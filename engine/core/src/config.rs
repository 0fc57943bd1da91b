//! Settings of a simulation. Every tunable states its unit, its reason and what breaks.

use crate::brain::Wandering;

/// How a simulation runs.
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// Ticks per simulated second. Only timers given in seconds use it.
    pub tick_rate: f32,
    /// All randomness derives from it.
    pub seed: u64,
    /// Which steering moves the units.
    pub mover: Mover,
    /// Parameters of the steering.
    pub steering: Steering,
    /// Most neighbours that a unit heeds while it steers, 8 to 64; all when `None`. The nearest of
    /// every eighth of a turn are kept first. Under about 12 units in a crowd see those coming
    /// towards them late. Discs that touch are pushed apart whatever the cap.
    pub neighbour_cap: Option<u8>,
    /// How units wander.
    pub wandering: Wandering,
    /// Work on flow fields in a tick, cells: about 20 ns each on one core. The fields of small maps
    /// are there in the tick of the order; large ones, and many at once, take several ticks, in
    /// which units walk by a coarse way. Too little leaves them to it for long, too much makes the
    /// ticks uneven.
    pub field_budget: u64,
    /// Cells of the largest map whose fields cover all of it. On larger ones they cover the sectors
    /// along the ways from the units to the goal and those beside them, and are extended when a
    /// unit leaves these. Lower saves memory and work; ways may then be a little longer.
    pub whole_field_max: u64,
    /// Bytes that the fields for some sectors may take while they are in use; units whose field does
    /// not fit walk by the coarse way.
    pub field_memory: usize,
    /// Seconds after which a corpse is despawned; `None` leaves it to the host.
    pub corpse: Option<f32>,
}

/// A field on a map of 512 x 512 cells in one tick, and room for others.
const FIELD_BUDGET: u64 = 1 << 19;

/// 5 MiB a goal.
const WHOLE_FIELD_MAX: u64 = 1 << 20;
/// A hundred goals with corridors of 5,000 cells by 800 on a map of 4096 x 4096.
const FIELD_MEMORY: usize = 2 << 30;

impl Default for Config {
    fn default() -> Self {
        Self {
            tick_rate: 30.0,
            seed: 0,
            mover: Mover::default(),
            steering: Steering::default(),
            neighbour_cap: None,
            wandering: Wandering::default(),
            field_budget: FIELD_BUDGET,
            whole_field_max: WHOLE_FIELD_MAX,
            field_memory: FIELD_MEMORY,
            corpse: None,
        }
    }
}

/// The steering methods, simplest first. The first three are those of the article the engine grew
/// from; they see walls only, know no guidance field and can be trapped by a pocket.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Mover {
    /// Straight at the goal, x and y moved separately, each only where free: slides along walls.
    Slide,
    /// Straight at the goal by angle and speed; a blocked step is not taken.
    Polar,
    /// The article's angular scan: straight at the goal, else the first free heading beside a
    /// base direction.
    Scan,
    /// The angular mask scan on a guidance field, with neighbours: the default.
    #[default]
    Mask,
}

/// Parameters of the steering.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Steering {
    /// Step between the headings that the scan tests, radians. Larger is faster and coarser; over
    /// 0.5 the scan misses gaps.
    pub scan_step: f32,
    /// How far the base direction of the scan leans from the target to the present heading
    /// (0 = the target alone, 1 = the heading alone). At 0 a unit oscillates before a wall, near 1
    /// it follows the wall past the goal.
    pub scan_base: f32,
    /// Share of the angle to the direction of motion by which the sprite turns in a tick. 1 snaps.
    pub turn_rate: f32,
}

impl Default for Steering {
    fn default() -> Self {
        Self {
            scan_step: 10.0_f32.to_radians(),
            scan_base: 0.8,
            turn_rate: 0.2,
        }
    }
}
