//! The committed art is what the program draws.

use std::path::Path;

use image::GenericImageView as _;

fn assets() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../demo/assets"))
}

#[test]
fn the_committed_files_are_drawn_byte_for_byte() {
    for (name, bytes) in throng_art::files().unwrap() {
        let committed = std::fs::read(assets().join(&name))
            .unwrap_or_else(|error| panic!("demo/assets/{name}: {error}"));
        assert!(
            committed == bytes,
            "demo/assets/{name} differs from what is drawn: run `cargo run -p throng-art`"
        );
    }
}

#[test]
fn the_art_stays_small() {
    let bytes: usize = throng_art::files()
        .unwrap()
        .iter()
        .map(|(_, bytes)| bytes.len())
        .sum();
    assert!(bytes <= 400 * 1024, "{bytes} bytes");
}

#[test]
fn no_drawing_touches_the_rim_of_its_frame() {
    for (name, _) in throng_art::files().unwrap() {
        let Some(kind) = name.strip_suffix(".png") else {
            continue;
        };
        let image = image::open(assets().join(&name)).unwrap();
        let side = if kind == "soldier" { 64 } else { 96 };
        for (x, y, pixel) in image.pixels() {
            if x % side == 0 || y % side == 0 || x % side == side - 1 || y % side == side - 1 {
                assert!(
                    pixel.0[3] < 64,
                    "{name}: the frame at ({x}, {y}) is cut off"
                );
            }
        }
    }
}
