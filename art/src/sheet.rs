//! Laying frames out in a sheet and describing it.

use std::fmt::Write as _;
use std::io::Cursor;

use anyhow::{Context as _, Result};
use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::{ImageEncoder as _, RgbaImage, imageops};

/// A clip: its name, what its TOML table holds besides where it lies, and its frames.
pub struct Clip {
    /// The clip's name.
    pub name: &'static str,
    /// Further lines of its table.
    pub keys: &'static str,
    /// Its frames, all of one size.
    pub frames: Vec<RgbaImage>,
}

/// A sheet: a row of frames for each clip.
pub struct Sheet {
    /// Name of the sheet: of its files without their endings.
    pub name: &'static str,
    /// What it shows, for the comment at the top.
    pub about: &'static str,
    /// Radius of the unit's disc, in pixels; `None` where there is no unit.
    pub body: Option<f32>,
    /// Its clips, from the top.
    pub clips: Vec<Clip>,
}

/// A file to be written: its name and bytes.
pub type File = (String, Vec<u8>);

impl Sheet {
    /// The image and its description.
    ///
    /// # Errors
    /// When the image cannot be encoded.
    pub fn files(&self) -> Result<[File; 2]> {
        let side = self.clips[0].frames[0].width();
        let columns = self
            .clips
            .iter()
            .map(|clip| clip.frames.len() as u32)
            .max()
            .unwrap_or(0);
        let mut image = RgbaImage::new(columns * side, self.clips.len() as u32 * side);
        let mut text = format!(
            "# {}\n# Drawn by `cargo run -p throng-art`; changes belong there.\n\nimage = \"{}.png\"\n",
            self.about, self.name
        );
        if let Some(body) = self.body {
            writeln!(text, "body = {body:.1}")?;
        }
        writeln!(text, "size = [{side}, {side}]")?;
        for (row, clip) in (0u32..).zip(&self.clips) {
            for (column, frame) in (0u32..).zip(&clip.frames) {
                let (x, y) = (i64::from(column * side), i64::from(row * side));
                imageops::replace(&mut image, frame, x, y);
            }
            write!(
                text,
                "\n[[clips]]\nname = \"{}\"\noffset = [0, {}]\ncount = {}\n{}\n",
                clip.name,
                row * side,
                clip.frames.len(),
                clip.keys
            )?;
        }
        let mut png = Cursor::new(Vec::new());
        PngEncoder::new_with_quality(&mut png, CompressionType::Best, FilterType::Adaptive)
            .write_image(
                &image,
                image.width(),
                image.height(),
                image::ExtendedColorType::Rgba8,
            )
            .with_context(|| format!("cannot encode {}.png", self.name))?;
        Ok([
            (format!("{}.png", self.name), png.into_inner()),
            (format!("{}.toml", self.name), text.into_bytes()),
        ])
    }
}
