//! Whole ticks of the bench crowd, everybody on the way, on one thread and on all cores.

use std::time::{Duration, Instant};

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use throng_scenes::bench_crowd::{WARM_UP_TICKS, bench_crowd, measured_ticks};

fn ticks(c: &mut Criterion) {
    let cores = std::thread::available_parallelism().map_or(1, |n| n.get());
    let mut group = c.benchmark_group("tick");
    group
        .sample_size(10)
        .measurement_time(Duration::from_secs(10));
    for units in [1_000, 10_000, 100_000] {
        group.throughput(Throughput::Elements(u64::from(units)));
        for threads in [1, cores] {
            let pool = rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .build()
                .expect("threads start");
            let id = BenchmarkId::new(format!("{threads} threads"), units);
            group.bench_function(id, |b| b.iter_custom(|n| pool.install(|| walk(units, n))));
            if cores == 1 {
                break;
            }
        }
    }
    group.finish();
}

/// Time of `n` ticks of fresh crowds, each measured only while everybody is on the way.
fn walk(units: u32, n: u64) -> Duration {
    let mut spent = Duration::ZERO;
    let mut left = n;
    while left > 0 {
        let (mut sim, mut world) = bench_crowd(units).expect("the crowd fits");
        for _ in 0..WARM_UP_TICKS {
            sim.tick(&mut world);
        }
        let now = left.min(u64::from(measured_ticks(units)));
        let start = Instant::now();
        for _ in 0..now {
            sim.tick(&mut world);
        }
        spent += start.elapsed();
        left -= now;
    }
    spent
}

criterion_group!(benches, ticks);
criterion_main!(benches);
