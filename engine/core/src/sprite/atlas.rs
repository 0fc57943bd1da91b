//! Packing the frames of all sheets into one texture.
//!
//! Every frame lies on a multiple of [`MARGIN`] pixels and is surrounded by as many copies of its
//! edge pixels. So neither linear filtering nor the first [`MIP_LEVELS`] levels of a box-filtered
//! mip chain ever mix two frames.

use guillotiere::{SimpleAtlasAllocator, Size};
use image::RgbaImage;

use super::clip::ClipId;
use super::error::AtlasError;
use super::sheet::Sheet;
use super::slicer::Rect;

/// Pixels of repeated edge around each frame, and the grid frames lie on.
pub const MARGIN: u32 = 4;

/// Mip levels, the full size included, in which frames stay apart.
pub const MIP_LEVELS: u32 = 3;

/// Number of a frame in an atlas: an index into [`Atlas::places`].
pub type FrameId = u16;

/// The number that stands for no frame.
pub const NO_FRAME: FrameId = FrameId::MAX;

/// Most frames of an atlas.
const MAX_FRAMES: usize = NO_FRAME as usize;

/// Where a frame lies in an atlas.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    /// Its rectangle in pixels, margin excluded. The unit's centre is its middle.
    pub rect: Rect,
    /// How many of these pixels make one radius of the unit (see [`Sheet::body`]).
    pub radius: f32,
}

/// The frames of all sheets in one texture.
#[derive(Clone, Debug)]
pub struct Atlas {
    image: RgbaImage,
    places: Vec<Place>,
    /// For each sheet and clip where its frames begin in `frames`.
    clips: Vec<Vec<usize>>,
    frames: Vec<FrameId>,
}

impl Atlas {
    /// Packs sheets, numbered in the order given, into one texture of at most `limit` pixels in
    /// width and height (a device's greatest texture). A sheet whose image has not come yet takes
    /// no room and has no frames; pack again when it is there. A rectangle that several clips
    /// of a sheet share is packed once. The result depends on nothing but the arguments.
    ///
    /// # Panics
    /// When an image is smaller than its sheet was cut for: see [`Sheet::check`].
    ///
    /// # Errors
    /// [`AtlasError::TooLarge`] naming the size needed and the limit, [`AtlasError::TooManyFrames`].
    pub fn pack(sheets: &[(&Sheet, Option<&RgbaImage>)], limit: u32) -> Result<Self, AtlasError> {
        let mut parts = Vec::new();
        let mut clips = Vec::with_capacity(sheets.len());
        let mut frames = Vec::new();
        for &(sheet, image) in sheets {
            let Some(image) = image else {
                clips.push(Vec::new());
                continue;
            };
            let mut known: Vec<(Rect, FrameId)> = Vec::new();
            let mut starts = Vec::with_capacity(sheet.clips().len() + 1);
            for clip in sheet.clips() {
                starts.push(frames.len());
                for &rect in &clip.frames {
                    let at = known.binary_search_by_key(&rect, |&(rect, _)| rect);
                    let at = at.unwrap_or_else(|at| {
                        known.insert(at, (rect, parts.len().min(MAX_FRAMES) as FrameId));
                        parts.push(Part::new(sheet, image, rect));
                        at
                    });
                    frames.push(known[at].1);
                }
            }
            starts.push(frames.len());
            clips.push(starts);
        }
        if parts.len() > MAX_FRAMES {
            return Err(AtlasError::TooManyFrames {
                frames: parts.len(),
            });
        }
        let (size, places) = arrange(&parts, limit)?;
        let mut atlas = Self {
            image: RgbaImage::new(size[0], size[1]),
            places: Vec::with_capacity(parts.len()),
            clips,
            frames,
        };
        for (part, place) in parts.iter().zip(places) {
            atlas.draw(part, place);
        }
        Ok(atlas)
    }

    /// Width and height in pixels.
    pub fn size(&self) -> [u32; 2] {
        self.image.dimensions().into()
    }

    /// The texture: sRGB with straight alpha, as in the sheets' images.
    pub fn image(&self) -> &RgbaImage {
        &self.image
    }

    /// Where each frame lies, indexed by [`FrameId`].
    pub fn places(&self) -> &[Place] {
        &self.places
    }

    /// The frames of a clip in order, empty where sheet or clip do not exist or the sheet's image
    /// has not come.
    pub fn frames(&self, sheet: usize, clip: ClipId) -> &[FrameId] {
        let range = self
            .clips
            .get(sheet)
            .and_then(|starts| Some(*starts.get(clip.index())?..*starts.get(clip.index() + 1)?));
        &self.frames[range.unwrap_or(0..0)]
    }

    /// One frame of a clip; `None` where there is nothing to draw.
    pub fn frame(&self, sheet: usize, clip: ClipId, frame: u32) -> Option<FrameId> {
        self.frames(sheet, clip).get(frame as usize).copied()
    }

    fn draw(&mut self, part: &Part, place: [u32; 2]) {
        let Rect {
            x,
            y,
            width,
            height,
        } = part.rect;
        for row in 0..height + 2 * MARGIN {
            for column in 0..width + 2 * MARGIN {
                let from_x = x + column.saturating_sub(MARGIN).min(width - 1);
                let from_y = y + row.saturating_sub(MARGIN).min(height - 1);
                let texel = *part.image.get_pixel(from_x, from_y);
                self.image
                    .put_pixel(place[0] + column, place[1] + row, texel);
            }
        }
        let rect = Rect {
            x: place[0] + MARGIN,
            y: place[1] + MARGIN,
            width,
            height,
        };
        self.places.push(Place {
            rect,
            radius: part.radius,
        });
    }
}

/// A rectangle of an image, in image pixels.
struct Part<'a> {
    image: &'a RgbaImage,
    rect: Rect,
    radius: f32,
}

impl<'a> Part<'a> {
    fn new(sheet: &Sheet, image: &'a RgbaImage, rect: Rect) -> Self {
        let density = sheet.density();
        let Rect {
            x,
            y,
            width,
            height,
        } = rect;
        let rect = Rect {
            x: x * density,
            y: y * density,
            width: width * density,
            height: height * density,
        };
        Self {
            image,
            rect,
            radius: sheet.body() * density as f32,
        }
    }

    /// Width and height with margins, in cells of [`MARGIN`] pixels.
    fn cells(&self) -> [i32; 2] {
        [self.rect.width, self.rect.height].map(|side| side.div_ceil(MARGIN) as i32 + 2)
    }
}

/// The smallest texture that holds all parts, width and height powers of two, and the top left
/// corner of each part's margin in it.
fn arrange(parts: &[Part<'_>], limit: u32) -> Result<([u32; 2], Vec<[u32; 2]>), AtlasError> {
    // The largest first, which leaves the small ones to fill the gaps; ties in order of number.
    let mut order: Vec<usize> = (0..parts.len()).collect();
    order.sort_by_key(|&part| {
        let [width, height] = parts[part].cells();
        (-width.max(height), -width * height, part)
    });
    let mut size = [64u32, 64];
    loop {
        if let Some(places) = place(parts, &order, size) {
            let fits = size.iter().all(|&side| side <= limit);
            return if fits {
                Ok((size, places))
            } else {
                Err(AtlasError::TooLarge { need: size, limit })
            };
        }
        let shorter = usize::from(size[1] < size[0]);
        size[shorter] *= 2;
    }
}

fn place(parts: &[Part<'_>], order: &[usize], size: [u32; 2]) -> Option<Vec<[u32; 2]>> {
    let cells = |part: &Part<'_>| {
        part.cells()
            .iter()
            .map(|&side| side as u64)
            .product::<u64>()
    };
    let area = u64::from(size[0] / MARGIN) * u64::from(size[1] / MARGIN);
    if parts.iter().map(cells).sum::<u64>() > area {
        return None;
    }
    let [width, height] = size.map(|side| (side / MARGIN) as i32);
    let mut allocator = SimpleAtlasAllocator::new(Size::new(width, height));
    let mut places = vec![[0, 0]; parts.len()];
    for &part in order {
        let [width, height] = parts[part].cells();
        let corner = allocator.allocate(Size::new(width, height))?.min;
        places[part] = [corner.x as u32 * MARGIN, corner.y as u32 * MARGIN];
    }
    Some(places)
}

#[cfg(test)]
mod tests {
    use image::Rgba;

    use super::*;
    use crate::sprite::{Clock, Pace, TickRate, Time, Timing};

    /// A sheet of `columns` x `rows` frames of 16 x 16, each of one colour of its own.
    fn solid(columns: u32, rows: u32, hue: u8) -> (Sheet, RgbaImage) {
        let size = [columns * 16, rows * 16];
        let text = "image = 'x.png'\nsize = [16, 16]\n[[clips]]\nname = 'all'\nrate = 10\n\
            [[clips]]\nname = 'first'\ncount = 1\nrate = 10\n";
        let sheet = Sheet::parse(text, "x.toml", size).unwrap();
        let image = RgbaImage::from_fn(size[0], size[1], |x, y| {
            let frame = y / 16 * columns + x / 16;
            Rgba([frame as u8, (frame >> 8) as u8, hue, 255])
        });
        (sheet, image)
    }

    #[test]
    fn every_frame_keeps_its_pixels_and_its_margin_repeats_its_edge() {
        let (a, b) = (solid(15, 15, 1), solid(3, 2, 2));
        let sheets = [(&a.0, Some(&a.1)), (&b.0, Some(&b.1))];
        let atlas = Atlas::pack(&sheets, 2048).unwrap();
        for (sheet, count, hue) in [(0, 225, 1u8), (1, 6, 2)] {
            let frames = atlas.frames(sheet, ClipId(0));
            assert_eq!(frames.len(), count);
            for (index, &frame) in frames.iter().enumerate() {
                let Rect {
                    x,
                    y,
                    width,
                    height,
                } = atlas.places()[usize::from(frame)].rect;
                assert_eq!((width, height, x % MARGIN, y % MARGIN), (16, 16, 0, 0));
                for py in y - MARGIN..y + height + MARGIN {
                    for px in x - MARGIN..x + width + MARGIN {
                        let colour = Rgba([index as u8, (index >> 8) as u8, hue, 255]);
                        assert_eq!(*atlas.image().get_pixel(px, py), colour);
                    }
                }
            }
        }
    }

    #[test]
    fn frames_that_clips_share_are_packed_once() {
        let (sheet, image) = solid(4, 1, 1);
        let atlas = Atlas::pack(&[(&sheet, Some(&image))], 2048).unwrap();
        assert_eq!(atlas.places().len(), 4);
        assert_eq!(atlas.frames(0, ClipId(1)), &atlas.frames(0, ClipId(0))[..1]);
        assert_eq!(atlas.frame(0, ClipId(0), 4), None);
        assert_eq!(atlas.frame(0, ClipId(2), 0), None);
        assert_eq!(atlas.frame(1, ClipId(0), 0), None);
    }

    #[test]
    fn an_atlas_beyond_the_texture_limit_names_both_sizes() {
        let (sheet, image) = solid(15, 15, 1);
        let error = Atlas::pack(&[(&sheet, Some(&image))], 256).unwrap_err();
        assert_eq!(
            error,
            AtlasError::TooLarge {
                need: [512, 512],
                limit: 256
            }
        );
        let text = error.to_string();
        assert!(
            text.contains("512 x 512") && text.contains("256 x 256"),
            "{text}"
        );
    }

    #[test]
    fn while_the_image_is_loading_clocks_run_and_nothing_is_drawn() {
        let (sheet, image) = solid(4, 1, 1);
        let waiting = Atlas::pack(&[(&sheet, None)], 2048).unwrap();
        let timing = Timing::FrameTicks(10.0);
        let clock = Clock::new(
            Time::tick(0),
            Pace::new(timing, TickRate::default()).unwrap(),
        );
        let playback = sheet.clips()[0].playback;
        let shown = |atlas: &Atlas, tick| {
            let frame = playback.sample(clock.phase(Time::tick(tick))).frame;
            (frame, atlas.frame(0, ClipId(0), frame))
        };
        for tick in 0..100 {
            let frame = (tick / 10 % 4) as u32;
            assert_eq!(shown(&waiting, tick), (frame, None));
        }
        let there = Atlas::pack(&[(&sheet, Some(&image))], 2048).unwrap();
        assert_eq!(shown(&there, 100), (2, there.frame(0, ClipId(0), 2)));
        assert!(shown(&there, 100).1.is_some());
    }

    #[test]
    fn double_density_frames_keep_all_their_pixels() {
        let text = "image = 'x.png'\ndensity = 2\nsize = [8, 8]\n[[clips]]\nname = 'a'\nrate = 1\n";
        let sheet = Sheet::parse(text, "x.toml", [32, 16]).unwrap();
        let image = RgbaImage::new(32, 16);
        let atlas = Atlas::pack(&[(&sheet, Some(&image))], 2048).unwrap();
        let place = atlas.places()[1];
        assert_eq!(
            (place.rect.width, place.rect.height, place.radius),
            (16, 16, 8.0)
        );
    }
}
