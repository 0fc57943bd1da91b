//! The program as a newcomer meets it: every mistake ends with one helpful line and the right code.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// A small scenario that runs in no time.
const WALK: &str = r#"
name = "walk"
seed = 1
ticks = 200

[map]
ascii = '''
############
#..........#
#..........#
#..........#
############
'''

[[units]]
group = "a"
count = 4
area = [1.0, 1.0, 4.0, 4.0]

[[orders]]
tick = 0
units = "a"
order = "move"
to = [9.5, 2.5]

[expect]
arrived_min = 1.0
"#;

fn throng(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_throng"));
    command.args(args).stdin(Stdio::null());
    command
}

fn ended(output: &Output) -> (i32, String, String) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (
        output.status.code().expect("no signal ends it"),
        text(&output.stdout),
        text(&output.stderr),
    )
}

fn run(args: &[&str]) -> (i32, String, String) {
    ended(&throng(args).output().unwrap())
}

/// Runs it and checks that it ends with 2, nothing on stdout and one line on stderr that holds all
/// of `words`.
fn refused(args: &[&str], words: &[&str]) {
    let (code, out, err) = run(args);
    assert_eq!((code, out.as_str()), (2, ""), "{args:?}: {err}");
    assert_eq!(
        err.lines().count(),
        1,
        "{args:?}: one line is wanted:\n{err}"
    );
    for word in words {
        assert!(err.contains(word), "{args:?}: '{word}' is not in: {err}");
    }
}

/// A fresh folder for the files of a test.
struct Folder(PathBuf);

impl Folder {
    fn new(test: &str) -> Self {
        let path = std::env::temp_dir().join(format!("throng-cli-{}-{test}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn file(&self, name: &str, text: &str) -> String {
        fs::write(self.0.join(name), text).unwrap();
        self.path(name)
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_string()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// `WALK` with one change in a file of its own must be refused with those words.
fn refused_change(from: &str, to: &str, words: &[&str]) {
    assert!(WALK.contains(from), "'{from}' is not in the scenario");
    let folder = Folder::new(&format!("change-{}", from.len() * 1000 + to.len()));
    let file = folder.file("bad.toml", &WALK.replacen(from, to, 1));
    let mut words = words.to_vec();
    words.push("bad.toml");
    refused(&["run", &file], &words);
}

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
fn wrong_words_suggest_the_nearest() {
    refused(&["scenario"], &["'scenario'", "'scenarios'"]);
    refused(&["run", "x", "--tick", "3"], &["'--tick'", "'--ticks'"]);
    let (_, list, _) = run(&["scenarios"]);
    let first = list.split_whitespace().next().expect("there are scenarios");
    refused(&["run", &first[..first.len() - 1]], &[first]);
    refused(&["run"], &["SCENARIO"]);
    refused(&["run", "x", "--threads", "0"], &["--threads"]);
    refused(&["run", "x", "--ticks", "-4"], &["-4"]);
    refused(
        &["run", "x", "--ticks", "99999999999999999999999"],
        &["--ticks"],
    );
    refused(&["bench", "--units", "10,,3"], &["--units"]);
    refused(&["bench", "--units", "0"], &["--units"]);
    refused(&["map"], &["throng map"]);
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

#[test]
fn bad_scenario_files_name_the_key() {
    refused_change("group = \"a\"", "grup = \"a\"", &["grup", "group"]);
    refused_change("units = \"a\"", "units = \"b\"", &["\"b\""]);
    refused_change("count = 4", "count = 400", &["room", "400"]);
    refused_change("to = [9.5, 2.5]", "to = [90.5, 2.5]", &["to", "90.5"]);
    refused_change("to = [9.5, 2.5]", "to = [nan, 2.5]", &["to", "NaN"]);
    refused_change("count = 4", "count = 4\nradius = 0", &["radius"]);
    refused_change("count = 4", "count = 4\nradius = -1.0", &["radius", "-1"]);
    refused_change("count = 4", "count = 4\nspeed = inf", &["speed"]);
    refused_change("count = 4", "count = 99999999999", &["count"]);
    refused_change("order = \"move\"", "order = \"mvoe\"", &["mvoe", "move"]);
    refused_change("ticks = 200", "ticks = \"long\"", &["ticks"]);
    refused_change("#..........#\n", "#.........#\n", &["row"]);
    refused_change("#..........#\n", "#....x.....#\n", &["'x'"]);
    refused_change("[map]", "[map", &[]);
    refused_change("arrived_min", "arived_min", &["arived_min", "arrived_min"]);
}

#[test]
fn bad_files_are_named() {
    let folder = Folder::new("files");
    let dir = folder.path("");
    refused(&["run", &folder.file("empty.toml", "")], &["empty.toml"]);
    refused(&["run", &folder.path("missing.toml")], &["missing.toml"]);
    refused(&["run", &dir], &["directory"]);
    fs::create_dir(folder.path("dir.map")).unwrap();
    refused(
        &["map", "info", &folder.path("dir.map")],
        &["dir.map", "directory"],
    );
    refused(
        &["map", "info", &folder.file("empty.map", "")],
        &["empty.map"],
    );
    refused(
        &["map", "info", &folder.file("empty.txt", "")],
        &["empty.txt"],
    );
    refused(
        &["map", "info", &folder.file("ragged.txt", "...\n..\n")],
        &["ragged.txt:2"],
    );
    refused(
        &["map", "info", &folder.file("letter.txt", "...\n.!.\n")],
        &["letter.txt:2", "'!'"],
    );
    refused(
        &["map", "info", &folder.file("picture.png", "not one")],
        &["picture.png"],
    );
    refused(
        &["map", "info", &folder.file("map.xyz", "...")],
        &["map.xyz", ".map"],
    );
    let map = folder.file("good.txt", ".....\n..#..\n");
    refused(
        &[
            "path",
            "--map",
            &map,
            "--scen",
            &folder.file("empty.scen", ""),
        ],
        &["empty.scen"],
    );
    refused(&["path", "--map", &map, "--scen", &dir], &["directory"]);
    refused(&["path", "--map", &map], &["--scen"]);
    refused(
        &["path", "--map", &map, "--from", "2,1", "--to", "0,0"],
        &["(2, 1)"],
    );
    refused(
        &["path", "--map", &map, "--from", "0,0", "--to", "9,0"],
        &["(9, 0)", "outside"],
    );
    refused(
        &["path", "--map", &map, "--from", "0,x", "--to", "0,0"],
        &["--from"],
    );
    for radius in ["0", "-1", "NaN", "1e9"] {
        refused(
            &[
                "path", "--map", &map, "--from", "0,0", "--to", "1,0", "--radius", radius,
            ],
            &["--radius"],
        );
    }
    refused(&["replay", &folder.file("log", "not a log")], &["log"]);
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
