//! Pictures read back from the device. Without an adapter each test says so and passes.

use glam::Vec2;
use image::{Rgba, RgbaImage};
use throng::sprite::{Atlas, Sheet};
use throng_render::{
    DrawStats, Frame, Gpu, Ground, Layer, Layers, Mark, Offscreen, RenderError, Renderer,
    TEAM_COLOURS, UnitColumns, View,
};

const SIDE: u32 = 256;

#[expect(clippy::print_stdout, reason = "a skipped test says so")]
fn picture(size: [u32; 2]) -> Option<Offscreen> {
    match Offscreen::new(size) {
        Ok(picture) => Some(picture),
        Err(error) => {
            println!("skipped: {error}");
            None
        }
    }
}

/// Units that stand, look right and are of one size.
#[derive(Default)]
struct Crowd {
    position: Vec<Vec2>,
    previous: Vec<Vec2>,
    heading: Vec<f32>,
    radius: Vec<f32>,
    team: Vec<u8>,
    frame: Vec<u16>,
    lying: Vec<bool>,
}

impl Crowd {
    fn add(&mut self, at: Vec2, radius: f32, team: u8, frame: u16) -> &mut Self {
        self.position.push(at);
        self.previous.push(at);
        self.heading.push(0.0);
        self.radius.push(radius);
        self.team.push(team);
        self.frame.push(frame);
        self
    }

    fn columns(&self) -> UnitColumns<'_> {
        UnitColumns {
            position: &self.position,
            previous: &self.previous,
            heading: &self.heading,
            radius: &self.radius,
            team: &self.team,
            frame: &self.frame,
            lying: &self.lying,
            cells: None,
        }
    }

    fn frame(&self, view: View, tick: u64) -> Frame<'_> {
        Frame {
            view,
            layers: Layers::default(),
            tick,
            blend: 1.0,
            units: self.columns(),
            below: &[],
            above: &[],
        }
    }
}

fn view(centre: Vec2, scale: f32) -> View {
    View {
        centre,
        scale,
        size: [SIDE, SIDE],
    }
}

/// One row of frames, 16 x 16 texels of one colour each, drawn for a radius of 8 texels.
fn solid_frames(colours: &[[u8; 4]]) -> Atlas {
    let size = [16 * colours.len() as u32, 16];
    let text =
        "image = 'solid.png'\nbody = 8.0\nsize = [16, 16]\n[[clips]]\nname = 'all'\nrate = 1\n";
    let sheet = Sheet::parse(text, "solid.toml", size).expect("a sound sheet");
    let image = RgbaImage::from_fn(size[0], size[1], |x, _| Rgba(colours[(x / 16) as usize]));
    Atlas::pack(&[(&sheet, Some(&image))], 2048).expect("it fits")
}

/// The pixel under a point of the world.
fn pixel(image: &RgbaImage, view: &View, at: Vec2) -> [u8; 4] {
    let pixel = view.to_screen(at);
    image.get_pixel(pixel.x as u32, pixel.y as u32).0
}

#[test]
fn no_pixel_of_a_neighbouring_frame_shows_at_any_zoom() {
    let Some(mut picture) = picture([SIDE, SIDE]) else {
        return;
    };
    let colours = [[255, 0, 0, 255], [0, 255, 0, 255], [0, 0, 255, 255]];
    picture.set_atlas(&solid_frames(&colours)).expect("it fits");
    for zoom in [0.3, 0.41, 0.5, 0.77, 1.0, 1.3, 2.0, 2.6, 3.7] {
        for (frame, shown) in [(0_u16, 0), (1, 1), (2, 2)] {
            let mut crowd = Crowd::default();
            crowd.add(Vec2::new(8.0, 8.0), 4.0, 0, frame);
            crowd.heading[0] = zoom * 2.0;
            // Two texels a unit of world at zoom 1, and a camera between the pixels.
            let view = view(Vec2::new(8.13, 7.71), 2.0 * zoom);
            picture.render(&crowd.frame(view, u64::from(frame)));
            let image = picture.read().expect("it reads back");
            let mut seen = false;
            for pixel in image.pixels() {
                for (channel, value) in pixel.0[..3].iter().enumerate() {
                    if channel == shown {
                        seen |= *value > 200;
                    } else {
                        assert!(*value < 20, "zoom {zoom}, frame {frame}: {:?}", pixel.0);
                    }
                }
            }
            assert!(seen, "zoom {zoom}: frame {frame} is not there");
        }
    }
}

#[test]
fn ten_thousand_units_are_drawn_in_one_call_of_sixteen_bytes_each() {
    let Some(mut picture) = picture([SIDE * 2, SIDE * 2]) else {
        return;
    };
    let mut crowd = Crowd::default();
    for index in 0..10_000_u32 {
        let at = Vec2::new((index % 100) as f32 + 0.5, (index / 100) as f32 + 0.5);
        crowd.add(at, 0.45, 2, UnitColumns::BODY);
    }
    let view = View {
        centre: Vec2::splat(50.0),
        scale: 5.12,
        size: [SIDE * 2, SIDE * 2],
    };
    let stats = picture.render(&crowd.frame(view, 1));
    assert_eq!(
        stats,
        DrawStats {
            units: 10_000,
            unit_bytes: 160_000
        }
    );
    let image = picture.read().expect("it reads back");
    let painted = crowd.position.iter().filter(|at| {
        let [r, g, b, _] = pixel(&image, &view, **at);
        r > 90 && g > 60 && b < 140
    });
    assert_eq!(painted.count(), 10_000);
    let again = picture.render(&crowd.frame(view, 1));
    assert_eq!(again.unit_bytes, 0, "the same tick is not sent twice");
}

#[test]
fn a_hundred_thousand_units_are_one_draw_call() {
    let Ok(gpu) = Gpu::headless() else {
        return;
    };
    let Gpu { device, queue, .. } = &gpu;
    let format = wgpu::TextureFormat::Rgba8Unorm;
    let target = device.create_texture(&wgpu::TextureDescriptor {
        label: None,
        size: wgpu::Extent3d {
            width: SIDE,
            height: SIDE,
            depth_or_array_layers: 1,
        },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage: wgpu::TextureUsages::RENDER_ATTACHMENT,
        view_formats: &[],
    });
    let mut crowd = Crowd::default();
    for index in 0..100_000_u32 {
        let at = Vec2::new((index % 400) as f32 + 0.5, (index / 400) as f32 + 0.5);
        crowd.add(at, 0.45, index as u8 % 16, UnitColumns::BODY);
        crowd.lying.push(index % 100 == 0);
    }
    let mut renderer = Renderer::new(device, queue, format);
    let mut calls = |layers| {
        let frame = Frame {
            layers,
            ..crowd.frame(View::fit([0.0, 0.0, 400.0, 250.0], [SIDE, SIDE]), 1)
        };
        let stats = renderer.prepare(device, queue, &frame);
        let mut encoder = device.create_command_encoder(&Default::default());
        let view = target.create_view(&Default::default());
        let calls = renderer.draw(&mut Renderer::begin(&mut encoder, &view));
        queue.submit([encoder.finish()]);
        (calls, stats.units)
    };
    assert_eq!(calls(Layers::NONE.with(Layer::Units)), (1, 100_000));
    assert_eq!(calls(Layers::NONE.with(Layer::Map)).0, 0, "there is no map");
}

#[test]
fn the_dead_lie_below_the_living() {
    let Some(mut picture) = picture([SIDE, SIDE]) else {
        return;
    };
    picture
        .set_atlas(&solid_frames(&[[255, 0, 0, 255], [0, 255, 0, 255]]))
        .expect("it fits");
    let mut crowd = Crowd::default();
    crowd
        .add(Vec2::new(8.0, 8.0), 2.0, 0, 0)
        .add(Vec2::new(8.0, 9.0), 2.0, 0, 1);
    let view = view(Vec2::splat(8.0), 16.0);
    let mut between = |lying: [bool; 2], tick| {
        crowd.lying = lying.to_vec();
        picture.render(&crowd.frame(view, tick));
        let image = picture.read().expect("it reads back");
        pixel(&image, &view, Vec2::new(8.0, 8.5))
    };
    assert_eq!(between([false, false], 1), [0, 255, 0, 255]);
    assert_eq!(between([false, true], 2), [255, 0, 0, 255]);
    assert_eq!(between([true, true], 3), [0, 255, 0, 255]);
}

#[test]
fn units_out_of_view_are_not_drawn() {
    let Some(mut picture) = picture([SIDE, SIDE]) else {
        return;
    };
    let mut crowd = Crowd::default();
    for x in 0..1000 {
        crowd.add(Vec2::new(x as f32, 5.0), 0.4, 0, UnitColumns::BODY);
    }
    let stats = picture.render(&crowd.frame(view(Vec2::new(500.0, 5.0), 12.8), 1));
    assert!((20..40).contains(&stats.units), "{stats:?}");
}

#[test]
fn the_lower_one_is_on_top_and_equals_go_by_number() {
    let Some(mut picture) = picture([SIDE, SIDE]) else {
        return;
    };
    let colours = [[255, 0, 0, 255], [0, 255, 0, 255], [0, 0, 255, 255]];
    picture.set_atlas(&solid_frames(&colours)).expect("it fits");
    let mut crowd = Crowd::default();
    crowd
        .add(Vec2::new(8.0, 8.5), 2.0, 0, 0)
        .add(Vec2::new(8.5, 8.0), 2.0, 0, 1)
        .add(Vec2::new(9.0, 8.0), 2.0, 0, 2);
    let view = view(Vec2::splat(8.0), 16.0);
    picture.render(&crowd.frame(view, 1));
    let first = picture.read().expect("it reads back");
    assert_eq!(
        pixel(&first, &view, Vec2::new(8.2, 8.2)),
        [255, 0, 0, 255],
        "furthest down"
    );
    assert_eq!(
        pixel(&first, &view, Vec2::new(10.3, 8.2)),
        [0, 0, 255, 255],
        "the later of equals"
    );
    for tick in 2..5 {
        picture.render(&crowd.frame(view, tick));
        assert!(
            picture.read().expect("it reads back") == first,
            "tick {tick} differs"
        );
    }
}

#[test]
fn all_units_show_the_frame_of_the_tick() {
    let Some(mut picture) = picture([SIDE, SIDE]) else {
        return;
    };
    picture
        .set_atlas(&solid_frames(&[[255, 0, 0, 255], [0, 255, 0, 255]]))
        .expect("it fits");
    let mut crowd = Crowd::default();
    for index in 0..5_000_u32 {
        let at = Vec2::new((index % 71) as f32 + 0.5, (index / 71) as f32 + 0.5);
        crowd.add(at, 0.6, 0, 0);
    }
    let view = View::fit([0.0, 0.0, 71.0, 71.0], [SIDE, SIDE]);
    let reds_and_greens = |picture: &Offscreen| {
        let image = picture.read().expect("it reads back");
        let more = |a: usize, b: usize| {
            image
                .pixels()
                .filter(|pixel| pixel.0[a] > pixel.0[b].saturating_add(40))
                .count()
        };
        (more(0, 1), more(1, 0))
    };
    picture.render(&crowd.frame(view, 1));
    let (red, green) = reds_and_greens(&picture);
    assert!(red > 10_000 && green == 0, "{red} {green}");
    crowd.frame.fill(1);
    picture.render(&crowd.frame(view, 2));
    let (red, green) = reds_and_greens(&picture);
    assert!(red == 0 && green > 10_000, "{red} {green}");
}

#[test]
fn overlapping_sprites_blend() {
    let Some(mut picture) = picture([SIDE, SIDE]) else {
        return;
    };
    picture
        .set_atlas(&solid_frames(&[[255, 0, 0, 255], [0, 0, 255, 128]]))
        .expect("it fits");
    let mut crowd = Crowd::default();
    crowd
        .add(Vec2::new(8.0, 8.0), 2.0, 0, 0)
        .add(Vec2::new(9.0, 8.0), 2.0, 0, 1);
    let view = view(Vec2::splat(8.0), 16.0);
    picture.render(&crowd.frame(view, 1));
    let image = picture.read().expect("it reads back");
    let [r, g, b, a] = pixel(&image, &view, Vec2::new(8.5, 8.0));
    assert!(
        r.abs_diff(127) < 3 && g == 0 && b.abs_diff(128) < 3 && a == 255,
        "{r} {g} {b} {a}"
    );
}

#[test]
fn magenta_takes_the_colour_of_the_team() {
    let Some(mut picture) = picture([SIDE, SIDE]) else {
        return;
    };
    picture
        .set_atlas(&solid_frames(&[[255, 0, 255, 255]]))
        .expect("it fits");
    for team in [0_u8, 1, 5, 15, 16] {
        let mut crowd = Crowd::default();
        crowd.add(Vec2::splat(8.0), 2.0, team, 0);
        let view = view(Vec2::splat(8.0), 16.0);
        picture.render(&crowd.frame(view, u64::from(team)));
        let image = picture.read().expect("it reads back");
        let shown = pixel(&image, &view, Vec2::splat(8.0));
        let wanted = TEAM_COLOURS[usize::from(team) % 16];
        assert!(
            shown.iter().zip(wanted).all(|(a, b)| a.abs_diff(b) <= 2),
            "{shown:?} {wanted:?}"
        );
    }
}

#[test]
fn units_move_between_the_last_two_ticks() {
    let Some(mut picture) = picture([SIDE, SIDE]) else {
        return;
    };
    picture
        .set_atlas(&solid_frames(&[[0, 255, 0, 255]]))
        .expect("it fits");
    let mut crowd = Crowd::default();
    crowd.add(Vec2::new(10.0, 8.5), 0.5, 0, 0);
    crowd.previous[0] = Vec2::new(6.0, 7.0);
    let view = view(Vec2::splat(8.0), 16.0);
    for blend in [0.0, 0.25, 0.5, 1.0] {
        picture.render(&Frame {
            blend,
            ..crowd.frame(view, 1)
        });
        let image = picture.read().expect("it reads back");
        let green: Vec<Vec2> = image
            .enumerate_pixels()
            .filter(|(_, _, pixel)| pixel.0[1] > 128)
            .map(|(x, y, _)| Vec2::new(x as f32 + 0.5, y as f32 + 0.5))
            .collect();
        let middle = view.to_world(green.iter().sum::<Vec2>() / green.len() as f32);
        let wanted = crowd.previous[0].lerp(crowd.position[0], blend);
        assert!(
            middle.distance(wanted) < 0.05,
            "blend {blend}: {middle}, not {wanted}"
        );
    }
}

#[test]
fn an_empty_window_is_skipped_and_the_next_one_drawn() {
    let Some(mut picture) = picture([SIDE, SIDE]) else {
        return;
    };
    let mut crowd = Crowd::default();
    for units in [0, 1] {
        for size in [[0, 0], [0, 600], [600, 0]] {
            let view = View {
                size,
                ..view(Vec2::splat(8.0), 16.0)
            };
            let stats = picture.render(&crowd.frame(view, units));
            assert_eq!(stats, DrawStats::default());
        }
        let stats = picture.render(&crowd.frame(view(Vec2::splat(8.0), 16.0), units));
        assert_eq!(stats.units, units as usize);
        crowd.add(Vec2::splat(8.0), 1.0, 0, UnitColumns::BODY);
    }
    assert!(matches!(
        Offscreen::new([0, 600]),
        Err(RenderError::EmptyPicture(0, 600))
    ));
}

#[test]
fn an_edited_cell_changes_in_the_picture() {
    let Some(mut picture) = picture([SIDE, SIDE]) else {
        return;
    };
    let map = |wall: bool| {
        (0..256).map(move |cell| {
            if wall && cell == 8 * 16 + 8 {
                Ground::Wall
            } else {
                Ground::Land
            }
        })
    };
    let view = view(Vec2::splat(8.0), 16.0);
    let crowd = Crowd::default();
    picture.set_map((16, 16), map(false)).expect("it fits");
    picture.render(&crowd.frame(view, 1));
    let before = picture.read().expect("it reads back");
    picture.update_map([8, 8, 9, 9], |_, _| Ground::Wall);
    picture.render(&crowd.frame(view, 1));
    let edited = picture.read().expect("it reads back");
    picture.set_map((16, 16), map(true)).expect("it fits");
    picture.render(&crowd.frame(view, 1));
    assert!(edited != before, "the wall is not seen");
    assert!(
        picture.read().expect("it reads back") == edited,
        "a new map would look different"
    );
}

#[test]
fn marks_lie_where_they_are_put() {
    let Some(mut picture) = picture([SIDE, SIDE]) else {
        return;
    };
    let view = view(Vec2::splat(8.0), 16.0);
    let white = [255, 255, 255, 255];
    let marks = [
        Mark::ring(Vec2::new(4.0, 4.0), 2.0, 3.0, white),
        Mark::line(Vec2::new(8.0, 12.0), Vec2::new(14.0, 12.0), 3.0, white),
    ];
    let crowd = Crowd::default();
    picture.render(&Frame {
        above: &marks,
        ..crowd.frame(view, 1)
    });
    let image = picture.read().expect("it reads back");
    let lit = |x: f32, y: f32| pixel(&image, &view, Vec2::new(x, y))[0] > 200;
    assert!(lit(6.0, 4.0) && lit(4.0, 2.0) && !lit(4.0, 4.0));
    assert!(lit(11.0, 12.0) && !lit(11.0, 12.5) && !lit(7.0, 12.0));
}

#[test]
fn without_an_adapter_there_is_one_clear_line() {
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor {
        backends: wgpu::Backends::empty(),
        ..wgpu::InstanceDescriptor::new_without_display_handle()
    });
    let error = Gpu::request(instance, None).expect_err("no backend, no adapter");
    assert!(matches!(error, RenderError::NoAdapter(_)));
    assert_eq!(error.to_string().lines().count(), 1);
}
