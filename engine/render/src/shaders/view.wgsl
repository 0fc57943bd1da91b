// The camera, shared by all shaders. World units are cells, x right and y down.
struct View {
    centre: vec2f,
    // Size of the picture in pixels.
    viewport: vec2f,
    // Size of the map in cells.
    map: vec2f,
    // Pixels per cell.
    scale: f32,
    // 0: as of the tick before the last, 1: as of the last tick.
    blend: f32,
    teams: array<vec4f, 16>,
};

@group(0) @binding(0) var<uniform> view: View;

fn to_clip(world: vec2f) -> vec4f {
    let half = (world - view.centre) * view.scale * 2.0 / view.viewport;
    return vec4f(half.x, -half.y, 0.0, 1.0);
}

fn to_world(pixel: vec2f) -> vec2f {
    return (pixel - view.viewport * 0.5) / view.scale + view.centre;
}

// The corner of a strip of four: (-1, -1), (1, -1), (-1, 1), (1, 1).
fn corner(vertex: u32) -> vec2f {
    return vec2f(f32(vertex & 1u), f32(vertex >> 1u)) * 2.0 - 1.0;
}

// `above` over `below`, both with premultiplied alpha.
fn over(above: vec4f, below: vec4f) -> vec4f {
    return above + below * (1.0 - above.a);
}
