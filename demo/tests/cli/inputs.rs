//! What is wrong with arguments and files is told in one line, and the code is 2.

use std::fs;
use std::path::Path;

use crate::program::{Folder, WALK, refused, run};

/// `WALK` with one change in a file of its own must be refused with those words.
fn refused_change(from: &str, to: &str, words: &[&str]) {
    assert!(WALK.contains(from), "'{from}' is not in the scenario");
    let folder = Folder::new("change");
    let file = folder.file("bad.toml", &WALK.replacen(from, to, 1));
    let mut words = words.to_vec();
    words.push("bad.toml");
    refused(&["run", &file], &words);
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
fn huge_numbers_are_refused_at_once() {
    refused_change("count = 4", "count = 4000000000", &["count", "4000000"]);
    refused_change("count = 4", "count = 1000000000000", &["count"]);
    refused_change("count = 4", "count = 1e12", &["count"]);
    refused_change("count = 4", "count = 4\nradius = 1e9", &["radius", "4"]);
    refused_change("count = 4", "count = 4\nspeed = 1e30", &["speed"]);
    refused_change("ticks = 200", "ticks = 18446744073709551615", &["ticks"]);
    refused_change(
        "ticks = 200",
        "ticks = 200\ntick_rate = 1e30",
        &["tick_rate"],
    );
    let folder = Folder::new("huge");
    let open = |name: &str, side: &str| {
        let text =
            WALK[WALK.find("[[units]]").unwrap()..].replace("[expect]\narrived_min = 1.0", "");
        let head = format!("name = \"open\"\nticks = 5\n\n[map]\nempty = [{side}, {side}]\n\n");
        folder.file(name, &(head + &text))
    };
    refused(
        &["run", &open("a.toml", "1000000000")],
        &["a.toml", "16384"],
    );
    refused(&["run", &open("b.toml", "1e9")], &["b.toml", "empty"]);
    let map = folder.file(
        "huge.map",
        "type octile\nheight 16384\nwidth 16384\nmap\n....\n",
    );
    refused(&["map", "info", &map], &["huge.map:5"]);
    let walk = folder.file("walk.toml", WALK);
    refused(
        &["run", &walk, "--ticks", "18446744073709551615"],
        &["--ticks"],
    );
    refused(&["run", &walk, "--threads", "1000000000"], &["--threads"]);
    let out = folder.path("picture.png");
    let tick = |tick| ["render", &walk, "--out", &out, "--tick", tick];
    refused(&tick("18446744073709551615"), &["--tick"]);
    refused(&["bench", "--units", "1000000000000"], &["--units"]);
}

#[test]
fn garbage_is_refused_whatever_it_is_called() {
    let folder = Folder::new("garbage");
    let noise: Vec<u8> = (0..4000_u32)
        .map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8)
        .collect();
    let named = |name: &str, bytes: &[u8]| {
        fs::write(folder.path(name), bytes).unwrap();
        folder.path(name)
    };
    for ending in ["map", "png", "txt", "tmx", "tmj"] {
        let name = format!("noise.{ending}");
        refused(&["map", "info", &named(&name, &noise)], &[&name]);
        let name = format!("none.{ending}");
        refused(&["map", "info", &named(&name, b"")], &[&name]);
    }
    refused(&["run", &named("noise.toml", &noise)], &["noise.toml"]);
    refused(&["replay", &named("noise.log", &noise)], &["noise.log"]);
    let deep = |open: &str, close: &str| open.repeat(50_000) + &close.repeat(50_000);
    let arrays = folder.file("deep.toml", &("a = ".to_owned() + &deep("[", "]")));
    refused(&["run", &arrays], &["deep.toml"]);
    let keys = folder.file("keys.toml", &(deep("a.", "") + "a = 1"));
    refused(&["run", &keys], &["keys.toml"]);
    let json = folder.file("deep.tmj", &deep("[", "]"));
    refused(&["map", "info", &json], &["deep.tmj"]);
    let good = folder.path("good.png");
    let map = folder.file("good.txt", ".....\n..#..\n");
    assert_eq!(run(&["map", "convert", &map, &good]).0, 0);
    let whole = fs::read(&good).unwrap();
    let cut = named("cut.png", &whole[..whole.len() / 2]);
    refused(&["map", "info", &cut], &["cut.png", "PNG"]);
}

#[test]
fn a_log_that_was_cut_or_changed_is_refused() {
    let folder = Folder::new("cut-log");
    let walk = folder.file("walk.toml", WALK);
    let log = folder.path("whole.log");
    assert_eq!(run(&["record", &walk, "--out", &log]).0, 0);
    let whole = fs::read_to_string(&log).unwrap();
    for (name, length) in [("a", 10), ("b", whole.len() / 2), ("c", whole.len() - 3)] {
        let cut = folder.file(name, &whole[..length]);
        refused(&["replay", &cut, "--verify"], &[&format!("/{name}: ")]);
    }
    let changed = folder.file("d", &whole.replacen("\"tick\":7", "\"tick\":8", 1));
    refused(&["replay", &changed, "--verify"], &["line 9"]);
    if Path::new("/dev/zero").exists() {
        refused(&["replay", "/dev/zero"], &["not an order log"]);
    }
}
