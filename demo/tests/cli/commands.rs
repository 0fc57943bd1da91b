//! What the commands do.

use std::fs;

use crate::program::{Folder, WALK, run};

#[test]
fn a_good_run_ends_with_0_and_a_missed_bar_with_1() {
    let folder = Folder::new("good");
    let (code, out, err) = run(&["run", &folder.file("walk.toml", WALK)]);
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    assert!(out.contains("walk"), "{out}");

    let missed = folder.file("missed.toml", &WALK.replace("ticks = 200", "ticks = 5"));
    let (code, out, err) = run(&["run", &missed]);
    assert_eq!(code, 1, "{out}{err}");
    assert!(out.contains("arrived_min"), "{out}{err}");
}

#[test]
fn thread_counts_agree() {
    let folder = Folder::new("threads");
    let file = folder.file("walk.toml", WALK);
    let hashes = ["1", "2", "7", "32"].map(|n| {
        let path = folder.path(n);
        run(&["run", &file, "--threads", n, "--hashes", &path]);
        fs::read_to_string(path).unwrap()
    });
    assert!(hashes.iter().all(|h| *h == hashes[0]));
}

#[test]
fn maps_are_described_and_converted() {
    let folder = Folder::new("maps");
    let text = ".....\n..###\n..#..\n";
    let map = folder.file("a.txt", text);
    let (code, out, _) = run(&["map", "info", &map]);
    assert_eq!(code, 0);
    assert!(
        out.contains("5 x 3") && out.contains("11 of 15") && out.contains("components  2"),
        "{out}"
    );
    let (moving, png, back) = (
        folder.path("b.map"),
        folder.path("c.png"),
        folder.path("d.txt"),
    );
    for [from, to] in [[&map, &moving], [&moving, &png], [&png, &back]] {
        assert_eq!(
            run(&["map", "convert", from, to]),
            (0, String::new(), String::new())
        );
    }
    assert_eq!(
        fs::read_to_string(back).unwrap().trim_end(),
        text.trim_end()
    );
}

#[test]
fn paths_are_measured_and_dirty_rows_skipped() {
    let folder = Folder::new("paths");
    let map = folder.file("a.txt", ".....\n.....\n..###\n..#..\n");
    let scen = folder.file(
        "a.scen",
        "version 1\n\
         0\ta.txt\t5\t4\t0\t0\t4\t0\t4\n\
         0\ta.txt\t5\t4\t0\t0\t4\t0\t3\n\
         0\ta.txt\t5\t4\t0\t0\t4\t3\t5\n\
         0\ta.txt\t9\t4\t0\t0\t4\t0\t4\n\
         not a row\n\
         1\ta.txt\t5\t4\t0\t3\t4\t1\t5.41421\n",
    );
    let (code, out, err) = run(&["path", "--map", &map, "--scen", &scen, "--json", "-"]);
    assert_eq!(code, 0, "{err}");
    let skipped: Vec<bool> = (3..=6)
        .map(|n| err.contains(&format!("a.scen:{n}:")))
        .collect();
    assert_eq!((skipped, err.lines().count()), (vec![true; 4], 4), "{err}");
    let results: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(
        (
            &results["scenarios"],
            &results["skipped"],
            &results["failed"]
        ),
        (&6.into(), &4.into(), &0.into())
    );
    let length = results["rows"][0]["length"].as_f64().unwrap();
    assert!((3.9..4.1).contains(&length), "{length}");

    let (code, out, _) = run(&["path", "--map", &map, "--from", "0,3", "--to", "4,1"]);
    assert_eq!(code, 0);
    assert!(out.contains("5.414"), "{out}");
}

#[test]
fn a_recording_replays_and_a_changed_one_is_found_out() {
    let folder = Folder::new("replay");
    let walk = folder.file("walk.toml", WALK);
    let log = folder.path("walk.log");
    assert_eq!(run(&["record", &walk, "--out", &log]).0, 0);
    assert_eq!(run(&["replay", &log, "--verify"]).0, 0);
    assert_eq!(run(&["replay", &log]).0, 0);
}
