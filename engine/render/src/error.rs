//! What can go wrong between the renderer and the graphics system.

use thiserror::Error;

/// An error of the renderer. Each is one line.
#[derive(Debug, Error)]
pub enum RenderError {
    /// The system offers no adapter that can draw.
    #[error(
        "no graphics adapter was found ({0}); a software one such as Mesa's lavapipe is enough"
    )]
    NoAdapter(String),
    /// An adapter is there but gives no device.
    #[error("the graphics adapter {adapter:?} gives no device: {reason}")]
    NoDevice {
        /// Name of the adapter.
        adapter: String,
        /// What the driver said.
        reason: String,
    },
    /// The window cannot be drawn into.
    #[error("no picture can be shown in this window: {0}")]
    Surface(String),
    /// A texture would be larger than the device allows.
    #[error("{what} needs {width}x{height} texels, the graphics device allows {limit}x{limit}")]
    TooLarge {
        /// What was to be stored.
        what: &'static str,
        /// Width asked for, in texels.
        width: u32,
        /// Height asked for, in texels.
        height: u32,
        /// The device's limit for either side, in texels.
        limit: u32,
    },
    /// A picture without pixels was asked for.
    #[error("a picture of {0}x{1} pixels has no pixels; both sides must be 1 or more")]
    EmptyPicture(u32, u32),
    /// The picture could not be copied back from the device.
    #[error("the picture could not be read back: {0}")]
    ReadBack(String),
    /// The picture could not be written.
    #[error("{path}: cannot write the picture: {reason}")]
    Write {
        /// The file.
        path: String,
        /// What the system or the encoder said.
        reason: String,
    },
    /// A layer name that does not exist.
    #[error("unknown layer {name:?}; the layers are {known}")]
    UnknownLayer {
        /// The name given.
        name: String,
        /// All names, comma-separated.
        known: String,
    },
}
