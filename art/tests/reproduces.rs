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
        let Some(kind) = name.strip_suffix(".png").filter(|&kind| kind != "tiles") else {
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

#[test]
fn tiles_join_without_a_seam() {
    let tiles = image::open(assets().join("tiles.png"))
        .unwrap()
        .into_rgba8();
    let far = |a: &image::Rgba<u8>, b: &image::Rgba<u8>| {
        (0..3).map(|c| a.0[c].abs_diff(b.0[c]) as u32).sum::<u32>()
    };
    // Across a seam the picture changes about as much as it does from column to column elsewhere.
    for row in 0..6 {
        let frames = if row < 4 { 16 } else { 8 };
        let (mut seam, mut inside) = (0, 0);
        for frame in 0..frames {
            // The right neighbour: the next tile of the picture, or the frame itself for water.
            let next = if row < 4 {
                frame / 4 * 4 + (frame + 1) % 4
            } else {
                frame
            };
            for y in row * 32..row * 32 + 32 {
                let at = |x| tiles.get_pixel(frame * 32 + x, y);
                seam += far(at(31), tiles.get_pixel(next * 32, y));
                inside += (0..31).map(|x| far(at(x), at(x + 1))).sum::<u32>();
            }
        }
        assert!(
            seam * 31 <= inside * 3,
            "kind {row}: {seam} at seams, {inside} inside"
        );
    }
}
