//! PNG masks: dark pixels are blocked, a pixel a cell.
//!
//! A pixel is dark when its luma (Rec. 709 weights, 0 to 255) is under 128. Transparent pixels count
//! as lying on white, so they are free.

use std::io::Cursor;

use image::codecs::png::PngDecoder;
use image::{DynamicImage, GrayImage, ImageDecoder, ImageError, ImageFormat, Luma, Rgba};

use super::{Grid, check_size};
use crate::map::{Map, MapError, MapFault, Terrain};

/// Pixels darker than this are blocked.
const DARK_BELOW: u32 = 128;

/// No PNG holds more pixels a byte: deflate shrinks by 1032 at most, and a pixel has at least a bit.
const PIXELS_PER_BYTE: u64 = 8 * 1032;

/// Reads a mask from the bytes of a PNG file.
pub(super) fn decode(bytes: &[u8]) -> Result<Grid, MapError> {
    let decoder = PngDecoder::new(Cursor::new(bytes)).map_err(fault)?;
    let (width, height) = decoder.dimensions();
    check_size(width.into(), height.into())?;
    if u64::from(width) * u64::from(height) > bytes.len() as u64 * PIXELS_PER_BYTE {
        return Err(MapError::new(MapFault::Truncated { width, height }));
    }
    let pixels = DynamicImage::from_decoder(decoder)
        .map_err(fault)?
        .into_rgba8();
    let cells = pixels.pixels().map(terrain).collect();
    Ok(Grid {
        width,
        height,
        cells,
    })
}

/// Writes free cells white and blocked ones (water too) black. Swamp and shallow water are free
/// here: a mask keeps no more than where land units may go.
pub(super) fn encode(map: &Map) -> Result<Vec<u8>, MapError> {
    let mask = GrayImage::from_fn(map.width(), map.height(), |x, y| {
        Luma([if map.is_blocked(x as i32, y as i32) {
            0
        } else {
            255
        }])
    });
    let mut bytes = Cursor::new(Vec::new());
    mask.write_to(&mut bytes, ImageFormat::Png).map_err(fault)?;
    Ok(bytes.into_inner())
}

fn terrain(&Rgba([r, g, b, alpha]): &Rgba<u8>) -> Terrain {
    let luma = 2126 * u32::from(r) + 7152 * u32::from(g) + 722 * u32::from(b);
    let alpha = u32::from(alpha);
    let on_white = luma * alpha + 255 * 10_000 * (255 - alpha);
    if on_white < DARK_BELOW * 10_000 * 255 {
        Terrain::Blocked
    } else {
        Terrain::Free
    }
}

fn fault(error: ImageError) -> MapError {
    MapError::new(MapFault::Image(error))
}
