//! PNG files of one or of many pictures.

use std::io::Write;

use image::RgbaImage;
use png::{BitDepth, BlendOp, ColorType, Encoder, EncodingError, Writer};

/// A PNG that pictures are added to. With more than one it is animated and plays for ever;
/// programs that know no animation show the first.
pub struct Animation<W: Write> {
    writer: Writer<W>,
    last: Option<RgbaImage>,
}

impl<W: Write> Animation<W> {
    /// Begins a file of `count` pictures of `size` pixels, each shown for `seconds`.
    ///
    /// # Errors
    /// The output fails.
    pub fn new(out: W, size: [u32; 2], count: u32, seconds: f32) -> Result<Self, EncodingError> {
        let mut encoder = Encoder::new(out, size[0], size[1]);
        encoder.set_color(ColorType::Rgba);
        encoder.set_depth(BitDepth::Eight);
        if count > 1 {
            encoder.set_animated(count, 0)?;
            encoder.set_frame_delay((seconds * 1000.0).round().clamp(1.0, 65535.0) as u16, 1000)?;
            encoder.set_blend_op(BlendOp::Over)?;
        }
        Ok(Self {
            writer: encoder.write_header()?,
            last: None,
        })
    }

    /// Adds a picture.
    ///
    /// # Errors
    /// The output fails.
    pub fn add(&mut self, picture: RgbaImage) -> Result<(), EncodingError> {
        let stored = match &self.last {
            Some(last) => changes(last, &picture),
            None => picture.clone(),
        };
        self.writer.write_image_data(&stored)?;
        self.last = Some(picture);
        Ok(())
    }

    /// Ends the file.
    ///
    /// # Errors
    /// The output fails, or fewer pictures were added than announced.
    pub fn finish(self) -> Result<(), EncodingError> {
        self.writer.finish()
    }
}

/// `picture` with the pixels that are as in `last` left transparent, which packs well.
fn changes(last: &RgbaImage, picture: &RgbaImage) -> RgbaImage {
    let mut stored = picture.clone();
    for (pixel, before) in stored.pixels_mut().zip(last.pixels()) {
        if pixel == before {
            pixel.0 = [0; 4];
        }
    }
    stored
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn played_over_one_another_the_stored_frames_are_the_pictures() {
        let pictures: Vec<RgbaImage> = (0..3_u8)
            .map(|n| {
                RgbaImage::from_fn(8, 8, |x, _| image::Rgba([x as u8 / 4 * n * 40, 7, 9, 255]))
            })
            .collect();
        let mut file = Vec::new();
        let mut animation = Animation::new(&mut file, [8, 8], 3, 0.1).expect("memory holds it");
        for picture in &pictures {
            animation.add(picture.clone()).expect("memory holds it");
        }
        animation.finish().expect("memory holds it");

        let decoder = png::Decoder::new(std::io::Cursor::new(file));
        let mut reader = decoder.read_info().expect("it is a PNG");
        let control = reader
            .info()
            .animation_control()
            .copied()
            .expect("it is animated");
        assert_eq!(control.num_frames, 3);
        let mut shown = RgbaImage::new(8, 8);
        for picture in &pictures {
            let mut stored = RgbaImage::new(8, 8);
            reader.next_frame(&mut stored).expect("the frame is there");
            for (pixel, above) in shown.pixels_mut().zip(stored.pixels()) {
                if above.0[3] != 0 {
                    *pixel = *above;
                }
            }
            assert!(shown == *picture);
        }
    }
}
