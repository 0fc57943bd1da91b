// The map: ground with grain and patches, water with shores, walls as lit blocks that cast a
// shadow to the lower right. The light comes from the upper left.

@group(1) @binding(0) var cells: texture_2d<u32>;
@group(1) @binding(1) var noise: texture_2d<f32>;
@group(1) @binding(2) var noise_sampler: sampler;

const SWAMP = 1u;
const SHALLOW = 2u;
const WATER = 3u;
const WALL = 4u;

@vertex
fn vertex(@builtin(vertex_index) index: u32) -> @builtin(position) vec4f {
    return to_clip((corner(index) * 0.5 + 0.5) * view.map);
}

// Distance from `p` (0 to 1 within the cell) to the nearest of the eight neighbours in `mask`.
fn to_neighbours(p: vec2f, mask: u32) -> f32 {
    let q = vec2f(1.0) - p;
    var d = 9.0;
    if (mask & 2u) != 0u { d = min(d, p.y); }
    if (mask & 8u) != 0u { d = min(d, p.x); }
    if (mask & 16u) != 0u { d = min(d, q.x); }
    if (mask & 64u) != 0u { d = min(d, q.y); }
    if (mask & 1u) != 0u { d = min(d, length(p)); }
    if (mask & 4u) != 0u { d = min(d, length(vec2f(q.x, p.y))); }
    if (mask & 32u) != 0u { d = min(d, length(vec2f(p.x, q.y))); }
    if (mask & 128u) != 0u { d = min(d, length(q)); }
    return d;
}

// How far a shadow falls, in cells.
const FALL = vec2f(0.3, 0.4);

fn shadow(p: vec2f, walls: u32) -> f32 {
    // Steps back towards the light: is there a wall on the way?
    var depth = 9.0;
    for (var i = 1; i <= 3; i++) {
        let q = p - FALL * (f32(i) / 3.0);
        let left = q.x < 0.0;
        let up = q.y < 0.0;
        // Only the neighbours above, to the left and between can lie there.
        if (left && up && (walls & 1u) != 0u) || (left && !up && (walls & 8u) != 0u)
            || (up && !left && (walls & 2u) != 0u) {
            return 1.0;
        }
        if (walls & 2u) != 0u { depth = min(depth, max(q.y, 0.0)); }
        if (walls & 8u) != 0u { depth = min(depth, max(q.x, 0.0)); }
        if (walls & 1u) != 0u { depth = min(depth, length(max(q, vec2f(0.0)))); }
    }
    return 1.0 - smoothstep(0.0, 0.16, depth);
}

fn land(world: vec2f, kind: u32, grain: vec3f, detail: f32) -> vec3f {
    let patches = grain.y;
    var colour = mix(vec3f(0.335, 0.345, 0.235), vec3f(0.455, 0.425, 0.300), smoothstep(0.3, 0.7, patches));
    if kind == SWAMP {
        colour = mix(vec3f(0.215, 0.255, 0.165), vec3f(0.30, 0.31, 0.19), smoothstep(0.35, 0.65, grain.z));
    }
    return colour * (1.0 + (grain.x - 0.5) * 0.26 * detail);
}

fn water(kind: u32, grain: vec3f, ripple: f32, shore: f32) -> vec3f {
    var colour = mix(vec3f(0.095, 0.225, 0.335), vec3f(0.125, 0.29, 0.41), smoothstep(0.3, 0.7, grain.y));
    if kind == SHALLOW {
        colour = mix(vec3f(0.235, 0.39, 0.42), vec3f(0.30, 0.46, 0.46), grain.y);
    }
    // Thin bright ripples where the noise passes its middle.
    colour += vec3f(0.09, 0.12, 0.12) * (1.0 - smoothstep(0.0, 0.07, abs(ripple - 0.5)));
    return mix(vec3f(0.56, 0.60, 0.52), colour, smoothstep(0.04, 0.22, shore));
}

fn wall(p: vec2f, walls: u32, grain: vec3f) -> vec3f {
    let open = ~walls;
    let q = vec2f(1.0) - p;
    var top = vec3f(0.515, 0.495, 0.465) * (0.90 + 0.22 * (grain.y - 0.3) + 0.14 * (grain.x - 0.5));
    // Lit edges to the light, the dark face away from it.
    var lit = 9.0;
    if (open & 2u) != 0u { lit = min(lit, p.y); }
    if (open & 8u) != 0u { lit = min(lit, p.x); }
    var dark = 9.0;
    if (open & 16u) != 0u { dark = min(dark, q.x); }
    if (open & 64u) != 0u { dark = min(dark, q.y * 0.72); }
    let pixel = 1.0 / view.scale;
    top = mix(vec3f(0.80, 0.77, 0.70), top, smoothstep(0.03, 0.13 + pixel, lit));
    let face = 1.0 - smoothstep(0.17, 0.20 + pixel, dark);
    let side = vec3f(0.235, 0.22, 0.215) * (0.9 + 0.3 * (grain.x - 0.5));
    return mix(top, side, face);
}

fn cell_at(world: vec2f) -> vec2u {
    return vec2u(clamp(world, vec2f(0.0), view.map - 0.5));
}

fn shade(world: vec2f, grain: vec3f, warp: vec2f, detail: f32) -> vec3f {
    var at = cell_at(world);
    var cell = textureLoad(cells, at, 0);
    if cell.r == WALL {
        return mix(vec3f(0.47, 0.45, 0.425), wall(world - vec2f(at), cell.g, grain), detail);
    }
    let walls = cell.g;
    let own = world - vec2f(at);
    // Shores run as nature has them: what lies a little aside decides, unless it is a wall.
    let aside = cell_at(world + (warp - 0.5) * 0.9);
    let other = textureLoad(cells, aside, 0);
    var p = own;
    if other.r != WALL {
        at = aside;
        cell = other;
        p = clamp(world + (warp - 0.5) * 0.9 - vec2f(at), vec2f(0.0), vec2f(1.0));
    }
    let ripple = warp.x;
    var colour: vec3f;
    if cell.r == WATER || cell.r == SHALLOW {
        colour = water(cell.r, grain, ripple, to_neighbours(p, 255u ^ (cell.b | cell.g)));
    } else {
        colour = land(world, cell.r, grain, detail);
        // A trace of the grid helps to judge distances.
        colour *= 1.0 + (f32(cell.a) / 255.0 - 0.5) * 0.05 * detail;
    }
    if walls != 0u {
        let near = 1.0 - smoothstep(0.0, 0.45, to_neighbours(own, walls));
        let dark = max(shadow(own, walls) * 0.52, near * 0.30);
        colour *= 1.0 - dark * detail;
    }
    return colour;
}

@fragment
fn fragment(@builtin(position) pixel: vec4f) -> @location(0) vec4f {
    let world = to_world(pixel.xy);
    // Noise is sampled before anything differs from pixel to pixel, as derivatives ask for.
    let fine = textureSample(noise, noise_sampler, world / 22.0);
    // Turned against the grid, or patches would look like boxes.
    let turned = vec2f(world.x * 0.8 - world.y * 0.6, world.x * 0.6 + world.y * 0.8);
    let broad = textureSample(noise, noise_sampler, turned / 150.0 + 0.37);
    // Another turn and size, so that from afar no pattern repeats.
    let middle = textureSample(noise, noise_sampler, turned.yx / 67.0 + 0.21).y;
    // Seen from near the grain would blur; a finer one takes its place.
    let finer = textureSample(noise, noise_sampler, turned / 4.7).x;
    let grain = vec3f(mix(fine.x, finer, smoothstep(14.0, 50.0, view.scale) * 0.7), broad.y * 0.65 + middle * 0.35, broad.z);
    let warp = vec2f(textureSample(noise, noise_sampler, turned / vec2f(34.0, 26.0)).z, fine.z);
    let detail = smoothstep(1.0, 5.0, view.scale);
    if view.scale >= 1.5 {
        return vec4f(shade(world, grain, warp, detail), 1.0);
    }
    // Cells smaller than pixels: the mean of some of them, or thin walls would flicker.
    let side = clamp(i32(1.0 / view.scale), 2, 4);
    var sum = vec3f(0.0);
    for (var y = 0; y < side; y++) {
        for (var x = 0; x < side; x++) {
            let shift = (vec2f(f32(x), f32(y)) + 0.5) / f32(side) - 0.5;
            sum += shade(world + shift / view.scale, grain, warp, detail);
        }
    }
    return vec4f(sum / f32(side * side), 1.0);
}
