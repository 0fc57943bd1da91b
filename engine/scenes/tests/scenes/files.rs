//! What is wrong with a scenario file is said in one line, with line and key.

use std::path::Path;

use throng_scenes::Scenario;

const GOOD: &str = "\
name = \"t\"
ticks = 100
[map]
ascii = '''
#####
#...#
#####
'''
[[units]]
group = \"a\"
count = 1
area = [1.0, 1.0, 2.0, 2.0]
[[orders]]
tick = 0
units = \"a\"
order = \"move\"
to = [3.5, 1.5]
[[edits]]
tick = 3
rect = [2.0, 1.0, 3.0, 2.0]
blocked = true
[expect]
arrived_min = 1.0
deterministic = true
";

fn error(text: &str) -> String {
    match Scenario::parse(text, Path::new("")) {
        Ok(_) => panic!("accepted:\n{text}"),
        Err(e) => format!("{}:{e}", e.line.unwrap_or(0)),
    }
}

/// The good file with one piece of text replaced.
fn with(from: &str, to: &str) -> String {
    assert!(GOOD.contains(from), "{from}");
    error(&GOOD.replacen(from, to, 1))
}

#[test]
fn a_good_file_has_the_documented_defaults() {
    let s = Scenario::parse(GOOD, Path::new("")).unwrap();
    assert_eq!((s.seed, s.ticks, s.tick_rate), (0, 100, 30.0));
    let unit = &s.units[0];
    assert_eq!(
        (unit.radius, unit.speed, unit.speed_spread, unit.team),
        (0.4, 3.0, 0.0, 0)
    );
    assert!(!s.orders[0].queue);
    assert_eq!(s.expect.arrived_min, Some(1.0));
    assert_eq!(s.expect.wall_violations_max, 0.0);
}

#[test]
fn units_orders_and_edits_may_be_inline_arrays() {
    let text = "
        name = 'x'
        ticks = 9
        units = [{ group = 'a', count = 2, area = [0, 0, 4, 4] }]
        orders = [{ tick = 0, units = 'a', order = 'hold' }]
        edits = [{ tick = 1, rect = [0, 0, 1, 1], blocked = true }]
        map = { empty = [5, 5] }";
    let s = Scenario::parse(text, Path::new("")).unwrap();
    assert_eq!((s.units.len(), s.orders.len(), s.edits.len()), (1, 1, 1));
}

#[test]
fn unknown_keys_are_named_with_the_nearest_one() {
    assert_eq!(
        with("count = 1", "count = 1\nradios = 0.3"),
        "12:units[0].radios: there is no such key; did you mean \"radius\"?"
    );
    assert_eq!(
        with("ticks = 100", "ticks = 100\ntickrate = 20"),
        "3:tickrate: there is no such key; did you mean \"tick_rate\"?"
    );
    assert!(with("arrived_min", "arrive_min").ends_with("did you mean \"arrived_min\"?"));
    assert!(with("tick = 3", "tick = 3\nzzz = 1").contains("edits[0].zzz: there is no such key"));
}

#[test]
fn bad_numbers_are_refused_by_key() {
    let radius = |value: &str| with("count = 1", &format!("count = 1\nradius = {value}"));
    for value in ["nan", "inf", "-0.4", "0", "0.0", "-inf", "1e300", "1e-300"] {
        let text = radius(value);
        assert!(text.starts_with("12:units[0].radius: "), "{text}");
        assert!(
            text.ends_with("is out of range; it must be 0.05 to 4 cells"),
            "{text}"
        );
    }
    let cases = [
        ("count = 1", "count = 1\nspeed = 0", "12:units[0].speed: "),
        (
            "count = 1",
            "count = 1\nspeed_spread = 1.0",
            "12:units[0].speed_spread: ",
        ),
        ("count = 1", "count = 0", "11:units[0].count: "),
        ("count = 1", "count = -3", "11:units[0].count: "),
        ("count = 1", "count = 1.5", "11:units[0].count: "),
        ("count = 1", "count = 1\nteam = 256", "12:units[0].team: "),
        ("ticks = 100", "ticks = 0", "2:ticks: "),
        (
            "ticks = 100",
            "ticks = 100\ntick_rate = nan",
            "3:tick_rate: ",
        ),
        ("ticks = 100", "ticks = 100\nseed = -1", "3:seed: "),
        ("area = [1.0,", "area = [nan,", "12:units[0].area: "),
        ("area = [1.0,", "area = [-1.0,", "12:units[0].area: "),
        ("area = [1.0,", "area = [2.5,", "12:units[0].area: "),
        ("area = [1.0,", "area = [", "12:units[0].area: "),
        ("to = [3.5,", "to = [inf,", "17:orders[0].to: "),
        ("to = [3.5,", "to = [-3.5,", "17:orders[0].to: "),
        ("rect = [2.0,", "rect = [3.0,", "20:edits[0].rect: "),
        ("rect = [2.0,", "rect = [nan,", "20:edits[0].rect: "),
        (
            "arrived_min = 1.0",
            "arrived_min = nan",
            "23:expect.arrived_min: ",
        ),
        ("arrived_min = 1.0", "t95_max = -3", "23:expect.t95_max: "),
        (
            "arrived_min = 1.0",
            "wall_violations_max = inf",
            "23:expect.wall_violations_max: ",
        ),
    ];
    for (from, to, start) in cases {
        let text = with(from, to);
        assert!(text.starts_with(start), "{to}: {text}");
        assert!(!text.contains('\n'), "{text}");
    }
}

#[test]
fn what_does_not_fit_together_is_refused_by_key() {
    let cases = [
        (
            "units = \"a\"",
            "units = \"b\"",
            "15:orders[0].units: \"b\" is not known; there are a",
        ),
        (
            "to = [3.5, 1.5]",
            "to = [5.0, 1.5]",
            "17:orders[0].to: [5, 1.5] is out of range; it must be inside the 5 x 3 map",
        ),
        (
            "tick = 0",
            "tick = 100",
            "14:orders[0].tick: 100 is out of range; it must be a tick of the run, 0 to 99",
        ),
        (
            "tick = 3",
            "tick = 700",
            "19:edits[0].tick: 700 is out of range; it must be a tick of the run, 0 to 99",
        ),
        (
            "to = [3.5, 1.5]",
            "",
            "13:orders[0]: order \"move\" needs \"to\" and no \"target\"",
        ),
        (
            "order = \"move\"",
            "order = \"hold\"",
            "13:orders[0]: order \"hold\" takes neither \"to\" nor \"target\"",
        ),
        (
            "order = \"move\"",
            "order = \"mvoe\"",
            "16:orders[0].order: \"mvoe\" is not known; did you mean \"move\"?",
        ),
        (
            "order = \"move\"",
            "order = \"chase\"",
            "13:orders[0]: order \"chase\" needs \"target\" and no \"to\"",
        ),
        (
            "order = \"move\"",
            "order = \"move\"\nformation = \"wegde\"",
            "17:orders[0].formation: \"wegde\" is not known; did you mean \"wedge\"?",
        ),
        (
            "order = \"move\"",
            "order = \"attack_move\"\nformation = \"wedge\"",
            "13:orders[0]: \"formation\" needs order \"move\"",
        ),
        (
            "count = 1",
            "count = 1\nnotice = 5\nfollow = 4",
            "13:units[0].follow: 4 is out of range; it must be at least the notice radius, 5",
        ),
        (
            "count = 1",
            "count = 1\nbrain = \"wandr\"",
            "12:units[0].brain: \"wandr\" is not known; did you mean \"wander\"?",
        ),
        (
            "count = 1",
            "count = 1\nmine = [1, 1]",
            "12:units[0].mine: \"mine\" needs brain \"worker\"",
        ),
        (
            "count = 1",
            "count = 1\nbrain = \"worker\"",
            "9:units[0]: brain \"worker\" needs a \"mine\"",
        ),
        (
            "[[units]]",
            "empty = [4, 4]\n[[units]]",
            "3:map: exactly one of \"ascii\", \"file\" and \"empty\" must be given",
        ),
        (
            "[[units]]",
            "swamp_cost = 0.5\n[[units]]",
            "9:map.swamp_cost: a swamp cost of 0.5 is not supported yet; this version has costs of 1 to 64",
        ),
        ("name = \"t\"\n", "", "1:missing field `name`"),
        ("count = 1\n", "", "9:units[0]: missing field `count`"),
        (
            "ticks = 100",
            "ticks = \"100\"",
            "2:ticks: invalid type: string \"100\", expected a whole number, 0 or more",
        ),
    ];
    for (from, to, expected) in cases {
        assert_eq!(with(from, to), expected);
    }
}

#[test]
fn map_errors_name_the_line_in_the_file() {
    let text = with("#...#", "#.x.#");
    assert!(text.starts_with("6:map.ascii: map line 2"), "{text}");
    assert!(text.contains("'x'"), "{text}");
    let text = with("#...#", "#..#");
    assert!(text.starts_with("6:map.ascii: map line 2"), "{text}");
    let text = with(
        "ascii = '''\n#####\n#...#\n#####\n'''",
        "file = \"none.map\"",
    );
    assert!(
        text.starts_with("4:map.file: none.map: cannot be read"),
        "{text}"
    );
    assert!(
        with("ascii = '''\n#####\n#...#\n#####\n'''", "empty = [0, 4]")
            .starts_with("4:map.empty: ")
    );
}

#[test]
fn text_that_is_no_toml_names_the_line() {
    assert!(error("name = 'x\n").starts_with("1:"));
    assert!(error("name = 'x'\nname = 'y'\n").starts_with("2:"));
    assert!(error("").contains("missing field"));
}

#[test]
fn missing_files_and_names_are_told_apart() {
    let error = |name: &str| Scenario::find(name).unwrap_err().to_string();
    assert_eq!(
        error("parkign"),
        "no built-in scenario is called \"parkign\"; did you mean \"parking\"?"
    );
    assert_eq!(
        error("zzzz"),
        "no built-in scenario is called \"zzzz\"; give the name of one or the path of a .toml file"
    );
    assert!(error("missing.toml").starts_with("missing.toml: cannot be read: "));
    let folder = env!("CARGO_MANIFEST_DIR");
    assert!(error(folder).starts_with(&format!("{folder}: cannot be read: ")));
}

proptest::proptest! {
    #[test]
    fn no_text_makes_the_reader_panic(text in "[a-z\\[\\]=\"'.0-9\n -]{0,200}") {
        let _ = Scenario::parse(&text, Path::new(""));
    }

    #[test]
    fn no_damage_to_a_good_file_makes_the_reader_panic(at in 0usize..GOOD.len(), with in "[ -~\n]{0,3}") {
        let mut text = GOOD.to_owned();
        text.replace_range(at..=at, &with);
        let _ = Scenario::parse(&text, Path::new(""));
    }
}
