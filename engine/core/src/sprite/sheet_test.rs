use super::*;

fn sheet(text: &str, image: [u32; 2]) -> Result<Sheet, SheetError> {
    Sheet::parse(&format!("image = \"x.png\"\n{text}"), "x.toml", image)
}

fn error(text: &str) -> String {
    sheet(text, [64, 32]).unwrap_err().to_string()
}

/// A clip with one line changed or added.
fn clip(lines: &str) -> String {
    format!("[[clips]]\nname = \"walk\"\nsize = [16, 16]\n{lines}\n")
}

#[test]
fn several_clips_of_different_sizes_share_an_image() {
    let text = "
[[clips]]
name = 'idle'
size = [16, 16]
count = 3
rate = 4
[[clips]]
name = 'die'
offset = [0, 16]
size = [32, 16]
count = 2
frame_ticks = 3
loops = 1
";
    let sheet = sheet(text, [64, 32]).unwrap();
    assert_eq!(sheet.find("die"), Some(ClipId(1)));
    assert_eq!(sheet.find("fly"), None);
    let [idle, die] = sheet.clips() else {
        panic!("two clips")
    };
    assert_eq!((idle.frames.len(), idle.playback.loops), (3, None));
    assert_eq!(
        die.frames[1],
        Rect {
            x: 32,
            y: 16,
            width: 32,
            height: 16
        }
    );
    assert_eq!((die.playback.loops, die.hit), (Some(1), 1));
}

#[test]
fn a_sheet_at_twice_the_density_has_the_same_uv_rectangles() {
    let text = clip("rate = 4");
    let single = sheet(&text, [64, 32]).unwrap();
    let double = sheet(&format!("density = 2\n{text}"), [128, 64]).unwrap();
    assert_eq!(single.clips(), double.clips());
    for frame in &single.clips()[0].frames {
        assert_eq!(single.uv(*frame), double.uv(*frame));
    }
    assert_eq!(
        single.uv(single.clips()[0].frames[5]),
        [0.25, 0.5, 0.5, 1.0]
    );
    let odd = sheet(&format!("density = 3\n{text}"), [64, 32])
        .unwrap_err()
        .to_string();
    assert!(
        odd.contains("density 3") && odd.contains("64 x 32"),
        "{odd}"
    );
}

#[test]
fn a_rate_or_duration_that_is_no_time_is_refused_at_load() {
    for bad in ["0", "-2.0", "nan", "inf", "1e-30"] {
        for key in ["rate", "frame_ms", "frame_ticks"] {
            let error = error(&clip(&format!("{key} = {bad}")));
            assert!(
                error.starts_with(&format!("x.toml: clip `walk`: {key} = ")),
                "{error}"
            );
        }
    }
    assert!(error(&clip("")).contains("exactly one of rate"));
    assert!(error(&clip("rate = 2\nframe_ms = 3")).contains("found 2"));
}

#[test]
fn errors_name_the_clip_and_its_figures() {
    let expect = |lines: &str, parts: &[&str]| {
        let error = error(&clip(lines));
        assert!(!error.contains('\n'), "{error}");
        for part in parts.iter().chain(&["x.toml", "`walk`"]) {
            assert!(error.contains(part), "{error}: no {part}");
        }
    };
    expect("rate = 1\ncount = 0", &["count = 0"]);
    expect("rate = 1\ncount = 9", &["frame 8", "16 x 16", "64 x 32"]);
    expect("rate = 1\nloops = 0", &["loops = 0"]);
    expect("rate = 1\nvariation = 0.6", &["variation = 0.6"]);
    expect("rate = 1\nvariation = nan", &["variation = NaN"]);
    expect("rate = 1\nhit = 8", &["hit = 8", "clip's 8"]);
    expect("rate = 1\ncells = -1", &["cells = -1"]);
    expect("rate = 1\nnext = { run = 1 }", &["`run`", "walk"]);
    expect(
        "rate = 1\n[[clips]]\nname = 'walk'\nrate = 1",
        &["two clips"],
    );
    let uneven = error("size = [24, 16]\n[[clips]]\nname = 'a'\nrate = 1");
    assert!(
        uneven.contains("24 x 16") && uneven.contains("64 x 32"),
        "{uneven}"
    );
}

#[test]
fn errors_of_syntax_name_the_line() {
    let unknown = error("[[clips]]\nname = 'walk'\nrate = 1\nspeed = 2");
    assert!(
        unknown.starts_with("x.toml:5: ") && unknown.contains("speed"),
        "{unknown}"
    );
    let kind = error("[[clips]]\nname = 'walk'\nrate = 1\ncount = -2");
    assert!(kind.starts_with("x.toml:5: "), "{kind}");
    assert!(error("").contains("at least one [[clips]]"));
    assert!(
        error("body = -1\n[[clips]]\nname = 'a'\nsize = [16, 16]\nrate = 1").contains("body = -1")
    );
}

#[test]
fn transitions_carry_their_weights_and_end_the_clip_they_leave() {
    let text = "size = [16, 16]
[[clips]]
name = 'idle'
count = 2
frame_ticks = 5
next = { idle = 3, look = 1, walk = 0 }
[[clips]]
name = 'look'
count = 2
frame_ticks = 5
next = { idle = 1 }
[[clips]]
name = 'walk'
frame_ticks = 5
";
    let sheet = sheet(text, [64, 32]).unwrap();
    assert_eq!(
        sheet.clips()[0].next,
        [(ClipId(0), 3), (ClipId(1), 1), (ClipId(2), 0)]
    );
    assert_eq!(sheet.clips()[0].playback.loops, Some(1));
    let graph = sheet.graph(TickRate::default()).unwrap();
    assert_eq!(graph.distance(ClipId(1), ClipId(2)), Some(2));
    assert_eq!(graph.distance(ClipId(2), ClipId(0)), None);
}

#[test]
fn a_missing_or_broken_file_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("unit.toml");
    let message = |path: &Path| Sheet::load(path).unwrap_err().to_string();
    assert!(message(&path).contains("unit.toml"));
    std::fs::write(
        &path,
        "image = 'unit.png'\n[[clips]]\nname = 'a'\nrate = 1\n",
    )
    .unwrap();
    assert!(message(&path).contains("unit.png"));
    std::fs::write(folder.path().join("unit.png"), b"not a picture").unwrap();
    assert!(message(&path).contains("unit.png: not a readable image"));
    RgbaImage::new(32, 16)
        .save(folder.path().join("unit.png"))
        .unwrap();
    assert_eq!(Sheet::load(&path).unwrap().0.clips()[0].frames.len(), 2);
    let (sheet, _) = Sheet::load(&path).unwrap();
    let error = sheet
        .check(&RgbaImage::new(16, 16))
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("is 16 x 16 pixels") && error.contains("for 32 x 16"),
        "{error}"
    );
}
