//! Sprites: sheets, clips, clocks, state machines and the atlas. Pure data: no window, no GPU, no
//! wall clock, and no part of the simulation's hash.
//!
//! # From a sheet to the screen
//!
//! 1. [`Sheet::load`] reads a TOML file (its keys are told in [`sheet`]) with its image and cuts the
//!    clips. A sheet knows rectangles; the colours are the image's.
//! 2. [`Atlas::pack`] lays the frames of all sheets into one texture, [`Atlas::image`], with the
//!    table [`Atlas::places`] of where each frame lies, which instances index by a [`FrameId`].
//!    Magenta stands for the team's colour. See [`atlas`] for margins and mip levels.
//! 3. [`Rig::new`] finds the clips of a kind of unit; one [`Drive`] per unit turns what the unit
//!    does into a [`Look`]: clip, frame and facing, once a tick.
//! 4. `atlas.frame(sheet, look.clip, look.frame)` is the frame to draw, `None` while an image is not
//!    there. Pictures face +x and are turned by `look.facing`; [`Place`] says how large they are.
//! 5. [`Troupe`] does 3 and 4 for all units of a simulation and hands out columns for a renderer;
//!    [`troupe::action`] reads from a unit's brain what it strikes and suffers.
//!
//! ```
//! use throng::sprite::{Action, Atlas, Drive, Rig, Sheet, TickRate};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let text = "
//! image = 'ball.png'
//! [[clips]]
//! name = 'idle'
//! rate = 8.0
//! ";
//! let sheet = Sheet::parse(text, "ball.toml", [64, 16])?;
//! let image = image::RgbaImage::new(64, 16);
//! let atlas = Atlas::pack(&[(&sheet, Some(&image))], 4096)?;
//! let rig = Rig::new(&sheet, TickRate::default())?;
//! let mut drive = Drive::new(7, 0.0);
//! let look = drive.update(&rig, 1, 0.0, 0.0, Action::None);
//! assert!(atlas.frame(0, look.clip, look.frame).is_some());
//! # Ok(())
//! # }
//! ```

pub mod animation;
pub mod atlas;
pub mod clip;
pub mod clock;
pub mod drive;
pub mod error;
pub mod sequence;
pub mod sheet;
pub mod slicer;
pub mod troupe;

pub use animation::{Animation, Progress};
pub use atlas::{Atlas, FrameId, NO_FRAME, Place};
pub use clip::{ClipId, Finish, Motion, Order, Playback, Sample};
pub use clock::{Clock, Pace, Phase, TickRate, Time, Timing};
pub use drive::{Action, Drive, Look, Rig};
pub use error::{AtlasError, ClipError, SheetError, TimingError};
pub use sequence::{Goal, Graph, Node, Sequence, SequenceError};
pub use sheet::{Clip, Sheet};
pub use slicer::{Cut, Rect, slice};
pub use troupe::{Part, Troupe};

#[cfg(test)]
mod real_sheets_test;
