//! Kernels of the steering: the article's scan, the angular mask, the sort into cells.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use glam::Vec2;
use std::hint::black_box;
use throng::map::Occupancy;
use throng::spatial::CellOrder;
use throng::steer::mask;
use throng::steer::scan::{Walker, scan_step};
use throng::{Map, Simulation, Steering};
use throng_scenes::bench_crowd::bench_crowd;

/// A thousand walkers spread over the bench crowd's map, each bound for the opposite place.
fn walkers() -> (Map, Vec<Walker>) {
    let (sim, _world) = bench_crowd(1000).expect("a thousand units fit");
    let units = sim.units();
    let n = units.len();
    let walkers = (0..n)
        .map(|i| Walker {
            at: units.position[i],
            target: units.position[n - 1 - i],
            heading: i as f32 % 6.0 - 3.0,
            step: 0.1,
            radius: 0.4,
        })
        .collect();
    (sim.map().clone(), walkers)
}

fn occupancy(map: &Map) -> &Occupancy {
    &map.nav(throng::map::SizeClass::of(0.4)).occupancy
}

fn scan(c: &mut Criterion) {
    let (map, walkers) = walkers();
    let cells = occupancy(&map);
    let steering = Steering::default();
    let mut group = c.benchmark_group("scan");
    group.throughput(Throughput::Elements(walkers.len() as u64));
    group.bench_function("article", |b| {
        b.iter(|| {
            walkers
                .iter()
                .map(|w| scan_step(cells, w, &steering))
                .sum::<Vec2>()
        })
    });
    group.finish();
}

fn mask_parts(c: &mut Criterion) {
    let (map, walkers) = walkers();
    let cells = occupancy(&map);
    let offsets: Vec<Vec2> = walkers.iter().map(|w| (w.target - w.at) * 0.02).collect();
    let masks: Vec<u64> = walkers
        .iter()
        .map(|w| mask::walls(cells, w.at, w.radius))
        .collect();
    let mut group = c.benchmark_group("mask");
    group.throughput(Throughput::Elements(walkers.len() as u64));
    group.bench_function("walls", |b| {
        b.iter(|| {
            walkers
                .iter()
                .fold(0, |m, w| m ^ mask::walls(cells, w.at, w.radius))
        })
    });
    group.bench_function("neighbour", |b| {
        let apex = black_box(Vec2::new(0.03, 0.02));
        b.iter(|| {
            offsets
                .iter()
                .fold(0, |m, o| m ^ mask::neighbour(*o, 0.8, apex, 0.1))
        })
    });
    group.bench_function("pick", |b| {
        b.iter(|| {
            let picks = masks
                .iter()
                .enumerate()
                .map(|(i, m)| mask::pick(*m, i as u32 & 63, 1, 2));
            picks.flatten().sum::<i32>()
        })
    });
    group.finish();
}

fn sort(c: &mut Criterion) {
    let mut group = c.benchmark_group("sort into cells");
    for n in [1_000, 10_000, 100_000] {
        let (sim, _world): (Simulation, _) = bench_crowd(n).expect("the crowd fits");
        let points = sim.units().position.clone();
        let mut order = CellOrder::new(sim.map().width(), sim.map().height());
        group.throughput(Throughput::Elements(u64::from(n)));
        group.bench_with_input(BenchmarkId::from_parameter(n), &points, |b, points| {
            b.iter(|| order.sort(black_box(points)))
        });
    }
    group.finish();
}

criterion_group!(benches, scan, mask_parts, sort);
criterion_main!(benches);
