//! Hashes of the built-in scenarios: the same on any number of threads, in any build profile, and
//! the same as they were. Run with `THRONG_BLESS=1` to write the golden file anew after a change
//! that is meant to move units otherwise.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use throng_scenes::{RunOptions, Runner, builtin};

/// Unit ticks of each run: large scenarios are run for fewer ticks.
const UNIT_TICKS: u64 = 60_000;
const THREADS: [usize; 4] = [1, 2, 7, 32];
const GOLDEN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden_hashes.txt");

/// Ticks run and the hash after each.
fn hashes(builtin: &builtin::Builtin, threads: usize) -> Vec<u64> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .unwrap();
    pool.install(|| {
        let scenario = builtin.build();
        let ticks = (UNIT_TICKS / scenario.unit_count() as u64)
            .clamp(12, 200)
            .min(scenario.ticks);
        let mut runner = Runner::new(
            scenario,
            RunOptions {
                ticks: Some(ticks),
                ..RunOptions::default()
            },
        )
        .unwrap();
        let mut hashes = Vec::new();
        while !runner.is_done() {
            runner.step().unwrap();
            hashes.push(runner.state_hash());
        }
        hashes
    })
}

#[test]
fn every_builtin_scenario_hashes_the_same_on_any_number_of_threads() {
    let mut found = BTreeMap::new();
    for builtin in builtin::all() {
        let one = hashes(builtin, THREADS[0]);
        for threads in &THREADS[1..] {
            let other = hashes(builtin, *threads);
            let differs = one.iter().zip(&other).position(|(a, b)| a != b);
            assert_eq!(
                differs, None,
                "{}: first tick that differs on {threads} threads",
                builtin.name
            );
        }
        found.insert(builtin.name, (one.len(), *one.last().unwrap()));
    }
    check_golden(&found);
}

fn check_golden(found: &BTreeMap<&str, (usize, u64)>) {
    let mut text = String::new();
    for (name, (ticks, hash)) in found {
        writeln!(text, "{name} {ticks} {hash:016x}").unwrap();
    }
    if std::env::var_os("THRONG_BLESS").is_some() {
        std::fs::write(GOLDEN, text).unwrap();
        return;
    }
    if !Path::new(GOLDEN).exists() {
        println!("skipped: no golden file yet");
        return;
    }
    let golden = std::fs::read_to_string(GOLDEN).unwrap();
    for (line, golden) in text.lines().zip(golden.lines()) {
        assert_eq!(
            line, golden,
            "name, ticks, hash; THRONG_BLESS=1 accepts the new ones"
        );
    }
    assert_eq!(
        text.lines().count(),
        golden.lines().count(),
        "scenarios in {GOLDEN}"
    );
}
