//! Pictures of a simulation: what `throng render`, the window and its screenshots show.

use std::path::Path;
use std::time::{Duration, Instant};

use image::RgbaImage;
use throng::{Map, Simulation};
use throng_render::{Frame, Layers, Offscreen, RenderError, View, simulation};

use crate::cast::Cast;
use crate::window::overlay::{self, Marks};

/// The frame of a simulation whose units are dressed by `cast`. `tick` changes whenever the units
/// do.
pub fn frame<'a>(
    crowd: &'a Simulation,
    cast: &'a Cast,
    view: View,
    layers: Layers,
    blend: f32,
    tick: u64,
    marks: &'a Marks,
) -> Frame<'a> {
    Frame {
        view,
        layers,
        tick,
        blend,
        units: cast.columns(crowd),
        below: &marks.below,
        above: &marks.above,
    }
}

/// Draws a frame of a crowd on `map` into a PNG, with `colours` laid over its cells.
///
/// # Errors
/// No adapter, no room for the picture on the device, or a file that cannot be written.
pub fn save(
    map: &Map,
    cast: &Cast,
    frame: &Frame<'_>,
    colours: &[[u8; 4]],
    path: &Path,
) -> Result<(), RenderError> {
    let mut picture = Offscreen::new(frame.view.size)?;
    picture.set_atlas(cast.atlas())?;
    picture.set_map(simulation::size(map), simulation::cells(map))?;
    picture.set_cells(simulation::size(map), colours)?;
    picture.render(frame);
    picture.save_png(path)
}

/// Draws a simulation tick by tick on one device.
pub struct Studio {
    picture: Offscreen,
    cast: Cast,
    layers: Layers,
    /// Revision of the map on the device.
    shown: Option<u64>,
}

impl Studio {
    /// Ready to draw pictures of `size` pixels of a simulation of so many ticks a second.
    ///
    /// # Errors
    /// No adapter, or a picture too large for the device.
    pub fn new(size: [u32; 2], layers: Layers, tick_rate: f32) -> Result<Self, RenderError> {
        let cast = Cast::new(tick_rate);
        let mut picture = Offscreen::new(size)?;
        picture.set_atlas(cast.atlas())?;
        Ok(Self {
            picture,
            cast,
            layers,
            shown: None,
        })
    }

    /// Takes in what the units did in the last tick, so that their sprites go on.
    pub fn watch(&mut self, crowd: &Simulation) {
        self.cast.update(crowd);
    }

    /// The simulation as the last tick left it. `bounds` is the box `x, y, width, height` to show,
    /// in cells; the whole map where it is `None`.
    ///
    /// # Errors
    /// A map too large for the device, or pixels that do not come back.
    pub fn draw(
        &mut self,
        crowd: &Simulation,
        bounds: Option<[f32; 4]>,
    ) -> Result<RgbaImage, RenderError> {
        let map = crowd.map();
        let whole = [0.0, 0.0, map.width() as f32, map.height() as f32];
        let view = View::fit(bounds.unwrap_or(whole), self.picture.size());
        if self.shown != Some(map.revision()) {
            self.shown = Some(map.revision());
            self.picture
                .set_map(simulation::size(map), simulation::cells(map))?;
        }
        let colours = overlay::cells(crowd, self.layers, &[]);
        self.picture.set_cells(simulation::size(map), &colours)?;
        self.cast.update(crowd);
        let marks = Marks::new(crowd, self.layers, &view, 1.0, &[]);
        let tick = crowd.now();
        self.picture.render(&frame(
            crowd,
            &self.cast,
            view,
            self.layers,
            1.0,
            tick,
            &marks,
        ));
        self.picture.read()
    }
}

/// Frames a second at which a whole crowd is drawn, 1280 x 720 pixels, uploaded anew each time as
/// after a tick; `None` where there is no adapter.
pub fn frames_per_second(crowd: &Simulation) -> Option<f64> {
    const SIZE: [u32; 2] = [1280, 720];
    const FRAMES: u32 = 10;
    const LONGEST: Duration = Duration::from_secs(3);
    let mut picture = Offscreen::new(SIZE).ok()?;
    let map = crowd.map();
    let mut cast = Cast::new(crowd.config().tick_rate);
    cast.update(crowd);
    picture.set_atlas(cast.atlas()).ok()?;
    picture
        .set_map(simulation::size(map), simulation::cells(map))
        .ok()?;
    let view = View::fit([0.0, 0.0, map.width() as f32, map.height() as f32], SIZE);
    let marks = Marks::default();
    let mut draw = |tick| {
        let layers = Layers::default();
        picture.render(&frame(crowd, &cast, view, layers, 0.5, tick, &marks));
        picture.wait()
    };
    // The first frame builds what the driver builds on first use.
    draw(0).ok()?;
    let start = Instant::now();
    let mut drawn = 0;
    while drawn < FRAMES && start.elapsed() < LONGEST {
        drawn += 1;
        draw(u64::from(drawn)).ok()?;
    }
    Some(f64::from(drawn) / start.elapsed().as_secs_f64())
}
