//! What can be wrong with a sheet, a clip or an atlas.

use std::path::PathBuf;

use super::Rect;

/// A rate or duration that cannot drive a clock.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum TimingError {
    /// The tick rate is zero, negative, not a number or out of range.
    #[error("tick rate {value} is not a number from 0.001 to 1000 ticks per second")]
    TickRate {
        /// What was given.
        value: f64,
    },
    /// A rate or duration is zero, negative, not a number or out of range.
    #[error("{key} = {value} is not a number from {min} to {max}")]
    Range {
        /// The key that holds it.
        key: &'static str,
        /// What was given.
        value: f64,
        /// The least value allowed.
        min: f64,
        /// The greatest value allowed.
        max: f64,
    },
}

/// What is wrong with one clip.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ClipError {
    /// A count of zero.
    #[error("count = 0: a clip has at least one frame")]
    NoFrames,
    /// More frames than 65,535.
    #[error("{count} frames are more than the 65535 a clip may have")]
    TooManyFrames {
        /// How many there would be.
        count: u64,
    },
    /// A frame size of zero.
    #[error("size = [{}, {}]: both must be at least 1", .size[0], .size[1])]
    NoSize {
        /// Frame width and height, in sheet pixels.
        size: [u32; 2],
    },
    /// A stride of zero.
    #[error("stride = 0: it must be at least 1 frame")]
    NoStride,
    /// A frame reaches beyond the image.
    #[error("frame {frame} at ({}, {}) of {} x {} reaches beyond the image of {} x {}",
        .rect.x, .rect.y, .rect.width, .rect.height, .image[0], .image[1])]
    Outside {
        /// Number of the frame in the clip, from zero.
        frame: u32,
        /// Where it would lie, in sheet pixels.
        rect: Rect,
        /// The image's width and height, in sheet pixels.
        image: [u32; 2],
    },
    /// The frame size does not divide what it has to.
    #[error("frames of {} x {} do not divide the {} x {} pixels they are to fill",
        .size[0], .size[1], .area[0], .area[1])]
    Uneven {
        /// Frame width and height, in sheet pixels.
        size: [u32; 2],
        /// Width and height to be filled, in sheet pixels.
        area: [u32; 2],
    },
    /// A column offset that is no multiple of the frame width on a clip that goes on to more rows.
    #[error(
        "offset x = {offset} is not a multiple of the frame width {width}, \
        so the rows below cannot line up"
    )]
    Misaligned {
        /// The offset's x, in sheet pixels.
        offset: u32,
        /// The frame's width, in sheet pixels.
        width: u32,
    },
    /// A rate or duration that cannot drive a clock.
    #[error(transparent)]
    Timing(#[from] TimingError),
    /// No rate and no duration, or more than one.
    #[error("give exactly one of rate, frame_ms and frame_ticks (found {found})")]
    Timings {
        /// How many of them were given.
        found: usize,
    },
    /// The variation is not in 0 to 0.5.
    #[error("variation = {value} is not a number from 0 to 0.5")]
    Variation {
        /// What was given.
        value: f64,
    },
    /// Zero loops.
    #[error("loops = 0: give at least 1, or leave it out to loop for ever")]
    NoLoops,
    /// The frame of the blow is not in the clip.
    #[error("hit = {hit} is not a frame of the clip's {count}")]
    Hit {
        /// What was given.
        hit: u32,
        /// Frames of the clip.
        count: u32,
    },
    /// The way covered by one pass is zero, negative or not a number.
    #[error("cells = {value} is not a number from 0.01 to 1000")]
    Cells {
        /// What was given.
        value: f64,
    },
    /// A transition to a clip that the sheet has not.
    #[error("next names the clip `{name}`, which the sheet has not (it has {known})")]
    Next {
        /// The unknown name.
        name: String,
        /// The names of the sheet, comma-separated.
        known: String,
    },
    /// A second clip of the same name.
    #[error("the sheet has two clips of this name")]
    Twice,
}

/// What is wrong with a sheet.
#[derive(Debug, thiserror::Error)]
pub enum SheetError {
    /// The file cannot be read.
    #[error("{}: {source}", .path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The image cannot be read.
    #[error("{}: not a readable image: {source}", .path.display())]
    Image {
        /// The image.
        path: PathBuf,
        /// Why.
        source: image::ImageError,
    },
    /// Not a sheet file.
    #[error("{file}:{line}: {message}")]
    Syntax {
        /// The file.
        file: String,
        /// Its line, from 1.
        line: usize,
        /// What is wrong there.
        message: String,
    },
    /// One clip is wrong.
    #[error("{file}: clip `{clip}`: {problem}")]
    Clip {
        /// The file.
        file: String,
        /// The clip's name.
        clip: String,
        /// What is wrong with it.
        problem: ClipError,
    },
    /// The sheet has no clip.
    #[error("{file}: a sheet has at least one [[clips]]")]
    NoClips {
        /// The file.
        file: String,
    },
    /// A density of zero, or one that does not divide the image.
    #[error("{file}: density {density} does not divide the image of {} x {} pixels",
        .image[0], .image[1])]
    Density {
        /// The file.
        file: String,
        /// Image pixels per sheet pixel.
        density: u32,
        /// The image's width and height, in image pixels.
        image: [u32; 2],
    },
    /// The body radius is zero, negative or not a number.
    #[error("{file}: body = {value} is not a number from 0.1 to 10000 (sheet pixels)")]
    Body {
        /// The file.
        file: String,
        /// What was given.
        value: f64,
    },
    /// The pixels are not of the size the sheet was cut for.
    #[error("{file}: the image is {} x {} pixels, the sheet was cut for {} x {}",
        .image[0], .image[1], .cut[0], .cut[1])]
    Size {
        /// The file.
        file: String,
        /// The image's width and height.
        image: [u32; 2],
        /// What the clips were cut for.
        cut: [u32; 2],
    },
}

/// Why sheets cannot be packed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AtlasError {
    /// The frames need a larger texture than the device has.
    #[error("the sprites need an atlas of {} x {} pixels, textures here end at {limit} x {limit}",
        .need[0], .need[1])]
    TooLarge {
        /// Width and height that would do.
        need: [u32; 2],
        /// The greatest width and height of a texture.
        limit: u32,
    },
    /// More frames than an instance can number.
    #[error("{frames} frames are more than the 65535 of an atlas")]
    TooManyFrames {
        /// How many there are.
        frames: usize,
    },
}
