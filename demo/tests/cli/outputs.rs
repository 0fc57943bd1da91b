//! Where figures go.

use std::fs;
use std::io::Read;
use std::path::Path;
use std::process::Stdio;

use crate::program::{Folder, WALK, refused, run, throng};

#[test]
fn json_on_stdout_is_json_alone() {
    let folder = Folder::new("json");
    let file = folder.file("walk.toml", WALK);
    let (code, out, _) = run(&["run", &file, "--json", "-", "--threads", "2", "--seed", "9"]);
    assert_eq!(code, 0);
    let report: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(report["threads"], 2);
    assert_eq!(report["seed"], 9);
    assert_eq!(report["units"], 4);
    assert_eq!(report["map"], serde_json::json!([12, 5]));
    for key in [
        "orders",
        "arrival_ticks",
        "penetration",
        "path_ratio",
        "ms_per_tick",
        "stages_ms",
        "memory_bytes",
    ] {
        assert!(report[key].is_object(), "{key}");
    }
}

#[test]
fn trace_and_hashes_have_their_rows() {
    let folder = Folder::new("trace");
    let file = folder.file("walk.toml", WALK);
    let (trace, hashes) = (folder.path("t.csv"), folder.path("h.txt"));
    let args = [
        "run",
        &file,
        "--ticks",
        "50",
        "--trace",
        &trace,
        "--trace-every",
        "20",
        "--hashes",
        &hashes,
    ];
    run(&args);
    let text = fs::read_to_string(trace).unwrap();
    let mut lines = text.lines();
    assert_eq!(
        lines.next(),
        Some("tick,unit,group,x,y,heading,radius,state,outcome")
    );
    let ticks: Vec<&str> = lines
        .map(|l| l.split(',').next().unwrap())
        .step_by(4)
        .collect();
    assert_eq!(ticks, ["0", "20", "40", "49"]);
    let text = fs::read_to_string(hashes).unwrap();
    assert_eq!(text.lines().count(), 50);
    assert!(
        text.lines()
            .next()
            .is_some_and(|l| l.starts_with("0 ") && l.len() == 18),
        "{text}"
    );
}

#[test]
fn unwritable_outputs_are_2() {
    let folder = Folder::new("unwritable");
    let walk = folder.file("walk.toml", WALK);
    let nowhere = folder.path("no/such/folder/file");
    for flag in ["--json", "--trace", "--hashes"] {
        refused(&["run", &walk, flag, &nowhere], &["no/such/folder/file"]);
        refused(&["run", &walk, flag, &folder.path("")], &["cannot write"]);
        if Path::new("/dev/full").exists() {
            let (code, _, err) = run(&["run", &walk, flag, "/dev/full"]);
            assert_eq!((code, err.lines().count()), (2, 1), "{flag}: {err}");
            assert!(err.contains("/dev/full"), "{err}");
        }
    }
    refused(&["run", &walk, "--json", "-", "--trace", "-"], &["'-'"]);
    refused(
        &["record", &walk, "--out", &nowhere],
        &["no/such/folder/file"],
    );
    refused(
        &["bench", "--units", "10", "--json", &nowhere],
        &["no/such/folder/file"],
    );
    let map = folder.file("good.txt", "...\n");
    refused(
        &["map", "convert", &map, &nowhere],
        &["no/such/folder/file"],
    );
    refused(
        &["map", "convert", &map, &folder.path("out.xyz")],
        &["out.xyz", ".map"],
    );
}

#[test]
fn a_closed_pipe_is_no_error() {
    let folder = Folder::new("pipe");
    let walk = folder.file("walk.toml", WALK);
    for args in [
        &["run", &walk, "--trace", "-"][..],
        &["run", &walk],
        &["scenarios"],
        &["--help"],
    ] {
        let mut child = throng(args)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let mut err = String::new();
        child
            .stderr
            .take()
            .unwrap()
            .read_to_string(&mut err)
            .unwrap();
        let code = child.wait().unwrap().code();
        assert_eq!((code, err.as_str()), (Some(0), ""), "{args:?}");
    }
}

#[test]
fn help_and_version_are_on_stdout() {
    for args in [
        &["--help"][..],
        &["run", "--help"],
        &["map", "convert", "--help"],
        &["--version"],
    ] {
        let (code, out, err) = run(args);
        assert_eq!((code, err.as_str()), (0, ""), "{args:?}");
        assert!(out.contains("throng"), "{args:?}: {out}");
    }
}
