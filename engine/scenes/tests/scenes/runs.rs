//! Runs and their figures, on cases that can be worked out by hand.

use std::path::Path;

use throng_scenes::{RunOptions, Runner, Scenario, Trace, write_hash};

fn scenario(text: &str) -> Scenario {
    Scenario::parse(text, Path::new("")).unwrap()
}

fn run(text: &str) -> Runner {
    let mut runner = Runner::new(scenario(text), RunOptions::default()).unwrap();
    while !runner.is_done() {
        runner.step().unwrap();
    }
    runner
}

const LONE: &str = "
    name = 'lone'
    ticks = 400
    map = { empty = [30, 10] }
    units = [{ group = 'a', count = 1, area = [1.6, 4.6, 2.4, 5.4] }]
    orders = [{ tick = 10, units = 'a', order = 'move', to = [22.0, 5.0] }]
    expect = { arrived_min = 1.0, reached_min = 1.0, t95_max = 300, residual_max = 0.001, max_penetration = 0.0 }";

#[test]
fn a_lone_unit_walks_straight_to_its_goal() {
    let runner = run(LONE);
    let report = runner.report();
    assert_eq!((report.units, report.alive, report.ticks), (1, 1, 400));
    assert_eq!(report.orders.arrived, 1);
    // 20 cells at 0.1 a tick, less what it may stop short of the point.
    let ticks = report.arrival_ticks.max.unwrap();
    assert!((180..=215).contains(&ticks), "{ticks}");
    assert_eq!(report.arrival_ticks.p50, Some(ticks));
    let settled = report.settle_tick.unwrap();
    assert!(
        settled >= 10 + ticks && settled < 10 + ticks + 30,
        "{settled}"
    );
    assert_eq!(report.wall_violations, 0);
    assert_eq!(report.penetration.max, 0.0);
    let ratio = report.path_ratio.p50.unwrap();
    assert!((ratio - 1.0).abs() < 0.03, "{ratio}");
    assert!(
        report.heading_jitter_deg < 0.5,
        "{}",
        report.heading_jitter_deg
    );
    assert_eq!(report.residual_speed, 0.0);
    assert_eq!(report.hard_stops, 0);
    assert_eq!(report.misses(&runner.scenario().expect), []);
}

#[test]
fn missed_bars_are_listed_with_bar_and_figure() {
    let runner = run(&LONE.replace("t95_max = 300", "t95_max = 20, path_ratio_p50_max = 0.5"));
    let misses = runner.report().misses(&runner.scenario().expect);
    let keys: Vec<_> = misses.iter().map(|m| m.key).collect();
    assert_eq!(keys, ["path_ratio_p50_max", "t95_max"]);
    assert!(
        misses[1]
            .to_string()
            .starts_with("t95_max is 20, but the run has ")
    );
}

#[test]
fn a_bar_with_nothing_to_measure_is_missed() {
    let text = "
        name = 'idle'
        ticks = 5
        map = { empty = [8, 8] }
        units = [{ group = 'a', count = 3, area = [1, 1, 6, 6] }]
        expect = { arrived_min = 0.5, jitter_deg_max = 9.0 }";
    let runner = run(text);
    let report = runner.report();
    let misses = report.misses(&runner.scenario().expect);
    assert_eq!(misses.len(), 2);
    assert!(misses.iter().all(|m| m.figure.is_none()));
    assert_eq!(report.arrival_ticks.max, None);
    assert_eq!(report.settle_tick, None);
    assert_eq!(report.path_ratio.p50, None);
}

#[test]
fn the_json_has_the_keys_of_the_contract_in_order() {
    let json = run(LONE).report().to_json();
    let mut rest = json.as_str();
    for key in [
        "scenario",
        "map",
        "ticks",
        "tick_rate",
        "seed",
        "threads",
        "units",
        "alive",
        "orders",
        "arrived",
        "settled_near",
        "unreachable",
        "stuck",
        "active",
        "arrival_ticks",
        "p50",
        "p95",
        "max",
        "settle_tick",
        "wall_violations",
        "penetration",
        "max",
        "mean",
        "share_over_0_2",
        "path_ratio",
        "p50",
        "p95",
        "heading_jitter_deg",
        "residual_speed",
        "hard_stops",
        "ms_per_tick",
        "mean",
        "p50",
        "p99",
        "max",
        "ns_per_unit_tick",
        "stages_ms",
        "orders",
        "fields",
        "spatial",
        "steer",
        "relax",
        "settle",
        "brains",
        "memory_bytes",
        "map",
        "fields",
        "units",
        "state_hash",
        "version",
    ] {
        let quoted = format!("\"{key}\":");
        let at = rest
            .find(&quoted)
            .unwrap_or_else(|| panic!("{key} is missing or out of order: {json}"));
        rest = &rest[at + quoted.len()..];
    }
    assert!(json.contains("\"map\":[30,10],\"ticks\":400,\"tick_rate\":30.0,\"seed\":0,"));
}

#[test]
fn options_replace_seed_and_length() {
    let text = LONE.replace(
        "count = 1, area = [1.6, 4.6, 2.4, 5.4]",
        "count = 5, speed_spread = 0.5, area = [1, 1, 6, 9]",
    );
    let speeds = |seed| {
        let options = RunOptions {
            seed: Some(seed),
            ticks: Some(3),
        };
        let mut runner = Runner::new(scenario(&text), options).unwrap();
        while !runner.is_done() {
            runner.step().unwrap();
        }
        assert_eq!(runner.report().ticks, 3);
        assert_eq!(runner.report().seed, seed);
        runner.simulation().units().speed.clone()
    };
    assert_ne!(speeds(1), speeds(2));
    for speed in speeds(1) {
        assert!((0.05..=0.15).contains(&speed), "{speed}");
    }
}

#[test]
fn a_unit_refused_by_the_simulation_is_named_by_key() {
    let error = |from: &str, to: &str| {
        let s = scenario(&LONE.replace(from, to));
        Runner::new(s, RunOptions::default())
            .err()
            .unwrap()
            .to_string()
    };
    let big = error(
        "area = [1.6, 4.6, 2.4, 5.4]",
        "area = [1, 1, 9, 9], speed = 3000.0",
    );
    assert!(big.starts_with("units[0].speed: "), "{big}");
    let full = error("count = 1", "count = 7");
    assert!(
        full.starts_with("units[0].area: room for 1 of 7 units"),
        "{full}"
    );
}

#[test]
fn edits_come_before_orders_and_both_at_their_tick() {
    let text = "
        name = 'edit'
        ticks = 60
        map = { empty = [20, 9] }
        units = [{ group = 'a', count = 1, area = [3, 3, 4, 4] }]
        orders = [{ tick = 20, units = 'a', order = 'move', to = [15.5, 3.5] }]
        edits = [{ tick = 20, rect = [10, 0, 11, 9], blocked = true }, { tick = 40, rect = [10.2, 3.9, 10.4, 4.1], blocked = false }]";
    let mut runner = Runner::new(scenario(text), RunOptions::default()).unwrap();
    while !runner.is_done() {
        runner.step().unwrap();
        let tick = runner.simulation().now() - 1;
        let map = runner.simulation().map();
        assert_eq!(map.is_blocked(10, 0), tick >= 20, "tick {tick}");
        assert_eq!(
            map.is_blocked(10, 3),
            (20..40).contains(&tick),
            "tick {tick}"
        );
        assert_eq!(
            map.is_blocked(10, 4),
            (20..40).contains(&tick),
            "tick {tick}"
        );
        assert_eq!(runner.given().orders.len(), usize::from(tick == 20));
        assert_eq!(
            runner.given().edits.len(),
            usize::from(tick == 20 || tick == 40)
        );
    }
}

#[test]
fn groups_of_one_name_are_ordered_together() {
    let text = "
        name = 'two'
        ticks = 2
        map = { empty = [20, 9] }
        units = [
            { group = 'a', count = 2, area = [1, 1, 4, 4] },
            { group = 'b', count = 1, area = [5, 1, 7, 4] },
            { group = 'a', count = 3, area = [8, 1, 12, 4], radius = 0.3 },
        ]
        orders = [{ tick = 0, units = 'a', order = 'move', to = [15.5, 7.5] }]";
    let runner = run(text);
    let groups: Vec<_> = (0..6).map(|u| runner.group_of(u).to_owned()).collect();
    assert_eq!(groups, ["a", "a", "b", "a", "a", "a"]);
    assert_eq!(runner.report().orders.active, 5);
    let packed = 0.4 * (5.0f64 / 0.55).sqrt() + 1.0;
    assert!((runner.groups()[0].packed - packed).abs() < 1e-6);
}

#[test]
fn traces_have_a_row_per_unit_for_sampled_ticks_and_the_last() {
    let mut runner = Runner::new(
        scenario(&LONE.replace("ticks = 400", "ticks = 12")),
        RunOptions::default(),
    )
    .unwrap();
    let mut trace = Trace::new(Vec::new(), 5).unwrap();
    let mut hashes = Vec::new();
    while !runner.is_done() {
        runner.step().unwrap();
        trace.tick(&runner).unwrap();
        write_hash(&mut hashes, &runner).unwrap();
    }
    let text = String::from_utf8(trace.finish(&runner).unwrap()).unwrap();
    let lines: Vec<_> = text.lines().collect();
    assert_eq!(lines[0], "tick,unit,group,x,y,heading,radius,state,outcome");
    assert_eq!(lines.len(), 5, "{text}");
    assert_eq!(lines[1], "0,0,a,2,5,0,0.400000006,idle,none");
    let ticks: Vec<_> = lines[1..]
        .iter()
        .map(|l| l.split(',').next().unwrap())
        .collect();
    assert_eq!(ticks, ["0", "5", "10", "11"]);
    assert!(lines[4].ends_with(",move,active"), "{}", lines[4]);
    let x: f32 = lines[4].split(',').nth(3).unwrap().parse().unwrap();
    assert_eq!(x, runner.simulation().units().position[0].x);
    let hashes = String::from_utf8(hashes).unwrap();
    assert_eq!(hashes.lines().count(), 12);
    assert_eq!(
        hashes.lines().last().unwrap(),
        format!("11 {:016x}", runner.state_hash())
    );
}

#[test]
fn pointers_are_run_after_and_never_reached() {
    let mut runner = Runner::new(
        Scenario::find("article").unwrap(),
        RunOptions {
            ticks: Some(120),
            ..RunOptions::default()
        },
    )
    .unwrap();
    let start = runner.simulation().units().position.clone();
    while !runner.is_done() {
        runner.step().unwrap();
        assert_eq!(runner.given().orders.len(), 1);
    }
    let moved = runner
        .simulation()
        .units()
        .position
        .iter()
        .zip(&start)
        .filter(|(a, b)| a.distance(**b) > 1.0)
        .count();
    assert!(moved > 40, "{moved} of 50 have moved");
}
