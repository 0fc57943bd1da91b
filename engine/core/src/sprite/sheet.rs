//! Sprite sheets: an image and the clips cut from it, described by a TOML file.
//!
//! Pictures face +x. Magenta, red and blue over green, stands for the team's colour: a renderer
//! puts it in place of `min(red, blue) - green` of each texel.
//!
//! ```toml
//! image = "soldier.png"       # beside this file
//! density = 1                 # image pixels per sheet pixel; all lengths below are sheet pixels
//! body = 9.0                  # radius of the unit's disc in the picture; default half a frame's width
//! size = [32, 32]             # frame size of clips that give none
//!
//! [[clips]]
//! name = "idle"
//! offset = [0, 0]             # default [0, 0]
//! size = [32, 32]             # neither here nor above: square frames fill the image's one row
//! count = 4                   # left out: all frames from the offset to the end of the image
//! stride = 1                  # frames from one to the next; the column count runs down a column
//! rate = 8.0                  # frames per second; or frame_ms = 125.0; or frame_ticks = 4.0
//! variation = 0.1             # each start draws its frame duration from 0.9 to 1.1 of the mean
//! order = "ping_pong"         # forward (default), reverse, ping_pong
//! loops = 2                   # left out: once where `next` is given, else for ever
//! finish = "last"             # the frame that stays at the end: last (default), first
//! next = { idle = 3, look = 1, walk = 0 }   # what may follow, by weight
//!
//! [[clips]]
//! name = "walk"
//! offset = [0, 32]
//! count = 8
//! rate = 12.0
//! cells = 0.9                 # ground one pass covers: the clip runs with the speed of the feet
//!
//! [[clips]]
//! name = "attack"
//! offset = [0, 64]
//! count = 6
//! rate = 15.0
//! hit = 3                     # the frame in which the blow lands; default half-way
//! loops = 1
//! ```

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use image::RgbaImage;
use serde::Deserialize;

use super::clip::{ClipId, Finish, Motion, Order, Playback};
use super::clock::{TickRate, Timing};
use super::error::{ClipError, SheetError};
use super::sequence::{Graph, Node};
use super::slicer::{Cut, Rect, slice};

/// One clip of a sheet: where its frames lie and how they run.
#[derive(Clone, Debug, PartialEq)]
pub struct Clip {
    /// Its name, unique in the sheet.
    pub name: String,
    /// Where its frames lie, in sheet pixels, in order.
    pub frames: Vec<Rect>,
    /// How they are played.
    pub playback: Playback,
    /// How long a frame lasts.
    pub timing: Timing,
    /// How far the frame duration varies between starts, as a share of it, 0 to 0.5.
    pub variation: f64,
    /// The frame in which the blow of an attack lands.
    pub hit: u32,
    /// Ground covered by one pass, in cells, for clips that run with the speed of the feet.
    pub cells: Option<f32>,
    /// What may follow it, by weight.
    pub next: Vec<(ClipId, u32)>,
}

/// Clips cut from an image. It knows the image's size, not its pixels: those may come later, and
/// clocks run without them.
#[derive(Clone, Debug, PartialEq)]
pub struct Sheet {
    source: String,
    size: [u32; 2],
    density: u32,
    body: f32,
    clips: Vec<Clip>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SheetFile {
    image: PathBuf,
    #[serde(default = "one")]
    density: u32,
    body: Option<f64>,
    size: Option<[u32; 2]>,
    #[serde(default)]
    clips: Vec<ClipFile>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ClipFile {
    name: String,
    #[serde(default)]
    offset: [u32; 2],
    size: Option<[u32; 2]>,
    count: Option<u32>,
    #[serde(default = "one")]
    stride: u32,
    rate: Option<f64>,
    frame_ms: Option<f64>,
    frame_ticks: Option<f64>,
    #[serde(default)]
    variation: f64,
    #[serde(default)]
    order: Order,
    loops: Option<u32>,
    #[serde(default)]
    finish: Finish,
    hit: Option<u32>,
    cells: Option<f64>,
    #[serde(default)]
    next: BTreeMap<String, u32>,
}

fn one() -> u32 {
    1
}

impl Sheet {
    /// Reads a sheet file and its image.
    ///
    /// # Errors
    /// [`SheetError`] naming the file and what is wrong in it.
    pub fn load(path: &Path) -> Result<(Self, RgbaImage), SheetError> {
        let text = std::fs::read_to_string(path).map_err(|source| SheetError::Read {
            path: path.to_owned(),
            source,
        })?;
        let source = path.display().to_string();
        let file = parse(&text, &source)?;
        let path = path.parent().unwrap_or(Path::new("")).join(&file.image);
        let image = image::open(&path)
            .map_err(|source| SheetError::Image { path, source })?
            .into_rgba8();
        let sheet = Self::cut(file, source, image.dimensions().into())?;
        Ok((sheet, image))
    }

    /// Reads the text of a sheet file and cuts its clips for an image of the given width and height
    /// in pixels; `source` is what errors call it.
    ///
    /// # Errors
    /// [`SheetError`] naming the line, or the clip and its figures.
    pub fn parse(text: &str, source: &str, image: [u32; 2]) -> Result<Self, SheetError> {
        Self::cut(parse(text, source)?, source.to_owned(), image)
    }

    fn cut(file: SheetFile, source: String, image: [u32; 2]) -> Result<Self, SheetError> {
        let density = file.density;
        if density == 0 || !image.iter().all(|side| side.is_multiple_of(density)) {
            return Err(SheetError::Density {
                file: source,
                density,
                image,
            });
        }
        let size = image.map(|side| side / density);
        let names: Vec<String> = file.clips.iter().map(|clip| clip.name.clone()).collect();
        let mut clips = Vec::with_capacity(names.len());
        for (index, clip) in file.clips.into_iter().enumerate() {
            let name = clip.name.clone();
            let twice = names[..index].contains(&name);
            let cut = if twice {
                Err(ClipError::Twice)
            } else {
                clip.cut(file.size, size, &names)
            };
            clips.push(cut.map_err(|problem| SheetError::Clip {
                file: source.clone(),
                clip: name,
                problem,
            })?);
        }
        let Some(first) = clips.first() else {
            return Err(SheetError::NoClips { file: source });
        };
        let body = file.body.unwrap_or(f64::from(first.frames[0].width) / 2.0);
        if !(0.1..=1e4).contains(&body) {
            return Err(SheetError::Body {
                file: source,
                value: body,
            });
        }
        Ok(Self {
            source,
            size,
            density,
            body: body as f32,
            clips,
        })
    }

    /// Whether an image is of the size the sheet was cut for.
    ///
    /// # Errors
    /// [`SheetError::Size`], naming both sizes.
    pub fn check(&self, image: &RgbaImage) -> Result<(), SheetError> {
        let (image, cut) = (
            image.dimensions().into(),
            self.size.map(|side| side * self.density),
        );
        if image == cut {
            return Ok(());
        }
        Err(SheetError::Size {
            file: self.source.clone(),
            image,
            cut,
        })
    }

    /// What errors call it: the path of its file.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Width and height in sheet pixels.
    pub fn size(&self) -> [u32; 2] {
        self.size
    }

    /// Image pixels per sheet pixel.
    pub fn density(&self) -> u32 {
        self.density
    }

    /// Radius of the unit's disc in the picture, in sheet pixels. A frame of `w` sheet pixels is
    /// `w / body` unit radii wide in the world, centred on the unit.
    pub fn body(&self) -> f32 {
        self.body
    }

    /// Its clips, in file order; [`ClipId`] `i` is the `i`th.
    pub fn clips(&self) -> &[Clip] {
        &self.clips
    }

    /// The clip of a name.
    pub fn find(&self, name: &str) -> Option<ClipId> {
        let index = self.clips.iter().position(|clip| clip.name == name)?;
        Some(ClipId(index as u16))
    }

    /// Left, top, right and bottom of a rectangle of this sheet as shares of the image: the same at
    /// every density.
    pub fn uv(&self, rect: Rect) -> [f32; 4] {
        let share = |at: u32, whole: u32| at as f32 / whole as f32;
        [
            share(rect.x, self.size[0]),
            share(rect.y, self.size[1]),
            share(rect.x + rect.width, self.size[0]),
            share(rect.y + rect.height, self.size[1]),
        ]
    }

    /// The state machine of its clips at a tick rate.
    ///
    /// # Errors
    /// [`SheetError::Clip`] for a clip whose timing cannot drive a clock; none for a sheet that was
    /// read from a file, where that has been checked.
    pub fn graph(&self, ticks: TickRate) -> Result<Graph, SheetError> {
        let node = |clip: &Clip| {
            let motion = Motion::new(clip.playback, clip.timing, clip.variation, ticks);
            let motion = motion.map_err(|problem| SheetError::Clip {
                file: self.source.clone(),
                clip: clip.name.clone(),
                problem: problem.into(),
            })?;
            Ok(Node {
                motion,
                next: clip.next.clone(),
            })
        };
        Ok(Graph::new(
            self.clips.iter().map(node).collect::<Result<_, _>>()?,
        ))
    }
}

fn parse(text: &str, source: &str) -> Result<SheetFile, SheetError> {
    toml::from_str(text).map_err(|error| {
        let start = error.span().map_or(0, |span| span.start).min(text.len());
        SheetError::Syntax {
            file: source.to_owned(),
            line: text.as_bytes()[..start]
                .iter()
                .filter(|&&byte| byte == b'\n')
                .count()
                + 1,
            message: error.message().replace('\n', ", "),
        }
    })
}

impl ClipFile {
    fn cut(
        self,
        size: Option<[u32; 2]>,
        image: [u32; 2],
        names: &[String],
    ) -> Result<Clip, ClipError> {
        let timing = self.timing()?;
        // The tick rate is not known here; any will do to find out whether the timing is sound.
        super::Pace::new(timing, TickRate::default())?;
        if !(0.0..=0.5).contains(&self.variation) {
            return Err(ClipError::Variation {
                value: self.variation,
            });
        }
        if self.loops == Some(0) {
            return Err(ClipError::NoLoops);
        }
        let cut = Cut {
            offset: self.offset,
            size: self.size.or(size),
            count: self.count,
            stride: self.stride,
        };
        let frames = slice(&cut, image)?;
        let count = frames.len() as u32;
        let hit = self.hit.unwrap_or(count / 2);
        if hit >= count {
            return Err(ClipError::Hit { hit, count });
        }
        if let Some(value) = self.cells.filter(|cells| !(0.01..=1e3).contains(cells)) {
            return Err(ClipError::Cells { value });
        }
        let id = |(name, weight): (&String, &u32)| {
            let index = names.iter().position(|known| known == name);
            let index = index.ok_or_else(|| ClipError::Next {
                name: name.clone(),
                known: names.join(", "),
            })?;
            Ok((ClipId(index as u16), *weight))
        };
        let next = self
            .next
            .iter()
            .map(id)
            .collect::<Result<Vec<_>, ClipError>>()?;
        let loops = self.loops.or((!next.is_empty()).then_some(1));
        Ok(Clip {
            name: self.name,
            frames,
            playback: Playback {
                frames: count,
                order: self.order,
                loops,
                finish: self.finish,
            },
            timing,
            variation: self.variation,
            hit,
            cells: self.cells.map(|cells| cells as f32),
            next,
        })
    }

    fn timing(&self) -> Result<Timing, ClipError> {
        let given = [
            self.rate.map(Timing::Rate),
            self.frame_ms.map(Timing::FrameMs),
            self.frame_ticks.map(Timing::FrameTicks),
        ];
        let mut given = given.into_iter().flatten();
        match (given.next(), given.count()) {
            (Some(timing), 0) => Ok(timing),
            (None, _) => Err(ClipError::Timings { found: 0 }),
            (Some(_), more) => Err(ClipError::Timings { found: more + 1 }),
        }
    }
}

#[cfg(test)]
#[path = "sheet_test.rs"]
mod tests;
