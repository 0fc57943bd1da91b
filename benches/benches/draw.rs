//! What a picture costs the processor before the device draws it: units looked through, put in
//! order, packed and sent. Each picture is of a new tick, so nothing is reused. Without an adapter
//! there is nothing to measure.

use std::path::Path;
use std::time::{Duration, Instant};

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use throng::Simulation;
use throng::sprite::{Atlas, Part, Rig, Sheet, TickRate, Troupe, troupe};
use throng_render::{Frame, Gpu, Layers, Renderer, UnitColumns, View, simulation};
use throng_scenes::bench_crowd::{WARM_UP_TICKS, bench_crowd};

const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;
const SIZE: [u32; 2] = [1920, 1080];

fn pictures(c: &mut Criterion) {
    let Ok(gpu) = Gpu::headless() else {
        return;
    };
    let mut group = c.benchmark_group("extract and upload");
    for units in [10_000, 100_000] {
        let (mut crowd, mut world) = bench_crowd(units).expect("the crowd fits");
        for _ in 0..WARM_UP_TICKS {
            crowd.tick(&mut world);
        }
        let side = crowd.map().width() as f32;
        for (name, share) in [("all in view", 1.0), ("a hundredth in view", 0.1)] {
            let part = side * share;
            let corner = (side - part) / 2.0;
            let view = View::fit([corner, corner, part, part], SIZE);
            let columns = simulation::columns(&crowd, &[]);
            let mut renderer = Renderer::new(&gpu.device, &gpu.queue, FORMAT);
            let seen = prepare(&mut renderer, &gpu, view, columns, 0).units;
            group.throughput(Throughput::Elements(seen as u64));
            group.bench_function(BenchmarkId::new(name, units), |b| {
                b.iter_custom(|n| time(&mut renderer, &gpu, view, &crowd, n));
            });
        }
    }
    group.finish();
}

/// A tick's worth of sprites: what each of the walking units shows next.
fn sprites(c: &mut Criterion) {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../demo/assets/soldier.toml");
    let (sheet, image) = Sheet::load(Path::new(file)).expect("the demo's sheet");
    let atlas = Atlas::pack(&[(&sheet, Some(&image))], 2048).expect("it fits");
    let rig = Rig::new(&sheet, TickRate::default()).expect("it has all clips");
    let (mut crowd, mut world) = bench_crowd(100_000).expect("the crowd fits");
    for _ in 0..WARM_UP_TICKS {
        crowd.tick(&mut world);
    }
    let (mut troupe, mut now) = (Troupe::new(vec![rig]), crowd.now());
    let mut group = c.benchmark_group("sprites");
    group.throughput(Throughput::Elements(crowd.units().len() as u64));
    group.bench_function("100000", |b| {
        b.iter(|| {
            now += 1;
            troupe.update(now, crowd.units(), &atlas, |row| Part {
                sheet: 0,
                action: troupe::action(crowd.units(), row, now),
            });
        });
    });
    group.finish();
}

/// Time of `n` pictures; waiting for the device to be ready for the next is not counted.
fn time(renderer: &mut Renderer, gpu: &Gpu, view: View, crowd: &Simulation, n: u64) -> Duration {
    let mut spent = Duration::ZERO;
    for tick in 1..=n {
        let start = Instant::now();
        prepare(renderer, gpu, view, simulation::columns(crowd, &[]), tick);
        gpu.queue.submit([]);
        spent += start.elapsed();
        gpu.device
            .poll(wgpu::PollType::wait_indefinitely())
            .expect("the device is there");
    }
    // The tick that comes first next time must not be the one that came last.
    prepare(renderer, gpu, view, UnitColumns::default(), 0);
    spent
}

fn prepare(
    renderer: &mut Renderer,
    gpu: &Gpu,
    view: View,
    units: UnitColumns<'_>,
    tick: u64,
) -> throng_render::DrawStats {
    let frame = Frame {
        view,
        layers: Layers::default(),
        tick,
        blend: 0.5,
        units,
        below: &[],
        above: &[],
    };
    renderer.prepare(&gpu.device, &gpu.queue, &frame)
}

criterion_group!(benches, pictures, sprites);
criterion_main!(benches);
