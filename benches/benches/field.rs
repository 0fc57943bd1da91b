//! Flow fields: distances, directions and lines of sight over a whole map.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use glam::Vec2;
use std::hint::black_box;
use throng::Map;
use throng::field::{FlowField, Seed};
use throng::map::SizeClass;
use throng_scenes::bench_crowd::bench_crowd;

fn build(map: &Map, goal: Vec2) -> FlowField {
    let cell = goal.y as u32 * map.width() + goal.x as u32;
    let seed = Seed {
        cell,
        cost: goal.distance(goal.floor() + 0.5),
    };
    FlowField::build(&map.nav(SizeClass::of(0.4)).occupancy, &[seed], Some(goal))
}

fn whole(c: &mut Criterion) {
    let mut group = c.benchmark_group("field");
    group.sample_size(20);
    for (name, map) in [
        (
            "open 1024x1024",
            Map::open(1024, 1024).expect("the size is allowed"),
        ),
        ("half open, half blocks 1000x1000", blocks()),
    ] {
        let goal = Vec2::new(map.width() as f32 * 0.92, map.height() as f32 * 0.5);
        group.throughput(Throughput::Elements(
            u64::from(map.width()) * u64::from(map.height()),
        ));
        group.bench_with_input(BenchmarkId::from_parameter(name), &map, |b, map| {
            b.iter(|| build(map, black_box(goal)))
        });
    }
    group.finish();
}

fn sample(c: &mut Criterion) {
    let map = blocks();
    let goal = Vec2::new(map.width() as f32 * 0.92, map.height() as f32 * 0.5);
    let field = build(&map, goal);
    let (sim, _world) = bench_crowd(100_000).expect("the crowd fits");
    let places = sim.units().position.clone();
    let mut group = c.benchmark_group("guidance");
    group.throughput(Throughput::Elements(places.len() as u64));
    group.bench_function("sample", |b| {
        b.iter(|| {
            places
                .iter()
                .map(|p| field.guide(*p, goal).direction)
                .sum::<Vec2>()
        })
    });
    group.finish();
}

/// The map of the bench crowd of a hundred thousand.
fn blocks() -> Map {
    bench_crowd(100_000)
        .expect("the crowd fits")
        .0
        .map()
        .clone()
}

criterion_group!(benches, whole, sample);
criterion_main!(benches);
