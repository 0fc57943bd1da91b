//! A crowd on a map of 4096 x 4096 cells: what a tick costs while fields are under way and edits
//! come in, and what memory it takes.
//!
//! `cargo run --release -p throng --example large_map -- [units] [goals] [ticks] [edits a tick] [side]`
#![allow(clippy::print_stdout)]

use std::time::Instant;

use glam::Vec2;
use hecs::World;
use throng::map::CellRect;
use throng::{Config, Map, Order, Outcome, Simulation, Stage, StageObserver, UnitSpec};

/// Time by stage, milliseconds.
#[derive(Default)]
struct Clock {
    spent: [f64; Stage::ALL.len()],
    now: Option<(usize, Instant)>,
}

impl Clock {
    fn stop(&mut self) {
        if let Some((stage, begun)) = self.now.take() {
            self.spent[stage] += begun.elapsed().as_secs_f64() * 1e3;
        }
    }
}

impl StageObserver for Clock {
    fn begin(&mut self, stage: Stage) {
        self.stop();
        let index = Stage::ALL.iter().position(|&other| other == stage);
        self.now = index.map(|index| (index, Instant::now()));
    }

    fn end(&mut self) {
        self.stop();
    }
}

/// A repeatable sequence of numbers below `bound`.
struct Draw(u64);

impl Draw {
    fn below(&mut self, bound: u32) -> u32 {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        ((self.0 >> 33) % u64::from(bound)) as u32
    }

    fn rect(&mut self, side: u32, least: u32, most: u32) -> CellRect {
        let (x, y) = (self.below(side) as i32, self.below(side) as i32);
        let mut side = || (least + self.below(most - least)) as i32;
        let (w, h) = (side(), side());
        CellRect::new(x, y, x + w, y + h)
    }
}

fn main() {
    let mut args = std::env::args()
        .skip(1)
        .map(|arg| arg.parse().expect("a number"));
    let mut next = |default: u32| args.next().unwrap_or(default);
    let (units, goals, ticks, edits) = (next(200_000), next(64), next(600), next(0));
    let side = next(4096);
    let mut draw = Draw(1);
    let begun = Instant::now();
    let mut map = Map::open(side, side).expect("a map of this size may be");
    for _ in 0..side * side / 2800 {
        map.paint(draw.rect(side, 4, 40), true);
    }
    println!("map painted: {:.0} ms", begun.elapsed().as_secs_f64() * 1e3);
    let text = std::env::temp_dir().join("throng_large.map");
    if map.save(&text).is_ok() {
        let begun = Instant::now();
        let loaded = Map::load(&text);
        println!(
            "map loaded from a file: {:.0} ms",
            begun.elapsed().as_secs_f64() * 1e3
        );
        map = loaded.unwrap_or(map);
    }
    let begun = Instant::now();
    let mut sim = Simulation::new(map, Config::default()).expect("the settings are right");
    println!(
        "simulation made: {:.0} ms",
        begun.elapsed().as_secs_f64() * 1e3
    );
    let mut world = World::new();
    let begun = Instant::now();
    for group in 0..goals {
        let corner = Vec2::new(draw.below(side - 120) as f32, draw.below(side - 120) as f32);
        let mut members = Vec::new();
        for place in 0.. {
            if members.len() as u32 == units / goals {
                break;
            }
            let position = corner + Vec2::new((place % 100) as f32, (place / 100) as f32) + 0.5;
            let spec = UnitSpec {
                position,
                speed: 0.1,
                radius: 0.35,
                team: group as u8,
                ..UnitSpec::default()
            };
            members.extend(sim.spawn(&mut world, &spec).ok());
            if place > 20_000 {
                break;
            }
        }
        loop {
            let to = Vec2::new(draw.below(side) as f32 + 0.5, draw.below(side) as f32 + 0.5);
            if !sim.map().is_blocked(to.x as i32, to.y as i32) {
                sim.order(&world, &members, Order::Move { to }, false)
                    .expect("it is on the map");
                break;
            }
        }
    }
    println!(
        "{} units spawned: {:.0} ms",
        sim.units().len(),
        begun.elapsed().as_secs_f64() * 1e3
    );
    let (mut times, mut clock, mut most) = (Vec::new(), Clock::default(), 0);
    let mut late = 0;
    for tick in 0..ticks {
        for _ in 0..edits {
            let rect = draw.rect(side, 2, 6);
            let blocked = draw.below(2) == 0;
            // Off the map now and then.
            let _ = sim.edit(rect, blocked);
        }
        let begun = Instant::now();
        sim.tick_observed(&mut world, &mut clock);
        times.push(begun.elapsed().as_secs_f64() * 1e3);
        most = most.max(sim.field_work());
        if sim.fields_pending() > 0 {
            late = tick + 1;
        }
        if tick == 1 {
            let moving = sim
                .units()
                .velocity
                .iter()
                .filter(|v| v.length() > 0.001)
                .count();
            println!("moving in the second tick: {moving}");
        }
        if (tick + 1) % 100 == 0 {
            println!(
                "tick {}: {} fields under way, {:?}",
                tick + 1,
                sim.fields_pending(),
                sim.memory()
            );
        }
    }
    let share = |time: f64| time / f64::from(ticks);
    for (stage, spent) in Stage::ALL.iter().zip(clock.spent) {
        println!("{:8} {:7.2} ms a tick", stage.name(), share(spent));
    }
    let first = times.remove(0);
    times.sort_by(f64::total_cmp);
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize];
    println!(
        "ms per tick: first {first:.1}, p50 {:.1}, p99 {:.1}, max {:.1}; most field work {most}; fields there after {late} ticks",
        at(0.5),
        at(0.99),
        at(1.0)
    );
    let moving = sim
        .units()
        .outcome
        .iter()
        .filter(|outcome| **outcome == Outcome::Active)
        .count();
    println!("still under way: {moving}");
}
