//! Draws a made-up crowd into a PNG, without a window and without the simulation: what the
//! renderer shows is plain data.
//!
//! `cargo run -p throng-render --example picture -- crowd.png 3000`

use std::path::Path;

use glam::Vec2;
use throng_render::{Frame, Ground, Layers, Mark, Offscreen, UnitColumns, View};

const SIDE: u32 = 96;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().unwrap_or_else(|| "crowd.png".to_owned());
    let count: usize = arguments.next().map_or(Ok(3000), |text| text.parse())?;
    let width: f32 = arguments
        .next()
        .map_or(Ok(SIDE as f32), |text| text.parse())?;

    let mut picture = Offscreen::new([1280, 800])?;
    let cells = (0..SIDE * SIDE).map(|index| ground(index % SIDE, index / SIDE));
    picture.set_map((SIDE, SIDE), cells)?;

    let crowd = Crowd::new(count);
    let selected: Vec<Mark> = crowd
        .position
        .iter()
        .zip(&crowd.team)
        .filter(|(at, team)| **team == 0 && at.distance(Vec2::new(24.0, 40.0)) < 7.0)
        .map(|(at, _)| Mark::ring(*at, 0.5, 1.5, [120, 255, 130, 255]).rimmed())
        .collect();
    let order = Mark::arrow(
        Vec2::new(24.0, 40.0),
        Vec2::new(52.0, 46.0),
        2.0,
        [120, 255, 130, 200],
    );
    let above: Vec<Mark> = [order.rimmed()]
        .into_iter()
        .chain(
            crowd
                .position
                .iter()
                .step_by(7)
                .enumerate()
                .flat_map(|(n, at)| Mark::health_bar(*at, 0.4, (n % 10) as f32 * 0.1 + 0.05)),
        )
        .collect();
    picture.render(&Frame {
        view: View::fit(
            [48.0 - width * 0.5, 40.0 - width * 0.3, width, width * 0.6],
            [1280, 800],
        ),
        layers: Layers::default(),
        tick: 1,
        blend: 1.0,
        units: crowd.columns(),
        below: &selected,
        above: if width < 60.0 { &above } else { &above[..1] },
    });
    picture.save_png(Path::new(&path))?;
    Ok(())
}

/// Two armies in loose ranks.
struct Crowd {
    position: Vec<Vec2>,
    heading: Vec<f32>,
    radius: Vec<f32>,
    team: Vec<u8>,
}

impl Crowd {
    fn new(count: usize) -> Self {
        let mut crowd = Self {
            position: Vec::new(),
            heading: Vec::new(),
            radius: Vec::new(),
            team: Vec::new(),
        };
        let columns = (count as f32 / 2.0).sqrt().ceil() as usize;
        for n in 0..count {
            let team = n % 2;
            let (column, row) = (n / 2 % columns, n / 2 / columns);
            let jitter = Vec2::new((n as f32 * 12.9).sin(), (n as f32 * 78.2).sin());
            let spacing = 70.0 / columns as f32 * 0.5;
            let x = if team == 0 { 6.0 } else { 54.0 } + column as f32 * spacing;
            let y = 8.0 + row as f32 * spacing * 2.0;
            let at = Vec2::new(x, y) + jitter * spacing * 0.3;
            if ground(at.x as u32, at.y as u32) == Ground::Wall {
                continue;
            }
            crowd.position.push(at);
            crowd
                .heading
                .push(team as f32 * std::f32::consts::PI + jitter.x * 0.5);
            crowd.radius.push(if n % 40 == 0 { 0.8 } else { 0.4 });
            crowd.team.push(team as u8);
        }
        crowd
    }

    fn columns(&self) -> UnitColumns<'_> {
        UnitColumns {
            position: &self.position,
            previous: &self.position,
            heading: &self.heading,
            radius: &self.radius,
            team: &self.team,
            ..UnitColumns::default()
        }
    }
}

fn ground(x: u32, y: u32) -> Ground {
    let border = x == 0 || y == 0 || x == SIDE - 1 || y == SIDE - 1;
    let ridge = (46..50).contains(&x) && !(38..44).contains(&y) && y % 23 != 5;
    let block = x % 13 == 9 && y % 11 > 6 || (x / 3 % 9 == 4 && y / 2 % 11 == 7);
    let river = (y as f32 - 62.0 - (x as f32 * 0.13).sin() * 5.0).abs();
    let marsh = (Vec2::new(x as f32, y as f32) - Vec2::new(70.0, 20.0)).length() < 7.0;
    match () {
        () if border || ridge || block => Ground::Wall,
        () if river < 3.0 && !(30..34).contains(&x) => Ground::Water,
        () if river < 4.5 => Ground::Shallow,
        () if marsh => Ground::Swamp,
        () => Ground::Land,
    }
}
