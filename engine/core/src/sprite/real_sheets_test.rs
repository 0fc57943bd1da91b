//! Sheets drawn by others must load and cut right. They are no part of this repository: the tests
//! skip where the folder is absent.

use std::path::PathBuf;

use image::RgbaImage;

use super::*;

#[expect(clippy::print_stderr, reason = "tells that tests were skipped")]
fn folder() -> Option<PathBuf> {
    let shared = std::env::var_os("THRONG_SHARED").map_or_else(
        || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared")),
        PathBuf::from,
    );
    let folder = shared.join("sprites/superpowers-cc0");
    let there = folder.is_dir();
    if !there {
        eprintln!("skipped: no sheets at {}", folder.display());
    }
    there.then_some(folder)
}

/// Cuts a real image by a sheet written here, and packs it.
fn load(image: &str, text: &str) -> Option<(Sheet, RgbaImage, Atlas)> {
    let path = folder()?.join(image);
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("sheet.toml");
    std::fs::write(&file, format!("image = '{}'\n{text}", path.display())).unwrap();
    let (sheet, pixels) = Sheet::load(&file).unwrap();
    let atlas = Atlas::pack(&[(&sheet, Some(&pixels))], 4096).unwrap();
    Some((sheet, pixels, atlas))
}

/// Whether a frame in the atlas has the very pixels of a place in the image.
fn same(atlas: &Atlas, pixels: &RgbaImage, frame: FrameId, x: u32, y: u32) -> bool {
    let rect = atlas.places()[usize::from(frame)].rect;
    (0..rect.height).all(|dy| {
        (0..rect.width).all(|dx| {
            atlas.image().get_pixel(rect.x + dx, rect.y + dy) == pixels.get_pixel(x + dx, y + dy)
        })
    })
}

/// Whether a place in the image holds anything to see.
fn drawn(pixels: &RgbaImage, rect: Rect) -> bool {
    (0..rect.height)
        .any(|dy| (0..rect.width).any(|dx| pixels.get_pixel(rect.x + dx, rect.y + dy).0[3] > 0))
}

#[test]
fn clips_that_run_down_a_column_are_cut_by_a_stride() {
    let facing = ["down", "up", "left", "right"];
    let clips: String = (0..4)
        .map(|c| {
            let (name, x) = (facing[c], c * 16);
            format!("[[clips]]\nname = '{name}'\noffset = [{x}, 0]\nstride = 4\nrate = 8\n")
        })
        .collect();
    for image in ["character-1", "character-2", "character-10", "character-16"] {
        let image = format!("ninja-adventure/{image}.png");
        let text = format!("size = [16, 16]\n{clips}");
        let Some((sheet, pixels, atlas)) = load(&image, &text) else {
            return;
        };
        for (column, clip) in (0u32..).zip(sheet.clips()) {
            assert_eq!(clip.frames.len(), 7);
            let id = sheet.find(facing[column as usize]).unwrap();
            for (row, &frame) in (0u32..).zip(atlas.frames(0, id)) {
                assert!(same(&atlas, &pixels, frame, column * 16, row * 16));
            }
        }
        // A figure seen from the left mirrors one seen from the right closely enough to tell that
        // the columns were not mixed up: both show something, and not the same.
        let [_, _, left, right] = sheet.clips() else {
            panic!("four clips")
        };
        assert!(drawn(&pixels, left.frames[0]) && drawn(&pixels, right.frames[0]));
    }
}

#[test]
fn sixteen_of_twenty_frames_are_used() {
    let text = "size = [151, 100]\n[[clips]]\nname = 'cast'\ncount = 16\nrate = 12\n";
    let image = "rpg-battle-system/mage-sprite-sheet-151x100.png";
    let Some((sheet, pixels, atlas)) = load(image, text) else {
        return;
    };
    let clip = &sheet.clips()[0];
    for (i, &frame) in (0u32..).zip(atlas.frames(0, ClipId(0))) {
        assert!(
            same(&atlas, &pixels, frame, i % 5 * 151, i / 5 * 100),
            "frame {i}"
        );
    }
    assert!(
        clip.frames.iter().all(|&rect| drawn(&pixels, rect)),
        "an empty frame among the 16"
    );
    let beyond = Rect {
        x: 151,
        y: 300,
        width: 151,
        height: 100,
    };
    assert!(!drawn(&pixels, beyond), "the last row is partly empty");
}

#[test]
fn eight_columns_by_six_rows() {
    let text = "size = [158, 173]\n[[clips]]\nname = 'all'\nrate = 12\n";
    let image = "rpg-battle-system/bowman-sprite-sheet-158x173.png";
    let Some((sheet, pixels, atlas)) = load(image, text) else {
        return;
    };
    assert_eq!(sheet.clips()[0].frames.len(), 48);
    let last = atlas.frame(0, ClipId(0), 47).unwrap();
    assert!(same(&atlas, &pixels, last, 7 * 158, 5 * 173));
}

#[test]
fn an_explosion_plays_once() {
    let text = "[[clips]]\nname = 'boom'\nsize = [35, 36]\nloops = 1\nframe_ms = 50\n";
    let Some((sheet, ..)) = load("top-down-shooter/explosion.png", text) else {
        return;
    };
    let motion = sheet
        .graph(TickRate::MILLIS)
        .unwrap()
        .node(ClipId(0))
        .unwrap()
        .motion;
    assert_eq!(motion.playback.frames, 7);
    let mut sprite = Animation::play(motion, 0, Time::tick(0));
    assert_eq!(sprite.advance(Time::tick(349)).finished, None);
    assert_eq!(
        sprite.advance(Time::tick(350)).finished,
        Some(Time::tick(350))
    );
}

#[test]
fn square_monsters_fill_four_by_four() {
    for monster in ["monster-1", "monster-15"] {
        let text = "size = [16, 16]\n[[clips]]\nname = 'all'\nrate = 8\n";
        let Some((sheet, ..)) = load(&format!("ninja-adventure/{monster}.png"), text) else {
            return;
        };
        assert_eq!(sheet.clips()[0].frames.len(), 16);
    }
}
