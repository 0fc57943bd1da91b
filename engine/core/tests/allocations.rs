//! A steady tick takes nothing from the heap: all scratch lives in the simulation and is reused.
//!
//! The only test of its binary: the counter is the process's. With `THRONG_HEAP=1` a file
//! `dhat-heap.json` is written that names where blocks were taken, for DHAT's viewer.

use glam::Vec2;
use hecs::{Entity, World};
use throng::{
    Brain, Combat, Config, Map, Order, Outcome, Simulation, Stage, StageObserver, Stance, UnitSpec,
};

#[global_allocator]
static HEAP: dhat::Alloc = dhat::Alloc;

/// The usual unit here.
fn walker() -> UnitSpec {
    UnitSpec {
        radius: 0.35,
        speed: 0.1,
        ..UnitSpec::default()
    }
}

struct Crowd {
    sim: Simulation,
    world: World,
}

impl Crowd {
    /// A crowd on a square map, `side` cells wide, one cell in ten of which is blocked.
    fn new(side: u32) -> Self {
        let cells: Vec<String> = (0..side)
            .map(|y| {
                let blocked = |x: u32| (x * 7919 + y * 104_729) % 1013 < 100;
                (0..side)
                    .map(|x| if blocked(x) { '#' } else { '.' })
                    .collect()
            })
            .collect();
        let map = Map::from_ascii(&cells.join("\n")).unwrap();
        Self {
            sim: Simulation::new(map, Config::default()).unwrap(),
            world: World::new(),
        }
    }

    /// Up to `count` units as `like` in free cells from `corner` on, row by row.
    fn group(
        &mut self,
        corner: (u32, u32),
        columns: u32,
        count: usize,
        like: UnitSpec,
    ) -> Vec<Entity> {
        let mut units = Vec::new();
        for cell in 0.. {
            if units.len() == count || cell / columns >= self.sim.map().height() - corner.1 {
                break;
            }
            let cell = Vec2::new(
                (corner.0 + cell % columns) as f32,
                (corner.1 + cell / columns) as f32,
            );
            let position = cell + 0.5;
            let spec = UnitSpec { position, ..like };
            units.extend(self.sim.spawn(&mut self.world, &spec));
        }
        assert_eq!(units.len(), count, "there is room for the group");
        units
    }

    fn order(&mut self, units: &[Entity], order: Order) {
        self.sim.order(&self.world, units, order, false).unwrap();
    }

    fn tick(&mut self, observer: &mut dyn StageObserver) {
        self.sim.tick_observed(&mut self.world, observer);
    }

    /// Ticks in which buffers grow to what the crowd needs.
    fn warm_up(&mut self, ticks: u32) {
        for _ in 0..ticks {
            self.tick(&mut ());
        }
    }

    /// Orders that ended so far.
    fn ended(&self) -> usize {
        let outcomes = &self.sim.units().outcome;
        let open = [Outcome::None, Outcome::Active];
        outcomes.iter().filter(|o| !open.contains(o)).count()
    }
}

/// Blocks taken from the heap, by stage.
#[derive(Default)]
struct Taken {
    stage: Option<Stage>,
    before: u64,
    by_stage: Vec<(Stage, u64)>,
}

impl Taken {
    fn close(&mut self) {
        let now = dhat::HeapStats::get().total_blocks;
        if let Some(stage) = self.stage.take()
            && now > self.before
        {
            self.by_stage.push((stage, now - self.before));
        }
        self.before = dhat::HeapStats::get().total_blocks;
    }
}

impl StageObserver for Taken {
    fn begin(&mut self, stage: Stage) {
        self.close();
        self.stage = Some(stage);
    }

    fn end(&mut self) {
        self.close();
    }
}

/// Runs `ticks` ticks that must take nothing from the heap, but for those in which a field is made:
/// none must be asked for more often than in every eighth.
fn run_without_heap(what: &str, crowd: &mut Crowd, ticks: u32) {
    let builder = dhat::Profiler::builder();
    let profiler = if std::env::var_os("THRONG_HEAP").is_some() {
        builder.build()
    } else {
        builder.testing().build()
    };
    let mut with_fields = 0;
    for _ in 0..ticks {
        let mut taken = Taken::default();
        let before = dhat::HeapStats::get().total_blocks;
        crowd.tick(&mut taken);
        let all = dhat::HeapStats::get().total_blocks - before;
        // The list of stages is itself on the heap, once it is not empty.
        if crowd.sim.field_work() > 0 {
            with_fields += 1;
            continue;
        }
        if all > 0 {
            let (tick, threads) = (crowd.sim.now() - 1, rayon::current_num_threads());
            drop(profiler);
            panic!(
                "{what}, {threads} threads, tick {tick}: {:?}",
                taken.by_stage
            );
        }
    }
    drop(profiler);
    assert!(
        with_fields <= ticks / 8,
        "{what}: fields in {with_fields} of {ticks} ticks"
    );
}

/// Three thousand in four groups, each to the corner across.
fn crowds_that_walk() {
    let mut crowd = Crowd::new(120);
    for (corner, to) in [
        ((4, 4), (105.5, 105.5)),
        ((80, 4), (15.5, 105.5)),
        ((4, 80), (105.5, 15.5)),
        ((80, 80), (15.5, 15.5)),
    ] {
        let units = crowd.group(corner, 34, 750, walker());
        let to = Vec2::new(to.0, to.1);
        crowd.order(&units, Order::Move { to });
    }
    crowd.warm_up(40);
    run_without_heap("walking", &mut crowd, 80);
    assert_eq!(crowd.ended(), 0, "all of them still walk");
}

/// Two crowds that find their places, some round those at rest, and then stand.
fn crowds_that_park() {
    let mut crowd = Crowd::new(60);
    let like = UnitSpec {
        speed: 0.2,
        ..walker()
    };
    for (corner, to) in [((4, 4), (46.5, 15.5)), ((4, 34), (46.5, 45.5))] {
        let units = crowd.group(corner, 26, 300, like);
        let to = Vec2::new(to.0, to.1);
        crowd.order(&units, Order::Move { to });
    }
    // Lots are laid out when the first come near, and ways in them sought when some rest.
    while crowd.ended() < 60 {
        crowd.warm_up(16);
        assert!(crowd.sim.now() < 1000, "the first park");
    }
    run_without_heap("parking", &mut crowd, 250);
    assert!(crowd.ended() > 450, "most came to rest: {}", crowd.ended());
    run_without_heap("settled", &mut crowd, 50);
}

/// CLIFF-8: forty queue behind one that stands in a corridor one cell wide. A new field or a search
/// for a way would take memory: after the first ticks there is none, only look-ups.
fn crowds_that_queue() {
    let (wall, free) = ("#".repeat(80), ".".repeat(80));
    let map = Map::from_ascii(&[&wall[..], &free, &wall].join("\n")).unwrap();
    let mut crowd = Crowd {
        sim: Simulation::new(map, Config::default()).unwrap(),
        world: World::new(),
    };
    let queue = crowd.group((2, 1), 45, 40, walker());
    let first = crowd.group((55, 1), 1, 1, walker());
    let to = Vec2::new(75.5, 1.5);
    crowd.order(&queue, Order::Move { to });
    crowd.order(&first, Order::Hold);
    crowd.warm_up(100);
    run_without_heap("queueing", &mut crowd, 300);
    assert_eq!(crowd.ended(), 0, "all of them still queue");
}

/// Wanderers, guards, chasers who have caught up, and two ranks in a fight without end.
fn brains() {
    let mut crowd = Crowd::new(80);
    let armed = Combat {
        health: 1e6,
        damage: 1.0,
        notice: 4.0,
        ..Combat::default()
    };
    let of = |brain: Brain, combat: Combat, team: u8| UnitSpec {
        brain,
        combat,
        team,
        ..walker()
    };
    crowd.group((4, 4), 60, 500, of(Brain::Wander, Combat::default(), 0));
    crowd.group((4, 30), 60, 500, of(Brain::Guard, armed, 0));
    let passive = Combat {
        stance: Stance::Passive,
        ..armed
    };
    let quarry = crowd.group((4, 60), 1, 1, of(Brain::None, passive, 0))[0];
    let chasers = crowd.group((20, 56), 10, 50, walker());
    crowd.order(&chasers, Order::Chase { target: quarry });
    for team in [0, 1] {
        crowd.group((40, 64 + team), 30, 20, of(Brain::Guard, armed, team as u8));
    }
    crowd.warm_up(250);
    run_without_heap("brains", &mut crowd, 150);
    let health = &crowd.sim.units().health;
    let hit = |&&health: &&f32| health < 1e6 && health > 1e3;
    assert!(health.iter().filter(hit).count() >= 30, "they do fight");
}

#[test]
fn a_steady_tick_takes_nothing_from_the_heap() {
    for threads in [1, 2] {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        pool.install(|| {
            crowds_that_walk();
            crowds_that_park();
            crowds_that_queue();
            brains();
        });
    }
}
